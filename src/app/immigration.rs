//! The Immigration Game on the table: whose turn it is, who plays, and generations that run by
//! themselves.

use std::time::Duration;

use super::command::ImmigrationCommand;
use super::error::AppError;
use super::platform::{Platform, Task};
use crate::game::immigration::{Ending, Game, Phase, Player, Setup};
use crate::game::opponent::PlayerKind;
use crate::game::opponent::{Computer, Strength};

/// How long a generation is shown.
const INTERVAL: Duration = Duration::from_millis(180);

/// How far a computer looks.
const STRENGTH: u8 = 2;

/// How often a thought is asked for.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// A game under way.
pub(super) struct ImmigrationView {
    game: Game,
    /// Who plays red, and who blue.
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

    /// A game that goes on.
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

    /// Who places the next counter, if a person does.
    pub(super) fn person(&self) -> Option<Player> {
        match self.game.phase() {
            Phase::Placing { player, .. } if self.who(player) == PlayerKind::Person => Some(player),
            _ => None,
        }
    }

    /// How the game ended, once it has.
    pub(super) const fn ending(&self) -> Option<Ending> {
        match self.game.phase() {
            Phase::Over(ending) => Some(ending),
            _ => None,
        }
    }

    /// Whether a computer is looking for a move.
    pub(super) const fn is_thinking(&self) -> bool {
        self.task.is_some()
    }

    pub(super) const fn players(&self) -> [PlayerKind; 2] {
        self.players
    }

    const fn who(&self, player: Player) -> PlayerKind {
        match player {
            Player::Red => self.players[0],
            Player::Blue => self.players[1],
        }
    }

    /// Lets time pass. Returns how long to wait for the next time; `None` if a person is to move.
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
                if self.who(player) == PlayerKind::Person {
                    return Ok(None);
                }
                self.think(player, platform)?;
                Ok(Some(POLL_INTERVAL))
            }
        }
    }

    /// Does what a person asks.
    pub(super) fn apply(
        &mut self,
        counter: ImmigrationCommand,
        platform: &dyn Platform,
    ) -> Result<(), AppError> {
        match counter {
            ImmigrationCommand::Place(x, y) => {
                if let Phase::Placing { player, .. } = self.game.phase()
                    && self.who(player) == PlayerKind::Computer
                {
                    return Err(AppError::Message(format!(
                        "{player} is played by the computer"
                    )));
                }
                self.game.place(x, y).map_err(|error| error.to_string())?;
            }
            ImmigrationCommand::TakeBack => {
                self.task = None;
                self.game.undo().map_err(|error| error.to_string())?;
                // The computer's counters go with the person's before them.
                while self.person().is_none() && !self.game.undoable().is_empty() {
                    self.game.undo().map_err(|error| error.to_string())?;
                }
            }
            ImmigrationCommand::Players(players) => {
                if players.contains(&PlayerKind::Computer) {
                    Computer::check(self.game.setup().size()).map_err(|error| error.to_string())?;
                }
                self.players = players;
                // What a computer found for a person is forgotten.
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

    fn think(&mut self, player: Player, platform: &dyn Platform) -> Result<(), AppError> {
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
        let (x, y) = chosen?.ok_or_else(|| format!("{player} has found no cell"))?;
        self.game.place(x, y).map_err(|error| error.to_string())?;
        self.revision += 1;
        Ok(())
    }
}
