//! Counting the cells of many boards at once.
//!
//! Bit k of the words of a cell belongs to board k, so the count of a board is a number written
//! downwards: bit b of the counts of 32 boards is one word.
//!
//! Rows are first added up column by column with full adders, eight rows at a time (Harley and
//! Seal's way to count bits), into column counts of a few bits; then the columns are added up,
//! right half onto left half, until one is left. All loops run over plain slices of words, which
//! the compiler turns into the widest vectors of the processor at hand.

use multiversion::multiversion;

use super::plane::Plane;

/// Rows added at once.
const ROWS: usize = 8;

/// Counts the planes of boards of one size.
pub(super) struct Counter {
    /// Words of a cell.
    words: usize,
    /// Cells of a row.
    width: usize,
    height: usize,
    /// Bit planes of the column counts, a row of words each, the lowest bit first.
    columns: Vec<Vec<u32>>,
    carry: Vec<u32>,
    /// Stands for the rows that are missing to a multiple of [`ROWS`].
    empty: Vec<u32>,
}

/// Bits of the binary number `most`.
const fn bits(most: usize) -> usize {
    (usize::BITS - most.leading_zeros()) as usize
}

impl Counter {
    /// A counter of boards of `width` x `height` cells, `words` words per cell.
    pub(super) fn new(width: usize, height: usize, words: usize) -> Self {
        let row = width * words;
        Self {
            words,
            width,
            height,
            // The adders of a group of rows write three bits, whatever the height.
            columns: vec![vec![0; row]; bits(width * height).max(3)],
            carry: vec![0; row],
            empty: vec![0; row],
        }
    }

    /// Bits of a count.
    pub(super) fn bits(&self) -> usize {
        self.columns.len()
    }

    /// Counts a plane. Afterwards bit `b` of the counts is in [`bit`](Self::bit)` (b)`.
    pub(super) fn count(&mut self, plane: &Plane) {
        for column in &mut self.columns {
            column.fill(0);
        }
        let mut used = bits(self.height).max(3);
        let (low, high) = self.columns.split_at_mut(3);
        let [ones, twos, fours] = low else {
            return;
        };
        for y in (0..self.height).step_by(ROWS) {
            let rows: [&[u32]; ROWS] = std::array::from_fn(|k| match y + k {
                y if y < self.height => plane.row(y),
                _ => &self.empty[..],
            });
            add_rows(&rows, [ones, twos, fours], &mut self.carry);
            for column in &mut high[..used - 3] {
                add_carry(column, &mut self.carry);
            }
        }
        let mut width = self.width;
        while width > 1 {
            let (left, right) = (width.div_ceil(2), width / 2);
            let (from, length) = (left * self.words, right * self.words);
            let carry = &mut self.carry[..length];
            carry.fill(0);
            for column in &mut self.columns[..used] {
                let (left, right) = column.split_at_mut(from);
                add_bit(&mut left[..length], &right[..length], carry);
            }
            if used < self.columns.len() {
                // Still 0, so nothing is carried on.
                add_carry(&mut self.columns[used][..length], carry);
                used += 1;
            }
            width = left;
        }
    }

    /// Bit `bit` of the counts, a word for 32 boards.
    pub(super) fn bit(&self, bit: usize) -> &[u32] {
        &self.columns[bit][..self.words]
    }
}

/// The largest counts of many boards so far, written downwards like the counts.
pub(super) struct Peak {
    words: usize,
    /// Bit `b` of lane word `k` is word `b * words + k`.
    planes: Vec<u32>,
}

impl Peak {
    /// Peaks of 0, `bits` bits each.
    pub(super) fn new(bits: usize, words: usize) -> Self {
        Self {
            words,
            planes: vec![0; bits * words],
        }
    }

    /// Raises the peaks to the counts of `counter`, less those of `less`.
    pub(super) fn raise(&mut self, counter: &Counter, less: Option<&Counter>) {
        for word in 0..self.words {
            let peaks = self.planes.iter_mut().skip(word).step_by(self.words);
            let difference = |(borrow, bit): (&mut u32, usize)| {
                let (a, b) = (
                    counter.bit(bit)[word],
                    less.map_or(0, |less| less.bit(bit)[word]),
                );
                let half = a ^ b;
                let out = half ^ *borrow;
                *borrow = (!a & b) | (!half & *borrow);
                out
            };
            // From the lowest bit up: the highest bit that differs decides.
            let (mut borrow, mut higher) = (0, 0);
            for (bit, peak) in peaks.enumerate() {
                let count = difference((&mut borrow, bit));
                higher = (count & !*peak) | (higher & !(count ^ *peak));
            }
            let peaks = self.planes.iter_mut().skip(word).step_by(self.words);
            let mut borrow = 0;
            for (bit, peak) in peaks.enumerate() {
                let count = difference((&mut borrow, bit));
                *peak = (count & higher) | (*peak & !higher);
            }
        }
    }

    /// The peak of the board at a bit of a lane word.
    pub(super) fn get(&self, word: usize, bit: u32) -> u64 {
        let planes = self.planes.iter().skip(word).step_by(self.words);
        planes
            .enumerate()
            .map(|(b, plane)| u64::from(plane & bit != 0) << b)
            .sum()
    }

    /// Sets that peak.
    pub(super) fn set(&mut self, word: usize, bit: u32, peak: u64) {
        let planes = self.planes.iter_mut().skip(word).step_by(self.words);
        for (b, plane) in planes.enumerate() {
            let set = if peak >> b & 1 == 1 { bit } else { 0 };
            *plane = (*plane & !bit) | set;
        }
    }
}

/// Sum and carry of three bits.
#[inline(always)]
fn full_add(a: u32, b: u32, c: u32) -> (u32, u32) {
    let half = a ^ b;
    (half ^ c, (a & b) | (c & half))
}

/// Adds eight rows to the column counts; what is carried out of their three bits goes to `carry`.
#[multiversion(targets("x86_64+avx512f", "x86_64+avx2", "x86_64+sse4.1", "aarch64+neon"))]
fn add_rows(rows: &[&[u32]; ROWS], counts: [&mut Vec<u32>; 3], carry: &mut [u32]) {
    let length = carry.len();
    // Slices of one length, or every access in the loop would be checked.
    let [a, b, c, d, e, f, g, h] = rows.map(|row| &row[..length]);
    let [ones, twos, fours] = counts.map(|count| &mut count[..length]);
    for i in 0..length {
        let (one, two_a) = full_add(ones[i], a[i], b[i]);
        let (one, two_b) = full_add(one, c[i], d[i]);
        let (one, two_c) = full_add(one, e[i], f[i]);
        let (one, two_d) = full_add(one, g[i], h[i]);
        let (two, four_a) = full_add(twos[i], two_a, two_b);
        let (two, four_b) = full_add(two, two_c, two_d);
        let (four, eight) = full_add(fours[i], four_a, four_b);
        (ones[i], twos[i], fours[i], carry[i]) = (one, two, four, eight);
    }
}

/// Adds one bit to each count of a plane of their bits; `carry` becomes what is carried out.
#[multiversion(targets("x86_64+avx512f", "x86_64+avx2", "x86_64+sse4.1", "aarch64+neon"))]
fn add_carry(counts: &mut [u32], carry: &mut [u32]) {
    for (count, carry) in counts.iter_mut().zip(carry) {
        (*count, *carry) = (*count ^ *carry, *count & *carry);
    }
}

/// Adds a bit plane and a carry to a bit plane; `carry` becomes what is carried out.
#[multiversion(targets("x86_64+avx512f", "x86_64+avx2", "x86_64+sse4.1", "aarch64+neon"))]
fn add_bit(counts: &mut [u32], more: &[u32], carry: &mut [u32]) {
    for ((count, more), carry) in counts.iter_mut().zip(more).zip(carry) {
        (*count, *carry) = full_add(*count, *more, *carry);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::hash::pcg4d;

    #[test]
    fn counts_equal_counting_cell_by_cell() {
        for (width, height, words) in [(1, 1, 1), (2, 1, 1), (7, 9, 2), (78, 39, 1), (5, 64, 3)] {
            let mut plane = Plane::new(width, height, words);
            let mut expected = vec![0usize; words * 32];
            for y in 0..height {
                for x in 0..width {
                    for k in 0..words {
                        let draw = pcg4d([x as u32, y as u32, k as u32, 1]);
                        // Among them boards that are full or empty.
                        let word = (draw[0] | 1) & !2;
                        plane.cell_mut(x, y)[k] = word;
                        for bit in 0..32 {
                            expected[k * 32 + bit] += (word >> bit & 1) as usize;
                        }
                    }
                }
            }
            let mut counter = Counter::new(width, height, words);
            counter.count(&plane);
            for (board, expected) in expected.into_iter().enumerate() {
                let found: usize = (0..counter.bits())
                    .map(|bit| {
                        (counter.bit(bit)[board / 32] >> (board % 32) & 1) as usize * (1 << bit)
                    })
                    .sum();
                assert_eq!(found, expected, "board {board} of {width}x{height}");
            }
        }
    }
}
