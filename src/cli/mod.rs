//! The command line, in three rooms: `commands` has one file per subcommand, `terminal` plays games
//! at a terminal, `tournament` plays many. The files beside them hold what commands share.
//!
//! Each failure ends as one line on standard error and a [`Status`]. A closed pipe is no failure.

mod commands;
mod engines;
mod family;
mod film;
mod input;
mod interrupt;
mod memory;
mod options;
mod output;
mod place;
mod terminal;
mod tournament;
mod tuning;
pub mod window;

use std::ffi::OsStr;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Error, bail};
use clap::{Parser, Subcommand};

use self::commands::play::PlayOutcome;
use self::commands::{bench, conform, convert, devices, duel, play, rule_file, run};
use self::family::CliFamily;
use self::terminal::immigration;
use self::window::WindowRequest;
use crate::engine::EngineError;
use crate::format::film::FilmFileError;
use crate::format::{WriteError, family_of};
use crate::game::opening::Opening;
use crate::rules::of_family;

/// Two-colour cellular automata, computed bit for bit alike on GPU and CPU.
#[derive(Parser)]
#[command(
    version,
    max_term_width = 100,
    args_conflicts_with_subcommands = true,
    after_help = "Without a command a window opens."
)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    /// Board file or game record to open in the window
    file: Option<PathBuf>,
}

#[derive(Subcommand)]
enum Command {
    /// Run a board and report, count or film it
    Run(Box<run::RunArgs>),
    /// Play two-player Life from a text grid until one side is gone
    Duel(duel::DuelArgs),
    /// Play a game
    Play(play::PlayArgs),
    /// Play the Immigration Game: two people, or against the computer
    Immigration(immigration::ImmigrationArgs),
    /// Play seeds against each other by the million
    Tournament(Box<tournament::TournamentArgs>),
    /// Compare the engines with the reference, cell by cell
    Conform(conform::ConformArgs),
    /// Measure how fast the engines are
    Bench(bench::BenchArgs),
    /// Convert a board file to another format
    Convert(convert::ConvertArgs),
    /// Write the Golly rule file of a two-colour rule
    RuleFile(rule_file::RuleFileArgs),
    /// List the GPU adapters of this machine
    Devices(devices::DevicesArgs),
}

/// How the program ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Everything was done.
    Done = 0,
    /// A check failed: engines differ.
    CheckFailed = 1,
    /// The input or the usage was wrong.
    BadInput = 2,
    /// The device failed.
    DeviceFailed = 3,
    /// SIGHUP has ended it with work left.
    HungUp = 129,
    /// SIGTERM has ended it with work left.
    Terminated = 143,
}

/// How the command line exits.
pub enum Exit {
    /// With a status, and why it failed: one line, without the name of the program.
    Status(Status, Option<String>),
    /// A window is to be opened.
    Window(Box<WindowRequest>),
}

/// Runs the program with the arguments of this process.
pub fn run() -> Exit {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) if error.use_stderr() => {
            return Exit::Status(Status::BadInput, Some(usage_message(&error)));
        }
        // Help and version are no failure.
        Err(error) => return exit(print_help(&error)),
    };
    if let Err(error) = interrupt::install() {
        return exit(Err(error));
    }
    let command = match (cli.command, cli.file) {
        (Some(command), _) => command,
        (None, None) => return Exit::Window(Box::new(WindowRequest::of(Opening::Remembered))),
        (None, Some(file)) => match file_command(&file) {
            Ok(command) => command,
            Err(error) => return exit(Err(error)),
        },
    };
    let done = match command {
        Command::Run(args) => run::run(&args),
        Command::Duel(args) => duel::run(&args),
        Command::Play(args) => match play::run(&args) {
            Ok(PlayOutcome::Done(status)) => Ok(status),
            Ok(PlayOutcome::Window(request)) => return Exit::Window(Box::new(request)),
            Err(error) => Err(error),
        },
        Command::Immigration(args) => immigration::run(&args),
        Command::Tournament(args) => tournament::run(&args),
        Command::Conform(args) => conform::run(&args),
        Command::Bench(args) => bench::run(&args),
        Command::Convert(args) => convert::run(&args),
        Command::RuleFile(args) => rule_file::run(&args),
        Command::Devices(args) => devices::run(&args),
    };
    exit(done)
}

/// Bytes this process can still take without driving the machine into swap.
pub fn available_memory() -> u64 {
    memory::available()
}

/// `duolife FILE` is `duolife play battle FILE`, `duolife play rezolution FILE` if its board has
/// populations, or `duolife play immigration FILE` if it is the record of a game.
fn file_command(file: &Path) -> anyhow::Result<Command> {
    // A mistyped command is no file.
    if !file.exists() {
        bail!(
            "{}: there is no such command and no such file (see duolife help)",
            file.display()
        );
    }
    let extension = file.extension().unwrap_or_default();
    let is_record = extension.eq_ignore_ascii_case("json");
    let game = match family_of(file) {
        _ if is_record => "immigration",
        Some(family) => of_family!(family, game_of()),
        None => "battle",
    };
    let words = [
        OsStr::new("duolife"),
        OsStr::new("play"),
        OsStr::new(game),
        OsStr::new("--"),
        file.as_os_str(),
    ];
    match Cli::try_parse_from(words) {
        Ok(Cli {
            command: Some(command),
            ..
        }) => Ok(command),
        _ => bail!("{}: cannot be opened (see duolife help)", file.display()),
    }
}

/// The game that opens boards of a family.
const fn game_of<R: CliFamily>() -> &'static str {
    R::GAME
}

/// Prints help or the version.
fn print_help(text: &clap::Error) -> anyhow::Result<Status> {
    let printed = text.print().and_then(|()| io::stdout().flush());
    printed.map_err(output::name_standard_output)?;
    Ok(Status::Done)
}

fn exit(done: anyhow::Result<Status>) -> Exit {
    match done {
        Ok(status) => Exit::Status(status, None),
        Err(error) if is_broken_pipe(&error) => Exit::Status(interrupt::status(true), None),
        Err(error) => Exit::Status(status_of(&error), Some(format!("{error:#}"))),
    }
}

/// Whether the reader of our output has gone away.
fn is_broken_pipe(error: &Error) -> bool {
    error.chain().any(|cause| {
        let io = cause.downcast_ref::<io::Error>();
        let write = cause.downcast_ref::<WriteError>();
        let film = cause.downcast_ref::<FilmFileError>();
        io.is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
            || write.is_some_and(WriteError::is_broken_pipe)
            || film.is_some_and(FilmFileError::is_broken_pipe)
    })
}

fn status_of(error: &Error) -> Status {
    let engine = error
        .chain()
        .find_map(|cause| cause.downcast_ref::<EngineError>());
    match engine {
        Some(
            EngineError::NoAdapter
            | EngineError::Device { .. }
            | EngineError::Unproved { .. }
            | EngineError::Damaged { .. },
        ) => Status::DeviceFailed,
        _ => Status::BadInput,
    }
}

/// What is wrong with the arguments, in one line: clap's message up to its usage.
fn usage_message(error: &clap::Error) -> String {
    let text = error.render().to_string();
    let lines: Vec<&str> = text
        .lines()
        .take_while(|line| !line.starts_with("Usage:") && !line.starts_with("For more"))
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .collect();
    let message = lines.join(" ");
    let message = message.strip_prefix("error: ").unwrap_or(&message);
    format!("{message} (see duolife help)")
}

/// One line to standard error, with the program's name.
pub fn print_note(message: &str) {
    // Standard error may be closed; there is nowhere left to say so.
    let _ = writeln!(io::stderr(), "duolife: {message}");
}
