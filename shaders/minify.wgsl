// A picture with `scale` cells a pixel in each direction, at most 2048: each pixel is the exact
// average of the cells under it. Joined after view.wgsl.
//
// `lanes` threads, a power of two, share the rows of a pixel, and 64 / `lanes` pixels a workgroup.
// That keeps a large card busy where few pixels show many cells, and every thread's loops short:
// Mesa's llvmpipe ends all loops of a thread after 65,535 turns without a word.

const MINIFY_WORKGROUP: u32 = 64u;

// The least brightness of a pixel with any live cell under it, as in src/render/average.rs.
const FAINTEST: u32 = 40u;

// Some columns, at least one: their words, and which bits of the first and the last one.
struct Run {
    first_word: u32,
    last_word: u32,
    first_bits: u32,
    last_bits: u32,
}

// From column `first` up to, without, column `end`.
fn run(first: u32, end: u32) -> Run {
    return Run(
        first / 32u,
        (end - 1u) / 32u,
        0xffffffffu << (first % 32u),
        0xffffffffu >> (31u - (end - 1u) % 32u),
    );
}

// The largest number whose square is at most `value`, which is at most 255 * 255.
fn root(value: u32) -> u32 {
    var found = u32(sqrt(f32(value)));
    if found * found > value {
        found -= 1u;
    }
    if (found + 1u) * (found + 1u) <= value {
        found += 1u;
    }
    return found;
}

fn averaged_colour(total: u32, live: u32, blue_cells: u32) -> u32 {
    if live == 0u {
        return params.dead;
    }
    // 255 * 255 * live / total, in two steps that fit 32 bits.
    let whole = 255u * live / total;
    let rest = 255u * live % total;
    var brightness = max(root(255u * whole + 255u * rest / total), FAINTEST);
    if has(VIEW_ANY) {
        brightness = 255u;
    }
    let red_cells = live - blue_cells;
    var colour = 0xff000000u;
    for (var shift = 0u; shift < 24u; shift += 8u) {
        let sum = channel(params.red, shift) * red_cells + channel(params.blue, shift) * blue_cells;
        let mean = (2u * sum + live) / (2u * live);
        let mixed = channel(params.dead, shift) * (255u - brightness) + mean * brightness;
        colour |= ((mixed + 127u) / 255u) << shift;
    }
    return colour;
}

// Live and blue cells of a run, in every `lanes`-th row from `top` up to, without, `bottom`.
//
// The rows are the innermost loop, and what does not change from row to row is worked out before:
// Mesa's llvmpipe computes both sides of every branch, the body of a loop once more than it is run,
// and divisions one by one.
fn count_run(at: Run, top: i32, bottom: i32) -> vec2u {
    let onward = params.lanes % params.height;
    let first_row = wrapped(top, params.height);
    var counts = vec2u(0u, 0u);
    for (var word = at.first_word; word <= at.last_word; word++) {
        var bits = select(0xffffffffu, at.first_bits, word == at.first_word);
        bits &= select(0xffffffffu, at.last_bits, word == at.last_word);
        var row = first_row;
        for (var y = top; y < bottom; y += i32(params.lanes)) {
            let index = row * params.row_words + word;
            counts += vec2u(countOneBits(alive[index] & bits), countOneBits(blue[index] & bits));
            row += onward;
            row -= select(0u, params.height, row >= params.height);
        }
    }
    return counts;
}

var<workgroup> live_sums: array<atomic<u32>, MINIFY_WORKGROUP>;
var<workgroup> blue_sums: array<atomic<u32>, MINIFY_WORKGROUP>;

@compute @workgroup_size(MINIFY_WORKGROUP)
fn minify(
    @builtin(workgroup_id) group: vec3u,
    @builtin(local_invocation_index) thread: u32,
) {
    let slot = thread / params.lanes;
    let lane = thread % params.lanes;
    let pixel = vec2u(group.x * (MINIFY_WORKGROUP / params.lanes) + slot, group.y);
    atomicStore(&live_sums[thread], 0u);
    atomicStore(&blue_sums[thread], 0u);
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
        let runs = array(run(first, end), run(0u, beyond), run(0u, width));
        let times = array(select(0u, 1u, end > first), select(0u, 1u, beyond > 0u), columns / width);
        var counts = vec2u(0u, 0u);
        for (var i = 0u; i < 3u; i++) {
            if times[i] > 0u {
                counts += times[i] * count_run(runs[i], top + i32(lane), bottom);
            }
        }
        atomicAdd(&live_sums[slot], counts.x);
        atomicAdd(&blue_sums[slot], counts.y);
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
    let colour = averaged_colour(total, atomicLoad(&live_sums[slot]), atomicLoad(&blue_sums[slot]));
    put(pixel, select(dimmed(colour), colour, inside || !has(VIEW_TORUS)));
}
