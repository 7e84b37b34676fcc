// Eight generations a pass under watch: the stages. Joined with stream_watched.wgsl.

const GENERATIONS: u32 = 8u;

var<private> stage_1: Stage;
var<private> stage_2: Stage;
var<private> stage_3: Stage;
var<private> stage_4: Stage;
var<private> stage_5: Stage;
var<private> stage_6: Stage;
var<private> stage_7: Stage;
var<private> stage_8: Stage;

var<private> sight_2: Sight;
var<private> sight_3: Sight;
var<private> sight_4: Sight;
var<private> sight_5: Sight;
var<private> sight_6: Sight;
var<private> sight_7: Sight;
var<private> sight_8: Sight;

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
    let second_last_5 = oldest(&stage_4);
    let row_4 = push(&stage_4, at, y - 4, row_3);
    see(&sight_4, own, y - 4, row_4, oldest(&stage_4), second_last_4);
    let second_last_6 = oldest(&stage_5);
    let row_5 = push(&stage_5, at, y - 5, row_4);
    see(&sight_5, own, y - 5, row_5, oldest(&stage_5), second_last_5);
    let second_last_7 = oldest(&stage_6);
    let row_6 = push(&stage_6, at, y - 6, row_5);
    see(&sight_6, own, y - 6, row_6, oldest(&stage_6), second_last_6);
    let second_last_8 = oldest(&stage_7);
    let row_7 = push(&stage_7, at, y - 7, row_6);
    see(&sight_7, own, y - 7, row_7, oldest(&stage_7), second_last_7);
    let row_8 = push(&stage_8, at, y - 8, row_7);
    see(&sight_8, own, y - 8, row_8, oldest(&stage_8), second_last_8);
    return row_7;
}

// What has been seen of each generation.
fn sights() -> array<Sight, SEEN> {
    return array(sight_2, sight_3, sight_4, sight_5, sight_6, sight_7, sight_8);
}
