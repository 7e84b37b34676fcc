//! The reference: the rule's definition, one cell after the other.
//!
//! Deliberately plain and slow. It shares no circuit with the other engines; what it has in common
//! with them is the definition of the seeded priority, in the form that names a cell's order.

use super::{Engine, EngineError, Sighting};
use crate::board::{Board, Cell, Census, Edges, Size};
use crate::rules::ties::{self, NEIGHBOURS};
use crate::rules::{Ruleset, Ties};

/// One cell a byte, two nested loops.
pub struct ReferenceEngine {
    ruleset: Ruleset,
    board: Option<(Size, Vec<Cell>)>,
    /// The generation before, if one has been computed.
    last: Option<Vec<Cell>>,
}

impl ReferenceEngine {
    /// An engine without a board.
    pub const fn new(ruleset: Ruleset) -> Self {
        Self {
            ruleset,
            board: None,
            last: None,
        }
    }
}

impl Engine for ReferenceEngine {
    fn load(&mut self, board: &Board) -> Result<(), EngineError> {
        let size = board.size();
        let cells = (0..size.height()).flat_map(|y| board.row(y)).collect();
        self.board = Some((size, cells));
        self.last = None;
        Ok(())
    }

    fn step(&mut self, generations: u64) -> Result<(), EngineError> {
        let (size, cells) = self.board.as_mut().ok_or(EngineError::NothingLoaded)?;
        for _ in 0..generations {
            let mut next = Vec::with_capacity(cells.len());
            for y in 0..size.height() {
                for x in 0..size.width() {
                    next.push(next_cell(self.ruleset, *size, cells, x, y));
                }
            }
            self.last = Some(std::mem::replace(cells, next));
        }
        Ok(())
    }

    fn census(&mut self) -> Result<Census, EngineError> {
        let (_, cells) = self.board.as_ref().ok_or(EngineError::NothingLoaded)?;
        let count = |wanted| cells.iter().filter(|&&cell| cell == wanted).count() as u64;
        Ok(Census {
            red: count(Cell::Red),
            blue: count(Cell::Blue),
        })
    }

    fn step_watched(
        &mut self,
        generations: u64,
        seen: &mut Vec<Sighting>,
    ) -> Result<(), EngineError> {
        for _ in 0..generations {
            let second_last = self.last.take();
            self.step(1)?;
            let (_, cells) = self.board.as_ref().ok_or(EngineError::NothingLoaded)?;
            let equals = |earlier: &Option<Vec<Cell>>| earlier.as_ref() == Some(cells);
            let period = if equals(&self.last) {
                Some(1)
            } else if equals(&second_last) {
                Some(2)
            } else {
                None
            };
            let census = self.census()?;
            let sighting = Sighting { census, period };
            seen.push(sighting);
            if sighting.is_settled() {
                break;
            }
        }
        Ok(())
    }

    fn read(&mut self) -> Result<Board, EngineError> {
        let (size, cells) = self.board.as_ref().ok_or(EngineError::NothingLoaded)?;
        let mut board = Board::new(*size)?;
        for (y, row) in (0..).zip(cells.chunks(size.width() as usize)) {
            for (x, &cell) in (0..).zip(row) {
                if cell != Cell::Dead {
                    board.set(x, y, cell);
                }
            }
        }
        Ok(board)
    }
}

/// The state after one generation of the cell in column `x` and row `y`.
fn next_cell(ruleset: Ruleset, size: Size, cells: &[Cell], x: u32, y: u32) -> Cell {
    let neighbours = NEIGHBOURS.map(|(dx, dy)| cell_at(ruleset.edges, size, cells, x, y, dx, dy));
    let count = |wanted| neighbours.iter().filter(|&&cell| cell == wanted).count();
    let (red, blue) = (count(Cell::Red), count(Cell::Blue));
    let alive = red + blue;
    let own = cells[index(size, x, y)];
    if own != Cell::Dead {
        let lives_on = ruleset.rule.survival() >> alive & 1 == 1;
        return if lives_on { own } else { Cell::Dead };
    }
    if ruleset.rule.birth() >> alive & 1 == 0 {
        return Cell::Dead;
    }
    if red > blue {
        return Cell::Red;
    }
    if blue > red {
        return Cell::Blue;
    }
    match ruleset.ties {
        Ties::Red => Cell::Red,
        Ties::Blue => Cell::Blue,
        Ties::Checkerboard => {
            if (u64::from(x) + u64::from(y)).is_multiple_of(2) {
                Cell::Red
            } else {
                Cell::Blue
            }
        }
        Ties::Seeded(seed) => ties::order(seed, x, y)
            .into_iter()
            .map(|neighbour| neighbours[neighbour])
            .find(|&cell| cell != Cell::Dead)
            .unwrap_or(Cell::Dead),
    }
}

/// The cell `dx` columns right of and `dy` rows below column `x` and row `y`.
fn cell_at(edges: Edges, size: Size, cells: &[Cell], x: u32, y: u32, dx: i32, dy: i32) -> Cell {
    let (width, height) = (i64::from(size.width()), i64::from(size.height()));
    let (x, y) = (i64::from(x) + i64::from(dx), i64::from(y) + i64::from(dy));
    match edges {
        Edges::Dead if x < 0 || y < 0 || x >= width || y >= height => Cell::Dead,
        _ => {
            cells[index(
                size,
                x.rem_euclid(width) as u32,
                y.rem_euclid(height) as u32,
            )]
        }
    }
}

fn index(size: Size, x: u32, y: u32) -> usize {
    y as usize * size.width() as usize + x as usize
}
