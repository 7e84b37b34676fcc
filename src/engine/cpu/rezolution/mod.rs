//! reZolution on the CPU: the functions of [`crate::rules::rezolution`], rows over all cores.
//!
//! As for the Life-like rules a band of rows is computed from top to bottom, the sums of three
//! horizontal neighbours are computed once per source row, and the inner loops run over plain slices.

mod pass;
mod stage;
mod stats;
mod step;
mod tile;

use rayon::prelude::*;

use self::stats::MOST_STATS_GENERATIONS;
use self::step::Source;
use super::{BAND_WORDS, CpuFamily, PartialStats, Passes};
use crate::board::rezolution::row_words;
use crate::board::{BoardError, RezolutionBoard, RezolutionCensus, Size};
use crate::engine::POISON;
use crate::rules::rezolution::RezolutionRuleset;

/// Cells per row from which on several generations per pass are faster than one: below, too much of
/// a tile is halo.
const LEAST_STREAM_CELLS: u32 = 32;

impl CpuFamily for RezolutionRuleset {
    /// The populations.
    type Output = Vec<u32>;

    fn output(size: Size) -> Result<Vec<u32>, BoardError> {
        let mut populations = RezolutionBoard::new(size)?.into_populations();
        // No population is -128.
        populations[0] = 0x80;
        Ok(populations)
    }

    fn poison(populations: &mut Vec<u32>) {
        populations.fill(POISON);
    }

    fn compute(
        self,
        board: &RezolutionBoard,
        populations: &mut Vec<u32>,
        with_stats: bool,
    ) -> PartialStats<RezolutionCensus> {
        let source = Source {
            edges: self.edges,
            size: board.size(),
            populations: board.populations(),
            barriers: board.barriers(),
            targets: board.targets(),
        };
        let row_words = row_words(source.size);
        let band_rows = (BAND_WORDS / row_words).max(1);
        if populations.len() <= BAND_WORDS {
            return source.step_band(0, populations, with_stats);
        }
        let bands = populations
            .par_chunks_mut(band_rows * row_words)
            .enumerate();
        bands
            .map(|(band, populations)| {
                source.step_band((band * band_rows) as u32, populations, with_stats)
            })
            .reduce(PartialStats::default, |a, b| {
                a.merge(b, RezolutionCensus::plus)
            })
    }

    fn passes(self, size: Size) -> Passes {
        let worth_it = size.width() >= LEAST_STREAM_CELLS;
        Passes {
            possible: tile::MOST_GENERATIONS,
            worthwhile: if worth_it { tile::MOST_GENERATIONS } else { 1 },
        }
    }

    fn compute_pass(self, board: &RezolutionBoard, populations: &mut Vec<u32>, generations: u32) {
        pass::step_pass(self, board, generations, populations);
    }

    fn compute_pass_with_stats(
        self,
        board: &RezolutionBoard,
        populations: &mut Vec<u32>,
        most: u32,
        has_history: bool,
    ) -> Option<Vec<PartialStats<RezolutionCensus>>> {
        let generations = most.min(MOST_STATS_GENERATIONS);
        if generations < 2 {
            return None;
        }
        let stats = pass::step_pass_with_stats(self, board, generations, has_history, populations);
        Some(stats[..generations as usize].to_vec())
    }

    fn exchange(board: &mut RezolutionBoard, populations: &mut Vec<u32>) {
        board.swap_populations(populations);
    }
}
