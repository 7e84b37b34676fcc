// The statistics of a Life-like generation: what is counted, and when a board is settled.

// Totals: live cells, blue cells.
const TOTALS: u32 = 2u;
const ALIVE: u32 = 0u;
const BLUE: u32 = 1u;

// Whether a generation is settled: at most one colour is left, or the board repeats after one or two
// generations.
fn settled(totals: array<vec2<u32>, TOTALS>, repeats: bool) -> bool {
    let blue = totals[BLUE];
    return all(blue == vec2(0u)) || all(blue == totals[ALIVE]) || repeats;
}

// Whether the totals of a part of a board end the run: never. A board that has settled stays settled.
fn ends(_totals: array<u32, TOTALS>) -> bool {
    return false;
}
