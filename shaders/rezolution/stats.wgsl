// The statistics of a generation of reZolution: what is counted, and when a run ends.

// Totals: cells of both sides, their populations, populated targets.
const TOTALS: u32 = 5u;
const RED: u32 = 0u;
const BLUE: u32 = 1u;
const RED_POPULATION: u32 = 2u;
const BLUE_POPULATION: u32 = 3u;
const REACHED: u32 = 4u;

// Whether a generation ends the run: a target is populated.
fn settled(totals: array<vec2<u32>, TOTALS>, _repeats: bool) -> bool {
    return any(totals[REACHED] != vec2(0u));
}

// Whether the totals of a part of a board end the run. The next generation need not show it: a population
// may leave its target again.
fn ends(totals: array<u32, TOTALS>) -> bool {
    return totals[REACHED] != 0u;
}

// Populations of both sides, without their signs, and 1 in each byte that is negative.
struct Sides {
    red: Words,
    blue: Words,
    negative: Words,
}

fn sides(populations: Words) -> Sides {
    let negative = (populations >> Words(7u)) & Words(0x01010101u);
    let blue_bytes = negative * 0xffu;
    let sizes = ((populations ^ blue_bytes) & Words(0x7f7f7f7fu)) + negative;
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
