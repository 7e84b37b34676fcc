use std::collections::BTreeMap;

use duolife::board::{Board, Edges, LifelikeBoard, RezolutionBoard, start};
use duolife::engine::Family;
use duolife::engine::cpu::CpuEngine;
use duolife::engine::gpu::GpuEngine;
use duolife::engine::reference::ReferenceEngine;
use duolife::rules::{LifelikeRuleset, RezolutionRuleset, Ties, notation};
use serde::Deserialize;

use crate::support::boards::{lifelike, rezolution, size};
use crate::support::engines::{AnyEngine, after, engines};
use crate::support::kernels;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Corpus {
    case: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    /// In the notation of Life-like rules; other families have one rule.
    rule: Option<String>,
    edges: Vec<String>,
    ties: Option<String>,
    start: String,
    /// Generation to board.
    after: BTreeMap<String, String>,
}

impl Case {
    /// The generations that the case shows, in order.
    fn generations<R: CorpusFamily>(&self) -> BTreeMap<u64, R::Board> {
        assert!(!self.after.is_empty(), "{}: nothing is checked", self.name);
        let boards = self.after.iter();
        let boards = boards.map(|(generation, rows)| (generation.parse().unwrap(), R::rows(rows)));
        boards.collect()
    }
}

/// A family whose corpus stands in `tests/cases`.
trait CorpusFamily: Family {
    /// The file.
    const CORPUS: &str;

    fn ruleset(case: &Case, edges: Edges) -> Self;

    /// A board from the rows of a case.
    fn rows(rows: &str) -> Self::Board;

    /// The board with red and blue exchanged.
    fn swapped(board: Self::Board) -> Self::Board;

    /// Whether exchanged colours lead to exchanged boards.
    fn is_colour_blind(self) -> bool;

    /// The generation that ends a run with statistics, where a case shows it.
    fn end(boards: &BTreeMap<u64, Self::Board>) -> Option<u64>;
}

impl CorpusFamily for LifelikeRuleset {
    const CORPUS: &str = include_str!("cases/lifelike.toml");

    fn ruleset(case: &Case, edges: Edges) -> Self {
        Self {
            rule: notation::parse(case.rule.as_deref().unwrap()).unwrap(),
            edges,
            ties: match case.ties.as_deref() {
                None => Ties::Seeded(0),
                Some("red") => Ties::Red,
                Some("blue") => Ties::Blue,
                Some("checkerboard") => Ties::Checkerboard,
                Some(other) => panic!("{other}"),
            },
        }
    }

    fn rows(rows: &str) -> LifelikeBoard {
        lifelike(rows)
    }

    fn swapped(board: LifelikeBoard) -> LifelikeBoard {
        board.swapped()
    }

    fn is_colour_blind(self) -> bool {
        match self.ties {
            Ties::Seeded(_) => true,
            Ties::Red | Ties::Blue | Ties::Checkerboard => false,
        }
    }

    /// A case shows only some of its generations.
    fn end(_: &BTreeMap<u64, LifelikeBoard>) -> Option<u64> {
        None
    }
}

impl CorpusFamily for RezolutionRuleset {
    const CORPUS: &str = include_str!("cases/rezolution.toml");

    fn ruleset(case: &Case, edges: Edges) -> Self {
        assert!(case.rule.is_none() && case.ties.is_none(), "{}", case.name);
        Self { edges }
    }

    fn rows(rows: &str) -> RezolutionBoard {
        rezolution(rows)
    }

    fn swapped(board: RezolutionBoard) -> RezolutionBoard {
        board.swapped()
    }

    fn is_colour_blind(self) -> bool {
        true
    }

    /// A case that reaches a target shows the first board in which it is populated.
    fn end(boards: &BTreeMap<u64, RezolutionBoard>) -> Option<u64> {
        let mut reached = boards
            .iter()
            .filter(|(_, board)| board.census().reached > 0);
        reached.next().map(|(&generation, _)| generation)
    }
}

/// The cases of a family, whose names are unique.
fn cases<R: CorpusFamily>() -> Vec<Case> {
    let corpus: Corpus = toml::from_str(R::CORPUS).unwrap();
    let mut names: Vec<&str> = corpus.case.iter().map(|case| case.name.as_str()).collect();
    let count = names.len();
    names.sort_unstable();
    names.dedup();
    assert!(count > 0 && names.len() == count, "names are unique");
    corpus.case
}

/// Runs the corpus of a family on one engine and reports all failures at once: the boards after
/// every generation that a case shows, their census, and the end of a run with statistics.
fn check<R: CorpusFamily>(make: impl Fn(R) -> AnyEngine<R>) {
    let mut failures = String::new();
    for case in cases::<R>() {
        let boards = case.generations::<R>();
        for edges in &case.edges {
            let ruleset = R::ruleset(
                &case,
                match edges.as_str() {
                    "torus" => Edges::Torus,
                    "dead" => Edges::Dead,
                    other => panic!("{other}"),
                },
            );
            let swaps: &[bool] = match ruleset.is_colour_blind() {
                true => &[false, true],
                false => &[false],
            };
            for &swap in swaps {
                let swapped = |board: R::Board| if swap { R::swapped(board) } else { board };
                let what = format!("{}, {edges}, swapped {swap}", case.name);
                let start = swapped(R::rows(&case.start));
                let mut engine = make(ruleset);
                for (&generation, expected) in &boards {
                    let expected = swapped(expected.clone());
                    let found = after(engine.as_mut(), &start, generation);
                    if found != expected || engine.census().unwrap() != expected.census() {
                        failures += &format!("{what}, generation {generation}:\n{found:?}\n");
                    }
                }
                if let Some(end) = R::end(&boards) {
                    engine.load(&start).unwrap();
                    let mut stats = Vec::new();
                    engine.step_with_stats(100, &mut stats).unwrap();
                    if stats.len() as u64 != end
                        || engine.read().unwrap() != swapped(boards[&end].clone())
                    {
                        failures += &format!("{what}: ends after {} generations\n", stats.len());
                    }
                }
            }
        }
    }
    assert!(failures.is_empty(), "{failures}");
}

#[test]
fn lifelike_on_the_reference() {
    check::<LifelikeRuleset>(|ruleset| Box::new(ReferenceEngine::new(ruleset)));
}

#[test]
fn lifelike_on_the_cpu() {
    check::<LifelikeRuleset>(|ruleset| Box::new(CpuEngine::new(ruleset).poisoned()));
}

#[test]
fn lifelike_on_the_gpu() {
    let Some(kernels) = kernels() else { return };
    check::<LifelikeRuleset>(|ruleset| {
        Box::new(GpuEngine::new(&kernels, ruleset).unwrap().poisoned())
    });
}

#[test]
fn rezolution_on_the_reference() {
    check::<RezolutionRuleset>(|ruleset| Box::new(ReferenceEngine::new(ruleset)));
}

#[test]
fn rezolution_on_the_cpu() {
    check::<RezolutionRuleset>(|ruleset| Box::new(CpuEngine::new(ruleset).poisoned()));
}

#[test]
fn rezolution_on_the_gpu() {
    let Some(kernels) = kernels() else { return };
    check::<RezolutionRuleset>(|ruleset| {
        Box::new(GpuEngine::new(&kernels, ruleset).unwrap().poisoned())
    });
}

/// A battle is named by its seed, so what a seed means must never change.
#[test]
fn seeded_battles_keep_their_meaning() {
    let board = start::random(size(77, 50), 0.35, 2026).unwrap();
    for (rule, edges, golden) in [
        ("B36/S23", Edges::Torus, LIFELIKE_GOLDEN[0]),
        ("B2/S", Edges::Dead, LIFELIKE_GOLDEN[1]),
        ("B4678/S35678", Edges::Torus, LIFELIKE_GOLDEN[2]),
    ] {
        let ruleset = LifelikeRuleset {
            rule: notation::parse(rule).unwrap(),
            edges,
            ties: Ties::Seeded(2026),
        };
        for (name, mut engine) in engines(ruleset) {
            let found = after(engine.as_mut(), &board, 150);
            assert_eq!(found.digest(), golden, "{name}, {rule}");
        }
    }
    let board = start::demo(&RezolutionBoard::new(size(150, 100)).unwrap(), 0.5, 3).unwrap();
    for (edges, golden) in [
        (Edges::Dead, REZOLUTION_GOLDEN[0]),
        (Edges::Torus, REZOLUTION_GOLDEN[1]),
    ] {
        for (name, mut engine) in engines(RezolutionRuleset { edges }) {
            let found = after(engine.as_mut(), &board, 200);
            assert_eq!(found.digest(), golden, "{name}, {edges}");
        }
    }
}

const LIFELIKE_GOLDEN: [&str; 3] = [
    "af785c2d0968ca3201ecfa29861e301d2cb242979719aab8b57acc70d2fec26c",
    "b599ef488d5de1a7a9e19d5ccc7a122cc356aef7abd218a0880beca7fbda985f",
    "740a4cb96af7e5771af73ed719bce1e61fb86e59989ae84127fd8dba84b4af64",
];

const REZOLUTION_GOLDEN: [&str; 2] = [
    "6102823ae6871f6dc9dbd100be2f6788991734021779d492db238592d0e1bb3d",
    "4e993bb9ed41a89b7f527ebe3a3d62e3a26c4deda433ad296fa7496f1ef048c6",
];
