use duolife::board::{Board, Edges, LifelikeBoard, LifelikeCell, start};
use duolife::engine::conformance::{self, Case, expected};
use duolife::engine::{Engine, GenerationStats};
use duolife::rules::notation::parse;
use duolife::rules::{LifelikeRuleset, Ties};
use rand::SeedableRng;
use rand_pcg::Pcg32;

use super::mix_requests;
use crate::support::boards::{life, put_block, put_glider, size};
use crate::support::engines::{Way, gpu, stats_of};
use crate::support::kernels;

/// Widths around those of words, tiles and a torus' seam, heights around those of strips, both edges,
/// ties.
#[test]
fn statistics_of_every_generation_of_a_pass_are_those_of_the_reference() {
    let Some(kernels) = kernels() else { return };
    let mut random = Pcg32::seed_from_u64(11);
    let rulesets = [
        ("B3/S23", Ties::Red),
        ("B36/S23", Ties::Seeded(5)),
        ("B2468/S0", Ties::Checkerboard),
    ];
    let widths = [
        1, 2, 31, 32, 33, 48, 61, 64, 65, 95, 96, 97, 128, 193, 480, 481, 777,
    ];
    let mut number = 0;
    for edges in [Edges::Torus, Edges::Dead] {
        for &width in &widths {
            for height in [[8, 40], [9, 65]][number / 2 % 2] {
                number += 1;
                // Each of them with some of the others.
                let way = WAYS[number % WAYS.len()];
                let (rule, ties) = rulesets[number / 2 % rulesets.len()];
                let rule = parse(rule).unwrap();
                let ruleset = LifelikeRuleset { rule, edges, ties };
                let size = size(width, height);
                let case = Case {
                    board: start::random(size, 0.4, number as u64).unwrap(),
                    ruleset,
                    generations: 60,
                };
                let boards = expected(&case).unwrap().boards;
                let mut engine = gpu(&kernels, ruleset, way);
                engine = engine.with_strip_rows([64, 5, 1, 20][number / 3 % 4]);
                if number.is_multiple_of(3) {
                    engine = engine.poisoned();
                }
                let what = format!("{size} {ruleset} {way:?}, number {number}");
                mix_requests(&mut engine, &boards, &mut random, &what);
            }
        }
    }
}

/// Passes with statistics drop the list of active blocks, and plain passes make it again.
#[test]
fn idle_blocks_are_computed_again_after_passes_with_statistics() {
    let Some(kernels) = kernels() else { return };
    let mut random = Pcg32::seed_from_u64(12);
    for (number, way) in WAYS.into_iter().enumerate() {
        let mut board = LifelikeBoard::new(size(700, 90)).unwrap();
        // Gliders fly through still lifes, from block to block.
        for (x, y) in [(10, 10), (290, 31), (640, 60)] {
            put_glider(&mut board, x, y, LifelikeCell::Blue);
        }
        for (x, y) in [(60, 30), (150, 70), (330, 66), (500, 20), (690, 85)] {
            put_block(&mut board, x, y, LifelikeCell::Red);
        }
        let ruleset = life([Edges::Torus, Edges::Dead][number % 2]);
        let case = Case {
            board,
            ruleset,
            generations: 250,
        };
        let boards = expected(&case).unwrap().boards;
        let engine = gpu(&kernels, ruleset, way).by_blocks();
        let mut engine = engine.with_strip_rows(16);
        mix_requests(&mut engine, &boards, &mut random, &format!("{way:?}"));
    }
}

/// A battle that ends at any place in a pass ends there and nowhere else: with period one, period two, or one
/// colour gone.
#[test]
fn runs_end_with_the_first_settled_generation_of_a_pass() {
    let Some(kernels) = kernels() else { return };
    let mut left = [2, 2, 2];
    for seed in 0..1000 {
        if left == [0; 3] {
            break;
        }
        let ruleset = life([Edges::Torus, Edges::Dead][seed as usize % 2]);
        let case = Case {
            // Two words wide: passes take no torus of a part of one.
            board: start::random(size(37, 11), 0.3, seed).unwrap(),
            ruleset,
            generations: 500,
        };
        let boards = conformance::expected(&case).unwrap().boards;
        let expected = |loaded: usize| {
            let all = (loaded + 1..boards.len()).map(|now| stats_of(&boards, loaded, now));
            let mut stats = Vec::new();
            for found in all {
                stats.push(found);
                if found.is_settled() {
                    break;
                }
            }
            stats
        };
        let whole = expected(0);
        let end = whole.len();
        let last = whole[end - 1];
        if !last.is_settled() || end < 40 || end + 40 > boards.len() || left[kind(last)] == 0 {
            continue;
        }
        // Where one colour is gone the other one moves on, so that a generation too many would show.
        if kind(last) == 2 && boards[end + 37] == boards[end + 39] {
            continue;
        }
        left[kind(last)] -= 1;
        for way in &WAYS[..4] {
            let mut gpu = gpu(&kernels, ruleset, *way);
            for before in 1..=20 {
                let loaded = end - before;
                let expected = expected(loaded);
                let mut found = Vec::new();
                gpu.load(&boards[loaded]).unwrap();
                gpu.step_with_stats(200, &mut found).unwrap();
                assert_eq!(found, expected, "{seed} {way:?}, {before}");
                let now = loaded + expected.len();
                assert!(
                    gpu.read().unwrap() == boards[now],
                    "{seed} {way:?} {before}"
                );
                // The one before it is remembered, and it stays settled.
                let mut found = Vec::new();
                gpu.step_with_stats(9, &mut found).unwrap();
                assert_eq!(found, [stats_of(&boards, loaded, now + 1)]);
                // A run that only counts goes on.
                let mut counts = Vec::new();
                gpu.load(&boards[loaded]).unwrap();
                gpu.step_with_census(30, &mut counts).unwrap();
                let expected = boards[loaded + 1..][..30].iter().map(Board::census);
                assert!(counts.into_iter().eq(expected), "{seed} {way:?} {before}");
                assert!(gpu.read().unwrap() == boards[loaded + 30]);
            }
        }
    }
    assert_eq!(left, [0; 3], "boards of each kind were found");
}

/// How a board has settled.
fn kind(found: GenerationStats<<LifelikeBoard as Board>::Census>) -> usize {
    match found.period {
        Some(1) => 0,
        Some(_) => 1,
        None => 2,
    }
}

/// Every program: both lengths, both kinds of tiles, several tiles per subgroup.
const WAYS: [Way; 7] = [
    (8, None),
    (4, Some(8)),
    (4, None),
    (8, Some(8)),
    (8, Some(1)),
    (4, Some(2)),
    // As long as none is there: the next shorter.
    (7, None),
];
