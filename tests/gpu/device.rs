use duolife::board::rezolution::RezolutionCell;
use duolife::board::{Board, Edges, LifelikeBoard, LifelikeCell, RezolutionBoard, Size, start};
use duolife::engine::cpu::CpuEngine;
use duolife::engine::gpu::{GpuEngine, Kernels};
use duolife::engine::{Engine, EngineError, Family};
use duolife::rules::RezolutionRuleset;
use glam::uvec2;

use std::sync::Arc;

use crate::support::boards::{life, size};
use crate::support::engines::after;
use crate::support::{kernels, own_kernels};

/// Boards that need more than 65,535 workgroups one way or the other, with something near both ends.
#[test]
fn boards_past_65535_workgroups() {
    let Some(kernels) = kernels() else { return };
    for edges in [Edges::Torus, Edges::Dead] {
        for (width, height) in [(8, 600_000), (600_000, 8), (8, 70_000), (1, 5_000_000)] {
            let size = size(width, height);
            let mut board = LifelikeBoard::new(size).unwrap();
            if width > 1 {
                for (x, y) in [(2, 2), (size.width() - 5, size.height() - 4)] {
                    board.set_run(uvec2(x, y), 3, LifelikeCell::Red);
                }
            } else {
                for y in [0, 7, size.height() - 1] {
                    board.set(uvec2(0, y), LifelikeCell::Blue);
                }
            }
            let found = equals_the_cpu(&kernels, life(edges), &board);
            if width > 1 {
                assert_eq!(found.census().red, 6);
                assert_eq!(
                    found.cell(uvec2(3, 1)),
                    LifelikeCell::Red,
                    "the blinker has turned"
                );
            }
        }
        for (width, height) in [(8, 2_200_000), (2_200_000, 8), (1, 4_300_000)] {
            let mut board = RezolutionBoard::new(size(width, height)).unwrap();
            let (right, bottom) = (board.size().width() - 1, board.size().height() - 1);
            for (x, y) in [(0, 0), (right, bottom), (right / 2, bottom / 2)] {
                board.set(uvec2(x, y), RezolutionCell::open(3));
            }
            let found = equals_the_cpu(&kernels, RezolutionRuleset { edges }, &board);
            assert!(found.census().red > 0);
        }
    }
}

/// The board after one generation, in strips of one row.
fn equals_the_cpu<R: Family>(kernels: &Arc<Kernels>, ruleset: R, board: &R::Board) -> R::Board {
    let mut gpu = GpuEngine::new(kernels, ruleset).unwrap().with_strip_rows(1);
    let found = after(&mut gpu, board, 1);
    let expected = after(&mut CpuEngine::new(ruleset), board, 1);
    assert_eq!(found, expected, "{}, {ruleset}", board.size());
    assert_eq!(gpu.census().unwrap(), found.census());
    found
}

/// Boards with too few rows for bands.
#[test]
fn a_board_too_large_for_the_device_is_refused_before_anything_is_allocated() {
    let Some(kernels) = kernels() else { return };
    let plane = kernels.gpu().largest_plane();
    if plane > 1 << 28 {
        // A host board that large would take more memory than a test should.
        eprintln!("skipped: the device takes planes of {plane} bytes");
        return;
    }
    let long = size(plane / 40 * 32, 11);
    let small = start::random(size(50, 20), 0.4, 1).unwrap();
    let message = refused(&kernels, life(Edges::Torus), long, &small);
    assert!(message.contains(&plane.to_string()), "{message}");
    assert!(
        message.contains(&long.plane_bytes().to_string()),
        "{message}"
    );
    let ruleset = RezolutionRuleset { edges: Edges::Dead };
    let small = start::demo(&RezolutionBoard::new(size(50, 20)).unwrap(), 0.4, 1).unwrap();
    let message = refused(&kernels, ruleset, size(plane / 10, 11), &small);
    assert!(message.contains(&plane.to_string()), "{message}");
}

/// The message about a board that is too large; the engine is as good as before.
fn refused<R: Family>(kernels: &Arc<Kernels>, ruleset: R, large: Size, small: &R::Board) -> String {
    let mut engine = GpuEngine::new(kernels, ruleset).unwrap();
    let board = R::Board::empty(large).unwrap();
    let refused = engine.load(&board).unwrap_err();
    assert!(matches!(refused, EngineError::TooLarge { .. }), "{refused}");
    assert_eq!(after(&mut engine, small, 0), *small);
    refused.to_string()
}

/// A lost device is an error with a message of one line, never a panic or a stale board.
#[test]
fn a_lost_device_is_an_error() {
    let board = start::random(size(300, 200), 0.4, 1).unwrap();
    loses_its_device(life(Edges::Torus), &board);
    let board = start::demo(&RezolutionBoard::new(size(80, 60)).unwrap(), 0.4, 1).unwrap();
    loses_its_device(RezolutionRuleset { edges: Edges::Dead }, &board);
}

fn loses_its_device<R: Family>(ruleset: R, board: &R::Board) {
    let Some(kernels) = own_kernels() else { return };
    let mut engine = GpuEngine::new(&kernels, ruleset).unwrap();
    engine.load(board).unwrap();
    engine.step(10).unwrap();
    kernels.gpu().destroy();
    let is_device_error = |error: EngineError| matches!(error, EngineError::Device { ref message, .. } if !message.contains('\n'));
    assert!(is_device_error(engine.step(10).unwrap_err()));
    assert!(is_device_error(engine.census().unwrap_err()));
    assert!(is_device_error(engine.read().unwrap_err()));
    assert!(is_device_error(
        engine.step_with_census(3, &mut Vec::new()).unwrap_err()
    ));
    assert!(is_device_error(
        engine.step_with_stats(3, &mut Vec::new()).unwrap_err()
    ));
    assert!(is_device_error(
        engine.step_with_boards(3, &mut Vec::new()).unwrap_err()
    ));
    assert!(is_device_error(engine.load(board).unwrap_err()));
}
