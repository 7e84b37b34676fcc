//! One generation of a pass: a row of a tile from three rows of the generation before.
//!
//! A cell is a byte here, and so is a sum as long as no population is above [`MAX_NARROW`], which on
//! a board that fights is so nearly everywhere: then a vector holds twice as many cells as with the
//! 16 bits that any sum fits. Which of the two a row takes is decided by the largest populations of
//! the rows it comes from.

use multiversion::multiversion;

use crate::rules::rezolution::{MAX_NARROW, next_narrow, next_wide};

/// Cells that inner loops compute at a time: whole vectors of any processor.
pub(super) const BLOCK_CELLS: usize = 64;

/// Cells of a tile with its halo, at most: 2,048 and a block more, so that boards whose width is a
/// power of two are not cut into uneven tiles.
pub(super) const TILE_CELLS: usize = 2048 + BLOCK_CELLS;

/// Cells of a [`Row`].
const ROW_CELLS: usize = TILE_CELLS + BLOCK_CELLS;

/// The populations of one row of a tile. Cell i of the tile is at i + 1: what is to the left of the
/// first cell and to the right of the last one is unknown.
#[derive(Clone)]
#[repr(align(64))]
pub(super) struct Row {
    pub(super) cells: [i8; ROW_CELLS],
    /// No population of the tile is larger.
    pub(super) largest: u8,
}

impl Row {
    pub(super) const EMPTY: Self = Self {
        cells: [0; ROW_CELLS],
        largest: 0,
    };

    pub(super) fn clear(&mut self) {
        self.cells.fill(0);
        self.largest = 0;
    }

    /// Finds the largest of the first `cells` populations.
    pub(super) fn measure(&mut self, cells: usize) {
        self.largest = largest(&self.cells, cells);
    }
}

/// The barriers or the targets of a row of a tile, numbered as in [`Row`].
#[derive(Clone)]
#[repr(align(64))]
pub(super) struct Marks {
    /// All ones for a marked cell, or 0. Means nothing if there is none.
    pub(super) cells: [i8; ROW_CELLS],
    /// Whether there may be a marked cell.
    pub(super) any: bool,
}

impl Marks {
    pub(super) const NONE: Self = Self {
        cells: [0; ROW_CELLS],
        any: false,
    };
}

/// The sums of columns of three cells.
pub(super) struct Sums {
    narrow: [i8; ROW_CELLS],
    wide: [i16; ROW_CELLS],
}

impl Sums {
    pub(super) const ZERO: Self = Self {
        narrow: [0; ROW_CELLS],
        wide: [0; ROW_CELLS],
    };
}

/// Computes the middle one of three rows, the first `cells` cells of it rounded up to whole blocks.
pub(super) fn push(
    rows: [&Row; 3],
    barriers: &Marks,
    cells: usize,
    sums: &mut Sums,
    out: &mut Row,
) {
    out.largest = if rows.iter().all(|row| row.largest <= MAX_NARROW) {
        push_narrow(rows, cells, &mut sums.narrow, &mut out.cells)
    } else {
        push_wide(rows, cells, &mut sums.wide, &mut out.cells)
    };
    if barriers.any {
        empty_marked(barriers, &mut out.cells);
    }
}

/// A number that sums are computed in.
trait Sum: Copy {
    fn of(cell: i8) -> Self;
    fn plus(self, other: Self) -> Self;
    /// A cell of the next generation.
    fn next(own: i8, sum: Self) -> i8;
}

impl Sum for i8 {
    #[inline(always)]
    fn of(cell: i8) -> Self {
        cell
    }

    // What does not fit lies beyond the halo.
    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        self.wrapping_add(other)
    }

    #[inline(always)]
    fn next(own: i8, sum: Self) -> i8 {
        next_narrow(own, sum)
    }
}

impl Sum for i16 {
    #[inline(always)]
    fn of(cell: i8) -> Self {
        cell.into()
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        self.wrapping_add(other)
    }

    #[inline(always)]
    fn next(own: i8, sum: Self) -> i8 {
        next_wide(own, sum)
    }
}

#[multiversion(targets(
    "x86_64+avx512f+avx512bw",
    "x86_64+avx2",
    "x86_64+sse4.1",
    "aarch64+neon"
))]
fn push_narrow(
    rows: [&Row; 3],
    cells: usize,
    sums: &mut [i8; ROW_CELLS],
    out: &mut [i8; ROW_CELLS],
) -> u8 {
    push_any(rows, cells, sums, out)
}

#[multiversion(targets(
    "x86_64+avx512f+avx512bw",
    "x86_64+avx2",
    "x86_64+sse4.1",
    "aarch64+neon"
))]
fn push_wide(
    rows: [&Row; 3],
    cells: usize,
    sums: &mut [i16; ROW_CELLS],
    out: &mut [i8; ROW_CELLS],
) -> u8 {
    push_any(rows, cells, sums, out)
}

/// Sums of columns first, then three of them side by side; blocks of a fixed length leave no cells
/// over to be computed one by one. Returns the largest population. It must be inlined into a function
/// compiled for a processor.
#[inline(always)]
fn push_any<S: Sum>(
    [above, middle, below]: [&Row; 3],
    cells: usize,
    sums: &mut [S; ROW_CELLS],
    out: &mut [i8; ROW_CELLS],
) -> u8 {
    let blocks = cells.div_ceil(BLOCK_CELLS);
    let columns = blocks_of(&above.cells)
        .iter()
        .zip(blocks_of(&middle.cells))
        .zip(blocks_of(&below.cells));
    // The last sums of a block of cells are in the next block.
    let summed = sums.as_chunks_mut().0.iter_mut().take(blocks + 1);
    for (sums, ((above, middle), below)) in summed.zip(columns) {
        let sums: &mut [S; BLOCK_CELLS] = sums;
        for i in 0..BLOCK_CELLS {
            sums[i] = S::of(above[i]).plus(S::of(middle[i])).plus(S::of(below[i]));
        }
    }
    let mut largest = [0; BLOCK_CELLS];
    let sides = blocks_of(&sums[..])
        .iter()
        .zip(blocks_of(&sums[1..]))
        .zip(blocks_of(&sums[2..]));
    let own = blocks_of(&middle.cells[1..]).iter();
    let out = out[1..].as_chunks_mut().0.iter_mut().take(blocks);
    for ((out, own), ((left, centre), right)) in out.zip(own).zip(sides) {
        let out: &mut [i8; BLOCK_CELLS] = out;
        for i in 0..BLOCK_CELLS {
            let next = S::next(own[i], left[i].plus(centre[i]).plus(right[i]));
            out[i] = next;
            largest[i] = next.unsigned_abs().max(largest[i]);
        }
    }
    largest.into_iter().fold(0, u8::max)
}

#[inline(always)]
fn blocks_of<S>(row: &[S]) -> &[[S; BLOCK_CELLS]] {
    row.as_chunks().0
}

/// Empties the marked cells of a row.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw",
    "x86_64+avx2",
    "x86_64+sse4.1",
    "aarch64+neon"
))]
fn empty_marked(marks: &Marks, cells: &mut [i8; ROW_CELLS]) {
    for (cell, mark) in cells.iter_mut().zip(&marks.cells) {
        *cell &= !mark;
    }
}

#[multiversion(targets(
    "x86_64+avx512f+avx512bw",
    "x86_64+avx2",
    "x86_64+sse4.1",
    "aarch64+neon"
))]
fn largest(row: &[i8; ROW_CELLS], cells: usize) -> u8 {
    let mut largest = [0; BLOCK_CELLS];
    let blocks = (cells + 1).div_ceil(BLOCK_CELLS);
    for block in blocks_of(row).iter().take(blocks) {
        for i in 0..BLOCK_CELLS {
            largest[i] = block[i].unsigned_abs().max(largest[i]);
        }
    }
    largest.into_iter().fold(0, u8::max)
}
