//! What a game decides for itself in a session.

use std::fmt;

use super::SessionError;
use crate::board::{Board, BoardError, Size};
use crate::engine::{CensusOf, GenerationStats};
use crate::rules::Ruleset;

/// The boards of a game.
pub type BoardOf<S> = <<S as GameSettings>::Ruleset as Ruleset>::Board;

/// The counts of a game's boards.
pub type CountsOf<S> = CensusOf<BoardOf<S>>;

/// What is seen of a generation of a game.
pub type StatsOf<S> = GenerationStats<CountsOf<S>>;

/// All of a game that is settled before its first generation.
pub trait GameSettings: Copy + PartialEq + fmt::Debug + 'static {
    /// What decides the future of a board.
    type Ruleset: Ruleset;

    /// What strokes paint with.
    type Brush: Brush<Board = BoardOf<Self>>;

    /// How a run ends by itself; as an error it says why nothing more is computed.
    type Verdict: Copy + fmt::Debug + Into<SessionError>;

    /// The rules that are set.
    fn rules(self) -> Self::Ruleset;

    /// Columns and rows.
    fn size(self) -> Size;

    /// With another size.
    fn with_size(self, size: Size) -> Self;

    /// The generation at which every run ends, if there is one.
    fn limit(self) -> Option<u64>;

    /// Whether a run from a start pattern of these counts has ended before it begins.
    fn judge_start(counts: CountsOf<Self>) -> Option<Self::Verdict>;

    /// Whether a run ends with the generation that was just seen.
    fn judge(self, generation: u64, seen: StatsOf<Self>) -> Option<Self::Verdict>;

    /// What clearing leaves of a board.
    ///
    /// # Errors
    /// [`BoardError`] if there is no memory for it.
    fn cleared(board: &BoardOf<Self>) -> Result<BoardOf<Self>, BoardError>;

    /// A board in another size: what has no place is lost, what is new is empty. The top left cell
    /// stays where it is.
    ///
    /// # Errors
    /// [`BoardError`] if there is no memory for it.
    fn resized(board: BoardOf<Self>, size: Size) -> Result<BoardOf<Self>, BoardError>;
}

/// What a stroke does to the cells it touches.
pub trait Brush: Copy {
    /// What it paints on.
    type Board: Board;

    /// Paints the cell in column `x` and row `y`, which lie on the board.
    fn paint(self, board: &mut Self::Board, x: u32, y: u32);
}
