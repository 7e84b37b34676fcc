//! The patterns of a list.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, anyhow, bail};

use crate::arena::schedule::Entrant;
use crate::board::LifelikeCell;
use crate::cli::output::{NamedFile, check_inputs};
use crate::cli::tournament::games::{check_name, read_seed};
use crate::format::{Format, Limits, parse};

/// Patterns that are kept in memory.
const MAX_PATTERNS: usize = 1 << 14;

/// Bytes the patterns that are kept may take.
const MAX_PATTERN_BYTES: u64 = 64 << 20;

/// The patterns used recently, by their names in the list.
pub(super) struct Patterns {
    /// The folder of the list, from which its paths count.
    folder: PathBuf,
    /// Files that will be written, and the options that name them.
    outputs: Vec<(&'static str, PathBuf)>,
    known: HashMap<String, Entrant>,
    bytes: u64,
}

impl Patterns {
    pub(super) fn new(list: &Path, outputs: &[NamedFile<'_>]) -> Self {
        let outputs = outputs.iter();
        Self {
            folder: list.parent().unwrap_or(Path::new("")).into(),
            outputs: outputs
                .map(|&(option, path)| (option, path.to_owned()))
                .collect(),
            known: HashMap::new(),
            bytes: 0,
        }
    }

    /// The pattern called `name`: the cells of an RLE, which end in an exclamation mark, or a file.
    pub(super) fn get(&mut self, column: &str, name: &str) -> Result<Entrant> {
        if let Some(known) = self.known.get(name) {
            return Ok(known.clone());
        }
        if name.is_empty() {
            bail!(
                "{column} is empty; name a pattern file, or write the cells of an RLE, such as bo$2bo$3o!"
            );
        }
        check_name(name)?;
        if self.known.len() >= MAX_PATTERNS || self.bytes > MAX_PATTERN_BYTES {
            self.known.clear();
            self.bytes = 0;
        }
        let entrant = if name.ends_with('!') {
            let pattern = parse(name.as_bytes(), Format::Rle, &Limits::default());
            let pattern = pattern.map_err(|error| anyhow!("{column}: {error}"))?;
            self.bytes += 2 * pattern.board.size().plane_bytes();
            Entrant {
                name: name.into(),
                pattern: Arc::new(pattern.board.recoloured(LifelikeCell::Red)),
            }
        } else {
            let path = self.folder.join(name);
            let outputs = self.outputs.iter();
            let outputs: Vec<NamedFile<'_>> = outputs
                .map(|(option, path)| (*option, path.as_path()))
                .collect();
            check_inputs(&outputs, &[("a game", &path)])?;
            read_seed(&path, true, &mut self.bytes).context(column.to_owned())?
        };
        self.known.insert(name.into(), entrant.clone());
        Ok(entrant)
    }
}
