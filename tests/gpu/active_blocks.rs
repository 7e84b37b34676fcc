use duolife::board::{Edges, LifelikeBoard, LifelikeCell, start};
use duolife::engine::Engine;
use duolife::engine::cpu::CpuEngine;
use duolife::engine::gpu::GpuEngine;
use duolife::rules::LifelikeRuleset;
use duolife::rules::notation::parse;
use glam::uvec2;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg32;

use crate::support::boards::{life, put_block, put_glider, size};
use crate::support::engines::gpu;
use crate::support::kernels;

/// Passes compute only active blocks once statistics show how few there are, also after single
/// generations of any kind, and all blocks again when many are active.
#[test]
fn idle_blocks_are_left_out_until_something_comes_near() {
    let Some(kernels) = kernels() else { return };
    let idle = mostly_idle(1500, 1100, 6);
    let soup = start::random(idle.size(), 0.4, 5).unwrap();
    for (edges, portable) in [
        (Edges::Torus, true),
        (Edges::Dead, true),
        (Edges::Torus, false),
    ] {
        let mut cpu = CpuEngine::new(life(edges)).with_pass(1);
        let way = (8, (!portable).then_some(4));
        let mut gpu = gpu(&kernels, life(edges), way);
        for engine in [&mut gpu as &mut dyn Engine, &mut cpu] {
            engine.load(&idle).unwrap();
        }
        assert_eq!(gpu.active_share(), None);
        let plain_stride = gpu.batching().worthwhile;
        let mut stats = [Vec::new(), Vec::new()];
        for part in [65, 64, 17, 1, 9, 2, 33] {
            gpu.step(part).unwrap();
            cpu.step(part).unwrap();
            assert!(gpu.read().unwrap() == cpu.read().unwrap(), "{part} {edges}");
            // As often as is remembered, and once more often.
            let counted = part % 4;
            gpu.step_with_stats(counted, &mut stats[0]).unwrap();
            cpu.step_with_stats(counted, &mut stats[1]).unwrap();
            assert_eq!(stats[0], stats[1]);
        }
        let share = gpu.active_share().unwrap();
        assert!(share > 0.0 && share < 0.5, "{share}");
        assert!(gpu.batching().worthwhile > plain_stride);
        // A film leaves another board in the planes.
        let mut films = [Vec::new(), Vec::new()];
        gpu.step_with_boards(3, &mut films[0]).unwrap();
        cpu.step_with_boards(3, &mut films[1]).unwrap();
        assert!(films[0] == films[1]);
        for board in [&soup, &idle] {
            for engine in [&mut gpu as &mut dyn Engine, &mut cpu] {
                engine.load(board).unwrap();
                engine.step(100).unwrap();
            }
            assert!(gpu.read().unwrap() == cpu.read().unwrap(), "{edges}");
            assert_eq!(gpu.active_share().unwrap() > 0.5, *board == soup);
        }
    }
}

/// Where nothing changes, no block is computed.
#[test]
fn no_block_of_an_idle_board_is_computed() {
    let Some(kernels) = kernels() else { return };
    let board = mostly_idle(700, 300, 0);
    for portable in [false, true] {
        let mut gpu = GpuEngine::new(&kernels, life(Edges::Torus))
            .unwrap()
            .with_pass(4);
        if portable {
            gpu = gpu.portable();
        }
        gpu.load(&board).unwrap();
        gpu.step(400).unwrap();
        assert_eq!(gpu.active_share(), Some(0.0));
        assert!(gpu.read().unwrap() == board);
    }
}

/// Blocks of one row, of which there are more than one dimension of a dispatch holds, all of them
/// active at first and few later.
#[test]
fn lists_of_blocks_past_65535_workgroups() {
    let Some(kernels) = kernels() else { return };
    let size = size(8, 4_300_000);
    let mut board = LifelikeBoard::new(size).unwrap();
    for y in [4, 12, 2_150_000, size.height() - 1] {
        board.set_run(uvec2(2, y), 3, LifelikeCell::Blue);
    }
    let mut gpu = GpuEngine::new(&kernels, life(Edges::Torus)).unwrap();
    gpu = gpu.portable().by_blocks().with_pass(2).with_strip_rows(1);
    let mut cpu = CpuEngine::new(life(Edges::Torus));
    for engine in [&mut gpu as &mut dyn Engine, &mut cpu] {
        engine.load(&board).unwrap();
        // The last of them is a single step.
        engine.step(9).unwrap();
    }
    let found = gpu.read().unwrap();
    assert!(found == cpu.read().unwrap());
    assert_eq!(
        found.cell(uvec2(3, 3)),
        LifelikeCell::Blue,
        "a blinker has turned"
    );
}

/// Where nothing dies and one live neighbour is enough, life spreads by one cell per generation. Blocks
/// become active from as far away as it comes in a pass, with single generations before it.
#[test]
fn the_fastest_growth_activates_every_block_that_it_reaches() {
    let Some(kernels) = kernels() else { return };
    let spreading = parse("B1/S012345678").unwrap();
    let size = size(700, 100);
    for offset in 0..12 {
        let mut board = LifelikeBoard::new(size).unwrap();
        // Before and behind borders of blocks of either kind of tile, and before the seam, behind
        // which nothing else comes.
        for (x, cell) in [
            (360, LifelikeCell::Red),
            (590, LifelikeCell::Blue),
            (670, LifelikeCell::Red),
        ] {
            board.set(uvec2(x + offset, 40 + offset), cell);
        }
        let edges = [Edges::Torus, Edges::Dead][offset as usize % 2];
        let ruleset = LifelikeRuleset {
            rule: spreading,
            ..life(edges)
        };
        for (pass, portable) in [(8, true), (8, false), (4, true), (2, false)] {
            let way = (pass, (!portable).then_some(2));
            let mut gpu = gpu(&kernels, ruleset, way).by_blocks().with_strip_rows(16);
            let mut cpu = CpuEngine::new(ruleset).with_pass(1);
            for engine in [&mut gpu as &mut dyn Engine, &mut cpu] {
                engine.load(&board).unwrap();
            }
            // A step ends with one single generation or with two.
            for part in [9, 10, 10, 9, 9, 10] {
                gpu.step(part).unwrap();
                cpu.step(part).unwrap();
                let (found, expected) = (gpu.read().unwrap(), cpu.read().unwrap());
                assert!(found == expected, "{offset} {pass} {portable}");
            }
        }
    }
}

/// A board of `width` x `height` cells with blocks and blinkers, and gliders of both colours that fly
/// into them.
fn mostly_idle(width: u64, height: u64, gliders: u32) -> LifelikeBoard {
    let mut board = LifelikeBoard::new(size(width, height)).unwrap();
    let mut random = Pcg32::seed_from_u64(width ^ height);
    let spots = (0..height as u32 / 16).flat_map(|y| (0..width as u32 / 16).map(move |x| (x, y)));
    for (x, y) in spots {
        let (x, y) = (16 * x + 4, 16 * y + 4);
        let cell = [LifelikeCell::Red, LifelikeCell::Blue][random.random_range(0..2)];
        match random.random_range(0..8) {
            0 => put_block(&mut board, x, y, cell),
            1 => board.set_run(uvec2(x, y), 3, cell),
            _ => {}
        }
    }
    for _ in 0..gliders {
        let x = random.random_range(0..width as u32 - 3);
        let y = random.random_range(0..height as u32 - 3);
        let cell = [LifelikeCell::Red, LifelikeCell::Blue][random.random_range(0..2)];
        put_glider(&mut board, x, y, cell);
    }
    board
}
