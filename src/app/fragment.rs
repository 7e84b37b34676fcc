//! The fragment puzzle in the window.

use glam::UVec2;

use super::command::FragmentCommand;
use super::error::AppError;
use super::platform::Platform;
use crate::game::fragment::{Fragment, MergeError, Settings};

/// A puzzle in progress.
pub(super) struct FragmentView {
    game: Fragment,
    /// The cells that prevented the last merge, until the piece moves.
    clashes: Vec<UVec2>,
    /// The lowest score of all games of this difficulty.
    best: Option<u64>,
    revision: u64,
}

impl FragmentView {
    /// A new game, and a note if its best score could not be read.
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
        let view = Self {
            game,
            clashes: Vec::new(),
            best,
            revision: 0,
        };
        Ok((view, note))
    }

    pub(super) const fn game(&self) -> &Fragment {
        &self.game
    }

    pub(super) fn clashes(&self) -> &[UVec2] {
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
        command: FragmentCommand,
        platform: &dyn Platform,
    ) -> Result<(), AppError> {
        let clashes = std::mem::take(&mut self.clashes);
        match command {
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
                let (view, note) = Self::new(settings, seed, platform)?;
                *self = view;
                self.revision = revision + 1;
                if let Some(note) = note {
                    return Err(AppError::Message(note));
                }
            }
        }
        Ok(())
    }
}
