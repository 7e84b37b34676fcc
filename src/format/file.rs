//! Opening and replacing files. `-` is standard input or output.

use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile};
use thiserror::Error;

use super::rezolution::RezolutionDocument;
use super::{
    CannotHold, Content, DetectError, Format, FormatError, LifelikeDocument, LifelikePattern,
    Limits, detect, encode, encode_rezolution, parse_content, png,
};
use crate::rules::FamilyName;

/// Enough for the writer to be slower than its calls to the system.
const BUFFER: usize = 1 << 18;

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
    #[error("{name}: this is a board of reZolution, which has populations; duolife run takes it")]
    Rezolution {
        /// The file.
        name: String,
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
        Content::Rezolution(_) => Err(ReadError::Rezolution {
            name: name_of(path, "standard input"),
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
        (Some(_), Ok(Format::Rezolution)) => Format::Rezolution,
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
    write(path, |out| encode(document, format, out))
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
    write(path, |out| encode_rezolution(document, format, out))
}

/// Writes what `produce` makes to a file, or to standard output as it comes.
///
/// # Errors
/// [`WriteError`], with the errors of `produce` among its causes.
pub fn write(
    path: &Path,
    produce: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), WriteError> {
    if !is_standard(path) {
        return atomic_write(path, produce);
    }
    buffered(io::stdout().lock(), produce)
        .map(drop)
        .map_err(|cause| WriteError::Io {
            name: name_of(path, "standard output"),
            cause,
        })
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

/// A file under way that appears, whole, when it is committed, and not at all if it is dropped
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
fn buffered<W: Write>(
    out: W,
    produce: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<W> {
    let mut out = BufWriter::with_capacity(BUFFER, out);
    produce(&mut out)?;
    out.flush()?;
    out.into_inner().map_err(io::IntoInnerError::into_error)
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
mod tests {
    use super::*;
    use crate::board::{LifelikeBoard, Size, start};

    fn board() -> LifelikeBoard {
        start::random(Size::new(50, 20).unwrap(), 0.4, 2).unwrap()
    }

    /// The names in a folder.
    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<_> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn what_is_saved_is_read_again() {
        let folder = tempfile::tempdir().unwrap();
        let board = board();
        for format in [Format::Grid, Format::Rle, Format::Png] {
            let path = folder
                .path()
                .join("board")
                .with_extension(format.info().name);
            save(&LifelikeDocument::new(&board), format, &path).unwrap();
            assert_eq!(read(&path, None, &Limits::default()).unwrap().board, board);
        }
        assert_eq!(
            names(folder.path()),
            ["board.grid", "board.png", "board.rle"]
        );
    }

    #[test]
    fn a_board_that_a_format_cannot_hold_leaves_the_old_file() {
        let folder = tempfile::tempdir().unwrap();
        for (name, format) in [("a.cells", Format::Cells), ("a.lif", Format::Life106)] {
            let path = folder.path().join(name);
            fs::write(&path, "old").unwrap();
            let error = save(&LifelikeDocument::new(&board()), format, &path).unwrap_err();
            let message = error.to_string();
            assert!(matches!(error, WriteError::CannotHold { .. }), "{message}");
            assert!(
                message.contains(name) && message.contains("(.rle)"),
                "{message}"
            );
            assert_eq!(fs::read(&path).unwrap(), b"old");
        }
        let none = folder.path().join("none.mc");
        let error = save(&LifelikeDocument::new(&board()), Format::Macrocell, &none).unwrap_err();
        assert!(error.to_string().contains("read only"), "{error}");
        assert_eq!(names(folder.path()), ["a.cells", "a.lif"]);
        // In one colour the very same board goes through both.
        let red = LifelikeBoard::from_planes(
            board().size(),
            board().alive().to_vec(),
            vec![0; board().size().plane_words()],
        )
        .unwrap();
        for (name, format) in [("a.cells", Format::Cells), ("a.lif", Format::Life106)] {
            let path = folder.path().join(name);
            save(&LifelikeDocument::new(&red), format, &path).unwrap();
            let again = read(&path, None, &Limits::default()).unwrap().board;
            assert_eq!(again.census(), red.census());
        }
    }

    #[test]
    fn a_write_that_fails_leaves_the_old_file_and_no_other() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        fs::write(&path, "old").unwrap();
        let error = atomic_write(&path, |out| {
            out.write_all(&vec![b'.'; 1 << 20])?;
            Err(io::Error::other("stop"))
        });
        let message = error.unwrap_err().to_string();
        assert!(
            message.ends_with("a.txt: cannot be written: stop"),
            "{message}"
        );
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(names(folder.path()), ["a.txt"]);
        atomic_write(&path, |out| out.write_all(b"new")).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(names(folder.path()), ["a.txt"]);
    }

    #[cfg(unix)]
    #[test]
    fn permissions_and_links_are_those_of_an_ordinary_write() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let mode = |name: &str| fs::metadata(at(name)).unwrap().permissions().mode() & 0o777;
        let put = |name: &str| atomic_write(&at(name), |out| out.write_all(b"new")).unwrap();
        fs::write(at("plain"), "").unwrap();
        put("fresh");
        assert_eq!(mode("fresh"), mode("plain"));
        fs::set_permissions(at("plain"), fs::Permissions::from_mode(0o640)).unwrap();
        put("plain");
        assert_eq!(mode("plain"), 0o640);
        symlink("plain", at("link")).unwrap();
        fs::write(at("plain"), "").unwrap();
        put("link");
        assert!(fs::symlink_metadata(at("link")).unwrap().is_symlink());
        assert_eq!(fs::read(at("plain")).unwrap(), b"new");
        atomic_write(Path::new("/dev/null"), |out| out.write_all(b"new")).unwrap();
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
    }

    #[test]
    fn where_nothing_can_be_written_the_message_helps() {
        let folder = tempfile::tempdir().unwrap();
        let refused = |path: &Path| atomic_write(path, |_| Ok(())).unwrap_err().to_string();
        let message = refused(&folder.path().join("no/such/a.txt"));
        assert!(message.ends_with("create the folder first"), "{message}");
        let message = refused(folder.path());
        assert!(message.ends_with("name a file in it"), "{message}");
        let broken = WriteError::Io {
            name: "standard output".into(),
            cause: io::ErrorKind::BrokenPipe.into(),
        };
        assert!(broken.is_broken_pipe());
    }

    #[test]
    fn a_file_longer_than_allowed_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.rle");
        fs::write(&path, "x = 1, y = 1\no!\n").unwrap();
        assert_eq!(read_bytes(&path, 16).unwrap().len(), 16);
        let error = read_bytes(&path, 15).unwrap_err();
        assert!(
            matches!(error, ReadError::TooLong { most: 15, .. }),
            "{error}"
        );
        // A stream tells no length and may never end.
        assert_eq!(read_bounded(io::repeat(b'o'), 0, 1000).unwrap(), None);
        assert_eq!(read_bounded(io::empty(), 0, 0).unwrap(), Some(vec![]));
    }

    #[test]
    fn an_unreadable_file_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let message = |name: &str| {
            read(&at(name), None, &Limits::default())
                .unwrap_err()
                .to_string()
        };
        assert!(message("none.rle").contains("none.rle: cannot be read: "));
        assert!(message("").contains("cannot be read: "));
        fs::write(at("a.txt"), "1 1\n?\n").unwrap();
        assert!(message("a.txt").contains("a.txt: line 2, column 1: expected a cell"));
        fs::write(at("b.rle"), b"GIF89a").unwrap();
        assert!(message("b.rle").contains("b.rle: this is a GIF"));
        fs::write(at("c.rle"), "!Name: c\n.Q\n").unwrap();
        assert!(message("c.rle").contains("c.rle: line 2, column 2: expected a cell"));
    }
}
