/// What stands still is left out by passes on the GPU, and wakes again.
mod active_blocks;
/// Boards that are cut into bands of rows on the GPU.
mod bands;
/// Passes of several generations of reZolution on the GPU.
mod rezolution;
/// Passes on the GPU that look at every generation.
mod stats;

use std::sync::Arc;
use std::time::Duration;

use duolife::board::{Board, Edges, LifelikeBoard, LifelikeCell, RezolutionBoard, Size, start};
use duolife::engine::conformance::{
    Case, Depth, Difference, Drawer, Fault, Faulty, SuiteKind, TestFamily, check, expected,
};
use duolife::engine::cpu::CpuEngine;
use duolife::engine::gpu::{AdapterSelector, GpuEngine, Kernels, select_adapter};
use duolife::engine::{Engine, EngineError, Family, GenerationStats};
use duolife::rules::notation::parse;
use duolife::rules::{LifelikeRuleset, RezolutionRuleset, Rule, Ties};

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg32;

use crate::kernels;

fn life(edges: Edges) -> LifelikeRuleset {
    LifelikeRuleset {
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
        (SuiteKind::Small, 40),
        (SuiteKind::Long, 4),
        (SuiteKind::Sparse, 2),
        (SuiteKind::Neighbourhoods, 8),
    ] {
        for index in 0..cases {
            let case = drawer.draw::<LifelikeRuleset>(kind, index).unwrap();
            let engine = GpuEngine::new(&kernels, case.ruleset).unwrap();
            let rows = [1, 4, 7, 16][index as usize % 4];
            let pass = [8, 1, 4, 2][index as usize / 2 % 4];
            let mut engine = engine.with_strip_rows(rows).with_pass(pass);
            engine = engine
                .with_tile_threads([2, 1, 4, 8][index as usize / 3 % 4])
                .within_workgroup(index % 5 == 4);
            if index % 2 == 1 {
                engine = engine.portable();
            }
            // What stands still is left out only where nothing has been poisoned.
            engine = match index % 3 {
                _ if kind == SuiteKind::Sparse => engine.by_blocks(),
                0 => engine.by_blocks(),
                1 => engine.by_blocks().poisoned(),
                _ => engine.poisoned(),
            };
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

/// What is seen of generation `now` by an engine that was given generation `loaded`.
pub(crate) fn sighting<B: Board>(
    boards: &[B],
    loaded: usize,
    now: usize,
) -> GenerationStats<B::Census> {
    let is_board_of =
        |period: &usize| now - loaded >= *period && boards[now - period] == boards[now];
    GenerationStats {
        census: boards[now].census(),
        period: [1, 2]
            .iter()
            .find(|period| is_board_of(period))
            .map(|&period| period as u8),
    }
}

/// Runs in the background, with hardly any time, and asks for everything else in between.
fn run_in_the_background<R: TestFamily + Family>(kind: SuiteKind, cases: u64) {
    let Some(kernels) = kernels() else { return };
    let mut drawer = Drawer::new(7);
    let mut random = Pcg32::seed_from_u64(7);
    for index in 0..cases {
        let mut case = drawer.draw::<R>(kind, index).unwrap();
        case.generations = case.generations.min(80);
        let boards = expected(&case).unwrap();
        let last = boards.len() - 1;
        let piece = [1, 64, 200, 100_000][index as usize % 4];
        let mut engine = GpuEngine::new(&kernels, case.ruleset).unwrap();
        engine = engine.with_strip_rows(3).with_piece(piece);
        engine.load(&case.board).unwrap();
        let (mut now, mut loaded) = (0, 0);
        while now < last {
            let mut seen = Vec::new();
            let most = random.random_range(0..=(last - now).min(5));
            match random.random_range(0..12) {
                0 => assert!(
                    engine.read().unwrap() == boards[now],
                    "{kind} {index}, {now}"
                ),
                1 => assert_eq!(engine.census().unwrap(), boards[now].census()),
                2 => {
                    engine.step(most as u64).unwrap();
                    now += most;
                }
                3 => engine.step_with_stats(most as u64, &mut seen).unwrap(),
                4 => {
                    let mut counts = Vec::new();
                    engine.step_counted(most as u64, &mut counts).unwrap();
                    let expected = boards[now + 1..][..most].iter().map(Board::census);
                    assert!(counts.into_iter().eq(expected));
                    now += most;
                }
                5 => {
                    now = random.random_range(0..=now);
                    loaded = now;
                    engine.load(&boards[now]).unwrap();
                }
                _ => {
                    let budget =
                        Duration::from_micros([0, 20, 500, 5000][random.random_range(0..4)]);
                    engine.advance(most as u64, budget, &mut seen).unwrap();
                }
            }
            for (i, &found) in seen.iter().enumerate() {
                now += 1;
                assert_eq!(
                    found,
                    sighting(&boards, loaded, now),
                    "{kind} {index}, {now}"
                );
                assert!(!found.is_settled() || i + 1 == seen.len(), "it ends there");
            }
        }
        assert!(engine.read().unwrap() == boards[last], "{kind} {index}");
    }
}

#[test]
fn generations_in_the_background_are_the_same_whatever_is_asked_in_between() {
    run_in_the_background::<LifelikeRuleset>(SuiteKind::Small, 8);
    run_in_the_background::<LifelikeRuleset>(SuiteKind::Long, 2);
    run_in_the_background::<RezolutionRuleset>(SuiteKind::Rezolution, 12);
    run_in_the_background::<RezolutionRuleset>(SuiteKind::LongPopulations, 2);
}

/// The words of buffers of a device, as whoever draws them would find them.
fn words(kernels: &Kernels, planes: &[wgpu::Buffer]) -> Vec<Vec<u32>> {
    let handles = kernels.gpu().handles();
    let read = planes.iter().map(|plane| {
        let readback = handles.device.create_buffer(&wgpu::BufferDescriptor {
            label: None,
            size: plane.size(),
            usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let mut encoder = handles.device.create_command_encoder(&Default::default());
        encoder.copy_buffer_to_buffer(plane, 0, &readback, 0, plane.size());
        handles.queue.submit([encoder.finish()]);
        readback.map_async(wgpu::MapMode::Read, .., |_| {});
        handles
            .device
            .poll(wgpu::PollType::wait_indefinitely())
            .unwrap();
        let bytes = readback.get_mapped_range(..).unwrap();
        bytemuck::cast_slice(&bytes).to_vec()
    });
    read.collect()
}

/// What is drawn is the last generation that was told, while pieces of the next one are computed.
#[test]
fn a_piece_of_the_next_generation_is_never_drawn() {
    let Some(kernels) = kernels() else { return };
    let board = start::random(Size::new(3000, 700).unwrap(), 0.4, 9).unwrap();
    let mut cpu = CpuEngine::new(life(Edges::Torus));
    let mut gpu = GpuEngine::new(&kernels, life(Edges::Torus)).unwrap();
    gpu = gpu.with_strip_rows(16).with_piece(100);
    cpu.load(&board).unwrap();
    gpu.load(&board).unwrap();
    let mut untold = 0;
    for _ in 0..3 {
        let present = cpu.read().unwrap();
        let mut seen = Vec::new();
        while seen.is_empty() {
            let drawn = words(&kernels, &gpu.device_board().unwrap().bands[0].planes);
            assert!(drawn == [present.alive(), present.blue()]);
            assert!(gpu.read().unwrap() == present);
            untold += 1;
            gpu.advance(100, Duration::ZERO, &mut seen).unwrap();
        }
        assert_eq!(seen.len(), 1, "there was no time for another");
        cpu.step(1).unwrap();
    }
    assert!(untold > 3, "no generation was seen half done");
    assert!(gpu.read().unwrap() == cpu.read().unwrap());
}

/// A device that is busy for a long time does not keep a window waiting.
#[test]
fn a_generation_that_takes_long_is_not_waited_for() {
    if kernels().is_none() {
        return;
    }
    // A device of its own: what other tests submit takes its time, too.
    let found = select_adapter(&AdapterSelector::default()).unwrap();
    let is_software = found.is_software();
    let kernels = Arc::new(Kernels::new(&found.open().unwrap()).unwrap());
    let board = start::random(Size::new(16_384, 8192).unwrap(), 0.4, 9).unwrap();
    let mut gpu = GpuEngine::new(&kernels, life(Edges::Torus)).unwrap();
    gpu.load(&board).unwrap();
    let mut seen = Vec::new();
    let mut calls = 0;
    while seen.is_empty() {
        gpu.advance(1, Duration::from_millis(5), &mut seen).unwrap();
        calls += 1;
    }
    // A card may be done with it in one.
    let least = if is_software { 5 } else { 1 };
    assert!(calls >= least, "{calls} calls");
}

/// What a run has forgotten that went on is no generation to be compared with: patterns of period three
/// repeat themselves an odd number of generations later, as a pass and one more are.
#[test]
fn a_run_that_went_on_remembers_only_what_comes_after() {
    let Some(kernels) = kernels() else { return };
    let mut board = LifelikeBoard::new(Size::new(60, 20).unwrap()).unwrap();
    for (left, cell) in [(3, LifelikeCell::Red), (33, LifelikeCell::Blue)] {
        for row in [0, 5, 7, 12] {
            board.set_run(left + 2, row + 3, 3, cell);
            board.set_run(left + 8, row + 3, 3, cell);
        }
        for row in [2, 3, 4, 8, 9, 10] {
            for column in [0, 5, 7, 12] {
                board.set(left + column, row + 3, cell);
            }
        }
    }
    let engine = || GpuEngine::new(&kernels, life(Edges::Dead)).unwrap();
    let loaded = |engine: GpuEngine| {
        let mut engine = engine;
        engine.load(&board).unwrap();
        engine
    };
    for pass in [2, 8] {
        let mut gpu = loaded(engine().with_pass(pass));
        gpu.step_on(24).unwrap();
        assert!(
            gpu.read().unwrap() == board,
            "the board has not period three"
        );
        let mut seen = Vec::new();
        gpu.step_with_stats(6, &mut seen).unwrap();
        let periods: Vec<_> = seen.iter().map(|seen| seen.period).collect();
        assert_eq!(periods, [None; 6], "{pass} a pass");
        gpu.step_on(16).unwrap();
        seen.clear();
        gpu.advance(1, Duration::from_secs(60), &mut seen).unwrap();
        assert_eq!(seen[0].period, None, "{pass} a pass");
        // The last but one of a step is remembered, that of a run is not.
        for (remembers, period) in [(true, Some(2)), (false, None)] {
            let mut blinkers = LifelikeBoard::new(Size::new(40, 9).unwrap()).unwrap();
            blinkers.set_run(3, 4, 3, LifelikeCell::Red);
            blinkers.set_run(23, 4, 3, LifelikeCell::Blue);
            gpu.load(&blinkers).unwrap();
            match remembers {
                true => gpu.step(16).unwrap(),
                false => gpu.step_on(16).unwrap(),
            }
            seen.clear();
            gpu.step_with_stats(1, &mut seen).unwrap();
            assert_eq!(seen[0].period, period, "{pass} a pass");
        }
    }
}

#[test]
fn a_planted_bit_is_caught_and_located() {
    let Some(kernels) = kernels() else { return };
    let case = Drawer::new(4)
        .draw::<LifelikeRuleset>(SuiteKind::Small, 0)
        .unwrap();
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

/// The same for every pass of several generations, before and after the fault.
#[test]
fn a_planted_bit_is_caught_in_every_pass() {
    let Some(kernels) = kernels() else { return };
    let case = Case {
        board: start::random(Size::new(130, 70).unwrap(), 0.4, 3).unwrap(),
        ruleset: life(Edges::Torus),
        generations: 40,
    };
    let boards = expected(&case).unwrap();
    for (pass, portable) in [2, 4, 8]
        .into_iter()
        .flat_map(|pass| [(pass, false), (pass, true)])
    {
        let mut engine = GpuEngine::new(&kernels, case.ruleset)
            .unwrap()
            .with_pass(pass);
        if portable {
            engine = engine.portable();
        }
        assert_eq!(
            check(&mut engine, &case, &boards, Depth::EveryPath).unwrap(),
            None
        );
        let (generation, x, y) = (20, 96, 69);
        let fault = Fault { generation, x, y };
        let mut faulty = Faulty::new(&mut engine, fault);
        let found = check(&mut faulty, &case, &boards, Depth::EveryPath);
        let found = found.unwrap().unwrap();
        assert_eq!(found.generation, generation);
        assert!(matches!(
            found.difference,
            Difference::Cell { x: 96, y: 69, .. }
        ));
        // Twenty generations at once, and another twenty after the fault.
        faulty.load(&case.board).unwrap();
        faulty.step(generation - 1).unwrap();
        assert!(faulty.read().unwrap() == boards[19]);
        faulty.step(21).unwrap();
        assert!(faulty.read().unwrap() != boards[40], "{pass} {portable}");
    }
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

/// Passes of several generations, with and without subgroups: widths around those of words, tiles
/// and a torus' seam, heights around those of strips.
#[test]
fn every_border_of_tiles_strips_and_boards_equals_the_cpu() {
    let Some(kernels) = kernels() else { return };
    let rules = ["B3/S23", "B36/S23", "B35678/S5678", "B234/S", "B2468/S0"];
    let widths = [
        1, 2, 31, 32, 33, 38, 48, 61, 63, 64, 65, 70, 95, 96, 97, 111, 128, 193, 777, 959, 960, 961,
    ];
    let mut seed = 0;
    for (i, rule) in rules.into_iter().enumerate() {
        for edges in [Edges::Torus, Edges::Dead] {
            let ties = match (i, edges) {
                (0 | 2, _) => Ties::Red,
                (4, Edges::Torus) => Ties::Checkerboard,
                (4, Edges::Dead) => Ties::Blue,
                _ => Ties::Seeded(5),
            };
            let rule = parse(rule).unwrap();
            let ruleset = LifelikeRuleset { rule, edges, ties };
            for portable in [false, true] {
                for &width in &widths {
                    for height in [1, 7, 8, 9, 40, 64, 65, 130] {
                        seed += 1;
                        // Each of them with some of the others.
                        if seed % 5 != 0 {
                            continue;
                        }
                        let size = Size::new(width, height).unwrap();
                        let board = start::random(size, 0.4, seed).unwrap();
                        let mut gpu = GpuEngine::new(&kernels, ruleset).unwrap().poisoned();
                        gpu = gpu.with_pass([2, 4, 8][seed as usize / 5 % 3]);
                        if seed / 5 % 2 == 0 {
                            gpu = gpu.by_blocks();
                        }
                        gpu = gpu.with_strip_rows([64, 5, 1][seed as usize / 15 % 3]);
                        if portable {
                            gpu = gpu.portable();
                        }
                        let mut cpu = CpuEngine::new(ruleset);
                        for engine in [&mut gpu as &mut dyn Engine, &mut cpu] {
                            engine.load(&board).unwrap();
                            engine.step(9).unwrap();
                        }
                        let (found, expected) = (gpu.read().unwrap(), cpu.read().unwrap());
                        assert!(found == expected, "{size} {ruleset} {portable} {seed}");
                        // The last generation but one is remembered.
                        let mut seen = [Vec::new(), Vec::new()];
                        gpu.step_with_stats(2, &mut seen[0]).unwrap();
                        cpu.step_with_stats(2, &mut seen[1]).unwrap();
                        assert_eq!(seen[0], seen[1], "{size} {ruleset} {portable} {seed}");
                    }
                }
            }
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
            let mut board = LifelikeBoard::new(size).unwrap();
            if width > 1 {
                for (x, y) in [(2, 2), (size.width() - 5, size.height() - 4)] {
                    board.set_run(x, y, 3, LifelikeCell::Red);
                }
            } else {
                for y in [0, 7, size.height() - 1] {
                    board.set(0, y, LifelikeCell::Blue);
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
                assert_eq!(found.get(3, 1), LifelikeCell::Red, "the blinker has turned");
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
    // Too few rows for bands.
    let size = Size::new(plane / 40 * 32, 11).unwrap();
    let mut engine = GpuEngine::new(&kernels, life(Edges::Torus)).unwrap();
    let refused = engine.load(&LifelikeBoard::new(size).unwrap()).unwrap_err();
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
        assert!(engine.step_with_stats(2, &mut Vec::new()).is_err());
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

/// Whoever asks for passes gets them, in either family, with subgroups and without.
#[test]
fn passes_that_are_asked_for_are_made() {
    fn longest<R: Family>(kernels: &Arc<Kernels>, ruleset: R, board: &R::Board) -> Vec<u64> {
        let asked = [1, 2, 3, 4, 8, 100].into_iter();
        let both = asked.flat_map(|pass| {
            let engine = || GpuEngine::new(kernels, ruleset).unwrap().with_pass(pass);
            [engine(), engine().portable()]
        });
        let mut longest: Vec<u64> = both
            .map(|mut engine| {
                engine.load(board).unwrap();
                engine.generations_a_pass()
            })
            .collect();
        let portable = longest.chunks(2).all(|both| both[0] == both[1]);
        assert!(portable, "{longest:?}");
        longest.dedup();
        longest
    }
    let Some(kernels) = kernels() else { return };
    let size = Size::new(200, 40).unwrap();
    let board = LifelikeBoard::new(size).unwrap();
    assert_eq!(longest(&kernels, life(Edges::Torus), &board), [1, 2, 4, 8]);
    let ruleset = RezolutionRuleset { edges: Edges::Dead };
    let board = RezolutionBoard::new(size).unwrap();
    assert_eq!(longest(&kernels, ruleset, &board), [1, 2, 4]);
}

/// Boards that fit into a workgroup, up to the largest of every shape, and such that do not.
#[test]
fn small_boards_are_computed_within_a_workgroup() {
    let Some(kernels) = kernels() else {
        return;
    };
    let sizes = [
        (1, 1),
        (2, 9),
        (31, 64),
        (32, 2048),
        (33, 1024),
        (100, 512),
        (256, 256),
        (256, 257),
        (1000, 64),
        (2753, 23),
        (4129, 15),
        (8192, 8),
        (8191, 8),
        (8193, 1),
        (5, 2048),
    ];
    let mut random = Pcg32::seed_from_u64(5);
    for (number, (width, height)) in sizes.into_iter().enumerate() {
        for rule in ["B3/S23", "B36/S23", "B2468/S1357"] {
            let edges = [Edges::Torus, Edges::Dead][random.random_range(0..2)];
            let ties = [Ties::Seeded(number as u64), Ties::Checkerboard][random.random_range(0..2)];
            let ruleset = LifelikeRuleset {
                rule: parse(rule).unwrap(),
                edges,
                ties,
            };
            let size = Size::new(width, height).unwrap();
            let board = start::random(size, 0.4, number as u64).unwrap();
            let mut cpu = CpuEngine::new(ruleset);
            let mut engines = [true, false].map(|small| {
                let engine = GpuEngine::new(&kernels, ruleset).unwrap();
                engine.within_workgroup(small)
            });
            cpu.load(&board).unwrap();
            for engine in &mut engines {
                engine.load(&board).unwrap();
            }
            // One submission, several, and single generations after many.
            for generations in [2, 3, 40, 1, 300, 7] {
                cpu.step(generations).unwrap();
                for engine in &mut engines {
                    engine.step(generations).unwrap();
                    let read = engine.read().unwrap();
                    assert!(
                        read == cpu.read().unwrap(),
                        "{size} {rule} {edges}: {generations}"
                    );
                }
            }
            // The last generation but one is remembered.
            let mut expected = Vec::new();
            cpu.step_with_stats(2, &mut expected).unwrap();
            for engine in &mut engines {
                let mut seen = Vec::new();
                engine.step_with_stats(2, &mut seen).unwrap();
                assert_eq!(seen, expected, "{size} {rule} {edges}");
            }
        }
    }
}

/// A device that is lost is an error with a message, never a panic or a stale board.
#[test]
fn a_lost_device_is_an_error() {
    if kernels().is_none() {
        return;
    }
    let found = select_adapter(&AdapterSelector::default()).unwrap();
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
        engine.step_with_stats(3, &mut Vec::new()).unwrap_err()
    ));
    assert!(is_device_error(
        engine.step_filmed(3, &mut Vec::new()).unwrap_err()
    ));
    assert!(is_device_error(engine.load(&board).unwrap_err()));
}
