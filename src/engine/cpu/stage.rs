//! One generation of a pass: the rows of a tile that go through it, and what is done to each.

use multiversion::multiversion;

use crate::board::WORD_BITS;
use crate::rules::Rule;
use crate::rules::lifelike::{self, RowSum, block_count, life_alive, life_blue, majority, row_sum};

/// Words of a tile with its halo.
pub(super) const TILE_WORDS: usize = 64;

/// Words of the halo, left and right together.
pub(super) const HALO_WORDS: usize = 2;

/// Words of a vector register. Tiles are computed by whole vectors; the words that are too many
/// lie beyond the halo.
pub(super) const VECTOR_WORDS: usize = 8;

/// The words of a plane of a [`Row`].
pub(super) type RowWords = [u32; TILE_WORDS + 2];

/// One row of a tile; word i of the tile is at i + 1, and there is a dead word on either side.
pub(super) struct Row {
    pub(super) alive: RowWords,
    pub(super) blue: RowWords,
}

/// The row sums of one row in one plane.
struct RowSums {
    ones: [u32; TILE_WORDS],
    twos: [u32; TILE_WORDS],
}

/// The row sums of one row in both planes.
pub(super) struct PlaneSums {
    alive: RowSums,
    blue: RowSums,
}

/// The rows that a stage, or the board, has put out last, by their number modulo 3.
pub(super) type LastRows = [Row; 3];

/// One generation.
pub(super) struct Stage {
    /// The row sums of the last two rows that came in, by their number modulo 2.
    pub(super) sums: [PlaneSums; 2],
    pub(super) out: LastRows,
}

impl Row {
    pub(super) const DEAD: Self = Self {
        alive: [0; TILE_WORDS + 2],
        blue: [0; TILE_WORDS + 2],
    };
}

impl Stage {
    /// A stage that nothing has gone through.
    pub(super) const EMPTY: Self = Self {
        sums: [PlaneSums::ZERO; 2],
        out: [Row::DEAD; 3],
    };
}

impl PlaneSums {
    const ZERO: Self = {
        const ZERO: RowSums = RowSums {
            ones: [0; TILE_WORDS],
            twos: [0; TILE_WORDS],
        };
        Self {
            alive: ZERO,
            blue: ZERO,
        }
    };
}

/// The left neighbours of the cells of a word of a tile, the cells, and their right neighbours.
#[inline(always)]
pub(super) fn triple(plane: &RowWords, word: usize) -> [u32; 3] {
    let (before, centre, after) = (plane[word], plane[word + 1], plane[word + 2]);
    [
        centre << 1 | before >> (WORD_BITS - 1),
        centre,
        centre >> 1 | after << (WORD_BITS - 1),
    ]
}

#[inline(always)]
fn sum_of(plane: &RowWords, word: usize) -> RowSum {
    let [left, centre, right] = triple(plane, word);
    row_sum(left, centre, right)
}

impl RowSums {
    #[inline(always)]
    fn get(&self, word: usize) -> RowSum {
        RowSum {
            ones: self.ones[word],
            twos: self.twos[word],
        }
    }

    #[inline(always)]
    fn set(&mut self, word: usize, sum: RowSum) {
        (self.ones[word], self.twos[word]) = (sum.ones, sum.twos);
    }
}

/// What a stage computes a row from, besides the sums it has kept.
pub(super) struct Rows<'a> {
    pub(super) middle: &'a Row,
    pub(super) below: &'a Row,
    pub(super) words: usize,
}

/// Replaces the sums of the row two before by those of the row that came in.
#[multiversion(targets("x86_64+avx512f", "x86_64+avx2", "x86_64+sse4.1", "aarch64+neon"))]
pub(super) fn keep_sums(rows: &Rows<'_>, sums: &mut PlaneSums) {
    for i in 0..rows.words.min(TILE_WORDS) {
        sums.alive.set(i, sum_of(&rows.below.alive, i));
        sums.blue.set(i, sum_of(&rows.below.blue, i));
    }
}

/// B3/S23 has circuits of its own, which take little more than half of the operations.
#[multiversion(targets("x86_64+avx512f", "x86_64+avx2", "x86_64+sse4.1", "aarch64+neon"))]
pub(super) fn push_life(rows: &Rows<'_>, above: &mut PlaneSums, middle: &PlaneSums, out: &mut Row) {
    for i in 0..rows.words.min(TILE_WORDS) {
        let below = sum_of(&rows.below.alive, i);
        let below_blue = sum_of(&rows.below.blue, i);
        let (alive, blue) = (rows.middle.alive[i + 1], rows.middle.blue[i + 1]);
        let lives = life_alive(alive, [above.alive.get(i), middle.alive.get(i), below]);
        let parents_blue = life_blue([above.blue.get(i), middle.blue.get(i), below_blue]);
        out.alive[i + 1] = lives;
        out.blue[i + 1] = lives & (blue | (parents_blue & !alive));
        above.alive.set(i, below);
        above.blue.set(i, below_blue);
    }
}

#[multiversion(targets("x86_64+avx512f", "x86_64+avx2", "x86_64+sse4.1", "aarch64+neon"))]
pub(super) fn push_without_ties(
    rule: Rule,
    rows: &Rows<'_>,
    above: &mut PlaneSums,
    middle: &PlaneSums,
    out: &mut Row,
) {
    push_any(rule, rows, above, middle, out, |_, _| {});
}

#[multiversion(targets("x86_64+avx512f", "x86_64+avx2", "x86_64+sse4.1", "aarch64+neon"))]
pub(super) fn push_with_ties(
    rule: Rule,
    rows: &Rows<'_>,
    above: &mut PlaneSums,
    middle: &PlaneSums,
    out: &mut Row,
    tied: &mut [u32; TILE_WORDS],
) {
    push_any(rule, rows, above, middle, out, |word, ties| {
        tied[word] = ties
    });
}

/// Any rule. It must be inlined into a function compiled for a processor.
#[inline(always)]
fn push_any(
    rule: Rule,
    rows: &Rows<'_>,
    above: &mut PlaneSums,
    middle: &PlaneSums,
    out: &mut Row,
    mut mark_tied: impl FnMut(usize, u32),
) {
    for i in 0..rows.words.min(TILE_WORDS) {
        let below = sum_of(&rows.below.alive, i);
        let below_blue = sum_of(&rows.below.blue, i);
        let (alive, blue) = (rows.middle.alive[i + 1], rows.middle.blue[i + 1]);
        let count = block_count(above.alive.get(i), middle.alive.get(i), below);
        let blue_count = block_count(above.blue.get(i), middle.blue.get(i), below_blue);
        let lives = lifelike::next_alive(rule, alive, count);
        let born = lives & !alive;
        let parents = majority(count, blue_count);
        out.alive[i + 1] = lives;
        out.blue[i + 1] = (lives & blue) | (born & parents.blue);
        above.alive.set(i, below);
        above.blue.set(i, below_blue);
        mark_tied(i, born & parents.even);
    }
}
