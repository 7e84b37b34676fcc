//! `duolife run`: a board, some generations, and what became of it.

use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use tempfile::SpooledTempFile;

use super::film::{FilmArgs, Films};
use super::input::InputArgs;
use super::options::{EngineArgs, OutputFormat, PictureArgs, parse_output_format};
use super::{Status, engines, interrupt, remark};
use crate::board::{Board, Census};
use crate::engine::Engine;
use crate::format::{self, Document};
use crate::game::referee::{Growth, Outcome, Reason, Referee, Verdict};
use crate::render::{Palette, Picture, write_png};

/// A part of a run should take about this long, so that Ctrl-C and the progress bar feel alive.
const PART_TIME: Duration = Duration::from_millis(100);

/// Bytes of counts that are held in memory before they go to a temporary file.
const CENSUS_MEMORY: usize = 1 << 20;

/// Options of `duolife run`.
#[derive(Args)]
pub(super) struct RunArgs {
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
    /// period 1 or 2, or the limit is reached
    #[arg(long)]
    until_end: bool,
    /// With --until-end: after so many generations more cells win
    #[arg(long, value_name = "N", default_value_t = 10_000, requires = "until_end", value_parser = clap::value_parser!(u64).range(1..))]
    limit: u64,
    #[command(flatten)]
    engine: EngineArgs,
    /// Write the last board to this file (.txt, .rle, .cells, .lif or .png), - for standard output
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Format of the output, if its name does not tell
    #[arg(long, value_name = "FORMAT", value_parser = parse_output_format, requires = "output")]
    to: Option<OutputFormat>,
    /// Write generation,red,blue of every generation to this file
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
    /// Only what was asked for: no remarks, no progress, no report but JSON
    #[arg(long)]
    quiet: bool,
}

/// What a run is told and what became of it; the fields of `--json`.
#[derive(Serialize)]
struct Report {
    engine: &'static str,
    adapter: Option<String>,
    rule: String,
    edges: String,
    ties: String,
    width: u32,
    height: u32,
    seed: u64,
    /// Of the last board; starts with the file's generation.
    generation: u64,
    red: u64,
    blue: u64,
    outcome: Outcome,
    /// What ended the battle, with `--until-end`.
    reason: Option<Reason>,
    /// The period of the last board, 1 or 2, if that is known to repeat.
    period: Option<u8>,
    /// Cells won or lost since the first board, and who wins by that, with `--until-end`.
    growth: Option<GrowthReport>,
    digest: Option<String>,
    /// Time spent computing generations.
    seconds: f64,
    cells_per_second: f64,
    frames: u64,
    /// Whether Ctrl-C ended the run before its last generation.
    interrupted: bool,
}

/// Another way to score the same battle.
#[derive(Serialize)]
struct GrowthReport {
    red: i64,
    blue: i64,
    /// A colour that shrank counts as one that stayed.
    clamped: Outcome,
    /// Less loss beats more loss.
    signed: Outcome,
}

impl From<Growth> for GrowthReport {
    fn from(growth: Growth) -> Self {
        Self {
            red: growth.red,
            blue: growth.blue,
            clamped: growth.clamped(),
            signed: growth.signed(),
        }
    }
}

pub(super) fn run(args: &RunArgs) -> Result<Status> {
    let output = match &args.output {
        Some(path) => Some((path.as_path(), OutputFormat::choose(args.to, path)?)),
        None => None,
    };
    let taken = takes_standard_output(args)?;
    let plan = args.input.plan(args.engine.engine, args.quiet)?;
    let (size, ruleset, first) = (plan.size, plan.ruleset, plan.generation);
    if matches!(output, Some((_, OutputFormat::Png))) {
        // A picture that cannot be made is known before the run, not after it.
        args.picture.size().pixels(size)?;
    }
    for path in [&args.output, &args.census].into_iter().flatten() {
        // Nor should a long run end at a folder that is not there.
        format::check_place(path)?;
    }
    let total = if args.until_end {
        args.limit
    } else {
        args.generations
    };
    let films = args.film.begin(size, total, &args.picture)?;
    let chosen = engines::choose(&args.engine, ruleset, size)?;
    interrupt::watch()?;
    if !args.quiet {
        remark(&chosen.remark);
    }

    let mut run = Run {
        engine: chosen.engine,
        first,
        done: 0,
        total,
        referee: args.until_end.then(|| Referee::new(Some(args.limit))),
        verdict: None,
        seconds: Duration::ZERO,
        part: 1,
        films,
        counts: args.census.as_ref().map(|_| Counts::new()),
        progress: progress(total, args.quiet),
    };
    run.engine.load(&plan.board()?)?;
    let first_census = match args.until_end {
        true => Some(run.engine.census()?),
        false => None,
    };
    run.compute()?;
    run.progress.finish_and_clear();

    let census = run.engine.census()?;
    let board = match output.is_some() || args.digest {
        true => Some(run.engine.read()?),
        false => None,
    };
    let seconds = run.seconds.as_secs_f64();
    let computed = size.cells() as f64 * run.done as f64;
    let report = Report {
        engine: chosen.name,
        adapter: chosen.adapter,
        rule: ruleset.rule.to_string(),
        edges: ruleset.edges.to_string(),
        ties: ruleset.ties.to_string(),
        width: size.width(),
        height: size.height(),
        seed: args.input.seed,
        generation: run.generation(),
        red: census.red,
        blue: census.blue,
        outcome: match run.verdict {
            Some(verdict) => verdict.outcome,
            None => Outcome::of(census),
        },
        reason: run.verdict.map(|verdict| verdict.reason),
        period: run.verdict.and_then(|verdict| verdict.period),
        growth: first_census.map(|first| Growth::between(first, census).into()),
        digest: board.as_ref().filter(|_| args.digest).map(Board::digest),
        seconds,
        cells_per_second: if seconds > 0.0 {
            computed / seconds
        } else {
            0.0
        },
        frames: run.films.shot(),
        interrupted: run.done < total && run.verdict.is_none(),
    };
    // One file that cannot be written must not cost the others.
    let saved_counts = match (&args.census, run.counts.take()) {
        (Some(path), Some(counts)) => counts.save(path),
        _ => Ok(()),
    };
    let saved_board = match (output, &board) {
        (Some((path, format)), Some(board)) => {
            let document = Document {
                board,
                rule: Some(ruleset.rule),
                edges: Some(ruleset.edges),
                generation: report.generation,
            };
            save(&document, format, path, &args.picture)
        }
        _ => Ok(()),
    };
    let saved_films = run.films.finish();
    saved_counts.and(saved_board).and(saved_films)?;
    let ending = Ending {
        verdict: run.verdict,
        last: total.saturating_add(first),
    };
    print_report(&report, &ending, args, taken)?;
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
pub(super) fn save(
    document: &Document<'_>,
    format: OutputFormat,
    path: &Path,
    picture: &PictureArgs,
) -> Result<()> {
    match format {
        OutputFormat::Board(format) => format::save(document, format, path)?,
        OutputFormat::Png => {
            let picture = Picture::draw(document.board, picture.size(), Palette::DEFAULT)?;
            format::write(path, |out| {
                write_png(&picture, out).map_err(io::Error::from)
            })?;
        }
    }
    Ok(())
}

/// A run under way.
struct Run {
    engine: Box<dyn Engine>,
    /// The generation of the board that was loaded.
    first: u64,
    /// Generations computed.
    done: u64,
    /// Generations to compute, at most.
    total: u64,
    /// Who ends the run before that.
    referee: Option<Referee>,
    verdict: Option<Verdict>,
    /// Time spent computing them.
    seconds: Duration,
    /// Generations of the next part.
    part: u64,
    films: Films,
    counts: Option<Counts>,
    progress: ProgressBar,
}

impl Run {
    fn generation(&self) -> u64 {
        self.first.saturating_add(self.done)
    }

    /// Computes all generations, or fewer if the battle is over or the run interrupted.
    fn compute(&mut self) -> Result<()> {
        if let Some(counts) = &mut self.counts {
            counts.push(self.first, &[self.engine.census()?])?;
        }
        self.film()?;
        while self.done < self.total && self.verdict.is_none() && !interrupt::asked() {
            let left = self.total - self.done;
            let part = self.part.min(left).min(self.films.until_next(self.done));
            let mut counted = Vec::new();
            let started = Instant::now();
            let computed = match (self.referee, &self.counts) {
                (Some(referee), _) => self.step_refereed(referee, part, &mut counted)?,
                (None, Some(_)) => {
                    self.engine.step_counted(part, &mut counted)?;
                    part
                }
                (None, None) => {
                    self.engine.step(part)?;
                    part
                }
            };
            let took = started.elapsed();
            self.seconds += took;
            if let Some(counts) = &mut self.counts {
                counts.push(self.first.saturating_add(self.done + 1), &counted)?;
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

    /// Computes at most `part` generations, appends their counts, and notes the verdict if there is
    /// one. Returns how many were computed.
    fn step_refereed(
        &mut self,
        referee: Referee,
        part: u64,
        counted: &mut Vec<Census>,
    ) -> Result<u64> {
        let mut seen = Vec::new();
        self.engine.step_watched(part, &mut seen)?;
        counted.extend(seen.iter().map(|sighting| sighting.census));
        let judged = (self.done + 1..).zip(&seen);
        self.verdict = judged
            .filter_map(|(generation, &sighting)| referee.judge(generation, sighting))
            .next();
        Ok(seen.len() as u64)
    }

    /// Writes a frame if one is due.
    fn film(&mut self) -> Result<()> {
        if self.films.wants(self.done) {
            self.films.shoot(&self.engine.read()?)?;
        }
        Ok(())
    }
}

/// The counts of every generation, on their way to a file.
struct Counts {
    lines: SpooledTempFile,
}

impl Counts {
    fn new() -> Self {
        Self {
            lines: SpooledTempFile::new(CENSUS_MEMORY),
        }
    }

    /// Adds consecutive generations from `generation` on.
    fn push(&mut self, generation: u64, counts: &[Census]) -> Result<()> {
        let mut lines = String::new();
        for (generation, count) in (generation..).zip(counts) {
            lines += &format!("{generation},{},{}\n", count.red, count.blue);
        }
        let written = self.lines.write_all(lines.as_bytes());
        written.context("cannot keep the counts in the folder for temporary files")
    }

    fn save(mut self, path: &Path) -> Result<()> {
        self.lines.seek(SeekFrom::Start(0))?;
        format::write(path, |out| {
            out.write_all(b"generation,red,blue\n")?;
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

/// How a run ended, for people.
struct Ending {
    verdict: Option<Verdict>,
    /// The generation it was to reach.
    last: u64,
}

/// Reports on standard output, or on standard error if a file has taken that.
fn print_report(report: &Report, ending: &Ending, args: &RunArgs, taken: bool) -> Result<()> {
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
            red,
            blue,
            outcome,
            seconds,
            cells_per_second,
            ..
        } = report;
        writeln!(
            out,
            "{rule}, {edges}, {width}x{height}, generation {generation}: {red} red, {blue} blue ({outcome})"
        )?;
        if let (Some(verdict), Some(growth)) = (ending.verdict, &report.growth) {
            writeln!(
                out,
                "{verdict}; growth: {:+} red, {:+} blue",
                growth.red, growth.blue
            )?;
        }
        writeln!(out, "{seconds:.3} s, {cells_per_second:.3e} cells a second")?;
        if let Some(digest) = &report.digest {
            writeln!(out, "sha256 {digest}")?;
        }
        if report.interrupted {
            writeln!(out, "interrupted before generation {}", ending.last)?;
        }
    }
    out.flush()?;
    Ok(())
}
