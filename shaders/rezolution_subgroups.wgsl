// Tiles of a subgroup or of a part of one: eight words a thread, of which the first and the last of all
// are the halo. Neighbours come from the neighbouring thread, without memory. Joined with
// rezolution_stream.wgsl.

const THREAD_WORDS: u32 = 8u;

// The first thread has none before it and the last none after it: beyond the halo nothing is known.
fn word_before(last: u32) -> u32 {
    return subgroupShuffleUp(last, 1u);
}

fn word_after(first: u32) -> u32 {
    return subgroupShuffleDown(first, 1u);
}

@compute @workgroup_size(STREAM_WORKGROUP)
fn stream(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(num_subgroups) subgroups: u32,
    @builtin(subgroup_id) subgroup: u32,
    @builtin(subgroup_size) threads: u32,
    @builtin(subgroup_invocation_id) lane: u32,
) {
    // A workgroup may be smaller than the subgroups of the device.
    let subgroup_tiles = min(threads, STREAM_WORKGROUP) / params.tile_threads;
    let number = (group.y * groups.x + group.x) * subgroups + subgroup;
    let tile = place(number * subgroup_tiles + lane / params.tile_threads);
    let thread = lane % params.tile_threads;
    let own_words = params.tile_threads * THREAD_WORDS - 2u;
    let first = i32(tile.column * own_words + thread * THREAD_WORDS) - 1;
    let last_is_halo = thread == params.tile_threads - 1u;
    stream_tile(column(first, thread == 0u, last_is_halo), tile, lane);
}
