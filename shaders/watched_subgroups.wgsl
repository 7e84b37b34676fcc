// Adds up what the threads of a subgroup have seen in a pass, without memory. Joined with
// tally_pass.wgsl and the tiles of subgroups of a family.

// To be called by all threads of a group, which have computed something or not.
fn tally(_lane: u32, computed: bool) {
    var all_seen = sights();
    for (var generation = 0u; generation < SEEN; generation++) {
        var seen = all_seen[generation];
        for (var i = 0u; i < TOTALS; i++) {
            seen.totals[i] = subgroupAdd(seen.totals[i]);
        }
        seen.differs_from_last = subgroupOr(seen.differs_from_last);
        seen.differs_from_second_last = subgroupOr(seen.differs_from_second_last);
        // One thread of the subgroup has none before it.
        if subgroupExclusiveAdd(1u) == 0u && computed {
            add(generation, seen);
        }
    }
}
