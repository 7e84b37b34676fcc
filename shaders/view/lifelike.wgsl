// What a Life-like board looks like: the colour of a cell, and of many under one pixel. The averages are
// those of src/render/average.rs.

#import view/view
#ifdef MINIFY
#import view/minify
#else
#import view/magnify
#endif

@group(0) @binding(1) var<storage, read> alive: array<u32>;
@group(0) @binding(2) var<storage, read> blue: array<u32>;
@group(0) @binding(3) var<storage, read_write> pixels: array<u32>;

// Nothing of such a cell depends on the pixel of it that is drawn.
fn cell_colour(x: u32, y: u32, at: vec2u) -> u32 {
    let word = y * params.row_words + x / 32u;
    let bit = 1u << (x % 32u);
    if (alive[word] & bit) == 0u {
        return params.dead;
    }
    return select(params.red, params.blue, (blue[word] & bit) != 0u);
}

// Nor has it an outline above the lines between cells.
fn has_outline(x: u32, y: u32, at: vec2u) -> bool {
    return false;
}

// Live and blue cells from column `first` up to, without, column `end`, in every `lanes`-th row from
// `top` up to, without, `bottom`.
//
// The rows are the innermost loop, and what does not change from row to row is worked out before:
// Mesa's llvmpipe computes both sides of every branch, the body of a loop once more than it is run,
// and divisions one by one.
fn weigh_rows(first: u32, end: u32, top: i32, bottom: i32) -> vec4u {
    let onward = params.lanes % params.height;
    let first_row = plane_row(wrapped(top, params.height));
    var counts = vec2u(0u, 0u);
    for (var word = first / 32u; word <= (end - 1u) / 32u; word++) {
        let bits = run_mask(word, first, end);
        var row = first_row;
        for (var y = top; y < bottom; y += i32(params.lanes)) {
            let index = row * params.row_words + word;
            counts += vec2u(countOneBits(alive[index] & bits), countOneBits(blue[index] & bits));
            row += onward;
            row -= select(0u, params.height, row >= params.height);
        }
    }
    return vec4u(counts, 0u, 0u);
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

fn weighed_colour(total: u32, weights: vec4u) -> u32 {
    return averaged_colour(total, weights.x, weights.y);
}
