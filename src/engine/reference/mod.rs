//! The reference: the rule's definition, one cell after the other.
//!
//! Deliberately plain and slow. It shares no circuit with the other engines; what it has in common
//! with them is the definition of the seeded priority, in the form that names a cell's order.

mod lifelike;
mod rezolution;

use super::{CensusOf, Engine, EngineError, GenerationStats};
use crate::board::{Board, Edges, Size};
use crate::rules::{LifelikeRuleset, Ruleset};

/// The cells of a family's boards.
type CellOf<R> = <<R as Ruleset>::Board as Board>::Cell;

/// Rules stated cell by cell.
pub trait ReferenceFamily: Ruleset {
    /// The cell in column `x` and row `y` after one generation of `cells`, row by row.
    fn next_cell(self, size: Size, cells: &[CellOf<Self>], x: u32, y: u32) -> CellOf<Self>;

    /// The cells, counted one by one.
    fn census(cells: &[CellOf<Self>]) -> CensusOf<Self::Board>;
}

/// A list of cells, two nested loops.
pub struct ReferenceEngine<R: ReferenceFamily = LifelikeRuleset> {
    ruleset: R,
    board: Option<(Size, Vec<CellOf<R>>)>,
    /// The generation before, if one has been computed.
    last: Option<Vec<CellOf<R>>>,
}

impl<R: ReferenceFamily> ReferenceEngine<R> {
    /// An engine without a board.
    pub const fn new(ruleset: R) -> Self {
        Self {
            ruleset,
            board: None,
            last: None,
        }
    }
}

impl<R: ReferenceFamily> Engine<R::Board> for ReferenceEngine<R> {
    fn load(&mut self, board: &R::Board) -> Result<(), EngineError> {
        let size = board.size();
        let places = (0..size.height()).flat_map(|y| (0..size.width()).map(move |x| (x, y)));
        let cells = places.map(|(x, y)| board.cell(x, y)).collect();
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
                    next.push(self.ruleset.next_cell(*size, cells, x, y));
                }
            }
            self.last = Some(std::mem::replace(cells, next));
        }
        Ok(())
    }

    fn census(&mut self) -> Result<CensusOf<R::Board>, EngineError> {
        let (_, cells) = self.board.as_ref().ok_or(EngineError::NothingLoaded)?;
        Ok(R::census(cells))
    }

    fn step_with_stats(
        &mut self,
        generations: u64,
        seen: &mut Vec<GenerationStats<CensusOf<R::Board>>>,
    ) -> Result<(), EngineError> {
        for _ in 0..generations {
            let second_last = self.last.take();
            self.step(1)?;
            let (_, cells) = self.board.as_ref().ok_or(EngineError::NothingLoaded)?;
            let equals = |earlier: &Option<Vec<CellOf<R>>>| earlier.as_ref() == Some(cells);
            let period = if equals(&self.last) {
                Some(1)
            } else if equals(&second_last) {
                Some(2)
            } else {
                None
            };
            let census = self.census()?;
            let sighting = GenerationStats { census, period };
            seen.push(sighting);
            if sighting.is_settled() {
                break;
            }
        }
        Ok(())
    }

    fn read(&mut self) -> Result<R::Board, EngineError> {
        let (size, cells) = self.board.as_ref().ok_or(EngineError::NothingLoaded)?;
        let mut board = R::Board::empty(*size)?;
        for (y, row) in (0..).zip(cells.chunks(size.width() as usize)) {
            for (x, &cell) in (0..).zip(row) {
                if cell != CellOf::<R>::default() {
                    board.put(x, y, cell);
                }
            }
        }
        Ok(board)
    }
}

/// The cell `dx` columns right of and `dy` rows below column `x` and row `y`; an empty one outside.
fn cell_at<C: Copy + Default>(
    edges: Edges,
    size: Size,
    cells: &[C],
    (x, y): (u32, u32),
    (dx, dy): (i32, i32),
) -> C {
    let (width, height) = (i64::from(size.width()), i64::from(size.height()));
    let (x, y) = (i64::from(x) + i64::from(dx), i64::from(y) + i64::from(dy));
    match edges {
        Edges::Dead if x < 0 || y < 0 || x >= width || y >= height => C::default(),
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
