//! `duolife conform`: are the engines right on this machine?

use std::io::{self, Write};
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail};
use clap::{Args, ValueEnum};
use indicatif::ProgressBar;
use serde::Serialize;

use crate::board::Board;
use crate::cli::options::{EngineArgs, EngineKind};
use crate::cli::{Status, print_note};
use crate::engine::conformance::{
    Case, Depth, Divergence, Drawer, Fault, Faulty, SuiteKind, TestFamily, check, expected,
};
use crate::engine::cpu::CpuEngine;
use crate::engine::gpu::program::Form;
use crate::engine::gpu::{GpuEngine, Kernels};
use crate::engine::{Engine, EngineError, Family};
use crate::rules::{FamilyName, LifelikeRuleset, RezolutionRuleset};

/// Strip lengths the GPU engine is tried with, one board after the other.
const STRIP_ROWS: [u32; 4] = [16, 4, 1, 7];

/// Threads of a piece of a generation that the GPU engine computes in the background, one board of
/// those that are computed in every way after the other.
const PIECES: [u32; 3] = [64, 1, 1 << 20];

/// The most generations per pass of the CPU engine, one board after the other.
const PASSES: [u32; 3] = [8, 1, 3];

/// The same for the GPU engine: with subgroups on one board of those that are computed in every way,
/// without them on the next.
const GPU_PASSES: [u32; 4] = [8, 4, 2, 1];

/// Bands into which the GPU engine cuts a board that is high enough.
const BANDS: [u32; 7] = [1, 2, 1, 3, 1, 5, 1];

/// Of this many boards one, and every sparse one, is computed in each of the ways of an engine; the
/// others in the one that shows every cell of every generation.
const EVERY_PATH: u64 = 4;

/// Suites in which a fault can be planted.
const PLANTED: [SuiteKind; 2] = [SuiteKind::Small, SuiteKind::Rezolution];

/// Threads that compare. They mostly wait for their device, so more than there are cores.
const WORKERS: usize = 4;

/// Options of `duolife conform`.
#[derive(Args)]
pub(in crate::cli) struct ConformArgs {
    #[command(flatten)]
    engine: EngineArgs,
    /// How many small random boards to compare
    #[arg(long, value_name = "N", default_value_t = 2000)]
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
    #[arg(long, value_name = "N", default_value_t = 1000)]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum FamilyArg {
    /// Two-colour Life-like rules
    Lifelike,
    /// Signed populations, barriers and targets
    Rezolution,
}

impl From<FamilyArg> for FamilyName {
    fn from(family: FamilyArg) -> Self {
        match family {
            FamilyArg::Lifelike => Self::Lifelike,
            FamilyArg::Rezolution => Self::Rezolution,
        }
    }
}

/// An engine to be compared.
enum Subject {
    Cpu,
    /// Kernels of one form on two devices: one for kernels with subgroups and one for those without. A software
    /// adapter compiles on one core per device.
    Gpu([Arc<Kernels>; 2], Form),
}

impl Subject {
    fn name(&self) -> &'static str {
        match self {
            Self::Cpu => "cpu",
            Self::Gpu(_, Form::General) => "gpu",
            Self::Gpu(_, Form::Folded) => "gpu folded",
        }
    }

    fn adapter(&self) -> Option<&str> {
        match self {
            Self::Cpu => None,
            Self::Gpu(kernels, _) => Some(kernels[0].gpu().name()),
        }
    }

    /// Whether there are boards of a family for this engine.
    fn takes_family(&self, family: FamilyName) -> bool {
        match (self, family) {
            (Self::Cpu | Self::Gpu(_, Form::General), _) => true,
            (Self::Gpu(_, Form::Folded), FamilyName::Lifelike) => true,
            (Self::Gpu(_, Form::Folded), FamilyName::Rezolution) => false,
        }
    }

    fn takes<R: TestFamily>(&self, ruleset: R) -> bool {
        match self {
            Self::Cpu | Self::Gpu(_, Form::General) => true,
            Self::Gpu(_, Form::Folded) => ruleset.is_folded(),
        }
    }

    fn engine<R: Family>(
        &self,
        case: &Case<R>,
        kind: SuiteKind,
        index: u64,
    ) -> Result<Box<dyn Engine<R::Board>>, EngineError> {
        Ok(match self {
            Self::Cpu => {
                let ways = PASSES.len() as u64;
                let pass = PASSES[(index % ways) as usize];
                let engine = CpuEngine::new(case.ruleset).with_pass(pass);
                // Idle blocks are skipped only where nothing has been poisoned.
                Box::new(match index / ways % 2 {
                    0 => engine,
                    _ => engine.poisoned(),
                })
            }
            Self::Gpu(kernels, form) => {
                let rows = STRIP_ROWS[(index % STRIP_ROWS.len() as u64) as usize];
                let piece = PIECES[(index / EVERY_PATH % PIECES.len() as u64) as usize];
                // All sparse boards are compared on every path, of the others one of `EVERY_PATH`.
                let (number, passes) = match kind {
                    SuiteKind::Sparse => (index, &GPU_PASSES[..3]),
                    _ => (index / EVERY_PATH, &GPU_PASSES[..]),
                };
                let pass = passes[(number / 2 % passes.len() as u64) as usize];
                let is_portable = number % 2 == 1;
                let kernels = &kernels[usize::from(is_portable)];
                let mut engine = GpuEngine::new(kernels, case.ruleset)?
                    .with_form(*form)?
                    .with_strip_rows(rows)
                    .with_piece(piece)
                    .with_pass(pass)
                    .within_workgroup(number % 3 == 2)
                    .with_tile_threads(32 >> (number % 5));
                if is_portable {
                    engine = engine.portable();
                }
                let bands = BANDS[(number % BANDS.len() as u64) as usize];
                if bands > 1 {
                    let rows = case.board.size().height().div_ceil(bands);
                    engine = engine.with_band_rows(rows);
                }
                // Idle blocks are skipped only where nothing has been poisoned.
                let ways = if kind == SuiteKind::Sparse { 1 } else { 3 };
                Box::new(match number / 3 % ways {
                    0 => engine.by_blocks(),
                    1 => engine.by_blocks().poisoned(),
                    _ => engine.poisoned(),
                })
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
    /// Time in which an engine computed and was compared, over all workers.
    seconds: f64,
    difference: Option<LocatedDifference>,
}

/// A difference; of several, that of the first board.
#[derive(PartialEq, Eq, PartialOrd, Ord, Serialize)]
struct LocatedDifference {
    board: u64,
    /// Where and what.
    report: String,
}

impl Row {
    fn new(kind: SuiteKind, subject: &Subject) -> Self {
        Self {
            suite: kind.to_string(),
            engine: subject.name(),
            adapter: subject.adapter().map(str::to_owned),
            boards: 0,
            generations: 0,
            cells: 0,
            seconds: 0.0,
            difference: None,
        }
    }

    /// Adds what another worker found. The first difference of all counts.
    fn add(&mut self, other: Self) {
        self.boards += other.boards;
        self.generations += other.generations;
        self.cells += other.cells;
        self.seconds += other.seconds;
        self.difference = [self.difference.take(), other.difference]
            .into_iter()
            .flatten()
            .min();
    }
}

/// What `--json` prints.
#[derive(Serialize)]
struct Report<'a> {
    equal: bool,
    seconds: f64,
    suites: &'a [Row],
}

pub(in crate::cli) fn run(args: &ConformArgs) -> Result<Status> {
    let started = Instant::now();
    let subjects = subjects(args)?;
    let suites = [
        (SuiteKind::Small, args.boards),
        (SuiteKind::Long, args.long_boards),
        (SuiteKind::Sparse, args.sparse_boards),
        (SuiteKind::Neighbourhoods, args.rules),
        (SuiteKind::Rezolution, args.populations),
        (SuiteKind::LongPopulations, args.long_populations),
        (SuiteKind::Sums, args.sums),
    ];
    let is_requested = |kind: SuiteKind| {
        let family = args.family.map(FamilyName::from);
        family.is_none_or(|family| family == kind.family())
    };
    let mut rows = Vec::new();
    for (kind, count) in suites.into_iter().filter(|(kind, _)| is_requested(*kind)) {
        let compared = match kind.family() {
            FamilyName::Lifelike => compare::<LifelikeRuleset>(args, &subjects, kind, count)?,
            FamilyName::Rezolution => compare::<RezolutionRuleset>(args, &subjects, kind, count)?,
        };
        let differs = compared.iter().any(|row| row.difference.is_some());
        rows.extend(compared);
        if differs {
            break;
        }
    }
    report(args, &rows, started.elapsed())?;
    let differs = rows.iter().any(|row| row.difference.is_some());
    Ok(if differs {
        Status::CheckFailed
    } else {
        Status::Done
    })
}

/// The requested engines; `auto` stands for all that this machine has.
fn subjects(args: &ConformArgs) -> Result<Vec<Subject>> {
    let selector = args.engine.unchecked_selector();
    let gpu = || -> Result<[Subject; 2], EngineError> {
        let kernels = || Kernels::new(&selector.open_any_adapter()?).map(Arc::new);
        let kernels = [kernels()?, kernels()?];
        Ok([Form::General, Form::Folded].map(|form| Subject::Gpu(kernels.clone(), form)))
    };
    Ok(match args.engine.engine {
        EngineKind::Reference => bail!(
            "the reference is what the others are compared with; use --engine cpu, gpu or auto"
        ),
        EngineKind::Cpu => vec![Subject::Cpu],
        EngineKind::Gpu => gpu()?.into(),
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
    let subjects = subjects.iter();
    let subjects: Vec<&Subject> = subjects
        .filter(|subject| subject.takes_family(R::FAMILY))
        .collect();
    let shared = Shared {
        subjects: &subjects,
        progress: &progress,
        cases: Mutex::new((0..count, Drawer::new(args.seed))),
        first_difference: AtomicU64::new(u64::MAX),
    };
    let parts: Vec<Result<Vec<Row>>> = thread::scope(|scope| {
        let shared = &shared;
        let work = || scope.spawn(move || compare_share::<R>(args, kind, shared));
        let workers: Vec<_> = (0..WORKERS).map(|_| work()).collect();
        let ended = workers.into_iter().map(thread::ScopedJoinHandle::join);
        ended
            .map(|part| part.unwrap_or_else(|_| Err(anyhow!("a worker of the comparison died"))))
            .collect()
    });
    progress.finish_and_clear();
    let mut total: Vec<Row> = subjects
        .iter()
        .map(|subject| Row::new(kind, subject))
        .collect();
    for part in parts {
        for (total, row) in total.iter_mut().zip(part?) {
            total.add(row);
        }
    }
    Ok(total)
}

/// What the workers on one suite share.
struct Shared<'a> {
    subjects: &'a [&'a Subject],
    progress: &'a ProgressBar,
    /// The numbers of the cases that are left, and the drawer that draws them in this order.
    cases: Mutex<(Range<u64>, Drawer)>,
    /// The first case in which any engine differs; later ones need not be compared.
    first_difference: AtomicU64,
}

impl Shared<'_> {
    /// The next case and its number.
    fn next<R: TestFamily>(&self, kind: SuiteKind) -> Result<Option<(u64, Case<R>)>> {
        let mut cases = self.cases.lock().unwrap_or_else(PoisonError::into_inner);
        let (left, drawer) = &mut *cases;
        let Some(index) = left.next() else {
            return Ok(None);
        };
        Ok(Some((index, drawer.draw::<R>(kind, index)?)))
    }
}

/// Compares the cases of one worker.
fn compare_share<R: Family + TestFamily>(
    args: &ConformArgs,
    kind: SuiteKind,
    shared: &Shared<'_>,
) -> Result<Vec<Row>> {
    let subjects = shared.subjects.iter();
    let mut rows: Vec<Row> = subjects.map(|subject| Row::new(kind, subject)).collect();
    while let Some((index, case)) = shared.next::<R>(kind)? {
        if shared.first_difference.load(Ordering::Relaxed) < index {
            break;
        }
        let expected = expected(&case).context("the reference failed")?;
        for (subject, row) in shared.subjects.iter().zip(&mut rows) {
            if !subject.takes(case.ruleset) {
                continue;
            }
            let started = Instant::now();
            let found = compare_one(args, subject, kind, index, &case, &expected)?;
            row.boards += 1;
            row.generations += case.generations;
            row.cells += case.generations * case.board.size().cells();
            row.seconds += started.elapsed().as_secs_f64();
            if let Some(found) = found {
                shared.first_difference.fetch_min(index, Ordering::Relaxed);
                let engine = row.engine;
                row.difference = Some(LocatedDifference {
                    board: index,
                    report: format!("{kind}, board {index}, engine {engine}: {found}"),
                });
            }
        }
        shared.progress.inc(1);
        if rows.iter().any(|row| row.difference.is_some()) {
            break;
        }
    }
    Ok(rows)
}

fn compare_one<R: Family>(
    args: &ConformArgs,
    subject: &Subject,
    kind: SuiteKind,
    index: u64,
    case: &Case<R>,
    expected: &[R::Board],
) -> Result<Option<Divergence<R>>, EngineError> {
    let mut engine = subject.engine(case, kind, index)?;
    let depth = if index.is_multiple_of(EVERY_PATH) || kind == SuiteKind::Sparse {
        Depth::EveryPath
    } else {
        Depth::EveryGeneration
    };
    match args.plant_fault {
        Some((board, fault)) if PLANTED.contains(&kind) && board == index => check(
            &mut Faulty::new(engine.as_mut(), fault),
            case,
            expected,
            depth,
        ),
        _ => check(engine.as_mut(), case, expected, depth),
    }
}

fn report(args: &ConformArgs, rows: &[Row], took: Duration) -> Result<()> {
    let mut out = io::stdout().lock();
    if args.json {
        let report = Report {
            equal: rows.iter().all(|row| row.difference.is_none()),
            seconds: took.as_secs_f64(),
            suites: rows,
        };
        writeln!(out, "{}", serde_json::to_string(&report)?)?;
        return Ok(());
    }
    if !args.quiet {
        writeln!(
            out,
            "{:<24} {:<10} {:>7} {:>12} {:>14} {:>9}  result",
            "suite", "engine", "boards", "generations", "cells", "time"
        )?;
        for row in rows {
            writeln!(
                out,
                "{:<24} {:<10} {:>7} {:>12} {:>14} {:>7.1} s  {}",
                row.suite,
                row.engine,
                row.boards,
                row.generations,
                row.cells,
                row.seconds,
                if row.difference.is_some() {
                    "DIFFERENT"
                } else {
                    "equal"
                }
            )?;
        }
        if let Some(adapter) = rows.iter().find_map(|row| row.adapter.as_ref()) {
            writeln!(out, "gpu: {adapter}")?;
        }
        writeln!(out, "{:.1} s", took.as_secs_f64())?;
    }
    let differences = rows.iter().filter_map(|row| row.difference.as_ref());
    if let Some(LocatedDifference { report, .. }) = differences.min() {
        writeln!(out, "{report}")?;
    }
    Ok(())
}
