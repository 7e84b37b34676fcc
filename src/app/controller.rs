//! The controller: carries out every command, lets time pass, and owns the game in progress.

mod active_game;
mod files;
mod opening;
pub(super) mod recording;
mod rezolution;
mod saving;
mod switch;
mod view;

pub(super) use self::active_game::ActiveGame;
pub(super) use self::view::Display;

use std::time::Duration;

use glam::UVec2;

use self::files::{is_record, with_ruleset};
use self::recording::Recording;
use self::rezolution::InactiveRezolution;
use super::command::{
    BattleCommand, Command, Dialog, FilePurpose, FragmentCommand, ImmigrationCommand,
    RezolutionCommand, RunCommand,
};
use super::error::AppError;
use super::flash_limiter::FlashLimiter;
use super::life_battle::Battle;
use super::panels::file::FileForm;
use super::panels::film::FilmForm;
use super::panels::fragment::FragmentForm;
use super::panels::immigration::ImmigrationForm;
use super::panels::life_battle::BattleForm;
use super::panels::rezolution::RezolutionForm;
use super::platform::{EngineFactory, EngineName, Platform};
use super::run_status::{RunStatus, RunSummary};
use super::run_view::Run as _;
use crate::board::LifelikeBoard;
use crate::format::{Content, Limits, share_code};
use crate::game::fragment;
use crate::game::life_battle::Settings;
use crate::game::opening::GameName;
pub use crate::game::opening::Opening;

/// How long after an edit the board is saved: strokes follow each other.
const SAVE_DELAY: Duration = Duration::from_secs(2);

/// A line for the user, shown until it is dismissed or replaced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// Its text.
    pub text: String,
    /// Whether it reports an error.
    pub is_error: bool,
}

/// The state of the window.
pub struct Controller {
    engine_factory: EngineFactory,
    pub(super) platform: Box<dyn Platform>,
    pub(super) engine_choice: EngineName,
    /// The name of the device that draws.
    pub(super) adapter: String,
    pub(super) game: ActiveGame,
    /// The battle while another game is active.
    inactive_battle: Option<Box<Battle>>,
    /// The run of reZolution while another game is active.
    inactive_rezolution: InactiveRezolution,
    pub(super) dialog: Option<Dialog>,
    pub(super) display: Display,
    pub(super) notice: Option<Notice>,
    pub(super) battle_form: BattleForm,
    pub(super) file_form: FileForm,
    pub(super) film_form: FilmForm,
    pub(super) paste_form: String,
    recording: Option<Recording>,
    pub(super) fragment_form: Option<FragmentForm>,
    pub(super) immigration_form: ImmigrationForm,
    pub(super) rezolution_form: RezolutionForm,
    /// The cell under the pointer.
    pub(super) pointed_at: Option<UVec2>,
    pub(super) flashes: FlashLimiter,
    /// Text for the clipboard.
    pub(super) copied: Option<String>,
    pub(super) wants_to_quit: bool,
    /// Why the device failed, once it has.
    pub(super) device_failure: Option<String>,
    saved_edit_count: u64,
    changed_at: Option<Duration>,
    /// Whether a notice has warned that the board is too large to be saved.
    warned_too_large: bool,
    now: Duration,
}

impl Controller {
    /// The status of the battle; `None` while another game is active.
    pub fn battle_status(&self) -> Option<RunStatus<Settings>> {
        match &self.game {
            ActiveGame::Battle(run) => Some(run.status()),
            ActiveGame::Fragment(_) | ActiveGame::Immigration(_) | ActiveGame::Rezolution(_) => {
                None
            }
        }
    }

    /// The settings of the puzzle; `None` while another game is active.
    pub(super) fn fragment_settings(&self) -> Option<fragment::Settings> {
        match &self.game {
            ActiveGame::Fragment(view) => Some(view.game().settings()),
            ActiveGame::Battle(_) | ActiveGame::Immigration(_) | ActiveGame::Rezolution(_) => None,
        }
    }

    /// What every run shows; `None` while a game without a run is active.
    pub(super) fn run_summary(&self) -> Option<RunSummary> {
        self.game.run().map(|run| run.summary())
    }

    /// The notice, if one is shown.
    pub const fn notice(&self) -> Option<&Notice> {
        self.notice.as_ref()
    }

    /// Why the device failed, once it has.
    pub fn failure(&self) -> Option<&str> {
        self.device_failure.as_deref()
    }

    /// The present board, if its cells are dead, red and blue.
    ///
    /// # Errors
    /// One line if the engine failed or the board belongs to reZolution.
    pub fn board(&mut self) -> Result<LifelikeBoard, String> {
        match &mut self.game {
            ActiveGame::Battle(run) => run.session.board().map_err(|error| error.to_string()),
            ActiveGame::Fragment(view) => Ok(view.game().field().clone()),
            ActiveGame::Immigration(view) => Ok(view.game().board().clone()),
            ActiveGame::Rezolution(_) => Err("this is a board of populations".into()),
        }
    }

    /// Lets time pass: `now` is counted from any fixed zero, `frame` since the last call. Returns how long to
    /// wait for the next call; `None` if nothing is in progress.
    pub fn tick(&mut self, now: Duration, frame: Duration) -> Option<Duration> {
        self.now = now;
        let ticked = if self.recording.is_some() {
            self.tick_filmed(now, frame)
        } else {
            self.tick_game(now, frame)
        };
        let mut wait = match ticked {
            Ok(wait) => wait,
            Err(error) => {
                self.report(error);
                None
            }
        };
        if let Some(run) = self.game.run()
            && run.edit_count() != self.saved_edit_count
        {
            self.saved_edit_count = run.edit_count();
            self.changed_at = Some(now);
        }
        if let Some(changed) = self.changed_at {
            let due = changed + SAVE_DELAY;
            if now >= due {
                self.save_window_memory();
            } else {
                let left = due.saturating_sub(now);
                wait = Some(wait.map_or(left, |wait| wait.min(left)));
            }
        }
        wait
    }

    /// Carries out a command; a failure is shown as a notice.
    pub fn apply(&mut self, command: impl Into<Command>) {
        let command = command.into();
        // A notice is about the last command, except those that come in great numbers.
        let keeps_notice = matches!(
            command,
            Command::View(_)
                | Command::Run(
                    RunCommand::Touch(_) | RunCommand::MoveCursor(_) | RunCommand::SetSpeed(_)
                )
        );
        if !keeps_notice {
            self.notice = None;
        }
        if let Err(error) = self.try_apply(command).and_then(|()| self.film()) {
            self.report(error);
        }
    }

    /// Finishes the film and saves board and settings.
    pub fn close(&mut self) {
        if let Err(error) = self.finish_film() {
            self.report(error);
        }
        self.save_window_memory();
    }

    /// Shows a notice.
    pub(super) fn notify(&mut self, text: String) {
        self.notice = Some(Notice {
            text,
            is_error: false,
        });
    }

    /// Shows a notice of an error.
    pub(super) fn notify_error(&mut self, text: String) {
        self.notice = Some(Notice {
            text,
            is_error: true,
        });
    }

    /// Shows an error. If the device failed, the window closes.
    pub(super) fn report(&mut self, error: AppError) {
        match error {
            AppError::Message(reason) => self.notify_error(reason),
            AppError::Device(reason) => {
                self.notify_error(reason.clone());
                self.device_failure.get_or_insert(reason);
            }
        }
    }

    fn tick_game(&mut self, now: Duration, frame: Duration) -> Result<Option<Duration>, AppError> {
        match &mut self.game {
            ActiveGame::Battle(run) => run.tick(now, frame),
            ActiveGame::Immigration(view) => view.tick(frame, &*self.platform),
            ActiveGame::Rezolution(run) => run.tick(now, frame),
            ActiveGame::Fragment(_) => Ok(None),
        }
    }

    fn try_apply(&mut self, command: Command) -> Result<(), AppError> {
        match command {
            Command::ChooseGame(name) => self.choose_game(name),
            Command::Show(dialog) => {
                self.show(dialog);
                Ok(())
            }
            Command::Dismiss => {
                self.dialog = None;
                Ok(())
            }
            Command::Quit => {
                self.wants_to_quit = true;
                Ok(())
            }
            Command::UseEngine(choice) => self.use_engine(choice),
            Command::Run(command) => self.apply_run(command),
            Command::Battle(command) => self.apply_battle(command),
            Command::Rezolution(command) => self.apply_rezolution(command),
            Command::Immigration(command) => self.apply_immigration(command),
            Command::Fragment(command) => self.apply_fragment(command),
            Command::View(command) => {
                self.change_view(command);
                Ok(())
            }
            Command::Open(name) if is_record(&name) => self.open_record(&name),
            Command::Open(name) => {
                let content = self.platform.read(&name)?;
                self.open_content(&name, content)
            }
            Command::Write(purpose, name) => self.write(purpose, &name),
            Command::Record(name, plan) => self.record(name, plan),
            Command::StopRecording => self.finish_film(),
            Command::CopyCode => self.copy_code(),
            Command::PasteCode(code) => self.paste_code(&code),
        }
    }

    /// Opens what a file holds.
    fn open_content(&mut self, name: &str, content: Content) -> Result<(), AppError> {
        let content = match content {
            Content::Rezolution(pattern) => return self.open_populations(name, pattern),
            content => content,
        };
        let family = content.family();
        match content.into_lifelike() {
            Some(pattern) => self.open(name, &pattern),
            None => Err(AppError::Message(format!(
                "{name}: this is {}, which the window does not show",
                family.board()
            ))),
        }
    }

    fn apply_run(&mut self, command: RunCommand) -> Result<(), AppError> {
        let (size, _) = self.game.shape();
        let Some(run) = self.game.run_mut() else {
            return Ok(());
        };
        run.apply(command, &*self.platform)?;
        let cursor = run.summary().cursor;
        self.fit_if_resized(size);
        match command {
            RunCommand::Discard => self.changed_at = Some(self.now),
            RunCommand::MoveCursor(_) => {
                if let (Some(camera), Some(cursor)) = (&mut self.display.camera, cursor) {
                    camera.reveal(cursor, self.display.canvas);
                }
            }
            RunCommand::TogglePlay
            | RunCommand::Step
            | RunCommand::Restart
            | RunCommand::SetSpeed(_)
            | RunCommand::PauseEvery(_)
            | RunCommand::Apply
            | RunCommand::Clear
            | RunCommand::SetTool(_)
            | RunCommand::BeginStroke(_)
            | RunCommand::Touch(_)
            | RunCommand::EndStroke
            | RunCommand::CancelStroke
            | RunCommand::Undo
            | RunCommand::Redo
            | RunCommand::PaintAtCursor { .. } => {}
        }
        Ok(())
    }

    fn apply_battle(&mut self, command: BattleCommand) -> Result<(), AppError> {
        let (size, _) = self.game.shape();
        let ActiveGame::Battle(run) = &mut self.game else {
            return Ok(());
        };
        run.apply_battle(command, &*self.platform)?;
        self.fit_if_resized(size);
        match command {
            BattleCommand::SetDraft(_)
            | BattleCommand::SetStartPattern(_)
            | BattleCommand::SetDensity(_) => self.changed_at = Some(self.now),
            BattleCommand::Generate | BattleCommand::GenerateNew => {}
        }
        Ok(())
    }

    fn apply_rezolution(&mut self, command: RezolutionCommand) -> Result<(), AppError> {
        if let ActiveGame::Rezolution(run) = &mut self.game {
            run.apply_rezolution(command, &*self.platform)?;
            self.changed_at = Some(self.now);
        }
        Ok(())
    }

    fn apply_immigration(&mut self, command: ImmigrationCommand) -> Result<(), AppError> {
        if let ActiveGame::Immigration(view) = &mut self.game {
            view.apply(command, &*self.platform)?;
        }
        if matches!(command, ImmigrationCommand::NewGame(..)) {
            self.display.camera = None;
        }
        Ok(())
    }

    fn apply_fragment(&mut self, command: FragmentCommand) -> Result<(), AppError> {
        if let ActiveGame::Fragment(view) = &mut self.game {
            view.apply(command, &*self.platform)?;
        }
        if matches!(command, FragmentCommand::NewGame(..)) {
            self.display.camera = None;
        }
        Ok(())
    }

    /// Fits the board into the canvas again if it no longer has this size.
    fn fit_if_resized(&mut self, last: crate::board::Size) {
        if self.game.shape().0 != last {
            self.display.camera = None;
        }
    }

    fn use_engine(&mut self, choice: EngineName) -> Result<(), AppError> {
        let last = std::mem::replace(&mut self.engine_choice, choice);
        if let Err(error) = self.change_engine() {
            self.engine_choice = last;
            return Err(error);
        }
        self.notify("A new run from this board, on the engine chosen".into());
        Ok(())
    }

    fn copy_code(&mut self) -> Result<(), AppError> {
        let (settings, _) = self.battle_settings()?;
        let board = self.board()?;
        let code =
            share_code::encode(&board, settings.ruleset()).map_err(|error| error.to_string())?;
        self.notify(format!("Share code copied ({} characters)", code.len()));
        self.copied = Some(code);
        Ok(())
    }

    fn paste_code(&mut self, code: &str) -> Result<(), AppError> {
        let (settings, name) = self.battle_settings()?;
        let limits = Limits::default();
        let (board, ruleset) =
            share_code::decode(code, &limits).map_err(|error| error.to_string())?;
        self.dialog = None;
        self.paste_form.clear();
        self.start_battle(name, with_ruleset(settings, ruleset), board)?;
        self.notify("Board pasted from a share code".into());
        Ok(())
    }

    fn show(&mut self, dialog: Dialog) {
        if let Dialog::File(purpose) = dialog {
            self.file_form.begin(purpose, &*self.platform);
            let (size, _) = self.game.shape();
            self.film_form.fit(size);
            if purpose == FilePurpose::Save {
                match self.game.name() {
                    GameName::Rezolution => self.file_form.suggest("board.rez"),
                    // A record holds more than the board.
                    GameName::Immigration => self.file_form.suggest("game.json"),
                    GameName::Battle | GameName::Duel | GameName::Fragment => {}
                }
            }
        }
        self.dialog = Some(dialog);
    }
}
