// Four generations of reZolution a pass: the stages, and a tile of two words and four cells to either
// side. Joined with rezolution_stream.wgsl.

const GENERATIONS: u32 = 4u;
const OWN_WORDS: u32 = 2u;

var<private> stage_1: Stage;
var<private> stage_2: Stage;
var<private> stage_3: Stage;
var<private> stage_4: Stage;

// Lets row y of the board into the first stage; row y - GENERATIONS comes out of the last one.
fn through(row: Cells) -> Cells {
    let row_2 = push(&stage_2, push(&stage_1, row));
    return push(&stage_4, push(&stage_3, row_2));
}

struct Column {
    first: u32,
    a: Source,
    b: Source,
    c: Source,
    d: Source,
}

fn column(first: i32) -> Column {
    return Column(u32(first), source(first - 1), source(first), source(first + 1), source(first + 2));
}

fn load_levels(at: Column, row: u32) -> Words {
    return Words(levels_at(at.a, row), levels_at(at.b, row), levels_at(at.c, row), levels_at(at.d, row));
}

fn load_barred(at: Column, row: u32) -> u32 {
    let low = barred_at(at.a, row) | (barred_at(at.b, row) << 4u);
    return low | (barred_at(at.c, row) << 8u) | (barred_at(at.d, row) << 12u);
}

fn store(at: Column, row: u32, levels: Words) {
    store_word(row, at.first, levels.y);
    store_word(row, at.first + 1u, levels.z);
}
