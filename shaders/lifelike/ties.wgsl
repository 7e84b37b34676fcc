// Who owns a birth with as many red as blue parents. Mirrors src/rules/ties.rs; see there for the tree of
// priorities. The importing files declare `Words`, `Row` and `params`, and `priorities` and
// `checkerboard`, which give the bits of a `Column` of the board.

#import shared/hash

const TIES_SEEDED: u32 = 0u;
const TIES_RED: u32 = 1u;
const TIES_BLUE: u32 = 2u;
const TIES_CHECKERBOARD: u32 = 3u;
#ifdef GENERAL
#else
override TIES: u32;
#endif

// The seven bits of the 32 cells of a word of the board.
struct PriorityBits {
    low: vec4<u32>,
    high: vec3<u32>,
}

fn priority_bits(word: u32, y: u32) -> PriorityBits {
    let low = pcg4d(vec4(params.seed_low, params.seed_high, 2u * word, y));
    let high = pcg4d(vec4(params.seed_low, params.seed_high, 2u * word + 1u, y));
    return PriorityBits(low, high.xyz);
}

// A group of neighbours: where one of them is alive, and where the first live one is blue.
struct FirstLive {
    alive: Words,
    blue: Words,
}

// The group of `a` and `b`, of which `b` comes first where `b_first` is set.
fn first_live(b_first: Words, a: FirstLive, b: FirstLive) -> FirstLive {
    let take_b = b.alive & (b_first | ~a.alive);
    return FirstLive(a.alive | b.alive, (a.blue & ~take_b) | (b.blue & take_b));
}

// Those of the cells of some words, bit by bit.
struct Priorities {
    nw_n: Words,
    ne_w: Words,
    e_sw: Words,
    s_se: Words,
    north: Words,
    south: Words,
    root: Words,
}

fn first_blue(bits: Priorities, above: Row, middle: Row, below: Row) -> Words {
    let nw = FirstLive(above.alive.left, above.blue.left);
    let n = FirstLive(above.alive.centre, above.blue.centre);
    let ne = FirstLive(above.alive.right, above.blue.right);
    let w = FirstLive(middle.alive.left, middle.blue.left);
    let e = FirstLive(middle.alive.right, middle.blue.right);
    let sw = FirstLive(below.alive.left, below.blue.left);
    let s = FirstLive(below.alive.centre, below.blue.centre);
    let se = FirstLive(below.alive.right, below.blue.right);
    let north = first_live(bits.north, first_live(bits.nw_n, nw, n), first_live(bits.ne_w, ne, w));
    let south = first_live(bits.south, first_live(bits.e_sw, e, sw), first_live(bits.s_se, s, se));
    return first_live(bits.root, north, south).blue;
}

fn checkerboard_blue(y: u32) -> u32 {
    return select(0xaaaaaaaau, 0x55555555u, (y & 1u) == 1u);
}

// Where blue owns an evenly split birth, in the cells of some words of row y.
fn tie_blue(at: Column, y: u32, above: Row, middle: Row, below: Row) -> Words {
#ifdef GENERAL
    if params.ties == TIES_SEEDED {
        return first_blue(priorities(at, y), above, middle, below);
    }
    let is_blue = Words(select(0u, 0xffffffffu, params.ties == TIES_BLUE));
    return select(is_blue, checkerboard(at, y), params.ties == TIES_CHECKERBOARD);
#else
    switch TIES {
        case TIES_SEEDED: {
            return first_blue(priorities(at, y), above, middle, below);
        }
        case TIES_CHECKERBOARD: {
            return checkerboard(at, y);
        }
        case TIES_BLUE: {
            return Words(0xffffffffu);
        }
        default: {
            return Words(0u);
        }
    }
#endif
}
