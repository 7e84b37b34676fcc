//! Players of the Immigration Game without a person: one that searches and one that plays at random.
//!
//! [`Computer`] simulates. A single counter is evaluated on every dead cell by simulating the board,
//! and at higher strengths also after the opponent's best answer. In the set-up, where single counters
//! die, the computer draws whole arrangements of the counters it has left and places the first counter
//! of the best one; it searches again for the next counter.
//!
//! [`Strength`] fixes the amount of simulation, so the choice depends only on the game and the seed,
//! on any machine and any number of threads, unless the caller ends the search early.

mod plan;
mod search;
mod simulate;

use glam::{IVec2, UVec2};
use rand::Rng;
use rand_pcg::Pcg32;
use thiserror::Error;

use super::immigration::{Game, Phase, Player};
use crate::board::hash::{pcg4d, seed_words};
use crate::board::{LifelikeBoard, LifelikeCell, Size};
use crate::engine::EngineError;

/// What plays a colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlayerKind {
    /// A person at the keyboard or the pointer.
    Person,
    /// The [`Computer`].
    Computer,
}

impl PlayerKind {
    /// The kind in one word.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Person => "person",
            Self::Computer => "computer",
        }
    }
}

/// Returns whether the search should end with the best cell so far. The search calls it often and from
/// several threads.
pub type Enough<'a> = dyn Fn() -> bool + Sync + 'a;

/// The depth and breadth of the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Strength(Effort);

/// The amount of simulation of a strength.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Effort {
    /// Generations simulated after a move of its own.
    generations: u32,
    /// The number of best moves that are tried against all answers of the opponent.
    answered_moves: usize,
    /// Generations simulated after an answer.
    answer_generations: u32,
    /// Arrangements drawn in the set-up.
    plans: u32,
    /// Arrangements of the opponent in the first evaluation of each.
    sifting_plans: u32,
    /// The number of best arrangements that are tried against arrangements of the opponent.
    answered_plans: usize,
    /// Arrangements of the opponent in the second evaluation.
    answer_plans: u32,
}

impl Strength {
    /// The weakest.
    pub const MIN: u8 = 1;
    /// The strongest.
    pub const MAX: u8 = 3;

    /// Strength 1 (without answers of the opponent), 2 or 3; `None` for other numbers.
    pub const fn new(number: u8) -> Option<Self> {
        Some(Self(match number {
            1 => Effort {
                generations: 20,
                answered_moves: 0,
                answer_generations: 0,
                plans: 300,
                sifting_plans: 0,
                answered_plans: 0,
                answer_plans: 0,
            },
            2 => Effort {
                generations: 30,
                answered_moves: 12,
                answer_generations: 20,
                plans: 1000,
                sifting_plans: 6,
                answered_plans: 24,
                answer_plans: 80,
            },
            3 => Effort {
                generations: 40,
                answered_moves: 32,
                answer_generations: 30,
                plans: 2000,
                sifting_plans: 8,
                answered_plans: 60,
                answer_plans: 200,
            },
            _ => return None,
        }))
    }
}

/// Why the computer cannot choose a cell.
#[derive(Debug, Error)]
pub enum ChooseError {
    /// Simulating so large a board would take too long.
    #[error(
        "the computer plays on boards of at most {most} cells, and {size} are more; person and random play on any",
        most = Computer::MAX_CELLS
    )]
    TooLarge {
        /// The board's size.
        size: Size,
    },
    /// The engine failed.
    #[error(transparent)]
    Engine(EngineError),
}

impl From<EngineError> for ChooseError {
    fn from(error: EngineError) -> Self {
        Self::Engine(error)
    }
}

/// A player that searches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Computer {
    effort: Effort,
    seed: u64,
}

impl Computer {
    /// The most cells of a board it plays on.
    pub const MAX_CELLS: u64 = 10_000;

    /// A player of a strength; the seed decides between equal moves.
    pub const fn new(strength: Strength, seed: u64) -> Self {
        Self {
            effort: strength.0,
            seed,
        }
    }

    /// Checks that the computer plays on boards of a size.
    ///
    /// # Errors
    /// [`ChooseError::TooLarge`] if it does not.
    pub const fn check(size: Size) -> Result<(), ChooseError> {
        if size.cells() > Self::MAX_CELLS {
            return Err(ChooseError::TooLarge { size });
        }
        Ok(())
    }

    /// The dead cell for the next counter; `None` unless it is time to place one. When `enough` returns
    /// `true`, the search ends with the best cell so far.
    ///
    /// # Errors
    /// [`ChooseError`] if the board is too large or the engine fails.
    pub fn choose(&self, game: &Game, enough: &Enough<'_>) -> Result<Option<UVec2>, ChooseError> {
        let Phase::Placing { player, left } = game.phase() else {
            return Ok(None);
        };
        Self::check(game.setup().size())?;
        let turn = Turn {
            board: game.board(),
            me: player,
            mine: left,
            theirs: game.counters_left(player.other()),
            effort: self.effort,
            dice: Dice::new(self.seed, game),
        };
        let chosen = if left > 1 {
            plan::choose(&turn, enough)?
        } else {
            search::choose(&turn, enough)?
        };
        Ok(Some(chosen))
    }
}

/// A random dead cell for the next counter; `None` unless it is time to place one.
pub fn random_cell(game: &Game, seed: u64) -> Option<UVec2> {
    let Phase::Placing { .. } = game.phase() else {
        return None;
    };
    let mut stream = Dice::new(seed, game).stream(Draw::Anywhere, 0);
    random_dead(game.board(), &mut stream)
}

/// The position before a choice.
struct Turn<'a> {
    board: &'a LifelikeBoard,
    me: Player,
    /// Counters that `me` has left in this round, at least 1.
    mine: u32,
    /// Counters that the opponent has left.
    theirs: u32,
    effort: Effort,
    dice: Dice,
}

/// The purposes of random numbers; each has streams of its own.
#[derive(Clone, Copy)]
enum Draw {
    Anywhere = 0,
    Plan = 1,
    Answer = 2,
    EqualMoves = 3,
    Sift = 4,
}

/// The random numbers of a turn: functions of the seed, the number of moves and the purpose.
#[derive(Clone, Copy)]
struct Dice {
    seed: [u32; 2],
    turn: u32,
}

impl Dice {
    fn new(seed: u64, game: &Game) -> Self {
        Self {
            seed: seed_words(seed),
            turn: game.moves().len() as u32,
        }
    }

    /// The stream for a purpose and index.
    fn stream(self, draw: Draw, index: u32) -> Pcg32 {
        let [low, high] = self.seed;
        let state = pcg4d([low, high, self.turn << 3 | draw as u32, index]);
        Pcg32::new(
            u64::from(state[0]) | u64::from(state[1]) << 32,
            u64::from(state[2]),
        )
    }

    /// A number that decides between equal moves.
    fn rank(self, cell: UVec2) -> u32 {
        self.stream(Draw::EqualMoves, cell.x << 16 | cell.y)
            .next_u32()
    }
}

/// A number from 0 to `count - 1`.
fn below(stream: &mut Pcg32, count: u32) -> u32 {
    ((u64::from(stream.next_u32()) * u64::from(count)) >> 32) as u32
}

/// A random dead cell, each equally likely.
fn random_dead(board: &LifelikeBoard, stream: &mut Pcg32) -> Option<UVec2> {
    let dead = board.size().cells() - board.census().alive();
    if dead == 0 {
        return None;
    }
    let chosen = below(stream, dead as u32);
    cells(board, LifelikeCell::Dead).nth(chosen as usize)
}

/// All cells in a state, row by row.
fn cells(board: &LifelikeBoard, state: LifelikeCell) -> impl Iterator<Item = UVec2> + '_ {
    (0..board.size().height()).flat_map(move |y| {
        let row = (0..).zip(board.row(y));
        row.filter(move |&(_, cell)| cell == state)
            .map(move |(x, _)| UVec2::new(x, y))
    })
}

/// The cell at an offset from another one, on a torus.
fn shifted(size: Size, cell: UVec2, by: IVec2) -> UVec2 {
    let size = UVec2::new(size.width(), size.height()).as_i64vec2();
    (cell.as_i64vec2() + by.as_i64vec2())
        .rem_euclid(size)
        .as_uvec2()
}

#[cfg(test)]
mod tests;
