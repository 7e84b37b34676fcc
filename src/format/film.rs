//! Films on disk: an animated GIF or PNG, Y4M, or a folder of PNG frames.
//!
//! A file appears when its film is finished, and not at all if it fails; frames in a folder appear
//! one by one.

use glam::UVec2;
use std::fs::{self, File};
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::file::{PendingFile, WriteError, atomic_write};
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
        #[source]
        cause: FilmError,
    },
    /// The folder of frames cannot be made.
    #[error("{folder}: cannot be made: {cause}")]
    Folder {
        /// The folder.
        folder: String,
        /// Why.
        #[source]
        cause: io::Error,
    },
    /// Frames of two films would mix.
    #[error("{folder}: holds frames already; name another folder or remove them")]
    Taken {
        /// The folder.
        folder: String,
    },
    /// The file cannot be written.
    #[error("{name}: cannot be written: {cause}")]
    Io {
        /// The file.
        name: String,
        /// Why.
        #[source]
        cause: io::Error,
    },
}

/// A film in progress.
pub struct FilmFile(Kind);

enum Kind {
    Frames {
        folder: PathBuf,
        shot: u64,
    },
    File {
        writer: Box<FilmWriter<BufWriter<File>>>,
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
            Some(_) => Err(FilmFileError::Io {
                name: path.display().to_string(),
                cause: io::Error::new(
                    io::ErrorKind::InvalidInput,
                    "no film has this extension; use .gif, .apng, .y4m, or none for a folder of frames",
                ),
            }),
        }
    }

    /// Begins a folder of PNG frames; it is made if it is not there.
    ///
    /// # Errors
    /// [`FilmFileError`] if it cannot be made or holds frames already.
    pub fn frames(folder: &Path) -> Result<Self, FilmFileError> {
        let shown = folder.display().to_string();
        fs::create_dir_all(folder).map_err(|cause| FilmFileError::Folder {
            folder: shown.clone(),
            cause,
        })?;
        if frame_path(folder, 0).exists() {
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
        Self::file(path, |out| FilmWriter::gif(out, size, rate))
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
        Self::file(path, |out| FilmWriter::apng(out, size, rate, frames))
    }

    /// Begins uncompressed frames for other encoders.
    ///
    /// # Errors
    /// [`FilmFileError`]; nothing has changed then.
    pub fn y4m(path: &Path, size: UVec2, rate: FrameRate) -> Result<Self, FilmFileError> {
        Self::file(path, |out| FilmWriter::y4m(out, size, rate))
    }

    fn file(
        path: &Path,
        begin: impl FnOnce(BufWriter<File>) -> Result<FilmWriter<BufWriter<File>>, FilmError>,
    ) -> Result<Self, FilmFileError> {
        let file = PendingFile::create(path)?;
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
                atomic_write(&frame_path(folder, *shot), |out| {
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
                let corrected = correct_frame_count(&mut file.writer()?, frames);
                corrected.map_err(|cause| FilmFileError::Io {
                    name: file.name(),
                    cause,
                })?;
            }
            finished => finished.map_err(|cause| failed(&file, cause))?,
        }
        Ok(file.commit()?)
    }
}

fn failed(file: &PendingFile, cause: FilmError) -> FilmFileError {
    let name = file.name();
    FilmFileError::Film { name, cause }
}

fn frame_path(folder: &Path, frame: u64) -> PathBuf {
    folder.join(format!("frame-{frame:06}.png"))
}
