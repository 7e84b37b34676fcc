//! One generation of a pass: the rows of a tile that go through it, and what is done to each.

use multiversion::multiversion;

use crate::board::WORD_BITS;
use crate::rules::Rule;
use crate::rules::lifelike::{self, RowSum, block_count, life_alive, life_blue, majority, row_sum};

/// Words of a tile with its halo: as many whole vectors as let all stages stay in a cache of 32 KiB.
pub(super) const TILE_WORDS: usize = 56;

/// Words of the halo, left and right together.
pub(super) const HALO_WORDS: usize = 2;

/// Words of a vector register. Tiles are computed by whole vectors; the words that are too many
/// lie beyond the halo.
pub(super) const VECTOR_WORDS: usize = 8;

/// Where word 0 of a tile is in a [`Row`]: at the beginning of a vector.
pub(super) const FIRST: usize = VECTOR_WORDS;

/// The words of a plane of a [`Row`].
pub(super) type RowWords = [u32; FIRST + TILE_WORDS + VECTOR_WORDS];

/// One row of a tile, with room on either side, where no cell is known.
#[repr(align(32))]
pub(super) struct Row {
    pub(super) alive: RowWords,
    pub(super) blue: RowWords,
}

/// The row sums of one row in one plane.
#[repr(align(32))]
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
        alive: [0; FIRST + TILE_WORDS + VECTOR_WORDS],
        blue: [0; FIRST + TILE_WORDS + VECTOR_WORDS],
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
    let [before, centre, after] = [0, 1, 2].map(|i| plane[FIRST - 1 + word + i]);
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

/// B3/S23 has a formula of its own, which takes little more than half of the operations.
#[multiversion(targets("x86_64+avx512f", "x86_64+avx2", "x86_64+sse4.1", "aarch64+neon"))]
pub(super) fn push_life(rows: &Rows<'_>, above: &mut PlaneSums, middle: &PlaneSums, out: &mut Row) {
    for i in 0..rows.words.min(TILE_WORDS) {
        let below = sum_of(&rows.below.alive, i);
        let below_blue = sum_of(&rows.below.blue, i);
        let (alive, blue) = (rows.middle.alive[FIRST + i], rows.middle.blue[FIRST + i]);
        let lives = life_alive(alive, [above.alive.get(i), middle.alive.get(i), below]);
        let parents_blue = life_blue([above.blue.get(i), middle.blue.get(i), below_blue]);
        out.alive[FIRST + i] = lives;
        out.blue[FIRST + i] = lives & (blue | (parents_blue & !alive));
        above.alive.set(i, below);
        above.blue.set(i, below_blue);
    }
}

/// Two rows of B3/S23 at once: the sums that have been kept are read once for both, and so is what the
/// colours of the two rows in the middle add.
///
/// `first` and `second` have come in, one below the other, and `middle` was the last one before.
/// `sums_*` are those of the two rows before, and become those of the two that have come in.
#[multiversion(targets("x86_64+avx512f", "x86_64+avx2", "x86_64+sse4.1", "aarch64+neon"))]
pub(super) fn push_two_lives(
    words: usize,
    [middle, first, second]: [&Row; 3],
    sums_above: &mut PlaneSums,
    sums_middle: &mut PlaneSums,
    out: &mut Row,
    out_below: &mut Row,
) {
    for i in 0..words.min(TILE_WORDS) {
        let (a, b) = (sums_above.alive.get(i), sums_middle.alive.get(i));
        let (c, d) = (sum_of(&first.alive, i), sum_of(&second.alive, i));
        let (alive, alive_below) = (middle.alive[FIRST + i], first.alive[FIRST + i]);
        let lives = life_alive(alive, [a, b, c]);
        let lives_below = life_alive(alive_below, [b, c, d]);
        out.alive[FIRST + i] = lives;
        out_below.alive[FIRST + i] = lives_below;
        sums_above.alive.set(i, c);
        sums_middle.alive.set(i, d);

        let (a, b) = (sums_above.blue.get(i), sums_middle.blue.get(i));
        let (c, d) = (sum_of(&first.blue, i), sum_of(&second.blue, i));
        let (blue, blue_below) = (middle.blue[FIRST + i], first.blue[FIRST + i]);
        let between = TwoRows::of(b, c);
        out.blue[FIRST + i] = lives & (blue | (between.life_blue(a) & !alive));
        out_below.blue[FIRST + i] =
            lives_below & (blue_below | (between.life_blue(d) & !alive_below));
        sums_above.blue.set(i, c);
        sums_middle.blue.set(i, d);
    }
}

/// What [`life_blue`] needs of two rows that have to be added to a third.
///
/// [`life_blue`]: crate::rules::lifelike::life_blue
#[derive(Clone, Copy)]
struct TwoRows {
    /// Two blue cells or three, in a row or in both together.
    two: u32,
    /// A bit worth one.
    one: u32,
}

impl TwoRows {
    #[inline(always)]
    fn of(a: RowSum, b: RowSum) -> Self {
        Self {
            two: a.twos | b.twos | (a.ones & b.ones),
            one: a.ones | b.ones,
        }
    }

    #[inline(always)]
    fn life_blue(self, third: RowSum) -> u32 {
        self.two | third.twos | (third.ones & self.one)
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
        let (alive, blue) = (rows.middle.alive[FIRST + i], rows.middle.blue[FIRST + i]);
        let count = block_count(above.alive.get(i), middle.alive.get(i), below);
        let blue_count = block_count(above.blue.get(i), middle.blue.get(i), below_blue);
        let lives = lifelike::next_alive(rule, alive, count);
        let born = lives & !alive;
        let parents = majority(count, blue_count);
        out.alive[FIRST + i] = lives;
        out.blue[FIRST + i] = (lives & blue) | (born & parents.blue);
        above.alive.set(i, below);
        above.blue.set(i, below_blue);
        mark_tied(i, born & parents.even);
    }
}

/// Writes the own words of a row of a tile to the next board, and adds the bits in which they differ from
/// what `was` there before. Of the last word `mask` are cells of the board.
#[multiversion(targets("x86_64+avx512f", "x86_64+avx2", "x86_64+sse4.1", "aarch64+neon"))]
pub(super) fn put_out(
    row: &Row,
    mask: u32,
    [next_alive, next_blue]: [&mut [u32]; 2],
    [was_alive, was_blue]: [&[u32]; 2],
    differences: &mut [u32; TILE_WORDS],
) {
    // Slices of one length, or every access in the loop would be checked.
    let own = next_alive.len();
    let next_blue = &mut next_blue[..own];
    let (alive, blue) = (
        &row.alive[FIRST + 1..][..own],
        &row.blue[FIRST + 1..][..own],
    );
    let (was_alive, was_blue) = (&was_alive[..own], &was_blue[..own]);
    let differences = &mut differences[..own];
    let last = own - 1;
    for i in 0..last {
        let (alive, blue) = (alive[i], blue[i]);
        (next_alive[i], next_blue[i]) = (alive, blue);
        differences[i] |= (alive ^ was_alive[i]) | (blue ^ was_blue[i]);
    }
    let (alive, blue) = (alive[last] & mask, blue[last] & mask);
    next_alive[last] = alive;
    next_blue[last] = blue;
    differences[last] |= (alive ^ was_alive[last]) | (blue ^ was_blue[last]);
}
