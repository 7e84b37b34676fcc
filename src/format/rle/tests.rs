//! Whole files, read and written.

use glam::uvec2;
use proptest::prelude::*;

use super::*;
use crate::board::{Edges, Size, start};
use crate::format::LifelikeDocument;
use crate::rules::Rule;

fn read(text: &str) -> Result<LifelikePattern, String> {
    parse(text.as_bytes(), &Limits::default()).map_err(|error| error.to_string())
}

fn written(document: &LifelikeDocument) -> Vec<u8> {
    let mut bytes = Vec::new();
    encode(document, &mut bytes).unwrap();
    bytes
}

/// The rows of the board in a file, with a blank between two.
fn rows(text: &str) -> String {
    let board = read(text)
        .unwrap_or_else(|error| panic!("{text:?}: {error}"))
        .board;
    let row = |y| {
        board
            .row(y)
            .map(LifelikeCell::grid_char)
            .collect::<String>()
    };
    let rows: Vec<_> = (0..board.size().height()).map(row).collect();
    rows.join(" ")
}

fn check_refused(text: &str, place: &str, what: &str) {
    let error = read(text).unwrap_err();
    assert!(
        error.starts_with(&format!("{place}: ")),
        "{text:?}: {error}"
    );
    assert!(error.contains(what), "{text:?}: {error}");
    assert!(!error.contains(char::is_control), "{text:?}: {error}");
}

#[test]
fn cells_of_both_colours() {
    let text = "#C two colours\nx = 5, y = 3, rule = Immigration\n.2AB$o2bBb$3.x!";
    assert_eq!(rows(text), ".112. 1..2. ...1.");
    let pattern = read(text).unwrap();
    assert_eq!(pattern.rule, Some(Rule::LIFE));
    assert_eq!(pattern.notes, [""; 0]);
    assert_eq!((pattern.position, pattern.generation), (None, 0));
}

#[test]
fn without_a_header_the_size_comes_from_the_cells() {
    for text in [
        "2o$obo$bo!",
        "#C no header\n2o$obo$bo!",
        "\u{feff}2o$obo$bo!",
        "2o$\nobo$\nbo3$!",
    ] {
        assert_eq!(rows(text), "11. 1.1 .1.", "{text:?}");
        let pattern = read(text).unwrap();
        assert_eq!(pattern.rule, None);
        assert_eq!(pattern.notes.len(), 1);
        assert!(pattern.notes[0].contains("header line is missing: 3 columns and 3 rows"));
    }
    // Dead cells that are written down are cells.
    assert_eq!(rows("A..$..B$.3b!"), "1... ..2. ....");
    assert_eq!(rows("3$!"), ".");
    assert_eq!(rows("!"), ".");
    for text in ["", "\n", "#C only a comment", "\u{feff}"] {
        assert!(
            read(text).unwrap_err().contains("found nothing"),
            "{text:?}"
        );
    }
}

#[test]
fn a_count_before_a_row_end_leaves_rows_empty() {
    assert_eq!(
        rows("x = 2, y = 5, rule = B3/S23\nbo4$o!"),
        ".1 .. .. .. 1."
    );
    assert_eq!(rows("x = 2, y = 5\n$2$2o$$!"), ".. .. .. 11 ..");
}

#[test]
fn a_live_cell_outside_the_header_is_refused_with_both_sizes() {
    check_refused(
        "x = 0, y = 0, rule = B3/S23\n2o$obo$bo!",
        "line 2, column 1",
        "0 columns and 0 rows",
    );
    check_refused(
        "x = 0, y = 0\n2o$obo$bo!",
        "line 2, column 1",
        "write x = 3, y = 3",
    );
    check_refused(
        "x = 2, y = 9\n2o$obo$bo!",
        "line 2, column 6",
        "write x = 3, y = 9",
    );
    check_refused(
        "x = 3, y = 2\n2o$obo$\n b2o!",
        "line 3, column 3",
        "write x = 3, y = 3",
    );
    check_refused(
        "x = 3, y = 3\n1000000000000000000o!",
        "line 2, column 1",
        "take 1000000000000000000 and 3",
    );
    check_refused(
        "x = 3, y = 3\n99999999999999999999o!",
        "line 2, column 20",
        "too large",
    );
    let far = "x = 3, y = 3\no18446744073709551615b18446744073709551615b18446744073709551615o!";
    check_refused(far, "line 2, column 44", "outside");
    check_refused(
        "x = 3, y = 3\n18446744073709551615$9$o!",
        "line 2, column 24",
        "outside",
    );
}

#[test]
fn dead_cells_outside_the_header_do_no_harm() {
    for body in [
        "2o7b$bo9$!",
        "2o$bo$1000000000000000000b!",
        "2o$bo18446744073709551615$$5b!",
    ] {
        let text = format!("x = 2, y = 2, rule = B3/S23\n{body}");
        assert_eq!(rows(&text), "11 .1", "{body}");
        assert_eq!(read(&text).unwrap().notes, [""; 0]);
    }
}

#[test]
fn an_empty_pattern_gets_a_board_of_one_cell() {
    for text in ["x = 0, y = 0, rule = B3/S23\n!", "x = 0, y = 1\n$!"] {
        assert_eq!(rows(text), ".");
        let notes = read(text).unwrap().notes;
        assert_eq!(notes.len(), 1);
        assert!(notes[0].contains("the board has 1 and 1"), "{notes:?}");
    }
}

#[test]
fn every_layout_of_lines_gives_the_same_cells() {
    let long = format!(
        "x = 9000, y = 2, rule = B3/S23\n{}!",
        "bo".repeat(4500) + "$" + &"ob".repeat(4500)
    );
    assert_eq!(read(&long).unwrap().board.census().red, 9000);
    let header = "x = 3, y = 3, rule = B3/S23";
    for body in [
        "\n2o$obo$bo!\n",
        "\r2o$obo$bo!\r",
        "\r\n2o$\r\nobo$\r\nbo!\r\n",
        "\n2\no$o\nbo$b\n\n\no!",
        "\n\t2o $\to b o $ bo ! ",
        "\n#C in the midst\n2o$\n#C of cells\nobo$bo!",
        "\n2o$obo$bo!2o$ any text, even x = 1\n\0",
        "\n\n2o$obo$bo!",
        "\n2x$xby$.z!",
    ] {
        let text = format!("{header}{body}");
        assert_eq!(rows(&text), "11. 1.1 .1.", "{body:?}");
        assert_eq!(read(&text).unwrap().notes, [""; 0]);
    }
}

#[test]
fn a_missing_end_mark_is_noted() {
    for body in ["2o$obo$bo", "2o$obo$bo\n", "2o$obo$bo$\n\n"] {
        let text = format!("x = 3, y = 3\n{body}");
        assert_eq!(rows(&text), "11. 1.1 .1.");
        let notes = read(&text).unwrap().notes;
        assert_eq!(notes.len(), 1);
        assert!(notes[0].contains("'!' at the end is missing"));
    }
}

#[test]
fn comments_need_not_be_utf_8() {
    let pattern = parse(
        b"#O Fran\xe7ois\n#C \0\xff\nx = 1, y = 1\no!",
        &Limits::default(),
    );
    assert_eq!(pattern.unwrap().board.census().red, 1);
    let error = parse(b"x = 1, y = 1\n\xe7!", &Limits::default()).unwrap_err();
    assert!(error.to_string().contains("byte 0xe7"), "{error}");
}

#[test]
fn cells_of_other_rules_are_refused() {
    check_refused(
        "x = 2, y = 2, rule = 345/2/4\nAB$C!",
        "line 1, column 22",
        "Generations rule 345/2/4 is not supported",
    );
    check_refused(
        "x = 2, y = 2, rule = WireWorld\nAB$C!",
        "line 1, column 22",
        "4 states",
    );
    check_refused(
        "x = 2, y = 2\nAB$C!",
        "line 2, column 4",
        "'C' is a cell of state 3",
    );
}

#[test]
fn a_bounded_grid_is_handed_on() {
    let text = "#CXRLE Pos=-6,-10 Gen=4\nx = 2, y = 1, rule = Immigration:T12,20\nAB!";
    let pattern = read(text).unwrap();
    let grid = pattern.topology.unwrap();
    assert_eq!(
        (grid.edges, grid.width, grid.height),
        (Edges::Torus, 12, 20)
    );
    assert_eq!(pattern.position, Some(grid_corner(12, 20)));
    assert_eq!(pattern.generation, 4);
    assert_eq!(
        pattern.board.size().to_string(),
        "2x1",
        "the board is not enlarged"
    );
    assert_eq!(pattern.notes, [""; 0]);
    let small = read("x = 13, y = 1, rule = B3/S23:P12,20\no!").unwrap();
    assert!(small.notes[0].contains("13x1, is larger than its bounded grid, 12x20"));
}

#[test]
fn what_asks_for_too_much_is_refused_before_memory_is_taken() {
    check_refused(
        "x = 1000000, y = 1000000, rule = B3/S23\no!",
        "line 1, column 1",
        "too large",
    );
    check_refused("1000000000000000000o", "line 1, column 1", "too large");
    check_refused("o999999999999$o!", "line 1, column 1", "too large");
    check_refused("o18446744073709551615bo!", "line 1, column 1", "too large");
    let limits = Limits {
        max_board_bytes: 1 << 20,
        ..Limits::default()
    };
    let error = parse(b"#C\n x = 5000, y = 5000\no!", &limits)
        .unwrap_err()
        .to_string();
    assert!(
        error.starts_with("line 2, column 2: a board of 5000x5000"),
        "{error}"
    );
}

/// Where a live cell at the far corner would need arithmetic beyond 32 bits.
#[test]
fn wide_and_tall_boards() {
    let text = "x = 8, y = 600000, rule = B3/S23\n2b3o599999$7bB!";
    let board = read(text).unwrap().board;
    assert_eq!(board.cell(uvec2(7, 599_999)), LifelikeCell::Blue);
    let text = "x = 600000, y = 2, rule = B3/S23\n$o599998bB!";
    let board = read(text).unwrap().board;
    assert_eq!(board.cell(uvec2(599_999, 1)), LifelikeCell::Blue);
    assert_eq!(board.census().alive(), 2);
}

fn boards() -> impl Strategy<Value = LifelikeBoard> {
    let width = prop_oneof![1u64..140, 30u64..35, 62u64..67];
    (width, 1u64..9, 0.0..1.0, any::<u64>()).prop_map(|(width, height, density, seed)| {
        start::random(Size::new(width, height).unwrap(), density, seed).unwrap()
    })
}

proptest! {
    #[test]
    fn a_document_reads_back(
        board in boards(),
        one_colour: bool,
        birth in 0u16..256,
        survival in 0u16..512,
        edges in prop::option::of(prop_oneof![Just(Edges::Torus), Just(Edges::Dead)]),
        generation: u64,
    ) {
        let board = if one_colour {
            let red = vec![0; board.blue().len()];
            LifelikeBoard::from_planes(board.size(), board.alive().to_vec(), red).unwrap()
        } else {
            board
        };
        let rule = Rule::new(birth << 1, survival).unwrap();
        let document = LifelikeDocument { board: &board, rule: Some(rule), edges, generation };
        let bytes = written(&document);
        prop_assert!(bytes.split(|&b| b == b'\n').all(|line| line.len() <= 70));
        let pattern = parse(&bytes, &Limits::default()).unwrap();
        prop_assert_eq!(&pattern.board, &board);
        prop_assert_eq!(pattern.rule, Some(rule));
        prop_assert_eq!(pattern.generation, generation);
        prop_assert_eq!(pattern.notes, Vec::<String>::new());
        let size = board.size();
        let (width, height) = (u64::from(size.width()), u64::from(size.height()));
        prop_assert_eq!(
            pattern.topology.map(|grid| (grid.edges, grid.width, grid.height)),
            edges.map(|edges| (edges, width, height))
        );
        prop_assert_eq!(pattern.position, edges.map(|_| grid_corner(width, height)));
    }

    #[test]
    fn no_bytes_make_the_reader_panic(bytes: Vec<u8>, text in "[0-9bo.AB$!xyzpC#=, \n\r\t]*") {
        let limits = Limits { max_board_bytes: 1 << 20, ..Limits::default() };
        for body in [bytes.as_slice(), text.as_bytes()] {
            let _ = parse(body, &limits);
            for start in ["x = 30, y = 30, rule = B3/S23:T40\n", "x = ", "#CXRLE "] {
                let _ = parse(&[start.as_bytes(), body].concat(), &limits);
            }
        }
    }

    #[test]
    fn a_changed_file_is_read_or_refused(
        board in boards(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..5),
    ) {
        let document = LifelikeDocument { edges: Some(Edges::Torus), generation: 5, ..LifelikeDocument::new(&board) };
        let mut bytes = written(&document);
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        let limits = Limits { max_board_bytes: 1 << 20, ..Limits::default() };
        if let Ok(pattern) = parse(&bytes, &limits) {
            prop_assert!(2 * pattern.board.size().plane_bytes() <= limits.max_board_bytes);
        }
    }
}
