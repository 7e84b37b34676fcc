//! Why a command of the window failed.

use crate::engine::EngineError;
use crate::game::session::SessionError;

/// Why a command failed.
#[derive(Debug)]
pub(super) enum AppError {
    /// The command could not be carried out; the reason is one line for the status bar.
    Message(String),
    /// The device failed. The window cannot go on with it.
    Device(String),
}

impl From<String> for AppError {
    fn from(reason: String) -> Self {
        Self::Message(reason)
    }
}

impl From<EngineError> for AppError {
    fn from(error: EngineError) -> Self {
        match error {
            EngineError::Device { .. } | EngineError::Damaged { .. } => {
                Self::Device(error.to_string())
            }
            error => Self::Message(error.to_string()),
        }
    }
}

impl From<SessionError> for AppError {
    fn from(error: SessionError) -> Self {
        match error {
            SessionError::Engine(error) => error.into(),
            error => Self::Message(error.to_string()),
        }
    }
}
