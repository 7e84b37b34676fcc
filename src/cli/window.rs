//! A window that the command line requests. It does not depend on the window itself.

use super::options::EngineArgs;
use crate::engine::select::EngineSelector;
use crate::game::opening::Opening;

/// A window to be opened.
pub struct WindowRequest {
    /// What it opens with.
    pub opening: Opening,
    /// Which engine computes, and which adapter draws.
    pub engine: EngineSelector,
}

impl WindowRequest {
    /// A window with these options of the command line.
    pub(super) fn new(opening: Opening, engine: &EngineArgs) -> Self {
        Self {
            opening,
            engine: engine.unchecked_selector(),
        }
    }

    /// A window with default options.
    pub(super) fn of(opening: Opening) -> Self {
        Self {
            opening,
            engine: EngineSelector::default(),
        }
    }
}
