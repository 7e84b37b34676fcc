//! What the command line asks of the window, which it does not know.

use super::options::{EngineArgs, EngineKind};
use crate::board::{LifelikeBoard, RezolutionBoard};
use crate::game::immigration::{self, Setup};
use crate::game::life_battle::Settings;
use crate::game::{fragment, rezolution};

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
        board: LifelikeBoard,
    },
    /// The puzzle, with a seed if one was asked for.
    Fragment(fragment::Settings, Option<u64>),
    /// Two-player Life on this board, or on the one that was open last.
    Duel(Option<LifelikeBoard>),
    /// A new Immigration Game; what it is like and who plays red and blue, if that was asked for.
    Immigration(Option<(Setup, [WindowPlayer; 2])>),
    /// An Immigration Game that was begun before, and who plays red and blue.
    ImmigrationRecord(Box<immigration::Game>, [WindowPlayer; 2]),
    /// reZolution as it was open last, or on a new demo.
    LastRezolution,
    /// reZolution on a board that was asked for.
    Rezolution {
        /// Its settings.
        settings: rezolution::Settings,
        /// Its start pattern.
        board: RezolutionBoard,
        /// The seed of the demo that it is, if it is one.
        seed: Option<u64>,
    },
}

/// Who plays a colour in a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WindowPlayer {
    /// With the pointer.
    Person,
    /// By looking ahead.
    Computer,
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
    /// A window with these options of the command line.
    pub(super) fn new(opening: WindowOpening, engine: &EngineArgs) -> Self {
        Self {
            opening,
            engine: match engine.engine {
                EngineKind::Auto => None,
                EngineKind::Gpu => Some(WindowEngine::Gpu),
                EngineKind::Cpu => Some(WindowEngine::Cpu),
                EngineKind::Reference => Some(WindowEngine::Reference),
            },
            adapter: engine.adapter.clone(),
        }
    }

    /// What was open last.
    pub(super) const fn last() -> Self {
        Self {
            opening: WindowOpening::Last,
            engine: None,
            adapter: None,
        }
    }
}
