//! The games of a tournament: between seeds, or from a list.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, bail};

use super::list::List;
use super::options::TournamentArgs;
use crate::arena::match_config::MatchConfig;
use crate::arena::schedule::{Draws, Entrant, Game, Pairings};
use crate::arena::tournament::Tournament;
use crate::board::{LifelikeCell, start};
use crate::cli::place::{FromArgs, read_pattern};
use crate::format::Format;

/// Bytes that all seeds together may take.
const MAX_SEED_BYTES: u64 = 512 << 20;

/// The games of a tournament, in the order in which they are played.
pub(super) enum Games {
    /// Between entrants, as the options say.
    Scheduled(Tournament),
    /// From a list.
    Listed(Box<List>),
}

impl Games {
    /// Reads all files and checks all games.
    pub(super) fn open(args: &TournamentArgs) -> Result<Self> {
        let config = MatchConfig::from(&args.config);
        if let Some(path) = &args.list {
            let list = List::open(path, config, args.seed, &args.outputs())?;
            return Ok(Self::Listed(Box::new(list)));
        }
        config.check()?;
        let (entrants, pairings) = entrants(args)?;
        let tournament = Tournament::new(args.seed, pairings, entrants, config)?;
        Ok(Self::Scheduled(tournament))
    }

    /// The number of games.
    pub(super) fn total(&self) -> u64 {
        match self {
            Self::Scheduled(tournament) => tournament.total(),
            Self::Listed(list) => list.total(),
        }
    }

    /// Sixteen hexadecimal digits that tell this tournament from others.
    pub(super) fn fingerprint(&self) -> &str {
        match self {
            Self::Scheduled(tournament) => tournament.fingerprint(),
            Self::Listed(list) => list.fingerprint(),
        }
    }

    /// The entrants, in a few words.
    pub(super) fn describe(&self) -> String {
        match self {
            Self::Scheduled(tournament) => match tournament.seeds() {
                1 => "1 seed".to_owned(),
                seeds => format!("{seeds} seeds"),
            },
            Self::Listed(list) => list.name(),
        }
    }

    /// At most `count` games from game `from` on. A list is read fastest in order.
    pub(super) fn games(&mut self, from: u64, count: u64) -> Result<Vec<Game>> {
        match self {
            Self::Scheduled(tournament) => Ok(tournament.games(from, count)?),
            Self::Listed(list) => list.games(from, count.min(list.total().saturating_sub(from))),
        }
    }

    /// The same of a tournament that may have had more games before.
    pub(super) fn possible_games(&mut self, from: u64, count: u64) -> Result<Vec<Game>> {
        match self {
            Self::Scheduled(tournament) => Ok(tournament.possible_games(from, count)?),
            Self::Listed(_) => self.games(from, count),
        }
    }
}

/// The entrants, and who meets whom.
fn entrants(args: &TournamentArgs) -> Result<(Vec<Entrant>, Pairings)> {
    let mut entrants = Vec::new();
    let mut bytes = 0;
    let files = files(&args.seeds)?;
    for path in &files {
        entrants.push(read_seed(path, args.quiet, &mut bytes)?);
    }
    for number in 0..args.random_seeds.unwrap_or(0) {
        let seed = Draws::new(args.seed, number.into()).pattern_seed();
        let pattern = start::random(args.seed_size, args.density, seed)?;
        bytes += 2 * args.seed_size.plane_bytes();
        check_bytes(bytes)?;
        entrants.push(Entrant {
            name: format!("random-{}", number + 1).into(),
            pattern: Arc::new(pattern.recoloured(LifelikeCell::Red)),
        });
    }
    let population = entrants.len() as u32;
    if !args.challengers.is_empty() {
        if population == 0 {
            bail!("there is nobody to challenge; name seeds, or --random-seeds N");
        }
        for path in self::files(&args.challengers)? {
            // A challenger that is in the population, too, plays itself once.
            let known = files.iter().position(|known| *known == path);
            entrants.push(match known {
                Some(known) => entrants[known].clone(),
                None => read_seed(&path, args.quiet, &mut bytes)?,
            });
        }
        let pairings = Pairings::Challenge {
            population,
            challengers: entrants.len() as u32 - population,
            trials: args.trials,
        };
        return Ok((entrants, pairings));
    }
    if population < 2 {
        bail!(
            "a tournament needs two seeds or more, there is {population}; name pattern files or folders of them, --random-seeds N, or --list FILE"
        );
    }
    let pairings = match args.games {
        Some(games) => Pairings::Drawn {
            entrants: population,
            games,
        },
        None => Pairings::AllPairs {
            entrants: population,
            trials: args.trials,
        },
    };
    Ok((entrants, pairings))
}

/// The files, and of each folder those whose extension is that of a pattern, by name.
pub(super) fn files(paths: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in paths {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let shown = path.display();
        let entries =
            std::fs::read_dir(path).with_context(|| format!("{shown}: cannot be read"))?;
        let mut found = Vec::new();
        for entry in entries {
            let entry = entry
                .with_context(|| format!("{shown}: cannot be read"))?
                .path();
            let is_pattern = Format::of_name(&entry).is_some_and(|format| format != Format::Png);
            if is_pattern && entry.is_file() {
                found.push(entry);
            }
        }
        if found.is_empty() {
            bail!("{shown}: holds no pattern files (.rle, .cells, .lif, .mc, .txt)");
        }
        found.sort();
        files.extend(found);
    }
    let mut names = HashSet::new();
    if let Some(twice) = files.iter().find(|path| !names.insert(*path)) {
        bail!("{}: named twice", twice.display());
    }
    Ok(files)
}

/// Reads a seed; `bytes` counts what all of them take.
pub(super) fn read_seed(path: &Path, quiet: bool, bytes: &mut u64) -> Result<Entrant> {
    let name = path.to_string_lossy();
    check_name(&name)?;
    let pattern = read_pattern(path, &FromArgs::unknown(), quiet)?;
    *bytes += 2 * pattern.board.size().plane_bytes();
    check_bytes(*bytes)?;
    Ok(Entrant {
        name: name.into(),
        pattern: Arc::new(pattern.board.recoloured(LifelikeCell::Red)),
    })
}

/// Results are lines, so a name must not break one.
pub(super) fn check_name(name: &str) -> Result<()> {
    if name.chars().any(char::is_control) {
        bail!(
            "{}: the name of a seed must not have control characters",
            name.escape_debug()
        );
    }
    Ok(())
}

fn check_bytes(bytes: u64) -> Result<()> {
    if bytes > MAX_SEED_BYTES {
        bail!(
            "the seeds take more than {} MiB of memory; use fewer or smaller ones",
            MAX_SEED_BYTES >> 20
        );
    }
    Ok(())
}
