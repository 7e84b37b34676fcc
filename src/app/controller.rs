//! The one place where what a person asks for is done.

pub(super) mod recording;
mod rezolution;

use std::time::Duration;

use self::recording::Recording;
use self::rezolution::Shelf;
use super::actions::{Action, Counter, Dialog, Kind, Look, Purpose, Who};
use super::battle::{Battle, Refusal, battle, default_settings};
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
use super::store::{Beside, Memory};
use super::table::Facts;
use crate::board::{Board, Edges, Populations, Size, State as _, start};
use crate::format::{Content, Document, Limits, Pattern, rle, share_code};
use crate::game::immigration::record::{self, Record};
use crate::game::immigration::{self, Player, Setup};
use crate::game::session::{Draw, Settings};
use crate::game::{fragment, rezolution as rezolution_game};
use crate::render::camera::{Camera, Zoom};
use crate::render::{Palette, Picture, PictureSize};
use crate::rules::notation::Topology;
use crate::rules::{Rule, Ruleset, Ties};

/// How long after a change the board is remembered: strokes come one after the other.
const REMEMBER_AFTER: Duration = Duration::from_secs(2);

/// Pixels of the longer side of a picture of the whole board, unless its cells are more.
const PICTURE_SIDE: u32 = 2048;

/// What the window opens with.
pub enum Opening {
    /// What was open last, else the choice of games.
    Remembered,
    /// The battle that was open last, else a new one.
    LastBattle,
    /// A battle that somebody asked for.
    Battle {
        /// Its settings.
        settings: Settings,
        /// Its start pattern.
        board: Board,
    },
    /// The puzzle, with a seed if one was asked for.
    Fragment(fragment::Settings, Option<u64>),
    /// Two-player Life on this board, or on the one that was open last.
    Duel(Option<Board>),
    /// A new Immigration Game; what it is like and who plays red and blue, if that was asked for.
    Immigration(Option<(Setup, [Who; 2])>),
    /// reZolution on a board that somebody asked for, with the seed of the demo that it is, if it is
    /// one; or as it was open last.
    Rezolution(Option<(rezolution_game::Settings, Populations, Option<u64>)>),
}

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
    /// The window's state at its opening.
    ///
    /// # Errors
    /// One line if there is no engine for the board.
    pub fn new(
        opening: Opening,
        makers: Makers,
        platform: Box<dyn Platform>,
        choice: EngineChoice,
        adapter: String,
    ) -> Result<Self, String> {
        let seed = platform.random_seed();
        let mut notice = None;
        let memory = match platform.recall().and_then(|text| {
            text.map(|text| {
                Memory::of_text(&text)
                    .map_err(|why| format!("what was open last could not be read: {why}"))
            })
            .transpose()
        }) {
            Ok(memory) => memory,
            Err(why) => {
                notice = Some(Notice {
                    text: why,
                    is_error: true,
                });
                None
            }
        };
        let (kind, settings, board) = match &opening {
            Opening::Battle { settings, board } => (Kind::Battle, *settings, Some(board.clone())),
            Opening::Duel(Some(board)) => {
                let settings = default_settings(Kind::Duel, seed)?;
                (Kind::Duel, settings, Some(board.clone()))
            }
            _ => (
                memory.as_ref().map_or(Kind::Battle, |memory| memory.battle),
                default_settings(Kind::Battle, seed)?,
                None,
            ),
        };
        let mut draft = settings;
        let mut settings = settings;
        let mut first = board;
        let asked = first.is_some();
        if let (Some(memory), false) = (&memory, asked) {
            match memory
                .settings()
                .and_then(|both| Ok((both, memory.board()?)))
            {
                Ok(((kept, kept_draft), kept_board)) => {
                    (settings, draft) = (kept, kept_draft);
                    notice = notice.or(Some(Notice {
                        text: match kept_board {
                            Some(_) => "The last board, paused at generation 0".into(),
                            None => {
                                "The last board was too large to be kept; this is a new one".into()
                            }
                        },
                        is_error: false,
                    }));
                    first = kept_board;
                }
                Err(why) => {
                    notice = Some(Notice {
                        text: format!("what was open last could not be read: {why}"),
                        is_error: true,
                    });
                }
            }
        }
        let board = match first {
            Some(board) => board,
            None => {
                platform.check_memory(settings.size, Board::bytes(settings.size))?;
                start::mirrored(settings.size, super::battle::DEFAULT_DENSITY, settings.seed)
                    .map_err(|error| error.to_string())?
            }
        };
        let said = |refusal: Refusal| match refusal {
            Refusal::Said(why) | Refusal::Device(why) => why,
        };
        let mut battle = battle(kind, settings, board, choice, &makers).map_err(said)?;
        let mut display = Display {
            camera: None,
            canvas: (0, 0),
            lines: true,
            any_live: false,
            limit_flashes: true,
            chart: true,
            light: false,
        };
        if let Some(memory) = &memory {
            display.lines = memory.lines;
            display.any_live = memory.any_live;
            display.limit_flashes = memory.limit_flashes;
            display.chart = memory.chart;
            display.light = memory.light;
            for action in [
                Action::Draw(memory.draw()),
                Action::Density(memory.density.clamp(0.0, 1.0)),
                Action::SetSpeed(memory.speed),
            ] {
                battle.apply(&action, || 0, |_| Ok(())).map_err(said)?;
            }
        }
        if draft != settings {
            battle
                .apply(&Action::Draft(draft), || 0, |_| Ok(()))
                .map_err(said)?;
        }
        let dialog = match &opening {
            Opening::Remembered if memory.is_none() => Some(Dialog::Chooser),
            _ => None,
        };
        let remembered = memory.as_ref().map(|memory| memory.game);
        let kept = memory.and_then(|memory| memory.rezolution);
        let mut state = Self {
            makers,
            form: SettingsForm::default(),
            file_form: FileForm::new(platform.folder()),
            film_form: FilmForm::default(),
            paste_form: String::new(),
            recording: None,
            puzzle_form: None,
            immigration_form: ImmigrationForm::default(),
            rezolution_form: RezolutionForm::default(),
            pointed_at: None,
            platform,
            choice,
            adapter,
            remembered_edition: battle.edition(),
            game: Game::Battle(Box::new(battle)),
            aside: None,
            rezolution: kept.map_or(Shelf::Empty, Shelf::Kept),
            dialog,
            display,
            notice,
            flashes: FlashLimiter::default(),
            copied: None,
            wants_to_quit: false,
            lost: None,
            changed_at: None,
            said_too_large: false,
            now: Duration::ZERO,
        };
        match opening {
            Opening::Fragment(settings, seed) => {
                let seed = seed.unwrap_or_else(|| state.platform.random_seed());
                state.open_puzzle(settings, seed).map_err(said)?;
            }
            Opening::Duel(None) => state.choose(Kind::Duel).map_err(said)?,
            Opening::Immigration(asked) => {
                state.notice = None;
                state.open_immigration(asked).map_err(said)?;
            }
            Opening::Rezolution(asked) => {
                state.notice = None;
                state.open_rezolution(asked).map_err(said)?;
            }
            Opening::Remembered => {
                if let Some(kind @ (Kind::Fragment | Kind::Rezolution)) = remembered {
                    state.notice = None;
                    state.choose(kind).map_err(said)?;
                }
            }
            _ => {}
        }
        Ok(state)
    }

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
    pub fn board(&mut self) -> Result<Board, String> {
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

    /// Keeps board and settings for the next run.
    pub fn remember(&mut self) {
        self.changed_at = None;
        let game = match self.game {
            Game::Battle(_) => None,
            Game::Fragment(_) => Some(Kind::Fragment),
            Game::Immigration(_) => Some(Kind::Immigration),
            Game::Rezolution(_) => Some(Kind::Rezolution),
        };
        let (rezolution, unkept) = self.rezolution_to_keep();
        let display = self.display;
        let battle = match (&mut self.game, &mut self.aside) {
            (Game::Battle(battle), _) | (_, Some(battle)) => battle,
            (_, None) => return,
        };
        let facts = battle.facts();
        // A board of which not even nothing would fit is not read back from the device.
        let most = share_code::MAX_LENGTH as u64 * 8 * 1032;
        let board = if facts.settings.size.cells() > most {
            None
        } else {
            battle.session().board().ok()
        };
        let beside = Beside {
            game: game.unwrap_or(facts.kind),
            battle: facts.kind,
            draw: facts.beside.draw,
            density: facts.beside.density,
            speed: facts.speed,
            light: display.light,
            lines: display.lines,
            any_live: display.any_live,
            limit_flashes: display.limit_flashes,
            chart: display.chart,
            rezolution,
        };
        let (memory, why) = Memory::new(board.as_ref(), facts.settings, facts.draft, &beside);
        // It is about the board that is seen.
        let why = match game {
            Some(Kind::Rezolution) => unkept,
            _ => why,
        };
        let remembered = memory
            .to_text()
            .and_then(|text| self.platform.remember(&text));
        match (remembered, why) {
            (Err(why), _) => self.say_error(why),
            (Ok(()), Some(_)) if !self.said_too_large => {
                self.said_too_large = true;
                let text = match game {
                    Some(Kind::Rezolution) => {
                        "This board is too large to be remembered: it is not kept until next time unless it is saved to a file"
                    }
                    _ => {
                        "This board does not fit into a share code: it is not kept until next time unless it is saved to a file"
                    }
                };
                self.say(text.into());
            }
            (Ok(()), Some(_)) => {}
            (Ok(()), None) => self.said_too_large = false,
        }
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

    /// What is left of the game when the device is gone: the start pattern, which is always in
    /// memory, and the settings.
    pub(super) fn salvage(&mut self) -> Option<Opening> {
        match (&mut self.game, &mut self.aside) {
            (Game::Rezolution(table), _) => {
                let session = table.session();
                let board = session.start_pattern().clone();
                let settings = session.settings();
                Some(Opening::Rezolution(Some((
                    settings,
                    board,
                    Some(table.beside),
                ))))
            }
            (Game::Battle(battle), _) | (_, Some(battle)) => {
                let session = battle.session();
                let (settings, board) = (session.settings(), session.start_pattern().clone());
                Some(Opening::Battle { settings, board })
            }
            (_, None) => None,
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
                Content::Populations(pattern) => self.open_populations(&name, pattern)?,
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
                let check = |size| platform.check_memory(size, Board::bytes(size));
                battle.apply(action, seed, check)?;
                battle.facts().cursor
            }
            Game::Rezolution(table) => {
                let check = |size| platform.check_memory(size, Populations::bytes(size));
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

    /// Goes on with an Immigration Game that was saved.
    fn open_record(&mut self, name: &str) -> Result<(), Refusal> {
        let text = self.platform.read_text(name, record::MAX_BYTES)?;
        let game = Record::parse(text.as_bytes()).and_then(|record| record.replay());
        let game = game.map_err(|error| format!("{name}: {error}"))?;
        let (players, seed) = (self.immigration_form.players(), self.platform.random_seed());
        let table = ImmigrationTable::of(game, players, seed)?;
        self.set_aside(Game::Immigration(Box::new(table)));
        self.dialog = None;
        self.say(format!("Opened {name}"));
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
    fn put(&mut self, kind: Kind, settings: Settings, board: Board) -> Result<(), Refusal> {
        let bytes = Board::bytes(board.size());
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

    fn open(&mut self, name: &str, pattern: &Pattern) -> Result<(), Refusal> {
        if !matches!(self.game, Game::Battle(_)) {
            self.choose(Kind::Battle)?;
        }
        let (settings, kind) = self.battle_settings()?;
        let board = placed(pattern).map_err(|why| format!("{name}: {why}"))?;
        let ruleset = Ruleset {
            rule: pattern.rule.unwrap_or(settings.rule),
            edges: pattern.topology.map_or(settings.edges, |grid| grid.edges),
            ties: settings.ties,
        };
        // Two-player Life has rules of its own, whatever a file says.
        let settings = match kind {
            Kind::Duel => settings,
            _ => under(settings, ruleset),
        };
        self.put(kind, settings, board)?;
        self.dialog = None;
        let mut text = format!("Opened {name}");
        for note in &pattern.notes {
            text.push_str("; ");
            text.push_str(note);
        }
        self.say(text);
        Ok(())
    }

    fn write(&mut self, purpose: Purpose, name: &str) -> Result<(), Refusal> {
        if matches!(self.game, Game::Rezolution(_)) {
            return self.write_populations(purpose, name);
        }
        if let (Purpose::Save, Game::Immigration(table)) = (purpose, &self.game)
            && is_record(name)
        {
            let record = Record::of(table.game()).to_json();
            self.platform.write_text(name, &record)?;
            self.dialog = None;
            self.say(format!("Saved {name}"));
            return Ok(());
        }
        let board = self.board()?;
        match purpose {
            Purpose::Save => {
                let (rule, edges, generation) = match &mut self.game {
                    Game::Battle(battle) => {
                        let facts = battle.facts();
                        (facts.settings.rule, facts.settings.edges, facts.generation)
                    }
                    Game::Fragment(_) => (Rule::LIFE, Edges::Dead, 0),
                    Game::Immigration(table) => {
                        (Rule::LIFE, Edges::Torus, table.game().generation())
                    }
                    Game::Rezolution(_) => return Ok(()),
                };
                let document = Document {
                    board: &board,
                    rule: Some(rule),
                    edges: Some(edges),
                    generation,
                };
                self.platform.write(name, &document)?;
            }
            Purpose::PictureOfBoard | Purpose::PictureOfView => {
                let picture = Picture::draw(&board, picture_size(board.size()), Palette::DEFAULT)
                    .map_err(|error| error.to_string())?;
                self.platform.write_picture(name, &picture)?;
            }
            Purpose::Open | Purpose::Film => return Ok(()),
        }
        self.dialog = None;
        self.say(format!("Saved {name}"));
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

/// How large a picture of a whole board is.
fn picture_size(size: Size) -> PictureSize {
    let side = size.width().max(size.height());
    match PICTURE_SIDE / side {
        0 => PictureSize::Fit {
            width: size.width().min(2 * PICTURE_SIDE),
            height: size.height().min(2 * PICTURE_SIDE),
        },
        scale => PictureSize::Scale(scale.min(32)),
    }
}

/// Whether a file of that name holds an Immigration Game.
fn is_record(name: &str) -> bool {
    let extension = name.rsplit_once('.').map(|(_, extension)| extension);
    extension.is_some_and(|extension| extension.eq_ignore_ascii_case("json"))
}

/// Settings with the rules that came with a board.
fn under(settings: Settings, ruleset: Ruleset) -> Settings {
    let seed = match ruleset.ties {
        Ties::Seeded(seed) => seed,
        _ => settings.seed,
    };
    Settings {
        rule: ruleset.rule,
        edges: ruleset.edges,
        ties: ruleset.ties,
        seed,
        ..settings
    }
}

/// The board of a pattern: on the bounded grid of its file, if it has one, where the file says or
/// else in the middle.
fn placed(pattern: &Pattern) -> Result<Board, String> {
    let Some(Topology { width, height, .. }) = pattern.topology else {
        return Ok(pattern.board.clone());
    };
    let size = Size::new(width, height).map_err(|error| error.to_string())?;
    let own = pattern.board.size();
    let centred = |side: u32, length: u32| i64::from(side / 2) - i64::from(length / 2);
    let (x, y) = match pattern.position {
        Some((x, y)) => {
            let (left, top) = rle::grid_corner(width, height);
            (x.saturating_sub(left), y.saturating_sub(top))
        }
        None => (
            centred(size.width(), own.width()),
            centred(size.height(), own.height()),
        ),
    };
    let (Ok(column), Ok(row)) = (u32::try_from(x), u32::try_from(y)) else {
        return Err(format!(
            "a pattern of {own} at ({x}, {y}) does not fit on its bounded grid of {size}"
        ));
    };
    let mut board = Board::new(size).map_err(|error| error.to_string())?;
    board
        .place(&pattern.board, column, row)
        .map_err(|error| error.to_string())?;
    Ok(board)
}

/// The drawing mode as a word.
pub(super) const fn draw_name(draw: Draw) -> &'static str {
    match draw {
        Draw::Random => "Random",
        Draw::Mirrored => "Mirrored",
    }
}
