//! One generation of reZolution: rows of a band, from top to bottom.

use multiversion::multiversion;

use crate::board::rezolution::{CELLS_PER_WORD, count_words, last_word, row_words};
use crate::board::{Edges, RezolutionCensus, Size};
use crate::engine::cpu::PartialStats;
use crate::rules::rezolution::{EMPTY_SUM, EvenOdd, block_sum, marked, next_populations, row_sum};

/// The generation that is read.
#[derive(Clone, Copy)]
pub(super) struct Source<'a> {
    pub(super) edges: Edges,
    pub(super) size: Size,
    pub(super) populations: &'a [u32],
    pub(super) barriers: &'a [u32],
    pub(super) targets: &'a [u32],
}

/// The sums of three neighbours in one row.
#[derive(Clone, Default)]
struct RowSums {
    even: Vec<u32>,
    odd: Vec<u32>,
}

impl Source<'_> {
    /// Computes the rows of a band, of which `first_row` is the first and `next` the words, and
    /// returns their statistics if `with_stats`.
    pub(super) fn step_band(
        &self,
        first_row: u32,
        next: &mut [u32],
        with_stats: bool,
    ) -> PartialStats<RezolutionCensus> {
        let words = row_words(self.size);
        let mark_words = self.size.row_words();
        let (last, mask) = last_word(self.size);
        let mut stats = PartialStats::<RezolutionCensus>::default();
        // A row of the second last generation.
        let mut old = Vec::new();
        let (mut above, mut middle, mut below) = <(RowSums, RowSums, RowSums)>::default();
        self.sum_row(self.edges.row_above(first_row, self.size), &mut above);
        self.sum_row(Some(first_row), &mut middle);
        for (y, next) in (first_row..).zip(next.chunks_mut(words)) {
            self.sum_row(self.edges.row_below(y, self.size), &mut below);
            if with_stats {
                old.clear();
                old.extend_from_slice(next);
            }
            let populations = &self.populations[y as usize * words..][..words];
            step_words(populations, [&above, &middle, &below], next);
            let marks = y as usize * mark_words..(y as usize + 1) * mark_words;
            for_marked(
                &self.barriers[marks.clone()],
                next,
                |populations, barred| {
                    *populations &= !barred;
                },
            );
            next[last] &= mask;
            next[last + 1..].fill(0);
            if with_stats {
                stats.differs_from_last |= next != populations;
                stats.differs_from_second_last |= next != &old[..];
                stats.census = stats.census.plus(count_words(next));
                for_marked(&self.targets[marks], next, |populations, marked| {
                    let populated = (*populations & marked).to_le_bytes().map(|byte| byte != 0);
                    stats.census.reached += populated.map(u64::from).iter().sum::<u64>();
                });
            }
            std::mem::swap(&mut above, &mut middle);
            std::mem::swap(&mut middle, &mut below);
        }
        stats
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
        let row = &self.populations[y as usize * words..][..words];
        sum_inner_words(row, &mut sums.even, &mut sums.odd);
        for word in [0, last_word(self.size).0] {
            let [before, populations, after] = self.triple(row, word);
            let sum = row_sum(before, populations, after);
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

/// Calls `change` with each word of a row of populations in which a cell is marked, and with the bytes of
/// the marked cells.
fn for_marked(marks: &[u32], populations: &mut [u32], mut change: impl FnMut(&mut u32, u32)) {
    for (mark_word, &marks) in marks.iter().enumerate().filter(|(_, marks)| **marks != 0) {
        for (word, populations) in (0..8).zip(&mut populations[8 * mark_word..]) {
            change(populations, marked(marks, word));
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
    let (before, populations, after) = (&row[..inner], &row[1..][..inner], &row[2..][..inner]);
    let (even, odd) = (&mut even[1..][..inner], &mut odd[1..][..inner]);
    for i in 0..inner {
        let sum = row_sum(before[i], populations[i], after[i]);
        (even[i], odd[i]) = (sum.even, sum.odd);
    }
}

/// One row of the next generation, as if nothing were barred.
#[multiversion(targets("x86_64+avx512f", "x86_64+avx2", "x86_64+sse4.1", "aarch64+neon"))]
fn step_words(populations: &[u32], sums: [&RowSums; 3], next: &mut [u32]) {
    let words = populations.len();
    // Slices of one length, or every access in the loop would be checked.
    let next = &mut next[..words];
    let [above, middle, below] = sums.map(|sums| (&sums.even[..words], &sums.odd[..words]));
    let sum = |(even, odd): (&[u32], &[u32]), i: usize| EvenOdd {
        even: even[i],
        odd: odd[i],
    };
    for i in 0..words {
        let sum = block_sum(sum(above, i), sum(middle, i), sum(below, i));
        next[i] = next_populations(populations[i], sum);
    }
}
