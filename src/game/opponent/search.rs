//! A single counter: every dead cell is evaluated, and the best cells also after the opponent's best answer.

use std::cmp::Reverse;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};

use glam::{IVec2, UVec2};
use rayon::prelude::*;

use super::simulate::{RoundEnd, Simulator, View, value_over, with_counter};
use super::{Enough, Turn, shifted};
use crate::board::{LifelikeBoard, LifelikeCell};
use crate::engine::EngineError;
use crate::game::immigration::Player;

/// The reach of a counter in one generation: it shares neighbours with cells two away.
const REACH: i32 = 2;

/// The best cell for one counter.
pub(super) fn choose(turn: &Turn<'_>, enough: &Enough<'_>) -> Result<UVec2, EngineError> {
    let view = View {
        me: turn.me,
        unanswered: turn.theirs > 0,
        generations: turn.effort.generations,
    };
    let candidates = candidates(turn.board);
    let first = candidates[0];
    let scored: Vec<Option<(i64, UVec2)>> = candidates
        .into_par_iter()
        .enumerate()
        .map_init(Simulator::new, |simulator, (index, cell)| {
            // The first one is always evaluated, so that there is a result.
            if index > 0 && enough() {
                return Ok(None);
            }
            let board = with_counter(turn.board, cell, turn.me.cell());
            Ok(Some((simulator.value(&board, view)?, cell)))
        })
        .collect::<Result<_, EngineError>>()?;
    let mut scored: Vec<(i64, UVec2)> = scored.into_iter().flatten().collect();
    scored.sort_by_key(|&(value, cell)| (Reverse(value), turn.dice.rank(cell), cell.x, cell.y));
    let best = scored.first().map_or(first, |&(_, cell)| cell);
    Ok(answered(turn, &scored, enough)?.unwrap_or(best))
}

/// Of the best cells, the one with the highest value after the opponent's best answer; `None` if the strength
/// has no answers, or if the search is to end before the first.
fn answered(
    turn: &Turn<'_>,
    scored: &[(i64, UVec2)],
    enough: &Enough<'_>,
) -> Result<Option<UVec2>, EngineError> {
    let mut best: Option<(i64, UVec2)> = None;
    for &(_, cell) in scored.iter().take(turn.effort.answered_moves) {
        let board = with_counter(turn.board, cell, turn.me.cell());
        let worth_more_than = best.map_or(i64::MIN, |(value, _)| value);
        let Some(value) = after_answers(turn, board, worth_more_than, enough)? else {
            break;
        };
        if value > worth_more_than {
            best = Some((value, cell));
        }
    }
    Ok(best.map(|(_, cell)| cell))
}

/// The value of a board after the opponent's best answer, or some value up to `refuted_at` if it is not above
/// that. If the opponent has no counter left, ten generations run before its next one. `None` if the search is
/// to end before all answers are tried.
fn after_answers(
    turn: &Turn<'_>,
    board: LifelikeBoard,
    refuted_at: i64,
    enough: &Enough<'_>,
) -> Result<Option<i64>, EngineError> {
    let board = match turn.theirs {
        0 => match Simulator::new().round_end(&board)? {
            RoundEnd::Board(board) => board,
            RoundEnd::Over { generation, census } => {
                return Ok(Some(value_over(generation, census, turn.me)));
            }
        },
        _ => board,
    };
    let view = View {
        me: turn.me,
        unanswered: false,
        generations: turn.effort.answer_generations,
    };
    least(
        &candidates(&board),
        refuted_at,
        enough,
        |simulator, &cell| {
            let answered = with_counter(&board, cell, turn.me.other().cell());
            simulator.value(&answered, view)
        },
    )
}

/// The least value of `answers`. Once a value is not above `refuted_at` the rest are skipped, since the least
/// cannot be above it either. `None` if the search is to end.
fn least<T: Sync>(
    answers: &[T],
    refuted_at: i64,
    enough: &Enough<'_>,
    value: impl Fn(&mut Simulator, &T) -> Result<i64, EngineError> + Sync,
) -> Result<Option<i64>, EngineError> {
    let least = AtomicI64::new(i64::MAX);
    let cut_short = AtomicBool::new(false);
    answers.par_iter().try_for_each_init(
        Simulator::new,
        |simulator, answer| -> Result<(), EngineError> {
            if least.load(Ordering::Relaxed) <= refuted_at {
                return Ok(());
            }
            if enough() {
                cut_short.store(true, Ordering::Relaxed);
                return Ok(());
            }
            least.fetch_min(value(simulator, answer)?, Ordering::Relaxed);
            Ok(())
        },
    )?;
    let least = least.into_inner();
    let complete = !cut_short.into_inner() || least <= refuted_at;
    Ok(complete.then_some(least))
}

/// The dead cells to try. A counter that shares no neighbour with any live cell dies without a trace, so one
/// such cell represents all of them. There is at least one dead cell.
fn candidates(board: &LifelikeBoard) -> Vec<UVec2> {
    let size = board.size();
    let index = |cell: UVec2| (cell.y * size.width() + cell.x) as usize;
    let mut reached = vec![false; size.cells() as usize];
    for live in [Player::Red, Player::Blue]
        .into_iter()
        .flat_map(|player| super::cells(board, player.cell()))
    {
        for (dx, dy) in (-REACH..=REACH).flat_map(|dy| (-REACH..=REACH).map(move |dx| (dx, dy))) {
            reached[index(shifted(size, live, IVec2::new(dx, dy)))] = true;
        }
    }
    let mut lone = false;
    super::cells(board, LifelikeCell::Dead)
        .filter(|&cell| reached[index(cell)] || !std::mem::replace(&mut lone, true))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Size, start};
    use crate::engine::Engine;
    use crate::engine::cpu::CpuEngine;
    use crate::game::immigration::RULESET;

    fn next(board: &LifelikeBoard) -> LifelikeBoard {
        let mut engine = CpuEngine::new(RULESET);
        engine.load(board).unwrap();
        engine.step(1).unwrap();
        engine.read().unwrap()
    }

    #[test]
    fn the_best_answer_is_the_worst_for_me_of_all() {
        let size = Size::new(15, 12).unwrap();
        let board = start::random(size, 0.15, 4).unwrap();
        let view = View {
            me: Player::Blue,
            unanswered: false,
            generations: 10,
        };
        let mut simulator = Simulator::new();
        let values: Vec<i64> = super::super::cells(&board, LifelikeCell::Dead)
            .map(|cell| {
                let answered = with_counter(&board, cell, LifelikeCell::Red);
                simulator.value(&answered, view).unwrap()
            })
            .collect();
        let (least_value, most) = (*values.iter().min().unwrap(), *values.iter().max().unwrap());
        assert_ne!(least_value, most);
        let found = |refuted_at, enough: &Enough<'_>| {
            least(
                &candidates(&board),
                refuted_at,
                enough,
                |simulator, &cell| {
                    simulator.value(&with_counter(&board, cell, LifelikeCell::Red), view)
                },
            )
            .unwrap()
        };
        assert_eq!(found(i64::MIN, &|| false), Some(least_value));
        assert_eq!(found(least_value - 1, &|| false), Some(least_value));
        assert!(found(most, &|| false).unwrap() <= most);
        assert_eq!(found(i64::MIN, &|| true), None);
    }

    #[test]
    fn cells_left_out_come_to_the_same_as_the_one_that_stands_for_them() {
        for (seed, size) in [(1, (25, 25)), (2, (40, 11)), (3, (9, 30))] {
            let size = Size::new(size.0, size.1).unwrap();
            let board = start::random(size, 0.01, seed).unwrap();
            let tried = candidates(&board);
            let outcome = |cell| next(&with_counter(&board, cell, LifelikeCell::Red));
            let left_out: Vec<UVec2> = crate::game::opponent::cells(&board, LifelikeCell::Dead)
                .filter(|cell| !tried.contains(cell))
                .collect();
            assert!(!left_out.is_empty() && tried.len() > 1);
            let alone = next(&board);
            for cell in left_out {
                assert_eq!(outcome(cell), alone, "{cell:?}");
            }
            let standing = tried.iter().filter(|&&cell| outcome(cell) == alone);
            assert!(standing.count() >= 1, "one of them is tried");
        }
    }
}
