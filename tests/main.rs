//! All integration tests in one binary.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "a test fails by panicking"
)]

/// Tournaments of many small games.
mod arena;
/// Boards that are cut into bands of rows on the GPU.
mod bands;
/// Battles that are run, watched and edited by lines of commands.
mod battle;
/// The cases of `tests/cases`, on every engine.
mod cases;
/// The program as a user calls it.
mod cli;
/// What each layer of the house must not know.
mod fences;
/// The fragment puzzle in a terminal.
mod fragment;
/// Random boards on the GPU, in lockstep with the reference; devices and their limits.
mod gpu;
/// The Immigration Game as it is played at a terminal and from scripts.
mod immigration;
/// The commands that README and docs show, run as they are printed.
#[cfg(unix)]
mod pages;
/// The painter of the window against pictures drawn on the CPU, pixel for pixel.
mod painter;
/// What must hold for every rule and board.
mod properties;
/// The referee, on every engine and against another judge.
mod referee;
/// reZolution: its corpus on every engine, targets, the program.
mod rezolution;
/// Passes of several generations of reZolution on the GPU.
mod rezolution_passes;
/// Shaders against the host's idea of them, without a GPU.
mod shaders;
/// What stands still is left out by passes on the GPU, and wakes again.
mod still;
/// Passes on the GPU that look at every generation.
mod watched;
/// The window without a display: pointer, keyboard, files, time.
#[cfg(feature = "window")]
mod window;

use std::sync::{Arc, OnceLock};

use duolife::engine::gpu::{AdapterSelector, Kernels, select_adapter};

/// The kernels of this machine's GPU. Without one the test fails, unless `DUOLIFE_NO_GPU=1` says
/// that this is meant: then it gets `None` and says so.
fn kernels() -> Option<Arc<Kernels>> {
    static KERNELS: OnceLock<Arc<Kernels>> = OnceLock::new();
    if no_gpu() {
        eprintln!("skipped: DUOLIFE_NO_GPU=1");
        return None;
    }
    let kernels = KERNELS.get_or_init(|| {
        let gpu =
            select_adapter(&AdapterSelector::default()).expect("an adapter, or DUOLIFE_NO_GPU=1");
        eprintln!("executed on {}", gpu.info().name);
        Arc::new(Kernels::new(&gpu.open().unwrap()).unwrap())
    });
    Some(Arc::clone(kernels))
}

fn no_gpu() -> bool {
    std::env::var("DUOLIFE_NO_GPU").is_ok_and(|value| value == "1")
}
