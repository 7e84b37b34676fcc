//! A board of signed populations, barriers and targets, as one plane of bytes and two of bits.
//!
//! ```text
//! populations   row 0:  word 0                     word 1          ...   rows padded to groups of
//!                       bits 0..7    cell 0        cells 4 .. 7          four words (16 cells),
//!                       bits 8..15   cell 1                              padding always 0
//!                       bits 16..23  cell 2        a byte is a population in two's complement:
//!                       bits 24..31  cell 3        red 1..127, blue -1..-127, empty 0
//! barriers      one bit per cell, laid out like the planes of a LifelikeBoard: 32 cells per word,
//!               lowest bit first, padding always 0
//! targets       the same
//! ```
//!
//! A barrier is always empty and never a target. Barriers and targets are part of the board, but no
//! generation changes them. Two boards are equal exactly if their words are equal.

mod cell;
mod counts;

pub use self::cell::{Ground, RezolutionCell};
pub(crate) use self::counts::count_words;

use std::fmt;

use glam::{UVec2, uvec2};
use rayon::prelude::*;
use sha2::{Digest, Sha256};

use super::{Board, BoardError, MAX_PLANE_WORDS, RezolutionCensus, Size, WORD_BITS};

/// Cells in one word of populations.
pub const CELLS_PER_WORD: u32 = 4;

/// Words of populations that one access of a device moves; rows are padded to multiples of it.
pub const GROUP_WORDS: u32 = 4;

/// The largest population of either side.
pub const MAX_POPULATION: i8 = 127;

/// Rows that one thread counts at a time.
const CENSUS_ROWS: usize = 64;

/// A rectangle of cells with a population each.
#[derive(Clone, PartialEq, Eq)]
pub struct RezolutionBoard {
    terrain: Terrain,
    populations: Vec<u32>,
}

/// What no generation changes: the size of a board, its barriers and its targets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Terrain {
    size: Size,
    barriers: Vec<u32>,
    targets: Vec<u32>,
}

/// Words of one row of populations.
pub const fn row_words(size: Size) -> usize {
    (size.width().div_ceil(CELLS_PER_WORD * GROUP_WORDS) * GROUP_WORDS) as usize
}

/// Words of the populations of a whole board.
pub const fn population_words(size: Size) -> usize {
    row_words(size) * size.height() as usize
}

/// Bytes of a board: populations, barriers and targets.
pub const fn bytes(size: Size) -> u64 {
    4 * population_words(size) as u64 + 2 * size.plane_bytes()
}

/// The word of a row that holds its last cell, and the bytes of that word that are cells. What
/// follows is padding.
pub const fn last_word(size: Size) -> (usize, u32) {
    let last = size.width() - 1;
    let padding = CELLS_PER_WORD - 1 - last % CELLS_PER_WORD;
    ((last / CELLS_PER_WORD) as usize, u32::MAX >> (8 * padding))
}

/// Whether a board of that size can exist: its populations have at most [`MAX_PLANE_WORDS`] words.
///
/// # Errors
/// [`BoardError::RezolutionTooLarge`] if not.
pub const fn check_size(size: Size) -> Result<(), BoardError> {
    if population_words(size) as u64 > MAX_PLANE_WORDS {
        return Err(BoardError::RezolutionTooLarge(size));
    }
    Ok(())
}

impl Terrain {
    /// The board of these populations, [`population_words`] words.
    ///
    /// # Errors
    /// [`BoardError`] if the number of words is wrong, a barrier or the padding is populated, or a
    /// population is -128.
    pub fn with_populations(&self, populations: Vec<u32>) -> Result<RezolutionBoard, BoardError> {
        let size = self.size;
        let expected = population_words(size);
        if populations.len() != expected {
            let found = populations.len();
            return Err(BoardError::WrongPopulationWords {
                size,
                expected,
                found,
            });
        }
        let words = row_words(size);
        let (last, mask) = last_word(size);
        let is_faulty = |(row, barriers): (&[u32], &[u32])| {
            let blocked = (0..).zip(row).any(|(word, &populations)| {
                let barred = spread(barriers[word / 8] >> (4 * (word % 8)) & 0xf);
                populations & barred != 0 || populations.to_le_bytes().contains(&0x80)
            });
            blocked || row[last] & !mask != 0 || row[last + 1..].iter().any(|&word| word != 0)
        };
        let barriers = self.barriers.chunks(size.row_words());
        match populations.chunks(words).zip(barriers).position(is_faulty) {
            Some(row) => Err(BoardError::ImpossiblePopulation { row }),
            None => Ok(self.with_canonical_populations(populations)),
        }
    }

    fn with_canonical_populations(&self, populations: Vec<u32>) -> RezolutionBoard {
        RezolutionBoard {
            terrain: self.clone(),
            populations,
        }
    }
}

impl RezolutionBoard {
    /// A board with every cell open and empty.
    ///
    /// # Errors
    /// [`BoardError`] if the board is too large or cannot be allocated.
    pub fn new(size: Size) -> Result<Self, BoardError> {
        check_size(size)?;
        let words = |count| {
            bytemuck::allocation::try_zeroed_vec(count)
                .map_err(|()| BoardError::NoMemoryForRezolution(size))
        };
        Ok(Self {
            populations: words(population_words(size))?,
            terrain: Terrain {
                size,
                barriers: words(size.plane_words())?,
                targets: words(size.plane_words())?,
            },
        })
    }

    /// Exchanges the populations for others that an engine has computed and keeps canonical.
    pub(crate) fn swap_populations(&mut self, populations: &mut Vec<u32>) {
        debug_assert_eq!(populations.len(), population_words(self.terrain.size));
        std::mem::swap(&mut self.populations, populations);
    }

    /// The populations, [`population_words`] words.
    pub(crate) fn into_populations(self) -> Vec<u32> {
        self.populations
    }

    /// Width and height.
    pub fn size(&self) -> Size {
        self.terrain.size
    }

    /// Size, barriers and targets.
    pub fn terrain(&self) -> &Terrain {
        &self.terrain
    }

    /// The populations, [`population_words`] words.
    pub fn populations(&self) -> &[u32] {
        &self.populations
    }

    /// The plane of barriers, [`Size::plane_words`] words.
    pub fn barriers(&self) -> &[u32] {
        &self.terrain.barriers
    }

    /// The plane of targets, [`Size::plane_words`] words.
    pub fn targets(&self) -> &[u32] {
        &self.terrain.targets
    }

    /// Whether there is any target.
    pub fn has_targets(&self) -> bool {
        self.terrain.targets.iter().any(|&word| word != 0)
    }

    /// The cell at a position.
    ///
    /// # Panics
    /// If it lies outside the board.
    pub fn cell(&self, at: UVec2) -> RezolutionCell {
        let (populations, word, bit) = self.index(at);
        let shift = 8 * (at.x % CELLS_PER_WORD);
        RezolutionCell {
            population: (self.populations[populations] >> shift) as u8 as i8,
            ground: match (
                self.terrain.barriers[word] >> bit & 1,
                self.terrain.targets[word] >> bit & 1,
            ) {
                (0, 0) => Ground::Open,
                (0, _) => Ground::Target,
                _ => Ground::Barrier,
            },
        }
    }

    /// Sets the cell at a position.
    ///
    /// # Panics
    /// If it lies outside the board, for a populated barrier and for a population of -128.
    pub fn set(&mut self, at: UVec2, cell: RezolutionCell) {
        assert!(cell.is_possible(), "no cell is {cell:?}");
        let (populations, word, bit) = self.index(at);
        let shift = 8 * (at.x % CELLS_PER_WORD);
        let populations = &mut self.populations[populations];
        *populations = *populations & !(0xff << shift) | u32::from(cell.population as u8) << shift;
        let put = |plane: &mut u32, on: bool| *plane = *plane & !(1 << bit) | u32::from(on) << bit;
        put(
            &mut self.terrain.barriers[word],
            cell.ground == Ground::Barrier,
        );
        put(
            &mut self.terrain.targets[word],
            cell.ground == Ground::Target,
        );
    }

    /// The cells of row `y` from left to right.
    ///
    /// # Panics
    /// If the row lies outside the board.
    pub fn row(&self, y: u32) -> impl Iterator<Item = RezolutionCell> + '_ {
        (0..self.terrain.size.width()).map(move |x| self.cell(uvec2(x, y)))
    }

    /// A board of `size` on which this one lies with its top left cell at `at`; the rest is open and
    /// empty.
    ///
    /// # Errors
    /// [`BoardError`] if this board does not fit there, or the other is too large.
    pub fn placed_on(&self, size: Size, at: UVec2) -> Result<Self, BoardError> {
        size.check_fit(self.terrain.size, at)?;
        let mut board = Self::new(size)?;
        for from in self.terrain.size.positions() {
            board.set(at + from, self.cell(from));
        }
        Ok(board)
    }

    /// The same barriers and targets, and every cell empty.
    pub fn emptied(&self) -> Self {
        self.terrain
            .with_canonical_populations(vec![0; self.populations.len()])
    }

    /// The same board with red and blue exchanged.
    pub fn swapped(&self) -> Self {
        let negated = |word: &u32| {
            let bytes = word.to_le_bytes().map(|byte| byte.wrapping_neg());
            u32::from_le_bytes(bytes)
        };
        self.terrain
            .with_canonical_populations(self.populations.iter().map(negated).collect())
    }

    /// Cells and populations of both sides and the populated targets, counted.
    pub fn census(&self) -> RezolutionCensus {
        let rows = self
            .populations
            .par_chunks(row_words(self.terrain.size) * CENSUS_ROWS);
        let mut census = rows
            .map(count_words)
            .reduce(RezolutionCensus::default, RezolutionCensus::plus);
        census.reached = self.reached();
        census
    }

    /// How many targets are populated.
    pub fn reached(&self) -> u64 {
        let marked = (0..)
            .zip(&self.terrain.targets)
            .filter(|(_, bits)| **bits != 0);
        marked
            .map(|(word, &targets)| {
                let (y, word) = (
                    word / self.terrain.size.row_words(),
                    word % self.terrain.size.row_words(),
                );
                let row = &self.populations[y * row_words(self.terrain.size)..]
                    [..row_words(self.terrain.size)];
                let populations = row[8 * word..].iter().take(8).zip((0..).step_by(4));
                populations
                    .flat_map(|(populations, shift)| {
                        (populations & spread(targets >> shift & 0xf)).to_le_bytes()
                    })
                    .map(|byte| u64::from(byte != 0))
                    .sum::<u64>()
            })
            .sum()
    }

    /// SHA-256 over width and height (32 bits each, little-endian) and then one byte per cell, the
    /// signed population, row by row, in hexadecimal. Barriers and targets are left out.
    pub fn digest(&self) -> String {
        let mut hasher = Sha256::new();
        hasher.update(self.terrain.size.width().to_le_bytes());
        hasher.update(self.terrain.size.height().to_le_bytes());
        let mut cells = Vec::new();
        for row in self.populations.chunks(row_words(self.terrain.size)) {
            cells.clear();
            cells.extend(row.iter().flat_map(|word| word.to_le_bytes()));
            hasher.update(&cells[..self.terrain.size.width() as usize]);
        }
        hasher
            .finalize()
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect()
    }

    /// Index of the word of populations, and of the word and bit of the marks, that hold a cell.
    fn index(&self, at: UVec2) -> (usize, usize, u32) {
        let size = self.terrain.size;
        assert!(
            size.contains(at),
            "cell ({}, {}) lies outside a board of {size}",
            at.x,
            at.y
        );
        let populations = at.y as usize * row_words(size) + (at.x / CELLS_PER_WORD) as usize;
        let word = at.y as usize * size.row_words() + (at.x / WORD_BITS) as usize;
        (populations, word, at.x % WORD_BITS)
    }
}

/// The bytes of the cells whose bits are set in the lowest four: `0b0101` becomes `0x00ff00ff`.
pub(crate) const fn spread(bits: u32) -> u32 {
    // The four copies of the bits do not overlap under the mask.
    ((bits * 0x0020_4081) & 0x0101_0101) * 0xff
}

impl Board for RezolutionBoard {
    type Census = RezolutionCensus;
    type Cell = RezolutionCell;

    fn empty(size: Size) -> Result<Self, BoardError> {
        Self::new(size)
    }

    fn bytes(size: Size) -> u64 {
        bytes(size)
    }

    fn size(&self) -> Size {
        self.terrain.size
    }

    fn cell(&self, at: UVec2) -> RezolutionCell {
        self.cell(at)
    }

    fn set(&mut self, at: UVec2, cell: RezolutionCell) {
        self.set(at, cell);
    }

    fn census(&self) -> RezolutionCensus {
        self.census()
    }

    fn digest(&self) -> String {
        self.digest()
    }

    /// The lowest bit of a population (the second of -127, which the lowest would make -128), and
    /// the bit that makes a barrier.
    fn flip_bit(&mut self, at: UVec2) {
        let RezolutionCell { population, ground } = self.cell(at);
        let flipped = match (ground, population) {
            (Ground::Barrier, _) => RezolutionCell::default(),
            (_, -127) => RezolutionCell {
                population: population ^ 2,
                ground,
            },
            _ => RezolutionCell {
                population: population ^ 1,
                ground,
            },
        };
        self.set(at, flipped);
    }
}

/// Prints the size and, for a small board, its rows.
impl fmt::Debug for RezolutionBoard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Populations {}", self.terrain.size)?;
        if self.terrain.size.cells() <= 40 * 40 {
            for y in 0..self.terrain.size.height() {
                let row: String = self.row(y).map(|spot| format!("{spot:>5}")).collect();
                write!(f, "\n{row}")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
