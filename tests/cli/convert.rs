use std::fs;
use std::io::Read;
use std::process::Stdio;

use crate::support::program::{Place, command, duolife, refusal, stdout, text};

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
fn a_pattern_is_placed_turned_and_flipped() {
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
fn a_position_without_meaning_is_left_out_with_a_note() {
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
