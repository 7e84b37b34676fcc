//! `duolife tournament`: many small games, their results, and what they say about the seeds.

#[cfg(not(all(feature = "parquet", feature = "plot")))]
mod absent;
mod games;
mod list;
mod options;
#[cfg(feature = "parquet")]
mod parquet;
#[cfg(feature = "plot")]
mod plot;
mod recorded;
mod replay;
mod report;
mod result_file;

#[cfg(not(feature = "parquet"))]
use self::absent::parquet;
#[cfg(not(feature = "plot"))]
use self::absent::plot;
use std::io::{self, Write};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Error, Result, bail};
use clap::ValueEnum;
use indicatif::{ProgressBar, ProgressStyle};

use self::games::Games;
pub(in crate::cli) use self::options::TournamentArgs;
use self::recorded::Recorded;
use self::report::Summary;
use self::result_file::{Existing, ResultFile, format_of_name, is_stream};
use crate::arena::results::{ResultFormat, ResultRow};
use crate::arena::schedule::Game;
use crate::arena::statistics::Statistics;
use crate::arena::{self, ArenaError, Match, MatchResult, Schedule, Scoring, Shape};
use crate::board::BoardError;
use crate::cli::output::{report_failures, standard_output};
use crate::cli::{Status, interrupt, is_broken_pipe, print_note};
use crate::engine::conformance;
use crate::engine::gpu::arena::GpuArena;
use crate::engine::reference::ReferenceEngine;
use crate::engine::select::{EngineName, SelectedEngine, Selection};
use crate::game::referee::Outcome;

/// A chunk of games should take about this long: they are kept when all of a chunk are played.
const CHUNK_TIME: Duration = Duration::from_millis(1000);

/// Games of the first chunk, and of the largest.
const CHUNK_GAMES: std::ops::RangeInclusive<u64> = 64..=1 << 16;

/// After Ctrl-C the current chunk is played to its end, unless that takes longer than this.
const PATIENCE: Duration = Duration::from_secs(3);

pub(in crate::cli) fn run(args: &TournamentArgs) -> Result<Status> {
    if args.replay.is_none() && !args.film.outputs().is_empty() {
        bail!("a film shows one game; say which with --replay GAME");
    }
    args.check_files()?;
    if let Some(path) = &args.plot {
        plot::check(path)?;
    }
    if let Some(path) = &args.parquet {
        if args.output.as_deref().is_some_and(is_stream) {
            bail!(
                "--parquet is made from the file of --output, which must be read again; give that a name of its own"
            );
        }
        parquet::check(path)?;
    }
    let format = match &args.output {
        Some(path) => format_of_name(path)?,
        None => ResultFormat::Csv,
    };
    let mut games = Games::open(args)?;
    if let Some(game) = args.replay {
        return replay::run(args, &mut games, game);
    }
    let scoring = Scoring::from(args.scoring);
    let mut statistics = Statistics::default();
    // Before a file is touched: what cannot be played must not cost what was.
    let player = Player::select(args)?;
    let mut file = open_file(args, &mut games, &player, scoring, &mut statistics)?;
    interrupt::listen();
    if !args.quiet {
        print_note(&player.note);
        if file.finished() > 0 {
            print_note(&format!(
                "{} of {} games are finished already",
                file.finished(),
                games.total()
            ));
        }
    }
    let started = Instant::now();
    let before = file.finished();
    let mut play = Play {
        player: &player,
        format,
        scoring,
        progress: progress(games.total(), before, args.quiet),
        keeps: args.output.is_some(),
    };
    let all = play.all(&mut games, &mut file, &mut statistics);
    play.progress.finish_and_clear();
    let mut failures = Vec::new();
    let interrupted = match all {
        Ok(interrupted) => interrupted,
        Err(error) if file.finished() == before || is_broken_pipe(&error) => return Err(error),
        Err(error) => {
            // What was finished is shown.
            failures.push(error);
            true
        }
    };
    let standings = statistics.standings();
    let total = games.total();
    let scoring_name = args.scoring.to_possible_value();
    let summary = Summary {
        tournament: games.fingerprint(),
        seeds: &games.describe(),
        scoring: scoring_name.map_or_else(String::new, |value| value.get_name().to_owned()),
        total,
        statistics: &statistics,
        standings: standings.as_deref(),
        engine: player.name.name(),
        adapter: player.adapter.as_deref(),
        played: statistics.games() - before.min(statistics.games()),
        seconds: started.elapsed().as_secs_f64(),
    };
    // One output that fails must not cost the others.
    failures.extend(print(args, &summary).err());
    failures.extend(save_plot(args, &summary).err());
    if let (Some(path), Some(lines), false) = (&args.parquet, &args.output, interrupted) {
        failures.extend(parquet::save(lines, path).err());
    }
    if interrupted && interrupt::is_requested() && !args.quiet {
        let finished = statistics.games();
        let help = match args.output.as_deref() {
            Some(path) if !is_stream(path) => "the same command goes on",
            _ => "with --output FILE the same command could go on",
        };
        print_note(&format!(
            "interrupted after {finished} of {total} games; {help}"
        ));
    }
    report_failures(failures)?;
    Ok(interrupt::status(interrupted))
}

/// The file of the results; those it holds are checked and added to the statistics.
fn open_file(
    args: &TournamentArgs,
    games: &mut Games,
    player: &Player,
    scoring: Scoring,
    statistics: &mut Statistics,
) -> Result<ResultFile> {
    let Some(path) = &args.output else {
        return Ok(ResultFile::none());
    };
    let existing = match (args.resume, args.overwrite) {
        (true, _) => Existing::MustExist,
        (_, true) => Existing::Overwrite,
        _ => Existing::Resume,
    };
    let tournament = games.fingerprint().to_owned();
    let mut recorded = Recorded::new(games);
    let file = ResultFile::open(path, existing, &tournament, |row| {
        recorded.add(row)?;
        let (red, blue) = (row.red.as_str().into(), row.blue.as_str().into());
        statistics.add(&red, &blue, row.outcome(scoring));
        Ok(())
    })?;
    recorded.replay(player, &path.display().to_string(), format_of_name(path)?)?;
    Ok(file)
}

/// Draws the ranking, if that is requested.
fn save_plot(args: &TournamentArgs, summary: &Summary<'_>) -> Result<()> {
    let Some(path) = &args.plot else {
        return Ok(());
    };
    let title = format!("{} games of {}", summary.statistics.games(), summary.seeds);
    match summary.standings {
        Some(standings) => plot::save(path, &title, standings, args.top),
        None => {
            print_note("no plot: there are too many seeds or pairs of them for a ranking");
            Ok(())
        }
    }
}

/// Prints the summary on standard output, or on standard error if the results go there.
fn print(args: &TournamentArgs, summary: &Summary<'_>) -> Result<()> {
    let mut out: Box<dyn Write> = if args.takes_standard_output() {
        Box::new(io::stderr().lock())
    } else {
        Box::new(standard_output())
    };
    if args.json {
        summary.json(&mut out)?;
    } else if !args.quiet {
        summary.text(args.top, &mut out)?;
    }
    out.flush()?;
    Ok(())
}

/// What plays the games.
struct Player {
    kind: PlayerKind,
    name: EngineName,
    adapter: Option<String>,
    /// One sentence about the choice.
    note: String,
}

enum PlayerKind {
    Cpu,
    Gpu(Box<GpuArena>),
    Reference,
}

impl Player {
    fn select(args: &TournamentArgs) -> Result<Self> {
        let Selection { engine, note } = args.engine.selector()?.select()?;
        Ok(Self {
            name: engine.name(),
            adapter: engine.adapter().map(str::to_owned),
            kind: match engine {
                SelectedEngine::Gpu(gpu) => {
                    let arena = GpuArena::new(&gpu)?;
                    conformance::prove_arena(&arena)?;
                    PlayerKind::Gpu(Box::new(arena))
                }
                SelectedEngine::Cpu => PlayerKind::Cpu,
                SelectedEngine::Reference => PlayerKind::Reference,
            },
            note,
        })
    }

    fn play<P: Schedule>(&self, schedule: &P) -> Result<arena::Results<P::Output>> {
        let played = match &self.kind {
            PlayerKind::Cpu => arena::play(schedule),
            PlayerKind::Gpu(gpu) => arena::play_on_gpu(schedule, gpu),
            PlayerKind::Reference => {
                arena::play_plainly(schedule, |ruleset| Box::new(ReferenceEngine::new(ruleset)))
            }
        };
        played.map_err(|error| match error {
            // As itself, for the exit status.
            ArenaError::Engine(error) => error.into(),
            ArenaError::Board(error) => error.into(),
        })
    }
}

/// A tournament in progress.
struct Play<'a> {
    player: &'a Player,
    format: ResultFormat,
    scoring: Scoring,
    progress: ProgressBar,
    /// Whether the rows are written.
    keeps: bool,
}

impl Play<'_> {
    /// Plays what is left, a chunk at a time. Returns whether it was interrupted.
    fn all(
        &mut self,
        games: &mut Games,
        file: &mut ResultFile,
        statistics: &mut Statistics,
    ) -> Result<bool> {
        let mut chunk = *CHUNK_GAMES.start();
        while file.finished() < games.total() {
            if interrupt::is_requested() {
                return Ok(true);
            }
            let next = games.games(file.finished(), chunk)?;
            let count = next.len() as u64;
            let started = Instant::now();
            let played = self.chunk(games.fingerprint(), next, file, statistics)?;
            let took = started.elapsed();
            if played < count {
                return Ok(true);
            }
            if took < CHUNK_TIME / 2 && count == chunk {
                let more = if took < CHUNK_TIME / 8 { 4 } else { 2 };
                chunk = (chunk * more).min(*CHUNK_GAMES.end());
            } else if took > CHUNK_TIME * 2 {
                chunk = (chunk / 2).max(1);
            }
        }
        Ok(false)
    }

    /// Plays a chunk and keeps its games up to the first that was not finished. Returns how many.
    fn chunk(
        &self,
        tournament: &str,
        games: Vec<Game>,
        file: &mut ResultFile,
        statistics: &mut Statistics,
    ) -> Result<u64> {
        let chunk = Chunk {
            play: self,
            tournament,
            games,
            requested: Mutex::new(None),
        };
        let results = self.player.play(&chunk)?;
        let mut lines = Vec::new();
        let mut played = 0;
        for (game, result) in chunk.games.iter().zip(results) {
            let Some(result) = result else {
                break;
            };
            let (outcome, line) = result?;
            lines.extend(line);
            let (red, blue) = (&game.red.entrant.name, &game.blue.entrant.name);
            statistics.add(red, blue, outcome);
            played += 1;
        }
        file.append(&lines, played)?;
        Ok(played)
    }
}

/// Games that are played together.
struct Chunk<'a> {
    play: &'a Play<'a>,
    tournament: &'a str,
    games: Vec<Game>,
    /// When a clean end was requested.
    requested: Mutex<Option<Instant>>,
}

impl Schedule for Chunk<'_> {
    type Output = Result<(Outcome, Vec<u8>), Error>;

    fn len(&self) -> usize {
        self.games.len()
    }

    fn shape(&self, index: usize) -> Shape {
        self.games[index].shape()
    }

    fn limit(&self, index: usize) -> u64 {
        self.games[index].limit
    }

    fn get(&self, index: usize) -> Result<Match, BoardError> {
        self.games[index].to_match()
    }

    fn finish(&self, index: usize, result: MatchResult) -> Self::Output {
        self.play.progress.inc(1);
        let outcome = result.outcome(self.play.scoring);
        let mut bytes = Vec::new();
        if self.play.keeps {
            let row = ResultRow::new(self.tournament, &self.games[index], &result);
            self.play.format.write(&row, &mut bytes)?;
        }
        Ok((outcome, bytes))
    }

    fn is_stopped(&self) -> bool {
        if !interrupt::is_requested() {
            return false;
        }
        let mut requested = self
            .requested
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        requested.get_or_insert_with(Instant::now).elapsed() > PATIENCE
    }
}

fn progress(total: u64, finished: u64, quiet: bool) -> ProgressBar {
    // Hidden by itself if standard error is no terminal.
    let bar = if quiet {
        ProgressBar::hidden()
    } else {
        ProgressBar::new(total).with_position(finished)
    };
    bar.reset_eta();
    let template = "{wide_bar} game {human_pos} of {human_len}, {per_sec}, {eta} left";
    match ProgressStyle::with_template(template) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
