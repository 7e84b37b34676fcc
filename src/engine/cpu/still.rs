//! Which parts of a board stand still, so that a pass over it can leave them out.
//!
//! A block that a pass has left as it was, and around which it has left all cells as they were, comes
//! out of another pass of as many generations unchanged: a cell depends on no cell that is farther
//! away than there are generations. So what repeats with a period that divides the length of a pass
//! costs nothing, until something comes near.

use std::ops::Range;
use std::sync::atomic::{AtomicU8, Ordering};

use super::stream::MOST_GENERATIONS;
use crate::board::{Edges, Size, WORD_BITS};

/// Words of a row of a block: with the halo on either side they are one vector register.
pub(super) const BLOCK_WORDS: usize = 6;

/// Rows of a block.
pub(super) const BLOCK_ROWS: usize = 64;

/// The blocks of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Blocks {
    size: Size,
    edges: Edges,
    columns: usize,
    rows: usize,
}

/// What a pass has changed.
pub(super) struct Changes {
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
pub(super) struct Active {
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

    /// Notes of a pass of that many generations, which has changed nothing so far.
    pub(super) fn unchanged(self, generations: u32) -> Changes {
        let blocks = self.columns * self.rows;
        Changes {
            blocks: self,
            generations,
            changed: (0..blocks).map(|_| AtomicU8::new(0)).collect(),
        }
    }

    /// For each block of a row (or a column) those from which something can come into it within a
    /// pass, itself among them. `cells` are those of a side of the board, `block` those of a block;
    /// `first` and `last` are the borders of a block.
    fn near(self, cells: u32, block: u32, [first, last]: [u8; 2]) -> Vec<Vec<Near>> {
        let reach = i64::from(MOST_GENERATIONS);
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

impl Changes {
    /// Notes words `first_word ..` of row `y` where they are others than they were. Returns the next
    /// row in which these words can tell something new.
    pub(super) fn compare(
        &self,
        y: usize,
        first_word: usize,
        new: [&[u32]; 2],
        was: [&[u32]; 2],
    ) -> usize {
        const REACH: usize = MOST_GENERATIONS as usize;
        let Blocks { size, columns, .. } = self.blocks;
        let height = size.height() as usize;
        let block_row = y / BLOCK_ROWS;
        let (first_row, end_row) = (
            block_row * BLOCK_ROWS,
            ((block_row + 1) * BLOCK_ROWS).min(height),
        );
        let mut borders = 0;
        if y < first_row + REACH {
            borders |= TOP;
        }
        if y + REACH >= end_row {
            borders |= BOTTOM;
        }
        let mut all_known = true;
        let end = first_word + new[0].len();
        let row = &self.changed[block_row * columns..][..columns];
        for (block, changed) in row
            .iter()
            .enumerate()
            .take(end.div_ceil(BLOCK_WORDS))
            .skip(first_word / BLOCK_WORDS)
        {
            let known = changed.load(Ordering::Relaxed);
            let all = ANYWHERE | LEFT | RIGHT | borders;
            if known & all == all {
                continue;
            }
            all_known = false;
            let start = block * BLOCK_WORDS;
            let stop = (start + BLOCK_WORDS).min(size.row_words());
            // Words of the board of which one differs.
            let differs = |words: Range<usize>| {
                let words = words.start.max(first_word)..words.end.min(end);
                !words.is_empty()
                    && [0, 1].into_iter().any(|plane| {
                        let words = words.start - first_word..words.end - first_word;
                        new[plane][words.clone()] != was[plane][words]
                    })
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
        let others = [first_row + REACH, end_row.saturating_sub(REACH), end_row];
        match others.into_iter().filter(|&row| row > y).min() {
            Some(row) if all_known => row,
            _ => y + 1,
        }
    }

    /// The blocks that another pass of `generations` generations has to compute; `None` if that is
    /// not known.
    pub(super) fn active(&self, generations: u32) -> Option<Active> {
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
        Some(Active { columns, blocks })
    }
}

impl Active {
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
    fn woken(size: Size, edges: Edges, word: usize, y: usize) -> Vec<String> {
        let changes = Blocks::new(size, edges).unchanged(8);
        changes.compare(y, word, [&[1], &[0]], [&[0], &[0]]);
        let active = changes.active(8).unwrap();
        let show = |row: &[bool]| {
            row.iter()
                .map(|&active| if active { '#' } else { '.' })
                .collect()
        };
        active.blocks.chunks(active.columns).map(show).collect()
    }

    #[test]
    fn a_change_wakes_all_that_it_can_reach() {
        let cells = BLOCK_WORDS as u64 * u64::from(WORD_BITS);
        let size = Size::new(4 * cells, 4 * BLOCK_ROWS as u64).unwrap();
        let middle = BLOCK_WORDS + BLOCK_WORDS / 2;
        let rows = BLOCK_ROWS + BLOCK_ROWS / 2;
        for edges in [Edges::Torus, Edges::Dead] {
            let woken = |word, y| woken(size, edges, word, y);
            assert_eq!(woken(middle, rows), ["....", ".#..", "....", "...."]);
            assert_eq!(woken(BLOCK_WORDS, rows), ["....", "##..", "....", "...."]);
            assert_eq!(
                woken(2 * BLOCK_WORDS - 1, rows),
                ["....", ".##.", "....", "...."]
            );
            assert_eq!(
                woken(middle, BLOCK_ROWS + 7),
                [".#..", ".#..", "....", "...."]
            );
            assert_eq!(
                woken(middle, BLOCK_ROWS + 8),
                ["....", ".#..", "....", "...."]
            );
            assert_eq!(
                woken(middle, 2 * BLOCK_ROWS - 8),
                ["....", ".#..", ".#..", "...."]
            );
            assert_eq!(
                woken(middle, 2 * BLOCK_ROWS - 9),
                ["....", ".#..", "....", "...."]
            );
            assert_eq!(
                woken(BLOCK_WORDS, BLOCK_ROWS),
                ["##..", "##..", "....", "...."]
            );
        }
        assert_eq!(
            woken(size, Edges::Torus, 0, 0),
            ["#..#", "....", "....", "#..#"]
        );
        assert_eq!(
            woken(size, Edges::Dead, 0, 0),
            ["#...", "....", "....", "...."]
        );
    }

    #[test]
    fn a_change_reaches_across_narrow_blocks() {
        // The last column of blocks has one cell, the last row of them three.
        let width = 2 * BLOCK_WORDS as u64 * u64::from(WORD_BITS) + 1;
        let size = Size::new(width, 2 * BLOCK_ROWS as u64 + 3).unwrap();
        assert_eq!(woken(size, Edges::Torus, 0, 0), ["###"; 3]);
        assert_eq!(woken(size, Edges::Dead, 0, 0), ["#..", "...", "..."]);
        let last = [2 * BLOCK_WORDS, 2 * BLOCK_ROWS];
        assert_eq!(woken(size, Edges::Torus, last[0], last[1]), ["###"; 3]);
        assert_eq!(
            woken(size, Edges::Dead, last[0], last[1]),
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
        let active = Active { columns: 6, blocks };
        let runs: Vec<_> = active.runs(0, 2).collect();
        assert_eq!(runs, [1..3, 3..4, 5..6]);
        assert!((active.share(0..1) - 4.0 / 6.0).abs() < 1e-9);
    }
}
