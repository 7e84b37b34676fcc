use duolife::board::{Edges, start};
use duolife::engine::Engine;
use duolife::engine::cpu::CpuEngine;
use duolife::engine::gpu::GpuEngine;
use duolife::rules::notation::parse;
use duolife::rules::{LifelikeRuleset, Ties};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg32;

use crate::support::boards::size;
use crate::support::kernels;

/// Boards that fit into a workgroup, up to the largest of every shape, and such that do not.
#[test]
fn small_boards_are_computed_within_a_workgroup() {
    let Some(kernels) = kernels() else { return };
    let sizes = [
        (1, 1),
        (2, 9),
        (31, 64),
        (32, 2048),
        (33, 1024),
        (100, 512),
        (256, 256),
        (256, 257),
        (1000, 64),
        (2753, 23),
        (4129, 15),
        (8192, 8),
        (8191, 8),
        (8193, 1),
        (5, 2048),
    ];
    let mut random = Pcg32::seed_from_u64(5);
    for (number, (width, height)) in sizes.into_iter().enumerate() {
        for rule in ["B3/S23", "B36/S23", "B2468/S1357"] {
            let edges = [Edges::Torus, Edges::Dead][random.random_range(0..2)];
            let ties = [Ties::Seeded(number as u64), Ties::Checkerboard][random.random_range(0..2)];
            let ruleset = LifelikeRuleset {
                rule: parse(rule).unwrap(),
                edges,
                ties,
            };
            let size = size(width, height);
            let board = start::random(size, 0.4, number as u64).unwrap();
            let mut cpu = CpuEngine::new(ruleset);
            let mut engines = [true, false].map(|small| {
                let engine = GpuEngine::new(&kernels, ruleset).unwrap();
                engine.within_workgroup(small)
            });
            cpu.load(&board).unwrap();
            for engine in &mut engines {
                engine.load(&board).unwrap();
            }
            // One submission, several, and single generations after many.
            for generations in [2, 3, 40, 1, 300, 7] {
                cpu.step(generations).unwrap();
                for engine in &mut engines {
                    engine.step(generations).unwrap();
                    let read = engine.read().unwrap();
                    assert!(
                        read == cpu.read().unwrap(),
                        "{size} {rule} {edges}: {generations}"
                    );
                }
            }
            // The last generation but one is remembered.
            let mut expected = Vec::new();
            cpu.step_with_stats(2, &mut expected).unwrap();
            for engine in &mut engines {
                let mut stats = Vec::new();
                engine.step_with_stats(2, &mut stats).unwrap();
                assert_eq!(stats, expected, "{size} {rule} {edges}");
            }
        }
    }
}
