//! Ctrl-C: the first asks for a clean end, the second ends at once.

use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result};

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// The exit status shells give a process that Ctrl-C killed.
const KILLED: i32 = 130;

/// From now on Ctrl-C and SIGTERM only set a flag.
pub(super) fn watch() -> Result<()> {
    let handler = || {
        if INTERRUPTED.swap(true, Ordering::Relaxed) {
            std::process::exit(KILLED);
        }
    };
    ctrlc::set_handler(handler).context("cannot listen for Ctrl-C")
}

/// Whether a clean end was asked for.
pub(super) fn asked() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}
