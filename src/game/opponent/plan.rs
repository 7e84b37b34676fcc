//! Several counters at once: random arrangements, most of them clustered, evaluated by simulation.

use std::cmp::Reverse;

use glam::{IVec2, UVec2};
use rand_pcg::Pcg32;
use rayon::prelude::*;

use super::simulate::{Simulator, View};
use super::{Draw, Enough, Turn, below, cells, random_dead, shifted};
use crate::board::{LifelikeBoard, LifelikeCell};
use crate::engine::EngineError;
use crate::game::immigration::Player;

/// The largest distance of a counter from the cell it is drawn next to.
const SPREAD: i32 = 2;

/// Attempts to find a dead cell near a given one before any dead cell is taken.
const TRIES: u32 = 16;

/// Only the worst of this many answers count.
const WORST_SHARE: usize = 4;

/// The first counter of the best arrangement of all counters left.
pub(super) fn choose(turn: &Turn<'_>, enough: &Enough<'_>) -> Result<UVec2, EngineError> {
    let artist = Artist::new(turn.board, turn.me);
    let draw = |index| {
        artist.draw(
            turn.board,
            turn.mine,
            &mut turn.dice.stream(Draw::Plan, index),
        )
    };
    let scored: Vec<Option<(i64, u32)>> = (0..turn.effort.plans)
        .into_par_iter()
        .map_init(Simulator::new, |simulator, index| {
            // The first one is always evaluated, so that there is a result.
            if index > 0 && enough() {
                return Ok(None);
            }
            let board = with_counters(turn.board, &draw(index), turn.me);
            Ok(Some((sifted(turn, simulator, &board)?, index)))
        })
        .collect::<Result<_, EngineError>>()?;
    let mut scored: Vec<(i64, u32)> = scored.into_iter().flatten().collect();
    scored.sort_by_key(|&(value, index)| (Reverse(value), index));
    let mut best = scored.first().map_or(0, |&(_, index)| index);
    let mut best_value = i64::MIN;
    for &(_, index) in scored.iter().take(turn.effort.answered_plans) {
        let board = with_counters(turn.board, &draw(index), turn.me);
        let Some(value) = after_answers(turn, &board, enough)? else {
            break;
        };
        if value > best_value {
            (best, best_value) = (index, value);
        }
    }
    Ok(draw(best)[0])
}

/// The first evaluation of a board: its growth without further counters, and after a few arrangements of
/// the opponent.
fn sifted(
    turn: &Turn<'_>,
    simulator: &mut Simulator,
    board: &LifelikeBoard,
) -> Result<i64, EngineError> {
    let alone = View {
        me: turn.me,
        unanswered: true,
        generations: turn.effort.generations,
    };
    let mut value = simulator.value(board, alone)?;
    let them = turn.me.other();
    let artist = Artist::new(board, them);
    let answered = View {
        me: turn.me,
        unanswered: false,
        generations: turn.effort.answer_generations,
    };
    for index in 0..turn.effort.sifting_plans {
        let mut stream = turn.dice.stream(Draw::Sift, index);
        let counters = artist.draw(board, turn.theirs, &mut stream);
        value += simulator.value(&with_counters(board, &counters, them), answered)?;
    }
    Ok(value)
}

/// The mean value of a board after the arrangements of the opponent that are worst for `me`. The single
/// worst would say little, since hardly any arrangement withstands all answers. `None` if the search is to
/// end.
fn after_answers(
    turn: &Turn<'_>,
    board: &LifelikeBoard,
    enough: &Enough<'_>,
) -> Result<Option<i64>, EngineError> {
    let them = turn.me.other();
    let artist = Artist::new(board, them);
    let view = View {
        me: turn.me,
        unanswered: false,
        generations: turn.effort.answer_generations,
    };
    let values: Option<Vec<i64>> = (0..turn.effort.answer_plans)
        .into_par_iter()
        .map_init(Simulator::new, |simulator, index| {
            if enough() {
                return Ok(None);
            }
            let mut stream = turn.dice.stream(Draw::Answer, index);
            let counters = artist.draw(board, turn.theirs, &mut stream);
            let value = simulator.value(&with_counters(board, &counters, them), view)?;
            Ok(Some(value))
        })
        .collect::<Result<_, EngineError>>()?;
    Ok(values.map(|mut values| {
        values.sort_unstable();
        values.truncate(values.len().div_ceil(WORST_SHARE));
        values.iter().sum::<i64>() / values.len().max(1) as i64
    }))
}

/// The board with additional counters of a player.
fn with_counters(board: &LifelikeBoard, counters: &[UVec2], player: Player) -> LifelikeBoard {
    let mut board = board.clone();
    for &cell in counters {
        board.set(cell, player.cell());
    }
    board
}

/// Draws arrangements for one side of a board.
struct Artist {
    own: Vec<UVec2>,
    enemy: Vec<UVec2>,
}

impl Artist {
    fn new(board: &LifelikeBoard, player: Player) -> Self {
        let of = |player: Player| cells(board, player.cell()).collect();
        Self {
            own: of(player),
            enemy: of(player.other()),
        }
    }

    /// Draws `count` different dead cells, or all if there are fewer, in the order of placing. They lie close
    /// together, mostly near cells of their own side, some of them near the enemy.
    fn draw(&self, board: &LifelikeBoard, count: u32, stream: &mut Pcg32) -> Vec<UVec2> {
        let mut board = board.clone();
        let mut drawn: Vec<UVec2> = Vec::with_capacity(count as usize);
        // One in four starts anywhere, one in eight at the enemy.
        let start = match below(stream, 8) {
            0 | 1 => None,
            2 => pick(&self.enemy, stream),
            _ => pick(&self.own, stream),
        };
        for _ in 0..count {
            let near_to = match (below(stream, 8), start) {
                (0, _) if !self.enemy.is_empty() => pick(&self.enemy, stream),
                (1..=3, Some(start)) => Some(start),
                _ => pick(&drawn, stream).or(start),
            };
            let Some(cell) = dead_near(&board, near_to, stream) else {
                break;
            };
            // Any live state prevents the cell from being drawn again.
            board.set(cell, LifelikeCell::Red);
            drawn.push(cell);
        }
        drawn
    }
}

fn pick(points: &[UVec2], stream: &mut Pcg32) -> Option<UVec2> {
    match points.len() {
        0 => None,
        count => Some(points[below(stream, count as u32) as usize]),
    }
}

/// A dead cell near a given one; anywhere if none is given or found.
fn dead_near(board: &LifelikeBoard, near_to: Option<UVec2>, stream: &mut Pcg32) -> Option<UVec2> {
    let size = board.size();
    let mut offset = || below(stream, 2 * SPREAD as u32 + 1) as i32 - SPREAD;
    let near = near_to.and_then(|near_to| {
        (0..TRIES)
            .map(|_| {
                let dx = offset();
                shifted(size, near_to, IVec2::new(dx, offset()))
            })
            .find(|&cell| board.cell(cell) == LifelikeCell::Dead)
    });
    near.or_else(|| random_dead(board, stream))
}
