//! Generations of a random board on every engine: `cargo bench`.

#![allow(
    missing_docs,
    clippy::unwrap_used,
    reason = "criterion's macros make undocumented functions; a benchmark fails by panicking"
)]

use glam::uvec2;
use std::sync::Arc;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use duolife::board::hash::pcg4d;
use duolife::board::rezolution::RezolutionCell;
use duolife::board::{Edges, RezolutionBoard, Size, start};
use duolife::engine::Engine;
use duolife::engine::cpu::CpuEngine;
use duolife::engine::gpu::{AdapterSelector, GpuEngine, Kernels, select_adapter};
use duolife::engine::reference::ReferenceEngine;
use duolife::rules::{LifelikeRuleset, RezolutionRuleset, Ties, notation};

fn step(criterion: &mut Criterion) {
    let kernels = select_adapter(&AdapterSelector::default())
        .and_then(|found| found.adapter.open())
        .and_then(|gpu| Kernels::new(&gpu));
    let kernels = kernels.ok().map(Arc::new);
    for (rule, side, generations) in [
        ("B3/S23", 256, 4),
        ("B3/S23", 2048, 4),
        ("B36/S23", 2048, 4),
    ] {
        let size = Size::new(side, side).unwrap();
        let ruleset = LifelikeRuleset {
            rule: notation::parse(rule).unwrap(),
            edges: Edges::Torus,
            ties: Ties::Seeded(1),
        };
        let mut engines: Vec<(&str, Box<dyn Engine>)> =
            vec![("cpu", Box::new(CpuEngine::new(ruleset)))];
        if side <= 256 {
            engines.push(("reference", Box::new(ReferenceEngine::new(ruleset))));
        }
        if let Some(kernels) = &kernels {
            engines.push(("gpu", Box::new(GpuEngine::new(kernels, ruleset).unwrap())));
        }
        let mut group = criterion.benchmark_group(format!("step {rule}"));
        group.sample_size(10);
        group.throughput(Throughput::Elements(size.cells() * generations));
        let board = start::random(size, 0.35, 1).unwrap();
        for (name, mut engine) in engines {
            engine.load(&board).unwrap();
            group.bench_function(BenchmarkId::new(name, size), |bencher| {
                bencher.iter(|| engine.step(generations).unwrap());
            });
        }
        group.finish();
    }
}

/// Populations of up to 4 everywhere, fighting without end.
fn step_rezolution(criterion: &mut Criterion) {
    let kernels = select_adapter(&AdapterSelector::default())
        .and_then(|found| found.adapter.open())
        .and_then(|gpu| Kernels::new(&gpu));
    let kernels = kernels.ok().map(Arc::new);
    let ruleset = RezolutionRuleset {
        edges: Edges::Torus,
    };
    let generations = 4;
    for side in [256, 1024] {
        let size = Size::new(side, side).unwrap();
        let mut board = RezolutionBoard::new(size).unwrap();
        for (x, y) in (0..size.height()).flat_map(|y| (0..size.width()).map(move |x| (x, y))) {
            board.set(
                uvec2(x, y),
                RezolutionCell::open((pcg4d([x, y, 1, 0])[0] % 9) as i8 - 4),
            );
        }
        let mut engines: Vec<(&str, Box<dyn Engine<RezolutionBoard>>)> =
            vec![("cpu", Box::new(CpuEngine::new(ruleset)))];
        if side <= 256 {
            engines.push(("reference", Box::new(ReferenceEngine::new(ruleset))));
        }
        if let Some(kernels) = &kernels {
            engines.push(("gpu", Box::new(GpuEngine::new(kernels, ruleset).unwrap())));
        }
        let mut group = criterion.benchmark_group("step rezolution");
        group.sample_size(10);
        group.throughput(Throughput::Elements(size.cells() * generations));
        for (name, mut engine) in engines {
            engine.load(&board).unwrap();
            group.bench_function(BenchmarkId::new(name, size), |bencher| {
                bencher.iter(|| engine.step(generations).unwrap());
            });
        }
        group.finish();
    }
}

criterion_group!(benches, step, step_rezolution);
criterion_main!(benches);
