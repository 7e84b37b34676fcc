// The tallies of the generations that a pass under watch sees. Joined with tally.wgsl and a family's
// files, which have the number of its totals, `ends` and `watch_tile`, and say in GENERATIONS how long
// the pass is.

// Generations that are seen for the first time.
const SEEN: u32 = GENERATIONS - 1u;

struct Spaced {
    @size(TALLY_STRIDE) tally: Tally,
}

// The tally of the generation before, and those of the ones which are seen.
struct Steps {
    @size(TALLY_STRIDE) last: Tally,
    next: array<Spaced, SEEN>,
}

@group(0) @binding(5) var<storage, read_write> tallies: Steps;

// What a thread has seen of a generation: its counts, and bits that are not 0 if any cell differs
// from the generation before, or from the one before that.
struct Sight {
    totals: array<u32, TOTALS>,
    differs_from_last: u32,
    differs_from_second_last: u32,
}

// The place of a tile. Those that are too many lie below the board.
fn place(tile: u32) -> Place {
    return Place(tile % params.columns, tile / params.columns * params.strip_rows);
}

// Computes a strip of a tile and tallies what is seen of it. To be called by all threads of a group.
fn stream_tile(at: Column, tile: Place, lane: u32) {
    let computes = params.until_settled == 0u || goes_on();
    if computes && tile.first_row < params.height {
        watch_tile(at, tile);
    }
    tally(lane, computes);
}

// Adds what some threads have seen of a generation to its tally.
fn add(generation: u32, seen: Sight) {
    for (var i = 0u; i < TOTALS; i++) {
        add_total(generation, i, seen.totals[i]);
    }
    atomicOr(&tallies.next[generation].tally.computed, COMPUTED);
    if ends(seen.totals) {
        // The pass after this one looks at the last tally only.
        atomicOr(&tallies.next[SEEN - 1u].tally.computed, OVER);
    }
    if seen.differs_from_last != 0u {
        atomicStore(&tallies.next[generation].tally.differs_from_last, 1u);
    }
    if seen.differs_from_second_last != 0u {
        atomicStore(&tallies.next[generation].tally.differs_from_second_last, 1u);
    }
}

fn add_total(generation: u32, total: u32, more: u32) {
    // An addition wraps exactly if the total comes out smaller than what was added.
    if more != 0u && atomicAdd(&tallies.next[generation].tally.totals[total].low, more) + more < more {
        atomicAdd(&tallies.next[generation].tally.totals[total].high, 1u);
    }
}
