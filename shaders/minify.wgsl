// A picture with `scale` cells a pixel in each direction, at most 2048: each pixel is the exact
// average of the cells under it. Joined after view.wgsl.
//
// `lanes` threads, a power of two, share the rows of a pixel, and 64 / `lanes` pixels a workgroup.
// That keeps a large card busy where few pixels show many cells, and every thread's loops short:
// Mesa's llvmpipe ends all loops of a thread after 65,535 turns without a word.

const MINIFY_WORKGROUP: u32 = 64u;

// The least brightness of a pixel with any live cell under it, as in src/render/average.rs.
const FAINTEST: u32 = 40u;

// Live and blue cells of a row from column `first` up to, without, column `end`.
fn count_run(row: u32, first: u32, end: u32) -> vec2u {
    let first_word = first / 32u;
    let last_word = (end - 1u) / 32u;
    var counts = vec2u(0u, 0u);
    for (var word = first_word; word <= last_word; word++) {
        var bits = 0xffffffffu;
        if word == first_word {
            bits <<= first % 32u;
        }
        if word == last_word {
            bits &= 0xffffffffu >> (31u - (end - 1u) % 32u);
        }
        let live = alive[row + word] & bits;
        if live != 0u {
            counts += vec2u(countOneBits(live), countOneBits(blue[row + word] & bits));
        }
    }
    return counts;
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

// Live and blue cells of a row of the board from column `left` on, counted on beyond its borders.
fn count_row(y: i32, left: i32, columns: u32) -> vec2u {
    let row = wrapped(y, params.height) * params.row_words;
    let first = wrapped(left, params.width);
    var counts = vec2u(0u, 0u);
    let whole = columns / params.width;
    if whole > 0u {
        counts = whole * count_run(row, 0u, params.width);
    }
    let rest = columns % params.width;
    if rest > 0u {
        let end = min(first + rest, params.width);
        counts += count_run(row, first, end);
        if first + rest > params.width {
            counts += count_run(row, 0u, first + rest - params.width);
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
        var counts = vec2u(0u, 0u);
        for (var y = top + i32(lane); y < bottom; y += i32(params.lanes)) {
            counts += count_row(y, left, u32(right - left));
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
