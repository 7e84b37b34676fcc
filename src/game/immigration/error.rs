//! Errors of the Immigration Game.

use glam::UVec2;
use thiserror::Error;

use super::{GameResult, MAX_MOVES, MAX_SIDE, Player};
use crate::board::Size;
use crate::engine::EngineError;

/// The board is too large for the game.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("a board of {0} is too large for this game, whose sides have at most {MAX_SIDE} cells")]
pub struct TooLarge(pub(super) Size);

/// Why a counter cannot be placed. The messages count columns and rows from 1.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum PlaceError {
    /// The cell is not on the board.
    #[error("column {}, row {} is off the board, which has {size} cells", u64::from(.cell.x) + 1, u64::from(.cell.y) + 1)]
    OffBoard {
        /// The cell.
        cell: UVec2,
        /// The board's size.
        size: Size,
    },
    /// The cell is alive.
    #[error("column {}, row {} is occupied by {by}; counters go on dead cells", .cell.x + 1, .cell.y + 1)]
    Occupied {
        /// The cell.
        cell: UVec2,
        /// The player who owns it.
        by: Player,
    },
    /// The generations after the last counter come first.
    #[error("no counter can be placed now: generations have to run first")]
    Running,
    /// The game is over.
    #[error("the game is over since generation {generation}: {result}")]
    Over {
        /// How it ended.
        result: GameResult,
        /// When.
        generation: u64,
    },
    /// There have been [`MAX_MOVES`] counters.
    #[error("a game has at most {MAX_MOVES} counters, and all have been placed")]
    TooManyMoves,
}

/// Why no generation can be computed.
#[derive(Debug, Error)]
pub enum StepError {
    /// A counter comes first.
    #[error("no generation can run now: {0} has to place a counter first")]
    Placing(Player),
    /// The game is over.
    #[error("the game is over: {0}")]
    Over(GameResult),
    /// The engine failed.
    #[error(transparent)]
    Engine(#[from] EngineError),
}

/// Why nothing can be taken back.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum UndoError {
    /// No counter has been placed yet.
    #[error("there is no counter to take back")]
    NoMove,
    /// The counters have had their effect.
    #[error("no counter can be taken back once a generation has run on it")]
    GenerationComputed,
}
