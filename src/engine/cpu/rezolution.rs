//! reZolution on the CPU: the functions of [`crate::rules::rezolution`], rows over all cores.
//!
//! As for the Life-like rules a band of rows is computed from top to bottom, the sums of three
//! horizontal neighbours are made once a source row, and the inner loops run over plain slices.
//! Several generations go through [`stream`] in one pass, watched or not.

mod stage;
mod stream;
mod watch;

use multiversion::multiversion;
use rayon::prelude::*;

use self::watch::MOST_WATCHED;
use super::{BAND_WORDS, CpuFamily, Passes, Seen};
use crate::board::rezolution::{CELLS_PER_WORD, count_words, last_word, row_words};
use crate::board::{BoardError, Edges, RezolutionBoard, RezolutionCensus, Size};
use crate::engine::POISON;
use crate::rules::rezolution::{
    EMPTY_SUM, Lanes, RezolutionRuleset, block_sum, marked, next_levels, row_sum,
};

/// Cells of a row from which on several generations a pass are faster than one: below, too much of
/// a tile is halo.
const LEAST_STREAM_CELLS: u32 = 32;

impl CpuFamily for RezolutionRuleset {
    /// The levels.
    type Output = Vec<u32>;

    fn output(size: Size) -> Result<Vec<u32>, BoardError> {
        let mut levels = RezolutionBoard::new(size)?.into_levels();
        // No population is -128.
        levels[0] = 0x80;
        Ok(levels)
    }

    fn poison(levels: &mut Vec<u32>) {
        levels.fill(POISON);
    }

    fn compute(
        self,
        board: &RezolutionBoard,
        levels: &mut Vec<u32>,
        watched: bool,
    ) -> Seen<RezolutionCensus> {
        let source = Source {
            edges: self.edges,
            size: board.size(),
            levels: board.levels(),
            barriers: board.barriers(),
            targets: board.targets(),
        };
        let row_words = row_words(source.size);
        let band_rows = (BAND_WORDS / row_words).max(1);
        if levels.len() <= BAND_WORDS {
            return source.step_band(0, levels, watched);
        }
        let bands = levels.par_chunks_mut(band_rows * row_words).enumerate();
        bands
            .map(|(band, levels)| source.step_band((band * band_rows) as u32, levels, watched))
            .reduce(Seen::default, |a, b| a.and(b, RezolutionCensus::plus))
    }

    fn passes(self, size: Size) -> Passes {
        let worth_it = size.width() >= LEAST_STREAM_CELLS;
        Passes {
            possible: stream::MOST_GENERATIONS,
            worthwhile: if worth_it {
                stream::MOST_GENERATIONS
            } else {
                1
            },
        }
    }

    fn compute_pass(self, board: &RezolutionBoard, levels: &mut Vec<u32>, generations: u32) {
        stream::stream(self, board, generations, levels);
    }

    fn watch_pass(
        self,
        board: &RezolutionBoard,
        levels: &mut Vec<u32>,
        most: u32,
        is_remembered: bool,
    ) -> Option<Vec<Seen<RezolutionCensus>>> {
        let generations = most.min(MOST_WATCHED);
        if generations < 2 {
            return None;
        }
        let sights = stream::watch(self, board, generations, is_remembered, levels);
        Some(sights[..generations as usize].to_vec())
    }

    fn exchange(board: &mut RezolutionBoard, levels: &mut Vec<u32>) {
        board.swap_levels(levels);
    }
}

/// The generation that is read.
#[derive(Clone, Copy)]
struct Source<'a> {
    edges: Edges,
    size: Size,
    levels: &'a [u32],
    barriers: &'a [u32],
    targets: &'a [u32],
}

/// The sums of three neighbours in one row.
#[derive(Clone, Default)]
struct RowSums {
    even: Vec<u32>,
    odd: Vec<u32>,
}

impl Source<'_> {
    /// Computes the rows of a band, of which `first_row` is the first and `next` the words, and
    /// tells what is seen of them if they are watched.
    fn step_band(&self, first_row: u32, next: &mut [u32], watched: bool) -> Seen<RezolutionCensus> {
        let words = row_words(self.size);
        let mark_words = self.size.row_words();
        let (last, mask) = last_word(self.size);
        let mut seen = Seen::<RezolutionCensus>::default();
        // A row of the second last generation.
        let mut old = Vec::new();
        let (mut above, mut middle, mut below) = <(RowSums, RowSums, RowSums)>::default();
        self.sum_row(self.edges.row_above(first_row, self.size), &mut above);
        self.sum_row(Some(first_row), &mut middle);
        for (y, next) in (first_row..).zip(next.chunks_mut(words)) {
            self.sum_row(self.edges.row_below(y, self.size), &mut below);
            if watched {
                old.clear();
                old.extend_from_slice(next);
            }
            let levels = &self.levels[y as usize * words..][..words];
            step_words(levels, [&above, &middle, &below], next);
            let marks = y as usize * mark_words..(y as usize + 1) * mark_words;
            for_marked(&self.barriers[marks.clone()], next, |levels, barred| {
                *levels &= !barred;
            });
            next[last] &= mask;
            next[last + 1..].fill(0);
            if watched {
                seen.differs_from_last |= next != levels;
                seen.differs_from_second_last |= next != &old[..];
                seen.census = seen.census.plus(count_words(next));
                for_marked(&self.targets[marks], next, |levels, marked| {
                    let populated = (*levels & marked).to_le_bytes().map(|byte| byte != 0);
                    seen.census.reached += populated.map(u64::from).iter().sum::<u64>();
                });
            }
            std::mem::swap(&mut above, &mut middle);
            std::mem::swap(&mut middle, &mut below);
        }
        seen
    }

    /// The sums of row `y`, or of an empty row.
    fn sum_row(&self, y: Option<u32>, sums: &mut RowSums) {
        let words = row_words(self.size);
        sums.even.resize(words, 0);
        sums.odd.resize(words, 0);
        let Some(y) = y else {
            sums.even.fill(EMPTY_SUM);
            sums.odd.fill(EMPTY_SUM);
            return;
        };
        let row = &self.levels[y as usize * words..][..words];
        sum_inner_words(row, &mut sums.even, &mut sums.odd);
        for word in [0, last_word(self.size).0] {
            let [before, levels, after] = self.triple(row, word);
            let sum = row_sum(before, levels, after);
            (sums.even[word], sums.odd[word]) = (sum.even, sum.odd);
        }
    }

    /// A word and its neighbours to both sides, with the seam of a torus of any width.
    fn triple(&self, row: &[u32], word: usize) -> [u32; 3] {
        let (last, _) = last_word(self.size);
        // Cells of the last word, 1 to 4.
        let used = (self.size.width() - 1) % CELLS_PER_WORD + 1;
        let torus = self.edges == Edges::Torus;
        let before = match word {
            0 if torus => row[last] << (8 * (CELLS_PER_WORD - used)),
            0 => 0,
            _ => row[word - 1],
        };
        let after = match word {
            _ if word < last => row[word + 1],
            _ if torus => row[0],
            _ => 0,
        };
        // Behind the last cell of a word that is not full comes the first of the row.
        let seam = match word {
            _ if word == last && used < CELLS_PER_WORD => (after & 0xff) << (8 * used),
            _ => 0,
        };
        [before, row[word] | seam, after]
    }
}

/// Hands the words of a row of levels in which a cell is marked to `change`, with the bytes of the
/// marked cells.
fn for_marked(marks: &[u32], levels: &mut [u32], mut change: impl FnMut(&mut u32, u32)) {
    for (mark_word, &marks) in marks.iter().enumerate().filter(|(_, marks)| **marks != 0) {
        for (word, levels) in (0..8).zip(&mut levels[8 * mark_word..]) {
            change(levels, marked(marks, word));
        }
    }
}

/// The sums of all words but the first and the last. The neighbours of the first cell and of the
/// last one lie across a border.
#[multiversion(targets("x86_64+avx512f", "x86_64+avx2", "x86_64+sse4.1", "aarch64+neon"))]
fn sum_inner_words(row: &[u32], even: &mut [u32], odd: &mut [u32]) {
    let Some(inner) = row.len().checked_sub(2).filter(|&inner| inner > 0) else {
        return;
    };
    let (before, levels, after) = (&row[..inner], &row[1..][..inner], &row[2..][..inner]);
    let (even, odd) = (&mut even[1..][..inner], &mut odd[1..][..inner]);
    for i in 0..inner {
        let sum = row_sum(before[i], levels[i], after[i]);
        (even[i], odd[i]) = (sum.even, sum.odd);
    }
}

/// One row of the next generation, as if nothing were barred.
#[multiversion(targets("x86_64+avx512f", "x86_64+avx2", "x86_64+sse4.1", "aarch64+neon"))]
fn step_words(levels: &[u32], sums: [&RowSums; 3], next: &mut [u32]) {
    let words = levels.len();
    // Slices of one length, or every access in the loop would be checked.
    let next = &mut next[..words];
    let [above, middle, below] = sums.map(|sums| (&sums.even[..words], &sums.odd[..words]));
    let sum = |(even, odd): (&[u32], &[u32]), i: usize| Lanes {
        even: even[i],
        odd: odd[i],
    };
    for i in 0..words {
        let sum = block_sum(sum(above, i), sum(middle, i), sum(below, i));
        next[i] = next_levels(levels[i], sum);
    }
}
