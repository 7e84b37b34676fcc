// Tallies the present generation. Joined with tally.wgsl and a family's file, which has `look`.

@compute @workgroup_size(TALLY_WORKGROUP)
fn census(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    tally(lane, look((group.y * groups.x + group.x) * TALLY_WORKGROUP + lane));
}
