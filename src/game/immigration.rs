//! The Immigration Game: two players place counters of their colours on one torus of Life.
//!
//! ```text
//!              five counters each, in turns
//!                          |
//!        +------> Placing -+---> Running --- ten generations ---+
//!        |                          |                           |
//!        |   the leader one,        +-> Over                    v
//!        |   then the other one                          counts equal? --- yes --> Waiting
//!        |                                                      |                  |  |
//!        +------------------------ no --------------------------+                  |  +-> Over
//!        +------------------------ one generation broke the tie -------------------+
//! ```
//!
//! The rules are B3/S23 on a torus, so no birth is ever evenly split. The game ends after any
//! generation that leaves at most one colour. It is a stalemate if a coloured board repeats while the
//! game waits for a lead, since it would repeat for ever.
//!
//! A counter goes on a dead cell. On a full board the players pass: they lose the counters left in
//! that round, and records do not mention it. (A full board dies in the next generation, so passing
//! always ends in a draw.)
//!
//! [`Game`] is a pure state machine: [`Game::step`] computes one generation, and there is no clock.
//! A [record](super::record) stores a game as its moves.

mod error;

pub use error::{PlaceError, StepError, TooLarge, UndoError};

use glam::uvec2;
use std::collections::HashSet;
use std::fmt;

use glam::UVec2;
use serde::{Deserialize, Serialize};

use super::referee::Outcome;
use crate::board::{BoardError, Edges, LifelikeBoard, LifelikeCell, LifelikeCensus, Size};
use crate::engine::Engine;
use crate::engine::cpu::CpuEngine;
use crate::rules::{LifelikeRuleset, Rule, Ties};

/// Columns and rows of the default board.
pub const DEFAULT_SIDE: u64 = 25;

/// The longest side a board may have.
pub const MAX_SIDE: u32 = 1000;

/// Counters each player places before the first generation.
pub const SETUP_COUNTERS: u32 = 5;

/// Counters each player places in every later round.
pub const ROUND_COUNTERS: u32 = 1;

/// Generations after every round of counters.
pub const ROUND_GENERATIONS: u32 = 10;

/// The most counters in a game. This bounds the work of replaying a record.
pub const MAX_MOVES: usize = 20_000;

/// The rules of every board of the game.
pub const RULESET: LifelikeRuleset = LifelikeRuleset {
    rule: Rule::LIFE,
    edges: Edges::Torus,
    // Three parents are never evenly split.
    ties: Ties::Red,
};

/// One of the two sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Player {
    /// Player 1.
    Red,
    /// Player 2.
    Blue,
}

impl Player {
    /// The opponent.
    pub const fn other(self) -> Self {
        match self {
            Self::Red => Self::Blue,
            Self::Blue => Self::Red,
        }
    }

    /// The cell state of the player's counters.
    pub const fn cell(self) -> LifelikeCell {
        match self {
            Self::Red => LifelikeCell::Red,
            Self::Blue => LifelikeCell::Blue,
        }
    }

    /// The player's cells in a census.
    pub const fn count(self, census: LifelikeCensus) -> u64 {
        match self {
            Self::Red => census.red,
            Self::Blue => census.blue,
        }
    }

    /// The player with more cells, if there is one.
    pub const fn leading(census: LifelikeCensus) -> Option<Self> {
        if census.red == census.blue {
            None
        } else if census.red > census.blue {
            Some(Self::Red)
        } else {
            Some(Self::Blue)
        }
    }
}

/// In one word, for people and for machines.
impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Red => "red",
            Self::Blue => "blue",
        })
    }
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameResult {
    /// Only this player has cells left.
    Won(Player),
    /// A draw: no cell is left.
    Extinction,
    /// A draw: a wait for a lead came back to a board it had been on.
    Stalemate,
}

impl GameResult {
    /// The result by elimination, or `None` while both colours live.
    fn of(census: LifelikeCensus) -> Option<Self> {
        match Outcome::of(census) {
            Outcome::Red => Some(Self::Won(Player::Red)),
            Outcome::Blue => Some(Self::Won(Player::Blue)),
            Outcome::Draw => Some(Self::Extinction),
            Outcome::Undecided => None,
        }
    }
}

/// As the end of a sentence about a game: "it ended as ...".
impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Won(player) => write!(f, "a win for {player}"),
            Self::Extinction => f.write_str("a draw, no cell being left"),
            Self::Stalemate => f.write_str("a stalemate draw"),
        }
    }
}

/// What comes next in the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// A counter.
    Placing {
        /// Whose turn it is.
        player: Player,
        /// Counters this player has left in this round, this one included.
        left: u32,
    },
    /// A generation of those that follow every round of counters.
    Running {
        /// Generations left, 1 to [`ROUND_GENERATIONS`].
        left: u32,
    },
    /// A generation that may break a tie.
    Waiting {
        /// Generations that did not break it.
        waited: u64,
    },
    /// Nothing: the game is over.
    Over(GameResult),
}

/// What is fixed before a game: the size of the board and who begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setup {
    size: Size,
    first: Player,
}

impl Setup {
    /// A torus of `size`; `first` places the first counter.
    ///
    /// # Errors
    /// [`TooLarge`] if a side is longer than [`MAX_SIDE`].
    pub fn new(size: Size, first: Player) -> Result<Self, TooLarge> {
        if size.width().max(size.height()) > MAX_SIDE {
            return Err(TooLarge(size));
        }
        Ok(Self { size, first })
    }

    /// Columns and rows of the torus.
    pub const fn size(self) -> Size {
        self.size
    }

    /// Who places the first counter.
    pub const fn first(self) -> Player {
        self.first
    }
}

/// A placed counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Move {
    /// Who placed it.
    pub player: Player,
    /// Column, from 0.
    pub x: u32,
    /// Row, from 0.
    pub y: u32,
}

impl Move {
    /// The cell of the counter.
    pub const fn cell(self) -> UVec2 {
        UVec2::new(self.x, self.y)
    }
}

/// A round of counters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Round {
    /// Who places first.
    starter: Player,
    /// Counters for each player.
    each: u32,
    /// Counters placed by both.
    placed: u32,
}

impl Round {
    /// The phase that follows on this board.
    fn phase(self, board: &LifelikeBoard) -> Phase {
        let full = board.census().alive() == board.size().cells();
        if full || self.placed == 2 * self.each {
            return Phase::Running {
                left: ROUND_GENERATIONS,
            };
        }
        let player = if self.placed.is_multiple_of(2) {
            self.starter
        } else {
            self.starter.other()
        };
        Phase::Placing {
            player,
            left: self.each - self.placed / 2,
        }
    }
}

/// A game, in progress or over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    setup: Setup,
    board: LifelikeBoard,
    generation: u64,
    phase: Phase,
    /// The present round.
    round: Round,
    moves: Vec<Move>,
    /// Digests of the boards since the game began to wait for a lead.
    waiting_digests: HashSet<String>,
}

impl Game {
    /// A new game.
    ///
    /// # Errors
    /// [`BoardError::NoMemory`] if there is not enough memory for the board.
    pub fn new(setup: Setup) -> Result<Self, BoardError> {
        let board = LifelikeBoard::new(setup.size)?;
        let round = Round {
            starter: setup.first,
            each: SETUP_COUNTERS,
            placed: 0,
        };
        Ok(Self {
            setup,
            phase: round.phase(&board),
            board,
            generation: 0,
            round,
            moves: Vec::new(),
            waiting_digests: HashSet::new(),
        })
    }

    /// The setup of the game.
    pub const fn setup(&self) -> Setup {
        self.setup
    }

    /// The present board.
    pub const fn board(&self) -> &LifelikeBoard {
        &self.board
    }

    /// Generations computed so far.
    pub const fn generation(&self) -> u64 {
        self.generation
    }

    /// What comes next.
    pub const fn phase(&self) -> Phase {
        self.phase
    }

    /// All placed counters in order.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Whether the game is still being set up: no generation has run.
    pub const fn is_setup(&self) -> bool {
        self.generation == 0
    }

    /// Counters that a player has left in the present round; 0 while generations run.
    pub const fn counters_left(&self, player: Player) -> u32 {
        let Phase::Placing { player: next, left } = self.phase else {
            return 0;
        };
        let is_next = next as u8 == player as u8;
        let next_started = next as u8 == self.round.starter as u8;
        match (is_next, next_started) {
            (true, _) | (false, true) => left,
            (false, false) => left - 1,
        }
    }

    /// The counters that can be taken back, the last one last: those of the present round, until a
    /// generation has run.
    pub fn undoable(&self) -> &[Move] {
        let placed = match self.phase {
            Phase::Placing { .. } => self.round.placed,
            Phase::Running { left } if left == ROUND_GENERATIONS => self.round.placed,
            Phase::Running { .. } | Phase::Waiting { .. } | Phase::Over(_) => 0,
        };
        &self.moves[self.moves.len() - placed as usize..]
    }

    /// Places a counter of the player whose turn it is.
    ///
    /// # Errors
    /// [`PlaceError`]; the game is unchanged.
    pub fn place(&mut self, cell: UVec2) -> Result<(), PlaceError> {
        let player = match self.phase {
            Phase::Placing { player, .. } => player,
            Phase::Running { .. } | Phase::Waiting { .. } => return Err(PlaceError::Running),
            Phase::Over(result) => {
                return Err(PlaceError::Over {
                    result,
                    generation: self.generation,
                });
            }
        };
        let size = self.setup.size;
        let UVec2 { x, y } = cell;
        if x >= size.width() || y >= size.height() {
            return Err(PlaceError::OffBoard { cell, size });
        }
        let by = match self.board.cell(uvec2(x, y)) {
            LifelikeCell::Dead => None,
            LifelikeCell::Red => Some(Player::Red),
            LifelikeCell::Blue => Some(Player::Blue),
        };
        if let Some(by) = by {
            return Err(PlaceError::Occupied { cell, by });
        }
        if self.moves.len() >= MAX_MOVES {
            return Err(PlaceError::TooManyMoves);
        }
        self.board.set(uvec2(x, y), player.cell());
        self.moves.push(Move { player, x, y });
        self.round.placed += 1;
        self.phase = self.round.phase(&self.board);
        Ok(())
    }

    /// Takes the last counter back.
    ///
    /// # Errors
    /// [`UndoError`] if there is none, or if a generation has run since it was placed.
    pub fn undo(&mut self) -> Result<Move, UndoError> {
        let Some(&taken) = self.undoable().last() else {
            return Err(if self.moves.is_empty() {
                UndoError::NoMove
            } else {
                UndoError::GenerationComputed
            });
        };
        self.moves.pop();
        self.board.set(uvec2(taken.x, taken.y), LifelikeCell::Dead);
        self.round.placed -= 1;
        self.phase = self.round.phase(&self.board);
        Ok(taken)
    }

    /// Computes one generation and judges it.
    ///
    /// # Errors
    /// [`StepError`]; the game is unchanged.
    pub fn step(&mut self) -> Result<(), StepError> {
        match self.phase {
            Phase::Placing { player, .. } => return Err(StepError::Placing(player)),
            Phase::Over(result) => return Err(StepError::Over(result)),
            Phase::Running { .. } | Phase::Waiting { .. } => {}
        }
        let mut engine = CpuEngine::new(RULESET);
        engine.load(&self.board)?;
        engine.step(1)?;
        self.board = engine.read()?;
        self.generation += 1;
        self.phase = self.judge();
        Ok(())
    }

    /// The phase after the generation just computed.
    fn judge(&mut self) -> Phase {
        let census = self.board.census();
        if let Some(result) = GameResult::of(census) {
            return Phase::Over(result);
        }
        if let Phase::Running { left: left @ 2.. } = self.phase {
            return Phase::Running { left: left - 1 };
        }
        if let Some(starter) = Player::leading(census) {
            self.waiting_digests.clear();
            self.round = Round {
                starter,
                each: ROUND_COUNTERS,
                placed: 0,
            };
            return self.round.phase(&self.board);
        }
        if !self.waiting_digests.insert(self.board.digest()) {
            return Phase::Over(GameResult::Stalemate);
        }
        match self.phase {
            Phase::Waiting { waited } => Phase::Waiting { waited: waited + 1 },
            Phase::Placing { .. } | Phase::Running { .. } | Phase::Over(_) => {
                Phase::Waiting { waited: 0 }
            }
        }
    }
}

#[cfg(test)]
mod tests;
