//! The record on disk, kept up to date.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use super::is_standard;
use crate::format::{atomic_write, check_place};
use crate::game::immigration::Game;
use crate::game::record::Record;

/// Where the record is written, if anywhere, and which files are this game's.
pub(super) struct Saving {
    to: Option<PathBuf>,
    /// Files that hold this game, and so may be replaced.
    own: Vec<PathBuf>,
}

impl Saving {
    /// Writes to `to` from now on; `came_from` is the file the game was read from.
    ///
    /// # Errors
    /// If nothing can be written there, or what is there is not this game.
    pub(super) fn new(to: Option<&Path>, came_from: Option<&Path>) -> Result<Self> {
        let came_from = came_from.filter(|path| !is_standard(path));
        let mut saving = Self {
            to: None,
            own: came_from.into_iter().map(real).collect(),
        };
        if let Some(to) = to {
            saving.check(to)?;
            saving.to = Some(to.to_owned());
        }
        Ok(saving)
    }

    /// The file that is kept up to date.
    pub(super) fn file(&self) -> Option<&Path> {
        self.to.as_deref()
    }

    /// Writes the game to another file and keeps that one up to date from now on.
    ///
    /// # Errors
    /// As [`new`](Self::new), or if writing fails; everything is then as before.
    pub(super) fn redirect(&mut self, to: &Path, game: &Game) -> Result<()> {
        self.check(to)?;
        write(to, game)?;
        self.to = Some(to.to_owned());
        self.own.push(real(to));
        Ok(())
    }

    /// Brings the file up to date.
    ///
    /// # Errors
    /// If writing fails; the file then holds what it held.
    pub(super) fn keep(&mut self, game: &Game) -> Result<()> {
        if let Some(to) = &self.to {
            write(to, game)?;
            self.own.push(real(to));
            self.own.dedup();
        }
        Ok(())
    }

    /// A game that took days is not to be lost to a repeated command line.
    fn check(&self, to: &Path) -> Result<()> {
        if is_standard(to) {
            bail!("the record needs a file; standard output is for the boards");
        }
        let name = to.display();
        if fs::metadata(to).is_ok_and(|found| !found.is_file() && !found.is_dir()) {
            bail!(
                "{name}: the record is written anew after every move, which needs an ordinary file"
            );
        }
        if fs::metadata(to).is_ok_and(|found| found.is_file()) && !self.own.contains(&real(to)) {
            bail!(
                "{name}: is there already; go on with its game by duolife immigration {name} --save {name}, or name another file"
            );
        }
        check_place(to)?;
        Ok(())
    }
}

fn write(to: &Path, game: &Game) -> Result<()> {
    let json = Record::of(game).to_json();
    atomic_write(to, |out| out.write_all(json.as_bytes()))?;
    Ok(())
}

/// One path for all ways to write it.
fn real(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}
