//! Several generations of reZolution in one pass over the board.
//!
//! As for the Life-like rules rows go through a tile from top to bottom, and through a chain of
//! stages, one per generation:
//!
//! ```text
//! board ──row y──> stage 1 ──row y-1──> stage 2 ──row y-2──> ... stage n ──row y-n──> next board
//! ```
//!
//! A stage keeps the last three rows that it has put out, so that a tile of any height works in a
//! fast cache. What lies beyond the halo, some cells on either side of the tile, is unknown; a false
//! cell there comes one cell nearer in every generation.
//!
//! With statistics every row that a stage puts out is counted and compared while it is in the cache, of
//! one generation more than the pass advances.

use rayon::prelude::*;

use super::stage::{Marks, Row, Sums};
use super::stats::{MOST_STATS_GENERATIONS, PassStats, add_row};
use super::tile::{GROUP_CELLS, MOST_OWN_CELLS, Tile};
use crate::board::rezolution::row_words;
use crate::board::{RezolutionBoard, RezolutionCensus};
use crate::engine::cpu::stats::{Compared, StatsParams, both};
use crate::rules::rezolution::RezolutionRuleset;

/// Rows of a band, at most and at least. A band is computed by one thread, and for every generation
/// of a pass it computes a row that belongs to its neighbours.
const MOST_BAND_ROWS: usize = 512;
const LEAST_BAND_ROWS: usize = 64;

/// Computes `generations` generations, from 1 to [`MOST_GENERATIONS`](super::tile::MOST_GENERATIONS), and
/// writes the last one.
pub(super) fn step_pass(
    ruleset: RezolutionRuleset,
    board: &RezolutionBoard,
    generations: u32,
    next: &mut [u32],
) {
    let params = PassParams {
        ruleset,
        board,
        generations: generations as usize,
        with_stats: None,
    };
    params.run(next);
}

/// Computes the statistics of `generations` generations, from 2 to [`MOST_STATS_GENERATIONS`], and writes
/// the last but one.
///
/// If `has_history`, `next` holds the generation before `board`; otherwise it means nothing whether
/// the first generation differs from that.
pub(super) fn step_pass_with_stats(
    ruleset: RezolutionRuleset,
    board: &RezolutionBoard,
    generations: u32,
    has_history: bool,
    next: &mut [u32],
) -> PassStats {
    debug_assert!((2..=MOST_STATS_GENERATIONS).contains(&generations));
    let params = PassParams {
        ruleset,
        board,
        generations: generations as usize - 1,
        with_stats: Some(StatsParams { has_history }),
    };
    params.run(next)
}

/// A pass over a board.
#[derive(Clone, Copy)]
struct PassParams<'a> {
    ruleset: RezolutionRuleset,
    board: &'a RezolutionBoard,
    /// Generations from the board that is read to the one that is written.
    generations: usize,
    /// If the statistics of these and one more are computed.
    with_stats: Option<StatsParams>,
}

impl PassParams<'_> {
    /// Computes all bands. `next` are the words that are written to.
    fn run(self, next: &mut [u32]) -> PassStats {
        let size = self.board.size();
        let bands = 4 * rayon::current_num_threads();
        let band_rows = (size.height() as usize)
            .div_ceil(bands)
            .clamp(LEAST_BAND_ROWS, MOST_BAND_ROWS);
        let width = size.width() as usize;
        let columns = width.div_ceil(MOST_OWN_CELLS);
        let most_own = width.div_ceil(columns).next_multiple_of(GROUP_CELLS);
        let bands = next.par_chunks_mut(band_rows * row_words(size)).enumerate();
        let band = |(band, next): (usize, &mut [u32])| {
            let mut pass = Pass::new(self);
            for first_cell in (0..width).step_by(most_own) {
                let tile = Tile {
                    edges: self.ruleset.edges,
                    board: self.board,
                    size,
                    first_cell,
                    own: most_own.min(width - first_cell),
                };
                pass.run(tile, band * band_rows, next);
            }
            pass.stats
        };
        let add = RezolutionCensus::plus;
        bands
            .map(band)
            .reduce(PassStats::default, |a, b| both(a, b, add))
    }
}

/// The stages of a pass over a tile.
struct Pass {
    /// Generations to the one that is written.
    generations: usize,
    stages: usize,
    /// If statistics are computed.
    with_stats: Option<StatsParams>,
    /// The last three rows of the board and then of each stage, by their number modulo 3.
    rows: Vec<[Row; 3]>,
    /// The barriers of the rows between the board and the last stage, by their number modulo the number of
    /// these rows.
    barriers: Vec<Marks>,
    /// The same for targets, or none without statistics.
    targets: Vec<Marks>,
    sums: Sums,
    stats: PassStats,
}

impl Pass {
    fn new(params: PassParams<'_>) -> Self {
        let observed = params.with_stats.map_or(0, |_| params.generations + 1);
        let stages = params.generations.max(observed);
        let target_rows = params.with_stats.map_or(0, |_| stages + 1);
        Self {
            generations: params.generations,
            stages,
            with_stats: params.with_stats,
            rows: (0..=stages).map(|_| [const { Row::EMPTY }; 3]).collect(),
            barriers: vec![Marks::NONE; stages + 1],
            targets: vec![Marks::NONE; target_rows],
            sums: Sums::ZERO,
            stats: PassStats::default(),
        }
    }

    /// Computes a tile's part of a band, of which `first_row` is the first row and `next` the words.
    fn run(&mut self, tile: Tile<'_>, first_row: usize, next: &mut [u32]) {
        let stages = self.stages;
        let words = row_words(tile.size);
        let rows = next.len() / words;
        let first_y = first_row as i64 - stages as i64;
        for number in 0..rows + 2 * stages {
            let y = first_y + number as i64;
            let marks = number % (stages + 1);
            tile.load(y, &mut self.rows[0][number % 3]);
            tile.load_marks(y, tile.board.barriers(), &mut self.barriers[marks]);
            if let Some(targets) = self.targets.get_mut(marks) {
                tile.load_marks(y, tile.board.targets(), targets);
            }
            // The first row that a generation needs is one further down than that of the last one, and
            // comes out of its stage one later.
            for generation in 1..=stages.min(number / 2) {
                let (before, stage) = self.rows.split_at_mut(generation);
                let rows = &before[generation - 1];
                let out = &mut stage[0][number % 3];
                let barriers = &self.barriers[(number - generation) % (stages + 1)];
                let rows = [number + 1, number + 2, number].map(|number| &rows[number % 3]);
                tile.push(y - generation as i64, rows, barriers, &mut self.sums, out);
            }
            // The row of the band that a generation has come to.
            let done = |generation: usize| {
                let done = number.checked_sub(stages + generation);
                done.filter(|&done| done < rows)
            };
            let observed = self.with_stats.map_or(0, |_| stages);
            for generation in 1..=observed {
                if let Some(done) = done(generation) {
                    self.add_row(&tile, generation, number, &next[done * words..][..words]);
                }
            }
            if let Some(done) = done(self.generations) {
                let next = &mut next[done * words..][..words];
                tile.store(&self.rows[self.generations][number % 3], next);
            }
        }
    }

    /// Adds the row of a generation that its stage has put out for input row `number`. `next` are
    /// the words where that row will be written.
    fn add_row(&mut self, tile: &Tile<'_>, generation: usize, number: usize, next: &[u32]) {
        let has_history = self.with_stats.is_some_and(|stats| stats.has_history);
        let before = has_history.then(|| &next[tile.own_words()]);
        let rows = Compared::of(generation, number, |before| &self.rows[before], before);
        let targets = &self.targets[(number - generation) % (self.stages + 1)];
        add_row(
            &mut self.stats[generation - 1],
            tile.own_cells(),
            &rows,
            targets,
        );
    }
}

#[cfg(test)]
mod tests {
    use glam::uvec2;

    use super::super::tile::MOST_GENERATIONS;
    use super::*;
    use crate::board::hash::pcg4d;
    use crate::board::rezolution::{Ground, RezolutionCell};
    use crate::board::{Edges, Size};
    use crate::engine::Engine;
    use crate::engine::reference::ReferenceEngine;
    use crate::rules::rezolution::MAX_NARROW;

    /// Populations up to `largest` on both sides, and one in ten cells a barrier if any are.
    fn drawn(size: Size, largest: i8, barred: bool, seed: u32) -> RezolutionBoard {
        let mut board = RezolutionBoard::new(size).unwrap();
        for y in 0..size.height() {
            for x in 0..size.width() {
                let [draw, ground, ..] = pcg4d([x, y, seed, 0]);
                let spot = if barred && ground.is_multiple_of(10) {
                    RezolutionCell {
                        population: 0,
                        ground: Ground::Barrier,
                    }
                } else {
                    let values = 2 * u32::from(largest.unsigned_abs()) + 1;
                    let population = (draw % values) as i16 - i16::from(largest);
                    RezolutionCell::open(population as i8)
                };
                board.set(uvec2(x, y), spot);
            }
        }
        board
    }

    /// One to three tiles wide, to the cell and beside it; one and several bands high; sums that fit
    /// a byte, that do not, and that just do; with barriers and without.
    #[test]
    fn every_border_of_tiles_bands_and_boards_equals_the_reference() {
        let own = MOST_OWN_CELLS as u64;
        let widths = [
            1,
            2,
            3,
            5,
            7,
            8,
            9,
            15,
            16,
            17,
            31,
            33,
            48,
            63,
            64,
            65,
            100,
            777,
            own - 1,
            own,
            own + 1,
            own + 9,
            2 * own + 33,
        ];
        let mut case = 0;
        for width in widths {
            for height in [1, 2, 3, 9, 40, 63, 64, 65, 130] {
                if width * height > 60_000 {
                    continue;
                }
                for edges in [Edges::Torus, Edges::Dead] {
                    case += 1;
                    let largest = [1, 4, MAX_NARROW as i8, 26, 127][case as usize % 5];
                    let barred = case / 2 % 2 == 0;
                    let generations = MOST_GENERATIONS - case / 3 % MOST_GENERATIONS;
                    let size = Size::new(width, height).unwrap();
                    let ruleset = RezolutionRuleset { edges };
                    let board = drawn(size, largest, barred, case);
                    let mut reference = ReferenceEngine::new(ruleset);
                    reference.load(&board).unwrap();
                    reference.step(generations.into()).unwrap();
                    let mut populations = vec![7; board.populations().len()];
                    step_pass(ruleset, &board, generations, &mut populations);
                    let found = board.terrain().with_populations(populations).unwrap();
                    let expected = reference.read().unwrap();
                    let name = format!("{size} {edges}, up to {largest}, {generations}, {barred}");
                    assert!(found == expected, "{name}");
                }
            }
        }
    }

    /// Generations among which some rows need wide sums and some do not, in and beside the rows of a
    /// single large population.
    #[test]
    fn rows_change_between_narrow_and_wide_sums() {
        let size = Size::new(200, 150).unwrap();
        let mut board = drawn(size, 3, true, 1);
        for (x, y) in [(0, 0), (100, 40), (199, 64), (7, 149)] {
            for (dx, dy) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
                let (x, y) = ((x + dx) % 200, (y + dy) % 150);
                board.set(
                    uvec2(x, y),
                    RezolutionCell::open(MAX_NARROW as i8 + 1 - dx as i8),
                );
            }
        }
        for edges in [Edges::Torus, Edges::Dead] {
            let ruleset = RezolutionRuleset { edges };
            let mut reference = ReferenceEngine::new(ruleset);
            reference.load(&board).unwrap();
            for generations in 1..=MOST_GENERATIONS {
                reference.step(1).unwrap();
                let mut populations = vec![7; board.populations().len()];
                step_pass(ruleset, &board, generations, &mut populations);
                let found = board.terrain().with_populations(populations).unwrap();
                assert!(found == reference.read().unwrap(), "{edges} {generations}");
            }
        }
    }
}
