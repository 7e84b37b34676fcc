//! Statistics of generations: `shaders/shared/stats.wgsl`.

use crate::engine::gpu::program::uniforms;

/// Bytes from one generation's statistics to the next: the coarsest alignment that WebGPU lets a device require.
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
