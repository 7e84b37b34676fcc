use crate::support::program::{Place, engines, refusal, stdout};

const DUEL: &str = "10 10
..........
..1.......
...1......
..111.....
..........
.......22.
......2..2
.......22.
..........
..........
";

const DUEL_START: &str = "Generation #0

Player 1 Cells: 5

Player 2 Cells: 6

..........
..1.......
...1......
..111.....
..........
.......22.
......2..2
.......22.
..........
..........

Generation #1

Player 1 Cells: 5

Player 2 Cells: 6

..........
..........
....1.....
..111.....
...1......
.......22.
......2..2
.......22.
..........
..........

";

#[test]
fn a_duel_is_printed_word_for_word_and_ends_with_a_winner() {
    let place = Place::new();
    let file = place.file("duel.txt", DUEL);
    for engine in engines() {
        let printed = stdout(&["duel", &file, "--engine", engine]);
        assert!(printed.starts_with(DUEL_START), "{printed}");
        assert!(
            printed.contains("Generation #9\n")
                && printed.ends_with("\nPlayer 1 Wins! with 11 live cells\n\nGame Over!!\n"),
            "{printed}"
        );
        assert_eq!(printed.matches("Game Over!!").count(), 1);
    }
}

#[test]
fn a_duel_without_end_can_be_ended() {
    let place = Place::new();
    // Two blinkers that never meet.
    let file = place.file(
        "blinkers.txt",
        "3 8\r\n........  \r\n111..222\t\r\n........",
    );
    let printed = stdout(&["duel", &file, "--max-generations", "6"]);
    assert_eq!(printed.matches("Generation #").count(), 7);
    assert!(!printed.contains("Game Over"));
    let printed = stdout(&["duel", &file, "--stop-on-repeat"]);
    assert!(
        printed.ends_with("Generation #2 repeats generation #0\n\nGame Over!!\n"),
        "{printed}"
    );
}

#[test]
fn a_duel_both_sides_lose_is_a_tie() {
    let place = Place::new();
    let file = place.file("tie.txt", "3 7\n.......\n.1...2.\n.......\n");
    let printed = stdout(&["duel", &file]);
    assert!(
        printed.ends_with("It's a tie!\n\nGame Over!!\n"),
        "{printed}"
    );
}

#[test]
fn a_faulty_duel_file_is_refused_in_one_line_that_names_the_place() {
    let place = Place::new();
    let faults = [
        ("", "line 1"),
        ("abc\n...\n", "line 1"),
        ("2\n..\n..\n", "line 1"),
        ("2  2\n..\n..\n", "line 1"),
        ("0 2\n", "line 1"),
        ("-1 2\n..\n", "line 1"),
        ("2 2 2\n..\n..\n", "line 1"),
        ("99999999999999999999 2\n..\n", "line 1"),
        ("1000000 1000000\n..\n", "line 1"),
        ("2 2\n..\n", "line 3"),
        ("2 2\n..\n...\n", "line 3, column 3"),
        ("2 2\n.\n..\n", "line 2, column 2"),
        ("2 2\n.x\n..\n", "line 2, column 2"),
        ("2 2\n.3\n..\n", "line 2, column 2"),
        ("2 2\n..\n..\n..\n", "line 4"),
        ("2 2\n..\n..\n\n", "line 4"),
        ("2 2\n\n..\n..\n", "line 2"),
        ("5 2\n12.2.\n.12..\n", "line 2"),
    ];
    for (content, location) in faults {
        let file = place.file("faulty.txt", content);
        let said = refusal(&["duel", &file]);
        assert!(
            said.contains("faulty.txt") && said.contains(location),
            "{content:?}: {said}"
        );
    }
    assert!(refusal(&["duel", &place.name("missing.txt")]).contains("missing.txt"));
    assert!(refusal(&["duel", place.folder().to_str().unwrap()]).contains("cannot be read"));
}
