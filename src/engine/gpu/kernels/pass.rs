//! Several generations in one pass over the board (temporal blocking): `shaders/lifelike/pass.wgsl`,
//! `shaders/rezolution/pass.wgsl`, `shaders/shared/pass.wgsl`.

use crate::engine::gpu::program::{Program, uniforms};

/// The most generations of a pass.
pub const MAX_GENERATIONS: u32 = 8;

/// A program that computes several generations in one pass over the board.
pub struct PassProgram {
    /// The program.
    pub program: Program,
    /// Generations per pass; `GENERATIONS` in the shader.
    pub generations: u32,
    /// Whether threads of a subgroup share a tile; otherwise each thread has its own.
    pub subgroups: bool,
    /// Own words of a tile of one thread in a row; `OWN_WORDS` in the shader.
    pub own_words: u32,
    /// Words of each thread of a shared tile in a row, of which the first and the last of all are its halo;
    /// `THREAD_WORDS` in the shader.
    pub thread_words: u32,
}

impl PassProgram {
    /// Generations whose statistics a pass with statistics is the first to write, and by which it
    /// advances the board.
    pub const fn new_stats(&self) -> u32 {
        self.generations - 1
    }

    /// Own words of a tile of `tile_threads` threads in a row.
    pub const fn own_words(&self, tile_threads: u32) -> u32 {
        if self.subgroups {
            self.thread_words * tile_threads - 2
        } else {
            self.own_words
        }
    }
}

uniforms! {
    /// Uniforms of a [`PassProgram`].
    pub struct PassParams {
        /// Cells per row.
        pub width: u32,
        /// Rows.
        pub height: u32,
        /// Words per row.
        pub row_words: u32,
        /// Tiles side by side, and so blocks.
        pub columns: u32,
        /// Rows per strip: of several blocks, or of one if only active blocks are computed.
        pub strip_rows: u32,
        /// Rows per block.
        pub block_rows: u32,
        /// Cells that are near to the border of a block, at most 32.
        pub reach: u32,
        /// Not 0: only the blocks in the list of active blocks are computed.
        pub only_active: u32,
        /// Threads per tile, a power of two.
        pub tile_threads: u32,
        /// The tie seed after spreading, first word.
        pub seed_low: u32,
        /// The tie seed after spreading, second word.
        pub seed_high: u32,
        /// Not 0: with statistics, nothing is computed after a generation that ends the run.
        pub until_settled: u32,
        /// Rows of the whole board: the planes may hold a band of it.
        pub board_height: u32,
        /// The row of the board that is row 0 of the planes.
        pub first_row: u32,
        /// The first of the band's own rows in the planes: the other rows are its halo.
        pub first_own: u32,
        /// The row after the last of the band's own.
        pub end_own: u32,
        /// The rule of the general form: bit n for births with n live neighbours.
        pub birth: u32,
        /// Bit n for survivals with n live neighbours.
        pub survival: u32,
        /// Not 0: opposite sides are joined.
        pub torus: u32,
        /// The colour of ties, a value of the override `TIES`.
        pub ties: u32,
    }
}
