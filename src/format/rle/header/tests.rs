use super::*;
use crate::board::Edges;

fn read(text: &str) -> Result<Preamble<'_>, String> {
    Preamble::parse(text.as_bytes()).map_err(|error| error.to_string())
}

/// Width, height and rule of a header.
fn header(text: &str) -> (u64, u64, String) {
    let header = read(text).unwrap().header.unwrap();
    let rule = header.rule.map(|rule| rule.to_string());
    (header.width, header.height, rule.unwrap_or_default())
}

#[test]
fn a_header_may_be_spelled_in_many_ways() {
    for text in [
        "x = 5, y = 9, rule = B3/S23\n",
        "x=5,y=9,rule=B3/S23",
        "x = 5, y=9, rule = b3s23\r\n",
        " \tx =5 ,\ty= 9 , rule =  23/3  \n",
        "X = 5, Y = 9, RULE = Life\n",
        "x = 5, y = 9, rule = B3/S23,\n",
        "x = 5, y = 9, rule = B3/S23 , \n",
        "y = 9, rule = s23/b3, x = 5\n",
        "x = 5, y = 9, rule = Immigration, extra = 1\n",
        "x = 5, hue = 7, y = 9, rule = B3/S23\n",
        "\n\n#C with x = 3\n#N\n  \nx = 5, y = 9, rule = B3/S23\no!",
    ] {
        assert_eq!(header(text), (5, 9, "B3/S23".into()), "{text:?}");
    }
    assert_eq!(header("x = 5, y = 9,\n"), (5, 9, String::new()));
    let notes = read("x = 1, hue = 7, y = 1, rule = B2/S, a_1 = 3,4")
        .unwrap()
        .notes;
    assert_eq!(notes.len(), 2, "{notes:?}");
    assert!(notes[0].starts_with("hue in the header"));
    assert!(notes[1].starts_with("a_1 in the header"));
}

#[test]
fn a_rule_before_the_header_counts_if_the_header_has_none() {
    let rule = |text: &str| {
        let preamble = read(text)?;
        let of_header = preamble.header.and_then(|header| header.rule);
        Ok::<_, String>(of_header.or(preamble.rule).map(|rule| rule.to_string()))
    };
    for (text, expected) in [
        ("#r 23/36\nx = 5, y = 4\no!", Some("B36/S23")),
        ("#C\r\n  #r \tHighLife  \r\no!", Some("B36/S23")),
        (
            "#r B2/S\n#r B36/S23:T20,10\nx = 5, y = 4,\n",
            Some("B36/S23"),
        ),
        ("#r 23/36\nx = 5, y = 4, rule = B3/S23\n", Some("B3/S23")),
        // No rule, or another word.
        ("#r\no!", None),
        ("#r  \no!", None),
        ("#remember B36/S23\no!", None),
        ("#R 23 36\no!", None),
        // The header's rule counts, so the line may say anything.
        (
            "#r oscillates\nx = 5, y = 4, rule = B3/S23\n",
            Some("B3/S23"),
        ),
    ] {
        assert_eq!(rule(text).unwrap().as_deref(), expected, "{text:?}");
    }
    let grid = read("#r B36/S23:P20,10\no!").unwrap().topology.unwrap();
    assert_eq!((grid.edges, grid.width, grid.height), (Edges::Dead, 20, 10));
    for (text, place, what) in [
        (
            "#r 345/2/4\nx = 3, y = 1\n3o!",
            "line 1, column 4",
            "Generations rule",
        ),
        ("#C\n#r B9/S\n3o!", "line 2, column 4", "B9/S"),
    ] {
        let error = rule(text).unwrap_err();
        assert!(error.starts_with(place) && error.contains(what), "{error}");
    }
}

#[test]
fn a_generation_beyond_64_bits_is_left_out() {
    for (text, generation, notes) in [
        ("#CXRLE Gen=18446744073709551615", u64::MAX, 0),
        ("#CXRLE Gen=18446744073709551616", 0, 1),
        ("#CXRLE Pos=1,2 Gen=123456789012345678901234567890", 0, 1),
        ("#CXRLE Gen=00000000000000000000000000007", 7, 0),
    ] {
        let preamble = read(text).unwrap();
        assert_eq!(preamble.generation, generation, "{text}");
        assert_eq!(preamble.notes.len(), notes, "{text}");
        assert!(preamble.notes.iter().all(|note| note.contains("2^64")));
    }
}

#[test]
fn the_comma_of_a_bounded_grid_belongs_to_the_rule() {
    for text in [
        "x = 5, y = 9, rule = B36/S23:T12,20\n",
        "x = 5, rule = B36/S23:T12,20, y = 9\n",
        "x = 5, y = 9, rule = B36/S23:T12,20,\n",
        "x = 5, y = 9, rule = HighLife:t12,20, hue = 3",
    ] {
        assert_eq!(header(text), (5, 9, "B36/S23".into()));
        let grid = read(text).unwrap().header.unwrap().topology.unwrap();
        assert_eq!(
            (grid.edges, grid.width, grid.height),
            (Edges::Torus, 12, 20)
        );
    }
}

#[test]
fn a_faulty_header_is_refused_with_its_place() {
    for (text, place, what) in [
        (
            "x = 3, y = , rule = B3/S23\n",
            "line 1, column 12",
            "number for y, found nothing",
        ),
        ("x = 3, y =\n", "line 1, column 11", "found nothing"),
        (
            "x = three, y = 3\n",
            "line 1, column 5",
            "for x, found 'three'",
        ),
        ("#C\r\nx = -3, y = 3\n", "line 2, column 5", "found '-3'"),
        ("x = 3 y = 3\n", "line 1, column 5", "found '3 y = 3'"),
        ("x = 3.5, y = 3\n", "line 1, column 5", "found '3.5'"),
        (
            "x = 99999999999999999999, y = 3\n",
            "line 1, column 5",
            "number for x",
        ),
        ("x = 3\n", "line 1, column 1", "does not say y"),
        ("\n  rule = B3/S23\n", "line 2, column 3", "does not say x"),
        ("x = 3, y = 3, x = 4\n", "line 1, column 15", "x twice"),
        (
            "x = 3, y = 3, rule = 23/3/3\n",
            "line 1, column 22",
            "Generations rule 23/3/3 is not supported",
        ),
        (
            "x = 3, y = 3, rule = \n",
            "line 1, column 22",
            "rule is empty",
        ),
        (
            "x = 3, y = 3, rule = B3/S23:K9,9*\n",
            "line 1, column 22",
            "Klein bottle",
        ),
        (
            "x = 3, y = 3, rule = R5,C0,M1,S34..58,B34..45,NM\n",
            "line 1, column 22",
            "Larger than Life",
        ),
        (
            "x = 3, y = 3, rule = a\x1b[31m\0\n",
            "line 1, column 22",
            "not known",
        ),
    ] {
        let error = read(text).unwrap_err();
        assert!(
            error.starts_with(&format!("{place}: ")),
            "{text:?}: {error}"
        );
        assert!(error.contains(what), "{text:?}: {error}");
        assert!(!error.contains(char::is_control), "{text:?}: {error}");
    }
    let long = format!("x = 3, y = 3, rule = {}\n", "3".repeat(MAX_RULE + 1));
    assert!(read(&long).unwrap_err().contains("longer than 200 bytes"));
    let long = format!("x = 3, y = 3{}\n", ", a = 1".repeat(MAX_LINE));
    assert!(read(&long).unwrap_err().contains("longer than 4096 bytes"));
}

#[test]
fn a_line_of_cells_is_no_header() {
    for text in ["xbx$\nxxx!", "x$y$z!", "xyz", "3x!", "!", "$$"] {
        let preamble = read(text).unwrap();
        assert!(preamble.header.is_none(), "{text:?}");
        assert_eq!(preamble.body, 0);
    }
    let second = read("#C\nx = 3, y = 2\n#C\n\nx = 3, y = 2\n").unwrap();
    assert_eq!(second.body, 20, "a second header is left to the body");
    assert_eq!(read(" \n\t").unwrap().body, 3);
}

#[test]
fn position_and_generation() {
    for text in [
        "#CXRLE Pos=-30,12 Gen=345678901234\n",
        "#CXRLE Gen = 345678901234 Pos = -30 , 12 \r\nx = 1, y = 1\n",
        "#C first\n\t#CXRLE\tpos=-30,+12 gen=345678901234",
        "x = 1, y = 1\n#CXRLE Pos=-30,12 Gen=345678901234\no!",
    ] {
        let preamble = read(text).unwrap();
        assert_eq!(preamble.position, Some(i64vec2(-30, 12)), "{text:?}");
        assert_eq!(preamble.generation, 345_678_901_234, "{text:?}");
        assert_eq!(preamble.notes, [""; 0]);
    }
    let far = read("#CXRLE Pos=-9223372036854775808,-2147483649").unwrap();
    assert_eq!(far.position, Some(i64vec2(i64::MIN, -2_147_483_649)));
    assert_eq!(far.generation, 0);
    assert_eq!(read("#CXRLE\n").unwrap().position, None);
    let other = read("#CXRLE Mag=3 Gen=2").unwrap();
    assert_eq!(other.generation, 2);
    assert!(other.notes[0].starts_with("Mag in the #CXRLE line"));
}

#[test]
fn a_faulty_extended_line_is_refused_with_its_place() {
    for (text, place, what) in [
        (
            "#CXRLE Pos=3\n",
            "line 1, column 13",
            "',' between the two numbers of Pos, found the end of the line",
        ),
        (
            "#CXRLE Pos=3,\n",
            "line 1, column 14",
            "found the end of the line",
        ),
        ("#CXRLE Pos=,3\n", "line 1, column 12", "whole number"),
        ("#C\n#CXRLE Pos=a,3\n", "line 2, column 12", "found 'a'"),
        ("#CXRLE Pos=1-2,3\n", "line 1, column 12", "found '1-2'"),
        (
            "#CXRLE Pos=9223372036854775808,0\n",
            "line 1, column 12",
            "2^63",
        ),
        ("#CXRLE Gen=-1\n", "line 1, column 12", "found '-1'"),
        ("#CXRLE Gen=1e9\n", "line 1, column 12", "found '1e9'"),
        ("#CXRLE Gen=\n", "line 1, column 12", "found nothing"),
        (
            "#CXRLE Gen 5\n",
            "line 1, column 12",
            "a key and '=', found '5'",
        ),
        ("#CXRLE = 5\n", "line 1, column 8", "a key and '='"),
        (
            "#CXRLE Gen=1\n#CXRLE Gen=2\n",
            "line 2, column 1",
            "second #CXRLE",
        ),
    ] {
        let error = read(text).unwrap_err();
        assert!(
            error.starts_with(&format!("{place}: ")),
            "{text:?}: {error}"
        );
        assert!(error.contains(what), "{text:?}: {error}");
    }
}
