//! Ctrl-C and the signals of batch systems.
//!
//! A command that [listens](listen) ends cleanly at the first signal and keeps what was finished; the
//! second signal ends it at once. Other commands end at once. Ending at once leaves no temporary file.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use super::Status;
use crate::format::{remove_temporary_files, stop_waiting};

/// Whether the command ends cleanly by itself.
static LISTENING: AtomicBool = AtomicBool::new(false);

/// The signal that requested a clean end; 0 without one.
static REQUESTED: AtomicI32 = AtomicI32::new(0);

/// When that was.
static SINCE: OnceLock<Instant> = OnceLock::new();

/// Signals so soon after the first are the same request: `timeout` and batch systems send one to a
/// process and one to its group.
const REPETITION: Duration = Duration::from_millis(300);

const SIGHUP: i32 = 1;
const SIGINT: i32 = 2;
const SIGTERM: i32 = 15;

/// From now on this module decides what Ctrl-C, SIGTERM and SIGHUP do.
pub(super) fn install() -> Result<()> {
    imp::install().context("cannot listen for Ctrl-C")
}

/// From now on the first signal only requests an end.
pub(super) fn listen() {
    LISTENING.store(true, Ordering::SeqCst);
}

/// Whether a clean end is requested.
pub(super) fn is_requested() -> bool {
    REQUESTED.load(Ordering::Relaxed) != 0
}

/// How a command ends, with work left or not. A batch system must see that it has ended one.
pub(super) fn status(work_left: bool) -> Status {
    match REQUESTED.load(Ordering::Relaxed) {
        SIGTERM if work_left => Status::Terminated,
        SIGHUP if work_left => Status::HungUp,
        _ => Status::Done,
    }
}

/// Called for each signal, in one thread.
fn receive(signal: i32) {
    if LISTENING.load(Ordering::SeqCst) {
        let first = REQUESTED.compare_exchange(0, signal, Ordering::SeqCst, Ordering::SeqCst);
        let since = SINCE.get_or_init(Instant::now).elapsed();
        if first.is_ok() {
            stop_waiting();
            return;
        }
        if since < REPETITION {
            return;
        }
    }
    remove_temporary_files();
    // What shells give a process that a signal has killed.
    imp::exit(128 + signal);
}

#[cfg(unix)]
mod imp {
    use std::io;
    use std::thread;

    use signal_hook::iterator::Signals;

    use super::{SIGHUP, SIGINT, SIGTERM, receive};

    pub(super) fn install() -> io::Result<()> {
        let mut signals = Signals::new([SIGINT, SIGTERM].into_iter().chain(hang_up()))?;
        thread::Builder::new()
            .name("signals".into())
            .spawn(move || signals.forever().for_each(receive))?;
        Ok(())
    }

    /// SIGHUP, unless nohup has switched it off.
    fn hang_up() -> Option<i32> {
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
        let is_ignored = ignored.is_some_and(|mask| mask >> (SIGHUP - 1) & 1 == 1);
        (!is_ignored).then_some(SIGHUP)
    }

    /// Without the end of other threads, which may be anywhere.
    pub(super) fn exit(status: i32) -> ! {
        signal_hook::low_level::exit(status)
    }
}

#[cfg(not(unix))]
mod imp {
    use std::io;

    use super::{SIGINT, receive};

    pub(super) fn install() -> io::Result<()> {
        ctrlc::set_handler(|| receive(SIGINT)).map_err(io::Error::other)
    }

    pub(super) fn exit(status: i32) -> ! {
        std::process::exit(status)
    }
}
