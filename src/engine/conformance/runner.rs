//! Compares subjects on the boards of a suite, on several threads.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use web_time::Instant;

use super::{Case, Drawer, Fault, Subject, SuiteKind, TestFamily, expected};
use crate::board::Board;
use crate::engine::{EngineError, Family};

/// Threads that compare. They mostly wait for their device, so more than there are cores.
const WORKERS: usize = 4;

/// What is compared, and how the boards are drawn.
pub struct Runner<'a> {
    /// The engines.
    pub subjects: &'a [Subject],
    /// Seed of the boards.
    pub seed: u64,
    /// A fault to plant in every subject, on this board.
    pub fault: Option<(u64, Fault)>,
    /// Called after each board.
    pub progress: &'a (dyn Fn() + Sync),
}

/// The comparison of one subject on one suite.
#[derive(Clone, Debug)]
pub struct Row {
    /// The suite.
    pub suite: SuiteKind,
    /// The engine.
    pub engine: &'static str,
    /// Its kernels; none on the CPU.
    pub kernels: String,
    /// Boards compared.
    pub boards: u64,
    /// Generations of these boards.
    pub generations: u64,
    /// Cells of these generations.
    pub cells: u64,
    /// Time in which the engine computed and was compared, over all threads.
    pub took: Duration,
    /// The difference of the first board that has one.
    pub difference: Option<LocatedDifference>,
}

/// A difference.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LocatedDifference {
    /// The number of the board in its suite, from 0.
    pub board: u64,
    /// Where and what.
    pub report: String,
}

impl Row {
    fn new(suite: SuiteKind, subject: &Subject) -> Self {
        Self {
            suite,
            engine: subject.engine(),
            kernels: subject.kernels(),
            boards: 0,
            generations: 0,
            cells: 0,
            took: Duration::ZERO,
            difference: None,
        }
    }

    /// Adds the results of other boards. The first difference of all counts.
    pub fn add(&mut self, other: Self) {
        self.boards += other.boards;
        self.generations += other.generations;
        self.cells += other.cells;
        self.took += other.took;
        self.difference = [self.difference.take(), other.difference]
            .into_iter()
            .flatten()
            .min();
    }
}

/// What the threads on one suite share.
struct Shared<'a> {
    subjects: &'a [&'a Subject],
    /// The numbers of the cases that are left, and the drawer that draws them in this order.
    cases: Mutex<(Range<u64>, Drawer)>,
    /// The first case in which any subject differs; later ones need not be compared.
    first_difference: AtomicU64,
}

impl Shared<'_> {
    /// The next case and its number.
    fn next<R: TestFamily>(&self, suite: SuiteKind) -> Result<Option<(u64, Case<R>)>, EngineError> {
        let mut cases = self.cases.lock().unwrap_or_else(PoisonError::into_inner);
        let (left, drawer) = &mut *cases;
        let Some(index) = left.next() else {
            return Ok(None);
        };
        Ok(Some((index, drawer.draw::<R>(suite, index)?)))
    }
}

impl Runner<'_> {
    /// Compares all subjects that take boards of the family on the first `count` boards of a suite, up
    /// to the first board on which one differs. One row for each subject.
    ///
    /// # Errors
    /// [`EngineError`] if an engine or the reference fails.
    pub fn run<R: Family + TestFamily>(
        &self,
        suite: SuiteKind,
        count: u64,
    ) -> Result<Vec<Row>, EngineError> {
        let subjects = self.subjects.iter();
        let subjects: Vec<&Subject> = subjects
            .filter(|subject| subject.takes_family::<R>())
            .collect();
        let shared = Shared {
            subjects: &subjects,
            cases: Mutex::new((0..count, Drawer::new(self.seed))),
            first_difference: AtomicU64::new(u64::MAX),
        };
        let parts: Vec<Result<Vec<Row>, EngineError>> = thread::scope(|scope| {
            let shared = &shared;
            let workers: Vec<_> = (0..WORKERS)
                .map(|_| scope.spawn(move || self.compare_share::<R>(suite, shared)))
                .collect();
            let ended = workers.into_iter().map(thread::ScopedJoinHandle::join);
            ended
                .map(|part| part.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
                .collect()
        });
        let mut total: Vec<Row> = subjects
            .iter()
            .map(|subject| Row::new(suite, subject))
            .collect();
        for part in parts {
            for (total, row) in total.iter_mut().zip(part?) {
                total.add(row);
            }
        }
        Ok(total)
    }

    /// Compares the cases of one thread.
    fn compare_share<R: Family + TestFamily>(
        &self,
        suite: SuiteKind,
        shared: &Shared<'_>,
    ) -> Result<Vec<Row>, EngineError> {
        let subjects = shared.subjects.iter();
        let mut rows: Vec<Row> = subjects.map(|subject| Row::new(suite, subject)).collect();
        while let Some((index, case)) = shared.next::<R>(suite)? {
            if shared.first_difference.load(Ordering::Relaxed) < index {
                break;
            }
            let expected = expected(&case)?;
            let fault = self.fault.filter(|(board, _)| *board == index);
            let fault = fault.map(|(_, fault)| fault);
            for (subject, row) in shared.subjects.iter().zip(&mut rows) {
                if !subject.takes(&case) {
                    continue;
                }
                let started = Instant::now();
                let found = subject.compare(&case, suite, index, &expected, fault)?;
                row.boards += 1;
                row.generations += case.generations;
                row.cells += case.generations * case.board.size().cells();
                row.took += started.elapsed();
                if let Some(found) = found {
                    shared.first_difference.fetch_min(index, Ordering::Relaxed);
                    let engine = row.engine;
                    let kernels = match row.kernels.as_str() {
                        "" => String::new(),
                        kernels => format!(" ({kernels})"),
                    };
                    row.difference = Some(LocatedDifference {
                        board: index,
                        report: format!(
                            "{suite}, board {index}, engine {engine}{kernels}: {found}"
                        ),
                    });
                }
            }
            (self.progress)();
            if rows.iter().any(|row| row.difference.is_some()) {
                break;
            }
        }
        Ok(rows)
    }
}
