//! Passes with and without statistics against the reference, generation by generation.

mod rezolution;

use glam::uvec2;
use std::collections::BTreeMap;

use rand::{Rng, RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use super::*;
use crate::board::{Board, Census, Edges, LifelikeBoard, LifelikeCell, start};
use crate::engine::reference::{ReferenceEngine, ReferenceFamily};
use crate::rules::{Rule, Ties, notation};

/// Cells of the widest tile, with or without statistics.
const TILE: u64 = 54 * 32;

/// Generation 0 and those after it.
fn generations<R: ReferenceFamily>(ruleset: R, start: &R::Board, count: u64) -> Vec<R::Board> {
    let mut reference = ReferenceEngine::new(ruleset);
    reference.load(start).unwrap();
    let mut boards = vec![start.clone()];
    reference.step_with_boards(count, &mut boards).unwrap();
    boards
}

/// Statistics of generation `now` from an engine into which generation `loaded` was loaded.
fn stats_of<B: Board>(boards: &[B], loaded: usize, now: usize) -> GenerationStats<B::Census> {
    let is_board_of =
        |&period: &usize| now - loaded >= period && boards[now - period] == boards[now];
    GenerationStats {
        census: boards[now].census(),
        period: [1, 2]
            .into_iter()
            .find(is_board_of)
            .map(|period| period as u8),
    }
}

/// An engine with passes of some length, and output planes that are poisoned or not.
fn engine<R: CpuFamily>(ruleset: R, random: &mut impl Rng) -> CpuEngine<R> {
    let mut engine = CpuEngine::new(ruleset);
    if random.random_bool(0.3) {
        engine = engine.poisoned();
    }
    match random.random_range(0..8) {
        0 => engine,
        length @ 1..=3 => engine.with_pass(length),
        _ => engine.with_pass(8),
    }
}

fn ruleset(rule: &str, random: &mut impl Rng) -> LifelikeRuleset {
    LifelikeRuleset {
        rule: notation::parse(rule).unwrap(),
        edges: [Edges::Torus, Edges::Dead][random.random_range(0..2)],
        ties: [
            Ties::Red,
            Ties::Blue,
            Ties::Checkerboard,
            Ties::Seeded(random.next_u64()),
        ][random.random_range(0..4)],
    }
}

/// Sends an engine requests of every kind in random order and of random length, up to the last of the
/// boards.
fn run_requests<R: CpuFamily>(
    engine: &mut CpuEngine<R>,
    boards: &[R::Board],
    random: &mut impl Rng,
    name: &str,
) {
    engine.load(&boards[0]).unwrap();
    let last = boards.len() - 1;
    let (mut now, mut loaded) = (0, 0);
    while now < last {
        let most = match random.random_range(0..3) {
            0 => random.random_range(0..=3),
            1 => random.random_range(4..=30),
            _ => last,
        };
        let most = most.min(last - now);
        let mut found = Vec::new();
        match random.random_range(0..10) {
            0 => {
                engine.step(most as u64).unwrap();
                now += most;
            }
            1 | 2 => {
                let mut counts = Vec::new();
                engine.step_with_census(most as u64, &mut counts).unwrap();
                let expected: Vec<_> = boards[now + 1..][..most]
                    .iter()
                    .map(Board::census)
                    .collect();
                assert_eq!(counts, expected, "{name}, after {now}");
                now += most;
            }
            3 => {
                let budget = Duration::from_micros([0, 30, 2000][random.random_range(0..3)]);
                engine.advance(most as u64, budget, &mut found).unwrap();
            }
            4 => {
                now = random.random_range(0..=now);
                loaded = now;
                engine.load(&boards[now]).unwrap();
            }
            _ => engine.step_with_stats(most as u64, &mut found).unwrap(),
        }
        assert!(found.len() <= most, "{name}: {} of {most}", found.len());
        for (i, &now_found) in found.iter().enumerate() {
            now += 1;
            assert_eq!(now_found, stats_of(boards, loaded, now), "{name}, {now}");
            assert!(
                !now_found.is_settled() || i + 1 == found.len(),
                "{name} ends"
            );
        }
        assert_eq!(engine.census().unwrap(), boards[now].census(), "{name}");
        if random.random_bool(0.5) {
            assert!(engine.read().unwrap() == boards[now], "{name}, {now}");
        }
    }
    assert!(engine.read().unwrap() == boards[last], "{name}");
}

/// Rules with and without ties, both edges, sizes to the word and beside it, one and several tiles,
/// blocks and bands.
#[test]
fn every_request_agrees_with_the_reference() {
    let mut random = Pcg64Mcg::seed_from_u64(1);
    let mut widths = vec![1, 2, 3, 31, 32, 33, 64, 100, 191, 192, 193, 256, 400];
    widths.extend([TILE - 1, TILE, TILE + 1, TILE + 64, 2 * TILE + 33]);
    for case in 0..240 {
        let width = widths[case % widths.len()];
        let heights = [1, 2, 3, 5, 40, 63, 64, 65, 100, 130, 200];
        let most = (60_000 / width).max(5);
        let height = loop {
            let height = heights[random.random_range(0..heights.len())];
            if height <= most {
                break height;
            }
        };
        let rules = ["B3/S23", "B36/S23", "B2/S", "B35678/S5678", "B3678/S34678"];
        let rule = rules[random.random_range(0..rules.len())];
        let ruleset = ruleset(rule, &mut random);
        let size = Size::new(width, height).unwrap();
        let density = [0.02, 0.1, 0.4][random.random_range(0..3)];
        let start = start::random(size, density, random.next_u64()).unwrap();
        let count = (400_000 / (width * height)).clamp(12, 60);
        let boards = generations(ruleset, &start, count);
        let name = format!("case {case}, {ruleset}, {size}");
        let mut engine = engine(ruleset, &mut random);
        run_requests(&mut engine, &boards, &mut random, &name);
    }
}

/// Battles that settle in every way, at every place of a pass: the first settled generation is the
/// present one, and the generations before it are known.
#[test]
fn a_battle_ends_at_the_first_settled_generation_wherever_in_a_pass_it_is() {
    const LONGEST: usize = 16;
    let mut random = Pcg64Mcg::seed_from_u64(2);
    let mut ends = BTreeMap::new();
    for case in 0..1500 {
        let rule = ["B3/S23", "B36/S23", "B2/S", "B34/S34", "B3/S2"][case % 5];
        let ruleset = ruleset(rule, &mut random);
        let side = [8, 16, 40][case % 3];
        let size = Size::new(random.random_range(1..=side), random.random_range(1..=side)).unwrap();
        let density = f64::from(random.random_range(3..=40u32)) / 100.0;
        let start = start::random(size, density, random.next_u64()).unwrap();
        let boards = generations(ruleset, &start, 120);
        let expected_of = |now| stats_of(&boards, 0, now);
        // Some generations after the end are compared, too.
        let Some(end) = (1..boards.len() - 30).find(|&now| expected_of(now).is_settled()) else {
            continue;
        };
        let GenerationStats { census, period } = expected_of(end);
        let mut engine = CpuEngine::new(ruleset).with_pass(2 + case as u32 % 7);
        if random.random_bool(0.3) {
            engine = engine.poisoned();
        }
        for length in 1..=end.min(LONGEST) {
            let name = format!("case {case}, {ruleset}, {size}, {length} of {end}");
            engine.load(&start).unwrap();
            engine.step((end - length) as u64).unwrap();
            let mut found = Vec::new();
            let most = random.random_range(length..length + 20);
            engine.step_with_stats(most as u64, &mut found).unwrap();
            let expected: Vec<_> = (end - length + 1..=end).map(expected_of).collect();
            assert_eq!(found, expected, "{name}");
            assert!(engine.read().unwrap() == boards[end], "{name}");
            for after in 1..=3 {
                let mut found = Vec::new();
                engine.step_with_stats(1, &mut found).unwrap();
                assert_eq!(found, [expected_of(end + after)], "{name}, {after} later");
            }
            let key = (period, census.red() > 0, census.blue() > 0, length);
            *ends.entry(key).or_insert(0) += 1;
        }
    }
    // Both colours left, one or none; alike after one generation or after two.
    for (period, red, blue) in [
        (Some(1), true, true),
        (Some(2), true, true),
        (None, true, false),
        (None, false, true),
        (None, false, false),
    ] {
        for length in 1..=LONGEST {
            let key = (period, red, blue, length);
            assert!(ends.contains_key(&key), "no {key:?} in {ends:?}");
        }
    }
}

/// Still lifes, blinkers and pulsars (which repeat after three generations) with a glider that comes
/// along.
pub(super) fn sparse(
    width: u64,
    height: u64,
    random: &mut impl Rng,
) -> (LifelikeRuleset, LifelikeBoard) {
    let pulsar: Vec<(u64, u64)> = [0, 5, 7, 12]
        .into_iter()
        .flat_map(|line| [2, 3, 4, 8, 9, 10].map(|other| [(line, other), (other, line)]))
        .flatten()
        .collect();
    let mut board = LifelikeBoard::new(Size::new(width, height).unwrap()).unwrap();
    for object in 0..30 {
        let cells = match object {
            0 => &[(1, 0), (2, 1), (0, 2), (1, 2), (2, 2)],
            1..4 => &pulsar[..],
            4..16 => &[(0, 1), (1, 1), (2, 1)],
            _ => &[(0, 0), (1, 0), (0, 1), (1, 1)],
        };
        let (left, top) = (
            random.random_range(0..width - 13),
            random.random_range(0..height - 13),
        );
        let cell = [LifelikeCell::Red, LifelikeCell::Blue][random.random_range(0..2)];
        for (x, y) in cells {
            board.set(uvec2((left + x) as u32, (top + y) as u32), cell);
        }
    }
    let ruleset = LifelikeRuleset {
        rule: [Rule::LIFE, notation::parse("B36/S23").unwrap()][random.random_range(0..2)],
        edges: [Edges::Torus, Edges::Dead][random.random_range(0..2)],
        ties: Ties::Red,
    };
    (ruleset, board)
}

/// Long runs, most of whose blocks are left out, against one generation after the other.
#[test]
fn idle_blocks_count_in_the_statistics() {
    let mut random = Pcg64Mcg::seed_from_u64(3);
    for (width, height) in [(960, 400), (961, 321), (1000, 255)] {
        let (ruleset, board) = sparse(width, height, &mut random);
        let mut plain = CpuEngine::new(ruleset).with_pass(1);
        let mut with_stats = CpuEngine::new(ruleset).with_pass(8);
        let mut counted = CpuEngine::new(ruleset).with_pass(8);
        for engine in [&mut plain, &mut with_stats, &mut counted] {
            engine.load(&board).unwrap();
        }
        for part in [150, 7, 1, 200, 13, 160] {
            let (mut expected, mut found, mut counts) = (Vec::new(), Vec::new(), Vec::new());
            plain.step_with_stats(part, &mut expected).unwrap();
            with_stats.step_with_stats(part, &mut found).unwrap();
            assert_eq!(found, expected);
            let computed = expected.len() as u64;
            counted.step_with_census(computed, &mut counts).unwrap();
            assert!(counts.iter().eq(expected.iter().map(|stats| &stats.census)));
            let board = plain.read().unwrap();
            assert!(with_stats.read().unwrap() == board);
            assert!(counted.read().unwrap() == board);
        }
    }
}

/// A blinker stands in a block that is left out while something in the block beside it comes to rest:
/// then the board repeats after two generations, not after one.
#[test]
fn an_oscillator_in_an_idle_block_decides_the_period() {
    let mut random = Pcg64Mcg::seed_from_u64(5);
    let ruleset = LifelikeRuleset {
        rule: Rule::LIFE,
        edges: Edges::Dead,
        ties: Ties::Red,
    };
    let mut late = 0;
    for case in 0..60 {
        let mut board = LifelikeBoard::new(Size::new(384, 64).unwrap()).unwrap();
        for cell in 0..48 {
            if random.random_bool(0.5) {
                let color = [LifelikeCell::Red, LifelikeCell::Blue][random.random_range(0..2)];
                board.set(uvec2(60 + cell % 8, 1 + cell / 8), color);
            }
        }
        for y in 40..43 {
            board.set(uvec2(290, y), LifelikeCell::Blue);
        }
        for (x, y) in [(320, 40), (321, 40), (320, 41), (321, 41)] {
            board.set(uvec2(x, y), LifelikeCell::Red);
        }
        let [found, expected] = [8, 1].map(|pass| {
            let mut engine = CpuEngine::new(ruleset).with_pass(pass);
            engine.load(&board).unwrap();
            let mut found = Vec::new();
            engine.step_with_stats(300, &mut found).unwrap();
            found
        });
        assert_eq!(found, expected, "case {case}");
        let end = expected.last().unwrap();
        late += u32::from(expected.len() > 20 && end.period == Some(2));
    }
    assert!(
        late > 10,
        "{late} of them ended with a blinker, not too early"
    );
}

#[test]
fn a_pace_fits_calls_into_a_budget() {
    let pace = |generations, micros| Pace {
        generations,
        took: Duration::from_micros(micros),
    };
    let budget = Duration::from_millis(16);
    assert_eq!(Pace::default().generations_in(budget), 1);
    assert_eq!(pace(4, 4000).generations_in(budget), 16);
    assert_eq!(pace(1, 30_000).generations_in(budget), 1);
    assert_eq!(pace(4, 4000).generations_in(Duration::ZERO), 1);
    // Hardly any time, or less than the clock resolves.
    assert_eq!(pace(2, 1).generations_in(budget), 16);
    assert_eq!(pace(2, 0).generations_in(budget), 16);
}
