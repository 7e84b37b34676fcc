use std::collections::BTreeMap;

use duolife::board::{Edges, LifelikeBoard, LifelikeCell, Size, start};
use duolife::engine::Engine;
use duolife::engine::cpu::CpuEngine;
use duolife::engine::gpu::GpuEngine;
use duolife::engine::reference::ReferenceEngine;
use duolife::rules::{LifelikeRuleset, Ties, notation};
use serde::Deserialize;

use crate::kernels;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Corpus {
    case: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    rule: String,
    edges: Vec<String>,
    ties: Option<String>,
    start: String,
    /// Generation to board.
    after: BTreeMap<String, String>,
}

fn corpus() -> Vec<Case> {
    let corpus: Corpus = toml::from_str(include_str!("cases/lifelike.toml")).unwrap();
    let mut names: Vec<&str> = corpus.case.iter().map(|case| case.name.as_str()).collect();
    let count = names.len();
    names.sort_unstable();
    names.dedup();
    assert!(count > 0 && names.len() == count, "names are unique");
    corpus.case
}

fn board(rows: &str) -> LifelikeBoard {
    let rows: Vec<&str> = rows.split_whitespace().collect();
    let size = Size::new(rows[0].len() as u64, rows.len() as u64).unwrap();
    let mut board = LifelikeBoard::new(size).unwrap();
    for (y, row) in (0..).zip(rows) {
        assert_eq!(row.len(), size.width() as usize, "row {y}");
        for (x, cell) in (0..).zip(row.chars()) {
            let cell = match cell {
                '.' => LifelikeCell::Dead,
                '1' => LifelikeCell::Red,
                '2' => LifelikeCell::Blue,
                other => panic!("{other}"),
            };
            board.set(x, y, cell);
        }
    }
    board
}

/// Runs the corpus on one engine and reports all failures at once.
fn check(make: impl Fn(LifelikeRuleset) -> Box<dyn Engine>) {
    let mut failures = String::new();
    for case in corpus() {
        for edges in &case.edges {
            let ruleset = LifelikeRuleset {
                rule: notation::parse(&case.rule).unwrap(),
                edges: match edges.as_str() {
                    "torus" => Edges::Torus,
                    "dead" => Edges::Dead,
                    other => panic!("{other}"),
                },
                ties: match case.ties.as_deref() {
                    None => Ties::Seeded(0),
                    Some("red") => Ties::Red,
                    Some("blue") => Ties::Blue,
                    Some("checkerboard") => Ties::Checkerboard,
                    Some(other) => panic!("{other}"),
                },
            };
            let start = board(&case.start);
            assert!(!case.after.is_empty(), "{}: nothing is checked", case.name);
            for (generation, expected) in &case.after {
                // Both with the colours as written and swapped, where colours play no part.
                let swaps = match ruleset.ties {
                    Ties::Seeded(_) => &[false, true][..],
                    _ => &[false],
                };
                for &swap in swaps {
                    let swapped = |board: LifelikeBoard| if swap { board.swapped() } else { board };
                    let mut engine = make(ruleset);
                    engine.load(&swapped(start.clone())).unwrap();
                    engine.step(generation.parse().unwrap()).unwrap();
                    let found = engine.read().unwrap();
                    if found != swapped(board(expected)) {
                        failures += &format!(
                            "{}, {edges}, generation {generation}, swapped {swap}:\n{found:?}\n",
                            case.name
                        );
                    }
                }
            }
        }
    }
    assert!(failures.is_empty(), "{failures}");
}

#[test]
fn corpus_reference() {
    check(|ruleset| Box::new(ReferenceEngine::new(ruleset)));
}

#[test]
fn corpus_cpu() {
    check(|ruleset| Box::new(CpuEngine::new(ruleset).poisoned()));
}

#[test]
fn corpus_gpu() {
    let Some(kernels) = kernels() else { return };
    check(|ruleset| Box::new(GpuEngine::new(&kernels, ruleset).unwrap().poisoned()));
}

/// A battle is named by its seed, so what a seed means must never change.
#[test]
fn seeded_battles_keep_their_meaning() {
    let size = Size::new(77, 50).unwrap();
    let goldens = [
        ("B36/S23", Edges::Torus, GOLDEN[0]),
        ("B2/S", Edges::Dead, GOLDEN[1]),
        ("B4678/S35678", Edges::Torus, GOLDEN[2]),
    ];
    for (rule, edges, golden) in goldens {
        let ruleset = LifelikeRuleset {
            rule: notation::parse(rule).unwrap(),
            edges,
            ties: Ties::Seeded(2026),
        };
        let board = start::random(size, 0.35, 2026).unwrap();
        let mut engines: Vec<Box<dyn Engine>> = vec![
            Box::new(ReferenceEngine::new(ruleset)),
            Box::new(CpuEngine::new(ruleset)),
        ];
        if let Some(kernels) = kernels() {
            engines.push(Box::new(GpuEngine::new(&kernels, ruleset).unwrap()));
        }
        for mut engine in engines {
            engine.load(&board).unwrap();
            engine.step(150).unwrap();
            assert_eq!(engine.read().unwrap().digest(), golden, "{rule}");
        }
    }
}

const GOLDEN: [&str; 3] = [
    "af785c2d0968ca3201ecfa29861e301d2cb242979719aab8b57acc70d2fec26c",
    "b599ef488d5de1a7a9e19d5ccc7a122cc356aef7abd218a0880beca7fbda985f",
    "740a4cb96af7e5771af73ed719bce1e61fb86e59989ae84127fd8dba84b4af64",
];
