//! The piece: green cells in a square frame.

use super::Direction;
use crate::board::Size;

/// A square frame somewhere on a field, and the green cells in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    side: u32,
    /// Column of the frame's left side.
    x: u32,
    /// Row of the frame's top side.
    y: u32,
    /// Row and column of each cell within the frame, in order.
    cells: Vec<(u32, u32)>,
}

impl Piece {
    /// A piece at the top left of a field, of cells given by column and row within a frame of
    /// `side` x `side` cells.
    pub(super) fn new(side: u32, cells: impl Iterator<Item = (u32, u32)>) -> Self {
        let mut cells: Vec<_> = cells.map(|(x, y)| (y, x)).collect();
        cells.sort_unstable();
        Self {
            side,
            x: 0,
            y: 0,
            cells,
        }
    }

    /// Columns, and rows, of the frame.
    pub const fn side(&self) -> u32 {
        self.side
    }

    /// Column of the frame's left side, from 0.
    pub const fn x(&self) -> u32 {
        self.x
    }

    /// Row of the frame's top side, from 0.
    pub const fn y(&self) -> u32 {
        self.y
    }

    /// Columns and rows of the green cells on the field, from 0, row by row.
    pub fn cells(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        self.cells.iter().map(|&(y, x)| (self.x + x, self.y + y))
    }

    /// Whether a cell of the field lies within the frame.
    pub const fn frames(&self, x: u32, y: u32) -> bool {
        self.x <= x && x < self.x + self.side && self.y <= y && y < self.y + self.side
    }

    /// Whether a cell of the field is covered by a green one.
    pub fn covers(&self, x: u32, y: u32) -> bool {
        self.frames(x, y) && self.cells.binary_search(&(y - self.y, x - self.x)).is_ok()
    }

    /// Moves by one cell if the frame stays within the field; says whether it did.
    pub(super) const fn shift(&mut self, direction: Direction, field: Size) -> bool {
        let (most_x, most_y) = (field.width() - self.side, field.height() - self.side);
        match direction {
            Direction::Left if self.x > 0 => self.x -= 1,
            Direction::Right if self.x < most_x => self.x += 1,
            Direction::Up if self.y > 0 => self.y -= 1,
            Direction::Down if self.y < most_y => self.y += 1,
            _ => return false,
        }
        true
    }

    /// Turns clockwise.
    pub(super) fn turn(&mut self) {
        for (y, x) in &mut self.cells {
            (*y, *x) = (*x, self.side - 1 - *y);
        }
        self.cells.sort_unstable();
    }
}
