use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::support::program::{Place, duolife, interrupted, refusal, stdout, text};

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
        [
            "frame-000000.png",
            "frame-000001.png",
            "frame-000002.png",
            "frame-000003.png"
        ]
    );
    assert_eq!(picture_size(&Path::new(&frames).join(&names[2])), (150, 90));
    // Frames of two runs must not mix, whichever of them are there.
    for left in [&names[..], &names[1..], &names[3..]] {
        for entry in fs::read_dir(&frames).unwrap() {
            let entry = entry.unwrap();
            if !left.contains(&entry.file_name().into_string().unwrap()) {
                fs::remove_file(entry.path()).unwrap();
            }
        }
        assert!(refusal(&arguments).contains("holds frames already"));
        assert_eq!(fs::read_dir(&frames).unwrap().count(), left.len());
    }
    // Other files do not matter.
    fs::rename(
        Path::new(&frames).join(&names[3]),
        Path::new(&frames).join("frame-last.png"),
    )
    .unwrap();
    stdout(&arguments);
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
        .contains("50 frames per second")
    );
    assert!(refusal(&["run", "--gif", &gif, "--fps", "never"]).contains("--fps"));
}

/// The frames an animated PNG announces, all of which must be there.
pub(super) fn apng_frames(path: &Path) -> u32 {
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
        fs::read_dir(place.folder()).unwrap().count(),
        2,
        "no temporary file is left"
    );
}

/// A full disk is reported as such, also by an interrupted run.
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

/// Red reaches the target at generation 16.
const MAZE: &str = "duolife populations 1
size 14x5
edges dead

 .  .  .  .  .  .  .  #  .  .  .  .  .  .
 .  . +1 +1 +1  .  .  #  .  .  .  .  .  .
 .  . +1 +1  .  .  .  .  .  .  .  .  x  .
 .  . +1 +1 +1  .  .  #  .  .  .  .  .  .
 . -1  .  .  .  .  .  #  .  .  .  .  .  .
";

/// A frame of the last generation is in every kind of film, whatever ends the run.
#[test]
fn the_last_generation_is_filmed() {
    let place = Place::new();
    let filmed = |name: &str, options: &[&str]| {
        let (frames, apng) = (place.name(name), place.name(&format!("{name}.png")));
        let last = place.name(&format!("{name}-last.png"));
        let words = [
            &[
                "run", "--engine", "cpu", "--quiet", "--frames", &frames, "--apng", &apng,
            ][..],
            &["--output", &last],
            options,
        ];
        stdout(&words.concat());
        let count = fs::read_dir(&frames).unwrap().count();
        assert_eq!(apng_frames(Path::new(&apng)) as usize, count, "{name}");
        let shown = Path::new(&frames).join(format!("frame-{:06}.png", count - 1));
        assert!(
            fs::read(shown).unwrap() == fs::read(last).unwrap(),
            "{name}"
        );
        count
    };
    let size = ["--size", "20x10", "--seed", "1", "--generations"];
    for (generations, every, expected) in
        [("7", "3", 4), ("6", "3", 3), ("0", "3", 1), ("2", "99", 2)]
    {
        let options = [&size[..], &[generations, "--every", every]].concat();
        let name = format!("run-{generations}-{every}");
        assert_eq!(filmed(&name, &options), expected);
    }
    let battle = [
        "--size",
        "60x40",
        "--seed",
        "3",
        "--until-end",
        "--every",
        "50",
    ];
    assert_eq!(filmed("battle", &battle), 8);
    let maze = place.file("maze.rez", MAZE);
    assert_eq!(filmed("target", &[&maze, "--every", "7"]), 4);
    // One game of a tournament, too.
    let frames = place.name("game");
    stdout(&[
        "tournament",
        "--random-seeds",
        "2",
        "--limit",
        "7",
        "--engine",
        "cpu",
        "--quiet",
        "--replay",
        "1",
        "--every",
        "3",
        "--frames",
        &frames,
    ]);
    assert_eq!(fs::read_dir(&frames).unwrap().count(), 4);
}
