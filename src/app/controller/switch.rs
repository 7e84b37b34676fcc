//! Starting games and switching between them.

use super::{ActiveGame, Controller};
use crate::app::error::AppError;
use crate::app::flash_limiter::FlashLimiter;
use crate::app::fragment::FragmentView;
use crate::app::immigration::ImmigrationView;
use crate::app::life_battle::{DEFAULT_LIMIT, battle};
use crate::app::run_view::Run as _;
use crate::board::{Board as _, LifelikeBoard, Size};
use crate::game::immigration::{self, Player, Setup};
use crate::game::life_battle::Settings;
use crate::game::opening::GameName;
use crate::game::opponent::PlayerKind;
use crate::game::{fragment, two_player};

impl Controller {
    pub(super) fn choose_game(&mut self, name: GameName) -> Result<(), AppError> {
        self.dialog = None;
        if self.game.name() == name {
            return Ok(());
        }
        match name {
            GameName::Fragment => {
                let settings = fragment::Settings::standard().map_err(|error| error.to_string())?;
                let seed = self.platform.random_seed();
                self.open_fragment(settings, seed)
            }
            GameName::Immigration => self.open_immigration(None),
            GameName::Rezolution => self.open_rezolution(None),
            GameName::Battle => self.open_battle(name, |settings| Settings {
                limit: Some(DEFAULT_LIMIT),
                ..settings
            }),
            GameName::Duel => self.open_battle(name, two_player::with_fixed_rules),
        }
    }

    /// Shows the last battle. If it belongs to the other game, its board starts a battle of this one.
    fn open_battle(
        &mut self,
        name: GameName,
        change_rules: impl FnOnce(Settings) -> Settings,
    ) -> Result<(), AppError> {
        if let Some(battle) = self.inactive_battle.take() {
            self.switch_game(ActiveGame::Battle(battle));
            self.flashes = FlashLimiter::default();
        }
        let (settings, last) = self.battle_settings()?;
        let board = self.board()?;
        if last == name {
            return self.use_chosen_engine();
        }
        self.start_battle(name, change_rules(settings), board)
    }

    /// Starts an Immigration Game with this setup and these players, or the default ones.
    pub(super) fn open_immigration(
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
        let view = ImmigrationView::new(setup, players, self.platform.random_seed())?;
        self.switch_game(ActiveGame::Immigration(Box::new(view)));
        Ok(())
    }

    /// Resumes an Immigration Game.
    pub(super) fn resume_immigration(
        &mut self,
        game: immigration::Game,
        players: [PlayerKind; 2],
    ) -> Result<(), AppError> {
        let view = ImmigrationView::of(game, players, self.platform.random_seed())?;
        self.switch_game(ActiveGame::Immigration(Box::new(view)));
        Ok(())
    }

    /// Starts a fragment puzzle.
    pub(super) fn open_fragment(
        &mut self,
        settings: fragment::Settings,
        seed: u64,
    ) -> Result<(), AppError> {
        let (view, note) = FragmentView::new(settings, seed, &*self.platform)?;
        self.switch_game(ActiveGame::Fragment(Box::new(view)));
        if let Some(note) = note {
            self.notify_error(note);
        }
        Ok(())
    }

    /// Replaces the active game. A battle and a run of reZolution are kept until they are chosen again.
    pub(super) fn switch_game(&mut self, game: ActiveGame) {
        match std::mem::replace(&mut self.game, game) {
            ActiveGame::Battle(mut run) => {
                run.pause();
                self.inactive_battle = Some(run);
            }
            ActiveGame::Rezolution(mut run) => {
                run.pause();
                self.inactive_rezolution = super::rezolution::InactiveRezolution::Open(run);
            }
            ActiveGame::Fragment(_) | ActiveGame::Immigration(_) => {}
        }
        self.display.camera = None;
    }

    /// The settings and the name of the active battle.
    pub(super) fn battle_settings(&self) -> Result<(Settings, GameName), AppError> {
        match &self.game {
            ActiveGame::Battle(run) => Ok((run.session.settings(), run.kind())),
            ActiveGame::Fragment(_) | ActiveGame::Immigration(_) | ActiveGame::Rezolution(_) => {
                Err(AppError::Message(
                    "this is about battles; choose one in the Game menu".into(),
                ))
            }
        }
    }

    /// Replaces the active battle.
    pub(super) fn start_battle(
        &mut self,
        name: GameName,
        settings: Settings,
        board: LifelikeBoard,
    ) -> Result<(), AppError> {
        let bytes = LifelikeBoard::bytes(board.size());
        self.platform.check_memory(board.size(), bytes)?;
        let mut battle = battle(
            name,
            settings,
            board,
            self.engine_choice,
            &self.engine_factory,
        )?;
        let mut fits = false;
        if let ActiveGame::Battle(last) = &self.game {
            battle.succeed(last);
            fits = last.session.settings().size == battle.session.settings().size;
        }
        if !fits {
            self.display.camera = None;
        }
        self.flashes = FlashLimiter::default();
        self.game = ActiveGame::Battle(Box::new(battle));
        Ok(())
    }
}
