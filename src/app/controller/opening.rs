//! How the window opens.

use std::time::Duration;

use super::rezolution::InactiveRezolution;
use super::{ActiveGame, Controller, Display, Notice};
use crate::app::command::{BattleCommand, Dialog};
use crate::app::error::AppError;
use crate::app::flash_limiter::FlashLimiter;
use crate::app::life_battle::{
    Battle, DEFAULT_DENSITY, battle, default_settings, default_two_player_settings,
};
use crate::app::panels::file::FileForm;
use crate::app::panels::film::FilmForm;
use crate::app::panels::immigration::ImmigrationForm;
use crate::app::panels::life_battle::BattleForm;
use crate::app::panels::rezolution::RezolutionForm;
use crate::app::platform::{EngineFactory, EngineName, Platform};
use crate::app::run_view::Run as _;
use crate::board::{Board as _, LifelikeBoard, start};
use crate::game::life_battle::Settings;
use crate::game::opening::{GameName, Opening};
use crate::store::window_memory::Memory;

/// The battle that the window opens with.
struct FirstBattle {
    name: GameName,
    settings: Settings,
    draft: Settings,
    /// `None` for a start pattern drawn from the settings.
    board: Option<LifelikeBoard>,
}

impl Controller {
    /// The state of the window as it opens.
    ///
    /// # Errors
    /// One line if there is no engine for the board.
    pub fn new(
        opening: Opening,
        engine_factory: EngineFactory,
        platform: Box<dyn Platform>,
        engine_choice: EngineName,
        adapter: String,
    ) -> Result<Self, String> {
        let seed = platform.random_seed();
        let (memory, mut notice) = match load_memory(&*platform) {
            Ok(memory) => (memory, None),
            Err(text) => (
                None,
                Some(Notice {
                    text,
                    is_error: true,
                }),
            ),
        };
        let first = first_battle(&opening, memory.as_ref(), seed, &mut notice)?;
        let mut battle = start_first(first, &engine_factory, &*platform, engine_choice)?;
        let mut display = Display::default();
        if let Some(memory) = &memory {
            display.lines = memory.lines;
            display.any_live = memory.any_live;
            display.limit_flashes = memory.limit_flashes;
            display.chart = memory.chart;
            display.light = memory.light;
            battle.extras.pattern = memory.draw();
            battle.extras.density = memory.density.clamp(0.0, 1.0);
            battle.set_speed(memory.speed);
        }
        let is_first_start = memory.is_none();
        let last_game = memory.as_ref().map(|memory| memory.game);
        let rezolution = memory.and_then(|memory| memory.rezolution);
        let mut controller = Self {
            engine_factory,
            battle_form: BattleForm::default(),
            file_form: FileForm::new(platform.folder()),
            film_form: FilmForm::default(),
            paste_form: String::new(),
            recording: None,
            fragment_form: None,
            immigration_form: ImmigrationForm::default(),
            rezolution_form: RezolutionForm::default(),
            pointed_at: None,
            platform,
            engine_choice,
            adapter,
            saved_edit_count: battle.edit_count(),
            game: ActiveGame::Battle(Box::new(battle)),
            inactive_battle: None,
            inactive_rezolution: rezolution
                .map_or(InactiveRezolution::NeverOpened, InactiveRezolution::Saved),
            dialog: None,
            display,
            notice,
            flashes: FlashLimiter::default(),
            copied: None,
            wants_to_quit: false,
            device_failure: None,
            changed_at: None,
            warned_too_large: false,
            now: Duration::ZERO,
        };
        if is_first_start && matches!(opening, Opening::Remembered) {
            controller.dialog = Some(Dialog::Chooser);
        }
        controller
            .open_first_game(opening, last_game)
            .map_err(message)?;
        Ok(controller)
    }

    /// Switches to the game of the opening if that is not the battle.
    fn open_first_game(
        &mut self,
        opening: Opening,
        last_game: Option<GameName>,
    ) -> Result<(), AppError> {
        match opening {
            Opening::Fragment(settings, seed) => {
                let seed = seed.unwrap_or_else(|| self.platform.random_seed());
                self.open_fragment(settings, seed)
            }
            Opening::Duel(None) => self.choose_game(GameName::Duel),
            Opening::Immigration(requested) => {
                self.notice = None;
                self.open_immigration(requested)
            }
            Opening::ImmigrationRecord(game, players) => {
                self.notice = None;
                self.resume_immigration(*game, players)
            }
            Opening::Rezolution(requested) => {
                self.notice = None;
                self.open_rezolution(requested)
            }
            Opening::Remembered => match last_game {
                Some(name @ (GameName::Fragment | GameName::Rezolution)) => {
                    self.notice = None;
                    self.choose_game(name)
                }
                // An Immigration Game is not saved.
                Some(GameName::Battle | GameName::Duel | GameName::Immigration) | None => Ok(()),
            },
            Opening::LastBattle | Opening::Battle { .. } | Opening::Duel(Some(_)) => Ok(()),
        }
    }
}

/// What was saved when the program was last closed.
fn load_memory(platform: &dyn Platform) -> Result<Option<Memory>, String> {
    let Some(text) = platform.load_window_memory()? else {
        return Ok(None);
    };
    Memory::of_text(&text).map(Some).map_err(unreadable)
}

fn unreadable(reason: String) -> String {
    format!("what was open last could not be read: {reason}")
}

/// The battle of the opening, or the saved one.
fn first_battle(
    opening: &Opening,
    memory: Option<&Memory>,
    seed: u64,
    notice: &mut Option<Notice>,
) -> Result<FirstBattle, String> {
    let on_board = |name, settings, board: &LifelikeBoard| FirstBattle {
        name,
        settings,
        draft: settings,
        board: Some(board.clone()),
    };
    match opening {
        Opening::Battle { settings, board } => {
            return Ok(on_board(GameName::Battle, *settings, board));
        }
        Opening::Duel(Some(board)) => {
            let settings = default_two_player_settings(seed)?;
            return Ok(on_board(GameName::Duel, settings, board));
        }
        Opening::Remembered
        | Opening::LastBattle
        | Opening::Fragment(..)
        | Opening::Duel(None)
        | Opening::Immigration(_)
        | Opening::ImmigrationRecord(..)
        | Opening::Rezolution(_) => {}
    }
    let settings = default_settings(seed)?;
    let mut first = FirstBattle {
        name: GameName::Battle,
        settings,
        draft: settings,
        board: None,
    };
    let Some(memory) = memory else {
        return Ok(first);
    };
    first.name = memory.battle;
    match memory
        .settings()
        .and_then(|settings| Ok((settings, memory.board()?)))
    {
        Ok(((settings, draft), board)) => {
            (first.settings, first.draft, first.board) = (settings, draft, board);
            let text = match &first.board {
                Some(_) => "The last board, paused at generation 0",
                None => "The last board was too large to be kept; this is a new one",
            };
            notice.get_or_insert(Notice {
                text: text.into(),
                is_error: false,
            });
        }
        Err(reason) => {
            *notice = Some(Notice {
                text: unreadable(reason),
                is_error: true,
            });
        }
    }
    Ok(first)
}

/// Starts the first battle.
fn start_first(
    first: FirstBattle,
    engine_factory: &EngineFactory,
    platform: &dyn Platform,
    engine_choice: EngineName,
) -> Result<Battle, String> {
    let settings = first.settings;
    let board = match first.board {
        Some(board) => board,
        None => {
            platform.check_memory(settings.size, LifelikeBoard::bytes(settings.size))?;
            start::mirrored(settings.size, DEFAULT_DENSITY, settings.seed)
                .map_err(|error| error.to_string())?
        }
    };
    let mut battle =
        battle(first.name, settings, board, engine_choice, engine_factory).map_err(message)?;
    if first.draft != settings {
        let command = BattleCommand::SetDraft(first.draft);
        battle.apply_battle(command, platform).map_err(message)?;
    }
    Ok(battle)
}

fn message(error: AppError) -> String {
    match error {
        AppError::Message(reason) | AppError::Device(reason) => reason,
    }
}
