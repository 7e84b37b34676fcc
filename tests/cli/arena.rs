use std::fmt::Write as _;
use std::fs;
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::support::no_gpu;
use crate::support::program::{Place, command, duolife, json, refusal, stdout, text};

mod games;
mod ranking;
mod result_files;

/// Words drawn by a linear congruential generator: enough for making lists.
struct Draws(u64);

impl Draws {
    fn below(&mut self, most: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % most
    }

    /// The cells of an RLE.
    fn pattern(&mut self) -> String {
        let (width, height) = (1 + self.below(9), 1 + self.below(9));
        let mut cells = String::new();
        for _ in 0..height {
            for _ in 0..width {
                cells.push(if self.below(2) == 0 { 'b' } else { 'o' });
            }
            cells.push('$');
        }
        cells.pop();
        cells + "o!"
    }
}

/// A list of games of all kinds, some of them repeated.
fn list(lines: u64) -> String {
    let mut draws = Draws(12);
    let mut text =
        "rule\tties\tedges\twidth\theight\tlimit\tseed\trepeats\tred\tblue\tred_turn\tblue_flip\n"
            .to_owned();
    let rules = [
        "",
        "B3/S23",
        "B36/S23",
        "B2/S",
        "B3678/S34678",
        "B45678/S2345",
        "B1357/S02468",
    ];
    let patterns: Vec<String> = (0..12).map(|_| draws.pattern()).collect();
    for _ in 0..lines {
        let mut pick = |from: &[&str]| from[draws.below(from.len() as u64) as usize].to_owned();
        let rule = pick(&rules);
        let ties = pick(&["", "seeded", "red", "blue", "checkerboard"]);
        let edges = pick(&["torus", "dead", ""]);
        let size = pick(&["\t", "24\t13", "78\t39", "33\t12", "64\t20"]);
        let limit = pick(&["1", "2", "30", "77", "120"]);
        let seed = pick(&["", "7", "18446744073709551615"]);
        let repeats = pick(&["", "2", "1"]);
        let turn = pick(&["", "0", "90", "180", "270"]);
        let flip = pick(&["", "none", "horizontal", "vertical"]);
        let red = &patterns[draws.below(12) as usize];
        let blue = &patterns[draws.below(12) as usize];
        let line = [
            &rule, &ties, &edges, &size, &limit, &seed, &repeats, red, blue, &turn, &flip,
        ];
        let line: Vec<&str> = line.into_iter().map(String::as_str).collect();
        writeln!(text, "{}", line.join("\t")).unwrap();
    }
    text
}

fn lines(path: &str) -> Vec<String> {
    fs::read_to_string(path)
        .unwrap()
        .lines()
        .map(str::to_owned)
        .collect()
}

/// The value in a column of a CSV line.
fn value<'a>(lines: &'a [String], line: usize, column: &str) -> &'a str {
    let place = lines[0].split(',').position(|name| name == column).unwrap();
    lines[line].split(',').nth(place).unwrap()
}

/// Seeds of well-known strength.
fn seeds(place: &Place) -> String {
    fs::create_dir(place.path("seeds")).unwrap();
    for (name, cells) in [
        ("acorn", "x = 7, y = 3\nbo$3bo$2o2b3o!"),
        ("block", "x = 2, y = 2\n2o$2o!"),
        ("beehive", "x = 4, y = 3\nb2o$o2bo$b2o!"),
        ("blinker", "x = 3, y = 1\n3o!"),
        ("glider", "x = 3, y = 3\nbo$2bo$3o!"),
    ] {
        place.file(&format!("seeds/{name}.rle"), cells);
    }
    place.name("seeds")
}

#[test]
fn what_cannot_be_played_is_refused_in_one_line_before_any_game() {
    let place = Place::new();
    let seeds = seeds(&place);
    let output = place.name("none.csv");
    let refused = |arguments: &[&str], parts: &[&str]| {
        let said = refusal(&[&["tournament", "--output", &output][..], arguments].concat());
        for part in parts {
            assert!(said.contains(part), "{said}");
        }
        assert!(!place.path("none.csv").exists(), "{arguments:?}");
    };
    refused(&[], &["needs two seeds or more"]);
    refused(
        &[&seeds, "--size", "10x20"],
        &["acorn.rle: a seed of 7x3", "--size"],
    );
    refused(
        &[&seeds, "--rule", "B36/S23", "--ties", "forbidden"],
        &["B36/S23", "ties are forbidden", "checkerboard"],
    );
    refused(&[&seeds, "--frames", "x"], &["--replay"]);
    refused(&[&seeds, "--replay", "999"], &["games 1 to 20"]);
    let bad = place.file("bad.rle", "x = 2, y = 2\n2o$2q!");
    refused(&[&seeds, &bad], &["bad.rle", "line 2"]);
    let lists = [
        ("red\tblue\nbo!\n", "line 2: 1 values under 2 columns"),
        (
            "red\tbleu\nbo!\tbo!\n",
            "line 1: no column is called \"bleu\"",
        ),
        ("red\nbo!\n", "line 1: the column blue is missing"),
        ("red\tblue\trule\nbo!\tbo!\tB3/S29\n", "line 2"),
        (
            "red\tblue\tlimit\nbo!\tbo!\t-1\n",
            "line 2: limit is \"-1\"",
        ),
        (
            "red\tblue\tred_turn\nbo!\tbo!\t45\n",
            "line 2: red_turn is 45",
        ),
        (
            "red\tblue\twidth\theight\n3o!\to!\t5\t9\n",
            "line 2: 3o!: a seed of 3x1",
        ),
        (
            "red\tblue\twidth\nbo!\tbo!\t9\n",
            "line 2: width and height go together",
        ),
        (
            "red\tblue\twidth\theight\nbo!\tbo!\t999999\t999999\n",
            "line 2",
        ),
        ("red\tblue\nbo!\tnone.rle\n", "line 2: blue: "),
        (
            "red\tblue\trule\tties\nbo!\tbo!\tB2/S\tforbidden\n",
            "line 2: B2/S allows births",
        ),
        ("red\tblue\tred_x\tred_y\to\n", "line 1"),
        (
            "red\tblue\tred_x\tred_y\n3o!\to!\t17\t0\n",
            "line 2: a pattern of",
        ),
        ("\n# nothing\n", "holds no games"),
    ];
    for (content, part) in lists {
        let list = place.file("list.tsv", content);
        refused(&["--list", &list], &["list.tsv", part]);
    }
    let list = place.file(
        "list.jsonl",
        "{\"red\": \"o!\", \"blue\": \"o!\"}\n{\"red\": 3}\n",
    );
    refused(&["--list", &list], &["list.jsonl, line 2: column"]);
    let mut long = "red\tblue\n".to_owned();
    for n in 2..90_000 {
        long += if n == 70_001 {
            "3o!\t3q!\n"
        } else {
            "3o!\t2o$2o!\n"
        };
    }
    let list = place.file("long.tsv", &long);
    refused(&["--list", &list], &["long.tsv, line 70001: blue: "]);
}
