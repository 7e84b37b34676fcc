//! Several generations of a Life-like rule in one pass over the board.
//!
//! A tile is some word columns with one more word, the halo, on either side. Rows go through
//! it from top to bottom, and through a chain of stages, one per generation:
//!
//! ```text
//! board ──row y──> stage 1 ──row y-1──> stage 2 ──row y-2──> ... stage n ──row y-n──> next board
//! ```
//!
//! A stage keeps the row sums of two rows and the rows themselves, so that a tile of any height
//! works in the fastest cache, and the board is read and written once for all generations of the
//! pass. What lies beyond the halo is unknown; a false cell there comes one cell nearer in every
//! generation, and a halo of 32 cells keeps it away from the tile's own words.
//!
//! Without statistics, rows of B3/S23 come in two at a time: then a stage reads
//! the sums that it has kept half as often.

use rayon::prelude::*;

use super::active_blocks::{ActiveBlocks, BLOCK_ROWS, BLOCK_WORDS, Blocks, DirtyBlocks};
use super::stage::{HALO_WORDS, LastRows, Row, Stage, TILE_WORDS, VECTOR_WORDS, put_out};
use super::stats::{
    self, BlockStats, MOST_STATS_GENERATIONS, PassRecord, PassStats, Planes, STATS_WORDS,
    StageStats,
};
use super::tile::Tile;
use crate::board::{Edges, LifelikeBoard, LifelikeCensus, Size, WORD_BITS};
use crate::engine::cpu::stats::{Compared, StatsParams, both};
use crate::rules::{LifelikeRuleset, Rule};

/// The most generations of a pass: as many stages as fit into a cache of 32 KiB.
pub(super) const MOST_GENERATIONS: u32 = 8;

/// Rows of a band, at most. A band is computed by one thread, and for every generation of a pass it
/// computes two rows that belong to its neighbours.
const MOST_BAND_ROWS: usize = 512;

/// Rows of a band, at least.
const LEAST_BAND_ROWS: usize = 64;

/// The share of active blocks of a band up to which idle ones are left out. Small tiles are slower
/// than large ones: with more active blocks there is little to be gained.
const MOST_ACTIVE: f64 = 0.6;

/// Whether a pass can compute a board of this size: where the place of a cell decides a tie, the
/// words beyond the seam of a torus must be words of the board.
pub(super) fn takes(ruleset: LifelikeRuleset, size: Size) -> bool {
    let aligned = size.width().is_multiple_of(WORD_BITS);
    aligned || ruleset.edges == Edges::Dead || !ruleset.rule.has_ties()
}

/// Computes `generations` generations, from 1 to [`MOST_GENERATIONS`], of a board for which
/// [`takes`] holds, and writes the last one.
///
/// `last` are the changes that led to `board` from the words that `next_*` hold; blocks that they
/// show to be idle keep these words. Returns the changes of this pass.
pub(super) fn step_pass(
    ruleset: LifelikeRuleset,
    board: &LifelikeBoard,
    generations: u32,
    next_alive: &mut [u32],
    next_blue: &mut [u32],
    last: Option<&DirtyBlocks>,
) -> DirtyBlocks {
    let changes = Blocks::new(board.size(), ruleset.edges).unchanged(generations);
    let active = last.and_then(|last| last.active(generations));
    let params = PassParams {
        ruleset,
        board,
        generations,
        with_stats: None,
        changes: &changes,
        active: active.as_ref(),
    };
    params.run([next_alive, next_blue], &mut []);
    changes
}

/// Computes the statistics of `generations` generations, from 2 to [`MOST_STATS_GENERATIONS`], of a board for which [`takes`]
/// holds, and writes the last but one.
///
/// If `has_history`, `next_*` hold the generation before `board`; otherwise it means nothing whether
/// the first generation differs from that. `last` is the record of the pass that led to `board`, as
/// for [`step_pass`]. Returns the statistics, and the record of this pass.
pub(super) fn step_pass_with_stats(
    ruleset: LifelikeRuleset,
    board: &LifelikeBoard,
    generations: u32,
    has_history: bool,
    [next_alive, next_blue]: [&mut [u32]; 2],
    last: Option<PassRecord>,
) -> (PassStats, PassRecord) {
    debug_assert!((2..=MOST_STATS_GENERATIONS).contains(&generations));
    let all = Blocks::new(board.size(), ruleset.edges);
    let changes = all.unchanged(generations - 1);
    let known = last.filter(|_| !has_history).and_then(|last| {
        let active = last.changes.active(generations - 1)?;
        Some((active, last.blocks))
    });
    let (active, mut blocks) = match known {
        Some((active, blocks)) => (Some(active), blocks),
        None => (None, vec![BlockStats::default(); all.count()]),
    };
    let params = PassParams {
        ruleset,
        board,
        generations: generations - 1,
        with_stats: Some(StatsParams { has_history }),
        changes: &changes,
        active: active.as_ref(),
    };
    let stats = params.run([next_alive, next_blue], &mut blocks);
    (stats, PassRecord { changes, blocks })
}

/// A pass over a board.
#[derive(Clone, Copy)]
struct PassParams<'a> {
    ruleset: LifelikeRuleset,
    board: &'a LifelikeBoard,
    /// Generations from the board that is read to the one that is written.
    generations: u32,
    /// If the statistics of these and one more are computed.
    with_stats: Option<StatsParams>,
    changes: &'a DirtyBlocks,
    /// The blocks that have to be computed, if not all have.
    active: Option<&'a ActiveBlocks>,
}

impl PassParams<'_> {
    /// Computes all bands. `next` are the planes that are written to; `stats` has an entry for every
    /// block if statistics are computed and otherwise none.
    fn run(self, [next_alive, next_blue]: [&mut [u32]; 2], stats: &mut [BlockStats]) -> PassStats {
        let size = self.board.size();
        let words = size.row_words();
        let height = size.height() as usize;
        let bands = 4 * rayon::current_num_threads();
        let band_rows = height
            .div_ceil(bands)
            .clamp(LEAST_BAND_ROWS, MOST_BAND_ROWS)
            .next_multiple_of(BLOCK_ROWS);
        let mut stats_of_bands: Vec<&mut [BlockStats]> = stats
            .chunks_mut(band_rows / BLOCK_ROWS * block_columns(words))
            .collect();
        stats_of_bands.resize_with(height.div_ceil(band_rows), Default::default);
        next_alive
            .par_chunks_mut(band_rows * words)
            .zip(next_blue.par_chunks_mut(band_rows * words))
            .zip(stats_of_bands)
            .enumerate()
            .map(|(band, ((alive, blue), stats))| {
                self.band(band * band_rows, [alive, blue], stats);
                stats::sum(stats)
            })
            .reduce(PassStats::default, |a, b| both(a, b, LifelikeCensus::plus))
    }

    /// Computes a band, of which `first_row` is the first row and `next` the words, and records the
    /// changes and the statistics of its blocks.
    fn band(
        self,
        first_row: usize,
        [next_alive, next_blue]: [&mut [u32]; 2],
        stats: &mut [BlockStats],
    ) {
        let words = self.board.size().row_words();
        let rows = next_alive.len() / words;
        let first_block = first_row / BLOCK_ROWS;
        let block_rows = first_block..first_block + rows.div_ceil(BLOCK_ROWS);
        let share = self
            .active
            .map_or(1.0, |active| active.share(block_rows.clone()));
        if share == 0.0 {
            return;
        }
        let mut pass = Pass::new(self);
        if let Some(active) = self.active
            && share <= MOST_ACTIVE
        {
            let columns = block_columns(words);
            for (row, (next_alive, next_blue)) in block_rows.zip(
                next_alive
                    .chunks_mut(BLOCK_ROWS * words)
                    .zip(next_blue.chunks_mut(BLOCK_ROWS * words)),
            ) {
                let stats = match self.with_stats {
                    None => &mut [][..],
                    Some(_) => &mut stats[(row - first_block) * columns..][..columns],
                };
                for run in active.runs(row, (TILE_WORDS - HALO_WORDS) / BLOCK_WORDS) {
                    let first_word = run.start * BLOCK_WORDS;
                    let own = (run.end * BLOCK_WORDS).min(words) - first_word;
                    let next = [&mut *next_alive, &mut *next_blue];
                    pass.tile(row * BLOCK_ROWS, first_word, own, next, stats);
                }
            }
            return;
        }
        let most_own = match self.with_stats {
            Some(_) => STATS_WORDS,
            None => {
                let columns = words.div_ceil(TILE_WORDS - HALO_WORDS);
                let tile_words = words.div_ceil(columns) + HALO_WORDS;
                tile_words.next_multiple_of(VECTOR_WORDS) - HALO_WORDS
            }
        };
        for first_word in (0..words).step_by(most_own) {
            let own = most_own.min(words - first_word);
            let next = [&mut *next_alive, &mut *next_blue];
            pass.tile(first_row, first_word, own, next, stats);
        }
    }
}

/// Blocks side by side on a board with `words` words per row.
const fn block_columns(words: usize) -> usize {
    words.div_ceil(BLOCK_WORDS)
}

/// The stages of a pass over a band.
struct Pass<'a> {
    params: PassParams<'a>,
    input: LastRows,
    stages: Vec<Stage>,
    /// One per stage, or none without statistics.
    stage_stats: Vec<StageStats>,
}

impl<'a> Pass<'a> {
    fn new(params: PassParams<'a>) -> Self {
        let observed = params.with_stats.map_or(0, |_| params.generations + 1);
        let stages = params.generations.max(observed);
        Self {
            params,
            input: [Row::DEAD; 3],
            stages: (0..stages).map(|_| Stage::EMPTY).collect(),
            stage_stats: (0..observed).map(|_| StageStats::NONE).collect(),
        }
    }

    /// Computes the words `first_word ..` of the rows of a band, `own` of them. `next` are all words
    /// of the band's rows, of which `first_row` is the first, and `stats` is for all of its blocks.
    fn tile(
        &mut self,
        first_row: usize,
        first_word: usize,
        own: usize,
        [next_alive, next_blue]: [&mut [u32]; 2],
        stats: &mut [BlockStats],
    ) {
        let PassParams {
            ruleset,
            board,
            generations,
            with_stats,
            changes,
            ..
        } = self.params;
        let size = board.size();
        let words = size.row_words();
        // Words that have changed since the beginning of the present zone.
        let mut differences = [0; TILE_WORDS];
        let mut zone_end = changes.zone_end(first_row);
        let end_row = first_row + next_alive.len() / words;
        let rows = first_row as i64..end_row as i64;
        let stages = self.stages.len() as i64;
        let tile = Tile {
            ruleset,
            size,
            first_word,
            words: own + HALO_WORDS,
        };
        // The cells of the board in the last word of the tile.
        let mask = match first_word + own == words {
            true => size.last_word_mask(),
            false => u32::MAX,
        };
        // Where the tile's part of a row is in the words of the band.
        let part = |y: i64| {
            let start = (y - rows.start) as usize * words + first_word;
            start..start + own
        };
        // With statistics, and for ties, a row is needed longer than two at once leave it.
        let rows_at_once = match ruleset.rule == Rule::LIFE && with_stats.is_none() {
            true => 2,
            false => 1,
        };
        for (number, y) in (rows.start - stages..rows.end + stages)
            .enumerate()
            .step_by(rows_at_once)
        {
            for (number, y) in (number..).zip(y..).take(rows_at_once) {
                tile.load(board, y, &mut self.input[number % 3]);
            }
            let mut incoming = &self.input;
            for (generation, stage) in (1..).zip(&mut self.stages) {
                if rows_at_once == 2 {
                    tile.push_two(number, y - generation, incoming, stage);
                } else {
                    tile.push(number, y - generation, incoming, stage);
                }
                incoming = &stage.out;
            }
            // After all stages, when what they have written is in the cache.
            for generation in 1..=self.stage_stats.len() {
                let done = y - generation as i64;
                if !rows.contains(&done) {
                    continue;
                }
                let has_history = with_stats.is_some_and(|stats| stats.has_history);
                let before = has_history && generation == 1;
                let before = before.then(|| [&next_alive[part(done)], &next_blue[part(done)]]);
                self.add_row(generation, number, own, mask, before);
                let next_row = done as usize + 1;
                if next_row.is_multiple_of(BLOCK_ROWS) || next_row == end_row {
                    let row = (done as usize - first_row) / BLOCK_ROWS;
                    let block = row * block_columns(words) + first_word / BLOCK_WORDS;
                    self.stage_stats[generation - 1].finish_blocks(
                        generation,
                        own,
                        mask,
                        &mut stats[block..],
                    );
                }
            }
            for (number, y) in (number..).zip(y..).take(rows_at_once) {
                let done = y - i64::from(generations);
                if !rows.contains(&done) {
                    continue;
                }
                let row = &self.stages[generations as usize - 1].out[number % 3];
                let next = part(done);
                let done = done as usize;
                let (alive, blue) = board.row_planes(done as u32);
                let was = [&alive[first_word..][..own], &blue[first_word..][..own]];
                let next = [&mut next_alive[next.clone()], &mut next_blue[next]];
                put_out(row, mask, next, was, &mut differences);
                if done + 1 == zone_end {
                    changes.note(done, first_word, &differences[..own]);
                    differences.fill(0);
                    zone_end = changes.zone_end(done + 1);
                }
            }
        }
    }

    /// Adds the row of a generation that its stage has put out for input row `number`. `before`
    /// is the row of the generation before the board.
    fn add_row(
        &mut self,
        generation: usize,
        number: usize,
        own: usize,
        mask: u32,
        before: Option<Planes<'_>>,
    ) {
        let rows = |generation: usize| match generation.checked_sub(1) {
            None => &self.input,
            Some(stage) => &self.stages[stage].out,
        };
        let compared = Compared::of(generation, number, rows, before);
        self.stage_stats[generation - 1].add_row(own, mask, &compared);
    }
}

#[cfg(test)]
mod tests {
    use glam::uvec2;

    use rand::SeedableRng;
    use rand_pcg::Pcg64Mcg;

    use super::*;
    use crate::board::{LifelikeCell, start};
    use crate::engine::Engine;
    use crate::engine::cpu::CpuEngine;
    use crate::engine::cpu::tests::sparse;
    use crate::engine::reference::ReferenceEngine;
    use crate::rules::{Ties, notation};

    /// One and two tiles wide, to the word and beside it; one and several bands high.
    #[test]
    fn every_border_of_tiles_bands_and_boards_equals_the_reference() {
        let own = (TILE_WORDS - HALO_WORDS) as u64 * u64::from(WORD_BITS);
        let widths = [
            1,
            2,
            3,
            31,
            32,
            33,
            64,
            65,
            100,
            128,
            777,
            own - 1,
            own,
            own + 1,
            2 * own + 33,
        ];
        let mut seed = 0;
        for (i, width) in widths.into_iter().enumerate() {
            for height in [1, 2, 3, 40, 63, 64, 65, 130] {
                if width * height > 60_000 {
                    continue;
                }
                for edges in [Edges::Torus, Edges::Dead] {
                    seed += 1;
                    let rule = ["B3/S23", "B36/S23", "B35678/S5678"][(i + height as usize) % 3];
                    let ruleset = LifelikeRuleset {
                        rule: notation::parse(rule).unwrap(),
                        edges,
                        ties: Ties::Seeded(seed),
                    };
                    let size = Size::new(width, height).unwrap();
                    if !takes(ruleset, size) {
                        continue;
                    }
                    let generations = 1 + seed as u32 % MOST_GENERATIONS;
                    let board = start::random(size, 0.4, seed).unwrap();
                    let mut reference = ReferenceEngine::new(ruleset);
                    reference.load(&board).unwrap();
                    reference.step(generations.into()).unwrap();
                    let (mut alive, mut blue) =
                        (vec![7; size.plane_words()], vec![7; size.plane_words()]);
                    step_pass(ruleset, &board, generations, &mut alive, &mut blue, None);
                    let found = LifelikeBoard::from_planes(size, alive, blue).unwrap();
                    let expected = reference.read().unwrap();
                    assert!(found == expected, "{size} {edges} {rule} {generations}");
                }
            }
        }
    }

    /// Gliders among still lifes and oscillators activate the blocks they come near, pass after pass; some
    /// widths put a narrow block beside the seam.
    #[test]
    fn idle_blocks_become_active_in_time() {
        let block = (BLOCK_WORDS as u64) * u64::from(WORD_BITS);
        for (width, height, edges) in [
            (4 * block, 5 * BLOCK_ROWS as u64, Edges::Torus),
            (4 * block + 1, 4 * BLOCK_ROWS as u64 + 2, Edges::Torus),
            (4 * block + 40, 5 * BLOCK_ROWS as u64 - 1, Edges::Dead),
        ] {
            let size = Size::new(width, height).unwrap();
            let mut board = LifelikeBoard::new(size).unwrap();
            let put =
                |board: &mut LifelikeBoard, left: u64, top: u64, cells: &[(u64, u64)], cell| {
                    for (x, y) in cells {
                        board.set(uvec2((left + x) as u32, (top + y) as u32), cell);
                    }
                };
            let glider = [(1, 0), (2, 1), (0, 2), (1, 2), (2, 2)];
            let back = [(0, 0), (1, 0), (2, 0), (0, 1), (1, 2)];
            for n in 0..40 {
                let (x, y) = (n * 97 % (width - 9), n * 61 % (height - 9));
                let cells: &[_] = match n {
                    7 => &glider,
                    20 => &back,
                    _ if n % 2 == 0 => &[(0, 0), (1, 0), (0, 1), (1, 1)],
                    _ => &[(0, 0), (1, 0), (2, 0)],
                };
                let cell = if n % 3 == 0 {
                    LifelikeCell::Blue
                } else {
                    LifelikeCell::Red
                };
                put(&mut board, x, y, cells, cell);
            }
            let ruleset = LifelikeRuleset {
                rule: Rule::LIFE,
                edges,
                ties: Ties::Red,
            };
            let mut plain = CpuEngine::new(ruleset).with_pass(1);
            plain.load(&board).unwrap();
            let (mut alive, mut blue) = LifelikeBoard::new(size).unwrap().into_planes();
            let (mut changes, mut skipped) = (None, 0);
            for pass in 0..150 {
                // Another length now and then, after which nothing is known.
                let generations = if pass % 50 == 49 { 5 } else { 8 };
                if let Some(active) = changes
                    .as_ref()
                    .and_then(|changes: &DirtyBlocks| changes.active(generations))
                {
                    let rows = (height as usize).div_ceil(BLOCK_ROWS);
                    skipped += u32::from(active.share(0..rows) < MOST_ACTIVE);
                }
                let last = changes.take();
                let last = last.as_ref();
                changes = Some(step_pass(
                    ruleset,
                    &board,
                    generations,
                    &mut alive,
                    &mut blue,
                    last,
                ));
                board.swap_planes(&mut alive, &mut blue);
                plain.step(generations.into()).unwrap();
                assert!(
                    board == plain.read().unwrap(),
                    "{size} {edges}, pass {pass}"
                );
            }
            assert!(skipped > 50, "{size}: skipped in {skipped} passes only");
        }
    }

    /// The statistics of blocks that a pass leaves out are those of a pass that computes all of them.
    #[test]
    fn idle_blocks_are_left_out_with_statistics() {
        let mut random = Pcg64Mcg::seed_from_u64(4);
        for (width, height) in [(1152, 640), (1153, 601)] {
            let (ruleset, mut board) = sparse(width, height, &mut random);
            let size = board.size();
            let (mut alive, mut blue) = LifelikeBoard::new(size).unwrap().into_planes();
            let (mut last, mut left_out) = (None, 0);
            for pass in 0..60 {
                // Another length now and then, after which nothing is known.
                let observed = if pass % 20 == 19 { 5 } else { 7 };
                let active = last
                    .as_ref()
                    .and_then(|last: &PassRecord| last.changes.active(observed - 1));
                let rows = (height as usize).div_ceil(BLOCK_ROWS);
                left_out += u32::from(active.is_some_and(|active| active.share(0..rows) < 0.3));
                let (mut all_alive, mut all_blue) = (alive.clone(), blue.clone());
                let all = [&mut all_alive[..], &mut all_blue];
                let (expected, _) =
                    step_pass_with_stats(ruleset, &board, observed, false, all, None);
                let next = [&mut alive[..], &mut blue];
                let (stats, found) =
                    step_pass_with_stats(ruleset, &board, observed, false, next, last.take());
                last = Some(found);
                for generation in 1..observed as usize {
                    let stats = [stats, expected].map(|stats| stats[generation].generation_stats());
                    assert_eq!(stats[0], stats[1], "{size}, pass {pass}, {generation}");
                }
                assert!(alive == all_alive && blue == all_blue, "{size}, {pass}");
                board.swap_planes(&mut alive, &mut blue);
            }
            assert!(left_out > 40, "{size}: left out in {left_out} passes only");
        }
    }
}
