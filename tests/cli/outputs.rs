//! Where outputs go: links, pipes, protected files, and files that would destroy each other.

use std::fs;
use std::path::Path;

use crate::support::program::{Place, command, duolife, refusal, stdout, text};

/// A short run, with these options.
fn run<'a>(options: &[&'a str]) -> Vec<&'a str> {
    let common = [
        "run",
        "--size",
        "30x20",
        "--generations",
        "5",
        "--engine",
        "cpu",
        "--quiet",
    ];
    [&common[..], options].concat()
}

/// Every option of a run that names one file, and a name for it.
const OPTIONS: [(&str, &str); 5] = [
    ("--output", "a.rle"),
    ("--census", "a.csv"),
    ("--gif", "a.gif"),
    ("--apng", "a.png"),
    ("--y4m", "a.y4m"),
];

#[test]
fn two_outputs_to_one_file_are_refused() {
    let place = Place::new();
    fs::create_dir(place.path("folder")).unwrap();
    let file = place.name("a.png");
    let other = format!("{}/folder/../a.png", place.folder().display());
    for (index, (first, _)) in OPTIONS.into_iter().enumerate() {
        for (second, _) in &OPTIONS[index + 1..] {
            for other in [&file, &other] {
                let said = refusal(&run(&[first, &file, second, other]));
                assert!(said.contains("a.png"), "{said}");
                assert!(said.contains(first) && said.contains(second), "{said}");
            }
            let said = refusal(&run(&[first, "-", second, "-"]));
            assert!(said.contains("cannot share standard output"), "{said}");
        }
    }
    assert!(!fs::exists(&file).unwrap());
    // A frame is a file, too.
    let (folder, frame) = (place.name("folder"), place.name("folder/frame-000002.png"));
    let said = refusal(&run(&["--frames", &folder, "--output", &frame]));
    assert!(said.contains("a frame of --frames"), "{said}");
    // Devices take any number of outputs.
    #[cfg(unix)]
    stdout(&run(&["--gif", "/dev/null", "--y4m", "/dev/null"]));
}

#[cfg(unix)]
#[test]
fn two_names_of_one_file_are_one_file() {
    let place = Place::new();
    let file = place.file("a.rle", "old");
    let hard = place.name("hard.csv");
    fs::hard_link(&file, &hard).unwrap();
    let said = refusal(&run(&["--output", &file, "--census", &hard]));
    assert!(said.contains("--output and --census"), "{said}");
    let link = place.name("link.csv");
    std::os::unix::fs::symlink("new.rle", &link).unwrap();
    let said = refusal(&run(&[
        "--output",
        &place.name("new.rle"),
        "--census",
        &link,
    ]));
    assert!(said.contains("--output and --census"), "{said}");
    assert_eq!(fs::read(&file).unwrap(), b"old");
}

#[test]
fn an_input_is_not_overwritten() {
    let place = Place::new();
    let content = "x = 3, y = 1, rule = B3/S23\n3o!\n";
    let file = place.file("a.rle", content);
    let other = place.file("b.rle", content);
    for (option, _) in OPTIONS.into_iter().skip(1) {
        let said = refusal(&["run", &file, option, &file]);
        assert!(said.contains(option) && said.contains("a.rle"), "{said}");
    }
    for (option, _) in OPTIONS {
        let said = refusal(&["run", "--red", &file, "--blue", &other, option, &other]);
        assert!(said.contains("--blue") && said.contains("b.rle"), "{said}");
    }
    let tournament = |options: &[&str]| refusal(&[&["tournament"], options].concat());
    let seeds = place.folder().to_str().unwrap();
    let replay = ["--replay", "1", "--save-start", &other];
    for options in [&[file.as_str(), &other][..], &[seeds]] {
        let said = tournament(&[options, &replay].concat());
        assert!(
            said.contains("--save-start") && said.contains("SEEDS"),
            "{said}"
        );
    }
    let list = place.file("games.tsv", "red\tblue\na.rle\tb.rle\n");
    for output in [&other, &list] {
        let said = tournament(&["--list", &list, "--replay", "1", "--gif", output]);
        assert!(said.contains("--gif would overwrite"), "{said}");
    }
    for path in [&file, &other] {
        assert_eq!(fs::read_to_string(path).unwrap(), content);
    }
    let script = place.file("script.txt", "step 1\nsave script.txt\n");
    let output = command(&[
        "play",
        "battle",
        "--terminal",
        "--engine",
        "cpu",
        "--size",
        "9x9",
    ])
    .args(["--script", "script.txt"])
    .current_dir(place.folder())
    .output()
    .unwrap();
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(
        text(&output.stderr).contains("a file that is read (--script)"),
        "{output:?}"
    );
    assert!(fs::read_to_string(script).unwrap().starts_with("step"));
    // A board may go on in its own file.
    stdout(&[
        "run",
        &file,
        "--generations",
        "1",
        "--engine",
        "cpu",
        "--quiet",
        "--output",
        &file,
    ]);
    assert!(fs::read_to_string(&file).unwrap().contains("Gen=1"));
}

#[cfg(unix)]
#[test]
fn one_output_that_fails_costs_no_other() {
    if !Path::new("/dev/full").exists() {
        return;
    }
    let place = Place::new();
    for (failing, _) in OPTIONS {
        let mut options = vec![failing, "/dev/full", "--json"];
        if failing == "--output" {
            options.extend(["--to", "rle"]);
        }
        let names: Vec<String> = OPTIONS
            .iter()
            .map(|(_, name)| place.name(&format!("{failing}-{name}")))
            .collect();
        let frames = place.name(&format!("{failing}-frames"));
        options.extend(["--frames", &frames]);
        for ((option, _), name) in OPTIONS.iter().zip(&names) {
            if *option != failing {
                options.extend([option, name.as_str()]);
            }
        }
        let output = duolife(&run(&options));
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        let said = text(&output.stderr);
        assert_eq!(said.lines().count(), 1, "{said}");
        assert!(said.contains("/dev/full: cannot be written: "), "{said}");
        assert!(
            text(&output.stdout).contains("\"generation\":5"),
            "{output:?}"
        );
        let written = names.iter().filter(|name| Path::new(name).exists());
        assert_eq!(written.count(), 4, "{failing}");
        assert_eq!(fs::read_dir(&frames).unwrap().count(), 6, "{failing}");
    }
    // Nor does standard output.
    let census = place.name("last.csv");
    let full = fs::File::options().write(true).open("/dev/full").unwrap();
    let output = command(&run(&["--json", "--census", &census]))
        .stdout(full)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(fs::exists(census).unwrap());
}

#[cfg(unix)]
#[test]
fn full_standard_output_is_named() {
    if !Path::new("/dev/full").exists() {
        return;
    }
    let place = Place::new();
    let script = place.file("s.txt", "quit\n");
    let board = place.file("b.txt", "1 3\n1.2\n");
    for arguments in [
        &["help"][..],
        &["help", "run"],
        &["run", "--help"],
        &["--version"],
        &["duel", &board],
        &["run", "--size", "9x9", "--engine", "cpu", "--json"],
        &["immigration", "--red", "random", "--blue", "random"],
        &["play", "fragment", "--terminal", "--script", &script],
        &[
            "play",
            "battle",
            "--terminal",
            "--engine",
            "cpu",
            "--script",
            &script,
        ],
        &["tournament", "--random-seeds", "2", "--engine", "cpu"],
        &["convert", &board, "-"],
        &["rule-file", "B3/S23", "--output", "-"],
    ] {
        let full = fs::File::options().write(true).open("/dev/full").unwrap();
        let output = command(arguments).stdout(full).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let said = text(&output.stderr);
        let named = "duolife: standard output: cannot be written: No space left";
        assert!(said.contains(named), "{arguments:?}: {said}");
    }
}

#[test]
fn every_film_but_a_folder_goes_to_standard_output() {
    let place = Place::new();
    for (option, name) in &OPTIONS[2..] {
        let file = place.name(name);
        stdout(&run(&[option, &file]));
        let piped = duolife(&run(&[option, "-"]));
        assert!(piped.status.success(), "{piped:?}");
        assert!(piped.stdout == fs::read(&file).unwrap(), "{option}");
    }
    let said = refusal(&run(&["--frames", "-"]));
    assert!(said.contains("name a folder"), "{said}");
    assert!(!fs::exists("-").unwrap());
    // The report is then on standard error.
    let shown = duolife(&[
        "run",
        "--size",
        "9x9",
        "--generations",
        "3",
        "--engine",
        "cpu",
        "--gif",
        "-",
    ]);
    assert!(shown.stdout.starts_with(b"GIF89a"), "{shown:?}");
    assert!(text(&shown.stderr).contains("generation 3"), "{shown:?}");
    let start = stdout(&[
        "tournament",
        "--random-seeds",
        "2",
        "--engine",
        "cpu",
        "--quiet",
        "--replay",
        "1",
        "--save-start",
        "-",
    ]);
    assert!(start.contains("rule = Immigration"), "{start}");
}

/// What only systems of the Unix family have.
#[cfg(unix)]
mod unix {
    use std::fs::{self, File};
    use std::io::Read;
    use std::os::unix::fs::{PermissionsExt, symlink};
    use std::path::PathBuf;
    use std::process::{Child, Command, Stdio};
    use std::thread::{self, JoinHandle};
    use std::time::Duration;

    use super::{OPTIONS, run};
    use crate::support::program::{Place, command, duolife, ended, refusal, stdout, text};

    fn pipe(place: &Place, name: &str) -> String {
        let name = place.name(name);
        assert!(
            Command::new("mkfifo")
                .arg(&name)
                .status()
                .unwrap()
                .success()
        );
        name
    }

    /// What a reader gets from a pipe up to the first end.
    fn reader(pipe: &str) -> JoinHandle<Vec<u8>> {
        let pipe = PathBuf::from(pipe);
        thread::spawn(move || {
            let mut bytes = Vec::new();
            File::open(pipe).unwrap().read_to_end(&mut bytes).unwrap();
            bytes
        })
    }

    fn signal(child: &Child, name: &str) {
        let kill = Command::new("kill")
            .args([name, &child.id().to_string()])
            .status();
        assert!(kill.unwrap().success());
    }

    fn spawn(arguments: &[&str]) -> Child {
        command(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    }

    #[test]
    fn a_pipe_gets_what_a_file_gets() {
        let place = Place::new();
        for (option, name) in OPTIONS {
            let (file, pipe) = (place.name(name), pipe(&place, &format!("pipe{option}")));
            let to = match option {
                "--output" => &["--to", "rle"][..],
                _ => &[],
            };
            stdout(&run(&[&[option, &file], to].concat()));
            let reader = reader(&pipe);
            let output = ended(60, spawn(&run(&[&[option, &pipe], to].concat())));
            assert_eq!(output.status.code(), Some(0), "{option}: {output:?}");
            assert!(
                reader.join().unwrap() == fs::read(&file).unwrap(),
                "{option}"
            );
        }
        let (file, pipe) = (place.name("games.csv"), pipe(&place, "pipe.csv"));
        let tournament = |output: &str| {
            let words = [
                "tournament",
                "--random-seeds",
                "3",
                "--engine",
                "cpu",
                "--quiet",
                "--output",
                output,
            ];
            ended(60, spawn(&words))
        };
        assert!(tournament(&file).status.success());
        let reader = reader(&pipe);
        assert!(tournament(&pipe).status.success());
        assert!(reader.join().unwrap() == fs::read(&file).unwrap());
    }

    /// An APNG says first how many frames it has, which is known last.
    #[test]
    fn an_apng_of_a_battle_that_ends_early_goes_through_a_pipe() {
        let place = Place::new();
        let (file, pipe) = (place.name("a.png"), pipe(&place, "pipe"));
        let battle = |film: &str| {
            ended(
                60,
                spawn(&[
                    "run",
                    "--size",
                    "16x8",
                    "--seed",
                    "2",
                    "--until-end",
                    "--limit",
                    "3000",
                    "--engine",
                    "cpu",
                    "--quiet",
                    "--apng",
                    film,
                ]),
            )
        };
        assert!(battle(&file).status.success());
        let reader = reader(&pipe);
        let output = battle(&pipe);
        assert!(output.status.success(), "{output:?}");
        assert!(reader.join().unwrap() == fs::read(&file).unwrap());
    }

    #[test]
    fn nobody_waits_for_a_reader_for_ever() {
        let place = Place::new();
        let board = place.file("a.txt", "1 1\n1\n");
        let pipe = pipe(&place, "pipe");
        for (arguments, status) in [
            (run(&["--output", &pipe, "--to", "grid"]), Some(0)),
            (run(&["--census", &pipe]), Some(0)),
            // Not a part of a conversion is done.
            (vec!["convert", &board, &pipe, "--to", "rle"], Some(143)),
        ] {
            let child = spawn(&arguments);
            thread::sleep(Duration::from_millis(1500));
            signal(&child, "-TERM");
            let output = ended(60, child);
            let code = output.status.code();
            assert!(code == status || code == Some(143), "{output:?}");
        }
        // A reader that does not read.
        let both = File::options().read(true).write(true).open(&pipe).unwrap();
        let child = spawn(&[
            "run",
            "--size",
            "300x300",
            "--generations",
            "99999999",
            "--engine",
            "cpu",
            "--quiet",
            "--y4m",
            &pipe,
        ]);
        thread::sleep(Duration::from_millis(1500));
        signal(&child, "-TERM");
        assert_eq!(ended(60, child).status.code(), Some(143));
        drop(both);
    }

    #[test]
    fn a_link_to_a_file_that_is_not_there_yet_is_followed() {
        let place = Place::new();
        fs::create_dir(place.path("real")).unwrap();
        let board = place.file("board.txt", "1 1\n1\n");
        let linked = |name: &str| {
            let link = place.name(name);
            symlink(format!("real/{name}"), &link).unwrap();
            link
        };
        for (option, name) in OPTIONS {
            let link = linked(name);
            stdout(&run(&[option, &link]));
            assert!(fs::symlink_metadata(&link).unwrap().is_symlink(), "{name}");
            assert!(place.path("real").join(name).metadata().unwrap().is_file());
        }
        // Through two links, and one that is absolute.
        let second = place.name("second.rle");
        symlink(place.path("real/third.rle"), place.path("first.rle")).unwrap();
        symlink("first.rle", &second).unwrap();
        stdout(&["convert", &board, &second]);
        assert!(place.path("real/third.rle").is_file());
        let results = linked("games.csv");
        stdout(&[
            "tournament",
            "--random-seeds",
            "2",
            "--engine",
            "cpu",
            "--quiet",
            "--output",
            &results,
        ]);
        assert!(place.path("real/games.csv").is_file());
        let frames = linked("frames");
        stdout(&run(&["--frames", &frames]));
        assert!(place.path("real/frames/frame-000005.png").is_file());
        let circle = place.name("circle.rle");
        symlink("circle.rle", &circle).unwrap();
        assert!(refusal(&["convert", &board, &circle]).contains("circle.rle"));
    }

    #[test]
    fn a_file_without_write_permission_is_kept() {
        let place = Place::new();
        let board = place.file("board.txt", "1 1\n1\n");
        for name in [
            "a.rle",
            "a.csv",
            "a.gif",
            "a.png",
            "a.y4m",
            "a.svg",
            "a.parquet",
            "a.rule",
            "a.json",
        ] {
            let path = place.file(name, "precious");
            fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).unwrap();
        }
        let at = |name: &str| place.name(name);
        let tournament = [
            "tournament",
            "--random-seeds",
            "2",
            "--engine",
            "cpu",
            "--quiet",
        ];
        let mut commands: Vec<Vec<String>> = OPTIONS
            .iter()
            .map(|(option, name)| {
                run(&[option, &at(name)])
                    .iter()
                    .map(|&word| word.to_owned())
                    .collect()
            })
            .collect();
        for words in [
            &["convert", &board, &at("a.rle")][..],
            &["rule-file", "B3/S23", "--output", &at("a.rule")],
            &[&tournament[..], &["--output", &at("a.csv")]].concat(),
            &[&tournament[..], &["--output", &at("a.csv"), "--overwrite"]].concat(),
            &[&tournament[..], &["--plot", &at("a.svg")]].concat(),
            &[
                &tournament[..],
                &["--output", &at("b.csv"), "--parquet", &at("a.parquet")],
            ]
            .concat(),
            &[
                &tournament[..],
                &["--replay", "1", "--save-start", &at("a.rle")],
            ]
            .concat(),
        ] {
            commands.push(words.iter().map(|&word| word.to_owned()).collect());
        }
        for words in &commands {
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            let output = duolife(&words);
            let said = text(&output.stderr);
            assert_eq!(output.status.code(), Some(2), "{words:?}: {said}");
            let is_absent = said.contains("without the feature") || said.contains("this build");
            assert!(
                is_absent || said.contains("write-protected"),
                "{words:?}: {said}"
            );
        }
        for entry in fs::read_dir(place.folder()).unwrap() {
            let path = entry.unwrap().path();
            if path.file_stem().unwrap() == "a" {
                assert_eq!(fs::read(&path).unwrap(), b"precious", "{path:?}");
            }
        }
    }

    /// Another file is mounted on the output: nothing can take its name.
    #[test]
    fn a_mounted_file_is_written_in_place() {
        let place = Place::new();
        let (mounted, source) = (
            place.file("a.csv", "old"),
            place.file("source", "a longer old content"),
        );
        let program = assert_cmd::cargo::cargo_bin!("duolife");
        let script = format!(
            "mount --bind {source} {mounted} && {} {} --census {mounted} || exit $?; test \"$(head -c 10 {mounted})\" = generation",
            program.display(),
            run(&[]).join(" "),
        );
        let unshare = Command::new("unshare").args(["-rm", "true"]).status();
        if !unshare.is_ok_and(|status| status.success()) {
            // This system lets nobody mount.
            return;
        }
        let output = Command::new("unshare")
            .args(["-rm", "sh", "-c", &script])
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        assert!(
            fs::read_to_string(&source).unwrap().ends_with('\n'),
            "nothing old is left"
        );
        assert_eq!(fs::read_dir(place.folder()).unwrap().count(), 2);
    }
}
