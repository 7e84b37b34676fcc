//! Games from a list, a line per game, as tab-separated values under column names or as JSON objects.
//!
//! A list is read twice: once to check every line before any game runs, and once for playing. So
//! it may be of any length; what is kept is one line and the patterns lately used.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use anyhow::{Context, Result, anyhow, bail};
use clap::ValueEnum;
use serde::Deserialize;

use super::games::{check_name, read_seed};
use super::options::TieChoiceArg;
use crate::arena::match_config::{MatchConfig, SideConfig};
use crate::arena::schedule::{Entrant, Game};
use crate::arena::tournament::Fingerprint;
use crate::board::transform::{Flip, Turn};
use crate::board::{Edges, LifelikeCell, Size};
use crate::format::{Format, Limits, parse};
use crate::rules::notation;

/// The longest line that is read.
const MAX_LINE_BYTES: u64 = 1 << 20;

/// Patterns that are kept in memory.
const MAX_PATTERNS: usize = 1 << 14;

/// Bytes the patterns that are kept may take.
const MAX_PATTERN_BYTES: u64 = 64 << 20;

/// Games of a list, at most; a game's draws are a hash of 56 bits of its number.
const MAX_GAMES: u64 = 1 << 56;

/// A list that has been checked.
pub(super) struct List {
    path: PathBuf,
    config: MatchConfig,
    seed: u64,
    lines: Lines,
    patterns: Patterns,
    /// The line whose games come next, and how many of them are left.
    current: Option<(Listed, u64)>,
    /// The number of the next game.
    next: u64,
    total: u64,
    fingerprint: String,
}

impl List {
    /// Opens a list and checks every line. Errors name file and line.
    pub(super) fn open(path: &Path, config: MatchConfig, seed: u64) -> Result<Self> {
        let mut lines = Lines::open(path)?;
        let mut patterns = Patterns::new(path);
        let mut fingerprint = Fingerprint::new(seed, &config);
        let mut games = 0u64;
        while let Some(row) = lines.next()? {
            fingerprint.add_bytes(&lines.bytes);
            let checked = (|| {
                let listed = Listed::new(&row, config, &mut patterns)?;
                listed.check(seed, games)?;
                let total = games
                    .checked_add(listed.repeats)
                    .filter(|&total| total < MAX_GAMES);
                total.map(|total| (listed, total)).context("too many games")
            })();
            let (listed, total) = checked.with_context(|| lines.place())?;
            for entrant in [&listed.red, &listed.blue] {
                fingerprint.add(&entrant.pattern.digest());
            }
            games = total;
        }
        if games == 0 {
            bail!(
                "{}: holds no games; write a line with red and blue for each",
                path.display()
            );
        }
        Ok(Self {
            path: path.into(),
            config,
            seed,
            lines: Lines::open(path)?,
            patterns,
            current: None,
            next: 0,
            total: games,
            fingerprint: fingerprint.finish(),
        })
    }

    /// The number of games.
    pub(super) const fn total(&self) -> u64 {
        self.total
    }

    /// Sixteen hexadecimal digits that tell this list from others.
    pub(super) fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    /// The file's name.
    pub(super) fn name(&self) -> String {
        self.path.display().to_string()
    }

    /// `count` games from game `from` on, all of which must be in the list.
    pub(super) fn games(&mut self, from: u64, count: u64) -> Result<Vec<Game>> {
        if from < self.next {
            self.lines = Lines::open(&self.path)?;
            self.current = None;
            self.next = 0;
        }
        let mut games = Vec::new();
        while (games.len() as u64) < count {
            let Some((listed, left)) = &mut self.current else {
                let row = self.lines.next()?;
                let row =
                    row.ok_or_else(|| anyhow!("{}: has become shorter", self.path.display()))?;
                let repeats = row.repeats();
                if self.next + repeats <= from {
                    self.next += repeats;
                    continue;
                }
                let listed = Listed::new(&row, self.config, &mut self.patterns);
                self.current = Some((listed.with_context(|| self.lines.place())?, repeats));
                continue;
            };
            if *left == 0 {
                self.current = None;
                continue;
            }
            if self.next >= from {
                let game = listed.game(self.seed, self.next);
                games.push(game.with_context(|| self.lines.place())?);
            }
            *left -= 1;
            self.next += 1;
        }
        Ok(games)
    }
}

/// A line of a list, as it says. The names of the fields are those of the columns.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    red: String,
    blue: String,
    rule: Option<String>,
    ties: Option<String>,
    edges: Option<String>,
    width: Option<u64>,
    height: Option<u64>,
    limit: Option<u64>,
    seed: Option<u64>,
    repeats: Option<u64>,
    red_x: Option<u32>,
    red_y: Option<u32>,
    red_turn: Option<u32>,
    red_flip: Option<String>,
    blue_x: Option<u32>,
    blue_y: Option<u32>,
    blue_turn: Option<u32>,
    blue_flip: Option<String>,
}

/// The columns of a list.
const COLUMNS: &str = "red, blue, rule, ties, edges, width, height, limit, seed, repeats, red_x, red_y, red_turn, red_flip, blue_x, blue_y, blue_turn and blue_flip";

impl Row {
    /// Takes a value; `false` if there is no such column. An empty value says nothing.
    fn take(&mut self, column: &str, value: &str) -> Result<bool> {
        fn number<T: FromStr>(column: &str, value: &str) -> Result<Option<T>> {
            if value.is_empty() {
                return Ok(None);
            }
            let number = value.parse().ok();
            let number = number
                .ok_or_else(|| anyhow!("{column} is {value:?}, not a whole number in range"))?;
            Ok(Some(number))
        }
        let text = || Some(value.to_owned()).filter(|value| !value.is_empty());
        match column {
            "red" => self.red = value.into(),
            "blue" => self.blue = value.into(),
            "rule" => self.rule = text(),
            "ties" => self.ties = text(),
            "edges" => self.edges = text(),
            "width" => self.width = number(column, value)?,
            "height" => self.height = number(column, value)?,
            "limit" => self.limit = number(column, value)?,
            "seed" => self.seed = number(column, value)?,
            "repeats" => self.repeats = number(column, value)?,
            "red_x" => self.red_x = number(column, value)?,
            "red_y" => self.red_y = number(column, value)?,
            "red_turn" => self.red_turn = number(column, value)?,
            "red_flip" => self.red_flip = text(),
            "blue_x" => self.blue_x = number(column, value)?,
            "blue_y" => self.blue_y = number(column, value)?,
            "blue_turn" => self.blue_turn = number(column, value)?,
            "blue_flip" => self.blue_flip = text(),
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn repeats(&self) -> u64 {
        self.repeats.unwrap_or(1)
    }
}

/// A line of a list with everything in it understood.
struct Listed {
    config: MatchConfig,
    red: Entrant,
    blue: Entrant,
    repeats: u64,
}

impl Listed {
    fn new(row: &Row, mut config: MatchConfig, patterns: &mut Patterns) -> Result<Self> {
        if let Some(rule) = &row.rule {
            config.rule = notation::parse(rule)?;
        }
        if let Some(ties) = &row.ties {
            config.ties = TieChoiceArg::from_str(ties, true)
                .map_err(|_| {
                    anyhow!(
                        "ties is {ties:?}; it can be seeded, red, blue, checkerboard or forbidden"
                    )
                })?
                .into();
        }
        config.check()?;
        config.edges = match row.edges.as_deref() {
            None => config.edges,
            Some("torus") => Edges::Torus,
            Some("dead") => Edges::Dead,
            Some(other) => bail!("edges is {other:?}; it can be torus or dead"),
        };
        config.size = match (row.width, row.height) {
            (None, None) => config.size,
            (Some(width), Some(height)) => Some(Size::new(width, height)?),
            _ => bail!("width and height go together; give both or neither"),
        };
        if row.limit == Some(0) {
            bail!("limit is 0; a game has at least 1 generation");
        }
        config.limit = row.limit.or(config.limit);
        config.tie_seed = row.seed.or(config.tie_seed);
        config.red = side(
            "red",
            row.red_x,
            row.red_y,
            row.red_turn,
            row.red_flip.as_deref(),
        )?;
        config.blue = side(
            "blue",
            row.blue_x,
            row.blue_y,
            row.blue_turn,
            row.blue_flip.as_deref(),
        )?;
        if row.repeats == Some(0) {
            bail!("repeats is 0; leave the line out instead");
        }
        Ok(Self {
            config,
            red: patterns.get("red", &row.red)?,
            blue: patterns.get("blue", &row.blue)?,
            repeats: row.repeats(),
        })
    }

    /// Whether every game of the line, the first of which is game `number`, can be played.
    fn check(&self, seed: u64, number: u64) -> Result<()> {
        let config = &self.config;
        self.game(seed, number)?;
        for (entrant, side) in [(&self.red, &config.red), (&self.blue, &config.blue)] {
            if side.at.is_none() {
                config.check_seed(entrant)?;
            }
        }
        if config.red.at.is_none() && config.blue.at.is_none() {
            return Ok(());
        }
        // A place that was given may lie outside, or in the other's half.
        for number in (number..).take(usize::try_from(self.repeats).unwrap_or(usize::MAX)) {
            self.game(seed, number)?.to_match()?;
        }
        Ok(())
    }

    fn game(&self, seed: u64, number: u64) -> Result<Game> {
        Ok(self.config.game(seed, number, &self.red, &self.blue)?)
    }
}

/// What a line says about a side.
fn side(
    name: &str,
    x: Option<u32>,
    y: Option<u32>,
    turn: Option<u32>,
    flip: Option<&str>,
) -> Result<SideConfig> {
    Ok(SideConfig {
        at: match (x, y) {
            (None, None) => None,
            (Some(x), Some(y)) => Some((x, y)),
            _ => bail!("{name}_x and {name}_y go together; give both or neither"),
        },
        turn: match turn {
            None => None,
            Some(0) => Some(Turn::None),
            Some(90) => Some(Turn::Quarter),
            Some(180) => Some(Turn::Half),
            Some(270) => Some(Turn::ThreeQuarters),
            Some(other) => bail!("{name}_turn is {other}; it can be 0, 90, 180 or 270"),
        },
        flip: match flip {
            None => None,
            Some("none") => Some(None),
            Some("horizontal") => Some(Some(Flip::Horizontal)),
            Some("vertical") => Some(Some(Flip::Vertical)),
            Some(other) => {
                bail!("{name}_flip is {other:?}; it can be none, horizontal or vertical")
            }
        },
    })
}

/// The patterns lately used, by what the list calls them.
struct Patterns {
    /// The folder of the list, from which its paths count.
    folder: PathBuf,
    known: HashMap<String, Entrant>,
    bytes: u64,
}

impl Patterns {
    fn new(list: &Path) -> Self {
        Self {
            folder: list.parent().unwrap_or(Path::new("")).into(),
            known: HashMap::new(),
            bytes: 0,
        }
    }

    /// The pattern called `name`: the cells of an RLE, which end in an exclamation mark, or a file.
    fn get(&mut self, column: &str, name: &str) -> Result<Entrant> {
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
            read_seed(&path, true, &mut self.bytes).context(column.to_owned())?
        };
        self.known.insert(name.into(), entrant.clone());
        Ok(entrant)
    }
}

/// A list, line by line.
struct Lines {
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
    fn open(path: &Path) -> Result<Self> {
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

    /// Where the line last read stands.
    fn place(&self) -> String {
        format!("{}, line {}", self.name, self.number)
    }

    /// The next line that holds a game.
    fn next(&mut self) -> Result<Option<Row>> {
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
