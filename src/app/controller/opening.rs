//! How the window's state begins, and what is kept of it.

use std::time::Duration;

use super::rezolution::Shelf;
use super::{Display, Game, Notice, State};
use crate::app::actions::{Action, Dialog, Kind, Who};
use crate::app::battle::{DEFAULT_DENSITY, Refusal, battle, default_settings};
use crate::app::flash::FlashLimiter;
use crate::app::panels::file::FileForm;
use crate::app::panels::film::FilmForm;
use crate::app::panels::immigration::ImmigrationForm;
use crate::app::panels::rezolution::RezolutionForm;
use crate::app::panels::settings::SettingsForm;
use crate::app::platform::{EngineChoice, Makers, Platform};
use crate::board::{Board as _, LifelikeBoard, RezolutionBoard, start};
use crate::format::share_code;
use crate::game::immigration::{self, Setup};
use crate::game::session::Settings;
use crate::game::{fragment, rezolution as rezolution_game};
use crate::store::window_memory::{Extras, Memory};

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
        board: LifelikeBoard,
    },
    /// The puzzle, with a seed if one was asked for.
    Fragment(fragment::Settings, Option<u64>),
    /// Two-player Life on this board, or on the one that was open last.
    Duel(Option<LifelikeBoard>),
    /// A new Immigration Game; what it is like and who plays red and blue, if that was asked for.
    Immigration(Option<(Setup, [Who; 2])>),
    /// An Immigration Game that was begun before, and who plays red and blue.
    ImmigrationRecord(Box<immigration::Game>, [Who; 2]),
    /// reZolution on a board that somebody asked for, with the seed of the demo that it is, if it is
    /// one; or as it was open last.
    Rezolution(Option<(rezolution_game::Settings, RezolutionBoard, Option<u64>)>),
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
                platform.check_memory(settings.size, LifelikeBoard::bytes(settings.size))?;
                start::mirrored(settings.size, DEFAULT_DENSITY, settings.seed)
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
            Opening::ImmigrationRecord(game, players) => {
                state.notice = None;
                state.go_on_with(*game, players).map_err(said)?;
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
        let extras = Extras {
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
        let (memory, why) = Memory::new(board.as_ref(), facts.settings, facts.draft, &extras);
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

    /// What the device failed with, if it has.
    pub fn failure(&self) -> Option<&str> {
        self.lost.as_deref()
    }

    /// What is left of the game when the device is gone: the start pattern, which is always in
    /// memory, and the settings; of the Immigration Game everything.
    pub fn salvage(&mut self) -> Opening {
        match &mut self.game {
            Game::Immigration(table) => {
                Opening::ImmigrationRecord(Box::new(table.game().clone()), table.players())
            }
            Game::Fragment(table) => {
                let game = table.game();
                Opening::Fragment(game.settings(), Some(game.seed()))
            }
            Game::Rezolution(table) => {
                let session = table.session();
                let board = session.start_pattern().clone();
                let settings = session.settings();
                Opening::Rezolution(Some((settings, board, Some(table.beside))))
            }
            Game::Battle(battle) => {
                let kind = battle.facts().kind;
                let session = battle.session();
                let (settings, board) = (session.settings(), session.start_pattern().clone());
                match kind {
                    Kind::Duel => Opening::Duel(Some(board)),
                    _ => Opening::Battle { settings, board },
                }
            }
        }
    }
}
