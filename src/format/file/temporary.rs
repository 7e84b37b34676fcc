//! Temporary files beside their targets, and how a program that is ended from outside removes them.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::{Builder, NamedTempFile};

/// The temporary files that are there.
static PRESENT: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn present() -> MutexGuard<'static, Vec<PathBuf>> {
    PRESENT.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes all temporary files. For a process that ends at once, whatever its threads are doing: none
/// of them can make a new one.
pub fn remove_temporary_files() {
    let mut present = present();
    for path in present.drain(..) {
        // What cannot be removed is left; there is nobody to tell.
        let _ = fs::remove_file(path);
    }
    // Never unlocked again.
    std::mem::forget(present);
}

/// A file that takes a name when it is complete, and is removed otherwise.
pub(super) struct Temporary {
    /// There until it has taken its name.
    file: Option<NamedTempFile>,
    path: PathBuf,
}

impl Temporary {
    /// A file in a folder, with the permissions that any program gives.
    pub(super) fn create_in(folder: &Path) -> io::Result<Self> {
        let mut builder = Builder::new();
        builder.prefix(".duolife-");
        // A temporary file is private by default; the system still applies its mask.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        // Locked from before the file is there until it is in the list.
        let mut present = present();
        let file = builder.tempfile_in(folder)?;
        let path = file.path().to_owned();
        present.push(path.clone());
        Ok(Self {
            file: Some(file),
            path,
        })
    }

    /// The file, unless it has taken its name.
    pub(super) fn file(&self) -> io::Result<&File> {
        let file = self.file.as_ref().map(NamedTempFile::as_file);
        file.ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    /// Gives it its name. After an error it still is what it was.
    pub(super) fn persist(&mut self, target: &Path) -> io::Result<()> {
        let Some(file) = self.file.take() else {
            return Err(io::ErrorKind::NotFound.into());
        };
        file.persist(target).map(drop).map_err(|error| {
            self.file = Some(error.file);
            error.error
        })
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        drop(self.file.take());
        present().retain(|path| *path != self.path);
    }
}
