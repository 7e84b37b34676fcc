use glam::uvec2;
use std::collections::BTreeSet;

use duolife::board::rezolution::{Ground, RezolutionCell};
use duolife::board::{Board, Edges, RezolutionBoard, Size};
use duolife::engine::Engine;
use duolife::engine::conformance::{Case, expected};
use duolife::rules::RezolutionRuleset;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg32;

use super::mix_requests;
use crate::gpu::passes::TILES;
use crate::support::boards::{TARGET, random_populations, size};
use crate::support::engines::{gpu, stats_of};
use crate::support::kernels;

/// Widths around those of words, tiles and a torus' seam, heights around those of strips, both edges,
/// with and without targets.
#[test]
fn statistics_of_every_generation_of_a_pass_are_those_of_the_reference() {
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
                board: fighting(size(width, height), targets, &mut random),
                ruleset: RezolutionRuleset { edges },
                generations: 60,
            };
            let boards = expected(&case).unwrap().boards;
            let rows = [64, 5, 1, 20][number / 2 % 4];
            let way = (4, TILES[(number + edges as usize) % 5]);
            let mut engine = gpu(&kernels, case.ruleset, way).with_strip_rows(rows);
            if number.is_multiple_of(3) {
                engine = engine.poisoned();
            }
            let what = format!("{width}x{height} {edges}, {targets} targets");
            mix_requests(&mut engine, &boards, &mut random, &what);
        }
    }
}

/// A block has period one and a blinker period two wherever they are, from the first generation that
/// repeats an earlier one.
#[test]
fn repeats_are_found_wherever_they_are() {
    let Some(kernels) = kernels() else { return };
    let mut random = Pcg32::seed_from_u64(15);
    let size = size(83, 21);
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
                board.set(uvec2(x, y), RezolutionCell::open(sign));
            }
        }
        let (far_x, far_y) = at(1);
        board.set(uvec2(far_x, far_y), RezolutionCell::open(100));
        let case = Case {
            board,
            ruleset: RezolutionRuleset { edges },
            generations: 30,
        };
        let boards = expected(&case).unwrap().boards;
        let mut gpu = gpu(&kernels, case.ruleset, (4, TILES[number % 5]));
        gpu = gpu.with_strip_rows([7, 21, 1][number % 3]);
        gpu.load(&case.board).unwrap();
        let mut found = Vec::new();
        gpu.step_with_stats(30, &mut found).unwrap();
        assert_eq!(found.len(), 30, "nothing of it ends a run");
        for (now, &found) in (1..).zip(&found) {
            assert_eq!(found, stats_of(&boards, 0, now), "{number}, {now}");
        }
        periods.insert(found[29].period);
    }
    assert_eq!(periods, BTreeSet::from([Some(1), Some(2)]));
}

/// A run that reaches a target at any place in a pass ends there and nowhere else, and the passes after
/// it compute nothing: also where the target is left at once.
#[test]
fn runs_end_with_the_first_target_that_is_reached_in_a_pass() {
    let Some(kernels) = kernels() else { return };
    let mut random = Pcg32::seed_from_u64(16);
    // Targets that are left at once, and others.
    let mut left = [6, 2];
    for number in 0..4000 {
        if left == [0; 2] {
            break;
        }
        let edges = [Edges::Torus, Edges::Dead][number % 2];
        let size = size([67, 30][number % 2], 11);
        let mut board = RezolutionBoard::new(size).unwrap();
        // On one side of the board they fight, on the other side is the target.
        for y in 0..11 {
            for x in 8..20 {
                board.set(
                    uvec2(x, y),
                    RezolutionCell::open(random.random_range(-2..=2)),
                );
            }
        }
        board.set(
            uvec2(random.random_range(21..29), random.random_range(0..11)),
            TARGET,
        );
        let case = Case {
            board,
            ruleset: RezolutionRuleset { edges },
            generations: 120,
        };
        let boards = expected(&case).unwrap().boards;
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
            let mut gpu = gpu(&kernels, case.ruleset, (4, TILES[before % 5]));
            gpu.load(&boards[loaded]).unwrap();
            let mut found = Vec::new();
            gpu.step_with_stats(70, &mut found).unwrap();
            let stats = (loaded + 1..=end).map(|now| stats_of(&boards, loaded, now));
            assert!(found.iter().copied().eq(stats), "{number}, {before} before");
            assert!(
                gpu.read().unwrap() == boards[end],
                "{number}, {before} before"
            );
            // A run from there ends with the next one that is reached.
            let next = (end + 1..boards.len()).find(|&now| reached(now));
            let next = next.unwrap_or(boards.len() - 1).min(end + 12);
            let mut found = Vec::new();
            gpu.step_with_stats((next - end) as u64, &mut found)
                .unwrap();
            let stats = (end + 1..=next).map(|now| stats_of(&boards, loaded, now));
            assert!(found.into_iter().eq(stats), "{number}, on from {before}");
            // A run that only counts goes on past all of them.
            let mut counts = Vec::new();
            gpu.load(&boards[loaded]).unwrap();
            gpu.step_with_census(30, &mut counts).unwrap();
            let expected = boards[loaded + 1..][..30].iter().map(Board::census);
            assert!(counts.into_iter().eq(expected), "{number}, {before} before");
            assert!(gpu.read().unwrap() == boards[loaded + 30]);
        }
    }
    assert_eq!(left, [0; 2], "boards of each kind were found");
}

/// Populations that live on without end, barriers, and a number of targets.
fn fighting(size: Size, targets: u32, random: &mut Pcg32) -> RezolutionBoard {
    let mut board = random_populations(size, [2, 4, 127][random.random_range(0..3)], random);
    for y in 0..size.height() {
        for x in 0..size.width() {
            if board.cell(uvec2(x, y)).ground == Ground::Target {
                board.set(uvec2(x, y), RezolutionCell::open(2));
            }
        }
    }
    for _ in 0..targets {
        let (x, y) = (
            random.random_range(0..size.width()),
            random.random_range(0..size.height()),
        );
        board.set(uvec2(x, y), TARGET);
    }
    board
}
