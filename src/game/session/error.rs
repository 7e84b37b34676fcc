//! What a session refuses.

use thiserror::Error;

use crate::board::BoardError;
use crate::board::start::StartError;
use crate::engine::EngineError;
use crate::game::referee::Verdict;

/// Why a session did not do what it was asked. It then is what it was before, or paused.
#[derive(Debug, Error)]
pub enum SessionError {
    /// Settings have been changed and neither applied nor discarded.
    #[error("settings have been changed; apply or discard them first")]
    Unapplied,
    /// There is nothing to apply or discard.
    #[error("no settings have been changed")]
    NothingChanged,
    /// The battle has been decided.
    #[error("the battle is over: {0}; restart it or change the board")]
    Over(Verdict),
    /// A target of reZolution has been populated.
    #[error("a target has been reached; restart or change the board")]
    TargetReached,
    /// A stroke is under way.
    #[error("a stroke is under way; finish or cancel it first")]
    InStroke,
    /// No edit is left to be undone.
    #[error("there is nothing to undo")]
    NothingToUndo,
    /// No edit is left to be done again.
    #[error("there is nothing to redo")]
    NothingToRedo,
    /// A start pattern could not be drawn.
    #[error(transparent)]
    Start(#[from] StartError),
    /// There is no memory for the board.
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
