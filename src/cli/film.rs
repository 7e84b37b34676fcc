//! Pictures of a run while it computes: a folder of PNG frames, GIF, APNG and Y4M.

use std::io::{self, BufWriter};
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Args;

use super::options::PictureArgs;
use crate::board::Size;
use crate::format::film::FilmFile;
use crate::render::film::{FilmWriter, FrameRate};
use crate::render::{Draw, PictureSize};

/// Options about films.
#[derive(Args)]
pub(super) struct FilmArgs {
    /// Write PNG frames to this folder
    #[arg(long, value_name = "DIR")]
    frames: Option<PathBuf>,
    /// Write an animated GIF
    #[arg(long, value_name = "FILE")]
    gif: Option<PathBuf>,
    /// Write an animated PNG
    #[arg(long, value_name = "FILE")]
    apng: Option<PathBuf>,
    /// Write uncompressed frames for ffmpeg and other encoders, - for standard output
    #[arg(long, value_name = "FILE")]
    pub(super) y4m: Option<PathBuf>,
    /// A frame every K generations
    #[arg(long, value_name = "K", default_value = "1", value_parser = clap::value_parser!(u64).range(1..))]
    every: u64,
    /// Frames per second in GIF, APNG and Y4M
    #[arg(long, value_name = "N", default_value = "25")]
    fps: FrameRate,
}

/// All films of a run.
pub(super) struct Films {
    every: u64,
    size: PictureSize,
    films: Vec<Film>,
    shot: u64,
}

/// One film in progress.
enum Film {
    OnDisk(FilmFile),
    Pipe(FilmWriter<BufWriter<io::StdoutLock<'static>>>),
}

impl FilmArgs {
    /// Whether any film is requested.
    pub(super) const fn any(&self) -> bool {
        self.frames.is_some() || self.gif.is_some() || self.apng.is_some() || self.y4m.is_some()
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
        };
        if !self.any() {
            return Ok(films);
        }
        let size = films.size.pixels(board)?;
        if let Some(folder) = &self.frames {
            films.films.push(Film::OnDisk(FilmFile::frames(folder)?));
        }
        if let Some(path) = &self.gif {
            let film = FilmFile::gif(path, size, self.fps)?;
            films.films.push(Film::OnDisk(film));
        }
        if let Some(path) = &self.apng {
            let frames = u32::try_from(generations / self.every + 1);
            let frames =
                frames.context("an APNG has at most 2^32 - 1 frames; choose a larger --every")?;
            let film = FilmFile::apng(path, size, self.fps, frames)?;
            films.films.push(Film::OnDisk(film));
        }
        match &self.y4m {
            Some(path) if path.as_os_str() == "-" => {
                let out = BufWriter::new(io::stdout().lock());
                films
                    .films
                    .push(Film::Pipe(FilmWriter::y4m(out, size, self.fps)?));
            }
            Some(path) => {
                let film = FilmFile::y4m(path, size, self.fps)?;
                films.films.push(Film::OnDisk(film));
            }
            None => {}
        }
        Ok(films)
    }
}

impl Film {
    fn finish(self) -> Result<()> {
        match self {
            Self::OnDisk(film) => Ok(film.finish()?),
            Self::Pipe(writer) => Ok(writer.finish()?),
        }
    }
}

impl Films {
    /// Frames of each film so far.
    pub(super) const fn shot(&self) -> u64 {
        self.shot
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

    /// Adds a frame to each film.
    pub(super) fn shoot(&mut self, board: &impl Draw) -> Result<()> {
        let picture = board.draw(self.size)?;
        for film in &mut self.films {
            match film {
                Film::OnDisk(film) => film.add(&picture)?,
                Film::Pipe(writer) => writer.add(&picture)?,
            }
        }
        self.shot += 1;
        Ok(())
    }

    /// Ends the films; only now their files appear. One that fails does not cost the others.
    pub(super) fn finish(self) -> Result<()> {
        let ended: Vec<Result<()>> = self.films.into_iter().map(Film::finish).collect();
        ended.into_iter().collect()
    }
}
