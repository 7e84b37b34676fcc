//! `duolife devices`: which adapters there are and how large a board each takes.

use std::io::{self, Write};

use anyhow::Result;
use clap::Args;
use serde::Serialize;

use super::Status;
use crate::board::{MAX_PLANE_WORDS, WORD_BITS};
use crate::engine::gpu::{Found, adapters};

/// Options of `duolife devices`.
#[derive(Args)]
pub(super) struct DevicesArgs {
    /// Report as a JSON array
    #[arg(long)]
    json: bool,
}

/// One adapter; the fields of `--json`.
#[derive(Serialize)]
struct Device {
    name: String,
    kind: String,
    backend: String,
    driver: String,
    software: bool,
    /// Bytes one binding holds.
    largest_plane: u64,
    /// Side of the largest square board.
    largest_square: u64,
    max_workgroups_per_dimension: u32,
    workgroup_memory: u32,
    subgroup_min_size: u32,
    subgroup_max_size: u32,
}

impl Device {
    fn of(found: &Found) -> Self {
        let (info, limits) = (found.info(), found.limits());
        Self {
            kind: format!("{:?}", info.device_type),
            backend: info.backend.to_string(),
            driver: [info.driver, info.driver_info].join(" ").trim().to_owned(),
            name: info.name,
            software: found.is_software(),
            largest_plane: found.largest_plane(),
            largest_square: largest_square(found.largest_plane()),
            max_workgroups_per_dimension: limits.max_compute_workgroups_per_dimension,
            workgroup_memory: limits.max_compute_workgroup_storage_size,
            subgroup_min_size: info.subgroup_min_size,
            subgroup_max_size: info.subgroup_max_size,
        }
    }
}

/// Side of the largest square whose plane has at most so many bytes: whole words a row.
fn largest_square(plane_bytes: u64) -> u64 {
    let words = (plane_bytes / 4).min(MAX_PLANE_WORDS);
    // A side of w words is 32 w cells, so the plane has 32 w^2 words, and a little more fits if
    // the last word of a row is not full.
    let side_words = (words / u64::from(WORD_BITS)).isqrt() + 1;
    let fits = |side: u64| side.div_ceil(u64::from(WORD_BITS)) * side <= words;
    (1..=side_words * u64::from(WORD_BITS))
        .rev()
        .find(|&side| fits(side))
        .unwrap_or(0)
}

pub(super) fn run(args: &DevicesArgs) -> Result<Status> {
    let devices: Vec<Device> = adapters().iter().map(Device::of).collect();
    let mut out = io::stdout().lock();
    if args.json {
        writeln!(out, "{}", serde_json::to_string(&devices)?)?;
        return Ok(Status::Done);
    }
    if devices.is_empty() {
        writeln!(out, "no GPU adapter found; the CPU engine is used")?;
    }
    for device in devices {
        writeln!(out, "{}", device.name)?;
        writeln!(
            out,
            "  {} through {}{}, {}",
            device.kind,
            device.backend,
            if device.software {
                ", computes on the CPU"
            } else {
                ""
            },
            device.driver
        )?;
        writeln!(
            out,
            "  largest plane {} bytes, largest square board {side}x{side}",
            device.largest_plane,
            side = device.largest_square
        )?;
        writeln!(
            out,
            "  at most {} workgroups a dimension, {} bytes of workgroup memory, subgroups of {} to {}",
            device.max_workgroups_per_dimension,
            device.workgroup_memory,
            device.subgroup_min_size,
            device.subgroup_max_size
        )?;
    }
    Ok(Status::Done)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_square_fits_and_the_next_does_not() {
        for bytes in [4, 100, 128 << 20, (1 << 31) - 4, 1 << 31, 1 << 40] {
            let side = largest_square(bytes);
            let plane = |side: u64| side.div_ceil(32) * side * 4;
            let most = bytes.min(MAX_PLANE_WORDS * 4);
            assert!(plane(side) <= most && plane(side + 1) > most, "{bytes}");
        }
        assert_eq!(largest_square(128 << 20), 32_768);
    }
}
