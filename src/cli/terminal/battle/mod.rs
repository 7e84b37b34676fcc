//! `duolife play battle --terminal`: a battle that is run and edited by lines of commands.

mod command;

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Result, anyhow, bail};
use clap::Args;

use self::command::{Command, GameSetting, HELP};
use super::paint::{ColorArg, Paint};
use super::picture::battle_lines;
use super::script::Script;
use crate::board::{LifelikeCell, Size};
use crate::cli::commands::run::save;
use crate::cli::input::{InputArgs, Plan};
use crate::cli::options::{EngineArgs, OutputFormat, PictureArgs};
use crate::cli::output::{check_inputs, standard_output};
use crate::cli::window::WindowRequest;
use crate::cli::{Status, engines, interrupt, memory, print_note};
use crate::engine::EngineError;
use crate::format::LifelikeDocument;
use crate::game::life_battle::{DEFAULT_LIMIT, Session, Settings, StartPattern};
use crate::game::opening::Opening;
use crate::game::session::{BOARDS_IN_MEMORY, SessionError};
use glam::UVec2;

/// Generations are computed in parts of about this time, so that Ctrl-C is noticed.
const PART_TIME: Duration = Duration::from_millis(100);

/// Options of `duolife play battle`.
#[derive(Args)]
pub(in crate::cli) struct PlayBattleArgs {
    #[command(flatten)]
    input: InputArgs,
    /// At this generation more cells win
    #[arg(long, value_name = "N", default_value_t = DEFAULT_LIMIT, value_parser = clap::value_parser!(u64).range(1..))]
    limit: u64,
    #[command(flatten)]
    engine: EngineArgs,
    #[command(flatten)]
    picture: PictureArgs,
    /// Commands from this file, - for standard input; help lists them. They are also read from a pipe
    #[arg(long, value_name = "FILE")]
    script: Option<PathBuf>,
    /// Colours
    #[arg(long, value_enum, default_value = "auto", value_name = "WHEN")]
    color: ColorArg,
}

/// What the window is to open with.
pub(in crate::cli) fn window(args: &PlayBattleArgs) -> Result<WindowRequest> {
    if args.script.is_some() {
        bail!("--script is for the terminal: add --terminal");
    }
    let opening = if args.input.is_default() && args.limit == DEFAULT_LIMIT {
        Opening::LastBattle
    } else {
        let plan = args.input.cells_plan(args.engine.engine, false)?;
        memory::require(plan.size, BOARDS_IN_MEMORY, 0)?;
        let settings = settings(args, &plan);
        Opening::Battle {
            settings,
            board: plan.board()?,
        }
    };
    Ok(WindowRequest::new(opening, &args.engine))
}

fn settings(args: &PlayBattleArgs, plan: &Plan) -> Settings {
    Settings {
        rule: plan.ruleset.rule,
        edges: plan.ruleset.edges,
        size: plan.size,
        ties: plan.ruleset.ties,
        seed: args.input.seed,
        limit: Some(args.limit),
    }
}

pub(in crate::cli) fn run(args: &PlayBattleArgs) -> Result<Status> {
    let plan = args.input.cells_plan(args.engine.engine, false)?;
    memory::require(plan.size, BOARDS_IN_MEMORY, 0)?;
    let ruleset = plan.ruleset;
    let settings = settings(args, &plan);
    let selected = engines::select(&args.engine, ruleset, plan.size)?;
    print_note(&selected.note);
    let script = Script::open(args.script.as_deref())?;
    interrupt::listen();
    let (first, make) = selected.into_engines();
    let mut first = Some(first);
    let factory = Box::new(move |ruleset| match first.take() {
        Some(engine) => Ok(engine),
        None => make(ruleset),
    });
    let (draw, density) = args.input.drawn();
    let mut game = TerminalGame {
        session: Session::new(settings, plan.board()?, factory)?,
        draw,
        density,
        paint: Paint::select(args.color),
        picture: &args.picture,
        script: args.script.as_deref(),
    };
    let has_prompt = args.script.is_none() && io::stdin().is_terminal();
    game.play_lines(script, has_prompt)?;
    Ok(interrupt::status(true))
}

/// What follows a line.
enum Next {
    Line,
    Quit,
}

/// A battle, and what the next start pattern and pictures are like.
struct TerminalGame<'a> {
    session: Session,
    /// Of the next start pattern.
    draw: StartPattern,
    density: f64,
    paint: Paint,
    picture: &'a PictureArgs,
    /// What the commands are read from.
    script: Option<&'a Path>,
}

impl TerminalGame<'_> {
    /// Executes commands line by line. At a prompt a wrong line is refused; in a script it is an error.
    fn play_lines(&mut self, mut script: Script, has_prompt: bool) -> Result<()> {
        let mut out = standard_output();
        writeln!(out, "Battle: {}", described(self.session.settings()))?;
        self.print_status(&mut out)?;
        loop {
            if has_prompt {
                write!(out, "> ")?;
            }
            out.flush()?;
            let Some(words) = script.next()? else {
                if has_prompt {
                    // The prompt of the shell gets a line of its own.
                    writeln!(out)?;
                }
                break;
            };
            let executed = match Command::of_words(&words) {
                Ok(None) => continue,
                Ok(Some(command)) => self.execute(command, &mut out),
                Err(expected) => Err(anyhow!(expected)),
            };
            match executed {
                Ok(Next::Line) => {}
                Ok(Next::Quit) => break,
                Err(error) if is_fatal(&error) => return Err(error),
                Err(error) if has_prompt => print_note(&format!("{error:#}")),
                Err(error) => {
                    out.flush()?;
                    return Err(error.context(script.place()));
                }
            }
        }
        out.flush()?;
        Ok(())
    }

    fn execute(&mut self, command: Command, out: &mut impl Write) -> Result<Next> {
        let session = &mut self.session;
        let done = match command {
            Command::Quit => return Ok(Next::Quit),
            Command::Help => {
                for line in HELP {
                    writeln!(out, "{line}")?;
                }
                return Ok(Next::Line);
            }
            Command::Board => {
                self.print_board(out)?;
                return Ok(Next::Line);
            }
            Command::Save(path) => {
                self.save(&path)?;
                writeln!(out, "Saved as {}", path.display())?;
                return Ok(Next::Line);
            }
            Command::Status => Ok(()),
            Command::Step(count) => step(session, count),
            Command::Play(most) => play(session, most),
            Command::PauseEvery(every) => {
                session.set_pause_every(every);
                Ok(())
            }
            Command::Restart => session.restart(),
            Command::Paint(cells, cell) => {
                check_cells(&cells, session.settings().size)?;
                paint(session, &cells, cell)
            }
            Command::Undo => session.undo(),
            Command::Redo => session.redo(),
            Command::Set(setting) => {
                if let GameSetting::Size(size) = setting {
                    memory::require(size, BOARDS_IN_MEMORY, 0)?;
                }
                session.set_draft(setting.change(session.draft()))
            }
            Command::Apply => session.apply(),
            Command::Discard => session.discard(),
            Command::Generate(draw, density) => {
                self.draw = draw.unwrap_or(self.draw);
                self.density = density.unwrap_or(self.density);
                session.generate(self.draw, self.density)
            }
            Command::Clear => session.clear(),
        };
        match done {
            Ok(()) => self.print_status(out)?,
            Err(error) => writeln!(out, "Refused: {}", refusal(error)?)?,
        }
        Ok(Next::Line)
    }

    fn print_status(&self, out: &mut impl Write) -> io::Result<()> {
        let session = &self.session;
        let census = session.census();
        let generation = session.generation();
        write!(
            out,
            "Generation {generation}: {} red, {} blue",
            census.red, census.blue
        )?;
        if let Some(verdict) = session.verdict() {
            write!(out, "; {verdict}")?;
        }
        if session.is_locked() {
            write!(out, "; not applied: {}", described(session.draft()))?;
        }
        writeln!(out)
    }

    fn print_board(&mut self, out: &mut impl Write) -> Result<()> {
        let board = self.session.board()?;
        for line in battle_lines(&board, self.paint) {
            writeln!(out, "{line}")?;
        }
        Ok(())
    }

    fn save(&mut self, path: &Path) -> Result<()> {
        if let Some(script) = self.script {
            check_inputs(&[("save", path)], &[("--script", script)])?;
        }
        let format = OutputFormat::select(None, path)?;
        let board = self.session.board()?;
        let settings = self.session.settings();
        let document = LifelikeDocument {
            board: &board,
            rule: Some(settings.rule),
            edges: Some(settings.edges),
            generation: self.session.generation(),
        };
        save(&document, format, path, self.picture)
    }
}

/// Steps one by one, until there is nothing more to step.
fn step(session: &mut Session, count: u64) -> Result<(), SessionError> {
    for _ in 0..count {
        session.step()?;
        if session.verdict().is_some() || interrupt::is_requested() {
            break;
        }
    }
    Ok(())
}

/// Plays until the battle is over, pauses by itself, or is interrupted.
fn play(session: &mut Session, most: Option<u64>) -> Result<(), SessionError> {
    session.play()?;
    let (mut left, mut part) = (most.unwrap_or(u64::MAX), 1);
    while left > 0 && session.is_playing() && !interrupt::is_requested() {
        let started = Instant::now();
        left -= session.advance(left.min(part))?;
        let took = started.elapsed();
        if took < PART_TIME / 2 {
            part = part.saturating_mul(2);
        } else if took > PART_TIME * 2 {
            part = (part / 2).max(1);
        }
    }
    session.pause();
    Ok(())
}

/// Paints in one stroke.
fn paint(session: &mut Session, cells: &[UVec2], cell: LifelikeCell) -> Result<(), SessionError> {
    session.begin_stroke(cell)?;
    for &at in cells {
        session.touch(at);
    }
    session.end_stroke()?;
    Ok(())
}

fn check_cells(cells: &[UVec2], size: Size) -> Result<()> {
    match cells.iter().find(|&&at| !size.contains(at)) {
        None => Ok(()),
        Some(at) => Err(anyhow!(
            "there is no column {}, row {} on a board of {size}",
            u64::from(at.x) + 1,
            u64::from(at.y) + 1
        )),
    }
}

/// The reason for a refusal. A device that failed ends the program.
fn refusal(error: SessionError) -> Result<String> {
    match error {
        SessionError::Engine(
            error @ (EngineError::TooLarge { .. }
            | EngineError::NoMemory { .. }
            | EngineError::Board(_)),
        ) => Ok(error.to_string()),
        SessionError::Engine(error) => Err(error.into()),
        error => Ok(error.to_string()),
    }
}

/// Whether an error is about the device or the reader of our output, and not about a line.
fn is_fatal(error: &anyhow::Error) -> bool {
    error.is::<EngineError>() || error.is::<io::Error>()
}

/// Settings in one line.
fn described(settings: Settings) -> String {
    let Settings {
        rule,
        edges,
        size,
        ties,
        seed,
        limit,
    } = settings;
    let limit = match limit {
        Some(limit) => format!("limit {limit}"),
        None => "no limit".into(),
    };
    format!("{rule}, {edges}, {size}, ties {ties}, seed {seed}, {limit}")
}
