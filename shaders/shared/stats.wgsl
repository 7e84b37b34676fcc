// Statistics of a generation. The family's stats file declares TOTALS, `settled` and `ends`; the file with
// the entry point declares `stats`: those of the last generation, and those that are written.

// The statistics of a generation as one thread has counted them. The two words are not 0 if any cell
// differs from the generation before, or from the one before that.
struct PartialStats {
    totals: array<u32, TOTALS>,
    differs_from_last: u32,
    differs_from_second_last: u32,
}

#ifdef STATS
const STATS_STRIDE: u32 = 256u;

// Values of `computed`: the generation was computed; another one of the same pass has ended the run.
const COMPUTED: u32 = 1u;
const OVER: u32 = 2u;

// 64 bits in two words: a board may have more than 2^32 cells.
struct Total {
    low: atomic<u32>,
    high: atomic<u32>,
}

struct GenerationStats {
    totals: array<Total, TOTALS>,
    computed: atomic<u32>,
    differs_from_last: atomic<u32>,
    differs_from_second_last: atomic<u32>,
}

// Whether the last generation was computed and the run continues after it.
fn run_continues() -> bool {
    var totals: array<vec2<u32>, TOTALS>;
    for (var i = 0u; i < TOTALS; i++) {
        totals[i] = vec2(
            atomicLoad(&stats.last.totals[i].low),
            atomicLoad(&stats.last.totals[i].high),
        );
    }
    let repeats = atomicLoad(&stats.last.differs_from_last) == 0u
        || atomicLoad(&stats.last.differs_from_second_last) == 0u;
    return atomicLoad(&stats.last.computed) == COMPUTED && !settled(totals, repeats);
}
#endif
