//! Replacing files, all of their bytes or none.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile};
use thiserror::Error;

use super::{is_standard, name_of};
use crate::format::CannotHold;

/// Enough for the writer to be slower than its calls to the system.
const BUFFER: usize = 1 << 18;

/// Why a file was not written. The message is one line, names the file and is complete without
/// its sources.
#[derive(Debug, Error)]
pub enum WriteError {
    /// The system refused.
    #[error("{name}: cannot be written: {cause}{}", help(.cause))]
    Io {
        /// The file.
        name: String,
        /// The system's reason.
        cause: io::Error,
    },
    /// The format has no place for the board; the file was not touched.
    #[error("{name}: cannot be written: {cause}")]
    CannotHold {
        /// The file.
        name: String,
        /// What the format lacks, and one that does not.
        cause: CannotHold,
    },
}

impl WriteError {
    /// Whether the reader of a pipe has gone, which is no fault of ours.
    pub fn is_broken_pipe(&self) -> bool {
        matches!(self, Self::Io { cause, .. } if cause.kind() == io::ErrorKind::BrokenPipe)
    }
}

/// What a person can do about an error of the system.
fn help(cause: &io::Error) -> &'static str {
    match cause.kind() {
        io::ErrorKind::NotFound => "; create the folder first",
        io::ErrorKind::IsADirectory => "; name a file in it",
        _ => "",
    }
}

/// Replaces a file by what `produce` makes, all of it or not at all: the bytes go to a temporary
/// file beside it, which then takes its name. A new file has the permissions that any program
/// gives, a replaced one keeps its own. A link stays a link, and what is no regular file (a pipe,
/// `/dev/null`) is written to and not replaced.
///
/// # Errors
/// [`WriteError`], with the errors of `produce` among its causes.
pub fn atomic_write(
    path: &Path,
    produce: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), WriteError> {
    replace(path, produce).map_err(|cause| WriteError::Io {
        name: name_of(path, ""),
        cause,
    })
}

/// Makes the folder of a file that the program remembers things in, if it is not there.
///
/// # Errors
/// [`WriteError`] with the folder's name.
pub fn make_folder_of(path: &Path) -> Result<(), WriteError> {
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder).map_err(|cause| WriteError::Io {
        name: name_of(folder, ""),
        cause,
    })
}

fn replace(path: &Path, produce: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let pending = Pending::open(path)?;
    buffered(pending.file(), produce)?;
    pending.commit()
}

/// Whether a file can be made at a path, without making one. `-` always can.
///
/// # Errors
/// [`WriteError`] if not.
pub fn check_place(path: &Path) -> Result<(), WriteError> {
    if is_standard(path) {
        return Ok(());
    }
    PendingFile::create(path).map(drop)
}

/// A file in progress that appears, whole, when it is committed, and not at all if it is dropped
/// before. For writers that cannot be wrapped into one call of [`atomic_write`].
pub struct PendingFile {
    name: String,
    pending: Pending,
}

impl PendingFile {
    /// Begins a file; what the path holds now stays as it is for the time being.
    ///
    /// # Errors
    /// [`WriteError`] if no file can be made there.
    pub fn create(path: &Path) -> Result<Self, WriteError> {
        let name = name_of(path, "");
        match Pending::open(path) {
            Ok(pending) => Ok(Self { name, pending }),
            Err(cause) => Err(WriteError::Io { name, cause }),
        }
    }

    /// What messages call the file.
    pub fn name(&self) -> String {
        self.name.clone()
    }

    /// A handle to write to. It has no buffer.
    ///
    /// # Errors
    /// [`WriteError`] if the system has no handle left.
    pub fn writer(&self) -> Result<File, WriteError> {
        self.pending
            .file()
            .try_clone()
            .map_err(|cause| self.error(cause))
    }

    /// Lets the file appear. Everything must have been written and flushed.
    ///
    /// # Errors
    /// [`WriteError`]; the path then holds what it held before.
    pub fn commit(self) -> Result<(), WriteError> {
        let name = self.name;
        self.pending
            .commit()
            .map_err(|cause| WriteError::Io { name, cause })
    }

    fn error(&self, cause: io::Error) -> WriteError {
        let name = self.name.clone();
        WriteError::Io { name, cause }
    }
}

/// Where the bytes of a file go until it is complete.
enum Pending {
    /// To a temporary file that will take the target's name, and its permissions if there are any.
    Temporary {
        file: NamedTempFile,
        target: PathBuf,
        permissions: Option<fs::Permissions>,
    },
    /// Straight to what is no regular file.
    InPlace(File),
}

impl Pending {
    fn open(path: &Path) -> io::Result<Self> {
        let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let before = fs::metadata(&target).ok();
        if let Some(metadata) = &before {
            if metadata.is_dir() {
                return Err(io::Error::new(
                    io::ErrorKind::IsADirectory,
                    "it is a folder",
                ));
            }
            if !metadata.is_file() {
                return Ok(Self::InPlace(File::options().write(true).open(&target)?));
            }
        }
        let folder = match target.parent() {
            Some(folder) if folder != Path::new("") => folder.to_owned(),
            _ => PathBuf::from("."),
        };
        if !folder.is_dir() {
            let missing = "its folder does not exist";
            return Err(io::Error::new(io::ErrorKind::NotFound, missing));
        }
        let mut builder = Builder::new();
        builder.prefix(".duolife-");
        // A temporary file is private by default; the system still applies its mask.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        Ok(Self::Temporary {
            file: builder.tempfile_in(&folder)?,
            target,
            permissions: before.map(|metadata| metadata.permissions()),
        })
    }

    fn file(&self) -> &File {
        match self {
            Self::Temporary { file, .. } => file.as_file(),
            Self::InPlace(file) => file,
        }
    }

    fn commit(self) -> io::Result<()> {
        let Self::Temporary {
            file,
            target,
            permissions,
        } = self
        else {
            return Ok(());
        };
        if let Some(permissions) = permissions {
            file.as_file().set_permissions(permissions)?;
        }
        file.persist(&target).map_err(|error| error.error)?;
        Ok(())
    }
}

/// Lets `produce` write through a buffer, flushes it, and gives `out` back.
pub(super) fn buffered<W: Write>(
    out: W,
    produce: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<W> {
    let mut out = BufWriter::with_capacity(BUFFER, out);
    produce(&mut out)?;
    out.flush()?;
    out.into_inner().map_err(io::IntoInnerError::into_error)
}
