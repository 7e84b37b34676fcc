use std::sync::Arc;

use duolife::board::Board;
use duolife::engine::cpu::CpuEngine;
use duolife::engine::gpu::{GpuEngine, GpuFamily, Kernels};
use duolife::engine::reference::ReferenceEngine;
use duolife::engine::{Engine, Family, GenerationStats};
use duolife::rules::Ruleset;

use super::kernels;

pub(crate) type AnyEngine<R> = Box<dyn Engine<<R as Ruleset>::Board>>;

/// All engines of this machine under one ruleset, by name.
pub(crate) fn engines<R: Family>(ruleset: R) -> Vec<(&'static str, AnyEngine<R>)> {
    let mut engines: Vec<(&str, AnyEngine<R>)> = vec![
        ("reference", Box::new(ReferenceEngine::new(ruleset))),
        ("cpu", Box::new(CpuEngine::new(ruleset))),
    ];
    if let Some(kernels) = kernels() {
        let gpu = GpuEngine::new(&kernels, ruleset).unwrap();
        engines.push(("gpu", Box::new(gpu)));
    }
    engines
}

/// Generations per pass, and the threads that share a tile of a subgroup; with `None` the passes
/// do without subgroups.
pub(crate) type Way = (u32, Option<u32>);

/// A GPU engine that computes in such passes.
pub(crate) fn gpu<R: GpuFamily>(
    kernels: &Arc<Kernels>,
    ruleset: R,
    (pass, threads): Way,
) -> GpuEngine<R> {
    let engine = GpuEngine::new(kernels, ruleset).unwrap().with_pass(pass);
    match threads {
        Some(threads) => engine.with_tile_threads(threads),
        None => engine.portable(),
    }
}

/// The board that an engine makes of another one.
pub(crate) fn after<B: Board>(engine: &mut dyn Engine<B>, board: &B, generations: u64) -> B {
    engine.load(board).unwrap();
    engine.step(generations).unwrap();
    engine.read().unwrap()
}

/// The statistics of generation `now` from an engine into which generation `loaded` was loaded.
pub(crate) fn stats_of<B: Board>(
    boards: &[B],
    loaded: usize,
    now: usize,
) -> GenerationStats<B::Census> {
    let repeats = |period: u8| {
        let period = usize::from(period);
        now - loaded >= period && boards[now - period] == boards[now]
    };
    GenerationStats {
        census: boards[now].census(),
        period: [1, 2].into_iter().find(|&period| repeats(period)),
    }
}
