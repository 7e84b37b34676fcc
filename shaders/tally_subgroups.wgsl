// Adds up what the threads of a subgroup have seen, without memory. Joined with tally_step.wgsl, for
// devices that have subgroups, of any size.

// To be called by all threads of a group.
fn tally(lane: u32, seen: Seen) {
    var all_seen = seen;
    for (var i = 0u; i < TOTALS; i++) {
        all_seen.totals[i] = subgroupAdd(seen.totals[i]);
    }
    all_seen.differs_from_last = subgroupOr(seen.differs_from_last);
    all_seen.differs_from_second_last = subgroupOr(seen.differs_from_second_last);
    // One thread of the subgroup has none before it.
    if subgroupExclusiveAdd(1u) == 0u {
        add(all_seen);
    }
}
