//! Pictures of a run while it goes on: a folder of PNG frames, GIF, APNG and Y4M.

use std::fs::File;
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::Args;

use super::options::PictureArgs;
use crate::board::Size;
use crate::format::{self, PendingFile};
use crate::render::film::{FilmError, FilmWriter, FrameRate, correct_frame_count};
use crate::render::{Draw, PictureSize, write_png};

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
    /// A frame every so many generations
    #[arg(long, value_name = "K", default_value = "1", value_parser = clap::value_parser!(u64).range(1..))]
    every: u64,
    /// Frames a second in GIF, APNG and Y4M
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

/// One film under way.
enum Film {
    Frames(PathBuf),
    File {
        writer: FilmWriter<BufWriter<File>>,
        file: PendingFile,
    },
    Stream(FilmWriter<BufWriter<io::StdoutLock<'static>>>),
}

impl FilmArgs {
    /// Whether any film is asked for.
    pub(super) const fn any(&self) -> bool {
        self.frames.is_some() || self.gif.is_some() || self.apng.is_some() || self.y4m.is_some()
    }

    /// Begins the films of a board of `board` cells over so many generations.
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
            films.films.push(Film::frames(folder)?);
        }
        if let Some(path) = &self.gif {
            films.films.push(Film::file(path, |out| {
                FilmWriter::gif(out, size, self.fps)
            })?);
        }
        if let Some(path) = &self.apng {
            let frames = u32::try_from(generations / self.every + 1);
            let frames =
                frames.context("an APNG has at most 2^32 - 1 frames; choose a larger --every")?;
            films.films.push(Film::file(path, |out| {
                FilmWriter::apng(out, size, self.fps, frames)
            })?);
        }
        match &self.y4m {
            Some(path) if path.as_os_str() == "-" => {
                let out = BufWriter::new(io::stdout().lock());
                films
                    .films
                    .push(Film::Stream(FilmWriter::y4m(out, size, self.fps)?));
            }
            Some(path) => {
                films.films.push(Film::file(path, |out| {
                    FilmWriter::y4m(out, size, self.fps)
                })?);
            }
            None => {}
        }
        Ok(films)
    }
}

impl Film {
    /// Makes the folder. One that holds frames already is refused: they would mix.
    fn frames(folder: &Path) -> Result<Self> {
        let shown = folder.display();
        std::fs::create_dir_all(folder).with_context(|| format!("{shown}: cannot be made"))?;
        if frame_path(folder, 0).exists() {
            bail!("{shown}: holds frames already; name another folder or remove them");
        }
        Ok(Self::Frames(folder.into()))
    }

    /// Begins a file that appears when the film is finished.
    fn file<E>(
        path: &Path,
        begin: impl FnOnce(BufWriter<File>) -> Result<FilmWriter<BufWriter<File>>, E>,
    ) -> Result<Self>
    where
        E: std::error::Error + Send + Sync + 'static,
    {
        let file = PendingFile::create(path)?;
        let writer =
            begin(BufWriter::new(file.writer()?)).with_context(|| path.display().to_string())?;
        Ok(Self::File { writer, file })
    }

    fn finish(self) -> Result<()> {
        match self {
            Self::Frames(_) => Ok(()),
            Self::File { writer, file } => {
                match writer.finish() {
                    // An APNG announces its frames, and the run has ended before the last of them.
                    Err(FilmError::Count { found, .. })
                        if let Ok(frames) = u32::try_from(found) =>
                    {
                        let corrected = correct_frame_count(&mut file.writer()?, frames);
                        corrected.with_context(|| file.name())?;
                    }
                    finished => finished.with_context(|| file.name())?,
                }
                Ok(file.commit()?)
            }
            Self::Stream(writer) => Ok(writer.finish()?),
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
    pub(super) fn wants(&self, done: u64) -> bool {
        !self.films.is_empty() && done.is_multiple_of(self.every)
    }

    /// Adds a frame to each film.
    pub(super) fn shoot(&mut self, board: &impl Draw) -> Result<()> {
        let picture = board.draw(self.size)?;
        for film in &mut self.films {
            match film {
                Film::Frames(folder) => {
                    format::atomic_write(&frame_path(folder, self.shot), |out| {
                        write_png(&picture, out).map_err(io::Error::from)
                    })?;
                }
                Film::File { writer, file } => {
                    writer.add(&picture).with_context(|| file.name())?;
                }
                Film::Stream(writer) => writer.add(&picture)?,
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

fn frame_path(folder: &Path, frame: u64) -> PathBuf {
    folder.join(format!("frame-{frame:06}.png"))
}
