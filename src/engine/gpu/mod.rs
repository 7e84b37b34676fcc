//! The GPU engine: planes in ping-pong storage buffers, advanced by compute shaders.
//!
//! ```text
//!   kernels      programs, uniforms and bindings, shared with the shaders
//!   family       what the engine needs of a family
//!   dispatch     what is prepared for a board: kernel, uniforms, bind groups
//!   state        the board on the device, and what is known of it
//!   plan         which way the next submission computes, and how many generations
//!   steppers     one file per way
//!   engine       runs requests
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

mod bands;
mod buffers;
mod context;
pub mod device;
mod dispatch;
mod engine;
mod family;
pub mod kernels;
mod options;
mod pipelines;
mod plan;
mod state;
mod stats;
mod steppers;
pub mod tune;
mod tuning;
pub mod wgsl;

pub use self::bands::Band;
pub use self::device::{Adapter, AdapterSelector, Gpu, Handles, adapters, select_adapter};
pub use self::engine::GpuEngine;
pub use self::family::{GpuFamily, Threads, Tiling};
pub use self::kernels::arena;
pub use self::pipelines::{Kernels, compile};
pub use self::state::{DeviceBand, DeviceBoard};
