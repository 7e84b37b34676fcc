// Four generations of reZolution a pass: the stages. Joined with rezolution_stream.wgsl.

const GENERATIONS: u32 = 4u;

var<private> stage_1: Stage;
var<private> stage_2: Stage;
var<private> stage_3: Stage;
var<private> stage_4: Stage;

// Lets row y of the board into the first stage; row y - GENERATIONS comes out of the last one.
fn through(row: Cells) -> Cells {
    let row_2 = push(&stage_2, push(&stage_1, row));
    return push(&stage_4, push(&stage_3, row_2));
}
