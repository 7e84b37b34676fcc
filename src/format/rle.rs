//! RLE: run length encoded patterns, as Golly and LifeViewer read and write them.
//!
//! ```text
//! #C A comment.                               any number of lines that start with #
//! #r 23/36                                    the rule, if the header has none
//! #CXRLE Pos=-2,-1 Gen=7                      where the top left cell lies, and when
//! x = 4, y = 3, rule = Immigration:T4,3       columns, rows, rule, bounded grid
//! .2AB$3.A2$!                                 the cells
//! ```
//!
//! A run is a letter after a count, 1 if there is none. What the letters mean:
//!
//! | letter | cell |
//! | --- | --- |
//! | `b` `.` | dead |
//! | `o` `A` | red |
//! | `x` `y` `z` | red: files about syntheses mark live cells with them |
//! | `B` | blue |
//! | `$` | the rest of the row is dead |
//! | `!` | the rest of the pattern is dead, and what follows is a comment |
//!
//! Lines may have any length and end in LF, CRLF or CR; blanks and line ends may stand anywhere,
//! even between a count and its letter. States above 2 are refused, in letters (`C` to `X`, `p` to
//! `y` before a capital) as in rules. A live cell beyond the header's size is refused, too: nothing
//! is cut off. Without a header the size is that of the cells written down.
//!
//! A body is read twice: once to measure it, which takes no memory however large its counts are,
//! and then onto a board of a size that has been checked.
//!
//! A board is written in the letters `b` and `o` with its plain rule if no cell is blue, so that
//! every Life program can open it, and else in `.`, `A` and `B` with the rule `Immigration` for
//! B3/S23, which is the name Golly knows.

mod encode;
mod header;
mod tokens;

pub use encode::{encode, grid_corner};
pub(super) use header::is_header;

use glam::{I64Vec2, uvec2};
use thiserror::Error;

use super::{BYTE_ORDER_MARK, FormatError, LifelikePattern, Limits};
use crate::board::{LifelikeBoard, LifelikeCell};
use crate::rules::notation::NotationError;
use header::Preamble;
use tokens::{Item, Tokens};

/// What is wrong with an RLE file.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum Fault {
    /// A header line of no sensible length.
    #[error(
        "the header line is longer than {0} bytes; it should read like 'x = 3, y = 3, rule = B3/S23'"
    )]
    HeaderTooLong(usize),
    /// `x` or `y` is missing in the header.
    #[error("the header does not say {0}; it should read like 'x = 3, y = 3, rule = B3/S23'")]
    Missing(char),
    /// A key stands twice in the header.
    #[error("the header says {0} twice; remove one")]
    Twice(&'static str),
    /// A size that is no number.
    #[error("expected a whole number for {0}, found {1}; write it like '{0} = 3'")]
    Number(char, String),
    /// A rule of another family, or none.
    #[error(transparent)]
    Rule(#[from] NotationError),
    /// A rule string of no sensible length.
    #[error("the rule is longer than {0} bytes; write one like B3/S23")]
    RuleTooLong(usize),
    /// A `#CXRLE` line that cannot be read.
    #[error("expected {0}, found {1}; a #CXRLE line should read like '#CXRLE Pos=-3,-2 Gen=12'")]
    Extended(&'static str, String),
    /// A second `#CXRLE` line.
    #[error("there is a second #CXRLE line; remove one")]
    ExtendedTwice,
    /// A byte that has no meaning in the cells.
    #[error("expected a cell (b . o A B x y z), a count, '$' or '!', found {0}")]
    Letter(String),
    /// The letter of a state above 2.
    #[error("'{0}' is a cell of state {1}; cells here are dead (b or .), red (o or A) or blue (B)")]
    State(String, u32),
    /// A run of nothing.
    #[error("expected a count from 1, found {0}; leave it out or write how many cells there are")]
    ZeroCount(String),
    /// A count beyond 64 bits.
    #[error("the count is too large for any board")]
    CountTooLarge,
    /// A count without a letter.
    #[error("expected a cell or '$' after the count, found {0}; remove the count or end the run")]
    LonelyCount(String),
    /// A live cell where the header says there is no board.
    #[error(
        "a live cell lies outside the header's size, {header_width} columns and {header_height} rows; the cells take {width} and {height}, write x = {width}, y = {height} in the header"
    )]
    Outside {
        /// Columns the header gives.
        header_width: u64,
        /// Rows the header gives.
        header_height: u64,
        /// Columns that hold the header's size and all live cells.
        width: u64,
        /// Rows that hold the header's size and all live cells.
        height: u64,
    },
    /// Neither a header nor a cell.
    #[error("expected a header like 'x = 3, y = 3, rule = B3/S23' or cells, found nothing")]
    Nothing,
}

/// The pattern in an RLE file.
///
/// # Errors
/// [`FormatError`] for the first place that cannot be read, or means something else than a
/// two-colour board of a size that is allowed.
pub fn parse(bytes: &[u8], limits: &Limits) -> Result<LifelikePattern, FormatError> {
    let bytes = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes);
    let mut preamble = Preamble::parse(bytes)?;
    let header = preamble.header.take();
    let declared = header.as_ref().map(|header| (header.width, header.height));
    let body = Tokens::new(bytes, preamble.body);
    let measured = measure(body.clone(), declared)?;
    if let Some((place, fault)) = measured.outside {
        return Err(FormatError::at(bytes, place, fault));
    }
    let mut notes = preamble.notes;
    if header.is_none() {
        if !measured.any {
            return Err(FormatError::at(bytes, preamble.body, Fault::Nothing));
        }
        notes.push(format!(
            "the header line is missing: {} columns and {} rows were taken from the cells",
            measured.width.max(1),
            measured.height.max(1)
        ));
    }
    if !measured.ended {
        notes.push("the '!' at the end is missing: the file may have been cut off".into());
    }

    let (width, height) = declared.unwrap_or((measured.width, measured.height));
    if declared.is_some() && (width == 0 || height == 0) {
        notes.push(format!(
            "the header says {width} columns and {height} rows: the board has {} and {}",
            width.max(1),
            height.max(1)
        ));
    }
    let size_at = header.as_ref().map_or(preamble.body, |header| header.at);
    let refuse = |fault| FormatError::at(bytes, size_at, fault);
    let size = limits.size(width.max(1), height.max(1)).map_err(refuse)?;
    let mut board = LifelikeBoard::new(size).map_err(|fault| refuse(fault.into()))?;
    paint(body, &mut board)?;

    let (rule, topology) = match header {
        Some(header) if header.rule.is_some() => (header.rule, header.topology),
        _ => (preamble.rule, preamble.topology),
    };
    if let Some(grid) = topology
        && (u64::from(size.width()) > grid.width || u64::from(size.height()) > grid.height)
    {
        notes.push(format!(
            "the header's size, {size}, is larger than its bounded grid, {}x{}",
            grid.width, grid.height
        ));
    }
    if let (Some(I64Vec2 { x, y }), None) = (preamble.position, topology) {
        notes.push(format!(
            "Pos={x},{y} counts on an unbounded plane: the board holds only the pattern"
        ));
    }
    Ok(LifelikePattern {
        board,
        rule,
        topology,
        position: preamble.position,
        generation: preamble.generation,
        notes,
    })
}

/// What a body holds.
struct Measured {
    /// Columns and rows of the cells that are written down, dead ones included.
    width: u64,
    height: u64,
    /// The first run with a live cell outside the declared size, and what to say about it.
    outside: Option<(usize, Fault)>,
    /// There is an item at all.
    any: bool,
    /// There is an end mark.
    ended: bool,
}

fn measure(body: Tokens, declared: Option<(u64, u64)>) -> Result<Measured, FormatError> {
    let mut measured = Measured {
        width: 0,
        height: 0,
        outside: None,
        any: false,
        ended: false,
    };
    let (mut live_width, mut live_height, mut outside) = (0, 0, None);
    // Positions saturate: nothing that far out is ever part of a board, and it stays out there.
    let (mut x, mut y) = (0u64, 0u64);
    for item in body {
        let (at, item) = item.map_err(|error| *error)?;
        measured.any = true;
        match item {
            Item::Run { cell, count } => {
                x = x.saturating_add(count);
                let bottom = y.saturating_add(1);
                measured.width = measured.width.max(x);
                measured.height = measured.height.max(bottom);
                if cell != LifelikeCell::Dead {
                    live_width = x.max(live_width);
                    live_height = bottom.max(live_height);
                    if declared.is_some_and(|(width, height)| x > width || bottom > height) {
                        outside.get_or_insert(at);
                    }
                }
            }
            Item::Rows(count) => {
                x = 0;
                y = y.saturating_add(count);
            }
            Item::End => measured.ended = true,
        }
    }
    if let (Some(at), Some((header_width, header_height))) = (outside, declared) {
        let fault = Fault::Outside {
            header_width,
            header_height,
            width: live_width.max(header_width),
            height: live_height.max(header_height),
        };
        measured.outside = Some((at, fault));
    }
    Ok(measured)
}

/// Puts the cells of a body, whose live ones are known to lie on the board, onto a dead board.
fn paint(body: Tokens, board: &mut LifelikeBoard) -> Result<(), FormatError> {
    let (mut x, mut y) = (0u64, 0u64);
    for item in body {
        match item.map_err(|error| *error)?.1 {
            Item::Run { cell, count } => {
                if cell != LifelikeCell::Dead {
                    board.set_run(uvec2(x as u32, y as u32), count as u32, cell);
                }
                x = x.saturating_add(count);
            }
            Item::Rows(count) => {
                x = 0;
                y = y.saturating_add(count);
            }
            Item::End => {}
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
