/// Tournaments of many small games.
mod arena;
/// Battles that are run, watched and edited by lines of commands.
mod battle;
/// The fragment puzzle in a terminal.
mod fragment;
/// The Immigration Game as it is played at a terminal and from scripts.
mod immigration;
/// reZolution: its corpus on every engine, targets, the program.
mod rezolution;

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

use crate::no_gpu;

/// A folder of its own for a test.
pub(crate) struct Place(TempDir);

impl Place {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn file(&self, name: &str, content: &str) -> String {
        fs::write(self.path(name), content).unwrap();
        self.name(name)
    }

    pub(crate) fn name(&self, name: &str) -> String {
        self.path(name).to_str().unwrap().to_owned()
    }
}

pub(crate) fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("duolife"));
    command.args(arguments);
    // Nothing here needs a display.
    command.env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY");
    command
}

pub(crate) fn duolife(arguments: &[&str]) -> Output {
    command(arguments).output().unwrap()
}

pub(crate) fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

/// Standard output of a run that must succeed.
pub(crate) fn stdout(arguments: &[&str]) -> String {
    let output = duolife(arguments);
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {said}");
    text(&output.stdout).to_owned()
}

pub(crate) fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&stdout(arguments)).unwrap()
}

/// The one line of a run that must be refused: status 2, nothing on standard output.
pub(crate) fn refusal(arguments: &[&str]) -> String {
    let output = duolife(arguments);
    let said = text(&output.stderr).to_owned();
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
    assert_eq!(text(&output.stdout), "", "{arguments:?}");
    assert_eq!(said.lines().count(), 1, "one line: {said}");
    assert!(said.starts_with("duolife: "), "{said}");
    said
}

/// All engines of this machine.
pub(crate) fn engines() -> &'static [&'static str] {
    if no_gpu() {
        &["reference", "cpu"]
    } else {
        &["reference", "cpu", "gpu"]
    }
}

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
    assert!(refusal(&["duel", place.0.path().to_str().unwrap()]).contains("cannot be read"));
}

#[test]
fn engines_agree_on_digest_counts_and_output() {
    let place = Place::new();
    for (rule, edges, ties) in [
        ("B3/S23", "torus", "seeded"),
        ("HighLife", "dead", "seeded"),
        ("B2/S", "torus", "checkerboard"),
        ("34/34", "dead", "blue"),
    ] {
        let mut seen = Vec::new();
        for engine in engines() {
            let (output, census) = (place.name("last.txt"), place.name("census.csv"));
            let report = json(&[
                "run",
                "--size",
                "75x40",
                "--seed",
                "5",
                "--generations",
                "120",
                "--rule",
                rule,
                "--edges",
                edges,
                "--ties",
                ties,
                "--engine",
                engine,
                "--json",
                "--digest",
                "--output",
                &output,
                "--census",
                &census,
                "--quiet",
            ]);
            assert_eq!(report["engine"], *engine);
            assert_eq!(report["adapter"].is_null(), *engine != "gpu");
            assert_eq!(report["generation"], 120);
            assert_eq!(
                (&report["width"], &report["height"]),
                (&75.into(), &40.into())
            );
            assert_eq!(report["edges"], edges);
            assert_eq!(report["seed"], 5);
            assert_eq!(report["interrupted"], false);
            assert!(report["seconds"].as_f64().unwrap() > 0.0);
            assert!(report["cells_per_second"].as_f64().unwrap() > 0.0);
            let census = fs::read_to_string(census).unwrap();
            let lines: Vec<&str> = census.lines().collect();
            assert_eq!(lines.len(), 122);
            assert_eq!(lines[0], "generation,red,blue");
            assert!(lines[1].starts_with("0,"));
            assert_eq!(
                lines[121],
                format!("120,{},{}", report["red"], report["blue"])
            );
            seen.push((
                report["digest"].to_string(),
                census.clone(),
                fs::read(output).unwrap(),
            ));
        }
        assert!(
            seen.iter().all(|other| *other == seen[0]),
            "{rule} {edges} {ties}"
        );
        assert_eq!(seen[0].0.len(), 66, "a SHA-256 in quotes");
    }
}

#[test]
fn a_run_continues_where_another_ended() {
    let place = Place::new();
    let (half, whole, again) = (
        place.name("half.rle"),
        place.name("whole.rle"),
        place.name("again.rle"),
    );
    let common = [
        "--engine", "cpu", "--quiet", "--ties", "seeded", "--seed", "3",
    ];
    let run = |arguments: &[&str]| stdout(&[&["run"], arguments, &common].concat());
    run(&[
        "--size",
        "65x33",
        "--edges",
        "dead",
        "--rule",
        "HighLife",
        "--generations",
        "40",
        "--output",
        &half,
    ]);
    run(&[
        "--size",
        "65x33",
        "--edges",
        "dead",
        "--rule",
        "HighLife",
        "--generations",
        "90",
        "--output",
        &whole,
    ]);
    // Rule, edges and generation come from the file.
    run(&[&half, "--generations", "50", "--output", &again]);
    assert_eq!(
        fs::read_to_string(&again).unwrap(),
        fs::read_to_string(&whole).unwrap()
    );
    assert!(fs::read_to_string(&again).unwrap().contains("Gen=90"));
}

#[test]
fn patterns_are_placed_on_larger_boards_and_never_cut() {
    let place = Place::new();
    let glider = place.file("glider.rle", "x = 3, y = 3, rule = B3/S23\nbo$2bo$3o!\n");
    let report = json(&[
        "run",
        &glider,
        "--size",
        "41x30",
        "--generations",
        "0",
        "--json",
        "--quiet",
    ]);
    assert_eq!((&report["width"], &report["red"]), (&41.into(), &5.into()));
    assert!(refusal(&["run", &glider, "--size", "2x9"]).contains("does not fit"));
    // A bounded grid and a position on it.
    let placed = place.file(
        "placed.rle",
        "#CXRLE Pos=-5,-3 Gen=7\nx = 3, y = 3, rule = B3/S23:P10,6\nbo$2bo$3o!\n",
    );
    let grid = place.name("placed.txt");
    stdout(&["convert", &placed, &grid]);
    let written = fs::read_to_string(&grid).unwrap();
    assert!(
        written.starts_with("6 10\n.1........\n..1.......\n111.......\n...."),
        "{written}"
    );
    let outside = place.file(
        "outside.rle",
        "#CXRLE Pos=4,2\nx = 3, y = 3, rule = B3/S23:T10,6\nbo$2bo$3o!\n",
    );
    assert!(refusal(&["convert", &outside, &grid]).contains("outside.rle"));
}

#[test]
fn converting_there_and_back_gives_the_same_cells() {
    let place = Place::new();
    let first = place.name("a.txt");
    stdout(&[
        "run",
        "--size",
        "101x37",
        "--generations",
        "3",
        "--engine",
        "cpu",
        "--output",
        &first,
        "--quiet",
    ]);
    let (rle, second) = (place.name("b.RLE"), place.name("c.grid"));
    stdout(&["convert", &first, &rle, "--edges", "torus"]);
    stdout(&["convert", &rle, &second]);
    assert_eq!(fs::read(&first).unwrap(), fs::read(&second).unwrap());
    let written = fs::read_to_string(&rle).unwrap();
    assert!(
        written.contains("x = 101, y = 37, rule = Immigration:T101,37"),
        "{written}"
    );
    assert!(written.lines().all(|line| line.len() <= 70));
    // Through standard input and output, too.
    let mut child = command(&["convert", "-", "-", "--to", "rle"])
        .stdin(Stdio::from(fs::File::open(&first).unwrap()))
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut piped = String::new();
    child
        .stdout
        .take()
        .unwrap()
        .read_to_string(&mut piped)
        .unwrap();
    assert!(child.wait().unwrap().success());
    assert!(piped.contains("rule = Immigration\n"), "{piped}");
}

#[test]
fn what_a_reader_remarks_is_said_once_and_is_no_error() {
    let place = Place::new();
    let file = place.file("bare.rle", "bob$2bo$3o!\n");
    let output = duolife(&["run", &file, "--generations", "0", "--engine", "cpu"]);
    assert!(output.status.success());
    assert!(text(&output.stderr).contains("bare.rle: "), "{output:?}");
    assert!(text(&output.stdout).contains("5 red, 0 blue"), "{output:?}");
    let output = duolife(&[
        "run",
        &file,
        "--generations",
        "0",
        "--engine",
        "cpu",
        "--quiet",
    ]);
    assert_eq!((text(&output.stderr), text(&output.stdout)), ("", ""));
}

#[test]
fn frames_show_every_kth_generation() {
    let place = Place::new();
    let frames = place.name("frames");
    let arguments = [
        "run",
        "--size",
        "50x30",
        "--generations",
        "25",
        "--frames",
        &frames,
        "--every",
        "10",
        "--scale",
        "3",
        "--engine",
        "cpu",
        "--quiet",
    ];
    stdout(&arguments);
    let mut names: Vec<String> = fs::read_dir(&frames)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(
        names,
        ["frame-000000.png", "frame-000001.png", "frame-000002.png"]
    );
    assert_eq!(picture_size(&Path::new(&frames).join(&names[2])), (150, 90));
    // Frames of two runs must not mix.
    assert!(refusal(&arguments).contains("holds frames already"));
    // A picture of any size, and the last board as a picture.
    let (frames, last) = (place.name("small"), place.name("last.png"));
    stdout(&[
        "run",
        "--size",
        "500x300",
        "--generations",
        "2",
        "--frames",
        &frames,
        "--every",
        "2",
        "--image-size",
        "64x64",
        "--output",
        &last,
        "--engine",
        "cpu",
        "--quiet",
    ]);
    assert_eq!(
        picture_size(&Path::new(&frames).join("frame-000001.png")),
        (64, 64)
    );
    assert_eq!(picture_size(Path::new(&last)), (64, 64));
    assert!(refusal(&["run", "--size", "70000x5", "--output", &last]).contains("--image-size"));
}

fn picture_size(path: &Path) -> (u32, u32) {
    let decoder = png::Decoder::new(std::io::BufReader::new(fs::File::open(path).unwrap()));
    let reader = decoder.read_info().unwrap();
    (reader.info().width, reader.info().height)
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

/// Starts a run that would take for ever, and sends it Ctrl-C once it is under way.
#[cfg(unix)]
fn interrupted(arguments: &[&str]) -> Output {
    let mut child = command(arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The line about the engine comes when the run listens.
    let mut first = [0];
    let mut stderr = child.stderr.take().unwrap();
    stderr.read_exact(&mut first).unwrap();
    std::thread::sleep(std::time::Duration::from_millis(700));
    let kill = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(kill.unwrap().success());
    let mut output = child.wait_with_output().unwrap();
    stderr.read_to_end(&mut output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    output
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_a_run_cleanly_and_keeps_what_was_finished() {
    let place = Place::new();
    let census = place.name("census.csv");
    let output = interrupted(&[
        "run",
        "--size",
        "300x300",
        "--generations",
        "1000000000000",
        "--engine",
        "cpu",
        "--json",
        "--census",
        &census,
    ]);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["interrupted"], true);
    let census = fs::read_to_string(census).unwrap();
    let last = census.lines().last().unwrap();
    assert!(
        last.starts_with(&format!("{},", report["generation"])),
        "{last} {report}"
    );
}

#[test]
fn conform_passes_and_a_planted_fault_fails_it() {
    let engine = if no_gpu() { "cpu" } else { "auto" };
    let common = [
        "conform",
        "--engine",
        engine,
        "--boards",
        "40",
        "--long-boards",
        "2",
        "--sparse-boards",
        "3",
        "--rules",
        "3",
        "--populations",
        "60",
        "--long-populations",
        "2",
    ];
    let printed = stdout(&common);
    let lines = 1 + 3 * (engines().len() - 1);
    assert!(printed.lines().count() >= lines, "{printed}");
    assert!(!printed.contains("DIFFERENT"), "{printed}");

    let output = duolife(&[&common[..], &["--plant-fault", "12,30,4,6"]].concat());
    assert_eq!(output.status.code(), Some(1));
    let printed = text(&output.stdout);
    for expected in [
        "DIFFERENT",
        "board 12",
        "family lifelike",
        "generation 30 differs",
        "x = ",
        "y = ",
        "3x3 before",
        "reference: ",
    ] {
        assert!(printed.contains(expected), "{expected}: {printed}");
    }
}

#[test]
fn the_speed_of_every_engine_is_measured() {
    let short = [
        "bench",
        "--only",
        "small",
        "--only",
        "refereed",
        "--seconds",
        "0.01",
    ];
    let report = json(&[&short[..], &["--json", "--engine", "cpu"]].concat());
    let rows = report["rows"].as_array().unwrap();
    let told = |row: &Value| format!("{} {} {}", row["workload"], row["engine"], row["width"]);
    let expected = [
        r#""small" "reference" 256"#,
        r#""small" "cpu" 256"#,
        r#""refereed" "reference" 512"#,
        r#""refereed" "cpu" 4096"#,
    ];
    assert_eq!(rows.iter().map(told).collect::<Vec<_>>(), expected);
    for row in rows {
        let generations = row["generations"].as_f64().unwrap();
        assert!(generations >= 1.0, "{row}");
        assert!(row["cells_per_second"].as_f64().unwrap() > 0.0, "{row}");
        assert_eq!(
            row["over_reference"] == 1.0,
            row["engine"] == "reference",
            "{row}"
        );
        let refereed = row["workload"] == "refereed";
        assert_eq!(row["cost_of_refereeing"].is_number(), refereed, "{row}");
        let is_bounded = row["engine"] == "cpu" && !refereed;
        for share in ["of_memory", "of_arithmetic"] {
            let share = row[share].as_f64();
            assert_eq!(share.is_some_and(|share| share > 0.0), is_bounded, "{row}");
        }
    }
    let [bounds] = &report["bounds"].as_array().unwrap()[..] else {
        panic!("{report}");
    };
    assert_eq!(bounds["engine"], "cpu");
    for bound in ["bytes_per_second", "functions_per_second"] {
        assert!(bounds[bound].as_f64().unwrap() > 1e6, "{bounds}");
    }
    let gpu = if no_gpu() { "cpu" } else { "gpu" };
    let table = stdout(&[
        "bench",
        "--only",
        "small",
        "--seconds",
        "0.01",
        "--engine",
        gpu,
    ]);
    assert!(
        table
            .lines()
            .any(|line| line.starts_with("small") && line.contains(gpu)),
        "{table}"
    );
    assert!(refusal(&["bench", "--seconds", "0"]).contains("--seconds"));
    assert!(refusal(&["bench", "--engine", "cpu", "--adapter", "x"]).contains("--adapter"));
}

/// Slow, so all about it is in one test.
#[test]
fn the_kernels_of_an_adapter_are_measured_remembered_and_used() {
    if no_gpu() {
        eprintln!("skipped: DUOLIFE_NO_GPU=1");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("duolife/tuning.json");
    let here = |arguments: &[&str]| {
        let mut command = command(arguments);
        command.env("XDG_DATA_HOME", folder.path());
        command.output().unwrap()
    };
    let output = here(&["devices", "--tune", "--json"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let measured: Value = serde_json::from_slice(&output.stdout).unwrap();
    let remembered: Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
    let kernels = remembered["adapters"][0]["kernels"].as_array().unwrap();
    for circuits in ["life", "odd", "ties"] {
        let of = |all: &[Value]| -> Vec<Value> {
            let of = all.iter().filter(|one| one["circuits"] == circuits);
            of.cloned().collect()
        };
        let measured = of(measured.as_array().unwrap());
        let [kernel] = &of(kernels)[..] else {
            panic!("{remembered}");
        };
        assert!(measured.len() >= 4, "{measured:?}");
        assert_eq!(kernel["generations"], measured[0]["generations_a_pass"]);
        assert_eq!(kernel["subgroups"], measured[0]["subgroups"]);
        for pair in measured.windows(2) {
            let speed = |one: &Value| one["cells_per_second"].as_f64().unwrap();
            assert!(speed(&pair[0]) >= speed(&pair[1]) && speed(&pair[1]) > 0.0);
        }
    }
    // Commands use it: passes of what it says.
    let slow = std::fs::read_to_string(&file).unwrap();
    let slow = slow.split("\"generations\": ").map(|part| {
        let digits = part.trim_start_matches(|c: char| c.is_ascii_digit());
        if digits.len() < part.len() {
            format!("2{digits}")
        } else {
            part.to_owned()
        }
    });
    let slow: Vec<String> = slow.collect();
    std::fs::write(&file, slow.join("\"generations\": ")).unwrap();
    let bench = [
        "bench",
        "--only",
        "dense",
        "--seconds",
        "0.01",
        "--engine",
        "gpu",
        "--json",
    ];
    let output = here(&bench);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["rows"][1]["pass"], 2, "{report}");
    // A damaged file is told of, and nothing else happens.
    std::fs::write(&file, "{").unwrap();
    let run = [
        "run",
        "--size",
        "64x64",
        "--seed",
        "1",
        "--generations",
        "9",
        "--engine",
        "gpu",
    ];
    let output = here(&run);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let said = text(&output.stderr);
    assert!(
        said.contains("tuning.json") && said.contains("--tune"),
        "{said}"
    );
}

#[test]
fn a_pass_may_be_given_and_changes_nothing_but_the_speed() {
    let run = [
        "run",
        "--size",
        "1100x1000",
        "--seed",
        "4",
        "--start",
        "random",
        "--generations",
        "21",
    ];
    let told = ["--json", "--digest", "--quiet", "--engine"];
    let digest = |engine: &str, pass: &[&str]| {
        let report = json(&[&run[..], &told, &[engine], pass].concat());
        if let [_, asked] = pass {
            // Eight are the most that there are.
            let made = report["generations_per_pass"].as_u64().unwrap();
            let asked: u64 = asked.parse().unwrap();
            let fitting = if engine == "gpu" && asked == 3 {
                2
            } else {
                asked.min(8)
            };
            assert_eq!(made, fitting, "{engine} {asked}");
        }
        report["digest"].clone()
    };
    let expected = digest("cpu", &[]);
    let engines = if no_gpu() {
        vec!["cpu"]
    } else {
        vec!["cpu", "gpu"]
    };
    for engine in engines {
        for pass in ["1", "3", "8", "100"] {
            assert_eq!(
                digest(engine, &["--pass", pass]),
                expected,
                "{engine} {pass}"
            );
        }
    }
    assert!(refusal(&[&run[..], &["--pass", "0"]].concat()).contains("--pass"));
}

#[test]
fn without_a_driver_the_cpu_computes_and_a_gpu_is_refused_with_advice() {
    let without = |arguments: &[&str]| {
        let mut command = command(arguments);
        for variable in ["VK_DRIVER_FILES", "VK_ICD_FILENAMES"] {
            command.env(variable, "/nonexistent");
        }
        command.env("WGPU_BACKEND", "vulkan");
        command.output().unwrap()
    };
    let run = ["run", "--size", "20x20", "--generations", "5", "--engine"];
    let output = without(&[&run[..], &["auto"]].concat());
    assert_eq!(output.status.code(), Some(0));
    assert!(text(&output.stderr).contains("engine cpu"), "{output:?}");
    let output = without(&[&run[..], &["gpu"]].concat());
    assert_eq!(output.status.code(), Some(3));
    let said = text(&output.stderr).lines().last().unwrap();
    assert!(
        said.contains("mesa-vulkan-drivers") && said.contains("--engine cpu"),
        "{said}"
    );
    assert!(text(&without(&["devices"]).stdout).contains("no GPU adapter found"));
}

#[test]
fn adapters_are_listed_and_chosen_by_name() {
    if no_gpu() {
        eprintln!("skipped: DUOLIFE_NO_GPU=1");
        return;
    }
    let devices = json(&["devices", "--json"]);
    let name = devices[0]["name"].as_str().unwrap();
    assert!(stdout(&["devices"]).contains(name));
    let run = [
        "run",
        "--size",
        "20x20",
        "--generations",
        "5",
        "--json",
        "--quiet",
        "--engine",
        "gpu",
        "--adapter",
    ];
    let part = name.split_whitespace().next().unwrap().to_uppercase();
    assert_eq!(json(&[&run[..], &[&part]].concat())["adapter"], name);
    let output = duolife(&[&run[..], &["no such card"]].concat());
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains(name), "{output:?}");
}

#[test]
fn a_battle_runs_to_its_end_and_the_referee_says_why() {
    let place = Place::new();
    let [counts, film] = ["counts.csv", "film.png"].map(|name| place.name(name));
    let start = ["--size", "60x40", "--seed", "3", "--until-end"];
    let mut reports = Vec::new();
    for engine in engines() {
        let mut arguments = vec!["run", "--json", "--digest", "--engine", engine];
        arguments.extend(start);
        arguments.extend(["--census", &counts, "--apng", &film, "--every", "10"]);
        let mut report = json(&arguments);
        let lines = fs::read_to_string(&counts).unwrap();
        let generation = report["generation"].as_u64().unwrap();
        assert_eq!(lines.lines().count() as u64, generation + 2, "{engine}");
        let last = format!("{generation},{},{}", report["red"], report["blue"]);
        assert_eq!(lines.lines().last(), Some(&*last), "{engine}");
        assert_eq!(
            u64::from(apng_frames(Path::new(&film))),
            generation / 10 + 1
        );
        for different in ["engine", "adapter", "seconds", "cells_per_second"] {
            report[different] = Value::Null;
        }
        reports.push(report);
    }
    assert!(
        reports.windows(2).all(|pair| pair[0] == pair[1]),
        "{reports:?}"
    );
    let report = &reports[0];
    assert_eq!(report["outcome"], "blue");
    assert_eq!(report["reason"], "elimination");
    assert_eq!(report["red"], 0);
    // Both have shrunk, blue less.
    assert_eq!(report["growth"]["clamped"], "draw");
    assert_eq!(report["growth"]["signed"], "blue");
    let said = stdout(&[&["run", "--engine", "cpu"][..], &start].concat());
    assert!(
        said.contains("blue wins by elimination after 317 generations"),
        "{said}"
    );

    // The generation before, the limit decides.
    let limited = [
        &["run", "--json", "--engine", "cpu", "--limit", "316"][..],
        &start,
    ]
    .concat();
    let report = json(&limited);
    assert_eq!(report["reason"], "limit");
    assert_eq!(report["generation"], 316);
    assert_eq!(report["outcome"], "blue");
    assert_eq!(report["interrupted"], false);
    for wrong in [
        &["run", "--until-end", "--generations", "5"][..],
        &["run", "--limit", "5"],
        &["run", "--until-end", "--limit", "0"],
    ] {
        refusal(wrong);
    }
}

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
fn a_pattern_is_laid_down_where_and_how_it_is_told() {
    let place = Place::new();
    let file = place.file("l.rle", "x = 3, y = 2, rule = B3/S23\n3o$o!\n");
    let convert = |arguments: &[&str]| stdout(&[&["convert", &file, "-"], arguments].concat());
    assert_eq!(convert(&[]), "2 3\n111\n1..\n");
    assert_eq!(
        convert(&["--turn", "90", "--as", "blue"]),
        "3 2\n22\n.2\n.2\n"
    );
    assert_eq!(convert(&["--turn", "180"]), "2 3\n..1\n111\n");
    assert_eq!(convert(&["--flip", "horizontal"]), "2 3\n111\n..1\n");
    assert_eq!(
        convert(&["--flip", "vertical", "--turn", "270"]),
        "3 2\n.1\n.1\n11\n"
    );
    assert_eq!(
        convert(&["--size", "5x3", "--at", "2,1"]),
        "3 5\n.....\n..111\n..1..\n"
    );
    let error = refusal(&["convert", &file, "-", "--size", "5x3", "--at", "3,1"]);
    assert!(error.contains("does not fit"), "{error}");
    assert!(refusal(&["convert", &file, "-", "--at", "3,1"]).contains("--size"));
    assert!(refusal(&["convert", &file, "-", "--size", "9x9", "--at", "-1,1"]).contains("--at"));
    let both = place.file("both.txt", "1 2\n12\n");
    assert!(refusal(&["convert", &both, "-", "--as", "red"]).contains("one colour"));
}

#[test]
fn two_files_are_set_against_each_other() {
    let place = Place::new();
    let red = place.file("red.rle", "x = 3, y = 1, rule = B3/S23\n3o!\n");
    let blue = place.file("blue.txt", "2 3\n111\n1..\n");
    let board = place.name("start.txt");
    let run = |arguments: &[&str]| {
        let common = [
            "run",
            "--red",
            &red,
            "--blue",
            &blue,
            "--engine",
            "cpu",
            "--quiet",
            "--generations",
            "0",
            "--output",
            &board,
        ];
        stdout(&[&common[..], arguments].concat());
        fs::read_to_string(&board).unwrap()
    };
    // Six and three times the largest side, each in the middle of its half.
    let row = |middle: &str| format!("{middle}\n");
    let empty = row("..................");
    let expected = format!(
        "9 18\n{empty}{empty}{empty}{}{}{}{empty}{empty}{empty}",
        row("............222..."),
        row("...111......2....."),
        empty
    );
    assert_eq!(run(&[]), expected);
    assert_eq!(
        run(&["--size", "6x3", "--blue-turn", "90", "--red-at", "0,2"]),
        "3 6\n...22.\n....2.\n111.2.\n"
    );
    assert_eq!(
        run(&[
            "--size",
            "7x2",
            "--blue-flip",
            "horizontal",
            "--red-at",
            "1,0",
            "--blue-at",
            "4,0"
        ]),
        "2 7\n.111222\n......2\n"
    );
    let refused = |arguments: &[&str]| {
        refusal(&[&["run", "--red", &red, "--blue", &blue], arguments].concat())
    };
    assert!(refused(&["--size", "5x5"]).contains("half"));
    assert!(
        refused(&["--size", "9x5", "--red-at", "5,1", "--blue-at", "5,1"])
            .contains("column 5, row 1")
    );
    assert!(refusal(&["run", "--red", &red]).contains("--blue"));
    assert!(refused(&["--start", "random"]).contains("--start"));
}

#[test]
fn a_position_that_means_nothing_here_is_said_to_be_left_out() {
    let place = Place::new();
    let file = place.file(
        "p.rle",
        "#CXRLE Pos=-3,-2 Gen=12\nx = 3, y = 3, rule = B3/S23\nbo$2bo$3o!\n",
    );
    let output = duolife(&["convert", &file, "-", "--to", "rle"]);
    assert!(
        text(&output.stderr).contains("Pos=-3,-2 counts"),
        "{output:?}"
    );
    assert!(text(&output.stdout).contains("Gen=12"), "{output:?}");
}

#[test]
fn a_golly_rule_is_written_or_the_reason_is_said() {
    let place = Place::new();
    let output = command(&["rule-file", "highlife", "--ties", "blue"])
        .current_dir(place.0.path())
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let written = fs::read_to_string(place.path("Immigration-B36-S23-blue.rule")).unwrap();
    assert!(
        written.starts_with("@RULE Immigration-B36-S23-blue\n"),
        "{written}"
    );
    assert!(stdout(&["rule-file", "B3/S23", "--output", "-"]).starts_with("@RULE Immigration\n"));
    assert!(refusal(&["rule-file", "B36/S23"]).contains("--ties red"));
    assert!(
        refusal(&["rule-file", "B36/S23", "--ties", "checkerboard"]).contains("cannot be written")
    );
}

#[test]
fn what_goes_to_standard_output_is_alone_there() {
    let run = [
        "run",
        "--size",
        "4x2",
        "--density",
        "0",
        "--generations",
        "1",
        "--engine",
        "cpu",
    ];
    let output = duolife(&[&run[..], &["--output", "-"]].concat());
    assert_eq!(text(&output.stdout), "2 4\n....\n....\n");
    assert!(text(&output.stderr).contains("0 red, 0 blue"), "{output:?}");
    let output = duolife(&[&run[..], &["--census", "-"]].concat());
    assert_eq!(text(&output.stdout), "generation,red,blue\n0,0,0\n1,0,0\n");
    assert!(
        refusal(&[&run[..], &["--census", "-", "--json"]].concat()).contains("--census and --json")
    );
    assert!(
        refusal(&[&run[..], &["--census", "-", "--output", "-"]].concat()).contains("cannot share")
    );
}

#[test]
fn every_written_format_is_read_back() {
    let place = Place::new();
    let colours = place.file("a.txt", "3 5\n.12..\n2..1.\n.2211\n");
    for name in ["b.rle", "b.png", "b.duolife", "b.grid"] {
        let (there, back) = (place.name(name), place.name("back.txt"));
        stdout(&["convert", &colours, &there, "--quiet"]);
        stdout(&["convert", &there, &back, "--quiet"]);
        assert_eq!(
            fs::read(&back).unwrap(),
            fs::read(&colours).unwrap(),
            "{name}"
        );
    }
    let red = place.file("red.txt", "2 3\n1.1\n.11\n");
    for name in ["c.cells", "c.lif"] {
        let (there, back) = (place.name(name), place.name("back.txt"));
        stdout(&["convert", &red, &there, "--quiet"]);
        stdout(&["convert", &there, &back, "--quiet"]);
        assert_eq!(fs::read(&back).unwrap(), fs::read(&red).unwrap(), "{name}");
        let refused = refusal(&["convert", &colours, &place.name(name)]);
        assert!(
            refused.contains(name) && refused.contains(".rle"),
            "{refused}"
        );
        assert_ne!(fs::read(&there).unwrap(), b"", "the old file stays");
    }
    // Pictures at a scale, too.
    let (picture, back) = (place.name("big.png"), place.name("back.txt"));
    stdout(&["convert", &colours, &picture, "--scale", "4"]);
    stdout(&["convert", &picture, &back, "--from-scale", "4"]);
    assert_eq!(fs::read(&back).unwrap(), fs::read(&colours).unwrap());
    assert!(refusal(&["convert", &picture, &back, "--from-scale", "3"]).contains("big.png"));
    assert!(
        refusal(&[
            "run",
            "--size",
            "300x300",
            "--generations",
            "0",
            "--quiet",
            "--engine",
            "cpu",
            "--output",
            &place.name("big.duolife")
        ])
        .contains("share code")
    );
    assert!(refusal(&["convert", &colours, &place.name("x.mc")]).contains("read only"));
}

#[test]
fn a_battle_is_filmed_in_every_format() {
    let place = Place::new();
    let [gif, apng, y4m] = ["a.gif", "a.png", "a.y4m"].map(|name| place.name(name));
    let run = |arguments: &[&str]| {
        let common = [
            "run",
            "--size",
            "40x30",
            "--seed",
            "2",
            "--generations",
            "12",
            "--every",
            "3",
            "--engine",
            "cpu",
            "--quiet",
        ];
        stdout(&[&common[..], arguments].concat())
    };
    let report = run(&[
        "--gif", &gif, "--apng", &apng, "--y4m", &y4m, "--scale", "2", "--fps", "10", "--json",
    ]);
    let report: Value = serde_json::from_str(&report).unwrap();
    assert_eq!(report["frames"], 5);
    assert!(fs::read(&gif).unwrap().starts_with(b"GIF89a"));
    let decoder = png::Decoder::new(std::io::BufReader::new(fs::File::open(&apng).unwrap()));
    let reader = decoder.read_info().unwrap();
    assert_eq!(reader.info().animation_control().unwrap().num_frames, 5);
    let film = fs::read(&y4m).unwrap();
    let header = b"YUV4MPEG2 W80 H60 F10:1";
    assert!(
        film.starts_with(header),
        "{:?}",
        String::from_utf8_lossy(&film[..60])
    );
    let frame = 80 * 60 * 3 + b"FRAME\n".len();
    let first = film.iter().position(|&byte| byte == b'\n').unwrap() + 1;
    assert_eq!(film.len(), first + 5 * frame);

    // The same film to standard output, with nothing else there.
    let common = [
        "run",
        "--size",
        "40x30",
        "--seed",
        "2",
        "--generations",
        "12",
        "--every",
        "3",
        "--engine",
        "cpu",
        "--scale",
        "2",
        "--fps",
        "10",
    ];
    let output = duolife(&[&common[..], &["--y4m", "-"]].concat());
    assert_eq!(output.stdout, film);
    assert!(text(&output.stderr).contains("generation 12"), "{output:?}");
    assert!(refusal(&[&common[..], &["--y4m", "-", "--json"]].concat()).contains("cannot share"));
    assert!(
        refusal(&[&common[..], &["--gif", &place.name("no/x.gif")]].concat())
            .contains("cannot be written")
    );
    assert!(
        refusal(&[
            "run", "--gif", &gif, "--fps", "90", "--engine", "cpu", "--quiet"
        ])
        .contains("50 frames a second")
    );
    assert!(refusal(&["run", "--gif", &gif, "--fps", "never"]).contains("--fps"));
}

/// The frames an animated PNG announces, all of which must be there.
fn apng_frames(path: &Path) -> u32 {
    let file = std::io::BufReader::new(fs::File::open(path).unwrap());
    let mut reader = png::Decoder::new(file).read_info().unwrap();
    let frames = reader.info().animation_control.unwrap().num_frames;
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    for _ in 0..frames {
        reader.next_frame(&mut pixels).unwrap();
    }
    assert!(reader.next_frame(&mut pixels).is_err());
    frames
}

#[cfg(unix)]
#[test]
fn a_film_that_is_cut_short_keeps_its_frames() {
    let place = Place::new();
    let [gif, apng] = ["a.gif", "a.png"].map(|name| place.name(name));
    interrupted(&[
        "run",
        "--size",
        "50x50",
        "--generations",
        "100000000",
        "--every",
        "1000",
        "--engine",
        "cpu",
        "--gif",
        &gif,
        "--apng",
        &apng,
    ]);
    let film = fs::read(&gif).unwrap();
    assert!(
        film.starts_with(b"GIF89a") && film.ends_with(b";"),
        "a whole GIF"
    );
    // Its header had promised 100,001.
    let frames = apng_frames(Path::new(&apng));
    assert!(0 < frames && frames < 100_001, "{frames}");
    assert_eq!(
        fs::read_dir(place.0.path()).unwrap().count(),
        2,
        "no temporary file is left"
    );
}

/// A disk that is full is told as such, also by a run that was interrupted.
#[cfg(unix)]
#[test]
fn a_film_that_cannot_be_written_is_an_error_and_the_others_are_kept() {
    if !Path::new("/dev/full").exists() {
        return;
    }
    let place = Place::new();
    let film = place.name("a.y4m");
    let output = duolife(&[
        "run",
        "--size",
        "9x9",
        "--generations",
        "2",
        "--engine",
        "cpu",
        "--quiet",
        "--gif",
        "/dev/full",
        "--y4m",
        &film,
    ]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(text(&output.stderr).contains("/dev/full"), "{output:?}");
    assert!(fs::read(&film).unwrap().starts_with(b"YUV4MPEG2"));
}
