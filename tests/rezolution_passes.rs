use duolife::board::population::{Ground, Spot};
use duolife::board::{Edges, Populations, Size};
use duolife::engine::Engine;
use duolife::engine::conformance::{
    Case, Depth, Drawer, Fault, Faulty, SuiteKind, check, expected,
};
use duolife::engine::gpu::GpuEngine;
use duolife::rules::rezolution::Ruleset;

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg32;

use crate::kernels;

/// Populations up to `largest` on both sides, barriers and targets.
fn drawn(size: Size, largest: i8, random: &mut Pcg32) -> Populations {
    let mut board = Populations::new(size).unwrap();
    for y in 0..size.height() {
        for x in 0..size.width() {
            let (population, ground) = match random.random_range(0..16) {
                0 => (0, Ground::Barrier),
                1 => (0, Ground::Target),
                _ => (random.random_range(-largest..=largest), Ground::Open),
            };
            board.set(x, y, Spot { population, ground });
        }
    }
    board
}

/// Boards of every width modulo a tile, a word and a word of barriers, one and more strips and blocks
/// high; some too small for a pass.
#[test]
fn populations_conform_in_passes_of_every_length_on_the_gpu() {
    let Some(kernels) = kernels() else { return };
    let mut random = Pcg32::seed_from_u64(11);
    let widths = (64..=80).chain([1, 3, 8, 13, 31, 63, 95, 127, 128, 129, 250]);
    let mut case = 0;
    for width in widths {
        for edges in [Edges::Torus, Edges::Dead] {
            case += 1;
            let height = [8, 9, 33, 40][case % 4];
            let largest = [2, 5, 127][case % 3];
            let board = drawn(Size::new(width, height).unwrap(), largest, &mut random);
            let case_of = Case {
                board,
                ruleset: Ruleset { edges },
                generations: 27,
            };
            let boards = expected(&case_of).unwrap();
            for pass in [4, 2] {
                let engine = GpuEngine::new(&kernels, case_of.ruleset).unwrap();
                let rows = [16, 1, 7, 64][case / 2 % 4];
                let engine = engine.portable().with_strip_rows(rows).with_pass(pass);
                // Blocks are listed only where nothing is poisoned.
                let mut engine = match case % 5 {
                    0 => engine.by_blocks(),
                    _ => engine.poisoned(),
                };
                let found = check(&mut engine, &case_of, &boards, Depth::EveryPath).unwrap();
                assert_eq!(found, None, "{width}x{height}, {edges}, {pass} a pass");
            }
        }
    }
}

#[test]
fn long_populations_conform_in_passes_on_the_gpu() {
    let Some(kernels) = kernels() else { return };
    let mut drawer = Drawer::new(12);
    for index in 0..6 {
        let case = drawer
            .draw::<Ruleset>(SuiteKind::LongPopulations, index)
            .unwrap();
        let engine = GpuEngine::new(&kernels, case.ruleset).unwrap();
        let mut engine = engine
            .portable()
            .with_pass([4, 2][index as usize / 2 % 2])
            .poisoned();
        let boards = expected(&case).unwrap();
        let found = check(&mut engine, &case, &boards, Depth::EveryPath).unwrap();
        assert_eq!(found, None, "{index}");
    }
}

/// Passes that lead to a planted fault and on from it: what is planted is there and has consequences.
#[test]
fn a_planted_population_is_caught_in_every_pass() {
    let Some(kernels) = kernels() else { return };
    let mut random = Pcg32::seed_from_u64(13);
    let case = Case {
        board: drawn(Size::new(90, 30).unwrap(), 4, &mut random),
        ruleset: Ruleset {
            edges: Edges::Torus,
        },
        generations: 18,
    };
    let boards = expected(&case).unwrap();
    for pass in [2, 4] {
        let mut caught = 0;
        for x in (0..90).step_by(10) {
            let engine = GpuEngine::new(&kernels, case.ruleset).unwrap();
            let mut engine = engine.portable().with_pass(pass);
            let (generation, y) = (9, 29);
            let mut faulty = Faulty::new(&mut engine, Fault { generation, x, y });
            faulty.load(&case.board).unwrap();
            faulty.step(generation - 1).unwrap();
            assert!(faulty.read().unwrap() == boards[8], "{x}, {pass} a pass");
            faulty.step(6).unwrap();
            caught += u32::from(faulty.read().unwrap() != boards[14]);
        }
        // Some heal.
        assert!(caught >= 4, "{caught} caught, {pass} a pass");
    }
}
