//! The fragment puzzle on the table.

use super::command::FragmentCommand;
use super::error::AppError;
use super::platform::Platform;
use crate::game::fragment::{Fragment, MergeError, Settings};

/// A puzzle under way.
pub(super) struct FragmentView {
    game: Fragment,
    /// Where the last merge was refused, until the piece moves.
    clashes: Vec<(u32, u32)>,
    /// The smallest score of all games of this difficulty.
    best: Option<u64>,
    revision: u64,
}

impl FragmentView {
    /// A new game, and what a person should know about its scores.
    pub(super) fn new(
        settings: Settings,
        seed: u64,
        platform: &dyn Platform,
    ) -> Result<(Self, Option<String>), AppError> {
        let game = Fragment::new(settings, seed).map_err(|error| error.to_string())?;
        let (best, note) = match platform.best_score(settings, None) {
            Ok(best) => (best, None),
            Err(note) => (None, Some(note)),
        };
        let table = Self {
            game,
            clashes: Vec::new(),
            best,
            revision: 0,
        };
        Ok((table, note))
    }

    pub(super) const fn game(&self) -> &Fragment {
        &self.game
    }

    pub(super) fn clashes(&self) -> &[(u32, u32)] {
        &self.clashes
    }

    pub(super) const fn best(&self) -> Option<u64> {
        self.best
    }

    pub(super) const fn revision(&self) -> u64 {
        self.revision
    }

    pub(super) fn apply(
        &mut self,
        puzzle: FragmentCommand,
        platform: &dyn Platform,
    ) -> Result<(), AppError> {
        let clashes = std::mem::take(&mut self.clashes);
        match puzzle {
            FragmentCommand::Shift(direction) => {
                if !self.game.shift(direction) {
                    self.clashes = clashes;
                    return Err(AppError::Message(format!(
                        "the frame cannot leave the field: no way {direction}"
                    )));
                }
            }
            FragmentCommand::Turn => self.game.turn(),
            FragmentCommand::Merge => match self.game.merge() {
                Ok(score) => {
                    self.revision += 1;
                    self.best = platform.best_score(self.game.settings(), Some(score))?;
                }
                Err(MergeError::Clash(clashes)) => {
                    let count = clashes.len();
                    self.clashes = clashes;
                    let cells = if count == 1 { "cell lies" } else { "cells lie" };
                    return Err(AppError::Message(format!(
                        "{count} green {cells} on blue: move or turn the piece"
                    )));
                }
                Err(error @ MergeError::Won) => return Err(AppError::Message(error.to_string())),
                Err(MergeError::Engine(error)) => return Err(error.into()),
            },
            FragmentCommand::NewGame(settings, seed) => {
                let seed = seed.unwrap_or_else(|| platform.random_seed());
                let revision = self.revision;
                let (table, note) = Self::new(settings, seed, platform)?;
                *self = table;
                self.revision = revision + 1;
                if let Some(note) = note {
                    return Err(AppError::Message(note));
                }
            }
        }
        Ok(())
    }
}
