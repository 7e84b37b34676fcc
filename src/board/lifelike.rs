//! A board as two bit planes.
//!
//! ```text
//! alive   row 0:  word 0              word 1              ...   word row_words-1
//!                 cells 0 .. 31       cells 32 .. 63            padding always 0
//!                 bit 0 = cell 0      bit 0 = cell 32
//!         row 1:  ...
//! blue    the same layout; a blue bit is set only where the alive bit is
//! ```
//!
//! A red cell has its alive bit only, a blue cell both bits, a dead cell none. Two boards are
//! equal exactly if their words are equal.

use glam::UVec2;
use rayon::prelude::*;
use sha2::{Digest, Sha256};
use thiserror::Error;

use super::{Board, LifelikeCell, LifelikeCensus, MAX_PLANE_WORDS, Size, WORD_BITS, rezolution};

/// Words of a plane up to which one thread is faster than several, because waking others takes
/// longer.
const SMALL_PLANE: usize = 1 << 14;

/// A rectangle of cells, each dead, red or blue.
#[derive(Clone, PartialEq, Eq)]
pub struct LifelikeBoard {
    size: Size,
    alive: Vec<u32>,
    blue: Vec<u32>,
}

/// Why a board could not be made.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum BoardError {
    /// The system has no memory for the planes.
    #[error("no memory for a board of {0}: two planes of {bytes} bytes each", bytes = .0.plane_bytes())]
    NoMemory(Size),
    /// The system has no memory for a board of populations.
    #[error("no memory for a board of {0} populations: {bytes} bytes", bytes = rezolution::bytes(*.0))]
    NoMemoryForRezolution(Size),
    /// A board of populations would exceed [`MAX_PLANE_WORDS`].
    #[error(
        "a board of {0} populations is too large: {bytes} bytes, the most is {most} bytes (92672x92672 cells)",
        bytes = 4 * rezolution::population_words(*.0) as u64,
        most = MAX_PLANE_WORDS * 4
    )]
    RezolutionTooLarge(Size),
    /// There are more or fewer words of populations than the size needs.
    #[error("a board of {size} populations has {expected} words, not {found}")]
    WrongPopulationWords {
        /// The board's size.
        size: Size,
        /// Words needed.
        expected: usize,
        /// Words given.
        found: usize,
    },
    /// A barrier or the padding is populated, or a population is -128.
    #[error(
        "row {row} of the populations has one on a barrier, one beyond the board or one of -128"
    )]
    ImpossiblePopulation {
        /// The first such row.
        row: usize,
    },
    /// A plane has another number of words than the size needs.
    #[error("a plane of {size} has {expected} words, not {found}", expected = size.plane_words())]
    WrongLength {
        /// The board's size.
        size: Size,
        /// Words given.
        found: usize,
    },
    /// A bit is set beyond the last column, or blue without being alive.
    #[error("row {row} of the planes has a bit beyond the board or a blue cell that is not alive")]
    NotCanonical {
        /// The first such row.
        row: usize,
    },
    /// Two patterns claim one cell.
    #[error("both patterns have a live cell in column {x}, row {y} (from 0)", x = .0.x, y = .0.y)]
    Overlap(UVec2),
    /// A pattern does not fit where it is to be placed.
    #[error("a pattern of {pattern} at ({x}, {y}) does not fit on a board of {board}", x = at.x, y = at.y)]
    DoesNotFit {
        /// Size of the pattern.
        pattern: Size,
        /// Size of the board.
        board: Size,
        /// Where the pattern's top left cell was to be.
        at: UVec2,
    },
}

impl LifelikeBoard {
    /// A board with every cell dead.
    ///
    /// # Errors
    /// [`BoardError::NoMemory`] if the planes cannot be allocated.
    pub fn new(size: Size) -> Result<Self, BoardError> {
        let plane = || {
            bytemuck::allocation::try_zeroed_vec(size.plane_words())
                .map_err(|()| BoardError::NoMemory(size))
        };
        Ok(Self {
            size,
            alive: plane()?,
            blue: plane()?,
        })
    }

    /// A board from its two planes.
    ///
    /// # Errors
    /// [`BoardError`] if a plane has the wrong length, a padding bit is set, or a blue bit is set
    /// without its alive bit.
    pub fn from_planes(size: Size, alive: Vec<u32>, blue: Vec<u32>) -> Result<Self, BoardError> {
        for plane in [&alive, &blue] {
            if plane.len() != size.plane_words() {
                return Err(BoardError::WrongLength {
                    size,
                    found: plane.len(),
                });
            }
        }
        let row_words = size.row_words();
        let is_faulty = |(alive, blue): (&[u32], &[u32])| {
            alive[row_words - 1] & !size.last_word_mask() != 0
                || alive.iter().zip(blue).any(|(a, b)| b & !a != 0)
        };
        let faulty = if alive.len() <= SMALL_PLANE {
            let mut rows = alive.chunks(row_words).zip(blue.chunks(row_words));
            rows.position(is_faulty)
        } else {
            let rows = alive.par_chunks(row_words);
            rows.zip(blue.par_chunks(row_words))
                .position_first(is_faulty)
        };
        match faulty {
            Some(row) => Err(BoardError::NotCanonical { row }),
            None => Ok(Self { size, alive, blue }),
        }
    }

    /// A board from two planes the caller keeps canonical.
    pub(crate) fn from_canonical_planes(size: Size, alive: Vec<u32>, blue: Vec<u32>) -> Self {
        debug_assert_eq!(
            (alive.len(), blue.len()),
            (size.plane_words(), size.plane_words())
        );
        Self { size, alive, blue }
    }

    /// Exchanges both planes for others that an engine has computed and keeps canonical.
    pub(crate) fn swap_planes(&mut self, alive: &mut Vec<u32>, blue: &mut Vec<u32>) {
        let words = self.size.plane_words();
        debug_assert_eq!((alive.len(), blue.len()), (words, words));
        std::mem::swap(&mut self.alive, alive);
        std::mem::swap(&mut self.blue, blue);
    }

    /// The alive and the blue plane.
    pub(crate) fn into_planes(self) -> (Vec<u32>, Vec<u32>) {
        (self.alive, self.blue)
    }

    /// Width and height.
    pub fn size(&self) -> Size {
        self.size
    }

    /// The plane of live cells, [`Size::plane_words`] words.
    pub fn alive(&self) -> &[u32] {
        &self.alive
    }

    /// The plane of blue cells, [`Size::plane_words`] words.
    pub fn blue(&self) -> &[u32] {
        &self.blue
    }

    /// The cell at a position.
    ///
    /// # Panics
    /// If it lies outside the board.
    pub fn cell(&self, at: UVec2) -> LifelikeCell {
        let (word, bit) = self.index(at);
        cell_of(self.alive[word] >> bit & 1, self.blue[word] >> bit & 1)
    }

    /// Sets the cell at a position.
    ///
    /// # Panics
    /// If it lies outside the board.
    pub fn set(&mut self, at: UVec2, cell: LifelikeCell) {
        let (word, bit) = self.index(at);
        let mask = 1 << bit;
        self.write(word, mask, cell);
    }

    /// Sets `length` cells of one row, from `first` to the right.
    ///
    /// # Panics
    /// If a cell lies outside the board.
    pub fn set_run(&mut self, first: UVec2, length: u32, cell: LifelikeCell) {
        if length == 0 {
            return;
        }
        let last = first.with_x(first.x.saturating_add(length - 1));
        let (first_word, first_bit) = self.index(first);
        let (last_word, last_bit) = self.index(last);
        for word in first_word..=last_word {
            let from = if word == first_word { first_bit } else { 0 };
            let to = if word == last_word {
                last_bit
            } else {
                WORD_BITS - 1
            };
            self.write(word, (u32::MAX << from) & (u32::MAX >> (31 - to)), cell);
        }
    }

    /// The cells of row `y` from left to right.
    ///
    /// # Panics
    /// If the row lies outside the board.
    pub fn row(&self, y: u32) -> impl Iterator<Item = LifelikeCell> + '_ {
        let (alive, blue) = self.row_planes(y);
        (0..self.size.width).map(move |x| {
            let (word, bit) = ((x / WORD_BITS) as usize, x % WORD_BITS);
            cell_of(alive[word] >> bit & 1, blue[word] >> bit & 1)
        })
    }

    /// The words of row `y` in the alive and in the blue plane.
    ///
    /// # Panics
    /// If the row lies outside the board.
    pub fn row_planes(&self, y: u32) -> (&[u32], &[u32]) {
        let words = self.size.row_words();
        let row = y as usize * words..(y as usize + 1) * words;
        (&self.alive[row.clone()], &self.blue[row])
    }

    /// All rows at once, for filling them in parallel: the index of the row and its words in the
    /// alive and in the blue plane. The writer must keep padding 0 and blue a subset of alive.
    pub(crate) fn rows_mut(
        &mut self,
    ) -> impl IndexedParallelIterator<Item = (usize, (&mut [u32], &mut [u32]))> {
        let words = self.size.row_words();
        self.alive
            .par_chunks_mut(words)
            .zip(self.blue.par_chunks_mut(words))
            .enumerate()
    }

    /// Copies `pattern` onto this board with its top left cell at a position; dead cells of the
    /// pattern are copied, too.
    ///
    /// # Errors
    /// [`BoardError::DoesNotFit`] if any cell of the pattern would lie outside.
    pub fn place(&mut self, pattern: &Self, at: UVec2) -> Result<(), BoardError> {
        self.size.check_fit(pattern.size, at)?;
        let (pattern_words, shift) = (pattern.size.row_words(), at.x % WORD_BITS);
        for row in 0..pattern.size.height {
            let row_start = at.with_y(at.y + row);
            self.set_run(row_start, pattern.size.width, LifelikeCell::Dead);
            let (first, _) = self.index(row_start);
            for (plane, source) in [
                (&mut self.alive, &pattern.alive),
                (&mut self.blue, &pattern.blue),
            ] {
                let source = &source[row as usize * pattern_words..][..pattern_words];
                for (word, bits) in source.iter().enumerate().filter(|(_, bits)| **bits != 0) {
                    plane[first + word] |= bits << shift;
                    if shift != 0 && bits >> (WORD_BITS - shift) != 0 {
                        plane[first + word + 1] |= bits >> (WORD_BITS - shift);
                    }
                }
            }
        }
        Ok(())
    }

    /// The same board with red and blue exchanged.
    pub fn swapped(&self) -> Self {
        let blue = self.alive.iter().zip(&self.blue).map(|(a, b)| a & !b);
        Self {
            size: self.size,
            alive: self.alive.clone(),
            blue: blue.collect(),
        }
    }

    /// Red and blue cells, counted.
    pub fn census(&self) -> LifelikeCensus {
        let ones = |words: &[u32]| words.iter().map(|w| u64::from(w.count_ones())).sum::<u64>();
        let ones = |plane: &[u32]| match plane.len() {
            0..=SMALL_PLANE => ones(plane),
            _ => plane.par_chunks(SMALL_PLANE).map(ones).sum(),
        };
        let (alive, blue) = (ones(&self.alive), ones(&self.blue));
        LifelikeCensus {
            red: alive - blue,
            blue,
        }
    }

    /// SHA-256 over width and height (32 bits each, little-endian) and then one byte per cell (0, 1
    /// or 2), row by row, in hexadecimal. Equal for equal boards, whatever computed them.
    pub fn digest(&self) -> String {
        let mut hasher = Sha256::new();
        hasher.update(self.size.width.to_le_bytes());
        hasher.update(self.size.height.to_le_bytes());
        let mut states = vec![0u8; self.size.row_words() * WORD_BITS as usize];
        for y in 0..self.size.height {
            let (alive, blue) = self.row_planes(y);
            for ((states, alive), blue) in
                states.chunks_mut(WORD_BITS as usize).zip(alive).zip(blue)
            {
                for (bit, state) in states.iter_mut().enumerate() {
                    *state = ((alive >> bit & 1) + (blue >> bit & 1)) as u8;
                }
            }
            hasher.update(&states[..self.size.width as usize]);
        }
        hasher
            .finalize()
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect()
    }

    /// Index of the word and of the bit that hold a cell.
    fn index(&self, at: UVec2) -> (usize, u32) {
        assert!(
            self.size.contains(at),
            "cell ({}, {}) lies outside a board of {}",
            at.x,
            at.y,
            self.size
        );
        let word = at.y as usize * self.size.row_words() + (at.x / WORD_BITS) as usize;
        (word, at.x % WORD_BITS)
    }

    /// Puts `cell` wherever `mask` has a bit in the word.
    fn write(&mut self, word: usize, mask: u32, cell: LifelikeCell) {
        let put = |plane: &mut u32, on: bool| {
            *plane = if on { *plane | mask } else { *plane & !mask };
        };
        put(&mut self.alive[word], cell != LifelikeCell::Dead);
        put(&mut self.blue[word], cell == LifelikeCell::Blue);
    }
}

/// The cell with these two bits.
fn cell_of(alive: u32, blue: u32) -> LifelikeCell {
    match (alive, blue) {
        (0, _) => LifelikeCell::Dead,
        (_, 0) => LifelikeCell::Red,
        _ => LifelikeCell::Blue,
    }
}

impl Board for LifelikeBoard {
    type Census = LifelikeCensus;
    type Cell = LifelikeCell;

    fn empty(size: Size) -> Result<Self, BoardError> {
        Self::new(size)
    }

    fn bytes(size: Size) -> u64 {
        2 * size.plane_bytes()
    }

    fn size(&self) -> Size {
        self.size
    }

    fn cell(&self, at: UVec2) -> LifelikeCell {
        self.cell(at)
    }

    fn set(&mut self, at: UVec2, cell: LifelikeCell) {
        self.set(at, cell);
    }

    fn census(&self) -> LifelikeCensus {
        self.census()
    }

    fn digest(&self) -> String {
        self.digest()
    }

    /// The alive bit of a dead cell, the blue bit of a live one.
    fn flip_bit(&mut self, at: UVec2) {
        let flipped = match self.cell(at) {
            LifelikeCell::Dead => LifelikeCell::Red,
            live => live.swapped(),
        };
        self.set(at, flipped);
    }
}

/// Prints the size and, for a small board, its rows as in a text grid.
impl std::fmt::Debug for LifelikeBoard {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Board {}", self.size)?;
        if self.size.cells() <= 80 * 80 {
            for y in 0..self.size.height {
                let row: String = self.row(y).map(LifelikeCell::grid_char).collect();
                write!(f, "\n{row}")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
