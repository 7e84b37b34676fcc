//! Which kernel is the fastest on a device, measured.
//!
//! All kernels compute the same; how fast each is depends on the device: on its memory, its registers, its
//! driver. So the passes over large boards are measured on a soup, and the fastest is taken from then on.

use std::sync::{Arc, PoisonError};
use std::time::Duration;

use web_time::Instant;

use super::device::Gpu;
use super::engine::GpuEngine;
use super::family::GpuFamily;
use super::pipelines::Kernels;
use super::program::Form;
pub use super::tuning::{RuleClass, Tuning};

use crate::board::{LifelikeBoard, Size, start};
use crate::engine::{Engine, EngineError};
use crate::rules::LifelikeRuleset;

/// Side of the board that is measured: more than the caches of a card hold, and on a software adapter as
/// much as it computes in some hundredths of a second.
const HARDWARE_SIDE: u64 = 8192;
const SOFTWARE_SIDE: u64 = 2048;

/// Density of the soup.
const DENSITY: f64 = 0.35;

/// A measurement takes about this long.
const LEAST_TIME: Duration = Duration::from_millis(30);

/// The most generations of a measurement: a soup that has settled would be computed in part only.
const MOST_GENERATIONS: u64 = 512;

/// Measurements, of which the best counts: other work can only make them slower.
const MEASUREMENTS: u32 = 3;

/// A tuning and its measured speed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Timed {
    /// The tuning.
    pub tuning: Tuning,
    /// Cells per second.
    pub cells_per_second: f64,
}

impl Kernels {
    /// Makes engines of these kernels compute large boards as `tuning` says, under rules of `class`.
    pub fn tune(&self, class: RuleClass, tuning: Tuning) {
        let mut tunings = self.tunings.lock().unwrap_or_else(PoisonError::into_inner);
        tunings.insert(class, tuning);
    }

    /// Like [`tune`](Self::tune), for a class by its [name](RuleClass::name). An unknown name, as a newer version
    /// may have stored it, is ignored.
    pub fn tune_named(&self, name: &str, generations: u32, subgroups: bool) {
        if let Some(class) = RuleClass::of_name(name) {
            let tuning = Tuning {
                generations: generations.max(1),
                subgroups,
            };
            self.tune(class, tuning);
        }
    }

    /// Whether there is a tuning for this class of rules.
    pub fn is_tuned(&self, class: RuleClass) -> bool {
        self.tuning(class).is_some()
    }

    /// Measures all ways to compute large boards under rules of a class, which takes some seconds. The fastest
    /// is the first; those that the device refuses are left out.
    ///
    /// # Errors
    /// [`EngineError`] if the device fails, or if there is no memory for a board.
    pub fn measure(self: &Arc<Self>, class: RuleClass) -> Result<Vec<Timed>, EngineError> {
        let gpu = self.gpu();
        let ruleset = class.example();
        let board = soup(gpu)?;
        let passes = LifelikeRuleset::PASSES.iter();
        let passes = passes
            .filter(|pass| !pass.subgroups || gpu.subgroup().is_some())
            .map(|pass| Tuning {
                generations: pass.generations,
                subgroups: pass.subgroups,
            });
        let single = Tuning {
            generations: 1,
            subgroups: false,
        };
        let mut timed = Vec::new();
        for tuning in [single].into_iter().chain(passes) {
            match self.cells_per_second(ruleset, &board, tuning) {
                Ok(cells_per_second) => timed.push(Timed {
                    tuning,
                    cells_per_second,
                }),
                // A driver that takes one of the kernels need not take all.
                Err(error) if gpu.failure().is_none() => {
                    tracing::debug!(%error, ?tuning, "refused");
                }
                Err(error) => return Err(error),
            }
        }
        timed.sort_by(|a, b| b.cells_per_second.total_cmp(&a.cells_per_second));
        Ok(timed)
    }

    fn cells_per_second(
        self: &Arc<Self>,
        ruleset: LifelikeRuleset,
        board: &LifelikeBoard,
        tuning: Tuning,
    ) -> Result<f64, EngineError> {
        let mut engine = GpuEngine::new(self, ruleset)?
            .with_pass(tuning.generations)
            .with_form(Form::Folded)?;
        if !tuning.subgroups {
            engine = engine.portable();
        }
        let pass = u64::from(tuning.generations);
        let mut passes = 4;
        let mut best: f64 = 0.0;
        let mut measured = 0;
        engine.load(board)?;
        // Pipelines are made.
        engine.fast_forward(pass)?;
        loop {
            engine.load(board)?;
            // Whole passes.
            let generations = passes * pass;
            let since = Instant::now();
            engine.fast_forward(generations)?;
            let took = since.elapsed();
            let cells = board.size().cells() as f64 * generations as f64;
            best = best.max(cells / took.as_secs_f64());
            if took < LEAST_TIME && 2 * generations <= MOST_GENERATIONS {
                passes *= 2;
                continue;
            }
            measured += 1;
            if measured == MEASUREMENTS {
                return Ok(best);
            }
        }
    }
}

fn soup(gpu: &Gpu) -> Result<LifelikeBoard, EngineError> {
    let side = match gpu.is_software() {
        true => SOFTWARE_SIDE,
        false => HARDWARE_SIDE,
    };
    let Ok(size) = Size::new(side, side) else {
        unreachable!("boards have such sides")
    };
    start::random(size, DENSITY, 1).map_err(|error| match error {
        start::StartError::Board(error) => error.into(),
        start::StartError::Density(_) => unreachable!("the density is one"),
    })
}
