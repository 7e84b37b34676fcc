use std::fmt::Write as _;
use std::fs;
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::support::no_gpu;
use crate::support::program::{Place, command, duolife, json, refusal, stdout, text};

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

/// A result file is resumed only by the tournament whose fingerprint it holds.
#[test]
fn fingerprints_are_those_of_older_result_files() {
    let place = Place::new();
    let list =
        "red\tblue\tred_x\tred_y\tred_turn\tred_flip\tseed\nbo$2bo$3o!\t3o!\t1\t2\t90\tnone\t7\n";
    let list = place.file("list.tsv", list);
    let drawn = ["--random-seeds", "3"];
    let placed = [
        "--random-seeds",
        "3",
        "--ties",
        "red",
        "--placement",
        "centre",
        "--orientation",
        "none",
        "--size",
        "100x50",
        "--limit",
        "200",
        "--rule",
        "B36/S23",
        "--edges",
        "dead",
    ];
    let listed = ["--list", &list];
    let cases = [
        (&drawn[..], "5f9961161d6666eb"),
        (&placed[..], "f409fb53541c54b3"),
        (&listed[..], "3c17ba8b757144ea"),
    ];
    for (options, fingerprint) in cases {
        let common = ["tournament", "--engine", "cpu", "--json", "--quiet"];
        let report = json(&[&common[..], options].concat());
        assert_eq!(report["tournament"], fingerprint, "{options:?}");
    }
}

#[test]
fn games_of_all_kinds_end_alike_on_every_engine() {
    let place = Place::new();
    let list = place.file("games.tsv", &list(250));
    let play = |engine: &str| {
        let output = place.name(&format!("{engine}.csv"));
        stdout(&[
            "tournament",
            "--list",
            &list,
            "--engine",
            engine,
            "--output",
            &output,
            "--quiet",
        ]);
        lines(&output)
    };
    let expected = play("reference");
    assert!(expected.len() > 250);
    let engines: &[&str] = if no_gpu() { &["cpu"] } else { &["cpu", "gpu"] };
    for engine in engines {
        let found = play(engine);
        assert_eq!(found.len(), expected.len());
        for (n, (line, expected)) in found.iter().zip(&expected).enumerate() {
            assert_eq!(line, expected, "{engine}, line {n}");
        }
    }
    // Ends of every kind, or the comparison would show little.
    for reason in ["extinction", "elimination", "coexistence", "limit"] {
        let ended = (1..expected.len()).filter(|&n| value(&expected, n, "reason") == reason);
        assert!(ended.count() > 5, "{reason}");
    }
}

#[test]
fn games_are_the_same_for_any_number_of_threads_and_in_both_formats() {
    let place = Place::new();
    let play = |name: &str, threads: &str| {
        let output = place.name(name);
        let mut run = command(&[
            "tournament",
            "--random-seeds",
            "30",
            "--games",
            "500",
            "--seed",
            "9",
            "--quiet",
            "--engine",
            "cpu",
            "--output",
            &output,
        ]);
        assert!(
            run.env("RAYON_NUM_THREADS", threads)
                .status()
                .unwrap()
                .success()
        );
        lines(&output)
    };
    let one = play("one.csv", "1");
    assert_eq!(one, play("three.csv", "3"));
    let objects = play("one.jsonl", "2");
    assert_eq!(objects.len() + 1, one.len());
    for (n, object) in objects.iter().enumerate() {
        let object: Value = serde_json::from_str(object).unwrap();
        for (column, found) in object.as_object().unwrap() {
            let found = match found {
                Value::String(text) => text.clone(),
                Value::Null => String::new(),
                other => other.to_string(),
            };
            assert_eq!(found, value(&one, n + 1, column), "{column} of game {n}");
        }
    }
}

#[cfg(feature = "parquet")]
#[test]
fn columns_hold_what_lines_hold() {
    use parquet::file::reader::SerializedFileReader;
    use parquet::record::Field;

    let place = Place::new();
    let list = place.file("games.tsv", &list(120));
    let (output, columns) = (place.name("r.csv"), place.name("r.parquet"));
    let play = |output: &str, columns: &str| {
        let words = [
            "tournament",
            "--list",
            &list,
            "--engine",
            "cpu",
            "--quiet",
            "--output",
            output,
            "--parquet",
            columns,
        ];
        command(&words).output().unwrap()
    };
    assert!(play(&output, &columns).status.success());
    let lines = lines(&output);
    let reader = SerializedFileReader::new(fs::File::open(&columns).unwrap()).unwrap();
    let rows: Vec<_> = reader.into_iter().map(Result::unwrap).collect();
    assert_eq!(rows.len() + 1, lines.len());
    let mut largest = 0;
    for (n, row) in rows.iter().enumerate() {
        assert_eq!(row.len(), lines[0].split(',').count());
        for (column, found) in row.get_column_iter() {
            let found = match found {
                Field::Str(text) => text.clone(),
                Field::Null => String::new(),
                Field::ULong(number) => {
                    largest = largest.max(*number);
                    number.to_string()
                }
                other => other.to_string(),
            };
            assert_eq!(found, value(&lines, n + 1, column), "{column} of game {n}");
        }
    }
    assert!(largest > 1 << 63, "a seed that is no signed number");
    // The games are played; only the columns are written anew.
    fs::remove_file(&columns).unwrap();
    assert!(play(&output, &columns).status.success());
    assert!(fs::exists(&columns).unwrap());
    for (output, columns, said) in [
        ("-", columns.as_str(), "give that a name"),
        (&output, "r.csv", "choose such a name"),
        (&output, "no/such/folder/r.parquet", "no/such/folder"),
    ] {
        let refused = play(output, columns);
        let text = String::from_utf8(refused.stderr).unwrap();
        assert_eq!(
            (refused.status.code(), text.lines().count()),
            (Some(2), 1),
            "{text}"
        );
        assert!(text.contains(said), "{text}");
    }
}

#[test]
fn a_killed_tournament_goes_on_where_it_was() {
    let place = Place::new();
    let (whole, killed) = (place.name("whole.csv"), place.name("killed.csv"));
    let arguments = |output: &str| {
        let common =
            "tournament --random-seeds 60 --trials 4 --seed 2 --engine cpu --quiet --output";
        let mut all: Vec<String> = common.split(' ').map(str::to_owned).collect();
        all.push(output.into());
        all
    };
    let run = |output: &str| {
        let all = arguments(output);
        let all: Vec<&str> = all.iter().map(String::as_str).collect();
        command(&all)
    };
    assert!(run(&whole).status().unwrap().success());
    let expected = lines(&whole);
    assert_eq!(expected.len(), 1 + 60 * 59 / 2 * 4);
    let mut before = 0;
    for kill in 0..3 {
        let mut child = run(&killed).stderr(Stdio::null()).spawn().unwrap();
        let since = Instant::now();
        let length = || fs::metadata(&killed).map_or(0, |metadata| metadata.len());
        // After at least one more chunk has been written.
        while length() <= before + 20_000 && since.elapsed() < Duration::from_secs(60) {
            thread::sleep(Duration::from_millis(2));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        before = length();
        let found = lines(&killed);
        assert!(found.len() < expected.len(), "kill {kill} came too late");
        // Half a line, as a kill in the middle of a write leaves it.
        let bytes = fs::read(&killed).unwrap();
        fs::write(&killed, &bytes[..bytes.len() - 100]).unwrap();
        before -= 100;
    }
    assert!(run(&killed).status().unwrap().success());
    assert_eq!(lines(&killed), expected);
    // Once more there is nothing left to do.
    let finished = fs::read(&killed).unwrap();
    assert!(run(&killed).arg("--resume").status().unwrap().success());
    assert_eq!(fs::read(&killed).unwrap(), finished);
}

#[test]
fn more_games_can_be_drawn_later() {
    let place = Place::new();
    let output = place.name("games.jsonl");
    let play = |games: &str| {
        stdout(&[
            "tournament",
            "--random-seeds",
            "9",
            "--games",
            games,
            "--engine",
            "cpu",
            "--output",
            &output,
        ]);
        lines(&output)
    };
    let first = play("40");
    let more = play("90");
    assert_eq!((first.len(), more.len()), (40, 90));
    assert_eq!(first[..], more[..40]);
}

#[test]
fn a_file_of_another_tournament_is_left_alone() {
    let place = Place::new();
    let output = place.name("games.csv");
    let arguments = |seed| {
        [
            "tournament",
            "--random-seeds",
            "4",
            "--engine",
            "cpu",
            "--output",
            &output,
            "--seed",
            seed,
        ]
        .map(str::to_owned)
    };
    let run = |arguments: &[String]| {
        let all: Vec<&str> = arguments.iter().map(String::as_str).collect();
        command(&all)
    };
    assert!(run(&arguments("1")).output().unwrap().status.success());
    let first = fs::read(&output).unwrap();
    let refused = run(&arguments("2")).output().unwrap();
    let said = text(&refused.stderr);
    assert_eq!(refused.status.code(), Some(2), "{said}");
    assert!(
        said.contains("games.csv, line 2: holds games of another tournament"),
        "{said}"
    );
    assert_eq!(fs::read(&output).unwrap(), first);
    assert!(
        run(&arguments("2"))
            .arg("--overwrite")
            .output()
            .unwrap()
            .status
            .success()
    );
    assert_ne!(fs::read(&output).unwrap(), first);
    // Nor is a file that is no result at all.
    fs::write(&output, "a,b\n1,2\n").unwrap();
    let refused = run(&arguments("2")).output().unwrap();
    assert!(
        text(&refused.stderr).contains("line 1: not the header"),
        "{refused:?}"
    );
    assert_eq!(fs::read(&output).unwrap(), b"a,b\n1,2\n");
    let missing = place.name("none.csv");
    let said = refusal(&[
        "tournament",
        "--random-seeds",
        "4",
        "--resume",
        "--output",
        &missing,
    ]);
    assert!(said.contains("nothing to resume"), "{said}");
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
fn a_known_strong_seed_ranks_first() {
    let place = Place::new();
    let seeds = seeds(&place);
    let report = stdout(&[
        "tournament",
        &seeds,
        "--trials",
        "60",
        "--engine",
        "cpu",
        "--json",
    ]);
    let report: Value = serde_json::from_str(&report).unwrap();
    let standings = report["standings"].as_array().unwrap();
    assert_eq!(standings.len(), 5);
    assert_eq!(report["games"], 600);
    let first = &standings[0];
    assert!(
        first["name"].as_str().unwrap().ends_with("acorn.rle"),
        "{report}"
    );
    assert!(
        first["low"].as_f64().unwrap() > standings[1]["high"].as_f64().unwrap(),
        "{report}"
    );
    let total = |column: &str| -> u64 {
        standings
            .iter()
            .map(|standing| standing[column].as_u64().unwrap())
            .sum()
    };
    assert_eq!(total("wins"), total("losses"));
    assert_eq!(total("games"), 1200);
}

#[cfg(feature = "plot")]
#[test]
fn the_ranking_is_drawn() {
    let place = Place::new();
    let seeds = seeds(&place);
    let plot = place.name("ranking.svg");
    let text = stdout(&[
        "tournament",
        &seeds,
        "--trials",
        "60",
        "--engine",
        "cpu",
        "--plot",
        &plot,
    ]);
    assert!(text.contains("rank  seed"), "{text}");
    let plot = fs::read_to_string(plot).unwrap();
    assert!(
        plot.starts_with("<svg") && plot.contains("acorn.rle"),
        "{plot}"
    );
    // A dot each, on the scale from 0 to 100.
    assert_eq!(plot.matches("<circle").count(), 5);
}

#[test]
fn a_seed_against_itself_shows_no_advantage_of_a_colour() {
    let place = Place::new();
    let acorn = place.file("acorn.rle", "x = 7, y = 3\nbo$3bo$2o2b3o!");
    let arguments = |placement| {
        [
            "tournament",
            acorn.as_str(),
            "--challengers",
            acorn.as_str(),
            "--trials",
            "3000",
            "--engine",
            "cpu",
            "--json",
            "--placement",
            placement,
        ]
    };
    let report: Value = serde_json::from_str(&stdout(&arguments("random"))).unwrap();
    let decided = report["red_wins"].as_u64().unwrap() + report["blue_wins"].as_u64().unwrap();
    assert!(decided > 2000, "{report}");
    assert!(report["side_p"].as_f64().unwrap() > 0.001, "{report}");
    // The test itself can fail: blue is given away.
    let list = place.file(
        "unfair.tsv",
        "red\tblue\trepeats\nbo$3bo$2o2b3o!\t2o$2o!\t200\n",
    );
    let report: Value = serde_json::from_str(&stdout(&[
        "tournament",
        "--list",
        &list,
        "--engine",
        "cpu",
        "--json",
    ]))
    .unwrap();
    assert!(report["side_p"].as_f64().unwrap() < 1e-9, "{report}");
}

#[test]
fn a_game_can_be_replayed_alone_and_by_run() {
    let place = Place::new();
    let seeds = seeds(&place);
    let output = place.name("games.csv");
    let tournament = [
        "tournament",
        &seeds,
        "--trials",
        "3",
        "--seed",
        "5",
        "--output",
        &output,
    ];
    let with = |more: &[&str]| {
        let all: Vec<&str> = tournament.iter().chain(more).copied().collect();
        duolife(&all)
    };
    assert!(with(&["--engine", "cpu"]).status.success());
    let games = lines(&output);
    let frames = place.name("frames");
    for game in [1, 8, 30] {
        let replay = game.to_string();
        let replayed = with(&["--engine", "reference", "--replay", &replay]);
        assert!(
            text(&replayed.stderr).contains("equal to the game in"),
            "{replayed:?}"
        );
        let said = text(&replayed.stdout);
        let words: Vec<&str> = said.lines().last().unwrap().split(' ').skip(1).collect();
        assert_eq!(words[0], "run");
        let again = stdout(&[&words[..], &["--engine", "cpu"]].concat());
        let digest = value(&games, game, "digest");
        assert!(again.contains(digest), "{said}{again}");
        // The start pattern as a file leads to the same end.
        let start = place.name(&format!("start-{game}.rle"));
        let replayed = with(&[
            "--engine",
            "cpu",
            "--replay",
            &replay,
            "--save-start",
            &start,
        ]);
        let said = text(&replayed.stdout).to_owned();
        let words: Vec<&str> = said.lines().last().unwrap().split(' ').skip(1).collect();
        assert!(
            stdout(&[&words[..], &["--engine", "cpu"]].concat()).contains(digest),
            "{said}"
        );
    }
    let filmed = with(&[
        "--engine", "cpu", "--replay", "2", "--frames", &frames, "--every", "50", "--quiet",
    ]);
    assert!(filmed.status.success(), "{filmed:?}");
    assert!(fs::read_dir(&frames).unwrap().count() >= 4);
    // A result that was changed is found out.
    let changed = fs::read_to_string(&output)
        .unwrap()
        .replace(",coexistence,", ",limit,");
    fs::write(&output, changed).unwrap();
    let game = (1..games.len())
        .find(|&n| value(&games, n, "reason") == "coexistence")
        .unwrap();
    let replayed = with(&["--engine", "cpu", "--replay", &game.to_string()]);
    assert_eq!(replayed.status.code(), Some(1), "{replayed:?}");
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
