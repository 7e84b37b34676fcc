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
