//! The one place where what a person asks for is done.

mod files;
mod opening;
pub(super) mod recording;
mod rezolution;

use std::time::Duration;

use self::files::{is_record, with_ruleset};
use self::recording::Recording;
use self::rezolution::InactiveRezolution;
use super::command::{Command, Dialog, FilePurpose, ImmigrationCommand, ViewCommand};
use super::error::AppError;
use super::flash_limiter::FlashLimiter;
use super::fragment::FragmentView;
use super::immigration::ImmigrationView;
use super::life_battle::{Battle, battle};
use super::panels::file::FileForm;
use super::panels::film::FilmForm;
use super::panels::fragment::FragmentForm;
use super::panels::immigration::ImmigrationForm;
use super::panels::life_battle::BattleForm;
use super::panels::rezolution::RezolutionForm;
use super::platform::{EngineFactory, EngineName, Platform};
use super::rezolution::RezolutionView;
use super::run_view::RunStatus;
use crate::board::{Board as _, Edges, LifelikeBoard, RezolutionBoard, Size};
use crate::format::{Content, Limits, share_code};
use crate::game::fragment;
use crate::game::immigration::{self, Player, Setup};
use crate::game::life_battle::{Settings, StartPattern};
use crate::game::opening::GameName;
pub use crate::game::opening::Opening;
use crate::game::opponent::PlayerKind;
use crate::render::camera::{Camera, Zoom};
use crate::rules::Rule;

/// How long after a change the board is remembered: strokes come one after the other.
const REMEMBER_AFTER: Duration = Duration::from_secs(2);

/// The game on the table.
pub(super) enum Game {
    Battle(Box<Battle>),
    Fragment(Box<FragmentView>),
    Immigration(Box<ImmigrationView>),
    Rezolution(Box<RezolutionView>),
}

/// How boards are shown.
#[derive(Clone, Copy, Debug)]
pub(super) struct Display {
    /// `None` until the size of the canvas is known, and when the board is to be fitted anew.
    pub(super) camera: Option<Camera>,
    /// Columns and rows of pixels of the canvas.
    pub(super) canvas: (u32, u32),
    pub(super) lines: bool,
    pub(super) any_live: bool,
    pub(super) limit_flashes: bool,
    pub(super) chart: bool,
    pub(super) light: bool,
}

/// A line for the person, shown until it is dismissed or another one comes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// What it says.
    pub text: String,
    /// Whether something went wrong.
    pub is_error: bool,
}

/// Everything the window knows.
pub struct Controller {
    engine_factory: EngineFactory,
    pub(super) platform: Box<dyn Platform>,
    pub(super) choice: EngineName,
    /// The name of the device that draws.
    pub(super) adapter: String,
    pub(super) game: Game,
    /// The battle, while another game is on the table.
    inactive_battle: Option<Box<Battle>>,
    /// The game of reZolution, while another one is on the table.
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
    pub(super) pointed_at: Option<(u32, u32)>,
    pub(super) flashes: FlashLimiter,
    /// To be put on the clipboard.
    pub(super) copied: Option<String>,
    pub(super) wants_to_quit: bool,
    /// What the device said when it failed.
    pub(super) device_failure: Option<String>,
    saved_edit_count: u64,
    changed_at: Option<Duration>,
    /// Whether the person knows that the board is too large to be remembered.
    warned_too_large: bool,
    now: Duration,
}

impl Controller {
    /// What panels show of the battle; `None` while another game is on the table.
    pub fn battle_status(&mut self) -> Option<RunStatus<Settings>> {
        match &mut self.game {
            Game::Battle(battle) => Some(battle.status()),
            _ => None,
        }
    }

    /// The settings of the puzzle; `None` while another game is on the table.
    pub(super) fn fragment_settings(&self) -> Option<fragment::Settings> {
        match &self.game {
            Game::Fragment(puzzle) => Some(puzzle.game().settings()),
            _ => None,
        }
    }

    /// The line that is shown, if there is one.
    pub const fn notice(&self) -> Option<&Notice> {
        self.notice.as_ref()
    }

    /// The present board, if it is one of dead, red and blue cells.
    ///
    /// # Errors
    /// One line if the engine failed, or the board is another one.
    pub fn board(&mut self) -> Result<LifelikeBoard, String> {
        match &mut self.game {
            Game::Battle(battle) => battle.session().board().map_err(|error| error.to_string()),
            Game::Fragment(puzzle) => Ok(puzzle.game().field().clone()),
            Game::Immigration(table) => Ok(table.game().board().clone()),
            Game::Rezolution(_) => Err("this is a board of populations".into()),
        }
    }

    /// The size and edges of the board that is shown.
    pub(super) fn shape(&mut self) -> (Size, Edges) {
        match &mut self.game {
            Game::Battle(battle) => {
                let settings = battle.session().settings();
                (settings.size, settings.edges)
            }
            Game::Fragment(puzzle) => (puzzle.game().settings().field(), Edges::Dead),
            Game::Immigration(table) => (table.game().setup().size(), Edges::Torus),
            Game::Rezolution(table) => {
                let settings = table.session().settings();
                (settings.size, settings.edges)
            }
        }
    }

    pub(super) const fn revision(&self) -> u64 {
        match &self.game {
            Game::Battle(battle) => battle.revision(),
            Game::Fragment(puzzle) => puzzle.revision(),
            Game::Immigration(table) => table.revision(),
            Game::Rezolution(table) => table.revision(),
        }
    }

    /// Lets time pass: `now` from any fixed zero, `frame` since the last time. Returns how long to
    /// wait for the next time; `None` if nothing is under way.
    pub fn tick(&mut self, now: Duration, frame: Duration) -> Option<Duration> {
        self.now = now;
        let mut wait = None;
        let ticked = if self.recording.is_some() {
            self.tick_filmed(now, frame)
        } else {
            self.tick_game(now, frame)
        };
        match ticked {
            Ok(next) => wait = next,
            Err(error) => self.report(error),
        }
        let edit_count = match &self.game {
            Game::Battle(battle) => battle.edit_count(),
            Game::Rezolution(table) => table.edit_count(),
            Game::Fragment(_) | Game::Immigration(_) => self.saved_edit_count,
        };
        if edit_count != self.saved_edit_count {
            self.saved_edit_count = edit_count;
            self.changed_at = Some(now);
        }
        if let Some(changed) = self.changed_at {
            let due = changed + REMEMBER_AFTER;
            if now >= due {
                self.save_window_memory();
            } else {
                let left = due.saturating_sub(now);
                wait = Some(wait.map_or(left, |wait: Duration| wait.min(left)));
            }
        }
        wait
    }

    fn tick_game(&mut self, now: Duration, frame: Duration) -> Result<Option<Duration>, AppError> {
        match &mut self.game {
            Game::Battle(battle) => battle.tick(now, frame),
            Game::Immigration(table) => table.tick(frame, &*self.platform),
            Game::Rezolution(table) => table.tick(now, frame),
            Game::Fragment(_) => Ok(None),
        }
    }

    /// Does what is asked; what cannot be done is said.
    pub fn apply(&mut self, command: Command) {
        // What was said before is about what was asked before.
        let keeps_notice = matches!(
            command,
            Command::View(_) | Command::Touch(..) | Command::MoveCursor(..) | Command::SetSpeed(_)
        );
        if !keeps_notice {
            self.notice = None;
        }
        if let Err(error) = self.try_apply(command).and_then(|()| self.film()) {
            self.report(error);
        }
    }

    /// Ends what is under way, and keeps board and settings for the next run.
    pub fn close(&mut self) {
        if let Err(error) = self.finish_film() {
            self.report(error);
        }
        self.save_window_memory();
    }

    /// Shows a line.
    pub(super) fn notify(&mut self, text: String) {
        self.notice = Some(Notice {
            text,
            is_error: false,
        });
    }

    /// Shows a line about something that went wrong.
    pub(super) fn notify_error(&mut self, text: String) {
        self.notice = Some(Notice {
            text,
            is_error: true,
        });
    }

    pub(super) fn report(&mut self, error: AppError) {
        match error {
            AppError::Message(reason) => self.notify_error(reason),
            AppError::Device(reason) => {
                self.notify_error(reason.clone());
                self.device_failure.get_or_insert(reason);
            }
        }
    }

    fn try_apply(&mut self, command: Command) -> Result<(), AppError> {
        match command {
            Command::ChooseGame(kind) => self.choose(kind)?,
            Command::Show(dialog) => self.show(dialog),
            Command::Dismiss => self.dialog = None,
            Command::Quit => self.wants_to_quit = true,
            Command::View(look) => self.change_view(look),
            Command::Open(name) if is_record(&name) => self.open_record(&name)?,
            Command::Open(name) => match self.platform.read(&name)? {
                Content::Cells(pattern) => self.open(&name, &pattern)?,
                Content::Rezolution(pattern) => self.open_populations(&name, pattern)?,
            },
            Command::Write(purpose, name) => self.write(purpose, &name)?,
            Command::Record(name, plan) => self.record(name, plan)?,
            Command::StopRecording => self.finish_film()?,
            Command::CopyCode => {
                let (settings, _) = self.battle_settings()?;
                let board = self.board()?;
                let code = share_code::encode(&board, settings.ruleset())
                    .map_err(|error| error.to_string())?;
                self.notify(format!("Share code copied ({} characters)", code.len()));
                self.copied = Some(code);
            }
            Command::PasteCode(code) => {
                let (settings, kind) = self.battle_settings()?;
                let limits = Limits::default();
                let (board, ruleset) =
                    share_code::decode(&code, &limits).map_err(|error| error.to_string())?;
                self.dialog = None;
                self.paste_form.clear();
                self.start_battle(kind, with_ruleset(settings, ruleset), board)?;
                self.notify("Board pasted from a share code".into());
            }
            Command::UseEngine(choice) => {
                let last = std::mem::replace(&mut self.choice, choice);
                if let Err(error) = self.change_engine() {
                    self.choice = last;
                    return Err(error);
                }
                self.notify("A new run from this board, on the engine chosen".into());
            }
            Command::Fragment(puzzle) => {
                if let Game::Fragment(table) = &mut self.game {
                    table.apply(puzzle, &*self.platform)?;
                }
                if matches!(puzzle, super::command::FragmentCommand::NewGame(..)) {
                    self.display.camera = None;
                }
            }
            Command::Immigration(counter) => {
                if let Game::Immigration(table) = &mut self.game {
                    table.apply(counter, &*self.platform)?;
                }
                if matches!(counter, ImmigrationCommand::NewGame(..)) {
                    self.display.camera = None;
                }
            }
            command => self.run_action(&command)?,
        }
        Ok(())
    }

    /// Does what is about a run: a battle, or one of reZolution.
    fn run_action(&mut self, command: &Command) -> Result<(), AppError> {
        let (size, _) = self.shape();
        let platform = &*self.platform;
        let seed = || platform.random_seed();
        let cursor = match &mut self.game {
            Game::Battle(battle) => {
                let check = |size| platform.check_memory(size, LifelikeBoard::bytes(size));
                battle.apply(command, seed, check)?;
                battle.status().cursor
            }
            Game::Rezolution(table) => {
                let check = |size| platform.check_memory(size, RezolutionBoard::bytes(size));
                table.apply(command, seed, check)?;
                table.status().cursor
            }
            Game::Fragment(_) | Game::Immigration(_) => return Ok(()),
        };
        if self.shape().0 != size {
            self.display.camera = None;
        }
        match command {
            Command::Draft(_)
            | Command::Discard
            | Command::Density(_)
            | Command::SetStartPattern(_)
            | Command::Rezolution(_) => self.changed_at = Some(self.now),
            Command::MoveCursor(..) => {
                if let (Some(camera), Some(cursor)) = (&mut self.display.camera, cursor) {
                    camera.reveal(cursor, self.display.canvas);
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn show(&mut self, dialog: Dialog) {
        if let Dialog::File(purpose) = dialog {
            self.file_form.begin(purpose, &*self.platform);
            let (size, _) = self.shape();
            self.film_form.fit(size);
            match (purpose, self.kind()) {
                (FilePurpose::Save, GameName::Rezolution) => self.file_form.suggest("board.rez"),
                // A game says more than its board.
                (FilePurpose::Save, GameName::Immigration) => self.file_form.suggest("game.json"),
                _ => {}
            }
        }
        self.dialog = Some(dialog);
    }

    fn choose(&mut self, kind: GameName) -> Result<(), AppError> {
        self.dialog = None;
        match (kind, &self.game) {
            (GameName::Fragment, Game::Fragment(_))
            | (GameName::Immigration, Game::Immigration(_)) => {}
            (GameName::Fragment, _) => {
                let settings = fragment::Settings::standard().map_err(|error| error.to_string())?;
                let seed = self.platform.random_seed();
                self.open_fragment(settings, seed)?;
            }
            (GameName::Immigration, _) => self.open_immigration(None)?,
            (GameName::Rezolution, Game::Rezolution(_)) => {}
            (GameName::Rezolution, _) => self.open_rezolution(None)?,
            (kind, Game::Battle(battle)) if battle.kind() == kind => {}
            (kind, _) => {
                if let Some(battle) = self.inactive_battle.take() {
                    self.switch_game(Game::Battle(battle));
                    self.flashes = FlashLimiter::default();
                }
                let (settings, last) = self.battle_settings()?;
                let board = self.board()?;
                if last == kind {
                    self.use_chosen_engine()?;
                } else {
                    let settings = match kind {
                        // The rules of the game are fixed; the board stays.
                        GameName::Duel => Settings {
                            rule: Rule::LIFE,
                            edges: Edges::Dead,
                            limit: None,
                            ..settings
                        },
                        _ => Settings {
                            limit: Some(10_000),
                            ..settings
                        },
                    };
                    self.start_battle(kind, settings, board)?;
                }
            }
        }
        Ok(())
    }

    /// Puts a new Immigration Game on the table.
    fn open_immigration(
        &mut self,
        requested: Option<(Setup, [PlayerKind; 2])>,
    ) -> Result<(), AppError> {
        let (setup, players) = match requested {
            Some(requested) => requested,
            None => {
                let side = immigration::DEFAULT_SIDE;
                let size = Size::new(side, side).map_err(|error| error.to_string())?;
                let setup = Setup::new(size, Player::Red).map_err(|error| error.to_string())?;
                (setup, self.immigration_form.players())
            }
        };
        let table = ImmigrationView::new(setup, players, self.platform.random_seed())?;
        self.switch_game(Game::Immigration(Box::new(table)));
        Ok(())
    }

    fn open_fragment(&mut self, settings: fragment::Settings, seed: u64) -> Result<(), AppError> {
        let (table, note) = FragmentView::new(settings, seed, &*self.platform)?;
        self.switch_game(Game::Fragment(Box::new(table)));
        if let Some(note) = note {
            self.notify_error(note);
        }
        Ok(())
    }

    /// Puts another game on the table; a battle is kept until one is wanted again, and so is
    /// reZolution.
    fn switch_game(&mut self, game: Game) {
        match std::mem::replace(&mut self.game, game) {
            Game::Battle(mut battle) => {
                battle.session().pause();
                self.inactive_battle = Some(battle);
            }
            Game::Rezolution(mut table) => {
                table.session().pause();
                self.inactive_rezolution = InactiveRezolution::Open(table);
            }
            Game::Fragment(_) | Game::Immigration(_) => {}
        }
        self.display.camera = None;
    }

    fn battle_settings(&mut self) -> Result<(Settings, GameName), AppError> {
        match &mut self.game {
            Game::Battle(battle) => {
                let status = battle.status();
                Ok((status.settings, status.kind))
            }
            _ => Err(AppError::Message(
                "this is about battles; choose one in the Game menu".into(),
            )),
        }
    }

    /// Puts another battle on the table.
    fn start_battle(
        &mut self,
        kind: GameName,
        settings: Settings,
        board: LifelikeBoard,
    ) -> Result<(), AppError> {
        let bytes = LifelikeBoard::bytes(board.size());
        self.platform.check_memory(board.size(), bytes)?;
        let mut battle = battle(kind, settings, board, self.choice, &self.engine_factory)?;
        let mut fits = false;
        if let Game::Battle(last) = &mut self.game {
            battle.keep_settings_of(last);
            fits = last.session().settings().size == battle.session().settings().size;
            // So that what is drawn is known to be another board.
            battle.come_after(last);
        }
        if !fits {
            self.display.camera = None;
        }
        self.flashes = FlashLimiter::default();
        self.game = Game::Battle(Box::new(battle));
        Ok(())
    }

    fn change_view(&mut self, look: ViewCommand) {
        let (size, edges) = self.shape();
        let (width, height) = self.display.canvas;
        let middle = (f64::from(width) / 2.0, f64::from(height) / 2.0);
        let stepped = |zoom: Zoom, steps: i32| {
            (0..steps.abs()).fold(zoom, |zoom, _| {
                if steps > 0 {
                    zoom.closer()
                } else {
                    zoom.farther()
                }
            })
        };
        match look {
            ViewCommand::Fit => self.display.camera = None,
            ViewCommand::ZoomIn | ViewCommand::ZoomOut | ViewCommand::ZoomAbout(..) => {
                let (steps, spot) = match look {
                    ViewCommand::ZoomIn => (1, middle),
                    ViewCommand::ZoomOut => (-1, middle),
                    ViewCommand::ZoomAbout(steps, spot) => (steps.clamp(-8, 8), spot),
                    _ => return,
                };
                if let Some(camera) = &mut self.display.camera {
                    let zoom = stepped(camera.zoom(), steps);
                    camera.zoom_about(zoom, spot, (width, height), size, edges);
                }
            }
            ViewCommand::Pan(x, y) => {
                if let Some(camera) = &mut self.display.camera {
                    camera.pan(x, y, size, edges);
                }
            }
            ViewCommand::Lines(lines) => self.display.lines = lines,
            ViewCommand::AnyLive(any_live) => self.display.any_live = any_live,
            ViewCommand::LimitFlashes(limit) => self.display.limit_flashes = limit,
            ViewCommand::Chart(chart) => self.display.chart = chart,
            ViewCommand::Light(light) => self.display.light = light,
        }
    }
}

/// The drawing mode as a word.
pub(super) const fn start_pattern_name(pattern: StartPattern) -> &'static str {
    match pattern {
        StartPattern::Random => "Random",
        StartPattern::Mirrored => "Mirrored",
    }
}
