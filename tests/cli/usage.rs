use std::fs;
use std::io::Read;
use std::path::Path;
use std::process::Stdio;

use crate::support::program::{Place, command, refusal, stdout, text};

#[test]
fn help_names_every_command() {
    let help = stdout(&["help"]);
    for command in ["run", "duel", "conform", "convert", "rule-file", "devices"] {
        assert!(help.contains(command), "{help}");
        assert!(!stdout(&[command, "--help"]).is_empty());
    }
    assert!(stdout(&["--version"]).starts_with("duolife "));
    assert!(help.contains("a window opens"), "{help}");
}

#[test]
fn bad_usage_gets_one_line() {
    let place = Place::new();
    let file = place.file("a.txt", "1 1\n1\n");
    for (arguments, expected) in [
        (
            &["run", "--rule", "23/3/3"][..],
            "Generations rule 23/3/3 is not supported",
        ),
        (&["run", "--rule", "B0/S1"], "B0"),
        (&["run", "--rule", "B2ce3/S23"], "Hensel"),
        (&["run", "--edges", "klein"], "torus"),
        (&["run", "--size", "12"], "WIDTHxHEIGHT"),
        (&["run", "--size", "0x5"], "at least 1"),
        (&["run", "--size", "1000000x1000000"], "too large"),
        (
            &["run", "--size", "262144x262144", "--engine", "reference"],
            "memory",
        ),
        (&["run", "--density", "1.5"], "from 0 to 1"),
        (&["run", "--density", "nan"], "from 0 to 1"),
        (&["run", "--seed", "-1"], "--seed"),
        (&["run", "--every", "0", "--frames", "x"], "--every"),
        (&["run", "--frobnicate"], "--frobnicate"),
        (&["run", &file, "--start", "random"], "--start"),
        (&["run", "--engine", "cpu", "--adapter", "x"], "--adapter"),
        (&["run", "--output", "board.bmp"], "board.bmp"),
        (&["run", "--output", "board.txt", "--to", "bmp"], "grid"),
        (&["run", "--scale", "0", "--output", "x.png"], "--scale"),
        (&["run", "--generations", "many"], "--generations"),
        (&["run", "--turn", "90"], "--turn is about a file"),
        (&["run", "--as", "blue"], "--as is about a file"),
        (&["run", "--from", "rle"], "--from is about a file"),
        (
            &["run", "--from-scale", "2"],
            "--from-scale is about a file",
        ),
        (&["convert", "a.txt"], "<OUTPUT>"),
        (&["conform", "--engine", "reference"], "--engine cpu"),
        (&["frobnicate"], "frobnicate"),
    ] {
        let said = refusal(arguments);
        assert!(said.contains(expected), "{arguments:?}: {said}");
    }
}

#[test]
fn a_tiny_file_that_asks_for_a_huge_board_is_refused_at_once() {
    let place = Place::new();
    for (name, content) in [
        ("a.rle", "x = 1000000, y = 1000000, rule = B3/S23\no!\n"),
        ("b.rle", "x = 3, y = 3\n1000000000000000000o!\n"),
        ("c.rle", "9999999999$o!\n"),
        ("d.txt", "1000000 1000000\n"),
        (
            "e.rle",
            "x = 3, y = 3, rule = B3/S23:T1000000,1000000\n3o!\n",
        ),
    ] {
        let file = place.file(name, content);
        let started = std::time::Instant::now();
        assert!(refusal(&["run", &file]).contains(name));
        assert!(started.elapsed().as_secs() < 5, "{name}");
    }
}

#[test]
fn an_output_that_cannot_be_written_is_an_error_and_the_old_file_stays() {
    let place = Place::new();
    let missing = place.name("no/such/folder/x.rle");
    assert!(
        refusal(&[
            "run",
            "--size",
            "9x9",
            "--generations",
            "99999999999",
            "--quiet",
            "--engine",
            "cpu",
            "--output",
            &missing
        ])
        .contains("cannot be written")
    );
    if Path::new("/dev/full").exists() {
        let full = fs::File::options().write(true).open("/dev/full").unwrap();
        let output = command(&[
            "run", "--size", "200x200", "--quiet", "--output", "-", "--engine", "cpu",
        ])
        .stdout(full)
        .output()
        .unwrap();
        assert_eq!(output.status.code(), Some(2));
        assert!(
            text(&output.stderr).contains("standard output"),
            "{output:?}"
        );
    }
}

#[test]
fn a_closed_pipe_ends_quietly() {
    let place = Place::new();
    let blinkers = place.file("blinkers.txt", "3 8\n........\n111..222\n........\n");
    for arguments in [
        &[
            "run",
            "--size",
            "2000x2000",
            "--generations",
            "1",
            "--output",
            "-",
            "--engine",
            "cpu",
            "--quiet",
        ][..],
        // Would go on for ever.
        &["duel", &blinkers],
    ] {
        let mut child = command(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut first = [0; 10];
        child.stdout.take().unwrap().read_exact(&mut first).unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{arguments:?}");
        assert_eq!(text(&output.stderr), "");
    }
}
