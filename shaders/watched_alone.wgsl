// Adds up what the threads of a workgroup have seen, through its memory. Joined with
// stream_watched.wgsl and stream_alone.wgsl.

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
        seen.alive += other.alive;
        seen.blue += other.blue;
        seen.differs_from_last |= other.differs_from_last;
        seen.differs_from_second_last |= other.differs_from_second_last;
    }
    add(lane, seen);
}
