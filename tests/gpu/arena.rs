use duolife::board::{Edges, start};
use duolife::engine::gpu::arena::{GpuArena, Task};
use duolife::rules::{LifelikeRuleset, Ties, notation};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg32;

use crate::support::boards::size;
use crate::support::kernels;

#[test]
fn a_device_without_subgroups_ends_games_alike() {
    let Some(kernels) = kernels() else { return };
    let mut random = Pcg32::seed_from_u64(77);
    let tasks: Vec<Task> = (0..120)
        .map(|seed| {
            let size = size(random.random_range(1..=90), random.random_range(1..=60));
            Task {
                ruleset: LifelikeRuleset {
                    rule: notation::parse("B36/S23").unwrap(),
                    edges: Edges::Torus,
                    ties: Ties::Seeded(seed),
                },
                limit: random.random_range(1..=200),
                start: start::random(size, 0.3, seed).unwrap(),
            }
        })
        .collect();
    let arenas = [
        GpuArena::new(kernels.gpu()),
        GpuArena::portable(kernels.gpu()),
    ];
    let [ours, portable] = arenas.map(|arena| {
        let runs = arena.unwrap().play(&tasks, &|| false).unwrap().unwrap();
        runs.into_iter()
            .map(|run| (run.decided, run.stats, run.peak, run.board.digest()))
            .collect::<Vec<_>>()
    });
    assert_eq!(ours, portable);
}
