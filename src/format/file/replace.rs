//! Replacing files, all of their bytes or none.

use std::fs::{self, File};
use std::io::{self, BufWriter, Seek, Write};
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::destination::{Destination, folder_of, is_standard_output};
use super::name_of;
use super::stream::{Stream, StreamWriter};
use super::temporary::Temporary;
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

/// Writes what `produce` makes to a file, all of it or not at all: the bytes go to a temporary file
/// beside it, which then takes its name. A new file has the permissions that any program gives, a
/// replaced one keeps its own. A link stays a link, also one to a file that is not there yet. What
/// cannot be replaced is written in place: a pipe, a device, standard output (`-`), and, when all
/// bytes are known, a mounted file.
///
/// # Errors
/// [`WriteError`], with the errors of `produce` among its causes.
pub fn atomic_write(
    path: &Path,
    produce: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), WriteError> {
    let pending = PendingFile::create(path)?;
    buffered(pending.writer()?, produce).map_err(|cause| pending.error(cause))?;
    pending.commit()
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

/// Whether a file can be made at a path, without making one. Standard output and pipes always can.
///
/// # Errors
/// [`WriteError`] if not.
pub fn check_place(path: &Path) -> Result<(), WriteError> {
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
        let name = output_name(path);
        match Pending::open(path) {
            Ok(pending) => Ok(Self { name, pending }),
            Err(cause) => Err(WriteError::Io { name, cause }),
        }
    }

    /// Begins a file whose beginning may have to be corrected at its end. What cannot be rewound (a
    /// pipe) gets its bytes when all of them are known.
    ///
    /// # Errors
    /// [`WriteError`] if no file can be made there.
    pub fn create_seekable(path: &Path) -> Result<Self, WriteError> {
        let file = Self::create(path)?;
        let Self { name, pending } = file;
        match pending.seekable() {
            Ok(pending) => Ok(Self { name, pending }),
            Err(cause) => Err(WriteError::Io { name, cause }),
        }
    }

    /// What messages call the file.
    pub fn name(&self) -> String {
        self.name.clone()
    }

    /// Where its bytes go. It has no buffer.
    ///
    /// # Errors
    /// [`WriteError`] if the system has no handle left.
    pub fn writer(&self) -> Result<OutputWriter, WriteError> {
        let writer = match &self.pending {
            Pending::Streamed(stream) => Ok(OutputWriter::Stream(stream.clone().writer())),
            Pending::Replacing { .. } | Pending::Copied { .. } => {
                let file = self.pending.file().and_then(File::try_clone);
                file.map(OutputWriter::File)
            }
        };
        writer.map_err(|cause| self.error(cause))
    }

    /// The bytes written so far, of a file that was begun as seekable.
    ///
    /// # Errors
    /// [`WriteError`] for other files.
    pub fn written(&self) -> Result<File, WriteError> {
        let file = self.pending.file().and_then(File::try_clone);
        file.map_err(|cause| self.error(cause))
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

    /// The error of this file with a cause.
    pub fn error(&self, cause: io::Error) -> WriteError {
        let name = self.name.clone();
        WriteError::Io { name, cause }
    }
}

/// Where the bytes of a [`PendingFile`] go.
pub enum OutputWriter {
    /// To a file that is not in its place yet.
    File(File),
    /// To their destination, as they come.
    Stream(StreamWriter),
}

impl Write for OutputWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::File(file) => file.write(bytes),
            Self::Stream(stream) => stream.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::File(file) => file.flush(),
            Self::Stream(stream) => stream.flush(),
        }
    }
}

/// Where the bytes of a file go until it is complete.
enum Pending {
    /// To a temporary file that will take the target's name, and its permissions if there are any.
    Replacing {
        file: Temporary,
        target: PathBuf,
        permissions: Option<fs::Permissions>,
    },
    /// To a file without a name, and from there to the stream.
    Copied { file: File, stream: Stream },
    /// Straight to the stream.
    Streamed(Stream),
}

impl Pending {
    fn open(path: &Path) -> io::Result<Self> {
        let (target, permissions) = match Destination::of(path)? {
            Destination::Standard => return Ok(Self::Streamed(Stream::Standard)),
            Destination::Pipe(path) => return Ok(Self::Streamed(Stream::Pipe(path))),
            Destination::Device(path) => {
                // Whether it can be opened at all.
                File::options().write(true).open(&path)?;
                return Ok(Self::Streamed(Stream::File(path)));
            }
            Destination::Regular {
                target,
                permissions,
            } => (target, permissions),
        };
        match Temporary::create_in(&folder_of(&target)) {
            Ok(file) => Ok(Self::Replacing {
                file,
                target,
                permissions,
            }),
            // The file can be written to, but not its folder.
            Err(_) if permissions.is_some() => Self::copied(Stream::File(target)),
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
                // Without the name of a temporary file, which says nothing to anybody.
                let message = "its folder is write-protected; name a file in another";
                Err(io::Error::new(error.kind(), message))
            }
            Err(error) => Err(error),
        }
    }

    fn copied(stream: Stream) -> io::Result<Self> {
        let file = tempfile::tempfile()?;
        Ok(Self::Copied { file, stream })
    }

    /// The same with bytes that can be changed until it is committed.
    fn seekable(self) -> io::Result<Self> {
        match self {
            Self::Streamed(stream) => Self::copied(stream),
            Self::Replacing { .. } | Self::Copied { .. } => Ok(self),
        }
    }

    fn file(&self) -> io::Result<&File> {
        match self {
            Self::Replacing { file, .. } => file.file(),
            Self::Copied { file, .. } => Ok(file),
            Self::Streamed(_) => Err(io::ErrorKind::NotSeekable.into()),
        }
    }

    fn commit(self) -> io::Result<()> {
        match self {
            Self::Replacing {
                mut file,
                target,
                permissions,
            } => {
                if let Some(permissions) = permissions {
                    file.file()?.set_permissions(permissions)?;
                }
                match file.persist(&target) {
                    // Another file system is mounted on it: it cannot be replaced, only written to.
                    Err(error) if error.kind() == io::ErrorKind::ResourceBusy => {
                        copy(file.file()?, Stream::File(target))
                    }
                    persisted => persisted,
                }
            }
            Self::Copied { file, stream } => copy(&file, stream),
            Self::Streamed(_) => Ok(()),
        }
    }
}

/// Writes all bytes of a file to a stream.
fn copy(mut file: &File, stream: Stream) -> io::Result<()> {
    file.rewind()?;
    let mut out = stream.writer();
    io::copy(&mut file, &mut out)?;
    out.flush()
}

/// What messages call an output.
fn output_name(path: &Path) -> String {
    match is_standard_output(path) {
        true => "standard output".into(),
        false => name_of(path, ""),
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
