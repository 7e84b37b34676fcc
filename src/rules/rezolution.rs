//! The rule of reZolution, four cells at a time.
//!
//! With `s` the sum of the populations of a cell and its eight neighbours, `p` its own, and
//! `q = floor(|s| / 3)`: the population grows by one if `q = |p| + 1`, stays if `q = |p|`, and
//! becomes 0 otherwise; it takes the sign of `s`. A population that would pass 127 stays 127.
//!
//! The functions from [`even_odd`] to [`marked`] mirror `shaders/rezolution.wgsl`: the same names, the
//! same statements in the same order. A word of four bytes is split into two words of two 16-bit lanes,
//! so that one operation serves two cells and no sum runs into the next lane:
//!
//! ```text
//! word     cell 3 | cell 2 | cell 1 | cell 0      a byte each, two's complement
//! even             cell 2  |         cell 0       population + 128: 1 ..= 255
//! odd              cell 3  |         cell 1
//! ```
//!
//! No division is needed. `q = |p|` says `3|p| <= |s| < 3|p| + 3`, and `q = |p| + 1` says the same
//! of the next three numbers, so three comparisons of `|s| - 3|p|` with 0, 3 and 6 decide. As
//! `|s| <= 9 * 127 = 1143` and `3|p| <= 381`, every number here fits 16 bits with 2^15 added, and
//! then bit 15 is the result of a comparison.
//!
//! [`next_narrow`] and [`next_wide`] say the same of one cell, for loops that a compiler turns into
//! vectors of bytes or of 16-bit numbers.

use std::fmt;

use super::{FamilyName, Ruleset};
use crate::board::rezolution::spread;
use crate::board::{Edges, RezolutionBoard};

/// Everything but the cells that decides the future of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RezolutionRuleset {
    /// What lies beyond the border.
    pub edges: Edges,
}

/// The rule and the edges.
impl fmt::Display for RezolutionRuleset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "rule rezolution, {} edges", self.edges)
    }
}

impl Ruleset for RezolutionRuleset {
    type Board = RezolutionBoard;

    const FAMILY: FamilyName = FamilyName::Rezolution;

    fn edges(self) -> Edges {
        self.edges
    }
}

/// What is added to each byte, so that none is below 0.
const BIAS: u32 = 0x8080_8080;

/// The lower byte of both lanes.
const LOW_BYTES: u32 = 0x00ff_00ff;

/// The number 1 in both lanes.
const ONES: u32 = 0x0001_0001;

/// Bit 15 of both lanes.
const HIGH_BITS: u32 = 0x8000_8000;

/// What nine populations with 128 added to each have too much.
const NINE_BIASES: u32 = 9 * 128;

/// The sum of a row of three empty cells, in both lanes.
pub const EMPTY_SUM: u32 = 3 * 128 * ONES;

/// Four numbers, two to a word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EvenOdd {
    /// Those of cells 0 and 2.
    pub even: u32,
    /// Those of cells 1 and 3.
    pub odd: u32,
}

/// The populations of a word with 128 added to each.
#[inline(always)]
pub fn even_odd(populations: u32) -> EvenOdd {
    let biased = populations ^ BIAS;
    EvenOdd {
        even: biased & LOW_BYTES,
        odd: biased >> 8 & LOW_BYTES,
    }
}

/// The sum of a cell's left neighbour, the cell and its right neighbour, 3 * 128 added. The left
/// neighbour of cell 0 is the last byte of `before`, the right one of cell 3 the first of `after`.
#[inline(always)]
pub fn row_sum(before: u32, populations: u32, after: u32) -> EvenOdd {
    let centre = even_odd(populations);
    let left = centre.odd << 16 | even_odd(before).odd >> 16;
    let right = centre.even >> 16 | even_odd(after).even << 16;
    let both = centre.even + centre.odd;
    EvenOdd {
        even: left + both,
        odd: both + right,
    }
}

/// The sum of three rows of three, 9 * 128 added.
#[inline(always)]
pub fn block_sum(above: EvenOdd, middle: EvenOdd, below: EvenOdd) -> EvenOdd {
    EvenOdd {
        even: above.even + middle.even + below.even,
        odd: above.odd + middle.odd + below.odd,
    }
}

/// How far numbers are from 0, from their lowest bits: those of a number below 0 are one short of
/// the mask when complemented.
#[inline(always)]
fn magnitude(low_bits: u32, negative: u32, mask: u32) -> u32 {
    (low_bits ^ (negative * mask)) + negative
}

/// 1 in the lanes in which a number with 2^15 added is at least `least`.
#[inline(always)]
fn at_least(number: u32, least: u32) -> u32 {
    (number - least * ONES) >> 15 & ONES
}

/// Two cells of the next generation, from their populations with 128 and the sums of their blocks
/// with 9 * 128 added.
#[inline(always)]
pub fn next_pair(own: u32, sum: u32) -> u32 {
    let total = sum + (HIGH_BITS - NINE_BIASES * ONES);
    let total_negative = (!total >> 15) & ONES;
    let total_size = magnitude(total & !HIGH_BITS, total_negative, 0x7fff);
    let own_negative = (!own >> 7) & ONES;
    let own_size = magnitude(own & 0x007f_007f, own_negative, 0x7f);
    let margin = total_size + HIGH_BITS - 3 * own_size;
    let lives = at_least(margin, 0) ^ at_least(margin, 6);
    let grown = own_size + at_least(margin, 3);
    let capped = grown - (grown >> 7 & ONES);
    let size = capped & (lives * 0xff);
    ((size ^ (total_negative * 0xff)) + total_negative) & LOW_BYTES
}

/// Four cells of the next generation, wherever they are not barred.
#[inline(always)]
pub fn next_populations(populations: u32, sum: EvenOdd) -> u32 {
    let own = even_odd(populations);
    next_pair(own.even, sum.even) | next_pair(own.odd, sum.odd) << 8
}

/// The bytes of the cells of a word of populations whose bits are set in a plane of marks, one of whose
/// words serves eight words of populations.
#[inline(always)]
pub fn marked(marks: u32, word: u32) -> u32 {
    spread(marks >> (4 * (word & 7)) & 0xf)
}

/// The largest population for which any sum of nine fits a byte.
pub const MAX_NARROW: u8 = 127 / 9;

/// A cell of the next generation, from its population and the sum of its block, where no population
/// of the block is above [`MAX_NARROW`].
#[inline(always)]
pub fn next_narrow(own: i8, sum: i8) -> i8 {
    let own_size = own.unsigned_abs();
    let tripled = own_size.wrapping_add(own_size).wrapping_add(own_size);
    // Below 0 it wraps to more than 5.
    let margin = sum.unsigned_abs().wrapping_sub(tripled);
    let grown = own_size.wrapping_add((margin >= 3).into());
    let size = if margin < 6 { grown.cast_signed() } else { 0 };
    if sum < 0 { size.wrapping_neg() } else { size }
}

/// The same for any populations.
#[inline(always)]
pub fn next_wide(own: i8, sum: i16) -> i8 {
    let own_size = u16::from(own.unsigned_abs());
    let tripled = own_size.wrapping_add(own_size).wrapping_add(own_size);
    let margin = sum.unsigned_abs().wrapping_sub(tripled);
    let grown = own_size.wrapping_add((margin >= 3).into()).min(127);
    let size = if margin < 6 { grown.cast_signed() } else { 0 };
    (if sum < 0 { size.wrapping_neg() } else { size }) as i8
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The definition.
    fn outcome(own: i32, sum: i32) -> i32 {
        let q = sum.abs() / 3;
        let size = if q == own.abs() + 1 {
            (own.abs() + 1).min(127)
        } else if q == own.abs() {
            own.abs()
        } else {
            0
        };
        size * sum.signum()
    }

    /// Every population under every sum, in both lanes, next to every kind of neighbour.
    #[test]
    fn lanes_equal_the_definition_for_every_population_and_sum() {
        let lane = |own: i32, sum: i32| ((own + 128) as u32, (sum + 9 * 128) as u32);
        for own in -127..=127 {
            for sum in -9 * 127..=9 * 127 {
                let expected = (outcome(own, sum) as u8).into();
                let (own_lane, sum_lane) = lane(own, sum);
                for (other_own, other_sum) in [(-127, -1143), (127, 1143), (0, 0), (127, 385)] {
                    let other = (outcome(other_own, other_sum) as u8).into();
                    let (a, b) = lane(other_own, other_sum);
                    let found = next_pair(own_lane | a << 16, sum_lane | b << 16);
                    assert_eq!((found & 0xffff, found >> 16), (expected, other));
                    let found = next_pair(own_lane << 16 | a, sum_lane << 16 | b);
                    assert_eq!((found >> 16, found & 0xffff), (expected, other));
                }
            }
        }
    }

    #[test]
    fn single_cells_equal_the_definition_for_every_population_and_sum() {
        for own in -127i8..=127 {
            for sum in -9 * 127..=9 * 127 {
                let expected = outcome(own.into(), sum.into());
                assert_eq!(i32::from(next_wide(own, sum)), expected, "{own} {sum}");
            }
        }
        let most = MAX_NARROW as i8;
        for own in -most..=most {
            for sum in -9 * most..=9 * most {
                let expected = outcome(own.into(), sum.into());
                assert_eq!(i32::from(next_narrow(own, sum)), expected, "{own} {sum}");
            }
        }
    }

    #[test]
    fn sums_equal_adding_up() {
        let word = |cells: [i32; 4]| u32::from_le_bytes(cells.map(|cell| cell as u8));
        // Populations that visit all corners, by a small generator.
        let mut state = 1u32;
        let mut draw = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            match state >> 29 {
                0 => 127,
                1 => -127,
                _ => (state >> 16) as i32 % 255 - 127,
            }
        };
        for _ in 0..10_000 {
            let rows: [[i32; 12]; 3] = std::array::from_fn(|_| std::array::from_fn(|_| draw()));
            let sums = rows.map(|row| {
                let words: Vec<u32> = (0..3)
                    .map(|i| word([row[4 * i], row[4 * i + 1], row[4 * i + 2], row[4 * i + 3]]))
                    .collect();
                row_sum(words[0], words[1], words[2])
            });
            let sum = block_sum(sums[0], sums[1], sums[2]);
            let lanes = [sum.even, sum.odd, sum.even >> 16, sum.odd >> 16];
            for (cell, lane) in (4..).zip(lanes) {
                let expected: i32 = rows.iter().flat_map(|row| &row[cell - 1..=cell + 1]).sum();
                assert_eq!((lane & 0xffff) as i32 - 9 * 128, expected);
            }
        }
        let empty = row_sum(0, 0, 0);
        assert_eq!((empty.even, empty.odd), (EMPTY_SUM, EMPTY_SUM));
    }
}
