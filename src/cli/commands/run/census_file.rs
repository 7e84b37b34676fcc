//! The file of `--census`.

use std::io::{BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;

use anyhow::{Context, Result};
use tempfile::SpooledTempFile;

use crate::cli::family::CliFamily;
use crate::engine::CensusOf;
use crate::format;

/// Bytes of counts that are held in memory before they go to a temporary file.
const CENSUS_MEMORY: usize = 1 << 20;

/// The counts of every generation, on their way to a file.
pub(super) struct CensusFile {
    lines: SpooledTempFile,
}

impl CensusFile {
    pub(super) fn new() -> Self {
        Self {
            lines: SpooledTempFile::new(CENSUS_MEMORY),
        }
    }

    /// Adds consecutive generations from `generation` on.
    pub(super) fn push<R: CliFamily>(
        &mut self,
        generation: u64,
        counts: &[CensusOf<R::Board>],
    ) -> Result<()> {
        let mut lines = String::new();
        for (generation, &census) in (generation..).zip(counts) {
            lines += &R::census_line(generation, census);
        }
        let written = self.lines.write_all(lines.as_bytes());
        written.context("cannot keep the counts in the folder for temporary files")
    }

    pub(super) fn save(mut self, header: &str, path: &Path) -> Result<()> {
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
