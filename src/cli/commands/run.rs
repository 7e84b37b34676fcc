//! `duolife run`: a board, some generations, and what became of it.

use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use tempfile::SpooledTempFile;

use crate::board::{Board, Census};
use crate::cli::family::CliFamily;
use crate::cli::film::{FilmArgs, Films};
use crate::cli::input::{AnyPlan, InputArgs, Plan};
use crate::cli::options::{EngineArgs, OutputFormat, PictureArgs, parse_output_format};
use crate::cli::{Status, engines, interrupt, print_note};
use crate::engine::{CensusOf, Engine, GenerationStats};
use crate::format::{self, LifelikeDocument};
use crate::game::life_battle::DEFAULT_LIMIT;
use crate::game::referee::Outcome;
use crate::render::{Draw, write_png};

/// A part of a run should take about this long, so that Ctrl-C and the progress bar feel alive. The
/// first and the last generations of a part are computed in full; shorter parts of a board on which
/// little changes would be little else.
const PART_TIME: Duration = Duration::from_millis(500);

/// Bytes of counts that are held in memory before they go to a temporary file.
const CENSUS_MEMORY: usize = 1 << 20;

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

/// The settings and the outcome of a run: the fields of `--json`.
#[derive(Serialize)]
struct Report<F> {
    engine: &'static str,
    adapter: Option<String>,
    /// Generations of the longest pass over the board.
    generations_per_pass: u64,
    rule: String,
    edges: String,
    width: u32,
    height: u32,
    seed: u64,
    /// Of the last board; starts with the file's generation.
    generation: u64,
    red: u64,
    blue: u64,
    outcome: Outcome,
    /// The fields of the family.
    #[serde(flatten)]
    fields: F,
    digest: Option<String>,
    /// Time spent computing generations.
    seconds: f64,
    cells_per_second: f64,
    frames: u64,
    /// Whether Ctrl-C ended the run before its last generation.
    interrupted: bool,
}

pub(in crate::cli) fn run(args: &RunArgs) -> Result<Status> {
    let taken = takes_standard_output(args)?;
    match args.input.plan(args.engine.engine, args.quiet)? {
        AnyPlan::Lifelike(plan) => run_plan(args, plan, taken),
        AnyPlan::Rezolution(plan) => run_plan(args, plan, taken),
    }
}

fn run_plan<R: CliFamily>(args: &RunArgs, plan: Plan<R>, taken: bool) -> Result<Status> {
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
    let films = args.film.begin(size, total, &args.picture)?;
    let workload = engines::Workload {
        cells: u128::from(size.cells()) * u128::from(total),
        pass: args.pass,
    };
    let mut selected = engines::select_for(&args.engine, ruleset, size, workload)?;
    interrupt::listen()?;
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
        counts: args.census.as_ref().map(|_| Counted::new()),
        progress: progress(total, args.quiet),
    };
    drop(board);
    run.compute()?;
    run.progress.finish_and_clear();

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
    let saved_counts = match (&args.census, run.counts.take()) {
        (Some(path), Some(counts)) => counts.save(R::CENSUS_HEADER, path),
        _ => Ok(()),
    };
    let saved_board = match (output, &board) {
        (Some((path, format)), Some(board)) => {
            ruleset.save(board, report.generation, format, path, &args.picture)
        }
        _ => Ok(()),
    };
    let saved_films = run.films.finish();
    saved_counts.and(saved_board).and(saved_films)?;
    let last = LastLines {
        census: run.census.to_string(),
        status: summary.status,
        lines: summary.lines,
        generation: total.saturating_add(first),
    };
    print_report(&report, &last, args, taken)?;
    Ok(Status::Done)
}

/// Whether a file of the run goes to standard output, which then takes nothing else.
fn takes_standard_output(args: &RunArgs) -> Result<bool> {
    let files = [
        ("--output", &args.output),
        ("--census", &args.census),
        ("--y4m", &args.film.y4m),
    ];
    let mut takers: Vec<&str> = files
        .into_iter()
        .filter(|(_, path)| path.as_ref().is_some_and(|path| path.as_os_str() == "-"))
        .map(|(option, _)| option)
        .collect();
    let taken = !takers.is_empty();
    if args.json {
        takers.push("--json");
    }
    if taken && takers.len() > 1 {
        bail!(
            "{} cannot share standard output; give all but one a file",
            takers.join(" and ")
        );
    }
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
    format::write(path, |out| {
        write_png(&picture, out).map_err(io::Error::from)
    })?;
    Ok(())
}

/// Says whether a run ends with a generation, counted from its first board.
pub(in crate::cli) type Judge<C> = Box<dyn Fn(u64, GenerationStats<C>) -> bool>;

/// A run under way.
pub(in crate::cli) struct Run<R: CliFamily> {
    engine: Box<dyn Engine<R::Board>>,
    /// The generation of the board that was loaded.
    first: u64,
    /// Generations computed.
    pub(in crate::cli) done: u64,
    /// Generations to compute, at most.
    total: u64,
    /// What ends the run before that.
    judge: Option<Judge<CensusOf<R::Board>>>,
    /// Whether the judge has.
    over: bool,
    /// The statistics of the last generation, if they were computed.
    pub(in crate::cli) last_stats: Option<GenerationStats<CensusOf<R::Board>>>,
    /// The counts of the board that was loaded.
    pub(in crate::cli) first_census: CensusOf<R::Board>,
    /// The counts of the last board.
    pub(in crate::cli) census: CensusOf<R::Board>,
    /// Time spent computing generations.
    seconds: Duration,
    /// Generations of the next part.
    part: u64,
    films: Films,
    counts: Option<Counted>,
    progress: ProgressBar,
}

impl<R: CliFamily> Run<R> {
    fn generation(&self) -> u64 {
        self.first.saturating_add(self.done)
    }

    /// Computes all generations, or fewer if the battle is over or the run interrupted.
    fn compute(&mut self) -> Result<()> {
        if let Some(counts) = &mut self.counts {
            counts.push::<R>(self.first, &[self.first_census])?;
        }
        self.film()?;
        // A board that is settled before anything is computed is one that cannot go on.
        let start = GenerationStats {
            census: self.first_census,
            period: None,
        };
        self.over = R::LAST_NEEDS_STATS && self.judges(0, start);
        while self.done < self.total && !self.over && !interrupt::is_requested() {
            let left = self.total - self.done;
            self.part = self.part.max(self.engine.batching().worthwhile);
            let mut part = self.part.min(left).min(self.films.until_next(self.done));
            if R::LAST_NEEDS_STATS && part == left && part > 1 {
                part -= 1;
            }
            let needs_stats = self.judge.is_some() || R::LAST_NEEDS_STATS && left == 1;
            let mut counted = Vec::new();
            let started = Instant::now();
            let computed = if needs_stats {
                self.step_with_stats(part, &mut counted)?
            } else if self.counts.is_some() {
                self.engine.step_with_census(part, &mut counted)?;
                part
            } else if left - part >= 2 {
                // At least one more is computed before the last, which may need statistics.
                self.engine.fast_forward(part)?;
                part
            } else {
                self.engine.step(part)?;
                part
            };
            let took = started.elapsed();
            self.seconds += took;
            if let Some(counts) = &mut self.counts {
                counts.push::<R>(self.first.saturating_add(self.done + 1), &counted)?;
            }
            self.done += computed;
            self.progress.set_position(self.done);
            if took < PART_TIME / 2 && part == self.part {
                self.part = self.part.saturating_mul(2);
            } else if took > PART_TIME * 2 {
                self.part = (self.part / 2).max(1);
            }
            self.film()?;
        }
        Ok(())
    }

    /// Computes at most `part` generations, appends their counts, and notes whether it is over.
    /// Returns how many were computed.
    fn step_with_stats(&mut self, part: u64, counted: &mut Vec<CensusOf<R::Board>>) -> Result<u64> {
        let mut all = Vec::new();
        self.engine.step_with_stats(part, &mut all)?;
        counted.extend(all.iter().map(|stats| stats.census));
        let mut judged = (self.done + 1..).zip(&all);
        self.over = judged.any(|(generation, &stats)| self.judges(generation, stats));
        self.last_stats = all.last().copied();
        Ok(all.len() as u64)
    }

    /// Whether the judge ends the run with a generation.
    fn judges(&self, generation: u64, stats: GenerationStats<CensusOf<R::Board>>) -> bool {
        let judge = self.judge.as_ref();
        judge.is_some_and(|judge| judge(generation, stats))
    }

    /// Writes a frame if one is due.
    fn film(&mut self) -> Result<()> {
        if self.films.is_due(self.done) {
            self.films.shoot(&self.engine.read()?)?;
        }
        Ok(())
    }
}

/// The counts of every generation, on their way to a file.
struct Counted {
    lines: SpooledTempFile,
}

impl Counted {
    fn new() -> Self {
        Self {
            lines: SpooledTempFile::new(CENSUS_MEMORY),
        }
    }

    /// Adds consecutive generations from `generation` on.
    fn push<R: CliFamily>(&mut self, generation: u64, counts: &[CensusOf<R::Board>]) -> Result<()> {
        let mut lines = String::new();
        for (generation, &census) in (generation..).zip(counts) {
            lines += &R::census_line(generation, census);
        }
        let written = self.lines.write_all(lines.as_bytes());
        written.context("cannot keep the counts in the folder for temporary files")
    }

    fn save(mut self, header: &str, path: &Path) -> Result<()> {
        self.lines.seek(SeekFrom::Start(0))?;
        format::write(path, |out| {
            writeln!(out, "{header}")?;
            let mut lines = BufReader::new(&mut self.lines);
            let mut part = vec![0; 1 << 16];
            loop {
                match lines.read(&mut part)? {
                    0 => return Ok(()),
                    length => out.write_all(&part[..length])?,
                }
            }
        })?;
        Ok(())
    }
}

fn progress(total: u64, quiet: bool) -> ProgressBar {
    // Hidden by itself if standard error is no terminal.
    let bar = if quiet {
        ProgressBar::hidden()
    } else {
        ProgressBar::new(total)
    };
    let template = "{wide_bar} generation {pos} of {len}, {per_sec}, {eta} left";
    match ProgressStyle::with_template(template) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

/// What is printed of the end of a run.
struct LastLines {
    /// The last counts.
    census: String,
    /// The outcome in a few words.
    status: String,
    /// The outcome in more lines.
    lines: Vec<String>,
    /// The generation it was to reach.
    generation: u64,
}

/// Reports on standard output, or on standard error if a file has taken that.
fn print_report<F: Serialize>(
    report: &Report<F>,
    last: &LastLines,
    args: &RunArgs,
    taken: bool,
) -> Result<()> {
    let mut out: Box<dyn Write> = if taken {
        Box::new(io::stderr().lock())
    } else {
        Box::new(io::stdout().lock())
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
