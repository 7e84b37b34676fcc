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

use std::fmt;

use glam::{UVec2, uvec2};
use multiversion::multiversion;
use rayon::prelude::*;
use sha2::{Digest, Sha256};

use super::{Board, BoardError, MAX_PLANE_WORDS, RezolutionCensus, Size, WORD_BITS};

/// Cells in one word of populations.
pub const CELLS_PER_WORD: u32 = 4;

/// Words of populations that one access of a device moves; rows are padded to multiples of it.
pub const GROUP_WORDS: u32 = 4;

/// The largest population of either side.
pub const MAX_POPULATION: i8 = 127;

/// The lowest bit of each of four bytes.
const LOW_BITS: u32 = 0x0101_0101;

/// The highest bit of each of four bytes: the sign of a population.
const HIGH_BITS: u32 = 0x8080_8080;

/// Rows that one thread counts at a time.
const CENSUS_ROWS: usize = 64;

/// What a cell is besides its population.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Ground {
    /// An ordinary cell.
    #[default]
    Open,
    /// Never populated.
    Barrier,
    /// An ordinary cell with a mark that stays.
    Target,
}

/// One cell: its population and its ground.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct RezolutionCell {
    /// Red above 0, blue below, from -127 to 127; 0 on a barrier.
    pub population: i8,
    /// Barrier, target or neither.
    pub ground: Ground,
}

impl RezolutionCell {
    /// An ordinary cell with a population.
    pub const fn open(population: i8) -> Self {
        let ground = Ground::Open;
        Self { population, ground }
    }

    /// Whether a board can have such a cell.
    const fn is_possible(self) -> bool {
        match self.ground {
            Ground::Barrier => self.population == 0,
            Ground::Open | Ground::Target => self.population >= -MAX_POPULATION,
        }
    }
}

/// As in a board file: `.`, `#`, `x`, `+3`, `x-12`.
impl fmt::Display for RezolutionCell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.ground, self.population) {
            (Ground::Barrier, _) => f.pad("#"),
            (Ground::Open, 0) => f.pad("."),
            (Ground::Open, population) => f.pad(&format!("{population:+}")),
            (Ground::Target, 0) => f.pad("x"),
            (Ground::Target, population) => f.pad(&format!("x{population:+}")),
        }
    }
}

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

/// Cells and populations of both sides in some words of populations.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512vpopcntdq",
    "x86_64+avx2+popcnt",
    "x86_64+popcnt",
    "aarch64+neon"
))]
pub(crate) fn count_words(populations: &[u32]) -> RezolutionCensus {
    let (mut red, mut blue, mut red_population, mut blue_population) = (0u64, 0u64, 0u64, 0u64);
    // 32-bit sums of 2^14 words of four populations do not overflow.
    for part in populations.chunks(1 << 14) {
        let (mut reds, mut blues, mut red_sum, mut blue_sum) = (0u32, 0u32, 0u32, 0u32);
        for &word in part {
            let negative = word >> 7 & LOW_BITS;
            let occupied = (((word & !HIGH_BITS) + !HIGH_BITS) | word) >> 7 & LOW_BITS;
            let sizes = ((word ^ (negative * 0xff)) & !HIGH_BITS) + negative;
            let blue_sizes = sizes & (negative * 0xff);
            reds += (occupied & !negative).count_ones();
            blues += negative.count_ones();
            red_sum += byte_sum(sizes ^ blue_sizes);
            blue_sum += byte_sum(blue_sizes);
        }
        red += u64::from(reds);
        blue += u64::from(blues);
        red_population += u64::from(red_sum);
        blue_population += u64::from(blue_sum);
    }
    RezolutionCensus {
        red,
        blue,
        red_population,
        blue_population,
        reached: 0,
    }
}

/// The sum of four bytes.
#[inline(always)]
const fn byte_sum(bytes: u32) -> u32 {
    let pairs = (bytes & 0x00ff_00ff) + (bytes >> 8 & 0x00ff_00ff);
    (pairs & 0xffff) + (pairs >> 16)
}

/// The bytes of the cells whose bits are set in the lowest four: `0b0101` becomes `0x00ff00ff`.
pub(crate) const fn spread(bits: u32) -> u32 {
    // The four copies of the bits do not overlap where the mask looks.
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
mod tests {
    use super::*;

    fn board(width: u64, height: u64) -> RezolutionBoard {
        RezolutionBoard::new(Size::new(width, height).unwrap()).unwrap()
    }

    fn target(population: i8) -> RezolutionCell {
        let ground = Ground::Target;
        RezolutionCell { population, ground }
    }

    const BARRIER: RezolutionCell = RezolutionCell {
        population: 0,
        ground: Ground::Barrier,
    };

    #[test]
    fn every_cell_keeps_its_own_population_and_ground() {
        let spots = |x: u32, y: u32| match (x + 7 * y) % 11 {
            0 => BARRIER,
            1 => target(0),
            2 => target(-127),
            n => RezolutionCell::open((n * 37) as u8 as i8),
        };
        for width in [1, 3, 4, 5, 31, 32, 33, 70] {
            let mut board = board(width, 3);
            let places = || (0..3).flat_map(|y| (0..width as u32).map(move |x| (x, y)));
            for (x, y) in places() {
                board.set(uvec2(x, y), BARRIER);
                board.set(uvec2(x, y), spots(x, y));
            }
            for (x, y) in places() {
                assert_eq!(
                    board.cell(uvec2(x, y)),
                    spots(x, y),
                    "({x}, {y}) of {width}"
                );
            }
            let populations = board.populations().to_vec();
            assert_eq!(
                board.terrain().with_populations(populations).unwrap(),
                board
            );
        }
    }

    #[test]
    fn counts_are_those_of_the_cells() {
        let mut board = board(75, 2);
        for (x, y, spot) in [
            (0, 0, RezolutionCell::open(3)),
            (74, 1, RezolutionCell::open(127)),
            (40, 0, RezolutionCell::open(-1)),
            (33, 1, target(-126)),
            (35, 1, target(2)),
            (36, 1, target(0)),
            (37, 1, BARRIER),
        ] {
            board.set(uvec2(x, y), spot);
        }
        let expected = RezolutionCensus {
            red: 3,
            blue: 2,
            red_population: 132,
            blue_population: 127,
            reached: 2,
        };
        assert_eq!(board.census(), expected);
        let swapped = board.swapped();
        assert_eq!(swapped.census().blue_population, 132);
        assert_eq!(swapped.cell(uvec2(35, 1)), target(-2));
        assert_eq!(swapped.swapped(), board);
    }

    #[test]
    fn levels_that_are_not_canonical_are_refused() {
        let mut board = board(5, 2);
        board.set(uvec2(1, 1), BARRIER);
        let with = |populations: [u32; 8]| {
            board
                .terrain()
                .with_populations(populations.to_vec())
                .map(|_| ())
        };
        assert_eq!(
            with([0x7f81_ff01, 0, 0, 0, 0x0100_0001, 0x81, 0, 0]),
            Ok(())
        );
        let faulty = |row| Err(BoardError::ImpossiblePopulation { row });
        assert_eq!(with([0x80, 0, 0, 0, 0, 0, 0, 0]), faulty(0), "-128");
        assert_eq!(with([0, 0x0100, 0, 0, 0, 0, 0, 0]), faulty(0), "padding");
        assert_eq!(with([0, 0, 0, 1, 0, 0, 0, 0]), faulty(0), "padding");
        assert_eq!(with([0, 0, 0, 0, 0x0100, 0, 0, 0]), faulty(1), "a barrier");
        assert!(board.terrain().with_populations(vec![0; 3]).is_err());
    }

    #[test]
    fn sizes_are_checked_before_memory_is_taken() {
        let large = Size::new(1 << 18, 1 << 18).unwrap();
        let refused = RezolutionBoard::new(large).unwrap_err();
        assert_eq!(refused, BoardError::RezolutionTooLarge(large));
        let message = refused.to_string();
        assert!(message.contains("262144x262144"), "{message}");
        assert!(check_size(Size::new(92_672, 92_672).unwrap()).is_ok());
        assert!(check_size(Size::new(92_688, 92_688).unwrap()).is_err());
    }

    #[test]
    fn digest_is_sha256_of_the_described_bytes() {
        let mut board = board(3, 2);
        board.set(uvec2(1, 0), RezolutionCell::open(5));
        board.set(uvec2(2, 1), target(-2));
        board.set(uvec2(0, 1), BARRIER);
        let bytes = [3u8, 0, 0, 0, 2, 0, 0, 0, 0, 5, 0, 0, 0, 0xfe];
        let expected: String = Sha256::digest(bytes)
            .iter()
            .map(|b| format!("{b:02x}"))
            .collect();
        assert_eq!(board.digest(), expected);
    }

    #[test]
    fn a_flipped_bit_is_another_possible_board() {
        for spot in (-127..=127)
            .map(RezolutionCell::open)
            .chain([BARRIER, target(0)])
        {
            let mut board = board(2, 1);
            board.set(uvec2(1, 0), spot);
            let before = board.clone();
            board.flip_bit(uvec2(1, 0));
            assert_ne!(board, before, "{spot}");
            let populations = board.populations().to_vec();
            assert_eq!(
                board.terrain().with_populations(populations).unwrap(),
                board
            );
        }
    }

    #[test]
    fn bits_are_spread_to_bytes() {
        for bits in 0..16u32 {
            let bytes = spread(bits).to_le_bytes();
            for (i, byte) in bytes.into_iter().enumerate() {
                assert_eq!(byte, if bits >> i & 1 == 1 { 0xff } else { 0 }, "{bits}");
            }
        }
    }

    #[test]
    fn a_board_on_a_larger_one_keeps_its_cells() {
        let mut board = board(3, 2);
        board.set(uvec2(2, 1), target(-4));
        board.set(UVec2::ZERO, BARRIER);
        let size = Size::new(9, 5).unwrap();
        let placed = board.placed_on(size, uvec2(6, 3)).unwrap();
        assert_eq!(placed.cell(uvec2(8, 4)), target(-4));
        assert_eq!(placed.cell(uvec2(6, 3)), BARRIER);
        assert_eq!(placed.census().blue, 1);
        assert!(board.placed_on(size, uvec2(7, 3)).is_err());
        assert!(board.placed_on(size, uvec2(6, u32::MAX)).is_err());
    }
}
