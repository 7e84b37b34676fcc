use std::collections::BTreeSet;
use std::sync::Arc;

use duolife::board::rezolution::{Ground, RezolutionCell};
use duolife::board::{Board, Edges, RezolutionBoard, Size};
use duolife::engine::Engine;
use duolife::engine::conformance::{
    Case, Depth, Drawer, Fault, Faulty, SuiteKind, check, expected,
};
use duolife::engine::gpu::{GpuEngine, Kernels};
use duolife::rules::RezolutionRuleset;

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg32;

use crate::gpu::sighting;
use crate::gpu::stats::ask_for_everything;
use crate::kernels;

/// Populations up to `largest` on both sides, barriers and targets.
fn drawn(size: Size, largest: i8, random: &mut Pcg32) -> RezolutionBoard {
    let mut board = RezolutionBoard::new(size).unwrap();
    for y in 0..size.height() {
        for x in 0..size.width() {
            let (population, ground) = match random.random_range(0..16) {
                0 => (0, Ground::Barrier),
                1 => (0, Ground::Target),
                _ => (random.random_range(-largest..=largest), Ground::Open),
            };
            board.set(x, y, RezolutionCell { population, ground });
        }
    }
    board
}

/// Boards of every width modulo a tile, a word and a word of barriers, one and more strips and blocks
/// high; some too small for a pass.
#[test]
fn populations_conform_in_passes_of_every_length_on_the_gpu() {
    let Some(kernels) = kernels() else { return };
    let mut random = Pcg32::seed_from_u64(11);
    let widths = (64..=80).chain([1, 3, 8, 13, 31, 63, 95, 127, 128, 129, 250]);
    let mut case = 0;
    for width in widths {
        for edges in [Edges::Torus, Edges::Dead] {
            case += 1;
            let height = [8, 9, 33, 40][case % 4];
            let largest = [2, 5, 127][case % 3];
            let board = drawn(Size::new(width, height).unwrap(), largest, &mut random);
            let case_of = Case {
                board,
                ruleset: RezolutionRuleset { edges },
                generations: 27,
            };
            let boards = expected(&case_of).unwrap();
            for (number, pass) in [4, 2].into_iter().enumerate() {
                let threads = TILES[(case / 2 + number) % 5];
                let engine = passes(&kernels, edges, threads);
                let rows = [16, 1, 7, 64][case / 2 % 4];
                let engine = engine.with_strip_rows(rows).with_pass(pass);
                // Blocks are listed only where nothing is poisoned.
                let mut engine = match case % 5 {
                    0 => engine.by_blocks(),
                    _ => engine.poisoned(),
                };
                let found = check(&mut engine, &case_of, &boards, Depth::EveryPath).unwrap();
                let what = format!("{width}x{height}, {edges}, {pass} a pass, {threads:?}");
                assert_eq!(found, None, "{what}");
            }
        }
    }
}

#[test]
fn long_populations_conform_in_passes_on_the_gpu() {
    let Some(kernels) = kernels() else { return };
    let mut drawer = Drawer::new(12);
    for index in 0..6 {
        let case = drawer
            .draw::<RezolutionRuleset>(SuiteKind::LongPopulations, index)
            .unwrap();
        let engine = passes(&kernels, case.ruleset.edges, TILES[index as usize % 5]);
        let mut engine = engine.with_pass([4, 2][index as usize / 2 % 2]).poisoned();
        let boards = expected(&case).unwrap();
        let found = check(&mut engine, &case, &boards, Depth::EveryPath).unwrap();
        assert_eq!(found, None, "{index}");
    }
}

/// Passes that lead to a planted fault and on from it: what is planted is there and has consequences.
#[test]
fn a_planted_population_is_caught_in_every_pass() {
    let Some(kernels) = kernels() else { return };
    let mut random = Pcg32::seed_from_u64(13);
    let case = Case {
        board: drawn(Size::new(90, 30).unwrap(), 4, &mut random),
        ruleset: RezolutionRuleset {
            edges: Edges::Torus,
        },
        generations: 18,
    };
    let boards = expected(&case).unwrap();
    for pass in [2, 4] {
        let mut caught = 0;
        for x in (0..90).step_by(10) {
            let engine = passes(&kernels, case.ruleset.edges, TILES[x as usize / 10 % 5]);
            let mut engine = engine.with_pass(pass);
            let (generation, y) = (9, 29);
            let mut faulty = Faulty::new(&mut engine, Fault { generation, x, y });
            faulty.load(&case.board).unwrap();
            faulty.step(generation - 1).unwrap();
            assert!(faulty.read().unwrap() == boards[8], "{x}, {pass} a pass");
            faulty.step(6).unwrap();
            caught += u32::from(faulty.read().unwrap() != boards[14]);
        }
        // Some heal.
        assert!(caught >= 4, "{caught} caught, {pass} a pass");
    }
}

/// The threads that share a tile of a subgroup; none needs no subgroups.
const TILES: [Option<u32>; 5] = [None, Some(8), Some(1), None, Some(2)];

/// Passes of up to four generations, in such tiles.
fn passes(
    kernels: &Arc<Kernels>,
    edges: Edges,
    threads: Option<u32>,
) -> GpuEngine<RezolutionRuleset> {
    let engine = GpuEngine::new(kernels, RezolutionRuleset { edges }).unwrap();
    let engine = engine.with_pass(4);
    match threads {
        Some(threads) => engine.with_tile_threads(threads),
        None => engine.portable(),
    }
}

/// Populations that live on without end, barriers, and so many targets.
fn fighting(size: Size, targets: u32, random: &mut Pcg32) -> RezolutionBoard {
    let mut board = drawn(size, [2, 4, 127][random.random_range(0..3)], random);
    for y in 0..size.height() {
        for x in 0..size.width() {
            if board.get(x, y).ground == Ground::Target {
                board.set(x, y, RezolutionCell::open(2));
            }
        }
    }
    for _ in 0..targets {
        let (x, y) = (
            random.random_range(0..size.width()),
            random.random_range(0..size.height()),
        );
        let target = RezolutionCell {
            population: 0,
            ground: Ground::Target,
        };
        board.set(x, y, target);
    }
    board
}

/// Widths around those of words, tiles and a torus' seam, heights around those of strips, both edges,
/// with and without targets.
#[test]
fn every_generation_of_a_pass_of_populations_is_seen_as_the_reference_has_it() {
    let Some(kernels) = kernels() else { return };
    let mut random = Pcg32::seed_from_u64(14);
    let widths = [
        1, 2, 3, 4, 5, 8, 23, 24, 25, 27, 28, 31, 32, 33, 47, 48, 49, 64, 65, 66, 67, 71, 72, 73,
        95, 96, 97, 127, 128, 129, 250,
    ];
    for (number, width) in widths.into_iter().enumerate() {
        for edges in [Edges::Torus, Edges::Dead] {
            let height = [8, 9, 40, 65][(number + edges as usize) % 4];
            let targets = [0, 1, 0, 6][number % 4];
            let case = Case {
                board: fighting(Size::new(width, height).unwrap(), targets, &mut random),
                ruleset: RezolutionRuleset { edges },
                generations: 60,
            };
            let boards = expected(&case).unwrap();
            let rows = [64, 5, 1, 20][number / 2 % 4];
            let mut gpu = passes(&kernels, edges, TILES[(number + edges as usize) % 5]);
            gpu = gpu.with_strip_rows(rows);
            if number.is_multiple_of(3) {
                gpu = gpu.poisoned();
            }
            let what = format!("{width}x{height} {edges}, {targets} targets");
            ask_for_everything(&mut gpu, &boards, &mut random, &what);
        }
    }
}

/// A block stands still and a blinker has period two wherever they are, and both are told of the first
/// generation of which they are true.
#[test]
fn populations_that_repeat_are_told_wherever_they_are() {
    let Some(kernels) = kernels() else { return };
    let mut random = Pcg32::seed_from_u64(15);
    let size = Size::new(83, 21).unwrap();
    let mut periods = BTreeSet::new();
    for number in 0..45 {
        let edges = [Edges::Torus, Edges::Dead][number % 2];
        let mut board = RezolutionBoard::new(size).unwrap();
        let (x, y) = (random.random_range(1..82), random.random_range(1..20));
        let at = |steps: u32| ((x + 37 * steps) % 81 + 1, (y + 9 * steps) % 19 + 1);
        let sign = [1, -1][number / 2 % 2];
        // A blinker; in every third board only what dies, of populations that are never joined.
        if !number.is_multiple_of(3) {
            for x in x - 1..=x + 1 {
                board.set(x, y, RezolutionCell::open(sign));
            }
        }
        let (far_x, far_y) = at(1);
        board.set(far_x, far_y, RezolutionCell::open(100));
        let case = Case {
            board,
            ruleset: RezolutionRuleset { edges },
            generations: 30,
        };
        let boards = expected(&case).unwrap();
        let mut gpu = passes(&kernels, edges, TILES[number % 5]);
        gpu = gpu.with_strip_rows([7, 21, 1][number % 3]);
        gpu.load(&case.board).unwrap();
        let mut found = Vec::new();
        gpu.step_with_stats(30, &mut found).unwrap();
        assert_eq!(found.len(), 30, "nothing of it ends a run");
        for (now, &found) in (1..).zip(&found) {
            assert_eq!(found, sighting(&boards, 0, now), "{number}, {now}");
        }
        periods.insert(found[29].period);
    }
    assert_eq!(periods, BTreeSet::from([Some(1), Some(2)]));
}

/// A run that reaches a target at any place in a pass ends there and nowhere else, and the passes after
/// it compute nothing: also where the target is left at once.
#[test]
fn runs_of_populations_end_with_the_first_target_that_is_reached_in_a_pass() {
    let Some(kernels) = kernels() else { return };
    let mut random = Pcg32::seed_from_u64(16);
    // Targets that are left at once, and others.
    let mut left = [6, 2];
    for number in 0..4000 {
        if left == [0; 2] {
            break;
        }
        let edges = [Edges::Torus, Edges::Dead][number % 2];
        let size = Size::new([67, 30][number % 2], 11).unwrap();
        let mut board = RezolutionBoard::new(size).unwrap();
        // On one side of the board they fight, on the other side is the target.
        for y in 0..11 {
            for x in 8..20 {
                board.set(x, y, RezolutionCell::open(random.random_range(-2..=2)));
            }
        }
        let target = RezolutionCell {
            population: 0,
            ground: Ground::Target,
        };
        board.set(
            random.random_range(21..29),
            random.random_range(0..11),
            target,
        );
        let case = Case {
            board,
            ruleset: RezolutionRuleset { edges },
            generations: 120,
        };
        let boards = expected(&case).unwrap();
        let reached = |now: usize| boards[now].census().reached > 0;
        let Some(end) = (1..boards.len()).find(|&now| reached(now)) else {
            continue;
        };
        if end < 15 || end + 31 > boards.len() {
            continue;
        }
        let kind = usize::from((1..=3).any(|after| reached(end + after)));
        // A generation too many would show.
        if left[kind] == 0 || boards[end] == boards[end + 1] {
            continue;
        }
        left[kind] -= 1;
        for before in 1..=14 {
            let loaded = end - before;
            let mut gpu = passes(&kernels, edges, TILES[before % 5]);
            gpu.load(&boards[loaded]).unwrap();
            let mut found = Vec::new();
            gpu.step_with_stats(70, &mut found).unwrap();
            let seen = (loaded + 1..=end).map(|now| sighting(&boards, loaded, now));
            assert!(found.iter().copied().eq(seen), "{number}, {before} before");
            assert!(
                gpu.read().unwrap() == boards[end],
                "{number}, {before} before"
            );
            // Whoever goes on from there ends with the next one that is reached.
            let next = (end + 1..boards.len()).find(|&now| reached(now));
            let next = next.unwrap_or(boards.len() - 1).min(end + 12);
            let mut found = Vec::new();
            gpu.step_with_stats((next - end) as u64, &mut found)
                .unwrap();
            let seen = (end + 1..=next).map(|now| sighting(&boards, loaded, now));
            assert!(found.into_iter().eq(seen), "{number}, on from {before}");
            // Whoever only counts goes on past all of them.
            let mut counts = Vec::new();
            gpu.load(&boards[loaded]).unwrap();
            gpu.step_counted(30, &mut counts).unwrap();
            let expected = boards[loaded + 1..][..30].iter().map(Board::census);
            assert!(counts.into_iter().eq(expected), "{number}, {before} before");
            assert!(gpu.read().unwrap() == boards[loaded + 30]);
        }
    }
    assert_eq!(left, [0; 2], "boards of each kind were found");
}
