//! Reading boards from files and writing them. `-` is standard input or output.

mod destination;
mod replace;
mod stream;
mod temporary;

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use thiserror::Error;

pub(in crate::format) use self::destination::follow;
pub use self::destination::{FileIdentity, is_standard_output};
pub use self::replace::{
    OutputWriter, PendingFile, WriteError, atomic_write, check_place, make_folder_of,
};
pub use self::stream::{StandardOutput, StreamWriter, stop_waiting};
pub use self::temporary::remove_temporary_files;
use super::rezolution::RezolutionDocument;
use super::{
    Content, DetectError, Format, FormatError, LifelikeDocument, LifelikePattern, Limits, detect,
    encode, encode_rezolution, parse_content, png,
};
use crate::rules::FamilyName;

/// Why a file was not read. The message is one line, names the file and is complete without its
/// sources.
#[derive(Debug, Error)]
pub enum ReadError {
    /// The system refused.
    #[error("{name}: cannot be read: {cause}")]
    Io {
        /// The file.
        name: String,
        /// The system's reason.
        cause: io::Error,
    },
    /// It is larger than the limits allow.
    #[error("{name}: the file is longer than the {most} bytes that are allowed")]
    TooLong {
        /// The file.
        name: String,
        /// Bytes allowed.
        most: u64,
    },
    /// It is in no format that is read.
    #[error("{name}: {cause}")]
    Detect {
        /// The file.
        name: String,
        /// What it is instead.
        cause: DetectError,
    },
    /// It holds a board of another family than is asked for.
    #[error("{name}: this is {family}; duolife run takes it")]
    OtherFamily {
        /// The file.
        name: String,
        /// What it is a board of.
        family: &'static str,
    },
    /// It is faulty.
    #[error("{name}: {cause}")]
    Format {
        /// The file.
        name: String,
        /// Where and why.
        cause: FormatError,
    },
}

/// Reads a file of dead, red and blue cells in the format given, or else in whatever format it is.
///
/// # Errors
/// [`ReadError`], naming the file and the place in it.
pub fn read(
    path: &Path,
    format: Option<Format>,
    limits: &Limits,
) -> Result<LifelikePattern, ReadError> {
    match read_content(path, format, limits)? {
        Content::Lifelike(pattern) => Ok(pattern),
        other => Err(ReadError::OtherFamily {
            name: name_of(path, "standard input"),
            family: other.family().board(),
        }),
    }
}

/// Reads a file of any family in the format given, or else in whatever format it is.
///
/// # Errors
/// [`ReadError`], naming the file and the place in it.
pub fn read_content(
    path: &Path,
    format: Option<Format>,
    limits: &Limits,
) -> Result<Content, ReadError> {
    let bytes = read_bytes(path, limits.max_file_bytes)?;
    let name = || name_of(path, "standard input");
    let found = Format::detect(&bytes, Some(path));
    let format = match (format, found) {
        // Whatever else it is taken for would only find fault with its first words.
        (Some(_), Ok(found)) if found.family() != FamilyName::Lifelike => found,
        (Some(format), _) | (None, Ok(format)) => format,
        (None, Err(cause)) => {
            return Err(ReadError::Detect {
                name: name(),
                cause,
            });
        }
    };
    parse_content(&bytes, format, limits).map_err(|cause| ReadError::Format {
        name: name(),
        cause,
    })
}

/// The family whose board an ordinary file seems to hold, by how it begins. What cannot be looked at
/// twice, or at all, has none.
pub fn family_of(path: &Path) -> Option<FamilyName> {
    let file = File::open(path).ok()?;
    if !file.metadata().ok()?.is_file() {
        return None;
    }
    let mut head = Vec::new();
    file.take(detect::SEARCHED_BYTES as u64)
        .read_to_end(&mut head)
        .ok()?;
    let format = Format::detect(&head, Some(path)).ok()?;
    Some(format.family())
}

/// Reads a PNG that was drawn at a whole-number scale.
///
/// # Errors
/// [`ReadError`], naming the file and the place in it.
pub fn read_picture(
    path: &Path,
    scale: u32,
    limits: &Limits,
) -> Result<LifelikePattern, ReadError> {
    let bytes = read_bytes(path, limits.max_file_bytes)?;
    png::parse(&bytes, scale, limits).map_err(|cause| ReadError::Format {
        name: name_of(path, "standard input"),
        cause,
    })
}

/// The bytes of a file of at most `most` bytes. Never takes memory for more, however long the file
/// is or claims to be.
///
/// # Errors
/// [`ReadError::Io`] and [`ReadError::TooLong`].
pub fn read_bytes(path: &Path, most: u64) -> Result<Vec<u8>, ReadError> {
    let name = || name_of(path, "standard input");
    let bytes = if is_standard(path) {
        read_bounded(io::stdin().lock(), 0, most)
    } else {
        File::open(path).and_then(|file| {
            // What is no regular file (a pipe, say) gives no length.
            let length = file.metadata().map_or(0, |metadata| metadata.len());
            read_bounded(file, length, most)
        })
    };
    match bytes {
        Ok(Some(bytes)) => Ok(bytes),
        Ok(None) => Err(ReadError::TooLong { name: name(), most }),
        Err(cause) => Err(ReadError::Io {
            name: name(),
            cause,
        }),
    }
}

/// All bytes of `reader`, or `None` if there are more than `most`. `expected` only decides how
/// much room is made at once.
fn read_bounded(reader: impl Read, expected: u64, most: u64) -> io::Result<Option<Vec<u8>>> {
    if expected > most {
        return Ok(None);
    }
    let mut bytes = Vec::new();
    bytes
        .try_reserve_exact(expected as usize)
        .map_err(|_| io::Error::from(io::ErrorKind::OutOfMemory))?;
    reader
        .take(most.saturating_add(1))
        .read_to_end(&mut bytes)?;
    Ok((bytes.len() as u64 <= most).then_some(bytes))
}

/// Writes a board to a file in a format.
///
/// # Errors
/// [`WriteError`]; the file is then what it was before.
pub fn save(document: &LifelikeDocument, format: Format, path: &Path) -> Result<(), WriteError> {
    let name = || name_of(path, "standard output");
    format
        .check(document)
        .map_err(|cause| WriteError::CannotHold {
            name: name(),
            cause,
        })?;
    atomic_write(path, |out| encode(document, format, out))
}

/// Writes a board of reZolution to a file in a format.
///
/// # Errors
/// [`WriteError`]; the file is then what it was before.
pub fn save_rezolution(
    document: &RezolutionDocument<'_>,
    format: Format,
    path: &Path,
) -> Result<(), WriteError> {
    let checked = format.check_rezolution();
    checked.map_err(|cause| WriteError::CannotHold {
        name: name_of(path, "standard output"),
        cause,
    })?;
    atomic_write(path, |out| encode_rezolution(document, format, out))
}

/// Whether the path stands for standard input or output.
fn is_standard(path: &Path) -> bool {
    path == Path::new("-")
}

/// How a message calls a file.
fn name_of(path: &Path, standard: &str) -> String {
    if is_standard(path) && !standard.is_empty() {
        return standard.into();
    }
    super::one_line(path.to_string_lossy().as_bytes())
}

#[cfg(test)]
mod tests;
