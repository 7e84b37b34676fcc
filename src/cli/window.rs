//! What the command line asks of the window, which it does not know.

use crate::board::Board;
use crate::game::fragment;
use crate::game::session::Settings;

/// A window that is to be opened.
pub struct WindowRequest {
    /// What it opens with.
    pub opening: WindowOpening,
    /// Which engine computes; `None` leaves it to the window.
    pub engine: Option<WindowEngine>,
    /// Part of the name of the adapter that draws.
    pub adapter: Option<String>,
}

/// What a window opens with.
pub enum WindowOpening {
    /// What was open last, or a choice of games.
    Last,
    /// The battle that was open last, or a new one.
    LastBattle,
    /// A battle that was asked for.
    Battle {
        /// Its settings.
        settings: Settings,
        /// Its start pattern.
        board: Board,
    },
    /// The puzzle, with a seed if one was asked for.
    Fragment(fragment::Settings, Option<u64>),
}

/// Which engine computes in a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WindowEngine {
    /// The device that draws.
    Gpu,
    /// All cores.
    Cpu,
    /// The definition, cell by cell.
    Reference,
}

impl WindowRequest {
    /// What was open last.
    pub(super) const fn last() -> Self {
        Self {
            opening: WindowOpening::Last,
            engine: None,
            adapter: None,
        }
    }
}
