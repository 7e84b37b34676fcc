// reZolution on signed 8-bit populations: the rule.
//
// The functions mirror src/rules/rezolution.rs, four words (16 cells) at once; see there for what they
// mean.

alias Words = vec4<u32>;

const BIAS: Words = Words(0x80808080u);
const LOW_BYTES: Words = Words(0x00ff00ffu);
const ONES: Words = Words(0x00010001u);
const HIGH_BITS: Words = Words(0x80008000u);
const NINE_BIASES: u32 = 9u * 128u;

struct EvenOdd {
    even: Words,
    odd: Words,
}

fn even_odd(populations: Words) -> EvenOdd {
    let biased = populations ^ BIAS;
    return EvenOdd(biased & LOW_BYTES, (biased >> Words(8u)) & LOW_BYTES);
}

fn row_sum(before: Words, populations: Words, after: Words) -> EvenOdd {
    let centre = even_odd(populations);
    let left = (centre.odd << Words(16u)) | (even_odd(before).odd >> Words(16u));
    let right = (centre.even >> Words(16u)) | (even_odd(after).even << Words(16u));
    let both = centre.even + centre.odd;
    return EvenOdd(left + both, both + right);
}

fn block_sum(above: EvenOdd, middle: EvenOdd, below: EvenOdd) -> EvenOdd {
    return EvenOdd(above.even + middle.even + below.even, above.odd + middle.odd + below.odd);
}

fn magnitude(low_bits: Words, negative: Words, mask: u32) -> Words {
    return (low_bits ^ (negative * mask)) + negative;
}

fn at_least(number: Words, least: u32) -> Words {
    return ((number - least * ONES) >> Words(15u)) & ONES;
}

fn next_pair(own: Words, sum: Words) -> Words {
    let total = sum + (HIGH_BITS - NINE_BIASES * ONES);
    let total_negative = (~total >> Words(15u)) & ONES;
    let total_size = magnitude(total & ~HIGH_BITS, total_negative, 0x7fffu);
    let own_negative = (~own >> Words(7u)) & ONES;
    let own_size = magnitude(own & Words(0x007f007fu), own_negative, 0x7fu);
    let margin = total_size + HIGH_BITS - 3u * own_size;
    let lives = at_least(margin, 0u) ^ at_least(margin, 6u);
    let grown = own_size + at_least(margin, 3u);
    let capped = grown - ((grown >> Words(7u)) & ONES);
    let size = capped & (lives * 0xffu);
    return ((size ^ (total_negative * 0xffu)) + total_negative) & LOW_BYTES;
}

fn next_populations(populations: Words, sum: EvenOdd) -> Words {
    let own = even_odd(populations);
    return next_pair(own.even, sum.even) | (next_pair(own.odd, sum.odd) << Words(8u));
}

fn spread(bits: Words) -> Words {
    return ((bits * 0x00204081u) & Words(0x01010101u)) * 0xffu;
}

// `word` is the first of the four, a multiple of four.
fn marked(marks: u32, word: u32) -> Words {
    return spread((Words(marks) >> (4u * ((word & 7u) + Words(0u, 1u, 2u, 3u)))) & Words(0xfu));
}
