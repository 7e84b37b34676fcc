//! reZolution on the table: what it has that other runs have not.

use super::actions::{Action, Kind, Rezolution, Tool};
use super::battle::Refusal;
use super::platform::{EngineChoice, Makers};
use super::table::{Table, WindowFamily};
use crate::board::{RezolutionBoard, Size};
use crate::game::rezolution::{Settings, Tool as Brush};
use crate::game::session::SessionError;

/// reZolution under way. Beside its session there is the seed of the last demo.
pub(super) type RezolutionTable = Table<Settings>;

impl WindowFamily for Settings {
    type Beside = u64;

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
    choice: EngineChoice,
    makers: &Makers,
) -> Result<RezolutionTable, Refusal> {
    let makers = makers.clone();
    let factory = Box::new(move |ruleset| (makers.rezolution)(choice, ruleset));
    Table::new(Kind::Rezolution, settings, board, seed, choice, factory)
}

impl RezolutionTable {
    /// Does what concerns reZolution; other actions change nothing.
    pub(super) fn apply(
        &mut self,
        action: &Action,
        seed: impl FnOnce() -> u64,
        check_memory: impl Fn(Size) -> Result<(), String>,
    ) -> Result<(), Refusal> {
        match *action {
            Action::Rezolution(Rezolution::Draft(draft)) => self.session.set_draft(draft)?,
            Action::Rezolution(Rezolution::Demo(asked)) => {
                if self.session.is_locked() {
                    return Err(SessionError::Unapplied.into());
                }
                let seed = asked.unwrap_or_else(seed);
                self.session.demo(seed)?;
                self.beside = seed;
                self.began();
            }
            _ => return self.follow(action, check_memory),
        }
        self.note();
        Ok(())
    }
}
