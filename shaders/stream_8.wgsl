// Eight generations a pass: the stages. Joined with stream_plain.wgsl.

const GENERATIONS: u32 = 8u;

var<private> stage_1: Stage;
var<private> stage_2: Stage;
var<private> stage_3: Stage;
var<private> stage_4: Stage;
var<private> stage_5: Stage;
var<private> stage_6: Stage;
var<private> stage_7: Stage;
var<private> stage_8: Stage;

// Lets row y of the board into the first stage; row y - GENERATIONS comes out of the last one.
fn through(at: Column, y: i32, row: Cells) -> Done {
    let row_1 = push(&stage_1, at, y - 1, row);
    let row_2 = push(&stage_2, at, y - 2, row_1);
    let row_3 = push(&stage_3, at, y - 3, row_2);
    let row_4 = push(&stage_4, at, y - 4, row_3);
    let row_5 = push(&stage_5, at, y - 5, row_4);
    let row_6 = push(&stage_6, at, y - 6, row_5);
    let before = oldest(&stage_7);
    let row_7 = push(&stage_7, at, y - 7, row_6);
    return Done(push(&stage_8, at, y - 8, row_7), before);
}
