//! Statistics of generations: `shaders/shared/stats.wgsl`.

use crate::engine::gpu::family::GpuFamily;
use crate::engine::{CensusOf, GenerationStats};

/// Bytes from one generation's statistics to the next: the coarsest alignment WebGPU lets a device ask for.
pub const STATS_STRIDE: u64 = 256;

/// Generations of one submission whose statistics are computed, at most.
pub const STATS_SLOTS: u64 = 255;

uniforms! {
    /// What the statistics of a generation have after its totals, which are 64 bits each, low word first.
    pub struct StatsFlags {
        /// Not 0 if the generation was computed.
        pub computed: u32,
        /// Not 0 if a cell differs from the generation before.
        pub differs_from_last: u32,
        /// Not 0 if a cell differs from the second last generation.
        pub differs_from_second_last: u32,
    }
}

/// The counts of a generation, and how it differs from those before.
pub(in crate::engine::gpu) struct Tally<R: GpuFamily> {
    pub(in crate::engine::gpu) census: CensusOf<R::Board>,
    marks: StatsFlags,
}

impl<R: GpuFamily> Tally<R> {
    /// Of the words that a program has written.
    pub(in crate::engine::gpu) fn of(bytes: &[u8]) -> Self {
        let (totals, marks) = bytes.split_at(R::PROGRAMS.totals_bytes());
        let totals: Vec<u64> = totals
            .chunks_exact(8)
            .map(bytemuck::pod_read_unaligned)
            .collect();
        Self {
            census: R::census(&totals),
            marks: bytemuck::pod_read_unaligned(&marks[..size_of::<StatsFlags>()]),
        }
    }

    pub(in crate::engine::gpu) fn sighting(self) -> GenerationStats<CensusOf<R::Board>> {
        let StatsFlags {
            differs_from_last,
            differs_from_second_last,
            ..
        } = self.marks;
        GenerationStats {
            census: self.census,
            period: match (differs_from_last, differs_from_second_last) {
                (0, _) => Some(1),
                (_, 0) => Some(2),
                _ => None,
            },
        }
    }
}
