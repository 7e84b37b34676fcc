//! The list of active blocks, which are all that a pass has to compute: `shaders/shared/active_blocks.wgsl`.

use crate::engine::gpu::program::{Binding, Program, uniforms};

/// Lists the blocks that the next pass has to compute.
pub static ACTIVE_BLOCKS: Program = Program {
    name: "active blocks",
    file: "shared/active_blocks",
    defines: &["LIST"],
    entry_point: "list_active_blocks",
    workgroup: 64,
    // The dirty bits of blocks, those after the next pass, the list.
    bindings: &[
        Binding::Uniform(&ActiveBlocksParams::STRUCTURE),
        Binding::Read,
        Binding::Write,
        Binding::Write,
    ],
    overrides: &[],
};

uniforms! {
    /// Uniforms of [`ACTIVE_BLOCKS`].
    pub struct ActiveBlocksParams {
        /// Cells per row.
        pub width: u32,
        /// Rows of the board.
        pub height: u32,
        /// Cells per row of a block; the last one may have fewer.
        pub block_cells: u32,
        /// Rows per block; the last one may have fewer.
        pub block_rows: u32,
        /// Blocks per row.
        pub columns: u32,
        /// Rows of blocks.
        pub rows: u32,
        /// How far a change spreads at most until the end of the next pass, in cells.
        pub reach: u32,
        /// Not 0: opposite sides are joined.
        pub torus: u32,
        /// Not 0: the dirty bits are those of the last pass.
        pub known: u32,
        /// Not 0: the planes that the next pass writes hold the present board.
        pub copied: u32,
        /// The first of the band's own rows in the planes: the other rows are its halo.
        pub first_own: u32,
        /// The row after the last of the band's own.
        pub end_own: u32,
    }
}

/// Bytes of a list of `blocks` blocks: how many are on it, and which.
pub const fn list_bytes(blocks: u64) -> u64 {
    4 + 4 * blocks
}
