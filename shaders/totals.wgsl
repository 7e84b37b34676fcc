// What is counted of a board of the Life-like rules, and when one is settled. Joined with walk.wgsl or
// stream_watched.wgsl.

// What is counted: live cells, and blue ones.
const TOTALS: u32 = 2u;
const ALIVE: u32 = 0u;
const BLUE: u32 = 1u;

// Whether nothing new can come of a generation: one colour at most, or a board that was there one or
// two generations ago.
fn settled(totals: array<vec2<u32>, TOTALS>, repeats: bool) -> bool {
    let blue = totals[BLUE];
    return all(blue == vec2(0u)) || all(blue == totals[ALIVE]) || repeats;
}

// Whether a part of a board is enough to tell that a run ends: never, and what has settled stays settled.
fn ends(_totals: array<u32, TOTALS>) -> bool {
    return false;
}
