//! Grid text: a board as a person would type it.
//!
//! ```text
//! 3 5         rows and columns, one space between
//! .1...       as many lines of as many characters:
//! ..2..       . dead, 1 red, 2 blue
//! .....
//! ```
//!
//! The format is strict, so that a slip of the hand is found and not played. Blanks, tabs and a CR
//! at the end of a line are accepted, and one newline at the end of the file or none; anything
//! else is refused with its place.
//!
//! Cells are read and written eight at a time: the eight bytes of a `u64`, lowest first, are eight
//! cells from left to right.
//!
//! ```text
//! .  0x2e  0010_1110      bit 4 of a byte: alive
//! 1  0x31  0011_0001      bit 1 of a live one: blue
//! 2  0x32  0011_0010
//! ```

use std::io;

use thiserror::Error;

use super::{BYTE_ORDER_MARK, FormatError, LifelikePattern, Limits, found_at, is_blank};
use crate::board::{LifelikeBoard, WORD_BITS};

/// The lowest bit of each of eight bytes.
const ONES: u64 = 0x0101_0101_0101_0101;

/// Cells in one word of a plane.
const WORD_CELLS: usize = WORD_BITS as usize;

/// What is wrong with a text grid.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum Fault {
    /// The file starts with a byte-order mark.
    #[error(
        "expected the number of rows, found a byte-order mark; save the file as plain text without one"
    )]
    ByteOrderMark,
    /// The first line is not two numbers with a space between.
    #[error(
        "expected {expected}, found {found}; the first line is 'rows columns', two whole numbers from 1 with one space between"
    )]
    FirstLine {
        /// What the line should go on with.
        expected: &'static str,
        /// What is there.
        found: String,
    },
    /// A number of the first line is beyond 64 bits.
    #[error("expected a number of rows or columns that a board can have, found one too large")]
    TooManyDigits,
    /// A character that is no cell.
    #[error("expected a cell ('.', '1' or '2'), found {0}")]
    Cell(String),
    /// A line ends early.
    #[error(
        "expected {expected} columns, found the end of the line after {found}; the first line gives rows, then columns"
    )]
    ShortLine {
        /// Columns the first line gives.
        expected: u32,
        /// Columns there are.
        found: u32,
    },
    /// A line goes on after its last cell.
    #[error(
        "expected the end of the line after {expected} columns, found {found}; the first line gives rows, then columns"
    )]
    LongLine {
        /// Columns the first line gives.
        expected: u32,
        /// What follows them.
        found: String,
    },
    /// The file ends early.
    #[error(
        "expected {expected} rows, found the end of the file after {found}; the first line gives rows, then columns"
    )]
    MissingLine {
        /// Rows the first line gives.
        expected: u32,
        /// Rows there are.
        found: u32,
    },
    /// The file goes on after its last row.
    #[error(
        "expected the end of the file after {expected} rows, found {found}; remove what follows or correct the first line"
    )]
    ExtraLine {
        /// Rows the first line gives.
        expected: u32,
        /// What follows them.
        found: String,
    },
}

/// The board in a text grid.
///
/// # Errors
/// [`FormatError`] for the first place that is not as the format asks.
pub fn parse(bytes: &[u8], limits: &Limits) -> Result<LifelikePattern, FormatError> {
    if bytes.starts_with(BYTE_ORDER_MARK) {
        return Err(FormatError::at(bytes, 0, Fault::ByteOrderMark));
    }
    let first = first_line(bytes)?;
    let size = limits
        .size(first.columns, first.rows)
        .map_err(|fault| FormatError::at(bytes, first.size_at, fault))?;
    let (rows, columns) = (size.height(), size.width());

    // Room for the rows that the rest of the file can hold, not for those it announces.
    let possible = (bytes.len() + 1 - first.end) / (columns as usize + 1);
    let words = possible.min(rows as usize) * size.row_words();
    let (mut alive, mut blue) = (Vec::new(), Vec::new());
    for plane in [&mut alive, &mut blue] {
        Vec::try_reserve_exact(plane, words).map_err(|_| {
            let fault = crate::board::BoardError::NoMemory(size);
            FormatError::at(bytes, first.size_at, fault)
        })?;
    }

    let mut at = first.end;
    for row in 0..rows {
        if at == bytes.len() {
            let fault = Fault::MissingLine {
                expected: rows,
                found: row,
            };
            return Err(FormatError::at(bytes, at, fault));
        }
        let end = at + columns as usize;
        let valid = bytes
            .get(at..end)
            .is_some_and(|cells| push_row(cells, &mut alive, &mut blue));
        if !valid {
            return Err(row_fault(bytes, at, columns));
        }
        at = line_end(bytes, end).map_err(|at| {
            let fault = Fault::LongLine {
                expected: columns,
                found: found_at(bytes, at),
            };
            FormatError::at(bytes, at, fault)
        })?;
    }
    if at < bytes.len() {
        let fault = Fault::ExtraLine {
            expected: rows,
            found: match bytes[at] {
                b'\n' | b'\r' => "an empty line".into(),
                _ => found_at(bytes, at),
            },
        };
        return Err(FormatError::at(bytes, at, fault));
    }
    LifelikeBoard::from_planes(size, alive, blue)
        .map(LifelikePattern::new)
        .map_err(|fault| FormatError::at(bytes, first.size_at, fault))
}

/// Writes a board as a text grid, with a newline after every row.
///
/// # Errors
/// Those of `out`.
pub fn encode(board: &LifelikeBoard, out: &mut dyn io::Write) -> io::Result<()> {
    let size = board.size();
    writeln!(out, "{} {}", size.height(), size.width())?;
    let mut text = vec![0u8; size.row_words() * WORD_CELLS + 1];
    for y in 0..size.height() {
        let (alive, blue) = board.row_planes(y);
        for ((cells, alive), blue) in text.as_chunks_mut().0.iter_mut().zip(alive).zip(blue) {
            *cells = word_text(*alive, *blue);
        }
        // The padding of the last word gives way to the newline.
        let row = &mut text[..size.width() as usize + 1];
        row[size.width() as usize] = b'\n';
        out.write_all(row)?;
    }
    Ok(())
}

/// The first line, read.
struct FirstLine {
    rows: u64,
    columns: u64,
    /// The place of the number at which an error about the size is reported.
    size_at: usize,
    /// Where the second line begins.
    end: usize,
}

fn first_line(bytes: &[u8]) -> Result<FirstLine, FormatError> {
    let refuse = |at, expected| {
        let found = found_at(bytes, at);
        FormatError::at(bytes, at, Fault::FirstLine { expected, found })
    };
    let number = |at: usize, expected| -> Result<(u64, usize), FormatError> {
        let rest = bytes.get(at..).unwrap_or_default();
        let digits = rest.iter().take_while(|b| b.is_ascii_digit()).count();
        if digits == 0 {
            return Err(refuse(at, expected));
        }
        let value = rest[..digits].iter().try_fold(0u64, |value, digit| {
            value.checked_mul(10)?.checked_add(u64::from(digit - b'0'))
        });
        match value {
            Some(value) => Ok((value, at + digits)),
            None => Err(FormatError::at(bytes, at, Fault::TooManyDigits)),
        }
    };
    let (rows, space) = number(0, "the number of rows")?;
    if bytes.get(space) != Some(&b' ') {
        return Err(refuse(space, "one space after the number of rows"));
    }
    let (columns, end) = number(space + 1, "the number of columns")?;
    let end = line_end(bytes, end)
        .map_err(|at| refuse(at, "the end of the line after the number of columns"))?;
    let size_at = if rows == 0 { 0 } else { space + 1 };
    Ok(FirstLine {
        rows,
        columns,
        size_at,
        end,
    })
}

/// Where the next line begins, if nothing but what may stand at a line's end is left of this one;
/// else where something else is.
fn line_end(bytes: &[u8], at: usize) -> Result<usize, usize> {
    let rest = bytes.get(at..).unwrap_or_default();
    let more = rest.iter().position(|&b| !is_blank(b) && b != b'\r');
    match more.map(|more| at + more) {
        None => Ok(bytes.len()),
        Some(at) if bytes[at] == b'\n' => Ok(at + 1),
        Some(at) => Err(at),
    }
}

/// The first fault of the row that begins at `at`, which has one.
fn row_fault(bytes: &[u8], at: usize, columns: u32) -> FormatError {
    let row = bytes[at..].iter().take(columns as usize);
    let good = row.take_while(|b| b".12".contains(b)).count();
    let fault = match line_end(bytes, at + good) {
        Ok(_) => Fault::ShortLine {
            expected: columns,
            // At most `columns`, which is a u32.
            found: good as u32,
        },
        Err(_) => Fault::Cell(found_at(bytes, at + good)),
    };
    FormatError::at(bytes, at + good, fault)
}

/// Appends the words of a row to the planes. `false` if a byte is no cell.
fn push_row(cells: &[u8], alive: &mut Vec<u32>, blue: &mut Vec<u32>) -> bool {
    let mut faults = 0;
    let mut push = |cells: &[u8; WORD_CELLS]| {
        let (mut alive_word, mut blue_word) = (0, 0);
        for (byte, eight) in cells.as_chunks::<8>().0.iter().enumerate() {
            let text = u64::from_le_bytes(*eight);
            let alive = text >> 4 & ONES;
            let blue = text >> 1 & alive;
            faults |= text ^ eight_chars(alive, blue);
            alive_word |= gather(alive) << (8 * byte);
            blue_word |= gather(blue) << (8 * byte);
        }
        alive.push(alive_word);
        blue.push(blue_word);
    };
    let (words, rest) = cells.as_chunks::<WORD_CELLS>();
    words.iter().for_each(&mut push);
    if !rest.is_empty() {
        let mut padded = [b'.'; WORD_CELLS];
        padded[..rest.len()].copy_from_slice(rest);
        push(&padded);
    }
    faults == 0
}

/// The characters of 32 cells.
fn word_text(alive: u32, blue: u32) -> [u8; WORD_CELLS] {
    let mut text = [0; WORD_CELLS];
    for (byte, eight) in text.as_chunks_mut::<8>().0.iter_mut().enumerate() {
        let bits = |word: u32| scatter(word >> (8 * byte) & 0xff);
        *eight = eight_chars(bits(alive), bits(blue)).to_le_bytes();
    }
    text
}

/// The characters of eight cells from the lowest bits of eight bytes. No byte overflows into the
/// next: the largest is `2`.
fn eight_chars(alive: u64, blue: u64) -> u64 {
    u64::from(b'.') * ONES + 3 * alive + blue
}

/// The lowest bits of eight bytes, side by side: the multiplication moves the bit of byte i to
/// bit 56 + i.
fn gather(bytes: u64) -> u32 {
    (bytes.wrapping_mul(0x0102_0408_1020_4080) >> 56) as u32
}

/// Eight bits, each as the lowest of a byte: keeps bit i in byte i, then carries it to bit 7.
fn scatter(bits: u32) -> u64 {
    let apart = (u64::from(bits) * ONES) & 0x8040_2010_0804_0201;
    (apart + 0x7f * ONES) >> 7 & ONES
}

#[cfg(test)]
mod tests;
