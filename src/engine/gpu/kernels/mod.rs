//! The kernels that no family has to itself: one file each, with the stem of its shader, that declares
//! whatever host and shader must agree on (uniforms, bindings, workgroup size, constants, entry point).
//!
//! What only one family's shaders have is declared in the file of the family
//! ([`family`](super::family)).

pub mod active_blocks;
pub mod arena;
pub mod pass;
pub mod roofline;
pub mod single_workgroup;
pub mod stats;
pub mod step;
