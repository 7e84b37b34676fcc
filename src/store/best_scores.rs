//! The best scores of the fragment puzzle, remembered in the user's data folder.
//!
//! ```json
//! {"version": 1, "fragment": [
//!   {"width": 20, "height": 20, "cells": 60, "piece": 5, "piece_cells": 8, "best": 31}]}
//! ```
//!
//! Two programs may play at once: a score is put into what the file says at that moment, under a
//! lock, and only if it is smaller. A file that is damaged or of a newer version is set aside under
//! another name and never written over.

use std::collections::BTreeMap;
use std::fmt;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use directories::ProjectDirs;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::format::{ReadError, WriteError, atomic_write, make_folder_of, one_line, read_bytes};
use crate::game::fragment::Settings;

/// The version that is written, and the newest that is read.
const VERSION: u64 = 1;

/// Bytes of the largest file that is read: more than ten thousand records.
const MAX_BYTES: u64 = 1 << 20;

/// The attempts to lock, and the pause between: five seconds in all. The holder of a lock writes one
/// small file.
const LOCK_TRIES: u32 = 250;
const LOCK_PAUSE: Duration = Duration::from_millis(20);

/// How many damaged files are kept before saving fails.
const MOST_ASIDE: u32 = 100;

/// What a record is for: scores of games that differ in this are not compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Difficulty {
    /// Columns of the field.
    pub width: u32,
    /// Rows of the field.
    pub height: u32,
    /// Blue cells at the start.
    pub cells: u32,
    /// Side of the piece.
    pub piece: u32,
    /// Green cells of a piece.
    pub piece_cells: u32,
}

/// Games with other seeds share one record.
impl From<Settings> for Difficulty {
    fn from(settings: Settings) -> Self {
        Self {
            width: settings.field().width(),
            height: settings.field().height(),
            cells: settings.cells(),
            piece: settings.piece(),
            piece_cells: settings.piece_cells(),
        }
    }
}

/// Why a score was not read or kept. The message is one line and names the file or folder.
#[derive(Debug, Error)]
pub enum ScoreError {
    /// The system has no data folder for this user.
    #[error("no folder for scores: this user has no home folder; set XDG_DATA_HOME")]
    NoFolder,
    /// The file cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The file cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// The lock beside the file cannot be had.
    #[error("{name}: cannot be locked: {cause}")]
    Lock {
        /// The lock's file.
        name: String,
        /// The system's reason, or that another program holds it.
        cause: io::Error,
    },
    /// A file that is not understood cannot be set aside. It was not touched.
    #[error("{name}: {why}; it cannot be set aside: {cause}")]
    Aside {
        /// The file.
        name: String,
        /// What is wrong with it.
        why: String,
        /// The system's reason.
        cause: io::Error,
    },
}

/// A file that was not understood, and where it is now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetAside {
    name: String,
    why: String,
    kept_as: String,
}

impl fmt::Display for SetAside {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, why, kept_as } = self;
        write!(
            f,
            "{name}: {why}; set aside as {kept_as}, scores begin anew"
        )
    }
}

/// The entry of one difficulty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The smallest score, if there is one.
    pub best: Option<u64>,
    /// The file that was set aside in order to say so.
    pub set_aside: Option<SetAside>,
}

/// The file of best scores.
#[derive(Clone, Debug)]
pub struct BestScores {
    path: PathBuf,
}

impl BestScores {
    /// The file in the data folder of the user.
    ///
    /// # Errors
    /// [`ScoreError::NoFolder`] if there is no such folder.
    pub fn of_user() -> Result<Self, ScoreError> {
        let folders = ProjectDirs::from("", "", "duolife").ok_or(ScoreError::NoFolder)?;
        Ok(Self::at(folders.data_dir().join("best-scores.json")))
    }

    /// The file at a path; it need not be there yet.
    pub const fn at(path: PathBuf) -> Self {
        Self { path }
    }

    /// The best score so far.
    ///
    /// # Errors
    /// [`ScoreError`] if there is a file and it can neither be read nor set aside.
    pub fn best(&self, difficulty: Difficulty) -> Result<Record, ScoreError> {
        let (scores, set_aside) = match self.read()? {
            Content::Scores(scores) => (scores, None),
            Content::Faulty(_) => {
                let _lock = self.lock()?;
                self.read_or_set_aside()?
            }
        };
        Ok(Record {
            best: scores.get(&difficulty).copied(),
            set_aside,
        })
    }

    /// Keeps a score if it is smaller than what the file says now. The record is what it says then.
    ///
    /// # Errors
    /// [`ScoreError`]; the file is then what it was before.
    pub fn keep(&self, difficulty: Difficulty, score: u64) -> Result<Record, ScoreError> {
        make_folder_of(&self.path)?;
        let _lock = self.lock()?;
        let (mut scores, set_aside) = self.read_or_set_aside()?;
        let before = scores.get(&difficulty).copied();
        let best = before.map_or(score, |before| before.min(score));
        if before != Some(best) {
            scores.insert(difficulty, best);
            self.write(&scores)?;
        }
        Ok(Record {
            best: Some(best),
            set_aside,
        })
    }

    fn read(&self) -> Result<Content, ScoreError> {
        match read_bytes(&self.path, MAX_BYTES) {
            Ok(bytes) => Ok(parse(&bytes)),
            Err(ReadError::Io { cause, .. }) if cause.kind() == io::ErrorKind::NotFound => {
                Ok(Content::Scores(Scores::new()))
            }
            Err(ReadError::TooLong { most, .. }) => Ok(Content::Faulty(format!(
                "damaged: longer than {most} bytes"
            ))),
            Err(error) => Err(error.into()),
        }
    }

    /// The scores of the file; a faulty file is given another name. Only under the lock.
    fn read_or_set_aside(&self) -> Result<(Scores, Option<SetAside>), ScoreError> {
        let why = match self.read()? {
            Content::Scores(scores) => return Ok((scores, None)),
            Content::Faulty(why) => why,
        };
        let name = name_of(&self.path);
        match self.set_aside() {
            Ok(kept_as) => {
                let kept_as = name_of(&kept_as);
                Ok((Scores::new(), Some(SetAside { name, why, kept_as })))
            }
            Err(cause) => Err(ScoreError::Aside { name, why, cause }),
        }
    }

    /// Renames the file to the first free of its other names.
    fn set_aside(&self) -> io::Result<PathBuf> {
        let names = (1..=MOST_ASIDE).map(|n| self.path.with_extension(format!("aside-{n}.json")));
        for name in names {
            if fs::symlink_metadata(&name).is_ok() {
                continue;
            }
            fs::rename(&self.path, &name)?;
            return Ok(name);
        }
        Err(io::Error::other(format!(
            "there are {MOST_ASIDE} such files already; remove some"
        )))
    }

    fn write(&self, scores: &Scores) -> Result<(), WriteError> {
        let entries = scores.iter();
        let file = Contents {
            version: VERSION,
            fragment: entries
                .map(|(&difficulty, &best)| Entry { difficulty, best })
                .collect(),
        };
        atomic_write(&self.path, |out| {
            serde_json::to_writer_pretty(&mut *out, &file)?;
            out.write_all(b"\n")
        })
    }

    /// Keeps other programs from changing the file until the lock is dropped. The lock lies beside
    /// the file, which is replaced and not changed.
    fn lock(&self) -> Result<File, ScoreError> {
        let path = self.path.with_extension("lock");
        let failed = |cause| ScoreError::Lock {
            name: name_of(&path),
            cause,
        };
        let mut options = File::options();
        let file = options.create(true).truncate(false).write(true).open(&path);
        let file = file.map_err(failed)?;
        for _ in 0..LOCK_TRIES {
            match file.try_lock() {
                Ok(()) => return Ok(file),
                Err(TryLockError::WouldBlock) => thread::sleep(LOCK_PAUSE),
                Err(TryLockError::Error(cause)) => return Err(failed(cause)),
            }
        }
        Err(failed(io::Error::other("another program holds it")))
    }
}

type Scores = BTreeMap<Difficulty, u64>;

/// What a file holds.
enum Content {
    Scores(Scores),
    /// Why it is not understood.
    Faulty(String),
}

/// The file, as JSON.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Contents {
    version: u64,
    fragment: Vec<Entry>,
}

#[derive(Serialize, Deserialize)]
struct Entry {
    #[serde(flatten)]
    difficulty: Difficulty,
    best: u64,
}

/// As much as every version of the file has.
#[derive(Deserialize)]
struct AnyVersion {
    version: u64,
}

fn parse(bytes: &[u8]) -> Content {
    if let Ok(AnyVersion { version }) = serde_json::from_slice(bytes)
        && version > VERSION
    {
        return Content::Faulty(format!(
            "written by a newer duolife (version {version} of the file, this one knows {VERSION})"
        ));
    }
    match serde_json::from_slice::<Contents>(bytes) {
        Ok(file) if file.version == VERSION => {
            let mut scores = Scores::new();
            for Entry { difficulty, best } in file.fragment {
                let kept = scores.entry(difficulty).or_insert(best);
                *kept = best.min(*kept);
            }
            Content::Scores(scores)
        }
        Ok(file) => Content::Faulty(format!("damaged: there is no version {}", file.version)),
        Err(error) => Content::Faulty(format!("damaged: {error}")),
    }
}

fn name_of(path: &Path) -> String {
    one_line(path.to_string_lossy().as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    const USUAL: Difficulty = Difficulty {
        width: 20,
        height: 20,
        cells: 60,
        piece: 5,
        piece_cells: 8,
    };

    fn store() -> (tempfile::TempDir, BestScores) {
        let folder = tempfile::tempdir().unwrap();
        let store = BestScores::at(folder.path().join("new/best-scores.json"));
        (folder, store)
    }

    fn best(store: &BestScores, difficulty: Difficulty) -> Option<u64> {
        let record = store.best(difficulty).unwrap();
        assert_eq!(record.set_aside, None);
        record.best
    }

    #[test]
    fn the_smallest_score_of_each_difficulty_is_kept() {
        let (_folder, store) = store();
        assert_eq!(best(&store, USUAL), None);
        assert!(!store.path.exists(), "asking makes no file");
        let easy = Difficulty { cells: 10, ..USUAL };
        for (difficulty, score, expected) in [
            (USUAL, 40, 40),
            (USUAL, 31, 31),
            (USUAL, 50, 31),
            (easy, 7, 7),
            (USUAL, 31, 31),
        ] {
            let record = store.keep(difficulty, score).unwrap();
            assert_eq!(record.best, Some(expected));
            assert_eq!(best(&store, difficulty), Some(expected));
        }
        assert_eq!(best(&store, USUAL), Some(31));
        let other = Difficulty { piece: 4, ..USUAL };
        assert_eq!(best(&store, other), None);
    }

    /// Every program reads again before it writes, so none undoes what another has kept.
    #[test]
    fn many_writers_lose_no_better_score() {
        let (_folder, store) = store();
        thread::scope(|scope| {
            for writer in 0..6u32 {
                let store = store.clone();
                scope.spawn(move || {
                    let own = Difficulty {
                        cells: writer + 1,
                        ..USUAL
                    };
                    for score in (0..20).rev() {
                        store.keep(own, score).unwrap();
                        let shared = 100 + (score * 7 + u64::from(writer) * 3) % 20;
                        store.keep(USUAL, shared).unwrap();
                    }
                });
            }
        });
        for writer in 0..6 {
            let own = Difficulty {
                cells: writer + 1,
                ..USUAL
            };
            assert_eq!(best(&store, own), Some(0), "writer {writer}");
        }
        assert_eq!(best(&store, USUAL), Some(100));
    }

    #[test]
    fn a_file_that_is_not_understood_is_set_aside_whole() {
        let (folder, store) = store();
        let folder = folder.path().join("new");
        fs::create_dir(&folder).unwrap();
        let long = vec![b' '; MAX_BYTES as usize + 1];
        let newer = br#"{"version": 2, "anything": [true]}"#;
        let mut expected = Vec::new();
        let faults: [(&[u8], &str); 6] = [
            (b"", "damaged"),
            (b"{\"version\": 1, \"frag", "damaged"),
            (b"\xff\xfe\x00", "damaged"),
            (br#"{"version": 0, "fragment": []}"#, "no version 0"),
            (newer, "newer duolife"),
            (&long, "longer than"),
        ];
        for (number, (content, why)) in (1..).zip(faults) {
            fs::write(&store.path, content).unwrap();
            // Whether the file is read or written, it is kept.
            let record = match number % 2 {
                0 => store.best(USUAL).unwrap(),
                _ => store.keep(USUAL, 5).unwrap(),
            };
            assert_eq!(record.best, (number % 2 == 1).then_some(5));
            let notice = record.set_aside.unwrap().to_string();
            let kept_as = folder.join(format!("best-scores.aside-{number}.json"));
            assert!(notice.contains(why), "{notice}");
            assert!(notice.contains(kept_as.to_str().unwrap()), "{notice}");
            assert_eq!(notice.lines().count(), 1);
            expected.push((kept_as, content.to_vec()));
        }
        for (path, content) in expected {
            assert_eq!(fs::read(&path).unwrap(), content, "{}", path.display());
        }
    }

    #[test]
    fn a_place_that_cannot_hold_scores_is_an_error_that_names_it() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        fs::write(&file, "mine").unwrap();
        let store = BestScores::at(file.join("best-scores.json"));
        let error = store.keep(USUAL, 5).unwrap_err().to_string();
        assert!(error.contains(file.to_str().unwrap()), "{error}");
        assert_eq!(fs::read_to_string(&file).unwrap(), "mine");
        // A folder of that name is neither read nor replaced.
        let store = BestScores::at(folder.path().join("folder"));
        fs::create_dir(&store.path).unwrap();
        assert!(store.best(USUAL).is_err() && store.keep(USUAL, 5).is_err());
        assert!(store.path.is_dir());
    }
}
