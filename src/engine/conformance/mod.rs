//! Proof by comparison: an engine in lockstep with the reference.
//!
//! [`check`] lets the reference compute every generation of a board, lets the engine under test
//! do the same in each of the ways an engine can be asked, and compares every cell of every
//! generation. [`Drawer`] draws the boards. [`Faulty`] plants a fault, to prove that one is found.
//! All of it is the same for every family of rules.

mod suites;

pub use suites::{Drawer, SuiteKind, TestFamily, neighbourhoods, sums};

use glam::{UVec2, uvec2};
use std::fmt;
use std::time::Duration;

use super::reference::{ReferenceEngine, ReferenceFamily};
use super::{Engine, EngineError, GenerationStats, Observation, Observe, Request, Sink, Stop};
use crate::board::{Board, Census, Edges, LifelikeBoard, Size};
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

/// How much is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// Every cell of every generation, asked for in one way.
    EveryGeneration,
    /// That, and every other way of asking an engine.
    EveryPath,
}

/// The ways in which an engine computes generations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Path {
    /// [`Engine::step_with_boards`].
    Filmed,
    /// [`Engine::step_with_census`].
    Counted,
    /// [`Engine::fast_forward`] and [`Engine::step`] in turn, several generations at once, each with
    /// [`Engine::read`] after it.
    Stepped,
    /// [`Engine::step_with_stats`], again and again, and [`Engine::read`] wherever it ended.
    Watched,
    /// [`Engine::advance`] with hardly any time, again and again, and now and then
    /// [`Engine::read`] in between.
    Advanced,
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
    /// What is seen under watch; `None` is a generation the engine did not compute or should not
    /// have computed.
    Stats {
        /// What follows from the reference's boards.
        expected: Option<GenerationStats<B::Census>>,
        /// What the engine says.
        found: Option<GenerationStats<B::Census>>,
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
            Difference::Stats { expected, found } => write!(
                f,
                "  reference: {}; engine: {}",
                shown_sighting(*expected),
                shown_sighting(*found)
            ),
        }
    }
}

fn shown_sighting<C: Census>(sighting: Option<GenerationStats<C>>) -> String {
    let Some(GenerationStats { census, period }) = sighting else {
        return "not computed".into();
    };
    let period = match period {
        Some(period) => format!("repeats after {period}"),
        None => "new".into(),
    };
    format!("{census}, {period}")
}

/// Generations that are asked for at once, in turn: passes of eight, four and two, and what is left.
const STRIDES: [usize; 5] = [17, 1, 6, 8, 60];

/// Generations that are computed with hardly any time, which takes long.
const MOST_ADVANCED: usize = 64;

/// All generations of a case as the reference computes them, generation 0 first.
///
/// # Errors
/// [`EngineError`] if there is no memory.
pub fn expected<R: ReferenceFamily>(case: &Case<R>) -> Result<Vec<R::Board>, EngineError> {
    let mut reference = ReferenceEngine::new(case.ruleset);
    reference.load(&case.board)?;
    let mut boards = vec![case.board.clone()];
    reference.step_with_boards(case.generations, &mut boards)?;
    Ok(boards)
}

/// Compares an engine with all generations the reference has computed. `None` if they are equal.
///
/// # Errors
/// [`EngineError`] if the engine fails.
pub fn check<R: Ruleset>(
    engine: &mut dyn Engine<R::Board>,
    case: &Case<R>,
    expected: &[R::Board],
    depth: Depth,
) -> Result<Option<Divergence<R>>, EngineError> {
    let diverges = |generation: usize, path, difference| {
        Ok(Some(Divergence {
            ruleset: case.ruleset,
            size: case.board.size(),
            generation: generation as u64,
            path,
            difference,
        }))
    };
    let cell = |generation: usize, found: &R::Board| {
        let before = &expected[generation.saturating_sub(1)];
        first_difference(case.ruleset.edges(), before, &expected[generation], found)
    };

    engine.load(&case.board)?;
    let mut filmed = vec![engine.read()?];
    engine.step_with_boards(case.generations, &mut filmed)?;
    for (generation, found) in filmed.iter().enumerate() {
        if let Some(difference) = cell(generation, found) {
            return diverges(generation, Path::Filmed, difference);
        }
    }

    if depth == Depth::EveryGeneration {
        return Ok(None);
    }
    engine.load(&case.board)?;
    let mut counts = vec![engine.census()?];
    engine.step_with_census(case.generations, &mut counts)?;
    for (generation, (&found, expected)) in counts.iter().zip(expected).enumerate() {
        let expected = expected.census();
        if found != expected {
            let difference = Difference::Census { expected, found };
            return diverges(generation, Path::Counted, difference);
        }
    }

    engine.load(&case.board)?;
    let last = expected.len() - 1;
    let mut generation = 0;
    for (number, stride) in STRIDES.into_iter().cycle().enumerate() {
        let stride = stride.min(last - generation);
        match number % 2 {
            0 => engine.fast_forward(stride as u64)?,
            _ => engine.step(stride as u64)?,
        }
        generation += stride;
        if let Some(difference) = cell(generation, &engine.read()?) {
            return diverges(generation, Path::Stepped, difference);
        }
        if generation == last {
            break;
        }
    }

    for (path, last) in [
        (Path::Watched, last),
        (Path::Advanced, last.min(MOST_ADVANCED)),
    ] {
        engine.load(&case.board)?;
        let mut generation = 0;
        while generation < last {
            let mut found = Vec::new();
            let left = last - generation;
            let most = if path == Path::Watched {
                engine.step_with_stats(left as u64, &mut found)?;
                left
            } else {
                engine.advance(left as u64, Duration::from_micros(50), &mut found)?;
                // It may end earlier, but never later.
                left.min(found.len())
            };
            let sightings = expected_sightings(expected, generation, most);
            for i in 0..found.len().max(sightings.len()) {
                let (expected, found) = (sightings.get(i).copied(), found.get(i).copied());
                if expected != found {
                    let difference = Difference::Stats { expected, found };
                    return diverges(generation + 1 + i, path, difference);
                }
            }
            generation += found.len();
            if (path == Path::Watched || generation.is_multiple_of(8))
                && let Some(difference) = cell(generation, &engine.read()?)
            {
                return diverges(generation, path, difference);
            }
        }
        if let Some(difference) = cell(last, &engine.read()?) {
            return diverges(last, path, difference);
        }
    }
    Ok(None)
}

/// What is to be seen of the `most` boards after `generation`, up to the first settled one.
fn expected_sightings<B: Board>(
    boards: &[B],
    generation: usize,
    most: usize,
) -> Vec<GenerationStats<B::Census>> {
    let mut sightings = Vec::new();
    for (i, board) in boards.iter().enumerate().skip(generation + 1).take(most) {
        let period = [1, 2].into_iter().find(|&period| {
            let earlier = i.checked_sub(usize::from(period));
            earlier.is_some_and(|earlier| boards[earlier] == *board)
        });
        let sighting = GenerationStats {
            census: board.census(),
            period,
        };
        sightings.push(sighting);
        if sighting.is_settled() {
            break;
        }
    }
    sightings
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

/// An engine that flips one bit of one cell of one generation.
pub struct Faulty<'a, B: Board = LifelikeBoard> {
    engine: &'a mut dyn Engine<B>,
    fault: Fault,
    generation: u64,
}

/// Where a fault is planted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    /// After computing this generation, counted from the board that was loaded.
    pub generation: u64,
    /// Column, taken modulo the width.
    pub x: u32,
    /// Row, taken modulo the height.
    pub y: u32,
}

impl<'a, B: Board> Faulty<'a, B> {
    /// The engine with a fault.
    pub fn new(engine: &'a mut dyn Engine<B>, fault: Fault) -> Self {
        Self {
            engine,
            fault,
            generation: 0,
        }
    }

    /// Computes the generation with the fault. To the engine its board is one that was loaded, so
    /// that it repeats no earlier one.
    fn run_faulty(
        &mut self,
        request: Request,
        sink: &mut Sink<'_, B>,
    ) -> Result<GenerationStats<B::Census>, EngineError> {
        self.engine.step(1)?;
        self.generation += 1;
        let mut board = self.engine.read()?;
        let (x, y) = (
            self.fault.x % board.size().width(),
            self.fault.y % board.size().height(),
        );
        board.flip_bit(uvec2(x, y));
        self.engine.load(&board)?;
        let census = self.engine.census()?;
        let stats = GenerationStats {
            census,
            period: None,
        };
        let observation = request.observe.observation(stats, || self.engine.read())?;
        observation.into_iter().for_each(sink);
        Ok(stats)
    }
}

impl<B: Board> Engine<B> for Faulty<'_, B> {
    fn load(&mut self, board: &B) -> Result<(), EngineError> {
        self.generation = 0;
        self.engine.load(board)
    }

    fn run(&mut self, request: Request, sink: &mut Sink<'_, B>) -> Result<(), EngineError> {
        let mut left = request.generations;
        while left > 0 {
            // As many at once as are right.
            let part = match self.fault.generation.checked_sub(self.generation) {
                None | Some(0) => left,
                Some(1) => {
                    let stats = self.run_faulty(request, sink)?;
                    left -= 1;
                    if request.stop == Stop::AtSettled && stats.is_settled() {
                        break;
                    }
                    continue;
                }
                Some(until) => left.min(until - 1),
            };
            let part = Request {
                generations: part,
                ..request
            };
            let (mut observed, mut is_settled) = (0, false);
            self.engine.run(part, &mut |observation| {
                observed += 1;
                if let Observation::Stats(stats) = &observation {
                    is_settled = stats.is_settled();
                }
                sink(observation);
            })?;
            let computed = match request.observe {
                Observe::Nothing => part.generations,
                Observe::Census | Observe::Stats | Observe::Boards => observed,
            };
            self.generation += computed;
            left -= computed;
            let is_over = request.stop == Stop::AtSettled && is_settled;
            if is_over || request.budget.is_some() {
                break;
            }
        }
        Ok(())
    }

    fn census(&mut self) -> Result<B::Census, EngineError> {
        self.engine.census()
    }

    fn read(&mut self) -> Result<B, EngineError> {
        self.engine.read()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::RezolutionBoard;
    use crate::board::rezolution::RezolutionCell;
    use crate::engine::cpu::{CpuEngine, CpuFamily};
    use crate::rules::RezolutionRuleset;

    /// Compares the CPU engine on the first cases of a suite.
    fn check_cpu<R: TestFamily + ReferenceFamily + CpuFamily>(
        drawer: &mut Drawer,
        kind: SuiteKind,
        cases: u64,
    ) {
        for index in 0..cases {
            let case = drawer.draw::<R>(kind, index).unwrap();
            // What stands still is left out only where nothing has been poisoned.
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
            let found = check(&mut engine, &case, &expected, Depth::EveryPath).unwrap();
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
                generation: 1 + index,
                x: index as u32 * 7,
                y: index as u32 * 3,
            };
            let mut engine = CpuEngine::new(case.ruleset);
            let mut faulty = Faulty::new(&mut engine, fault);
            let found = check(&mut faulty, &case, &expected, Depth::EveryPath)
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

    #[test]
    fn a_difference_is_told_with_family_place_and_cells() {
        let board = RezolutionBoard::new(Size::new(3, 2).unwrap()).unwrap();
        let (mut before, mut found) = (board.clone(), board.clone());
        before.set(uvec2(0, 1), RezolutionCell::open(-12));
        found.set(uvec2(1, 1), RezolutionCell::open(4));
        let edges = Edges::Dead;
        let divergence = Divergence {
            ruleset: RezolutionRuleset { edges },
            size: board.size(),
            generation: 7,
            path: Path::Filmed,
            difference: first_difference(edges, &before, &board, &found).unwrap(),
        };
        let told = "family rezolution, rule rezolution, dead edges, board 3x2: generation 7 differs
  cell x = 1, y = 1 (from 0); 3x3 before:
      .   .   .
    -12   .   .
      -   -   -
  reference: ., engine: +4";
        assert_eq!(divergence.to_string(), told);
    }
}
