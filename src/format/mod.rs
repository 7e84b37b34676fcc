//! Bytes and boards.
//!
//! [`grid`], [`rle`], [`cells`], [`life`], [`macrocell`] and [`mod@png`] turn the bytes of a file into
//! a [`LifelikePattern`], and all but macrocell a [`LifelikeDocument`] into bytes; [`Format::detect`] finds out which
//! of them a file is for; [`rezolution`] does the same for boards of reZolution; [`mod@file`] opens and
//! replaces files, [`film`] writes animated ones. [`share_code`] and [`rezolution_code`] are for the
//! clipboard and for what the window remembers.
//! A format knows no engine, no game and no terminal.
//!
//! Nothing a file says is believed before it is checked: its size against [`Limits`] before memory
//! is taken, every count with arithmetic that cannot wrap. A file that is refused is refused with
//! one line that names the place. Columns are counted in bytes, because a faulty file need not be
//! text. The crate ca-formats is not used: it reads neither Life 1.05 nor Life 1.06, its errors name
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
pub mod rezolution;
pub mod rezolution_code;
pub mod rle;
pub mod share_code;

pub use detect::DetectError;
pub use file::{
    Content, PendingFile, ReadError, WriteError, atomic_write, check_place, family_of,
    make_folder_of, read, read_bytes, read_content, read_picture, save, write, write_rezolution,
};

use std::fmt;
use std::io;
use std::path::Path;

use thiserror::Error;

use crate::board::{self, BoardError, Edges, LifelikeBoard, MAX_PLANE_WORDS, Size, SizeError};
use crate::rules::notation::{NotationError, Topology};
use crate::rules::{FamilyName, Rule};

/// What a file said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LifelikePattern {
    /// The cells, in the size the file gave.
    pub board: LifelikeBoard,
    /// The rule, if the file named one.
    pub rule: Option<Rule>,
    /// The bounded grid that stood with the rule. It may be larger than the board, which then is
    /// to be placed on it.
    pub topology: Option<Topology>,
    /// Column and row of the board's top left cell in Golly's coordinates, in which the top left
    /// cell of a bounded grid is [`rle::grid_corner`].
    pub position: Option<(i64, i64)>,
    /// The generation the cells belong to, 0 if the file did not say.
    pub generation: u64,
    /// What a person should know about the reading, one line each: a missing header, say.
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

/// What is to be written. A format leaves out what it has no place for.
#[derive(Clone, Copy, Debug)]
pub struct LifelikeDocument<'a> {
    /// The cells.
    pub board: &'a LifelikeBoard,
    /// The rule they live under; `None` is written as B3/S23 where a format asks for a rule.
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

/// A kind of file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// `rows columns`, then the rows in `.12`.
    Grid,
    /// Run length encoded, as Golly and LifeViewer use it.
    Rle,
    /// A picture, one pixel a cell.
    Png,
    /// A short text to copy and paste.
    ShareCode,
    /// Plaintext: rows of `.` and `O`, one colour.
    Cells,
    /// Life 1.06, one colour: a list of cells. Life 1.05 is read, too.
    Life106,
    /// Golly's tree of squares; it is read only.
    Macrocell,
    /// A board of populations, barriers and targets; the only format of its family.
    Rezolution,
}

impl Format {
    /// Every format.
    pub const ALL: [Self; 8] = [
        Self::Grid,
        Self::Rle,
        Self::Cells,
        Self::Life106,
        Self::Macrocell,
        Self::Png,
        Self::ShareCode,
        Self::Rezolution,
    ];

    /// The family whose boards the format holds.
    pub const fn family(self) -> FamilyName {
        match self {
            Self::Rezolution => FamilyName::Rezolution,
            _ => FamilyName::Lifelike,
        }
    }

    /// The name by which a person asks for the format.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Grid => "grid",
            Self::Rle => "rle",
            Self::Png => "png",
            Self::ShareCode => "code",
            Self::Cells => "cells",
            Self::Life106 => "life",
            Self::Macrocell => "macrocell",
            Self::Rezolution => "populations",
        }
    }

    /// The extensions of the format's files, the usual one first.
    pub const fn extensions(self) -> &'static [&'static str] {
        match self {
            Self::Grid => &["txt", "grid"],
            Self::Rle => &["rle"],
            Self::Png => &["png"],
            Self::ShareCode => &["duolife"],
            Self::Cells => &["cells"],
            Self::Life106 => &["lif", "life"],
            Self::Macrocell => &["mc"],
            Self::Rezolution => &["rez"],
        }
    }

    /// The format that a file name's extension stands for, in upper or lower case.
    pub fn of_name(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?;
        Self::ALL.into_iter().find(|format| {
            let mut known = format.extensions().iter();
            known.any(|known| known.eq_ignore_ascii_case(extension))
        })
    }

    /// The format with this name or extension.
    pub fn parse(name: &str) -> Option<Self> {
        let same = |known: &str| known.eq_ignore_ascii_case(name);
        Self::ALL.into_iter().find(|format| {
            same(format.name()) || format.extensions().iter().any(|known| same(known))
        })
    }

    /// The format of a file with these bytes: by what they say, else by the extension of `path`.
    ///
    /// # Errors
    /// [`DetectError`] if the bytes belong to a known format that is not read, or to none.
    pub fn detect(bytes: &[u8], path: Option<&Path>) -> Result<Self, DetectError> {
        detect::detect(bytes, path)
    }

    /// Whether the format can be written, at least for some boards.
    pub const fn is_written(self) -> bool {
        !matches!(self, Self::Macrocell)
    }

    /// Whether the format has a place for this board. Asked before a file is touched.
    ///
    /// # Errors
    /// [`CannotHold`] with a format that has.
    pub fn check(self, document: &LifelikeDocument) -> Result<(), CannotHold> {
        let coloured = || document.board.blue().iter().any(|&word| word != 0);
        match self {
            Self::Grid | Self::Rle | Self::Png => Ok(()),
            Self::ShareCode => match share_code::of(document) {
                Ok(_) => Ok(()),
                Err(_) => Err(CannotHold::TooMuch),
            },
            Self::Cells | Self::Life106 if coloured() => Err(CannotHold::Blue(self)),
            Self::Cells | Self::Life106 => Ok(()),
            Self::Macrocell => Err(CannotHold::ReadOnly(self)),
            Self::Rezolution => Err(CannotHold::OtherFamily(self)),
        }
    }
}

/// Why a board cannot be written in a format.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum CannotHold {
    /// The format has one colour.
    #[error(
        "{0} has no colours and the board has blue cells; write RLE (.rle) or grid text (.txt)"
    )]
    Blue(Format),
    /// The format holds small boards only.
    #[error(
        "a share code has at most {} characters, too few for this board; write RLE (.rle) or grid text (.txt)",
        share_code::MAX_LENGTH
    )]
    TooMuch,
    /// The format is for boards of another family.
    #[error(
        "{0} files are boards of reZolution and this one has no populations; write RLE (.rle) or grid text (.txt)"
    )]
    OtherFamily(Format),
    /// The format is never written.
    #[error("{0} files are read only; write RLE (.rle) or grid text (.txt)")]
    ReadOnly(Format),
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Grid => "grid text",
            Self::Rle => "RLE",
            Self::Png => "PNG",
            Self::ShareCode => "share code",
            Self::Cells => "plaintext",
            Self::Life106 => "Life 1.06",
            Self::Macrocell => "macrocell",
            Self::Rezolution => "populations",
        })
    }
}

/// What a file may ask for. The default allows whatever a board may be; a caller lowers it to the
/// memory of the machine.
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

/// The pattern in the bytes of a file.
///
/// # Errors
/// [`FormatError`] with the place of the first fault.
pub fn parse(
    bytes: &[u8],
    format: Format,
    limits: &Limits,
) -> Result<LifelikePattern, FormatError> {
    match format {
        Format::Grid => grid::parse(bytes, limits),
        Format::Rle => rle::parse(bytes, limits),
        Format::Png => png::parse(bytes, 1, limits),
        Format::ShareCode => share_code::parse(bytes, limits),
        Format::Cells => cells::parse(bytes, limits),
        Format::Life106 => life::parse(bytes, limits),
        Format::Macrocell => macrocell::parse(bytes, limits),
        Format::Rezolution => Err(FormatError::at(bytes, 0, Fault::OtherFamily)),
    }
}

/// Writes the bytes of a file; `out` should be buffered.
///
/// # Errors
/// Those of `out`, and [`CannotHold`] as an [`io::ErrorKind::InvalidInput`] before anything is
/// written.
pub fn encode(
    document: &LifelikeDocument,
    format: Format,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    let invalid = |error| io::Error::new(io::ErrorKind::InvalidInput, error);
    format.check(document).map_err(invalid)?;
    match format {
        Format::Grid => grid::encode(document.board, out),
        Format::Rle => rle::encode(document, out),
        Format::Png => png::encode(document.board, out),
        Format::ShareCode => share_code::write(document, out),
        Format::Cells => cells::encode(document.board, out),
        Format::Life106 => life::encode(document.board, out),
        Format::Macrocell => Err(invalid(CannotHold::ReadOnly(format))),
        Format::Rezolution => Err(invalid(CannotHold::OtherFamily(format))),
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
    use glam::{UVec2, uvec2};

    use super::*;

    #[test]
    fn formats_are_known_by_name_and_extension() {
        let of = |name: &str| Format::of_name(Path::new(name));
        assert_eq!(of("a/b.TXT"), Some(Format::Grid));
        assert_eq!(of("b.grid"), Some(Format::Grid));
        assert_eq!(of("x.y.Rle"), Some(Format::Rle));
        assert_eq!(of("rle"), None);
        assert_eq!(of("-"), None);
        assert_eq!(of("x.MC"), Some(Format::Macrocell));
        assert_eq!(of("x.cells"), Some(Format::Cells));
        assert_eq!(of("x.lif"), Some(Format::Life106));
        assert_eq!(of("x.life"), Some(Format::Life106));
        assert_eq!(of("x.mcl"), None);
        for format in Format::ALL {
            assert_eq!(Format::parse(format.name()), Some(format));
            for extension in format.extensions() {
                assert_eq!(Format::parse(extension), Some(format));
            }
        }
        assert_eq!(Format::parse("RLE"), Some(Format::Rle));
        assert_eq!(Format::parse("PNG"), Some(Format::Png));
        assert_eq!(Format::parse("gif"), None);
    }

    #[test]
    fn what_a_format_cannot_hold_is_refused_before_anything_is_written() {
        let mut board = LifelikeBoard::new(Size::new(3, 1).unwrap()).unwrap();
        board.set(UVec2::ZERO, crate::board::LifelikeCell::Red);
        let written = |board: &LifelikeBoard, format| {
            let mut bytes = Vec::new();
            let ended = encode(&LifelikeDocument::new(board), format, &mut bytes);
            match ended {
                Ok(()) => Ok(String::from_utf8(bytes).unwrap()),
                Err(error) => {
                    assert!(bytes.is_empty());
                    assert_eq!(error.kind(), io::ErrorKind::InvalidInput);
                    Err(error.to_string())
                }
            }
        };
        assert_eq!(written(&board, Format::Cells).as_deref(), Ok("O..\n"));
        let life = written(&board, Format::Life106);
        assert_eq!(life.as_deref(), Ok("#Life 1.06\n0 0\n"));
        assert!(written(&board, Format::Macrocell).is_err());
        board.set(uvec2(2, 0), crate::board::LifelikeCell::Blue);
        for format in Format::ALL {
            let check = format.check(&LifelikeDocument::new(&board));
            let one_coloured = matches!(format, Format::Cells | Format::Life106);
            let holds = format.is_written() && !one_coloured && format != Format::Rezolution;
            assert_eq!(check.is_ok(), holds, "{format}");
            if let Err(error) = check {
                let message = written(&board, format).unwrap_err();
                assert_eq!(message, error.to_string());
                assert!(message.starts_with(&format.to_string()), "{message}");
                assert!(
                    message.contains(".rle") && message.contains(".txt"),
                    "{message}"
                );
            }
        }
        assert!(
            Format::ALL
                .iter()
                .all(|f| f.is_written() || *f == Format::Macrocell)
        );
    }

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
