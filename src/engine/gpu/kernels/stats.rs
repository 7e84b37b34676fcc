//! What a program has told of a generation.

use crate::engine::gpu::family::GpuFamily;
use crate::engine::gpu::layout::Marks;
use crate::engine::{CensusOf, GenerationStats};

/// The counts of a generation, and how it differs from those before.
pub(in crate::engine::gpu) struct Tally<R: GpuFamily> {
    pub(in crate::engine::gpu) census: CensusOf<R::Board>,
    marks: Marks,
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
            marks: bytemuck::pod_read_unaligned(&marks[..size_of::<Marks>()]),
        }
    }

    pub(in crate::engine::gpu) fn sighting(self) -> GenerationStats<CensusOf<R::Board>> {
        let Marks {
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
