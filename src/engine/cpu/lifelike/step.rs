//! One generation of a Life-like rule: rows of a band, from top to bottom.

use multiversion::multiversion;

use crate::board::hash::seed_words;
use crate::board::{Edges, LifelikeCensus, Size, WORD_BITS};
use crate::engine::cpu::PartialStats;
use crate::rules::lifelike::{self, RowSum, block_count, life_alive, life_blue, majority, row_sum};
use crate::rules::ties::{FirstLive, NEIGHBOURS, checkerboard_blue, first_blue, priority_bits};
use crate::rules::{LifelikeRuleset, Rule, Ties};

/// The generation that is read.
#[derive(Clone, Copy)]
pub(super) struct Source<'a> {
    pub(super) ruleset: LifelikeRuleset,
    pub(super) size: Size,
    pub(super) alive: &'a [u32],
    pub(super) blue: &'a [u32],
}

/// The row sums of one row in one plane.
#[derive(Clone, Default)]
struct RowSums {
    ones: Vec<u32>,
    twos: Vec<u32>,
}

/// The row sums of one row in both planes.
#[derive(Clone, Default)]
struct PlaneSums {
    alive: RowSums,
    blue: RowSums,
}

impl Source<'_> {
    /// Computes the rows of a band, of which `first_row` is the first and `next_*` the words, and
    /// returns their statistics if `with_stats`.
    pub(super) fn step_band(
        &self,
        first_row: u32,
        next_alive: &mut [u32],
        next_blue: &mut [u32],
        with_stats: bool,
    ) -> PartialStats<LifelikeCensus> {
        let words = self.size.row_words();
        let mut stats = PartialStats::<LifelikeCensus>::default();
        // A row of the second last generation.
        let (mut old_alive, mut old_blue) = (Vec::new(), Vec::new());
        let rule = self.ruleset.rule;
        let mut tied = vec![0; if rule.has_ties() { words } else { 0 }];
        let (mut above, mut middle, mut below) = <(PlaneSums, PlaneSums, PlaneSums)>::default();
        self.sum_row(
            self.ruleset.edges.row_above(first_row, self.size),
            &mut above,
        );
        self.sum_row(Some(first_row), &mut middle);
        let rows = next_alive
            .chunks_mut(words)
            .zip(next_blue.chunks_mut(words));
        for (y, (next_alive, next_blue)) in (first_row..).zip(rows) {
            self.sum_row(self.ruleset.edges.row_below(y, self.size), &mut below);
            let start = y as usize * words;
            let row = Row {
                alive: &self.alive[start..start + words],
                blue: &self.blue[start..start + words],
                sums: [&above, &middle, &below],
            };
            if with_stats {
                old_alive.clear();
                old_alive.extend_from_slice(next_alive);
                old_blue.clear();
                old_blue.extend_from_slice(next_blue);
            }
            step_row(rule, &row, next_alive, next_blue, &mut tied);
            for (word, tied) in tied.iter().enumerate().filter(|(_, tied)| **tied != 0) {
                next_blue[word] |= tied & self.tie_blue(word, y);
            }
            next_alive[words - 1] &= self.size.last_word_mask();
            next_blue[words - 1] &= self.size.last_word_mask();
            if with_stats {
                for (new, last, second_last) in [
                    (&*next_alive, row.alive, &old_alive),
                    (&*next_blue, row.blue, &old_blue),
                ] {
                    stats.differs_from_last |= new != last;
                    stats.differs_from_second_last |= new != &second_last[..];
                }
                let (alive, blue) = (count_ones(next_alive), count_ones(next_blue));
                stats.census.red += alive - blue;
                stats.census.blue += blue;
            }
            std::mem::swap(&mut above, &mut middle);
            std::mem::swap(&mut middle, &mut below);
        }
        stats
    }

    /// The row sums of row `y`, or of a dead row.
    fn sum_row(&self, y: Option<u32>, sums: &mut PlaneSums) {
        let words = self.size.row_words();
        for (plane, sums) in [(self.alive, &mut sums.alive), (self.blue, &mut sums.blue)] {
            sums.ones.resize(words, 0);
            sums.twos.resize(words, 0);
            match y {
                None => {
                    sums.ones.fill(0);
                    sums.twos.fill(0);
                }
                Some(y) => {
                    let row = &plane[y as usize * words..][..words];
                    sum_inner_words(row, &mut sums.ones, &mut sums.twos);
                    for word in [0, words - 1] {
                        let [left, centre, right] = self.triple(row, word);
                        let sum = row_sum(left, centre, right);
                        (sums.ones[word], sums.twos[word]) = (sum.ones, sum.twos);
                    }
                }
            }
        }
    }

    /// The left neighbours of the cells of a word, the cells, and their right neighbours, with the
    /// seam of a torus of any width.
    fn triple(&self, row: &[u32], word: usize) -> [u32; 3] {
        let last = row.len() - 1;
        let last_bit = (self.size.width() - 1) % WORD_BITS;
        let torus = u32::from(self.ruleset.edges == Edges::Torus);
        let before = match word {
            0 => row[last] >> last_bit & torus,
            _ => row[word - 1] >> (WORD_BITS - 1),
        };
        let (after, top) = match word {
            _ if word == last => (row[0] & torus, last_bit),
            _ => (row[word + 1] & 1, WORD_BITS - 1),
        };
        let centre = row[word];
        [centre << 1 | before, centre, centre >> 1 | after << top]
    }

    /// Where blue owns an evenly split birth, in the cells of a word of row `y`.
    fn tie_blue(&self, word: usize, y: u32) -> u32 {
        match self.ruleset.ties {
            Ties::Red => 0,
            Ties::Blue => u32::MAX,
            Ties::Checkerboard => checkerboard_blue(y),
            Ties::Seeded(seed) => {
                let bits = priority_bits(seed_words(seed), word as u32, y);
                let words = self.size.row_words();
                let edges = self.ruleset.edges;
                let (above, below) = (edges.row_above(y, self.size), edges.row_below(y, self.size));
                let rows = [above, Some(y), below].map(|row| {
                    row.map_or([[0; 3]; 2], |row| {
                        [self.alive, self.blue]
                            .map(|plane| self.triple(&plane[row as usize * words..][..words], word))
                    })
                });
                let neighbours = NEIGHBOURS.map(|by| {
                    let [alive, blue] = rows[(by.y + 1) as usize];
                    FirstLive {
                        alive: alive[(by.x + 1) as usize],
                        blue: blue[(by.x + 1) as usize],
                    }
                });
                first_blue(bits, neighbours)
            }
        }
    }
}

impl RowSums {
    #[inline(always)]
    fn slices(&self, words: usize) -> (&[u32], &[u32]) {
        (&self.ones[..words], &self.twos[..words])
    }
}

/// The row sums of all words but the first and the last, whose neighbours lie across a border.
#[multiversion(targets("x86_64+avx512f", "x86_64+avx2", "x86_64+sse4.1", "aarch64+neon"))]
fn sum_inner_words(row: &[u32], ones: &mut [u32], twos: &mut [u32]) {
    let Some(inner) = row.len().checked_sub(2).filter(|&inner| inner > 0) else {
        return;
    };
    let (left, centre, right) = (&row[..inner], &row[1..][..inner], &row[2..][..inner]);
    let (ones, twos) = (&mut ones[1..][..inner], &mut twos[1..][..inner]);
    for i in 0..inner {
        let sum = row_sum(
            centre[i] << 1 | left[i] >> (WORD_BITS - 1),
            centre[i],
            centre[i] >> 1 | right[i] << (WORD_BITS - 1),
        );
        (ones[i], twos[i]) = (sum.ones, sum.twos);
    }
}

#[multiversion(targets(
    "x86_64+avx512f+avx512vpopcntdq",
    "x86_64+avx2+popcnt",
    "x86_64+popcnt",
    "aarch64+neon"
))]
fn count_ones(words: &[u32]) -> u64 {
    words.iter().map(|word| u64::from(word.count_ones())).sum()
}

/// A source row with the sums of the row above, its own and those of the row below.
struct Row<'a> {
    alive: &'a [u32],
    blue: &'a [u32],
    sums: [&'a PlaneSums; 3],
}

/// One row of the next generation. Evenly split births stay red and are marked in `tied`, which is
/// empty for a rule that has none.
fn step_row(
    rule: Rule,
    row: &Row<'_>,
    next_alive: &mut [u32],
    next_blue: &mut [u32],
    tied: &mut [u32],
) {
    match rule {
        Rule::LIFE => step_life_words(row, next_alive, next_blue),
        _ if tied.is_empty() => step_words_without_ties(rule, row, next_alive, next_blue),
        _ => step_words_with_ties(rule, row, next_alive, next_blue, tied),
    }
}

#[multiversion(targets("x86_64+avx512f", "x86_64+avx2", "x86_64+sse4.1", "aarch64+neon"))]
fn step_life_words(row: &Row<'_>, next_alive: &mut [u32], next_blue: &mut [u32]) {
    let words = row.alive.len();
    let alive = &row.alive[..words];
    let blue = &row.blue[..words];
    let [above, middle, below] = row.sums.map(|sums| sums.alive.slices(words));
    let [blue_above, blue_middle, blue_below] = row.sums.map(|sums| sums.blue.slices(words));
    let (next_alive, next_blue) = (&mut next_alive[..words], &mut next_blue[..words]);
    for i in 0..words {
        // No closures in here: the compiler would not inline them into vector code.
        let lives = life_alive(alive[i], [sum(above, i), sum(middle, i), sum(below, i)]);
        let parents_blue = life_blue([sum(blue_above, i), sum(blue_middle, i), sum(blue_below, i)]);
        next_alive[i] = lives;
        next_blue[i] = lives & (blue[i] | (parents_blue & !alive[i]));
    }
}

/// A row sum from the slices of its bits.
#[inline(always)]
fn sum((ones, twos): (&[u32], &[u32]), word: usize) -> RowSum {
    RowSum {
        ones: ones[word],
        twos: twos[word],
    }
}

#[multiversion(targets("x86_64+avx512f", "x86_64+avx2", "x86_64+sse4.1", "aarch64+neon"))]
fn step_words_without_ties(
    rule: Rule,
    row: &Row<'_>,
    next_alive: &mut [u32],
    next_blue: &mut [u32],
) {
    step_words(rule, row, next_alive, next_blue, |_, _| {});
}

#[multiversion(targets("x86_64+avx512f", "x86_64+avx2", "x86_64+sse4.1", "aarch64+neon"))]
fn step_words_with_ties(
    rule: Rule,
    row: &Row<'_>,
    next_alive: &mut [u32],
    next_blue: &mut [u32],
    tied: &mut [u32],
) {
    let tied = &mut tied[..row.alive.len()];
    step_words(rule, row, next_alive, next_blue, |word, ties| {
        tied[word] = ties;
    });
}

/// The loop over the words of a row. It must be inlined into a function compiled for a processor.
#[inline(always)]
fn step_words(
    rule: Rule,
    row: &Row<'_>,
    next_alive: &mut [u32],
    next_blue: &mut [u32],
    mut mark_tied: impl FnMut(usize, u32),
) {
    let words = row.alive.len();
    // Slices of one length, or every access in the loop would be checked.
    let alive = &row.alive[..words];
    let blue = &row.blue[..words];
    let [above, middle, below] = row.sums.map(|sums| sums.alive.slices(words));
    let [blue_above, blue_middle, blue_below] = row.sums.map(|sums| sums.blue.slices(words));
    let (next_alive, next_blue) = (&mut next_alive[..words], &mut next_blue[..words]);
    for i in 0..words {
        let count = block_count(sum(above, i), sum(middle, i), sum(below, i));
        let blue_count = block_count(sum(blue_above, i), sum(blue_middle, i), sum(blue_below, i));
        let lives = lifelike::next_alive(rule, alive[i], count);
        let born = lives & !alive[i];
        let parents = majority(count, blue_count);
        next_alive[i] = lives;
        next_blue[i] = (lives & blue[i]) | (born & parents.blue);
        mark_tied(i, born & parents.even);
    }
}
