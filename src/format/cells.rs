//! Plaintext (`.cells`): a pattern of one colour, drawn in letters.
//!
//! ```text
//! !Name: Glider       lines that start with ! are comments
//! .O                  . dead, O (or o, or *) red
//! ..O                 rows may end after their last live cell
//! OOO
//! ```
//!
//! The board is as wide as the widest row and as high as the rows from the first to the last. A
//! blank line between two rows is a row of dead cells; blank lines before the first row and after
//! the last are none. Comments may stand anywhere. The blanks before the first row are those of an
//! indented file: every row starts with the same, and no cell is one.
//!
//! A board is written with its first row in full, which gives its width, and every other one up to
//! its last live cell; a row without one is a single `.`. So it reads back to the same size.

use glam::uvec2;
use std::io::{self, Write};

use thiserror::Error;

use super::lines::{Line, board_runs, first_stranger, lines, live_runs, text_start};
use super::{FormatError, LifelikePattern, Limits, found_at};
use crate::board::{LifelikeBoard, LifelikeCell};

/// What is wrong with a plaintext file.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum Fault {
    /// A byte that is no cell.
    #[error("expected a cell ('.' dead, 'O', 'o' or '*' live), found {0}; comments start with '!'")]
    Cell(String),
    /// A row that does not start like the first one.
    #[error(
        "expected the same blanks as before the first row; write '.' for dead cells, not blanks"
    )]
    Indent,
    /// Not a single row.
    #[error("expected rows of '.' and 'O', found nothing; write '.' for a dead cell")]
    Nothing,
}

/// The pattern in a plaintext file.
///
/// # Errors
/// [`FormatError`] for the first place that is not as the format asks.
pub fn parse(bytes: &[u8], limits: &Limits) -> Result<LifelikePattern, FormatError> {
    let start = text_start(bytes);
    let mut indent = None;
    let (mut width, mut height) = (0, 0);
    // The widest row, at which an error about the size is reported.
    let mut size_at = bytes.len();
    for (y, line) in rows(bytes, start) {
        let length = line.indent();
        let blanks = *indent.get_or_insert(&line.text[..length]);
        if !line.text.starts_with(blanks) {
            return Err(FormatError::at(bytes, line.at, Fault::Indent));
        }
        let row = line.skip(blanks.len());
        if let Some(stranger) = first_stranger(row.text) {
            let at = row.at + stranger;
            return Err(FormatError::at(bytes, at, Fault::Cell(found_at(bytes, at))));
        }
        if row.text.len() > width {
            width = row.text.len();
            size_at = row.at;
        }
        height = y + 1;
    }
    let Some(blanks) = indent else {
        return Err(FormatError::at(bytes, bytes.len(), Fault::Nothing));
    };
    let refuse = |fault| FormatError::at(bytes, size_at, fault);
    let size = limits.size(width as u64, height).map_err(refuse)?;
    let mut board = LifelikeBoard::new(size).map_err(|fault| refuse(fault.into()))?;
    for (y, line) in rows(bytes, start) {
        for (x, length) in live_runs(line.skip(blanks.len()).text) {
            board.set_run(uvec2(x as u32, y as u32), length as u32, LifelikeCell::Red);
        }
    }
    Ok(LifelikePattern::new(board))
}

/// The lines with cells and the number of their row; comments are none, and blank lines count only
/// between two rows.
fn rows(bytes: &[u8], start: usize) -> impl Iterator<Item = (u64, Line<'_>)> {
    let (mut y, mut any) = (0, false);
    lines(bytes, start).filter_map(move |line| {
        let first = line.text.get(line.indent());
        match first {
            Some(b'!') => None,
            None => {
                y += u64::from(any);
                None
            }
            Some(_) => {
                any = true;
                y += 1;
                Some((y - 1, line))
            }
        }
    })
}

/// Whether the text begins like plaintext: with a comment.
pub(super) fn begins(text: &[u8]) -> bool {
    let text = text.trim_ascii_start();
    // A lone end mark is the body of an empty RLE pattern.
    text.starts_with(b"!") && !text[1..].trim_ascii().is_empty()
}

/// Writes a board without blue cells, for which [`super::Format::check`] holds.
///
/// # Errors
/// Those of `out`.
pub(super) fn encode(board: &LifelikeBoard, out: &mut dyn Write) -> io::Result<()> {
    let width = board.size().width() as usize;
    let mut row = Vec::with_capacity(width + 1);
    for y in 0..board.size().height() {
        for (x, length) in board_runs(board, y) {
            row.resize(x as usize, b'.');
            row.resize((x + length) as usize, b'O');
        }
        let shortest = if y == 0 { width } else { 1 };
        if row.len() < shortest {
            row.resize(shortest, b'.');
        }
        row.push(b'\n');
        out.write_all(&row)?;
        row.clear();
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Size, start};
    use crate::format::grid;
    use proptest::prelude::*;

    fn read(text: &str) -> Result<String, String> {
        let pattern = parse(text.as_bytes(), &Limits::default());
        let mut grid = Vec::new();
        grid::encode(&pattern.map_err(|e| e.to_string())?.board, &mut grid).unwrap();
        Ok(String::from_utf8(grid).unwrap())
    }

    fn written(board: &LifelikeBoard) -> String {
        let mut bytes = Vec::new();
        encode(board, &mut bytes).unwrap();
        String::from_utf8(bytes).unwrap()
    }

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
    fn rows_may_be_ragged_and_blank_lines_between_them_count() {
        let board = "4 5\n.1...\n.....\n....1\n111..\n";
        for text in [
            "!Name: small\n! a comment\n.O\n\n....O\nOOO\n",
            "!\r\n.O\r\n\r\n....O\r\nOOO\r\n",
            "\n  \n.o  \n \t\n....*\t\n*oO..",
            ".O\r!in between\r\r....O\r  ! indented\rOOO\r\r\r",
            "  .O\n\n  ....O\n  OOO\n",
        ] {
            assert_eq!(read(text).as_deref(), Ok(board), "{text:?}");
        }
        assert_eq!(read("\u{feff}!x\nO").as_deref(), Ok("1 1\n1\n"));
        assert_eq!(read("..\n.\n").as_deref(), Ok("2 2\n..\n..\n"));
    }

    #[test]
    fn what_is_no_cell_is_refused_with_its_place() {
        for (text, place, what) in [
            ("!Name: bad\n.O\n.Q\n", "line 3, column 2", "found 'Q'"),
            (".O.O\n. O\n", "line 2, column 2", "found a blank"),
            (".O\n O\n", "line 2, column 1", "found a blank"),
            ("  .O\n   O\n", "line 2, column 3", "found a blank"),
            ("  .O\n.O\n", "line 2, column 1", "same blanks"),
            ("\t.O\n  .O\n", "line 2, column 1", "same blanks"),
            ("..\n.1\n", "line 2, column 2", "found '1'"),
            ("#C x\n.O\n", "line 1, column 1", "start with '!'"),
            (".O ! x\n", "line 1, column 3", "found a blank"),
            ("", "line 1, column 1", "found nothing"),
            ("!Name\n \n", "line 3, column 1", "found nothing"),
            (".é", "line 1, column 2", "'é'"),
        ] {
            check_refused(text, place, what);
        }
    }

    #[test]
    fn a_size_is_checked_before_memory_is_taken() {
        // A row of 10^5 cells above 10^5 blank lines would take 2.5 GB.
        let text = format!("{}{}O\n", ".".repeat(100_000), "\n".repeat(100_000));
        let limits = Limits {
            max_board_bytes: 1 << 20,
            ..Limits::default()
        };
        let error = parse(text.as_bytes(), &limits).unwrap_err().to_string();
        assert!(error.starts_with("line 1, column 1: a board of"), "{error}");
    }

    #[test]
    fn a_board_is_written_up_to_its_last_live_cells() {
        let mut board = LifelikeBoard::new(Size::new(5, 3).unwrap()).unwrap();
        board.set(uvec2(1, 0), LifelikeCell::Red);
        board.set_run(uvec2(2, 2), 2, LifelikeCell::Red);
        assert_eq!(written(&board), ".O...\n.\n..OO\n");
    }

    proptest! {
        #[test]
        fn a_board_reads_back(width in 1u64..140, height in 1u64..9, density in 0.0..1.0, seed: u64) {
            let soup = start::random(Size::new(width, height).unwrap(), density, seed).unwrap();
            let alive = soup.alive().to_vec();
            let blue = vec![0; alive.len()];
            let board = LifelikeBoard::from_planes(soup.size(), alive, blue).unwrap();
            let text = written(&board);
            prop_assert_eq!(parse(text.as_bytes(), &Limits::default()).unwrap().board, board);
        }

        #[test]
        fn no_bytes_make_the_reader_panic(bytes: Vec<u8>, text in "[.Oo*! \t\r\n]{0,60}") {
            let limits = Limits { max_board_bytes: 1 << 20, ..Limits::default() };
            let _ = parse(&bytes, &limits);
            let _ = parse(text.as_bytes(), &limits);
        }
    }
}
