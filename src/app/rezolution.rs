//! reZolution on the table: what it has that other runs have not.

use super::command::{Command, RezolutionCommand, Tool};
use super::error::AppError;
use super::platform::{EngineFactory, EngineName};
use super::run_view::{RunView, WindowFamily};
use crate::board::{RezolutionBoard, Size};
use crate::game::opening::GameName;
use crate::game::rezolution::{Brush, Settings};
use crate::game::session::SessionError;

/// reZolution under way. Beside its session there is the seed of the last demo.
pub(super) type RezolutionView = RunView<Settings>;

impl WindowFamily for Settings {
    type Extras = u64;

    const TOOLS: &'static str = "red, blue, the eraser, barriers or targets (keys 1 to 5)";

    fn brush(tool: Tool) -> Option<Brush> {
        match tool {
            Tool::View => None,
            Tool::Red => Some(Brush::Red),
            Tool::Blue => Some(Brush::Blue),
            Tool::Eraser => Some(Brush::Erase),
            Tool::Barrier => Some(Brush::Barrier),
            Tool::Target => Some(Brush::Target),
        }
    }

    const SPARES_CELLS: bool = true;
}

/// reZolution on a new table.
pub(super) fn rezolution(
    settings: Settings,
    board: RezolutionBoard,
    seed: u64,
    choice: EngineName,
    engine_factory: &EngineFactory,
) -> Result<RezolutionView, AppError> {
    let engine_factory = engine_factory.clone();
    let factory = Box::new(move |ruleset| (engine_factory.rezolution)(choice, ruleset));
    RunView::new(GameName::Rezolution, settings, board, seed, choice, factory)
}

impl RezolutionView {
    /// Does what concerns reZolution; other actions change nothing.
    pub(super) fn apply(
        &mut self,
        command: &Command,
        seed: impl FnOnce() -> u64,
        check_memory: impl Fn(Size) -> Result<(), String>,
    ) -> Result<(), AppError> {
        match *command {
            Command::Rezolution(RezolutionCommand::Draft(draft)) => {
                self.session.set_draft(draft)?
            }
            Command::Rezolution(RezolutionCommand::Demo(requested)) => {
                if self.session.is_locked() {
                    return Err(SessionError::Unapplied.into());
                }
                let seed = requested.unwrap_or_else(seed);
                self.session.demo(seed)?;
                self.extras = seed;
                self.began();
            }
            _ => return self.follow(command, check_memory),
        }
        self.note();
        Ok(())
    }
}
