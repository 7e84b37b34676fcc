//! `duolife devices`: which adapters there are, how large a board each takes, and which kernels are the
//! fastest on it.

use std::io::Write;
use std::sync::Arc;

use anyhow::{Result, bail};
use clap::Args;
use serde::Serialize;

use crate::board::{MAX_PLANE_WORDS, WORD_BITS};
use crate::cli::output::standard_output;
use crate::cli::{Status, tuning};
use crate::engine::gpu::tune::{RuleClass, Timed};
use crate::engine::gpu::{Adapter, Kernels, adapters};
use crate::engine::select::EngineSelector;
use crate::store::proofs;

/// Options of `duolife devices`.
#[derive(Args)]
pub(in crate::cli) struct DevicesArgs {
    /// Measure the kernels of an adapter and remember the fastest, which all commands then use. A long
    /// run on a card that was never measured does so by itself
    #[arg(long)]
    tune: bool,
    /// With --tune: the adapter, by its number, a part of its name or its backend [default: the first]
    #[arg(long, value_name = "NAME", requires = "tune")]
    adapter: Option<String>,
    /// Report as a JSON array
    #[arg(long)]
    json: bool,
}

/// A measured kernel; the fields of `--tune --json`, the fastest of each kind of rules first.
#[derive(Serialize)]
struct Measured {
    /// `life` for B3/S23, `ties` for rules with births of an even number, `odd` for others.
    rule_class: &'static str,
    generations_per_pass: u32,
    /// Whether the threads of a subgroup share a tile.
    subgroups: bool,
    cells_per_second: f64,
}

/// One adapter; the fields of `--json`.
#[derive(Serialize)]
struct Device {
    /// What `--adapter` takes, beside a part of the name.
    number: usize,
    name: String,
    kind: String,
    backend: String,
    driver: String,
    software: bool,
    /// Bytes one binding holds.
    largest_plane: u64,
    /// Side of the largest square board that is not cut into bands.
    largest_square: u64,
    max_workgroups_per_dimension: u32,
    workgroup_memory: u32,
    subgroup_min_size: u32,
    subgroup_max_size: u32,
}

impl Device {
    fn of(found: &Adapter) -> Self {
        let (info, limits) = (found.info(), found.limits());
        Self {
            number: found.number,
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

/// Side of the largest square whose plane has at most this many bytes; rows take whole words.
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

pub(in crate::cli) fn run(args: &DevicesArgs) -> Result<Status> {
    if args.tune {
        return tune(args);
    }
    let devices: Vec<Device> = adapters().iter().map(Device::of).collect();
    let mut out = standard_output();
    if args.json {
        writeln!(out, "{}", serde_json::to_string(&devices)?)?;
        return Ok(Status::Done);
    }
    if devices.is_empty() {
        writeln!(out, "no GPU adapter found; the CPU engine is used")?;
    }
    for device in devices {
        writeln!(out, "{} {}", device.number, device.name)?;
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
            "  planes up to {} bytes in one piece, as those of {side}x{side} cells; larger ones in bands",
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

/// Measures an adapter.
fn tune(args: &DevicesArgs) -> Result<Status> {
    let selector = EngineSelector {
        engine: None,
        adapter: args.adapter.clone(),
    };
    let kernels = Arc::new(Kernels::new(&selector.open_any_adapter()?)?);
    proofs::require(&kernels);
    let mut out = standard_output();
    if !args.json {
        writeln!(out, "{}", kernels.gpu().name())?;
    }
    let mut all = Vec::new();
    let mut fastest = Vec::new();
    for rule_class in RuleClass::ALL {
        let timed = tuning::measure(&kernels, rule_class)?;
        let Some(first) = timed.first() else {
            bail!("nothing could be measured");
        };
        fastest.push((rule_class, first.tuning));
        if !args.json {
            let rules = match rule_class {
                RuleClass::Life => "B3/S23",
                RuleClass::Odd => "births of odd numbers only",
                RuleClass::Ties => "rules with ties",
            };
            writeln!(out, "  {rules}")?;
            for timed in &timed {
                writeln!(out, "    {}", tuning::describe(timed))?;
            }
        }
        all.extend(timed.iter().map(
            |&Timed {
                 tuning,
                 cells_per_second,
             }| Measured {
                rule_class: rule_class.name(),
                generations_per_pass: tuning.generations,
                subgroups: tuning.subgroups,
                cells_per_second,
            },
        ));
    }
    if args.json {
        writeln!(out, "{}", serde_json::to_string(&all)?)?;
    }
    tuning::keep(&kernels, &fastest)?;
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
