//! The one stateless hash of the project: counter in, random words out.
//!
//! Random starts and seeded ties must be the same on every machine, engine and thread count, so
//! they draw from a function of position and seed instead of from a generator with a state.

/// A 64-bit seed as the two words the hash takes, every bit of the seed spread over both.
///
/// This is the finaliser of SplitMix64 (Steele, Lea and Flood, "Fast Splittable Pseudorandom
/// Number Generators", OOPSLA 2014). Without it seeds that differ only in high bits would share
/// the low bits of every hash, because multiplication carries upwards only.
pub fn seed_words(seed: u64) -> [u32; 2] {
    let mut z = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^= z >> 31;
    [z as u32, (z >> 32) as u32]
}

/// Four random words for a four-word counter: pcg4d of Jarzynski and Olano, "Hash Functions for
/// GPU Rendering" (JCGT 9(3), 2020), followed by one more fold of the high half onto the low half
/// so that the low bits, too, depend on all bits of the counter.
pub fn pcg4d(counter: [u32; 4]) -> [u32; 4] {
    let mut v = counter.map(|v| v.wrapping_mul(1_664_525).wrapping_add(1_013_904_223));
    v[0] = v[0].wrapping_add(v[1].wrapping_mul(v[3]));
    v[1] = v[1].wrapping_add(v[2].wrapping_mul(v[0]));
    v[2] = v[2].wrapping_add(v[0].wrapping_mul(v[1]));
    v[3] = v[3].wrapping_add(v[1].wrapping_mul(v[2]));
    v = v.map(|v| v ^ (v >> 16));
    v[0] = v[0].wrapping_add(v[1].wrapping_mul(v[3]));
    v[1] = v[1].wrapping_add(v[2].wrapping_mul(v[0]));
    v[2] = v[2].wrapping_add(v[0].wrapping_mul(v[1]));
    v[3] = v[3].wrapping_add(v[1].wrapping_mul(v[2]));
    v.map(|v| v ^ (v >> 16))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every bit of the counter must be able to move every bit of the result, the low ones too.
    #[test]
    fn every_counter_bit_reaches_every_result_bit() {
        for word in 0..4 {
            for bit in 0..32 {
                let mut moved = [0u32; 4];
                for n in 0..512u32 {
                    let start = [n * 7919, n * 104_729, n ^ 0x5555, n * 31];
                    let mut changed = start;
                    changed[word] ^= 1 << bit;
                    let (a, b) = (pcg4d(start), pcg4d(changed));
                    for k in 0..4 {
                        moved[k] |= a[k] ^ b[k];
                    }
                }
                assert_eq!(moved, [u32::MAX; 4], "bit {bit} of word {word}");
            }
        }
    }
}
