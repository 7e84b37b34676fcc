//! Where the path of an output leads.

use std::fs::{self, Metadata, Permissions};
use std::io;
use std::path::{Path, PathBuf};

/// Links that are followed before they are taken for a circle, as systems do.
const MAX_LINKS: usize = 40;

/// What is at the end of an output's path.
pub(super) enum Destination {
    /// Standard output.
    Standard,
    /// A regular file that is there, or a new one.
    Regular {
        /// Its path without links.
        target: PathBuf,
        /// Of the file that is there.
        permissions: Option<Permissions>,
    },
    /// A named pipe, which may have no reader yet.
    Pipe(PathBuf),
    /// A device, or something else that is written in place.
    Device(PathBuf),
}

impl Destination {
    /// Where `path` leads: `-` to standard output, a link to what it names, whether that is there or
    /// not.
    ///
    /// # Errors
    /// If nothing can be written there: a folder, a file without write permission.
    pub(super) fn of(path: &Path) -> io::Result<Self> {
        if is_standard_output(path) {
            return Ok(Self::Standard);
        }
        let metadata = match fs::metadata(path) {
            Ok(metadata) => metadata,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let target = follow(path)?;
                check_folder_of(&target)?;
                return Ok(Self::Regular {
                    target,
                    permissions: None,
                });
            }
            Err(error) => return Err(error),
        };
        if metadata.is_dir() {
            let kind = io::ErrorKind::IsADirectory;
            return Err(io::Error::new(kind, "it is a folder"));
        }
        check_writable(path, &metadata)?;
        if is_pipe(&metadata) {
            return Ok(Self::Pipe(path.into()));
        }
        if !metadata.is_file() {
            return Ok(Self::Device(path.into()));
        }
        Ok(Self::Regular {
            target: fs::canonicalize(path)?,
            permissions: Some(metadata.permissions()),
        })
    }
}

/// Whether the path stands for standard output.
pub fn is_standard_output(path: &Path) -> bool {
    path == Path::new("-") || path == Path::new("/dev/stdout")
}

/// What a file is, by whatever path: two outputs with the same identity would destroy each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileIdentity {
    /// Standard output.
    Standard,
    /// A file that is there.
    #[cfg(unix)]
    Inode(u64, u64),
    /// A file by its path without links.
    Path(PathBuf),
}

impl FileIdentity {
    /// What a path leads to. Devices such as `/dev/null` have no identity: they take any number of
    /// outputs.
    pub fn of(path: &Path) -> Option<Self> {
        if is_standard_output(path) {
            return Some(Self::Standard);
        }
        if let Ok(metadata) = fs::metadata(path) {
            let has_content = metadata.is_file() || metadata.is_dir() || is_pipe(&metadata);
            return has_content.then(|| Self::of_existing(path, &metadata))?;
        }
        let target = follow(path).ok()?;
        let folder = fs::canonicalize(folder_of(&target)).ok()?;
        Some(Self::Path(folder.join(target.file_name()?)))
    }

    #[cfg(unix)]
    #[expect(
        clippy::unnecessary_wraps,
        reason = "elsewhere the path may have no canonical form"
    )]
    fn of_existing(_path: &Path, metadata: &Metadata) -> Option<Self> {
        use std::os::unix::fs::MetadataExt;
        Some(Self::Inode(metadata.dev(), metadata.ino()))
    }

    #[cfg(not(unix))]
    fn of_existing(path: &Path, _metadata: &Metadata) -> Option<Self> {
        fs::canonicalize(path).ok().map(Self::Path)
    }
}

/// The folder that holds a file.
pub(super) fn folder_of(target: &Path) -> PathBuf {
    match target.parent() {
        Some(folder) if folder != Path::new("") => folder.to_owned(),
        _ => PathBuf::from("."),
    }
}

/// The path that links lead to, which need not be there.
pub(in crate::format) fn follow(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MAX_LINKS {
        match fs::read_link(&path) {
            Ok(next) => path = folder_of(&path).join(next),
            Err(_) => return Ok(path),
        }
    }
    let message = "its links lead in a circle";
    Err(io::Error::new(io::ErrorKind::InvalidInput, message))
}

fn check_folder_of(target: &Path) -> io::Result<()> {
    if target.file_name().is_none() {
        let message = "this names no file";
        return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
    }
    if !folder_of(target).is_dir() {
        let message = "its folder does not exist";
        return Err(io::Error::new(io::ErrorKind::NotFound, message));
    }
    Ok(())
}

/// A file can be replaced where its folder can be written to; its own permission says whether its
/// owner wants that. The system lets an administrator write to every file, so the permission is looked at, too.
fn check_writable(path: &Path, metadata: &Metadata) -> io::Result<()> {
    let denied = || {
        let message = "it is write-protected; allow writing to it or name another file";
        io::Error::new(io::ErrorKind::PermissionDenied, message)
    };
    if metadata.permissions().readonly() {
        return Err(denied());
    }
    if !metadata.is_file() {
        return Ok(());
    }
    match fs::File::options().write(true).open(path) {
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => Err(denied()),
        opened => opened.map(drop),
    }
}

#[cfg(unix)]
fn is_pipe(metadata: &Metadata) -> bool {
    use std::os::unix::fs::FileTypeExt;
    metadata.file_type().is_fifo()
}

#[cfg(not(unix))]
fn is_pipe(_metadata: &Metadata) -> bool {
    false
}
