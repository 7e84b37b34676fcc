use duolife::board::{Edges, LifelikeBoard, LifelikeCell, Size, start};
use duolife::engine::cpu::CpuEngine;
use duolife::engine::gpu::GpuEngine;
use duolife::engine::reference::ReferenceEngine;
use duolife::engine::{Engine, GenerationStats};
use duolife::game::referee::{Outcome, Reason, Referee, Verdict};
use duolife::rules::{LifelikeRuleset, Rule, Ties, notation};
use rand::{Rng, RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use crate::kernels;

/// All engines of this machine under one ruleset.
fn engines(ruleset: LifelikeRuleset) -> Vec<(&'static str, Box<dyn Engine>)> {
    let mut engines: Vec<(&str, Box<dyn Engine>)> = vec![
        ("reference", Box::new(ReferenceEngine::new(ruleset))),
        ("cpu", Box::new(CpuEngine::new(ruleset))),
    ];
    if let Some(kernels) = kernels() {
        let gpu = GpuEngine::new(&kernels, ruleset).unwrap();
        engines.push(("gpu", Box::new(gpu)));
    }
    engines
}

/// The verdict of the referee; the engine then holds the deciding board.
fn referee(engine: &mut dyn Engine, board: &LifelikeBoard, limit: u64) -> Verdict {
    let referee = Referee::new(Some(limit));
    engine.load(board).unwrap();
    let mut generation = 0;
    loop {
        let mut seen = Vec::new();
        engine
            .step_with_stats(limit - generation, &mut seen)
            .unwrap();
        for sighting in seen {
            generation += 1;
            if let Some(verdict) = referee.judge(generation, sighting) {
                return verdict;
            }
        }
    }
}

/// Who wins, why, when and with how many cells, by a judge that keeps every board as text and knows
/// nothing of sightings.
fn judge(
    ruleset: LifelikeRuleset,
    start: &LifelikeBoard,
    limit: u64,
) -> (String, u64, usize, usize) {
    let text = |board: &LifelikeBoard| -> String {
        let rows = (0..board.size().height()).flat_map(|y| board.row(y));
        rows.map(LifelikeCell::grid_char).collect()
    };
    let mut engine = ReferenceEngine::new(ruleset);
    engine.load(start).unwrap();
    let mut boards = vec![text(start)];
    for generation in 1..=limit {
        engine.step(1).unwrap();
        let board = text(&engine.read().unwrap());
        let (red, blue) = (board.matches('1').count(), board.matches('2').count());
        let said = if red + blue == 0 {
            "draw by extinction"
        } else if blue == 0 {
            "red by elimination"
        } else if red == 0 {
            "blue by elimination"
        } else if boards.iter().rev().take(2).any(|earlier| *earlier == board) {
            "draw by coexistence"
        } else if generation < limit {
            boards.push(board);
            continue;
        } else if red > blue {
            "red by limit"
        } else if blue > red {
            "blue by limit"
        } else {
            "draw by limit"
        };
        return (said.into(), generation, red, blue);
    }
    unreachable!("the limit ends every battle")
}

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
        let size = Size::new(random.random_range(1..=60), random.random_range(1..=60)).unwrap();
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

/// A board from rows of `.`, `1` and `2`.
fn board(rows: &[&str]) -> LifelikeBoard {
    let size = Size::new(rows[0].len() as u64, rows.len() as u64).unwrap();
    let mut board = LifelikeBoard::new(size).unwrap();
    for (y, row) in (0..).zip(rows) {
        for (x, cell) in (0..).zip(row.chars()) {
            match cell {
                '1' => board.set(x, y, LifelikeCell::Red),
                '2' => board.set(x, y, LifelikeCell::Blue),
                _ => {}
            }
        }
    }
    board
}

fn life(edges: Edges) -> LifelikeRuleset {
    LifelikeRuleset {
        rule: Rule::LIFE,
        edges,
        ties: Ties::Seeded(5),
    }
}

#[test]
fn known_ends() {
    let blinkers = board(&[
        "..............",
        "..1........2..",
        "..1........2..",
        "..1........2..",
        "..............",
    ]);
    let blocks = board(&["11..22", "11..22", "......", "......"]);
    // A star of period 3 (a cross of four blinker thirds): the smallest that Life offers is the
    // pulsar; with a block of the other colour beside it.
    let pulsar = board(&[
        ".....................",
        "....111...111........",
        ".....................",
        "..1....1.1....1......",
        "..1....1.1....1......",
        "..1....1.1....1......",
        "....111...111........",
        ".....................",
        "....111...111........",
        "..1....1.1....1...22.",
        "..1....1.1....1...22.",
        "..1....1.1....1......",
        ".....................",
        "....111...111........",
        ".....................",
        ".....................",
    ]);
    let both_die = board(&["1....2", "......", "......", "......"]);
    let red_dies = board(&["1...22", "....22", "......", "......"]);
    let gliders = board(&[
        ".1..........",
        "..1.........",
        "111.........",
        "............",
        "............",
        "............",
        "......2.....",
        ".......2....",
        ".....222....",
        "............",
        "............",
        "............",
    ]);
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
        for (engine_name, mut engine) in engines(life(edges)) {
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
        let size = Size::new(random.random_range(2..=5), random.random_range(2..=5)).unwrap();
        let start = start::random(size, 0.4, random.next_u64()).unwrap();
        let mut boards = vec![start.clone()];
        let mut reference = ReferenceEngine::new(ruleset);
        reference.load(&start).unwrap();
        reference.step_filmed(40, &mut boards).unwrap();
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
            // Under watch from the third last board on, so that only this generation is judged.
            engine.load(&boards[generation - 2]).unwrap();
            let mut seen: Vec<GenerationStats> = Vec::new();
            engine.step_with_stats(1, &mut seen).unwrap();
            if seen[0].is_settled() {
                continue;
            }
            engine.step_with_stats(1, &mut seen).unwrap();
            let expected = GenerationStats {
                census: boards[generation].census(),
                period: None,
            };
            assert_eq!(seen[1], expected, "{name}");
            assert_eq!(Referee::new(None).judge(2, seen[1]), None);
        }
    }
}

/// Earlier boards are remembered across calls and through other ways of stepping, and forgotten
/// when a board is loaded.
#[test]
fn what_is_remembered_of_earlier_boards() {
    let blinkers = board(&[
        "..........",
        "..1....2..",
        "..1....2..",
        "..1....2..",
        "..........",
    ]);
    let watch = |engine: &mut dyn Engine| {
        let mut seen = Vec::new();
        engine.step_with_stats(1, &mut seen).unwrap();
        seen[0].period
    };
    for (name, mut engine) in engines(life(Edges::Dead)) {
        let engine = engine.as_mut();
        for round in 0..3 {
            engine.load(&blinkers).unwrap();
            assert_eq!(watch(engine), None, "{name}, {round}");
            assert_eq!(watch(engine), Some(2), "{name}, {round}");
            engine.step(5).unwrap();
            assert_eq!(watch(engine), Some(2), "{name}, {round}");
            engine.step_counted(3, &mut Vec::new()).unwrap();
            assert_eq!(watch(engine), Some(2), "{name}, {round}");
        }
        // The board loaded last is the present one again, turned: still nothing is remembered.
        let now = engine.read().unwrap();
        engine.load(&now).unwrap();
        assert_eq!(watch(engine), None, "{name}");
    }
}
