//! The statistics of generations as the device writes them: `shaders/shared/stats.wgsl`.

use super::family::GpuFamily;
use super::kernels::stats::StatsFlags;
use crate::engine::{CensusOf, GenerationStats};

/// The statistics of one generation.
pub(super) struct DeviceStats<R: GpuFamily> {
    pub(super) census: CensusOf<R::Board>,
    flags: StatsFlags,
}

impl<R: GpuFamily> DeviceStats<R> {
    /// From the bytes of one slot.
    pub(super) fn from_bytes(bytes: &[u8]) -> Self {
        let (totals, flags) = bytes.split_at(R::STEP_PROGRAMS.totals_bytes());
        let totals: Vec<u64> = totals
            .chunks_exact(8)
            .map(bytemuck::pod_read_unaligned)
            .collect();
        Self {
            census: R::census_of_totals(&totals),
            flags: bytemuck::pod_read_unaligned(&flags[..size_of::<StatsFlags>()]),
        }
    }

    /// Census and period.
    pub(super) fn generation_stats(self) -> GenerationStats<CensusOf<R::Board>> {
        let StatsFlags {
            differs_from_last,
            differs_from_second_last,
            ..
        } = self.flags;
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
