//! `duolife conform`: are the engines right on this machine?

use std::io::{self, Write};
use std::panic::resume_unwind;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use clap::builder::PossibleValue;
use clap::{Args, ValueEnum};
use indicatif::ProgressBar;
use serde::Serialize;

use crate::cli::options::{EngineArgs, EngineKind};
use crate::cli::output::standard_output;
use crate::cli::{Status, interrupt, print_note};
use crate::engine::conformance::{
    Fault, LocatedDifference, Row, Runner, Subject, SuiteKind, TestFamily,
};
use crate::engine::{EngineError, Family};
use crate::rules::{FAMILIES, FamilyName, of_family};

/// How soon a signal is noticed.
const PATIENCE: Duration = Duration::from_millis(50);

/// Options of `duolife conform`.
#[derive(Args, Clone)]
pub(in crate::cli) struct ConformArgs {
    #[command(flatten)]
    engine: EngineArgs,
    /// How many small random boards to compare
    #[arg(long, value_name = "N", default_value_t = 2500)]
    boards: u64,
    /// How many long random boards to compare
    #[arg(long, value_name = "N", default_value_t = 40)]
    long_boards: u64,
    /// How many boards to compare on which little changes
    #[arg(long, value_name = "N", default_value_t = 12)]
    sparse_boards: u64,
    /// Under how many rules to compare the board of all 3x3 neighbourhoods
    #[arg(long, value_name = "N", default_value_t = 100)]
    rules: u64,
    /// How many random boards of populations to compare
    #[arg(long, value_name = "N", default_value_t = 2800)]
    populations: u64,
    /// How many long boards of populations to compare
    #[arg(long, value_name = "N", default_value_t = 20)]
    long_populations: u64,
    /// How many times to compare the board of all populations and sums
    #[arg(long, value_name = "N", default_value_t = 2)]
    sums: u64,
    /// Only the boards of one family [default: all]
    #[arg(long, value_enum)]
    family: Option<FamilyArg>,
    /// Seed of the boards and rules
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Report as one JSON object
    #[arg(long)]
    json: bool,
    /// No notes, no progress, no table
    #[arg(long)]
    quiet: bool,
    /// Flip one bit of one cell of one small board of each family: BOARD,GENERATION,X,Y
    #[arg(long, hide = true, value_parser = parse_fault)]
    plant_fault: Option<(u64, Fault)>,
}

impl ConformArgs {
    /// How many boards of a suite are compared.
    const fn count(&self, kind: SuiteKind) -> u64 {
        match kind {
            SuiteKind::Long => self.long_boards,
            SuiteKind::Sparse => self.sparse_boards,
            SuiteKind::Neighbourhoods => self.rules,
            SuiteKind::Rezolution => self.populations,
            SuiteKind::LongPopulations => self.long_populations,
            SuiteKind::Sums => self.sums,
            // Small boards; those of a family without an option of its own, too.
            _ => self.boards,
        }
    }
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

/// A family of rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct FamilyArg(FamilyName);

impl ValueEnum for FamilyArg {
    fn value_variants<'a>() -> &'a [Self] {
        const ALL: [FamilyArg; FAMILIES.len()] = {
            let mut all = [FamilyArg(FAMILIES[0]); FAMILIES.len()];
            let mut i = 0;
            while i < FAMILIES.len() {
                all[i] = FamilyArg(FAMILIES[i]);
                i += 1;
            }
            all
        };
        &ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.0.stem()).help(self.0.summary()))
    }
}

/// One line of the JSON report.
#[derive(Serialize)]
struct JsonRow<'a> {
    suite: String,
    family: &'static str,
    engine: &'static str,
    /// Kernels of the GPU engine.
    kernels: &'a str,
    boards: u64,
    generations: u64,
    cells: u64,
    /// Time in which the engine computed and was compared, over all threads.
    seconds: f64,
    difference: Option<JsonDifference<'a>>,
}

/// A difference; of several, that of the first board.
#[derive(Serialize)]
struct JsonDifference<'a> {
    board: u64,
    /// Where and what.
    report: &'a str,
}

impl<'a> JsonRow<'a> {
    fn new(row: &'a Row) -> Self {
        Self {
            suite: row.suite.to_string(),
            family: row.suite.family().stem(),
            engine: row.engine,
            kernels: &row.kernels,
            boards: row.boards,
            generations: row.generations,
            cells: row.cells,
            seconds: row.took.as_secs_f64(),
            difference: row.difference.as_ref().map(|found| JsonDifference {
                board: found.board,
                report: &found.report,
            }),
        }
    }
}

/// What `--json` prints.
#[derive(Serialize)]
struct Report<'a> {
    equal: bool,
    /// Whether a signal has ended it: suites are missing.
    interrupted: bool,
    seconds: f64,
    adapter: Option<&'a str>,
    suites: Vec<JsonRow<'a>>,
}

pub(in crate::cli) fn run(args: &ConformArgs) -> Result<Status> {
    interrupt::listen();
    let started = Instant::now();
    let mut rows = Vec::new();
    let mut adapter = None;
    let mut interrupted = false;
    // Compared in the background: a suite of long boards is not waited for when a signal comes.
    let (steps, comparison) = compare_in_background(args);
    loop {
        match steps.recv_timeout(PATIENCE) {
            Ok(Ok(Step::Opened(name))) => adapter = name,
            Ok(Ok(Step::Compared(compared))) => rows.extend(compared),
            Ok(Err(error)) => return Err(error),
            Err(RecvTimeoutError::Disconnected) => {
                // A comparison that panicked has shown nothing.
                comparison
                    .join()
                    .unwrap_or_else(|panic| resume_unwind(panic));
                break;
            }
            Err(RecvTimeoutError::Timeout) if interrupt::is_requested() => {
                interrupted = true;
                break;
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
    report(
        args,
        &rows,
        adapter.as_deref(),
        started.elapsed(),
        interrupted,
    )?;
    let differs = rows.iter().any(|row| row.difference.is_some());
    Ok(if differs {
        Status::CheckFailed
    } else {
        interrupt::status(interrupted)
    })
}

/// What the comparison has done.
enum Step {
    /// Opened the engines, one of them on this adapter.
    Opened(Option<String>),
    /// Compared a suite.
    Compared(Vec<Row>),
}

/// Compares suite by suite, up to the first that differs.
fn compare_in_background(args: &ConformArgs) -> (Receiver<Result<Step>>, JoinHandle<()>) {
    let args = args.clone();
    let (sender, steps) = mpsc::channel();
    let comparison = thread::spawn(move || {
        // Nobody listens any more when a send fails.
        if let Err(error) = compare_suites(&args, &|step| sender.send(Ok(step)).is_ok()) {
            let _ = sender.send(Err(error));
        }
    });
    (steps, comparison)
}

fn compare_suites(args: &ConformArgs, send: &dyn Fn(Step) -> bool) -> Result<()> {
    let subjects = subjects(args)?;
    let adapter = subjects.iter().find_map(Subject::adapter);
    send(Step::Opened(adapter.map(str::to_owned)));
    let is_requested = |kind: SuiteKind| args.family.is_none_or(|family| family.0 == kind.family());
    for kind in SuiteKind::ALL
        .into_iter()
        .filter(|kind| is_requested(*kind))
    {
        let count = args.count(kind);
        let compared = of_family!(kind.family(), compare(args, &subjects, kind, count))?;
        let differs = compared.iter().any(|row| row.difference.is_some());
        if !send(Step::Compared(compared)) || differs {
            break;
        }
    }
    Ok(())
}

/// The requested engines; `auto` stands for all that this machine has.
fn subjects(args: &ConformArgs) -> Result<Vec<Subject>> {
    let selector = args.engine.unchecked_selector();
    let gpu = || Subject::all_gpu(|| selector.open_any_adapter());
    Ok(match args.engine.engine {
        EngineKind::Reference => bail!(
            "the reference is what the others are compared with; use --engine cpu, gpu or auto"
        ),
        EngineKind::Cpu => vec![Subject::Cpu],
        EngineKind::Gpu => gpu()?,
        EngineKind::Auto => match gpu() {
            Ok(gpu) => [Subject::Cpu].into_iter().chain(gpu).collect(),
            Err(EngineError::NoAdapter) => {
                if !args.quiet {
                    print_note("gpu skipped: no adapter found");
                }
                vec![Subject::Cpu]
            }
            Err(error) => return Err(error.into()),
        },
    })
}

/// Compares all engines on one suite, up to the first difference.
fn compare<R: Family + TestFamily>(
    args: &ConformArgs,
    subjects: &[Subject],
    kind: SuiteKind,
    count: u64,
) -> Result<Vec<Row>> {
    let progress = if args.quiet {
        ProgressBar::hidden()
    } else {
        ProgressBar::new(count)
    };
    let runner = Runner {
        subjects,
        seed: args.seed,
        fault: args.plant_fault.filter(|_| kind.is_first()),
        progress: &|| progress.inc(1),
    };
    let rows = runner.run::<R>(kind, count);
    progress.finish_and_clear();
    Ok(rows?)
}

fn report(
    args: &ConformArgs,
    rows: &[Row],
    adapter: Option<&str>,
    took: Duration,
    interrupted: bool,
) -> Result<()> {
    let mut out = standard_output();
    if args.json {
        let report = Report {
            equal: rows.iter().all(|row| row.difference.is_none()),
            interrupted,
            seconds: took.as_secs_f64(),
            adapter,
            suites: rows.iter().map(JsonRow::new).collect(),
        };
        writeln!(out, "{}", serde_json::to_string(&report)?)?;
        return Ok(());
    }
    if !args.quiet {
        print_table(&mut out, rows)?;
        if let Some(adapter) = adapter {
            writeln!(out, "gpu: {adapter}")?;
        }
        writeln!(out, "{:.1} s", took.as_secs_f64())?;
        if interrupted {
            writeln!(out, "interrupted: the other suites were not compared")?;
        }
    }
    let differences = rows.iter().filter_map(|row| row.difference.as_ref());
    if let Some(LocatedDifference { report, .. }) = differences.min() {
        writeln!(out, "{report}")?;
    }
    Ok(())
}

/// Prints how much each engine was compared, the suites of a family together.
fn print_table(out: &mut impl Write, rows: &[Row]) -> io::Result<()> {
    let mut totals: Vec<Row> = Vec::new();
    for row in rows {
        let key = |row: &Row| (row.suite.family(), row.engine, row.kernels.clone());
        match totals.iter_mut().find(|total| key(total) == key(row)) {
            Some(total) => total.add(row.clone()),
            None => totals.push(row.clone()),
        }
    }
    writeln!(
        out,
        "{:<11} {:<6} {:<24} {:>7} {:>12} {:>14} {:>9}  result",
        "family", "engine", "kernels", "boards", "generations", "cells", "time"
    )?;
    for row in totals {
        writeln!(
            out,
            "{:<11} {:<6} {:<24} {:>7} {:>12} {:>14} {:>7.1} s  {}",
            row.suite.family(),
            row.engine,
            row.kernels,
            row.boards,
            row.generations,
            row.cells,
            row.took.as_secs_f64(),
            match row.difference {
                Some(_) => "DIFFERENT",
                None if row.boards == 0 => "not compared",
                None => "equal",
            }
        )?;
    }
    Ok(())
}
