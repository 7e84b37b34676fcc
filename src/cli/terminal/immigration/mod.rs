//! `duolife immigration`: the Immigration Game at a terminal, or from a script.

mod command;
mod saving;
mod screen;
mod terminal_game;

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Result, anyhow, bail};
use clap::{Args, ColorChoice, ValueEnum};

use self::command::CommandReader;
use self::saving::Saving;
use self::screen::Screen;
use self::terminal_game::{End, TerminalGame, event_line, result_line, standing};
use crate::board::Size;
use crate::cli::options::{ColourArg, parse_size};
use crate::cli::{Status, interrupt};
use crate::format::read_bytes;
use crate::game::immigration::{DEFAULT_SIDE, Game, Phase, Player, Setup};
use crate::game::opponent::{Computer, Strength};
use crate::game::record::{self, Record};

/// Options of `duolife immigration`.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(in crate::cli) struct ImmigrationArgs {
    /// Record of a game to go on with, - for standard input; a new game without one
    record: Option<PathBuf>,
    /// Size of the torus [default: 25x25]
    #[arg(long, value_name = "WxH", value_parser = parse_size, conflicts_with = "record")]
    size: Option<Size>,
    /// Who places the first counter [default: red]
    #[arg(long, value_enum, value_name = "COLOUR", conflicts_with = "record")]
    first: Option<ColourArg>,
    /// Who plays red
    #[arg(long, value_enum, value_name = "WHO", default_value = "person")]
    red: Kind,
    /// Who plays blue
    #[arg(long, value_enum, value_name = "WHO", default_value = "person")]
    blue: Kind,
    /// How far the computer looks, 1 to 3
    #[arg(long, value_name = "N", default_value = "2", value_parser = parse_strength)]
    strength: Strength,
    /// How far it looks for red [default: as --strength says]
    #[arg(long, value_name = "N", value_parser = parse_strength)]
    red_strength: Option<Strength>,
    /// How far it looks for blue [default: as --strength says]
    #[arg(long, value_name = "N", value_parser = parse_strength)]
    blue_strength: Option<Strength>,
    /// The longest the computer may think about a counter, in seconds; what it then plays depends
    /// on the machine [default: as long as its strength takes]
    #[arg(long, value_name = "SECONDS", value_parser = parse_time)]
    time: Option<Duration>,
    /// Seed of the computer and the random player
    #[arg(
        long,
        value_name = "N",
        default_value_t = 0,
        allow_negative_numbers = true
    )]
    seed: u64,
    /// Write the record here after every move
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Read the commands from this file, - for standard input, not from a prompt
    #[arg(long, value_name = "FILE")]
    script: Option<PathBuf>,
    /// Print every board of the record and end
    #[arg(long, requires = "record", conflicts_with_all = ["save", "script"])]
    replay: bool,
    /// Colours
    #[arg(long, value_enum, value_name = "WHEN", default_value = "auto")]
    color: ColorChoice,
    /// Only the result
    #[arg(long)]
    quiet: bool,
}

const AFTER_HELP: &str = "\
The players take turns placing five counters each, then ten generations of B3/S23 run on the
torus. If the counts are equal then, single generations follow until one side leads. The leader
places one counter, then the other side, then ten generations run, and so on, until a generation
leaves at most one colour. A wait for a lead that comes back to a board it has been on is a draw.
A player without a dead cell to place on passes.

Commands, at the prompt or one a line in a script:
  X Y        place a counter in column X and row Y, counted from 1
  run        run the generations; at the prompt Enter does the same
  undo       take your last counter back, until a generation has run
  board      print the board
  save FILE  write the record to a file, and keep it up to date from then on
  help       list the commands
  quit       end here
In a script # begins a comment and empty lines mean nothing.";

/// Who plays a colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Kind {
    /// Somebody at the keyboard, or the script
    Person,
    /// The computer, looking ahead
    Computer,
    /// Any dead cell, at random
    Random,
}

impl ImmigrationArgs {
    const fn kind(&self, player: Player) -> Kind {
        match player {
            Player::Red => self.red,
            Player::Blue => self.blue,
        }
    }

    fn strength(&self, player: Player) -> Strength {
        match player {
            Player::Red => self.red_strength,
            Player::Blue => self.blue_strength,
        }
        .unwrap_or(self.strength)
    }

    /// Whether anybody plays who does not compute.
    fn has_person(&self) -> bool {
        [self.red, self.blue].contains(&Kind::Person)
    }
}

pub(in crate::cli) fn run(args: &ImmigrationArgs) -> Result<Status> {
    let record = args.record.as_deref().map(read_record).transpose()?;
    let mut screen = Screen::new(args.color, args.quiet);
    if let (Some(record), Some(path), true) = (&record, &args.record, args.replay) {
        replay(record, path, &mut screen)?;
        return Ok(Status::Done);
    }
    let (game, came_from) = match (&record, &args.record) {
        (Some(record), Some(path)) => {
            let game = record.replay().map_err(|error| in_file(path, &error))?;
            (game, Some(path.as_path()))
        }
        _ => (Game::new(args.setup()?)?, None),
    };
    if [args.red, args.blue].contains(&Kind::Computer) {
        Computer::check(game.setup().size())?;
    }
    let saving = Saving::new(args.save.as_deref(), came_from)?;
    let reader = match &args.script {
        Some(path) if is_standard(path) && came_from.is_some_and(is_standard) => {
            bail!("the record and the script cannot both come from standard input")
        }
        Some(path) => CommandReader::script(path)?,
        None => CommandReader::standard_input(),
    };
    interrupt::listen();
    let mut game = TerminalGame::new(args, game, reader, saving, screen);
    let end = game.play()?;
    let is_over = matches!(end, End::Over(_));
    game.say_end(end)?;
    Ok(interrupt::status(!is_over))
}

impl ImmigrationArgs {
    /// What a new game begins with.
    fn setup(&self) -> Result<Setup> {
        let size = match self.size {
            Some(size) => size,
            None => Size::new(DEFAULT_SIDE, DEFAULT_SIDE)?,
        };
        let first = match self.first {
            None | Some(ColourArg::Red) => Player::Red,
            Some(ColourArg::Blue) => Player::Blue,
        };
        Ok(Setup::new(size, first)?)
    }
}

fn read_record(path: &Path) -> Result<Record> {
    let json = read_bytes(path, record::MAX_BYTES)?;
    Record::parse(&json).map_err(|error| in_file(path, &error))
}

/// The game recorded in a file, in its last state.
pub(in crate::cli) fn read_game(path: &Path) -> Result<Game> {
    let game = read_record(path)?.replay();
    game.map_err(|error| in_file(path, &error))
}

fn in_file(path: &Path, error: &record::RecordError) -> anyhow::Error {
    let name = if is_standard(path) {
        "standard input".into()
    } else {
        path.display().to_string()
    };
    anyhow!("{name}: {error}")
}

/// Whether the path stands for standard input.
fn is_standard(path: &Path) -> bool {
    path == Path::new("-")
}

/// Prints every board of a record.
fn replay(record: &Record, path: &Path, screen: &mut Screen) -> Result<Status> {
    let mut replay = record.start().map_err(|error| in_file(path, &error))?;
    screen.say(&format!(
        "{} torus, {} begins",
        replay.game().board().size(),
        replay.game().setup().first()
    ))?;
    screen.board(replay.game().board())?;
    interrupt::listen();
    while let Some(event) = replay.advance().map_err(|error| in_file(path, &error))? {
        if interrupt::is_requested() {
            return Ok(interrupt::status(true));
        }
        screen.say("")?;
        screen.say(&event_line(replay.game(), event))?;
        screen.board(replay.game().board())?;
    }
    let game = replay.game();
    screen.say("")?;
    match game.phase() {
        Phase::Over(result) => screen.result(&result_line(game, result))?,
        Phase::Placing { .. } | Phase::Running { .. } | Phase::Waiting { .. } => {
            screen.result(&standing(game))?;
        }
    }
    Ok(Status::Done)
}

fn parse_strength(text: &str) -> Result<Strength, String> {
    text.parse().ok().and_then(Strength::new).ok_or_else(|| {
        format!(
            "a strength is a number from {} to {}",
            Strength::MIN,
            Strength::MAX
        )
    })
}

fn parse_time(text: &str) -> Result<Duration, String> {
    let seconds: Option<f64> = text.parse().ok();
    seconds
        .filter(|&seconds| seconds > 0.0)
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
        .ok_or_else(|| "write a number of seconds above 0, for example 0.5".into())
}
