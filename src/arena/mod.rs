//! The arena: many small battles at once.
//!
//! A [`Bout`] is a start pattern, a ruleset and a number of generations; its [`Ending`] is what a
//! score could be made of. Several ways lead from the one to the other, and all give the same:
//!
//! * [`serial`]: one bout after the other on an ordinary [`Engine`]. On the
//!   reference it computes every generation and takes no short cut, so it is what the others are
//!   checked against.
//! * `lanes`: on the CPU, one bout a bit. The bouts of a batch have boards of one shape; a word
//!   holds the same cell of 32 boards, so cells need no shifting and no width wastes a bit. A bout
//!   that ends makes room for the next one.
//! * [`play_on_gpu`]: on a device, one bout a workgroup.
//! * boards too large for lanes, or too few of a shape, are computed one by one by the CPU engine,
//!   again by [`serial`].
//!
//! Bouts run all their generations: growth is counted at the last one. A board that repeats with
//! period 1 or 2 is not computed on, because what would come is known.
//!
//! [`schedule`] says which games a tournament consists of and draws what is random in them;
//! [`statistics`] makes ratings of results. The arena knows no file and no terminal.

mod gpu;
mod lanes;
pub mod schedule;
pub mod serial;
pub mod statistics;
mod totals;

pub use self::gpu::play_on_gpu;

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;
use thiserror::Error;

use crate::board::{BoardError, Edges, LifelikeBoard, LifelikeCensus, Size};
use crate::engine::cpu::CpuEngine;
use crate::engine::{Engine, EngineError};
use crate::game::referee::{Growth, Outcome, Reason, Verdict};
use crate::rules::{LifelikeRuleset, Rule, Ties};

/// Cells of the largest board of which many are computed at once.
const LARGEST_LANE_BOARD: u64 = 1 << 18;

/// Bouts of one shape below which each is computed by itself: a board alone in its lanes is slower.
const FEW_BOUTS: usize = 4;

/// Bouts below which a batch is not split between two threads.
const SMALLEST_SHARE: usize = 64;

/// One battle to be computed.
#[derive(Clone, Debug)]
pub struct Bout {
    /// The rules.
    pub ruleset: LifelikeRuleset,
    /// How many generations it runs, at least 1.
    pub limit: u64,
    /// The board of generation 0.
    pub start: LifelikeBoard,
}

impl Bout {
    /// What bouts computed side by side have in common.
    pub fn shape(&self) -> Shape {
        Shape::new(self.ruleset, self.start.size())
    }
}

/// What became of a [`Bout`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    /// Counts of generation 0.
    pub first: LifelikeCensus,
    /// Counts of the last generation.
    pub last: LifelikeCensus,
    /// The most red cells of any generation, and the most blue ones.
    pub peak: LifelikeCensus,
    /// What the referee of the life battle said, who ends it as soon as it is decided.
    pub verdict: Verdict,
    /// The board of the last generation.
    pub board: LifelikeBoard,
}

impl Ending {
    /// By how much each side has grown.
    pub const fn growth(&self) -> Growth {
        Growth::between(self.first, self.last)
    }

    /// Who has won by `scoring`; never [`Outcome::Undecided`].
    pub fn outcome(&self, scoring: Scoring) -> Outcome {
        match scoring {
            Scoring::Growth => self.growth().clamped(),
            Scoring::Count => Growth::between(LifelikeCensus::default(), self.last).clamped(),
            Scoring::Alive => match self.verdict.reason {
                Reason::Elimination => self.verdict.outcome,
                Reason::Extinction | Reason::Coexistence | Reason::Limit => Outcome::Draw,
            },
            Scoring::Battle => self.verdict.outcome,
        }
    }
}

/// A way to decide who has won.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scoring {
    /// More growth from the first to the last generation; shrinking counts as none.
    Growth,
    /// More cells in the last generation.
    Count,
    /// The colour that outlived the other.
    Alive,
    /// The referee of the life battle: elimination, else coexistence (a draw), else the count.
    Battle,
}

/// What bouts computed side by side have in common: everything but their cells, their limit and
/// the seed of their ties.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shape {
    rule: Rule,
    edges: Edges,
    ties: TieKind,
    size: Size,
}

/// [`Ties`] without the seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum TieKind {
    Seeded,
    Red,
    Blue,
    Checkerboard,
}

impl Shape {
    /// The shape of a board of `size` under `ruleset`.
    pub const fn new(ruleset: LifelikeRuleset, size: Size) -> Self {
        let ties = match ruleset.ties {
            // Without ties it does not matter who owns them.
            _ if !ruleset.rule.has_ties() => TieKind::Red,
            Ties::Seeded(_) => TieKind::Seeded,
            Ties::Red => TieKind::Red,
            Ties::Blue => TieKind::Blue,
            Ties::Checkerboard => TieKind::Checkerboard,
        };
        Self {
            rule: ruleset.rule,
            edges: ruleset.edges,
            ties,
            size,
        }
    }

    /// Width and height.
    pub const fn size(&self) -> Size {
        self.size
    }
}

/// Why bouts could not be computed.
#[derive(Debug, Error)]
pub enum ArenaError {
    /// A start pattern could not be made.
    #[error(transparent)]
    Board(#[from] BoardError),
    /// An engine failed.
    #[error(transparent)]
    Engine(#[from] EngineError),
}

/// Bouts to be computed, of which the boards are made only when they are needed.
pub trait Programme: Sync {
    /// What is made of an ending, on the thread that computed it.
    type Result: Send;

    /// How many bouts there are.
    fn len(&self) -> usize;

    /// Whether there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The shape of bout `index`.
    fn shape(&self, index: usize) -> Shape;

    /// How many generations bout `index` runs.
    fn limit(&self, index: usize) -> u64;

    /// Bout `index`.
    ///
    /// # Errors
    /// [`BoardError`] if its board cannot be made.
    fn bout(&self, index: usize) -> Result<Bout, BoardError>;

    /// Takes the ending of bout `index`.
    fn finish(&self, index: usize, ending: Ending) -> Self::Result;

    /// Whether the work is to be given up.
    fn is_stopped(&self) -> bool;
}

/// What became of each bout of a programme; `None` where it was stopped before.
pub type Results<T> = Vec<Option<T>>;

/// Plays a programme on all cores.
///
/// # Errors
/// [`ArenaError`] if a board cannot be made.
pub fn play<P: Programme>(programme: &P) -> Result<Results<P::Result>, ArenaError> {
    let bouts: Vec<usize> = (0..programme.len()).collect();
    let tasks: Vec<Task> = by_key(&bouts, |index| programme.shape(index))
        .into_iter()
        .flat_map(|(shape, bouts)| Task::share(shape, bouts))
        .collect();
    spread(programme.len(), &tasks, |task, put| {
        let mut next = || {
            let at = task.queue.next.fetch_add(1, Ordering::Relaxed);
            task.queue.bouts.get(at).copied()
        };
        let few = task.queue.bouts.len() < FEW_BOUTS;
        if few || task.shape.size.cells() > LARGEST_LANE_BOARD {
            while let Some(index) = next().filter(|_| !programme.is_stopped()) {
                let bout = programme.bout(index)?;
                let mut engine = CpuEngine::new(bout.ruleset);
                let stop = || programme.is_stopped();
                if let Some(ending) = serial::play(&mut engine, &bout, serial::Way::Short, &stop)? {
                    put(index, programme.finish(index, ending));
                }
            }
            return Ok(());
        }
        lanes::play(task.shape, task.words, programme, &mut next, put)
    })
}

/// Plays a programme one bout after the other on engines of the caller's making, one a core.
///
/// # Errors
/// [`ArenaError`] if a board cannot be made or an engine fails.
pub fn play_plainly<P: Programme>(
    programme: &P,
    engine: impl Fn(LifelikeRuleset) -> Box<dyn Engine> + Sync,
) -> Result<Results<P::Result>, ArenaError> {
    let bouts: Vec<usize> = (0..programme.len()).collect();
    spread(programme.len(), &bouts, |&index, put| {
        if programme.is_stopped() {
            return Ok(());
        }
        let bout = programme.bout(index)?;
        let mut engine = engine(bout.ruleset);
        let stop = || programme.is_stopped();
        if let Some(ending) = serial::play(&mut *engine, &bout, serial::Way::Full, &stop)? {
            put(index, programme.finish(index, ending));
        }
        Ok(())
    })
}

/// The bouts with each key, in order, the key of the first bout first.
fn by_key<K: Copy + Eq + Hash>(bouts: &[usize], key: impl Fn(usize) -> K) -> Vec<(K, Vec<usize>)> {
    let mut groups: Vec<(K, Vec<usize>)> = Vec::new();
    let mut places = HashMap::new();
    for &index in bouts {
        let key = key(index);
        let place = *places.entry(key).or_insert_with(|| {
            groups.push((key, Vec::new()));
            groups.len() - 1
        });
        groups[place].1.push(index);
    }
    groups
}

/// A thread's share of the bouts of one shape.
struct Task {
    shape: Shape,
    queue: Arc<Queue>,
    /// Words a cell: 32 boards each.
    words: usize,
}

/// Bouts of one shape that several threads draw from.
struct Queue {
    bouts: Vec<usize>,
    next: AtomicUsize,
}

impl Task {
    fn share(shape: Shape, bouts: Vec<usize>) -> Vec<Self> {
        let sharers = rayon::current_num_threads()
            .min(bouts.len().div_ceil(SMALLEST_SHARE))
            .max(1);
        let words = lanes::words(shape.size, bouts.len().div_ceil(sharers));
        let queue = Arc::new(Queue {
            bouts,
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
    use crate::board::start;
    use crate::engine::reference::ReferenceEngine;

    /// Bouts as they are.
    struct Bouts(Vec<Bout>, AtomicBool);

    impl Programme for Bouts {
        type Result = Ending;

        fn len(&self) -> usize {
            self.0.len()
        }

        fn shape(&self, index: usize) -> Shape {
            self.0[index].shape()
        }

        fn limit(&self, index: usize) -> u64 {
            self.0[index].limit
        }

        fn bout(&self, index: usize) -> Result<Bout, BoardError> {
            Ok(self.0[index].clone())
        }

        fn finish(&self, _: usize, ending: Ending) -> Ending {
            ending
        }

        fn is_stopped(&self) -> bool {
            self.1.load(Ordering::Relaxed)
        }
    }

    /// Random bouts of many shapes; several of each, so that lanes are shared and filled again.
    fn bouts(count: u32) -> Bouts {
        let draw = |n: u32, k| pcg4d([n, k, 77, 3]);
        let bouts = (0..count).map(|n| {
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
            Bout {
                ruleset: LifelikeRuleset { rule, edges, ties },
                limit: u64::from(1 + limit % 150),
                start: start::random(size, density, seed.into()).unwrap(),
            }
        });
        Bouts(bouts.collect(), AtomicBool::new(false))
    }

    #[test]
    fn every_bout_ends_as_on_the_reference_that_takes_no_short_cut() {
        let bouts = bouts(3000);
        let plain =
            play_plainly(&bouts, |ruleset| Box::new(ReferenceEngine::new(ruleset))).unwrap();
        let found = play(&bouts).unwrap();
        let mut reasons = std::collections::BTreeMap::new();
        for (n, (plain, found)) in plain.iter().zip(&found).enumerate() {
            let (plain, found) = (plain.as_ref().unwrap(), found.as_ref().unwrap());
            assert_eq!(plain, found, "bout {n}: {:?}", bouts.0[n].ruleset);
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
        for bout in &bouts(200).0 {
            let mut engine = CpuEngine::new(bout.ruleset);
            let mut ending = |way| serial::play(&mut engine, bout, way, &|| false).unwrap();
            assert_eq!(ending(serial::Way::Short), ending(serial::Way::Full));
        }
    }

    #[test]
    fn what_is_stopped_gives_nothing() {
        let bouts = bouts(10);
        bouts.1.store(true, Ordering::Relaxed);
        assert!(play(&bouts).unwrap().iter().all(Option::is_none));
    }
}
