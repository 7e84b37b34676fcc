//! reZolution: populations of red and blue grow and fight among barriers. A run ends by itself only
//! when a target is populated; see [`Census::settle`](crate::board::Census::settle).
//!
//! A run is an ordinary [session](super::session); settings, brushes and the demo are its own.

#[cfg(test)]
mod tests;

use std::fmt;

use glam::UVec2;
use serde::Serialize;

use super::session::{self, GameSettings, SessionError};
use crate::board::rezolution::{Ground, RezolutionCell};
use crate::board::{
    Board, BoardError, Census as _, Edges, RezolutionBoard, RezolutionCensus, Size, SizeError,
    start,
};
use crate::engine::GenerationStats;
use crate::rules::RezolutionRuleset;

/// Probability of a populated cell in the square of a demo.
pub const DEMO_DENSITY: f64 = 0.5;

/// The interactive run of reZolution.
pub type Session = session::Session<Settings>;

/// What is set before a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Columns and rows.
    pub size: Size,
    /// What lies beyond the border.
    pub edges: Edges,
}

impl Settings {
    /// Those of a run for which nobody has set anything: 100 x 72 cells, dead edges.
    ///
    /// # Errors
    /// None; a size is checked wherever it is made.
    pub fn standard() -> Result<Self, SizeError> {
        Ok(Self {
            size: Size::new(100, 72)?,
            edges: Edges::Dead,
        })
    }
}

/// A target has been populated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reached;

impl From<Reached> for SessionError {
    fn from(_: Reached) -> Self {
        Self::TargetReached
    }
}

impl GameSettings for Settings {
    type Ruleset = RezolutionRuleset;
    type Brush = Brush;
    type Verdict = Reached;

    fn ruleset(self) -> RezolutionRuleset {
        RezolutionRuleset { edges: self.edges }
    }

    fn size(self) -> Size {
        self.size
    }

    fn with_size(self, size: Size) -> Self {
        Self { size, ..self }
    }

    fn limit(self) -> Option<u64> {
        None
    }

    /// A board whose target is populated has ended already, as for `duolife run`.
    fn judge_start(census: RezolutionCensus) -> Option<Reached> {
        census.settle(None).then_some(Reached)
    }

    fn judge(self, _generation: u64, stats: GenerationStats<RezolutionCensus>) -> Option<Reached> {
        stats.is_settled().then_some(Reached)
    }

    /// Barriers and targets stay.
    fn cleared(board: &RezolutionBoard) -> Result<RezolutionBoard, BoardError> {
        Ok(board.emptied())
    }

    fn resized(board: RezolutionBoard, size: Size) -> Result<RezolutionBoard, BoardError> {
        let mut resized = RezolutionBoard::empty(size)?;
        let own = board.size();
        for y in 0..own.height().min(size.height()) {
            for (x, spot) in (0..size.width()).zip(board.row(y)) {
                resized.set(x, y, spot);
            }
        }
        Ok(resized)
    }
}

/// What a stroke does to cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Brush {
    /// Puts a red population of one on empty cells.
    Red,
    /// Puts a blue population of one on empty cells.
    Blue,
    /// Clears anything: populations, barriers and targets.
    Erase,
    /// Makes empty cells barriers.
    Barrier,
    /// Makes empty cells targets.
    Target,
}

impl Brush {
    /// What the brush leaves on a cell. Only erasing changes a cell that has a population or is a
    /// barrier or a target.
    pub fn painted(self, spot: RezolutionCell) -> RezolutionCell {
        let marked = |ground| RezolutionCell {
            population: 0,
            ground,
        };
        match self {
            Self::Erase => RezolutionCell::default(),
            _ if spot != RezolutionCell::default() => spot,
            Self::Red => RezolutionCell::open(1),
            Self::Blue => RezolutionCell::open(-1),
            Self::Barrier => marked(Ground::Barrier),
            Self::Target => marked(Ground::Target),
        }
    }
}

impl session::Brush for Brush {
    type Board = RezolutionBoard;

    fn paint(self, board: &mut RezolutionBoard, cell: UVec2) {
        board.set(cell.x, cell.y, self.painted(board.get(cell.x, cell.y)));
    }
}

impl Session {
    /// Draws a random population in the middle of the board, the start pattern of a new run.
    /// Barriers and targets stay.
    ///
    /// # Errors
    /// [`SessionError`] if painting is locked or the engine fails.
    pub fn demo(&mut self, seed: u64) -> Result<(), SessionError> {
        self.replace(|board| Ok(start::demo(board, DEMO_DENSITY, seed)?))
    }

    /// How the run stands.
    pub fn status(&self) -> Status {
        Status::of(self.census(), self.is_unchanged())
    }
}

/// How a battle stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Status {
    /// A target is populated.
    pub target_reached: bool,
    /// Red has no cell left.
    pub red_gone: bool,
    /// Blue has no cell left.
    pub blue_gone: bool,
    /// The last generation equals the one before; `None` if that is not known.
    pub unchanged: Option<bool>,
}

impl Status {
    /// The status by counts, and by whether the last generation changed nothing.
    pub const fn of(census: RezolutionCensus, unchanged: Option<bool>) -> Self {
        Self {
            target_reached: census.reached > 0,
            red_gone: census.red == 0,
            blue_gone: census.blue == 0,
            unchanged,
        }
    }
}

/// In a few words, the most important first.
impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let left = match (self.red_gone, self.blue_gone) {
            (true, true) => "all is empty",
            (true, false) => "red is gone",
            (false, true) => "blue is gone",
            (false, false) => "both are left",
        };
        if self.target_reached {
            f.write_str("target reached, ")?;
        }
        f.write_str(left)?;
        if self.unchanged == Some(true) {
            f.write_str(", nothing changed")?;
        }
        Ok(())
    }
}
