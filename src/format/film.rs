//! Films on disk: an animated GIF or PNG, Y4M, or a folder of PNG frames.
//!
//! A file appears when its film is finished, and not at all if it fails; frames in a folder appear
//! one by one.

use glam::UVec2;
use std::fs;
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::file::{
    OutputWriter, PendingFile, WriteError, atomic_write, follow, is_standard_output,
};
use crate::render::film::{FilmError, FilmWriter, FrameRate, correct_frame_count};
use crate::render::{Picture, write_png};

/// Why a film could not be written. One line each.
#[derive(Debug, Error)]
pub enum FilmFileError {
    /// There is no place for it.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// The format does not take it.
    #[error("{name}: {cause}")]
    Film {
        /// The file.
        name: String,
        /// Why.
        cause: FilmError,
    },
    /// The folder of frames cannot be made.
    #[error("{folder}: cannot be made: {cause}")]
    Folder {
        /// The folder.
        folder: String,
        /// Why.
        cause: io::Error,
    },
    /// Frames of two films would mix.
    #[error("{folder}: holds frames already; name another folder or remove them")]
    Taken {
        /// The folder.
        folder: String,
    },
    /// Frames are many files.
    #[error("standard output cannot take a folder of frames; name a folder, or write --y4m -")]
    NoFolder,
}

impl FilmFileError {
    /// Whether the reader of a pipe has gone, which is no fault of ours.
    pub fn is_broken_pipe(&self) -> bool {
        matches!(self, Self::Write(error) if error.is_broken_pipe())
    }
}

/// A film in progress.
pub struct FilmFile(Kind);

enum Kind {
    Frames {
        folder: PathBuf,
        shot: u64,
    },
    File {
        writer: Box<FilmWriter<BufWriter<OutputWriter>>>,
        file: PendingFile,
    },
}

impl FilmFile {
    /// Begins a film in the format of the name's extension: `.gif`, `.apng` or `.png`, `.y4m`. A name
    /// without any is that of a folder for frames. `frames` is how many there will be, if nothing
    /// comes between.
    ///
    /// # Errors
    /// [`FilmFileError`]; nothing has changed then.
    pub fn of_name(
        path: &Path,
        size: UVec2,
        rate: FrameRate,
        frames: u32,
    ) -> Result<Self, FilmFileError> {
        let extension = path.extension().and_then(|extension| extension.to_str());
        match extension.map(str::to_ascii_lowercase).as_deref() {
            Some("gif") => Self::gif(path, size, rate),
            Some("apng" | "png") => Self::apng(path, size, rate, frames),
            Some("y4m") => Self::y4m(path, size, rate),
            None => Self::frames(path),
            Some(_) => Err(FilmFileError::Write(WriteError::Io {
                name: path.display().to_string(),
                cause: io::Error::new(
                    io::ErrorKind::InvalidInput,
                    "no film has this extension; use .gif, .apng, .y4m, or none for a folder of frames",
                ),
            })),
        }
    }

    /// Begins a folder of PNG frames; it is made if it is not there.
    ///
    /// # Errors
    /// [`FilmFileError`] if it cannot be made or holds frames already.
    pub fn frames(folder: &Path) -> Result<Self, FilmFileError> {
        if is_standard_output(folder) {
            return Err(FilmFileError::NoFolder);
        }
        let shown = folder.display().to_string();
        let made = make_folder(folder).and_then(|()| holds_frames(folder));
        let taken = made.map_err(|cause| FilmFileError::Folder {
            folder: shown.clone(),
            cause,
        })?;
        if taken {
            return Err(FilmFileError::Taken { folder: shown });
        }
        Ok(Self(Kind::Frames {
            folder: folder.into(),
            shot: 0,
        }))
    }

    /// Begins an animated GIF of pictures of `size` pixels.
    ///
    /// # Errors
    /// [`FilmFileError`]; nothing has changed then.
    pub fn gif(path: &Path, size: UVec2, rate: FrameRate) -> Result<Self, FilmFileError> {
        Self::file(PendingFile::create(path)?, |out| {
            FilmWriter::gif(out, size, rate)
        })
    }

    /// Begins an animated PNG, which will have so many frames, or fewer.
    ///
    /// # Errors
    /// [`FilmFileError`]; nothing has changed then.
    pub fn apng(
        path: &Path,
        size: UVec2,
        rate: FrameRate,
        frames: u32,
    ) -> Result<Self, FilmFileError> {
        // Its beginning says how many frames there are.
        Self::file(PendingFile::create_seekable(path)?, |out| {
            FilmWriter::apng(out, size, rate, frames)
        })
    }

    /// Begins uncompressed frames for other encoders.
    ///
    /// # Errors
    /// [`FilmFileError`]; nothing has changed then.
    pub fn y4m(path: &Path, size: UVec2, rate: FrameRate) -> Result<Self, FilmFileError> {
        Self::file(PendingFile::create(path)?, |out| {
            FilmWriter::y4m(out, size, rate)
        })
    }

    fn file(
        file: PendingFile,
        begin: impl FnOnce(
            BufWriter<OutputWriter>,
        ) -> Result<FilmWriter<BufWriter<OutputWriter>>, FilmError>,
    ) -> Result<Self, FilmFileError> {
        let writer = begin(BufWriter::new(file.writer()?)).map_err(|cause| failed(&file, cause))?;
        let writer = Box::new(writer);
        Ok(Self(Kind::File { writer, file }))
    }

    /// Adds a frame.
    ///
    /// # Errors
    /// [`FilmFileError`] if it has another size than the others, or cannot be written.
    pub fn add(&mut self, picture: &Picture) -> Result<(), FilmFileError> {
        match &mut self.0 {
            Kind::Frames { folder, shot } => {
                let path = frame_path(folder, *shot);
                if path.exists() {
                    // Another process films to the same folder.
                    let folder = folder.display().to_string();
                    return Err(FilmFileError::Taken { folder });
                }
                atomic_write(&path, |out| {
                    write_png(picture, out).map_err(io::Error::from)
                })?;
                *shot += 1;
            }
            Kind::File { writer, file } => {
                writer.add(picture).map_err(|cause| failed(file, cause))?;
            }
        }
        Ok(())
    }

    /// Ends the film; only now its file appears.
    ///
    /// # Errors
    /// [`FilmFileError`] if it cannot be written; what was at its place is there still.
    pub fn finish(self) -> Result<(), FilmFileError> {
        let Kind::File { writer, file } = self.0 else {
            return Ok(());
        };
        match writer.finish() {
            // An APNG announces its frames, and the run has ended before the last of them.
            Err(FilmError::Count { found, .. }) if let Ok(frames) = u32::try_from(found) => {
                let corrected = correct_frame_count(&mut file.written()?, frames);
                corrected.map_err(|cause| file.error(cause))?;
            }
            finished => finished.map_err(|cause| failed(&file, cause))?,
        }
        Ok(file.commit()?)
    }
}

fn failed(file: &PendingFile, cause: FilmError) -> FilmFileError {
    match cause {
        FilmError::Write(cause) => FilmFileError::Write(file.error(cause)),
        cause => FilmFileError::Film {
            name: file.name(),
            cause,
        },
    }
}

fn frame_path(folder: &Path, frame: u64) -> PathBuf {
    folder.join(format!("frame-{frame:06}.png"))
}

/// Whether a name is that of a frame.
pub fn is_frame_name(name: &str) -> bool {
    let number = name
        .strip_prefix("frame-")
        .and_then(|name| name.strip_suffix(".png"));
    number.is_some_and(|number| number.len() >= 6 && number.bytes().all(|b| b.is_ascii_digit()))
}

/// Makes a folder, also one that a link leads to, if it is not there.
fn make_folder(folder: &Path) -> io::Result<()> {
    match folder.exists() {
        true => Ok(()),
        false => fs::create_dir_all(follow(folder)?),
    }
}

fn holds_frames(folder: &Path) -> io::Result<bool> {
    for entry in fs::read_dir(folder)? {
        if entry?.file_name().to_str().is_some_and(is_frame_name) {
            return Ok(true);
        }
    }
    Ok(false)
}
