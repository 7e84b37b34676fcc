//! The piece: green cells in a square frame.

use glam::UVec2;

use super::Direction;
use crate::board::Size;

/// A square frame on the field, and the green cells in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    side: u32,
    /// The top left cell of the frame.
    corner: UVec2,
    /// The green cells relative to the corner, row by row.
    cells: Vec<UVec2>,
}

impl Piece {
    /// A piece at the top left of the field, of green cells within a frame of `side` x `side` cells.
    pub(super) fn new(side: u32, cells: impl Iterator<Item = UVec2>) -> Self {
        let mut cells: Vec<_> = cells.collect();
        cells.sort_unstable_by_key(row_by_row);
        Self {
            side,
            corner: UVec2::ZERO,
            cells,
        }
    }

    /// Columns, and rows, of the frame.
    pub const fn side(&self) -> u32 {
        self.side
    }

    /// The top left cell of the frame.
    pub const fn corner(&self) -> UVec2 {
        self.corner
    }

    /// The green cells on the field, row by row.
    pub fn cells(&self) -> impl Iterator<Item = UVec2> + '_ {
        self.cells.iter().map(|&cell| self.corner + cell)
    }

    /// Whether a cell of the field lies within the frame.
    pub fn frames(&self, cell: UVec2) -> bool {
        let end = self.corner + self.side;
        cell.cmpge(self.corner).all() && cell.cmplt(end).all()
    }

    /// Whether a cell of the field is covered by a green one.
    pub fn covers(&self, cell: UVec2) -> bool {
        self.frames(cell) && {
            let wanted = row_by_row(&(cell - self.corner));
            self.cells.binary_search_by_key(&wanted, row_by_row).is_ok()
        }
    }

    /// Moves by one cell if the frame stays within the field; returns whether it did.
    pub(super) const fn shift(&mut self, direction: Direction, field: Size) -> bool {
        let (most_x, most_y) = (field.width() - self.side, field.height() - self.side);
        let corner = &mut self.corner;
        let can_move = match direction {
            Direction::Left => corner.x > 0,
            Direction::Right => corner.x < most_x,
            Direction::Up => corner.y > 0,
            Direction::Down => corner.y < most_y,
        };
        if can_move {
            match direction {
                Direction::Left => corner.x -= 1,
                Direction::Right => corner.x += 1,
                Direction::Up => corner.y -= 1,
                Direction::Down => corner.y += 1,
            }
        }
        can_move
    }

    /// Turns clockwise.
    pub(super) fn turn(&mut self) {
        for cell in &mut self.cells {
            *cell = UVec2::new(self.side - 1 - cell.y, cell.x);
        }
        self.cells.sort_unstable_by_key(row_by_row);
    }
}

/// The key that sorts cells row by row.
const fn row_by_row(cell: &UVec2) -> (u32, u32) {
    (cell.y, cell.x)
}
