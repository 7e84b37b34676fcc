// Four generations a pass: the stages. Joined with stream_plain.wgsl.

const GENERATIONS: u32 = 4u;

var<private> stage_1: Stage;
var<private> stage_2: Stage;
var<private> stage_3: Stage;
var<private> stage_4: Stage;

// Lets row y of the board into the first stage; row y - GENERATIONS comes out of the last one.
fn through(at: Column, y: i32, row: Cells) -> Done {
    let row_1 = push(&stage_1, at, y - 1, row);
    let row_2 = push(&stage_2, at, y - 2, row_1);
    let before = oldest(&stage_3);
    let row_3 = push(&stage_3, at, y - 3, row_2);
    return Done(push(&stage_4, at, y - 4, row_3), before);
}
