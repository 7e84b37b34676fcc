//! The commands of the pages are run as they are printed, and must print what the page shows.
//!
//! In a ` ```console ` block a line that begins with `$ ` is a command (a trailing `\` continues it),
//! and what follows up to the next one is its output, standard error included, as on a terminal.
//! A command without output need only succeed. Of the output these things may differ:
//!
//! * a line `…` stands for any number of lines, a `…` within a line for any text;
//! * times and speeds: `0.062 s`, `2.479e9 cells per second`, and the [`VOLATILE_KEYS`] of a line that is a JSON object;
//! * which engine `auto` takes: a line that begins with `duolife: engine`.
//!
//! The commands of a page are run in order in a copy of `examples/` of its own. A ` ```sh ` block
//! holds commands that open a window, install something or take minutes: they are counted, and
//! where they call duolife their options must exist.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::support::program::{Place, text};

/// Fields of a JSON object that differ from run to run and from machine to machine.
const VOLATILE_KEYS: [&str; 5] = [
    "engine",
    "adapter",
    "generations_per_pass",
    "seconds",
    "cells_per_second",
];

/// A command of a page.
#[derive(Debug, PartialEq, Eq)]
struct Shown {
    /// The line of the page.
    line: usize,
    command: String,
    output: Vec<String>,
    /// Whether it is run.
    runs: bool,
}

/// The commands of a page, in order.
fn commands(page: &str) -> Vec<Shown> {
    let mut found: Vec<Shown> = Vec::new();
    let mut language = None;
    let mut continued = false;
    for (index, line) in page.lines().enumerate() {
        if let Some(fence) = line.strip_prefix("```") {
            language = match language {
                Some(_) => None,
                None => Some(fence),
            };
            continued = false;
            continue;
        }
        let Some(runs) = language.and_then(|language| match language {
            "console" => Some(true),
            "sh" => Some(false),
            _ => None,
        }) else {
            continue;
        };
        let command = match (runs, line.strip_prefix("$ ")) {
            (true, Some(command)) => Some(command),
            (true, None) => None,
            (false, _) => Some(line),
        };
        match (found.last_mut(), command) {
            (Some(last), _) if continued => {
                last.command.push('\n');
                last.command.push_str(line);
            }
            (_, Some(command)) => found.push(Shown {
                line: index + 1,
                command: command.to_owned(),
                output: Vec::new(),
                runs,
            }),
            (Some(last), None) if last.runs => last.output.push(line.to_owned()),
            (_, None) => panic!("line {}: output without a command", index + 1),
        }
        continued = line.ends_with('\\');
    }
    found
}

/// Whether a text matches a pattern in which `…` stands for any text.
fn matches(pattern: &str, line: &str) -> bool {
    let mut parts = pattern.split('…');
    let Some(rest) = parts.next().and_then(|first| line.strip_prefix(first)) else {
        return false;
    };
    let Some(last) = parts.next_back() else {
        return rest.is_empty();
    };
    let Some(mut rest) = rest.strip_suffix(last) else {
        return false;
    };
    for part in parts {
        let Some(at) = rest.find(part) else {
            return false;
        };
        rest = &rest[at + part.len()..];
    }
    true
}

/// A line without what may differ from run to run.
fn stable(line: &str) -> String {
    const MASK: &str = "#";
    if line.starts_with("duolife: engine ") {
        return "duolife: engine".to_owned();
    }
    if let Ok(Value::Object(mut fields)) = serde_json::from_str(line) {
        for key in VOLATILE_KEYS {
            if let Some(value) = fields.get_mut(key) {
                *value = MASK.into();
            }
        }
        return Value::Object(fields).to_string();
    }
    let words: Vec<&str> = line.split_whitespace().collect();
    let after = |at: usize| words.get(at + 1).copied().unwrap_or_default();
    let is_measured = |at: usize| {
        let is_seconds = after(at).trim_end_matches([',', '.', ':']) == "s";
        let is_rate = match after(at) {
            "per" => after(at + 1).starts_with("second"),
            "cells" | "games" => after(at + 1) == "per" && after(at + 2).starts_with("second"),
            _ => false,
        };
        words[at].parse::<f64>().is_ok() && (is_seconds || is_rate)
    };
    if !(0..words.len()).any(is_measured) {
        return line.trim_end().to_owned();
    }
    // Columns are as wide as their figures.
    let masked: Vec<&str> = (0..words.len())
        .map(|at| if is_measured(at) { MASK } else { words[at] })
        .collect();
    masked.join(" ")
}

/// Whether the lines that a page shows are those that were printed.
fn agree(shown: &[String], printed: &[String]) -> bool {
    match (shown.split_first(), printed.split_first()) {
        (None, None) => true,
        (Some((line, rest)), _) if line.trim() == "…" => {
            (0..=printed.len()).any(|skipped| agree(rest, &printed[skipped..]))
        }
        (Some((shown, shown_rest)), Some((printed, printed_rest))) => {
            matches(&stable(shown), &stable(printed)) && agree(shown_rest, printed_rest)
        }
        _ => false,
    }
}

/// Copies a folder.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let name = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &name);
        } else {
            fs::copy(entry.path(), name).unwrap();
        }
    }
}

/// A shell in `folder` that finds the program under test as `duolife`.
fn shell(place: &Place, folder: &Path) -> Command {
    let program = assert_cmd::cargo::cargo_bin!("duolife");
    let mut path = OsString::from(program.parent().unwrap());
    if let Some(others) = std::env::var_os("PATH") {
        path.push(":");
        path.push(others);
    }
    let mut shell = Command::new("sh");
    shell
        .current_dir(folder)
        .env("PATH", path)
        .env("HOME", place.path("home"))
        .env("XDG_DATA_HOME", place.path("home"))
        .env("XDG_RUNTIME_DIR", folder)
        .env_remove("DISPLAY")
        .env_remove("WAYLAND_DISPLAY")
        .stdin(Stdio::null())
        .arg("-c");
    shell
}

/// What is wrong with a command, if anything is.
fn run(shown: &Shown, place: &Place, folder: &Path) -> Option<String> {
    let mut shell = shell(place, folder);
    if !shown.runs {
        let command = shown
            .command
            .replacen("cargo run --release --", "duolife", 1);
        let is_simple = command.starts_with("duolife ") && !command.contains(['|', '>', '<', ';']);
        if !is_simple {
            return None;
        }
        // What follows a # is a comment.
        let command = command.split(" #").next().unwrap_or_default();
        let done = shell.arg(format!("{command} --help")).output().unwrap();
        return (!done.status.success()).then(|| text(&done.stderr).to_owned());
    }
    let done = shell
        .arg(format!("{{\n{}\n}} 2>&1", shown.command))
        .output()
        .unwrap();
    let printed = text(&done.stdout);
    if shown.output.is_empty() {
        return (!done.status.success()).then(|| format!("failed:\n{printed}"));
    }
    let lines = |text: &str| text.trim_end().lines().map(str::to_owned).collect();
    let printed: Vec<String> = lines(printed);
    let expected: Vec<String> = lines(&shown.output.join("\n"));
    (!agree(&expected, &printed)).then(|| {
        format!(
            "the page shows:\n{}\nprinted was:\n{}",
            expected.join("\n"),
            printed.join("\n")
        )
    })
}

fn pages() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut pages: Vec<PathBuf> = fs::read_dir(root.join("docs"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
        .collect();
    pages.sort();
    pages.insert(0, root.join("README.md"));
    pages
}

#[test]
fn every_command_of_the_pages_prints_what_they_show() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let pages = pages();
    let checks: Vec<_> = std::thread::scope(|scope| {
        let workers: Vec<_> = pages
            .iter()
            .map(|page| {
                let examples = &examples;
                scope.spawn(move || {
                    let place = Place::new();
                    let folder = place.path("examples");
                    copy(examples, &folder);
                    let name = page.file_name().unwrap().to_string_lossy();
                    let commands = commands(&fs::read_to_string(page).unwrap());
                    let faults: Vec<String> = commands
                        .iter()
                        .filter_map(|shown| {
                            let fault = run(shown, &place, &folder)?;
                            Some(format!("{name}:{}: {}\n{fault}", shown.line, shown.command))
                        })
                        .collect();
                    let ran = commands.iter().filter(|shown| shown.runs).count();
                    (ran, commands.len() - ran, faults)
                })
            })
            .collect();
        workers
            .into_iter()
            .map(|worker| worker.join().unwrap())
            .collect()
    });
    let ran: usize = checks.iter().map(|(ran, _, _)| ran).sum();
    let others: usize = checks.iter().map(|(_, others, _)| others).sum();
    eprintln!(
        "{ran} commands of {} pages were run, {others} were not",
        pages.len()
    );
    assert!(ran >= 30, "only {ran} commands were found");
    let faults: Vec<&String> = checks.iter().flat_map(|(_, _, faults)| faults).collect();
    assert!(
        faults.is_empty(),
        "{}",
        faults
            .iter()
            .map(|fault| fault.as_str())
            .collect::<Vec<_>>()
            .join("\n\n")
    );
}

/// Files that a page names: the targets of its links, and paths of the sources in backticks.
fn named_files(page: &str) -> Vec<(usize, &str)> {
    const FOLDERS: [&str; 7] = [
        "src/",
        "shaders/",
        "tests/",
        "docs/",
        "examples/",
        "fuzz/",
        "benches/",
    ];
    let mut found = Vec::new();
    for (index, line) in page.lines().enumerate() {
        let targets = line
            .split("](")
            .skip(1)
            .filter_map(|rest| rest.split(')').next());
        let code = line.split('`').skip(1).step_by(2);
        let files = targets
            .filter(|target| !target.starts_with("http"))
            .map(|target| target.split('#').next().unwrap_or_default())
            .filter(|target| !target.is_empty());
        found.extend(files.map(|file| (index + 1, file)));
        let is_path = |code: &&str| {
            FOLDERS.iter().any(|folder| code.starts_with(folder)) && !code.contains(['<', '*', ' '])
        };
        found.extend(code.filter(is_path).map(|file| (index + 1, file)));
    }
    found
}

#[test]
fn files_that_the_pages_name_are_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut count = 0;
    for page in pages() {
        let text = fs::read_to_string(&page).unwrap();
        for (line, file) in named_files(&text) {
            let beside = page.parent().unwrap().join(file);
            assert!(
                beside.exists() || root.join(file).exists(),
                "{}:{line}: {file} is not there",
                page.display()
            );
            count += 1;
        }
    }
    assert!(count >= 20, "only {count} files are named");
}

#[test]
fn the_first_page_is_short() {
    let readme = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
    let words = fs::read_to_string(readme)
        .unwrap()
        .split_whitespace()
        .count();
    assert!(
        words <= 1000,
        "the README has {words} words, more than 1000"
    );
}

#[test]
fn a_page_that_shows_something_else_is_caught() {
    let page = "```console\n$ duolife --version\nduolife …\n$ duolife run --size 8x8 \\\n    --quiet\n```\n```sh\ntests/run\n```\n";
    let shown = commands(page);
    assert_eq!(shown.len(), 3);
    assert_eq!(shown[1].command, "duolife run --size 8x8 \\\n    --quiet");
    assert_eq!(shown[1].line, 4);
    assert!(!shown[2].runs);
    let place = Place::new();
    let folder = place.path("empty");
    fs::create_dir(&folder).unwrap();
    for shown in &shown {
        assert_eq!(run(shown, &place, &folder), None);
    }
    for wrong in [
        "```console\n$ duolife --version\nduolife 0.0\n```",
        "```console\n$ duolife --version\n```\n```console\n$ duolife run --size 8\n```",
        "```sh\nduolife run --sighs 8x8\n```",
    ] {
        let faults = commands(wrong)
            .iter()
            .filter_map(|shown| run(shown, &place, &folder))
            .count();
        assert_eq!(faults, 1, "{wrong}");
    }
}

#[test]
fn only_times_speeds_and_ellipses_may_differ() {
    let same = |shown: &str, printed: &str| matches(&stable(shown), &stable(printed));
    assert!(same(
        "0.062 s, 2.479e9 cells per second",
        "0.1 s, 1e3 cells per second"
    ));
    assert!(same(
        "1200 games in 0.1 s, 10 per second",
        "1200 games in 2.0 s, 999 per second"
    ));
    assert!(!same("1200 games in 0.1 s", "1201 games in 0.1 s"));
    assert!(same("a   7.1 s  equal", "a  65.1 s  equal"));
    assert!(same(
        r#"{"red":1,"seconds":1.5}"#,
        r#"{"red":1,"seconds":2}"#
    ));
    assert!(!same(
        r#"{"red":1,"seconds":1.5}"#,
        r#"{"red":2,"seconds":1.5}"#
    ));
    assert!(same("a … c … e", "a b c d e"));
    assert!(!same("a … c", "a b d"));
    assert!(!same("aba…ba", "aba"));
    let lines = |text: &str| -> Vec<String> { text.lines().map(str::to_owned).collect() };
    assert!(agree(&lines("a\n…\nd"), &lines("a\nb\nc\nd")));
    assert!(!agree(&lines("a\n…\nd"), &lines("a\nb\nc")));
    assert!(!agree(&lines("a"), &lines("a\nb")));
}
