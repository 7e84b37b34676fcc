//! The Life-like rules on the CPU: bit planes, with the logic of [`crate::rules::lifelike`].

mod active_blocks;
mod pass;
mod stage;
mod stats;
mod step;
mod tile;

use rayon::prelude::*;

use self::active_blocks::DirtyBlocks;
use self::stats::{MOST_STATS_GENERATIONS, PassRecord};
use self::step::Source;
use super::{BAND_WORDS, CpuFamily, PartialStats, Passes};
use crate::board::{BoardError, LifelikeBoard, LifelikeCensus, Size};
use crate::engine::POISON;
use crate::rules::LifelikeRuleset;

/// Words per row from which on several generations per pass are faster than one: below, too much of
/// a tile is halo.
const LEAST_STREAM_WORDS: usize = 8;

impl CpuFamily for LifelikeRuleset {
    type Output = Planes;

    fn output(size: Size) -> Result<Self::Output, BoardError> {
        let (alive, mut blue) = LifelikeBoard::new(size)?.into_planes();
        // No board has a cell that is blue but not alive.
        blue[0] = 1;
        Ok(Planes {
            alive,
            blue,
            last: LastPass::Unknown,
        })
    }

    fn poison(output: &mut Planes) {
        output.alive.fill(POISON);
        output.blue.fill(POISON);
        output.last = LastPass::Unknown;
    }

    fn compute(
        self,
        board: &LifelikeBoard,
        output: &mut Planes,
        with_stats: bool,
    ) -> PartialStats<LifelikeCensus> {
        let Planes { alive, blue, last } = output;
        *last = LastPass::Unknown;
        let size = board.size();
        let source = Source {
            ruleset: self,
            size,
            alive: board.alive(),
            blue: board.blue(),
        };
        let row_words = size.row_words();
        let band_rows = (BAND_WORDS / row_words).max(1);
        let step = |(band, (alive, blue)): (usize, (&mut [u32], &mut [u32]))| {
            let first_row = (band * band_rows) as u32;
            source.step_band(first_row, alive, blue, with_stats)
        };
        if size.plane_words() <= BAND_WORDS {
            step((0, (alive, blue)))
        } else {
            alive
                .par_chunks_mut(band_rows * row_words)
                .zip(blue.par_chunks_mut(band_rows * row_words))
                .enumerate()
                .map(step)
                .reduce(PartialStats::default, |a, b| {
                    a.merge(b, LifelikeCensus::plus)
                })
        }
    }

    fn passes(self, size: Size) -> Passes {
        if !pass::takes(self, size) {
            return Passes::default();
        }
        let worth_it = size.row_words() >= LEAST_STREAM_WORDS;
        Passes {
            possible: pass::MOST_GENERATIONS,
            worthwhile: if worth_it { pass::MOST_GENERATIONS } else { 1 },
        }
    }

    fn compute_pass(self, board: &LifelikeBoard, output: &mut Planes, generations: u32) {
        let Planes { alive, blue, last } = output;
        let known = match std::mem::take(last) {
            LastPass::Plain(changes) => Some(changes),
            _ => None,
        };
        let changes = pass::step_pass(self, board, generations, alive, blue, known.as_ref());
        *last = LastPass::Plain(changes);
    }

    fn compute_pass_with_stats(
        self,
        board: &LifelikeBoard,
        output: &mut Planes,
        most: u32,
        has_history: bool,
    ) -> Option<Vec<PartialStats<LifelikeCensus>>> {
        let generations = most.min(MOST_STATS_GENERATIONS);
        if generations < 2 || !pass::takes(self, board.size()) {
            return None;
        }
        let Planes { alive, blue, last } = output;
        let known = match std::mem::take(last) {
            LastPass::Stats(found) => Some(found),
            _ => None,
        };
        let next = [&mut alive[..], &mut blue[..]];
        let (stats, found) =
            pass::step_pass_with_stats(self, board, generations, has_history, next, known);
        *last = LastPass::Stats(found);
        Some(stats[..generations as usize].to_vec())
    }

    fn exchange(board: &mut LifelikeBoard, output: &mut Planes) {
        board.swap_planes(&mut output.alive, &mut output.blue);
    }
}

/// The planes that a generation is written to.
#[derive(Default)]
pub struct Planes {
    alive: Vec<u32>,
    blue: Vec<u32>,
    last: LastPass,
}

/// The record of the last pass, if planes are those from before it.
#[derive(Default)]
enum LastPass {
    #[default]
    Unknown,
    /// What it has changed.
    Plain(DirtyBlocks),
    Stats(PassRecord),
}
