//! One generation in global memory, its statistics, and those of the present generation:
//! `shaders/lifelike/step.wgsl`, `shaders/rezolution/step.wgsl`, `shaders/shared/entry.wgsl`.

use super::stats::StatsFlags;
use crate::engine::gpu::program::Program;

/// The programs of a family that compute or count one generation. All bind the planes alike; those with
/// statistics share one group of bindings.
pub struct StepPrograms {
    /// One generation.
    pub step: Program,
    /// One generation and its statistics, unless the last generation has ended the run.
    pub step_with_stats: Program,
    /// The same for devices with subgroups.
    pub step_with_stats_subgroups: Program,
    /// The statistics of the present generation.
    pub census: Program,
    /// Totals of a generation's statistics.
    pub totals: usize,
}

impl StepPrograms {
    /// All of them.
    pub fn all(&self) -> [&Program; 4] {
        [
            &self.step,
            &self.step_with_stats,
            &self.step_with_stats_subgroups,
            &self.census,
        ]
    }

    /// The program that computes one generation and its statistics.
    pub const fn with_stats(&self, subgroups: bool) -> &Program {
        match subgroups {
            true => &self.step_with_stats_subgroups,
            false => &self.step_with_stats,
        }
    }

    /// Bytes of the totals of a generation's statistics: 64 bits each, low word first.
    pub const fn totals_bytes(&self) -> usize {
        8 * self.totals
    }

    /// Bytes of a generation's statistics: totals, then [`StatsFlags`].
    pub const fn stats_bytes(&self) -> usize {
        self.totals_bytes() + size_of::<StatsFlags>()
    }
}
