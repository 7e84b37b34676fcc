//! The reference: the rule's definition, one cell after the other.
//!
//! Deliberately plain and slow. It shares no logic with the other engines; what it has in common
//! with them is the definition of the seeded priority, in the form that names a cell's order.

mod lifelike;
mod rezolution;

use web_time::Instant;

use super::{
    CensusOf, Engine, EngineError, GenerationStats, Observation, Observe, Request, Sink, Stop,
};
use crate::board::{Board, Edges, Size};
use crate::rules::{LifelikeRuleset, Ruleset};
use glam::{I64Vec2, IVec2, UVec2, uvec2};

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

    /// Computes one generation.
    fn next(&mut self) -> Result<(), EngineError> {
        let (size, cells) = self.board.as_mut().ok_or(EngineError::NothingLoaded)?;
        let mut next = Vec::with_capacity(cells.len());
        for y in 0..size.height() {
            for x in 0..size.width() {
                next.push(self.ruleset.next_cell(*size, cells, x, y));
            }
        }
        self.last = Some(std::mem::replace(cells, next));
        Ok(())
    }

    /// Counts the present board and compares it with those before it.
    fn stats(
        &mut self,
        second_last: Option<&[CellOf<R>]>,
    ) -> Result<GenerationStats<CensusOf<R::Board>>, EngineError> {
        let (_, cells) = self.board.as_ref().ok_or(EngineError::NothingLoaded)?;
        let period = if self.last.as_ref() == Some(cells) {
            Some(1)
        } else if second_last == Some(&cells[..]) {
            Some(2)
        } else {
            None
        };
        let census = self.census()?;
        Ok(GenerationStats { census, period })
    }
}

impl<R: ReferenceFamily> Engine<R::Board> for ReferenceEngine<R> {
    fn load(&mut self, board: &R::Board) -> Result<(), EngineError> {
        let size = board.size();
        let places = (0..size.height()).flat_map(|y| (0..size.width()).map(move |x| (x, y)));
        let cells = places.map(|(x, y)| board.cell(uvec2(x, y))).collect();
        self.board = Some((size, cells));
        self.last = None;
        Ok(())
    }

    fn run(&mut self, request: Request, sink: &mut Sink<'_, R::Board>) -> Result<(), EngineError> {
        let since = Instant::now();
        if self.board.is_none() {
            return Err(EngineError::NothingLoaded);
        }
        for _ in 0..request.generations {
            let second_last = self.last.take();
            self.next()?;
            if request.needs_stats() {
                let stats = self.stats(second_last.as_deref())?;
                let observation = request.observe.observation(stats, || self.read())?;
                observation.into_iter().for_each(&mut *sink);
                if request.stop == Stop::AtSettled && stats.is_settled() {
                    break;
                }
            } else if request.observe == Observe::Boards {
                sink(Observation::Board(self.read()?));
            }
            if request
                .budget
                .is_some_and(|budget| since.elapsed() >= budget)
            {
                break;
            }
        }
        Ok(())
    }

    fn census(&mut self) -> Result<CensusOf<R::Board>, EngineError> {
        let (_, cells) = self.board.as_ref().ok_or(EngineError::NothingLoaded)?;
        Ok(R::census(cells))
    }

    fn read(&mut self) -> Result<R::Board, EngineError> {
        let (size, cells) = self.board.as_ref().ok_or(EngineError::NothingLoaded)?;
        let mut board = R::Board::empty(*size)?;
        for (y, row) in (0..).zip(cells.chunks(size.width() as usize)) {
            for (x, &cell) in (0..).zip(row) {
                if cell != CellOf::<R>::default() {
                    board.set(uvec2(x, y), cell);
                }
            }
        }
        Ok(board)
    }
}

/// The cell at an offset `by` from a position; an empty one outside.
fn cell_at<C: Copy + Default>(edges: Edges, size: Size, cells: &[C], at: UVec2, by: IVec2) -> C {
    let sides = I64Vec2::new(size.width().into(), size.height().into());
    let at = at.as_i64vec2() + by.as_i64vec2();
    let is_inside = at.cmpge(I64Vec2::ZERO).all() && at.cmplt(sides).all();
    let at = match edges {
        // The remainder is the same, and takes longer.
        _ if is_inside => at,
        Edges::Dead => return C::default(),
        Edges::Torus => at.rem_euclid(sides),
    };
    cells[index(size, at.x as u32, at.y as u32)]
}

fn index(size: Size, x: u32, y: u32) -> usize {
    y as usize * size.width() as usize + x as usize
}
