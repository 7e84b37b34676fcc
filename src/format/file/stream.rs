//! Outputs that are written as they come: standard output, pipes and devices.
//!
//! The other end of a pipe may not be there yet, or not read. A writer waits for it only until
//! [`stop_waiting`] is called, so that a person or a batch system can end the program.

use std::fs::File;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use self::imp::InterruptibleWriter;

/// Whether the program is to end.
static STOPPED: AtomicBool = AtomicBool::new(false);

/// From now on no writer waits for a reader that does not come or does not read; one that has waited
/// in vain fails as if the reader had gone.
pub fn stop_waiting() {
    STOPPED.store(true, Ordering::SeqCst);
}

/// What is written in place.
#[derive(Clone, Debug)]
pub(super) enum Stream {
    /// Standard output.
    Standard,
    /// A named pipe, opened when there is something to write: opening it earlier and again would
    /// look to its reader like the end.
    Pipe(PathBuf),
    /// A device, or a regular file that cannot be replaced.
    File(PathBuf),
}

impl Stream {
    /// A writer, which opens the stream at the first byte.
    pub(super) const fn writer(self) -> StreamWriter {
        StreamWriter {
            stream: self,
            out: None,
        }
    }

    fn open(&self) -> io::Result<InterruptibleWriter> {
        match self {
            Self::Standard => InterruptibleWriter::standard(),
            Self::Pipe(path) => InterruptibleWriter::pipe(path),
            Self::File(path) => {
                let file = File::options().write(true).truncate(true).open(path)?;
                Ok(InterruptibleWriter::new(file))
            }
        }
    }
}

/// A stream in progress.
pub struct StreamWriter {
    stream: Stream,
    out: Option<InterruptibleWriter>,
}

impl StreamWriter {
    fn out(&mut self) -> io::Result<&mut InterruptibleWriter> {
        if self.out.is_none() {
            self.out = Some(self.stream.open()?);
        }
        self.out
            .as_mut()
            .ok_or_else(|| io::ErrorKind::NotConnected.into())
    }
}

impl Write for StreamWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out()?.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out()?.flush()
    }
}

/// Standard output without a buffer. It waits for its reader only as long as the program runs.
pub struct StandardOutput(StreamWriter);

impl StandardOutput {
    /// The standard output of this process.
    pub const fn new() -> Self {
        Self(Stream::Standard.writer())
    }
}

impl Default for StandardOutput {
    fn default() -> Self {
        Self::new()
    }
}

impl Write for StandardOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

#[cfg(unix)]
mod imp {
    use std::fs::File;
    use std::io::{self, Write};
    use std::os::fd::AsFd;
    use std::os::unix::fs::OpenOptionsExt;
    use std::path::Path;
    use std::sync::atomic::Ordering;
    use std::thread;
    use std::time::Duration;

    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    use rustix::fs::{OFlags, fcntl_setfl};
    use rustix::io::Errno;

    use super::STOPPED;

    /// How soon it is noticed that the program is to end.
    const INTERVAL: Duration = Duration::from_millis(50);

    /// A slow reader has so many of them to take what was finished when the program is to end.
    const GRACE: u32 = 20;

    /// Bytes that a pipe takes without waiting once it takes any (POSIX: at least 512, Linux 4096).
    const PIPE_BYTES: usize = 4096;

    /// A file that is written to only when it takes bytes.
    pub(super) struct InterruptibleWriter {
        file: File,
        /// How many bytes it takes at once where writing may have to wait.
        at_once: Option<usize>,
    }

    impl InterruptibleWriter {
        pub(super) fn standard() -> io::Result<Self> {
            Ok(Self::new(io::stdout().as_fd().try_clone_to_owned()?.into()))
        }

        pub(super) fn new(file: File) -> Self {
            let is_file = file.metadata().is_ok_and(|metadata| metadata.is_file());
            let at_once = (!is_file).then_some(PIPE_BYTES);
            Self { file, at_once }
        }

        /// Opens a named pipe when it has a reader.
        pub(super) fn pipe(path: &Path) -> io::Result<Self> {
            // Without this flag the system would wait, whatever signals come.
            let flags = OFlags::NONBLOCK.bits().cast_signed();
            loop {
                match File::options().write(true).custom_flags(flags).open(path) {
                    Err(error) if error.raw_os_error() == Some(Errno::NXIO.raw_os_error()) => {
                        if STOPPED.load(Ordering::SeqCst) {
                            return Err(io::ErrorKind::BrokenPipe.into());
                        }
                        thread::sleep(INTERVAL);
                    }
                    Err(error) => return Err(error),
                    Ok(file) => {
                        // From here on every write is waited for by itself.
                        fcntl_setfl(&file, OFlags::empty())?;
                        return Ok(Self::new(file));
                    }
                }
            }
        }
    }

    impl Write for InterruptibleWriter {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let Some(at_once) = self.at_once else {
                return self.file.write(bytes);
            };
            wait_for_room(&self.file)?;
            self.file.write(&bytes[..bytes.len().min(at_once)])
        }

        fn flush(&mut self) -> io::Result<()> {
            self.file.flush()
        }
    }

    /// Waits until the file takes bytes, fails or is closed.
    fn wait_for_room(file: &File) -> io::Result<()> {
        let interval = Timespec {
            tv_sec: 0,
            tv_nsec: i64::from(INTERVAL.subsec_nanos()),
        };
        let mut waited = 0;
        loop {
            let mut files = [PollFd::new(file, PollFlags::OUT)];
            match poll(&mut files, Some(&interval)) {
                Ok(0) => {}
                Err(error) if error == Errno::INTR => {}
                // Where a file cannot be polled, the write says what is wrong with it.
                Ok(_) | Err(_) => return Ok(()),
            }
            if STOPPED.load(Ordering::SeqCst) {
                waited += 1;
                if waited > GRACE {
                    return Err(io::ErrorKind::BrokenPipe.into());
                }
            }
        }
    }
}

#[cfg(not(unix))]
mod imp {
    use std::fs::File;
    use std::io::{self, Write};
    use std::path::Path;

    /// A stream. Here nothing is known about its other end.
    pub(super) struct InterruptibleWriter(Box<dyn Write + Send>);

    impl InterruptibleWriter {
        pub(super) fn standard() -> io::Result<Self> {
            Ok(Self(Box::new(io::stdout())))
        }

        pub(super) fn new(file: File) -> Self {
            Self(Box::new(file))
        }

        pub(super) fn pipe(path: &Path) -> io::Result<Self> {
            Ok(Self::new(File::options().write(true).open(path)?))
        }
    }

    impl Write for InterruptibleWriter {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            self.0.flush()
        }
    }
}
