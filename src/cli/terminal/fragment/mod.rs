//! `duolife play fragment`: the puzzle, by keys or by lines of commands.

mod best_score;
mod command;
mod screen;

use std::hash::{BuildHasher, RandomState};
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;

use anyhow::{Result, anyhow, bail};
use clap::Args;
use crossterm::event::Event;

use self::best_score::Best;
use self::command::Command;
use self::screen::Screen;
use super::paint::{ColorArg, Paint};
use super::picture::{View, lines};
use super::script::Script;
use crate::board::Size;
use crate::cli::options::parse_size;
use crate::cli::output::standard_output;
use crate::cli::window::WindowRequest;
use crate::cli::{Status, interrupt, print_note};
use crate::game::fragment::{
    DEFAULT_CELLS, DEFAULT_PIECE, DEFAULT_PIECE_CELLS, Direction, Fragment, MergeError, Settings,
};
use crate::game::opening::{DRAWN_SEEDS, Opening};
use glam::UVec2;

/// Clashing cells that are named in a line; the picture shows all of them.
const NAMED_CLASHES: usize = 12;

const KEYS: &str = "arrows move   R rotate   Enter merge   Q quit";

/// Options of `duolife play fragment`.
#[derive(Args)]
pub(in crate::cli) struct FragmentArgs {
    /// Size of the field [default: 20x20]
    #[arg(long, value_name = "WxH", value_parser = parse_size)]
    field: Option<Size>,
    /// Blue cells at the start
    #[arg(long, value_name = "N", default_value_t = DEFAULT_CELLS)]
    cells: u32,
    /// Columns and rows of a piece
    #[arg(long, value_name = "N", default_value_t = DEFAULT_PIECE)]
    piece: u32,
    /// Green cells of a piece
    #[arg(long, value_name = "N", default_value_t = DEFAULT_PIECE_CELLS)]
    piece_cells: u32,
    /// Play the game of this number again [default: another one each time]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Commands from this file, - for standard input: left, right, up, down (with a count), rotate,
    /// merge, board, quit, several a line, comments after #. They are also read from a pipe
    #[arg(long, value_name = "FILE")]
    script: Option<PathBuf>,
    /// Colours
    #[arg(long, value_enum, default_value = "auto", value_name = "WHEN")]
    color: ColorArg,
}

/// What the window is to open with.
pub(in crate::cli) fn window(args: &FragmentArgs) -> Result<WindowRequest> {
    if args.script.is_some() {
        bail!("--script is for the terminal: add --terminal");
    }
    Ok(WindowRequest::of(Opening::Fragment(
        settings(args)?,
        args.seed,
    )))
}

fn settings(args: &FragmentArgs) -> Result<Settings> {
    let field = match args.field {
        Some(field) => field,
        None => Settings::standard()?.field(),
    };
    Ok(Settings::new(
        field,
        args.cells,
        args.piece,
        args.piece_cells,
    )?)
}

pub(in crate::cli) fn run(args: &FragmentArgs) -> Result<Status> {
    let settings = settings(args)?;
    let seed = args.seed.unwrap_or_else(random_seed);
    let mut game = TerminalGame {
        game: Fragment::new(settings, seed)?,
        best: Best::of_user(settings.into()),
        paint: Paint::select(args.color),
        clashes: Vec::new(),
    };
    game.print_notes();
    let by_keys = args.script.is_none() && io::stdin().is_terminal() && io::stdout().is_terminal();
    if by_keys {
        interrupt::listen();
        game.play_by_keys()?;
    } else {
        // A pipe may never be opened at its other end.
        let script = Script::open(args.script.as_deref())?;
        interrupt::listen();
        game.play_script(script)?;
    }
    Ok(interrupt::status(!game.game.is_won()))
}

/// A seed for a game without one: another in every run.
fn random_seed() -> u64 {
    RandomState::new().hash_one("duolife") % DRAWN_SEEDS
}

/// A game, its best score, and how it is shown.
struct TerminalGame {
    game: Fragment,
    best: Best,
    paint: Paint,
    /// Of the last merge, if it was refused and nothing has moved since.
    clashes: Vec<UVec2>,
}

impl TerminalGame {
    /// Plays commands line by line and prints their results.
    fn play_script(&mut self, mut script: Script) -> Result<()> {
        let mut out = standard_output();
        writeln!(out, "{}", self.title())?;
        self.print_board(&mut out)?;
        out.flush()?;
        let ended = self.play_lines(&mut script, &mut out);
        // Whatever ended the game, what was played is shown.
        self.print_board(&mut out)?;
        writeln!(out, "{}", self.summary())?;
        out.flush()?;
        ended
    }

    fn play_lines(&mut self, script: &mut Script, out: &mut impl Write) -> Result<()> {
        while let Some(words) = script.next()? {
            let commands = Command::of_words(&words);
            for command in commands.map_err(|error| anyhow!("{}: {error}", script.place()))? {
                if self.game.is_won() && command != Command::Quit {
                    print_note(&format!(
                        "{}: the game is won, the rest is not played",
                        script.place()
                    ));
                    return Ok(());
                }
                match command {
                    Command::Quit => return Ok(()),
                    Command::Board => self.print_board(out)?,
                    Command::Shift(..) | Command::Turn | Command::Merge => {
                        if let Some(line) = self.play(command)? {
                            writeln!(out, "{line}")?;
                        }
                    }
                }
                self.print_notes();
            }
            out.flush()?;
        }
        Ok(())
    }

    /// Plays key by key on the whole terminal.
    fn play_by_keys(&mut self) -> Result<()> {
        let screen = Screen::take()?;
        let mut said = String::new();
        let mut notes = Vec::new();
        while !interrupt::is_requested() {
            screen.show(&self.picture(&said, screen.size()?))?;
            let command = loop {
                match screen.event()? {
                    Some(Event::Key(key)) => match Command::of_key(key) {
                        Some(command) => break Some(command),
                        None => continue,
                    },
                    Some(Event::Resize(..)) => break None,
                    _ if interrupt::is_requested() => break None,
                    _ => {}
                }
            };
            match command {
                Some(Command::Quit) => break,
                Some(command) => said = self.play(command)?.unwrap_or_default(),
                None => {}
            }
            notes.extend(self.best.take_notes());
        }
        drop(screen);
        let mut out = standard_output();
        writeln!(out, "{}", self.title())?;
        self.print_board(&mut out)?;
        writeln!(out, "{}", self.summary())?;
        out.flush()?;
        for said in notes {
            print_note(&said);
        }
        Ok(())
    }

    /// The lines of a screen of this size.
    fn picture(&self, said: &str, (columns, rows): (u16, u16)) -> Vec<String> {
        let below = [self.summary(), said.to_owned(), KEYS.to_owned()];
        let view = View::around_piece(&self.game, columns, rows.saturating_sub(3));
        let mut picture = lines(&self.game, &self.clashes, &view, self.paint);
        picture.extend(below);
        picture
    }

    /// Plays one command. Returns a line about its result.
    fn play(&mut self, command: Command) -> Result<Option<String>> {
        self.clashes.clear();
        match command {
            Command::Shift(direction, count) => Ok(self.shift(direction, count)),
            Command::Turn => {
                self.game.turn();
                Ok(None)
            }
            Command::Merge => self.merge().map(Some),
            Command::Board | Command::Quit => Ok(None),
        }
    }

    /// Moves the piece; the note if it could not move that often.
    fn shift(&mut self, direction: Direction, count: u32) -> Option<String> {
        let moved = (0..count)
            .take_while(|_| self.game.shift(direction))
            .count();
        (moved < count as usize)
            .then(|| format!("The frame is at the edge: {direction} {moved} of {count}"))
    }

    fn merge(&mut self) -> Result<String> {
        let score = match self.game.merge() {
            Ok(score) => score,
            Err(MergeError::Clash(clashes)) => {
                let said = format!(
                    "Merge refused: green on blue at (column, row) {}",
                    named(&clashes)
                );
                self.clashes = clashes;
                return Ok(said);
            }
            Err(MergeError::Won) => return Ok("The field is empty: the game is won".into()),
            Err(MergeError::Engine(error)) => return Err(error.into()),
        };
        let is_new = self.best.count(score);
        let number = self.game.merges();
        Ok(match self.best.score() {
            _ if is_new => format!("Merge {number}: score {score}, a new best"),
            Some(best) => format!("Merge {number}: score {score}, best {best}"),
            None => format!("Merge {number}: score {score}"),
        })
    }

    fn title(&self) -> String {
        let (settings, seed) = (self.game.settings(), self.game.seed());
        format!("Fragment puzzle: {settings}; seed {seed}")
    }

    /// The state of the game, in one line.
    fn summary(&self) -> String {
        let best = match self.best.score() {
            Some(best) => format!("best {best}"),
            None => "no best yet".into(),
        };
        let merges = match self.game.merges() {
            1 => "1 merge".into(),
            merges => format!("{merges} merges"),
        };
        match self.game.score() {
            None => format!("No merge yet, {best}"),
            Some(0) => format!("The field is empty: you have won, with {merges}"),
            Some(score) => format!("Score {score} after {merges}, {best}"),
        }
    }

    fn print_board(&self, out: &mut impl Write) -> io::Result<()> {
        for line in lines(
            &self.game,
            &self.clashes,
            &View::whole(&self.game),
            self.paint,
        ) {
            writeln!(out, "{line}")?;
        }
        Ok(())
    }

    fn print_notes(&mut self) {
        for said in self.best.take_notes() {
            print_note(&said);
        }
    }
}

/// Cells by column and row from 1, as many as a line has room for.
fn named(cells: &[UVec2]) -> String {
    let names: Vec<String> = cells
        .iter()
        .take(NAMED_CLASHES)
        .map(|cell| format!("({}, {})", cell.x + 1, cell.y + 1))
        .collect();
    let more = match cells.len().saturating_sub(NAMED_CLASHES) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    names.join(", ") + &more
}
