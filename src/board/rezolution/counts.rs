//! Counts over words of four populations each.

use multiversion::multiversion;

use crate::board::RezolutionCensus;

/// The lowest bit of each of four bytes.
const LOW_BITS: u32 = 0x0101_0101;

/// The highest bit of each of four bytes: the sign of a population.
const HIGH_BITS: u32 = 0x8080_8080;

/// Cells and populations of both sides in some words of populations.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512vpopcntdq",
    "x86_64+avx2+popcnt",
    "x86_64+popcnt",
    "aarch64+neon"
))]
pub(crate) fn count_words(populations: &[u32]) -> RezolutionCensus {
    let (mut red, mut blue, mut red_population, mut blue_population) = (0u64, 0u64, 0u64, 0u64);
    // 32-bit sums of 2^14 words of four populations do not overflow.
    for part in populations.chunks(1 << 14) {
        let (mut reds, mut blues, mut red_sum, mut blue_sum) = (0u32, 0u32, 0u32, 0u32);
        for &word in part {
            let negative = word >> 7 & LOW_BITS;
            let occupied = (((word & !HIGH_BITS) + !HIGH_BITS) | word) >> 7 & LOW_BITS;
            let sizes = ((word ^ (negative * 0xff)) & !HIGH_BITS) + negative;
            let blue_sizes = sizes & (negative * 0xff);
            reds += (occupied & !negative).count_ones();
            blues += negative.count_ones();
            red_sum += byte_sum(sizes ^ blue_sizes);
            blue_sum += byte_sum(blue_sizes);
        }
        red += u64::from(reds);
        blue += u64::from(blues);
        red_population += u64::from(red_sum);
        blue_population += u64::from(blue_sum);
    }
    RezolutionCensus {
        red,
        blue,
        red_population,
        blue_population,
        reached: 0,
    }
}

/// The sum of four bytes.
#[inline(always)]
const fn byte_sum(bytes: u32) -> u32 {
    let pairs = (bytes & 0x00ff_00ff) + (bytes >> 8 & 0x00ff_00ff);
    (pairs & 0xffff) + (pairs >> 16)
}
