//! What a game defines for its sessions.

use std::fmt;

use glam::UVec2;

use super::SessionError;
use crate::board::{Board, BoardError, Size};
use crate::engine::{self, GenerationStats};
use crate::rules::Ruleset;

/// The boards of a game.
pub type BoardOf<S> = <<S as GameSettings>::Ruleset as Ruleset>::Board;

/// The census of a game's boards.
pub type CensusOf<S> = engine::CensusOf<BoardOf<S>>;

/// The statistics of a generation of a game.
pub type StatsOf<S> = GenerationStats<CensusOf<S>>;

/// The settings of a game, fixed before its first generation, and what follows from them.
pub trait GameSettings: Copy + PartialEq + fmt::Debug + 'static {
    /// The rules that generations are computed by.
    type Ruleset: Ruleset;

    /// What strokes paint with.
    type Brush: Brush<Board = BoardOf<Self>>;

    /// How a run ends by itself. Converted to an error, it is the reason why no more generations are computed.
    type Verdict: Copy + fmt::Debug + Into<SessionError>;

    /// The rules in these settings.
    fn ruleset(self) -> Self::Ruleset;

    /// Columns and rows.
    fn size(self) -> Size;

    /// The same settings with another size.
    fn with_size(self, size: Size) -> Self;

    /// The generation at which every run ends, if there is one.
    fn limit(self) -> Option<u64>;

    /// The verdict on a start pattern with this census; `None` if the run can begin.
    fn judge_start(census: CensusOf<Self>) -> Option<Self::Verdict>;

    /// The verdict on a generation with these statistics; `None` if the run goes on.
    fn judge(self, generation: u64, stats: StatsOf<Self>) -> Option<Self::Verdict>;

    /// The board after clearing.
    ///
    /// # Errors
    /// [`BoardError`] if there is not enough memory.
    fn cleared(board: &BoardOf<Self>) -> Result<BoardOf<Self>, BoardError>;

    /// The board cropped or extended at its right and bottom sides; new cells are empty.
    ///
    /// # Errors
    /// [`BoardError`] if there is not enough memory.
    fn resized(board: BoardOf<Self>, size: Size) -> Result<BoardOf<Self>, BoardError>;
}

/// What a stroke does to the cells it touches.
pub trait Brush: Copy {
    /// The boards it paints on.
    type Board: Board;

    /// Paints a cell, which must lie on the board.
    fn paint(self, board: &mut Self::Board, cell: UVec2);
}
