/// Where battles end, on every engine and before judges that know only boards.
mod judges;

use std::sync::Arc;

use duolife::board::{Edges, RezolutionBoard, Size, start};
use duolife::engine::conformance::{
    Difference, Drawer, Fault, Faulty, Path, Runner, Subject, SuiteKind, TestFamily, check,
    expected,
};
use duolife::engine::cpu::CpuEngine;
use duolife::engine::gpu::GpuEngine;
use duolife::engine::{EngineError, Family};
use duolife::rules::{LifelikeRuleset, RezolutionRuleset};
use glam::uvec2;

use crate::support::boards::{BARRIER, life, size};
use crate::support::engines::{after, engines};
use crate::support::kernels;

/// The engines of this machine; `duolife conform` compares the same ones on many more boards.
fn subjects() -> Vec<Subject> {
    let mut subjects = vec![Subject::Cpu];
    if let Some(kernels) = kernels() {
        let gpu = || Ok(Arc::clone(kernels.gpu()));
        subjects.extend(Subject::all_gpu(gpu).unwrap());
    }
    subjects
}

/// Compares the engines with the reference on the first boards of suites.
fn conform<R: TestFamily + Family>(suites: &[(SuiteKind, u64)]) {
    let subjects = subjects();
    let runner = Runner {
        subjects: &subjects,
        seed: 3,
        fault: None,
        progress: &|| {},
    };
    for &(kind, count) in suites {
        let rows = runner.run::<R>(kind, count).unwrap();
        for row in rows {
            assert_eq!(row.difference, None);
            // Boards of two generations are too short for some kernels, but all are compared.
            assert!(
                row.boards > 0 || count < 8,
                "{kind}, {} {}",
                row.engine,
                row.kernels
            );
        }
    }
}

#[test]
fn lifelike_on_every_engine_and_kernel() {
    conform::<LifelikeRuleset>(&[
        (SuiteKind::Small, 24),
        (SuiteKind::Long, 2),
        (SuiteKind::Sparse, 1),
        (SuiteKind::Neighbourhoods, 4),
    ]);
}

#[test]
fn rezolution_on_every_engine_and_kernel() {
    conform::<RezolutionRuleset>(&[
        (SuiteKind::Rezolution, 24),
        (SuiteKind::LongPopulations, 2),
        (SuiteKind::Sums, 1),
    ]);
}

/// One bit of one cell, in a generation, column and row of its own on every board.
#[test]
fn planted_faults_are_caught_in_every_kernel() {
    catches_faults::<LifelikeRuleset>(SuiteKind::Small);
    catches_faults::<RezolutionRuleset>(SuiteKind::Rezolution);
}

fn catches_faults<R: TestFamily + Family>(kind: SuiteKind) {
    let subjects = subjects();
    let subjects: Vec<&Subject> = subjects
        .iter()
        .filter(|subject| subject.takes_family::<R>())
        .collect();
    let mut drawer = Drawer::new(4);
    let mut caught = vec![0; subjects.len()];
    for index in 0..16 {
        let case = drawer.draw::<R>(kind, index).unwrap();
        let boards = expected(&case).unwrap();
        let fault = Fault {
            // Boards are compared after this generation on every path.
            generation: case.generations.min(17),
            x: 3 + 7 * index as u32,
            y: 5 + 3 * index as u32,
        };
        for (subject, caught) in subjects.iter().zip(&mut caught) {
            if !subject.takes(&case) {
                continue;
            }
            let found = subject.compare(&case, kind, index, &boards, Some(fault));
            // Statistics end with a board that is settled, which may be before the fault.
            if let Some(found) = found.unwrap() {
                let name = format!("{} {}, {kind} {index}", subject.engine(), subject.kernels());
                assert!(found.generation >= fault.generation, "{name}: {found}");
                *caught += 1;
            }
        }
    }
    for (subject, caught) in subjects.iter().zip(caught) {
        assert!(
            caught >= 2,
            "{} {}: {caught}",
            subject.engine(),
            subject.kernels()
        );
    }
}

/// Where every board is compared, a fault is found in its generation and its cell.
#[test]
fn planted_faults_are_located() {
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
            let found = check(&mut faulty, &case, &boards, &[Path::Boards]);
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
