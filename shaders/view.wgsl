// What the programs that draw a board share: its planes, where it lies, colours.
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
}

const VIEW_TORUS: u32 = 1u;
const VIEW_LINES: u32 = 2u;
const VIEW_ANY: u32 = 4u;

@group(0) @binding(0) var<uniform> params: ViewParams;
@group(0) @binding(1) var<storage, read> alive: array<u32>;
@group(0) @binding(2) var<storage, read> blue: array<u32>;
@group(0) @binding(3) var<storage, read_write> pixels: array<u32>;

fn has(flag: u32) -> bool {
    return (params.flags & flag) != 0u;
}

fn floor_div(a: i32, b: i32) -> i32 {
    return select(a / b, -((b - 1 - a) / b), a < 0);
}

fn wrapped(at: i32, side: u32) -> u32 {
    return u32(at - floor_div(at, i32(side)) * i32(side));
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

fn put(pixel: vec2u, colour: u32) {
    pixels[pixel.y * params.stride + pixel.x] = colour;
}
