use std::fs;
use std::path::{Path, PathBuf};

/// All Rust files below a folder.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found
}

/// The lines of a file that are code, with their numbers.
fn code(path: &Path) -> Vec<(usize, String)> {
    fs::read_to_string(path)
        .unwrap()
        .lines()
        .map(str::trim)
        .enumerate()
        .filter(|(_, line)| !line.starts_with("//"))
        .map(|(number, line)| (number + 1, line.to_owned()))
        .collect()
}

/// Fails if code under `room` (a file or folder of src) mentions one of `words`, except in the
/// rooms `but`.
fn forbids(room: &str, words: &[&str], but: &[&str]) {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let place = src.join(room);
    let files = if place.is_dir() {
        sources(&place)
    } else {
        vec![place.with_extension("rs")]
    };
    assert!(!files.is_empty(), "{room} has no files");
    for file in files {
        let name = file
            .strip_prefix(&src)
            .unwrap()
            .to_string_lossy()
            .replace('\\', "/");
        if but.iter().any(|room| name.starts_with(room)) {
            continue;
        }
        for (number, line) in code(&file) {
            for word in words {
                assert!(
                    !line.contains(word),
                    "src/{name}:{number} mentions {word}: {line}"
                );
            }
        }
    }
}

const UP_FROM_BOARD: &[&str] = &[
    "crate::engine",
    "crate::game",
    "crate::format",
    "crate::render",
    "crate::cli",
    "crate::app",
];

#[test]
fn board_and_rules_know_nothing_above_them() {
    for room in ["board", "rules"] {
        forbids(room, UP_FROM_BOARD, &[]);
        forbids(room, &["std::fs", "Instant", "SystemTime", "wgpu"], &[]);
    }
    forbids("board", &["crate::rules"], &[]);
}

#[test]
fn formats_and_pictures_know_no_engine_and_no_face() {
    for room in ["format", "render"] {
        forbids(
            room,
            &[
                "crate::engine",
                "crate::game",
                "crate::cli",
                "wgpu::",
                "Instant",
            ],
            // It draws from the buffers of an engine.
            &["render/renderer.rs", "render/renderer/"],
        );
    }
}

#[test]
fn pictures_know_no_files() {
    forbids("render", &["crate::format", "std::fs"], &[]);
}

#[test]
fn engines_know_no_game_and_no_file() {
    forbids(
        "engine",
        &[
            "crate::game",
            "crate::format",
            "crate::render",
            "crate::cli",
            "std::fs",
        ],
        &[],
    );
}

#[test]
fn games_know_no_face_no_file_and_no_device() {
    forbids(
        "game",
        &[
            "crate::cli",
            "crate::engine::gpu",
            "crate::render",
            "std::fs",
            "std::io",
            "Instant",
            "SystemTime",
            "wgpu",
        ],
        &[],
    );
}

#[test]
fn faces_do_not_know_each_other_and_nothing_below_knows_them() {
    forbids("cli", &["crate::app"], &[]);
    forbids("app", &["crate::cli"], &[]);
    for room in ["engine", "format", "render", "game", "arena"] {
        forbids(room, &["crate::app"], &[]);
    }
}

/// The window must be able to run in a browser.
#[test]
fn only_the_desktops_part_of_the_window_uses_what_a_browser_forbids() {
    let forbidden = [
        "std::fs",
        "std::thread",
        "std::time::Instant",
        "std::env",
        "directories",
    ];
    forbids("app", &forbidden, &["app/native.rs"]);
}

#[test]
fn the_arena_knows_no_face_and_no_file() {
    forbids(
        "arena",
        &[
            "crate::cli",
            "crate::format",
            "std::fs",
            "std::io",
            "wgpu",
            "Instant",
        ],
        &[],
    );
    for room in ["engine", "game"] {
        forbids(room, &["crate::arena"], &[]);
    }
}

#[test]
fn libraries_stay_in_their_rooms() {
    forbids(
        "",
        &["wgpu::"],
        &[
            "engine/gpu/",
            "render/renderer.rs",
            "render/renderer/",
            "app/",
        ],
    );
    forbids("", &["egui", "eframe", "winit"], &["app/"]);
    forbids(
        "",
        &[
            "clap::",
            "indicatif::",
            "sysinfo::",
            "crossterm::",
            "anstyle::",
        ],
        &["cli/"],
    );
    forbids("", &["directories::"], &["store/", "app/native.rs"]);
    forbids("", &["csv::"], &["arena/results.rs"]);
    forbids("", &["libm::"], &["arena/"]);
    forbids("", &["anyhow::"], &["cli/", "main.rs"]);
}

#[test]
fn the_search_itself_can_fail() {
    let caught = std::panic::catch_unwind(|| forbids("engine/gpu", &["wgpu::"], &[]));
    assert!(caught.is_err());
}
