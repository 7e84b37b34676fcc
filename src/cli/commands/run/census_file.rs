//! The file of `--census`.

use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;

use anyhow::{Result, bail};
use tempfile::SpooledTempFile;

use crate::cli::family::CliFamily;
use crate::engine::CensusOf;
use crate::format;

/// Bytes of counts that are held in memory before they go to a temporary file.
const CENSUS_MEMORY: usize = 1 << 20;

/// The counts of every generation, on their way to a file.
pub(super) struct CensusFile {
    lines: SpooledTempFile,
    /// Why it was given up.
    failure: Option<io::Error>,
}

impl CensusFile {
    pub(super) fn new() -> Self {
        Self {
            lines: SpooledTempFile::new(CENSUS_MEMORY),
            failure: None,
        }
    }

    /// Adds consecutive generations from `generation` on. If they find no room the run goes on without
    /// them.
    pub(super) fn push<R: CliFamily>(&mut self, generation: u64, counts: &[CensusOf<R::Board>]) {
        if self.failure.is_some() {
            return;
        }
        let mut lines = String::new();
        for (after, &census) in counts.iter().enumerate() {
            lines += &R::census_line(generation + after as u64, census);
        }
        self.failure = self.lines.write_all(lines.as_bytes()).err();
    }

    pub(super) fn save(mut self, header: &str, path: &Path) -> Result<()> {
        if let Some(cause) = self.failure {
            bail!(
                "{}: cannot be written: the counts find no room in the folder for temporary files: {cause}",
                path.display()
            );
        }
        self.lines.seek(SeekFrom::Start(0))?;
        format::atomic_write(path, |out| {
            writeln!(out, "{header}")?;
            let mut lines = BufReader::new(&mut self.lines);
            let mut part = vec![0; 1 << 16];
            loop {
                match lines.read(&mut part)? {
                    0 => return Ok(()),
                    length => out.write_all(&part[..length])?,
                }
            }
        })?;
        Ok(())
    }
}
