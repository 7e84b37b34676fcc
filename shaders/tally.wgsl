// Adds what the threads have seen up to the tally of a generation. Joined with a family's file, which
// has `Seen` and the number of its totals, and with an entry point.
//
// Totals are 64 bits in two words: a board may have more than 2^32 cells.

const TALLY_WORKGROUP: u32 = 64u;
const SHARE: u32 = 8u;
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

var<workgroup> group_seen: array<Seen, TALLY_WORKGROUP>;

// To be called by all threads of a group.
fn tally(lane: u32, seen: Seen) {
    group_seen[lane] = seen;
    workgroupBarrier();
    if lane % SHARE == 0u {
        for (var other = lane + 1u; other < lane + SHARE; other++) {
            join(lane, other);
        }
    }
    workgroupBarrier();
    if lane != 0u {
        return;
    }
    for (var other = SHARE; other < TALLY_WORKGROUP; other += SHARE) {
        join(0u, other);
    }
    for (var i = 0u; i < TOTALS; i++) {
        let more = group_seen[0].totals[i];
        // An addition wraps exactly if the total comes out smaller than what was added.
        if more != 0u && atomicAdd(&tallies.next.totals[i].low, more) + more < more {
            atomicAdd(&tallies.next.totals[i].high, 1u);
        }
    }
    if group_seen[0].differs_from_last != 0u {
        atomicStore(&tallies.next.differs_from_last, 1u);
    }
    if group_seen[0].differs_from_second_last != 0u {
        atomicStore(&tallies.next.differs_from_second_last, 1u);
    }
}

// Adds what one thread has seen to what another has.
fn join(to: u32, other: u32) {
    for (var i = 0u; i < TOTALS; i++) {
        group_seen[to].totals[i] += group_seen[other].totals[i];
    }
    group_seen[to].differs_from_last |= group_seen[other].differs_from_last;
    group_seen[to].differs_from_second_last |= group_seen[other].differs_from_second_last;
}
