//! What a run prints at its end.

use std::io::{self, Write};

use anyhow::Result;
use serde::Serialize;

use super::RunArgs;
use crate::cli::output::standard_output;
use crate::game::referee::Outcome;

/// The settings and the outcome of a run: the fields of `--json`.
#[derive(Serialize)]
pub(super) struct Report<F> {
    pub(super) engine: &'static str,
    pub(super) adapter: Option<String>,
    /// Generations of the longest pass over the board.
    pub(super) generations_per_pass: u64,
    pub(super) rule: String,
    pub(super) edges: String,
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) seed: u64,
    /// Of the last board; starts with the file's generation.
    pub(super) generation: u64,
    pub(super) red: u64,
    pub(super) blue: u64,
    pub(super) outcome: Outcome,
    /// The fields of the family.
    #[serde(flatten)]
    pub(super) fields: F,
    pub(super) digest: Option<String>,
    /// Time spent computing generations.
    pub(super) seconds: f64,
    pub(super) cells_per_second: f64,
    pub(super) frames: u64,
    /// Whether Ctrl-C ended the run before its last generation.
    pub(super) interrupted: bool,
}

/// What is printed of the end of a run.
pub(super) struct LastLines {
    /// The last counts.
    pub(super) census: String,
    /// The outcome in a few words.
    pub(super) status: String,
    /// The outcome in more lines.
    pub(super) lines: Vec<String>,
    /// The generation it was to reach.
    pub(super) generation: u64,
}

/// Reports on standard output, or on standard error if a file has taken that.
pub(super) fn print_report<F: Serialize>(
    report: &Report<F>,
    last: &LastLines,
    args: &RunArgs,
    taken: bool,
) -> Result<()> {
    let mut out: Box<dyn Write> = if taken {
        Box::new(io::stderr().lock())
    } else {
        Box::new(standard_output())
    };
    if args.json {
        writeln!(out, "{}", serde_json::to_string(report)?)?;
    } else if !args.quiet {
        let Report {
            rule,
            edges,
            width,
            height,
            generation,
            seconds,
            cells_per_second,
            ..
        } = report;
        let LastLines { census, status, .. } = last;
        writeln!(
            out,
            "{rule}, {edges}, {width}x{height}, generation {generation}: {census} ({status})"
        )?;
        for line in &last.lines {
            writeln!(out, "{line}")?;
        }
        writeln!(
            out,
            "{seconds:.3} s, {cells_per_second:.3e} cells per second"
        )?;
        if let Some(digest) = &report.digest {
            writeln!(out, "sha256 {digest}")?;
        }
        if report.interrupted {
            writeln!(out, "interrupted before generation {}", last.generation)?;
        }
    }
    out.flush()?;
    Ok(())
}
