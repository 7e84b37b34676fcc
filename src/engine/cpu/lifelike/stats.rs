//! Statistics of every generation of a pass, block by block.
//!
//! When a stage puts out a row, the same row of the generation before is the middle one of the rows
//! that came into it, and that of the second last generation is at hand in the stage before.
//! So a row is counted and compared while it lies in the fastest cache:
//!
//! ```text
//! stage k - 1 ──rows y+1, y, y-1──> stage k ──row y──> counted, compared with both rows y
//!       row y of the second last generation is the oldest that came into stage k - 1
//! ```
//!
//! Only the first stage knows no second last generation. Therefore a pass with statistics
//! computes those of one generation more than it advances: the next pass has those of its first one.
//!
//! The statistics of a block that a pass leaves as it was, and all around it, are the same in the next
//! pass of as many generations. So idle blocks can be left out with statistics, too.

use multiversion::multiversion;

use super::active_blocks::{BLOCK_WORDS, DirtyBlocks};
use super::stage::{FIRST, HALO_WORDS, Row, TILE_WORDS, VECTOR_WORDS};
use crate::board::LifelikeCensus;
use crate::engine::cpu::PartialStats;
use crate::engine::cpu::stats::{Compared, SecondLast};

/// The most generations of which a pass computes statistics. It advances by six of them, the least number that what
/// repeats after one, two or three generations divides.
pub(super) const MOST_STATS_GENERATIONS: u32 = 7;

/// As an index.
const STAGES: usize = MOST_STATS_GENERATIONS as usize;

/// Own words of a tile with statistics: whole blocks, and with the halo whole vectors.
pub(super) const STATS_WORDS: usize = 9 * BLOCK_WORDS;

const _: () = assert!((STATS_WORDS + HALO_WORDS).is_multiple_of(VECTOR_WORDS));

/// The most blocks side by side in a tile.
const TILE_BLOCKS: usize = (TILE_WORDS - HALO_WORDS) / BLOCK_WORDS;

/// Rows that are compared between checks whether more have to be.
const ROWS_BETWEEN: u32 = 8;

/// The statistics of every generation of a pass, first to last.
pub(super) type PassStats = [PartialStats<LifelikeCensus>; STAGES];

/// The statistics of a block in a pass.
#[derive(Clone, Copy, Default)]
pub(super) struct BlockStats {
    /// Live cells of each generation; a block has no more than 12,288.
    alive: [u16; STAGES],
    blue: [u16; STAGES],
    /// Bit k: whether a cell of generation k + 1 of the pass differs from the one before.
    differs_from_last: u8,
    /// The same for the second last generation.
    differs_from_second_last: u8,
}

/// What a pass with statistics leaves for the next one.
pub(super) struct PassRecord {
    pub(super) changes: DirtyBlocks,
    /// Row by row, the statistics of each block.
    pub(super) blocks: Vec<BlockStats>,
}

/// Adds the statistics of some blocks.
pub(super) fn sum(blocks: &[BlockStats]) -> PassStats {
    let (mut alive, mut blue) = ([0u64; STAGES], [0u64; STAGES]);
    let (mut from_last, mut from_second_last) = (0, 0);
    for block in blocks {
        for stage in 0..STAGES {
            alive[stage] += u64::from(block.alive[stage]);
            blue[stage] += u64::from(block.blue[stage]);
        }
        from_last |= block.differs_from_last;
        from_second_last |= block.differs_from_second_last;
    }
    std::array::from_fn(|stage| PartialStats {
        census: LifelikeCensus {
            red: alive[stage] - blue[stage],
            blue: blue[stage],
        },
        differs_from_last: from_last >> stage & 1 != 0,
        differs_from_second_last: from_second_last >> stage & 1 != 0,
    })
}

/// The own words of a tile in a row of the board, alive and blue.
pub(super) type Planes<'a> = [&'a [u32]; 2];

/// The statistics of one generation in the present row of blocks of a tile.
pub(super) struct StageStats {
    /// Live and blue cells of each block.
    counts: [[u32; 2]; TILE_BLOCKS],
    /// Cells of each word of the tile that differ from the last generation in some row.
    from_last: [u32; TILE_WORDS],
    from_second_last: [u32; TILE_WORDS],
    /// Rows that have been compared.
    rows: u32,
    /// Whether every block is known to differ from both: then nothing need be compared.
    differs_everywhere: bool,
}

impl StageStats {
    /// Of no row.
    pub(super) const NONE: Self = Self {
        counts: [[0; 2]; TILE_BLOCKS],
        from_last: [0; TILE_WORDS],
        from_second_last: [0; TILE_WORDS],
        rows: 0,
        differs_everywhere: false,
    };

    /// Counts a new row and compares it. The tile has `own` words, of whose last one `mask` are cells
    /// of the board.
    pub(super) fn add_row(&mut self, own: usize, mask: u32, rows: &Compared<'_, Row, Planes<'_>>) {
        let Compared {
            new,
            last,
            ref second_last,
        } = *rows;
        self.count(own, mask, new);
        if self.differs_everywhere {
            return;
        }
        let words = (own + HALO_WORDS).next_multiple_of(VECTOR_WORDS);
        if let SecondLast::Row(second_last) = second_last {
            let rows = [new, last, second_last];
            compare_both(words, rows, &mut self.from_last, &mut self.from_second_last);
        } else {
            let [new, last] =
                [new, last].map(|row| [&row.alive[FIRST..][..words], &row.blue[FIRST..][..words]]);
            add_differences(&mut self.from_last, new, last);
        }
        if let SecondLast::Board(planes) = second_last {
            let new = [
                &new.alive[FIRST + 1..][..own],
                &new.blue[FIRST + 1..][..own],
            ];
            add_differences(&mut self.from_second_last[1..], new, *planes);
        }
        self.rows += 1;
        if self.rows.is_multiple_of(ROWS_BETWEEN) {
            let differs = |words: &[u32]| words.iter().any(|&word| word != 0);
            self.differs_everywhere = [&mut self.from_last, &mut self.from_second_last]
                .into_iter()
                .all(|differences| {
                    differences[own] &= mask;
                    differences[1..=own].chunks(BLOCK_WORDS).all(differs)
                });
        }
    }

    fn count(&mut self, own: usize, mask: u32, row: &Row) {
        count_blocks(
            &row.alive[FIRST + 1..][..own],
            &row.blue[FIRST + 1..][..own],
            &mut self.counts,
        );
        if mask != u32::MAX {
            let counts = &mut self.counts[(own - 1) / BLOCK_WORDS];
            counts[0] -= (row.alive[FIRST + own] & !mask).count_ones();
            counts[1] -= (row.blue[FIRST + own] & !mask).count_ones();
        }
    }

    /// Writes the statistics of generation `generation` of the pass, the first of which is 1, and
    /// begins anew. `blocks` are those of the tile.
    pub(super) fn finish_blocks(
        &mut self,
        generation: usize,
        own: usize,
        mask: u32,
        blocks: &mut [BlockStats],
    ) {
        // Word 0 of the tile is halo.
        self.from_last[own] &= mask;
        self.from_second_last[own] &= mask;
        let stage = generation - 1;
        let from_last = self.from_last[1..=own].chunks(BLOCK_WORDS);
        let from_second_last = self.from_second_last[1..=own].chunks(BLOCK_WORDS);
        for (((block, [alive, blue]), from_last), from_second_last) in blocks
            .iter_mut()
            .zip(self.counts)
            .zip(from_last)
            .zip(from_second_last)
        {
            block.alive[stage] = alive as u16;
            block.blue[stage] = blue as u16;
            for (flags, differences) in [
                (&mut block.differs_from_last, from_last),
                (&mut block.differs_from_second_last, from_second_last),
            ] {
                let differs = differences.iter().any(|&word| word != 0);
                *flags = *flags & !(1 << stage) | u8::from(differs) << stage;
            }
        }
        *self = Self::NONE;
    }
}

/// Adds the bits in which two planes of a row differ from what they were.
#[multiversion(targets("x86_64+avx512f", "x86_64+avx2", "x86_64+sse4.1", "aarch64+neon"))]
pub(super) fn add_differences(differences: &mut [u32], new: [&[u32]; 2], was: [&[u32]; 2]) {
    let words = new[0].len();
    // Slices of one length, or every access in the loop would be checked.
    let (alive, blue) = (&new[0][..words], &new[1][..words]);
    let (was_alive, was_blue) = (&was[0][..words], &was[1][..words]);
    let differences = &mut differences[..words];
    for i in 0..words {
        differences[i] |= (alive[i] ^ was_alive[i]) | (blue[i] ^ was_blue[i]);
    }
}

/// The same for the first words of a row of a tile, the last generation and the second last one.
#[multiversion(targets("x86_64+avx512f", "x86_64+avx2", "x86_64+sse4.1", "aarch64+neon"))]
fn compare_both(
    words: usize,
    [new, last, second_last]: [&Row; 3],
    from_last: &mut [u32; TILE_WORDS],
    from_second_last: &mut [u32; TILE_WORDS],
) {
    for i in 0..words.min(TILE_WORDS) {
        let (alive, blue) = (new.alive[FIRST + i], new.blue[FIRST + i]);
        from_last[i] |= (alive ^ last.alive[FIRST + i]) | (blue ^ last.blue[FIRST + i]);
        from_second_last[i] |=
            (alive ^ second_last.alive[FIRST + i]) | (blue ^ second_last.blue[FIRST + i]);
    }
}

/// Adds the live and the blue cells of the blocks of a row.
#[multiversion(targets("x86_64+popcnt"))]
fn count_blocks(alive: &[u32], blue: &[u32], counts: &mut [[u32; 2]; TILE_BLOCKS]) {
    let (alive, alive_rest) = alive.as_chunks::<BLOCK_WORDS>();
    let (blue, blue_rest) = blue.as_chunks::<BLOCK_WORDS>();
    for ((alive, blue), counts) in alive.iter().zip(blue).zip(counts.iter_mut()) {
        counts[0] += count_block(alive);
        counts[1] += count_block(blue);
    }
    if let Some(counts) = counts.get_mut(alive.len()) {
        for (alive, blue) in alive_rest.iter().zip(blue_rest) {
            counts[0] += alive.count_ones();
            counts[1] += blue.count_ones();
        }
    }
}

/// The cells of a block in a row of a plane, two words at once. It must be inlined into a function
/// compiled for a processor.
#[inline(always)]
fn count_block(&[a, b, c, d, e, f]: &[u32; BLOCK_WORDS]) -> u32 {
    let pair = |low: u32, high: u32| (u64::from(low) | u64::from(high) << 32).count_ones();
    pair(a, b) + pair(c, d) + pair(e, f)
}
