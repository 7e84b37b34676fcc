// The tally of a generation. Joined with a family's file, which has the number of its totals and
// `settled`, and with `tallies`: the last generation's, and those that are written.
//
// Totals are 64 bits in two words: a board may have more than 2^32 cells.

const TALLY_STRIDE: u32 = 256u;

// What `computed` says: the generation was computed; another one of the same pass has ended the run.
const COMPUTED: u32 = 1u;
const OVER: u32 = 2u;

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

// Whether the last generation was computed and the run goes on after it.
fn goes_on() -> bool {
    var totals: array<vec2<u32>, TOTALS>;
    for (var i = 0u; i < TOTALS; i++) {
        totals[i] = vec2(
            atomicLoad(&tallies.last.totals[i].low),
            atomicLoad(&tallies.last.totals[i].high),
        );
    }
    let repeats = atomicLoad(&tallies.last.differs_from_last) == 0u
        || atomicLoad(&tallies.last.differs_from_second_last) == 0u;
    return atomicLoad(&tallies.last.computed) == COMPUTED && !settled(totals, repeats);
}
