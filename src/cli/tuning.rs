//! The fastest kernels of an adapter: measured, remembered, used.

use std::sync::Arc;

use anyhow::Result;

use crate::engine::gpu::Kernels;
use crate::engine::gpu::tune::{RuleClass, Timed, Tuning};
use crate::engine::{EngineError, Family};
use crate::store::tuning::{self, TunedKernel, TuningError, Tunings};

/// Cells to compute from which the kernels of a card are measured first, unless they have been: the
/// fastest cards take some seconds for so much work, and about as long for measuring.
const WORTH_MEASURING: u128 = 1 << 45;

/// How an engine is going to be used.
#[derive(Clone, Copy, Default)]
pub(super) struct Workload {
    /// Cells to compute in all, as far as that is known.
    pub(super) cells: u128,
    /// The most generations per pass; `None` leaves that to the engine.
    pub(super) pass: Option<u32>,
}

/// Makes the fastest kernels of a device ready for a workload: those that are remembered, or, if the
/// workload is worth it, those that are measured now. Returns what there is to say about it.
///
/// # Errors
/// [`EngineError`] if the device fails.
pub(super) fn prepare<R: Family>(
    kernels: &Arc<Kernels>,
    ruleset: R,
    workload: Workload,
) -> Result<Vec<String>, EngineError> {
    let mut notes = Vec::from_iter(recall(kernels));
    if !kernels.gpu().is_software()
        && workload.pass.is_none()
        && workload.cells >= WORTH_MEASURING
        && let Some(rule_class) = ruleset.rule_class()
        && !kernels.is_tuned(rule_class)
    {
        let timed = measure(kernels, rule_class)?;
        if let Some(fastest) = timed.first() {
            notes.push(format!("measured: {}", describe(fastest)));
            if let Err(why) = keep(kernels, &[(rule_class, fastest.tuning)]) {
                notes.push(why.to_string());
            }
        }
    }
    Ok(notes)
}

/// Makes kernels the fastest that are remembered of their device. Returns why they are not, if that
/// is worth a note.
pub(super) fn recall(kernels: &Kernels) -> Option<String> {
    match tuning::recall(kernels) {
        // Without a folder nothing has been measured, either.
        Ok(()) | Err(TuningError::NoFolder) => None,
        Err(error) => Some(error.to_string()),
    }
}

/// Measures the kernels for some rules, the fastest first, and lets that one be used.
pub(super) fn measure(
    kernels: &Arc<Kernels>,
    rule_class: RuleClass,
) -> Result<Vec<Timed>, EngineError> {
    let timed = kernels.measure(rule_class)?;
    if let Some(fastest) = timed.first() {
        kernels.tune(rule_class, fastest.tuning);
    }
    Ok(timed)
}

/// Remembers the fastest kernels of a device.
pub(super) fn keep(kernels: &Kernels, fastest: &[(RuleClass, Tuning)]) -> Result<(), TuningError> {
    let gpu = kernels.gpu();
    let fastest: Vec<TunedKernel> = fastest
        .iter()
        .map(|&(rule_class, tuning)| TunedKernel {
            rule_class: rule_class.name().into(),
            generations: tuning.generations,
            subgroups: tuning.subgroups,
        })
        .collect();
    Tunings::of_user()?.keep(gpu.name(), &gpu.driver(), &fastest)
}

/// A kernel in a few words.
pub(super) fn describe(timed: &Timed) -> String {
    let Timed {
        tuning,
        cells_per_second,
    } = timed;
    let tiles = match (tuning.generations, tuning.subgroups) {
        (1, _) => "one generation per pass".into(),
        (generations, false) => format!("{generations} generations per pass, a thread per tile"),
        (generations, true) => format!("{generations} generations per pass, a subgroup per tile"),
    };
    format!("{tiles}: {cells_per_second:.2e} cells per second")
}
