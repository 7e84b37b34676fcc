//! A tournament: its entrants, who meets whom, and what the games have in common.

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;
use std::sync::Arc;

use sha2::{Digest, Sha256};

use super::match_config::{MatchConfig, MatchConfigError};
use super::schedule::{Entrant, Game, Pairings};

/// The games between some entrants. A game is made when it is needed: a tournament may have more
/// games than memory holds.
pub struct Tournament {
    seed: u64,
    pairings: Pairings,
    entrants: Vec<Entrant>,
    config: MatchConfig,
    fingerprint: String,
}

impl Tournament {
    /// The tournament with this seed.
    ///
    /// # Errors
    /// [`MatchConfigError`] if the rule does not go with the ties or a seed does not fit.
    pub fn new(
        seed: u64,
        pairings: Pairings,
        entrants: Vec<Entrant>,
        config: MatchConfig,
    ) -> Result<Self, MatchConfigError> {
        config.check()?;
        for entrant in &entrants {
            config.check_seed(entrant)?;
        }
        Ok(Self {
            fingerprint: fingerprint(seed, pairings, &entrants, &config),
            seed,
            pairings,
            entrants,
            config,
        })
    }

    /// The number of games.
    pub fn total(&self) -> u64 {
        self.pairings.games()
    }

    /// Sixteen hexadecimal digits that tell this tournament from others. The number of games drawn
    /// at random has no part in it, so that more can be added later.
    pub fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    /// The number of differently named entrants.
    pub fn seeds(&self) -> usize {
        let names: HashSet<&str> = self.entrants.iter().map(|entrant| &*entrant.name).collect();
        names.len()
    }

    /// At most `count` games from game `from` on.
    ///
    /// # Errors
    /// [`MatchConfigError`] if a board is too large.
    pub fn games(&self, from: u64, count: u64) -> Result<Vec<Game>, MatchConfigError> {
        let count = count.min(self.total().saturating_sub(from));
        self.all_games(from, count)
    }

    /// The same of a tournament that may have had more games: those drawn at random never end.
    ///
    /// # Errors
    /// [`MatchConfigError`] if a board is too large.
    pub fn possible_games(&self, from: u64, count: u64) -> Result<Vec<Game>, MatchConfigError> {
        match self.pairings {
            Pairings::Drawn { .. } => self.all_games(from, count),
            Pairings::AllPairs { .. } | Pairings::Challenge { .. } => self.games(from, count),
        }
    }

    fn all_games(&self, from: u64, count: u64) -> Result<Vec<Game>, MatchConfigError> {
        (from..from + count)
            .map(|number| {
                let (red, blue) = self.pairings.players(self.seed, number);
                let (red, blue) = (&self.entrants[red as usize], &self.entrants[blue as usize]);
                self.config.game(self.seed, number, red, blue)
            })
            .collect()
    }
}

fn fingerprint(
    seed: u64,
    pairings: Pairings,
    entrants: &[Entrant],
    config: &MatchConfig,
) -> String {
    let mut text = Fingerprint::new(seed, config);
    match pairings {
        Pairings::Drawn { .. } => text.add("drawn"),
        Pairings::AllPairs { .. } | Pairings::Challenge { .. } => {
            text.add(&format!("{pairings:?}"));
        }
    }
    // A pattern that several entrants share is digested once.
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

/// A digest of what distinguishes tournaments.
pub struct Fingerprint(Sha256);

impl Fingerprint {
    /// Begins with the seed of a tournament and the settings of its games.
    pub fn new(seed: u64, config: &MatchConfig) -> Self {
        let mut fingerprint = Self(Sha256::new());
        fingerprint.add("duolife tournament 1");
        fingerprint.add(&seed.to_string());
        fingerprint.add(&config.canonical_text());
        fingerprint
    }

    /// Adds a text.
    pub fn add(&mut self, part: &str) {
        self.add_bytes(part.as_bytes());
    }

    /// Adds a part after its length, so that parts do not run into each other.
    pub fn add_bytes(&mut self, part: &[u8]) {
        self.0.update((part.len() as u64).to_le_bytes());
        self.0.update(part);
    }

    /// Sixteen hexadecimal digits.
    pub fn finish(self) -> String {
        let mut text = String::new();
        for byte in &self.0.finalize()[..8] {
            // Writing to a string cannot fail.
            let _ = write!(text, "{byte:02x}");
        }
        text
    }
}
