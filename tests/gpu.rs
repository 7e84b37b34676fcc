use std::sync::Arc;

use duolife::board::{Board, Cell, Edges, Size, start};
use duolife::engine::conformance::{
    Depth, Difference, Drawer, Fault, Faulty, SuiteKind, check, expected,
};
use duolife::engine::cpu::CpuEngine;
use duolife::engine::gpu::{Choice, GpuEngine, Kernels, choose};
use duolife::engine::{Engine, EngineError};
use duolife::rules::{Rule, Ruleset, Ties};

use crate::kernels;

fn life(edges: Edges) -> Ruleset {
    Ruleset {
        rule: Rule::LIFE,
        edges,
        ties: Ties::Red,
    }
}

#[test]
fn random_boards_conform() {
    let Some(kernels) = kernels() else { return };
    let mut drawer = Drawer::new(3);
    for (kind, cases) in [
        (SuiteKind::Small, 60),
        (SuiteKind::Long, 6),
        (SuiteKind::Neighbourhoods, 12),
    ] {
        for index in 0..cases {
            let case = drawer.draw::<Ruleset>(kind, index).unwrap();
            let engine = GpuEngine::new(&kernels, case.ruleset).unwrap();
            let rows = [1, 4, 7, 16][index as usize % 4];
            let mut engine = engine.with_strip_rows(rows).poisoned();
            if index % 2 == 1 {
                engine = engine.portable();
            }
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
fn a_planted_bit_is_caught_and_located() {
    let Some(kernels) = kernels() else { return };
    let case = Drawer::new(4).draw::<Ruleset>(SuiteKind::Small, 0).unwrap();
    let expected = expected(&case).unwrap();
    let mut engine = GpuEngine::new(&kernels, case.ruleset).unwrap();
    let fault = Fault {
        generation: 9,
        x: 3,
        y: 5,
    };
    let found = check(
        &mut Faulty::new(&mut engine, fault),
        &case,
        &expected,
        Depth::EveryPath,
    )
    .unwrap()
    .unwrap();
    assert_eq!(found.generation, 9);
    let (width, height) = (found.size.width(), found.size.height());
    assert!(
        matches!(found.difference, Difference::Cell { x, y, .. } if (x, y) == (3 % width, 5 % height)),
        "{found}"
    );
}

/// Every size from 1x1 to 40x40, where a missing guard or a wrong seam shows.
#[test]
fn every_small_size_equals_the_cpu() {
    let Some(kernels) = kernels() else { return };
    for edges in [Edges::Torus, Edges::Dead] {
        let mut gpu = GpuEngine::new(&kernels, life(edges)).unwrap();
        let mut cpu = CpuEngine::new(life(edges));
        for (width, height) in (1..=40).flat_map(|w| (1..=40).map(move |h| (w, h))) {
            let size = Size::new(width, height).unwrap();
            let board = start::random(size, 0.4, width * 64 + height).unwrap();
            for engine in [&mut gpu as &mut dyn Engine, &mut cpu] {
                engine.load(&board).unwrap();
                engine.step(3).unwrap();
            }
            assert_eq!(gpu.read().unwrap(), cpu.read().unwrap(), "{size} {edges}");
        }
    }
}

/// Blinkers near both ends of boards that need more than 65,535 workgroups one way or the other.
#[test]
fn boards_past_65535_workgroups() {
    let Some(kernels) = kernels() else { return };
    for (width, height) in [(8, 600_000), (600_000, 8), (8, 70_000), (1, 5_000_000)] {
        for edges in [Edges::Torus, Edges::Dead] {
            let size = Size::new(width, height).unwrap();
            let mut board = Board::new(size).unwrap();
            if width > 1 {
                for (x, y) in [(2, 2), (size.width() - 5, size.height() - 4)] {
                    board.set_run(x, y, 3, Cell::Red);
                }
            } else {
                for y in [0, 7, size.height() - 1] {
                    board.set(0, y, Cell::Blue);
                }
            }
            let mut gpu = GpuEngine::new(&kernels, life(edges))
                .unwrap()
                .with_strip_rows(1);
            let mut cpu = CpuEngine::new(life(edges));
            for engine in [&mut gpu as &mut dyn Engine, &mut cpu] {
                engine.load(&board).unwrap();
                engine.step(1).unwrap();
            }
            let found = gpu.read().unwrap();
            assert_eq!(found, cpu.read().unwrap(), "{size} {edges}");
            assert_eq!(gpu.census().unwrap(), found.census());
            if width > 1 {
                assert_eq!(found.census().red, 6);
                assert_eq!(found.get(3, 1), Cell::Red, "the blinker has turned");
            }
        }
    }
}

#[test]
fn a_board_too_large_for_the_device_is_refused_before_anything_is_allocated() {
    let Some(kernels) = kernels() else { return };
    let plane = kernels.gpu().largest_plane();
    if plane > 1 << 28 {
        // A host board that large would take more memory than a test should.
        eprintln!("skipped: the device takes planes of {plane} bytes");
        return;
    }
    let size = Size::new(32, plane / 4 + 1).unwrap();
    let mut engine = GpuEngine::new(&kernels, life(Edges::Torus)).unwrap();
    let refused = engine.load(&Board::new(size).unwrap()).unwrap_err();
    assert!(matches!(refused, EngineError::TooLarge { .. }), "{refused}");
    let message = refused.to_string();
    assert!(message.contains(&plane.to_string()), "{message}");
    assert!(
        message.contains(&size.plane_bytes().to_string()),
        "{message}"
    );
    // The engine is as good as before.
    let small = start::random(Size::new(50, 20).unwrap(), 0.4, 1).unwrap();
    engine.load(&small).unwrap();
    assert_eq!(engine.read().unwrap(), small);
}

#[test]
fn verbs_before_load_are_errors() {
    let Some(kernels) = kernels() else { return };
    let mut gpu = GpuEngine::new(&kernels, life(Edges::Torus)).unwrap();
    let mut cpu = CpuEngine::new(life(Edges::Torus));
    for engine in [&mut gpu as &mut dyn Engine, &mut cpu] {
        assert!(matches!(engine.step(1), Err(EngineError::NothingLoaded)));
        assert!(matches!(engine.census(), Err(EngineError::NothingLoaded)));
        assert!(matches!(engine.read(), Err(EngineError::NothingLoaded)));
        assert!(engine.step_filmed(2, &mut Vec::new()).is_err());
        assert!(engine.step_counted(2, &mut Vec::new()).is_err());
        assert!(engine.step_watched(2, &mut Vec::new()).is_err());
    }
}

/// Twenty runs of one thousand generations, odd and even lengths: always the same board.
#[test]
fn runs_repeat_exactly() {
    let Some(kernels) = kernels() else { return };
    let board = start::random(Size::new(53, 37).unwrap(), 0.35, 8).unwrap();
    for generations in [1, 2, 3, 1000] {
        let mut cpu = CpuEngine::new(life(Edges::Torus));
        cpu.load(&board).unwrap();
        cpu.step(generations).unwrap();
        let expected = cpu.read().unwrap();
        let mut gpu = GpuEngine::new(&kernels, life(Edges::Torus)).unwrap();
        for _ in 0..20 {
            gpu.load(&board).unwrap();
            gpu.step(generations).unwrap();
            assert_eq!(gpu.read().unwrap(), expected, "{generations}");
        }
    }
}

/// A device that is lost is an error with a message, never a panic or a stale board.
#[test]
fn a_lost_device_is_an_error() {
    if kernels().is_none() {
        return;
    }
    let found = choose(&Choice::default()).unwrap();
    // A device of its own, to be lost.
    let kernels = Arc::new(Kernels::new(&found.open().unwrap()).unwrap());
    let board = start::random(Size::new(300, 200).unwrap(), 0.4, 1).unwrap();
    let mut engine = GpuEngine::new(&kernels, life(Edges::Torus)).unwrap();
    engine.load(&board).unwrap();
    engine.step(10).unwrap();
    kernels.gpu().destroy();
    let is_device_error = |error: EngineError| matches!(error, EngineError::Device { ref message, .. } if !message.contains('\n'));
    assert!(is_device_error(engine.step(10).unwrap_err()));
    assert!(is_device_error(engine.census().unwrap_err()));
    assert!(is_device_error(engine.read().unwrap_err()));
    assert!(is_device_error(
        engine.step_counted(3, &mut Vec::new()).unwrap_err()
    ));
    assert!(is_device_error(
        engine.step_watched(3, &mut Vec::new()).unwrap_err()
    ));
    assert!(is_device_error(
        engine.step_filmed(3, &mut Vec::new()).unwrap_err()
    ));
    assert!(is_device_error(engine.load(&board).unwrap_err()));
}
