//! How the window's state begins, and what is kept of it.

use std::time::Duration;

use super::rezolution::InactiveRezolution;
use super::{Controller, Display, Game, Notice};
use crate::app::command::{Command, Dialog};
use crate::app::error::AppError;
use crate::app::flash_limiter::FlashLimiter;
use crate::app::life_battle::{DEFAULT_DENSITY, battle, default_settings};
use crate::app::panels::file::FileForm;
use crate::app::panels::film::FilmForm;
use crate::app::panels::immigration::ImmigrationForm;
use crate::app::panels::life_battle::BattleForm;
use crate::app::panels::rezolution::RezolutionForm;
use crate::app::platform::{EngineFactory, EngineName, Platform};
use crate::board::{Board as _, LifelikeBoard, start};
use crate::format::share_code;
use crate::game::opening::{GameName, Opening};
use crate::store::window_memory::{Extras, Memory};

impl Controller {
    /// The window's state at its opening.
    ///
    /// # Errors
    /// One line if there is no engine for the board.
    pub fn new(
        opening: Opening,
        engine_factory: EngineFactory,
        platform: Box<dyn Platform>,
        choice: EngineName,
        adapter: String,
    ) -> Result<Self, String> {
        let seed = platform.random_seed();
        let mut notice = None;
        let memory = match platform.load_window_memory().and_then(|text| {
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
            Opening::Battle { settings, board } => {
                (GameName::Battle, *settings, Some(board.clone()))
            }
            Opening::Duel(Some(board)) => {
                let settings = default_settings(GameName::Duel, seed)?;
                (GameName::Duel, settings, Some(board.clone()))
            }
            _ => (
                memory
                    .as_ref()
                    .map_or(GameName::Battle, |memory| memory.battle),
                default_settings(GameName::Battle, seed)?,
                None,
            ),
        };
        let mut draft = settings;
        let mut settings = settings;
        let mut first = board;
        let requested = first.is_some();
        if let (Some(memory), false) = (&memory, requested) {
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
        let said = |error: AppError| match error {
            AppError::Message(why) | AppError::Device(why) => why,
        };
        let mut battle = battle(kind, settings, board, choice, &engine_factory).map_err(said)?;
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
            for command in [
                Command::SetStartPattern(memory.draw()),
                Command::Density(memory.density.clamp(0.0, 1.0)),
                Command::SetSpeed(memory.speed),
            ] {
                battle.apply(&command, || 0, |_| Ok(())).map_err(said)?;
            }
        }
        if draft != settings {
            battle
                .apply(&Command::Draft(draft), || 0, |_| Ok(()))
                .map_err(said)?;
        }
        let dialog = match &opening {
            Opening::Remembered if memory.is_none() => Some(Dialog::Chooser),
            _ => None,
        };
        let remembered = memory.as_ref().map(|memory| memory.game);
        let kept = memory.and_then(|memory| memory.rezolution);
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
            choice,
            adapter,
            saved_edit_count: battle.edit_count(),
            game: Game::Battle(Box::new(battle)),
            inactive_battle: None,
            inactive_rezolution: kept
                .map_or(InactiveRezolution::NeverOpened, InactiveRezolution::Saved),
            dialog,
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
        match opening {
            Opening::Fragment(settings, seed) => {
                let seed = seed.unwrap_or_else(|| controller.platform.random_seed());
                controller.open_fragment(settings, seed).map_err(said)?;
            }
            Opening::Duel(None) => controller.choose(GameName::Duel).map_err(said)?,
            Opening::Immigration(requested) => {
                controller.notice = None;
                controller.open_immigration(requested).map_err(said)?;
            }
            Opening::ImmigrationRecord(game, players) => {
                controller.notice = None;
                controller
                    .resume_immigration(*game, players)
                    .map_err(said)?;
            }
            Opening::Rezolution(requested) => {
                controller.notice = None;
                controller.open_rezolution(requested).map_err(said)?;
            }
            Opening::Remembered => {
                if let Some(kind @ (GameName::Fragment | GameName::Rezolution)) = remembered {
                    controller.notice = None;
                    controller.choose(kind).map_err(said)?;
                }
            }
            _ => {}
        }
        Ok(controller)
    }

    /// Keeps board and settings for the next run.
    pub fn save_window_memory(&mut self) {
        self.changed_at = None;
        let game = match self.game {
            Game::Battle(_) => None,
            Game::Fragment(_) => Some(GameName::Fragment),
            Game::Immigration(_) => Some(GameName::Immigration),
            Game::Rezolution(_) => Some(GameName::Rezolution),
        };
        let (rezolution, unkept) = self.rezolution_to_keep();
        let display = self.display;
        let battle = match (&mut self.game, &mut self.inactive_battle) {
            (Game::Battle(battle), _) | (_, Some(battle)) => battle,
            (_, None) => return,
        };
        let status = battle.status();
        // A board of which not even nothing would fit is not read back from the device.
        let most = share_code::MAX_LENGTH as u64 * 8 * 1032;
        let board = if status.settings.size.cells() > most {
            None
        } else {
            battle.session().board().ok()
        };
        let extras = Extras {
            game: game.unwrap_or(status.kind),
            battle: status.kind,
            draw: status.extras.pattern,
            density: status.extras.density,
            speed: status.speed,
            light: display.light,
            lines: display.lines,
            any_live: display.any_live,
            limit_flashes: display.limit_flashes,
            chart: display.chart,
            rezolution,
        };
        let (memory, why) = Memory::new(board.as_ref(), status.settings, status.draft, &extras);
        // It is about the board that is seen.
        let why = match game {
            Some(GameName::Rezolution) => unkept,
            _ => why,
        };
        let remembered = memory
            .to_text()
            .and_then(|text| self.platform.save_window_memory(&text));
        match (remembered, why) {
            (Err(why), _) => self.notify_error(why),
            (Ok(()), Some(_)) if !self.warned_too_large => {
                self.warned_too_large = true;
                let text = match game {
                    Some(GameName::Rezolution) => {
                        "This board is too large to be remembered: it is not kept until next time unless it is saved to a file"
                    }
                    _ => {
                        "This board does not fit into a share code: it is not kept until next time unless it is saved to a file"
                    }
                };
                self.notify(text.into());
            }
            (Ok(()), Some(_)) => {}
            (Ok(()), None) => self.warned_too_large = false,
        }
    }

    /// What the device failed with, if it has.
    pub fn failure(&self) -> Option<&str> {
        self.device_failure.as_deref()
    }

    /// What is left of the game when the device is gone: the start pattern, which is always in
    /// memory, and the settings; of the Immigration Game everything.
    pub fn recovery(&mut self) -> Opening {
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
                Opening::Rezolution(Some((settings, board, Some(table.extras))))
            }
            Game::Battle(battle) => {
                let kind = battle.status().kind;
                let session = battle.session();
                let (settings, board) = (session.settings(), session.start_pattern().clone());
                match kind {
                    GameName::Duel => Opening::Duel(Some(board)),
                    _ => Opening::Battle { settings, board },
                }
            }
        }
    }
}
