//! The platform of a desktop: files, memory, threads and random seeds.

use std::fs;
use std::hash::{BuildHasher, RandomState};
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::thread;

use glam::UVec2;

use crate::app::platform::{Entry, Film, FilmPlan, MoveResult, Platform, Task};
use crate::board::Size;
use crate::format::film::FilmFile;
use crate::format::rezolution::RezolutionDocument;
use crate::format::{
    Content, Format, LifelikeDocument, Limits, atomic_write, make_folder_of, read_bytes,
    read_content, save, save_rezolution,
};
use crate::game::fragment;
use crate::game::opening::DRAWN_SEEDS;
use crate::game::session::BOARDS_IN_MEMORY;
use crate::render::{Picture, write_png};
use crate::rules::FamilyName;
use crate::store::best_scores::{BestScores, Difficulty};

/// The largest window memory that is read, in bytes.
const MAX_MEMORY_BYTES: u64 = 1 << 20;

/// The most entries of a folder that are read.
const MAX_ENTRIES: usize = 100_000;

/// The system of a desktop.
pub(super) struct NativePlatform {
    available: fn() -> u64,
    /// The folder of the window memory; `None` for a user without a home folder.
    data: Option<PathBuf>,
}

impl NativePlatform {
    /// A platform with this much memory available, and this folder for the window memory.
    pub(super) const fn new(available: fn() -> u64, data: Option<PathBuf>) -> Self {
        Self { available, data }
    }

    fn limits(&self) -> Limits {
        let available = (self.available)();
        Limits {
            max_file_bytes: Limits::default().max_file_bytes.min(available / 2),
            max_board_bytes: Limits::default().max_board_bytes.min(available / 2),
        }
    }

    fn window_memory(&self) -> Option<PathBuf> {
        Some(self.data.as_ref()?.join("window.json"))
    }
}

impl Platform for NativePlatform {
    fn folder(&self) -> String {
        let here = std::env::current_dir().unwrap_or_else(|_| PathBuf::from("."));
        here.to_string_lossy().into_owned()
    }

    fn list(&self, folder: &str) -> Result<Vec<Entry>, String> {
        let failed = |error: std::io::Error| format!("{folder}: cannot be listed: {error}");
        let mut entries = Vec::new();
        for entry in fs::read_dir(folder).map_err(failed)?.take(MAX_ENTRIES) {
            let entry = entry.map_err(failed)?;
            let name = entry.file_name().to_string_lossy().into_owned();
            if name.starts_with('.') {
                continue;
            }
            // A link counts as its target.
            let is_folder = entry.path().is_dir();
            entries.push(Entry { name, is_folder });
        }
        entries.sort_by_key(|entry| (!entry.is_folder, entry.name.to_lowercase()));
        Ok(entries)
    }

    fn join(&self, folder: &str, name: &str) -> String {
        Path::new(folder).join(name).to_string_lossy().into_owned()
    }

    fn parent(&self, folder: &str) -> Option<String> {
        let parent = Path::new(folder).parent()?;
        Some(parent.to_string_lossy().into_owned())
    }

    fn is_folder(&self, name: &str) -> bool {
        Path::new(name).is_dir()
    }

    fn is_file(&self, name: &str) -> bool {
        Path::new(name).exists()
    }

    fn read(&self, name: &str) -> Result<Content, String> {
        read_content(Path::new(name), None, &self.limits()).map_err(|error| error.to_string())
    }

    fn write(&self, name: &str, document: &LifelikeDocument) -> Result<(), String> {
        let path = Path::new(name);
        let format = Format::of_name(path).filter(|format| format.is_written());
        let format = format.ok_or_else(|| {
            format!(
                "{name}: no format has this extension; use {}",
                Format::written_extensions(FamilyName::Lifelike)
            )
        })?;
        save(document, format, path).map_err(|error| error.to_string())
    }

    fn write_rezolution(
        &self,
        name: &str,
        document: &RezolutionDocument<'_>,
    ) -> Result<(), String> {
        let path = Path::new(name);
        let format = Format::of_name_for(path, FamilyName::Rezolution)
            .filter(|format| format.family() == FamilyName::Rezolution);
        let format = format.ok_or_else(|| {
            format!(
                "{name}: boards of reZolution are saved as .rez or .txt; a picture of it: Ctrl+E"
            )
        })?;
        save_rezolution(document, format, path).map_err(|error| error.to_string())
    }

    fn write_picture(&self, name: &str, picture: &Picture) -> Result<(), String> {
        let path = Path::new(name);
        atomic_write(path, |out| {
            write_png(picture, out).map_err(std::io::Error::other)
        })
        .map_err(|error| error.to_string())
    }

    fn film(&self, name: &str, size: UVec2, plan: FilmPlan) -> Result<Box<dyn Film>, String> {
        let film = FilmFile::of_name(Path::new(name), size, plan.rate, plan.frames);
        Ok(Box::new(film.map_err(|error| error.to_string())?))
    }

    fn read_text(&self, name: &str, most: u64) -> Result<String, String> {
        let bytes = read_bytes(Path::new(name), most).map_err(|error| error.to_string())?;
        String::from_utf8(bytes).map_err(|_| format!("{name}: is no text"))
    }

    fn write_text(&self, name: &str, text: &str) -> Result<(), String> {
        atomic_write(Path::new(name), |out| out.write_all(text.as_bytes()))
            .map_err(|error| error.to_string())
    }

    fn load_window_memory(&self) -> Result<Option<String>, String> {
        let Some(path) = self.window_memory().filter(|path| path.exists()) else {
            return Ok(None);
        };
        self.read_text(&path.to_string_lossy(), MAX_MEMORY_BYTES)
            .map(Some)
    }

    fn save_window_memory(&self, text: &str) -> Result<(), String> {
        let path = self.window_memory().ok_or(
            "the board is not kept until next time: this user has no home folder; set XDG_DATA_HOME",
        )?;
        make_folder_of(&path).map_err(|error| error.to_string())?;
        atomic_write(&path, |out| out.write_all(text.as_bytes())).map_err(|error| error.to_string())
    }

    fn check_memory(&self, size: Size, bytes: u64) -> Result<(), String> {
        let needed = BOARDS_IN_MEMORY.saturating_mul(bytes);
        let available = (self.available)();
        if needed > available {
            return Err(format!(
                "a board of {size} needs {} MiB of memory here, {} MiB are available; choose a smaller one",
                needed >> 20,
                available >> 20
            ));
        }
        Ok(())
    }

    fn random_seed(&self) -> u64 {
        // The keys of the standard library are random.
        RandomState::new().hash_one(0) % DRAWN_SEEDS
    }

    fn spawn(&self, work: Box<dyn FnOnce() -> MoveResult + Send>) -> Box<dyn Task> {
        let (sender, receiver) = mpsc::channel();
        thread::spawn(move || {
            // Sending fails if the game has ended.
            let _ = sender.send(work());
        });
        Box::new(ThreadTask(receiver))
    }

    fn best_score(
        &self,
        settings: fragment::Settings,
        score: Option<u64>,
    ) -> Result<Option<u64>, String> {
        let scores = BestScores::of_user().map_err(|error| error.to_string())?;
        let difficulty = Difficulty::from(settings);
        let record = match score {
            Some(score) => scores.keep(difficulty, score),
            None => scores.best(difficulty),
        };
        Ok(record.map_err(|error| error.to_string())?.best)
    }
}

impl Film for FilmFile {
    fn add(&mut self, picture: &Picture) -> Result<(), String> {
        Self::add(self, picture).map_err(|error| error.to_string())
    }

    fn finish(self: Box<Self>) -> Result<(), String> {
        Self::finish(*self).map_err(|error| error.to_string())
    }
}

/// A computation on a thread.
struct ThreadTask(mpsc::Receiver<MoveResult>);

impl Task for ThreadTask {
    fn poll(&mut self) -> Option<MoveResult> {
        match self.0.try_recv() {
            Ok(found) => Some(found),
            Err(mpsc::TryRecvError::Empty) => None,
            Err(mpsc::TryRecvError::Disconnected) => {
                Some(Err("the computer stopped without choosing a cell".into()))
            }
        }
    }
}
