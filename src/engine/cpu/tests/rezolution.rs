//! The same for reZolution.

use super::*;
use crate::board::RezolutionBoard;
use crate::board::rezolution::{Ground, RezolutionCell};
use crate::rules::rezolution::{MAX_NARROW, RezolutionRuleset};
use glam::uvec2;

/// Cells of the widest tile of populations.
const TILE: u64 = 2096;

/// What a random board has.
#[derive(Clone, Copy, Debug)]
struct Recipe {
    /// The share of populated cells.
    density: f64,
    largest: i8,
    barriers: f64,
    targets: f64,
}

fn drawn(size: Size, recipe: Recipe, random: &mut impl Rng) -> RezolutionBoard {
    let mut board = RezolutionBoard::new(size).unwrap();
    for y in 0..size.height() {
        for x in 0..size.width() {
            let ground = match random.random::<f64>() {
                draw if draw < recipe.barriers => Ground::Barrier,
                draw if draw < recipe.barriers + recipe.targets => Ground::Target,
                _ => Ground::Open,
            };
            let is_populated = ground == Ground::Open && random.random_bool(recipe.density);
            let population = match is_populated {
                true => random.random_range(-recipe.largest..=recipe.largest),
                false => 0,
            };
            board.set(uvec2(x, y), RezolutionCell { population, ground });
        }
    }
    board
}

fn any_of<T: Copy>(all: &[T], random: &mut impl Rng) -> T {
    all[random.random_range(0..all.len())]
}

fn any_ruleset(random: &mut impl Rng) -> RezolutionRuleset {
    RezolutionRuleset {
        edges: any_of(&[Edges::Torus, Edges::Dead], random),
    }
}

/// Both edges, sizes to the tile, the band and the word and beside them, populations whose sums fit a
/// byte and others, barriers, and targets that are reached now and then, at once or never.
#[test]
fn whatever_is_asked_for_is_what_the_reference_has() {
    let mut random = Pcg64Mcg::seed_from_u64(11);
    let mut widths = vec![1, 2, 3, 4, 5, 15, 16, 17, 31, 32, 33, 63, 64, 65, 100, 777];
    widths.extend([TILE - 1, TILE, TILE + 1, TILE + 9, 2 * TILE + 33]);
    for case in 0..240 {
        let width = widths[case % widths.len()];
        let heights = [1, 2, 3, 5, 9, 40, 63, 64, 65, 100, 128, 129, 200];
        let most = (30_000 / width).max(5);
        let height = loop {
            let height = any_of(&heights, &mut random);
            if height <= most {
                break height;
            }
        };
        let recipe = Recipe {
            density: any_of(&[0.02, 0.2, 0.6, 1.0], &mut random),
            largest: any_of(&[1, 4, MAX_NARROW as i8, 26, 127], &mut random),
            barriers: any_of(&[0.0, 0.02, 0.3], &mut random),
            targets: any_of(&[0.0, 0.0, 1e-4, 0.05], &mut random),
        };
        let ruleset = any_ruleset(&mut random);
        let size = Size::new(width, height).unwrap();
        let start = drawn(size, recipe, &mut random);
        let count = (200_000 / (width * height)).clamp(20, 60);
        let boards = generations(ruleset, &start, count);
        let name = format!("case {case}, {ruleset}, {size}, {recipe:?}");
        let mut engine = engine(ruleset, &mut random);
        run_requests(&mut engine, &boards, &mut random, &name);
    }
}

/// The same board and its future with one more target.
fn with_target(boards: &[RezolutionBoard], x: u32, y: u32) -> Vec<RezolutionBoard> {
    let marked = |board: &RezolutionBoard| {
        let mut board = board.clone();
        let population = board.cell(uvec2(x, y)).population;
        let ground = Ground::Target;
        board.set(uvec2(x, y), RezolutionCell { population, ground });
        board
    };
    boards.iter().map(marked).collect()
}

/// Targets anywhere on boards, reached at every place of a
/// pass: the first generation that populates one is the present one.
#[test]
fn a_fight_ends_at_the_first_reached_target_wherever_in_a_pass_it_is() {
    const LONGEST: usize = 18;
    let mut random = Pcg64Mcg::seed_from_u64(12);
    let mut ends = 0;
    for case in 0..120 {
        let size = Size::new(
            any_of(&[5, 31, 33, 64, 70, 97], &mut random),
            any_of(&[5, 20, 63, 64, 65, 130], &mut random),
        )
        .unwrap();
        let ruleset = any_ruleset(&mut random);
        let recipe = Recipe {
            density: any_of(&[0.05, 0.2, 0.5], &mut random),
            largest: any_of(&[1, 4, 20], &mut random),
            barriers: 0.02,
            targets: 0.0,
        };
        let start = drawn(size, recipe, &mut random);
        let boards = generations(ruleset, &start, 60);
        let places: Vec<_> = (0..size.height())
            .flat_map(|y| (0..size.width()).map(move |x| (x, y)))
            .collect();
        // A cell that is populated late enough, and was not before.
        let first_populated = |&(x, y): &(u32, u32)| {
            boards
                .iter()
                .position(|board| board.cell(uvec2(x, y)).population != 0)
        };
        let late = |place: &(u32, u32)| {
            let end = first_populated(place)?;
            (LONGEST..30).contains(&end).then_some((*place, end))
        };
        let late: Vec<_> = places.iter().filter_map(late).collect();
        if late.is_empty() {
            continue;
        }
        let ((x, y), end) = any_of(&late, &mut random);
        let boards = with_target(&boards, x, y);
        let mut engine = CpuEngine::new(ruleset).with_pass(2 + case % 7);
        if random.random_bool(0.3) {
            engine = engine.poisoned();
        }
        for length in 1..=LONGEST {
            let name = format!("case {case}, {ruleset}, {size}, {length} of {end}");
            engine.load(&boards[0]).unwrap();
            engine.step((end - length) as u64).unwrap();
            let mut found = Vec::new();
            let most = random.random_range(length..length + 20);
            engine.step_with_stats(most as u64, &mut found).unwrap();
            let expected: Vec<_> = (end - length + 1..=end)
                .map(|now| stats_of(&boards, 0, now))
                .collect();
            assert_eq!(found, expected, "{name}");
            assert!(found[length - 1].is_settled(), "{name}");
            assert!(engine.read().unwrap() == boards[end], "{name}");
            // A census alone does not stop at a settled generation.
            let mut counts = Vec::new();
            engine.step_with_census(20, &mut counts).unwrap();
            let expected = boards[end + 1..][..20].iter().map(Board::census);
            assert!(counts.into_iter().eq(expected), "{name}");
            assert!(engine.read().unwrap() == boards[end + 20], "{name}");
            ends += 1;
        }
    }
    assert!(ends > 60 * LONGEST, "{ends} ends only");
}

/// Boards that begin to repeat after one generation or two at every place of a pass: the run goes on, and
/// the statistics have the period from the first such generation on.
#[test]
fn a_period_is_found_wherever_in_a_pass_it_begins() {
    const LONGEST: usize = 18;
    let mut random = Pcg64Mcg::seed_from_u64(13);
    let mut periods = BTreeMap::new();
    for case in 0..1500 {
        let size = Size::new(
            any_of(&[3, 4, 9, 33, 40], &mut random),
            any_of(&[1, 3, 4, 8, 66], &mut random),
        )
        .unwrap();
        let ruleset = any_ruleset(&mut random);
        let recipe = Recipe {
            density: any_of(&[0.02, 0.1, 0.5], &mut random),
            largest: any_of(&[1, 2, 8], &mut random),
            barriers: any_of(&[0.0, 0.1, 0.5], &mut random),
            targets: 0.0,
        };
        let start = drawn(size, recipe, &mut random);
        let boards = generations(ruleset, &start, 50);
        let expected_of = |now| stats_of(&boards, 0, now);
        let repeats = |now: &usize| expected_of(*now).period.is_some();
        let Some(end) = (1..30).find(repeats) else {
            continue;
        };
        let mut engine = CpuEngine::new(ruleset).with_pass(2 + case % 7);
        for length in 1..=end.min(LONGEST) {
            engine.load(&start).unwrap();
            engine.step((end - length) as u64).unwrap();
            let mut found = Vec::new();
            let most = random.random_range(length..length + 20);
            engine.step_with_stats(most as u64, &mut found).unwrap();
            let expected: Vec<_> = (end - length + 1..).take(most).map(expected_of).collect();
            let name = format!("case {case}, {ruleset}, {size}, {length} of {end}");
            assert_eq!(found, expected, "{name}");
            *periods
                .entry((expected_of(end).period, length))
                .or_insert(0) += 1;
        }
    }
    for period in [Some(1), Some(2)] {
        for length in 1..=LONGEST {
            let key = (period, length);
            assert!(periods.contains_key(&key), "no {key:?} in {periods:?}");
        }
    }
}
