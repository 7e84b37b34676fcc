use duolife::board::rezolution::Ground;
use duolife::board::{Edges, LifelikeBoard, RezolutionBoard, start};
use duolife::engine::reference::ReferenceEngine;
use duolife::engine::{Engine, GenerationStats};
use duolife::game::referee::{Outcome, Reason, Referee, Verdict};
use duolife::rules::{LifelikeRuleset, RezolutionRuleset, Rule, Ties, notation};
use glam::uvec2;
use rand::{Rng, RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use crate::support::boards::{BARRIER, TARGET, lifelike, size};
use crate::support::engines::engines;
use crate::support::judge::judge;

#[test]
fn five_hundred_battles_end_alike_on_every_engine_and_before_another_judge() {
    const LIMIT: u64 = 2000;
    let mut random = Pcg64Mcg::seed_from_u64(11);
    let mut rulesets = Vec::new();
    for rule in [
        "B3/S23",
        "B36/S23",
        "B2/S",
        "B34/S34",
        "B3678/S34678",
        "B35/S236",
    ] {
        for edges in [Edges::Torus, Edges::Dead] {
            rulesets.push(LifelikeRuleset {
                rule: notation::parse(rule).unwrap(),
                edges,
                ties: Ties::Seeded(random.next_u64()),
            });
        }
    }
    let mut ends = std::collections::BTreeMap::new();
    for battle in 0..500 {
        let ruleset = rulesets[battle % rulesets.len()];
        let size = size(random.random_range(1..=60), random.random_range(1..=60));
        let density = f64::from(random.random_range(2..=50u32)) / 100.0;
        let board = match battle % 3 {
            0 => start::mirrored(size, density, random.next_u64()).unwrap(),
            _ => start::random(size, density, random.next_u64()).unwrap(),
        };
        let expected = judge(ruleset, &board, LIMIT);
        *ends.entry(expected.0.clone()).or_insert(0) += 1;
        let mut last = None;
        for (name, mut engine) in engines(ruleset) {
            let Verdict {
                outcome,
                reason,
                generation,
                census,
                ..
            } = referee(engine.as_mut(), &board, LIMIT);
            let found = (
                format!("{outcome} by {reason}"),
                generation,
                census.red as usize,
                census.blue as usize,
            );
            assert_eq!(
                found, expected,
                "battle {battle}, {name}, {ruleset:?}, {size}"
            );
            let board = engine.read().unwrap();
            assert_eq!(board.census(), census, "battle {battle}, {name}");
            assert_eq!(
                *last.get_or_insert(board.clone()),
                board,
                "battle {battle}, {name}"
            );
        }
    }
    // The battles must have ended in every way there is.
    for end in [
        "draw by extinction",
        "red by elimination",
        "blue by elimination",
        "draw by coexistence",
        "red by limit",
        "blue by limit",
    ] {
        assert!(ends.contains_key(end), "no {end} in {ends:?}");
    }
}

#[test]
fn known_ends() {
    let blinkers = lifelike(
        "
        ..............
        ..1........2..
        ..1........2..
        ..1........2..
        ..............
        ",
    );
    let blocks = lifelike("11..22 11..22 ...... ......");
    // A star of period 3 (a cross of four blinker thirds): the smallest that Life offers is the
    // pulsar; with a block of the other colour beside it.
    let pulsar = lifelike(
        "
        .....................
        ....111...111........
        .....................
        ..1....1.1....1......
        ..1....1.1....1......
        ..1....1.1....1......
        ....111...111........
        .....................
        ....111...111........
        ..1....1.1....1...22.
        ..1....1.1....1...22.
        ..1....1.1....1......
        .....................
        ....111...111........
        .....................
        .....................
        ",
    );
    let both_die = lifelike("1....2 ...... ...... ......");
    let red_dies = lifelike("1...22 ....22 ...... ......");
    let gliders = lifelike(
        "
        .1..........
        ..1.........
        111.........
        ............
        ............
        ............
        ......2.....
        .......2....
        .....222....
        ............
        ............
        ............
        ",
    );
    let equal = (Outcome::Draw, Reason::Limit, 400, None);
    for (name, start, edges, limit, expected) in [
        (
            "blinkers",
            &blinkers,
            Edges::Dead,
            400,
            (Outcome::Draw, Reason::Coexistence, 2, Some(2)),
        ),
        (
            "blocks",
            &blocks,
            Edges::Dead,
            400,
            (Outcome::Draw, Reason::Coexistence, 1, Some(1)),
        ),
        (
            "pulsar",
            &pulsar,
            Edges::Dead,
            400,
            (Outcome::Red, Reason::Limit, 400, None),
        ),
        (
            "both die",
            &both_die,
            Edges::Dead,
            400,
            (Outcome::Draw, Reason::Extinction, 1, None),
        ),
        (
            "red dies",
            &red_dies,
            Edges::Dead,
            400,
            (Outcome::Blue, Reason::Elimination, 1, None),
        ),
        ("equal counts", &gliders, Edges::Torus, 400, equal),
        // The deciding generation is the limit's, too: the earlier rule counts.
        (
            "blocks, limit 1",
            &blocks,
            Edges::Dead,
            1,
            (Outcome::Draw, Reason::Coexistence, 1, Some(1)),
        ),
    ] {
        for (engine_name, mut engine) in engines(seeded_life(edges)) {
            let Verdict {
                outcome,
                reason,
                generation,
                period,
                ..
            } = referee(engine.as_mut(), start, limit);
            assert_eq!(
                (outcome, reason, generation, period),
                expected,
                "{name}, {engine_name}"
            );
        }
    }
}

/// Live cells come back after one or two generations, but in other colours: the battle goes on.
#[test]
fn a_shape_that_repeats_in_other_colours_is_no_coexistence() {
    let mut found = 0;
    let mut random = Pcg64Mcg::seed_from_u64(3);
    let rule = notation::parse("B2/S").unwrap();
    while found < 20 {
        let ruleset = LifelikeRuleset {
            rule,
            edges: Edges::Torus,
            ties: Ties::Seeded(random.next_u64()),
        };
        // Oscillators of period 2 and less are common on tiny boards.
        let size = size(random.random_range(2..=5), random.random_range(2..=5));
        let start = start::random(size, 0.4, random.next_u64()).unwrap();
        let mut boards = vec![start.clone()];
        let mut reference = ReferenceEngine::new(ruleset);
        reference.load(&start).unwrap();
        reference.step_with_boards(40, &mut boards).unwrap();
        let Some(generation) = (2..boards.len()).find(|&i| {
            let census = boards[i].census();
            let shape_repeats = boards[i].alive() == boards[i - 1].alive()
                || boards[i].alive() == boards[i - 2].alive();
            let board_repeats = boards[i] == boards[i - 1] || boards[i] == boards[i - 2];
            census.red > 0 && census.blue > 0 && shape_repeats && !board_repeats
        }) else {
            continue;
        };
        found += 1;
        for (name, mut engine) in engines(ruleset) {
            // From the third last board on, so that only this generation is judged.
            engine.load(&boards[generation - 2]).unwrap();
            let mut stats: Vec<GenerationStats> = Vec::new();
            engine.step_with_stats(1, &mut stats).unwrap();
            if stats[0].is_settled() {
                continue;
            }
            engine.step_with_stats(1, &mut stats).unwrap();
            let expected = GenerationStats {
                census: boards[generation].census(),
                period: None,
            };
            assert_eq!(stats[1], expected, "{name}");
            assert_eq!(Referee::new(None).judge(2, stats[1]), None);
        }
    }
}

/// Earlier boards are remembered across calls and through other ways of stepping, and forgotten
/// when a board is loaded.
#[test]
fn earlier_boards_are_kept_until_a_board_is_loaded() {
    let blinkers = lifelike(
        "
        ..........
        ..1....2..
        ..1....2..
        ..1....2..
        ..........
        ",
    );
    let period = |engine: &mut dyn Engine| {
        let mut stats = Vec::new();
        engine.step_with_stats(1, &mut stats).unwrap();
        stats[0].period
    };
    for (name, mut engine) in engines(seeded_life(Edges::Dead)) {
        let engine = engine.as_mut();
        for round in 0..3 {
            engine.load(&blinkers).unwrap();
            assert_eq!(period(engine), None, "{name}, {round}");
            assert_eq!(period(engine), Some(2), "{name}, {round}");
            engine.step(5).unwrap();
            assert_eq!(period(engine), Some(2), "{name}, {round}");
            engine.step_with_census(3, &mut Vec::new()).unwrap();
            assert_eq!(period(engine), Some(2), "{name}, {round}");
        }
        // A board loaded anew has no earlier ones, even if it is the present one.
        let now = engine.read().unwrap();
        engine.load(&now).unwrap();
        assert_eq!(period(engine), None, "{name}");
    }
}

/// Boards with targets somewhere, and where each run ends: by the statistics of every engine, and by the
/// cells of every board of the reference.
#[test]
fn a_target_ends_a_run_at_the_same_generation_on_every_engine() {
    const LIMIT: u64 = 120;
    let (mut ended, mut endless) = (0, 0);
    for seed in 0..40u64 {
        let edges = [Edges::Dead, Edges::Torus][seed as usize % 2];
        let side = 24 + seed % 30;
        let mut ground = RezolutionBoard::new(size(side, side)).unwrap();
        let side = side as u32;
        let barriers = (0..side).filter(|y| y % 9 != 4).map(|y| (side - 5, y));
        for (x, y) in barriers {
            ground.set(uvec2(x, y), BARRIER);
        }
        ground.set(uvec2(side - 2, (seed as u32 * 7) % side), TARGET);
        let board = start::demo(&ground, [0.03, 0.5][seed as usize / 20], seed).unwrap();

        let mut judge = ReferenceEngine::new(RezolutionRuleset { edges });
        judge.load(&board).unwrap();
        let mut expected = (LIMIT, None);
        for generation in 1..=LIMIT {
            judge.step(1).unwrap();
            let now = judge.read().unwrap();
            let spots = (0..side).flat_map(|y| now.row(y).collect::<Vec<_>>());
            let reached = spots.filter(|s| s.ground == Ground::Target && s.population != 0);
            if reached.count() > 0 {
                expected = (generation, Some(now));
                break;
            }
        }
        match expected.1 {
            Some(_) => ended += 1,
            None => endless += 1,
        }
        for (name, mut engine) in engines(RezolutionRuleset { edges }) {
            engine.load(&board).unwrap();
            let mut stats = Vec::new();
            engine.step_with_stats(LIMIT, &mut stats).unwrap();
            assert_eq!(stats.len() as u64, expected.0, "{name}, seed {seed}");
            let last = engine.read().unwrap();
            assert_eq!(last.census(), stats.last().unwrap().census, "{name}");
            if let Some(board) = &expected.1 {
                assert_eq!(last, *board, "{name}, seed {seed}");
            }
        }
    }
    assert!(
        ended >= 10 && endless >= 5,
        "{ended} ended, {endless} did not"
    );
}

/// The verdict of the referee; the engine then holds the deciding board.
fn referee(engine: &mut dyn Engine, board: &LifelikeBoard, limit: u64) -> Verdict {
    let referee = Referee::new(Some(limit));
    engine.load(board).unwrap();
    let mut generation = 0;
    loop {
        let mut stats = Vec::new();
        engine
            .step_with_stats(limit - generation, &mut stats)
            .unwrap();
        for stats in stats {
            generation += 1;
            if let Some(verdict) = referee.judge(generation, stats) {
                return verdict;
            }
        }
    }
}

/// Conway's rule with ties by seed.
fn seeded_life(edges: Edges) -> LifelikeRuleset {
    LifelikeRuleset {
        rule: Rule::LIFE,
        edges,
        ties: Ties::Seeded(5),
    }
}
