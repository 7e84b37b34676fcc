//! The fastest kernels of an adapter: measured, remembered, used.

use std::sync::Arc;

use anyhow::Result;

use crate::engine::EngineError;
use crate::engine::gpu::Kernels;
use crate::engine::gpu::tune::{Circuits, Timed, Tuning};
use crate::store::tuning::{TunedKernel, TuningError, Tunings};

/// Lets kernels be what was remembered of their device. Returns what a person should know.
pub(super) fn recall(kernels: &Kernels) -> Option<String> {
    match recalled(kernels) {
        // Nobody is told of a folder for things that were not measured.
        Ok(()) | Err(TuningError::NoFolder) => None,
        Err(error) => Some(error.to_string()),
    }
}

fn recalled(kernels: &Kernels) -> Result<(), TuningError> {
    let gpu = kernels.gpu();
    for kernel in Tunings::of_user()?.of(gpu.name(), &gpu.driver())? {
        kernels.tune_named(&kernel.circuits, kernel.generations, kernel.subgroups);
    }
    Ok(())
}

/// Measures the kernels for some rules, the fastest first, and lets that one be used.
pub(super) fn measure(
    kernels: &Arc<Kernels>,
    circuits: Circuits,
) -> Result<Vec<Timed>, EngineError> {
    let timed = kernels.measure(circuits)?;
    if let Some(fastest) = timed.first() {
        kernels.tune(circuits, fastest.tuning);
    }
    Ok(timed)
}

/// Remembers the fastest kernels of a device.
pub(super) fn keep(kernels: &Kernels, fastest: &[(Circuits, Tuning)]) -> Result<(), TuningError> {
    let gpu = kernels.gpu();
    let fastest: Vec<TunedKernel> = fastest
        .iter()
        .map(|&(circuits, tuning)| TunedKernel {
            circuits: circuits.name().into(),
            generations: tuning.generations,
            subgroups: tuning.subgroups,
        })
        .collect();
    Tunings::of_user()?.keep(gpu.name(), &gpu.driver(), &fastest)
}

/// A kernel in a few words.
pub(super) fn told(timed: &Timed) -> String {
    let Timed {
        tuning,
        cells_a_second,
    } = timed;
    let tiles = match (tuning.generations, tuning.subgroups) {
        (1, _) => "one generation a pass".into(),
        (generations, false) => format!("{generations} generations a pass, a thread a tile"),
        (generations, true) => format!("{generations} generations a pass, a subgroup a tile"),
    };
    format!("{tiles}: {cells_a_second:.2e} cells a second")
}
