// What a board of reZolution looks like: the colour of a cell, and of many under one pixel. Functions of
// the same names are in src/render/rezolution.rs.

#import view/view
#ifdef MINIFY
#import view/minify
#else
#import view/magnify
#endif

@group(0) @binding(1) var<storage, read> populations: array<u32>;
@group(0) @binding(2) var<storage, read> barriers: array<u32>;
@group(0) @binding(3) var<storage, read> targets: array<u32>;
@group(0) @binding(4) var<storage, read_write> pixels: array<u32>;

// The share of a whole live cell, so that its square root is the brightness.
const FULL: u32 = 255u;

// Pixels per cell from which a target can be outlined.
const OUTLINE_SCALE: u32 = 3u;

// Of four cells at once, as are `four_populations` and `weight`.
fn brightness(size: vec4u) -> vec4u {
    let few = 96u + 12u * (size - 1u);
    let many = 180u + 4u * (size - 8u);
    let most = 252u + (min(size, vec4u(127u)) - 26u) / 33u;
    let populated = select(
        select(most, many, size <= vec4u(26u)),
        few,
        size <= vec4u(8u),
    );
    return select(populated, vec4u(0u), size == vec4u(0u));
}

fn population_row_words() -> u32 {
    return (params.width + 15u) / 16u * 4u;
}

// The sizes of the four populations of a word, and which of them are blue.
struct Four {
    sizes: vec4u,
    blue: vec4u,
}

fn four_populations(word: u32) -> Four {
    let population = (vec4u(word) >> vec4u(0u, 8u, 16u, 24u)) & vec4u(0xffu);
    let is_blue = population >> vec4u(7u);
    return Four(select(population, 256u - population, is_blue != vec4u(0u)), is_blue);
}

fn is_marked(marks: u32, x: u32) -> bool {
    return ((marks >> (x % 32u)) & 1u) != 0u;
}

// A cell of a target shows it at its edge, or all over if it has few pixels.
fn has_outline(x: u32, y: u32, at: vec2u) -> bool {
    if !is_marked(targets[y * params.row_words + x / 32u], x) {
        return false;
    }
    var outline = params.scale;
    if params.scale >= OUTLINE_SCALE {
        outline = max(params.scale / 8u, 1u);
    }
    return any(at < vec2u(outline)) || any(at + outline >= vec2u(params.scale));
}

fn cell_colour(x: u32, y: u32, at: vec2u) -> u32 {
    if has_outline(x, y, at) {
        return params.target_colour;
    }
    if is_marked(barriers[y * params.row_words + x / 32u], x) {
        return params.barrier_colour;
    }
    let four = four_populations(populations[y * population_row_words() + x / 4u]);
    let live = weight(four.sizes)[x % 4u];
    return averaged_colour(1u, live, live * four.blue[x % 4u]);
}

fn weight(size: vec4u) -> vec4u {
    let bright = brightness(size);
    return max((bright * bright + FULL / 2u) / FULL, min(size, vec4u(1u)));
}

// Of row y from column `first` up to, without, column `end`: live cells in FULL for each, blue ones
// of them, barriers, targets.
fn weigh_run(y: u32, first: u32, end: u32) -> vec4u {
    var sums = vec4u(0u);
    let row = y * population_row_words();
    for (var word = first / 4u; word <= (end - 1u) / 4u; word++) {
        let found = populations[row + word];
        if found == 0u {
            continue;
        }
        let four = four_populations(found);
        let x = 4u * word + vec4u(0u, 1u, 2u, 3u);
        let inside = (x >= vec4u(first)) & (x < vec4u(end));
        let live = select(vec4u(0u), weight(four.sizes), inside);
        sums += vec4u(dot(live, vec4u(1u)), dot(live, four.blue), 0u, 0u);
    }
    let mark_row = y * params.row_words;
    for (var word = first / 32u; word <= (end - 1u) / 32u; word++) {
        let bits = run_mask(word, first, end);
        sums.z += countOneBits(barriers[mark_row + word] & bits);
        sums.w += countOneBits(targets[mark_row + word] & bits);
    }
    return sums;
}

// The same in every `lanes`-th row from `top` up to, without, `bottom`.
fn weigh_rows(first: u32, end: u32, top: i32, bottom: i32) -> vec4u {
    let onward = params.lanes % params.height;
    var row = plane_row(wrapped(top, params.height));
    var sums = vec4u(0u);
    for (var y = top; y < bottom; y += i32(params.lanes)) {
        sums += weigh_run(row, first, end);
        row += onward;
        row -= select(0u, params.height, row >= params.height);
    }
    return sums;
}

// A colour between red and blue, by the weights of both: rounded to the nearest, half up. The sum
// of the products would not fit 32 bits, so it is divided bit by bit.
fn mean_of(red: u32, blue: u32, red_live: u32, blue_live: u32) -> u32 {
    let live = red_live + blue_live;
    var mean = 0u;
    var rest = 0u;
    for (var bit = 0u; bit < 8u; bit++) {
        let place = 7u - bit;
        // Less than 2 * live, and at most live more: live is at most 255 * 2^22.
        rest = 2u * rest + ((red >> place) & 1u) * red_live + ((blue >> place) & 1u) * blue_live;
        mean = 2u * mean + rest / live;
        rest %= live;
    }
    return mean + select(0u, 1u, 2u * rest >= live);
}

// That of src/render/average.rs with a total of `open` cells, FULL for each.
fn averaged_colour(open: u32, live: u32, blue_live: u32) -> u32 {
    if live == 0u {
        return params.dead;
    }
    // 255 * live / open, in two steps that fit 32 bits.
    var bright = max(root(255u * (live / open) + 255u * (live % open) / open), FAINTEST);
    if has(VIEW_ANY) {
        bright = 255u;
    }
    var colour = 0xff000000u;
    for (var shift = 0u; shift < 24u; shift += 8u) {
        let red = channel(params.red, shift);
        let blue = channel(params.blue, shift);
        let mean = mean_of(red, blue, live - blue_live, blue_live);
        let mixed = channel(params.dead, shift) * (255u - bright) + mean * bright;
        colour |= ((mixed + 127u) / 255u) << shift;
    }
    return colour;
}

fn weighed_colour(total: u32, weights: vec4u) -> u32 {
    if weights.w != 0u {
        return params.target_colour;
    }
    let walled = weights.z;
    if walled == total {
        return params.barrier_colour;
    }
    let open = total - walled;
    let free = averaged_colour(open, weights.x, weights.y);
    var colour = 0xff000000u;
    for (var shift = 0u; shift < 24u; shift += 8u) {
        let sum = channel(free, shift) * open + channel(params.barrier_colour, shift) * walled;
        colour |= ((sum + total / 2u) / total) << shift;
    }
    return colour;
}
