use glam::uvec2;
use std::time::Duration;

use duolife::board::{Board, Edges, LifelikeBoard, LifelikeCell, start};
use duolife::engine::conformance::{Drawer, SuiteKind, TestFamily, expected};
use duolife::engine::cpu::CpuEngine;
use duolife::engine::gpu::{AdapterSelector, GpuEngine, Kernels, select_adapter};
use duolife::engine::{Engine, Family};
use duolife::rules::{LifelikeRuleset, RezolutionRuleset};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg32;

use crate::support::boards::{life, size};
use crate::support::engines::stats_of;
use crate::support::{kernels, own_kernels};

#[test]
fn generations_in_the_background_are_the_same_with_other_requests_in_between() {
    run_in_the_background::<LifelikeRuleset>(SuiteKind::Small, 8);
    run_in_the_background::<LifelikeRuleset>(SuiteKind::Long, 2);
    run_in_the_background::<RezolutionRuleset>(SuiteKind::Rezolution, 12);
    run_in_the_background::<RezolutionRuleset>(SuiteKind::LongPopulations, 2);
}

/// Runs in the background, with hardly any time, and with all other requests in between.
fn run_in_the_background<R: TestFamily + Family>(kind: SuiteKind, cases: u64) {
    let Some(kernels) = kernels() else { return };
    let mut drawer = Drawer::new(7);
    let mut random = Pcg32::seed_from_u64(7);
    for index in 0..cases {
        let mut case = drawer.draw::<R>(kind, index).unwrap();
        case.generations = case.generations.min(80);
        let boards = expected(&case).unwrap().boards;
        let last = boards.len() - 1;
        let piece = [1, 64, 200, 100_000][index as usize % 4];
        let mut engine = GpuEngine::new(&kernels, case.ruleset).unwrap();
        engine = engine.with_strip_rows(3).with_piece(piece);
        engine.load(&case.board).unwrap();
        let (mut now, mut loaded) = (0, 0);
        while now < last {
            let mut stats = Vec::new();
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
                3 => engine.step_with_stats(most as u64, &mut stats).unwrap(),
                4 => {
                    let mut counts = Vec::new();
                    engine.step_with_census(most as u64, &mut counts).unwrap();
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
                    engine.advance(most as u64, budget, &mut stats).unwrap();
                }
            }
            for (i, &found) in stats.iter().enumerate() {
                now += 1;
                assert_eq!(
                    found,
                    stats_of(&boards, loaded, now),
                    "{kind} {index}, {now}"
                );
                assert!(!found.is_settled() || i + 1 == stats.len(), "it ends there");
            }
        }
        assert!(engine.read().unwrap() == boards[last], "{kind} {index}");
    }
}

/// The last whole generation is drawn while pieces of the next one are computed.
#[test]
fn a_piece_of_the_next_generation_is_never_drawn() {
    let Some(kernels) = kernels() else { return };
    let board = start::random(size(3000, 700), 0.4, 9).unwrap();
    let mut cpu = CpuEngine::new(life(Edges::Torus));
    let mut gpu = GpuEngine::new(&kernels, life(Edges::Torus)).unwrap();
    gpu = gpu.with_strip_rows(16).with_piece(100);
    cpu.load(&board).unwrap();
    gpu.load(&board).unwrap();
    let mut unfinished = 0;
    for _ in 0..3 {
        let present = cpu.read().unwrap();
        let mut stats = Vec::new();
        while stats.is_empty() {
            let drawn = words(&kernels, &gpu.device_board().unwrap().bands[0].planes);
            assert!(drawn == [present.alive(), present.blue()]);
            assert!(gpu.read().unwrap() == present);
            unfinished += 1;
            gpu.advance(100, Duration::ZERO, &mut stats).unwrap();
        }
        assert_eq!(stats.len(), 1, "there was no time for another");
        cpu.step(1).unwrap();
    }
    assert!(unfinished > 3, "no generation was half done");
    assert!(gpu.read().unwrap() == cpu.read().unwrap());
}

/// The words of buffers of a device, as the renderer reads them.
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

/// A device that is busy for a long time does not keep a window waiting.
#[test]
fn a_generation_that_takes_long_is_not_waited_for() {
    // A device of its own: what other tests submit takes its time, too.
    let Some(kernels) = own_kernels() else { return };
    let adapter = select_adapter(&AdapterSelector::default()).unwrap().adapter;
    let board = start::random(size(16_384, 8192), 0.4, 9).unwrap();
    let mut gpu = GpuEngine::new(&kernels, life(Edges::Torus)).unwrap();
    gpu.load(&board).unwrap();
    let mut stats = Vec::new();
    let mut calls = 0;
    while stats.is_empty() {
        gpu.advance(1, Duration::from_millis(5), &mut stats)
            .unwrap();
        calls += 1;
    }
    // A card may be done with it in one.
    let least = if adapter.is_software() { 5 } else { 1 };
    assert!(calls >= least, "{calls} calls");
}

/// `step_on` does not keep the last generation but one, so nothing may be compared with the one that an
/// earlier pass left there: patterns of period three would repeat after a pass and one generation.
#[test]
fn a_run_that_went_on_remembers_only_what_comes_after() {
    let Some(kernels) = kernels() else { return };
    let mut board = LifelikeBoard::new(size(60, 20)).unwrap();
    for (left, cell) in [(3, LifelikeCell::Red), (33, LifelikeCell::Blue)] {
        for row in [0, 5, 7, 12] {
            board.set_run(uvec2(left + 2, row + 3), 3, cell);
            board.set_run(uvec2(left + 8, row + 3), 3, cell);
        }
        for row in [2, 3, 4, 8, 9, 10] {
            for column in [0, 5, 7, 12] {
                board.set(uvec2(left + column, row + 3), cell);
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
        gpu.fast_forward(24).unwrap();
        assert!(
            gpu.read().unwrap() == board,
            "the board has not period three"
        );
        let mut stats = Vec::new();
        gpu.step_with_stats(6, &mut stats).unwrap();
        let periods: Vec<_> = stats.iter().map(|stats| stats.period).collect();
        assert_eq!(periods, [None; 6], "{pass} per pass");
        gpu.fast_forward(16).unwrap();
        stats.clear();
        gpu.advance(1, Duration::from_secs(60), &mut stats).unwrap();
        assert_eq!(stats[0].period, None, "{pass} per pass");
        // The last but one of a step is remembered, that of a run is not.
        for (remembers, period) in [(true, Some(2)), (false, None)] {
            let mut blinkers = LifelikeBoard::new(size(40, 9)).unwrap();
            blinkers.set_run(uvec2(3, 4), 3, LifelikeCell::Red);
            blinkers.set_run(uvec2(23, 4), 3, LifelikeCell::Blue);
            gpu.load(&blinkers).unwrap();
            match remembers {
                true => gpu.step(16).unwrap(),
                false => gpu.fast_forward(16).unwrap(),
            }
            stats.clear();
            gpu.step_with_stats(1, &mut stats).unwrap();
            assert_eq!(stats[0].period, period, "{pass} per pass");
        }
    }
}
