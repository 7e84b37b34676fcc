use std::sync::Arc;

use duolife::board::{Edges, LifelikeBoard, RezolutionBoard, start};
use duolife::engine::conformance::{
    Case, Difference, Drawer, Fault, Faulty, Path, SuiteKind, check, expected,
};
use duolife::engine::cpu::CpuEngine;
use duolife::engine::gpu::{GpuEngine, Kernels};
use duolife::engine::{Engine, Family};
use duolife::rules::notation::parse;
use duolife::rules::{LifelikeRuleset, RezolutionRuleset, Ties};
use rand::SeedableRng;
use rand_pcg::Pcg32;

use crate::support::boards::{life, random_populations, size};
use crate::support::engines::gpu;
use crate::support::kernels;

/// Passes have the length that was set, in either family, with subgroups and without.
#[test]
fn passes_have_the_length_that_was_set() {
    fn longest<R: Family>(kernels: &Arc<Kernels>, ruleset: R, board: &R::Board) -> Vec<u64> {
        let lengths = [1, 2, 3, 4, 8, 100].into_iter();
        let both = lengths.flat_map(|pass| {
            let engine = || GpuEngine::new(kernels, ruleset).unwrap().with_pass(pass);
            [engine(), engine().portable()]
        });
        let mut longest: Vec<u64> = both
            .map(|mut engine| {
                engine.load(board).unwrap();
                engine.batching().generations_per_pass
            })
            .collect();
        let portable = longest.chunks(2).all(|both| both[0] == both[1]);
        assert!(portable, "{longest:?}");
        longest.dedup();
        longest
    }
    let Some(kernels) = kernels() else { return };
    let size = size(200, 40);
    let board = LifelikeBoard::new(size).unwrap();
    assert_eq!(longest(&kernels, life(Edges::Torus), &board), [1, 2, 4, 8]);
    let ruleset = RezolutionRuleset { edges: Edges::Dead };
    let board = RezolutionBoard::new(size).unwrap();
    assert_eq!(longest(&kernels, ruleset, &board), [1, 2, 4]);
}

/// Passes of several generations, with and without subgroups: widths around those of words, tiles
/// and a torus' seam, heights around those of strips.
#[test]
fn every_border_of_tiles_strips_and_boards_equals_the_cpu() {
    let Some(kernels) = kernels() else { return };
    let rules = ["B3/S23", "B36/S23", "B35678/S5678", "B234/S", "B2468/S0"];
    let widths = [
        1, 2, 31, 32, 33, 38, 48, 61, 63, 64, 65, 70, 95, 96, 97, 111, 128, 193, 777, 959, 960, 961,
    ];
    let mut seed = 0;
    for (i, rule) in rules.into_iter().enumerate() {
        for edges in [Edges::Torus, Edges::Dead] {
            let ties = match (i, edges) {
                (0 | 2, _) => Ties::Red,
                (4, Edges::Torus) => Ties::Checkerboard,
                (4, Edges::Dead) => Ties::Blue,
                _ => Ties::Seeded(5),
            };
            let rule = parse(rule).unwrap();
            let ruleset = LifelikeRuleset { rule, edges, ties };
            for portable in [false, true] {
                for &width in &widths {
                    for height in [1, 7, 8, 9, 40, 64, 65, 130] {
                        seed += 1;
                        // Each of them with some of the others.
                        if seed % 5 != 0 {
                            continue;
                        }
                        let size = size(width, height);
                        let board = start::random(size, 0.4, seed).unwrap();
                        let mut gpu = GpuEngine::new(&kernels, ruleset).unwrap().poisoned();
                        gpu = gpu.with_pass([2, 4, 8][seed as usize / 5 % 3]);
                        if seed / 5 % 2 == 0 {
                            gpu = gpu.by_blocks();
                        }
                        gpu = gpu.with_strip_rows([64, 5, 1][seed as usize / 15 % 3]);
                        if portable {
                            gpu = gpu.portable();
                        }
                        let mut cpu = CpuEngine::new(ruleset);
                        for engine in [&mut gpu as &mut dyn Engine, &mut cpu] {
                            engine.load(&board).unwrap();
                            engine.step(9).unwrap();
                        }
                        let (found, expected) = (gpu.read().unwrap(), cpu.read().unwrap());
                        assert!(found == expected, "{size} {ruleset} {portable} {seed}");
                        // The last generation but one is remembered.
                        let mut stats = [Vec::new(), Vec::new()];
                        gpu.step_with_stats(2, &mut stats[0]).unwrap();
                        cpu.step_with_stats(2, &mut stats[1]).unwrap();
                        assert_eq!(stats[0], stats[1], "{size} {ruleset} {portable} {seed}");
                    }
                }
            }
        }
    }
}

/// A planted fault is located by every pass of several generations, and passes go on from it.
#[test]
fn a_planted_bit_is_caught_in_every_pass() {
    let Some(kernels) = kernels() else { return };
    let case = Case {
        board: start::random(size(130, 70), 0.4, 3).unwrap(),
        ruleset: life(Edges::Torus),
        generations: 40,
    };
    let boards = expected(&case).unwrap();
    for (pass, portable) in [2, 4, 8]
        .into_iter()
        .flat_map(|pass| [(pass, false), (pass, true)])
    {
        let mut engine = GpuEngine::new(&kernels, case.ruleset)
            .unwrap()
            .with_pass(pass);
        if portable {
            engine = engine.portable();
        }
        assert_eq!(
            check(&mut engine, &case, &boards, &Path::ALL).unwrap(),
            None
        );
        let (generation, x, y) = (20, 96, 69);
        let fault = Fault { generation, x, y };
        let mut faulty = Faulty::new(&mut engine, fault);
        let found = check(&mut faulty, &case, &boards, &Path::ALL);
        let found = found.unwrap().unwrap();
        assert_eq!(found.generation, generation);
        assert!(matches!(
            found.difference,
            Difference::Cell { x: 96, y: 69, .. }
        ));
        // Twenty generations at once, and another twenty after the fault.
        faulty.load(&case.board).unwrap();
        faulty.step(generation - 1).unwrap();
        assert!(faulty.read().unwrap() == boards.boards[19]);
        faulty.step(21).unwrap();
        assert!(
            faulty.read().unwrap() != boards.boards[40],
            "{pass} {portable}"
        );
    }
}

/// Boards of every width modulo a tile, a word and a word of barriers, one and more strips and blocks
/// high; some too small for a pass.
#[test]
fn rezolution_conforms_in_passes_of_every_length() {
    let Some(kernels) = kernels() else { return };
    let mut random = Pcg32::seed_from_u64(11);
    let widths = (64..=80).chain([1, 3, 8, 13, 31, 63, 95, 127, 128, 129, 250]);
    let mut case = 0;
    for width in widths {
        for edges in [Edges::Torus, Edges::Dead] {
            case += 1;
            let height = [8, 9, 33, 40][case % 4];
            let largest = [2, 5, 127][case % 3];
            let board = random_populations(size(width, height), largest, &mut random);
            let case_of = Case {
                board,
                ruleset: RezolutionRuleset { edges },
                generations: 27,
            };
            let boards = expected(&case_of).unwrap();
            for (number, pass) in [4, 2].into_iter().enumerate() {
                let threads = TILES[(case / 2 + number) % 5];
                let engine = gpu(&kernels, case_of.ruleset, (pass, threads));
                let rows = [16, 1, 7, 64][case / 2 % 4];
                let engine = engine.with_strip_rows(rows);
                // Idle blocks are left out only where nothing is poisoned.
                let mut engine = match case % 5 {
                    0 => engine.by_blocks(),
                    _ => engine.poisoned(),
                };
                let found = check(&mut engine, &case_of, &boards, &Path::ALL).unwrap();
                let what = format!("{width}x{height}, {edges}, {pass} per pass, {threads:?}");
                assert_eq!(found, None, "{what}");
            }
        }
    }
}

#[test]
fn long_boards_of_rezolution_conform_in_passes() {
    let Some(kernels) = kernels() else { return };
    let mut drawer = Drawer::new(12);
    for index in 0..6 {
        let case = drawer
            .draw::<RezolutionRuleset>(SuiteKind::LongPopulations, index)
            .unwrap();
        let way = ([4, 2][index as usize / 2 % 2], TILES[index as usize % 5]);
        let mut engine = gpu(&kernels, case.ruleset, way).poisoned();
        let boards = expected(&case).unwrap();
        let found = check(&mut engine, &case, &boards, &Path::ALL).unwrap();
        assert_eq!(found, None, "{index}");
    }
}

/// Passes that lead to a planted fault and on from it: what is planted is there and has consequences.
#[test]
fn a_planted_population_is_caught_in_every_pass() {
    let Some(kernels) = kernels() else { return };
    let mut random = Pcg32::seed_from_u64(13);
    let case = Case {
        board: random_populations(size(90, 30), 4, &mut random),
        ruleset: RezolutionRuleset {
            edges: Edges::Torus,
        },
        generations: 18,
    };
    let boards = expected(&case).unwrap();
    for pass in [2, 4] {
        let mut caught = 0;
        for x in (0..90).step_by(10) {
            let way = (pass, TILES[x as usize / 10 % 5]);
            let mut engine = gpu(&kernels, case.ruleset, way);
            let (generation, y) = (9, 29);
            let mut faulty = Faulty::new(&mut engine, Fault { generation, x, y });
            faulty.load(&case.board).unwrap();
            faulty.step(generation - 1).unwrap();
            assert!(
                faulty.read().unwrap() == boards.boards[8],
                "{x}, {pass} per pass"
            );
            faulty.step(6).unwrap();
            caught += u32::from(faulty.read().unwrap() != boards.boards[14]);
        }
        // Some heal.
        assert!(caught >= 4, "{caught} caught, {pass} per pass");
    }
}

/// The threads that share a tile of a subgroup; with `None` passes do without subgroups.
pub(super) const TILES: [Option<u32>; 5] = [None, Some(8), Some(1), None, Some(2)];
