//! Boards of reZolution as text that a person reads and edits.
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
//! After the first line, those before the rows may come in any order. Blank lines are ignored, and so
//! is what follows a `;` in a line. Blanks between cells are optional: `..#..x` is a row of six. When
//! written, every cell is as wide as the widest one, so that columns line up.

mod header;
mod row;

use std::io;

use glam::uvec2;
use thiserror::Error;

use self::header::{Header, first_line};
use self::row::{read_row, starts_row};
use super::lines::{Line, lines, text_start};
use super::{FormatError, Limits, found_at};
use crate::board::rezolution::{Ground, MAX_POPULATION, RezolutionCell};
use crate::board::{Edges, RezolutionBoard};

/// How a file of populations begins.
pub(super) const FIRST_WORDS: [&[u8]; 2] = [b"duolife", b"populations"];

/// The version of the format that is read and written.
const VERSION: u32 = 1;

/// The board in a file and what the file says about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RezolutionPattern {
    /// The cells.
    pub board: RezolutionBoard,
    /// The edges, if the file named them.
    pub edges: Option<Edges>,
    /// The generation the cells belong to, 0 if the file did not say.
    pub generation: u64,
}

/// What to write.
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
/// [`FormatError`] for the first fault.
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

    // A cell is a byte at least. A file too short for its size has a fault, which is found
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
        read_row(bytes, line, size.width(), |x, cell| {
            if let Some(board) = &mut board {
                board.set(uvec2(x, y), cell);
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
        for (x, cell) in row.enumerate() {
            let gap = if x == 0 { "" } else { " " };
            write!(out, "{gap}{cell:>width$}")?;
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

/// Characters of a cell.
fn text_width(cell: RezolutionCell) -> usize {
    let digits = match cell.population.unsigned_abs() {
        0 => 0,
        1..=9 => 1,
        10..=99 => 2,
        _ => 3,
    };
    match (cell.ground, digits) {
        (Ground::Target, 0) => 1,
        (Ground::Target, digits) => 2 + digits,
        (_, 0) => 1,
        (_, digits) => 1 + digits,
    }
}

#[cfg(test)]
mod tests;
