// Two generations of reZolution a pass: the stages, and a tile of three words and two cells to either
// side. Joined with rezolution_stream.wgsl.

const GENERATIONS: u32 = 2u;
const OWN_WORDS: u32 = 3u;

var<private> stage_1: Stage;
var<private> stage_2: Stage;

// Lets row y of the board into the first stage; row y - GENERATIONS comes out of the last one.
fn through(row: Cells) -> Cells {
    return push(&stage_2, push(&stage_1, row));
}

// The four words of a tile begin in the middle of a word of the board: they lie in five.
struct Column {
    first: u32,
    a: Source,
    b: Source,
    c: Source,
    d: Source,
    e: Source,
}

fn column(first: i32) -> Column {
    return Column(u32(first), source(first - 1), source(first), source(first + 1), source(first + 2), source(first + 3));
}

// The words that begin in the middle of five words.
fn half_way(words: Words, last: u32) -> Words {
    return (words >> Words(16u)) | (Words(words.yzw, last) << Words(16u));
}

fn load_levels(at: Column, row: u32) -> Words {
    let words = Words(levels_at(at.a, row), levels_at(at.b, row), levels_at(at.c, row), levels_at(at.d, row));
    return half_way(words, levels_at(at.e, row));
}

fn load_barred(at: Column, row: u32) -> u32 {
    let low = barred_at(at.a, row) | (barred_at(at.b, row) << 4u) | (barred_at(at.c, row) << 8u);
    let high = (barred_at(at.d, row) << 12u) | (barred_at(at.e, row) << 16u);
    return ((low | high) >> 2u) & TILE_BITS;
}

fn store(at: Column, row: u32, levels: Words) {
    let words = half_way(levels, 0u);
    store_word(row, at.first, words.x);
    store_word(row, at.first + 1u, words.y);
    store_word(row, at.first + 2u, words.z);
}
