//! Many generations of a small board in one dispatch: `shaders/lifelike/single_workgroup.wgsl`.
//!
//! On a card the way from one dispatch to the next takes longer than a generation of a small board. So a
//! workgroup takes such a board into its memory and computes generation after generation there.

use super::step::LifelikeStepParams;
use super::{Binding, Program};

/// Many generations of a small board with the Life-like rules.
pub static SINGLE_WORKGROUP: Program = Program {
    name: "lifelike single workgroup",
    file: "lifelike/single_workgroup",
    defines: &[],
    entry_point: "single_workgroup",
    workgroup: WORKGROUP_SIZE,
    // The planes alive and blue, now and next.
    bindings: &[
        Binding::Uniform(&LifelikeStepParams::STRUCTURE),
        Binding::Read,
        Binding::Read,
        Binding::Write,
        Binding::Write,
        Binding::Uniform(&SingleWorkgroupParams::STRUCTURE),
    ],
    overrides: &["BIRTH", "SURVIVAL", "TORUS", "TIES"],
};

/// Threads of the workgroup: all that every device has.
pub const WORKGROUP_SIZE: u32 = 256;

/// Words of each of the two planes of a small board: they fit into the 16 KiB of workgroup memory that
/// every device has.
pub const MAX_WORDS: u32 = 2048;

/// Rows of a strip of a small board, at most.
pub const MAX_STRIP_ROWS: u32 = 15;

uniforms! {
    /// The second uniforms of [`SINGLE_WORKGROUP`].
    pub struct SingleWorkgroupParams {
        /// Generations of the dispatch.
        pub generations: u32,
    }
}
