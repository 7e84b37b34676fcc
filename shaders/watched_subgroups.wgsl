// Adds up what the threads of a subgroup have seen, without memory. Joined with stream_watched.wgsl
// and stream_subgroups.wgsl.

// To be called by all threads of a group, which have computed something or not.
fn tally(_lane: u32, computed: bool) {
    var all_seen = sights();
    for (var generation = 0u; generation < SEEN; generation++) {
        let own = all_seen[generation];
        let seen = Sight(
            subgroupAdd(own.alive),
            subgroupAdd(own.blue),
            subgroupOr(own.differs_from_last),
            subgroupOr(own.differs_from_second_last),
        );
        // One thread of the subgroup has none before it.
        if subgroupExclusiveAdd(1u) == 0u && computed {
            add(generation, seen);
        }
    }
}
