use super::*;
use crate::board::Size;
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
        .map(|y| board.row(y).map(|cell| format!("{cell} ")).collect())
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
    let cell = (0..6, -127i8..=127).prop_map(|(kind, population)| match kind {
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
        let spots = prop::collection::vec(cell.clone(), (width * height) as usize);
        spots.prop_map(move |spots| {
            let mut board = RezolutionBoard::new(Size::new(width, height).unwrap()).unwrap();
            for (at, cell) in (0..).zip(spots) {
                board.set(uvec2(at % width as u32, at / width as u32), cell);
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
