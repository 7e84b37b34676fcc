use std::fs;
use std::process::Output;

use serde_json::Value;

use crate::support::program::{command, json, piped, text};

/// Plays a battle by lines through a pipe.
fn battle(arguments: &[&str], lines: &str) -> Output {
    let play = ["play", "battle", "--terminal"];
    piped(&mut command(&[&play, arguments].concat()), lines)
}

/// What a battle that must end with status 0 says after its title.
fn played(arguments: &[&str], lines: &str) -> Vec<String> {
    let output = battle(&[&["--engine", "cpu"], arguments].concat(), lines);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert_eq!(text(&output.stderr), "duolife: engine cpu\n");
    let printed = text(&output.stdout);
    assert!(printed.starts_with("Battle: "), "{printed}");
    printed.lines().skip(1).map(str::to_owned).collect()
}

/// The report of `duolife run` on a start.
fn run(arguments: &[&str]) -> Value {
    let run = ["run", "--engine", "reference", "--json", "--quiet"];
    json(&[&run, arguments].concat())
}

const START: &[&str] = &[
    "--size",
    "24x16",
    "--start",
    "mirrored",
    "--density",
    "0.4",
    "--seed",
    "7",
    "--rule",
    "HighLife",
];

#[test]
fn steps_and_play_are_those_of_a_run() {
    let said = |generations: &str| {
        let report = run(&[START, &["--generations", generations]].concat());
        format!(
            "Generation {generations}: {} red, {} blue",
            report["red"], report["blue"]
        )
    };
    let lines = played(
        START,
        "step\nstep 4 # five now\nplay 7\nrestart\nplay 3\nstatus\n",
    );
    let expected: Vec<String> = ["0", "1", "5", "12", "0", "3", "3"].map(said).to_vec();
    assert_eq!(lines, expected);
    let end = run(&[START, &["--until-end", "--limit", "5000"]].concat());
    let lines = played(
        &[START, &["--limit", "5000"]].concat(),
        "play\nplay\nstep\nrestart\nplay 1\n",
    );
    let generation = &end["generation"];
    assert!(
        lines[1].starts_with(&format!(
            "Generation {generation}: {} red, {} blue; ",
            end["red"], end["blue"]
        )),
        "{lines:?}"
    );
    assert!(
        lines[1].ends_with(&format!("after {generation} generations")),
        "{lines:?}"
    );
    for refused in &lines[2..4] {
        assert!(
            refused.starts_with("Refused: the battle is over: "),
            "{lines:?}"
        );
    }
    assert_eq!(lines[5], said("1"), "it is played again after a restart");
}

#[test]
fn play_pauses_at_the_interval_and_at_the_limit() {
    let lines = played(
        &[START, &["--limit", "17"]].concat(),
        "pause-every 5\nstep 2\nplay\nplay\npause-every never\nplay\n",
    );
    let generations: Vec<&str> = lines
        .iter()
        .map(|line| line.split(':').next().unwrap())
        .collect();
    let expected = [0, 0, 2, 5, 10, 10, 17].map(|generation| format!("Generation {generation}"));
    assert_eq!(generations, expected);
    assert!(
        lines[6].contains("by count at the limit after 17 generations"),
        "{lines:?}"
    );
}

#[test]
fn strokes_make_start_patterns_and_are_undone() {
    let lines = played(
        &["--size", "6x4", "--density", "0"],
        "paint 1 1 2 1 1 2 2 2 red\npaint 5 3 6 3 5 4 6 4 blue\nstep\nboard\npaint 1 1 erase\n\
         paint 2 1 erase\nundo\nundo\nredo\nredo\nredo\nrestart\nclear\nundo\n",
    );
    let expected = [
        "Generation 0: 0 red, 0 blue",
        "Generation 0: 4 red, 0 blue",
        "Generation 0: 4 red, 4 blue",
        // The blocks touch across both edges of the torus.
        "Generation 1: 2 red, 2 blue",
        "      1       5",
        "   1  . 1 . . . .",
        "   2  . 1 . . . .",
        "   3  . . . . 2 .",
        "   4  . . . . 2 .",
        // What was dead already is no edit, and the battle goes on.
        "Generation 1: 2 red, 2 blue",
        "Generation 0: 1 red, 2 blue",
        "Generation 0: 2 red, 2 blue",
        "Generation 0: 4 red, 0 blue",
        "Generation 0: 4 red, 4 blue",
        "Generation 0: 1 red, 2 blue",
        "Refused: there is nothing to redo",
        "Generation 0: 1 red, 2 blue",
        "Generation 0: 0 red, 0 blue",
        "Generation 0: 1 red, 2 blue",
    ];
    assert_eq!(lines, expected);
}

#[test]
fn changed_settings_lock_the_battle_until_they_are_applied() {
    let place = tempfile::tempdir().unwrap();
    let (locked, applied) = (
        place.path().join("locked.txt"),
        place.path().join("applied.txt"),
    );
    let (locked, applied) = (locked.to_str().unwrap(), applied.to_str().unwrap());
    let script = format!(
        "step 3\nset size 30x10\nset edges dead\nstep\nplay\npaint 1 1 red\nundo\ngenerate\nclear\n\
         save {locked}\ndiscard\nstep\nset size 30x10\nset edges dead\nset rule Life\nset limit none\n\
         apply\nsave {applied}\nstep\n"
    );
    let lines = played(START, &script);
    let three = &lines[1];
    assert!(three.starts_with("Generation 3: "));
    assert!(lines[3].starts_with(&format!("{three}; not applied: B36/S23, dead, 30x10, ")));
    for refused in &lines[4..10] {
        assert_eq!(
            refused,
            "Refused: settings have been changed; apply or discard them first"
        );
    }
    assert_eq!(lines[10], format!("Saved as {locked}"));
    assert_eq!(&lines[11], three, "discarded");
    assert!(lines[12].starts_with("Generation 4: "), "{lines:?}");
    assert!(lines[16].ends_with("B3/S23, dead, 30x10, ties seeded 7, seed 7, no limit"));
    assert!(
        lines[17].starts_with("Generation 0: "),
        "a new start pattern"
    );
    // What is left of the board lies where it was.
    let four = place.path().join("four.txt");
    run(&[
        START,
        &["--generations", "4", "--output", four.to_str().unwrap()],
    ]
    .concat());
    let (four, after) = (
        fs::read_to_string(&four).unwrap(),
        fs::read_to_string(applied).unwrap(),
    );
    assert!(after.starts_with("10 30\n"), "{after}");
    for (old, new) in four.lines().skip(1).zip(after.lines().skip(1)) {
        assert_eq!(format!("{old}......"), new);
    }
    assert!(fs::read_to_string(locked).unwrap().starts_with("16 24\n"));
    // And it goes on under the rules that were applied.
    let report = run(&[
        applied,
        "--edges",
        "dead",
        "--seed",
        "7",
        "--generations",
        "1",
    ]);
    assert_eq!(
        lines[19],
        format!(
            "Generation 1: {} red, {} blue",
            report["red"], report["blue"]
        )
    );
}

#[test]
fn generating_draws_from_the_seed_that_is_applied() {
    let lines = played(
        &["--size", "24x16", "--density", "0"],
        "generate mirrored 0.4\nset seed 7\ngenerate\napply\ngenerate\nset rule HighLife\napply\nstep 5\n",
    );
    let report = run(&[START, &["--generations", "5"]].concat());
    assert!(lines[1].starts_with("Generation 0: "));
    assert_ne!(lines[1], lines[5], "another seed");
    assert!(lines[3].starts_with("Refused: "));
    assert_eq!(
        lines.last().unwrap(),
        &format!(
            "Generation 5: {} red, {} blue",
            report["red"], report["blue"]
        )
    );
}

#[test]
fn a_battle_from_a_file_starts_at_generation_0() {
    let place = tempfile::tempdir().unwrap();
    let file = place.path().join("glider.rle");
    fs::write(
        &file,
        "#CXRLE Gen=40\nx = 3, y = 3, rule = B3/S23\nbo$2bo$3o!\n",
    )
    .unwrap();
    let file = file.to_str().unwrap();
    let lines = played(&[file, "--size", "9x9"], "status\nboard\n");
    assert_eq!(lines[1], "Generation 0: 5 red, 0 blue");
    assert_eq!(lines.len(), 2 + 10);
}

#[test]
fn a_wrong_line_is_an_error_that_names_it() {
    for (lines, part) in [
        (
            "step\nstop\n",
            "line 2: \"stop\" is no command; expected step, play",
        ),
        ("step 0\n", "line 1: step takes a whole number from 1"),
        (
            "\n\npaint 25 1 red\n",
            "line 3: there is no column 25, row 1 on a board of 24x16",
        ),
        ("paint 1 1 green\n", "red, blue or erase"),
        ("set rule B0/S\n", "B0 is not supported"),
        ("set size 262144x262144\napply\n", "MiB"),
        (
            "save nowhere/a.rle\n",
            "line 1: nowhere/a.rle: cannot be written",
        ),
        ("save a.doc\n", "no format has this extension"),
    ] {
        let output = battle(&[START, &["--engine", "cpu"]].concat(), lines);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{lines}: {said}");
        let said: Vec<&str> = said.lines().collect();
        assert_eq!(said.len(), 2, "the engine and the error: {said:?}");
        assert!(said[1].contains(part), "{said:?}");
        assert!(text(&output.stdout).contains("Generation 0: "));
    }
}
