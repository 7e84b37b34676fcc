//! reZolution: populations of red and blue grow and fight among barriers. A run ends only
//! when a target is populated; see [`Census::settle`](crate::board::Census::settle).
//!
//! A run is an ordinary [session]; settings, brushes and the demo are its own.

#[cfg(test)]
mod tests;

use std::fmt;

use glam::{UVec2, uvec2};
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

/// The settings of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Columns and rows.
    pub size: Size,
    /// How the board ends at its border.
    pub edges: Edges,
}

impl Settings {
    /// The default settings: 100 x 72 cells, dead edges.
    ///
    /// # Errors
    /// None: the default size is valid.
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

    /// A run on a board with a populated target is over before it begins, as with `duolife run`.
    fn judge_start(census: RezolutionCensus) -> Option<Reached> {
        census.settle(None).then_some(Reached)
    }

    fn judge(self, _generation: u64, stats: GenerationStats<RezolutionCensus>) -> Option<Reached> {
        stats.is_settled().then_some(Reached)
    }

    /// Barriers and targets are kept.
    fn cleared(board: &RezolutionBoard) -> Result<RezolutionBoard, BoardError> {
        Ok(board.emptied())
    }

    fn resized(board: RezolutionBoard, size: Size) -> Result<RezolutionBoard, BoardError> {
        let mut resized = RezolutionBoard::empty(size)?;
        let own = board.size();
        for y in 0..own.height().min(size.height()) {
            for (x, spot) in (0..size.width()).zip(board.row(y)) {
                resized.set(uvec2(x, y), spot);
            }
        }
        Ok(resized)
    }
}

/// The brushes of strokes.
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
    /// The cell after painting. Only the eraser changes a cell that has a population or is a barrier or a
    /// target.
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
        board.set(cell, self.painted(board.cell(cell)));
    }
}

impl Session {
    /// Draws a random population in the middle of the board as the new start pattern. Barriers and targets
    /// are kept.
    ///
    /// # Errors
    /// [`SessionError`] if editing is locked or the engine fails.
    pub fn demo(&mut self, seed: u64) -> Result<(), SessionError> {
        self.replace(|board| Ok(start::demo(board, DEMO_DENSITY, seed)?))
    }

    /// The status of the run.
    pub fn status(&self) -> Status {
        Status::of(self.census(), self.is_unchanged())
    }
}

/// The status of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Status {
    /// Whether a target is populated.
    pub target_reached: bool,
    /// Whether red has no cell left.
    pub red_gone: bool,
    /// Whether blue has no cell left.
    pub blue_gone: bool,
    /// Whether the last generation equals the previous one; `None` if that is not known.
    pub unchanged: Option<bool>,
}

impl Status {
    /// The status by the census and by whether the last generation changed nothing.
    pub const fn of(census: RezolutionCensus, unchanged: Option<bool>) -> Self {
        Self {
            target_reached: census.reached > 0,
            red_gone: census.red == 0,
            blue_gone: census.blue == 0,
            unchanged,
        }
    }
}

/// A few words, the most important first.
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
