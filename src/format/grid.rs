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
mod tests {
    use glam::{UVec2, uvec2};

    use super::*;
    use crate::board::{LifelikeCell, Size, start};
    use proptest::prelude::*;

    fn read(text: &str) -> Result<LifelikeBoard, String> {
        match parse(text.as_bytes(), &Limits::default()) {
            Ok(pattern) => Ok(pattern.board),
            Err(error) => Err(error.to_string()),
        }
    }

    fn written(board: &LifelikeBoard) -> Vec<u8> {
        let mut bytes = Vec::new();
        encode(board, &mut bytes).unwrap();
        bytes
    }

    /// The refusal of `text`, which must name the place and contain `what`.
    fn check_refused(text: &str, place: &str, what: &str) {
        let error = read(text).unwrap_err();
        assert!(
            error.starts_with(&format!("{place}: ")),
            "{text:?}: {error}"
        );
        assert!(error.contains(what), "{text:?}: {error}");
        assert!(!error.contains(['\n', '\r', '\t']), "{text:?}: {error}");
    }

    #[test]
    fn rows_come_first_then_columns() {
        let wide = read("2 4\n2.1.\n.21.\n").unwrap();
        assert_eq!((wide.size().width(), wide.size().height()), (4, 2));
        assert_eq!(wide.cell(UVec2::ZERO), LifelikeCell::Blue);
        assert_eq!(wide.cell(uvec2(2, 1)), LifelikeCell::Red);
        assert_eq!(wide.cell(uvec2(3, 1)), LifelikeCell::Dead);
        let tall = read("4 2\n2.\n.2\n11\n..\n").unwrap();
        assert_eq!((tall.size().width(), tall.size().height()), (2, 4));
        for (x, y) in (0..2).flat_map(|y| (0..4).map(move |x| (x, y))) {
            assert_eq!(wide.cell(uvec2(x, y)), tall.cell(uvec2(y, x)), "({x}, {y})");
        }
        check_refused(
            "4 2\n2.1.\n.21.\n",
            "line 2, column 3",
            "rows, then columns",
        );
    }

    #[test]
    fn what_may_stand_at_the_end_of_a_line_and_of_the_file() {
        let plain = read("2 3\n.1.\n2.2\n").unwrap();
        for text in [
            "2 3\n.1.\n2.2",
            "2 3\r\n.1.\r\n2.2\r\n",
            "2 3  \n.1.\t\n2.2 \t \r\n",
            "2 3\n.1. \r\n2.2\r",
            "2 3\n.1.\n2.2  ",
            "02 003\n.1.\n2.2",
        ] {
            assert_eq!(read(text).as_ref(), Ok(&plain), "{text:?}");
        }
    }

    #[test]
    fn every_other_first_line_is_refused() {
        for (text, place, what) in [
            (
                "",
                "line 1, column 1",
                "number of rows, found the end of the file",
            ),
            (
                "\n",
                "line 1, column 1",
                "number of rows, found the end of the line",
            ),
            (" 2 3\n", "line 1, column 1", "found a blank"),
            (
                "2\n",
                "line 1, column 2",
                "one space after the number of rows",
            ),
            (
                "2  3\n",
                "line 1, column 3",
                "number of columns, found a blank",
            ),
            ("2\t3\n", "line 1, column 2", "found a tab"),
            ("2,3\n", "line 1, column 2", "found ','"),
            ("2 x\n", "line 1, column 3", "found 'x'"),
            ("-2 3\n", "line 1, column 1", "found '-'"),
            ("+2 3\n", "line 1, column 1", "found '+'"),
            ("2 3 4\n", "line 1, column 5", "found '4'"),
            ("2 3.\n", "line 1, column 4", "found '.'"),
            ("0 3\n", "line 1, column 1", "at least 1"),
            ("2 0\n", "line 1, column 3", "at least 1"),
            ("#C\n2 3\n", "line 1, column 1", "found '#'"),
            ("\u{feff}2 3\n", "line 1, column 1", "byte-order mark"),
            ("2 18446744073709551616\n", "line 1, column 3", "too large"),
            ("1000000 1000000\n", "line 1, column 9", "too large"),
            (
                "18446744073709551615 18446744073709551615\n",
                "line 1, column 22",
                "too large",
            ),
        ] {
            check_refused(text, place, what);
        }
    }

    #[test]
    fn every_other_body_is_refused() {
        for (text, place, what) in [
            (
                "2 3",
                "line 1, column 4",
                "expected 2 rows, found the end of the file after 0",
            ),
            (
                "2 3\n...\n",
                "line 3, column 1",
                "expected 2 rows, found the end of the file after 1",
            ),
            (
                "2 3\n...\n..\n",
                "line 3, column 3",
                "expected 3 columns, found the end of the line after 2",
            ),
            ("2 3\n..  \n...\n", "line 2, column 3", "expected 3 columns"),
            ("2 3\n\n...\n", "line 2, column 1", "after 0"),
            (
                "2 3\n....\n...\n",
                "line 2, column 4",
                "after 3 columns, found '.'",
            ),
            ("2 3\n... 1\n...\n", "line 2, column 5", "found '1'"),
            ("2 3\n ...\n...\n", "line 2, column 1", "found a blank"),
            (
                "2 3\n.o.\n...\n",
                "line 2, column 2",
                "'.', '1' or '2'), found 'o'",
            ),
            ("2 3\n.1é\n...\n", "line 2, column 3", "found 'é'"),
            ("2 3\n.\0.\n...\n", "line 2, column 2", "byte 0x00"),
            ("2 3\n...\n...\n\n", "line 4, column 1", "an empty line"),
            (
                "2 3\n...\n...\n...\n",
                "line 4, column 1",
                "end of the file after 2 rows, found '.'",
            ),
            ("2 3\n...\n...\n ", "line 4, column 1", "found a blank"),
            ("2 3\r...\r...\r", "line 2, column 1", "found '.'"),
        ] {
            check_refused(text, place, what);
        }
        let error = parse(b"1 2\n.\xff", &Limits::default()).unwrap_err();
        assert!(error.to_string().contains("line 2, column 2"), "{error}");
        assert!(error.to_string().contains("byte 0xff"), "{error}");
    }

    /// A size that the limits allow, but not the length of the file, takes no memory.
    #[test]
    fn a_short_file_with_a_large_size_is_refused_at_the_missing_line() {
        check_refused(
            "200000 200000\n...\n",
            "line 2, column 4",
            "expected 200000 columns",
        );
        check_refused(
            "2000000000 1\n.\n1\n",
            "line 4, column 1",
            "2000000000 rows",
        );
    }

    #[test]
    fn a_board_is_written_row_by_row() {
        let mut board = LifelikeBoard::new(Size::new(35, 2).unwrap()).unwrap();
        board.set(UVec2::ZERO, LifelikeCell::Blue);
        board.set(uvec2(33, 1), LifelikeCell::Red);
        let expected = format!("2 35\n2{}\n{}1.\n", ".".repeat(34), ".".repeat(33));
        assert_eq!(String::from_utf8(written(&board)).unwrap(), expected);
    }

    #[test]
    fn eight_cells_at_a_time_are_the_same_as_one_by_one() {
        for bits in 0..256 {
            let bytes = scatter(bits).to_le_bytes();
            for (i, byte) in bytes.into_iter().enumerate() {
                assert_eq!(u32::from(byte), bits >> i & 1);
            }
            assert_eq!(gather(scatter(bits)), bits);
        }
    }

    proptest! {
        #[test]
        fn a_board_reads_back(width in 1u64..140, height in 1u64..9, density in 0.0..1.0, seed: u64) {
            let board = start::random(Size::new(width, height).unwrap(), density, seed).unwrap();
            let bytes = written(&board);
            prop_assert_eq!(bytes.len() as u64, format!("{height} {width}\n").len() as u64 + (width + 1) * height);
            prop_assert_eq!(parse(&bytes, &Limits::default()).unwrap().board, board);
        }

        #[test]
        fn no_bytes_make_the_reader_panic(bytes: Vec<u8>, rows in 1u32..4, columns in 1u32..40) {
            let limits = Limits { max_board_bytes: 1 << 20, ..Limits::default() };
            let _ = parse(&bytes, &limits);
            let mut grid = format!("{rows} {columns}\n").into_bytes();
            grid.extend(bytes);
            let _ = parse(&grid, &limits);
        }

        /// A changed byte is either another cell, another size that happens to fit, or refused.
        #[test]
        fn one_changed_byte_is_never_taken_for_the_same_board(at: prop::sample::Index, byte: u8, seed: u64) {
            let board = start::random(Size::new(37, 5).unwrap(), 0.5, seed).unwrap();
            let mut bytes = written(&board);
            let at = at.index(bytes.len());
            let before = std::mem::replace(&mut bytes[at], byte);
            if let Ok(pattern) = parse(&bytes, &Limits::default()) {
                let blank_end = at + 1 == bytes.len() && matches!(byte, b' ' | b'\t' | b'\r');
                prop_assert!(blank_end || (pattern.board == board) == (byte == before));
            }
        }
    }
}
