// Four generations of reZolution a pass under watch: the stages. Joined with rezolution_watched.wgsl.

const GENERATIONS: u32 = 4u;

var<private> stage_1: Stage;
var<private> stage_2: Stage;
var<private> stage_3: Stage;
var<private> stage_4: Stage;

// The row above the two that a stage keeps, of the three whose next but one generation is seen.
var<private> above_1: Cells;
var<private> above_2: Cells;
var<private> above_3: Cells;

var<private> sight_2: Sight;
var<private> sight_3: Sight;
var<private> sight_4: Sight;

// Lets row y of the board into the first stage, and looks at what comes out of all others. The row of
// the next board comes out of the last stage but one. Told are the targets of rows y - 1 to y - 4.
fn through(own: Own, y: i32, targets: Words, row: Cells) -> Cells {
    let second_last_2 = above_1;
    above_1 = stage_1.middle;
    let row_1 = push(&stage_1, row);
    let second_last_3 = above_2;
    above_2 = stage_2.middle;
    let row_2 = push(&stage_2, row_1);
    see(&sight_2, own, y - 2, targets.y, row_2, above_2, second_last_2);
    let second_last_4 = above_3;
    above_3 = stage_3.middle;
    let row_3 = push(&stage_3, row_2);
    see(&sight_3, own, y - 3, targets.z, row_3, above_3, second_last_3);
    let last_4 = stage_4.middle;
    let row_4 = push(&stage_4, row_3);
    see(&sight_4, own, y - 4, targets.w, row_4, last_4, second_last_4);
    return row_3;
}

// What has been seen of each generation.
fn sights() -> array<Sight, SEEN> {
    return array(sight_2, sight_3, sight_4);
}
