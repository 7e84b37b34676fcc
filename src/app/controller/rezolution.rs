//! reZolution, whose boards hold populations.

use super::files::picture_size;
use super::{ActiveGame, Controller};
use crate::app::command::{FilePurpose, RezolutionCommand};
use crate::app::error::AppError;
use crate::app::flash_limiter::FlashLimiter;
use crate::app::rezolution::{RezolutionView, rezolution};
use crate::app::run_status::RunStatus;
use crate::board::{Board as _, Edges, RezolutionBoard, start};
use crate::format::rezolution::{RezolutionDocument, RezolutionPattern};
use crate::game::rezolution::{DEMO_DENSITY, Settings};
use crate::game::session::Speed;
use crate::render::Draw;
use crate::store::window_memory::SavedRezolution;

/// The most cells of a board that is saved for the next start. A larger one is not read back from the
/// device for that.
const MAX_SAVED_CELLS: u64 = 1 << 22;

/// The run of reZolution while another game is active.
pub(super) enum InactiveRezolution {
    /// There was none yet.
    NeverOpened,
    /// It was saved when the program was last closed.
    Saved(SavedRezolution),
    /// It was opened since the program started.
    Open(Box<RezolutionView>),
}

impl Controller {
    /// The status of reZolution; `None` while another game is active.
    pub fn rezolution_status(&self) -> Option<RunStatus<Settings>> {
        match &self.game {
            ActiveGame::Rezolution(run) => Some(run.status()),
            ActiveGame::Battle(_) | ActiveGame::Fragment(_) | ActiveGame::Immigration(_) => None,
        }
    }

    /// The present board, if it holds populations.
    ///
    /// # Errors
    /// One line if the engine failed or the board belongs to another game.
    pub fn populations(&mut self) -> Result<RezolutionBoard, String> {
        match &mut self.game {
            ActiveGame::Rezolution(run) => run.session.board().map_err(|error| error.to_string()),
            ActiveGame::Battle(_) | ActiveGame::Fragment(_) | ActiveGame::Immigration(_) => {
                Err("this board has no populations".into())
            }
        }
    }

    /// Switches to reZolution: on the requested board, else on the last one, else on a demo.
    pub(super) fn open_rezolution(
        &mut self,
        requested: Option<(Settings, RezolutionBoard, Option<u64>)>,
    ) -> Result<(), AppError> {
        let inactive = std::mem::replace(
            &mut self.inactive_rezolution,
            InactiveRezolution::NeverOpened,
        );
        match (requested, inactive) {
            (Some((settings, board, seed)), last) => {
                let (last_seed, speed) = match last {
                    InactiveRezolution::NeverOpened => (0, None),
                    InactiveRezolution::Saved(saved) => (saved.seed, Some(saved.speed)),
                    InactiveRezolution::Open(run) => (run.extras, Some(run.status().speed)),
                };
                self.start_rezolution(settings, board, seed.unwrap_or(last_seed), speed)
            }
            (None, InactiveRezolution::Open(run)) => {
                self.switch_game(ActiveGame::Rezolution(run));
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

    /// Writes the board or a picture of it.
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

    /// What is saved of reZolution for the next start, and the reason if its board is not.
    pub(super) fn rezolution_memory(&mut self) -> (Option<SavedRezolution>, Option<String>) {
        let run = match (&mut self.game, &mut self.inactive_rezolution) {
            (ActiveGame::Rezolution(run), _) | (_, InactiveRezolution::Open(run)) => run,
            (_, InactiveRezolution::Saved(saved)) => return (Some(saved.clone()), None),
            (_, InactiveRezolution::NeverOpened) => return (None, None),
        };
        let status = run.status();
        let board = if status.settings.size.cells() > MAX_SAVED_CELLS {
            None
        } else {
            run.session.board().ok()
        };
        let (saved, unsaved) = SavedRezolution::new(
            board.as_ref(),
            status.settings,
            status.is_locked.then_some(status.draft),
            status.extras,
            status.speed,
        );
        (Some(saved), unsaved)
    }

    /// Restarts the run from the present board on the chosen engine.
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
        let (settings, name) = self.battle_settings()?;
        let board = self.board()?;
        self.start_battle(name, settings, board)
    }

    /// Changes the engine of the run if another one was chosen while the run was inactive.
    pub(super) fn use_chosen_engine(&mut self) -> Result<(), AppError> {
        match self.game.run() {
            Some(run) if run.engine() != self.engine_choice => self.change_engine(),
            Some(_) | None => Ok(()),
        }
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
            Err(reason) => {
                self.start_demo(standard()?, saved.seed, speed)?;
                (reason, true)
            }
        };
        if let Some(draft) = saved.draft()? {
            self.apply_rezolution(RezolutionCommand::SetDraft(draft))?;
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

    /// Starts a run of reZolution in place of the active game.
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
        let mut run = rezolution(
            settings,
            board,
            seed,
            self.engine_choice,
            &self.engine_factory,
        )?;
        if let Some(speed) = speed {
            run.set_speed(speed);
        }
        self.flashes = FlashLimiter::default();
        if let ActiveGame::Rezolution(last) = &self.game {
            let fits = last.session.settings().size == size;
            run.succeed(last);
            self.game = ActiveGame::Rezolution(Box::new(run));
            if !fits {
                self.display.camera = None;
            }
        } else {
            self.switch_game(ActiveGame::Rezolution(Box::new(run)));
        }
        Ok(())
    }
}

fn standard() -> Result<Settings, String> {
    Settings::standard().map_err(|error| error.to_string())
}
