//! Several generations of a Life-like rule in one pass over the board.
//!
//! A tile is some word columns with one more word, the halo, on either side. Rows stream through
//! it from top to bottom, and through a chain of stages, one a generation:
//!
//! ```text
//! board ──row y──> stage 1 ──row y-1──> stage 2 ──row y-2──> ... stage n ──row y-n──> next board
//! ```
//!
//! A stage keeps the row sums of two rows and the rows themselves, so that a tile of any height
//! works in the fastest cache, and the board is read and written once for all generations of the
//! pass. What lies beyond the halo is unknown; a false cell there comes one cell nearer in every
//! generation, and a halo of 32 cells keeps it away from the tile's own words.

use multiversion::multiversion;
use rayon::prelude::*;

use super::still::{BLOCK_ROWS, BLOCK_WORDS, Blocks, Changes};
use crate::board::hash::seed_words;
use crate::board::{Board, Edges, Size, WORD_BITS};
use crate::rules::lifelike::{self, RowSum, block_count, life_alive, life_blue, majority, row_sum};
use crate::rules::ties::{Asked, NEIGHBOURS, checkerboard_blue, first_blue, priority_bits};
use crate::rules::{Rule, Ruleset, Ties};

/// The most generations of a pass: as many stages as fit into a cache of 32 KiB.
pub(super) const MOST_GENERATIONS: u32 = 8;

/// Words of a tile with its halo.
const TILE_WORDS: usize = 64;

/// Words of the halo, left and right together.
const HALO_WORDS: usize = 2;

/// Words of a vector register. Tiles are computed by whole vectors; the words that are too many
/// lie beyond the halo.
const VECTOR_WORDS: usize = 8;

/// Rows of a band, at most. A band is computed by one thread, and for every generation of a pass it
/// computes two rows that belong to its neighbours.
const MOST_BAND_ROWS: usize = 512;

/// Rows of a band, at least.
const LEAST_BAND_ROWS: usize = 64;

/// The share of active blocks of a band up to which still ones are left out. Small tiles are slower
/// than large ones: with more active blocks there is little to be gained.
const MOST_ACTIVE: f64 = 0.6;

/// Whether a pass can compute such a board: where a tie is decided by the place of a cell, the
/// words beyond the seam of a torus must be words of the board.
pub(super) fn takes(ruleset: Ruleset, size: Size) -> bool {
    let aligned = size.width().is_multiple_of(WORD_BITS);
    aligned || ruleset.edges == Edges::Dead || !ruleset.rule.has_ties()
}

/// Computes `generations` generations, from 1 to [`MOST_GENERATIONS`], of a board for which
/// [`takes`] holds, and writes the last one.
///
/// `last` are the changes that led to `board` from the words that `next_*` hold; blocks that they
/// show to be still keep these words. Returns the changes of this pass.
pub(super) fn stream(
    ruleset: Ruleset,
    board: &Board,
    generations: u32,
    next_alive: &mut [u32],
    next_blue: &mut [u32],
    last: Option<&Changes>,
) -> Changes {
    let size = board.size();
    let changes = Blocks::new(size, ruleset.edges).unchanged(generations);
    let active = last.and_then(|last| last.active(generations));
    let words = size.row_words();
    let height = size.height() as usize;
    let bands = 4 * rayon::current_num_threads();
    let band_rows = height
        .div_ceil(bands)
        .clamp(LEAST_BAND_ROWS, MOST_BAND_ROWS)
        .next_multiple_of(BLOCK_ROWS);
    next_alive
        .par_chunks_mut(band_rows * words)
        .zip(next_blue.par_chunks_mut(band_rows * words))
        .enumerate()
        .for_each(|(band, (next_alive, next_blue))| {
            let first_row = band * band_rows;
            let first_block = first_row / BLOCK_ROWS;
            let rows = next_alive.len() / words;
            let block_rows = first_block..first_block + rows.div_ceil(BLOCK_ROWS);
            let share = active
                .as_ref()
                .map_or(1.0, |active| active.share(block_rows.clone()));
            if share == 0.0 {
                return;
            }
            let mut pass = Pass::new(ruleset, board, generations, &changes);
            if let Some(active) = &active
                && share <= MOST_ACTIVE
            {
                for (row, (next_alive, next_blue)) in block_rows.zip(
                    next_alive
                        .chunks_mut(BLOCK_ROWS * words)
                        .zip(next_blue.chunks_mut(BLOCK_ROWS * words)),
                ) {
                    for run in active.runs(row, (TILE_WORDS - HALO_WORDS) / BLOCK_WORDS) {
                        let first_word = run.start * BLOCK_WORDS;
                        let own = (run.end * BLOCK_WORDS).min(words) - first_word;
                        pass.tile(row * BLOCK_ROWS, first_word, own, next_alive, next_blue);
                    }
                }
                return;
            }
            let columns = words.div_ceil(TILE_WORDS - HALO_WORDS);
            let tile_words = words.div_ceil(columns) + HALO_WORDS;
            let most_own = tile_words.next_multiple_of(VECTOR_WORDS) - HALO_WORDS;
            for first_word in (0..words).step_by(most_own) {
                let own = most_own.min(words - first_word);
                pass.tile(first_row, first_word, own, next_alive, next_blue);
            }
        });
    changes
}

/// One row of a tile; word i of the tile is at i + 1, and there is a dead word on either side.
struct Row {
    alive: RowWords,
    blue: RowWords,
}

/// The row sums of one row in one plane.
struct RowSums {
    ones: [u32; TILE_WORDS],
    twos: [u32; TILE_WORDS],
}

/// The row sums of one row in both planes.
struct PlaneSums {
    alive: RowSums,
    blue: RowSums,
}

/// The rows that a stage, or the board, has put out last, by their number modulo 3.
type LastRows = [Row; 3];

/// One generation.
struct Stage {
    /// The row sums of the last two rows that came in, by their number modulo 2.
    sums: [PlaneSums; 2],
    out: LastRows,
}

/// A band of a board on its way through the stages.
struct Pass<'a> {
    ruleset: Ruleset,
    board: &'a Board,
    changes: &'a Changes,
    input: LastRows,
    stages: Vec<Stage>,
}

impl Row {
    const DEAD: Self = Self {
        alive: [0; TILE_WORDS + 2],
        blue: [0; TILE_WORDS + 2],
    };
}

impl PlaneSums {
    const ZERO: Self = {
        const ZERO: RowSums = RowSums {
            ones: [0; TILE_WORDS],
            twos: [0; TILE_WORDS],
        };
        Self {
            alive: ZERO,
            blue: ZERO,
        }
    };
}

impl<'a> Pass<'a> {
    fn new(ruleset: Ruleset, board: &'a Board, generations: u32, changes: &'a Changes) -> Self {
        let stage = || Stage {
            sums: [PlaneSums::ZERO; 2],
            out: [Row::DEAD; 3],
        };
        Self {
            ruleset,
            board,
            changes,
            input: [Row::DEAD; 3],
            stages: (0..generations).map(|_| stage()).collect(),
        }
    }

    /// Computes the words `first_word ..` of the rows of a band, `own` of them. `next_*` are all
    /// words of the band's rows, of which `first_row` is the first.
    fn tile(
        &mut self,
        first_row: usize,
        first_word: usize,
        own: usize,
        next_alive: &mut [u32],
        next_blue: &mut [u32],
    ) {
        let size = self.board.size();
        let words = size.row_words();
        // Words that have changed since the beginning of the present zone.
        let mut differences = [0; TILE_WORDS];
        let mut zone_end = self.changes.zone_end(first_row);
        let first_row = first_row as i64;
        let rows = (next_alive.len() / words) as i64;
        let generations = self.stages.len() as i64;
        let tile = Tile {
            ruleset: self.ruleset,
            size,
            first_word,
            words: own + HALO_WORDS,
        };
        for (number, y) in (first_row - generations..first_row + rows + generations).enumerate() {
            tile.load(self.board, y, &mut self.input[number % 3]);
            let mut incoming = &self.input;
            for (generation, stage) in (1..).zip(&mut self.stages) {
                tile.push(number, y - generation, incoming, stage);
                incoming = &stage.out;
            }
            let done = y - generations;
            if done < first_row {
                continue;
            }
            let row = &incoming[number % 3];
            let start = (done - first_row) as usize * words + first_word;
            // Word 0 of the tile is halo.
            next_alive[start..start + own].copy_from_slice(&row.alive[2..][..own]);
            next_blue[start..start + own].copy_from_slice(&row.blue[2..][..own]);
            if first_word + own == words {
                next_alive[start + own - 1] &= size.last_word_mask();
                next_blue[start + own - 1] &= size.last_word_mask();
            }
            let done = done as usize;
            let (alive, blue) = self.board.row_planes(done as u32);
            add_differences(
                &mut differences,
                [&next_alive[start..][..own], &next_blue[start..][..own]],
                [&alive[first_word..][..own], &blue[first_word..][..own]],
            );
            if done + 1 == zone_end {
                self.changes.note(done, first_word, &differences[..own]);
                differences.fill(0);
                zone_end = self.changes.zone_end(done + 1);
            }
        }
    }
}

/// Where a tile lies.
#[derive(Clone, Copy)]
struct Tile {
    ruleset: Ruleset,
    size: Size,
    /// Its first own word; the halo is the one before.
    first_word: usize,
    /// Its words with the halo.
    words: usize,
}

impl Tile {
    /// The row of the board that is row `y` of the endless plane, or none.
    fn board_row(&self, y: i64) -> Option<u32> {
        let height = i64::from(self.size.height());
        match self.ruleset.edges {
            Edges::Torus => Some(y.rem_euclid(height) as u32),
            Edges::Dead => (0..height).contains(&y).then_some(y as u32),
        }
    }

    /// Fills a row of the tile from row `y` of the endless plane.
    fn load(&self, board: &Board, y: i64, row: &mut Row) {
        let Some(y) = self.board_row(y) else {
            row.alive.fill(0);
            row.blue.fill(0);
            return;
        };
        let (alive, blue) = board.row_planes(y);
        // Words all of whose cells are cells of the board, as words of the tile.
        let first = 1 - self.first_word.min(1);
        let whole = (self.size.width() / WORD_BITS) as usize;
        let end = (whole + 1).saturating_sub(self.first_word).min(self.words);
        let end = end.max(first);
        for (plane, words) in [(alive, &mut row.alive), (blue, &mut row.blue)] {
            let words = &mut words[1..][..self.words];
            if first < end {
                let start = self.first_word + first - 1;
                words[first..end].copy_from_slice(&plane[start..][..end - first]);
            }
            for other in (0..first).chain(end..self.words) {
                words[other] = self.cells(plane, (self.first_word + other) as i64 - 1);
            }
        }
    }

    /// The cells of word `word` of the endless plane in a row of the board.
    fn cells(&self, plane: &[u32], word: i64) -> u32 {
        let width = i64::from(self.size.width());
        if self.ruleset.edges == Edges::Dead {
            let inside = usize::try_from(word).ok().and_then(|word| plane.get(word));
            return inside.copied().unwrap_or(0);
        }
        let mut cells = 0;
        let mut bit = 0;
        while bit < WORD_BITS {
            let x = word * i64::from(WORD_BITS) + i64::from(bit);
            let x = x.rem_euclid(width) as u32;
            let run = (WORD_BITS - bit)
                .min(WORD_BITS - x % WORD_BITS)
                .min(self.size.width() - x);
            let found = plane[(x / WORD_BITS) as usize] >> (x % WORD_BITS);
            cells |= (found & u32::MAX >> (WORD_BITS - run)) << bit;
            bit += run;
        }
        cells
    }

    /// Lets row number `number` of a stage's input in; then row `y`, the one above it, goes out.
    fn push(&self, number: usize, y: i64, input: &LastRows, stage: &mut Stage) {
        let [even, odd] = &mut stage.sums;
        // The sums of the row two before make room for those of the new one.
        let (above, middle) = match number % 2 {
            0 => (even, &*odd),
            _ => (odd, &*even),
        };
        let rows = Rows {
            middle: &input[(number + 2) % 3],
            below: &input[number % 3],
            words: self.words.next_multiple_of(VECTOR_WORDS),
        };
        let out = &mut stage.out[number % 3];
        let Some(board_y) = self.board_row(y) else {
            // Nothing lives outside; but the sums must be known for the rows inside.
            keep_sums(&rows, above);
            out.alive.fill(0);
            out.blue.fill(0);
            return;
        };
        let rule = self.ruleset.rule;
        if rule == Rule::LIFE {
            push_life(&rows, above, middle, out);
        } else if !rule.has_ties() {
            push_without_ties(rule, &rows, above, middle, out);
        } else {
            let mut tied = [0; TILE_WORDS];
            push_with_ties(rule, &rows, above, middle, out, &mut tied);
            let tied = tied.iter().enumerate().take(self.words);
            for (word, tied) in tied.filter(|(_, tied)| **tied != 0) {
                let neighbours = [&input[(number + 1) % 3], rows.middle, rows.below];
                out.blue[word + 1] |= tied & self.tie_blue(neighbours, word, board_y);
            }
        }
        if self.ruleset.edges == Edges::Dead {
            self.clear_outside(out);
        }
    }

    /// Kills the cells of a row that lie beyond the edges.
    fn clear_outside(&self, row: &mut Row) {
        // The word of the board's last cell, as a word of the tile.
        let last = self.size.row_words() - self.first_word;
        for plane in [&mut row.alive, &mut row.blue] {
            if self.first_word == 0 {
                plane[1] = 0;
            }
            if last < self.words {
                plane[last + 1] &= self.size.last_word_mask();
                plane[last + 2..].fill(0);
            }
        }
    }

    /// Where blue owns an evenly split birth, in the cells of a word of the tile in row `y` of the
    /// board.
    fn tie_blue(&self, rows: [&Row; 3], word: usize, y: u32) -> u32 {
        match self.ruleset.ties {
            Ties::Red => 0,
            Ties::Blue => u32::MAX,
            Ties::Checkerboard => checkerboard_blue(y),
            Ties::Seeded(seed) => {
                let words = self.size.row_words();
                let board_word = (self.first_word + words - 1 + word) % words;
                let bits = priority_bits(seed_words(seed), board_word as u32, y);
                let triples =
                    rows.map(|row| [&row.alive, &row.blue].map(|plane| triple(plane, word)));
                let neighbours = NEIGHBOURS.map(|(dx, dy)| {
                    let [alive, blue] = triples[(dy + 1) as usize];
                    Asked {
                        alive: alive[(dx + 1) as usize],
                        blue: blue[(dx + 1) as usize],
                    }
                });
                first_blue(bits, neighbours)
            }
        }
    }
}

/// The words of a plane of a [`Row`].
type RowWords = [u32; TILE_WORDS + 2];

/// The left neighbours of the cells of a word of a tile, the cells, and their right neighbours.
#[inline(always)]
fn triple(plane: &RowWords, word: usize) -> [u32; 3] {
    let (before, centre, after) = (plane[word], plane[word + 1], plane[word + 2]);
    [
        centre << 1 | before >> (WORD_BITS - 1),
        centre,
        centre >> 1 | after << (WORD_BITS - 1),
    ]
}

#[inline(always)]
fn sum_of(plane: &RowWords, word: usize) -> RowSum {
    let [left, centre, right] = triple(plane, word);
    row_sum(left, centre, right)
}

impl RowSums {
    #[inline(always)]
    fn get(&self, word: usize) -> RowSum {
        RowSum {
            ones: self.ones[word],
            twos: self.twos[word],
        }
    }

    #[inline(always)]
    fn set(&mut self, word: usize, sum: RowSum) {
        (self.ones[word], self.twos[word]) = (sum.ones, sum.twos);
    }
}

/// What a stage computes a row from, besides the sums it has kept.
struct Rows<'a> {
    middle: &'a Row,
    below: &'a Row,
    words: usize,
}

/// Replaces the sums of the row two before by those of the row that came in.
#[multiversion(targets("x86_64+avx512f", "x86_64+avx2", "x86_64+sse4.1", "aarch64+neon"))]
fn keep_sums(rows: &Rows<'_>, sums: &mut PlaneSums) {
    for i in 0..rows.words.min(TILE_WORDS) {
        sums.alive.set(i, sum_of(&rows.below.alive, i));
        sums.blue.set(i, sum_of(&rows.below.blue, i));
    }
}

/// Adds the bits in which two planes of a row differ from what they were.
#[multiversion(targets("x86_64+avx512f", "x86_64+avx2", "x86_64+sse4.1", "aarch64+neon"))]
fn add_differences(differences: &mut [u32; TILE_WORDS], new: [&[u32]; 2], was: [&[u32]; 2]) {
    let words = new[0].len();
    // Slices of one length, or every access in the loop would be checked.
    let (alive, blue) = (&new[0][..words], &new[1][..words]);
    let (was_alive, was_blue) = (&was[0][..words], &was[1][..words]);
    let differences = &mut differences[..words];
    for i in 0..words {
        differences[i] |= (alive[i] ^ was_alive[i]) | (blue[i] ^ was_blue[i]);
    }
}

/// B3/S23 has circuits of its own, which take little more than half of the operations.
#[multiversion(targets("x86_64+avx512f", "x86_64+avx2", "x86_64+sse4.1", "aarch64+neon"))]
fn push_life(rows: &Rows<'_>, above: &mut PlaneSums, middle: &PlaneSums, out: &mut Row) {
    for i in 0..rows.words.min(TILE_WORDS) {
        let below = sum_of(&rows.below.alive, i);
        let below_blue = sum_of(&rows.below.blue, i);
        let (alive, blue) = (rows.middle.alive[i + 1], rows.middle.blue[i + 1]);
        let lives = life_alive(alive, [above.alive.get(i), middle.alive.get(i), below]);
        let parents_blue = life_blue([above.blue.get(i), middle.blue.get(i), below_blue]);
        out.alive[i + 1] = lives;
        out.blue[i + 1] = lives & (blue | (parents_blue & !alive));
        above.alive.set(i, below);
        above.blue.set(i, below_blue);
    }
}

#[multiversion(targets("x86_64+avx512f", "x86_64+avx2", "x86_64+sse4.1", "aarch64+neon"))]
fn push_without_ties(
    rule: Rule,
    rows: &Rows<'_>,
    above: &mut PlaneSums,
    middle: &PlaneSums,
    out: &mut Row,
) {
    push_any(rule, rows, above, middle, out, |_, _| {});
}

#[multiversion(targets("x86_64+avx512f", "x86_64+avx2", "x86_64+sse4.1", "aarch64+neon"))]
fn push_with_ties(
    rule: Rule,
    rows: &Rows<'_>,
    above: &mut PlaneSums,
    middle: &PlaneSums,
    out: &mut Row,
    tied: &mut [u32; TILE_WORDS],
) {
    push_any(rule, rows, above, middle, out, |word, ties| {
        tied[word] = ties
    });
}

/// Any rule. It must be inlined into a function compiled for a processor.
#[inline(always)]
fn push_any(
    rule: Rule,
    rows: &Rows<'_>,
    above: &mut PlaneSums,
    middle: &PlaneSums,
    out: &mut Row,
    mut mark_tied: impl FnMut(usize, u32),
) {
    for i in 0..rows.words.min(TILE_WORDS) {
        let below = sum_of(&rows.below.alive, i);
        let below_blue = sum_of(&rows.below.blue, i);
        let (alive, blue) = (rows.middle.alive[i + 1], rows.middle.blue[i + 1]);
        let count = block_count(above.alive.get(i), middle.alive.get(i), below);
        let blue_count = block_count(above.blue.get(i), middle.blue.get(i), below_blue);
        let lives = lifelike::next_alive(rule, alive, count);
        let born = lives & !alive;
        let parents = majority(count, blue_count);
        out.alive[i + 1] = lives;
        out.blue[i + 1] = (lives & blue) | (born & parents.blue);
        above.alive.set(i, below);
        above.blue.set(i, below_blue);
        mark_tied(i, born & parents.even);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Cell, start};
    use crate::engine::Engine;
    use crate::engine::cpu::CpuEngine;
    use crate::engine::reference::ReferenceEngine;
    use crate::rules::notation;

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
                    let ruleset = Ruleset {
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
                    stream(ruleset, &board, generations, &mut alive, &mut blue, None);
                    let found = Board::from_planes(size, alive, blue).unwrap();
                    let expected = reference.read().unwrap();
                    assert!(found == expected, "{size} {edges} {rule} {generations}");
                }
            }
        }
    }

    /// Gliders among still lifes and oscillators wake what they come near, pass after pass; some
    /// widths put a narrow block beside the seam.
    #[test]
    fn still_blocks_wake_in_time() {
        let block = (BLOCK_WORDS as u64) * u64::from(WORD_BITS);
        for (width, height, edges) in [
            (4 * block, 5 * BLOCK_ROWS as u64, Edges::Torus),
            (4 * block + 1, 4 * BLOCK_ROWS as u64 + 2, Edges::Torus),
            (4 * block + 40, 5 * BLOCK_ROWS as u64 - 1, Edges::Dead),
        ] {
            let size = Size::new(width, height).unwrap();
            let mut board = Board::new(size).unwrap();
            let put = |board: &mut Board, left: u64, top: u64, cells: &[(u64, u64)], cell| {
                for (x, y) in cells {
                    board.set((left + x) as u32, (top + y) as u32, cell);
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
                let cell = if n % 3 == 0 { Cell::Blue } else { Cell::Red };
                put(&mut board, x, y, cells, cell);
            }
            let ruleset = Ruleset {
                rule: Rule::LIFE,
                edges,
                ties: Ties::Red,
            };
            let mut plain = CpuEngine::new(ruleset).with_pass(1);
            plain.load(&board).unwrap();
            let (mut alive, mut blue) = Board::new(size).unwrap().into_planes();
            let (mut changes, mut skipped) = (None, 0);
            for pass in 0..150 {
                // Another length now and then, after which nothing is known.
                let generations = if pass % 50 == 49 { 5 } else { 8 };
                if let Some(active) = changes
                    .as_ref()
                    .and_then(|changes: &Changes| changes.active(generations))
                {
                    let rows = (height as usize).div_ceil(BLOCK_ROWS);
                    skipped += u32::from(active.share(0..rows) < MOST_ACTIVE);
                }
                let last = changes.take();
                let last = last.as_ref();
                changes = Some(stream(
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
}
