//! A tile of a pass: its rows from the board, from stage to stage, and to the next board.
//!
//! The *endless plane* is the board repeated in all directions if its edges are joined, else the board in a
//! plane of empty cells.

use std::ops::Range;

use super::stage::{Marks, Row, Sums, TILE_CELLS, push};
use crate::board::rezolution::{CELLS_PER_WORD, GROUP_WORDS, last_word, row_words};
use crate::board::{Edges, RezolutionBoard, Size};
use crate::rules::rezolution::marked;

/// The most generations of a pass. With more, little is gained.
pub(super) const MOST_GENERATIONS: u32 = 8;

/// Cells of the halo on either side of a tile.
pub(super) const HALO_CELLS: usize = MOST_GENERATIONS as usize;

/// Cells that a tile has to itself, at most.
pub(super) const MOST_OWN_CELLS: usize = TILE_CELLS - 2 * HALO_CELLS;

/// Cells per word of populations.
pub(super) const WORD_CELLS: usize = CELLS_PER_WORD as usize;

/// Cells of a group of words: tiles begin with one.
pub(super) const GROUP_CELLS: usize = WORD_CELLS * GROUP_WORDS as usize;

/// Where a tile lies.
#[derive(Clone, Copy)]
pub(super) struct Tile<'a> {
    pub(super) edges: Edges,
    pub(super) board: &'a RezolutionBoard,
    pub(super) size: Size,
    /// Its first own cell, at the beginning of a group.
    pub(super) first_cell: usize,
    /// Its own cells.
    pub(super) own: usize,
}

impl Tile<'_> {
    /// Cells with the halo.
    const fn cells(&self) -> usize {
        self.own + 2 * HALO_CELLS
    }

    /// Where its own cells are in a [`Row`].
    pub(super) const fn own_cells(&self) -> Range<usize> {
        let first = 1 + HALO_CELLS;
        first..first + self.own
    }

    /// The words of a row of the board that hold its own cells.
    pub(super) const fn own_words(&self) -> Range<usize> {
        let first = self.first_cell / WORD_CELLS;
        first..first + self.own.div_ceil(WORD_CELLS)
    }

    /// The row of the board that is row `y` of the endless plane, or none.
    fn board_row(&self, y: i64) -> Option<usize> {
        let height = i64::from(self.size.height());
        match self.edges {
            Edges::Torus => Some(y.rem_euclid(height) as usize),
            Edges::Dead => (0..height).contains(&y).then_some(y as usize),
        }
    }

    /// Fills a row of the tile from row `y` of the endless plane.
    #[inline]
    pub(super) fn load(&self, y: i64, row: &mut Row) {
        let Some(y) = self.board_row(y) else {
            row.clear();
            return;
        };
        let words = row_words(self.size);
        let populations = &self.board.populations()[y * words..][..words];
        self.fill(&mut row.cells[1..], |word| populations[word]);
        row.measure(self.cells());
    }

    /// Finds the marks of row `y` of the endless plane in a plane of barriers or targets.
    #[inline]
    pub(super) fn load_marks(&self, y: i64, plane: &[u32], marks: &mut Marks) {
        // Rows that lie outside are not computed.
        let Some(y) = self.board_row(y) else { return };
        let words = self.size.row_words();
        let plane = &plane[y * words..][..words];
        marks.any = plane.iter().fold(0, |any, word| any | word) != 0;
        if marks.any {
            let marked_cells = |word| marked(plane[word / 8], word as u32);
            self.fill(&mut marks.cells[1..], marked_cells);
        }
    }

    /// Fills the cells of a row of the tile with the bytes of a row of the board, whose words are
    /// given by their numbers.
    fn fill(&self, cells: &mut [i8], word: impl Fn(usize) -> u32) {
        let width = self.size.width() as usize;
        let bytes = |number| word(number).to_le_bytes().map(u8::cast_signed);
        // Where cell 0 of the board would be.
        let origin = HALO_CELLS as i64 - self.first_cell as i64;
        let first = self.first_cell.saturating_sub(HALO_CELLS);
        let end = (self.first_cell + self.own + HALO_CELLS).min(width);
        let inside = (first as i64 + origin) as usize..(end as i64 + origin) as usize;
        let words = first / WORD_CELLS..end.div_ceil(WORD_CELLS);
        let chunks = cells[inside.start..].as_chunks_mut().0;
        for (cells, number) in chunks.iter_mut().zip(words) {
            *cells = bytes(number);
        }
        // A last word that is not full has been copied with its padding.
        for cell in (0..inside.start).chain(inside.end..self.cells()) {
            cells[cell] = match self.edges {
                Edges::Dead => 0,
                Edges::Torus => {
                    let x = (cell as i64 - origin).rem_euclid(width as i64) as usize;
                    bytes(x / WORD_CELLS)[x % WORD_CELLS]
                }
            };
        }
    }

    /// Computes row `y` of the endless plane from the rows around it.
    #[inline]
    pub(super) fn push(
        &self,
        y: i64,
        rows: [&Row; 3],
        barriers: &Marks,
        sums: &mut Sums,
        out: &mut Row,
    ) {
        if self.board_row(y).is_none() {
            out.clear();
            return;
        }
        push(rows, barriers, self.cells(), sums, out);
        if self.edges == Edges::Dead {
            // Nothing lives outside.
            if self.first_cell == 0 {
                out.cells[..=HALO_CELLS].fill(0);
            }
            let outside = HALO_CELLS + self.size.width() as usize - self.first_cell;
            if outside < self.cells() {
                out.cells[outside + 1..].fill(0);
            }
        }
    }

    /// Writes the tile's own cells to a row of the next board.
    #[inline]
    pub(super) fn store(&self, row: &Row, next: &mut [u32]) {
        let own = &row.cells[1 + HALO_CELLS..];
        let target = &mut next[self.own_words()];
        for (word, cells) in target.iter_mut().zip(own.as_chunks().0) {
            *word = u32::from_le_bytes(cells.map(i8::cast_unsigned));
        }
        if self.first_cell + self.own == self.size.width() as usize {
            let (last, mask) = last_word(self.size);
            next[last] &= mask;
            next[last + 1..].fill(0);
        }
    }
}
