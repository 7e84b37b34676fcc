//! `duolife run`: a board, some generations, and what became of it.

mod census_file;
mod compute;
mod report;

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Result, bail};
use clap::Args;

use self::census_file::CensusFile;
use self::compute::progress;
pub(in crate::cli) use self::compute::{Judge, Run};
use self::report::{LastLines, Report, print_report};
use crate::board::{Board, Census};
use crate::cli::family::CliFamily;
use crate::cli::film::FilmArgs;
use crate::cli::input::InputArgs;
use crate::cli::options::{EngineArgs, OutputFormat, PictureArgs, parse_output_format};
use crate::cli::output::{check_inputs, check_outputs, given, report_failures};
use crate::cli::tuning::Workload;
use crate::cli::{Status, engines, interrupt, print_note};
use crate::format::{self, Content, LifelikeDocument, is_standard_output};
use crate::game::life_battle::DEFAULT_LIMIT;
use crate::render::{Draw, write_png};
use crate::rules::of_family;

/// Options of `duolife run`.
#[derive(Args)]
pub(in crate::cli) struct RunArgs {
    #[command(flatten)]
    input: InputArgs,
    /// How many generations to compute
    #[arg(
        long,
        value_name = "N",
        default_value_t = 1000,
        conflicts_with = "until_end"
    )]
    generations: u64,
    /// Run to the end of the battle: until at most one colour is left, the board repeats with
    /// period 1 or 2, or the limit is reached. A target of rezolution ends every run
    #[arg(long)]
    until_end: bool,
    /// With --until-end: at this generation more cells win
    #[arg(long, value_name = "N", default_value_t = DEFAULT_LIMIT, requires = "until_end", value_parser = clap::value_parser!(u64).range(1..))]
    limit: u64,
    #[command(flatten)]
    engine: EngineArgs,
    /// Compute at most N generations per pass over the board, not as many as is fastest
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pass: Option<u32>,
    /// Write the last board to this file (.txt, .rle, .cells, .lif, .rez or .png), - for standard output
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Format of the output, if its name does not say
    #[arg(long, value_name = "FORMAT", value_parser = parse_output_format, requires = "output")]
    to: Option<OutputFormat>,
    /// Write generation,red,blue of every generation to this file (for rezolution also
    /// red_population,blue_population)
    #[arg(long, value_name = "FILE.csv")]
    census: Option<PathBuf>,
    #[command(flatten)]
    film: FilmArgs,
    #[command(flatten)]
    picture: PictureArgs,
    /// Report as one JSON object
    #[arg(long)]
    json: bool,
    /// Report the SHA-256 of the last board, too
    #[arg(long)]
    digest: bool,
    /// No notes, no progress, no report but JSON
    #[arg(long)]
    quiet: bool,
}

pub(in crate::cli) fn run(args: &RunArgs) -> Result<Status> {
    let taken = check_files(args)?;
    let start = args.input.start(args.quiet)?;
    of_family!(start.family, run_family(args, start.content, taken))
}

fn run_family<R: CliFamily>(
    args: &RunArgs,
    content: Option<(&Path, Content)>,
    taken: bool,
) -> Result<Status> {
    let plan = R::plan(&args.input, content, args.engine.engine, args.quiet)?;
    let output = match &args.output {
        Some(path) => {
            let format = OutputFormat::select_for(R::FAMILY, args.to, path)?;
            Some((path.as_path(), format))
        }
        None => None,
    };
    let (size, ruleset, first) = (plan.size, plan.ruleset, plan.generation);
    if matches!(output, Some((_, OutputFormat::Png))) {
        // A picture that cannot be made is known before the run, not after it.
        args.picture.size().pixels(size)?;
    }
    for path in [&args.output, &args.census].into_iter().flatten() {
        // Nor should a long run end at a folder that is not there.
        format::check_place(path)?;
    }
    let until_end = args.until_end.then_some(args.limit);
    let total = until_end.unwrap_or(args.generations);
    if first.checked_add(total).is_none() {
        bail!(
            "generation {first} of the file and {total} more are beyond 2^64; compute fewer, or begin at generation 0 by removing it from the file"
        );
    }
    let films = args.film.begin(size, total, &args.picture)?;
    let workload = Workload {
        cells: u128::from(size.cells()) * u128::from(total),
        pass: args.pass,
    };
    let mut selected = engines::select_for(&args.engine, ruleset, size, workload)?;
    interrupt::listen();
    if !args.quiet {
        print_note(&selected.note);
    }

    let board = plan.board()?;
    selected.engine.load(&board)?;
    let census = selected.engine.census()?;
    let mut run = Run {
        engine: selected.engine,
        first,
        done: 0,
        total,
        judge: R::judge(&board, until_end),
        over: false,
        last_stats: None,
        first_census: census,
        census,
        seconds: Duration::ZERO,
        part: 1,
        films,
        only_films: args.output.is_none()
            && args.census.is_none()
            && !args.json
            && (args.quiet || taken),
        counts: args.census.as_ref().map(|_| CensusFile::new()),
        progress: progress(total, args.quiet),
    };
    drop(board);
    let computed = run.compute();
    run.progress.finish_and_clear();
    if let Err(error) = computed {
        // What was finished is kept.
        let mut failures = run.films.finish();
        failures.extend(save_counts::<R>(args, run.counts).err());
        failures.push(error);
        return report_failures(failures).map(|()| Status::DeviceFailed);
    }
    if run.only_films && run.films.have_failed() {
        // Nobody wants the rest.
        return report_failures(run.films.finish()).map(|()| Status::Done);
    }

    run.census = run.engine.census()?;
    let board = match output.is_some() || args.digest {
        true => Some(run.engine.read()?),
        false => None,
    };
    let summary = ruleset.summarize(&run, until_end)?;
    let seconds = run.seconds.as_secs_f64();
    let computed = size.cells() as f64 * run.done as f64;
    let report = Report {
        engine: selected.name.name(),
        adapter: selected.adapter,
        generations_per_pass: run.engine.batching().generations_per_pass,
        rule: ruleset.rule_name(),
        edges: ruleset.edges().to_string(),
        width: size.width(),
        height: size.height(),
        seed: args.input.seed,
        generation: run.generation(),
        red: run.census.red(),
        blue: run.census.blue(),
        outcome: summary.outcome,
        fields: summary.fields,
        digest: board.as_ref().filter(|_| args.digest).map(Board::digest),
        seconds,
        cells_per_second: if seconds > 0.0 {
            computed / seconds
        } else {
            0.0
        },
        frames: run.films.shot(),
        interrupted: run.done < total && !run.over,
    };
    // One file that cannot be written must not cost the others.
    let saved_counts = save_counts::<R>(args, run.counts.take());
    let saved_board = match (output, &board) {
        (Some((path, format)), Some(board)) => {
            ruleset.save(board, report.generation, format, path, &args.picture)
        }
        _ => Ok(()),
    };
    let mut failures = run.films.finish();
    failures.extend(saved_counts.err());
    failures.extend(saved_board.err());
    let last = LastLines {
        census: run.census.to_string(),
        status: summary.status,
        lines: summary.lines,
        generation: total.saturating_add(first),
    };
    failures.extend(print_report(&report, &last, args, taken).err());
    report_failures(failures)?;
    Ok(interrupt::status(report.interrupted))
}

/// Writes the file of `--census`, if there is one.
fn save_counts<R: CliFamily>(args: &RunArgs, counts: Option<CensusFile>) -> Result<()> {
    match (&args.census, counts) {
        (Some(path), Some(counts)) => counts.save(R::CENSUS_HEADER, path),
        _ => Ok(()),
    }
}

/// Refuses files that would destroy each other. Returns whether one of them goes to standard output,
/// which then takes nothing else.
fn check_files(args: &RunArgs) -> Result<bool> {
    let board = given([("--output", &args.output)]);
    let mut others = given([("--census", &args.census)]);
    others.extend(args.film.outputs());
    let mut outputs = [board.clone(), others.clone()].concat();
    let taken = outputs.iter().any(|(_, path)| is_standard_output(path));
    if args.json {
        outputs.push(("--json", Path::new("-")));
    }
    check_outputs(&outputs)?;
    let inputs = args.input.files();
    check_inputs(&others, &inputs)?;
    // A board that goes on may replace itself, but not one of two that have met.
    let met: Vec<_> = inputs
        .into_iter()
        .filter(|(option, _)| *option != "FILE")
        .collect();
    check_inputs(&board, &met)?;
    Ok(taken)
}

/// Writes a board as a file of any kind.
pub(in crate::cli) fn save(
    document: &LifelikeDocument<'_>,
    format: OutputFormat,
    path: &Path,
    picture: &PictureArgs,
) -> Result<()> {
    match format {
        OutputFormat::Board(format) => format::save(document, format, path)?,
        OutputFormat::Png => save_picture(document.board, path, picture)?,
    }
    Ok(())
}

/// Writes a board as a picture.
pub(in crate::cli) fn save_picture(
    board: &impl Draw,
    path: &Path,
    picture: &PictureArgs,
) -> Result<()> {
    let picture = board.draw(picture.size())?;
    format::atomic_write(path, |out| {
        write_png(&picture, out).map_err(io::Error::from)
    })?;
    Ok(())
}
