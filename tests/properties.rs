use duolife::board::{Edges, LifelikeBoard, Size, start};
use duolife::engine::Engine;
use duolife::engine::cpu::CpuEngine;
use duolife::engine::reference::ReferenceEngine;
use duolife::rules::{LifelikeRuleset, Rule, Ties};
use proptest::prelude::*;

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
        start::random(Size::new(width, height).unwrap(), density, seed).unwrap()
    })
}

fn after(mut engine: impl Engine, board: &LifelikeBoard, generations: u64) -> LifelikeBoard {
    engine.load(board).unwrap();
    engine.step(generations).unwrap();
    engine.read().unwrap()
}

proptest! {
    /// Seeded ties are blind to colours, on both ways of computing them.
    #[test]
    fn swapping_the_colours_of_a_start_swaps_its_whole_future(
        ruleset in rulesets(), board in boards(), generations in 1u64..30
    ) {
        let future = after(CpuEngine::new(ruleset), &board, generations);
        let swapped = after(CpuEngine::new(ruleset), &board.swapped(), generations);
        prop_assert_eq!(future.swapped(), swapped);
        let reference = after(ReferenceEngine::new(ruleset), &board.swapped(), generations);
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
        placed.place(&board, 0, 0).unwrap();
        let small = after(CpuEngine::new(ruleset), &board, 1);
        let large = after(CpuEngine::new(ruleset), &placed, 1);
        for y in 0..size.height() {
            for x in 0..size.width() {
                prop_assert_eq!(small.get(x, y), large.get(x, y));
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
        let coloured = after(CpuEngine::new(ruleset), &board, generations);
        let red = after(CpuEngine::new(ruleset), &plain, generations);
        prop_assert_eq!(coloured.alive(), red.alive());
        prop_assert_eq!(red.census().blue, 0, "a board of one colour keeps it");
    }
}
