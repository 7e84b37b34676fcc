// The tally of a generation that is computed alone. Joined with tally.wgsl and a family's file, which
// has `Seen`, with a way to add up what threads have seen, and with an entry point.

const TALLY_WORKGROUP: u32 = 64u;

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
