//! Many boards of one shape, one a bit.
//!
//! ```text
//! row y:  halo  cell 0           cell 1           ...  cell width-1     halo
//!               word 0 .. W-1    word 0 .. W-1         word 0 .. W-1
//!
//! bit b of word k of a cell: that cell of board 32k + b
//! ```
//!
//! The neighbours of a cell are other words, never other bits, so nothing is shifted, the seam of a
//! torus of any width is a copied cell, and no bit is wasted whatever the width. The circuits are
//! those of [`crate::rules::lifelike`], which do not depend on what a bit means. Rows are summed
//! three cells at a time, once each, as in the CPU engine; the loops run over plain slices.
//!
//! A lane is one bit of the words: one match at a time. When its match ends the lane takes the next
//! one from the queue, whatever generation the others are in.

use glam::IVec2;
use multiversion::multiversion;

use super::plane::Plane;
use super::totals::{Counter, Peak};
use super::{ArenaError, Match, MatchResult, Schedule, Shape, TieKind};
use crate::board::hash::seed_words;
use crate::board::{Edges, LifelikeBoard, LifelikeCensus, Size, WORD_BITS};
use crate::engine::GenerationStats;
use crate::game::referee::{Referee, Verdict};
use crate::rules::lifelike::{self, Count, RowSum, block_count, majority, row_sum};
use crate::rules::ties::{FirstLive, NEIGHBOURS, first_blue, priority_bits};
use crate::rules::{Rule, Ties};

/// The most words of a cell: 256 boards fill the widest vectors and two planes of them, twice,
/// still lie in the cache of a core.
const MOST_WORDS: usize = 8;

/// Bytes of a batch beyond which fewer boards are taken at a time.
const BATCH_BYTES: u64 = 1 << 21;

/// Generations between two checks whether to stop.
const PART: u64 = 64;

/// The number of words per cell for this many matches on boards of `size`.
pub(super) fn words(size: Size, matches: usize) -> usize {
    let wanted = matches.div_ceil(32).next_power_of_two();
    // Two planes, this generation and the next.
    let bytes_a_word = size.cells() * 4 * 4;
    let fitting = (BATCH_BYTES / bytes_a_word).max(1) as usize;
    wanted.min(MOST_WORDS).min(fitting)
}

/// Plays the matches that `next` gives until it gives no more, and hands their results to `put`.
///
/// # Errors
/// [`ArenaError`] if a board cannot be made.
pub(super) fn play<P: Schedule>(
    shape: Shape,
    words: usize,
    schedule: &P,
    next: &mut dyn FnMut() -> Option<usize>,
    put: &mut dyn FnMut(usize, P::Output),
) -> Result<(), ArenaError> {
    let mut batch: Option<Batch> = None;
    loop {
        let stop = match &mut batch {
            Some(batch) => {
                for (index, result) in batch.advance() {
                    put(index, schedule.finish(index, result));
                }
                batch.clock.is_multiple_of(PART) && schedule.is_stopped()
            }
            None => schedule.is_stopped(),
        };
        if stop {
            return Ok(());
        }
        // Made only when there is something to do: other threads may have done it all.
        while batch.as_ref().is_none_or(Batch::has_room) {
            let Some(index) = next() else {
                break;
            };
            let batch = batch.get_or_insert_with(|| Batch::new(shape, words));
            batch.enter(index, &schedule.get(index)?);
        }
        if batch.as_ref().is_none_or(Batch::is_empty) {
            return Ok(());
        }
    }
}

/// Both planes of one generation.
struct Generation {
    alive: Plane,
    blue: Plane,
}

/// The row sums of one row.
struct Sums {
    ones: Vec<u32>,
    twos: Vec<u32>,
}

/// The row sums of one row in both planes.
struct PlaneSums {
    alive: Sums,
    blue: Sums,
}

/// A match in progress.
struct Lane {
    /// Its number in the schedule.
    index: usize,
    /// The clock of the batch at its generation 0.
    since: u64,
    limit: u64,
    first: LifelikeCensus,
    verdict: Option<Verdict>,
}

/// Boards computed side by side.
struct Batch {
    shape: Shape,
    words: usize,
    width: usize,
    height: usize,
    /// The present generation.
    now: Generation,
    /// The one before; the next one is written over it.
    last: Generation,
    /// Of the rows above, at and below the one being computed.
    sums: [PlaneSums; 3],
    /// Where blue would own an evenly split birth of the row being computed; empty for a rule that
    /// has none.
    tie_blue: Vec<u32>,
    /// For seeded ties: of each row seven rows of priority bits.
    priority: Vec<u32>,
    /// Stands for the rows outside a board with dead edges.
    outside: Vec<u32>,
    /// A row of words each: where a cell differs from the last generation and from the second last.
    differs: [Vec<u32>; 2],
    alive_counter: Counter,
    blue_counter: Counter,
    /// Bit planes of the largest counts so far.
    red_peak: Peak,
    blue_peak: Peak,
    lanes: Vec<Option<Lane>>,
    /// Lanes with a match.
    active: Vec<u32>,
    /// Lanes whose match is decided, though not over.
    decided: Vec<u32>,
    /// Lanes that have no second last generation yet.
    fresh: Vec<u32>,
    free: Vec<usize>,
    /// Lanes freed since cells were last cleared.
    stale: Vec<u32>,
    /// Generations computed.
    clock: u64,
    /// The clock at which the first match reaches its limit.
    alarm: u64,
}

impl Batch {
    fn new(shape: Shape, words: usize) -> Self {
        let (width, height) = (shape.size.width() as usize, shape.size.height() as usize);
        let row = width * words;
        let generation = || Generation {
            alive: Plane::new(width, height, words),
            blue: Plane::new(width, height, words),
        };
        let sums = || Sums {
            ones: vec![0; row],
            twos: vec![0; row],
        };
        let plane_sums = || PlaneSums {
            alive: sums(),
            blue: sums(),
        };
        let counter = Counter::new(width, height, words);
        let bits = counter.bits();
        let priority = match shape.ties {
            TieKind::Seeded => row * height * 7,
            TieKind::Red | TieKind::Blue | TieKind::Checkerboard => 0,
        };
        Self {
            shape,
            words,
            width,
            height,
            now: generation(),
            last: generation(),
            sums: [plane_sums(), plane_sums(), plane_sums()],
            tie_blue: vec![0; if shape.rule.has_ties() { row } else { 0 }],
            priority: vec![0; priority],
            outside: vec![0; row + 2 * words],
            differs: [vec![0; row], vec![0; row]],
            alive_counter: counter,
            blue_counter: Counter::new(width, height, words),
            red_peak: Peak::new(bits, words),
            blue_peak: Peak::new(bits, words),
            lanes: std::iter::repeat_with(|| None).take(words * 32).collect(),
            active: vec![0; words],
            decided: vec![0; words],
            fresh: vec![0; words],
            free: (0..words * 32).rev().collect(),
            stale: vec![0; words],
            clock: 0,
            alarm: u64::MAX,
        }
    }

    fn has_room(&self) -> bool {
        !self.free.is_empty()
    }

    fn is_empty(&self) -> bool {
        self.free.len() == self.lanes.len()
    }

    /// Puts a match into a free lane, of which there must be one.
    fn enter(&mut self, index: usize, match_: &Match) {
        let Some(lane) = self.free.pop() else {
            return;
        };
        if self.stale.iter().any(|&lanes| lanes != 0) {
            self.now.alive.clear(&self.stale);
            self.now.blue.clear(&self.stale);
            self.stale.fill(0);
        }
        let (word, bit) = (lane / 32, 1u32 << (lane % 32));
        for y in 0..self.height {
            let (alive, blue) = match_.start.row_planes(y as u32);
            for (plane, row) in [(&mut self.now.alive, alive), (&mut self.now.blue, blue)] {
                for (source, mut cells) in row.iter().copied().enumerate() {
                    while cells != 0 {
                        let x = source * WORD_BITS as usize + cells.trailing_zeros() as usize;
                        plane.cell_mut(x, y)[word] |= bit;
                        cells &= cells - 1;
                    }
                }
            }
        }
        if let (TieKind::Seeded, Ties::Seeded(seed)) = (self.shape.ties, match_.ruleset.ties) {
            self.take_priority(seed, word, bit);
        }
        let first = match_.start.census();
        self.red_peak.set(word, bit, first.red);
        self.blue_peak.set(word, bit, first.blue);
        self.active[word] |= bit;
        self.decided[word] &= !bit;
        self.fresh[word] |= bit;
        self.alarm = self.alarm.min(self.clock.saturating_add(match_.limit));
        self.lanes[lane] = Some(Lane {
            index,
            since: self.clock,
            limit: match_.limit,
            first,
            verdict: None,
        });
    }

    /// Records the order in which the neighbours of each cell of a board have priority.
    fn take_priority(&mut self, seed: u64, word: usize, bit: u32) {
        let seed = seed_words(seed);
        let row = self.width * self.words;
        for (y, rows) in (0..).zip(self.priority.chunks_exact_mut(7 * row)) {
            for x in (0..self.width).step_by(WORD_BITS as usize) {
                let orders = priority_bits(seed, x as u32 / WORD_BITS, y);
                for (order, row) in orders.into_iter().zip(rows.chunks_exact_mut(row)) {
                    let cells = row[x * self.words + word..].iter_mut().step_by(self.words);
                    for (place, cell) in (0..WORD_BITS).zip(cells) {
                        let set = if order >> place & 1 == 1 { bit } else { 0 };
                        *cell = (*cell & !bit) | set;
                    }
                }
            }
        }
    }

    /// Computes one generation, if there is a match, and takes out the matches that are over.
    fn advance(&mut self) -> Vec<(usize, MatchResult)> {
        let mut over = Vec::new();
        if self.is_empty() {
            return over;
        }
        self.step();
        self.clock += 1;
        let alarm = self.clock >= self.alarm;
        for word in 0..self.words {
            let periods = self.periods(word);
            let gone = self.gone(word) & !self.decided[word];
            let mut events = self.active[word];
            if !alarm {
                events &= periods[0] | periods[1] | gone;
            }
            while events != 0 {
                let bit = events & events.wrapping_neg();
                events &= !bit;
                let lane = word * 32 + bit.trailing_zeros() as usize;
                let period = match periods.map(|period| period & bit != 0) {
                    [true, _] => Some(1),
                    [_, true] => Some(2),
                    _ => None,
                };
                over.extend(self.look(lane, period));
            }
        }
        self.fresh.fill(0);
        if alarm {
            let lanes = self.lanes.iter().flatten();
            let ends = lanes.map(|lane| lane.since.saturating_add(lane.limit));
            self.alarm = ends.min().unwrap_or(u64::MAX);
        }
        over
    }

    /// Lanes of a word whose board equals the one before, and the one before that.
    fn periods(&self, word: usize) -> [u32; 2] {
        let any = |differs: &[u32]| {
            let words = differs[word..].iter().step_by(self.words);
            words.fold(0, |any, word| any | word)
        };
        [
            !any(&self.differs[0]),
            !any(&self.differs[1]) & !self.fresh[word],
        ]
    }

    /// Lanes of a word in which a colour has no cells.
    fn gone(&self, word: usize) -> u32 {
        let (mut red, mut blue) = (0, 0);
        for bit in 0..self.alive_counter.bits() {
            let (all, of_blue) = (
                self.alive_counter.bit(bit)[word],
                self.blue_counter.bit(bit)[word],
            );
            red |= all ^ of_blue;
            blue |= of_blue;
        }
        !(red & blue)
    }

    /// The result of the match in a lane, if the referee ends it.
    fn look(&mut self, number: usize, period: Option<u8>) -> Option<(usize, MatchResult)> {
        let census = self.census(number);
        let lane = self.lanes[number].as_mut()?;
        let generation = self.clock - lane.since;
        let stats = GenerationStats { census, period };
        if lane.verdict.is_none() {
            lane.verdict = Referee::new(Some(lane.limit)).judge(generation, stats);
        }
        let (word, bit) = (number / 32, 1 << (number % 32));
        if lane.verdict.is_some() {
            self.decided[word] |= bit;
        }
        let left = lane.limit - generation;
        if left > 0 && period.is_none() {
            return None;
        }
        let lane = self.lanes[number].take()?;
        // The limit has been reached or the board repeats: the referee has judged.
        let verdict = lane.verdict?;
        // A board that repeats has two phases, of which one is the last.
        let board = match left % 2 {
            0 => self.board(&self.now, number),
            _ => self.board(&self.last, number),
        };
        self.active[word] &= !bit;
        self.stale[word] |= bit;
        self.free.push(number);
        let result = MatchResult {
            first: lane.first,
            last: board.census(),
            peak: LifelikeCensus {
                red: self.red_peak.get(word, bit),
                blue: self.blue_peak.get(word, bit),
            },
            verdict,
            board,
        };
        Some((lane.index, result))
    }

    /// The present counts of a lane.
    fn census(&self, lane: usize) -> LifelikeCensus {
        let count = |counter: &Counter| -> u64 {
            (0..counter.bits())
                .map(|bit| u64::from(counter.bit(bit)[lane / 32] >> (lane % 32) & 1) << bit)
                .sum()
        };
        let blue = count(&self.blue_counter);
        LifelikeCensus {
            red: count(&self.alive_counter) - blue,
            blue,
        }
    }

    /// The board of a lane.
    fn board(&self, generation: &Generation, lane: usize) -> LifelikeBoard {
        let size = self.shape.size;
        let (word, shift) = (lane / 32, lane % 32);
        let plane = |plane: &Plane| {
            let mut words = vec![0u32; size.plane_words()];
            let rows = words.chunks_exact_mut(size.row_words());
            for (y, row) in rows.enumerate() {
                let cells = plane.row(y)[word..].iter().step_by(self.words);
                for (x, cell) in cells.enumerate() {
                    row[x / WORD_BITS as usize] |= (cell >> shift & 1) << (x as u32 % WORD_BITS);
                }
            }
            words
        };
        LifelikeBoard::from_canonical_planes(
            size,
            plane(&generation.alive),
            plane(&generation.blue),
        )
    }

    /// Computes one generation of all lanes and counts it.
    fn step(&mut self) {
        if self.shape.edges == Edges::Torus {
            self.now.alive.join();
            self.now.blue.join();
        }
        for differs in &mut self.differs {
            differs.fill(0);
        }
        self.sum_row(self.row_above(0), 0);
        self.sum_row(Some(0), 1);
        for y in 0..self.height {
            self.sum_row(self.row_below(y), 2);
            if !self.tie_blue.is_empty() {
                self.own_ties(y);
            }
            let [above, middle, below] = &self.sums;
            let [differs_last, differs_second_last] = &mut self.differs;
            let row = Row {
                alive: self.now.alive.row(y),
                blue: self.now.blue.row(y),
                sums: [above, middle, below],
            };
            let next = NextRow {
                alive: self.last.alive.row_mut(y),
                blue: self.last.blue.row_mut(y),
                differs_last,
                differs_second_last,
            };
            match self.shape.rule {
                // A rule known when compiling folds most of its circuit away.
                Rule::LIFE => step_life_row(&row, next),
                rule if self.tie_blue.is_empty() => step_row_without_ties(rule, &row, next),
                rule => step_row_with_ties(rule, &row, next, &self.tie_blue),
            }
            self.sums.rotate_left(1);
        }
        std::mem::swap(&mut self.now, &mut self.last);
        self.alive_counter.count(&self.now.alive);
        self.blue_counter.count(&self.now.blue);
        self.blue_peak.raise(&self.blue_counter, None);
        self.red_peak
            .raise(&self.alive_counter, Some(&self.blue_counter));
    }

    fn row_above(&self, y: usize) -> Option<usize> {
        match self.shape.edges {
            Edges::Torus if y == 0 => Some(self.height - 1),
            _ => y.checked_sub(1),
        }
    }

    fn row_below(&self, y: usize) -> Option<usize> {
        let below = Some(y + 1).filter(|&below| below < self.height);
        match self.shape.edges {
            Edges::Torus => below.or(Some(0)),
            Edges::Dead => below,
        }
    }

    /// The row sums of row `y`, or of a dead row, into a slot.
    fn sum_row(&mut self, y: Option<usize>, slot: usize) {
        let PlaneSums { alive, blue } = &mut self.sums[slot];
        for (plane, sums) in [(&self.now.alive, alive), (&self.now.blue, blue)] {
            match y {
                Some(y) => sum_words(plane.haloed(y), self.words, &mut sums.ones, &mut sums.twos),
                None => {
                    sums.ones.fill(0);
                    sums.twos.fill(0);
                }
            }
        }
    }

    /// Finds where blue owns evenly split births of row `y`.
    fn own_ties(&mut self, y: usize) {
        match self.shape.ties {
            TieKind::Red => {}
            TieKind::Blue => self.tie_blue.fill(u32::MAX),
            TieKind::Checkerboard => {
                let cells = self.tie_blue.chunks_exact_mut(self.words);
                for (x, cell) in cells.enumerate() {
                    let odd = !(x + y).is_multiple_of(2);
                    cell.fill(if odd { u32::MAX } else { 0 });
                }
            }
            TieKind::Seeded => {
                let row = |plane, y: Option<usize>| match y {
                    Some(y) => Plane::haloed(plane, y),
                    None => &self.outside[..],
                };
                let rows = [self.row_above(y), Some(y), self.row_below(y)];
                let alive = rows.map(|y| row(&self.now.alive, y));
                let blue = rows.map(|y| row(&self.now.blue, y));
                let length = self.tie_blue.len();
                let priority = &self.priority[7 * y * length..][..7 * length];
                ask_row(alive, blue, priority, self.words, &mut self.tie_blue);
            }
        }
    }
}

/// A row with the sums of the row above, its own and those of the row below.
struct Row<'a> {
    alive: &'a [u32],
    blue: &'a [u32],
    sums: [&'a PlaneSums; 3],
}

/// Where a row of the next generation is written; it still holds that of the second last one.
struct NextRow<'a> {
    alive: &'a mut [u32],
    blue: &'a mut [u32],
    differs_last: &'a mut [u32],
    differs_second_last: &'a mut [u32],
}

/// The sums of three neighbouring cells, for a row with its halo.
#[multiversion(targets("x86_64+avx512f", "x86_64+avx2", "x86_64+sse4.1", "aarch64+neon"))]
fn sum_words(row: &[u32], words: usize, ones: &mut [u32], twos: &mut [u32]) {
    let length = ones.len();
    let (left, centre) = (&row[..length], &row[words..][..length]);
    let right = &row[2 * words..][..length];
    let twos = &mut twos[..length];
    for i in 0..length {
        let sum = row_sum(left[i], centre[i], right[i]);
        (ones[i], twos[i]) = (sum.ones, sum.twos);
    }
}

/// Where the neighbour of first priority is blue, for rows with their halos.
#[multiversion(targets("x86_64+avx512f", "x86_64+avx2", "x86_64+sse4.1", "aarch64+neon"))]
fn ask_row(alive: [&[u32]; 3], blue: [&[u32]; 3], priority: &[u32], words: usize, out: &mut [u32]) {
    let length = out.len();
    let [alive, blue] = [alive, blue].map(|rows| rows.map(|row| &row[..length + 2 * words]));
    let at = |rows: [&[u32]; 3], i: usize, by: IVec2| {
        rows[(by.y + 1) as usize][i + (by.x + 1) as usize * words]
    };
    for i in 0..length {
        let bits = std::array::from_fn(|k| priority[k * length + i]);
        let neighbours = NEIGHBOURS.map(|place| FirstLive {
            alive: at(alive, i, place),
            blue: at(blue, i, place),
        });
        out[i] = first_blue(bits, neighbours);
    }
}

#[multiversion(targets("x86_64+avx512f", "x86_64+avx2", "x86_64+sse4.1", "aarch64+neon"))]
fn step_life_row(row: &Row<'_>, next: NextRow<'_>) {
    step_words(row, next, |_, alive, count, blue_count| {
        // A block of three is born or lives on, a live block of four lives on. A birth has three
        // parents, most of them blue if there is a two in the blue count.
        let three = !count.fours & count.twos & count.ones;
        let four = count.fours & !count.twos & !count.ones;
        let lives = !count.eights & (three | (alive & four));
        (lives, blue_count.twos)
    });
}

#[multiversion(targets("x86_64+avx512f", "x86_64+avx2", "x86_64+sse4.1", "aarch64+neon"))]
fn step_row_without_ties(rule: Rule, row: &Row<'_>, next: NextRow<'_>) {
    step_words(row, next, |_, alive, count, blue_count| {
        (
            lifelike::next_alive(rule, alive, count),
            majority(count, blue_count).blue,
        )
    });
}

#[multiversion(targets("x86_64+avx512f", "x86_64+avx2", "x86_64+sse4.1", "aarch64+neon"))]
fn step_row_with_ties(rule: Rule, row: &Row<'_>, next: NextRow<'_>, tie_blue: &[u32]) {
    let tie_blue = &tie_blue[..row.alive.len()];
    step_words(row, next, |i, alive, count, blue_count| {
        let parents = majority(count, blue_count);
        let lives = lifelike::next_alive(rule, alive, count);
        (lives, parents.blue | (parents.even & tie_blue[i]))
    });
}

/// The loop over the words of a row. `circuit` computes for a word which cells live in the next
/// generation and where a birth is blue, from the live cells, the counts of blocks and those of
/// blue cells. It must be inlined into a function compiled for a processor.
#[inline(always)]
fn step_words(
    row: &Row<'_>,
    next: NextRow<'_>,
    circuit: impl Fn(usize, u32, Count, Count) -> (u32, u32),
) {
    let words = row.alive.len();
    // Slices of one length, or every access in the loop would be checked.
    let alive = &row.alive[..words];
    let blue = &row.blue[..words];
    let [above, middle, below] = row.sums.map(|sums| sums.alive.slices(words));
    let [blue_above, blue_middle, blue_below] = row.sums.map(|sums| sums.blue.slices(words));
    let (next_alive, next_blue) = (&mut next.alive[..words], &mut next.blue[..words]);
    let differs_last = &mut next.differs_last[..words];
    let differs_second_last = &mut next.differs_second_last[..words];
    let sum = |(ones, twos): (&[u32], &[u32]), i: usize| RowSum {
        ones: ones[i],
        twos: twos[i],
    };
    for i in 0..words {
        let count = block_count(sum(above, i), sum(middle, i), sum(below, i));
        let blue_count = block_count(sum(blue_above, i), sum(blue_middle, i), sum(blue_below, i));
        let (lives, births) = circuit(i, alive[i], count, blue_count);
        let owned = lives & (blue[i] | (births & !alive[i]));
        // A cell that stays alive keeps its colour: equal live cells in consecutive generations
        // are equal boards.
        differs_last[i] |= lives ^ alive[i];
        differs_second_last[i] |= (lives ^ next_alive[i]) | (owned ^ next_blue[i]);
        (next_alive[i], next_blue[i]) = (lives, owned);
    }
}

impl Sums {
    #[inline(always)]
    fn slices(&self, words: usize) -> (&[u32], &[u32]) {
        (&self.ones[..words], &self.twos[..words])
    }
}
