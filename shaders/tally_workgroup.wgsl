// Adds up what the threads of a workgroup have seen, through its memory. Joined with tally_step.wgsl.

const SHARE: u32 = 8u;

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
    add(group_seen[0]);
}

// Adds what one thread has seen to what another has.
fn join(to: u32, other: u32) {
    for (var i = 0u; i < TOTALS; i++) {
        group_seen[to].totals[i] += group_seen[other].totals[i];
    }
    group_seen[to].differs_from_last |= group_seen[other].differs_from_last;
    group_seen[to].differs_from_second_last |= group_seen[other].differs_from_second_last;
}
