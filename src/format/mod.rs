//! Bytes and boards.
//!
//! [`grid`], [`rle`], [`cells`], [`life`], [`macrocell`] and [`mod@png`] turn the bytes of a file into
//! a [`LifelikePattern`], and all but macrocell a [`LifelikeDocument`] into bytes; [`rezolution`] does
//! the same for boards of reZolution. [`FormatInfo`] is the table of them all, [`Format::detect`] finds
//! out which of them a file is for. [`mod@file`] opens and replaces files, [`film`] writes animated
//! ones. [`share_code`] and [`rezolution_code`] are for the clipboard and for what the window remembers.
//! A format knows no engine, no game and no terminal.
//!
//! Everything in a file is checked before it is used: its size against [`Limits`] before memory is
//! allocated, every count with arithmetic that cannot wrap. The error for a refused file is one line
//! that names the place. Columns are counted in bytes, because a faulty file need not be text. The
//! crate ca-formats is not used: it reads neither Life 1.05 nor Life 1.06, its errors name
//! no place, and it hands out the nodes of a macrocell file without checking levels or references.

pub mod cells;
mod detect;
pub mod file;
pub mod film;
pub mod golly_rule;
pub mod grid;
pub mod life;
mod lines;
pub mod macrocell;
pub mod png;
mod registry;
pub mod rezolution;
pub mod rezolution_code;
pub mod rle;
pub mod share_code;

pub use detect::DetectError;
pub use file::{
    FileIdentity, PendingFile, ReadError, StandardOutput, WriteError, atomic_write, check_place,
    family_of, is_standard_output, make_folder_of, read, read_bytes, read_content, read_picture,
    remove_temporary_files, save, save_rezolution, stop_waiting,
};
pub use registry::{
    CannotHold, Content, Format, FormatInfo, encode, encode_rezolution, parse, parse_content,
};

use std::fmt;

use glam::I64Vec2;
use thiserror::Error;

use crate::board::{self, BoardError, Edges, LifelikeBoard, MAX_PLANE_WORDS, Size, SizeError};
use crate::rules::Rule;
use crate::rules::notation::{NotationError, Topology};

/// The pattern in a file and what the file says about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LifelikePattern {
    /// The cells, in the size the file gave.
    pub board: LifelikeBoard,
    /// The rule, if the file named one.
    pub rule: Option<Rule>,
    /// The bounded grid given with the rule. It may be larger than the board, which is then placed
    /// on it.
    pub topology: Option<Topology>,
    /// Column and row of the board's top left cell in Golly's coordinates, in which the top left
    /// cell of a bounded grid is [`rle::grid_corner`].
    pub position: Option<I64Vec2>,
    /// The generation the cells belong to, 0 if the file did not say.
    pub generation: u64,
    /// Notes for the user, one line each: a missing header, for example.
    pub notes: Vec<String>,
}

impl LifelikePattern {
    /// A board about which the file said nothing else.
    pub fn new(board: LifelikeBoard) -> Self {
        Self {
            board,
            rule: None,
            topology: None,
            position: None,
            generation: 0,
            notes: Vec::new(),
        }
    }
}

/// What to write. A format leaves out what it has no place for.
#[derive(Clone, Copy, Debug)]
pub struct LifelikeDocument<'a> {
    /// The cells.
    pub board: &'a LifelikeBoard,
    /// The rule; `None` is written as B3/S23 where a format asks for a rule.
    pub rule: Option<Rule>,
    /// The edges of the board; with them the board is written as a bounded grid of its size.
    pub edges: Option<Edges>,
    /// The generation the cells belong to.
    pub generation: u64,
}

impl<'a> LifelikeDocument<'a> {
    /// A board and nothing else.
    pub fn new(board: &'a LifelikeBoard) -> Self {
        Self {
            board,
            rule: None,
            edges: None,
            generation: 0,
        }
    }
}

/// The largest file and board that are read. The default allows every possible board; a caller
/// lowers it to the memory of the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of a file, all of which are held in memory while it is read.
    pub max_file_bytes: u64,
    /// Bytes of a board, both planes together.
    pub max_board_bytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_file_bytes: 8 << 30,
            max_board_bytes: 2 * 4 * MAX_PLANE_WORDS,
        }
    }
}

impl Limits {
    /// A board's size, if it can exist and is allowed.
    fn size(&self, width: u64, height: u64) -> Result<Size, Fault> {
        let size = Size::new(width, height)?;
        self.allow(size, 2 * size.plane_bytes())
    }

    /// The size of a board of populations, if it can exist and is allowed.
    fn rezolution_size(&self, width: u64, height: u64) -> Result<Size, Fault> {
        let size = Size::new(width, height)?;
        board::rezolution::check_size(size)?;
        self.allow(size, board::rezolution::bytes(size))
    }

    fn allow(&self, size: Size, bytes: u64) -> Result<Size, Fault> {
        let most = self.max_board_bytes;
        if bytes > most {
            return Err(Fault::Limit { size, bytes, most });
        }
        Ok(size)
    }
}

/// A place in a file, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The line; LF, CRLF and a lone CR end one.
    pub line: u64,
    /// The byte in the line.
    pub column: u64,
}

impl Place {
    /// The place of the byte at `at`. Counted from the start of the file, so that reading need not
    /// keep count: a file has one fault at most.
    fn of(bytes: &[u8], at: usize) -> Self {
        let mut place = Self { line: 1, column: 1 };
        for i in 0..at.min(bytes.len()) {
            let ends_line = match bytes[i] {
                b'\n' => true,
                b'\r' => bytes.get(i + 1) != Some(&b'\n'),
                _ => false,
            };
            if ends_line {
                place.line += 1;
                place.column = 1;
            } else {
                place.column += 1;
            }
        }
        place
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

/// Why the bytes of a file were refused. The message is one line and complete without its
/// sources; the caller knows the name of the file.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("{place}: {fault}")]
pub struct FormatError {
    /// Where the fault is.
    pub place: Place,
    /// What it is.
    pub fault: Fault,
}

impl FormatError {
    /// A fault at the byte `at`.
    fn at(bytes: &[u8], at: usize, fault: impl Into<Fault>) -> Self {
        Self {
            place: Place::of(bytes, at),
            fault: fault.into(),
        }
    }
}

/// What is wrong with a file.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum Fault {
    /// It is no text grid.
    #[error(transparent)]
    Grid(#[from] grid::Fault),
    /// It is no RLE, or one that means something else than a two-colour board.
    #[error(transparent)]
    Rle(#[from] rle::Fault),
    /// It is no share code, or a damaged one.
    #[error(transparent)]
    ShareCode(#[from] share_code::ShareError),
    /// It is no PNG, or one with other colours than cells have.
    #[error(transparent)]
    Png(#[from] png::Fault),
    /// It is no plaintext.
    #[error(transparent)]
    Cells(#[from] cells::Fault),
    /// It is neither Life 1.05 nor Life 1.06.
    #[error(transparent)]
    Life(#[from] life::Fault),
    /// It is no macrocell file, or one of other states.
    #[error(transparent)]
    Macrocell(#[from] macrocell::Fault),
    /// It holds a board of another family than is asked for.
    #[error(
        "expected dead, red and blue cells, found a board of reZolution, which has populations"
    )]
    OtherFamily,
    /// It is no board of populations.
    #[error(transparent)]
    Rezolution(#[from] rezolution::Fault),
    /// A rule of another family, or none.
    #[error(transparent)]
    Rule(#[from] NotationError),
    /// A rule string of no sensible length.
    #[error("the rule is longer than {0} bytes; write one like B3/S23")]
    RuleTooLong(usize),
    /// No board has such a size.
    #[error(transparent)]
    Size(#[from] SizeError),
    /// The caller allows no board of this size.
    #[error(
        "a board of {size} cells takes {bytes} bytes, at most {most} are allowed; a smaller board or more memory would do"
    )]
    Limit {
        /// Size of the board.
        size: Size,
        /// Bytes of its planes.
        bytes: u64,
        /// Bytes allowed.
        most: u64,
    },
    /// The board could not be made.
    #[error(transparent)]
    Board(#[from] BoardError),
}

/// The byte-order mark that some editors put before UTF-8 text.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// A space or a tab.
const fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

/// Whether a text begins with `start` in upper or lower case, blanks and blank lines aside.
fn begins_with(text: &[u8], start: &[u8]) -> bool {
    let head = text.trim_ascii_start().get(..start.len());
    head.is_some_and(|head| head.eq_ignore_ascii_case(start))
}

/// What stands at `at`, for a message: a character, a byte that is none, or an end.
fn found_at(bytes: &[u8], at: usize) -> String {
    let rest = bytes.get(at..).unwrap_or_default();
    let Some(&first) = rest.first() else {
        return "the end of the file".into();
    };
    match first {
        b'\n' | b'\r' => "the end of the line".into(),
        b'\t' => "a tab".into(),
        b' ' => "a blank".into(),
        _ => {
            let head = &rest[..rest.len().min(4)];
            let character = head
                .utf8_chunks()
                .next()
                .and_then(|c| c.valid().chars().next());
            match character.filter(|c| !c.is_control()) {
                Some(character) => format!("'{character}'"),
                None => format!("byte 0x{first:02x}"),
            }
        }
    }
}

/// The note on a generation of more than 64 bits, of which Golly can count more.
fn generation_left_out(digits: &[u8]) -> String {
    format!(
        "generation {} is beyond 2^64 and left out: the board counts from 0",
        quoted(digits)
    )
}

/// A piece of a file as it may stand in a message: one line, not long, no control characters.
fn quoted(bytes: &[u8]) -> String {
    const MOST: usize = 40;
    if bytes.is_empty() {
        return "nothing".into();
    }
    let cut = if bytes.len() > MOST { "..." } else { "" };
    format!("'{}{cut}'", one_line(&bytes[..bytes.len().min(MOST)]))
}

/// Bytes as text without control characters.
pub(crate) fn one_line(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes)
        .chars()
        .map(|c| if c.is_control() { '\u{fffd}' } else { c })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_counted_from_1_with_any_line_ends() {
        let bytes = b"ab\ncd\r\nef\rgh";
        let place = |at| {
            let place = Place::of(bytes, at);
            (place.line, place.column)
        };
        assert_eq!(place(0), (1, 1));
        assert_eq!(place(3), (2, 1));
        assert_eq!(place(7), (3, 1));
        assert_eq!(place(11), (4, 2));
        assert_eq!(place(99), (4, 3));
    }

    #[test]
    fn what_was_found_fits_on_one_line() {
        assert_eq!(found_at("é".as_bytes(), 0), "'é'");
        assert_eq!(found_at(b"\xff!", 0), "byte 0xff");
        assert_eq!(found_at(b"\x1b[2J", 0), "byte 0x1b");
        assert_eq!(found_at(b"a\r\n", 1), "the end of the line");
        assert_eq!(found_at(b"a", 1), "the end of the file");
        assert_eq!(quoted(b"a\nb\xff"), "'a\u{fffd}b\u{fffd}'");
        assert!(quoted(&[b'9'; 1000]).len() < 60);
    }

    #[test]
    fn the_caller_can_lower_the_limits() {
        let limits = Limits {
            max_board_bytes: 800,
            ..Limits::default()
        };
        assert!(limits.size(320, 10).is_ok());
        let error = limits.size(321, 10).unwrap_err().to_string();
        assert!(
            error.contains("321x10") && error.contains("880 bytes"),
            "{error}"
        );
        assert!(Limits::default().size(1 << 18, 1 << 18).is_ok());
    }
}
