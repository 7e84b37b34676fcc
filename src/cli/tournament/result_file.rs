//! The file of the results, a line per game: writing it, and resuming where it ends.
//!
//! The file is a log: whole lines, in the order of the games, appended as games are finished. So
//! whatever ends the program, the file holds the first games and at most one half line, which is
//! cut off when the tournament is resumed. It is the one file that is not replaced as a whole.

use std::fs::{self, File, TryLockError};
use std::io::{self, BufRead, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};

use crate::arena::results::{ResultFormat, ResultRow, RowReader};
use crate::format::file::OutputWriter;
use crate::format::{PendingFile, is_standard_output};

/// The longest line that is read; names are the only part without a limit.
const MAX_LINE_BYTES: u64 = 1 << 20;

/// The format of a file by its name; CSV for streams without any.
pub(super) fn format_of_name(path: &Path) -> Result<ResultFormat> {
    let extension = path.extension().and_then(|extension| extension.to_str());
    extension
        .and_then(ResultFormat::of_extension)
        .or_else(|| is_stream(path).then_some(ResultFormat::Csv))
        .ok_or_else(|| {
            anyhow!(
                "{}: results are written as .csv or .jsonl; choose such a name",
                path.display()
            )
        })
}

/// The results of a tournament on their way to a file.
pub(super) struct ResultFile {
    name: String,
    out: Out,
    /// What has to be done before the first line is written. A file is left as it is until then: whatever
    /// keeps the tournament from being played costs nothing.
    begin: Option<Begin>,
    finished: u64,
}

enum Out {
    Nowhere,
    Stream(BufWriter<OutputWriter>),
    File(File),
}

/// How a result file is begun.
struct Begin {
    /// Bytes of a file that stay.
    keep: u64,
    /// What comes after them.
    header: Vec<u8>,
    /// The file, if it was made for this tournament; it is removed if nothing is written to it.
    made: Option<PathBuf>,
}

/// What happens to a file that exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Existing {
    Resume,
    MustExist,
    Overwrite,
}

impl ResultFile {
    /// Keeps no results.
    pub(super) const fn none() -> Self {
        Self {
            name: String::new(),
            out: Out::Nowhere,
            begin: None,
            finished: 0,
        }
    }

    /// Opens the file at `path`, hands the rows it holds to `add`, and continues after them.
    pub(super) fn open(
        path: &Path,
        existing: Existing,
        tournament: &str,
        add: impl FnMut(&ResultRow) -> Result<()>,
    ) -> Result<Self> {
        let format = format_of_name(path)?;
        // Whether it can be written to, and what it is.
        let place = PendingFile::create(path)?;
        if is_stream(path) {
            return Ok(Self {
                name: place.name(),
                out: Out::Stream(BufWriter::new(place.writer()?)),
                begin: Some(Begin {
                    keep: 0,
                    header: format.header(),
                    made: None,
                }),
                finished: 0,
            });
        }
        let name = path.display().to_string();
        let is_there = path.exists();
        if existing == Existing::MustExist && !is_there {
            bail!("{name}: there is nothing to resume; leave out --resume to begin");
        }
        let mut file = open_locked(path, &name)?;
        let (mut keep, mut finished) = (0, 0);
        if existing != Existing::Overwrite {
            let cannot = || format!("{name}: cannot be read");
            keep = whole_lines(&mut file).with_context(cannot)?;
            finished = read_rows(&file, path, keep, format, add)?;
            let next = match keep {
                0 if format == ResultFormat::Csv => 0,
                _ => finished + 1,
            };
            let beginning = format.beginning(tournament, next);
            if !ends_like(&mut file, keep, &beginning).with_context(cannot)? {
                bail!(
                    "{name}: ends in something else than a line of this tournament; choose another --output, or --overwrite"
                );
            }
        }
        let header = match keep {
            0 => format.header(),
            _ => Vec::new(),
        };
        Ok(Self {
            name,
            out: Out::File(file),
            begin: Some(Begin {
                keep,
                header,
                made: (!is_there).then(|| path.to_owned()),
            }),
            finished,
        })
    }

    /// Games in the file.
    pub(super) const fn finished(&self) -> u64 {
        self.finished
    }

    /// Appends the lines of `games` games.
    pub(super) fn append(&mut self, lines: &[u8], games: u64) -> Result<()> {
        if games > 0 {
            let written = self.begin().and_then(|()| self.write(lines));
            written.with_context(|| format!("{}: cannot be written", self.name))?;
            self.finished += games;
        }
        Ok(())
    }

    /// Prepares the file for the first line.
    fn begin(&mut self) -> io::Result<()> {
        let Some(begin) = self.begin.take() else {
            return Ok(());
        };
        if let Out::File(file) = &mut self.out {
            file.set_len(begin.keep)?;
            file.seek(SeekFrom::End(0))?;
        }
        self.write(&begin.header)
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        match &mut self.out {
            Out::Nowhere => Ok(()),
            Out::Stream(out) => out.write_all(bytes).and_then(|()| out.flush()),
            Out::File(file) => file.write_all(bytes),
        }
    }
}

impl Drop for ResultFile {
    fn drop(&mut self) {
        if let Some(Begin {
            made: Some(path), ..
        }) = &self.begin
        {
            // An empty file that stays is no loss.
            let _ = fs::remove_file(path);
        }
    }
}

/// Opens a result file, which nobody else may be writing to.
fn open_locked(path: &Path, name: &str) -> Result<File> {
    let file = File::options()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(path)
        .with_context(|| format!("{name}: cannot be opened for reading and writing"))?;
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => bail!("{name}: another process is writing to it"),
        // A file system without locks is trusted.
        Ok(()) | Err(TryLockError::Error(_)) => Ok(file),
    }
}

/// Whether what follows the first `from` bytes of a file is the beginning of a line, as far as both
/// go: what a process leaves that is killed while it writes. Anything else is somebody else's.
fn ends_like(file: &mut File, from: u64, beginning: &[u8]) -> io::Result<bool> {
    file.seek(SeekFrom::Start(from))?;
    let mut end = Vec::new();
    file.take(beginning.len() as u64).read_to_end(&mut end)?;
    Ok(beginning.starts_with(&end))
}

/// Reads the first `whole` bytes of a result file, which are whole lines. Returns the number of
/// games. Errors name file and line.
fn read_rows(
    mut file: &File,
    path: &Path,
    whole: u64,
    format: ResultFormat,
    mut add: impl FnMut(&ResultRow) -> Result<()>,
) -> Result<u64> {
    file.seek(SeekFrom::Start(0))?;
    let mut reader = BufReader::with_capacity(1 << 16, file.take(whole));
    let mut rows = RowReader::new(format);
    let mut line = Vec::new();
    loop {
        line.clear();
        reader
            .by_ref()
            .take(MAX_LINE_BYTES)
            .read_until(b'\n', &mut line)?;
        if line.is_empty() {
            return Ok(rows.games());
        }
        let row = rows.read(&line);
        let place = || format!("{}, line {}", path.display(), rows.lines());
        if let Some(row) = row.map_err(|error| anyhow!("{}: {error}", place()))? {
            add(&row).with_context(place)?;
        }
    }
}

/// Reads the rows of a result file, in order.
pub(super) fn for_each_row(path: &Path, add: impl FnMut(&ResultRow) -> Result<()>) -> Result<()> {
    let format = format_of_name(path)?;
    let mut file =
        File::open(path).with_context(|| format!("{}: cannot be read", path.display()))?;
    let whole = whole_lines(&mut file)?;
    read_rows(&file, path, whole, format, add)?;
    Ok(())
}

/// The row of game `game` (from 1) in a result file, if it is there.
pub(super) fn find_row(path: &Path, game: u64) -> Result<Option<ResultRow>> {
    let mut found = None;
    for_each_row(path, |row| {
        if row.game == game {
            found = Some(row.clone());
        }
        Ok(())
    })?;
    Ok(found)
}

/// Bytes up to the end of the last line that has one: a process that was killed while writing
/// leaves half a line.
fn whole_lines(file: &mut File) -> io::Result<u64> {
    const BLOCK: u64 = 1 << 16;
    let mut end = file.seek(SeekFrom::End(0))?;
    let mut block = Vec::new();
    while end > 0 {
        let start = end.saturating_sub(BLOCK);
        file.seek(SeekFrom::Start(start))?;
        block.clear();
        (&mut *file).take(end - start).read_to_end(&mut block)?;
        if let Some(last) = block.iter().rposition(|&byte| byte == b'\n') {
            return Ok(start + last as u64 + 1);
        }
        end = start;
    }
    Ok(0)
}

/// Whether results go to standard output, a pipe or a device: such a file holds none.
pub(super) fn is_stream(path: &Path) -> bool {
    let is_other = |metadata: fs::Metadata| !metadata.is_file() && !metadata.is_dir();
    is_standard_output(path) || fs::metadata(path).is_ok_and(is_other)
}
