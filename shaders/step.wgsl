// Computes one generation. Joined with a family's file, which has `walk`.

const STEP_WORKGROUP: u32 = 64u;

@compute @workgroup_size(STEP_WORKGROUP)
fn step(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    walk((group.y * groups.x + group.x) * STEP_WORKGROUP + lane);
}
