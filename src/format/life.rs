//! Life 1.06 and Life 1.05 (`.lif`, `.life`): cells by their coordinates.
//!
//! ```text
//! #Life 1.06          #Life 1.05
//! 1 -2                #D A comment.
//! -1 -1               #R 23/3               survival first; #N is 23/3
//! 0 0                 #P -1 -2              column and row of the block that follows
//!                     ..*
//!                     *.
//!                     .*
//! ```
//!
//! Both are patterns of one colour, read as red. Columns grow to the right and rows downwards. The
//! board is the smallest that holds all live cells; where its top left cell lay in the file is the
//! pattern's position, and a note if that is not (0, 0). In 1.06 a cell may be named more than
//! once. In 1.05 blocks may overlap, and the first `#P` may lack its two numbers and stands for
//! `#P 0 0` then. Blank lines count for nothing in either; in 1.05 a row of dead cells is a `.`.
//!
//! A file is read twice: once to measure it, which takes no memory however far its cells are
//! apart, and then onto a board of a size that has been checked.
//!
//! Only 1.06 is written, with the top left cell of the board at 0 0. Neither the size of the board
//! nor its rule has a place there.

use glam::{I64Vec2, i64vec2, uvec2};
use std::io::{self, Write};

use thiserror::Error;

use super::lines::{Line, RuleAndGrid, board_runs, first_stranger, lines, live_runs, text_start};
use super::{FormatError, LifelikePattern, Limits, begins_with, found_at, quoted};
use crate::board::{LifelikeBoard, LifelikeCell, Size};
use crate::rules::Rule;

/// What is wrong with a Life 1.05 or 1.06 file.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum Fault {
    /// A coordinate that is none.
    #[error(
        "expected {0} between -2^63 and 2^63, found {1}; a cell is two whole numbers with a blank between, like '3 -2'"
    )]
    Coordinate(&'static str, String),
    /// Something after two coordinates.
    #[error("expected the end of the line after two numbers, found {0}; write one cell a line")]
    AfterPair(String),
    /// A byte that is no cell of a block.
    #[error("expected a cell ('.' dead, '*' live), found {0}; comments start with '#D'")]
    Cell(String),
    /// A block that reaches beyond 64 bits.
    #[error("this row lies outside of -2^63 to 2^63; choose a smaller #P")]
    TooFar,
    /// Neither a first line nor a cell.
    #[error("expected '#Life 1.06' and cells like '3 -2', found nothing")]
    Nothing,
}

/// The pattern in a Life 1.05 or 1.06 file. Without the line that says which, it is 1.06 if its
/// first cell is a number.
///
/// # Errors
/// [`FormatError`] for the first place that is not as the format asks, or for cells too far apart.
pub fn parse(bytes: &[u8], limits: &Limits) -> Result<LifelikePattern, FormatError> {
    let mut bounds: Option<Bounds> = None;
    let heading = scan(bytes, |run| match &mut bounds {
        Some(bounds) => bounds.add(run),
        None => bounds = Some(Bounds::of(run)),
    })?;
    let mut pattern = match bounds {
        None => {
            let fault = |fault: super::Fault| FormatError::at(bytes, bytes.len(), fault);
            if heading.version.is_none() {
                return Err(fault(Fault::Nothing.into()));
            }
            let size = Size::new(1, 1).map_err(|error| fault(error.into()))?;
            let mut pattern = LifelikePattern::new(
                LifelikeBoard::new(size).map_err(|error| fault(error.into()))?,
            );
            let note = "there is no live cell: the board is a single dead one";
            pattern.notes.push(note.into());
            pattern
        }
        Some(bounds) => {
            let (x, y) = (bounds.left, bounds.top);
            let refuse = |fault| FormatError::at(bytes, bounds.at, fault);
            let (width, height) = bounds.sides();
            let size = limits.size(width, height).map_err(refuse)?;
            let mut board = LifelikeBoard::new(size).map_err(|error| refuse(error.into()))?;
            scan(bytes, |run| {
                // Less than the sides, which are no more than 32 bits now.
                let (column, row) = (run.x.abs_diff(x) as u32, run.y.abs_diff(y) as u32);
                board.set_run(uvec2(column, row), run.length as u32, LifelikeCell::Red);
            })?;
            let mut pattern = LifelikePattern::new(board);
            pattern.position = Some(i64vec2(x, y));
            if (x, y) != (0, 0) {
                pattern.notes.push(format!(
                    "all cells were shifted alike: the board's top left cell is at column {x}, row {y} in the file"
                ));
            }
            pattern
        }
    };
    if let Some((rule, topology)) = heading.rule {
        pattern.rule = Some(rule);
        pattern.topology = topology;
    }
    Ok(pattern)
}

/// Live cells side by side.
struct Run {
    x: i64,
    y: i64,
    /// At least 1, and none lies outside of an i64.
    length: usize,
    /// Where they stand in the file.
    at: usize,
}

/// The smallest rectangle around live cells, the last column and row included.
struct Bounds {
    left: i64,
    top: i64,
    right: i64,
    bottom: i64,
    /// The run that extended it last.
    at: usize,
}

impl Bounds {
    fn of(run: Run) -> Self {
        Self {
            left: run.x,
            top: run.y,
            right: run.x + (run.length - 1) as i64,
            bottom: run.y,
            at: run.at,
        }
    }

    fn add(&mut self, run: Run) {
        let run = Self::of(run);
        let before = self.sides();
        self.left = self.left.min(run.left);
        self.top = self.top.min(run.top);
        self.right = self.right.max(run.right);
        self.bottom = self.bottom.max(run.bottom);
        if self.sides() != before {
            self.at = run.at;
        }
    }

    /// Columns and rows; 2^64 saturates, it is too large anyway.
    fn sides(&self) -> (u64, u64) {
        (
            self.right.abs_diff(self.left).saturating_add(1),
            self.bottom.abs_diff(self.top).saturating_add(1),
        )
    }
}

/// Which of the two formats a line of cells is in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Version {
    /// Blocks of `.` and `*`.
    Life105,
    /// Coordinates.
    Life106,
}

/// What a file says besides its cells.
struct Heading {
    version: Option<Version>,
    rule: Option<RuleAndGrid>,
}

/// Calls `each` for all live cells.
fn scan(bytes: &[u8], mut each: impl FnMut(Run)) -> Result<Heading, FormatError> {
    let start = text_start(bytes);
    let mut version = None;
    let mut rule = None;
    // Where the next row of a block begins.
    let (mut left, mut y, mut placed) = (0, Some(0i64), false);
    for line in lines(bytes, start) {
        let line = line.skip(line.indent());
        match line.text {
            [] => {}
            [b'#', b'L' | b'l', b'i' | b'I', ..] => {
                version = version.or(match line.text.trim_ascii_end() {
                    [.., b'1', b'.', b'0', b'5'] => Some(Version::Life105),
                    [.., b'1', b'.', b'0', b'6'] => Some(Version::Life106),
                    _ => None,
                });
            }
            [b'#', b'N', ..] => rule = Some((Rule::LIFE, None)),
            [b'#', b'R', ..] => rule = Some(line.skip(2).rule(bytes)?),
            [b'#', b'P', ..] if version != Some(Version::Life106) => {
                version = Some(Version::Life105);
                let numbers = line.skip(2);
                (left, y) = if numbers.word().0.text.is_empty() && !placed {
                    (0, Some(0))
                } else {
                    let I64Vec2 { x, y } = read_pair(bytes, numbers)?;
                    (x, Some(y))
                };
                placed = true;
            }
            [b'#', ..] => {}
            [first, ..] => {
                let coordinates = first.is_ascii_digit() || matches!(first, b'-' | b'+');
                let version = *version.get_or_insert(match coordinates {
                    true => Version::Life106,
                    false => Version::Life105,
                });
                if version == Version::Life106 {
                    let I64Vec2 { x, y } = read_pair(bytes, line)?;
                    each(Run {
                        x,
                        y,
                        length: 1,
                        at: line.at,
                    });
                    continue;
                }
                let row = y.ok_or_else(|| FormatError::at(bytes, line.at, Fault::TooFar))?;
                read_row(bytes, line, left, row, &mut each)?;
                y = row.checked_add(1);
            }
        }
    }
    Ok(Heading { version, rule })
}

/// A row of a block.
fn read_row(
    bytes: &[u8],
    line: Line,
    left: i64,
    y: i64,
    each: &mut impl FnMut(Run),
) -> Result<(), FormatError> {
    if let Some(stranger) = first_stranger(line.text) {
        let at = line.at + stranger;
        return Err(FormatError::at(bytes, at, Fault::Cell(found_at(bytes, at))));
    }
    if left.checked_add_unsigned(line.text.len() as u64).is_none() {
        return Err(FormatError::at(bytes, line.at, Fault::TooFar));
    }
    for (start, length) in live_runs(line.text) {
        each(Run {
            x: left + start as i64,
            y,
            length,
            at: line.at + start,
        });
    }
    Ok(())
}

/// A line of two numbers and nothing else.
fn read_pair(bytes: &[u8], line: Line) -> Result<I64Vec2, FormatError> {
    let number = |word: Line, what| {
        word.number().ok_or_else(|| {
            let found = match word.text {
                [] => found_at(bytes, line.end()),
                word => quoted(word),
            };
            let at = match word.text {
                [] => line.end(),
                _ => word.at,
            };
            FormatError::at(bytes, at, Fault::Coordinate(what, found))
        })
    };
    let (first, rest) = line.word();
    let (second, rest) = rest.word();
    let pair = i64vec2(number(first, "a column")?, number(second, "a row")?);
    let (more, _) = rest.word();
    match more.text {
        [] => Ok(pair),
        text => {
            let fault = Fault::AfterPair(quoted(text));
            Err(FormatError::at(bytes, more.at, fault))
        }
    }
}

/// Whether the text begins with the first line of Life 1.05 or Life 1.06.
pub(super) fn begins(text: &[u8]) -> bool {
    begins_with(text, b"#Life 1.05") || begins_with(text, b"#Life 1.06")
}

/// Writes a board without blue cells, for which [`super::Format::check`] holds, as Life 1.06.
///
/// # Errors
/// Those of `out`.
pub(super) fn encode(board: &LifelikeBoard, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "#Life 1.06")?;
    for y in 0..board.size().height() {
        for (start, length) in board_runs(board, y) {
            for x in start..start + length {
                writeln!(out, "{x} {y}")?;
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
