//! The game in progress, whichever it is.

use crate::app::fragment::FragmentView;
use crate::app::immigration::ImmigrationView;
use crate::app::life_battle::Battle;
use crate::app::rezolution::RezolutionView;
use crate::app::run_view::Run;
use crate::board::{Edges, Size};
use crate::game::opening::GameName;
use crate::render::Palette;

/// The game in progress.
pub(in crate::app) enum ActiveGame {
    Battle(Box<Battle>),
    Fragment(Box<FragmentView>),
    Immigration(Box<ImmigrationView>),
    Rezolution(Box<RezolutionView>),
}

impl ActiveGame {
    pub(in crate::app) fn name(&self) -> GameName {
        match self {
            Self::Battle(run) => run.kind(),
            Self::Fragment(_) => GameName::Fragment,
            Self::Immigration(_) => GameName::Immigration,
            Self::Rezolution(_) => GameName::Rezolution,
        }
    }

    /// The run of the game, if it has one.
    pub(in crate::app) fn run(&self) -> Option<&dyn Run> {
        match self {
            Self::Battle(run) => Some(&**run),
            Self::Rezolution(run) => Some(&**run),
            Self::Fragment(_) | Self::Immigration(_) => None,
        }
    }

    /// The run of the game, if it has one.
    pub(in crate::app) fn run_mut(&mut self) -> Option<&mut dyn Run> {
        match self {
            Self::Battle(run) => Some(&mut **run),
            Self::Rezolution(run) => Some(&mut **run),
            Self::Fragment(_) | Self::Immigration(_) => None,
        }
    }

    /// The size and edges of the board.
    pub(in crate::app) fn shape(&self) -> (Size, Edges) {
        match self {
            Self::Battle(run) => {
                let settings = run.session.settings();
                (settings.size, settings.edges)
            }
            Self::Fragment(view) => (view.game().settings().field(), Edges::Dead),
            Self::Immigration(view) => (view.game().setup().size(), Edges::Torus),
            Self::Rezolution(run) => {
                let settings = run.session.settings();
                (settings.size, settings.edges)
            }
        }
    }

    /// A number that changes with every board that is shown.
    pub(in crate::app) fn revision(&self) -> u64 {
        match self {
            Self::Battle(run) => run.revision(),
            Self::Fragment(view) => view.revision(),
            Self::Immigration(view) => view.revision(),
            Self::Rezolution(run) => run.revision(),
        }
    }

    /// The colours of the board.
    pub(in crate::app) fn palette(&self) -> Palette {
        self.run()
            .map_or(Palette::DEFAULT, |run| run.summary().palette)
    }
}
