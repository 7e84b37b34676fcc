//! Proof by comparison: an engine in lockstep with the reference.
//!
//! [`check`] lets the reference compute every generation of a board, lets the engine under test
//! do the same in each of the ways an engine can be asked, and compares every cell of every
//! generation. [`Drawer`] draws the boards. [`Faulty`] plants a fault, to prove that one is found.

use std::fmt;

use rand::{Rng, RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use super::reference::ReferenceEngine;
use super::{Engine, EngineError, Sighting};
use crate::board::{Board, BoardError, Cell, Census, Edges, Size, start};
use crate::rules::notation::{self, NAMED_RULES};
use crate::rules::{Rule, Ruleset, Ties};

/// Which boards a suite consists of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SuiteKind {
    /// Random boards of every size from 1x1 to 70x70.
    Small,
    /// Random boards thousands of cells wide or high.
    Long,
    /// One board that holds every 3x3 neighbourhood, under many rules.
    Neighbourhoods,
}

impl SuiteKind {
    /// All of them, in the order in which they are run.
    pub const ALL: [Self; 3] = [Self::Small, Self::Long, Self::Neighbourhoods];
}

impl fmt::Display for SuiteKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Small => "small boards",
            Self::Long => "long boards",
            Self::Neighbourhoods => "all 3^9 neighbourhoods",
        })
    }
}

/// A board to be compared.
pub struct Case {
    /// Generation 0.
    pub board: Board,
    /// Rule, edges and ties.
    pub ruleset: Ruleset,
    /// How many generations.
    pub generations: u64,
}

/// Draws suites. The same seed draws the same boards.
pub struct Drawer {
    random: Pcg64Mcg,
    rules: Vec<Rule>,
}

impl Drawer {
    /// A drawer that knows the named rules and some random ones.
    pub fn new(seed: u64) -> Self {
        let mut random = Pcg64Mcg::seed_from_u64(seed);
        let named = NAMED_RULES
            .iter()
            .filter_map(|(name, _)| notation::parse(name).ok());
        let mut rules: Vec<Rule> = Vec::new();
        for rule in named {
            if !rules.contains(&rule) {
                rules.push(rule);
            }
        }
        for _ in 0..12 {
            rules.push(random_rule(&mut random));
        }
        Self { random, rules }
    }

    /// Case number `index` of a suite.
    ///
    /// # Errors
    /// [`BoardError`] if there is no memory for the board.
    pub fn draw(&mut self, kind: SuiteKind, index: u64) -> Result<Case, BoardError> {
        match kind {
            SuiteKind::Small => {
                let width = self.random.random_range(1..=70);
                let height = self.random.random_range(1..=70);
                let generations = self.random.random_range(200..=300);
                self.random_case(width, height, generations)
            }
            SuiteKind::Long => {
                let long = self.random.random_range(1000..=5000);
                let short = self.random.random_range(1..=40);
                let generations = self.random.random_range(20..=60);
                if index.is_multiple_of(2) {
                    self.random_case(long, short, generations)
                } else {
                    self.random_case(short, long, generations)
                }
            }
            SuiteKind::Neighbourhoods => {
                let rule = match index {
                    0 => Rule::LIFE,
                    _ => random_rule(&mut self.random),
                };
                Ok(Case {
                    board: neighbourhoods()?,
                    ruleset: self.ruleset(rule),
                    generations: 2,
                })
            }
        }
    }

    fn random_case(
        &mut self,
        width: u64,
        height: u64,
        generations: u64,
    ) -> Result<Case, BoardError> {
        let rule = self.rules[self.random.random_range(0..self.rules.len())];
        let ruleset = self.ruleset(rule);
        let density = f64::from(self.random.random_range(5..=60u32)) / 100.0;
        let Ok(size) = Size::new(width, height) else {
            unreachable!("sizes of suites are valid")
        };
        let board =
            start::random(size, density, self.random.next_u64()).map_err(|error| match error {
                start::StartError::Board(error) => error,
                start::StartError::Density(_) => unreachable!("densities of suites are valid"),
            })?;
        Ok(Case {
            board,
            ruleset,
            generations,
        })
    }

    fn ruleset(&mut self, rule: Rule) -> Ruleset {
        let edges = match self.random.random_bool(0.5) {
            true => Edges::Torus,
            false => Edges::Dead,
        };
        let ties = match self.random.random_range(0..8) {
            0 => Ties::Red,
            1 => Ties::Blue,
            2 => Ties::Checkerboard,
            _ => Ties::Seeded(self.random.next_u64()),
        };
        Ruleset { rule, edges, ties }
    }
}

/// Any rule with births, even and odd counts alike.
fn random_rule(random: &mut Pcg64Mcg) -> Rule {
    loop {
        // Bit 0 of the births stays clear.
        let birth = random.random_range(1..1u16 << 8) << 1;
        if let Some(rule) = Rule::new(birth, random.random_range(0..1 << 9)) {
            return rule;
        }
    }
}

/// A board of 423 x 420 cells that consists of all 3^9 = 19,683 blocks of 3x3 cells (and dead
/// ones), side by side.
///
/// # Errors
/// [`BoardError::NoMemory`] if there is no memory for it.
pub fn neighbourhoods() -> Result<Board, BoardError> {
    const COLUMNS: u32 = 141;
    const ROWS: u32 = 140;
    let Ok(size) = Size::new(u64::from(3 * COLUMNS), u64::from(3 * ROWS)) else {
        unreachable!("the size is valid")
    };
    let mut board = Board::new(size)?;
    for block in 0..3u32.pow(9) {
        let (left, top) = (3 * (block % COLUMNS), 3 * (block / COLUMNS));
        for i in 0..9 {
            let cell = [Cell::Dead, Cell::Red, Cell::Blue][(block / 3u32.pow(i) % 3) as usize];
            board.set(left + i % 3, top + i / 3, cell);
        }
    }
    Ok(board)
}

/// The first difference between an engine and the reference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Divergence {
    /// Rule, edges and ties.
    pub ruleset: Ruleset,
    /// The board's size.
    pub size: Size,
    /// The first generation that differs.
    pub generation: u64,
    /// Which way of asking the engine showed it.
    pub path: Path,
    /// Where and what.
    pub difference: Difference,
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
    /// [`Engine::step_filmed`].
    Filmed,
    /// [`Engine::step_counted`].
    Counted,
    /// [`Engine::step`], all generations at once, then [`Engine::read`].
    Stepped,
    /// [`Engine::step_watched`], again and again, and [`Engine::read`] wherever it ended.
    Watched,
}

/// What differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Difference {
    /// A cell; of all that differ in the generation the first, row by row.
    Cell {
        /// Column, from 0.
        x: u32,
        /// Row, from 0.
        y: u32,
        /// The cell and its neighbours one generation before, row by row, as the reference has
        /// them: the characters of a text grid, and `-` beyond dead edges.
        before: [String; 3],
        /// What the reference says.
        expected: Cell,
        /// What the engine says.
        found: Cell,
    },
    /// The counts.
    Census {
        /// What the reference says.
        expected: Census,
        /// What the engine says.
        found: Census,
    },
    /// What is seen under watch; `None` is a generation the engine did not compute or should not
    /// have computed.
    Sighting {
        /// What follows from the reference's boards.
        expected: Option<Sighting>,
        /// What the engine says.
        found: Option<Sighting>,
    },
}

impl fmt::Display for Divergence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Ruleset { rule, edges, ties } = self.ruleset;
        writeln!(
            f,
            "family lifelike, rule {rule}, {edges} edges, ties {ties}, board {}: generation {} differs",
            self.size, self.generation
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
                write!(
                    f,
                    "  reference: {}, engine: {}",
                    expected.grid_char(),
                    found.grid_char()
                )
            }
            Difference::Census { expected, found } => write!(
                f,
                "  reference: {} red, {} blue; engine: {} red, {} blue",
                expected.red, expected.blue, found.red, found.blue
            ),
            Difference::Sighting { expected, found } => write!(
                f,
                "  reference: {}; engine: {}",
                shown_sighting(*expected),
                shown_sighting(*found)
            ),
        }
    }
}

fn shown_sighting(sighting: Option<Sighting>) -> String {
    let Some(Sighting { census, period }) = sighting else {
        return "not computed".into();
    };
    let period = match period {
        Some(period) => format!("repeats after {period}"),
        None => "new".into(),
    };
    format!("{} red, {} blue, {period}", census.red, census.blue)
}

/// All generations of a case as the reference computes them, generation 0 first.
///
/// # Errors
/// [`EngineError`] if there is no memory.
pub fn expected(case: &Case) -> Result<Vec<Board>, EngineError> {
    let mut reference = ReferenceEngine::new(case.ruleset);
    reference.load(&case.board)?;
    let mut boards = vec![case.board.clone()];
    reference.step_filmed(case.generations, &mut boards)?;
    Ok(boards)
}

/// Compares an engine with all generations the reference has computed. `None` if they are equal.
///
/// # Errors
/// [`EngineError`] if the engine fails.
pub fn check(
    engine: &mut dyn Engine,
    case: &Case,
    expected: &[Board],
    depth: Depth,
) -> Result<Option<Divergence>, EngineError> {
    let diverges = |generation: usize, path, difference| {
        Ok(Some(Divergence {
            ruleset: case.ruleset,
            size: case.board.size(),
            generation: generation as u64,
            path,
            difference,
        }))
    };
    let cell = |generation: usize, found: &Board| {
        let before = &expected[generation.saturating_sub(1)];
        first_difference(case.ruleset.edges, before, &expected[generation], found)
    };

    engine.load(&case.board)?;
    let mut filmed = vec![engine.read()?];
    engine.step_filmed(case.generations, &mut filmed)?;
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
    engine.step_counted(case.generations, &mut counts)?;
    for (generation, (&found, expected)) in counts.iter().zip(expected).enumerate() {
        let expected = expected.census();
        if found != expected {
            let difference = Difference::Census { expected, found };
            return diverges(generation, Path::Counted, difference);
        }
    }

    engine.load(&case.board)?;
    engine.step(case.generations)?;
    let last = expected.len() - 1;
    if let Some(difference) = cell(last, &engine.read()?) {
        return diverges(last, Path::Stepped, difference);
    }

    engine.load(&case.board)?;
    let mut generation = 0;
    while generation < last {
        let mut found = Vec::new();
        engine.step_watched((last - generation) as u64, &mut found)?;
        let sightings = expected_sightings(expected, generation);
        for i in 0..found.len().max(sightings.len()) {
            let (expected, found) = (sightings.get(i).copied(), found.get(i).copied());
            if expected != found {
                let difference = Difference::Sighting { expected, found };
                return diverges(generation + 1 + i, Path::Watched, difference);
            }
        }
        generation += found.len();
        if let Some(difference) = cell(generation, &engine.read()?) {
            return diverges(generation, Path::Watched, difference);
        }
    }
    Ok(None)
}

/// What is to be seen of the boards after `generation`, up to the first settled one.
fn expected_sightings(boards: &[Board], generation: usize) -> Vec<Sighting> {
    let mut sightings = Vec::new();
    for (i, board) in boards.iter().enumerate().skip(generation + 1) {
        let period = [1, 2].into_iter().find(|&period| {
            let earlier = i.checked_sub(usize::from(period));
            earlier.is_some_and(|earlier| boards[earlier] == *board)
        });
        let sighting = Sighting {
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
fn first_difference(
    edges: Edges,
    before: &Board,
    expected: &Board,
    found: &Board,
) -> Option<Difference> {
    if expected == found {
        return None;
    }
    let size = expected.size();
    let (x, y) = (0..size.height())
        .flat_map(|y| (0..size.width()).map(move |x| (x, y)))
        .find(|&(x, y)| expected.get(x, y) != found.get(x, y))?;
    let shown = |dx: i64, dy: i64| {
        let (width, height) = (i64::from(size.width()), i64::from(size.height()));
        let (x, y) = (i64::from(x) + dx, i64::from(y) + dy);
        let outside = x < 0 || y < 0 || x >= width || y >= height;
        if outside && edges == Edges::Dead {
            return '-';
        }
        let (x, y) = (x.rem_euclid(width), y.rem_euclid(height));
        before.get(x as u32, y as u32).grid_char()
    };
    Some(Difference::Cell {
        x,
        y,
        before: [-1, 0, 1].map(|dy| [-1, 0, 1].map(|dx| shown(dx, dy)).iter().collect()),
        expected: expected.get(x, y),
        found: found.get(x, y),
    })
}

/// An engine that flips one bit of one cell of one generation.
pub struct Faulty<'a> {
    engine: &'a mut dyn Engine,
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

impl<'a> Faulty<'a> {
    /// The engine with a fault.
    pub fn new(engine: &'a mut dyn Engine, fault: Fault) -> Self {
        Self {
            engine,
            fault,
            generation: 0,
        }
    }
}

impl Engine for Faulty<'_> {
    fn load(&mut self, board: &Board) -> Result<(), EngineError> {
        self.generation = 0;
        self.engine.load(board)
    }

    fn step(&mut self, generations: u64) -> Result<(), EngineError> {
        for _ in 0..generations {
            self.engine.step(1)?;
            self.generation += 1;
            if self.generation == self.fault.generation {
                let mut board = self.engine.read()?;
                let (x, y) = (
                    self.fault.x % board.size().width(),
                    self.fault.y % board.size().height(),
                );
                // A dead cell's alive bit, a live cell's blue bit.
                let flipped = match board.get(x, y) {
                    Cell::Dead => Cell::Red,
                    live => live.swapped(),
                };
                board.set(x, y, flipped);
                self.engine.load(&board)?;
            }
        }
        Ok(())
    }

    fn step_watched(
        &mut self,
        generations: u64,
        seen: &mut Vec<Sighting>,
    ) -> Result<(), EngineError> {
        for _ in 0..generations {
            if self.generation + 1 == self.fault.generation {
                self.step(1)?;
                let census = self.engine.census()?;
                // Planting has loaded a board, and an engine then remembers no earlier one.
                let period = None;
                seen.push(Sighting { census, period });
            } else {
                self.engine.step_watched(1, seen)?;
                self.generation += 1;
            }
            if seen.last().is_some_and(|sighting| sighting.is_settled()) {
                break;
            }
        }
        Ok(())
    }

    fn census(&mut self) -> Result<Census, EngineError> {
        self.engine.census()
    }

    fn read(&mut self) -> Result<Board, EngineError> {
        self.engine.read()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::cpu::CpuEngine;

    #[test]
    fn the_board_of_neighbourhoods_holds_each_of_them() {
        let board = neighbourhoods().unwrap();
        let mut seen = vec![false; 3usize.pow(9)];
        for top in 0..board.size().height() - 2 {
            for left in 0..board.size().width() - 2 {
                let block = (0..9).rev().fold(0, |block, i| {
                    3 * block + board.get(left + i % 3, top + i / 3) as usize
                });
                seen[block] = true;
            }
        }
        assert!(seen.iter().all(|&seen| seen));
    }

    #[test]
    fn the_cpu_engine_conforms_on_every_kind_of_board() {
        let mut drawer = Drawer::new(1);
        for (kind, cases) in [
            (SuiteKind::Small, 150),
            (SuiteKind::Long, 6),
            (SuiteKind::Neighbourhoods, 20),
        ] {
            for index in 0..cases {
                let case = drawer.draw(kind, index).unwrap();
                let mut engine = CpuEngine::new(case.ruleset).poisoned();
                let found = check(
                    &mut engine,
                    &case,
                    &expected(&case).unwrap(),
                    Depth::EveryPath,
                )
                .unwrap();
                assert_eq!(found, None, "{kind} {index}");
            }
        }
    }

    #[test]
    fn a_planted_bit_is_caught_and_located_wherever_it_is() {
        let mut drawer = Drawer::new(2);
        for index in 0..40 {
            let case = drawer.draw(SuiteKind::Small, index).unwrap();
            let expected = expected(&case).unwrap();
            let fault = Fault {
                generation: 1 + index * 5,
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
}
