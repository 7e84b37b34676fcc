// Two generations of reZolution a pass: the stages. Joined with rezolution_stream.wgsl.

const GENERATIONS: u32 = 2u;

var<private> stage_1: Stage;
var<private> stage_2: Stage;

// Lets row y of the board into the first stage; row y - GENERATIONS comes out of the last one.
fn through(row: Cells) -> Cells {
    return push(&stage_2, push(&stage_1, row));
}
