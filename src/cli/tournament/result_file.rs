//! The file of the results, a line per game: writing it, and resuming where it ends.
//!
//! The file is a log: whole lines, in the order of the games, appended as games are finished. So
//! whatever ends the program, the file holds the first games and at most one half line, which is
//! cut off when the tournament is resumed. It is the one file that is not replaced as a whole.

use std::fs::{File, TryLockError};
use std::io::{self, BufRead, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::Path;

use anyhow::{Context, Result, anyhow, bail};

use crate::arena::results::{ResultFormat, ResultRow, RowReader};

/// The longest line that is read; names are the only part without a limit.
const MAX_LINE_BYTES: u64 = 1 << 20;

/// The format of a file by its name; CSV on standard output.
pub(super) fn format_of_name(path: &Path) -> Result<ResultFormat> {
    if is_standard(path) {
        return Ok(ResultFormat::Csv);
    }
    let extension = path.extension().and_then(|extension| extension.to_str());
    extension
        .and_then(ResultFormat::of_extension)
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
    finished: u64,
}

enum Out {
    Nowhere,
    Standard(BufWriter<io::Stdout>),
    File(File),
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
            finished: 0,
        }
    }

    /// Opens the file at `path`, hands the rows it holds to `add`, and continues after them.
    pub(super) fn open(
        path: &Path,
        existing: Existing,
        tournament: &str,
        mut add: impl FnMut(&ResultRow),
    ) -> Result<Self> {
        let format = format_of_name(path)?;
        if is_standard(path) {
            let mut out = BufWriter::new(io::stdout());
            out.write_all(&format.header())?;
            return Ok(Self {
                name: "standard output".into(),
                out: Out::Standard(out),
                finished: 0,
            });
        }
        let name = path.display().to_string();
        if existing == Existing::MustExist && !path.exists() {
            bail!("{name}: there is nothing to resume; leave out --resume to begin");
        }
        crate::format::check_place(path)?;
        let cannot = || format!("{name}: cannot be opened for reading and writing");
        let mut file = File::options()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .with_context(cannot)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => bail!("{name}: another process is writing to it"),
            // A file system without locks is trusted.
            Err(TryLockError::Error(_)) => {}
        }
        if existing == Existing::Overwrite {
            file.set_len(0).with_context(cannot)?;
        }
        let whole = whole_lines(&mut file).with_context(cannot)?;
        let finished = read_rows(&file, path, whole, format, |row| {
            if row.tournament != tournament {
                bail!(
                    "holds games of another tournament ({}, this is {tournament}); choose another --output, or --overwrite",
                    row.tournament
                );
            }
            add(row);
            Ok(())
        })?;
        // Only now, when the file is known to be ours.
        file.set_len(whole).with_context(cannot)?;
        file.seek(SeekFrom::End(0)).with_context(cannot)?;
        if whole == 0 {
            file.write_all(&format.header()).with_context(cannot)?;
        }
        Ok(Self {
            name,
            out: Out::File(file),
            finished,
        })
    }

    /// Games in the file.
    pub(super) const fn finished(&self) -> u64 {
        self.finished
    }

    /// Appends the lines of `games` games.
    pub(super) fn append(&mut self, lines: &[u8], games: u64) -> Result<()> {
        let written = match &mut self.out {
            Out::Nowhere => Ok(()),
            Out::Standard(out) => out.write_all(lines).and_then(|()| out.flush()),
            Out::File(file) => file.write_all(lines),
        };
        written.with_context(|| format!("{}: cannot be written", self.name))?;
        self.finished += games;
        Ok(())
    }
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

fn is_standard(path: &Path) -> bool {
    path.as_os_str() == "-"
}
