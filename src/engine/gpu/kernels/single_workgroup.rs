//! Many generations of a small board in one dispatch: `shaders/lifelike/single_workgroup.wgsl`.
//!
//! On a card a dispatch costs more time than a generation of a small board. So one workgroup loads the
//! whole board into workgroup memory and computes generation after generation there.

use crate::engine::gpu::program::uniforms;

/// Threads of the workgroup: as many as every device has.
pub const WORKGROUP_SIZE: u32 = 256;

/// Words per plane of the largest board: its two planes fit into the 16 KiB of workgroup memory that every
/// device has.
pub const MAX_WORDS: u32 = 2048;

/// The most rows per strip of any board that fits.
pub const MAX_STRIP_ROWS: u32 = 15;

uniforms! {
    /// The last uniforms of a program that computes a board in a single workgroup; the first are those of
    /// the step.
    pub struct SingleWorkgroupParams {
        /// Generations of the dispatch.
        pub generations: u32,
    }
}
