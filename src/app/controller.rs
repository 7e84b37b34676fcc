//! The one place where what a person asks for is done.

mod files;
mod opening;
pub(super) mod recording;
mod rezolution;

use std::time::Duration;

use self::files::{is_record, under};
pub use self::opening::Opening;
use self::recording::Recording;
use self::rezolution::Shelf;
use super::actions::{Action, Counter, Dialog, Kind, Look, Purpose, Who};
use super::battle::{Battle, Refusal, battle};
use super::flash::FlashLimiter;
use super::immigration::ImmigrationTable;
use super::panels::file::FileForm;
use super::panels::film::FilmForm;
use super::panels::immigration::ImmigrationForm;
use super::panels::puzzle::PuzzleForm;
use super::panels::rezolution::RezolutionForm;
use super::panels::settings::SettingsForm;
use super::platform::{EngineChoice, Makers, Platform};
use super::puzzle::PuzzleTable;
use super::rezolution::RezolutionTable;
use super::table::Facts;
use crate::board::{Board as _, Edges, LifelikeBoard, RezolutionBoard, Size};
use crate::format::{Content, Limits, share_code};
use crate::game::fragment;
use crate::game::immigration::{self, Player, Setup};
use crate::game::session::{Draw, Settings};
use crate::render::camera::{Camera, Zoom};
use crate::rules::Rule;

/// How long after a change the board is remembered: strokes come one after the other.
const REMEMBER_AFTER: Duration = Duration::from_secs(2);

/// The game on the table.
pub(super) enum Game {
    Battle(Box<Battle>),
    Fragment(Box<PuzzleTable>),
    Immigration(Box<ImmigrationTable>),
    Rezolution(Box<RezolutionTable>),
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
pub struct State {
    makers: Makers,
    pub(super) platform: Box<dyn Platform>,
    pub(super) choice: EngineChoice,
    /// The name of the device that draws.
    pub(super) adapter: String,
    pub(super) game: Game,
    /// The battle, while another game is on the table.
    aside: Option<Box<Battle>>,
    /// The game of reZolution, while another one is on the table.
    rezolution: Shelf,
    pub(super) dialog: Option<Dialog>,
    pub(super) display: Display,
    pub(super) notice: Option<Notice>,
    pub(super) form: SettingsForm,
    pub(super) file_form: FileForm,
    pub(super) film_form: FilmForm,
    pub(super) paste_form: String,
    recording: Option<Recording>,
    pub(super) puzzle_form: Option<PuzzleForm>,
    pub(super) immigration_form: ImmigrationForm,
    pub(super) rezolution_form: RezolutionForm,
    /// The cell under the pointer.
    pub(super) pointed_at: Option<(u32, u32)>,
    pub(super) flashes: FlashLimiter,
    /// To be put on the clipboard.
    pub(super) copied: Option<String>,
    pub(super) wants_to_quit: bool,
    /// What the device said when it failed.
    pub(super) lost: Option<String>,
    remembered_edition: u64,
    changed_at: Option<Duration>,
    /// Whether the person knows that the board is too large to be remembered.
    said_too_large: bool,
    now: Duration,
}

impl State {
    /// What panels show of the battle; `None` while another game is on the table.
    pub fn facts(&mut self) -> Option<Facts> {
        match &mut self.game {
            Game::Battle(battle) => Some(battle.facts()),
            _ => None,
        }
    }

    /// The settings of the puzzle; `None` while another game is on the table.
    pub(super) fn puzzle_settings(&self) -> Option<fragment::Settings> {
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
            Err(refusal) => self.refuse(refusal),
        }
        let edition = match &self.game {
            Game::Battle(battle) => battle.edition(),
            Game::Rezolution(table) => table.edition(),
            Game::Fragment(_) | Game::Immigration(_) => self.remembered_edition,
        };
        if edition != self.remembered_edition {
            self.remembered_edition = edition;
            self.changed_at = Some(now);
        }
        if let Some(changed) = self.changed_at {
            let due = changed + REMEMBER_AFTER;
            if now >= due {
                self.remember();
            } else {
                let left = due.saturating_sub(now);
                wait = Some(wait.map_or(left, |wait: Duration| wait.min(left)));
            }
        }
        wait
    }

    fn tick_game(&mut self, now: Duration, frame: Duration) -> Result<Option<Duration>, Refusal> {
        match &mut self.game {
            Game::Battle(battle) => battle.tick(now, frame),
            Game::Immigration(table) => table.tick(frame, &*self.platform),
            Game::Rezolution(table) => table.tick(now, frame),
            Game::Fragment(_) => Ok(None),
        }
    }

    /// Does what is asked; what cannot be done is said.
    pub fn apply(&mut self, action: Action) {
        // What was said before is about what was asked before.
        let keeps_notice = matches!(
            action,
            Action::Look(_) | Action::Touch(..) | Action::MoveCursor(..) | Action::SetSpeed(_)
        );
        if !keeps_notice {
            self.notice = None;
        }
        if let Err(refusal) = self.try_apply(action).and_then(|()| self.film()) {
            self.refuse(refusal);
        }
    }

    /// Ends what is under way, and keeps board and settings for the next run.
    pub fn close(&mut self) {
        if let Err(refusal) = self.finish_film() {
            self.refuse(refusal);
        }
        self.remember();
    }

    /// Shows a line.
    pub(super) fn say(&mut self, text: String) {
        self.notice = Some(Notice {
            text,
            is_error: false,
        });
    }

    /// Shows a line about something that went wrong.
    pub(super) fn say_error(&mut self, text: String) {
        self.notice = Some(Notice {
            text,
            is_error: true,
        });
    }

    pub(super) fn refuse(&mut self, refusal: Refusal) {
        match refusal {
            Refusal::Said(reason) => self.say_error(reason),
            Refusal::Device(reason) => {
                self.say_error(reason.clone());
                self.lost.get_or_insert(reason);
            }
        }
    }

    fn try_apply(&mut self, action: Action) -> Result<(), Refusal> {
        match action {
            Action::Choose(kind) => self.choose(kind)?,
            Action::Show(dialog) => self.show(dialog),
            Action::Dismiss => self.dialog = None,
            Action::Quit => self.wants_to_quit = true,
            Action::Look(look) => self.look(look),
            Action::Open(name) if is_record(&name) => self.open_record(&name)?,
            Action::Open(name) => match self.platform.read(&name)? {
                Content::Cells(pattern) => self.open(&name, &pattern)?,
                Content::Rezolution(pattern) => self.open_populations(&name, pattern)?,
            },
            Action::Write(purpose, name) => self.write(purpose, &name)?,
            Action::Record(name, plan) => self.record(name, plan)?,
            Action::StopRecording => self.finish_film()?,
            Action::CopyCode => {
                let (settings, _) = self.battle_settings()?;
                let board = self.board()?;
                let code = share_code::encode(&board, settings.ruleset())
                    .map_err(|error| error.to_string())?;
                self.say(format!("Share code copied ({} characters)", code.len()));
                self.copied = Some(code);
            }
            Action::PasteCode(code) => {
                let (settings, kind) = self.battle_settings()?;
                let limits = Limits::default();
                let (board, ruleset) =
                    share_code::decode(&code, &limits).map_err(|error| error.to_string())?;
                self.dialog = None;
                self.paste_form.clear();
                self.put(kind, under(settings, ruleset), board)?;
                self.say("Board pasted from a share code".into());
            }
            Action::UseEngine(choice) => {
                let last = std::mem::replace(&mut self.choice, choice);
                if let Err(refusal) = self.change_engine() {
                    self.choice = last;
                    return Err(refusal);
                }
                self.say("A new run from this board, on the engine chosen".into());
            }
            Action::Puzzle(puzzle) => {
                if let Game::Fragment(table) = &mut self.game {
                    table.apply(puzzle, &*self.platform)?;
                }
                if matches!(puzzle, super::actions::Puzzle::New(..)) {
                    self.display.camera = None;
                }
            }
            Action::Counter(counter) => {
                if let Game::Immigration(table) = &mut self.game {
                    table.apply(counter, &*self.platform)?;
                }
                if matches!(counter, Counter::New(..)) {
                    self.display.camera = None;
                }
            }
            action => self.run_action(&action)?,
        }
        Ok(())
    }

    /// Does what is about a run: a battle, or one of reZolution.
    fn run_action(&mut self, action: &Action) -> Result<(), Refusal> {
        let (size, _) = self.shape();
        let platform = &*self.platform;
        let seed = || platform.random_seed();
        let cursor = match &mut self.game {
            Game::Battle(battle) => {
                let check = |size| platform.check_memory(size, LifelikeBoard::bytes(size));
                battle.apply(action, seed, check)?;
                battle.facts().cursor
            }
            Game::Rezolution(table) => {
                let check = |size| platform.check_memory(size, RezolutionBoard::bytes(size));
                table.apply(action, seed, check)?;
                table.facts().cursor
            }
            Game::Fragment(_) | Game::Immigration(_) => return Ok(()),
        };
        if self.shape().0 != size {
            self.display.camera = None;
        }
        match action {
            Action::Draft(_)
            | Action::Discard
            | Action::Density(_)
            | Action::Draw(_)
            | Action::Rezolution(_) => self.changed_at = Some(self.now),
            Action::MoveCursor(..) => {
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
                (Purpose::Save, Kind::Rezolution) => self.file_form.suggest("board.rez"),
                // A game says more than its board.
                (Purpose::Save, Kind::Immigration) => self.file_form.suggest("game.json"),
                _ => {}
            }
        }
        self.dialog = Some(dialog);
    }

    fn choose(&mut self, kind: Kind) -> Result<(), Refusal> {
        self.dialog = None;
        match (kind, &self.game) {
            (Kind::Fragment, Game::Fragment(_)) | (Kind::Immigration, Game::Immigration(_)) => {}
            (Kind::Fragment, _) => {
                let settings = fragment::Settings::standard().map_err(|error| error.to_string())?;
                let seed = self.platform.random_seed();
                self.open_puzzle(settings, seed)?;
            }
            (Kind::Immigration, _) => self.open_immigration(None)?,
            (Kind::Rezolution, Game::Rezolution(_)) => {}
            (Kind::Rezolution, _) => self.open_rezolution(None)?,
            (kind, Game::Battle(battle)) if battle.kind() == kind => {}
            (kind, _) => {
                if let Some(battle) = self.aside.take() {
                    self.set_aside(Game::Battle(battle));
                    self.flashes = FlashLimiter::default();
                }
                let (settings, last) = self.battle_settings()?;
                let board = self.board()?;
                if last == kind {
                    self.keep_engine()?;
                } else {
                    let settings = match kind {
                        // The rules of the game are fixed; the board stays.
                        Kind::Duel => Settings {
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
                    self.put(kind, settings, board)?;
                }
            }
        }
        Ok(())
    }

    /// Puts a new Immigration Game on the table.
    fn open_immigration(&mut self, asked: Option<(Setup, [Who; 2])>) -> Result<(), Refusal> {
        let (setup, players) = match asked {
            Some(asked) => asked,
            None => {
                let side = immigration::DEFAULT_SIDE;
                let size = Size::new(side, side).map_err(|error| error.to_string())?;
                let setup = Setup::new(size, Player::Red).map_err(|error| error.to_string())?;
                (setup, self.immigration_form.players())
            }
        };
        let table = ImmigrationTable::new(setup, players, self.platform.random_seed())?;
        self.set_aside(Game::Immigration(Box::new(table)));
        Ok(())
    }

    fn open_puzzle(&mut self, settings: fragment::Settings, seed: u64) -> Result<(), Refusal> {
        let (table, remark) = PuzzleTable::new(settings, seed, &*self.platform)?;
        self.set_aside(Game::Fragment(Box::new(table)));
        if let Some(remark) = remark {
            self.say_error(remark);
        }
        Ok(())
    }

    /// Puts another game on the table; a battle is kept until one is wanted again, and so is
    /// reZolution.
    fn set_aside(&mut self, game: Game) {
        match std::mem::replace(&mut self.game, game) {
            Game::Battle(mut battle) => {
                battle.session().pause();
                self.aside = Some(battle);
            }
            Game::Rezolution(mut table) => {
                table.session().pause();
                self.rezolution = Shelf::Table(table);
            }
            Game::Fragment(_) | Game::Immigration(_) => {}
        }
        self.display.camera = None;
    }

    fn battle_settings(&mut self) -> Result<(Settings, Kind), Refusal> {
        match &mut self.game {
            Game::Battle(battle) => {
                let facts = battle.facts();
                Ok((facts.settings, facts.kind))
            }
            _ => Err(Refusal::Said(
                "this is about battles; choose one in the Game menu".into(),
            )),
        }
    }

    /// Puts another battle on the table.
    fn put(&mut self, kind: Kind, settings: Settings, board: LifelikeBoard) -> Result<(), Refusal> {
        let bytes = LifelikeBoard::bytes(board.size());
        self.platform.check_memory(board.size(), bytes)?;
        let mut battle = battle(kind, settings, board, self.choice, &self.makers)?;
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

    fn look(&mut self, look: Look) {
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
            Look::Fit => self.display.camera = None,
            Look::Closer | Look::Farther | Look::ZoomAbout(..) => {
                let (steps, spot) = match look {
                    Look::Closer => (1, middle),
                    Look::Farther => (-1, middle),
                    Look::ZoomAbout(steps, spot) => (steps.clamp(-8, 8), spot),
                    _ => return,
                };
                if let Some(camera) = &mut self.display.camera {
                    let zoom = stepped(camera.zoom(), steps);
                    camera.zoom_about(zoom, spot, (width, height), size, edges);
                }
            }
            Look::Pan(x, y) => {
                if let Some(camera) = &mut self.display.camera {
                    camera.pan(x, y, size, edges);
                }
            }
            Look::Lines(lines) => self.display.lines = lines,
            Look::AnyLive(any_live) => self.display.any_live = any_live,
            Look::LimitFlashes(limit) => self.display.limit_flashes = limit,
            Look::Chart(chart) => self.display.chart = chart,
            Look::Light(light) => self.display.light = light,
        }
    }
}

/// The drawing mode as a word.
pub(super) const fn draw_name(draw: Draw) -> &'static str {
    match draw {
        Draw::Random => "Random",
        Draw::Mirrored => "Mirrored",
    }
}
