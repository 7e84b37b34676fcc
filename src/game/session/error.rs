//! Errors of sessions.

use thiserror::Error;

use crate::board::BoardError;
use crate::board::start::StartError;
use crate::engine::EngineError;
use crate::game::referee::Verdict;

/// Why a session rejected a request. The session is unchanged or paused.
#[derive(Debug, Error)]
pub enum SessionError {
    /// Settings have been changed and neither applied nor discarded.
    #[error("settings have been changed; apply or discard them first")]
    Unapplied,
    /// There is nothing to apply or discard.
    #[error("no settings have been changed")]
    NothingChanged,
    /// The battle is over.
    #[error("the battle is over: {0}; restart it or change the board")]
    Over(Verdict),
    /// A target of reZolution has been populated.
    #[error("a target has been reached; restart or change the board")]
    TargetReached,
    /// A stroke is in progress.
    #[error("a stroke is in progress; finish or cancel it first")]
    InStroke,
    /// No edit is left to undo.
    #[error("there is nothing to undo")]
    NothingToUndo,
    /// No edit is left to redo.
    #[error("there is nothing to redo")]
    NothingToRedo,
    /// A start pattern could not be drawn.
    #[error(transparent)]
    Start(#[from] StartError),
    /// There is not enough memory for the board.
    #[error(transparent)]
    Board(#[from] BoardError),
    /// The engine failed.
    #[error(transparent)]
    Engine(#[from] EngineError),
}

impl From<Verdict> for SessionError {
    fn from(verdict: Verdict) -> Self {
        Self::Over(verdict)
    }
}
