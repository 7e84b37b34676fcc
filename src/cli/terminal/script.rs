//! Lines of commands, from a file, a pipe or a terminal.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use anyhow::{Result, anyhow, bail};

use crate::cli::interrupt;

/// Bytes of the longest line.
const MAX_LINE: u64 = 1 << 16;

/// How soon Ctrl-C is noticed while a line is waited for.
const PATIENCE: Duration = Duration::from_millis(50);

/// Commands that arrive line by line.
pub(super) struct Script {
    name: String,
    /// Read by a thread of its own: a read from a terminal cannot be ended by Ctrl-C.
    lines: Receiver<io::Result<Vec<u8>>>,
    number: u64,
}

impl Script {
    /// Commands from a file, or from standard input without one or for `-`.
    pub(super) fn open(path: Option<&Path>) -> Result<Self> {
        let path = path.filter(|path| path.as_os_str() != "-");
        let name = path.map_or_else(
            || "standard input".to_owned(),
            |path| path.display().to_string(),
        );
        let (sender, lines) = mpsc::sync_channel(1);
        let mut source: Box<dyn BufRead + Send> = match path {
            None => Box::new(BufReader::new(io::stdin())),
            Some(path) => match File::open(path) {
                Ok(file) => Box::new(BufReader::new(file)),
                Err(cause) => bail!("{name}: cannot be read: {cause}"),
            },
        };
        thread::spawn(move || {
            loop {
                let mut line = Vec::new();
                let read = source.by_ref().take(MAX_LINE + 1);
                let read = { read }.read_until(b'\n', &mut line);
                let ended = !matches!(read, Ok(1..));
                if matches!(read, Ok(0)) || sender.send(read.map(|_| line)).is_err() || ended {
                    return;
                }
            }
        });
        Ok(Self {
            name,
            lines,
            number: 0,
        })
    }

    /// The words of the next line, without its comment; `None` at the end and after Ctrl-C.
    pub(super) fn next(&mut self) -> Result<Option<Vec<String>>> {
        let line = loop {
            if interrupt::is_requested() {
                return Ok(None);
            }
            match self.lines.recv_timeout(PATIENCE) {
                Ok(line) => break line,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
            }
        };
        self.number += 1;
        let line = line.map_err(|cause| anyhow!("{}: cannot be read: {cause}", self.name))?;
        if line.len() as u64 > MAX_LINE {
            bail!("{}: longer than {MAX_LINE} bytes", self.place());
        }
        let Ok(line) = String::from_utf8(line) else {
            bail!("{}: this is no text", self.place());
        };
        Ok(Some(words(&line)))
    }

    /// The file and the line last read.
    pub(super) fn place(&self) -> String {
        format!("{}: line {}", self.name, self.number)
    }
}

/// The words of a line up to a `#`.
fn words(line: &str) -> Vec<String> {
    let line = line.split('#').next().unwrap_or_default();
    line.split_whitespace().map(str::to_owned).collect()
}
