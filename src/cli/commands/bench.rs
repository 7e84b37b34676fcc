//! `duolife bench`: how fast the engines of this machine are.
//!
//! Every workload is a random board that is stepped for a while before anything is measured. A
//! measurement is cut into samples, and the median of their speeds is reported: other work on the
//! machine disturbs single samples.

use glam::uvec2;
use std::io::{self, Write};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Result;
use clap::{Args, ValueEnum, value_parser};
use serde::Serialize;

use crate::board::hash::pcg4d;
use crate::board::rezolution::RezolutionCell;
use crate::board::{Board, Edges, LifelikeBoard, RezolutionBoard, Size, start};
use crate::cli::options::{EngineArgs, EngineKind};
use crate::cli::output::standard_output;
use crate::cli::{Status, engines, interrupt, print_note, tuning};
use crate::engine::cpu::{self, CpuEngine};
use crate::engine::gpu::program::Form;
use crate::engine::gpu::{GpuEngine, Kernels};
use crate::engine::reference::ReferenceEngine;
use crate::engine::roofline::Roofline;
use crate::engine::{Engine, EngineError, Family};
use crate::rules::{LifelikeRuleset, RezolutionRuleset, Rule, Ties};
use crate::store::proofs;

/// Samples of a measurement.
const SAMPLES: u32 = 5;

/// The reference computes no larger boards here; its time per cell does not depend on the size.
const REFERENCE_SIDE: u32 = 512;

/// Density and seed of the first boards.
const SOUP: (f64, u64) = (0.35, 1);

const AFTER_HELP: &str = "\
The last two columns are shares of what the processor or the device could do at best, which is measured first. memory:
passes of as many generations that do nothing but copy; boards that a cache holds may go beyond it. logic: the logic
functions of three words that a generation takes, 18 for 32 cells of B3/S23, 36 of other rules, one after the other.";

/// Options of `duolife bench`.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(in crate::cli) struct BenchArgs {
    #[command(flatten)]
    engine: EngineArgs,
    /// Only this workload; can be given several times
    #[arg(long, value_enum, value_name = "WORKLOAD")]
    only: Vec<Workload>,
    /// Seconds to measure each workload on each engine
    #[arg(long, value_name = "S", default_value_t = 1.0, value_parser = parse_seconds)]
    seconds: f64,
    /// The most generations per pass of the GPU
    #[arg(long, hide = true, value_name = "N", value_parser = value_parser!(u32).range(1..))]
    pass: Option<u32>,
    /// The most threads of a subgroup of the GPU that share a tile of a pass
    #[arg(long, hide = true, value_name = "N", value_parser = value_parser!(u32).range(1..))]
    tile_threads: Option<u32>,
    /// Leave subgroups of the GPU unused
    #[arg(long, hide = true)]
    portable: bool,
    /// Report as one JSON object
    #[arg(long)]
    json: bool,
    /// No notes
    #[arg(long)]
    quiet: bool,
}

fn parse_seconds(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(seconds) if (0.01..=3600.0).contains(&seconds) => Ok(seconds),
        _ => Err("a number of seconds from 0.01 to 3600".into()),
    }
}

/// What is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
enum Workload {
    /// B3/S23, 256x256 cells
    Small,
    /// B3/S23, a soup of 4096x4096 cells
    Dense,
    /// The same, with a referee
    Refereed,
    /// B36/S23 with seeded ties, 4096x4096 cells
    Ties,
    /// B3/S23, 2048x2048 cells after 10,000 generations
    Settled,
    /// B3/S23, 16384x16384 cells
    Huge,
    /// reZolution, 1024x1024 cells full of fighting populations
    Rezolution,
}

impl Workload {
    /// Whether every cell is computed by the circuits whose cost is known. A referee makes other passes,
    /// and populations take no such functions.
    const fn is_bounded(self) -> bool {
        matches!(self, Self::Small | Self::Dense | Self::Ties | Self::Huge)
    }

    const fn side(self) -> u32 {
        match self {
            Self::Small => 256,
            Self::Dense | Self::Refereed | Self::Ties => 4096,
            Self::Settled => 2048,
            Self::Huge => 16_384,
            Self::Rezolution => 1024,
        }
    }

    fn ruleset(self) -> Result<LifelikeRuleset> {
        Ok(LifelikeRuleset {
            rule: match self {
                Self::Ties => crate::rules::notation::parse("B36/S23")?,
                Self::Small
                | Self::Dense
                | Self::Refereed
                | Self::Settled
                | Self::Huge
                | Self::Rezolution => Rule::LIFE,
            },
            edges: Edges::Torus,
            ties: Ties::Seeded(SOUP.1),
        })
    }

    /// Computes generations; tells how long it took and how many they were, since a referee may end
    /// a battle.
    fn step<B: Board>(
        self,
        engine: &mut dyn Engine<B>,
        generations: u64,
    ) -> Result<(Duration, u64), EngineError> {
        let started = Instant::now();
        if self == Self::Refereed {
            let mut stats = Vec::new();
            engine.step_with_stats(generations, &mut stats)?;
            return Ok((started.elapsed(), stats.len() as u64));
        }
        engine.fast_forward(generations)?;
        Ok((started.elapsed(), generations))
    }

    /// The board before the first generation that is measured. Only the CPU engine is fast enough
    /// to let a board settle.
    fn board(self, side: u32) -> Result<LifelikeBoard> {
        let size = Size::new(side.into(), side.into())?;
        let soup = start::random(size, SOUP.0, SOUP.1)?;
        if self != Self::Settled {
            return Ok(soup);
        }
        let mut cpu = CpuEngine::new(self.ruleset()?);
        cpu.load(&soup)?;
        cpu.step(10_000)?;
        Ok(cpu.read()?)
    }
}

/// One line of the table.
#[derive(Serialize)]
struct Row {
    workload: Workload,
    engine: &'static str,
    width: u32,
    height: u32,
    generations: u64,
    seconds: f64,
    /// The median of the samples; `None` if the device does not take the board.
    cells_per_second: Option<f64>,
    /// How many times as fast as the reference.
    over_reference: Option<f64>,
    /// Generations per pass.
    pass: u64,
    /// The share of the speed that copying memory allows for such passes, of a board that no cache holds.
    of_memory: Option<f64>,
    /// The share of the speed that the logic functions allow which a generation takes.
    of_arithmetic: Option<f64>,
    /// How many times as long as plain stepping refereed stepping takes: the median over pairs of
    /// samples that follow each other.
    cost_of_refereeing: Option<f64>,
}

/// What `--json` prints.
#[derive(Serialize)]
struct Report<'a> {
    adapter: Option<&'a str>,
    cores: usize,
    bounds: Vec<Measured>,
    rows: &'a [Row],
}

/// What an engine's processor or device can do at best.
#[derive(Serialize)]
struct Measured {
    engine: &'static str,
    /// Copied, read and written ones counted.
    bytes_per_second: f64,
    /// Logic functions of three words of 32 bits.
    functions_per_second: f64,
}

/// An engine to be measured.
enum Subject {
    Reference,
    Cpu,
    Gpu(Arc<Kernels>, Passes),
}

/// The kernels that the GPU engine uses.
#[derive(Clone, Copy)]
struct Passes {
    most: Option<u32>,
    tile_threads: Option<u32>,
    portable: bool,
}

impl Subject {
    const fn name(&self) -> &'static str {
        match self {
            Self::Reference => "reference",
            Self::Cpu => "cpu",
            Self::Gpu(..) => "gpu",
        }
    }

    const fn kind(&self) -> EngineKind {
        match self {
            Self::Reference => EngineKind::Reference,
            Self::Cpu => EngineKind::Cpu,
            Self::Gpu(..) => EngineKind::Gpu,
        }
    }

    /// What bounds its speed, measured. The reference is never compared with its bound.
    fn roofline(&self) -> Result<Option<Roofline>, EngineError> {
        Ok(match self {
            Self::Reference => None,
            Self::Cpu => Some(cpu::roofline()),
            Self::Gpu(kernels, _) => Some(kernels.roofline()?),
        })
    }

    fn engine<R: Family>(&self, ruleset: R) -> Result<Box<dyn Engine<R::Board>>, EngineError> {
        Ok(match self {
            Self::Reference => Box::new(ReferenceEngine::new(ruleset)),
            Self::Cpu => Box::new(CpuEngine::new(ruleset)),
            Self::Gpu(kernels, passes) => {
                let mut engine = GpuEngine::new(kernels, ruleset)?.with_form(Form::Folded)?;
                if let Some(most) = passes.most {
                    engine = engine.with_pass(most);
                }
                if let Some(threads) = passes.tile_threads {
                    engine = engine.with_tile_threads(threads);
                }
                if passes.portable {
                    engine = engine.portable();
                }
                Box::new(engine)
            }
        })
    }
}

pub(in crate::cli) fn run(args: &BenchArgs) -> Result<Status> {
    let subjects = subjects(args)?;
    let adapter = subjects.iter().find_map(|subject| match subject {
        Subject::Gpu(kernels, _) => Some(kernels.gpu().name().to_owned()),
        Subject::Cpu | Subject::Reference => None,
    });
    interrupt::listen();
    let bounds: Vec<_> = subjects
        .iter()
        .map(Subject::roofline)
        .collect::<Result<_, _>>()?;
    let mut out = standard_output();
    if !args.json {
        writeln!(
            out,
            "{:<10} {:<9} {:>13} {:>12} {:>8} {:>9} {:>11} {:>7} {:>8}",
            "workload",
            "engine",
            "board",
            "generations",
            "time",
            "cells/s",
            "x reference",
            "memory",
            "logic"
        )?;
    }
    let mut rows: Vec<Row> = Vec::new();
    let mut interrupted = false;
    for &workload in Workload::value_variants() {
        if !args.only.is_empty() && !args.only.contains(&workload) {
            continue;
        }
        let mut reference = None;
        for (subject, bounds) in subjects.iter().zip(&bounds) {
            if interrupt::is_requested() {
                interrupted = true;
                break;
            }
            let mut row = measure(workload, subject, args.seconds)?;
            if row.cells_per_second.is_none() && interrupt::is_requested() {
                // Not for want of room.
                interrupted = true;
                break;
            }
            if let Subject::Reference = subject {
                reference = row.cells_per_second;
            }
            row.over_reference = reference
                .zip(row.cells_per_second)
                .map(|(reference, speed)| speed / reference);
            if let (Some(bounds), Some(speed)) = (bounds, row.cells_per_second)
                && workload.is_bounded()
            {
                row.of_memory = Some(speed / bounds.memory(row.pass));
                row.of_arithmetic = Some(speed / bounds.arithmetic(workload.ruleset()?));
            }
            if !args.json {
                print_row(&mut out, &row)?;
            }
            rows.push(row);
        }
    }
    let report = Report {
        adapter: adapter.as_deref(),
        cores: rayon::current_num_threads(),
        bounds: subjects
            .iter()
            .zip(bounds)
            .filter_map(|(subject, bounds)| {
                let bounds = bounds?;
                Some(Measured {
                    engine: subject.name(),
                    bytes_per_second: bounds.bytes_per_second,
                    functions_per_second: bounds.functions_per_second,
                })
            })
            .collect(),
        rows: &rows,
    };
    if args.json {
        writeln!(out, "{}", serde_json::to_string(&report)?)?;
    } else {
        write!(out, "cpu: {} threads", report.cores)?;
        match report.adapter {
            Some(adapter) => writeln!(out, "; gpu: {adapter}")?,
            None => writeln!(out)?,
        }
        for bounds in &report.bounds {
            writeln!(
                out,
                "{}: copies {:.2e} bytes per second, computes {:.2e} functions of three words per second",
                bounds.engine, bounds.bytes_per_second, bounds.functions_per_second
            )?;
        }
        for row in &rows {
            if let Some(cost) = row.cost_of_refereeing {
                writeln!(
                    out,
                    "{}: refereed stepping takes {cost:.2} times as long as plain stepping",
                    row.engine
                )?;
            }
        }
    }
    out.flush()?;
    Ok(interrupt::status(interrupted))
}

/// The requested engines, the reference always first; `auto` stands for all that this machine has.
fn subjects(args: &BenchArgs) -> Result<Vec<Subject>> {
    let selector = args.engine.selector()?;
    let gpu = || -> Result<Subject, EngineError> {
        let kernels = Kernels::new(&selector.open_any_adapter()?)?;
        proofs::require(&kernels);
        if let Some(why) = tuning::recall(&kernels)
            && !args.quiet
        {
            print_note(&why);
        }
        let passes = Passes {
            most: args.pass,
            tile_threads: args.tile_threads,
            portable: args.portable,
        };
        Ok(Subject::Gpu(Arc::new(kernels), passes))
    };
    let kind = args.engine.engine;
    let mut subjects = vec![Subject::Reference];
    match kind {
        EngineKind::Reference => {}
        EngineKind::Cpu => subjects.push(Subject::Cpu),
        EngineKind::Gpu => subjects.push(gpu()?),
        EngineKind::Auto => {
            subjects.push(Subject::Cpu);
            match gpu() {
                Ok(gpu) => subjects.push(gpu),
                Err(EngineError::NoAdapter) if selector.adapter.is_none() => {
                    if !args.quiet {
                        print_note("gpu left out: no adapter found");
                    }
                }
                Err(error) => return Err(error.into()),
            }
        }
    }
    Ok(subjects)
}

/// Populations of up to 4 on both sides, everywhere. They fight without end.
fn fighting_populations(size: Size) -> Result<RezolutionBoard> {
    let mut board = RezolutionBoard::new(size)?;
    for y in 0..size.height() {
        for x in 0..size.width() {
            let [draw, ..] = pcg4d([x, y, SOUP.1 as u32, 0]);
            board.set(uvec2(x, y), RezolutionCell::open((draw % 9) as i8 - 4));
        }
    }
    Ok(board)
}

/// Runs a workload on an engine for about this many seconds.
fn measure(workload: Workload, subject: &Subject, seconds: f64) -> Result<Row> {
    match workload {
        Workload::Rezolution => {
            let ruleset = RezolutionRuleset {
                edges: Edges::Torus,
            };
            measure_board(workload, subject, seconds, ruleset, fighting_populations)
        }
        Workload::Small
        | Workload::Dense
        | Workload::Refereed
        | Workload::Ties
        | Workload::Settled
        | Workload::Huge => {
            let first = |size: Size| workload.board(size.width());
            measure_board(workload, subject, seconds, workload.ruleset()?, first)
        }
    }
}

fn measure_board<R: Family>(
    workload: Workload,
    subject: &Subject,
    seconds: f64,
    ruleset: R,
    first: impl FnOnce(Size) -> Result<R::Board>,
) -> Result<Row> {
    let side = match subject {
        Subject::Reference => workload.side().min(REFERENCE_SIDE),
        Subject::Cpu | Subject::Gpu(..) => workload.side(),
    };
    let size = Size::new(side.into(), side.into())?;
    let mut row = Row {
        workload,
        engine: subject.name(),
        width: size.width(),
        height: size.height(),
        generations: 0,
        seconds: 0.0,
        cells_per_second: None,
        over_reference: None,
        pass: 1,
        of_memory: None,
        of_arithmetic: None,
        cost_of_refereeing: None,
    };
    engines::require_for::<R::Board>(subject.kind(), size)?;
    let mut engine = subject.engine(ruleset)?;
    match engine.load(&first(size)?) {
        Err(EngineError::TooLarge { .. } | EngineError::NoMemory { .. }) => return Ok(row),
        loaded => loaded?,
    }
    // Warms caches and pipelines up, and finds how many generations a sample is.
    let sample_time = Duration::from_secs_f64(seconds / f64::from(SAMPLES));
    let mut generations = 1;
    workload.step(engine.as_mut(), 1)?;
    let mut is_warm = false;
    loop {
        let (took, computed) = workload.step(engine.as_mut(), generations)?;
        // A battle that is over would never take long enough.
        if computed < generations || interrupt::is_requested() {
            break;
        }
        if took < sample_time / 2 {
            generations *= 2;
            is_warm = false;
        } else if is_warm {
            break;
        } else {
            // The first time may be that in which a pipeline was made.
            is_warm = true;
        }
    }
    let mut speeds = Vec::new();
    let mut costs = Vec::new();
    while (speeds.len() as u32) < SAMPLES && !interrupt::is_requested() {
        let plain = match workload {
            Workload::Refereed => Some(Workload::Dense.step(engine.as_mut(), generations)?),
            _ => None,
        };
        let (took, computed) = workload.step(engine.as_mut(), generations)?;
        row.generations += computed;
        row.seconds += took.as_secs_f64();
        let speed = |(took, computed): (Duration, u64)| {
            size.cells() as f64 * computed as f64 / took.as_secs_f64()
        };
        speeds.push(speed((took, computed)));
        costs.extend(plain.map(|plain| speed(plain) / speed((took, computed))));
    }
    row.pass = engine.batching().generations_per_pass;
    row.cells_per_second = median(speeds);
    row.cost_of_refereeing = median(costs);
    Ok(row)
}

fn median(mut samples: Vec<f64>) -> Option<f64> {
    samples.sort_by(f64::total_cmp);
    samples.get(samples.len() / 2).copied()
}

fn print_row(out: &mut impl Write, row: &Row) -> io::Result<()> {
    let board = format!("{}x{}", row.width, row.height);
    let workload = row
        .workload
        .to_possible_value()
        .map(|value| value.get_name().to_owned())
        .unwrap_or_default();
    write!(out, "{workload:<10} {:<9} {board:>13} ", row.engine)?;
    match (row.cells_per_second, row.over_reference) {
        (Some(speed), ratio) => {
            write!(
                out,
                "{:>12} {:>6.2} s {speed:>9.2e}",
                row.generations, row.seconds
            )?;
            match ratio {
                Some(ratio) => write!(out, " {ratio:>11.1}")?,
                None => write!(out, " {:>11}", "")?,
            }
            match (row.of_memory, row.of_arithmetic) {
                (Some(memory), Some(logic)) => {
                    writeln!(out, " {:>5.0} % {:>6.0} %", 100.0 * memory, 100.0 * logic)
                }
                _ => writeln!(out),
            }
        }
        (None, _) => writeln!(out, "not measured: the board does not fit on the device"),
    }
}
