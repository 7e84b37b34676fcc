//! What a device has to compute right before it is used: a small board, by every kind of kernel.
//!
//! A driver may compile a kernel wrongly, and a run would then be wrong without a word. So before a
//! program is used for the first time, it computes some generations of a small board, and the reference
//! computes them, too. Boards, counts and statistics have to be equal. That takes some milliseconds
//! once the program is compiled, and what is proved can be remembered as long as the driver stays.

use std::collections::BTreeSet;
use std::sync::{Mutex, OnceLock, PoisonError};

use super::family::GpuFamily;
use super::kernels::pass::PassProgram;
use super::program::Program;
use crate::board::{Board, Size};
use crate::engine::reference::ReferenceEngine;
use crate::engine::{CensusOf, Engine, EngineError, GenerationStats};

/// Rows of the board of a trial.
const HEIGHT: u64 = 40;

/// Columns of it: a whole number of words, and not.
const WIDTHS: [u64; 2] = [96, 101];

/// Ways of computing that are tried on their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// Single generations, and their counts.
    Step,
    /// Single generations with statistics.
    StepStats,
    /// Passes of several generations.
    Pass,
    /// The same over the active blocks only.
    ActiveBlocks,
    /// Passes with statistics.
    PassStats,
    /// Many generations in one workgroup.
    SingleWorkgroup,
}

/// A way of computing that is tried.
#[derive(Clone, Copy, Debug)]
pub(super) struct Trial {
    pub(super) way: Way,
    /// The name of its program.
    pub(super) program: &'static str,
    /// Generations per pass, 1 for other programs.
    pub(super) generations: u32,
    /// Whether the program uses subgroups.
    pub(super) subgroups: bool,
    /// Columns of the board.
    width: u64,
}

impl Trial {
    /// Of single generations.
    pub(super) const fn step<R: GpuFamily>() -> Self {
        Self::of(Way::Step, &R::STEP_PROGRAMS.step, false)
    }

    /// Of single generations with statistics.
    pub(super) const fn stats<R: GpuFamily>(subgroups: bool) -> Self {
        let program = R::STEP_PROGRAMS.with_stats(subgroups);
        Self::of(Way::StepStats, program, subgroups)
    }

    /// Of many generations in one workgroup.
    pub(super) const fn single_workgroup(program: &'static Program) -> Self {
        Self::of(Way::SingleWorkgroup, program, false)
    }

    /// Of a program whose overrides do not depend on the size of the board.
    const fn of(way: Way, program: &'static Program, subgroups: bool) -> Self {
        Self {
            way,
            program: program.name,
            generations: 1,
            subgroups,
            width: WIDTHS[1],
        }
    }

    /// Of a pass over boards like those of `size`: the overrides of passes depend on whether their rows are
    /// whole words.
    pub(super) fn pass<R: GpuFamily>(way: Way, program: &'static PassProgram, size: Size) -> Self {
        let is_whole = size.width().is_multiple_of(R::WORD_CELLS);
        Self {
            way,
            program: program.program.name,
            generations: program.generations,
            subgroups: program.subgroups,
            width: WIDTHS[usize::from(!is_whole)],
        }
    }

    /// Its name among the proofs of a device.
    fn name(&self) -> String {
        match self.way {
            Way::ActiveBlocks => format!("{}, active blocks", self.program),
            _ => self.program.into(),
        }
    }
}

/// Receives the name of what was proved.
type Remember = dyn Fn(&str) + Send + Sync;

/// What a device has proved.
#[derive(Default)]
pub(super) struct Proofs {
    /// None is required without it, as where the kernels themselves are compared.
    remember: OnceLock<Box<Remember>>,
    proved: Mutex<BTreeSet<String>>,
}

impl Proofs {
    /// Requires a proof of everything that is not `known`, and passes the names of new proofs to
    /// `remember`.
    pub(super) fn require(&self, known: impl IntoIterator<Item = String>, remember: Box<Remember>) {
        let mut proved = self.proved.lock().unwrap_or_else(PoisonError::into_inner);
        proved.extend(known);
        // The first requirement counts.
        let _ = self.remember.set(remember);
    }

    /// Whether a trial is to be made.
    pub(super) fn needs(&self, trial: &Trial) -> bool {
        let proved = self.proved.lock().unwrap_or_else(PoisonError::into_inner);
        self.remember.get().is_some() && !proved.contains(&trial.name())
    }

    /// Adds a trial that was passed.
    pub(super) fn add(&self, trial: &Trial) {
        let name = trial.name();
        let mut proved = self.proved.lock().unwrap_or_else(PoisonError::into_inner);
        let is_new = proved.insert(name.clone());
        drop(proved);
        if let Some(remember) = self.remember.get().filter(|_| is_new) {
            remember(&name);
        }
    }
}

/// What an engine computes in a trial.
#[derive(Debug, PartialEq)]
struct Results<B: Board> {
    boards: Vec<B>,
    counts: Vec<CensusOf<B>>,
    stats: Vec<GenerationStats<CensusOf<B>>>,
}

impl<B: Board> Results<B> {
    fn of(engine: &mut dyn Engine<B>, trial: &Trial, board: &B) -> Result<Self, EngineError> {
        let mut results = Self {
            boards: Vec::new(),
            counts: Vec::new(),
            stats: Vec::new(),
        };
        let generations = u64::from(trial.generations);
        engine.load(board)?;
        match trial.way {
            Way::Step => engine.step_with_census(6, &mut results.counts)?,
            Way::StepStats => engine.step_with_stats(6, &mut results.stats)?,
            Way::Pass | Way::ActiveBlocks => {
                for _ in 0..3 {
                    engine.fast_forward(generations)?;
                    results.boards.push(engine.read()?);
                }
            }
            // A single generation, then two passes.
            Way::PassStats => {
                engine.step_with_stats(1 + 2 * (generations - 1), &mut results.stats)?;
            }
            Way::SingleWorkgroup => engine.step(9)?,
        }
        results.boards.push(engine.read()?);
        Ok(results)
    }

    /// The first difference from what is `expected`, in words.
    fn difference(&self, expected: &Self) -> Option<String> {
        if self == expected {
            return None;
        }
        let counts = self.counts.iter().zip(&expected.counts);
        let stats = self.stats.iter().zip(&expected.stats);
        let boards = self.boards.iter().zip(&expected.boards);
        let of_counts = counts
            .filter(|(found, expected)| found != expected)
            .map(|(found, expected)| format!("counted {found}, where there are {expected}"));
        let of_stats = stats.filter(|(found, expected)| found != expected).map(
            |(found, expected)| match found.census == expected.census {
                true => "a wrong repetition".to_owned(),
                false => format!(
                    "counted {}, where there are {}",
                    found.census, expected.census
                ),
            },
        );
        let of_boards = boards.filter_map(|(found, expected)| {
            let at = expected.first_difference(found)?;
            Some(format!("a wrong cell at {},{}", at.x, at.y))
        });
        let mut all = of_counts.chain(of_stats).chain(of_boards);
        Some(
            all.next()
                .unwrap_or_else(|| "a wrong number of generations".into()),
        )
    }
}

/// Compares an engine with the reference. `None` if they are equal, else what is wrong.
///
/// # Errors
/// [`EngineError`] if an engine fails.
pub(super) fn compare<R: GpuFamily>(
    engine: &mut dyn Engine<R::Board>,
    ruleset: R,
    trial: &Trial,
) -> Result<Option<String>, EngineError> {
    let Ok(size) = Size::new(trial.width, HEIGHT) else {
        unreachable!("the size is valid")
    };
    let board = R::trial_board(size)?;
    let expected = Results::of(&mut ReferenceEngine::new(ruleset), trial, &board)?;
    let found = Results::of(engine, trial, &board)?;
    Ok(found.difference(&expected))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Edges, LifelikeBoard, LifelikeCensus};
    use crate::engine::cpu::CpuEngine;
    use crate::engine::{Observation, Request, Sink};
    use crate::rules::{LifelikeRuleset, RezolutionRuleset, Rule, Ties};

    const WAYS: [Way; 6] = [
        Way::Step,
        Way::StepStats,
        Way::Pass,
        Way::ActiveBlocks,
        Way::PassStats,
        Way::SingleWorkgroup,
    ];

    fn trial(way: Way) -> Trial {
        let program = &LifelikeRuleset::PASSES[0];
        let generations = match way {
            Way::Step | Way::StepStats | Way::SingleWorkgroup => 1,
            Way::Pass | Way::ActiveBlocks | Way::PassStats => 4,
        };
        Trial {
            generations,
            ..Trial::pass::<LifelikeRuleset>(way, program, Size::new(70, 40).unwrap())
        }
    }

    fn life() -> LifelikeRuleset {
        LifelikeRuleset {
            rule: Rule::LIFE,
            edges: Edges::Torus,
            ties: Ties::Seeded(1),
        }
    }

    #[test]
    fn an_engine_that_is_right_passes_every_trial() {
        for way in WAYS {
            let rezolution = RezolutionRuleset {
                edges: Edges::Torus,
            };
            let found = compare(&mut CpuEngine::new(rezolution), rezolution, &trial(way));
            assert_eq!(found.unwrap(), None, "{way:?}");
            let found = compare(&mut CpuEngine::new(life()), life(), &trial(way));
            assert_eq!(found.unwrap(), None, "{way:?}");
        }
    }

    /// What a driver gets wrong.
    #[derive(Clone, Copy, Debug, PartialEq)]
    enum Wrong {
        Boards,
        Counts,
        Repetitions,
    }

    struct WrongEngine(CpuEngine, Wrong);

    impl Engine<LifelikeBoard> for WrongEngine {
        fn load(&mut self, board: &LifelikeBoard) -> Result<(), EngineError> {
            self.0.load(board)
        }

        fn run(
            &mut self,
            request: Request,
            sink: &mut Sink<'_, LifelikeBoard>,
        ) -> Result<(), EngineError> {
            let wrong = self.1;
            self.0.run(request, &mut |observation| {
                sink(match observation {
                    Observation::Census(mut census) if wrong == Wrong::Counts => {
                        census.red = 0;
                        Observation::Census(census)
                    }
                    Observation::Stats(mut stats) if wrong == Wrong::Counts => {
                        stats.census.blue += 1;
                        Observation::Stats(stats)
                    }
                    Observation::Stats(mut stats) if wrong == Wrong::Repetitions => {
                        stats.period = Some(1);
                        Observation::Stats(stats)
                    }
                    other => other,
                });
            })
        }

        fn census(&mut self) -> Result<LifelikeCensus, EngineError> {
            self.0.census()
        }

        fn read(&mut self) -> Result<LifelikeBoard, EngineError> {
            let mut board = self.0.read()?;
            if self.1 == Wrong::Boards {
                board.flip_bit(glam::uvec2(7, 3));
            }
            Ok(board)
        }
    }

    #[test]
    fn whatever_a_trial_asks_for_and_gets_wrong_is_named() {
        for (wrong, ways, said) in [
            (Wrong::Boards, &WAYS[..], "a wrong cell at 7,3"),
            (
                Wrong::Counts,
                &[Way::Step, Way::StepStats, Way::PassStats],
                "counted",
            ),
            (
                Wrong::Repetitions,
                &[Way::StepStats, Way::PassStats],
                "a wrong repetition",
            ),
        ] {
            for &way in ways {
                let mut engine = WrongEngine(CpuEngine::new(life()), wrong);
                let found = compare(&mut engine, life(), &trial(way)).unwrap().unwrap();
                assert!(found.contains(said), "{wrong:?}, {way:?}: {found}");
            }
        }
    }

    #[test]
    fn what_is_known_needs_no_proof_and_what_is_new_is_remembered_once() {
        let proofs = Proofs::default();
        let (pass, stats) = (trial(Way::Pass), trial(Way::ActiveBlocks));
        assert!(!proofs.needs(&pass), "nothing is required");
        let remembered = std::sync::Arc::new(Mutex::new(Vec::new()));
        let names = std::sync::Arc::clone(&remembered);
        proofs.require(
            [pass.name()],
            Box::new(move |name| names.lock().unwrap().push(name.to_owned())),
        );
        assert!(!proofs.needs(&pass) && proofs.needs(&stats));
        for _ in 0..2 {
            proofs.add(&stats);
            assert!(!proofs.needs(&stats));
        }
        assert_eq!(*remembered.lock().unwrap(), [stats.name()]);
    }
}
