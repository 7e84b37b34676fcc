//! Pictures of a run while it computes: a folder of PNG frames, GIF, APNG and Y4M.

use std::path::PathBuf;

use anyhow::{Context, Error, Result};
use clap::Args;

use super::options::PictureArgs;
use super::output::{NamedFile, given};
use crate::board::Size;
use crate::format::film::FilmFile;
use crate::render::film::FrameRate;
use crate::render::{Draw, PictureSize};

/// Options about films.
#[derive(Args)]
pub(super) struct FilmArgs {
    /// Write PNG frames to this folder
    #[arg(long, value_name = "DIR")]
    frames: Option<PathBuf>,
    /// Write an animated GIF, - for standard output
    #[arg(long, value_name = "FILE")]
    gif: Option<PathBuf>,
    /// Write an animated PNG, - for standard output
    #[arg(long, value_name = "FILE")]
    apng: Option<PathBuf>,
    /// Write uncompressed frames for ffmpeg and other encoders, - for standard output
    #[arg(long, value_name = "FILE")]
    y4m: Option<PathBuf>,
    /// A frame every K generations, and one of the last
    #[arg(long, value_name = "K", default_value = "1", value_parser = clap::value_parser!(u64).range(1..))]
    every: u64,
    /// Frames per second in GIF, APNG and Y4M
    #[arg(long, value_name = "N", default_value = "25")]
    fps: FrameRate,
}

/// All films of a run. One that fails costs neither the others nor the run.
pub(super) struct Films {
    every: u64,
    size: PictureSize,
    films: Vec<FilmFile>,
    shot: u64,
    /// The generation shot last, counted from the first.
    last: Option<u64>,
    failures: Vec<Error>,
}

impl FilmArgs {
    /// The films that are requested.
    pub(super) fn outputs(&self) -> Vec<NamedFile<'_>> {
        given([
            ("--frames", &self.frames),
            ("--gif", &self.gif),
            ("--apng", &self.apng),
            ("--y4m", &self.y4m),
        ])
    }

    /// Begins the films of a board of `board` cells over this many generations.
    pub(super) fn begin(
        &self,
        board: Size,
        generations: u64,
        picture: &PictureArgs,
    ) -> Result<Films> {
        let mut films = Films {
            every: self.every,
            size: picture.size(),
            films: Vec::new(),
            shot: 0,
            last: None,
            failures: Vec::new(),
        };
        if self.outputs().is_empty() {
            return Ok(films);
        }
        let size = films.size.pixels(board)?;
        if let Some(folder) = &self.frames {
            films.films.push(FilmFile::frames(folder)?);
        }
        if let Some(path) = &self.gif {
            films.films.push(FilmFile::gif(path, size, self.fps)?);
        }
        if let Some(path) = &self.apng {
            // The first, every K-th, and the last.
            let frames = u32::try_from(generations.div_ceil(self.every).saturating_add(1));
            let frames =
                frames.context("an APNG has at most 2^32 - 1 frames; choose a larger --every")?;
            let film = FilmFile::apng(path, size, self.fps, frames)?;
            films.films.push(film);
        }
        if let Some(path) = &self.y4m {
            films.films.push(FilmFile::y4m(path, size, self.fps)?);
        }
        Ok(films)
    }
}

impl Films {
    /// Frames of each film so far.
    pub(super) const fn shot(&self) -> u64 {
        self.shot
    }

    /// Whether there were films, and all have failed.
    pub(super) fn have_failed(&self) -> bool {
        self.films.is_empty() && !self.failures.is_empty()
    }

    /// Generations from the present one, `done` generations after the first, to the next frame.
    pub(super) fn until_next(&self, done: u64) -> u64 {
        match self.films[..] {
            [] => u64::MAX,
            _ => self.every - done % self.every,
        }
    }

    /// Whether the generation `done` generations after the first is to be filmed.
    pub(super) fn is_due(&self, done: u64) -> bool {
        !self.films.is_empty() && done.is_multiple_of(self.every)
    }

    /// Whether it is to be filmed because it is the last.
    pub(super) fn lacks_last(&self, done: u64) -> bool {
        !self.films.is_empty() && self.last != Some(done)
    }

    /// Adds a frame of that generation to each film. A film that fails is given up.
    pub(super) fn shoot(&mut self, done: u64, board: &impl Draw) {
        let picture = match board.draw(self.size) {
            Ok(picture) => picture,
            Err(error) => {
                self.films.clear();
                self.failures.push(error.into());
                return;
            }
        };
        for mut film in std::mem::take(&mut self.films) {
            match film.add(&picture) {
                Ok(()) => self.films.push(film),
                Err(error) => self.failures.push(error.into()),
            }
        }
        self.shot += 1;
        self.last = Some(done);
    }

    /// Ends the films; only now their files appear. Returns what has failed.
    pub(super) fn finish(self) -> Vec<Error> {
        let mut failures = self.failures;
        // A run that failed before its first frame has no film.
        if self.shot > 0 {
            let ended = self.films.into_iter().map(FilmFile::finish);
            failures.extend(ended.filter_map(|ended| Some(ended.err()?.into())));
        }
        failures
    }
}
