// Adds up what the threads of a subgroup have seen before it reaches the workgroup's memory. Joined
// with arena.wgsl, for devices that have subgroups, of any size.

// To be called by all threads of a group.
fn gather(seen: Glance) {
    let all_seen = Glance(
        subgroupAdd(seen.alive),
        subgroupAdd(seen.blue),
        subgroupOr(seen.differs_from_last),
        subgroupOr(seen.differs_from_second_last),
    );
    // One thread of the subgroup has none before it.
    if subgroupExclusiveAdd(1u) == 0u {
        add(all_seen);
    }
}
