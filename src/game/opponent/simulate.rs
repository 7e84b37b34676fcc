//! The value of a board by simulation.

use glam::UVec2;

use crate::board::{LifelikeBoard, LifelikeCell, LifelikeCensus};
use crate::engine::cpu::CpuEngine;
use crate::engine::{Engine, EngineError};
use crate::game::immigration::{Player, ROUND_GENERATIONS, RULESET};

/// A win before the next counter. Earlier wins are worth more, by one per generation.
const WIN: i64 = 1_000_000;

/// The share of a side that has all cells at the end of a round.
const ALL: i64 = 1000;

/// Being the only side at the end of a later round: more than having nearly all cells, but counters will be
/// placed before that.
const ALONE: i64 = 2 * ALL;

/// Added to the number of cells in a share, so that a lead of one cell to none is worth little.
const COUNTER_WEIGHT: i64 = 4;

/// How a simulation is evaluated.
#[derive(Clone, Copy)]
pub(super) struct View {
    /// The side the value is for.
    pub(super) me: Player,
    /// Whether the opponent has counters to place before the first generation. That it dies out then means
    /// nothing.
    pub(super) unanswered: bool,
    /// Generations to simulate.
    pub(super) generations: u32,
}

/// The engine of a thread.
pub(super) struct Simulator(CpuEngine);

impl Simulator {
    pub(super) fn new() -> Self {
        Self(CpuEngine::new(RULESET))
    }

    /// The value of a board: the lead as a share of all cells at the end of this and later rounds, with more
    /// weight on earlier rounds. An end of the game within this round outweighs everything.
    pub(super) fn value(&mut self, board: &LifelikeBoard, view: View) -> Result<i64, EngineError> {
        let engine = &mut self.0;
        engine.load(board)?;
        let rounds = view.generations.div_ceil(ROUND_GENERATIONS);
        let mut value = 0;
        for generation in 1..=rounds * ROUND_GENERATIONS {
            engine.step(1)?;
            let census = engine.census()?;
            let [mine, theirs] = [view.me, view.me.other()].map(|side| side.count(census));
            let in_this_round = generation <= ROUND_GENERATIONS;
            // The weights of this round and all later ones.
            let rest = i64::from(rounds - (generation - 1) / ROUND_GENERATIONS);
            let weights = rest * (rest + 1) / 2;
            let soon = WIN - i64::from(generation);
            match (mine > 0, theirs > 0) {
                (false, false) if view.unanswered => return Ok(value - soon),
                (false, false) => return Ok(value),
                (false, true) if in_this_round => return Ok(value - soon),
                (false, true) => return Ok(value - weights * ALONE),
                (true, false) if view.unanswered => {}
                (true, false) if in_this_round => return Ok(value + soon),
                (true, false) => return Ok(value + weights * ALONE),
                (true, true) => {}
            }
            if generation % ROUND_GENERATIONS == 0 {
                value += rest * share(mine as i64, theirs as i64);
            }
        }
        Ok(value)
    }

    /// The board at the end of the round.
    pub(super) fn round_end(&mut self, board: &LifelikeBoard) -> Result<RoundEnd, EngineError> {
        let engine = &mut self.0;
        engine.load(board)?;
        for generation in 1..=ROUND_GENERATIONS {
            engine.step(1)?;
            let census = engine.census()?;
            if census.red == 0 || census.blue == 0 {
                return Ok(RoundEnd::Over { generation, census });
            }
        }
        Ok(RoundEnd::Board(engine.read()?))
    }
}

/// How a round ends without further counters.
pub(super) enum RoundEnd {
    /// With a board.
    Board(LifelikeBoard),
    /// The game ends before: at most one colour is left.
    Over {
        /// The deciding generation.
        generation: u32,
        /// Its census.
        census: LifelikeCensus,
    },
}

/// The value of a game that is over in this round.
pub(super) fn value_over(generation: u32, census: LifelikeCensus, me: Player) -> i64 {
    let soon = WIN - i64::from(generation);
    match (me.count(census), me.other().count(census)) {
        (0, 0) => 0,
        (0, _) => -soon,
        (_, _) => soon,
    }
}

/// The lead as a share of all cells, -[`ALL`] to [`ALL`].
fn share(mine: i64, theirs: i64) -> i64 {
    ALL * (mine - theirs) / (mine + theirs + COUNTER_WEIGHT)
}

/// The board with an additional counter.
pub(super) fn with_counter(
    board: &LifelikeBoard,
    cell: UVec2,
    counter: LifelikeCell,
) -> LifelikeBoard {
    let mut board = board.clone();
    board.set(cell, counter);
    board
}
