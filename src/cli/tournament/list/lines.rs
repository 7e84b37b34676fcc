//! The lines of a list, in either layout.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use anyhow::{Context, Result, bail};

use super::row::{COLUMNS, Row};

/// The longest line that is read.
const MAX_LINE_BYTES: u64 = 1 << 20;

/// A list, line by line.
pub(super) struct Lines {
    name: String,
    reader: BufReader<File>,
    /// The line last read.
    bytes: Vec<u8>,
    /// Its number, from 1.
    number: u64,
    layout: Layout,
}

enum Layout {
    Jsonl,
    /// Tab-separated, with these columns; none before the first line.
    Tsv(Vec<String>),
}

impl Lines {
    pub(super) fn open(path: &Path) -> Result<Self> {
        let name = path.display().to_string();
        let extension = path.extension().and_then(|extension| extension.to_str());
        let layout = match extension.map(str::to_ascii_lowercase).as_deref() {
            Some("jsonl" | "ndjson") => Layout::Jsonl,
            Some("tsv" | "txt") => Layout::Tsv(Vec::new()),
            _ => bail!("{name}: a list is a .tsv or a .jsonl file; choose such a name"),
        };
        let file = File::open(path).with_context(|| format!("{name}: cannot be read"))?;
        if !file.metadata().is_ok_and(|metadata| metadata.is_file()) {
            bail!("{name}: a list is read twice, so it must be a regular file");
        }
        Ok(Self {
            name,
            reader: BufReader::with_capacity(1 << 16, file),
            bytes: Vec::new(),
            number: 0,
            layout,
        })
    }

    /// The line last read.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// File and number of the line last read.
    pub(super) fn place(&self) -> String {
        format!("{}, line {}", self.name, self.number)
    }

    /// The next line that holds a game.
    pub(super) fn next(&mut self) -> Result<Option<Row>> {
        loop {
            self.bytes.clear();
            let mut reader = self.reader.by_ref().take(MAX_LINE_BYTES);
            let read = reader.read_until(b'\n', &mut self.bytes);
            read.with_context(|| format!("{}: cannot be read", self.name))?;
            if self.bytes.is_empty() {
                return Ok(None);
            }
            self.number += 1;
            if self.bytes.len() as u64 == MAX_LINE_BYTES {
                bail!("{}: longer than {MAX_LINE_BYTES} bytes", self.place());
            }
            if let Some(row) = self.row().with_context(|| self.place())? {
                return Ok(Some(row));
            }
        }
    }

    /// The line last read; `None` if it is empty, a comment, or the column names.
    fn row(&mut self) -> Result<Option<Row>> {
        let text = std::str::from_utf8(&self.bytes).context("not UTF-8 text")?;
        let text = text.strip_suffix('\n').unwrap_or(text);
        let text = text.strip_suffix('\r').unwrap_or(text);
        if text.trim().is_empty() || text.starts_with('#') {
            return Ok(None);
        }
        let columns = match &mut self.layout {
            Layout::Jsonl => {
                return match serde_json::from_str(text) {
                    Ok(row) => Ok(Some(row)),
                    Err(error) => {
                        // A line is parsed by itself, so serde_json always names line 1.
                        let message = error.to_string();
                        let message = message.split(" at line 1").next().unwrap_or_default();
                        bail!("column {}: {message}", error.column())
                    }
                };
            }
            Layout::Tsv(columns) => columns,
        };
        let values: Vec<&str> = text.split('\t').map(str::trim).collect();
        if columns.is_empty() {
            for name in &values {
                if !Row::default().take(name, "")? {
                    bail!(
                        "no column is called {name:?}; the first line names the columns, which can be {COLUMNS}"
                    );
                }
            }
            for needed in ["red", "blue"] {
                if !values.contains(&needed) {
                    bail!("the column {needed} is missing; the first line names the columns");
                }
            }
            if let Some(k) = (1..values.len()).find(|&k| values[..k].contains(&values[k])) {
                bail!("the column {} stands there twice", values[k]);
            }
            *columns = values.into_iter().map(str::to_owned).collect();
            return Ok(None);
        }
        if values.len() != columns.len() {
            bail!(
                "{} values under {} columns; values stand between tabs, and empty ones say nothing",
                values.len(),
                columns.len()
            );
        }
        let mut row = Row::default();
        for (column, value) in columns.iter().zip(values) {
            row.take(column, value)?;
        }
        Ok(Some(row))
    }
}
