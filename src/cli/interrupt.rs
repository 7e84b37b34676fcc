//! Ctrl-C: the first requests a clean end, the second ends the program at once.

use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result};

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// The exit status shells give a process that Ctrl-C killed.
const KILLED: i32 = 130;

/// From now on Ctrl-C and SIGTERM only set a flag.
pub(super) fn listen() -> Result<()> {
    let handler = || {
        if INTERRUPTED.swap(true, Ordering::Relaxed) {
            std::process::exit(KILLED);
        }
    };
    ctrlc::set_handler(handler).context("cannot listen for Ctrl-C")
}

/// Whether a clean end is requested.
pub(super) fn is_requested() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}
