//! Random places from the stateless hash, so that a seed gives the same game on every machine.

use crate::board::hash::{pcg4d, seed_words};

/// `count` different random numbers below `among`, from the seed and the number of the drawing: the first
/// steps of a Fisher-Yates shuffle. At most `among` numbers are returned.
pub(super) fn places(among: u32, count: u32, seed: u64, drawing: u32) -> impl Iterator<Item = u32> {
    let mut places: Vec<u32> = (0..among).collect();
    let count = count.min(among);
    for step in 0..count {
        let other = step + below(among - step, seed, drawing, step);
        places.swap(step as usize, other as usize);
    }
    places.into_iter().take(count as usize)
}

/// A random number below `limit`. 64 random bits are scaled, so the probabilities of two numbers differ by at
/// most one part in 2^32.
fn below(limit: u32, seed: u64, drawing: u32, step: u32) -> u32 {
    let [low, high] = seed_words(seed);
    let [a, b, ..] = pcg4d([low, high, drawing, step]);
    let random = u64::from(a) << 32 | u64::from(b);
    ((u128::from(random) * u128::from(limit)) >> 64) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_different_and_within_bounds() {
        for (among, count) in [(1, 1), (25, 8), (25, 25), (400, 60), (400, 400), (7, 9)] {
            let mut drawn: Vec<u32> = places(among, count, 3, 1).collect();
            assert_eq!(drawn.len() as u32, count.min(among));
            drawn.sort_unstable();
            drawn.dedup();
            assert_eq!(drawn.len() as u32, count.min(among), "{count} of {among}");
            assert!(drawn.iter().all(|&place| place < among));
        }
    }

    /// Seeds identify games, so their places must never change.
    #[test]
    fn a_seed_always_means_the_same_places() {
        let drawn: Vec<u32> = places(25, 8, 1, 1).collect();
        assert_eq!(drawn, [10, 19, 14, 15, 13, 4, 17, 9]);
        let other: Vec<u32> = places(25, 8, 1 | 1 << 63, 1).collect();
        assert_ne!(drawn, other, "the high bits of a seed count");
    }

    /// Chi-square over 24 degrees of freedom: 51.2 is exceeded once in a thousand.
    #[test]
    fn every_place_is_drawn_equally_often() {
        let mut drawn = [0u32; 25];
        for seed in 0..5000 {
            for place in places(25, 8, seed, 2) {
                drawn[place as usize] += 1;
            }
        }
        let expected = 5000.0 * 8.0 / 25.0;
        let distance = |&count: &u32| (f64::from(count) - expected).powi(2) / expected;
        let chi_square: f64 = drawn.iter().map(distance).sum();
        assert!(chi_square < 51.2, "{chi_square}: {drawn:?}");
    }
}
