//! The arena: many small battles at once, and the tournaments made of them.
//!
//! A [`Match`] is a start pattern, a ruleset and a number of generations. Its [`MatchResult`] holds
//! whatever a score is computed from. A [`Schedule`] of matches is played in one of several ways,
//! which all give the same results:
//!
//! * [`serial`]: one match after the other on an ordinary [`Engine`]. On the reference engine every
//!   generation is computed without a short cut; the other ways are checked against this one.
//! * `lanes`: on the CPU, one match per bit. The matches of a batch have boards of one shape, and a
//!   word holds the same cell of 32 boards. So cells need no shifting, and no width wastes a bit. A
//!   match that ends makes room for the next one.
//! * [`play_on_gpu`]: on a device, one match per workgroup.
//! * Boards too large for lanes, or too few of a shape, are computed one by one by the CPU engine,
//!   again by [`serial`].
//!
//! Matches run all their generations, because growth is counted at the last one. A board that repeats
//! with period 1 or 2 is not computed further: its future is known.
//!
//! A tournament: [`match_config`] holds the settings of its games, [`schedule`] makes the games and
//! draws what is random in them, [`tournament`] puts both together. [`results`] turns results into
//! rows and back, [`statistics`] into ratings. The arena knows no file and no terminal.

pub mod match_config;
mod matches;
pub mod schedule;
pub mod tournament;

mod gpu;
mod lanes;
mod plane;
pub mod serial;
mod totals;

pub mod results;
pub mod statistics;

pub use self::gpu::play_on_gpu;
pub use self::matches::{ArenaError, Match, MatchResult, Results, Schedule, Scoring, Shape};

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use self::matches::TieKind;
use crate::engine::Engine;
use crate::engine::cpu::CpuEngine;
use crate::rules::LifelikeRuleset;
use rayon::prelude::*;

/// Cells of the largest board of which many are computed at once.
const LARGEST_LANE_BOARD: u64 = 1 << 18;

/// Matches of one shape below which each is computed by itself: a board alone in its lanes is slower.
const FEW_MATCHES: usize = 4;

/// Matches below which a batch is not split between two threads.
const SMALLEST_SHARE: usize = 64;

/// Plays a schedule on all cores.
///
/// # Errors
/// [`ArenaError`] if a board cannot be made.
pub fn play<P: Schedule>(schedule: &P) -> Result<Results<P::Output>, ArenaError> {
    let matches: Vec<usize> = (0..schedule.len()).collect();
    let tasks: Vec<Task> = by_key(&matches, |index| schedule.shape(index))
        .into_iter()
        .flat_map(|(shape, matches)| Task::share(shape, matches))
        .collect();
    spread(schedule.len(), &tasks, |task, put| {
        let mut next = || {
            let at = task.queue.next.fetch_add(1, Ordering::Relaxed);
            task.queue.matches.get(at).copied()
        };
        let few = task.queue.matches.len() < FEW_MATCHES;
        if few || task.shape.size.cells() > LARGEST_LANE_BOARD {
            while let Some(index) = next().filter(|_| !schedule.is_stopped()) {
                let match_ = schedule.get(index)?;
                let mut engine = CpuEngine::new(match_.ruleset);
                let stop = || schedule.is_stopped();
                if let Some(result) = serial::play(&mut engine, &match_, serial::Way::Short, &stop)?
                {
                    put(index, schedule.finish(index, result));
                }
            }
            return Ok(());
        }
        lanes::play(task.shape, task.words, schedule, &mut next, put)
    })
}

/// Plays a schedule one match after the other on engines of the caller's making, one a core.
///
/// # Errors
/// [`ArenaError`] if a board cannot be made or an engine fails.
pub fn play_plainly<P: Schedule>(
    schedule: &P,
    engine: impl Fn(LifelikeRuleset) -> Box<dyn Engine> + Sync,
) -> Result<Results<P::Output>, ArenaError> {
    let matches: Vec<usize> = (0..schedule.len()).collect();
    spread(schedule.len(), &matches, |&index, put| {
        if schedule.is_stopped() {
            return Ok(());
        }
        let match_ = schedule.get(index)?;
        let mut engine = engine(match_.ruleset);
        let stop = || schedule.is_stopped();
        if let Some(result) = serial::play(&mut *engine, &match_, serial::Way::Full, &stop)? {
            put(index, schedule.finish(index, result));
        }
        Ok(())
    })
}

/// The matches with each key, in order, the key of the first match first.
fn by_key<K: Copy + Eq + Hash>(
    matches: &[usize],
    key: impl Fn(usize) -> K,
) -> Vec<(K, Vec<usize>)> {
    let mut groups: Vec<(K, Vec<usize>)> = Vec::new();
    let mut places = HashMap::new();
    for &index in matches {
        let key = key(index);
        let place = *places.entry(key).or_insert_with(|| {
            groups.push((key, Vec::new()));
            groups.len() - 1
        });
        groups[place].1.push(index);
    }
    groups
}

/// A thread's share of the matches of one shape.
struct Task {
    shape: Shape,
    queue: Arc<Queue>,
    /// Words per cell: 32 boards each.
    words: usize,
}

/// Matches of one shape that several threads draw from.
struct Queue {
    matches: Vec<usize>,
    next: AtomicUsize,
}

impl Task {
    fn share(shape: Shape, matches: Vec<usize>) -> Vec<Self> {
        let sharers = rayon::current_num_threads()
            .min(matches.len().div_ceil(SMALLEST_SHARE))
            .max(1);
        let words = lanes::words(shape.size, matches.len().div_ceil(sharers));
        let queue = Arc::new(Queue {
            matches,
            next: AtomicUsize::new(0),
        });
        (0..sharers)
            .map(|_| Self {
                shape,
                queue: Arc::clone(&queue),
                words,
            })
            .collect()
    }
}

/// Works on tasks with all cores and gathers what they put, by index.
fn spread<T: Send, U: Sync>(
    count: usize,
    tasks: &[U],
    work: impl Fn(&U, &mut dyn FnMut(usize, T)) -> Result<(), ArenaError> + Sync,
) -> Result<Results<T>, ArenaError> {
    let parts: Vec<Vec<(usize, T)>> = tasks
        .par_iter()
        .with_max_len(1)
        .map(|task| {
            let mut part = Vec::new();
            work(task, &mut |index, result| part.push((index, result)))?;
            Ok(part)
        })
        .collect::<Result<_, ArenaError>>()?;
    let mut results: Results<T> = std::iter::repeat_with(|| None).take(count).collect();
    for (index, result) in parts.into_iter().flatten() {
        results[index] = Some(result);
    }
    Ok(results)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::board::hash::pcg4d;
    use crate::board::{BoardError, Edges, Size, start};
    use crate::engine::reference::ReferenceEngine;
    use crate::rules::{Rule, Ties};

    /// Matches as they are.
    struct Matches(Vec<Match>, AtomicBool);

    impl Schedule for Matches {
        type Output = MatchResult;

        fn len(&self) -> usize {
            self.0.len()
        }

        fn shape(&self, index: usize) -> Shape {
            self.0[index].shape()
        }

        fn limit(&self, index: usize) -> u64 {
            self.0[index].limit
        }

        fn get(&self, index: usize) -> Result<Match, BoardError> {
            Ok(self.0[index].clone())
        }

        fn finish(&self, _: usize, result: MatchResult) -> MatchResult {
            result
        }

        fn is_stopped(&self) -> bool {
            self.1.load(Ordering::Relaxed)
        }
    }

    /// Random matches of many shapes; several of each, so that lanes are shared and filled again.
    fn matches(count: u32) -> Matches {
        let draw = |n: u32, k| pcg4d([n, k, 77, 3]);
        let matches = (0..count).map(|n| {
            let [a, b, c, d] = draw(n % 40, 0);
            let [density, seed, limit, _] = draw(n, 1);
            let rule = match a % 4 {
                0 | 1 => Rule::LIFE,
                2 => Rule::new(1 << 3 | 1 << 6, 0b1100).unwrap(),
                _ => Rule::new((b as u16 & 0x1ff) & !1, c as u16 & 0x1ff).unwrap(),
            };
            let ties = match b >> 16 & 3 {
                0 => Ties::Seeded(seed.into()),
                1 => Ties::Red,
                2 => Ties::Blue,
                _ => Ties::Checkerboard,
            };
            let edges = if c >> 30 & 1 == 0 {
                Edges::Torus
            } else {
                Edges::Dead
            };
            let size = Size::new(u64::from(1 + d % 47), u64::from(1 + d / 64 % 23)).unwrap();
            let density = f64::from(density % 80) / 100.0;
            Match {
                ruleset: LifelikeRuleset { rule, edges, ties },
                limit: u64::from(1 + limit % 150),
                start: start::random(size, density, seed.into()).unwrap(),
            }
        });
        Matches(matches.collect(), AtomicBool::new(false))
    }

    #[test]
    fn every_bout_ends_as_on_the_reference_that_takes_no_short_cut() {
        let matches = matches(3000);
        let plain =
            play_plainly(&matches, |ruleset| Box::new(ReferenceEngine::new(ruleset))).unwrap();
        let found = play(&matches).unwrap();
        let mut reasons = std::collections::BTreeMap::new();
        for (n, (plain, found)) in plain.iter().zip(&found).enumerate() {
            let (plain, found) = (plain.as_ref().unwrap(), found.as_ref().unwrap());
            assert_eq!(plain, found, "match {n}: {:?}", matches.0[n].ruleset);
            *reasons.entry(plain.verdict.reason.to_string()).or_insert(0) += 1;
        }
        // Every way to end has been met.
        assert!(
            reasons.len() == 4 && reasons.values().all(|&n| n > 50),
            "{reasons:?}"
        );
    }

    #[test]
    fn a_short_cut_ends_like_the_long_way() {
        for match_ in &matches(200).0 {
            let mut engine = CpuEngine::new(match_.ruleset);
            let mut result = |way| serial::play(&mut engine, match_, way, &|| false).unwrap();
            assert_eq!(result(serial::Way::Short), result(serial::Way::Full));
        }
    }

    #[test]
    fn what_is_stopped_gives_nothing() {
        let matches = matches(10);
        matches.1.store(true, Ordering::Relaxed);
        assert!(play(&matches).unwrap().iter().all(Option::is_none));
    }
}
