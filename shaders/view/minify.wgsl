// A picture with `scale` cells to a pixel in each direction, at most 2048: each pixel is the exact
// average of the cells under it. The family weighs cells by up to four numbers.
//
// `lanes` threads, a power of two, share the rows of a pixel, and 64 / `lanes` pixels a workgroup.
// That keeps a large card busy where few pixels show many cells, and every thread's loops short:
// Mesa's llvmpipe silently ends all loops of a thread after 65,535 turns.

const WORKGROUP_SIZE: u32 = 64u;

// Four numbers a pixel.
var<workgroup> sums: array<array<atomic<u32>, 4>, WORKGROUP_SIZE>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn minify(
    @builtin(workgroup_id) group: vec3u,
    @builtin(local_invocation_index) thread: u32,
) {
    let slot = thread / params.lanes;
    let lane = thread % params.lanes;
    let pixel = vec2u(group.x * (WORKGROUP_SIZE / params.lanes) + slot, group.y);
    for (var i = 0u; i < 4u; i++) {
        atomicStore(&sums[thread][i], 0u);
    }
    workgroupBarrier();

    let scale = i32(params.scale);
    var left = (i32(pixel.x) - params.origin_x) * scale;
    var top = (i32(pixel.y) - params.origin_y) * scale;
    var right = left + scale;
    var bottom = top + scale;
    let inside = is_inside(left, top);
    if !has(VIEW_TORUS) {
        left = max(left, 0);
        top = max(top, 0);
        right = min(right, i32(params.width));
        bottom = min(bottom, i32(params.height));
    }
    let shown = pixel.x < params.columns && pixel.y < params.rows;
    let covers = left < right && top < bottom;
    if shown && covers {
        // A pixel's columns may go on beyond the borders of the board, and there even be all of them,
        // many times: what is left of these are up to two runs.
        let width = params.width;
        let columns = u32(right - left);
        let first = wrapped(left, width);
        let end = min(first + columns % width, width);
        let beyond = first + columns % width - end;
        let firsts = array(first, 0u, 0u);
        let ends = array(end, beyond, width);
        let times = array(select(0u, 1u, end > first), select(0u, 1u, beyond > 0u), columns / width);
        var weights = vec4u(0u);
        for (var i = 0u; i < 3u; i++) {
            if times[i] > 0u {
                weights += times[i] * weigh_rows(firsts[i], ends[i], top + i32(lane), bottom);
            }
        }
        for (var i = 0u; i < 4u; i++) {
            if weights[i] != 0u {
                atomicAdd(&sums[slot][i], weights[i]);
            }
        }
    }
    workgroupBarrier();

    if !shown || lane != 0u {
        return;
    }
    if !covers {
        put(pixel, params.outside);
        return;
    }
    let total = u32(right - left) * u32(bottom - top);
    let weights = vec4u(
        atomicLoad(&sums[slot][0]),
        atomicLoad(&sums[slot][1]),
        atomicLoad(&sums[slot][2]),
        atomicLoad(&sums[slot][3]),
    );
    let colour = weighed_colour(total, weights);
    put(pixel, select(dimmed(colour), colour, inside || !has(VIEW_TORUS)));
}
