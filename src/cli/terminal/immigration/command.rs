//! The commands of a player, and where they are read from.

use std::io::{self, BufRead, IsTerminal, Read};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

use anyhow::{Result, bail};
use glam::{UVec2, uvec2};

use super::is_standard;
use crate::cli::interrupt;
use crate::format::read_bytes;

/// The longest line that is read, in bytes.
const MAX_LINE: u64 = 4096;

/// The longest script, in bytes.
const MAX_SCRIPT: u64 = 16 << 20;

/// How often a wait for a line checks for Ctrl-C.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// A command of a player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Command {
    /// A counter in this column and row, from 0.
    Place(UVec2),
    Run,
    Undo,
    Board,
    Save(PathBuf),
    Help,
    Quit,
}

/// The commands, for `help`.
pub(super) const HELP: &str = "\
X Y        place a counter in column X and row Y, counted from 1
run        run the generations (or just press Enter)
undo       take your last counter back, until a generation has run
board      print the board
save FILE  write the record to a file, and keep it up to date from then on
quit       end here";

impl Command {
    /// Reads a line.
    ///
    /// # Errors
    /// What was expected, in one line.
    pub(super) fn parse(line: &str) -> Result<Self, String> {
        let line = line.trim();
        let (word, rest) = match line.split_once(char::is_whitespace) {
            Some((word, rest)) => (word, rest.trim()),
            None => (line, ""),
        };
        let without_argument = |command: Self| match rest {
            "" => Ok(command),
            _ => Err(format!("expected nothing after {word:?}")),
        };
        match word {
            "" | "run" => without_argument(Self::Run),
            "undo" => without_argument(Self::Undo),
            "board" => without_argument(Self::Board),
            "help" | "?" => without_argument(Self::Help),
            "quit" | "exit" => without_argument(Self::Quit),
            "save" if rest.is_empty() => Err("expected a file after \"save\"".into()),
            "save" => Ok(Self::Save(rest.into())),
            _ => Self::parse_place(line),
        }
    }

    fn parse_place(line: &str) -> Result<Self, String> {
        let shown: String = line.chars().take(40).collect();
        let numbers = line
            .split(|c: char| c.is_whitespace() || c == ',')
            .filter(|part| !part.is_empty());
        let is_number = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        let parts: Vec<&str> = numbers.take(3).collect();
        let &[x, y] = parts.as_slice() else {
            return Err(format!(
                "expected a column and a row such as \"12 7\", or a command (see help), not {shown:?}"
            ));
        };
        if !is_number(x) || !is_number(y) {
            return Err(format!(
                "expected a column and a row such as \"12 7\", or a command (see help), not {shown:?}"
            ));
        }
        // A number too large for the type is off every board.
        let number = |part: &str| part.parse::<u32>().unwrap_or(u32::MAX).checked_sub(1);
        match (number(x), number(y)) {
            (Some(x), Some(y)) => Ok(Self::Place(uvec2(x, y))),
            _ => Err("columns and rows count from 1".into()),
        }
    }
}

/// A line with a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Line {
    /// Its text.
    pub(super) text: String,
    /// Its place, if a wrong line is an error: "file: line 3".
    pub(super) place: Option<String>,
}

/// The result of waiting for a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Input {
    Line(Line),
    /// There will be no more.
    End,
    /// Ctrl-C.
    Interrupted,
}

/// Where commands come from.
pub(super) enum CommandReader {
    /// A file in which every line has to be right.
    Script {
        name: String,
        /// Numbers and texts of the lines to come.
        lines: std::vec::IntoIter<(usize, String)>,
    },
    /// Lines typed or piped.
    Standard {
        lines: Option<Receiver<io::Result<String>>>,
        is_terminal: bool,
    },
}

impl CommandReader {
    /// The commands of a script.
    pub(super) fn script(path: &Path) -> Result<Self> {
        let bytes = read_bytes(path, MAX_SCRIPT)?;
        let text = String::from_utf8_lossy(&bytes);
        let lines = (1..).zip(text.lines()).filter_map(|(number, line)| {
            let line = match line.split_once('#') {
                Some((before, _)) => before,
                None => line,
            };
            let line = line.trim();
            (!line.is_empty()).then(|| (number, line.to_owned()))
        });
        let name = if is_standard(path) {
            "standard input".into()
        } else {
            path.display().to_string()
        };
        Ok(Self::Script {
            name,
            lines: lines.collect::<Vec<_>>().into_iter(),
        })
    }

    /// The commands of standard input. Nothing is read before the first is needed.
    pub(super) fn standard_input() -> Self {
        Self::Standard {
            lines: None,
            is_terminal: io::stdin().is_terminal(),
        }
    }

    /// Whether lines are typed at a terminal, which shows them.
    pub(super) const fn is_terminal(&self) -> bool {
        matches!(
            self,
            Self::Standard {
                is_terminal: true,
                ..
            }
        )
    }

    /// The next line.
    ///
    /// # Errors
    /// If the system cannot read.
    pub(super) fn next(&mut self) -> Result<Input> {
        match self {
            Self::Script { name, lines } => Ok(match lines.next() {
                Some((number, text)) => Input::Line(Line {
                    text,
                    place: Some(format!("{name}: line {number}")),
                }),
                None => Input::End,
            }),
            Self::Standard { lines, .. } => {
                let lines = lines.get_or_insert_with(read_in_background);
                loop {
                    if interrupt::is_requested() {
                        return Ok(Input::Interrupted);
                    }
                    match lines.recv_timeout(POLL_INTERVAL) {
                        Ok(Ok(text)) => return Ok(Input::Line(Line { text, place: None })),
                        Ok(Err(error)) => bail!("standard input: cannot be read: {error}"),
                        Err(RecvTimeoutError::Timeout) => {}
                        Err(RecvTimeoutError::Disconnected) => return Ok(Input::End),
                    }
                }
            }
        }
    }
}

/// Reads standard input in a thread, so that Ctrl-C is noticed while no key is pressed.
fn read_in_background() -> Receiver<io::Result<String>> {
    let (sender, receiver) = sync_channel(1);
    thread::spawn(move || {
        let mut input = io::stdin().lock();
        loop {
            let line = match read_line(&mut input) {
                Ok(Some(line)) => Ok(line),
                Ok(None) => return,
                Err(error) => Err(error),
            };
            let failed = line.is_err();
            if sender.send(line).is_err() || failed {
                return;
            }
        }
    });
    receiver
}

/// One line without its end, or `None` at the end of the input. Of a line that is too long only
/// the beginning is kept, which is no command.
fn read_line(input: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut bytes = Vec::new();
    input
        .by_ref()
        .take(MAX_LINE)
        .read_until(b'\n', &mut bytes)?;
    if bytes.is_empty() {
        return Ok(None);
    }
    if bytes.last() != Some(&b'\n') {
        input.skip_until(b'\n')?;
    }
    Ok(Some(String::from_utf8_lossy(&bytes).trim().to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_read_with_coordinates_from_1() {
        for line in ["12 7", " 12\t7 \r", "12,7", "12, 7"] {
            assert_eq!(
                Command::parse(line),
                Ok(Command::Place(uvec2(11, 6))),
                "{line:?}"
            );
        }
        assert_eq!(
            Command::parse("99999999999 1"),
            Ok(Command::Place(uvec2(u32::MAX - 1, 0)))
        );
        assert_eq!(Command::parse(""), Ok(Command::Run));
        assert_eq!(Command::parse("run"), Ok(Command::Run));
        assert_eq!(Command::parse("?"), Ok(Command::Help));
        assert_eq!(
            Command::parse("save my game.json"),
            Ok(Command::Save("my game.json".into()))
        );
    }

    #[test]
    fn wrong_lines_say_what_was_expected() {
        let wrong = |line: &str| Command::parse(line).unwrap_err();
        for line in [
            "12",
            "a b",
            "1 2 3",
            "-1 2",
            "1.5 2",
            "place 1 2",
            "saves x",
        ] {
            assert!(wrong(line).contains("a column and a row"), "{line}");
        }
        assert!(wrong("0 3").contains("count from 1"));
        assert!(wrong("undo 3").contains("nothing after \"undo\""));
        assert!(wrong("save").contains("a file"));
        // One line, however long and odd the input.
        let long = wrong(&"\u{7}x".repeat(5000));
        assert!(long.len() < 400 && !long.contains('\u{7}'), "{long}");
    }

    #[test]
    fn lines_are_bounded() {
        let mut input = io::Cursor::new([vec![b'1'; 100_000], b"\n3 4\nundo".to_vec()].concat());
        let mut next = || read_line(&mut input).unwrap();
        assert_eq!(next().unwrap().len(), MAX_LINE as usize);
        assert_eq!(next().unwrap(), "3 4");
        assert_eq!(next().unwrap(), "undo");
        assert_eq!(next(), None);
    }
}
