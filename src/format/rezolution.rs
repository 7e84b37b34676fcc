//! Boards of populations, barriers and targets, as a person reads and edits them.
//!
//! ```text
//! duolife populations 1       the format and its version
//! size 6x3                    columns x rows
//! edges dead                  or torus; may be left out
//! generation 40               may be left out
//!
//!  .  .  #  .  .  x           as many rows of as many cells:
//! +3 +1  #  . -2  .            .  empty      +3  red, 1 to 127      x   target, empty
//!  .  .  .  .  . x-1           #  barrier    -3  blue, 1 to 127     x+3, x-3  target, populated
//! ```
//!
//! The lines before the rows stand in any order after the first. Blank lines mean nothing, nor does
//! what follows a `;` in a line. Cells are set apart by blanks or by nothing: `..#..x` is a row of
//! six. On writing every cell is as wide as the widest one, so that columns stand below each other.

use glam::uvec2;
use std::io;

use thiserror::Error;

use super::lines::{Line, lines, text_start};
use super::{FormatError, Limits, found_at, quoted};
use crate::board::rezolution::{Ground, MAX_POPULATION, RezolutionCell};
use crate::board::{Edges, RezolutionBoard, Size};

/// How a file of populations begins.
pub(super) const FIRST_WORDS: [&[u8]; 2] = [b"duolife", b"populations"];

/// The version of the format that is read and written.
const VERSION: u32 = 1;

/// What a file of populations says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RezolutionPattern {
    /// The cells.
    pub board: RezolutionBoard,
    /// The edges, if the file named them.
    pub edges: Option<Edges>,
    /// The generation the cells belong to, 0 if the file did not say.
    pub generation: u64,
}

/// What is to be written.
#[derive(Clone, Copy, Debug)]
pub struct RezolutionDocument<'a> {
    /// The cells.
    pub board: &'a RezolutionBoard,
    /// The edges of the board, if they are known.
    pub edges: Option<Edges>,
    /// The generation the cells belong to.
    pub generation: u64,
}

/// What is wrong with a file of populations.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum Fault {
    /// It begins in another way.
    #[error("expected 'duolife populations {VERSION}', found {0}")]
    FirstLine(String),
    /// It is of another version.
    #[error("version {0} of this format is not known; version {VERSION} is")]
    Version(String),
    /// A line is neither one of the header nor a row.
    #[error("expected 'size', 'edges', 'generation' or a row of cells, found {0}")]
    Key(String),
    /// A line of the header comes again.
    #[error("'{0}' stands here for the second time; leave one of them")]
    Twice(&'static str),
    /// A size that is none.
    #[error("expected columns x rows, as in 'size 40x30', found {0}")]
    SizeText(String),
    /// Edges of another kind.
    #[error("expected 'torus' or 'dead', found {0}")]
    Edges(String),
    /// No generation.
    #[error("expected the number of a generation, found {0}")]
    Generation(String),
    /// A line of the header goes on.
    #[error("expected the end of the line, found {0}")]
    More(String),
    /// The cells begin before their size is known.
    #[error("expected a line like 'size 40x30' (columns x rows) before the first row")]
    NoSize,
    /// A character that is no cell.
    #[error(
        "expected a cell ('.' empty, '#' barrier, 'x' target, '+3' red, '-3' blue, 'x+3' a populated target), found {0}"
    )]
    Cell(String),
    /// A population that is none.
    #[error("expected a population from 1 to {MAX_POPULATION} after the sign, found {0}")]
    Population(String),
    /// A row ends early.
    #[error(
        "expected {expected} columns, found the end of the row after {found}; 'size' gives columns, then rows"
    )]
    ShortRow {
        /// Columns of the size.
        expected: u32,
        /// Cells there are.
        found: u32,
    },
    /// A row goes on after its last cell.
    #[error(
        "expected the end of the row after {expected} columns, found {found}; 'size' gives columns, then rows"
    )]
    LongRow {
        /// Columns of the size.
        expected: u32,
        /// What follows them.
        found: String,
    },
    /// The file ends early.
    #[error(
        "expected {expected} rows, found the end of the file after {found}; 'size' gives columns, then rows"
    )]
    MissingRow {
        /// Rows of the size.
        expected: u32,
        /// Rows there are.
        found: u32,
    },
    /// The file goes on after its last row.
    #[error(
        "expected the end of the file after {expected} rows, found {found}; remove what follows or correct 'size'"
    )]
    ExtraRow {
        /// Rows of the size.
        expected: u32,
        /// What follows them.
        found: String,
    },
}

/// The board in a file of populations.
///
/// # Errors
/// [`FormatError`] for the first place that is not as the format asks.
pub fn parse(bytes: &[u8], limits: &Limits) -> Result<RezolutionPattern, FormatError> {
    let lines = lines(bytes, text_start(bytes)).map(without_comment);
    let mut lines = lines.filter(|line| !line.text.is_empty()).peekable();
    let start = Line {
        at: text_start(bytes),
        text: &[],
    };
    first_line(bytes, lines.next().unwrap_or(start))?;
    let mut header = Header::default();
    while let Some(line) = lines.next_if(|line| !starts_row(*line)) {
        header.read(bytes, line, limits)?;
    }
    let after_header = lines.peek().map_or(bytes.len(), |line| line.at);
    let size = header
        .size
        .ok_or_else(|| FormatError::at(bytes, after_header, Fault::NoSize))?;

    // A cell is a byte at least. A file too short for its size has a fault, which is looked for
    // without memory for the board.
    let mut board = match size.cells() <= bytes.len() as u64 {
        true => Some(
            RezolutionBoard::new(size)
                .map_err(|fault| FormatError::at(bytes, after_header, fault))?,
        ),
        false => None,
    };
    for y in 0..size.height() {
        let Some(line) = lines.next() else {
            let fault = Fault::MissingRow {
                expected: size.height(),
                found: y,
            };
            return Err(FormatError::at(bytes, bytes.len(), fault));
        };
        read_row(bytes, line, size.width(), |x, spot| {
            if let Some(board) = &mut board {
                board.set(uvec2(x, y), spot);
            }
        })?;
    }
    let extra = lines.next().map(|line| line.at);
    match (extra, board) {
        (None, Some(board)) => Ok(RezolutionPattern {
            board,
            edges: header.edges,
            generation: header.generation.unwrap_or(0),
        }),
        (extra, _) => {
            let at = extra.unwrap_or(bytes.len());
            let fault = Fault::ExtraRow {
                expected: size.height(),
                found: found_at(bytes, at),
            };
            Err(FormatError::at(bytes, at, fault))
        }
    }
}

/// Writes a board, with a line that explains the cells.
///
/// # Errors
/// Those of `out`.
pub fn encode(document: &RezolutionDocument<'_>, out: &mut dyn io::Write) -> io::Result<()> {
    let RezolutionDocument {
        board,
        edges,
        generation,
    } = document;
    let size = board.size();
    writeln!(out, "duolife populations {VERSION}\nsize {size}")?;
    if let Some(edges) = edges {
        writeln!(out, "edges {edges}")?;
    }
    if *generation > 0 {
        writeln!(out, "generation {generation}")?;
    }
    writeln!(
        out,
        "; . empty  # barrier  x target  +3 red  -3 blue  x+3 populated target\n"
    )?;
    let rows = || (0..size.height()).map(|y| board.row(y));
    let widths = rows().flat_map(|row| row.map(text_width));
    let width = widths.max().unwrap_or(1);
    for row in rows() {
        for (x, spot) in row.enumerate() {
            let gap = if x == 0 { "" } else { " " };
            write!(out, "{gap}{spot:>width$}")?;
        }
        writeln!(out)?;
    }
    Ok(())
}

/// Whether the text begins like a file of populations, comments and blank lines aside.
pub(super) fn begins(text: &[u8]) -> bool {
    let mut lines = lines(text, text_start(text)).map(without_comment);
    let Some(first) = lines.find(|line| !line.text.is_empty()) else {
        return false;
    };
    let (word, rest) = first.word();
    let (next, _) = rest.word();
    let same = |word: Line<'_>, known: &[u8]| word.text.eq_ignore_ascii_case(known);
    same(word, FIRST_WORDS[0]) && same(next, FIRST_WORDS[1])
}

/// What stands before the rows.
#[derive(Default)]
struct Header {
    size: Option<Size>,
    edges: Option<Edges>,
    generation: Option<u64>,
}

impl Header {
    fn read(&mut self, bytes: &[u8], line: Line<'_>, limits: &Limits) -> Result<(), FormatError> {
        let (key, rest) = line.word();
        let (value, rest) = rest.word();
        let refuse = |at: Line<'_>, fault| Err(FormatError::at(bytes, at.at, fault));
        let shown = || quoted(value.text);
        let twice = match key.text {
            b"size" => {
                let Some((width, height)) = sides(value.text) else {
                    return refuse(value, Fault::SizeText(shown()));
                };
                let size = limits.rezolution_size(width, height);
                let size = size.map_err(|fault| FormatError::at(bytes, value.at, fault))?;
                self.size.replace(size).map(|_| "size")
            }
            b"edges" => {
                let edges = match value.text {
                    b"torus" => Edges::Torus,
                    b"dead" => Edges::Dead,
                    _ => return refuse(value, Fault::Edges(shown())),
                };
                self.edges.replace(edges).map(|_| "edges")
            }
            b"generation" => {
                let digits = value.text.iter().all(u8::is_ascii_digit);
                let Some(generation) = value.number().filter(|_| digits) else {
                    return refuse(value, Fault::Generation(shown()));
                };
                self.generation.replace(generation).map(|_| "generation")
            }
            _ => return refuse(key, Fault::Key(quoted(key.text))),
        };
        if let Some(key_name) = twice {
            return refuse(key, Fault::Twice(key_name));
        }
        let (more, _) = rest.word();
        match more.text {
            [] => Ok(()),
            text => refuse(more, Fault::More(quoted(text))),
        }
    }
}

fn first_line(bytes: &[u8], line: Line<'_>) -> Result<(), FormatError> {
    let (first, rest) = line.word();
    let (second, rest) = rest.word();
    let (version, rest) = rest.word();
    let (more, _) = rest.word();
    let refuse = |at: Line<'_>, fault| Err(FormatError::at(bytes, at.at, fault));
    for (word, known) in [first, second].into_iter().zip(FIRST_WORDS) {
        if !word.text.eq_ignore_ascii_case(known) {
            return refuse(word, Fault::FirstLine(quoted(line.text)));
        }
    }
    if version.number() != Some(VERSION) {
        return refuse(version, Fault::Version(quoted(version.text)));
    }
    match more.text {
        [] => Ok(()),
        text => refuse(more, Fault::More(quoted(text))),
    }
}

/// A line up to its `;`, without blanks at either end.
fn without_comment(line: Line<'_>) -> Line<'_> {
    let end = line.text.iter().position(|&b| b == b';');
    let text = &line.text[..end.unwrap_or(line.text.len())];
    let blanks = text.iter().rev().take_while(|b| super::is_blank(**b));
    let length = text.len() - blanks.count();
    let line = Line {
        at: line.at,
        text: &text[..length],
    };
    line.skip(line.indent())
}

/// Whether a line is one of cells and not of the header, whose words are letters.
fn starts_row(line: Line<'_>) -> bool {
    let first = line.text.first();
    first.is_some_and(|byte| !byte.is_ascii_alphabetic() || byte.eq_ignore_ascii_case(&b'x'))
}

/// Two whole numbers with an `x` between.
fn sides(text: &[u8]) -> Option<(u64, u64)> {
    let text = str::from_utf8(text).ok()?;
    let (width, height) = text.split_once(['x', 'X'])?;
    let number = |text: &str| {
        let digits = text.bytes().all(|b| b.is_ascii_digit());
        text.parse().ok().filter(|_| digits)
    };
    Some((number(width)?, number(height)?))
}

/// Hands the cells of a row of `width` to `put`.
fn read_row(
    bytes: &[u8],
    line: Line<'_>,
    width: u32,
    mut put: impl FnMut(u32, RezolutionCell),
) -> Result<(), FormatError> {
    let mut rest = line;
    let mut x = 0;
    loop {
        rest = rest.skip(rest.indent());
        if rest.text.is_empty() {
            break;
        }
        if x == width {
            let fault = Fault::LongRow {
                expected: width,
                found: found_at(bytes, rest.at),
            };
            return Err(FormatError::at(bytes, rest.at, fault));
        }
        let (spot, length) = read_cell(bytes, rest)?;
        put(x, spot);
        rest = rest.skip(length);
        x += 1;
    }
    if x < width {
        let fault = Fault::ShortRow {
            expected: width,
            found: x,
        };
        return Err(FormatError::at(bytes, line.end(), fault));
    }
    Ok(())
}

/// The cell a text begins with, and how many bytes it takes.
fn read_cell(bytes: &[u8], text: Line<'_>) -> Result<(RezolutionCell, usize), FormatError> {
    let (ground, mark) = match text.text {
        [b'.', ..] => return Ok((RezolutionCell::default(), 1)),
        [b'#', ..] => {
            let spot = RezolutionCell {
                population: 0,
                ground: Ground::Barrier,
            };
            return Ok((spot, 1));
        }
        [b'x' | b'X', ..] => (Ground::Target, 1),
        _ => (Ground::Open, 0),
    };
    let sign = match text.text.get(mark) {
        Some(b'+') => 1,
        Some(b'-') => -1,
        _ if ground == Ground::Target => {
            let population = 0;
            return Ok((RezolutionCell { population, ground }, mark));
        }
        _ => {
            let found = found_at(bytes, text.at);
            return Err(FormatError::at(bytes, text.at, Fault::Cell(found)));
        }
    };
    let number = text.skip(mark + 1);
    let digits = number.text.iter().take_while(|b| b.is_ascii_digit());
    let digits = Line {
        text: &number.text[..digits.count()],
        ..number
    };
    match digits.number() {
        Some(population @ 1..=MAX_POPULATION) => {
            let population: i8 = sign * population;
            Ok((
                RezolutionCell { population, ground },
                mark + 1 + digits.text.len(),
            ))
        }
        _ => {
            let found = match digits.text {
                [] => found_at(bytes, number.at),
                text => quoted(text),
            };
            Err(FormatError::at(bytes, number.at, Fault::Population(found)))
        }
    }
}

/// Characters of a cell.
fn text_width(spot: RezolutionCell) -> usize {
    let digits = match spot.population.unsigned_abs() {
        0 => 0,
        1..=9 => 1,
        10..=99 => 2,
        _ => 3,
    };
    match (spot.ground, digits) {
        (Ground::Target, 0) => 1,
        (Ground::Target, digits) => 2 + digits,
        (_, 0) => 1,
        (_, digits) => 1 + digits,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(text: &str) -> Result<RezolutionPattern, String> {
        parse(text.as_bytes(), &Limits::default()).map_err(|error| error.to_string())
    }

    fn written(board: &RezolutionBoard, edges: Option<Edges>, generation: u64) -> String {
        let mut bytes = Vec::new();
        let document = RezolutionDocument {
            board,
            edges,
            generation,
        };
        encode(&document, &mut bytes).unwrap();
        String::from_utf8(bytes).unwrap()
    }

    /// The refusal of `text`, which must name the place and contain `what`.
    #[track_caller]
    fn check_refused(text: &str, place: &str, what: &str) {
        let error = read(text).unwrap_err();
        assert!(
            error.starts_with(&format!("{place}: ")),
            "{text:?}: {error}"
        );
        assert!(error.contains(what), "{text:?}: {error}");
        assert!(!error.contains(['\n', '\r', '\t']), "{text:?}: {error}");
    }

    const SMALL: &str = "duolife populations 1
size 6x3
edges dead
generation 40
; . empty  # barrier  x target  +3 red  -3 blue  x+3 populated target

  .   .   #   .    .   x
 +3  +1   #   .   -2   .
  .   .   .   . x-12   .
";

    #[test]
    fn a_file_says_what_it_shows() {
        let pattern = read(SMALL).unwrap();
        assert_eq!((pattern.edges, pattern.generation), (Some(Edges::Dead), 40));
        let board = pattern.board;
        let shown: Vec<String> = (0..3)
            .map(|y| board.row(y).map(|spot| format!("{spot} ")).collect())
            .collect();
        assert_eq!(
            shown,
            [". . # . . x ", "+3 +1 # . -2 . ", ". . . . x-12 . "]
        );
        let wide = written(&board, Some(Edges::Dead), 40);
        assert!(wide.ends_with("   .    .    .    . x-12    .\n"), "{wide}");
        assert_eq!(read(&wide).unwrap().board, board);
    }

    #[test]
    fn what_a_person_may_write_differently() {
        let plain = read(SMALL).unwrap();
        for text in [
            "duolife populations 1\nsize 6x3\nedges dead\ngeneration 40\n..#..x\n+3+1#.-2.\n....x-12.",
            "; a battle\n\n\tDuolife  Populations 1 ; mine\r\ngeneration 040\r\nedges dead\r\nsize 6X3 ; small\r\n; rows\r\n..#..X;x\r\n\r\n+03 +001 #.-2 .\r\n....x-12.\r\n\r\n; end",
            "\u{feff}duolife populations 1\rgeneration 40\redges dead\rsize 6x3\r..#..x\r+3+1#.-2.\r....x-12.\r",
        ] {
            assert_eq!(read(text).as_ref(), Ok(&plain), "{text:?}");
        }
        let short = read("duolife populations 1\nsize 1x1\n.").unwrap();
        assert_eq!((short.edges, short.generation), (None, 0));
        assert!(begins(b"; x\n duolife\tpopulations 7"));
        assert!(!begins(b"duolife population 1") && !begins(b"; x\n") && !begins(b""));
    }

    #[test]
    fn every_other_header_is_refused() {
        for (text, place, what) in [
            (
                "",
                "line 1, column 1",
                "'duolife populations 1', found nothing",
            ),
            ("size 3x3\n", "line 1, column 1", "found 'size 3x3'"),
            (
                "duolife board 1\n",
                "line 1, column 9",
                "found 'duolife board 1'",
            ),
            (
                "duolife populations\n",
                "line 1, column 20",
                "version nothing",
            ),
            (
                "duolife populations 2\n",
                "line 1, column 21",
                "version '2'",
            ),
            (
                "duolife populations 1 x\n",
                "line 1, column 23",
                "end of the line, found 'x'",
            ),
        ] {
            check_refused(text, place, what);
        }
        for (text, place, what) in [
            ("siz 3x3\n", "line 2, column 1", "found 'siz'"),
            (
                "size\n...\n",
                "line 2, column 5",
                "'size 40x30', found nothing",
            ),
            ("size 3\n", "line 2, column 6", "found '3'"),
            ("size 3x\n", "line 2, column 6", "found '3x'"),
            ("size 3 x 3\n", "line 2, column 6", "found '3'"),
            ("size +3x3\n", "line 2, column 6", "found '+3x3'"),
            ("size 0x3\n", "line 2, column 6", "at least 1"),
            ("size 1000000x1000000\n", "line 2, column 6", "too large"),
            ("size 200000x200000\n", "line 2, column 6", "too large"),
            ("size 99999999999999999999x1\n", "line 2, column 6", "found"),
            (
                "size 3x3 4\n",
                "line 2, column 10",
                "end of the line, found '4'",
            ),
            (
                "size 3x3\nsize 3x3\n",
                "line 3, column 1",
                "'size' stands here",
            ),
            (
                "edges open\n",
                "line 2, column 7",
                "'torus' or 'dead', found 'open'",
            ),
            (
                "edges dead\nedges dead\n",
                "line 3, column 1",
                "second time",
            ),
            ("generation -1\n", "line 2, column 12", "found '-1'"),
            (
                "generation 18446744073709551616\n",
                "line 2, column 12",
                "found",
            ),
            (
                "generation 1\n\n.\n",
                "line 4, column 1",
                "'size 40x30' (columns x rows) before",
            ),
            ("edges dead\n", "line 3, column 1", "before the first row"),
        ] {
            check_refused(&format!("duolife populations 1\n{text}"), place, what);
        }
    }

    #[test]
    fn every_other_body_is_refused() {
        for (text, place, what) in [
            (
                "",
                "line 3, column 1",
                "expected 2 rows, found the end of the file after 0",
            ),
            ("...\n", "line 4, column 1", "after 1"),
            (
                "..\n...\n",
                "line 3, column 3",
                "expected 3 columns, found the end of the row after 2",
            ),
            (
                ".... ; x\n...\n",
                "line 3, column 4",
                "after 3 columns, found '.'",
            ),
            (
                ".. o\n",
                "line 3, column 4",
                "'#' barrier, 'x' target, '+3' red, '-3' blue, 'x+3' a populated target), found 'o'",
            ),
            ("12\n", "line 3, column 1", "found '1'"),
            ("..\u{e9}\n", "line 3, column 3", "found 'é'"),
            (
                ".+\n",
                "line 3, column 3",
                "after the sign, found the end of the line",
            ),
            (
                ".+0.\n",
                "line 3, column 3",
                "from 1 to 127 after the sign, found '0'",
            ),
            (".-128.\n", "line 3, column 3", "found '128'"),
            (
                ".x+999999999999\n",
                "line 3, column 4",
                "found '999999999999'",
            ),
            (".+-3\n", "line 3, column 3", "found '-'"),
            (".x+ 3\n", "line 3, column 4", "found a blank"),
            ("#+3 3\n", "line 3, column 5", "found '3'"),
            (
                "...\n...\n...\n",
                "line 5, column 1",
                "end of the file after 2 rows, found '.'",
            ),
            ("...\n...\nedges dead", "line 5, column 1", "found 'e'"),
            ("...\nedges dead", "line 4, column 1", "found 'e'"),
        ] {
            check_refused(
                &format!("duolife populations 1\nsize 3x2\n{text}"),
                place,
                what,
            );
        }
    }

    /// A size that the limits allow, but not the length of the file, takes no memory.
    #[test]
    fn a_short_file_with_a_large_size_is_refused_at_the_missing_cell() {
        for (size, place, what) in [
            ("90000x90000", "line 3, column 4", "expected 90000 columns"),
            ("1x500000000", "line 3, column 2", "after 1 columns"),
        ] {
            let text = format!("duolife populations 1\nsize {size}\n...\n");
            check_refused(&text, place, what);
        }
        let limits = Limits {
            max_board_bytes: 1000,
            ..Limits::default()
        };
        let error = parse(b"duolife populations 1\nsize 100x100\n", &limits);
        let error = error.unwrap_err().to_string();
        assert!(error.contains("14400 bytes"), "{error}");
    }

    fn boards() -> impl Strategy<Value = RezolutionBoard> {
        let spot = (0..6, -127i8..=127).prop_map(|(kind, population)| match kind {
            0 => RezolutionCell {
                population: 0,
                ground: Ground::Barrier,
            },
            1 => RezolutionCell {
                population,
                ground: Ground::Target,
            },
            2 => RezolutionCell {
                population: 0,
                ground: Ground::Target,
            },
            3 => RezolutionCell::open(population),
            _ => RezolutionCell::default(),
        });
        (1u64..20, 1u64..8).prop_flat_map(move |(width, height)| {
            let spots = prop::collection::vec(spot.clone(), (width * height) as usize);
            spots.prop_map(move |spots| {
                let mut board = RezolutionBoard::new(Size::new(width, height).unwrap()).unwrap();
                for (at, spot) in (0..).zip(spots) {
                    board.set(uvec2(at % width as u32, at / width as u32), spot);
                }
                board
            })
        })
    }

    proptest! {
        #[test]
        fn a_board_reads_back(board in boards(), edges in 0..3, generation: u64) {
            let edges = [None, Some(Edges::Torus), Some(Edges::Dead)][edges as usize];
            let text = written(&board, edges, generation);
            prop_assert!(begins(text.as_bytes()));
            let lengths: Vec<usize> = text.lines().rev().take(board.size().height() as usize).map(str::len).collect();
            prop_assert!(lengths.iter().all(|length| *length == lengths[0]), "{}", text);
            let again = read(&text).unwrap();
            prop_assert_eq!((&again.board, again.edges, again.generation), (&board, edges, generation));
        }

        #[test]
        fn no_bytes_make_the_reader_panic(bytes: Vec<u8>, width in 1u32..5, height in 1u32..4) {
            let limits = Limits { max_board_bytes: 1 << 20, ..Limits::default() };
            let _ = parse(&bytes, &limits);
            let mut file = format!("duolife populations 1\nsize {width}x{height}\n").into_bytes();
            file.extend(bytes);
            let _ = parse(&file, &limits);
        }

        #[test]
        fn rows_of_cell_characters_are_read_or_refused(text in "[-+x#. 0-9;\n]{0,40}") {
            let file = format!("duolife populations 1\nsize 3x2\n{text}");
            if let Ok(pattern) = read(&file) {
                let text = written(&pattern.board, pattern.edges, pattern.generation);
                prop_assert_eq!(read(&text).unwrap(), pattern);
            }
        }
    }
}
