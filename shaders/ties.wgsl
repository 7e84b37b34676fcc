// Who owns a birth with as many red as blue parents. Mirrors src/rules/ties.rs and the hash of
// src/board/hash.rs; see there for the tree and for sources. Joined with lifelike.wgsl.

const TIES_SEEDED: u32 = 0u;
const TIES_RED: u32 = 1u;
const TIES_BLUE: u32 = 2u;
const TIES_CHECKERBOARD: u32 = 3u;
override TIES: u32;

fn pcg4d(counter: vec4<u32>) -> vec4<u32> {
    var v = counter * 1664525u + 1013904223u;
    v.x += v.y * v.w;
    v.y += v.z * v.x;
    v.z += v.x * v.y;
    v.w += v.y * v.z;
    v ^= v >> vec4(16u);
    v.x += v.y * v.w;
    v.y += v.z * v.x;
    v.z += v.x * v.y;
    v.w += v.y * v.z;
    return v ^ (v >> vec4(16u));
}

struct Asked {
    alive: u32,
    blue: u32,
}

fn ask(b_first: u32, a: Asked, b: Asked) -> Asked {
    let take_b = b.alive & (b_first | ~a.alive);
    return Asked(a.alive | b.alive, (a.blue & ~take_b) | (b.blue & take_b));
}

fn first_blue(word: u32, y: u32, above: Row, middle: Row, below: Row) -> u32 {
    let low = pcg4d(vec4(params.seed_low, params.seed_high, 2u * word, y));
    let high = pcg4d(vec4(params.seed_low, params.seed_high, 2u * word + 1u, y));
    let nw = Asked(above.alive.left, above.blue.left);
    let n = Asked(above.alive.centre, above.blue.centre);
    let ne = Asked(above.alive.right, above.blue.right);
    let w = Asked(middle.alive.left, middle.blue.left);
    let e = Asked(middle.alive.right, middle.blue.right);
    let sw = Asked(below.alive.left, below.blue.left);
    let s = Asked(below.alive.centre, below.blue.centre);
    let se = Asked(below.alive.right, below.blue.right);
    let north = ask(high.x, ask(low.x, nw, n), ask(low.y, ne, w));
    let south = ask(high.y, ask(low.z, e, sw), ask(low.w, s, se));
    return ask(high.z, north, south).blue;
}

fn checkerboard_blue(y: u32) -> u32 {
    return select(0xaaaaaaaau, 0x55555555u, (y & 1u) == 1u);
}

// Where blue owns an evenly split birth, in the 32 cells of a word of row y.
fn tie_blue(word: u32, y: u32, above: Row, middle: Row, below: Row) -> u32 {
    switch TIES {
        case TIES_SEEDED: {
            return first_blue(word, y, above, middle, below);
        }
        case TIES_CHECKERBOARD: {
            return checkerboard_blue(y);
        }
        case TIES_BLUE: {
            return 0xffffffffu;
        }
        default: {
            return 0u;
        }
    }
}
