//! Boards: a size, edges, and a colour for every cell.
//!
//! This module knows no rule, no engine, no file and no clock. Each family of rules has its own kind
//! of board, a file with the family's stem:
//!
//! ```text
//! LifelikeBoard     dead, red and blue cells          two bit planes: alive, blue
//! RezolutionBoard   populations, barriers, targets    a plane of signed bytes, two bit planes
//! ```
//!
//! Both implement [`Board`]: a [`Size`], cells by position, a [`Census`] and a digest. [`start`] draws
//! start patterns from a seed with the [`hash`], [`transform`] turns, flips, recolours and unites
//! boards.

pub mod census;
pub mod hash;
pub mod lifelike;
pub mod rezolution;
pub mod start;
pub mod transform;

pub use census::{Census, LifelikeCensus, RezolutionCensus};
pub use lifelike::{BoardError, LifelikeBoard};
pub use rezolution::RezolutionBoard;

use std::fmt;

use glam::{UVec2, uvec2};
use thiserror::Error;

/// Bits in one word of a plane; also the cells of a row that share one tie-break hash.
pub const WORD_BITS: u32 = 32;

/// The largest plane a board may have, in words: 2^31 words hold 262,144 x 262,144 cells in 8 GiB.
pub const MAX_PLANE_WORDS: u64 = 1 << 31;

/// Width and height of a board in cells, both at least 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Size {
    width: u32,
    height: u32,
}

/// Why a width and a height cannot be the size of a board.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum SizeError {
    /// A side is zero.
    #[error("a board needs at least 1 column and 1 row, not {width}x{height}")]
    Empty {
        /// Requested columns.
        width: u64,
        /// Requested rows.
        height: u64,
    },
    /// The planes would exceed [`MAX_PLANE_WORDS`].
    #[error(
        "a board of {width}x{height} cells is too large: two planes of {} bytes each, the most is {} bytes (262144x262144 cells)",
        plane_bytes(*width, *height),
        MAX_PLANE_WORDS * 4
    )]
    TooLarge {
        /// Requested columns.
        width: u64,
        /// Requested rows.
        height: u64,
    },
}

/// Bytes of one plane of a board of any size, even one that cannot exist.
fn plane_bytes(width: u64, height: u64) -> u128 {
    u128::from(width.div_ceil(u64::from(WORD_BITS))) * u128::from(height) * 4
}

impl Size {
    /// A size of `width` x `height` cells.
    ///
    /// # Errors
    /// [`SizeError`] if a side is zero or the planes would be larger than [`MAX_PLANE_WORDS`].
    pub fn new(width: u64, height: u64) -> Result<Self, SizeError> {
        if width == 0 || height == 0 {
            return Err(SizeError::Empty { width, height });
        }
        let too_large = SizeError::TooLarge { width, height };
        if plane_bytes(width, height) > u128::from(MAX_PLANE_WORDS) * 4 {
            return Err(too_large);
        }
        match (u32::try_from(width), u32::try_from(height)) {
            (Ok(width), Ok(height)) => Ok(Self { width, height }),
            _ => Err(too_large),
        }
    }

    /// Columns.
    pub const fn width(self) -> u32 {
        self.width
    }

    /// Rows.
    pub const fn height(self) -> u32 {
        self.height
    }

    /// Cells of the board.
    pub const fn cells(self) -> u64 {
        self.width as u64 * self.height as u64
    }

    /// Whether a board of this size has a cell there.
    pub const fn contains(self, at: UVec2) -> bool {
        at.x < self.width && at.y < self.height
    }

    /// The positions of all cells, row by row.
    pub fn positions(self) -> impl Iterator<Item = UVec2> {
        (0..self.height).flat_map(move |y| (0..self.width).map(move |x| uvec2(x, y)))
    }

    /// Checks that a pattern lies within a board of this size when its top left cell is at `at`.
    fn check_fit(self, pattern: Self, at: UVec2) -> Result<(), BoardError> {
        let fits =
            |at: u32, length: u32, side: u32| u64::from(at) + u64::from(length) <= side.into();
        match fits(at.x, pattern.width, self.width) && fits(at.y, pattern.height, self.height) {
            true => Ok(()),
            false => Err(BoardError::DoesNotFit {
                pattern,
                board: self,
                at,
            }),
        }
    }

    /// Words of one row of a plane.
    pub const fn row_words(self) -> usize {
        self.width.div_ceil(WORD_BITS) as usize
    }

    /// Words of a whole plane.
    pub const fn plane_words(self) -> usize {
        self.row_words() * self.height as usize
    }

    /// Bytes of a whole plane; a board has two.
    pub const fn plane_bytes(self) -> u64 {
        self.plane_words() as u64 * 4
    }

    /// The bits of the last word of a row that are cells of the board; the rest is padding.
    pub const fn last_word_mask(self) -> u32 {
        match self.width % WORD_BITS {
            0 => u32::MAX,
            used => (1 << used) - 1,
        }
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.width, self.height)
    }
}

/// What every kind of board provides.
pub trait Board: Clone + PartialEq + fmt::Debug + Send + Sync + 'static {
    /// Its counts.
    type Census: Census;
    /// One cell, printed as in a board file; the default is an empty one.
    type Cell: Copy + Default + PartialEq + fmt::Debug + fmt::Display + Send;

    /// A board of empty cells.
    ///
    /// # Errors
    /// [`BoardError`] if there is no memory for it.
    fn empty(size: Size) -> Result<Self, BoardError>;

    /// Bytes of a board of that size.
    fn bytes(size: Size) -> u64;

    /// Width and height.
    fn size(&self) -> Size;

    /// The cell at a position within the board.
    fn cell(&self, at: UVec2) -> Self::Cell;

    /// Sets the cell at a position within the board.
    fn set(&mut self, at: UVec2, cell: Self::Cell);

    /// The cells, counted.
    fn census(&self) -> Self::Census;

    /// SHA-256 over width, height and the cells, in hexadecimal. Equal for equal boards, whatever
    /// computed them.
    fn digest(&self) -> String;

    /// Flips one bit of the cell at a position, so that it becomes another valid cell. Used to plant
    /// faults.
    fn flip_bit(&mut self, at: UVec2);

    /// The position of the first cell, row by row, in which two boards of one size differ.
    fn first_difference(&self, other: &Self) -> Option<UVec2> {
        if self == other {
            return None;
        }
        let mut positions = self.size().positions();
        positions.find(|&at| self.cell(at) != other.cell(at))
    }
}

/// What lies beyond the border of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Edges {
    /// Opposite sides are joined.
    Torus,
    /// Everything outside is dead and stays dead.
    Dead,
}

impl Edges {
    /// The row above row `y` of a board, unless it lies outside.
    pub fn row_above(self, y: u32, size: Size) -> Option<u32> {
        match self {
            Self::Torus if y == 0 => Some(size.height - 1),
            _ => y.checked_sub(1),
        }
    }

    /// The row below row `y` of a board, unless it lies outside.
    pub fn row_below(self, y: u32, size: Size) -> Option<u32> {
        let below = Some(y + 1).filter(|&below| below < size.height);
        match self {
            Self::Torus => below.or(Some(0)),
            Self::Dead => below,
        }
    }
}

impl fmt::Display for Edges {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Torus => "torus",
            Self::Dead => "dead",
        })
    }
}

/// The state of one cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum LifelikeCell {
    /// State 0.
    #[default]
    Dead = 0,
    /// State 1, player 1, `A` in RLE.
    Red = 1,
    /// State 2, player 2, `B` in RLE.
    Blue = 2,
}

impl LifelikeCell {
    /// The cell of the other player; a dead cell stays dead.
    pub const fn swapped(self) -> Self {
        match self {
            Self::Dead => Self::Dead,
            Self::Red => Self::Blue,
            Self::Blue => Self::Red,
        }
    }

    /// The character of the cell in a text grid: `.`, `1` or `2`.
    pub const fn grid_char(self) -> char {
        match self {
            Self::Dead => '.',
            Self::Red => '1',
            Self::Blue => '2',
        }
    }
}

/// The character of the cell in a text grid.
impl fmt::Display for LifelikeCell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Write::write_char(f, self.grid_char())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_checked_before_memory_is_taken() {
        assert_eq!(
            Size::new(0, 5),
            Err(SizeError::Empty {
                width: 0,
                height: 5
            })
        );
        assert!(Size::new(1 << 18, 1 << 18).is_ok());
        assert!(Size::new((1 << 18) + 1, 1 << 18).is_err());
        assert!(Size::new(1_000_000, 1_000_000).is_err());
        assert!(Size::new(u64::MAX, u64::MAX).is_err());
        assert!(
            Size::new(1, 1 << 32).is_err(),
            "rows are counted in 32 bits"
        );
        // A column one cell wide still takes a word a row.
        assert!(Size::new(1, (1 << 31) + 1).is_err());
    }

    #[test]
    fn rows_are_padded_to_whole_words() {
        let words = |w| {
            let size = Size::new(w, 3).unwrap();
            (size.row_words(), size.plane_words(), size.last_word_mask())
        };
        assert_eq!(words(1), (1, 3, 1));
        assert_eq!(words(31), (1, 3, 0x7fff_ffff));
        assert_eq!(words(32), (1, 3, u32::MAX));
        assert_eq!(words(33), (2, 6, 1));
    }
}
