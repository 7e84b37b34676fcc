use std::collections::BTreeMap;
use std::fs;
use std::sync::Arc;

use duolife::board::rezolution::{Ground, RezolutionCell};
use duolife::board::{Edges, RezolutionBoard, Size, start};
use duolife::engine::conformance::{
    Depth, Difference, Drawer, Fault, Faulty, SuiteKind, check, expected,
};
use duolife::engine::cpu::CpuEngine;
use duolife::engine::gpu::{AdapterSelector, GpuEngine, Kernels, select_adapter};
use duolife::engine::reference::ReferenceEngine;
use duolife::engine::{Engine, EngineError};
use duolife::format::Limits;
use duolife::format::rezolution::{RezolutionDocument, encode, parse};
use duolife::rules::RezolutionRuleset;
use proptest::prelude::*;
use serde::Deserialize;

use crate::kernels;
use crate::support::program::{Place, duolife, engines, json, refusal, stdout, text};

type AnyEngine = Box<dyn Engine<RezolutionBoard>>;

/// All engines of this machine under one ruleset.
fn all_engines(ruleset: RezolutionRuleset) -> Vec<(&'static str, AnyEngine)> {
    let mut engines: Vec<(&str, AnyEngine)> = vec![
        ("reference", Box::new(ReferenceEngine::new(ruleset))),
        ("cpu", Box::new(CpuEngine::new(ruleset))),
    ];
    if let Some(kernels) = kernels() {
        let gpu = GpuEngine::new(&kernels, ruleset).unwrap();
        engines.push(("gpu", Box::new(gpu)));
    }
    engines
}

fn size(width: u64, height: u64) -> Size {
    Size::new(width, height).unwrap()
}

/// A board from rows of cells as a board file has them.
fn board(rows: &str) -> RezolutionBoard {
    let rows = rows.trim();
    let width = rows.lines().next().unwrap().split_whitespace().count();
    let height = rows.lines().count();
    let file = format!("duolife populations 1\nsize {width}x{height}\n{rows}");
    parse(file.as_bytes(), &Limits::default()).unwrap().board
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Corpus {
    case: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    edges: Vec<String>,
    start: String,
    /// Generation to board.
    after: BTreeMap<String, String>,
}

/// Runs the corpus on one engine and reports all failures at once.
fn check_corpus(make: impl Fn(RezolutionRuleset) -> AnyEngine) {
    let corpus: Corpus = toml::from_str(include_str!("../cases/rezolution.toml")).unwrap();
    let mut names: Vec<&str> = corpus.case.iter().map(|case| case.name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    assert!(names.len() == corpus.case.len() && !names.is_empty());
    let mut failures = String::new();
    for case in &corpus.case {
        assert!(!case.after.is_empty(), "{}: nothing is checked", case.name);
        for edges in &case.edges {
            let ruleset = RezolutionRuleset {
                edges: match edges.as_str() {
                    "torus" => Edges::Torus,
                    "dead" => Edges::Dead,
                    other => panic!("{other}"),
                },
            };
            for swap in [false, true] {
                let swapped = |board: RezolutionBoard| if swap { board.swapped() } else { board };
                let mut engine = make(ruleset);
                // Whatever is written of a case ends with its first populated target.
                let mut reached = None;
                for (generation, expected) in &case.after {
                    let generation: u64 = generation.parse().unwrap();
                    let expected = swapped(board(expected));
                    if expected.census().reached > 0 {
                        reached.get_or_insert(generation);
                    }
                    engine.load(&swapped(board(&case.start))).unwrap();
                    engine.step(generation).unwrap();
                    let found = engine.read().unwrap();
                    if found != expected || engine.census().unwrap() != expected.census() {
                        failures += &format!(
                            "{}, {edges}, generation {generation}, swapped {swap}:\n{found:?}\n",
                            case.name
                        );
                    }
                }
                if let Some(reached) = reached {
                    engine.load(&swapped(board(&case.start))).unwrap();
                    let mut seen = Vec::new();
                    engine.step_with_stats(100, &mut seen).unwrap();
                    assert_eq!(seen.len() as u64, reached, "{}: under watch", case.name);
                    let expected = swapped(board(&case.after[&reached.to_string()]));
                    assert_eq!(engine.read().unwrap(), expected, "{}", case.name);
                }
            }
        }
    }
    assert!(failures.is_empty(), "{failures}");
}

#[test]
fn corpus_reference() {
    check_corpus(|ruleset| Box::new(ReferenceEngine::new(ruleset)));
}

#[test]
fn corpus_cpu() {
    check_corpus(|ruleset| Box::new(CpuEngine::new(ruleset).poisoned()));
}

#[test]
fn corpus_gpu() {
    let Some(kernels) = kernels() else { return };
    check_corpus(|ruleset| Box::new(GpuEngine::new(&kernels, ruleset).unwrap().poisoned()));
}

#[test]
fn random_boards_conform_on_the_gpu() {
    let Some(kernels) = kernels() else { return };
    let mut drawer = Drawer::new(5);
    for (kind, cases) in [
        (SuiteKind::Rezolution, 40),
        (SuiteKind::LongPopulations, 4),
        (SuiteKind::Sums, 1),
    ] {
        for index in 0..cases {
            let case = drawer.draw::<RezolutionRuleset>(kind, index).unwrap();
            let rows = [1, 4, 7, 16][index as usize % 4];
            let engine = GpuEngine::new(&kernels, case.ruleset).unwrap();
            let mut engine = engine.with_strip_rows(rows).poisoned();
            let expected = expected(&case).unwrap();
            let found = check(&mut engine, &case, &expected, Depth::EveryPath).unwrap();
            assert_eq!(found, None, "{kind} {index}");
        }
    }
}

#[test]
fn a_planted_bit_is_caught_on_the_gpu() {
    let Some(kernels) = kernels() else { return };
    let case = Drawer::new(6)
        .draw::<RezolutionRuleset>(SuiteKind::Rezolution, 0)
        .unwrap();
    let expected = expected(&case).unwrap();
    let mut engine = GpuEngine::new(&kernels, case.ruleset).unwrap();
    let fault = Fault {
        generation: 9,
        x: 3,
        y: 5,
    };
    let mut faulty = Faulty::new(&mut engine, fault);
    let found = check(&mut faulty, &case, &expected, Depth::EveryPath);
    let found = found.unwrap().unwrap();
    let (width, height) = (found.size.width(), found.size.height());
    assert_eq!(found.generation, 9);
    assert!(
        matches!(found.difference, Difference::Cell { x, y, .. } if (x, y) == (3 % width, 5 % height)),
        "{found}"
    );
}

/// Every size from 1x1 to 18x18, and all that a seam of four cells can be next to.
#[test]
fn every_small_size_equals_the_reference() {
    for edges in [Edges::Torus, Edges::Dead] {
        let mut engines = all_engines(RezolutionRuleset { edges });
        let sizes = (1..=18).flat_map(|w| (1..=18).map(move |h| (w, h)));
        for (width, height) in sizes.chain((30..=70).map(|w| (w, 3))) {
            let empty = RezolutionBoard::new(size(width, height)).unwrap();
            let mut board = start::demo(&empty, 0.6, width * 64 + height).unwrap();
            if width * height > 2 {
                let (x, y) = (board.size().width() / 2, board.size().height() / 2);
                let ground = Ground::Barrier;
                let population = 0;
                board.set(x, y, RezolutionCell { population, ground });
            }
            let mut boards = Vec::new();
            for (_, engine) in &mut engines {
                engine.load(&board).unwrap();
                engine.step(3).unwrap();
                boards.push(engine.read().unwrap());
            }
            for (board, (name, _)) in boards.iter().zip(&engines) {
                assert_eq!(*board, boards[0], "{name}, {width}x{height}, {edges}");
            }
        }
    }
}

/// Crowds near both ends of boards that need more than 65,535 workgroups.
#[test]
fn boards_past_65535_workgroups() {
    let Some(kernels) = kernels() else { return };
    for (width, height) in [(8, 2_200_000), (2_200_000, 8), (1, 4_300_000)] {
        for edges in [Edges::Torus, Edges::Dead] {
            let mut board = RezolutionBoard::new(size(width, height)).unwrap();
            let (right, bottom) = (board.size().width() - 1, board.size().height() - 1);
            for (x, y) in [(0, 0), (right, bottom), (right / 2, bottom / 2)] {
                board.set(x, y, RezolutionCell::open(3));
            }
            let mut gpu = GpuEngine::new(&kernels, RezolutionRuleset { edges })
                .unwrap()
                .with_strip_rows(1);
            let mut cpu = CpuEngine::new(RezolutionRuleset { edges });
            for engine in [&mut gpu as &mut dyn Engine<RezolutionBoard>, &mut cpu] {
                engine.load(&board).unwrap();
                engine.step(1).unwrap();
            }
            let found = gpu.read().unwrap();
            assert_eq!(found, cpu.read().unwrap(), "{width}x{height} {edges}");
            assert_eq!(gpu.census().unwrap(), found.census());
            assert!(found.census().red > 0);
        }
    }
}

#[test]
fn limits_and_orders_are_errors_on_every_engine() {
    let edges = Edges::Dead;
    for (name, mut engine) in all_engines(RezolutionRuleset { edges }) {
        assert!(matches!(engine.step(1), Err(EngineError::NothingLoaded)));
        assert!(matches!(engine.census(), Err(EngineError::NothingLoaded)));
        assert!(matches!(engine.read(), Err(EngineError::NothingLoaded)));
        let watched = engine.step_with_stats(2, &mut Vec::new());
        assert!(matches!(watched, Err(EngineError::NothingLoaded)), "{name}");
    }
    let Some(kernels) = kernels() else { return };
    let plane = kernels.gpu().largest_plane();
    if plane <= 1 << 28 {
        let mut engine = GpuEngine::new(&kernels, RezolutionRuleset { edges }).unwrap();
        // Too few rows for bands.
        let board = RezolutionBoard::new(size(plane / 10, 11)).unwrap();
        let refused = engine.load(&board).unwrap_err();
        assert!(matches!(refused, EngineError::TooLarge { .. }), "{refused}");
        let small = start::demo(&RezolutionBoard::new(size(50, 20)).unwrap(), 0.4, 1).unwrap();
        engine.load(&small).unwrap();
        assert_eq!(engine.read().unwrap(), small);
    }
    // A device of its own, to be lost.
    let found = select_adapter(&AdapterSelector::default()).unwrap();
    let kernels = Arc::new(Kernels::new(&found.open().unwrap()).unwrap());
    let mut engine = GpuEngine::new(&kernels, RezolutionRuleset { edges }).unwrap();
    let board = start::demo(&RezolutionBoard::new(size(80, 60)).unwrap(), 0.4, 1).unwrap();
    engine.load(&board).unwrap();
    kernels.gpu().destroy();
    let failed = |error| matches!(error, EngineError::Device { .. });
    assert!(failed(engine.step(3).unwrap_err()));
    assert!(failed(engine.read().unwrap_err()));
    assert!(failed(
        engine.step_with_stats(3, &mut Vec::new()).unwrap_err()
    ));
}

/// Boards with targets somewhere, and where each run ends: told by every engine under watch, and by
/// a judge that looks at every board of the reference.
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
            let barrier = RezolutionCell {
                population: 0,
                ground: Ground::Barrier,
            };
            ground.set(x, y, barrier);
        }
        let target = RezolutionCell {
            population: 0,
            ground: Ground::Target,
        };
        ground.set(side - 2, (seed as u32 * 7) % side, target);
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
        for (name, mut engine) in all_engines(RezolutionRuleset { edges }) {
            engine.load(&board).unwrap();
            let mut seen = Vec::new();
            engine.step_with_stats(LIMIT, &mut seen).unwrap();
            assert_eq!(seen.len() as u64, expected.0, "{name}, seed {seed}");
            let last = engine.read().unwrap();
            assert_eq!(last.census(), seen.last().unwrap().census, "{name}");
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

/// A battle is named by its seed, so what a seed means must never change.
#[test]
fn a_demo_keeps_its_meaning() {
    let empty = RezolutionBoard::new(size(150, 100)).unwrap();
    for (edges, golden) in [(Edges::Dead, GOLDEN[0]), (Edges::Torus, GOLDEN[1])] {
        let board = start::demo(&empty, 0.5, 3).unwrap();
        for (name, mut engine) in all_engines(RezolutionRuleset { edges }) {
            engine.load(&board).unwrap();
            engine.step(200).unwrap();
            assert_eq!(engine.read().unwrap().digest(), golden, "{name}, {edges}");
        }
    }
}

const GOLDEN: [&str; 2] = [
    "6102823ae6871f6dc9dbd100be2f6788991734021779d492db238592d0e1bb3d",
    "4e993bb9ed41a89b7f527ebe3a3d62e3a26c4deda433ad296fa7496f1ef048c6",
];

fn boards() -> impl Strategy<Value = RezolutionBoard> {
    let sizes = (1u64..40, 1u64..20, 1i8..=127);
    sizes.prop_flat_map(|(width, height, largest)| {
        let spot = (0..12, -largest..=largest).prop_map(|(kind, population)| match kind {
            0 => RezolutionCell {
                population: 0,
                ground: Ground::Barrier,
            },
            1 => RezolutionCell {
                population,
                ground: Ground::Target,
            },
            2..5 => RezolutionCell::open(0),
            _ => RezolutionCell::open(population),
        });
        let spots = prop::collection::vec(spot, (width * height) as usize);
        spots.prop_map(move |spots| {
            let mut board = RezolutionBoard::new(size(width, height)).unwrap();
            for (at, spot) in (0..).zip(spots) {
                board.set(at % width as u32, at / width as u32, spot);
            }
            board
        })
    })
}

fn after(
    mut engine: impl Engine<RezolutionBoard>,
    board: &RezolutionBoard,
    generations: u64,
) -> RezolutionBoard {
    engine.load(board).unwrap();
    engine.step(generations).unwrap();
    engine.read().unwrap()
}

proptest! {
    #[test]
    fn swapping_the_colours_of_a_start_swaps_its_whole_future(
        board in boards(), torus: bool, generations in 1u64..12
    ) {
        let edges = if torus { Edges::Torus } else { Edges::Dead };
        let future = after(CpuEngine::new(RezolutionRuleset { edges }), &board, generations);
        let swapped = after(CpuEngine::new(RezolutionRuleset { edges }), &board.swapped(), generations);
        prop_assert_eq!(future.swapped(), swapped);
        let reference = after(ReferenceEngine::new(RezolutionRuleset { edges }), &board, generations);
        prop_assert_eq!(&future, &reference);
        // Barriers and targets are what they were, and barriers empty.
        prop_assert_eq!(future.terrain(), board.terrain());
        prop_assert!(future.terrain().with_populations(future.populations().to_vec()).is_ok());
    }

    #[test]
    fn a_saved_run_goes_on_as_if_it_had_not_been(board in boards(), torus: bool) {
        let edges = if torus { Edges::Torus } else { Edges::Dead };
        let half = after(CpuEngine::new(RezolutionRuleset { edges }), &board, 4);
        let mut file = Vec::new();
        let document = RezolutionDocument { board: &half, edges: Some(edges), generation: 4 };
        encode(&document, &mut file).unwrap();
        let read = parse(&file, &Limits::default()).unwrap();
        let whole = after(CpuEngine::new(RezolutionRuleset { edges }), &board, 8);
        prop_assert_eq!(after(CpuEngine::new(RezolutionRuleset { edges }), &read.board, 4), whole);
    }
}

/// A wall of barriers with a gap, red on its left, and a target behind it.
const MAZE: &str = "duolife populations 1
size 24x12
edges dead

 .  .  .  .  .  .  .  .  .  .  .  .  .  .  #  .  .  .  .  .  .  .  .  .
 .  .  .  .  .  .  .  .  .  .  .  .  .  .  #  .  .  .  .  .  .  .  .  .
 .  .  .  . -1 -1 -1  .  .  .  .  .  .  .  #  .  .  .  .  .  .  .  .  .
 .  .  .  .  . -1  .  .  .  .  .  .  .  .  #  .  .  .  .  .  .  .  .  .
 .  .  .  .  .  .  .  .  .  .  .  .  .  .  #  .  .  .  .  .  .  .  .  .
 .  .  .  . +1 +1 +1  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .
 .  .  .  . +1 +1  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  x  .  .
 .  .  .  . +1 +1 +1  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .
 .  .  .  .  .  .  .  .  .  .  .  .  .  .  #  .  .  .  .  .  .  .  .  .
 .  .  .  .  .  .  .  .  .  .  .  .  .  .  #  .  .  .  .  .  .  .  .  .
 .  .  .  .  .  .  .  .  .  .  .  .  .  .  #  .  .  .  .  .  .  .  .  .
 .  .  .  .  .  .  .  .  .  .  .  .  .  .  #  .  .  .  .  .  .  .  .  .
";

#[test]
fn the_program_stops_when_a_target_behind_a_wall_is_reached() {
    let place = Place::new();
    let maze = place.file("maze.unknown", MAZE);
    let mut digests = Vec::new();
    for engine in engines() {
        let (out, counts) = (place.name("end.rez"), place.name("counts.csv"));
        let report = json(&[
            "run",
            &maze,
            "--generations",
            "500",
            "--engine",
            engine,
            "--json",
            "--digest",
            "--output",
            &out,
            "--census",
            &counts,
        ]);
        assert_eq!(report["rule"], "rezolution");
        assert_eq!(report["edges"], "dead");
        assert_eq!(report["generation"], 25, "{engine}");
        assert_eq!(report["target_reached"], true);
        assert_eq!(report["targets_reached"], 1);
        assert_eq!(report["interrupted"], false);
        assert_eq!(report["status"], "target reached, both are left");
        digests.push(report["digest"].clone());
        let lines = fs::read_to_string(&counts).unwrap();
        let lines: Vec<&str> = lines.lines().collect();
        assert_eq!(
            lines[0],
            "generation,red,blue,red_population,blue_population"
        );
        assert_eq!(lines[1], "0,8,4,8,4");
        assert_eq!(lines.len(), 27, "{engine}");
        let last = format!(
            "25,{},{},{},{}",
            report["red"], report["blue"], report["red_population"], report["blue_population"]
        );
        assert_eq!(lines[26], last);
        // What is saved is read back, and has nothing left to do.
        let saved = fs::read_to_string(&out).unwrap();
        assert!(
            saved.contains("generation 25\n") && saved.contains("x+1"),
            "{saved}"
        );
        let again = json(&["run", &out, "--engine", engine, "--json", "--digest"]);
        assert_eq!(again["generation"], 25);
        assert_eq!(again["digest"], report["digest"]);
        assert_eq!(again["unchanged"], serde_json::Value::Null);
    }
    assert!(digests.iter().all(|digest| *digest == digests[0]));
    let said = stdout(&["run", &maze, "--generations", "30", "--engine", "cpu"]);
    assert!(
        said.starts_with("rezolution, dead, 24x12, generation 25: 79 red cells of 154, 30 blue cells of 78, 1 target populated (target reached, both are left)\n"),
        "{said}"
    );
}

#[test]
fn engines_agree_on_a_demo_and_tell_how_it_stands() {
    let mut digests = Vec::new();
    for engine in engines() {
        let report = json(&[
            "run",
            "--rule",
            "reZolution",
            "--start",
            "demo",
            "--size",
            "90x70",
            "--seed",
            "3",
            "--generations",
            "150",
            "--engine",
            engine,
            "--json",
            "--digest",
        ]);
        assert_eq!(
            (&report["width"], &report["height"]),
            (&90.into(), &70.into())
        );
        assert_eq!(report["generation"], 150);
        assert_eq!(report["unchanged"], false, "{engine}");
        assert_eq!(report["outcome"], "undecided");
        assert!(report["red_population"].as_u64() > report["red"].as_u64());
        digests.push(report["digest"].clone());
    }
    assert!(digests.iter().all(|digest| *digest == digests[0]));

    let place = Place::new();
    let status = |rows: &str, generations: &str| {
        let width = rows.lines().next().unwrap().split_whitespace().count();
        let height = rows.lines().count();
        let text = format!("duolife populations 1\nsize {width}x{height}\n{rows}");
        let file = place.file("status.rez", &text);
        let report = json(&[
            "run",
            &file,
            "--generations",
            generations,
            "--json",
            "--engine",
            "cpu",
        ]);
        report["status"].as_str().unwrap().to_owned()
    };
    // A block of four lives on, a lone cell dies.
    assert_eq!(status("+1 +1\n+1 +1", "5"), "blue is gone, nothing changed");
    assert_eq!(status("-1 -1\n-1 -1", "0"), "red is gone");
    assert_eq!(status("+1", "1"), "all is empty");
    assert_eq!(status("+1", "2"), "all is empty, nothing changed");
    assert_eq!(
        status("+1 +1 . -1 -1\n+1 +1 . -1 -1", "9"),
        "both are left, nothing changed"
    );
    assert_eq!(status("x+2", "9"), "target reached, blue is gone");
}

/// Wide enough for passes of several generations that are counted, and that end in their middle.
#[test]
fn the_program_counts_every_generation_of_a_pass() {
    let place = Place::new();
    let mut board = RezolutionBoard::new(size(150, 140)).unwrap();
    let spot = |population, ground| RezolutionCell { population, ground };
    for y in 0..140 {
        for x in 0..150 {
            let population = [2, -1, 0, 1, -2, 0, 1][(x * x + 3 * y * y + x * y) as usize % 7];
            match (x, y) {
                (0..60, 20..90) => board.set(x, y, spot(population, Ground::Open)),
                (80, 0..100) => board.set(x, y, spot(0, Ground::Barrier)),
                (120, 64) => board.set(x, y, spot(0, Ground::Target)),
                _ => {}
            }
        }
    }
    let document = RezolutionDocument {
        board: &board,
        edges: Some(Edges::Dead),
        generation: 0,
    };
    let mut text = Vec::new();
    encode(&document, &mut text).unwrap();
    let file = place.file("fight.rez", str::from_utf8(&text).unwrap());
    let run = |engine: &str, pass: &[&str]| {
        let counts = place.name("counts.csv");
        let arguments = [
            "run",
            &file,
            "--generations",
            "2000",
            "--engine",
            engine,
            "--json",
            "--digest",
            "--census",
            &counts,
        ];
        let report = json(&[&arguments[..], pass].concat());
        assert_eq!(report["target_reached"], true, "{engine} {pass:?}");
        let counted = fs::read_to_string(&counts).unwrap();
        (
            report["generation"].clone(),
            report["digest"].clone(),
            counted,
        )
    };
    let expected = run("reference", &[]);
    assert!(expected.0.as_u64() > Some(40), "{}", expected.0);
    for pass in ["1", "2", "5", "8"] {
        assert!(run("cpu", &["--pass", pass]) == expected, "{pass} a pass");
    }
}

#[test]
fn a_demo_keeps_the_barriers_and_targets_of_a_file() {
    let place = Place::new();
    let maze = place.file("maze.rez", MAZE);
    let out = place.name("out.txt");
    stdout(&[
        "run",
        &maze,
        "--start",
        "demo",
        "--seed",
        "4",
        "--generations",
        "0",
        "--output",
        &out,
        "--size",
        "40x20",
        "--edges",
        "torus",
        "--density",
        "0.4",
    ]);
    let pattern = parse(&fs::read(&out).unwrap(), &Limits::default()).unwrap();
    assert_eq!(pattern.edges, Some(Edges::Torus));
    assert_eq!(pattern.board.size(), size(40, 20));
    let spots = || (0..20).flat_map(|y| pattern.board.row(y).collect::<Vec<_>>());
    let count = |ground| spots().filter(|spot| spot.ground == ground).count();
    assert_eq!((count(Ground::Barrier), count(Ground::Target)), (9, 1));
    assert_eq!(
        pattern.board.get(8 + 14, 4),
        RezolutionCell {
            population: 0,
            ground: Ground::Barrier
        }
    );
    let census = pattern.board.census();
    assert_eq!(census.reached, 0, "a target is not populated by the demo");
    assert!((80..240).contains(&(census.red + census.blue)), "{census}");
    assert_eq!(census.red, census.red_population);
}

#[test]
fn pictures_films_and_conversions() {
    let place = Place::new();
    let maze = place.file("maze.rez", MAZE);
    let (png, frames, gif) = (
        place.name("maze.png"),
        place.name("frames"),
        place.name("a.gif"),
    );
    stdout(&["convert", &maze, &png, "--scale", "4"]);
    let decoder = png::Decoder::new(std::io::Cursor::new(fs::read(&png).unwrap()));
    let mut reader = decoder.read_info().unwrap();
    let mut rgb = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut rgb).unwrap();
    assert_eq!((info.width, info.height), (96, 48));
    let pixel = |x: usize, y: usize| &rgb[3 * (y * 96 + x)..][..3];
    assert_eq!(pixel(4 * 14, 0), [0, 0, 0], "a barrier");
    assert_eq!(
        pixel(4 * 21, 4 * 6),
        [0xff, 0xe0, 0x4d],
        "the outline of a target"
    );
    assert_eq!(pixel(4 * 21 + 1, 4 * 6 + 1), pixel(0, 0), "its inside");
    assert!(pixel(4 * 4, 4 * 5)[0] > pixel(0, 0)[0] + 40, "red");

    let report = json(&[
        "run",
        &maze,
        "--generations",
        "60",
        "--every",
        "10",
        "--frames",
        &frames,
        "--gif",
        &gif,
        "--y4m",
        &place.name("a.y4m"),
        "--apng",
        &place.name("a.png"),
        "--image-size",
        "50x50",
        "--json",
        "--engine",
        "cpu",
    ]);
    // Generations 0, 10 and 20; the run ends at 25.
    assert_eq!(report["frames"], 3);
    assert!(place.path("frames").join("frame-000002.png").is_file());
    assert!(fs::read(&gif).unwrap().starts_with(b"GIF89a"));

    let text = stdout(&["convert", &maze, "-", "--edges", "torus"]);
    assert!(text.contains("edges torus\n"), "{text}");
    let again = parse(text.as_bytes(), &Limits::default()).unwrap().board;
    assert_eq!(
        again,
        parse(MAZE.as_bytes(), &Limits::default()).unwrap().board
    );
}

#[test]
fn what_does_not_go_with_populations_is_refused_by_name() {
    let place = Place::new();
    let maze = place.file("maze.rez", MAZE);
    let rle = place.file("a.rle", "x = 3, y = 1\n3o!");
    let out = place.name("out.rez");
    let odd = place.file(
        "odd.rez",
        "duolife populations 1\nsize 3x2\n. . #\n. +128 .\n",
    );
    for (arguments, said) in [
        (
            &["duel", &maze][..],
            "maze.rez: this is a board of reZolution",
        ),
        (&["run", &maze, "--rule", "B3/S23"], "leave out --rule"),
        (
            &["run", &rle, "--rule", "rezolution"],
            "a.rle: this board has no populations",
        ),
        (
            &["run", "--red", &maze, "--blue", &rle],
            "maze.rez: this is a board of reZolution",
        ),
        (
            &["run", &maze, "--turn", "90"],
            "--turn does not go with rezolution",
        ),
        (
            &["run", &maze, "--ties", "red"],
            "--ties does not go with rezolution",
        ),
        (&["run", &maze, "--size", "10x10"], "choose a larger --size"),
        (&["run", "--start", "demo"], "add --rule rezolution"),
        (&["run", &rle, "--start", "random"], "leave one of them"),
        (&["run", &maze, "--density", "0.2"], "add --start demo"),
        (
            &["run", "--rule", "rezolution", "--start", "random"],
            "--start demo",
        ),
        (
            &["run", "--rule", "rezolution", "--size", "200000x200000"],
            "too large",
        ),
        (
            &["run", &maze, "--output", "end.rle"],
            "RLE files have no place for populations",
        ),
        (
            &["run", &rle, "--output", &out],
            "no populations; write RLE",
        ),
        (
            &["convert", &maze, "end.mc"],
            "macrocell files have no place for populations",
        ),
        (&["convert", &rle, &out], "no populations; write RLE"),
        (
            &["convert", &maze, &out, "--rule", "B3/S23"],
            "--rule does not go with",
        ),
        (&["rule-file", "rezolution"], "reZolution is no B/S rule"),
        (
            &["run", &odd],
            "odd.rez: line 4, column 4: expected a population from 1 to 127 after the sign, found '128'",
        ),
    ] {
        let message = refusal(arguments);
        assert!(message.contains(said), "{arguments:?}: {message}");
    }
    assert!(!place.path("out.rez").exists());
}

#[test]
fn conform_covers_the_family_and_finds_a_planted_fault() {
    let quick = [
        "conform",
        "--family",
        "rezolution",
        "--populations",
        "12",
        "--long-populations",
        "0",
        "--sums",
        "0",
        "--engine",
        "cpu",
    ];
    let said = stdout(&quick);
    assert!(said.contains("populations"), "{said}");
    assert!(!said.contains("small boards"), "{said}");
    let planted = duolife(&[&quick[..], &["--quiet", "--plant-fault", "3,17,5,9"]].concat());
    assert_eq!(planted.status.code(), Some(1));
    let said = text(&planted.stdout);
    for part in [
        "populations, board 3, engine cpu: family rezolution, rule rezolution, ",
        "generation 17 differs",
        "(from 0); 3x3 before:",
        "reference: ",
    ] {
        assert!(said.contains(part), "{said}");
    }
}
