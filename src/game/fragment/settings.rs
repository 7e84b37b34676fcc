//! The settings of the puzzle.

use std::fmt;

use thiserror::Error;

use crate::board::{Size, SizeError};

/// Columns and rows of the field by default.
pub const DEFAULT_SIDE: u32 = 20;

/// Blue cells at the start by default.
pub const DEFAULT_CELLS: u32 = 60;

/// The side of a piece by default.
pub const DEFAULT_PIECE: u32 = 5;

/// Green cells of a piece by default.
pub const DEFAULT_PIECE_CELLS: u32 = 8;

/// The most columns or rows of a field: more than a person can survey, and little memory.
pub const MAX_SIDE: u32 = 1024;

/// The settings of a game, apart from the seed. They are always valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    field: Size,
    cells: u32,
    piece: u32,
    piece_cells: u32,
}

/// Why settings are invalid.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum SettingsError {
    /// The field has no cells or cannot exist.
    #[error(transparent)]
    Size(#[from] SizeError),
    /// The field is too large to be played on.
    #[error("a field of {0} is too large for the puzzle; it takes up to {MAX_SIDE}x{MAX_SIDE}")]
    FieldTooLarge(Size),
    /// The piece does not fit on the field.
    #[error(
        "a piece of {side}x{side} does not fit on a field of {field}; its side is 1 to {}",
        .field.width().min(.field.height())
    )]
    Piece {
        /// The side of the piece.
        side: u32,
        /// The field.
        field: Size,
    },
    /// The field cannot have this many cells.
    #[error("a field of {field} has 1 to {} cells, not {cells}", .field.cells())]
    FieldCells {
        /// The number of cells.
        cells: u32,
        /// The field.
        field: Size,
    },
    /// The piece cannot have this many cells.
    #[error("a piece of {side}x{side} has 1 to {} cells, not {cells}", .side * .side)]
    PieceCells {
        /// The number of cells.
        cells: u32,
        /// The side of the piece.
        side: u32,
    },
}

impl Settings {
    /// A field with `cells` blue cells, and pieces of `piece` x `piece` cells of which
    /// `piece_cells` are green.
    ///
    /// # Errors
    /// [`SettingsError`] if such a game is impossible.
    pub fn new(
        field: Size,
        cells: u32,
        piece: u32,
        piece_cells: u32,
    ) -> Result<Self, SettingsError> {
        if field.width() > MAX_SIDE || field.height() > MAX_SIDE {
            return Err(SettingsError::FieldTooLarge(field));
        }
        if piece == 0 || piece > field.width().min(field.height()) {
            return Err(SettingsError::Piece { side: piece, field });
        }
        if cells == 0 || u64::from(cells) > field.cells() {
            return Err(SettingsError::FieldCells { cells, field });
        }
        if piece_cells == 0 || piece_cells > piece * piece {
            return Err(SettingsError::PieceCells {
                cells: piece_cells,
                side: piece,
            });
        }
        Ok(Self {
            field,
            cells,
            piece,
            piece_cells,
        })
    }

    /// The default settings.
    ///
    /// # Errors
    /// None: the default settings are valid.
    pub fn standard() -> Result<Self, SettingsError> {
        let field = Size::new(DEFAULT_SIDE.into(), DEFAULT_SIDE.into())?;
        Self::new(field, DEFAULT_CELLS, DEFAULT_PIECE, DEFAULT_PIECE_CELLS)
    }

    /// Size of the field.
    pub const fn field(self) -> Size {
        self.field
    }

    /// Blue cells at the start.
    pub const fn cells(self) -> u32 {
        self.cells
    }

    /// Columns, and rows, of a piece.
    pub const fn piece(self) -> u32 {
        self.piece
    }

    /// Green cells of every piece.
    pub const fn piece_cells(self) -> u32 {
        self.piece_cells
    }
}

impl fmt::Display for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            field,
            cells,
            piece,
            piece_cells,
        } = self;
        write!(
            f,
            "field {field} with {cells} cells, piece {piece}x{piece} with {piece_cells}"
        )
    }
}
