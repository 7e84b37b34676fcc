// What a board of dead, red and blue cells looks like: the colour of a cell, and of many under one
// pixel. Joined after view.wgsl.

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

// Live and blue cells of row y from column `first` up to, without, column `end`.
fn weigh_run(y: u32, first: u32, end: u32) -> vec4u {
    let row = y * params.row_words;
    var counts = vec2u(0u, 0u);
    for (var word = first / 32u; word <= (end - 1u) / 32u; word++) {
        let live = alive[row + word] & run_mask(word, first, end);
        if live != 0u {
            counts += vec2u(countOneBits(live), countOneBits(blue[row + word] & live));
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
