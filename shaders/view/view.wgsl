// What the kernels that draw a board share: where it lies, colours. The importing file declares the planes
// and `pixels`, and what the family's boards look like.
//
// A pixel is one word: red in the lowest byte, then green, blue, and 255. All arithmetic is in
// integers and is that of src/render/average.rs, so both draw the very same picture.

struct ViewParams {
    width: u32,
    height: u32,
    row_words: u32,
    stride: u32,
    columns: u32,
    rows: u32,
    origin_x: i32,
    origin_y: i32,
    scale: u32,
    flags: u32,
    dead: u32,
    red: u32,
    blue: u32,
    outside: u32,
    line: u32,
    lanes: u32,
    barrier_colour: u32,
    target_colour: u32,
    // The row of the board that is row 0 of the planes here.
    first_row: u32,
    padding: u32,
}

const VIEW_TORUS: u32 = 1u;
const VIEW_LINES: u32 = 2u;
const VIEW_ANY: u32 = 4u;

@group(0) @binding(0) var<uniform> params: ViewParams;

// The least brightness of a pixel with any live cell under it, as in src/render/average.rs.
const FAINTEST: u32 = 40u;

fn has(flag: u32) -> bool {
    return (params.flags & flag) != 0u;
}

fn floor_div(a: i32, b: i32) -> i32 {
    return select(a / b, -((b - 1 - a) / b), a < 0);
}

fn wrapped(at: i32, side: u32) -> u32 {
    return u32(at - floor_div(at, i32(side)) * i32(side));
}

// Where row `y` of the board is in the planes here, after whose last row may come its first one.
fn plane_row(y: u32) -> u32 {
    let row = y - params.first_row;
    return select(row, row + params.height, y < params.first_row);
}

fn is_inside(x: i32, y: i32) -> bool {
    return x >= 0 && y >= 0 && x < i32(params.width) && y < i32(params.height);
}

fn channel(colour: u32, shift: u32) -> u32 {
    return (colour >> shift) & 255u;
}

// Half way to the colour around the board: a repetition of it.
fn dimmed(colour: u32) -> u32 {
    var mixed = 0xff000000u;
    for (var shift = 0u; shift < 24u; shift += 8u) {
        mixed |= ((channel(colour, shift) + channel(params.outside, shift)) / 2u) << shift;
    }
    return mixed;
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

// The bits of word `word` of a row of a bit plane that lie from column `first` up to, without,
// column `end`.
fn run_mask(word: u32, first: u32, end: u32) -> u32 {
    var bits = 0xffffffffu;
    if word == first / 32u {
        bits <<= first % 32u;
    }
    if word == (end - 1u) / 32u {
        bits &= 0xffffffffu >> (31u - (end - 1u) % 32u);
    }
    return bits;
}

fn put(pixel: vec2u, colour: u32) {
    pixels[pixel.y * params.stride + pixel.x] = colour;
}
