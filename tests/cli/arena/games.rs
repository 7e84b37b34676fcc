//! Games of a tournament, whatever computes them.

use super::*;

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
