use super::*;
use crate::board::start;
use crate::format::grid;
use proptest::prelude::*;

fn read(text: &str) -> Result<LifelikePattern, String> {
    parse(text.as_bytes(), &Limits::default()).map_err(|error| error.to_string())
}

/// The pattern as a text grid.
fn cells(text: &str) -> String {
    let mut bytes = Vec::new();
    grid::encode(&read(text).unwrap().board, &mut bytes).unwrap();
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
fn coordinates_keep_their_layout_and_the_shift_is_noted() {
    for text in [
        "#Life 1.06\n-1 -1\n0 0\n1 -2\n0 0\n",
        "#Life 1.06\r\n1 -2\r\n\r\n  0\t0 \r\n-1 -1",
        "\u{feff}#LIFE 1.06\n#C a comment\n1 -2\n+0 -0\n-01 -1\n",
        "1 -2\n0 0\n-1 -1\n",
    ] {
        let pattern = read(text).unwrap();
        assert_eq!(cells(text), "3 3\n..1\n1..\n.1.\n", "{text:?}");
        assert_eq!(pattern.position, Some(i64vec2(-1, -2)));
        assert_eq!(pattern.notes.len(), 1);
        assert!(pattern.notes[0].contains("column -1, row -2"));
        assert_eq!(pattern.rule, None);
    }
    assert_eq!(read("#Life 1.06\n1 0\n0 1").unwrap().notes.len(), 0);
    let extreme = format!("#Life 1.06\n{0} {0}\n{0} {1}\n", i64::MIN, i64::MIN + 1);
    assert_eq!(cells(&extreme), "2 1\n1\n1\n");
}

#[test]
fn lines_that_are_no_cell_are_refused() {
    for (text, place, what) in [
        ("#Life 1.06\n0 0\n5\n", "line 3, column 2", "a row"),
        ("#Life 1.06\n0 0\nfive 5\n", "line 3, column 1", "'five'"),
        ("#Life 1.06\n0 x\n", "line 2, column 3", "'x'"),
        ("#Life 1.06\n0,1\n", "line 2, column 1", "'0,1'"),
        ("#Life 1.06\n0 1 2\n", "line 2, column 5", "found '2'"),
        ("#Life 1.06\n0 1.5\n", "line 2, column 3", "'1.5'"),
        (
            "#Life 1.06\n9223372036854775808 0\n",
            "line 2, column 1",
            "2^63",
        ),
        ("#Life 1.06\n..*\n", "line 2, column 1", "'..*'"),
        ("#Life 1.05\n#P 0 0\n.*x\n", "line 3, column 3", "'x'"),
        ("#Life 1.05\n.* *\n", "line 2, column 3", "a blank"),
        ("#Life 1.05\n#P 4\n*\n", "line 2, column 5", "a row"),
        ("#Life 1.05\n#P\n*\n#P\n*\n", "line 4, column 3", "a column"),
        ("#Life 1.05\n#R 23/3/3\n", "line 2, column 4", "Generations"),
        (
            "#Life 1.05\n#P 9223372036854775807 0\n*\n",
            "line 3, column 1",
            "outside",
        ),
        (
            "#Life 1.05\n#P 0 9223372036854775807\n*\n*\n",
            "line 4, column 1",
            "outside",
        ),
    ] {
        check_refused(text, place, what);
    }
}

#[test]
fn cells_too_far_apart_are_refused_and_do_not_wrap() {
    for (far, near) in [
        (2_147_483_647, -2_147_483_648),
        (i64::MAX, i64::MIN),
        (i64::MAX, 0),
    ] {
        let text = format!("#Life 1.06\n{near} 0\n{far} 0\n");
        check_refused(&text, "line 3, column 1", "too large");
        let text = format!("#Life 1.06\n0 {near}\n0 {far}\n0 0\n");
        check_refused(&text, "line 3, column 1", "too large");
    }
    let text = "#Life 1.05\n#P -5000000000 0\n*\n#P 0 0\n.*\n";
    check_refused(text, "line 5, column 2", "too large");
}

#[test]
fn blocks_lie_where_they_say() {
    let text = "#Life 1.05\n#D two blocks\n#N\n#P -2 -1\n.**\n*\n#P 3 1\n\n.\n**.\n";
    assert_eq!(cells(text), "4 7\n.11....\n1......\n.......\n.....11\n");
    let pattern = read(text).unwrap();
    assert_eq!(pattern.position, Some(i64vec2(-2, -1)));
    assert_eq!(pattern.rule, Some(Rule::LIFE));
    // Overlapping, without positions, without the first line.
    let overlap = "#P 0 0\n**\n#P 1 0\r\n**\r\n";
    assert_eq!(cells(overlap), "1 3\n111\n");
    assert_eq!(cells("#Life 1.05\n#P\n.*\n*\n"), "2 2\n.1\n1.\n");
    assert_eq!(cells("#Life 1.05\n.*\n*\n"), "2 2\n.1\n1.\n");
}

#[test]
fn survival_comes_first_in_rules() {
    let rule = |line: &str| {
        let pattern = read(&format!("#Life 1.05\n{line}\n#P 0 0\n*\n")).unwrap();
        pattern.rule.map(|rule| rule.to_string())
    };
    assert_eq!(rule("#R 23/36").as_deref(), Some("B36/S23"));
    assert_eq!(rule("#R 125/36").as_deref(), Some("B36/S125"));
    assert_eq!(rule("#N").as_deref(), Some("B3/S23"));
    assert_eq!(rule("#D").as_deref(), None);
}

#[test]
fn a_file_without_live_cells_is_one_dead_cell() {
    for text in ["#Life 1.06\n", "#Life 1.05\n#P 5 5\n..\n", "#P\n"] {
        let pattern = read(text).unwrap();
        assert_eq!((pattern.board.size().cells(), pattern.position), (1, None));
        assert_eq!(pattern.notes.len(), 1);
    }
    check_refused("", "line 1, column 1", "found nothing");
    check_refused("#C\n", "line 2, column 1", "found nothing");
}

#[test]
fn a_board_is_written_from_its_top_left_cell() {
    let mut board = LifelikeBoard::new(Size::new(9, 3).unwrap()).unwrap();
    board.set_run(uvec2(2, 0), 2, LifelikeCell::Red);
    board.set(uvec2(0, 2), LifelikeCell::Red);
    let mut bytes = Vec::new();
    encode(&board, &mut bytes).unwrap();
    assert_eq!(bytes, b"#Life 1.06\n2 0\n3 0\n0 2\n");
}

proptest! {
    #[test]
    fn live_cells_read_back(width in 1u64..70, height in 1u64..9, seed: u64) {
        let soup = start::random(Size::new(width, height).unwrap(), 0.3, seed).unwrap();
        let mut bytes = Vec::new();
        encode(&soup, &mut bytes).unwrap();
        let pattern = parse(&bytes, &Limits::default()).unwrap();
        let I64Vec2 { x: left, y: top } = pattern.position.unwrap_or_default();
        let mut again = LifelikeBoard::new(soup.size()).unwrap();
        again.place(&pattern.board, uvec2(left as u32, top as u32)).unwrap();
        prop_assert_eq!(again.alive(), soup.alive());
    }

    #[test]
    fn no_bytes_make_the_reader_panic(bytes: Vec<u8>, text in "(#Life 1.0[56]|#P|#R 23/3|-?[0-9]{1,20}|[.*]{1,3}|[ \n]){0,30}") {
        let limits = Limits { max_board_bytes: 1 << 20, ..Limits::default() };
        let _ = parse(&bytes, &limits);
        let _ = parse(text.as_bytes(), &limits);
    }
}
