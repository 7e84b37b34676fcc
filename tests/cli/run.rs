use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::support::no_gpu;
use crate::support::program::{Place, duolife, engines, interrupted, json, refusal, stdout, text};

use super::film::apng_frames;

#[test]
fn engines_agree_on_digest_counts_and_output() {
    let place = Place::new();
    for (rule, edges, ties) in [
        ("B3/S23", "torus", "seeded"),
        ("HighLife", "dead", "seeded"),
        ("B2/S", "torus", "checkerboard"),
        ("34/34", "dead", "blue"),
    ] {
        let mut results = Vec::new();
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
            results.push((
                report["digest"].to_string(),
                census.clone(),
                fs::read(output).unwrap(),
            ));
        }
        assert!(
            results.iter().all(|other| *other == results[0]),
            "{rule} {edges} {ties}"
        );
        assert_eq!(results[0].0.len(), 66, "a SHA-256 in quotes");
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
fn a_battle_runs_to_its_end_with_the_verdict_of_the_referee() {
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
        // The last generation is filmed, too.
        assert_eq!(
            u64::from(apng_frames(Path::new(&film))),
            generation.div_ceil(10) + 1
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
    let report = ["--json", "--digest", "--quiet", "--engine"];
    let digest = |engine: &str, pass: &[&str]| {
        let report = json(&[&run[..], &report, &[engine], pass].concat());
        if let [_, set] = pass {
            // Eight are the most that there are.
            let made = report["generations_per_pass"].as_u64().unwrap();
            let set: u64 = set.parse().unwrap();
            let fitting = if engine == "gpu" && set == 3 {
                2
            } else {
                set.min(8)
            };
            assert_eq!(made, fitting, "{engine} {set}");
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
fn notes_of_a_reader_are_printed_once_and_are_no_error() {
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
fn generations_never_go_beyond_64_bits() {
    let place = Place::new();
    let file = place.file(
        "late.rle",
        "#CXRLE Gen=18446744073709551600\nx = 3, y = 3, rule = B3/S23\nbo$2bo$3o!\n",
    );
    let run = |generations: &str, more: &[&str]| {
        let run = [
            "run",
            &file,
            "--size",
            "20x20",
            "--engine",
            "cpu",
            "--generations",
        ];
        duolife(&[&run[..], &[generations, "--quiet"], more].concat())
    };
    let output = run("15", &["--census", "-"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(
        text(&output.stdout).contains("18446744073709551615,"),
        "{output:?}"
    );
    for more in [&[][..], &["--census", "-"], &["--json"]] {
        let output = run("16", more);
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        let said = text(&output.stderr);
        assert!(said.contains("2^64") && said.lines().count() == 1, "{said}");
        assert!(output.stdout.is_empty(), "{output:?}");
    }
}
