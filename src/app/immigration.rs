//! The Immigration Game in the window: whose turn it is, who plays, and generations that run
//! automatically.

use std::time::Duration;

use super::command::ImmigrationCommand;
use super::error::AppError;
use super::platform::{Platform, Task};
use crate::game::immigration::{Game, GameResult, Phase, Player, Setup};
use crate::game::opponent::{Computer, PlayerKind, Strength};

/// The time from one generation to the next.
const INTERVAL: Duration = Duration::from_millis(180);

/// The strength of the computer.
const STRENGTH: u8 = 2;

/// How often the computer is polled for its cell.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// A game in progress.
pub(super) struct ImmigrationView {
    game: Game,
    /// Who plays red and blue.
    players: [PlayerKind; 2],
    seed: u64,
    task: Option<Box<dyn Task>>,
    waiting: Duration,
    revision: u64,
}

impl ImmigrationView {
    pub(super) fn new(setup: Setup, players: [PlayerKind; 2], seed: u64) -> Result<Self, AppError> {
        Self::of(
            Game::new(setup).map_err(|error| error.to_string())?,
            players,
            seed,
        )
    }

    /// Resumes a game.
    pub(super) fn of(game: Game, players: [PlayerKind; 2], seed: u64) -> Result<Self, AppError> {
        if players.contains(&PlayerKind::Computer) {
            Computer::check(game.setup().size()).map_err(|error| error.to_string())?;
        }
        Ok(Self {
            game,
            players,
            seed,
            task: None,
            waiting: Duration::ZERO,
            revision: 0,
        })
    }

    pub(super) const fn game(&self) -> &Game {
        &self.game
    }

    pub(super) const fn revision(&self) -> u64 {
        self.revision
    }

    /// The player whose turn it is, if a person plays it.
    pub(super) fn person(&self) -> Option<Player> {
        match self.game.phase() {
            Phase::Placing { player, .. } if self.player_kind(player) == PlayerKind::Person => {
                Some(player)
            }
            Phase::Placing { .. }
            | Phase::Running { .. }
            | Phase::Waiting { .. }
            | Phase::Over(_) => None,
        }
    }

    /// How the game ended, once it has.
    pub(super) const fn result(&self) -> Option<GameResult> {
        match self.game.phase() {
            Phase::Over(result) => Some(result),
            Phase::Placing { .. } | Phase::Running { .. } | Phase::Waiting { .. } => None,
        }
    }

    /// Whether the computer is choosing a cell.
    pub(super) const fn is_thinking(&self) -> bool {
        self.task.is_some()
    }

    pub(super) const fn players(&self) -> [PlayerKind; 2] {
        self.players
    }

    const fn player_kind(&self, player: Player) -> PlayerKind {
        match player {
            Player::Red => self.players[0],
            Player::Blue => self.players[1],
        }
    }

    /// Lets time pass. Returns how long to wait for the next call; `None` if it is a person's turn.
    pub(super) fn tick(
        &mut self,
        frame: Duration,
        platform: &dyn Platform,
    ) -> Result<Option<Duration>, AppError> {
        match self.game.phase() {
            Phase::Over(_) => Ok(None),
            Phase::Running { .. } | Phase::Waiting { .. } => {
                self.waiting += frame;
                if self.waiting >= INTERVAL {
                    self.waiting = Duration::ZERO;
                    self.game.step().map_err(|error| error.to_string())?;
                    self.revision += 1;
                }
                Ok(Some(INTERVAL / 4))
            }
            Phase::Placing { player, .. } => {
                self.waiting = Duration::ZERO;
                if self.player_kind(player) == PlayerKind::Person {
                    return Ok(None);
                }
                self.poll_computer(player, platform)?;
                Ok(Some(POLL_INTERVAL))
            }
        }
    }

    /// Carries a command out.
    pub(super) fn apply(
        &mut self,
        counter: ImmigrationCommand,
        platform: &dyn Platform,
    ) -> Result<(), AppError> {
        match counter {
            ImmigrationCommand::Place(cell) => {
                if let Phase::Placing { player, .. } = self.game.phase()
                    && self.player_kind(player) == PlayerKind::Computer
                {
                    return Err(AppError::Message(format!(
                        "{player} is played by the computer"
                    )));
                }
                self.game.place(cell).map_err(|error| error.to_string())?;
            }
            ImmigrationCommand::TakeBack => {
                self.task = None;
                self.game.undo().map_err(|error| error.to_string())?;
                // The counters that the computer placed after the person's are taken back, too.
                while self.person().is_none() && !self.game.undoable().is_empty() {
                    self.game.undo().map_err(|error| error.to_string())?;
                }
            }
            ImmigrationCommand::SetPlayers(players) => {
                if players.contains(&PlayerKind::Computer) {
                    Computer::check(self.game.setup().size()).map_err(|error| error.to_string())?;
                }
                self.players = players;
                // The cell found by the computer is discarded.
                self.task = None;
            }
            ImmigrationCommand::NewGame(setup, players) => {
                let revision = self.revision;
                *self = Self::new(setup, players, platform.random_seed())?;
                self.revision = revision;
            }
        }
        self.revision += 1;
        Ok(())
    }

    fn poll_computer(&mut self, player: Player, platform: &dyn Platform) -> Result<(), AppError> {
        let Some(task) = &mut self.task else {
            let strength = Strength::new(STRENGTH)
                .ok_or_else(|| AppError::Message("the computer has no strength".into()))?;
            let computer = Computer::new(strength, self.seed);
            let game = self.game.clone();
            self.task = Some(platform.spawn(Box::new(move || {
                let chosen = computer.choose(&game, &|| false);
                chosen.map_err(|error| error.to_string())
            })));
            return Ok(());
        };
        let Some(chosen) = task.poll() else {
            return Ok(());
        };
        self.task = None;
        let cell = chosen?.ok_or_else(|| format!("{player} has found no cell"))?;
        self.game.place(cell).map_err(|error| error.to_string())?;
        self.revision += 1;
        Ok(())
    }
}
