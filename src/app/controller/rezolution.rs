//! What the controller does about reZolution, whose boards are of another kind.

use super::files::picture_size;
use super::{Controller, Game};
use crate::app::command::{Command, FilePurpose};
use crate::app::error::AppError;
use crate::app::flash_limiter::FlashLimiter;
use crate::app::rezolution::{RezolutionView, rezolution};
use crate::app::run_view::{RunStatus, RunSummary};
use crate::board::{Board as _, Edges, RezolutionBoard, start};
use crate::format::rezolution::{RezolutionDocument, RezolutionPattern};
use crate::game::opening::GameName;
use crate::game::rezolution::{DEMO_DENSITY, Settings};
use crate::game::session::Speed;
use crate::render::Draw;
use crate::store::window_memory::SavedRezolution;

/// The most cells of a board that is packed for the memory; what is larger is not read back from
/// the device for it.
const MOST_CELLS_KEPT: u64 = 1 << 22;

/// The game of reZolution while another one is on the table.
pub(super) enum InactiveRezolution {
    /// It was never opened.
    NeverOpened,
    /// As it was left when the program was run before.
    Saved(SavedRezolution),
    /// As it was left since.
    Open(Box<RezolutionView>),
}

impl Controller {
    /// What panels show of reZolution; `None` while another game is on the table.
    pub fn rezolution_status(&mut self) -> Option<RunStatus<Settings>> {
        match &mut self.game {
            Game::Rezolution(table) => Some(table.status()),
            _ => None,
        }
    }

    /// The present board, if it is one of populations.
    ///
    /// # Errors
    /// One line if the engine failed, or the board is another one.
    pub fn populations(&mut self) -> Result<RezolutionBoard, String> {
        match &mut self.game {
            Game::Rezolution(table) => table.session().board().map_err(|error| error.to_string()),
            _ => Err("this board has no populations".into()),
        }
    }

    /// The game on the table.
    pub(in crate::app) fn kind(&self) -> GameName {
        match &self.game {
            Game::Battle(battle) => battle.kind(),
            Game::Fragment(_) => GameName::Fragment,
            Game::Immigration(_) => GameName::Immigration,
            Game::Rezolution(_) => GameName::Rezolution,
        }
    }

    /// The run on the table, a battle or one of reZolution.
    pub(in crate::app) fn run_summary(&mut self) -> Option<RunSummary> {
        match &mut self.game {
            Game::Battle(battle) => Some(battle.status().summary()),
            Game::Rezolution(table) => Some(table.status().summary()),
            Game::Fragment(_) | Game::Immigration(_) => None,
        }
    }

    /// Puts reZolution on the table: on a board that is asked for, else as it was left, else on a
    /// demo.
    pub(super) fn open_rezolution(
        &mut self,
        requested: Option<(Settings, RezolutionBoard, Option<u64>)>,
    ) -> Result<(), AppError> {
        match (
            requested,
            std::mem::replace(
                &mut self.inactive_rezolution,
                InactiveRezolution::NeverOpened,
            ),
        ) {
            (Some((settings, board, seed)), last) => {
                let (last_seed, speed) = match last {
                    InactiveRezolution::NeverOpened => (0, None),
                    InactiveRezolution::Saved(saved) => (saved.seed, Some(saved.speed)),
                    InactiveRezolution::Open(mut table) => {
                        (table.extras, Some(table.status().speed))
                    }
                };
                self.start_rezolution(settings, board, seed.unwrap_or(last_seed), speed)
            }
            (None, InactiveRezolution::Open(table)) => {
                self.switch_game(Game::Rezolution(table));
                self.flashes = FlashLimiter::default();
                self.use_chosen_engine()
            }
            (None, InactiveRezolution::Saved(saved)) => self.restore_rezolution(&saved),
            (None, InactiveRezolution::NeverOpened) => {
                let seed = self.platform.random_seed();
                self.start_demo(standard()?, seed, None)
            }
        }
    }

    /// Opens a file of populations.
    pub(super) fn open_populations(
        &mut self,
        name: &str,
        pattern: RezolutionPattern,
    ) -> Result<(), AppError> {
        let settings = Settings {
            size: pattern.board.size(),
            edges: pattern.edges.unwrap_or(Edges::Dead),
        };
        match self.rezolution_status() {
            Some(status) => {
                let (seed, speed) = (status.extras, Some(status.speed));
                self.start_rezolution(settings, pattern.board, seed, speed)?;
            }
            None => self.open_rezolution(Some((settings, pattern.board, None)))?,
        }
        self.dialog = None;
        self.notify(format!("Opened {name}"));
        Ok(())
    }

    /// Writes the board, or a picture of it.
    pub(super) fn write_rezolution(
        &mut self,
        purpose: FilePurpose,
        name: &str,
    ) -> Result<(), AppError> {
        let board = self.populations()?;
        let Some(status) = self.rezolution_status() else {
            return Ok(());
        };
        match purpose {
            FilePurpose::Save => {
                let document = RezolutionDocument {
                    board: &board,
                    edges: Some(status.settings.edges),
                    generation: status.generation,
                };
                self.platform.write_rezolution(name, &document)?;
            }
            FilePurpose::PictureOfBoard | FilePurpose::PictureOfView => {
                let picture = board.draw(picture_size(board.size()));
                let picture = picture.map_err(|error| error.to_string())?;
                self.platform.write_picture(name, &picture)?;
            }
            FilePurpose::Open | FilePurpose::Film => return Ok(()),
        }
        self.dialog = None;
        self.notify(format!("Saved {name}"));
        Ok(())
    }

    /// What is to be remembered of reZolution, and why its board is not, if it is not.
    pub(super) fn rezolution_to_keep(&mut self) -> (Option<SavedRezolution>, Option<String>) {
        let table = match (&mut self.game, &mut self.inactive_rezolution) {
            (Game::Rezolution(table), _) | (_, InactiveRezolution::Open(table)) => table,
            (_, InactiveRezolution::Saved(saved)) => return (Some(saved.clone()), None),
            (_, InactiveRezolution::NeverOpened) => return (None, None),
        };
        let status = table.status();
        let board = if status.settings.size.cells() > MOST_CELLS_KEPT {
            None
        } else {
            table.session().board().ok()
        };
        let (saved, why) = SavedRezolution::new(
            board.as_ref(),
            status.settings,
            status.is_locked.then_some(status.draft),
            status.extras,
            status.speed,
        );
        (Some(saved), why)
    }

    /// Begins anew from the present board, on the engine that is chosen now.
    pub(super) fn change_engine(&mut self) -> Result<(), AppError> {
        if let Some(status) = self.rezolution_status() {
            let board = self.populations()?;
            return self.start_rezolution(
                status.settings,
                board,
                status.extras,
                Some(status.speed),
            );
        }
        let (settings, kind) = self.battle_settings()?;
        let board = self.board()?;
        self.start_battle(kind, settings, board)
    }

    /// Another engine may have been chosen while the run on the table lay aside.
    pub(super) fn use_chosen_engine(&mut self) -> Result<(), AppError> {
        let engine = match &self.game {
            Game::Battle(battle) => battle.engine(),
            Game::Rezolution(table) => table.engine(),
            Game::Fragment(_) | Game::Immigration(_) => return Ok(()),
        };
        if engine == self.choice {
            return Ok(());
        }
        self.change_engine()
    }

    fn restore_rezolution(&mut self, saved: &SavedRezolution) -> Result<(), AppError> {
        let settings = saved.settings()?;
        let speed = Some(saved.speed);
        let (text, is_error) = match saved.board() {
            Ok(Some(board)) => {
                self.start_rezolution(settings, board, saved.seed, speed)?;
                ("The last board, paused at generation 0".into(), false)
            }
            Ok(None) => {
                self.start_demo(settings, saved.seed, speed)?;
                let text = "The last board was too large to be kept; this is a new one";
                (text.into(), false)
            }
            Err(why) => {
                self.start_demo(standard()?, saved.seed, speed)?;
                (why, true)
            }
        };
        if let Some(draft) = saved.draft()? {
            let command = Command::Rezolution(crate::app::command::RezolutionCommand::Draft(draft));
            self.run_action(&command)?;
        }
        if is_error {
            self.notify_error(text);
        } else {
            self.notify(text);
        }
        Ok(())
    }

    fn start_demo(
        &mut self,
        settings: Settings,
        seed: u64,
        speed: Option<Speed>,
    ) -> Result<(), AppError> {
        let bytes = RezolutionBoard::bytes(settings.size);
        self.platform.check_memory(settings.size, bytes)?;
        let empty = RezolutionBoard::new(settings.size).map_err(|error| error.to_string())?;
        let board = start::demo(&empty, DEMO_DENSITY, seed).map_err(|error| error.to_string())?;
        self.start_rezolution(settings, board, seed, speed)
    }

    /// Puts another run of reZolution on the table.
    fn start_rezolution(
        &mut self,
        settings: Settings,
        board: RezolutionBoard,
        seed: u64,
        speed: Option<Speed>,
    ) -> Result<(), AppError> {
        let size = board.size();
        self.platform
            .check_memory(size, RezolutionBoard::bytes(size))?;
        let mut table = rezolution(settings, board, seed, self.choice, &self.engine_factory)?;
        if let Some(speed) = speed {
            table.set_speed(speed);
        }
        self.flashes = FlashLimiter::default();
        if let Game::Rezolution(last) = &mut self.game {
            let fits = last.session().settings().size == size;
            table.keep_settings_of(last);
            // So that what is drawn is known to be another board.
            table.come_after(last);
            self.game = Game::Rezolution(Box::new(table));
            if !fits {
                self.display.camera = None;
            }
        } else {
            self.switch_game(Game::Rezolution(Box::new(table)));
        }
        Ok(())
    }
}

fn standard() -> Result<Settings, String> {
    Settings::standard().map_err(|error| error.to_string())
}
