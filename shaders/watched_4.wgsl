// Four generations a pass under watch: the stages. Joined with stream_watched.wgsl.

const GENERATIONS: u32 = 4u;

var<private> stage_1: Stage;
var<private> stage_2: Stage;
var<private> stage_3: Stage;
var<private> stage_4: Stage;

var<private> sight_2: Sight;
var<private> sight_3: Sight;
var<private> sight_4: Sight;

// Lets row y of the board into the first stage, and looks at what comes out of all others. The row of
// the next board comes out of the last stage but one.
fn through(at: Column, own: Own, y: i32, row: Cells) -> Cells {
    let second_last_2 = oldest(&stage_1);
    let row_1 = push(&stage_1, at, y - 1, row);
    let second_last_3 = oldest(&stage_2);
    let row_2 = push(&stage_2, at, y - 2, row_1);
    see(&sight_2, own, y - 2, row_2, oldest(&stage_2), second_last_2);
    let second_last_4 = oldest(&stage_3);
    let row_3 = push(&stage_3, at, y - 3, row_2);
    see(&sight_3, own, y - 3, row_3, oldest(&stage_3), second_last_3);
    let row_4 = push(&stage_4, at, y - 4, row_3);
    see(&sight_4, own, y - 4, row_4, oldest(&stage_4), second_last_4);
    return row_3;
}

// What has been seen of each generation.
fn sights() -> array<Sight, SEEN> {
    return array(sight_2, sight_3, sight_4);
}
