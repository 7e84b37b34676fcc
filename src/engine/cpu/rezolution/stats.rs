//! Statistics of every generation of a pass of reZolution, row by row.
//!
//! As for the Life-like rules a row is counted and compared when its stage has put it out; but a
//! pass always computes the whole board, so that there are no statistics of single blocks.

use std::ops::Range;

use multiversion::multiversion;

use super::stage::{BLOCK_CELLS, Marks, Row};
use super::tile::MOST_GENERATIONS;
use crate::board::RezolutionCensus;
use crate::board::rezolution::CELLS_PER_WORD;
use crate::engine::cpu::PartialStats;
use crate::engine::cpu::stats::{Compared, SecondLast};

/// The most generations of which a pass computes statistics. It advances by one less.
pub(super) const MOST_STATS_GENERATIONS: u32 = MOST_GENERATIONS;

/// The statistics of every generation of a pass, first to last.
pub(super) type PassStats = [PartialStats<RezolutionCensus>; MOST_STATS_GENERATIONS as usize];

/// A number for each cell of a block.
type EvenOdd = [u8; BLOCK_CELLS];

/// Counts the cells `own` of a new row and compares them; the words of a board that they are compared
/// with are those of these cells. Adds that to the statistics of the generation.
pub(super) fn add_row(
    stats: &mut PartialStats<RezolutionCensus>,
    own: Range<usize>,
    rows: &Compared<'_, Row, &[u32]>,
    targets: &Marks,
) {
    let cells = &rows.new.cells[own.clone()];
    let mut census = count(cells, rows.new.largest);
    if targets.any {
        census.reached = count_marked(cells, &targets.cells[own.clone()]);
    }
    stats.census = stats.census.plus(census);
    // One cell is enough, and where populations fight the first row has one.
    if !stats.differs_from_last {
        stats.differs_from_last = *cells != rows.last.cells[own.clone()];
    }
    if !stats.differs_from_second_last {
        stats.differs_from_second_last = match rows.second_last {
            SecondLast::Row(row) => *cells != row.cells[own],
            SecondLast::Board(words) => differ(cells, words),
            SecondLast::Unknown => false,
        };
    }
}

/// Whether some cells are not those of the words; the last word may have fewer cells.
fn differ(cells: &[i8], words: &[u32]) -> bool {
    let word =
        |cells: [i8; CELLS_PER_WORD as usize]| u32::from_le_bytes(cells.map(i8::cast_unsigned));
    let (whole, rest) = cells.as_chunks();
    let mut last = [0; CELLS_PER_WORD as usize];
    last[..rest.len()].copy_from_slice(rest);
    whole
        .iter()
        .zip(words)
        .any(|(&cells, &found)| word(cells) != found)
        || words[whole.len()..]
            .iter()
            .any(|&found| word(last) != found)
}

/// Cells and populations of both sides, none larger than `largest`. Bytes are added up as long as none
/// can overflow.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw",
    "x86_64+avx2",
    "x86_64+sse4.1",
    "aarch64+neon"
))]
fn count(cells: &[i8], largest: u8) -> RezolutionCensus {
    let (blocks, rest) = cells.as_chunks();
    let mut last = [0; BLOCK_CELLS];
    last[..rest.len()].copy_from_slice(rest);
    let most = u8::MAX / largest.max(1);
    let mut census = count_blocks(&[last]);
    for blocks in blocks.chunks(most.into()) {
        census = census.plus(count_blocks(blocks));
    }
    census
}

/// The same for as few blocks as no byte overflows for. It must be inlined into a function compiled for a
/// processor.
#[inline(always)]
fn count_blocks(blocks: &[[i8; BLOCK_CELLS]]) -> RezolutionCensus {
    let mut red: EvenOdd = [0; BLOCK_CELLS];
    let mut blue: EvenOdd = [0; BLOCK_CELLS];
    let mut red_sums: EvenOdd = [0; BLOCK_CELLS];
    let mut blue_sums: EvenOdd = [0; BLOCK_CELLS];
    for block in blocks {
        // A loop each: a compiler keeps what is written in a loop of its own in registers.
        for i in 0..BLOCK_CELLS {
            red[i] += u8::from(block[i] > 0);
        }
        for i in 0..BLOCK_CELLS {
            blue[i] += u8::from(block[i] < 0);
        }
        for i in 0..BLOCK_CELLS {
            red_sums[i] += block[i].max(0).cast_unsigned();
        }
        for i in 0..BLOCK_CELLS {
            blue_sums[i] += block[i].wrapping_neg().max(0).cast_unsigned();
        }
    }
    RezolutionCensus {
        red: sum(&red),
        blue: sum(&blue),
        red_population: sum(&red_sums),
        blue_population: sum(&blue_sums),
        reached: 0,
    }
}

/// How many of the marked cells are populated. A row of a tile has fewer blocks than a byte counts.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw",
    "x86_64+avx2",
    "x86_64+sse4.1",
    "aarch64+neon"
))]
fn count_marked(cells: &[i8], marks: &[i8]) -> u64 {
    let (blocks, rest) = cells.as_chunks::<BLOCK_CELLS>();
    let (marked, marked_rest) = marks.as_chunks::<BLOCK_CELLS>();
    let mut populated: EvenOdd = [0; BLOCK_CELLS];
    for (block, marked) in blocks.iter().zip(marked) {
        for i in 0..BLOCK_CELLS {
            populated[i] += u8::from(block[i] & marked[i] != 0);
        }
    }
    let rest = rest.iter().zip(marked_rest);
    sum(&populated) + rest.filter(|(cell, mark)| *cell & *mark != 0).count() as u64
}

/// The sum of all lanes, in words of four sums of at most 16 lanes each.
#[inline(always)]
fn sum(lanes: &EvenOdd) -> u64 {
    const EVEN_BYTES: u64 = 0x00ff_00ff_00ff_00ff;
    let mut sums = 0;
    for &word in lanes.as_chunks().0 {
        let word = u64::from_le_bytes(word);
        sums += (word & EVEN_BYTES) + (word >> 8 & EVEN_BYTES);
    }
    sums.wrapping_mul(0x0001_0001_0001_0001) >> 48
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::cpu::rezolution::stage::TILE_CELLS;

    /// Rows of every length up to some blocks and as long as a tile, all cells as large as they can be or
    /// of all sizes in turn.
    #[test]
    fn rows_are_counted_whatever_their_length_and_populations() {
        let lengths = (0..=3 * BLOCK_CELLS).chain([TILE_CELLS - 16]);
        for length in lengths {
            for largest in [1, 2, 3, 14, 15, 26, 126, 127] {
                let mixed = |i: usize| (i * i % (2 * largest as usize + 1)) as i16 - largest;
                let rows: [&dyn Fn(usize) -> i16; 4] =
                    [&|_| largest, &|_| -largest, &mixed, &|_| 0];
                for (number, cell) in rows.into_iter().enumerate() {
                    let cells: Vec<i8> = (0..length).map(|i| cell(i) as i8).collect();
                    let marks: Vec<i8> = (0..length).map(|i| -i8::from(i % 3 == 0)).collect();
                    let of = |side: i16| cells.iter().map(move |&cell| side * i16::from(cell));
                    let cells_of = |side| of(side).filter(|&cell| cell > 0).count() as u64;
                    let sum_of = |side| of(side).map(|cell| cell.max(0) as u64).sum();
                    let expected = RezolutionCensus {
                        red: cells_of(1),
                        blue: cells_of(-1),
                        red_population: sum_of(1),
                        blue_population: sum_of(-1),
                        reached: 0,
                    };
                    let name = format!("{length} cells up to {largest}, {number}");
                    assert_eq!(count(&cells, largest as u8), expected, "{name}");
                    let marked = cells.iter().step_by(3).filter(|cell| **cell != 0);
                    assert_eq!(
                        count_marked(&cells, &marks),
                        marked.count() as u64,
                        "{name}"
                    );
                }
            }
        }
    }

    #[test]
    fn every_cell_can_differ_from_words() {
        for length in 1..=2 * CELLS_PER_WORD as usize + 1 {
            let cells: Vec<i8> = (0..length).map(|i| i as i8 - 3).collect();
            let mut bytes: Vec<u8> = cells.iter().map(|&cell| cell as u8).collect();
            bytes.resize(length.next_multiple_of(CELLS_PER_WORD as usize), 0);
            let words: Vec<u32> = bytes
                .as_chunks()
                .0
                .iter()
                .map(|&bytes| u32::from_le_bytes(bytes))
                .collect();
            assert!(!differ(&cells, &words), "{length}");
            for changed in 0..length {
                let mut cells = cells.clone();
                cells[changed] += 1;
                assert!(differ(&cells, &words), "{changed} of {length}");
            }
        }
    }
}
