//! How a pass of several generations cuts a band into tiles, and tiles into blocks.
//!
//! A tile is a strip of rows, some words wide, that one thread or the threads of a subgroup compute from
//! top to bottom. It consists of whole blocks, which are the units that are active or idle.

use super::bands::Band;
use super::device::Gpu;
use super::family::GpuFamily;
use super::grid::workgroups;
use super::kernels::pass::{PassParams, PassProgram};
use super::options::Options;
use crate::board::Size;

/// Generations that may be computed one by one after a pass before its dirty bits are void: as many
/// as a request ends with.
pub(super) const HISTORY: u64 = 2;

/// The most rows per strip: for every strip a pass also computes some rows of its neighbours. Loops of
/// Mesa's llvmpipe have at most 65,535 iterations.
const MOST_STRIP_ROWS: u32 = 1024;

/// The fewest rows per strip.
const LEAST_STRIP_ROWS: u32 = 32;

/// The most rows per block: a change activates all of a block, and some rows of its neighbours are
/// computed for it.
const MOST_BLOCK_ROWS: u32 = 64;

/// Threads below which strips are cut shorter: a software adapter has few that could be idle.
const SOFTWARE_THREADS: u32 = 1 << 9;
const HARDWARE_THREADS: u32 = 1 << 17;

/// How a pass of several generations cuts a band into tiles, and tiles into blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tiling {
    /// Threads that share a tile.
    pub(super) tile_threads: u32,
    /// Cells per row of a tile without its halo; the last tile of a row may have fewer.
    pub(super) own_cells: u32,
    /// Tiles side by side.
    pub(super) columns: u32,
    /// Rows per strip, whole blocks; the last strip may have fewer.
    pub(super) strip_rows: u32,
    /// Rows per block; the last block may have fewer.
    pub(super) block_rows: u32,
    /// How near to the border of its block a changed cell counts as near to it, in cells.
    pub(super) reach: u32,
}

impl Tiling {
    /// Tiles of a program, on a board whose longest passes have `most_generations`.
    pub(super) fn new<R: GpuFamily>(
        gpu: &Gpu,
        size: Size,
        program: &PassProgram,
        most_generations: u32,
        options: &Options,
    ) -> Self {
        let tile_threads = match (program.subgroups, gpu.subgroup()) {
            (true, Some(subgroup)) => {
                // A workgroup may be smaller than the subgroups of the device.
                let most = subgroup.min(program.program.workgroup);
                options.tile_threads.unwrap_or(most).clamp(1, most)
            }
            _ => 1,
        };
        // Subgroups have a power of two.
        let tile_threads = 1 << tile_threads.ilog2();
        let own_words = program.own_words(tile_threads);
        let columns = (R::row_words(size) as u32).div_ceil(own_words);
        let rows = match options.strip_rows {
            Some(rows) => rows.clamp(1, MOST_STRIP_ROWS),
            None => {
                let threads = match gpu.is_software() {
                    true => SOFTWARE_THREADS,
                    false => HARDWARE_THREADS,
                };
                let strips = threads.div_ceil(columns.saturating_mul(tile_threads));
                let rows = size.height().div_ceil(strips.max(1));
                rows.clamp(LEAST_STRIP_ROWS, MOST_STRIP_ROWS)
            }
        };
        let block_rows = rows.min(MOST_BLOCK_ROWS);
        Self {
            tile_threads,
            own_cells: own_words * R::WORD_CELLS,
            columns,
            strip_rows: rows.next_multiple_of(block_rows),
            block_rows,
            reach: most_generations + HISTORY as u32,
        }
    }

    /// Workgroups in x and y for strips of `rows` rows.
    pub(super) fn groups(&self, gpu: &Gpu, size: Size, rows: u32, workgroup: u32) -> [u32; 2] {
        let strips = u64::from(size.height().div_ceil(rows));
        let tiles = u64::from(self.columns) * strips;
        let threads = tiles * u64::from(self.tile_threads);
        workgroups(gpu.most_groups(), threads, workgroup)
    }

    /// Uniforms of a pass over all tiles of a band.
    pub(super) fn params<R: GpuFamily>(&self, ruleset: R, band: &Band) -> PassParams {
        let own_rows = band.own_rows();
        ruleset.pass_params(PassParams {
            width: band.size.width(),
            height: band.size.height(),
            row_words: R::row_words(band.size) as u32,
            columns: self.columns,
            strip_rows: self.strip_rows,
            block_rows: self.block_rows,
            reach: self.reach,
            tile_threads: self.tile_threads,
            board_height: band.board.height(),
            first_row: band.first_row(),
            first_own: own_rows.start,
            end_own: own_rows.end,
            ..PassParams::default()
        })
    }
}
