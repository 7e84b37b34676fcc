// What is counted of a board of reZolution, and when a run ends. Joined with rezolution.wgsl, and with
// rezolution_walk.wgsl or rezolution_watched.wgsl.

// What is counted: cells and populations of both sides, and populated targets.
const TOTALS: u32 = 5u;
const RED: u32 = 0u;
const BLUE: u32 = 1u;
const RED_POPULATION: u32 = 2u;
const BLUE_POPULATION: u32 = 3u;
const REACHED: u32 = 4u;

// Whether a run ends with a generation: if a target is populated.
fn settled(totals: array<vec2<u32>, TOTALS>, _repeats: bool) -> bool {
    return any(totals[REACHED] != vec2(0u));
}

// Whether a part of a board is enough to tell that a run ends. The next generation need not tell it: a
// target may be left again.
fn ends(totals: array<u32, TOTALS>) -> bool {
    return totals[REACHED] != 0u;
}

// Populations of both sides, without their signs, and 1 in each byte that is negative.
struct Sides {
    red: Words,
    blue: Words,
    negative: Words,
}

fn sides(levels: Words) -> Sides {
    let negative = (levels >> Words(7u)) & Words(0x01010101u);
    let blue_bytes = negative * 0xffu;
    let sizes = ((levels ^ blue_bytes) & Words(0x7f7f7f7fu)) + negative;
    return Sides(sizes & ~blue_bytes, sizes & blue_bytes, negative);
}

// The sum of all bytes.
fn byte_sum(bytes: Words) -> u32 {
    let pairs = (bytes & LOW_BYTES) + ((bytes >> Words(8u)) & LOW_BYTES);
    let sum = pairs.x + pairs.y + pairs.z + pairs.w;
    return (sum & 0xffffu) + (sum >> 16u);
}

// 1 in each byte that is not 0, of populations without signs.
fn occupied(sizes: Words) -> Words {
    return ((sizes + 0x7f7f7f7fu) >> Words(7u)) & Words(0x01010101u);
}

fn ones(bits: Words) -> u32 {
    let counts = countOneBits(bits);
    return counts.x + counts.y + counts.z + counts.w;
}

// Any bit that is set in one of four words.
fn any_bit(words: Words) -> u32 {
    return words.x | words.y | words.z | words.w;
}
