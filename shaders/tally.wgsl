// The tally of a generation. Joined with a family's file, which has `Seen` and the number of its
// totals, with a way to add up what threads have seen, and with an entry point.
//
// Totals are 64 bits in two words: a board may have more than 2^32 cells.

const TALLY_WORKGROUP: u32 = 64u;
const TALLY_STRIDE: u32 = 256u;

struct Total {
    low: atomic<u32>,
    high: atomic<u32>,
}

struct Tally {
    totals: array<Total, TOTALS>,
    computed: atomic<u32>,
    differs_from_last: atomic<u32>,
    differs_from_second_last: atomic<u32>,
}

// The tally of the generation before, and that of the one which is seen.
struct Step {
    @size(TALLY_STRIDE) last: Tally,
    next: Tally,
}

@group(0) @binding(5) var<storage, read_write> tallies: Step;

// Adds what some threads have seen to the tally.
fn add(seen: Seen) {
    for (var i = 0u; i < TOTALS; i++) {
        let more = seen.totals[i];
        // An addition wraps exactly if the total comes out smaller than what was added.
        if more != 0u && atomicAdd(&tallies.next.totals[i].low, more) + more < more {
            atomicAdd(&tallies.next.totals[i].high, 1u);
        }
    }
    if seen.differs_from_last != 0u {
        atomicStore(&tallies.next.differs_from_last, 1u);
    }
    if seen.differs_from_second_last != 0u {
        atomicStore(&tallies.next.differs_from_second_last, 1u);
    }
}
