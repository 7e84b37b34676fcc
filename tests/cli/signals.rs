//! Programs that are ended from outside: what they keep, what they leave, and their exit status.

use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::support::program::{Place, command, ended, signalled, stdout, text};

/// A signal, and the exit status of a command with work left.
const SIGNALS: [(&str, i32); 3] = [("-INT", 0), ("-TERM", 143), ("-HUP", 129)];

#[test]
fn a_batch_system_sees_that_it_has_ended_a_run() {
    for (signal, status) in SIGNALS {
        let place = Place::new();
        let (film, census) = (place.name("a.y4m"), place.name("a.csv"));
        let output = signalled(
            &[
                "run",
                "--size",
                "50x50",
                "--generations",
                "100000000",
                "--every",
                "1000",
                "--engine",
                "cpu",
                "--y4m",
                &film,
                "--census",
                &census,
            ],
            signal,
        );
        assert_eq!(output.status.code(), Some(status), "{output:?}");
        let last = text(&output.stdout).lines().last().unwrap();
        assert!(last.starts_with("interrupted"), "{output:?}");
        assert!(fs::read(&film).unwrap().starts_with(b"YUV4MPEG2"));
        assert!(fs::read_to_string(&census).unwrap().lines().count() > 1);
        assert_eq!(fs::read_dir(place.folder()).unwrap().count(), 2);
    }
}

#[test]
fn a_batch_system_sees_that_it_has_ended_a_tournament() {
    for (signal, status) in SIGNALS {
        let place = Place::new();
        let results = place.name("a.csv");
        let tournament = |options: &[&str]| {
            let common = [
                "tournament",
                "--random-seeds",
                "3",
                "--engine",
                "cpu",
                "--output",
                &results,
            ];
            [&common[..], options]
                .concat()
                .into_iter()
                .map(str::to_owned)
                .collect::<Vec<_>>()
        };
        let words = tournament(&["--trials", "99999999"]);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let output = signalled(&words, signal);
        assert_eq!(output.status.code(), Some(status), "{output:?}");
        assert!(
            text(&output.stderr).contains("the same command goes on"),
            "{output:?}"
        );
        assert!(fs::read_to_string(&results).unwrap().ends_with('\n'));
    }
}

#[test]
fn other_long_commands_end_cleanly() {
    let place = Place::new();
    // A block for each side: a duel without an end.
    let blocks = place.file(
        "blocks.txt",
        "4 8\n........\n.11..22.\n.11..22.\n........\n",
    );
    for (signal, status) in SIGNALS {
        for (words, last) in [
            (
                &["conform", "--engine", "cpu", "--boards", "99999999"][..],
                "interrupted",
            ),
            (&["bench", "--engine", "cpu", "--seconds", "60"], "cpu:"),
            (&["duel", &blocks], ""),
        ] {
            let mut child = command(words)
                .stdout(Stdio::piped())
                .stderr(Stdio::null())
                .spawn()
                .unwrap();
            let mut out = child.stdout.take().unwrap();
            let reader = thread::spawn(move || {
                let mut bytes = Vec::new();
                std::io::Read::read_to_end(&mut out, &mut bytes).unwrap();
                bytes
            });
            thread::sleep(Duration::from_millis(1500));
            kill(child.id(), signal);
            let since = Instant::now();
            let found = child.wait().unwrap();
            assert!(since.elapsed() < Duration::from_secs(20), "{words:?}");
            assert_eq!(found.code(), Some(status), "{words:?} {signal}");
            let bytes = reader.join().unwrap();
            assert!(text(&bytes).contains(last), "{words:?}: {bytes:?}");
        }
    }
}

/// `timeout` sends its signal to the process and to its group, which is twice to one of them.
#[test]
fn two_signals_at_once_are_one_request() {
    for (signal, status) in SIGNALS {
        let child = command(&[
            "run",
            "--size",
            "50x50",
            "--generations",
            "100000000",
            "--engine",
            "cpu",
            "--json",
        ])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
        thread::sleep(Duration::from_millis(1000));
        for _ in 0..3 {
            kill(child.id(), signal);
            thread::sleep(Duration::from_millis(20));
        }
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(status), "{output:?}");
        assert!(text(&output.stdout).contains("\"interrupted\":true"));
    }
}

/// Whatever a command was writing, it takes its temporary file along.
#[test]
fn a_command_that_is_ended_while_it_writes_leaves_nothing() {
    let place = Place::new();
    let board = place.name("board.txt");
    stdout(&[
        "run",
        "--size",
        "6000x6000",
        "--generations",
        "0",
        "--engine",
        "cpu",
        "--quiet",
        "--output",
        &board,
    ]);
    for (signal, status) in [("-HUP", 129), ("-TERM", 143), ("-INT", 130)] {
        let caught = (0..20).any(|_| {
            let folder = Place::new();
            let picture = folder.name("a.png");
            let mut child = command(&["convert", &board, &picture, "--scale", "2"])
                .spawn()
                .unwrap();
            let is_empty = || fs::read_dir(folder.folder()).unwrap().next().is_none();
            while is_empty() && child.try_wait().unwrap().is_none() {
                thread::sleep(Duration::from_millis(1));
            }
            kill(child.id(), signal);
            let found = child.wait().unwrap().code();
            if found == Some(0) {
                // It was faster.
                return false;
            }
            assert_eq!(found, Some(status));
            assert!(is_empty(), "a file is left");
            true
        });
        assert!(caught, "every conversion was faster than {signal}");
    }
}

/// A command waits for input that never comes.
#[test]
fn a_command_that_waits_for_input_ends() {
    let place = Place::new();
    let pipe = place.name("pipe");
    assert!(
        Command::new("mkfifo")
            .arg(&pipe)
            .status()
            .unwrap()
            .success()
    );
    for words in [
        &["convert", "-", "-"][..],
        &["run", &pipe, "--engine", "cpu"],
        &["play", "fragment", "--terminal", "--script", &pipe],
        &[
            "play",
            "battle",
            "--terminal",
            "--engine",
            "cpu",
            "--script",
            &pipe,
        ],
        &["immigration", "--script", &pipe],
    ] {
        let child = command(words)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        thread::sleep(Duration::from_millis(700));
        kill(child.id(), "-TERM");
        assert_eq!(ended(20, child).status.code(), Some(143), "{words:?}");
    }
}

/// nohup switches SIGHUP off.
#[test]
fn a_run_under_nohup_goes_on() {
    let program = assert_cmd::cargo::cargo_bin!("duolife");
    let mut child = Command::new("nohup")
        .arg(program)
        .args([
            "play",
            "battle",
            "--terminal",
            "--size",
            "9x9",
            "--engine",
            "cpu",
        ])
        .args(["--script", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    thread::sleep(Duration::from_millis(700));
    kill(child.id(), "-HUP");
    thread::sleep(Duration::from_millis(300));
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(b"quit\n").unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

fn kill(process: u32, signal: &str) {
    // It may have ended by itself.
    let _ = Command::new("kill")
        .args([signal, &process.to_string()])
        .stderr(Stdio::null())
        .status();
}
