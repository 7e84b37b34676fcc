//! Games from a list, a line per game, as tab-separated values under column names or as JSON objects.
//!
//! A list is read twice: once to check every line before any game runs, and once for playing. So
//! it may be of any length; only one line and the patterns used recently are kept in memory.

mod lines;
mod patterns;
mod row;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use clap::ValueEnum;

use self::lines::Lines;
use self::patterns::Patterns;
use self::row::Row;
use super::options::TieChoiceArg;
use crate::arena::match_config::{MatchConfig, SideConfig};
use crate::arena::schedule::{Entrant, Game};
use crate::arena::tournament::Fingerprint;
use crate::board::transform::{Flip, Turn};
use crate::board::{Edges, Size};
use crate::cli::output::NamedFile;
use crate::rules::notation;

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
    current: Option<(ListedGame, u64)>,
    /// The number of the next game.
    next: u64,
    total: u64,
    fingerprint: String,
}

impl List {
    /// Opens a list and checks every line; no pattern may be one of the `outputs`. Errors name file and line.
    pub(super) fn open(
        path: &Path,
        config: MatchConfig,
        seed: u64,
        outputs: &[NamedFile<'_>],
    ) -> Result<Self> {
        let mut lines = Lines::open(path)?;
        let mut patterns = Patterns::new(path, outputs);
        let mut fingerprint = Fingerprint::new(seed, &config);
        let mut games = 0u64;
        while let Some(row) = lines.next()? {
            fingerprint.add_bytes(lines.bytes());
            let checked = (|| {
                let listed = ListedGame::new(&row, config, &mut patterns)?;
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
                let listed = ListedGame::new(&row, self.config, &mut self.patterns);
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

/// A line of a list with its values parsed.
struct ListedGame {
    config: MatchConfig,
    red: Entrant,
    blue: Entrant,
    repeats: u64,
}

impl ListedGame {
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

/// The settings of a side in a line.
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
