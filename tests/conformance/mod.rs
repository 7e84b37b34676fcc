/// Where battles end, on every engine and before judges that know only boards.
mod judges;

use duolife::board::{Edges, RezolutionBoard, Size, start};
use duolife::engine::conformance::{
    Case, Depth, Difference, Drawer, Fault, Faulty, SuiteKind, TestFamily, check, expected,
};
use duolife::engine::cpu::CpuEngine;
use duolife::engine::gpu::GpuEngine;
use duolife::engine::{EngineError, Family};
use duolife::rules::{LifelikeRuleset, RezolutionRuleset};
use glam::uvec2;

use crate::support::boards::{BARRIER, life, size};
use crate::support::engines::{AnyEngine, after, engines};
use crate::support::kernels;

/// Compares an engine with the reference on the first cases of suites, in every way that an engine
/// computes. `duolife conform` does the same on many more boards.
fn conform<R: TestFamily + Family>(
    seed: u64,
    suites: &[(SuiteKind, u64)],
    make: impl Fn(&Case<R>, SuiteKind, usize) -> AnyEngine<R>,
) {
    let mut drawer = Drawer::new(seed);
    for &(kind, cases) in suites {
        for index in 0..cases {
            let case = drawer.draw::<R>(kind, index).unwrap();
            let mut engine = make(&case, kind, index as usize);
            let boards = expected(&case).unwrap();
            let found = check(engine.as_mut(), &case, &boards, Depth::EveryPath).unwrap();
            assert_eq!(found, None, "{kind} {index}");
        }
    }
}

#[test]
fn lifelike_on_the_gpu() {
    let Some(kernels) = kernels() else { return };
    let suites = [
        (SuiteKind::Small, 40),
        (SuiteKind::Long, 4),
        (SuiteKind::Sparse, 2),
        (SuiteKind::Neighbourhoods, 8),
    ];
    conform::<LifelikeRuleset>(3, &suites, |case, kind, index| {
        let mut engine = GpuEngine::new(&kernels, case.ruleset)
            .unwrap()
            .with_strip_rows([1, 4, 7, 16][index % 4])
            .with_pass([8, 1, 4, 2][index / 2 % 4])
            .with_tile_threads([2, 1, 4, 8][index / 3 % 4])
            .within_workgroup(index % 5 == 4);
        if index % 2 == 1 {
            engine = engine.portable();
        }
        // Idle blocks are left out only where nothing has been poisoned.
        Box::new(match index % 3 {
            _ if kind == SuiteKind::Sparse => engine.by_blocks(),
            0 => engine.by_blocks(),
            1 => engine.by_blocks().poisoned(),
            _ => engine.poisoned(),
        })
    });
}

#[test]
fn rezolution_on_the_gpu() {
    let Some(kernels) = kernels() else { return };
    let suites = [
        (SuiteKind::Rezolution, 40),
        (SuiteKind::LongPopulations, 4),
        (SuiteKind::Sums, 1),
    ];
    conform::<RezolutionRuleset>(5, &suites, |case, _, index| {
        let engine = GpuEngine::new(&kernels, case.ruleset).unwrap();
        let engine = engine.with_strip_rows([1, 4, 7, 16][index % 4]);
        Box::new(engine.poisoned())
    });
}

/// One bit of one cell, in a generation, column and row of its own on every board.
#[test]
fn planted_faults_are_caught_and_located() {
    locates_faults::<LifelikeRuleset>(SuiteKind::Small);
    locates_faults::<RezolutionRuleset>(SuiteKind::Rezolution);
}

fn locates_faults<R: TestFamily + Family>(kind: SuiteKind) {
    let mut drawer = Drawer::new(4);
    for index in 0..8 {
        let case = drawer.draw::<R>(kind, index).unwrap();
        let boards = expected(&case).unwrap();
        let fault = Fault {
            generation: 9 + index,
            x: 3 + 7 * index as u32,
            y: 5 + 3 * index as u32,
        };
        for (name, mut engine) in engines(case.ruleset) {
            let mut faulty = Faulty::new(engine.as_mut(), fault);
            let found = check(&mut faulty, &case, &boards, Depth::EveryPath);
            let found = found.unwrap().unwrap();
            assert_eq!(found.generation, fault.generation, "{name}, {kind} {index}");
            let (width, height) = (found.size.width(), found.size.height());
            let Difference::Cell { x, y, .. } = found.difference else {
                panic!("{name}: {found}");
            };
            let planted = (fault.x % width, fault.y % height);
            assert_eq!((x, y), planted, "{name}: {found}");
        }
    }
}

/// Every size from 1x1 to 40x40, where a missing guard or a wrong seam shows.
#[test]
fn every_small_size_of_lifelike_equals_the_reference() {
    for edges in [Edges::Torus, Edges::Dead] {
        let sizes = (1..=40).flat_map(|width| (1..=40).map(move |height| size(width, height)));
        equal_the_reference(life(edges), sizes, |size| {
            let seed = u64::from(size.width()) * 64 + u64::from(size.height());
            start::random(size, 0.4, seed).unwrap()
        });
    }
}

/// Every size from 1x1 to 18x18, and all that a seam of four cells can be next to.
#[test]
fn every_small_size_of_rezolution_equals_the_reference() {
    for edges in [Edges::Torus, Edges::Dead] {
        let sizes = (1..=18).flat_map(|width| (1..=18).map(move |height| size(width, height)));
        let sizes = sizes.chain((30..=70).map(|width| size(width, 3)));
        equal_the_reference(RezolutionRuleset { edges }, sizes, |size| {
            let seed = u64::from(size.width()) * 64 + u64::from(size.height());
            let mut board = start::demo(&RezolutionBoard::new(size).unwrap(), 0.6, seed).unwrap();
            if size.width() * size.height() > 2 {
                board.set(uvec2(size.width() / 2, size.height() / 2), BARRIER);
            }
            board
        });
    }
}

/// Compares all engines after three generations of one board of every size.
fn equal_the_reference<R: Family>(
    ruleset: R,
    sizes: impl Iterator<Item = Size>,
    draw: impl Fn(Size) -> R::Board,
) {
    let mut engines = engines(ruleset);
    for size in sizes {
        let board = draw(size);
        let mut results = engines
            .iter_mut()
            .map(|(name, engine)| (*name, after(engine.as_mut(), &board, 3)));
        let (_, expected) = results.next().unwrap();
        for (name, found) in results {
            assert_eq!(found, expected, "{name}, {size}, {ruleset}");
        }
    }
}

#[test]
fn without_a_board_every_request_is_an_error() {
    needs_a_board(life(Edges::Torus));
    needs_a_board(RezolutionRuleset { edges: Edges::Dead });
}

fn needs_a_board<R: Family>(ruleset: R) {
    for (name, mut engine) in engines(ruleset) {
        for refused in [
            engine.step(1),
            engine.census().map(drop),
            engine.read().map(drop),
            engine.step_with_boards(2, &mut Vec::new()),
            engine.step_with_census(2, &mut Vec::new()),
            engine.step_with_stats(2, &mut Vec::new()),
        ] {
            assert!(matches!(refused, Err(EngineError::NothingLoaded)), "{name}");
        }
    }
}

/// Twenty runs of up to one thousand generations, odd and even lengths: always the same board.
#[test]
fn runs_repeat_exactly() {
    let Some(kernels) = kernels() else { return };
    let board = start::random(size(53, 37), 0.35, 8).unwrap();
    for generations in [1, 2, 3, 1000] {
        let mut cpu = CpuEngine::new(life(Edges::Torus));
        let expected = after(&mut cpu, &board, generations);
        let mut gpu = GpuEngine::new(&kernels, life(Edges::Torus)).unwrap();
        for _ in 0..20 {
            let found = after(&mut gpu, &board, generations);
            assert_eq!(found, expected, "{generations}");
        }
    }
}
