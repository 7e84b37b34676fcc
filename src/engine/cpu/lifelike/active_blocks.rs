//! Which blocks of a board are active, so that a pass over it can leave the others out.
//!
//! A block that a pass has left as it was, and around which it has left all cells as they were, comes
//! out of another pass of as many generations unchanged: a cell depends on no cell that is farther
//! away than there are generations. So what repeats with a period that divides the length of a pass
//! costs nothing, until something comes near. The statistics of such a block repeat as well.

use std::ops::Range;
use std::sync::atomic::{AtomicU8, Ordering};

use super::pass::MOST_GENERATIONS;
use crate::board::{Edges, Size, WORD_BITS};

/// Words of a row of a block: with the halo on either side they are one vector register.
pub(super) const BLOCK_WORDS: usize = 6;

/// Rows of a block.
pub(super) const BLOCK_ROWS: usize = 64;

/// How far something comes in a pass, in cells.
const REACH: usize = MOST_GENERATIONS as usize;

/// The blocks of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Blocks {
    size: Size,
    edges: Edges,
    columns: usize,
    rows: usize,
}

/// What a pass has changed.
pub(super) struct DirtyBlocks {
    blocks: Blocks,
    /// Generations of the pass.
    generations: u32,
    /// Where a block has changed, row by row. Several threads may note changes of one block.
    changed: Vec<AtomicU8>,
}

/// Anywhere in a block.
const ANYWHERE: u8 = 1;
/// As near to that border of it as a pass can carry something.
const LEFT: u8 = 2;
const RIGHT: u8 = 4;
const TOP: u8 = 8;
const BOTTOM: u8 = 16;

/// A row or column of blocks from which something can come, and where a change must lie for that.
type Near = (usize, u8);

/// The blocks that the next pass has to compute.
pub(super) struct ActiveBlocks {
    columns: usize,
    /// Row by row.
    blocks: Vec<bool>,
}

impl Blocks {
    pub(super) fn new(size: Size, edges: Edges) -> Self {
        Self {
            size,
            edges,
            columns: size.row_words().div_ceil(BLOCK_WORDS),
            rows: (size.height() as usize).div_ceil(BLOCK_ROWS),
        }
    }

    /// How many there are, row by row.
    pub(super) const fn count(self) -> usize {
        self.columns * self.rows
    }

    /// Notes of a pass of that many generations, which has changed nothing so far.
    pub(super) fn unchanged(self, generations: u32) -> DirtyBlocks {
        DirtyBlocks {
            blocks: self,
            generations,
            changed: (0..self.count()).map(|_| AtomicU8::new(0)).collect(),
        }
    }

    /// For each block of a row (or a column) those from which something can come into it within a
    /// pass, itself among them. `cells` are those of a side of the board, `block` those of a block;
    /// `first` and `last` are the borders of a block.
    fn near(self, cells: u32, block: u32, [first, last]: [u8; 2]) -> Vec<Vec<Near>> {
        let reach = REACH as i64;
        let (cells, block) = (i64::from(cells), i64::from(block));
        let blocks = (cells + block - 1) / block;
        let block_of = |cell: i64| match self.edges {
            Edges::Torus => Some(cell.rem_euclid(cells) / block),
            Edges::Dead => (0..cells).contains(&cell).then_some(cell / block),
        };
        let near = |own: i64| {
            let (start, end) = (own * block, ((own + 1) * block).min(cells));
            let mut near = vec![(own as usize, ANYWHERE)];
            for (beside, border) in [(start - reach..start, last), (end..end + reach, first)] {
                for other in beside.filter_map(block_of).filter(|&other| other != own) {
                    // The last block may be a narrow one, past which another one is near.
                    let is_narrow = |block_number: i64| {
                        ((block_number + 1) * block).min(cells) - block_number * block < reach
                    };
                    let direct = block_of(start - 1) == Some(other) && border == last
                        || block_of(end) == Some(other) && border == first;
                    let border = match direct && !is_narrow(other) {
                        true => border,
                        false => ANYWHERE,
                    };
                    near.push((other as usize, border));
                }
            }
            near.sort_unstable();
            near.dedup();
            near
        };
        (0..blocks).map(near).collect()
    }
}

impl DirtyBlocks {
    /// The row after the last one of the zone in which row `y` lies. In all rows of a zone a change is as
    /// near to the borders of its block as in the others.
    pub(super) fn zone_end(&self, y: usize) -> usize {
        let (first_row, end_row) = self.rows_around(y);
        let ends = [first_row + REACH, end_row.saturating_sub(REACH), end_row];
        let ends = ends.into_iter().filter(|&end| y < end);
        ends.min().unwrap_or(end_row)
    }

    /// Notes where words from `first_word` on have changed in the rows of the zone of row `y`: in words
    /// of `differences` that are not 0.
    pub(super) fn note(&self, y: usize, first_word: usize, differences: &[u32]) {
        let Blocks { size, columns, .. } = self.blocks;
        let (first_row, end_row) = self.rows_around(y);
        let mut borders = 0;
        if y < first_row + REACH {
            borders |= TOP;
        }
        if y + REACH >= end_row {
            borders |= BOTTOM;
        }
        let end = first_word + differences.len();
        let row = &self.changed[y / BLOCK_ROWS * columns..][..columns];
        for (block, changed) in row
            .iter()
            .enumerate()
            .take(end.div_ceil(BLOCK_WORDS))
            .skip(first_word / BLOCK_WORDS)
        {
            let start = block * BLOCK_WORDS;
            let stop = (start + BLOCK_WORDS).min(size.row_words());
            // Words of the board of which one has changed.
            let differs = |words: Range<usize>| {
                let words = words.start.max(first_word)..words.end.min(end);
                words
                    .into_iter()
                    .any(|word| differences[word - first_word] != 0)
            };
            if !differs(start..stop) {
                continue;
            }
            let mut found = ANYWHERE | borders;
            if differs(start..start + 1) {
                found |= LEFT;
            }
            // The last word of a row may have fewer cells than are within reach.
            if differs(stop.saturating_sub(2).max(start)..stop) {
                found |= RIGHT;
            }
            changed.fetch_or(found, Ordering::Relaxed);
        }
    }

    /// The first row of the block of row `y`, and the one after its last.
    fn rows_around(&self, y: usize) -> (usize, usize) {
        let first_row = y / BLOCK_ROWS * BLOCK_ROWS;
        let height = self.blocks.size.height() as usize;
        (first_row, (first_row + BLOCK_ROWS).min(height))
    }

    /// The blocks that another pass of `generations` generations has to compute; `None` if that is
    /// not known.
    pub(super) fn active(&self, generations: u32) -> Option<ActiveBlocks> {
        if generations != self.generations {
            return None;
        }
        let Blocks { size, columns, .. } = self.blocks;
        let block_cells = BLOCK_WORDS as u32 * WORD_BITS;
        let near_columns = self.blocks.near(size.width(), block_cells, [LEFT, RIGHT]);
        let near_rows = self
            .blocks
            .near(size.height(), BLOCK_ROWS as u32, [TOP, BOTTOM]);
        let mut blocks = Vec::with_capacity(self.changed.len());
        for near_rows in &near_rows {
            // Where blocks have changed from which something can come into this row of blocks.
            let coming: Vec<u8> = (0..columns)
                .map(|column| {
                    let changed = |&(row, border): &Near| {
                        let changed = self.changed[row * columns + column].load(Ordering::Relaxed);
                        if changed & border != 0 { changed } else { 0 }
                    };
                    near_rows
                        .iter()
                        .map(changed)
                        .fold(0, |all, more| all | more)
                })
                .collect();
            let active = |near: &Vec<Near>| {
                near.iter()
                    .any(|&(column, border)| coming[column] & border != 0)
            };
            blocks.extend(near_columns.iter().map(active));
        }
        Some(ActiveBlocks { columns, blocks })
    }
}

impl ActiveBlocks {
    /// The share of the blocks in some rows of blocks that are active.
    pub(super) fn share(&self, rows: Range<usize>) -> f64 {
        let blocks = self.rows(rows);
        let active = blocks.iter().filter(|active| **active).count();
        active as f64 / blocks.len().max(1) as f64
    }

    /// Runs of active blocks in a row of blocks, none longer than `most`.
    pub(super) fn runs(&self, row: usize, most: usize) -> impl Iterator<Item = Range<usize>> + '_ {
        let blocks = self.rows(row..row + 1);
        let mut next = 0;
        std::iter::from_fn(move || {
            let first = next + blocks[next..].iter().position(|active| *active)?;
            let end = blocks[first..]
                .iter()
                .position(|active| !active)
                .map_or(blocks.len(), |length| first + length);
            next = end.min(first + most);
            Some(first..next)
        })
    }

    fn rows(&self, rows: Range<usize>) -> &[bool] {
        &self.blocks[rows.start * self.columns..rows.end * self.columns]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The active blocks after one word of row `y` has changed, as the characters of their rows.
    fn activated(size: Size, edges: Edges, word: usize, y: usize) -> Vec<String> {
        let changes = Blocks::new(size, edges).unchanged(8);
        changes.note(y, word, &[1]);
        let active = changes.active(8).unwrap();
        let show = |row: &[bool]| {
            row.iter()
                .map(|&active| if active { '#' } else { '.' })
                .collect()
        };
        active.blocks.chunks(active.columns).map(show).collect()
    }

    #[test]
    fn a_change_activates_all_that_it_can_reach() {
        let cells = BLOCK_WORDS as u64 * u64::from(WORD_BITS);
        let size = Size::new(4 * cells, 4 * BLOCK_ROWS as u64).unwrap();
        let middle = BLOCK_WORDS + BLOCK_WORDS / 2;
        let rows = BLOCK_ROWS + BLOCK_ROWS / 2;
        for edges in [Edges::Torus, Edges::Dead] {
            let activated = |word, y| activated(size, edges, word, y);
            assert_eq!(activated(middle, rows), ["....", ".#..", "....", "...."]);
            assert_eq!(
                activated(BLOCK_WORDS, rows),
                ["....", "##..", "....", "...."]
            );
            assert_eq!(
                activated(2 * BLOCK_WORDS - 1, rows),
                ["....", ".##.", "....", "...."]
            );
            assert_eq!(
                activated(middle, BLOCK_ROWS + 7),
                [".#..", ".#..", "....", "...."]
            );
            assert_eq!(
                activated(middle, BLOCK_ROWS + 8),
                ["....", ".#..", "....", "...."]
            );
            assert_eq!(
                activated(middle, 2 * BLOCK_ROWS - 8),
                ["....", ".#..", ".#..", "...."]
            );
            assert_eq!(
                activated(middle, 2 * BLOCK_ROWS - 9),
                ["....", ".#..", "....", "...."]
            );
            assert_eq!(
                activated(BLOCK_WORDS, BLOCK_ROWS),
                ["##..", "##..", "....", "...."]
            );
        }
        assert_eq!(
            activated(size, Edges::Torus, 0, 0),
            ["#..#", "....", "....", "#..#"]
        );
        assert_eq!(
            activated(size, Edges::Dead, 0, 0),
            ["#...", "....", "....", "...."]
        );
    }

    #[test]
    fn zones_end_where_borders_come_near() {
        let ends = |height: u64| {
            let changes = Blocks::new(Size::new(9, height).unwrap(), Edges::Torus).unchanged(8);
            let mut ends = vec![changes.zone_end(0)];
            while ends.last().is_some_and(|&end| end < height as usize) {
                ends.push(changes.zone_end(ends[ends.len() - 1]));
            }
            ends
        };
        assert_eq!(ends(128), [8, 56, 64, 72, 120, 128]);
        assert_eq!(ends(64 + 20), [8, 56, 64, 72, 76, 84]);
        assert_eq!(ends(64 + 10), [8, 56, 64, 66, 72, 74]);
        assert_eq!(ends(3), [3]);
    }

    #[test]
    fn a_change_reaches_across_narrow_blocks() {
        // The last column of blocks has one cell, the last row of them three.
        let width = 2 * BLOCK_WORDS as u64 * u64::from(WORD_BITS) + 1;
        let size = Size::new(width, 2 * BLOCK_ROWS as u64 + 3).unwrap();
        assert_eq!(activated(size, Edges::Torus, 0, 0), ["###"; 3]);
        assert_eq!(activated(size, Edges::Dead, 0, 0), ["#..", "...", "..."]);
        let last = [2 * BLOCK_WORDS, 2 * BLOCK_ROWS];
        assert_eq!(activated(size, Edges::Torus, last[0], last[1]), ["###"; 3]);
        assert_eq!(
            activated(size, Edges::Dead, last[0], last[1]),
            ["...", ".##", ".##"]
        );
    }

    #[test]
    fn a_pass_of_another_length_says_nothing() {
        let changes = Blocks::new(Size::new(9, 9).unwrap(), Edges::Torus).unchanged(8);
        let active = changes.active(8).unwrap();
        assert_eq!((active.share(0..1), active.runs(0, 10).count()), (0.0, 0));
        assert!(changes.active(7).is_none());
    }

    #[test]
    fn runs_are_cut() {
        let blocks = [false, true, true, true, false, true].to_vec();
        let active = ActiveBlocks { columns: 6, blocks };
        let runs: Vec<_> = active.runs(0, 2).collect();
        assert_eq!(runs, [1..3, 3..4, 5..6]);
        assert!((active.share(0..1) - 4.0 / 6.0).abs() < 1e-9);
    }
}
