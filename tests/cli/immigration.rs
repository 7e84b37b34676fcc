use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::process::{Output, Stdio};

use crate::support::program::{Place, command, duolife, piped, refusal, stdout, text};

/// A whole game: a tie of two generations after the set-up, red leading at generation 12 and blue
/// at 22, blue winning at 30, as an independent program has computed it.
const TIE_THEN_WIN: &str = "\
# Set-up
9 15
14 14
9 14
17 14
10 15
15 13
9 1     # a slip of the hand
undo
9 13
16 12

8,15
16 13
run
12 16   # red leads
10 15
run
15 12   # blue leads
13 13
run
";

/// Two blocks and a lone counter each.
const STALEMATE: &str = "\
3 3\n13 13\n4 3\n14 13\n3 4\n13 14\n4 4\n14 14\n21 3\n3 21\nrun\n";

/// The boards in a transcript, by the generation in the line above each.
fn boards(transcript: &str) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let mut heading = None;
    let mut board = String::new();
    for line in transcript.lines().chain([""]) {
        let is_row = line.starts_with(' ');
        if !is_row && let Some(heading) = heading.take().filter(|_| !board.is_empty()) {
            found.insert(heading, std::mem::take(&mut board));
        }
        match line.strip_prefix("generation ") {
            Some(rest) => heading = rest.split_once(',').map(|(number, _)| number.to_owned()),
            None if is_row && heading.is_some() => board.push_str(&format!("{line}\n")),
            None => {}
        }
    }
    found
}

/// A run that reads its standard input.
fn with_input(arguments: &[&str], input: &str) -> Output {
    piped(&mut command(arguments), input)
}

/// The lines that contain some words.
fn lines_with<'a>(transcript: &'a str, words: &str) -> Vec<&'a str> {
    transcript
        .lines()
        .filter(|line| line.contains(words))
        .collect()
}

#[test]
fn a_scripted_game_with_a_tie_runs_to_a_win_and_replays_alike() {
    let place = Place::new();
    let script = place.file("game.txt", TIE_THEN_WIN);
    let record = place.name("game.json");
    let played = stdout(&["immigration", "--script", &script, "--save", &record]);
    assert_eq!(
        lines_with(&played, "generation "),
        [
            "generation 10, red 12, blue 12: equal, single generations follow",
            "generation 12, red 16, blue 14: red leads",
            "generation 12, red 16, blue 14: red's counter (X Y)> 12 16",
            "generation 12, red 17, blue 14: blue's counter (X Y)> 10 15",
            "generation 22, red 5, blue 9: blue leads",
            "generation 22, red 5, blue 9: blue's counter (X Y)> 15 12",
            "generation 22, red 5, blue 10: red's counter (X Y)> 13 13",
            "generation 30, red 0, blue 6",
            "blue wins at generation 30 with 6 cells",
        ]
    );
    assert!(played.ends_with("\nblue wins at generation 30 with 6 cells\n"));
    let shown = boards(&played);
    assert_eq!(shown.len(), 3, "{played}");

    // Again, and from its record: the same.
    let again = stdout(&["immigration", "--script", &script]);
    assert_eq!(played, again);
    let replayed = stdout(&["immigration", &record, "--replay"]);
    let all = boards(&replayed);
    assert_eq!(all.len(), 30, "a board a generation");
    for (generation, board) in &shown
        .into_iter()
        .collect::<std::collections::BTreeMap<_, _>>()
    {
        assert_eq!(all.get(generation), Some(board), "generation {generation}");
    }
    assert_eq!(lines_with(&replayed, "move ").len(), 14);
    assert!(replayed.ends_with("\nblue wins at generation 30 with 6 cells\n"));
    // A finished record shows its end.
    let finished = stdout(&["immigration", &record]);
    assert_eq!(
        finished,
        format!("{}blue wins at generation 30 with 6 cells\n", all["30"])
    );
    assert_eq!(
        stdout(&["immigration", &record, "--quiet"]),
        "blue wins at generation 30 with 6 cells\n"
    );
}

#[test]
fn a_wait_that_repeats_is_a_stalemate_draw() {
    let place = Place::new();
    let script = place.file("game.txt", STALEMATE);
    let record = place.name("game.json");
    let played = stdout(&["immigration", "--script", &script, "--save", &record]);
    let end = "a stalemate draw at generation 11: the boards repeat with 4 cells each\n";
    assert!(played.ends_with(end), "{played}");
    assert!(stdout(&["immigration", &record, "--replay"]).ends_with(end));
}

#[test]
fn a_game_goes_on_where_it_was_left_and_ends_alike() {
    let place = Place::new();
    let whole = stdout(&[
        "immigration",
        "--script",
        &place.file("whole.txt", TIE_THEN_WIN),
    ]);
    let lines: Vec<&str> = TIE_THEN_WIN.lines().collect();
    for cut in [0, 3, 9, 13, 14, 15, 17] {
        let record = place.name(&format!("cut-{cut}.json"));
        let (before, after) = lines.split_at(cut);
        let first = place.file("before.txt", &before.join("\n"));
        let second = place.file("after.txt", &after.join("\n"));
        let left = stdout(&["immigration", "--script", &first, "--save", &record]);
        assert!(
            left.contains("the game is not over at generation "),
            "{left}"
        );
        assert!(
            left.contains(&format!(
                "go on with: duolife immigration {record} --save {record}"
            )),
            "{left}"
        );
        let rest = stdout(&[
            "immigration",
            &record,
            "--script",
            &second,
            "--save",
            &record,
        ]);
        assert_eq!(whole.lines().last(), rest.lines().last(), "cut at {cut}");
    }
}

#[test]
fn the_record_is_whole_after_every_move() {
    let place = Place::new();
    let record = place.name("game.json");
    let mut child = command(&["immigration", "--save", &record])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    input.write_all(b"5 5\n6 6\n7 7\n").unwrap();
    let moves = || {
        let json = fs::read_to_string(&record).unwrap_or_default();
        json.matches("\"player\"").count()
    };
    let started = std::time::Instant::now();
    while moves() < 3 {
        assert!(started.elapsed().as_secs() < 60, "the moves are written");
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let left = stdout(&[
        "immigration",
        &record,
        "--script",
        &place.file("none.txt", ""),
    ]);
    assert!(
        left.contains("not over at generation 0, red 2, blue 1: blue is to place a counter"),
        "{left}"
    );
}

#[test]
fn wrong_lines_are_refused_and_read_again() {
    let input = "5 5\n5 5\n26 1\n0 1\nhello\nundo 2\n\nsave\nundo\nundo\nhelp\n5 5\n6 6\nboard\nquit\n9 9\n";
    let output = with_input(&["immigration"], input);
    assert_eq!(output.status.code(), Some(0));
    let said = text(&output.stdout);
    for expected in [
        "column 5, row 5 is occupied by red; counters go on dead cells",
        "column 26, row 1 is off the board, which has 25x25 cells",
        "columns and rows count from 1",
        "expected a column and a row such as \"12 7\", or a command (see help), not \"hello\"",
        "expected nothing after \"undo\"",
        "expected a column and a row for blue's counter",
        "expected a file after \"save\"",
        "red takes 5 5 back",
        "there is no counter to take back",
        "take your last counter back",
        "set-up: red, counter 2 of 5 (X Y)> quit",
        "the game is not over at generation 0, red 1, blue 1: red is to place a counter",
        "not saved",
    ] {
        assert!(said.contains(expected), "{expected}: {said}");
    }
    assert!(!said.contains('\u{1b}'), "no colours in a pipe: {said}");
    assert!(said.contains("\n   5 . . . . 1 . "), "{said}");
    // The end of the input is an end like any other.
    let output = with_input(&["immigration", "--quiet"], "5 5\n");
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(
        text(&output.stdout),
        "the game is not over at generation 0, red 1, blue 0: blue is to place a counter\n"
    );
}

#[test]
fn a_wrong_line_of_a_script_ends_it_with_file_and_line() {
    let place = Place::new();
    let faults = [
        (
            "5 5\n\n# x\n5 5\n",
            "line 4: column 5, row 5 is occupied by red",
        ),
        ("5 5\nfoo\n", "line 2: expected a column and a row"),
        (
            "run\n",
            "line 1: expected a column and a row for red's counter",
        ),
        ("undo\n", "line 1: there is no counter to take back"),
        (
            "5 5 # a\n1 26 # b\n",
            "line 2: column 1, row 26 is off the board",
        ),
    ];
    for (script, expected) in faults {
        let script = place.file("script.txt", script);
        let output = duolife(&["immigration", "--script", &script]);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert_eq!(said.lines().count(), 1, "{said}");
        assert!(said.contains(&format!("script.txt: {expected}")), "{said}");
    }
    let full = format!("{STALEMATE}1 1\n");
    let late = place.file("late.txt", &full.replace("run\n", ""));
    let output = duolife(&["immigration", "--script", &late]);
    assert!(
        text(&output.stderr).contains("late.txt: line 11: all counters are placed"),
        "{}",
        text(&output.stderr)
    );
}

#[test]
fn damaged_records_are_refused_in_one_line_with_the_move() {
    let place = Place::new();
    let record = place.name("game.json");
    let script = place.file("game.txt", TIE_THEN_WIN);
    stdout(&[
        "immigration",
        "--script",
        &script,
        "--save",
        &record,
        "--quiet",
    ]);
    let json = fs::read_to_string(&record).unwrap();
    let changes = [
        (
            r#""x": 13, "y": 13"#,
            r#""x": 8, "y": 14"#,
            "move 2 (blue, x 8, y 14): column 9, row 15 is occupied by red",
        ),
        (
            r#""x": 13, "y": 13"#,
            r#""x": 25, "y": 1"#,
            "move 2 (blue, x 25, y 1): column 26, row 2 is off the board",
        ),
        (
            "    {\"player\": \"blue\", \"x\": 13, \"y\": 13},\n",
            "",
            "move 2 (red, x 8, y 13): it is the turn of blue",
        ),
        (
            "\"generation\": 30",
            "\"generation\": 31",
            "the game is over at generation 30: a win for blue",
        ),
        (
            "\n  ],",
            ",{\"player\": \"blue\", \"x\": 1, \"y\": 1}],",
            "move 15 (blue, x 1, y 1): the game is over since generation 30",
        ),
        ("\"version\": 1", "\"version\": 9", "version 9"),
        ("\"width\": 25", "\"width\": 4000000000", "too large"),
        ("\"first\"", "\"last\"", "unknown field `last`"),
        ("}", "", "no record of a game"),
    ];
    for (from, to, expected) in changes {
        assert!(json.contains(from), "{from}");
        let damaged = place.file("damaged.json", &json.replacen(from, to, 1));
        for more in [&[][..], &["--replay", "--quiet"]] {
            let said = refusal(&[&["immigration", &damaged], more].concat());
            assert!(
                said.contains("damaged.json: ") && said.contains(expected),
                "{said}"
            );
        }
    }
    let huge = place.file("huge.json", &" ".repeat(3 << 20));
    assert!(refusal(&["immigration", &huge]).contains("longer than the 2097152 bytes"));
    assert!(
        refusal(&["immigration", &place.name("none.json")]).contains("none.json: cannot be read")
    );
}

#[test]
fn a_saved_game_is_not_overwritten_by_a_new_one() {
    let place = Place::new();
    let record = place.file("game.json", "precious");
    let said = refusal(&["immigration", "--save", &record]);
    assert!(
        said.contains("game.json: is there already; go on with its game by"),
        "{said}"
    );
    let script = place.file("script.txt", &format!("5 5\nsave {record}\n"));
    let output = duolife(&["immigration", "--script", &script]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(fs::read_to_string(&record).unwrap(), "precious");
    // A file of its own may be named again; it is then kept up to date.
    let mine = place.name("mine.json");
    let script = place.file(
        "script.txt",
        &format!("5 5\nsave {mine}\n6 6\nsave {mine}\n7 7\n"),
    );
    stdout(&["immigration", "--script", &script]);
    let json = fs::read_to_string(&mine).unwrap();
    assert_eq!(json.matches("\"player\"").count(), 3);
    for (arguments, expected) in [
        (vec!["--save", "-"], "needs a file"),
        (
            vec!["--save", "/no/such/place.json"],
            "create the folder first",
        ),
        (vec!["-", "--script", "-"], "standard input"),
        (vec!["--strength", "4"], "from 1 to 3"),
        (vec!["--time", "0"], "seconds above 0"),
        (vec!["--time", "1e300"], "seconds above 0"),
        (vec!["--size", "2000x20"], "at most 1000"),
        (
            vec!["--size", "200x200", "--red", "computer"],
            "at most 10000 cells",
        ),
        (vec!["--replay"], "RECORD"),
        (vec![mine.as_str(), "--size", "9x9"], "--size"),
    ] {
        let said = if arguments[0] == "-" {
            let output = with_input(&[&["immigration"], arguments.as_slice()].concat(), &json);
            assert_eq!(output.status.code(), Some(2));
            text(&output.stderr).to_owned()
        } else {
            refusal(&[&["immigration"], arguments.as_slice()].concat())
        };
        assert!(said.contains(expected), "{arguments:?}: {said}");
    }
}

#[test]
fn the_computer_beats_a_random_player_and_every_seed_is_one_game() {
    let mut won = 0;
    for seed in 1..=6 {
        let seed = seed.to_string();
        let game = [
            "immigration",
            "--red",
            "computer",
            "--blue",
            "random",
            "--strength",
            "1",
            "--seed",
            &seed,
        ];
        let played = stdout(&game);
        assert_eq!(played, stdout(&game));
        won += usize::from(played.lines().last().unwrap().starts_with("red wins"));
    }
    assert!(won >= 5, "won {won} of 6");
}

#[test]
fn a_person_plays_the_computer_and_takes_counters_back() {
    let place = Place::new();
    let record = place.name("game.json");
    let game = [
        "immigration",
        "--blue",
        "computer",
        "--strength",
        "1",
        "--save",
        &record,
        "--script",
    ];
    // Undo takes the computer's answer and the person's counter back.
    let script = place.file("script.txt", "3 3\nundo\n13 13\n");
    let played = stdout(&[&game[..], &[&script]].concat());
    assert_eq!(lines_with(&played, "blue (computer) places").len(), 2);
    assert!(played.contains("red takes 3 3 back"), "{played}");
    let json = fs::read_to_string(&record).unwrap();
    assert_eq!(json.matches("\"player\"").count(), 2);
    assert!(
        json.contains("{\"player\": \"red\", \"x\": 12, \"y\": 12}"),
        "{json}"
    );
    // As soon as time is up there still is a move.
    let script = place.file("script.txt", "3 3\n");
    let hurried = [
        "--time",
        "0.000001",
        "--strength",
        "3",
        "--blue",
        "computer",
        "--script",
        &script,
    ];
    let played = stdout(&[&["immigration"], &hurried[..]].concat());
    assert_eq!(lines_with(&played, "blue (computer) places").len(), 1);
}

#[test]
fn colours_are_an_option_and_letters_are_always_there() {
    let place = Place::new();
    let script = place.file("script.txt", "2 1\n3 1\nboard\n");
    let drawn = |color: &str| {
        stdout(&[
            "immigration",
            "--size",
            "4x2",
            "--color",
            color,
            "--script",
            &script,
        ])
    };
    let plain = drawn("never");
    assert!(
        plain.contains("\n    1 2 3 4\n  1 . 1 2 .\n  2 . . . .\n"),
        "{plain}"
    );
    assert_eq!(plain, drawn("auto"));
    let coloured = drawn("always");
    assert!(
        coloured.contains("\u{1b}[91m1") && coloured.contains("\u{1b}[96m2"),
        "{coloured:?}"
    );
}
