use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The floors of the house, from the ground up. A room uses rooms of lower floors only; rooms of one
/// floor do not know each other.
const FLOORS: [&[&str]; 9] = [
    &["board"],
    &["rules"],
    &["engine"],
    &["render"],
    &["format"],
    &["game"],
    &["arena"],
    &["store"],
    &["app", "cli"],
];

/// Rooms, and what they must not know although it lies below them: words of their code, and the
/// files that are exceptions.
const IGNORANCE: &[(&str, &[&str], &[&str])] = &[
    ("board", &["std::fs", "Instant", "SystemTime", "wgpu"], &[]),
    ("rules", &["std::fs", "Instant", "SystemTime", "wgpu"], &[]),
    ("engine", &["std::fs"], &[]),
    // Only the renderer draws from the buffers of an engine.
    ("render", &["crate::engine", "wgpu::", "Instant"], RENDERER),
    ("render", &["std::fs"], &[]),
    ("format", &["crate::engine", "wgpu::", "Instant"], &[]),
    (
        "game",
        &[
            "crate::engine::gpu",
            "crate::render",
            "crate::format",
            "std::fs",
            "std::io",
            "Instant",
            "SystemTime",
            "wgpu",
        ],
        &[],
    ),
    (
        "arena",
        &[
            "crate::render",
            "crate::format",
            "std::fs",
            "std::io",
            "wgpu",
            "Instant",
        ],
        &[],
    ),
    // The window must be able to run in a browser.
    (
        "app",
        &[
            "std::fs",
            "std::thread",
            "std::time::Instant",
            "std::env",
            "directories",
        ],
        &["app/native.rs", "app/native/"],
    ),
];

const RENDERER: &[&str] = &["render/renderer.rs", "render/renderer/"];

/// Libraries, and the only files that use them.
const LIBRARIES: &[(&[&str], &[&str])] = &[
    (
        &["wgpu::"],
        &[
            "engine/gpu/",
            "render/renderer.rs",
            "render/renderer/",
            "app/",
        ],
    ),
    (&["egui", "eframe", "winit"], &["app/"]),
    (
        &[
            "clap::",
            "indicatif::",
            "sysinfo::",
            "crossterm::",
            "anstyle::",
        ],
        &["cli/"],
    ),
    (&["directories::"], &["store/", "app/native.rs"]),
    (&["csv::"], &["arena/results.rs"]),
    (&["libm::"], &["arena/"]),
    (&["anyhow::"], &["cli/", "main.rs"]),
];

/// A file of `src`: its name below `src`, and its code without comments.
struct Source {
    name: String,
    code: String,
}

impl Source {
    fn new(name: &str, text: &str) -> Self {
        let uncommented = text.lines().map(|line| {
            let is_comment = line.trim_start().starts_with("//");
            let line = if is_comment { "" } else { line };
            line.split(" // ").next().unwrap_or_default()
        });
        Self {
            name: name.to_owned(),
            code: uncommented.collect::<Vec<_>>().join("\n"),
        }
    }

    /// The room in which the file lies, if it lies in one.
    fn room(&self) -> Option<&str> {
        let (room, _) = self.name.split_once('/')?;
        Some(room)
    }

    /// The number of modules between the crate and the items of this file.
    fn depth(&self) -> usize {
        let stem = self
            .name
            .trim_end_matches("/mod.rs")
            .trim_end_matches(".rs");
        stem.split('/').count()
    }

    /// The rooms that the file names, with their line numbers: in `crate::room`, in
    /// `crate::{room, ...}`, and by a path of `super` that leads out of its own room.
    fn uses(&self) -> Vec<(usize, String)> {
        let mut found = Vec::new();
        for (at, _) in self.code.match_indices("crate::") {
            let is_word = self.code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
            if !is_word {
                for name in heads(&self.code[at + "crate::".len()..]) {
                    found.push((self.line(at), name));
                }
            }
        }
        for (at, _) in self.code.match_indices("super::") {
            if self.code[..at].ends_with("super::") {
                continue;
            }
            let path = &self.code[at..];
            let rest = path.trim_start_matches("super::");
            let steps = (path.len() - rest.len()) / "super::".len();
            // A module inside the file needs one step more; a name that is no room is none of ours.
            if steps >= self.depth() {
                let rooms = heads(rest).into_iter().filter(|name| floor(name).is_some());
                found.extend(rooms.map(|name| (self.line(at), name)));
            }
        }
        found
    }

    fn line(&self, at: usize) -> usize {
        self.code[..at].matches('\n').count() + 1
    }

    /// What breaks the order of the floors in this file.
    fn violations(&self) -> Vec<String> {
        let Some(room) = self.room() else {
            return Vec::new();
        };
        let Some(own) = floor(room) else {
            return vec![format!("src/{}: the room {room} is on no floor", self.name)];
        };
        let breaks = |(line, used): (usize, String)| {
            let complaint = match floor(&used) {
                _ if used == room => return None,
                Some(other) if other < own => return None,
                Some(_) => format!("{room} must not know {used}"),
                None => format!("{used} is on no floor"),
            };
            Some(format!("src/{}:{line}: {complaint}", self.name))
        };
        self.uses().into_iter().filter_map(breaks).collect()
    }

    /// The lines that mention one of `words`.
    fn mentions(&self, words: &[&str]) -> Vec<String> {
        let lines = (1..).zip(self.code.lines());
        let is_found = |line: &str| words.iter().any(|word| line.contains(word));
        lines
            .filter(|(_, line)| is_found(line))
            .map(|(number, line)| format!("src/{}:{number}: {}", self.name, line.trim()))
            .collect()
    }

    /// Whether the file is `place` or lies in it.
    fn is_in(&self, place: &str) -> bool {
        self.name == place || (place.ends_with('/') && self.name.starts_with(place))
    }
}

fn floor(room: &str) -> Option<usize> {
    FLOORS.iter().position(|rooms| rooms.contains(&room))
}

/// The first names of a path, or of each path in braces.
fn heads(path: &str) -> Vec<String> {
    let word = |text: &str| -> String {
        let text = text.trim_start();
        text.chars()
            .take_while(|&c| c.is_alphanumeric() || c == '_')
            .collect()
    };
    let Some(group) = path.trim_start().strip_prefix('{') else {
        return vec![word(path)];
    };
    let mut depth = 0;
    let mut names = vec![word(group)];
    for (at, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => names.push(word(&group[at + 1..])),
            _ => {}
        }
    }
    names.retain(|name| !name.is_empty());
    names
}

/// All files below `src`.
fn sources() -> Vec<Source> {
    fn collect(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                collect(&path, found);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                found.push(path);
            }
        }
    }
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut paths = Vec::new();
    collect(&src, &mut paths);
    paths.sort();
    let read = |path: &PathBuf| {
        let name = path.strip_prefix(&src).unwrap().to_string_lossy();
        Source::new(&name.replace('\\', "/"), &fs::read_to_string(path).unwrap())
    };
    paths.iter().map(read).collect()
}

#[test]
fn every_room_uses_lower_floors_only() {
    let sources = sources();
    let uses: usize = sources.iter().map(|source| source.uses().len()).sum();
    assert!(uses > 500, "only {uses} uses were found");
    for room in FLOORS.iter().copied().flatten() {
        let is_there = sources.iter().any(|source| source.room() == Some(room));
        assert!(is_there, "{room} has no files");
    }
    let violations: Vec<String> = sources.iter().flat_map(Source::violations).collect();
    assert!(violations.is_empty(), "{}", violations.join("\n"));
}

#[test]
fn rooms_do_not_know_what_they_need_not_know() {
    let sources = sources();
    for (room, words, exceptions) in IGNORANCE {
        let place = format!("{room}/");
        let files: Vec<&Source> = sources.iter().filter(|file| file.is_in(&place)).collect();
        assert!(!files.is_empty(), "{room} has no files");
        for exception in *exceptions {
            let is_there = files.iter().any(|file| file.is_in(exception));
            assert!(is_there, "there is no {exception}");
        }
        for file in files {
            if !exceptions.iter().any(|exception| file.is_in(exception)) {
                let found = file.mentions(words);
                assert!(found.is_empty(), "{}", found.join("\n"));
            }
        }
    }
}

#[test]
fn libraries_stay_in_their_rooms() {
    let sources = sources();
    for (words, places) in LIBRARIES {
        let (inside, outside): (Vec<&Source>, Vec<&Source>) = sources
            .iter()
            .partition(|file| places.iter().any(|place| file.is_in(place)));
        let used = inside.iter().any(|file| !file.mentions(words).is_empty());
        assert!(used, "nothing uses {words:?}");
        for file in outside {
            let found = file.mentions(words);
            assert!(found.is_empty(), "{}", found.join("\n"));
        }
    }
}

/// The modules of the GPU engine that a file of it uses, tests aside, by name and with its own module.
fn gpu_uses(source: &Source) -> Option<(String, Vec<String>)> {
    let path = source.name.strip_prefix("engine/gpu/")?;
    let own = path.split(['/', '.']).next()?.to_owned();
    let code = source.code.split("#[cfg(test)]").next()?;
    let up = "super::".repeat(source.depth() - 2);
    let mut uses = Vec::new();
    for prefix in ["crate::engine::gpu::", &up] {
        for (at, _) in code.match_indices(prefix) {
            if !code[..at].ends_with("super::") {
                uses.extend(heads(&code[at + prefix.len()..]));
            }
        }
    }
    uses.retain(|name| *name != own && name.starts_with(|c: char| c.is_lowercase()));
    Some((own, uses))
}

/// The modules that use each other in a circle, or use one that does.
fn in_circles(uses: &[(String, Vec<String>)]) -> BTreeSet<&str> {
    let mut left: BTreeSet<&str> = uses.iter().map(|(own, _)| own.as_str()).collect();
    loop {
        let still = |own: &str| {
            let mut all = uses.iter().filter(|(name, _)| name == own);
            all.any(|(_, uses)| uses.iter().any(|name| left.contains(name.as_str())))
        };
        let rest: BTreeSet<&str> = left.iter().copied().filter(|own| still(own)).collect();
        if rest.len() == left.len() {
            return rest;
        }
        left = rest;
    }
}

#[test]
fn modules_of_the_gpu_engine_use_each_other_one_way() {
    let sources = sources();
    let files = sources
        .iter()
        .filter(|source| !source.name.ends_with("gpu/mod.rs"));
    let mut uses: Vec<_> = files.filter_map(gpu_uses).collect();
    let count: usize = uses.iter().map(|(_, uses)| uses.len()).sum();
    assert!(count > 100, "only {count} uses were found");
    assert_eq!(in_circles(&uses), BTreeSet::new());
    let wrong = Source::new("engine/gpu/program.rs", "use super::engine::GpuEngine;");
    uses.extend(gpu_uses(&wrong));
    let found = in_circles(&uses);
    assert!(
        found.contains("program") && found.contains("engine"),
        "{found:?}"
    );
}

/// Each way to break the order is found, and nothing else.
#[test]
fn a_wrong_use_is_found() {
    let found = |name: &str, text: &str| Source::new(name, text).violations();
    for (name, text) in [
        ("board/mod.rs", "use crate::engine::Engine;"),
        ("board/start.rs", "let engine = crate::engine::cpu::new();"),
        ("rules/mod.rs", "use crate::{board::Size, game};"),
        (
            "rules/mod.rs",
            "use crate::{\n    board::{Size, Edges},\n    format::Format,\n};",
        ),
        ("game/mod.rs", "use super::app::keys;"),
        ("game/session/clock.rs", "use super::super::super::store;"),
        ("app/keys.rs", "pub(in crate::cli) fn f() {}"),
        ("cli/run.rs", "use crate::app;"),
        ("attic/mod.rs", "use crate::board;"),
        ("engine/mod.rs", "use crate::attic::Chest;"),
    ] {
        assert_eq!(found(name, text).len(), 1, "{name}: {text}");
    }
    for (name, text) in [
        ("engine/cpu.rs", "use crate::{board::Size, rules};"),
        (
            "cli/run.rs",
            "use crate::cli::{Status, engines}; use super::super::engine;",
        ),
        (
            "board/mod.rs",
            "// use crate::engine;\n/// [`crate::engine`]\nuse super::engine_of;",
        ),
        ("main.rs", "use duolife::cli;"),
    ] {
        assert_eq!(found(name, text), Vec::<String>::new(), "{name}: {text}");
    }
    let file = Source::new("game/mod.rs", "use std::fs;\n// std::fs\nuse std::fmt;");
    assert_eq!(
        file.mentions(&["std::fs"]),
        ["src/game/mod.rs:1: use std::fs;"]
    );
}
