//! A tile of a pass: its rows from the board, and from stage to stage.
//!
//! The *endless plane* is the board repeated in all directions if its edges are joined, else the board in a
//! plane of dead cells.

use super::stage::{
    FIRST, LastRows, Row, Rows, Stage, TILE_WORDS, VECTOR_WORDS, keep_sums, push_life,
    push_two_lives, push_with_ties, push_without_ties, triple,
};
use crate::board::hash::seed_words;
use crate::board::{Edges, LifelikeBoard, Size, WORD_BITS};
use crate::rules::ties::{FirstLive, NEIGHBOURS, checkerboard_blue, first_blue, priority_bits};
use crate::rules::{LifelikeRuleset, Rule, Ties};

/// Where a tile lies.
#[derive(Clone, Copy)]
pub(super) struct Tile {
    pub(super) ruleset: LifelikeRuleset,
    pub(super) size: Size,
    /// Its first own word; the halo is the one before.
    pub(super) first_word: usize,
    /// Its words with the halo.
    pub(super) words: usize,
}

impl Tile {
    /// The row of the board that is row `y` of the endless plane, or none.
    fn board_row(&self, y: i64) -> Option<u32> {
        let height = i64::from(self.size.height());
        match self.ruleset.edges {
            Edges::Torus => Some(y.rem_euclid(height) as u32),
            Edges::Dead => (0..height).contains(&y).then_some(y as u32),
        }
    }

    /// Fills a row of the tile from row `y` of the endless plane.
    #[inline]
    pub(super) fn load(&self, board: &LifelikeBoard, y: i64, row: &mut Row) {
        let Some(y) = self.board_row(y) else {
            row.alive.fill(0);
            row.blue.fill(0);
            return;
        };
        let (alive, blue) = board.row_planes(y);
        // Words all of whose cells are cells of the board, as words of the tile.
        let first = 1 - self.first_word.min(1);
        let whole = (self.size.width() / WORD_BITS) as usize;
        let end = (whole + 1).saturating_sub(self.first_word).min(self.words);
        let end = end.max(first);
        for (plane, words) in [(alive, &mut row.alive), (blue, &mut row.blue)] {
            let words = &mut words[FIRST..][..self.words];
            if first < end {
                let start = self.first_word + first - 1;
                words[first..end].copy_from_slice(&plane[start..][..end - first]);
            }
            for other in (0..first).chain(end..self.words) {
                words[other] = self.cells(plane, (self.first_word + other) as i64 - 1);
            }
        }
    }

    /// The cells of word `word` of the endless plane in a row of the board.
    fn cells(&self, plane: &[u32], word: i64) -> u32 {
        let width = i64::from(self.size.width());
        if self.ruleset.edges == Edges::Dead {
            let inside = usize::try_from(word).ok().and_then(|word| plane.get(word));
            return inside.copied().unwrap_or(0);
        }
        if self.size.width().is_multiple_of(WORD_BITS) {
            return plane[word.rem_euclid(plane.len() as i64) as usize];
        }
        let mut cells = 0;
        let mut bit = 0;
        while bit < WORD_BITS {
            let x = word * i64::from(WORD_BITS) + i64::from(bit);
            let x = x.rem_euclid(width) as u32;
            let run = (WORD_BITS - bit)
                .min(WORD_BITS - x % WORD_BITS)
                .min(self.size.width() - x);
            let found = plane[(x / WORD_BITS) as usize] >> (x % WORD_BITS);
            cells |= (found & u32::MAX >> (WORD_BITS - run)) << bit;
            bit += run;
        }
        cells
    }

    /// Feeds row number `number` to a stage, which then puts out row `y`, the one above it.
    #[inline]
    pub(super) fn push(&self, number: usize, y: i64, input: &LastRows, stage: &mut Stage) {
        let [even, odd] = &mut stage.sums;
        // The sums of the row two before make room for those of the new one.
        let (above, middle) = match number % 2 {
            0 => (even, &*odd),
            _ => (odd, &*even),
        };
        let rows = Rows {
            middle: &input[(number + 2) % 3],
            below: &input[number % 3],
            words: self.words.next_multiple_of(VECTOR_WORDS),
        };
        let out = &mut stage.out[number % 3];
        let Some(board_y) = self.board_row(y) else {
            // Nothing lives outside; but the sums must be known for the rows inside.
            keep_sums(&rows, above);
            out.alive.fill(0);
            out.blue.fill(0);
            return;
        };
        let rule = self.ruleset.rule;
        if rule == Rule::LIFE {
            push_life(&rows, above, middle, out);
        } else if !rule.has_ties() {
            push_without_ties(rule, &rows, above, middle, out);
        } else {
            let mut tied = [0; TILE_WORDS];
            push_with_ties(rule, &rows, above, middle, out, &mut tied);
            let tied = tied.iter().enumerate().take(self.words);
            for (word, tied) in tied.filter(|(_, tied)| **tied != 0) {
                let neighbours = [&input[(number + 1) % 3], rows.middle, rows.below];
                out.blue[FIRST + word] |= tied & self.tie_blue(neighbours, word, board_y);
            }
        }
        if self.ruleset.edges == Edges::Dead {
            self.clear_outside(out);
        }
    }

    /// Feeds row number `number`, which is even, and the next one to a stage under B3/S23, which then puts out
    /// rows `y` and `y + 1`, those above them.
    #[inline]
    pub(super) fn push_two(&self, number: usize, y: i64, input: &LastRows, stage: &mut Stage) {
        if self.board_row(y).is_none() || self.board_row(y + 1).is_none() {
            self.push(number, y, input, stage);
            self.push(number + 1, y + 1, input, stage);
            return;
        }
        let rows = [number + 2, number, number + 1].map(|number| &input[number % 3]);
        let words = self.words.next_multiple_of(VECTOR_WORDS);
        let [above, middle] = &mut stage.sums;
        let [zero, one, two] = &mut stage.out;
        let (out, out_below) = match number % 3 {
            0 => (zero, one),
            1 => (one, two),
            _ => (two, zero),
        };
        push_two_lives(words, rows, above, middle, out, out_below);
        if self.ruleset.edges == Edges::Dead {
            self.clear_outside(out);
            self.clear_outside(out_below);
        }
    }

    /// Kills the cells of a row that lie beyond the edges.
    fn clear_outside(&self, row: &mut Row) {
        // The word of the board's last cell, as a word of the tile.
        let last = self.size.row_words() - self.first_word;
        for plane in [&mut row.alive, &mut row.blue] {
            if self.first_word == 0 {
                plane[FIRST] = 0;
            }
            if last < self.words {
                plane[FIRST + last] &= self.size.last_word_mask();
                plane[FIRST + last + 1..].fill(0);
            }
        }
    }

    /// Where blue owns an evenly split birth, in the cells of a word of the tile in row `y` of the
    /// board.
    fn tie_blue(&self, rows: [&Row; 3], word: usize, y: u32) -> u32 {
        match self.ruleset.ties {
            Ties::Red => 0,
            Ties::Blue => u32::MAX,
            Ties::Checkerboard => checkerboard_blue(y),
            Ties::Seeded(seed) => {
                let words = self.size.row_words();
                let board_word = (self.first_word + words - 1 + word) % words;
                let bits = priority_bits(seed_words(seed), board_word as u32, y);
                let triples =
                    rows.map(|row| [&row.alive, &row.blue].map(|plane| triple(plane, word)));
                let neighbours = NEIGHBOURS.map(|by| {
                    let [alive, blue] = triples[(by.y + 1) as usize];
                    FirstLive {
                        alive: alive[(by.x + 1) as usize],
                        blue: blue[(by.x + 1) as usize],
                    }
                });
                first_blue(bits, neighbours)
            }
        }
    }
}
