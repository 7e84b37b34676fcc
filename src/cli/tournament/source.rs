//! Where the games come from: a schedule of seeds, or a list.

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use sha2::{Digest, Sha256};

use super::list::List;
use super::options::TournamentArgs;
use super::setting::Setting;
use crate::arena::schedule::{Entrant, Game, Lots, Schedule};
use crate::board::{LifelikeCell, start};
use crate::cli::place::{FromArgs, read_pattern};
use crate::format::Format;

/// Bytes all seeds together may take.
const MOST_SEED_BYTES: u64 = 512 << 20;

/// All games of a tournament, made when asked for.
pub(super) struct Source {
    kind: Kind,
    seed: u64,
    fingerprint: String,
    total: u64,
}

enum Kind {
    Scheduled {
        schedule: Schedule,
        entrants: Vec<Entrant>,
        setting: Setting,
    },
    Listed(Box<List>),
}

impl Source {
    /// Reads all there is to read and checks all games.
    pub(super) fn open(args: &TournamentArgs) -> Result<Self> {
        let setting = Setting::new(&args.setting);
        if let Some(path) = &args.list {
            let (list, checked) = List::open(path, setting, args.seed)?;
            return Ok(Self {
                kind: Kind::Listed(Box::new(list)),
                seed: args.seed,
                fingerprint: checked.fingerprint,
                total: checked.games,
            });
        }
        setting.check()?;
        let (entrants, schedule) = entrants(args)?;
        for entrant in &entrants {
            setting.check_seed(entrant)?;
        }
        Ok(Self {
            fingerprint: fingerprint(args.seed, schedule, &entrants, &setting),
            total: schedule.games(),
            seed: args.seed,
            kind: Kind::Scheduled {
                schedule,
                entrants,
                setting,
            },
        })
    }

    /// How many games there are.
    pub(super) const fn total(&self) -> u64 {
        self.total
    }

    /// Sixteen hexadecimal digits that tell this tournament from others. The number of games drawn
    /// by lot has no part in it, so that more can be added later.
    pub(super) fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    /// What meets, in words.
    pub(super) fn describe(&self) -> String {
        match &self.kind {
            Kind::Scheduled { entrants, .. } => {
                let names: HashSet<&str> = entrants.iter().map(|entrant| &*entrant.name).collect();
                match names.len() {
                    1 => "1 seed".to_owned(),
                    seeds => format!("{seeds} seeds"),
                }
            }
            Kind::Listed(list) => list.name().to_owned(),
        }
    }

    /// At most `count` games from game `from` on. A list is quickest read in order.
    pub(super) fn games(&mut self, from: u64, count: u64) -> Result<Vec<Game>> {
        let count = count.min(self.total.saturating_sub(from));
        match &mut self.kind {
            Kind::Scheduled {
                schedule,
                entrants,
                setting,
            } => (from..from + count)
                .map(|number| {
                    let (red, blue) = schedule.players(self.seed, number);
                    let (red, blue) = (&entrants[red as usize], &entrants[blue as usize]);
                    setting.game(self.seed, number, red, blue)
                })
                .collect(),
            Kind::Listed(list) => list.games(from, count),
        }
    }
}

/// Everybody, and who meets whom.
fn entrants(args: &TournamentArgs) -> Result<(Vec<Entrant>, Schedule)> {
    let mut entrants = Vec::new();
    let mut bytes = 0;
    let files = files(&args.seeds)?;
    for path in &files {
        entrants.push(read_seed(path, args.quiet, &mut bytes)?);
    }
    for number in 0..args.random_seeds.unwrap_or(0) {
        let seed = Lots::new(args.seed, number.into()).pattern_seed();
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
        let schedule = Schedule::Challenge {
            population,
            challengers: entrants.len() as u32 - population,
            trials: args.trials,
        };
        return Ok((entrants, schedule));
    }
    if population < 2 {
        bail!(
            "a tournament needs two seeds or more, there is {population}; name pattern files or folders of them, --random-seeds N, or --list FILE"
        );
    }
    let schedule = match args.games {
        Some(games) => Schedule::Drawn {
            entrants: population,
            games,
        },
        None => Schedule::AllPairs {
            entrants: population,
            trials: args.trials,
        },
    };
    Ok((entrants, schedule))
}

/// The files, and of each folder those whose extension is that of a pattern, by name.
fn files(paths: &[PathBuf]) -> Result<Vec<PathBuf>> {
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
    let mut seen = HashSet::new();
    if let Some(twice) = files.iter().find(|path| !seen.insert(*path)) {
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

/// Results have a line a game, whatever the seeds are called.
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
    if bytes > MOST_SEED_BYTES {
        bail!(
            "the seeds take more than {} MiB of memory; use fewer or smaller ones",
            MOST_SEED_BYTES >> 20
        );
    }
    Ok(())
}

fn fingerprint(seed: u64, schedule: Schedule, entrants: &[Entrant], setting: &Setting) -> String {
    let mut text = Fingerprint::new(seed, setting);
    match schedule {
        Schedule::Drawn { .. } => text.add("drawn"),
        other => text.add(&format!("{other:?}")),
    }
    // The same seed many times is digested once.
    let mut digests = HashMap::new();
    for entrant in entrants {
        let key = Arc::as_ptr(&entrant.pattern);
        let digest = digests
            .entry(key)
            .or_insert_with(|| entrant.pattern.digest());
        text.add(&entrant.name);
        text.add(digest);
    }
    text.finish()
}

/// What tells tournaments apart, digested.
pub(super) struct Fingerprint(Sha256);

impl Fingerprint {
    pub(super) fn new(seed: u64, setting: &Setting) -> Self {
        let mut fingerprint = Self(Sha256::new());
        fingerprint.add("duolife tournament 1");
        fingerprint.add(&seed.to_string());
        fingerprint.add(&setting.describe());
        fingerprint
    }

    pub(super) fn add(&mut self, part: &str) {
        self.add_bytes(part.as_bytes());
    }

    /// Adds a part; its length keeps neighbours from running into each other.
    pub(super) fn add_bytes(&mut self, part: &[u8]) {
        self.0.update((part.len() as u64).to_le_bytes());
        self.0.update(part);
    }

    pub(super) fn finish(self) -> String {
        let mut text = String::new();
        for byte in &self.0.finalize()[..8] {
            // Writing to a string cannot fail.
            let _ = write!(text, "{byte:02x}");
        }
        text
    }
}
