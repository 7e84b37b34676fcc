//! The games that a result file holds already: are they those of this tournament?
//!
//! A line can be changed by anybody. Names and settings are compared with the schedule, outcomes with
//! the counts beside them, and some games, others each time, are played again.

use std::collections::VecDeque;
use std::hash::{BuildHasher, RandomState};

use anyhow::{Context, Result, anyhow, bail};

use super::Player;
use super::games::Games;
use crate::arena::results::{ResultFormat, ResultRow};
use crate::arena::schedule::Game;
use crate::arena::{Match, MatchResult, Schedule, Shape};
use crate::board::BoardError;

/// Games of the schedule that are made at once.
const AHEAD: u64 = 1 << 10;

/// Games that are played again, at most.
const SAMPLE: usize = 32;

/// Cells times generations of the games that are played again; one game is in any case.
const SAMPLE_WORK: u64 = 1 << 28;

/// Rows of a file on their way past the schedule.
pub(super) struct Recorded<'a> {
    games: &'a mut Games,
    /// The next games of the schedule.
    ahead: VecDeque<Game>,
    rows: u64,
    random: RandomState,
    sample: Vec<(Game, ResultRow)>,
}

impl<'a> Recorded<'a> {
    pub(super) fn new(games: &'a mut Games) -> Self {
        Self {
            games,
            ahead: VecDeque::new(),
            rows: 0,
            random: RandomState::new(),
            sample: Vec::new(),
        }
    }

    /// The next row of the file.
    ///
    /// # Errors
    /// If it is not what the schedule says.
    pub(super) fn add(&mut self, row: &ResultRow) -> Result<()> {
        let tournament = self.games.fingerprint();
        if row.tournament != tournament {
            bail!(
                "holds games of another tournament ({}, this is {tournament}); choose another --output, or --overwrite",
                row.tournament
            );
        }
        if self.ahead.is_empty() {
            self.ahead = self.games.possible_games(self.rows, AHEAD)?.into();
        }
        self.rows += 1;
        let Some(game) = self.ahead.pop_front() else {
            bail!(
                "the tournament has {} games; remove the lines after them, or choose another --output, or --overwrite",
                self.games.total()
            );
        };
        row.check(self.games.fingerprint(), &game)?;
        self.choose(game, row);
        Ok(())
    }

    /// Keeps every row with the same probability.
    fn choose(&mut self, game: Game, row: &ResultRow) {
        if self.sample.len() < SAMPLE {
            self.sample.push((game, row.clone()));
            return;
        }
        let place = self.random.hash_one(self.rows) % self.rows;
        if let Some(chosen) = self.sample.get_mut(place as usize) {
            *chosen = (game, row.clone());
        }
    }

    /// Plays some of the games again.
    ///
    /// # Errors
    /// If one ends otherwise than its row says.
    pub(super) fn replay(self, player: &Player, name: &str, format: ResultFormat) -> Result<()> {
        let mut work = 0u64;
        let affordable = |(game, _): &(Game, ResultRow)| {
            let before = work;
            work = work.saturating_add(game.size.cells().saturating_mul(game.limit));
            before == 0 || work <= SAMPLE_WORK
        };
        let sample: Vec<_> = self.sample.into_iter().take_while(affordable).collect();
        let (games, rows): (Vec<Game>, Vec<ResultRow>) = sample.into_iter().unzip();
        let tournament = self.games.fingerprint();
        let again = Again { tournament, games };
        for (row, found) in rows.iter().zip(player.play(&again)?) {
            let header = u64::from(format == ResultFormat::Csv);
            let place = || format!("{name}, line {}", row.game + header);
            let found = found.ok_or_else(|| anyhow!("was not played again"));
            row.compare(&found.with_context(place)?)
                .with_context(place)?;
        }
        Ok(())
    }
}

/// Games that are played again.
struct Again<'a> {
    tournament: &'a str,
    games: Vec<Game>,
}

impl Schedule for Again<'_> {
    type Output = ResultRow;

    fn len(&self) -> usize {
        self.games.len()
    }

    fn shape(&self, index: usize) -> Shape {
        self.games[index].shape()
    }

    fn limit(&self, index: usize) -> u64 {
        self.games[index].limit
    }

    fn get(&self, index: usize) -> Result<Match, BoardError> {
        self.games[index].to_match()
    }

    fn finish(&self, index: usize, result: MatchResult) -> ResultRow {
        ResultRow::new(self.tournament, &self.games[index], &result)
    }

    fn is_stopped(&self) -> bool {
        false
    }
}
