//! Arithmetic without memory: `shaders/roofline.wgsl`.

use crate::engine::gpu::program::{Binding, Program, uniforms};

/// Logic functions of three words, without memory.
pub static ROOFLINE: Program = Program {
    name: "roofline",
    file: "roofline",
    defines: &[],
    entry_point: "roofline",
    workgroup: 64,
    bindings: &[Binding::Uniform(&RooflineParams::STRUCTURE), Binding::Write],
    overrides: &[],
};

/// Functions of three words that a thread of [`ROOFLINE`] computes in a round.
pub const FUNCTIONS: u32 = 16;

uniforms! {
    /// Uniforms of [`ROOFLINE`].
    pub struct RooflineParams {
        /// Turns of the loop of a thread.
        pub rounds: u32,
        /// Makes the words unknown to the compiler.
        pub seed: u32,
    }
}
