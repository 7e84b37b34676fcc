//! Proof by comparison: an engine in lockstep with the reference.
//!
//! [`expected`] lets the reference compute every generation of a board, and [`check`] compares an
//! engine with them on some [paths](Path). A [`Subject`] is an engine, and on a GPU one kind of its
//! kernels; a [`Runner`] compares subjects on the boards of a suite, which a [`Drawer`] draws.
//! [`Faulty`] plants a fault, to prove that one is found. All of it is the same for every family of
//! rules, and for few boards in a test as for thousands in `duolife conform`.

mod fault;
mod runner;
mod subject;
mod suites;

pub use fault::{Fault, Faulty};
pub use runner::{LocatedDifference, Row, Runner};
pub use subject::{KernelKind, Subject};
pub use suites::{Drawer, SuiteKind, TestFamily, neighbourhoods, sums};

use std::fmt;
use std::time::Duration;

use glam::{UVec2, uvec2};

use super::gpu::arena;
use super::reference::{ReferenceEngine, ReferenceFamily};
use super::{Engine, EngineError, GenerationStats};
use crate::board::{Board, Census, Edges, LifelikeBoard, LifelikeCensus, Size};
use crate::rules::{LifelikeRuleset, Ruleset};

/// A board to be compared.
pub struct Case<R: Ruleset = LifelikeRuleset> {
    /// Generation 0.
    pub board: R::Board,
    /// Rule, edges and whatever else decides.
    pub ruleset: R,
    /// How many generations.
    pub generations: u64,
}

/// The first difference between an engine and the reference.
#[derive(Clone, Debug, PartialEq)]
pub struct Divergence<R: Ruleset = LifelikeRuleset> {
    /// Rule, edges and whatever else decides.
    pub ruleset: R,
    /// The board's size.
    pub size: Size,
    /// The first generation that differs.
    pub generation: u64,
    /// Which way of asking the engine showed it.
    pub path: Path,
    /// Where and what.
    pub difference: Difference<R::Board>,
}

/// The ways in which an engine is asked for generations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Path {
    /// [`Engine::step_with_boards`]: every cell of every generation is compared.
    Boards,
    /// [`Engine::step_with_census`].
    Census,
    /// [`Engine::fast_forward`] and [`Engine::step`] in turn, several generations at once, each with
    /// [`Engine::read`] after it.
    Steps,
    /// [`Engine::step_with_stats`], again and again, and [`Engine::read`] wherever it ended.
    Stats,
    /// [`Engine::advance`] with hardly any time, again and again, and now and then
    /// [`Engine::read`] in between.
    Budget,
}

impl Path {
    /// All of them.
    pub const ALL: [Self; 5] = [
        Self::Boards,
        Self::Census,
        Self::Steps,
        Self::Stats,
        Self::Budget,
    ];
}

/// What differs.
#[derive(Clone, Debug, PartialEq)]
pub enum Difference<B: Board = LifelikeBoard> {
    /// A cell; of all that differ in the generation the first, row by row.
    Cell {
        /// Column, from 0.
        x: u32,
        /// Row, from 0.
        y: u32,
        /// The cell and its neighbours one generation before, row by row, as the reference has
        /// them: as in a board file, and `-` beyond dead edges.
        before: [String; 3],
        /// What the reference says.
        expected: B::Cell,
        /// What the engine says.
        found: B::Cell,
    },
    /// The counts.
    Census {
        /// What the reference says.
        expected: B::Census,
        /// What the engine says.
        found: B::Census,
    },
    /// The statistics; `None` is a generation the engine did not compute or should not have
    /// computed.
    Stats {
        /// What follows from the reference's boards.
        expected: Option<GenerationStats<B::Census>>,
        /// What the engine says.
        found: Option<GenerationStats<B::Census>>,
    },
    /// How many generations there are, the loaded one included.
    Generations {
        /// Of the reference.
        expected: usize,
        /// That the engine reports.
        found: usize,
    },
}

impl<R: Ruleset> fmt::Display for Divergence<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "family {}, {}, board {}: generation {} differs",
            R::FAMILY,
            self.ruleset,
            self.size,
            self.generation
        )?;
        match &self.difference {
            Difference::Cell {
                x,
                y,
                before,
                expected,
                found,
            } => {
                writeln!(f, "  cell x = {x}, y = {y} (from 0); 3x3 before:")?;
                for row in before {
                    writeln!(f, "    {row}")?;
                }
                write!(f, "  reference: {expected}, engine: {found}")
            }
            Difference::Census { expected, found } => {
                write!(f, "  reference: {expected}; engine: {found}")
            }
            Difference::Generations { expected, found } => {
                write!(f, "  reference: {expected} generations; engine: {found}")
            }
            Difference::Stats { expected, found } => write!(
                f,
                "  reference: {}; engine: {}",
                shown_stats(*expected),
                shown_stats(*found)
            ),
        }
    }
}

fn shown_stats<C: Census>(stats: Option<GenerationStats<C>>) -> String {
    let Some(GenerationStats { census, period }) = stats else {
        return "not computed".into();
    };
    let period = match period {
        Some(period) => format!("repeats after {period}"),
        None => "new".into(),
    };
    format!("{census}, {period}")
}

/// Generations that are requested at once, in turn: passes of eight, four and two, and what is left.
const STRIDES: [usize; 5] = [17, 1, 6, 8, 60];

/// The most generations that are computed with hardly any time, which takes long.
const MOST_BUDGETED: usize = 32;

/// How often statistics are requested: the first time up to a settled generation, and then a generation
/// each time.
const STATS_REQUESTS: usize = 6;

/// What a case should give, generation 0 first.
pub struct Expected<B: Board = LifelikeBoard> {
    /// All generations.
    pub boards: Vec<B>,
    /// The statistics of each, for an engine that was given generation 0.
    pub stats: Vec<GenerationStats<B::Census>>,
}

/// All generations of a case as the reference computes them.
///
/// # Errors
/// [`EngineError`] if there is no memory.
pub fn expected<R: ReferenceFamily>(case: &Case<R>) -> Result<Expected<R::Board>, EngineError> {
    let mut reference = ReferenceEngine::new(case.ruleset);
    reference.load(&case.board)?;
    let mut boards = vec![case.board.clone()];
    reference.step_with_boards(case.generations, &mut boards)?;
    let stats = |(generation, board): (usize, &R::Board)| GenerationStats {
        census: board.census(),
        period: [1, 2].into_iter().find(|&period| {
            let earlier = generation.checked_sub(usize::from(period));
            earlier.is_some_and(|earlier| boards[earlier] == *board)
        }),
    };
    let stats = boards.iter().enumerate().map(stats).collect();
    Ok(Expected { boards, stats })
}

/// Compares an engine with all generations the reference has computed, on each of `paths` from
/// generation 0. `None` if they are equal.
///
/// # Errors
/// [`EngineError`] if the engine fails.
pub fn check<R: Ruleset>(
    engine: &mut dyn Engine<R::Board>,
    case: &Case<R>,
    expected: &Expected<R::Board>,
    paths: &[Path],
) -> Result<Option<Divergence<R>>, EngineError> {
    for &path in paths {
        engine.load(&case.board)?;
        let mut check = Check {
            engine: &mut *engine,
            expected,
            edges: case.ruleset.edges(),
            generation: 0,
        };
        let found = match path {
            Path::Boards => check.boards(),
            Path::Census => check.census(),
            Path::Steps => check.steps(),
            Path::Stats => check.stats(),
            Path::Budget => check.budget(),
        };
        if let Some((generation, difference)) = found? {
            return Ok(Some(case.divergence(generation, path, difference)));
        }
    }
    Ok(None)
}

/// Makes sure that the kernel which computes whole games does so on a device, before it is used.
///
/// # Errors
/// [`EngineError::Unproved`] if it does not, or the error of the device.
pub fn prove_arena(arena: &arena::GpuArena) -> Result<(), EngineError> {
    let mut drawer = Drawer::new(1);
    for index in 0..2 {
        let case = drawer.draw::<LifelikeRuleset>(SuiteKind::Small, 4 + index)?;
        let expected = expected(&case)?;
        if let Some(found) = LifelikeRuleset::check_arena(arena, &case, &expected, None)? {
            return Err(EngineError::Unproved {
                adapter: arena.gpu().name().into(),
                program: "lifelike arena",
                difference: format!("generation {} of a game differs", found.generation),
            });
        }
    }
    Ok(())
}

/// A difference and its generation.
type Found<B> = Result<Option<(usize, Difference<B>)>, EngineError>;

/// A comparison on one path.
struct Check<'a, B: Board> {
    engine: &'a mut dyn Engine<B>,
    expected: &'a Expected<B>,
    edges: Edges,
    /// The generation of the engine's board.
    generation: usize,
}

impl<B: Board> Check<'_, B> {
    fn last(&self) -> usize {
        self.expected.boards.len() - 1
    }

    fn boards(&mut self) -> Found<B> {
        let mut boards = vec![self.engine.read()?];
        let last = self.last() as u64;
        self.engine.step_with_boards(last, &mut boards)?;
        let mut found = boards.iter().zip(0..=self.last());
        let difference = found.find_map(|(board, generation)| {
            let difference = self.expected.cell(self.edges, generation, board)?;
            Some((generation, difference))
        });
        Ok(difference.or_else(|| self.count(boards.len())))
    }

    fn census(&mut self) -> Found<B> {
        let mut census = vec![self.engine.census()?];
        let last = self.last() as u64;
        self.engine.step_with_census(last, &mut census)?;
        let mut pairs = census.iter().zip(&self.expected.stats).enumerate();
        let difference = pairs.find_map(|(generation, (&found, stats))| {
            let expected = stats.census;
            let difference = Difference::Census { expected, found };
            (found != expected).then_some((generation, difference))
        });
        Ok(difference.or_else(|| self.count(census.len())))
    }

    /// Compares how many generations an engine has reported, the loaded one included.
    fn count(&self, found: usize) -> Option<(usize, Difference<B>)> {
        let expected = self.expected.boards.len();
        let difference = Difference::Generations { expected, found };
        (found != expected).then_some((found.min(expected), difference))
    }

    fn steps(&mut self) -> Found<B> {
        for (number, stride) in STRIDES.into_iter().cycle().enumerate() {
            let stride = stride.min(self.last() - self.generation);
            match number % 2 {
                0 => self.engine.fast_forward(stride as u64)?,
                _ => self.engine.step(stride as u64)?,
            }
            self.generation += stride;
            let found = self.cell()?;
            if found.is_some() || self.generation == self.last() {
                return Ok(found);
            }
        }
        Ok(None)
    }

    fn stats(&mut self) -> Found<B> {
        for _ in 0..STATS_REQUESTS {
            let mut stats = Vec::new();
            let left = self.last() - self.generation;
            self.engine.step_with_stats(left as u64, &mut stats)?;
            if let Some(found) = self.compare_stats(&stats, left) {
                return Ok(Some(found));
            }
            let found = self.cell()?;
            if found.is_some() || self.generation == self.last() {
                return Ok(found);
            }
        }
        Ok(None)
    }

    fn budget(&mut self) -> Found<B> {
        let last = self.last().min(MOST_BUDGETED);
        while self.generation < last {
            let mut stats = Vec::new();
            let left = last - self.generation;
            let budget = Duration::from_micros(50);
            self.engine.advance(left as u64, budget, &mut stats)?;
            // It may end earlier, but never later.
            if let Some(found) = self.compare_stats(&stats, left.min(stats.len())) {
                return Ok(Some(found));
            }
            if self.generation.is_multiple_of(8) || self.generation == last {
                let found = self.cell()?;
                if found.is_some() {
                    return Ok(found);
                }
            }
        }
        Ok(None)
    }

    /// Compares the present board of the engine.
    fn cell(&mut self) -> Found<B> {
        let board = self.engine.read()?;
        let difference = self.expected.cell(self.edges, self.generation, &board);
        Ok(difference.map(|difference| (self.generation, difference)))
    }

    /// Compares the statistics of the next `most` generations, up to the first settled one.
    fn compare_stats(
        &mut self,
        found: &[GenerationStats<B::Census>],
        most: usize,
    ) -> Option<(usize, Difference<B>)> {
        let first = self.generation + 1;
        let expected = self.expected.stats[first..].iter().take(most);
        let settled = expected.clone().position(|stats| stats.is_settled());
        let expected = &self.expected.stats[first..][..settled.map_or(expected.len(), |at| at + 1)];
        self.generation += found.len();
        (0..found.len().max(expected.len())).find_map(|i| {
            let (expected, found) = (expected.get(i).copied(), found.get(i).copied());
            let difference = Difference::Stats { expected, found };
            (expected != found).then_some((first + i, difference))
        })
    }
}

impl<B: Board> Expected<B> {
    /// The first cell in which a board differs from that of a generation.
    fn cell(&self, edges: Edges, generation: usize, found: &B) -> Option<Difference<B>> {
        let before = &self.boards[generation.saturating_sub(1)];
        first_difference(edges, before, &self.boards[generation], found)
    }
}

impl Expected {
    /// Compares what the kernel of whole games returns for a case.
    fn check_arena_run(&self, case: &Case, run: &arena::Run) -> Option<Divergence> {
        let last = self.boards.len() - 1;
        let decided = self
            .stats
            .iter()
            .skip(1)
            .position(|stats| stats.is_settled());
        let decided = decided.map_or(last, |at| at + 1);
        let found = usize::try_from(run.decided).unwrap_or(usize::MAX);
        let stats = self.stats[decided];
        if (decided, stats) != (found, run.stats) {
            let difference = Difference::Stats {
                expected: Some(stats),
                found: (decided == found).then_some(run.stats),
            };
            return Some(case.divergence(decided, Path::Stats, difference));
        }
        let peak = |count: fn(&LifelikeCensus) -> u64| {
            let counts = self.stats.iter().map(|stats| count(&stats.census));
            counts.max().unwrap_or_default()
        };
        let peak = LifelikeCensus {
            red: peak(|census| census.red),
            blue: peak(|census| census.blue),
        };
        let difference = match peak == run.peak {
            true => self.cell(case.ruleset.edges, last, &run.board),
            false => Some(Difference::Census {
                expected: peak,
                found: run.peak,
            }),
        };
        difference.map(|difference| case.divergence(last, Path::Steps, difference))
    }
}

impl<R: Ruleset> Case<R> {
    fn divergence(
        &self,
        generation: usize,
        path: Path,
        difference: Difference<R::Board>,
    ) -> Divergence<R> {
        Divergence {
            ruleset: self.ruleset,
            size: self.board.size(),
            generation: generation as u64,
            path,
            difference,
        }
    }
}

/// The first cell in which two boards differ, row by row.
fn first_difference<B: Board>(
    edges: Edges,
    before: &B,
    expected: &B,
    found: &B,
) -> Option<Difference<B>> {
    let UVec2 { x, y } = expected.first_difference(found)?;
    let size = expected.size();
    let shown = |dx: i64, dy: i64| {
        let (width, height) = (i64::from(size.width()), i64::from(size.height()));
        let (x, y) = (i64::from(x) + dx, i64::from(y) + dy);
        let outside = x < 0 || y < 0 || x >= width || y >= height;
        if outside && edges == Edges::Dead {
            return "-".to_owned();
        }
        let (x, y) = (x.rem_euclid(width), y.rem_euclid(height));
        before.cell(uvec2(x as u32, y as u32)).to_string()
    };
    let cells = [-1, 0, 1].map(|dy| [-1, 0, 1].map(|dx| shown(dx, dy)));
    // Cells of several characters stand in columns.
    let widest = cells.iter().flatten().map(String::len).max().unwrap_or(1);
    let gap = if widest > 1 { " " } else { "" };
    Some(Difference::Cell {
        x,
        y,
        before: cells.map(|row| row.map(|cell| format!("{cell:>widest$}")).join(gap)),
        expected: expected.cell(uvec2(x, y)),
        found: found.cell(uvec2(x, y)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::RezolutionBoard;
    use crate::board::rezolution::RezolutionCell;
    use crate::engine::cpu::{CpuEngine, CpuFamily};
    use crate::engine::{Request, Sink};
    use crate::rules::RezolutionRuleset;

    /// Compares the CPU engine on the first cases of a suite.
    fn check_cpu<R: TestFamily + ReferenceFamily + CpuFamily>(
        drawer: &mut Drawer,
        kind: SuiteKind,
        cases: u64,
    ) {
        for index in 0..cases {
            let case = drawer.draw::<R>(kind, index).unwrap();
            // Idle blocks are skipped only where nothing has been poisoned.
            let engine = CpuEngine::new(case.ruleset);
            let mut engine = match kind {
                SuiteKind::Sparse => engine.with_pass(8),
                // Passes are not left to the rules, which have few boards here that are worth it.
                SuiteKind::Rezolution | SuiteKind::LongPopulations => engine
                    .with_pass([8, 1, 3, 5][index as usize % 4])
                    .poisoned(),
                _ => engine.poisoned(),
            };
            let expected = expected(&case).unwrap();
            let found = check(&mut engine, &case, &expected, &Path::ALL).unwrap();
            assert_eq!(found, None, "{kind} {index}");
        }
    }

    #[test]
    fn the_cpu_engine_conforms_on_every_kind_of_board() {
        let mut drawer = Drawer::new(1);
        check_cpu::<LifelikeRuleset>(&mut drawer, SuiteKind::Small, 150);
        check_cpu::<LifelikeRuleset>(&mut drawer, SuiteKind::Long, 6);
        check_cpu::<LifelikeRuleset>(&mut drawer, SuiteKind::Sparse, 6);
        check_cpu::<LifelikeRuleset>(&mut drawer, SuiteKind::Neighbourhoods, 20);
        check_cpu::<RezolutionRuleset>(&mut drawer, SuiteKind::Rezolution, 150);
        check_cpu::<RezolutionRuleset>(&mut drawer, SuiteKind::LongPopulations, 6);
    }

    #[test]
    fn a_planted_bit_is_caught_and_located_wherever_it_is() {
        plant::<LifelikeRuleset>(SuiteKind::Small);
        plant::<RezolutionRuleset>(SuiteKind::Rezolution);
    }

    fn plant<R: TestFamily + ReferenceFamily + CpuFamily>(kind: SuiteKind) {
        let mut drawer = Drawer::new(2);
        for index in 0..40 {
            let case = drawer.draw::<R>(kind, index).unwrap();
            let expected = expected(&case).unwrap();
            let fault = Fault {
                generation: 1 + index % 16,
                x: index as u32 * 7,
                y: index as u32 * 3,
            };
            let mut engine = CpuEngine::new(case.ruleset);
            let mut faulty = Faulty::new(&mut engine, fault);
            let found = check(&mut faulty, &case, &expected, &Path::ALL)
                .unwrap()
                .unwrap();
            assert_eq!(found.generation, fault.generation);
            let (width, height) = (found.size.width(), found.size.height());
            let Difference::Cell { x, y, .. } = found.difference else {
                panic!("{found}");
            };
            assert_eq!((x, y), (fault.x % width, fault.y % height));
        }
    }

    /// An engine that does not report the last generation of a request, or reports it twice.
    struct Miscounting<'a>(&'a mut dyn Engine<LifelikeBoard>, usize);

    impl Engine<LifelikeBoard> for Miscounting<'_> {
        fn load(&mut self, board: &LifelikeBoard) -> Result<(), EngineError> {
            self.0.load(board)
        }

        fn run(
            &mut self,
            request: Request,
            sink: &mut Sink<'_, LifelikeBoard>,
        ) -> Result<(), EngineError> {
            let mut last = None;
            self.0.run(request, &mut |observation| {
                last.replace(observation).into_iter().for_each(&mut *sink);
            })?;
            for observation in vec![last; self.1].into_iter().flatten() {
                sink(observation);
            }
            Ok(())
        }

        fn census(&mut self) -> Result<LifelikeCensus, EngineError> {
            self.0.census()
        }

        fn read(&mut self) -> Result<LifelikeBoard, EngineError> {
            self.0.read()
        }
    }

    #[test]
    fn an_engine_that_reports_too_few_or_too_many_generations_is_caught() {
        let case = Drawer::new(3)
            .draw::<LifelikeRuleset>(SuiteKind::Neighbourhoods, 0)
            .unwrap();
        let boards = expected(&case).unwrap();
        for (reports, count) in [(0, 2), (1, 3), (2, 4)] {
            for path in [Path::Boards, Path::Census] {
                let mut engine = CpuEngine::new(case.ruleset);
                let mut engine = Miscounting(&mut engine, reports);
                let found = check(&mut engine, &case, &boards, &[path]).unwrap();
                let expected = (count != 3).then_some(Difference::Generations {
                    expected: 3,
                    found: count,
                });
                assert_eq!(found.map(|found| found.difference), expected, "{path:?}");
            }
        }
    }

    #[test]
    fn a_difference_names_family_place_and_cells() {
        let board = RezolutionBoard::new(Size::new(3, 2).unwrap()).unwrap();
        let (mut before, mut found) = (board.clone(), board.clone());
        before.set(uvec2(0, 1), RezolutionCell::open(-12));
        found.set(uvec2(1, 1), RezolutionCell::open(4));
        let edges = Edges::Dead;
        let divergence = Divergence {
            ruleset: RezolutionRuleset { edges },
            size: board.size(),
            generation: 7,
            path: Path::Boards,
            difference: first_difference(edges, &before, &board, &found).unwrap(),
        };
        let text = "family rezolution, rule rezolution, dead edges, board 3x2: generation 7 differs
  cell x = 1, y = 1 (from 0); 3x3 before:
      .   .   .
    -12   .   .
      -   -   -
  reference: ., engine: +4";
        assert_eq!(divergence.to_string(), text);
    }
}
