use glam::{I64Vec2, i64vec2, uvec2};
use proptest::prelude::*;

use super::*;
use crate::board::{LifelikeCell, start};
use crate::format::grid;

fn read(text: &str) -> Result<LifelikePattern, String> {
    parse(text.as_bytes(), &Limits::default()).map_err(|error| error.to_string())
}

fn cells(pattern: &LifelikePattern) -> String {
    let mut bytes = Vec::new();
    grid::encode(&pattern.board, &mut bytes).unwrap();
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

/// A file whose root of level `top` has four equal quarters, all the way down to `leaf`.
fn tower(leaf: &str, top: u8) -> String {
    let mut text = format!("[M2]\n{leaf}\n");
    for (child, level) in (1..).zip(4..=top) {
        text += &format!("{level} {child} {child} {child} {child}\n");
    }
    text
}

const FULL: &str = "********$********$********$********$********$********$********$********$";

#[test]
fn a_glider_with_and_without_what_may_be_missing() {
    for text in [
        "[M2] (golly 3.3)\n#R B3/S23\n#G 7\n$$$$$$$.*$\n..*$***$\n4 0 1 0 2\n",
        "[M2]\n#R B3/S23\n#G 7\n$$$$$$$.*$\n..*$***$\n4 0 1 0 2\n",
        "[M2] (golly 3.3)\r\n#R B3/S23\r\n#G 7\r\n$$$$$$$.*$\r\n..*$***$\r\n4 0 1 0 2\r\n",
        "\u{feff}\n[M2]\n#C a comment\n#G 7\n\n#R 23/3\n$$$$$$$.*\n..*$***\n 4 0  1\t0 2 ",
    ] {
        let pattern = read(text).unwrap();
        assert_eq!(cells(&pattern), "3 3\n.1.\n..1\n111\n", "{text:?}");
        assert_eq!(pattern.generation, 7);
        assert_eq!(pattern.position, Some(i64vec2(0, -1)), "{text:?}");
        assert_eq!(
            pattern.rule.map(|rule| rule.to_string()).as_deref(),
            Some("B3/S23")
        );
        assert!(pattern.notes.is_empty());
    }
}

/// Golly counts from the middle of the root.
#[test]
fn the_position_depends_on_the_root() {
    let text = "[M2]\n$$$$$$$.*$\n..*$***$\n4 0 1 0 2\n5 0 0 0 3\n6 4 0 0 0\n";
    let pattern = read(text).unwrap();
    assert_eq!(cells(&pattern), "3 3\n.1.\n..1\n111\n");
    assert_eq!(pattern.position, Some(i64vec2(-8, -9)));
}

#[test]
fn nothing_alive_is_one_dead_cell() {
    for text in [
        "[M2] (golly 3.3)\n#R B3/S23\n",
        "[M2]",
        "[M2]\n$\n4 0 0 0 0\n",
        "[M2]\n1 0 0 0 0\n2 1 0 0 1\n",
        "[M2]\n60 0 0 0 0\n",
    ] {
        let pattern = read(text).unwrap();
        assert_eq!(cells(&pattern), "1 1\n.\n", "{text:?}");
        assert_eq!((pattern.position, pattern.notes.len()), (None, 1));
    }
}

#[test]
fn states_make_two_colours() {
    let pattern = read("[M2] (golly 3.3)\n#R Immigration\n1 1 2 0 1\n2 1 0 0 1\n").unwrap();
    assert_eq!(cells(&pattern), "4 4\n12..\n.1..\n..12\n...1\n");
    assert_eq!(pattern.position, Some(i64vec2(-2, -2)));
    // Squares of 2 and of 8 cells per side under one root.
    let text = "[M2]\n1 0 2 0 0\n2 0 0 0 1\n3 0 2 0 0\n$$..*$\n4 3 4 0 0\n";
    let pattern = read(text).unwrap();
    assert_eq!(cells(&pattern), "1 4\n2..1\n");
    assert_eq!(pattern.position, Some(i64vec2(-1, -6)));
}

#[test]
fn bounded_grids_and_timelines() {
    let pattern = read("[M2]\n#R B3/S23:T20,10\n#FRAMES 2 0 1\n*$\n#FRAME 0 1\n").unwrap();
    let grid = pattern.topology.unwrap();
    assert_eq!((grid.width, grid.height), (20, 10));
    assert_eq!(pattern.notes.len(), 1);
    assert!(pattern.notes[0].contains("timeline"));
}

#[test]
fn a_damaged_tree_is_refused_with_its_line() {
    let leaf = "[M2] (golly 3.3)\n#R B3/S23\n$$..*$...*$.***$$$$\n";
    for (line, place, what) in [
        ("4 1 0 0 3", "line 4, column 9", "node 3 is not defined"),
        ("4 1 0 2 0", "line 4, column 7", "which is node 2"),
        ("4 99999999999 0 0 0", "line 4, column 3", "not defined"),
        ("9 1 0 0 0", "line 4, column 3", "node 1 is of level 3"),
        ("3 1 0 0 0", "line 4, column 3", "level 3 is made of"),
        ("2 0 1 0 0", "line 4, column 5", "one level lower"),
        ("62 1 0 0 0", "line 4, column 1", "from 1 to 60, found '62'"),
        ("64 0 0 0 0", "line 4, column 1", "from 1 to 60"),
        ("257 0 0 0 0", "line 4, column 1", "from 1 to 60"),
        ("0 0 0 0 0", "line 4, column 1", "found '0'"),
        (
            "1 3 0 0 0",
            "line 4, column 3",
            "state from 0 to 2, found '3'",
        ),
        ("1 0 0 0 255", "line 4, column 9", "found '255'"),
        ("4 1 0 0", "line 4, column 8", "found the end of the line"),
        ("4 1 0 0 0 0", "line 4, column 11", "found '0'"),
        ("4 1 0 -1 0", "line 4, column 7", "found '-1'"),
        ("4 1 0 x 0", "line 4, column 7", "found 'x'"),
        (".........$", "line 4, column 9", "at most 8 rows of 8"),
        ("$$$$$$$$$", "line 4, column 9", "at most 8 rows of 8"),
        ("$$$$$$$$*", "line 4, column 9", "at most 8 rows of 8"),
        ("..o$", "line 4, column 3", "found 'o'"),
        ("hello", "line 4, column 1", "found 'h'"),
        ("#G -7", "line 4, column 4", "found '-7'"),
        ("#G 1e9", "line 4, column 4", "found '1e9'"),
        ("#R 23/3/3", "line 4, column 4", "Generations"),
    ] {
        check_refused(&format!("{leaf}{line}\n"), place, what);
    }
    check_refused("x = 3, y = 3\nbo!", "line 1, column 1", "'[M2]'");
    check_refused("", "line 1, column 1", "found the end of the file");
}

/// All of these are a few hundred bytes.
#[test]
fn a_bomb_is_refused_before_memory_is_taken() {
    for top in [33, 60] {
        let text = tower(FULL, top);
        check_refused(&text, &format!("line {}, column 1", top - 1), "too large");
    }
    // Two cells far apart are no better.
    let text = tower("*$", 40);
    assert!(read(&text).unwrap_err().contains("too large"));
    let small = Limits {
        max_board_bytes: 1 << 20,
        ..Limits::default()
    };
    let error = parse(tower(FULL, 13).as_bytes(), &small).unwrap_err();
    assert!(error.to_string().contains("8192x8192"), "{error}");
    let many = format!("[M2]\n{}", "$\n".repeat(30_000));
    let error = parse(many.as_bytes(), &small).unwrap_err();
    assert!(matches!(
        error.fault,
        crate::format::Fault::Macrocell(Fault::TooManyNodes { .. })
    ));
}

#[test]
fn shared_nodes_are_painted_wherever_they_stand() {
    let pattern = read(&tower(FULL, 9)).unwrap();
    assert_eq!(pattern.board.census().red, 1 << 18);
    assert_eq!(pattern.position, Some(i64vec2(-256, -256)));
    let pattern = read(&tower(".*$", 9)).unwrap();
    assert_eq!(pattern.board.census().red, 1 << 12);
    assert_eq!(pattern.position, Some(i64vec2(-255, -256)));
}

#[test]
fn a_generation_beyond_64_bits_is_left_out() {
    for (generation, expected, notes) in [
        ("18446744073709551615", u64::MAX, 0),
        ("18446744073709551616", 0, 1),
        ("1000000000000000000000000000000", 0, 1),
    ] {
        let text = format!("[M2]\n#G {generation}\n$$.*$\n");
        let pattern = parse(text.as_bytes(), &Limits::default()).unwrap();
        assert_eq!(pattern.generation, expected);
        let of_generation = pattern.notes.iter().filter(|note| note.contains("2^64"));
        assert_eq!(of_generation.count(), notes, "{:?}", pattern.notes);
    }
}

/// A few live cells in a root of level 60 take a board of their own size.
#[test]
fn a_high_root_costs_nothing() {
    let mut text = String::from("[M2]\n.*$..*$***$\n");
    for (child, level) in (1..).zip(4..=60) {
        text += &format!("{level} 0 0 {child} 0\n");
    }
    let pattern = read(&text).unwrap();
    assert_eq!(cells(&pattern), "3 3\n.1.\n..1\n111\n");
    assert_eq!(pattern.position, Some(i64vec2(-(1 << 59), (1 << 59) - 8)));
}

/// The tree of a board, as lines of level 1 and above; returns the number of the root.
fn tree(board: &LifelikeBoard, x: u32, y: u32, level: u32, out: &mut Vec<String>) -> usize {
    let half = 1 << (level - 1);
    let corners = [(x, y), (x + half, y), (x, y + half), (x + half, y + half)];
    let quarter = |(x, y): (u32, u32), out: &mut Vec<String>| match level {
        1 if x >= board.size().width() || y >= board.size().height() => 0,
        1 => board.cell(uvec2(x, y)) as usize,
        _ => tree(board, x, y, level - 1, out),
    };
    let quarters = corners.map(|corner| quarter(corner, out));
    if quarters == [0; 4] {
        return 0;
    }
    let [nw, ne, sw, se] = quarters;
    out.push(format!("{level} {nw} {ne} {sw} {se}"));
    out.len()
}

proptest! {
    #[test]
    fn a_board_is_what_its_tree_says(width in 1u64..40, height in 1u64..40, density in 0.0..1.0, seed: u64) {
        let board = start::random(Size::new(width, height).unwrap(), density, seed).unwrap();
        let mut lines = vec![];
        tree(&board, 0, 0, 6, &mut lines);
        let text = format!("[M2]\n{}\n", lines.join("\n"));
        let pattern = parse(text.as_bytes(), &Limits::default()).unwrap();
        let mut again = LifelikeBoard::new(board.size()).unwrap();
        if let Some(I64Vec2 { x, y }) = pattern.position {
            again.place(&pattern.board, uvec2((x + 32) as u32, (y + 32) as u32)).unwrap();
            let edge = |x, y| pattern.board.cell(uvec2(x, y)) != LifelikeCell::Dead;
            let (right, bottom) = (pattern.board.size().width(), pattern.board.size().height());
            prop_assert!((0..right).any(|x| edge(x, 0)) && (0..bottom).any(|y| edge(0, y)));
        }
        prop_assert_eq!(again, board);
    }

    #[test]
    fn no_bytes_make_the_reader_panic(bytes: Vec<u8>, text in "(([1-7]|6[0-5]) ([0-9] ){3}[0-9]|[.*$]{1,12}|#[RGCF] [0-9]|\n){0,30}") {
        let limits = Limits { max_board_bytes: 1 << 20, ..Limits::default() };
        let _ = parse(&bytes, &limits);
        let _ = parse(format!("[M2]\n{text}").as_bytes(), &limits);
        let _ = parse(&[b"[M2]\n", bytes.as_slice()].concat(), &limits);
    }

    /// Trees whose nodes all refer to nodes above, mostly of the right level.
    #[test]
    fn no_tree_makes_the_reader_panic(nodes in prop::collection::vec((1u8..9, [0u8..12, 0..12, 0..12, 0..12]), 0..40)) {
        let limits = Limits { max_board_bytes: 1 << 20, ..Limits::default() };
        let mut text = String::from("[M2]\n");
        for (number, (level, quarters)) in (1u8..).zip(nodes) {
            let [nw, ne, sw, se] = quarters.map(|quarter| match level {
                1 => quarter % 3,
                _ => quarter % number,
            });
            text += &format!("{level} {nw} {ne} {sw} {se}\n");
        }
        let _ = parse(text.as_bytes(), &limits);
    }
}
