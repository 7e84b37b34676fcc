//! Which games a tournament consists of, and what is drawn at random in them.
//!
//! Everything random about a game is a stateless hash of the tournament's seed and the game's
//! number, so a game is the same on every machine, engine and thread count, whatever was played
//! before it, also when it is played alone.

use glam::uvec2;
use std::sync::Arc;

use super::{Match, Shape};
use crate::board::hash::{pcg4d, seed_words};
use crate::board::transform::{Flip, Orientation, Turn};
use crate::board::{BoardError, LifelikeBoard, LifelikeCell, Size};
use crate::rules::LifelikeRuleset;

/// A pattern and what it is called.
#[derive(Clone, Debug)]
pub struct Entrant {
    /// Its name in results and tables.
    pub name: Arc<str>,
    /// Its cells; their colours do not matter.
    pub pattern: Arc<LifelikeBoard>,
}

/// A pattern laid on a board in one colour.
#[derive(Clone, Debug)]
pub struct Side {
    /// Who plays.
    pub entrant: Entrant,
    /// How the pattern is turned.
    pub orientation: Orientation,
    /// Column of its top left cell, turned.
    pub x: u32,
    /// Row of its top left cell, turned.
    pub y: u32,
}

/// One game of a tournament.
#[derive(Clone, Debug)]
pub struct Game {
    /// Its number, from 0.
    pub number: u64,
    /// The rules.
    pub ruleset: LifelikeRuleset,
    /// The board.
    pub size: Size,
    /// How many generations it runs.
    pub limit: u64,
    /// Who plays red.
    pub red: Side,
    /// Who plays blue.
    pub blue: Side,
}

impl Game {
    /// The game as a match.
    ///
    /// # Errors
    /// [`BoardError`] if a pattern lies outside the board, both claim one cell, or there is no
    /// memory.
    pub fn to_match(&self) -> Result<Match, BoardError> {
        let mut start = LifelikeBoard::new(self.size)?;
        self.red.lay(&mut start, LifelikeCell::Red)?;
        self.blue.lay(&mut start, LifelikeCell::Blue)?;
        Ok(Match {
            ruleset: self.ruleset,
            limit: self.limit,
            start,
        })
    }

    /// What the game has in common with those computed beside it.
    pub const fn shape(&self) -> Shape {
        Shape::new(self.ruleset, self.size)
    }
}

impl Side {
    /// Puts the live cells of the pattern onto a board.
    fn lay(&self, board: &mut LifelikeBoard, colour: LifelikeCell) -> Result<(), BoardError> {
        let pattern = &self.entrant.pattern;
        let own = self.orientation.size(pattern.size())?;
        let fits =
            |at: u32, length: u32, side: u32| u64::from(at) + u64::from(length) <= side.into();
        if !fits(self.x, own.width(), board.size().width())
            || !fits(self.y, own.height(), board.size().height())
        {
            return Err(BoardError::DoesNotFit {
                pattern: own,
                board: board.size(),
                at: uvec2(self.x, self.y),
            });
        }
        for (at, _) in pattern.live_cells() {
            let at = uvec2(self.x, self.y) + self.orientation.apply(pattern.size(), at);
            if board.cell(at) != LifelikeCell::Dead {
                return Err(BoardError::Overlap(at));
            }
            board.set(at, colour);
        }
        Ok(())
    }
}

/// The draws of one game.
#[derive(Clone, Copy, Debug)]
pub struct Draws {
    seed: [u32; 2],
    number: u64,
}

/// The purpose of a draw; draws for different purposes are independent.
#[derive(Clone, Copy, Debug)]
enum Purpose {
    Orientations = 1,
    Places = 2,
    TieSeed = 3,
    Pair = 4,
    Pattern = 5,
}

impl Draws {
    /// The draws of game `number` (from 0, less than 2^56) of the tournament with this seed.
    pub fn new(seed: u64, number: u64) -> Self {
        Self {
            seed: seed_words(seed),
            number,
        }
    }

    fn draw(self, purpose: Purpose) -> [u32; 4] {
        let [low, high] = [self.number as u32, (self.number >> 32) as u32];
        pcg4d([
            self.seed[0],
            self.seed[1],
            low,
            high ^ (purpose as u32) << 24,
        ])
    }

    /// One of the eight orientations for red, and one for blue.
    pub fn orientations(self) -> [Orientation; 2] {
        let [red, blue, ..] = self.draw(Purpose::Orientations);
        [red, blue].map(|draw| Orientation {
            // With all four turns one mirror image makes all eight.
            flip: (draw >> 31 == 1).then_some(Flip::Horizontal),
            turn: match draw >> 29 & 3 {
                0 => Turn::None,
                1 => Turn::Quarter,
                2 => Turn::Half,
                _ => Turn::ThreeQuarters,
            },
        })
    }

    /// A place for red in the left half of a board and one for blue in the right half, each
    /// equally likely. Patterns, of the sizes they have when turned, must fit into their halves.
    pub fn places(self, board: Size, patterns: [Size; 2]) -> [(u32, u32); 2] {
        let [red_x, red_y, blue_x, blue_y] = self.draw(Purpose::Places);
        let half = board.width() / 2;
        let [red, blue] = patterns;
        let at = |draw: u32, room: u32, length: u32| below(draw, room.saturating_sub(length) + 1);
        [
            (
                at(red_x, half, red.width()),
                at(red_y, board.height(), red.height()),
            ),
            (
                half + at(blue_x, board.width() - half, blue.width()),
                at(blue_y, board.height(), blue.height()),
            ),
        ]
    }

    /// The seed of the game's ties.
    pub fn tie_seed(self) -> u64 {
        double(self.draw(Purpose::TieSeed))
    }

    /// The seed of random pattern `number`.
    pub fn pattern_seed(self) -> u64 {
        double(self.draw(Purpose::Pattern))
    }

    /// Two different of `count` entrants, at least 2, in an order drawn, too.
    fn pair(self, count: u32) -> (u32, u32) {
        let [first, second, ..] = self.draw(Purpose::Pair);
        let first = below(first, count);
        let second = below(second, count - 1);
        (first, second + u32::from(second >= first))
    }
}

/// A number below `count`, each as likely as 2^32 draws allow.
fn below(draw: u32, count: u32) -> u32 {
    ((u64::from(draw) * u64::from(count)) >> 32) as u32
}

fn double([low, high, ..]: [u32; 4]) -> u64 {
    u64::from(low) | u64::from(high) << 32
}

/// Who meets whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pairings {
    /// All pairs of entrants, `trials` times each.
    AllPairs {
        /// Entrants, at least 2.
        entrants: u32,
        /// Games of each pair.
        trials: u32,
    },
    /// Each of the last entrants against each of the first, `trials` times.
    Challenge {
        /// The first entrants, who are challenged.
        population: u32,
        /// The last entrants, who challenge.
        challengers: u32,
        /// Games of each pair.
        trials: u32,
    },
    /// Games between two entrants drawn at random.
    Drawn {
        /// Entrants, at least 2.
        entrants: u32,
        /// Games.
        games: u64,
    },
}

impl Pairings {
    /// How many games there are.
    pub fn games(self) -> u64 {
        match self {
            Self::AllPairs { entrants, trials } => {
                let entrants = u64::from(entrants);
                (entrants * entrants.saturating_sub(1) / 2).saturating_mul(trials.into())
            }
            Self::Challenge {
                population,
                challengers,
                trials,
            } => (u64::from(population) * u64::from(challengers)).saturating_mul(trials.into()),
            Self::Drawn { games, .. } => games,
        }
    }

    /// Who plays red and who blue in a game. The games of a pair alternate between its two ways.
    pub fn players(self, seed: u64, number: u64) -> (u32, u32) {
        let (trials, pair_of): (u32, &dyn Fn(u64) -> (u32, u32)) = match self {
            Self::AllPairs { trials, .. } => (trials, &pair_number),
            Self::Challenge {
                population, trials, ..
            } => (trials, &move |pair| {
                let population = u64::from(population);
                let challenger = population + pair / population;
                (challenger as u32, (pair % population) as u32)
            }),
            Self::Drawn { entrants, .. } => return Draws::new(seed, number).pair(entrants),
        };
        let trials = u64::from(trials.max(1));
        let (first, second) = pair_of(number / trials);
        match number % trials % 2 {
            0 => (first, second),
            _ => (second, first),
        }
    }
}

/// The pair of this number in the order (0, 1), (0, 2), (1, 2), (0, 3), (1, 3), ...
fn pair_number(number: u64) -> (u32, u32) {
    // The largest `second` with second * (second - 1) / 2 <= number; the root is a first guess.
    let before = |second: u64| second * (second - 1) / 2;
    let mut second = ((2.0 * number as f64).sqrt() as u64).max(1);
    while before(second) > number {
        second -= 1;
    }
    while before(second + 1) <= number {
        second += 1;
    }
    ((number - before(second)) as u32, second as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pair_has_one_number() {
        let mut number = 0;
        for second in 1..200 {
            for first in 0..second {
                assert_eq!(pair_number(number), (first, second));
                number += 1;
            }
        }
        // The last pair of 2^32 entrants.
        let last = u64::from(u32::MAX);
        assert_eq!(
            pair_number(last * (last + 1) / 2 - 1),
            (u32::MAX - 1, u32::MAX)
        );
    }

    #[test]
    fn both_of_a_pair_play_both_colours() {
        let schedule = Pairings::Challenge {
            population: 3,
            challengers: 2,
            trials: 2,
        };
        let games: Vec<_> = (0..schedule.games())
            .map(|number| schedule.players(1, number))
            .collect();
        assert_eq!(games[..4], [(3, 0), (0, 3), (3, 1), (1, 3)]);
        assert_eq!(games[11], (2, 4));
        assert_eq!(games.len(), 12);
    }

    #[test]
    fn lots_cover_everything_evenly() {
        let board = Size::new(78, 39).unwrap();
        let pattern = Size::new(13, 12).unwrap();
        let games = 40_000;
        let (mut columns, mut rows, mut ways) = ([0u32; 27], [0u32; 28], [0u32; 8]);
        let mut pairs = std::collections::BTreeMap::new();
        for number in 0..games {
            let draws = Draws::new(5, number);
            let [red, blue] = draws.places(board, [pattern; 2]);
            columns[red.0 as usize] += 1;
            rows[red.1 as usize] += 1;
            assert!(blue.0 >= 39 && blue.0 + 13 <= 78 && blue.1 + 12 <= 39);
            for way in draws.orientations() {
                let flip = usize::from(way.flip.is_some());
                ways[4 * flip + way.turn as usize] += 1;
            }
            let (first, second) = draws.pair(4);
            assert!(first != second && first < 4 && second < 4);
            *pairs.entry((first, second)).or_insert(0u32) += 1;
        }
        let chi_square = |counts: &[u32]| {
            let expected = f64::from(counts.iter().sum::<u32>()) / counts.len() as f64;
            let terms = counts
                .iter()
                .map(|&n| (f64::from(n) - expected).powi(2) / expected);
            terms.sum::<f64>()
        };
        // About 1 in 10^6 fair draws exceed these.
        assert!(chi_square(&columns) < 75.0, "{columns:?}");
        assert!(chi_square(&rows) < 77.0, "{rows:?}");
        assert!(chi_square(&ways) < 40.5, "{ways:?}");
        let pairs: Vec<u32> = pairs.into_values().collect();
        assert!(pairs.len() == 12 && chi_square(&pairs) < 50.0, "{pairs:?}");
    }
}
