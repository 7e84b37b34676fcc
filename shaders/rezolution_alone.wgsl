// Tiles of one thread, which needs no other: six words, and one to either side. Joined with
// rezolution_stream.wgsl.

const OWN_WORDS: u32 = 6u;

// Beyond the halo nothing is known.
fn word_before(_last: u32) -> u32 {
    return 0u;
}

fn word_after(_first: u32) -> u32 {
    return 0u;
}

@compute @workgroup_size(STREAM_WORKGROUP)
fn stream(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let tile = place((group.y * groups.x + group.x) * STREAM_WORKGROUP + lane);
    stream_tile(column(i32(tile.column * OWN_WORDS) - 1, true, true), tile, lane);
}
