//! All integration tests in one binary.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "a test fails by panicking"
)]

/// The program as a user calls it.
mod cli;
/// Engines against the reference on random boards, with and without planted faults, and how battles end
/// on all of them.
mod conformance;
/// The cases of `tests/cases`, on every engine.
mod corpus;
/// What only a GPU engine has: passes, statistics, active blocks, bands, limits, loss.
mod gpu;
/// The floors of the house: what each room may know.
mod layering;
/// The commands that README and docs show, run as they are printed.
#[cfg(all(unix, feature = "plot"))]
mod pages;
/// What must hold for every rule and board.
mod properties;
/// The renderer of the window against pictures drawn on the CPU, pixel for pixel.
mod renderer;
/// Shaders against the host's idea of them, without a GPU.
mod shaders;
/// What the tests share.
mod support;
/// The window without a display: pointer, keyboard, files, time.
#[cfg(feature = "window")]
mod window;
