use std::sync::Arc;
use std::time::Duration;

use duolife::board::{Board, Edges, LifelikeBoard, LifelikeCell, Size, start};
use duolife::engine::conformance::{Case, expected};
use duolife::engine::gpu::{GpuEngine, Kernels};
use duolife::engine::{Engine, GenerationStats};
use duolife::rules::notation::parse;
use duolife::rules::{LifelikeRuleset, Rule, Ties};

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg32;

use crate::gpu::sighting;
use crate::kernels;

/// Generations of a pass, and the threads that share a tile of a subgroup; none needs no subgroups.
type Way = (u32, Option<u32>);

/// Every program: both lengths, both kinds of tiles, several tiles a subgroup.
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

fn engine(kernels: &Arc<Kernels>, ruleset: LifelikeRuleset, (pass, threads): Way) -> GpuEngine {
    let engine = GpuEngine::new(kernels, ruleset).unwrap().with_pass(pass);
    match threads {
        Some(threads) => engine.with_tile_threads(threads),
        None => engine.portable(),
    }
}

fn life(edges: Edges) -> LifelikeRuleset {
    LifelikeRuleset {
        rule: Rule::LIFE,
        edges,
        ties: Ties::Red,
    }
}

/// Asks for generations in all ways and numbers, and compares everything that is told with `boards`, all
/// generations of the first.
pub(crate) fn ask_for_everything<B: Board + PartialEq>(
    engine: &mut dyn Engine<B>,
    boards: &[B],
    random: &mut Pcg32,
    what: &str,
) {
    let last = boards.len() - 1;
    engine.load(&boards[0]).unwrap();
    let (mut now, mut loaded) = (0, 0);
    while now < last {
        let most = random.random_range(0..=(last - now).min(30));
        let mut seen = Vec::new();
        match random.random_range(0..12) {
            0 => assert!(engine.read().unwrap() == boards[now], "{what}, {now}"),
            1 => assert_eq!(engine.census().unwrap(), boards[now].census()),
            2 | 3 => {
                engine.step(most as u64).unwrap();
                now += most;
            }
            4 | 5 => {
                let mut counts = Vec::new();
                engine.step_counted(most as u64, &mut counts).unwrap();
                let expected = boards[now + 1..][..most].iter().map(Board::census);
                assert!(counts.into_iter().eq(expected), "{what}, after {now}");
                now += most;
            }
            6 => {
                let budget = Duration::from_micros(20);
                engine.advance(most as u64, budget, &mut seen).unwrap();
            }
            7 => {
                now = random.random_range(0..=now);
                loaded = now;
                engine.load(&boards[now]).unwrap();
            }
            _ => engine.step_with_stats(most as u64, &mut seen).unwrap(),
        }
        for (i, &found) in seen.iter().enumerate() {
            now += 1;
            assert_eq!(found, sighting(boards, loaded, now), "{what}, {now}");
            assert!(!found.is_settled() || i + 1 == seen.len(), "it ends there");
        }
    }
    assert!(engine.read().unwrap() == boards[last], "{what}");
}

/// Widths around those of words, tiles and a torus' seam, heights around those of strips, both edges,
/// ties.
#[test]
fn every_generation_of_a_pass_is_seen_as_the_reference_has_it() {
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
                let size = Size::new(width, height).unwrap();
                let case = Case {
                    board: start::random(size, 0.4, number as u64).unwrap(),
                    ruleset,
                    generations: 60,
                };
                let boards = expected(&case).unwrap();
                let mut gpu = engine(&kernels, ruleset, way);
                gpu = gpu.with_strip_rows([64, 5, 1, 20][number / 3 % 4]);
                if number.is_multiple_of(3) {
                    gpu = gpu.poisoned();
                }
                let what = format!("{size} {ruleset} {way:?}, number {number}");
                ask_for_everything(&mut gpu, &boards, &mut random, &what);
            }
        }
    }
}

/// What plain passes know of blocks is forgotten under watch, and known again later.
#[test]
fn still_blocks_wake_after_passes_under_watch() {
    let Some(kernels) = kernels() else { return };
    let mut random = Pcg32::seed_from_u64(12);
    for (number, way) in WAYS.into_iter().enumerate() {
        let mut board = LifelikeBoard::new(Size::new(700, 90).unwrap()).unwrap();
        // Gliders fly through still lifes, from block to block.
        for (x, y) in [(10, 10), (290, 31), (640, 60)] {
            board.set(x + 1, y, LifelikeCell::Blue);
            board.set(x + 2, y + 1, LifelikeCell::Blue);
            board.set_run(x, y + 2, 3, LifelikeCell::Blue);
        }
        for (x, y) in [(60, 30), (150, 70), (330, 66), (500, 20), (690, 85)] {
            board.set_run(x, y, 2, LifelikeCell::Red);
            board.set_run(x, y + 1, 2, LifelikeCell::Red);
        }
        let ruleset = life([Edges::Torus, Edges::Dead][number % 2]);
        let case = Case {
            board,
            ruleset,
            generations: 250,
        };
        let boards = expected(&case).unwrap();
        let mut gpu = engine(&kernels, ruleset, way).by_blocks();
        gpu = gpu.with_strip_rows(16);
        ask_for_everything(&mut gpu, &boards, &mut random, &format!("{way:?}"));
    }
}

/// How a board has settled.
fn kind(found: GenerationStats<<LifelikeBoard as Board>::Census>) -> usize {
    match found.period {
        Some(1) => 0,
        Some(_) => 1,
        None => 2,
    }
}

/// A battle that ends at any place in a pass ends there and nowhere else: still, blinking, or with one
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
            board: start::random(Size::new(37, 11).unwrap(), 0.3, seed).unwrap(),
            ruleset,
            generations: 500,
        };
        let boards = expected(&case).unwrap();
        let seen = |loaded: usize| {
            let all = (loaded + 1..boards.len()).map(|now| sighting(&boards, loaded, now));
            let mut seen = Vec::new();
            for found in all {
                seen.push(found);
                if found.is_settled() {
                    break;
                }
            }
            seen
        };
        let whole = seen(0);
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
            let mut gpu = engine(&kernels, ruleset, *way);
            for before in 1..=20 {
                let loaded = end - before;
                let expected = seen(loaded);
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
                assert_eq!(found, [sighting(&boards, loaded, now + 1)]);
                // Whoever only counts goes on.
                let mut counts = Vec::new();
                gpu.load(&boards[loaded]).unwrap();
                gpu.step_counted(30, &mut counts).unwrap();
                let expected = boards[loaded + 1..][..30].iter().map(Board::census);
                assert!(counts.into_iter().eq(expected), "{seed} {way:?} {before}");
                assert!(gpu.read().unwrap() == boards[loaded + 30]);
            }
        }
    }
    assert_eq!(left, [0; 3], "boards of each kind were found");
}
