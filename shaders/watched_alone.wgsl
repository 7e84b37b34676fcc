// Adds up what the threads of a workgroup have seen in a pass, through its memory. Joined with
// tally_pass.wgsl and the tiles of one thread of a family.

var<workgroup> group_sights: array<array<Sight, SEEN>, STREAM_WORKGROUP>;

// To be called by all threads of a group, which have computed something or not.
fn tally(lane: u32, computed: bool) {
    group_sights[lane] = sights();
    workgroupBarrier();
    // One thread for each generation.
    if !computed || lane >= SEEN {
        return;
    }
    var seen = Sight();
    for (var thread = 0u; thread < STREAM_WORKGROUP; thread++) {
        let other = group_sights[thread][lane];
        for (var i = 0u; i < TOTALS; i++) {
            seen.totals[i] += other.totals[i];
        }
        seen.differs_from_last |= other.differs_from_last;
        seen.differs_from_second_last |= other.differs_from_second_last;
    }
    add(lane, seen);
}
