//! Memory is measured before it is taken.

use anyhow::{Result, bail};
use sysinfo::System;

use crate::board::{Board, LifelikeBoard, Size};
use crate::format::Limits;

/// Bytes this process can still take without driving the machine into swap. A system that does not
/// say is trusted to refuse by itself.
pub(super) fn available() -> u64 {
    let Ok(mut system) = System::new() else {
        return u64::MAX;
    };
    system.refresh_memory();
    let free = system.available_memory();
    system
        .cgroup_limits()
        .map_or(free, |group| free.min(group.free_memory))
}

/// Limits for reading a file.
pub(super) fn limits() -> Limits {
    let available = available();
    Limits {
        max_file_bytes: Limits::default().max_file_bytes.min(available / 2),
        max_board_bytes: Limits::default().max_board_bytes.min(available / 2),
    }
}

/// Refuses a board if there is no memory for `copies` of it and `bytes_per_cell` more.
pub(super) fn require(size: Size, copies: u64, bytes_per_cell: u64) -> Result<()> {
    require_for::<LifelikeBoard>(size, copies, bytes_per_cell)
}

/// The same for boards of any family.
pub(super) fn require_for<B: Board>(size: Size, copies: u64, bytes_per_cell: u64) -> Result<()> {
    let needed = copies * B::bytes(size) + bytes_per_cell * size.cells();
    let available = available();
    if needed > available {
        bail!(
            "a board of {size} needs {} MiB of memory here, {} MiB are available; use a smaller board",
            needed >> 20,
            available >> 20
        );
    }
    Ok(())
}
