// Two generations a pass: the stages. Joined with stream_plain.wgsl.

const GENERATIONS: u32 = 2u;

var<private> stage_1: Stage;
var<private> stage_2: Stage;

// Lets row y of the board into the first stage; row y - GENERATIONS comes out of the last one.
fn through(at: Column, y: i32, row: Cells) -> Done {
    let before = oldest(&stage_1);
    let row_1 = push(&stage_1, at, y - 1, row);
    return Done(push(&stage_2, at, y - 2, row_1), before);
}
