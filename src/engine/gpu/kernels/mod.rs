//! The host side of the kernels: one file a kernel, with the stem of its shader.

pub(super) mod active_blocks;
pub mod arena;
mod roofline;
pub(super) mod single_workgroup;
pub(super) mod stats;
