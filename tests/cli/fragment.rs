use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

use crate::support::program::{Place, command, piped, refusal, text};

/// A player with a data folder of their own.
struct Player(Place);

impl Player {
    fn new() -> Self {
        Self(Place::new())
    }

    fn scores(&self) -> PathBuf {
        self.0.path("duolife/best-scores.json")
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let play = ["play", "fragment", "--terminal"];
        let mut command = command(&[&play, arguments].concat());
        command.env("XDG_DATA_HOME", self.0.folder());
        command.env("HOME", self.0.folder());
        command.env_remove("NO_COLOR");
        command
    }

    /// Plays the commands through a pipe.
    fn pipe(&self, arguments: &[&str], commands: &str) -> Output {
        piped(&mut self.command(arguments), commands)
    }
}

/// Standard output and standard error of a game that must end with status 0.
fn done(output: &Output) -> (&str, &str) {
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{said}");
    (text(&output.stdout), said)
}

/// A small game: a field of 8x6 with 6 cells, pieces of 3x3 with 3.
const SMALL: &[&str] = &[
    "--field",
    "8x6",
    "--cells",
    "6",
    "--piece",
    "3",
    "--piece-cells",
    "3",
    "--seed",
    "5",
];

/// Checked against a program that shares nothing with this one but the description of the hash.
const SMALL_PLAYED: &str = "Merge refused: green on blue at (column, row) (2, 3)
      1       5
   1 [. + .]. . . . o
   2 [+ . .]. . . o .
   3 [. X .]. . . . .
   4  . o o . . o . .
   5  . . . . . . . .
   6  . . . . . . . .
The frame is at the edge: right 5 of 9
      1       5
   1  . . . . .[. + o]
   2  . . . . .[+ o +]
   3  . o . . .[. . .]
   4  . o o . . o . .
   5  . . . . . . . .
   6  . . . . . . . .
Merge 1: score 9, a new best
Merge refused: green on blue at (column, row) (2, 4)
";

#[test]
fn a_script_plays_and_reports_every_merge() {
    let player = Player::new();
    let script = player.0.path("game.txt");
    let commands = "merge board # refused\n\n  # nothing\nright 9 rotate board\r\nmerge\n\
        right down 2 rotate merge";
    fs::write(&script, commands).unwrap();
    let file = ["--script", script.to_str().unwrap()];
    let played = player.command(&[SMALL, &file].concat()).output().unwrap();
    let (printed, said) = done(&played);
    assert_eq!(said, "");
    assert!(
        printed.starts_with(
            "Fragment puzzle: field 8x6 with 6 cells, piece 3x3 with 3; seed 5\n      1       5\n   1 [. + .]"
        ),
        "{printed}"
    );
    assert!(printed.contains(SMALL_PLAYED), "{printed}");
    assert!(
        printed.ends_with("   6  . . . . . . . .\nScore 9 after 1 merge, best 9\n"),
        "{printed}"
    );
    // The same through a pipe, by a player who has a best score now.
    let again = player.pipe(SMALL, commands);
    let expected = printed.replace("score 9, a new best", "score 9, best 9");
    assert_eq!(done(&again).0, expected);
}

#[test]
fn a_best_score_is_remembered_for_its_settings() {
    let player = Player::new();
    let merges = "merge down 3 merge right 4 merge";
    let first = player.pipe(&["--seed", "3"], "");
    assert!(done(&first).0.ends_with("No merge yet, no best yet\n"));
    assert!(!player.scores().exists(), "nothing to remember");
    let won: &[&str] = &[
        "--field",
        "4x4",
        "--cells",
        "1",
        "--piece",
        "2",
        "--piece-cells",
        "1",
    ];
    let output = player.pipe(&[won, &["--seed", "1"]].concat(), "merge");
    let (printed, _) = done(&output);
    assert!(
        printed.contains("Merge 1: score 0, a new best\n"),
        "{printed}"
    );
    assert!(
        printed.ends_with("The field is empty: you have won, with 1 merge\n"),
        "{printed}"
    );
    // Under other settings that is no record, whatever the seed.
    let usual = player.pipe(&["--seed", "3"], merges);
    let (printed, _) = done(&usual);
    assert!(printed.contains("a new best"), "{printed}");
    assert!(!printed.contains("best 0"), "{printed}");
    let again = player.pipe(&[won, &["--seed", "2"]].concat(), "");
    assert!(done(&again).0.ends_with("No merge yet, best 0\n"));
    let file: serde_json::Value =
        serde_json::from_slice(&fs::read(player.scores()).unwrap()).unwrap();
    assert_eq!(file["version"], 1);
    assert_eq!(file["fragment"].as_array().unwrap().len(), 2);
    assert_eq!(file["fragment"][0]["best"], 0);
}

#[test]
fn a_won_game_plays_no_more() {
    let player = Player::new();
    let won = [
        "--field",
        "4x4",
        "--cells",
        "1",
        "--piece",
        "2",
        "--piece-cells",
        "1",
        "--seed",
        "1",
    ];
    let output = player.pipe(&won, "left\nmerge\nright merge\nnonsense\n");
    let (printed, said) = done(&output);
    assert_eq!(printed.matches("Merge ").count(), 1, "{printed}");
    assert_eq!(
        said,
        "duolife: standard input: line 3: the game is won, the rest is not played\n"
    );
    let output = player.pipe(&won, "merge quit nothing");
    assert_eq!(output.status.code(), Some(2), "a line is read as a whole");
}

#[test]
fn a_wrong_line_ends_a_script_after_what_was_played() {
    let player = Player::new();
    let script = player.0.path("wrong.txt");
    fs::write(
        &script,
        "right 9 rotate merge\nboard\ndown sideways\nmerge\n",
    )
    .unwrap();
    let file = ["--script", script.to_str().unwrap()];
    let output = player.command(&[SMALL, &file].concat()).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let (printed, said) = (text(&output.stdout), text(&output.stderr));
    assert!(
        printed.contains("Merge 1: score 9, a new best\n"),
        "{printed}"
    );
    assert!(
        printed.ends_with("Score 9 after 1 merge, best 9\n"),
        "{printed}"
    );
    assert_eq!(said.lines().count(), 1, "{said}");
    assert!(
        said.contains("wrong.txt: line 3: \"sideways\" is no command; expected left, right"),
        "{said}"
    );
    assert!(player.scores().exists(), "the score is kept all the same");
    for (commands, part) in [
        (
            "\nleft 0\n",
            "line 2: left takes a whole number from 1, not \"0\"",
        ),
        ("merge\nup 1x\n", "line 2: up takes a whole number from 1"),
        ("7", "line 1: \"7\" is no command"),
    ] {
        let output = player.pipe(SMALL, commands);
        assert_eq!(output.status.code(), Some(2));
        assert!(text(&output.stderr).contains(part), "{:?}", output.stderr);
    }
    let long = "left ".repeat(20_000);
    let output = player.pipe(SMALL, &long);
    assert!(text(&output.stderr).contains("line 1: longer than"));
    let output = player
        .command(&["--script", "nowhere.txt"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("nowhere.txt: cannot be read"));
}

#[test]
fn a_damaged_score_file_is_set_aside_with_a_note() {
    let player = Player::new();
    fs::create_dir(player.scores().parent().unwrap()).unwrap();
    for (number, content) in [(1, "{\"version\": 1, \"fragm"), (2, "{\"version\": 9}")] {
        fs::write(player.scores(), content).unwrap();
        let output = player.pipe(SMALL, "right 9 rotate merge");
        let (printed, said) = done(&output);
        assert!(printed.ends_with("best 9\n"), "{printed}");
        let aside = format!("duolife/best-scores.aside-{number}.json");
        let aside = player.0.path(&aside);
        assert_eq!(said.lines().count(), 1, "{said}");
        assert!(said.contains(aside.to_str().unwrap()), "{said}");
        assert_eq!(fs::read_to_string(&aside).unwrap(), content);
        let scores = fs::read_to_string(player.scores()).unwrap();
        assert!(scores.contains("\"best\": 9"), "{scores}");
    }
}

#[test]
fn a_folder_that_keeps_no_scores_is_a_note() {
    let player = Player::new();
    // A file where the folder should be.
    fs::write(player.0.path("duolife"), "mine").unwrap();
    let output = player.pipe(SMALL, "right 9 rotate merge");
    let (printed, said) = done(&output);
    assert!(
        printed.ends_with("Score 9 after 1 merge, best 9\n"),
        "{printed}"
    );
    assert!(
        said.contains("not kept") && said.contains("duolife"),
        "{said}"
    );
    assert_eq!(
        fs::read_to_string(player.0.path("duolife")).unwrap(),
        "mine"
    );
}

#[test]
fn colours_are_an_option() {
    let player = Player::new();
    let plain = player.pipe(SMALL, "merge");
    assert!(!done(&plain).0.contains('\x1b'), "a pipe is no terminal");
    let coloured = player.pipe(&[SMALL, &["--color", "always"]].concat(), "merge");
    let (printed, _) = done(&coloured);
    for piece in ["\x1b[1m\x1b[94mo", "\x1b[92m+", "\x1b[93m[", "\x1b[91mX"] {
        assert!(printed.contains(piece), "{piece:?} in {printed:?}");
    }
}

#[test]
fn games_that_are_not_there_are_refused_in_one_line() {
    for arguments in [&["play", "--terminal"][..], &["play", "chess"]] {
        let said = refusal(arguments);
        assert!(said.contains("duolife play fragment --terminal"), "{said}");
    }
    assert!(refusal(&["play", "fragment", "--script", "-"]).contains("--terminal"));
    let play = ["play", "fragment", "--terminal"];
    for (options, part) in [
        (["--piece", "21"], "does not fit"),
        (["--cells", "401"], "1 to 400"),
        (["--piece-cells", "0"], "1 to 25"),
        (["--field", "2000x5"], "1024x1024"),
        (["--field", "5"], "WIDTHxHEIGHT"),
    ] {
        let said = refusal(&[&play[..], &options].concat());
        assert!(said.contains(part), "{said}");
    }
}

/// A terminal of 24 rows and 80 columns, made by script(1) of util-linux.
#[cfg(target_os = "linux")]
#[test]
fn keys_play_in_place_and_leave_the_terminal_as_it_was() {
    use std::io::{Read, Write};
    use std::process::{Command, Stdio};

    let player = Player::new();
    let game = player.command(&[SMALL, &["--color", "never"]].concat());
    let words = std::iter::once(game.get_program()).chain(game.get_args());
    let words: Vec<&str> = words.map(|word| word.to_str().unwrap()).collect();
    let line = format!(
        "stty rows 24 cols 80; before=$(stty -g); {}; echo status $?; \
         test \"$before\" = \"$(stty -g)\" && echo as before",
        words.join(" ")
    );
    let mut terminal = Command::new("script")
        .args(["--quiet", "--command", &line, "/dev/null"])
        .env("XDG_DATA_HOME", player.0.folder())
        .env("TERM", "xterm")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("script of util-linux (Debian: bsdutils)");
    let mut keys = terminal.stdin.take().unwrap();
    let mut out = terminal.stdout.take().unwrap();
    let mut shown = String::new();
    // A key is pressed when what the last one did is on the screen.
    for (wait_for, key) in [
        ("Q quit", "\r"),
        (
            "Merge refused: green on blue at (column, row) (2, 3)",
            "\x1b[C\x1b[C\x1b[C\x1b[C\x1b[C",
        ),
        (".[. + o]", "r"),
        (".[+ o +]", "\r"),
        ("Merge 1: score 9, a new best", "\x03"),
    ] {
        let mut part = [0; 4096];
        let from = shown.len();
        while !shown[from..].contains(wait_for) {
            let length = out.read(&mut part).unwrap();
            assert_ne!(length, 0, "ended before {wait_for:?}: {shown:?}");
            shown += &String::from_utf8_lossy(&part[..length]);
        }
        keys.write_all(key.as_bytes()).unwrap();
        keys.flush().unwrap();
    }
    out.read_to_string(&mut shown).unwrap();
    assert!(terminal.wait().unwrap().success());
    let (on_screen, after) = shown.rsplit_once("\x1b[?1049l").unwrap();
    assert!(on_screen.contains("\x1b[?1049h"), "a screen of its own");
    assert!(after.contains("Score 9 after 1 merge, best 9"), "{after:?}");
    assert!(
        after.contains("status 0") && after.contains("as before"),
        "{after:?}"
    );
}
