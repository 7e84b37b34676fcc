//! `duolife conform`: are the engines right on this machine?

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, sync_channel};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use clap::Args;
use indicatif::ProgressBar;
use serde::Serialize;

use super::options::{EngineArgs, EngineKind};
use super::{Status, remark};
use crate::board::Board;
use crate::engine::conformance::{
    Case, Divergence, Drawer, Fault, Faulty, SuiteKind, check, expected,
};
use crate::engine::cpu::CpuEngine;
use crate::engine::gpu::{Choice, GpuEngine, Kernels, choose};
use crate::engine::{Engine, EngineError};

/// Strip lengths the GPU engine is tried with, one board after the other.
const STRIP_ROWS: [u32; 4] = [16, 4, 1, 7];

/// Boards whose reference is computed ahead of the engines under test.
const AHEAD: usize = 4;

/// Options of `duolife conform`.
#[derive(Args)]
pub(super) struct ConformArgs {
    #[command(flatten)]
    engine: EngineArgs,
    /// How many small random boards to compare
    #[arg(long, value_name = "N", default_value_t = 2000)]
    boards: u64,
    /// How many long random boards to compare
    #[arg(long, value_name = "N", default_value_t = 40)]
    long_boards: u64,
    /// Under how many rules to compare the board of all 3x3 neighbourhoods
    #[arg(long, value_name = "N", default_value_t = 100)]
    rules: u64,
    /// Seed of the boards and rules
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Report as one JSON object
    #[arg(long)]
    json: bool,
    /// No remarks, no progress, no table
    #[arg(long)]
    quiet: bool,
    /// Flip one bit of one cell of one small board: BOARD,GENERATION,X,Y
    #[arg(long, hide = true, value_parser = parse_fault)]
    plant_fault: Option<(u64, Fault)>,
}

fn parse_fault(text: &str) -> Result<(u64, Fault), String> {
    let numbers: Option<Vec<u32>> = text.split(',').map(|n| n.parse().ok()).collect();
    match numbers.as_deref() {
        Some(&[board, generation, x, y]) => {
            let generation = generation.into();
            Ok((board.into(), Fault { generation, x, y }))
        }
        _ => Err("write it as BOARD,GENERATION,X,Y".into()),
    }
}

/// An engine to be compared.
enum Subject {
    Cpu,
    Gpu(Arc<Kernels>),
}

impl Subject {
    fn name(&self) -> &'static str {
        match self {
            Self::Cpu => "cpu",
            Self::Gpu(_) => "gpu",
        }
    }

    fn adapter(&self) -> Option<&str> {
        match self {
            Self::Cpu => None,
            Self::Gpu(kernels) => Some(kernels.gpu().name()),
        }
    }

    fn engine(&self, case: &Case, index: u64) -> Result<Box<dyn Engine>, EngineError> {
        Ok(match self {
            Self::Cpu => Box::new(CpuEngine::new(case.ruleset).poisoned()),
            Self::Gpu(kernels) => {
                let rows = STRIP_ROWS[(index % STRIP_ROWS.len() as u64) as usize];
                let engine = GpuEngine::new(kernels, case.ruleset)?;
                Box::new(engine.with_strip_rows(rows).poisoned())
            }
        })
    }
}

/// One line of the table.
#[derive(Serialize)]
struct Row {
    suite: String,
    engine: &'static str,
    adapter: Option<String>,
    boards: u64,
    generations: u64,
    cells: u64,
    seconds: f64,
    difference: Option<String>,
}

pub(super) fn run(args: &ConformArgs) -> Result<Status> {
    let subjects = subjects(args)?;
    let suites = [
        (SuiteKind::Small, args.boards),
        (SuiteKind::Long, args.long_boards),
        (SuiteKind::Neighbourhoods, args.rules),
    ];
    let mut rows = Vec::new();
    for (kind, count) in suites {
        let compared = compare(args, &subjects, kind, count)?;
        let differs = compared.iter().any(|row| row.difference.is_some());
        rows.extend(compared);
        if differs {
            break;
        }
    }
    report(args, &rows)?;
    let differs = rows.iter().any(|row| row.difference.is_some());
    Ok(if differs {
        Status::CheckFailed
    } else {
        Status::Done
    })
}

/// The engines asked for; `auto` means all that this machine has.
fn subjects(args: &ConformArgs) -> Result<Vec<Subject>> {
    let choice = Choice {
        name: args.engine.adapter.clone(),
        hardware_only: false,
    };
    let gpu = || -> Result<Subject, EngineError> {
        Ok(Subject::Gpu(Arc::new(Kernels::new(
            &choose(&choice)?.open()?,
        )?)))
    };
    Ok(match args.engine.engine {
        EngineKind::Reference => bail!(
            "the reference is what the others are compared with; use --engine cpu, gpu or auto"
        ),
        EngineKind::Cpu => vec![Subject::Cpu],
        EngineKind::Gpu => vec![gpu()?],
        EngineKind::Auto => match gpu() {
            Ok(gpu) => vec![Subject::Cpu, gpu],
            Err(EngineError::NoAdapter) => {
                if !args.quiet {
                    remark("gpu skipped: no adapter found");
                }
                vec![Subject::Cpu]
            }
            Err(error) => return Err(error.into()),
        },
    })
}

/// A case with everything the reference says about it.
type Prepared = Result<(Case, Vec<Board>), EngineError>;

/// Draws a suite and computes its reference on a thread of its own.
fn prepare(seed: u64, kind: SuiteKind, count: u64) -> Receiver<Prepared> {
    let (sender, receiver) = sync_channel(AHEAD);
    std::thread::spawn(move || {
        let mut drawer = Drawer::new(seed);
        for index in 0..count {
            let prepared = drawer.draw(kind, index).map_err(EngineError::from);
            let prepared = prepared.and_then(|case| {
                let expected = expected(&case)?;
                Ok((case, expected))
            });
            if sender.send(prepared).is_err() {
                // Nobody listens any more: a difference was found.
                return;
            }
        }
    });
    receiver
}

/// Compares all engines on one suite, up to the first difference.
fn compare(
    args: &ConformArgs,
    subjects: &[Subject],
    kind: SuiteKind,
    count: u64,
) -> Result<Vec<Row>> {
    let mut rows: Vec<Row> = subjects
        .iter()
        .map(|subject| Row {
            suite: kind.to_string(),
            engine: subject.name(),
            adapter: subject.adapter().map(str::to_owned),
            boards: 0,
            generations: 0,
            cells: 0,
            seconds: 0.0,
            difference: None,
        })
        .collect();
    let progress = if args.quiet {
        ProgressBar::hidden()
    } else {
        ProgressBar::new(count).with_message(kind.to_string())
    };
    for (index, prepared) in (0..).zip(prepare(args.seed, kind, count)) {
        let (case, expected) = prepared.context("the reference failed")?;
        for (subject, row) in subjects.iter().zip(&mut rows) {
            let started = Instant::now();
            let found = compare_one(args, subject, kind, index, &case, &expected)?;
            row.boards += 1;
            row.generations += case.generations;
            row.cells += case.generations * case.board.size().cells();
            row.seconds += started.elapsed().as_secs_f64();
            row.difference = found.map(|found| format!("{kind}, board {index}: {found}"));
        }
        if rows.iter().any(|row| row.difference.is_some()) {
            break;
        }
        progress.inc(1);
    }
    progress.finish_and_clear();
    Ok(rows)
}

fn compare_one(
    args: &ConformArgs,
    subject: &Subject,
    kind: SuiteKind,
    index: u64,
    case: &Case,
    expected: &[Board],
) -> Result<Option<Divergence>, EngineError> {
    let mut engine = subject.engine(case, index)?;
    match args.plant_fault {
        Some((board, fault)) if kind == SuiteKind::Small && board == index => {
            check(&mut Faulty::new(engine.as_mut(), fault), case, expected)
        }
        _ => check(engine.as_mut(), case, expected),
    }
}

fn report(args: &ConformArgs, rows: &[Row]) -> Result<()> {
    let mut out = io::stdout().lock();
    if args.json {
        writeln!(out, "{}", serde_json::to_string(rows)?)?;
        return Ok(());
    }
    if !args.quiet {
        writeln!(
            out,
            "{:<24} {:<7} {:>7} {:>12} {:>14} {:>9}  result",
            "suite", "engine", "boards", "generations", "cells", "time"
        )?;
        for row in rows {
            let time = Duration::from_secs_f64(row.seconds);
            writeln!(
                out,
                "{:<24} {:<7} {:>7} {:>12} {:>14} {:>7.1} s  {}",
                row.suite,
                row.engine,
                row.boards,
                row.generations,
                row.cells,
                time.as_secs_f64(),
                if row.difference.is_some() {
                    "DIFFERENT"
                } else {
                    "equal"
                }
            )?;
        }
        let adapters: Vec<&str> = rows
            .iter()
            .filter_map(|row| row.adapter.as_deref())
            .collect();
        if let Some(adapter) = adapters.first() {
            writeln!(out, "gpu: {adapter}")?;
        }
    }
    for difference in rows.iter().filter_map(|row| row.difference.as_ref()) {
        writeln!(out, "{difference}")?;
    }
    Ok(())
}
