//! The GPU engine: planes in ping-pong storage buffers, advanced by compute shaders.
//!
//! ```text
//!   wgsl, program    shader files joined to programs; what host and shader must agree on
//!   kernels          programs and uniforms that no family has to itself, one file per shader
//!   family           what the engine needs of a family, one file per family
//!   proof            what a device has to compute right before it is used
//!   pipelines        programs compiled for a device
//!   commands         what is submitted together
//!   buffers          planes of a band; bands, grid and tiling say who computes which rows
//!   dispatch         what is prepared for a band: kernel, uniforms, bind groups
//!   state            the board on the device, and what is known of it
//!   plan             which way the next submission computes, and how many generations
//!   steppers         one file per way
//!   engine           runs requests
//! ```
//!
//! Each file uses those above it only. The ways:
//!
//! * one generation, with or without statistics (`step`, `stats_step`);
//! * several generations in one pass over a large board (`pass`, `stats_pass`), which leaves out idle
//!   blocks where few are active;
//! * many generations of a small board in one workgroup (`step`);
//! * a generation in pieces, for a window that must not wait (`background`);
//! * every board of a run, read back together (`film`).
//!
//! A board that is too large for one binding is cut into bands of rows (`bands`), and each of these
//! ways goes from band to band.

mod active_blocks;
mod adapter;
pub mod arena;
mod bands;
mod buffers;
mod commands;
mod context;
pub mod device;
mod dispatch;
mod engine;
pub mod family;
mod grid;
pub mod kernels;
mod options;
mod pipelines;
mod plan;
pub mod program;
mod programs;
mod proof;
mod roofline;
mod state;
mod stats;
mod steppers;
mod tiling;
mod transfer;
pub mod tune;
mod tuning;
pub mod wgsl;

pub use self::adapter::{Adapter, AdapterSelector, SelectedAdapter, adapters, select_adapter};
pub use self::bands::Band;
pub use self::device::{Gpu, Handles};
pub use self::engine::GpuEngine;
pub use self::family::GpuFamily;
pub use self::grid::Threads;
pub use self::pipelines::{Kernels, compile};
pub use self::programs::programs;
pub use self::state::{DeviceBand, DeviceBoard};
