//! Who owns a birth with as many red as blue parents.
//!
//! The *seeded priority* gives every cell one fixed order of its eight neighbours, a function of
//! (seed, x, y) alone, and the newborn takes the colour of the first live one. The order is a
//! binary tree over the neighbours with seven stored bits, one per node, that say which child is
//! comes first:
//!
//! ```text
//!                 bit 6
//!             /           \
//!         bit 4           bit 5
//!        /     \         /     \
//!     bit 0   bit 1   bit 2   bit 3
//!     NW  N   NE  W   E  SW   S  SE      bit set: the right child comes first
//! ```
//!
//! Bit k of 32 neighbouring cells is one word of the hash of (seed, x / 32, y), so the order of a
//! whole word of cells costs two hashes and no state. Every neighbour comes first equally often,
//! and since colours play no part in the order, swapping the colours of a start swaps the colours
//! of its whole future.
//!
//! [`priority_bits`] and [`first_blue`] mirror `shaders/lifelike/ties.wgsl`.

use std::fmt;

use glam::{IVec2, UVec2, ivec2};

use crate::board::WORD_BITS;
use crate::board::hash::{pcg4d, seed_words};

/// The eight neighbours in the order of the tree's leaves: how far right, how far down.
pub const NEIGHBOURS: [IVec2; 8] = [
    ivec2(-1, -1),
    ivec2(0, -1),
    ivec2(1, -1),
    ivec2(-1, 0),
    ivec2(1, 0),
    ivec2(-1, 1),
    ivec2(0, 1),
    ivec2(1, 1),
];

/// How evenly split parents are decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ties {
    /// By the seeded priority of the cell.
    Seeded(u64),
    /// Always red.
    Red,
    /// Always blue.
    Blue,
    /// Red where x + y is even, else blue.
    Checkerboard,
}

/// As on the command line; the seed follows.
impl fmt::Display for Ties {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Seeded(seed) => write!(f, "seeded {seed}"),
            Self::Red => f.write_str("red"),
            Self::Blue => f.write_str("blue"),
            Self::Checkerboard => f.write_str("checkerboard"),
        }
    }
}

/// The seven priority bits of the 32 cells of word `word` in row `y`, for a seed that
/// [`seed_words`] has spread.
#[inline]
pub fn priority_bits(seed: [u32; 2], word: u32, y: u32) -> [u32; 7] {
    let low = pcg4d([seed[0], seed[1], 2 * word, y]);
    let high = pcg4d([seed[0], seed[1], 2 * word + 1, y]);
    [low[0], low[1], low[2], low[3], high[0], high[1], high[2]]
}

/// A group of neighbours: where one of them is alive, and where the first live one is blue.
#[derive(Clone, Copy)]
pub struct FirstLive {
    /// A neighbour of the group is alive.
    pub alive: u32,
    /// The first live neighbour of the group is blue.
    pub blue: u32,
}

/// The group of `a` and `b`, of which `b` comes first where `b_first` is set.
#[inline]
fn first_live(b_first: u32, a: FirstLive, b: FirstLive) -> FirstLive {
    let take_b = b.alive & (b_first | !a.alive);
    FirstLive {
        alive: a.alive | b.alive,
        blue: (a.blue & !take_b) | (b.blue & take_b),
    }
}

/// Set where the first live neighbour in the order given by `bits` is blue. `neighbours` are in
/// the order of [`NEIGHBOURS`].
#[inline]
pub fn first_blue(bits: [u32; 7], neighbours: [FirstLive; 8]) -> u32 {
    let [nw, n, ne, w, e, sw, s, se] = neighbours;
    let north = first_live(
        bits[4],
        first_live(bits[0], nw, n),
        first_live(bits[1], ne, w),
    );
    let south = first_live(
        bits[5],
        first_live(bits[2], e, sw),
        first_live(bits[3], s, se),
    );
    first_live(bits[6], north, south).blue
}

/// Blue's half of a checkerboard in the 32 cells of a word of row `y`: where x + y is odd.
#[inline]
pub const fn checkerboard_blue(y: u32) -> u32 {
    if y & 1 == 1 { 0x5555_5555 } else { 0xaaaa_aaaa }
}

/// The order of a cell's neighbours, as indices into [`NEIGHBOURS`]: the plain statement of what
/// [`first_blue`] computes for 32 cells at once.
pub fn order(seed: u64, at: UVec2) -> [usize; 8] {
    let bits = priority_bits(seed_words(seed), at.x / WORD_BITS, at.y);
    let set = |k: usize| bits[k] >> (at.x % WORD_BITS) & 1 != 0;
    let mut order = [0, 1, 2, 3, 4, 5, 6, 7];
    for pair in 0..4 {
        if set(pair) {
            order.swap(2 * pair, 2 * pair + 1);
        }
    }
    for half in 0..2 {
        if set(4 + half) {
            order[4 * half..4 * half + 4].rotate_left(2);
        }
    }
    if set(6) {
        order.rotate_left(4);
    }
    order
}

#[cfg(test)]
mod tests {
    use glam::uvec2;

    use super::*;

    /// Pearson's statistic of counts that should all be equal.
    fn chi_square(counts: &[u64]) -> f64 {
        let expected = counts.iter().sum::<u64>() as f64 / counts.len() as f64;
        counts
            .iter()
            .map(|&count| (count as f64 - expected).powi(2) / expected)
            .sum()
    }

    /// 1 in 10^6 fair counts of 8 classes exceed this: the quantile of chi-square with 7 degrees
    /// of freedom.
    const LIMIT_7: f64 = 40.5;

    #[test]
    fn every_neighbour_comes_first_equally_often_over_positions_and_seeds() {
        for seed in [0, 1, 2, 1 << 20, 1 << 40, u64::MAX] {
            let mut first = [0u64; 8];
            for y in 0..300 {
                for x in 0..320 {
                    first[order(seed, uvec2(x, y))[0]] += 1;
                }
            }
            assert!(chi_square(&first) < LIMIT_7, "seed {seed}: {first:?}");
        }
        for (x, y) in [(0, 0), (1, 0), (31, 5), (32, 5), (100_000, 3), (7, 1 << 31)] {
            let mut first = [0u64; 8];
            for seed in 0..80_000 {
                first[order(seed, uvec2(x, y))[0]] += 1;
            }
            assert!(chi_square(&first) < LIMIT_7, "({x}, {y}): {first:?}");
        }
    }

    #[test]
    fn every_neighbour_holds_every_rank_equally_often() {
        let mut rank = [[0u64; 8]; 8];
        for y in 0..300 {
            for x in 0..320 {
                for (at, neighbour) in order(5, uvec2(x, y)).into_iter().enumerate() {
                    rank[at][neighbour] += 1;
                }
            }
        }
        for (at, counts) in rank.iter().enumerate() {
            assert!(chi_square(counts) < LIMIT_7, "rank {at}: {counts:?}");
        }
    }

    /// Neighbouring cells, rows, words and seeds must be independent, in each of the 32 columns of
    /// a word: 64 classes of (own first, other's first), 63 degrees of freedom.
    #[test]
    fn orders_of_different_cells_and_seeds_are_independent() {
        const LIMIT_63: f64 = 130.0;
        type First = fn(u64, u32, u32) -> usize;
        let others: [(&str, First); 6] = [
            ("right", |seed, x, y| order(seed, uvec2(x + 1, y))[0]),
            ("below", |seed, x, y| order(seed, uvec2(x, y + 1))[0]),
            ("next word", |seed, x, y| order(seed, uvec2(x + 32, y))[0]),
            ("row 2^17 below", |seed, x, y| {
                order(seed, uvec2(x, y + (1 << 17)))[0]
            }),
            ("next seed", |seed, x, y| order(seed + 1, uvec2(x, y))[0]),
            ("high seed", |seed, x, y| {
                order(seed ^ 1 << 63, uvec2(x, y))[0]
            }),
        ];
        for (name, other) in others {
            for bit in 0..32 {
                let mut pairs = [0u64; 64];
                for word in 0..20 {
                    for y in 0..400 {
                        let x = 64 * word + bit;
                        pairs[8 * order(11, uvec2(x, y))[0] + other(11, x, y)] += 1;
                    }
                }
                let found = chi_square(&pairs);
                assert!(found < LIMIT_63, "{name}, bit {bit}: {found}");
            }
        }
    }

    #[test]
    fn the_tree_of_words_has_the_order_of_each_cell() {
        // Neighbour words from the hash itself: any words will do.
        for y in 0..200 {
            let words = priority_bits([99, 7], y, 1);
            let more = priority_bits([98, 7], y, 2);
            let neighbours: [FirstLive; 8] = std::array::from_fn(|i| {
                let alive = words[i % 7] ^ more[i / 7];
                FirstLive {
                    alive,
                    blue: alive & more[(i + 3) % 7],
                }
            });
            let seed = 1234;
            let found = first_blue(priority_bits(seed_words(seed), 3, y), neighbours);
            for bit in 0..32 {
                let set = |word: u32| word >> bit & 1 != 0;
                let first = order(seed, uvec2(3 * 32 + bit, y))
                    .into_iter()
                    .find(|&i| set(neighbours[i].alive));
                let blue = first.is_some_and(|i| set(neighbours[i].blue));
                assert_eq!(set(found), blue, "row {y}, bit {bit}");
            }
        }
    }
}
