//! Result files: their formats, and how a tournament resumes from them.

use super::*;

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

/// The words of a small tournament with results in `output`.
fn small<'a>(output: &'a str, options: &[&'a str]) -> Vec<&'a str> {
    let common = [
        "tournament",
        "--random-seeds",
        "4",
        "--engine",
        "cpu",
        "--quiet",
        "--output",
        output,
    ];
    [&common[..], options].concat()
}

#[test]
fn what_cannot_be_played_overwrites_nothing() {
    let place = Place::new();
    for name in ["a.csv", "a.jsonl"] {
        let output = place.name(name);
        stdout(&small(&output, &[]));
        let before = fs::read(&output).unwrap();
        for options in [
            &["--engine", "gpu", "--adapter", "nonsuch"][..],
            &["--size", "3x3"],
            &["--size", "262144x262144"],
            &["--rule", "B0/S23"],
            &["--plot", "no/such/folder/a.svg"],
        ] {
            let options = [&["--seed", "2", "--overwrite"], options].concat();
            let words: Vec<&str> = small(&output, &options);
            // The last of two engines counts.
            let words = match options.contains(&"--adapter") {
                true => words
                    .into_iter()
                    .filter(|word| *word != "--engine" && *word != "cpu" && *word != "gpu")
                    .collect(),
                false => words,
            };
            let refused = duolife(&words);
            assert_ne!(refused.status.code(), Some(0), "{options:?}");
            assert_eq!(fs::read(&output).unwrap(), before, "{options:?}");
        }
        // Nor is an empty file left where there was none.
        let new = place.name(&format!("new-{name}"));
        assert_ne!(
            duolife(&small(&new, &["--size", "262144x262144"]))
                .status
                .code(),
            Some(0)
        );
        assert!(!fs::exists(&new).unwrap());
    }
}

#[test]
fn a_foreign_file_is_never_erased() {
    let place = Place::new();
    let whole = place.name("whole.csv");
    stdout(&small(&whole, &[]));
    let header = lines(&whole)[0].clone();
    for (name, content) in [
        ("a.csv", "my notes".to_owned()),
        ("b.csv", "t".repeat(400)),
        ("c.csv", format!("{header} and more")),
        ("d.csv", format!("{header}\nmy notes")),
        (
            "e.csv",
            format!("{}my notes", fs::read_to_string(&whole).unwrap()),
        ),
        ("f.jsonl", "{\"a\": 1}".to_owned()),
        ("g.jsonl", "[".to_owned()),
        ("h.ndjson", "\u{feff}".to_owned()),
    ] {
        let output = place.file(name, &content);
        let said = refusal(&small(&output, &[]));
        assert!(
            said.contains(name) && said.contains("--overwrite"),
            "{said}"
        );
        assert_eq!(fs::read_to_string(&output).unwrap(), content);
    }
    // Half of a first line is ours.
    for name in ["half.csv", "half.jsonl"] {
        let output = place.name(name);
        stdout(&small(&output, &[]));
        let expected = fs::read(&output).unwrap();
        for length in [0, 1, 20, expected.len() - 1] {
            fs::write(&output, &expected[..length]).unwrap();
            stdout(&small(&output, &[]));
            assert!(
                fs::read(&output).unwrap() == expected,
                "{name}, {length} bytes"
            );
        }
    }
}

/// Every column of every kind of file is compared with the schedule, with other columns, or with the
/// game as it ends when it is played again.
#[test]
fn a_changed_line_is_found() {
    let place = Place::new();
    let output = place.name("a.csv");
    stdout(&small(&output, &[]));
    let written = fs::read_to_string(&output).unwrap();
    let lines: Vec<&str> = written.lines().collect();
    for (column, name) in lines[0].split(',').enumerate() {
        let line = 1 + column % (lines.len() - 1);
        let mut values: Vec<String> = lines[line].split(',').map(str::to_owned).collect();
        let value = &mut values[column];
        *value = match value.parse::<i64>() {
            Ok(number) => (number + 1).to_string(),
            Err(_) => match value.as_str() {
                "red" => "blue".into(),
                "blue" | "draw" => "red".into(),
                "none" => "vertical".into(),
                "horizontal" | "vertical" => "none".into(),
                "limit" => "coexistence".into(),
                "coexistence" | "elimination" | "extinction" => "limit".into(),
                "" => "1".into(),
                other => format!("{other}0"),
            },
        };
        let mut changed: Vec<String> = lines.iter().map(|&line| line.to_owned()).collect();
        changed[line] = values.join(",");
        let changed = changed.join("\n") + "\n";
        fs::write(&output, &changed).unwrap();
        let refused = duolife(&small(&output, &[]));
        let said = text(&refused.stderr);
        assert_eq!(refused.status.code(), Some(2), "{name}: {said}");
        assert!(
            said.contains(&format!("a.csv, line {}: ", line + 1)),
            "{name}: {said}"
        );
        assert_eq!(fs::read_to_string(&output).unwrap(), changed, "{name}");
    }
    // A game that the tournament does not have.
    let last = lines[lines.len() - 1];
    let number = format!(",{},", lines.len() - 1);
    let more = last.replacen(&number, &format!(",{},", lines.len()), 1);
    fs::write(&output, format!("{written}{more}\n")).unwrap();
    let said = refusal(&small(&output, &[]));
    assert!(said.contains("the tournament has 12 games"), "{said}");
    fs::write(&output, &written).unwrap();
    stdout(&small(&output, &["--resume"]));
    assert_eq!(fs::read_to_string(&output).unwrap(), written);
}
