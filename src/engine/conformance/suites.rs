//! The boards on which engines are compared.

use glam::uvec2;
use std::fmt;

use rand::{Rng, RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use super::{Case, Divergence, Expected, Fault};
use crate::board::rezolution::{Ground, RezolutionCell};
use crate::board::{BoardError, Edges, LifelikeBoard, LifelikeCell, RezolutionBoard, Size, start};
use crate::engine::EngineError;
use crate::engine::gpu::arena::{GpuArena, Task};
use crate::rules::notation::{self, NAMED_RULES};
use crate::rules::{FamilyName, LifelikeRuleset, RezolutionRuleset, Rule, Ruleset, Ties};

/// Which boards a suite consists of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SuiteKind {
    /// Random boards of every size from 1x1 to 70x70, and some that are wider.
    Small,
    /// Random boards thousands of cells wide or high.
    Long,
    /// Boards of which most is still or oscillates, with a few gliders.
    Sparse,
    /// One board that holds every 3x3 neighbourhood, under many rules.
    Neighbourhoods,
    /// Random boards of populations, barriers and targets, of the same sizes.
    Rezolution,
    /// Such boards thousands of cells wide or high.
    LongPopulations,
    /// One board that holds every population under every sum that its block can have.
    Sums,
}

impl SuiteKind {
    /// All of them, in the order in which they are run.
    pub const ALL: [Self; 7] = [
        Self::Small,
        Self::Long,
        Self::Sparse,
        Self::Neighbourhoods,
        Self::Rezolution,
        Self::LongPopulations,
        Self::Sums,
    ];

    /// The family whose boards they are.
    pub const fn family(self) -> FamilyName {
        match self {
            Self::Small | Self::Long | Self::Sparse | Self::Neighbourhoods => FamilyName::Lifelike,
            Self::Rezolution | Self::LongPopulations | Self::Sums => FamilyName::Rezolution,
        }
    }

    /// Whether it is the first suite of its family, that of small boards; faults are planted there.
    pub fn is_first(self) -> bool {
        let mut all = Self::ALL.into_iter();
        all.find(|suite| suite.family() == self.family()) == Some(self)
    }
}

impl fmt::Display for SuiteKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Small => "small boards",
            Self::Long => "long boards",
            Self::Sparse => "sparse boards",
            Self::Neighbourhoods => "all 3^9 neighbourhoods",
            Self::Rezolution => "populations",
            Self::LongPopulations => "long populations",
            Self::Sums => "all populations and sums",
        })
    }
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

    /// Case number `index` of a suite of the family `R`.
    ///
    /// # Errors
    /// [`BoardError`] if there is no memory for the board.
    pub fn draw<R: TestFamily>(
        &mut self,
        kind: SuiteKind,
        index: u64,
    ) -> Result<Case<R>, BoardError> {
        debug_assert_eq!(kind.family(), R::FAMILY);
        R::draw(self, kind, index)
    }

    fn random_case(
        &mut self,
        width: u64,
        height: u64,
        generations: u64,
    ) -> Result<Case, BoardError> {
        // Every second board is one for kernels with the rule folded in.
        let rule = match self.random.random_range(0..4) {
            0 => Rule::LIFE,
            1 => highlife(),
            _ => self.rules[self.random.random_range(0..self.rules.len())],
        };
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

    fn ruleset(&mut self, rule: Rule) -> LifelikeRuleset {
        let edges = random_edges(&mut self.random);
        let ties = match self.random.random_range(0..8) {
            0 => Ties::Red,
            1 => Ties::Blue,
            2 => Ties::Checkerboard,
            _ => Ties::Seeded(self.random.next_u64()),
        };
        LifelikeRuleset { rule, edges, ties }
    }
}

/// Rules of which suites consist.
pub trait TestFamily: Ruleset {
    /// See [`Drawer::draw`].
    ///
    /// # Errors
    /// [`BoardError`] if there is no memory for the board.
    fn draw(drawer: &mut Drawer, kind: SuiteKind, index: u64) -> Result<Case<Self>, BoardError>;

    /// Whether there is a kernel that computes whole games in workgroup memory.
    const PLAYS_IN_ARENA: bool = false;

    /// Whether kernels with the rule folded in are compared under this ruleset: each takes long to compile, so
    /// these are few, and each has many boards.
    fn is_folded(self) -> bool {
        false
    }

    /// Whether the boards of a case fit the kernel that computes whole games in workgroup memory.
    fn fits_arena(_case: &Case<Self>) -> bool {
        Self::PLAYS_IN_ARENA
    }

    /// Compares that kernel with the reference. A planted fault flips a bit of the board it returns.
    ///
    /// # Errors
    /// [`EngineError`] if the device fails.
    fn check_arena(
        _arena: &GpuArena,
        _case: &Case<Self>,
        _expected: &Expected<Self::Board>,
        _fault: Option<Fault>,
    ) -> Result<Option<Divergence<Self>>, EngineError> {
        Ok(None)
    }
}

impl TestFamily for LifelikeRuleset {
    const PLAYS_IN_ARENA: bool = true;

    /// One rule with circuits of its own, and one with ties.
    fn is_folded(self) -> bool {
        let has_all = self.edges == Edges::Torus && matches!(self.ties, Ties::Seeded(_));
        self.rule == Rule::LIFE || self.rule == highlife() && has_all
    }

    fn fits_arena(case: &Case) -> bool {
        GpuArena::takes(case.board.size(), case.generations)
    }

    fn check_arena(
        arena: &GpuArena,
        case: &Case,
        expected: &Expected,
        fault: Option<Fault>,
    ) -> Result<Option<Divergence>, EngineError> {
        let task = Task {
            ruleset: case.ruleset,
            // No case is as long.
            limit: u32::try_from(case.generations).unwrap_or(u32::MAX),
            start: case.board.clone(),
        };
        let runs = arena.play(&[task], &|| false)?;
        let Some(mut run) = runs.and_then(|mut runs| runs.pop()) else {
            return Err(arena.undecided());
        };
        if let Some(fault) = fault {
            fault.flip(&mut run.board);
        }
        Ok(expected.check_arena_run(case, &run))
    }

    fn draw(drawer: &mut Drawer, kind: SuiteKind, index: u64) -> Result<Case, BoardError> {
        let random = &mut drawer.random;
        match kind {
            SuiteKind::Long => {
                let (width, height) = long_sides(random, index);
                let generations = random.random_range(20..=60);
                drawer.random_case(width, height, generations)
            }
            SuiteKind::Sparse => {
                // B36/S23 has the same patterns, and ties.
                let rule = [Rule::LIFE, highlife()][(index % 2) as usize];
                let generations = random.random_range(250..=350);
                Ok(Case {
                    board: sparse(random)?,
                    ruleset: drawer.ruleset(rule),
                    generations,
                })
            }
            SuiteKind::Neighbourhoods => {
                let rule = match index {
                    0 => Rule::LIFE,
                    _ => random_rule(random),
                };
                Ok(Case {
                    board: neighbourhoods()?,
                    ruleset: drawer.ruleset(rule),
                    generations: 2,
                })
            }
            SuiteKind::Small => {
                let (width, height) = small_sides(random, index);
                let generations = match index % 30 {
                    0 => random.random_range(200..=300),
                    _ => random.random_range(16..=40),
                };
                drawer.random_case(width, height, generations)
            }
            SuiteKind::Rezolution | SuiteKind::LongPopulations | SuiteKind::Sums => {
                unreachable!("not a suite of the family")
            }
        }
    }
}

impl TestFamily for RezolutionRuleset {
    fn draw(drawer: &mut Drawer, kind: SuiteKind, index: u64) -> Result<Case<Self>, BoardError> {
        let random = &mut drawer.random;
        let edges = random_edges(random);
        let (board, generations) = match kind {
            SuiteKind::LongPopulations => {
                let (width, height) = long_sides(random, index);
                let board = random_populations(random, width, height)?;
                (board, random.random_range(20..=60))
            }
            SuiteKind::Sums => (sums()?, 2),
            SuiteKind::Rezolution => {
                let (width, height) = small_sides(random, index);
                let generations = match index % 30 {
                    0 => random.random_range(100..=200),
                    _ => random.random_range(16..=40),
                };
                (random_populations(random, width, height)?, generations)
            }
            SuiteKind::Small | SuiteKind::Long | SuiteKind::Sparse | SuiteKind::Neighbourhoods => {
                unreachable!("not a suite of the family")
            }
        };
        Ok(Case {
            board,
            ruleset: Self { edges },
            generations,
        })
    }
}

/// B36/S23.
fn highlife() -> Rule {
    let Some(highlife) = Rule::new(1 << 3 | 1 << 6, 1 << 2 | 1 << 3) else {
        unreachable!("the rule has births")
    };
    highlife
}

/// Sides of a small board, in turn one of any shape, and one that every kernel of passes takes.
fn small_sides(random: &mut Pcg64Mcg, index: u64) -> (u64, u64) {
    match index / 4 % 2 {
        0 => (random.random_range(1..=70), random.random_range(1..=70)),
        _ => (random.random_range(64..=110), random.random_range(8..=40)),
    }
}

/// Sides of a long board, wide and high in turn.
fn long_sides(random: &mut Pcg64Mcg, index: u64) -> (u64, u64) {
    let long = random.random_range(1000..=5000);
    let short = random.random_range(1..=40);
    if index.is_multiple_of(2) {
        (long, short)
    } else {
        (short, long)
    }
}

fn random_edges(random: &mut Pcg64Mcg) -> Edges {
    match random.random_bool(0.5) {
        true => Edges::Torus,
        false => Edges::Dead,
    }
}

/// A board of patches that live on, scattered populations of all sizes, barriers and targets.
fn random_populations(
    random: &mut Pcg64Mcg,
    width: u64,
    height: u64,
) -> Result<RezolutionBoard, BoardError> {
    let Ok(size) = Size::new(width, height) else {
        unreachable!("sizes of suites are valid")
    };
    let mut board = RezolutionBoard::new(size)?;
    let mut share = |of: &[u32]| f64::from(of[random.random_range(0..of.len())]) / 100.0;
    let (density, barriers, targets) = (
        share(&[5, 20, 35, 60, 100]),
        share(&[0, 0, 2, 10, 40]),
        share(&[0, 0, 1, 5]),
    );
    let largest = [1, 1, 2, 4, 26, 127][random.random_range(0..6)];
    for y in 0..size.height() {
        for x in 0..size.width() {
            let ground = match random.random::<f64>() {
                draw if draw < barriers => Ground::Barrier,
                draw if draw < barriers + targets => Ground::Target,
                _ => Ground::Open,
            };
            let population = match ground {
                Ground::Open if random.random_bool(density) => {
                    random.random_range(-largest..=largest)
                }
                _ => 0,
            };
            board.set(uvec2(x, y), RezolutionCell { population, ground });
        }
    }
    Ok(board)
}

/// Blocks, blinkers, toads and a few gliders of either colour, far apart.
fn sparse(random: &mut Pcg64Mcg) -> Result<LifelikeBoard, BoardError> {
    const BLOCK: &[(u32, u32)] = &[(0, 0), (1, 0), (0, 1), (1, 1)];
    const BLINKER: &[(u32, u32)] = &[(0, 1), (1, 1), (2, 1)];
    const TOAD: &[(u32, u32)] = &[(1, 0), (2, 0), (3, 0), (0, 1), (1, 1), (2, 1)];
    const GLIDER: &[(u32, u32)] = &[(1, 0), (2, 1), (0, 2), (1, 2), (2, 2)];
    const SIDE: u32 = 4;
    let (width, height) = (
        random.random_range(400..=900),
        random.random_range(150..=350),
    );
    let Ok(size) = Size::new(width, height) else {
        unreachable!("sizes of suites are valid")
    };
    let mut board = LifelikeBoard::new(size)?;
    for object in 0..24 {
        let cells = match object {
            0..3 => GLIDER,
            3..8 => TOAD,
            8..16 => BLINKER,
            _ => BLOCK,
        };
        let left = random.random_range(0..size.width() - SIDE);
        let top = random.random_range(0..size.height() - SIDE);
        let cell = [LifelikeCell::Red, LifelikeCell::Blue][random.random_range(0..2)];
        let (mirrored, upside_down) = (random.random_bool(0.5), random.random_bool(0.5));
        for &(x, y) in cells {
            let x = if mirrored { SIDE - 1 - x } else { x };
            let y = if upside_down { SIDE - 1 - y } else { y };
            board.set(uvec2(left + x, top + y), cell);
        }
    }
    Ok(board)
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
pub fn neighbourhoods() -> Result<LifelikeBoard, BoardError> {
    const COLUMNS: u32 = 141;
    const ROWS: u32 = 140;
    let Ok(size) = Size::new(u64::from(3 * COLUMNS), u64::from(3 * ROWS)) else {
        unreachable!("the size is valid")
    };
    let mut board = LifelikeBoard::new(size)?;
    for block in 0..3u32.pow(9) {
        let (left, top) = (3 * (block % COLUMNS), 3 * (block / COLUMNS));
        for i in 0..9 {
            let cell = [LifelikeCell::Dead, LifelikeCell::Red, LifelikeCell::Blue]
                [(block / 3u32.pow(i) % 3) as usize];
            board.set(uvec2(left + i % 3, top + i / 3), cell);
        }
    }
    Ok(board)
}

/// A board of 765 x 6,861 cells that consists of blocks of 3x3 cells, side by side: column by column
/// one with each population from -127 to 127 in its middle, row by row one with each sum of all nine
/// from -1,143 to 1,143. Sums that the population cannot be part of are left as near as they get.
///
/// # Errors
/// [`BoardError::NoMemoryForRezolution`] if there is no memory for it.
pub fn sums() -> Result<RezolutionBoard, BoardError> {
    const MOST: i32 = 9 * 127;
    let Ok(size) = Size::new(3 * 255, 3 * (2 * MOST as u64 + 1)) else {
        unreachable!("the size is valid")
    };
    let mut board = RezolutionBoard::new(size)?;
    for (top, sum) in (0..).step_by(3).zip(-MOST..=MOST) {
        for (left, own) in (0..).step_by(3).zip(-127..=127) {
            board.set(uvec2(left + 1, top + 1), RezolutionCell::open(own as i8));
            // As evenly as it goes, so that no neighbour is out of range.
            let mut rest = sum - own;
            for (place, others) in [0, 1, 2, 3, 5, 6, 7, 8].into_iter().zip((1..=8).rev()) {
                let share = (rest / others).clamp(-127, 127);
                rest -= share;
                board.set(
                    uvec2(left + place % 3, top + place / 3),
                    RezolutionCell::open(share as i8),
                );
            }
        }
    }
    Ok(board)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_board_of_neighbourhoods_holds_each_of_them() {
        let board = neighbourhoods().unwrap();
        let mut found = vec![false; 3usize.pow(9)];
        for top in 0..board.size().height() - 2 {
            for left in 0..board.size().width() - 2 {
                let block = (0..9).rev().fold(0, |block, i| {
                    3 * block + board.cell(uvec2(left + i % 3, top + i / 3)) as usize
                });
                found[block] = true;
            }
        }
        assert!(found.iter().all(|&found| found));
    }

    #[test]
    fn the_board_of_sums_holds_each_sum_of_each_population() {
        let board = sums().unwrap();
        let mut found = vec![false; 255 * 2287];
        for top in (0..board.size().height()).step_by(3) {
            for left in (0..board.size().width()).step_by(3) {
                let at =
                    |i: u32| i32::from(board.cell(uvec2(left + i % 3, top + i / 3)).population);
                let sum: i32 = (0..9).map(at).sum();
                found[((at(4) + 127) * 2287 + sum + 1143) as usize] = true;
            }
        }
        for own in -127..=127i32 {
            for sum in -1143..=1143i32 {
                let possible = (sum - own).abs() <= 8 * 127;
                assert!(found[((own + 127) * 2287 + sum + 1143) as usize] || !possible);
            }
        }
    }
}
