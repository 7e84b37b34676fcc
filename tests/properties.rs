use duolife::board::rezolution::{Ground, RezolutionCell};
use duolife::board::{Edges, LifelikeBoard, RezolutionBoard, Size, start};
use duolife::engine::cpu::CpuEngine;
use duolife::engine::reference::ReferenceEngine;
use duolife::format::Limits;
use duolife::format::rezolution::{RezolutionDocument, encode, parse};
use duolife::rules::{LifelikeRuleset, RezolutionRuleset, Rule, Ties};
use glam::{UVec2, uvec2};
use proptest::prelude::*;

use crate::support::boards::{BARRIER, size};
use crate::support::engines::after;

proptest! {
    /// Seeded ties are blind to colours, on the CPU and the reference.
    #[test]
    fn swapping_the_colours_of_a_start_swaps_its_whole_future(
        ruleset in rulesets(), board in boards(), generations in 1u64..30
    ) {
        let future = after(&mut CpuEngine::new(ruleset), &board, generations);
        let swapped = after(&mut CpuEngine::new(ruleset), &board.swapped(), generations);
        prop_assert_eq!(future.swapped(), swapped);
        let reference = after(&mut ReferenceEngine::new(ruleset), &board.swapped(), generations);
        prop_assert_eq!(future.swapped(), reference);
    }

    /// A tie is decided by the position on the board, not by the board's size: far from the border
    /// a board with dead edges and a larger one have the same future.
    #[test]
    fn ties_do_not_depend_on_the_size_of_the_board(
        ruleset in rulesets(), board in boards(), wider in 1u64..50, higher in 1u64..50
    ) {
        let ruleset = LifelikeRuleset { edges: Edges::Dead, ..ruleset };
        let size = board.size();
        let larger = Size::new(u64::from(size.width()) + wider, u64::from(size.height()) + higher);
        let mut placed = LifelikeBoard::new(larger.unwrap()).unwrap();
        placed.place(&board, UVec2::ZERO).unwrap();
        let small = after(&mut CpuEngine::new(ruleset), &board, 1);
        let large = after(&mut CpuEngine::new(ruleset), &placed, 1);
        for y in 0..size.height() {
            for x in 0..size.width() {
                prop_assert_eq!(small.cell(uvec2(x, y)), large.cell(uvec2(x, y)));
            }
        }
    }

    /// The colours never influence who lives: with all cells red the same cells live.
    #[test]
    fn life_and_death_do_not_depend_on_colours(
        ruleset in rulesets(), board in boards(), generations in 1u64..20
    ) {
        let plain = LifelikeBoard::from_planes(
            board.size(),
            board.alive().to_vec(),
            vec![0; board.alive().len()],
        ).unwrap();
        let coloured = after(&mut CpuEngine::new(ruleset), &board, generations);
        let red = after(&mut CpuEngine::new(ruleset), &plain, generations);
        prop_assert_eq!(coloured.alive(), red.alive());
        prop_assert_eq!(red.census().blue, 0, "a board of one colour keeps it");
    }
}

proptest! {
    #[test]
    fn swapping_the_colours_of_populations_swaps_their_whole_future(
        board in populations(), torus: bool, generations in 1u64..12
    ) {
        let edges = if torus { Edges::Torus } else { Edges::Dead };
        let ruleset = RezolutionRuleset { edges };
        let future = after(&mut CpuEngine::new(ruleset), &board, generations);
        let swapped = after(&mut CpuEngine::new(ruleset), &board.swapped(), generations);
        prop_assert_eq!(future.swapped(), swapped);
        let reference = after(&mut ReferenceEngine::new(ruleset), &board, generations);
        prop_assert_eq!(&future, &reference);
        // Barriers and targets are what they were, and barriers empty.
        prop_assert_eq!(future.terrain(), board.terrain());
        prop_assert!(future.terrain().with_populations(future.populations().to_vec()).is_ok());
    }

    #[test]
    fn a_saved_run_continues_as_if_it_had_not_been_saved(board in populations(), torus: bool) {
        let edges = if torus { Edges::Torus } else { Edges::Dead };
        let ruleset = RezolutionRuleset { edges };
        let half = after(&mut CpuEngine::new(ruleset), &board, 4);
        let mut file = Vec::new();
        let document = RezolutionDocument { board: &half, edges: Some(edges), generation: 4 };
        encode(&document, &mut file).unwrap();
        let read = parse(&file, &Limits::default()).unwrap();
        let whole = after(&mut CpuEngine::new(ruleset), &board, 8);
        prop_assert_eq!(after(&mut CpuEngine::new(ruleset), &read.board, 4), whole);
    }
}

fn rulesets() -> impl Strategy<Value = LifelikeRuleset> {
    (1u16..256, 0u16..512, any::<bool>(), any::<u64>()).prop_map(
        |(birth, survival, torus, seed)| LifelikeRuleset {
            rule: Rule::new(birth << 1, survival).unwrap(),
            edges: if torus { Edges::Torus } else { Edges::Dead },
            ties: Ties::Seeded(seed),
        },
    )
}

fn boards() -> impl Strategy<Value = LifelikeBoard> {
    (1u64..100, 1u64..30, 0.05f64..0.7, any::<u64>()).prop_map(|(width, height, density, seed)| {
        start::random(size(width, height), density, seed).unwrap()
    })
}

fn populations() -> impl Strategy<Value = RezolutionBoard> {
    let sizes = (1u64..40, 1u64..20, 1i8..=127);
    sizes.prop_flat_map(|(width, height, largest)| {
        let spot = (0..12, -largest..=largest).prop_map(|(kind, population)| match kind {
            0 => BARRIER,
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
                board.set(uvec2(at % width as u32, at / width as u32), spot);
            }
            board
        })
    })
}
