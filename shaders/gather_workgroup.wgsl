// Adds up what the threads of a workgroup have seen, one after the other. Joined with arena.wgsl.

fn gather(seen: Glance) {
    add(seen);
}
