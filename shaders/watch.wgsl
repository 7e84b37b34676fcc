// Computes one generation unless the one before has settled, and tallies what was seen of it.
// Joined with tally.wgsl and a family's file, which has `walk`.
//
// Many generations are submitted at once. Each reads the tally of the one before, and after a
// settled one none computes anything any more: the planes stay as that generation left them.

@compute @workgroup_size(TALLY_WORKGROUP)
fn watch(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    var seen = Seen();
    if goes_on() {
        seen = walk((group.y * groups.x + group.x) * TALLY_WORKGROUP + lane);
        if lane == 0u && all(group == vec3(0u)) {
            atomicStore(&tallies.next.computed, COMPUTED);
        }
    }
    tally(lane, seen);
}
