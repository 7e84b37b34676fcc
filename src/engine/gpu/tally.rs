//! What a program has told of a generation.

use super::family::GpuFamily;
use super::layout::Marks;
use crate::engine::{CensusOf, GenerationStats};

/// The counts of a generation, and how it differs from those before.
pub(super) struct Tally<R: GpuFamily> {
    pub(super) census: CensusOf<R::Board>,
    marks: Marks,
}

impl<R: GpuFamily> Tally<R> {
    /// Of the words that a program has written.
    pub(super) fn of(bytes: &[u8]) -> Self {
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

    pub(super) fn sighting(self) -> GenerationStats<CensusOf<R::Board>> {
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
