use glam::uvec2;
use std::fs;

use duolife::board::rezolution::{Ground, RezolutionCell};
use duolife::board::{Edges, RezolutionBoard};
use duolife::format::Limits;
use duolife::format::rezolution::{RezolutionDocument, encode, parse};

use crate::support::boards::{BARRIER, TARGET, size};
use crate::support::program::{Place, engines, json, refusal, stdout};

/// A wall of barriers with a gap, red on its left, and a target behind it.
const MAZE: &str = "duolife populations 1
size 24x12
edges dead

 .  .  .  .  .  .  .  .  .  .  .  .  .  .  #  .  .  .  .  .  .  .  .  .
 .  .  .  .  .  .  .  .  .  .  .  .  .  .  #  .  .  .  .  .  .  .  .  .
 .  .  .  . -1 -1 -1  .  .  .  .  .  .  .  #  .  .  .  .  .  .  .  .  .
 .  .  .  .  . -1  .  .  .  .  .  .  .  .  #  .  .  .  .  .  .  .  .  .
 .  .  .  .  .  .  .  .  .  .  .  .  .  .  #  .  .  .  .  .  .  .  .  .
 .  .  .  . +1 +1 +1  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .
 .  .  .  . +1 +1  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  x  .  .
 .  .  .  . +1 +1 +1  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .
 .  .  .  .  .  .  .  .  .  .  .  .  .  .  #  .  .  .  .  .  .  .  .  .
 .  .  .  .  .  .  .  .  .  .  .  .  .  .  #  .  .  .  .  .  .  .  .  .
 .  .  .  .  .  .  .  .  .  .  .  .  .  .  #  .  .  .  .  .  .  .  .  .
 .  .  .  .  .  .  .  .  .  .  .  .  .  .  #  .  .  .  .  .  .  .  .  .
";

#[test]
fn the_program_stops_when_a_target_behind_a_wall_is_reached() {
    let place = Place::new();
    let maze = place.file("maze.unknown", MAZE);
    let mut digests = Vec::new();
    for engine in engines() {
        let (out, counts) = (place.name("end.rez"), place.name("counts.csv"));
        let report = json(&[
            "run",
            &maze,
            "--generations",
            "500",
            "--engine",
            engine,
            "--json",
            "--digest",
            "--output",
            &out,
            "--census",
            &counts,
        ]);
        assert_eq!(report["rule"], "rezolution");
        assert_eq!(report["edges"], "dead");
        assert_eq!(report["generation"], 25, "{engine}");
        assert_eq!(report["target_reached"], true);
        assert_eq!(report["targets_reached"], 1);
        assert_eq!(report["interrupted"], false);
        assert_eq!(report["status"], "target reached, both are left");
        digests.push(report["digest"].clone());
        let lines = fs::read_to_string(&counts).unwrap();
        let lines: Vec<&str> = lines.lines().collect();
        assert_eq!(
            lines[0],
            "generation,red,blue,red_population,blue_population"
        );
        assert_eq!(lines[1], "0,8,4,8,4");
        assert_eq!(lines.len(), 27, "{engine}");
        let last = format!(
            "25,{},{},{},{}",
            report["red"], report["blue"], report["red_population"], report["blue_population"]
        );
        assert_eq!(lines[26], last);
        // What is saved is read back, and has nothing left to do.
        let saved = fs::read_to_string(&out).unwrap();
        assert!(
            saved.contains("generation 25\n") && saved.contains("x+1"),
            "{saved}"
        );
        let again = json(&["run", &out, "--engine", engine, "--json", "--digest"]);
        assert_eq!(again["generation"], 25);
        assert_eq!(again["digest"], report["digest"]);
        assert_eq!(again["unchanged"], serde_json::Value::Null);
    }
    assert!(digests.iter().all(|digest| *digest == digests[0]));
    let said = stdout(&["run", &maze, "--generations", "30", "--engine", "cpu"]);
    assert!(
        said.starts_with("rezolution, dead, 24x12, generation 25: 79 red cells of 154, 30 blue cells of 78, 1 target populated (target reached, both are left)\n"),
        "{said}"
    );
}

#[test]
fn engines_agree_on_a_demo_and_its_status() {
    let mut digests = Vec::new();
    for engine in engines() {
        let report = json(&[
            "run",
            "--rule",
            "reZolution",
            "--start",
            "demo",
            "--size",
            "90x70",
            "--seed",
            "3",
            "--generations",
            "150",
            "--engine",
            engine,
            "--json",
            "--digest",
        ]);
        assert_eq!(
            (&report["width"], &report["height"]),
            (&90.into(), &70.into())
        );
        assert_eq!(report["generation"], 150);
        assert_eq!(report["unchanged"], false, "{engine}");
        assert_eq!(report["outcome"], "undecided");
        assert!(report["red_population"].as_u64() > report["red"].as_u64());
        digests.push(report["digest"].clone());
    }
    assert!(digests.iter().all(|digest| *digest == digests[0]));

    let place = Place::new();
    let status = |rows: &str, generations: &str| {
        let width = rows.lines().next().unwrap().split_whitespace().count();
        let height = rows.lines().count();
        let text = format!("duolife populations 1\nsize {width}x{height}\n{rows}");
        let file = place.file("status.rez", &text);
        let report = json(&[
            "run",
            &file,
            "--generations",
            generations,
            "--json",
            "--engine",
            "cpu",
        ]);
        report["status"].as_str().unwrap().to_owned()
    };
    // A block of four lives on, a lone cell dies.
    assert_eq!(status("+1 +1\n+1 +1", "5"), "blue is gone, nothing changed");
    assert_eq!(status("-1 -1\n-1 -1", "0"), "red is gone");
    assert_eq!(status("+1", "1"), "all is empty");
    assert_eq!(status("+1", "2"), "all is empty, nothing changed");
    assert_eq!(
        status("+1 +1 . -1 -1\n+1 +1 . -1 -1", "9"),
        "both are left, nothing changed"
    );
    assert_eq!(status("x+2", "9"), "target reached, blue is gone");
}

/// Wide enough for passes of several generations that are counted, and that end in their middle.
#[test]
fn the_program_counts_every_generation_of_a_pass() {
    let place = Place::new();
    let mut board = RezolutionBoard::new(size(150, 140)).unwrap();
    for y in 0..140 {
        for x in 0..150 {
            let population = [2, -1, 0, 1, -2, 0, 1][(x * x + 3 * y * y + x * y) as usize % 7];
            match (x, y) {
                (0..60, 20..90) => board.set(uvec2(x, y), RezolutionCell::open(population)),
                (80, 0..100) => board.set(uvec2(x, y), BARRIER),
                (120, 64) => board.set(uvec2(x, y), TARGET),
                _ => {}
            }
        }
    }
    let document = RezolutionDocument {
        board: &board,
        edges: Some(Edges::Dead),
        generation: 0,
    };
    let mut text = Vec::new();
    encode(&document, &mut text).unwrap();
    let file = place.file("fight.rez", str::from_utf8(&text).unwrap());
    let run = |engine: &str, pass: &[&str]| {
        let counts = place.name("counts.csv");
        let arguments = [
            "run",
            &file,
            "--generations",
            "2000",
            "--engine",
            engine,
            "--json",
            "--digest",
            "--census",
            &counts,
        ];
        let report = json(&[&arguments[..], pass].concat());
        assert_eq!(report["target_reached"], true, "{engine} {pass:?}");
        let counted = fs::read_to_string(&counts).unwrap();
        (
            report["generation"].clone(),
            report["digest"].clone(),
            counted,
        )
    };
    let expected = run("reference", &[]);
    assert!(expected.0.as_u64() > Some(40), "{}", expected.0);
    for pass in ["1", "2", "5", "8"] {
        assert!(run("cpu", &["--pass", pass]) == expected, "{pass} per pass");
    }
}

#[test]
fn a_demo_keeps_the_barriers_and_targets_of_a_file() {
    let place = Place::new();
    let maze = place.file("maze.rez", MAZE);
    let out = place.name("out.txt");
    stdout(&[
        "run",
        &maze,
        "--start",
        "demo",
        "--seed",
        "4",
        "--generations",
        "0",
        "--output",
        &out,
        "--size",
        "40x20",
        "--edges",
        "torus",
        "--density",
        "0.4",
    ]);
    let pattern = parse(&fs::read(&out).unwrap(), &Limits::default()).unwrap();
    assert_eq!(pattern.edges, Some(Edges::Torus));
    assert_eq!(pattern.board.size(), size(40, 20));
    let spots = || (0..20).flat_map(|y| pattern.board.row(y).collect::<Vec<_>>());
    let count = |ground| spots().filter(|spot| spot.ground == ground).count();
    assert_eq!((count(Ground::Barrier), count(Ground::Target)), (9, 1));
    assert_eq!(pattern.board.cell(uvec2(8 + 14, 4)), BARRIER);
    let census = pattern.board.census();
    assert_eq!(census.reached, 0, "a target is not populated by the demo");
    assert!((80..240).contains(&(census.red + census.blue)), "{census}");
    assert_eq!(census.red, census.red_population);
}

#[test]
fn pictures_films_and_conversions() {
    let place = Place::new();
    let maze = place.file("maze.rez", MAZE);
    let (png, frames, gif) = (
        place.name("maze.png"),
        place.name("frames"),
        place.name("a.gif"),
    );
    stdout(&["convert", &maze, &png, "--scale", "4"]);
    let decoder = png::Decoder::new(std::io::Cursor::new(fs::read(&png).unwrap()));
    let mut reader = decoder.read_info().unwrap();
    let mut rgb = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut rgb).unwrap();
    assert_eq!((info.width, info.height), (96, 48));
    let pixel = |x: usize, y: usize| &rgb[3 * (y * 96 + x)..][..3];
    assert_eq!(pixel(4 * 14, 0), [0, 0, 0], "a barrier");
    assert_eq!(
        pixel(4 * 21, 4 * 6),
        [0xff, 0xe0, 0x4d],
        "the outline of a target"
    );
    assert_eq!(pixel(4 * 21 + 1, 4 * 6 + 1), pixel(0, 0), "its inside");
    assert!(pixel(4 * 4, 4 * 5)[0] > pixel(0, 0)[0] + 40, "red");

    let report = json(&[
        "run",
        &maze,
        "--generations",
        "60",
        "--every",
        "10",
        "--frames",
        &frames,
        "--gif",
        &gif,
        "--y4m",
        &place.name("a.y4m"),
        "--apng",
        &place.name("a.png"),
        "--image-size",
        "50x50",
        "--json",
        "--engine",
        "cpu",
    ]);
    // Generations 0, 10 and 20, and 25, at which the run ends.
    assert_eq!(report["frames"], 4);
    assert!(place.path("frames").join("frame-000003.png").is_file());
    assert!(fs::read(&gif).unwrap().starts_with(b"GIF89a"));

    let text = stdout(&["convert", &maze, "-", "--edges", "torus"]);
    assert!(text.contains("edges torus\n"), "{text}");
    let again = parse(text.as_bytes(), &Limits::default()).unwrap().board;
    assert_eq!(
        again,
        parse(MAZE.as_bytes(), &Limits::default()).unwrap().board
    );
}

#[test]
fn what_does_not_go_with_populations_is_refused_by_name() {
    let place = Place::new();
    let maze = place.file("maze.rez", MAZE);
    let rle = place.file("a.rle", "x = 3, y = 1\n3o!");
    let out = place.name("out.rez");
    let odd = place.file(
        "odd.rez",
        "duolife populations 1\nsize 3x2\n. . #\n. +128 .\n",
    );
    for (arguments, said) in [
        (
            &["duel", &maze][..],
            "maze.rez: this is a board of reZolution",
        ),
        (&["run", &maze, "--rule", "B3/S23"], "leave out --rule"),
        (
            &["run", &rle, "--rule", "rezolution"],
            "a.rle: this board has no populations",
        ),
        (
            &["run", "--red", &maze, "--blue", &rle],
            "maze.rez: this is a board of reZolution",
        ),
        (
            &["run", &maze, "--turn", "90"],
            "--turn does not go with rezolution",
        ),
        (
            &["run", &maze, "--ties", "red"],
            "--ties does not go with rezolution",
        ),
        (&["run", &maze, "--size", "10x10"], "choose a larger --size"),
        (&["run", "--start", "demo"], "add --rule rezolution"),
        (&["run", &rle, "--start", "random"], "leave one of them"),
        (&["run", &maze, "--density", "0.2"], "add --start demo"),
        (
            &["run", "--rule", "rezolution", "--start", "random"],
            "--start demo",
        ),
        (
            &["run", "--rule", "rezolution", "--size", "200000x200000"],
            "too large",
        ),
        (
            &["run", &maze, "--output", "end.rle"],
            "RLE files have no place for populations",
        ),
        (
            &["run", &rle, "--output", &out],
            "no populations; write RLE",
        ),
        (
            &["convert", &maze, "end.mc"],
            "macrocell files have no place for populations",
        ),
        (&["convert", &rle, &out], "no populations; write RLE"),
        (
            &["convert", &maze, &out, "--rule", "B3/S23"],
            "--rule does not go with",
        ),
        (&["rule-file", "rezolution"], "reZolution is no B/S rule"),
        (
            &["run", &odd],
            "odd.rez: line 4, column 4: expected a population from 1 to 127 after the sign, found '128'",
        ),
    ] {
        let message = refusal(arguments);
        assert!(message.contains(said), "{arguments:?}: {message}");
    }
    assert!(!place.path("out.rez").exists());
}
