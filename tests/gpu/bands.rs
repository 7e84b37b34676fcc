use duolife::board::rezolution::{Ground, RezolutionCell};
use duolife::board::{Edges, LifelikeBoard, LifelikeCell, RezolutionBoard, Size, start};
use duolife::engine::conformance::{Case, Path, check, expected};
use duolife::engine::cpu::CpuEngine;
use duolife::engine::gpu::{AdapterSelector, GpuEngine, select_adapter};
use duolife::engine::{Engine, EngineError};
use duolife::render::camera::{View, Zoom};
use duolife::render::palette::Palette;
use duolife::render::renderer::{Renderer, Style};
use duolife::rules::notation::parse;
use duolife::rules::{LifelikeRuleset, RezolutionRuleset, Ties};
use glam::{ivec2, uvec2};

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg32;

use crate::renderer::assert_shown;
use crate::support::boards::{life, put_block, put_glider, size};
use crate::support::kernels;

/// Boards one row more and less than whole bands high, in bands of every kind, in every way that an
/// engine computes. Ties by seed and place are those of the whole board.
#[test]
fn boards_in_bands_conform() {
    let Some(kernels) = kernels() else { return };
    // Few rules: their kernels take longer to be made than the boards to be computed.
    let rulesets = [("B3/S23", Ties::Red), ("B2468/S0", Ties::Seeded(3))];
    let mut number = 0;
    for edges in [Edges::Torus, Edges::Dead] {
        for width in [61, 64, 300] {
            for (height, band_rows) in [(16, 8), (33, 16), (70, 24), (95, 8)] {
                number += 1;
                let pass = [8, 4, 2, 1][number / 3 % 4];
                let (rule, mut ties) = rulesets[number / 2 % 2];
                if pass == 1 {
                    ties = Ties::Checkerboard;
                }
                let rule = parse(rule).unwrap();
                let ruleset = LifelikeRuleset { rule, edges, ties };
                let size = size(width, height);
                let case = Case {
                    board: start::random(size, 0.4, number as u64).unwrap(),
                    ruleset,
                    generations: 45,
                };
                let boards = expected(&case).unwrap();
                let engine = GpuEngine::new(&kernels, ruleset).unwrap();
                let mut engine = engine
                    .with_band_rows(band_rows)
                    .with_strip_rows([5, 16, 1, 64][number / 2 % 4])
                    .with_piece([7, 1, 1000][number % 3])
                    .with_pass(pass)
                    .with_tile_threads([8, 1, 4][number % 3]);
                if number % 2 == 1 {
                    engine = engine.portable();
                }
                engine = match number % 5 {
                    0 | 3 => engine.by_blocks(),
                    1 => engine,
                    _ => engine.poisoned(),
                };
                let found = check(&mut engine, &case, &boards, &Path::ALL).unwrap();
                assert_eq!(found, None, "{size}, bands of {band_rows}, {number}");
            }
        }
    }
}

#[test]
fn boards_of_rezolution_in_bands_conform() {
    let Some(kernels) = kernels() else { return };
    let mut random = Pcg32::seed_from_u64(21);
    let mut number = 0;
    for edges in [Edges::Torus, Edges::Dead] {
        for width in [3, 33, 64, 77, 160] {
            for (height, band_rows) in [(17, 8), (33, 16), (50, 9)] {
                number += 1;
                let mut board = RezolutionBoard::new(size(width, height)).unwrap();
                for y in 0..board.size().height() {
                    for x in 0..board.size().width() {
                        let ground = match random.random_range(0..400) {
                            // A reached target would end a run.
                            0 if number % 3 == 0 => Ground::Target,
                            1..20 => Ground::Barrier,
                            _ => Ground::Open,
                        };
                        let population = match ground {
                            Ground::Open => random.random_range(-3..=3),
                            _ => 0,
                        };
                        board.set(uvec2(x, y), RezolutionCell { population, ground });
                    }
                }
                let case = Case {
                    board,
                    ruleset: RezolutionRuleset { edges },
                    generations: 30,
                };
                let boards = expected(&case).unwrap();
                let engine = GpuEngine::new(&kernels, case.ruleset).unwrap();
                let mut engine = engine
                    .with_band_rows(band_rows)
                    .with_strip_rows([5, 16, 1][number % 3])
                    .with_tile_threads([8, 1, 4][number % 3])
                    .with_pass([4, 1, 4, 2][number / 2 % 4]);
                if number % 2 == 0 {
                    engine = engine.poisoned();
                }
                if number % 3 == 0 {
                    engine = engine.portable();
                }
                let found = check(&mut engine, &case, &boards, &Path::ALL).unwrap();
                assert_eq!(found, None, "{width}x{height}, bands of {band_rows}");
            }
        }
    }
}

/// Idle blocks are left out in every band, and active when something comes from another band.
#[test]
fn idle_blocks_of_a_band_become_active_from_another() {
    let Some(kernels) = kernels() else { return };
    for (number, edges) in [Edges::Torus, Edges::Dead].into_iter().enumerate() {
        let mut board = LifelikeBoard::new(size(300, 640)).unwrap();
        // A glider flies down from band to band, into blocks of cells on its way.
        put_glider(&mut board, 10, 100, LifelikeCell::Blue);
        for (x, y) in [(60, 30), (110, 200), (200, 288), (201, 300), (30, 600)] {
            put_block(&mut board, x, y, LifelikeCell::Red);
        }
        let ruleset = life(edges);
        let mut cpu = CpuEngine::new(ruleset).with_pass(1);
        let mut gpu = GpuEngine::new(&kernels, ruleset).unwrap();
        gpu = gpu.with_band_rows(160).with_strip_rows(16).with_pass(8);
        if number == 0 {
            gpu = gpu.portable();
        }
        cpu.load(&board).unwrap();
        gpu.load(&board).unwrap();
        let mut least: f64 = 1.0;
        for part in 0..40 {
            cpu.step(25).unwrap();
            gpu.step(25).unwrap();
            assert!(
                gpu.read().unwrap() == cpu.read().unwrap(),
                "{edges}, {part}"
            );
            least = least.min(gpu.active_share().unwrap_or(1.0));
        }
        // Blocks around the halos are always active.
        assert!(least < 0.5, "{least} of all blocks are computed");
    }
}

/// A plane that no binding of a device with the least limits holds, and one that no device can cut.
#[test]
fn boards_past_one_binding_run_in_bands_or_are_refused() {
    let Some(kernels) = kernels() else { return };
    let row_bytes = (1 << 22) / 8;
    let height = (128 << 20) / row_bytes + 4;
    let size = Size::new(1 << 22, height).unwrap();
    let rule = parse("B36/S23").unwrap();
    let ruleset = LifelikeRuleset {
        rule,
        edges: Edges::Torus,
        ties: Ties::Seeded(5),
    };
    let board = start::random(size, 0.3, 8).unwrap();
    let mut cpu = CpuEngine::new(ruleset);
    let mut gpu = GpuEngine::new(&kernels, ruleset).unwrap();
    cpu.load(&board).unwrap();
    gpu.load(&board).unwrap();
    drop(board);
    assert_eq!(gpu.census().unwrap(), cpu.census().unwrap());
    let mut stats = [Vec::new(), Vec::new()];
    cpu.step_with_stats(1, &mut stats[0]).unwrap();
    gpu.step_with_stats(1, &mut stats[1]).unwrap();
    assert_eq!(stats[0], stats[1]);
    cpu.step(9).unwrap();
    gpu.step(9).unwrap();
    let board = cpu.read().unwrap();
    drop(cpu);
    assert!(gpu.read().unwrap() == board);

    // The engine's own bands and a copy of the board are drawn around a border between them.
    let mut renderer = Renderer::new(kernels.gpu()).unwrap();
    let style = Style {
        palette: Palette::DEFAULT,
        edges: Edges::Torus,
        lines: None,
        any_live: false,
    };
    let own = gpu.device_board().unwrap();
    let border = own.bands[0].own.end as i32;
    let view = |zoom: Zoom, row: i32| View {
        width: 70,
        height: 20,
        origin: ivec2(0, 10 - row),
        zoom,
    };
    for view in [
        view(Zoom::Magnified(1), border),
        view(Zoom::Magnified(1), 0),
        view(Zoom::Minified(11), border / 11),
    ] {
        assert_shown(&mut renderer, &own, &board, &view, &style);
        let copy = renderer.upload(&board).unwrap();
        assert_shown(&mut renderer, &copy, &board, &view, &style);
    }
    drop(gpu);

    // Rows so long that bands have no room for their halos.
    let limit = select_adapter(&AdapterSelector::default())
        .unwrap()
        .adapter
        .limits();
    let limit = limit
        .max_storage_buffer_binding_size
        .min(limit.max_buffer_size);
    let longest = (1u64 << 32) - 1;
    let height = limit / longest.div_ceil(32) / 4 + 1;
    let size = Size::new(longest, height).unwrap();
    if height >= 16 {
        return;
    }
    // No memory is touched for a board of dead cells.
    let board = LifelikeBoard::new(size).unwrap();
    let error = GpuEngine::new(&kernels, ruleset).unwrap().load(&board);
    let error = error.unwrap_err();
    assert!(matches!(error, EngineError::TooLarge { .. }), "{error}");
    let message = error.to_string();
    assert!(message.contains(&limit.to_string()), "{message}");
}
