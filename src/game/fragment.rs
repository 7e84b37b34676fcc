//! The fragment puzzle, for one player: merge pieces into a field until the field is empty.
//!
//! The field holds blue cells. A piece is a square frame with green cells; it starts at the top left,
//! moves within the field and turns clockwise. It can be merged where no green cell lies on a blue
//! one: the green cells turn blue, one generation of B3/S23 with dead edges is computed, and the next
//! piece appears. The field changes only by merging. The score is the number of cells after a merge
//! and its generation: the lower the better, and 0 wins.
//!
//! ```
//! use duolife::game::fragment::{Direction, Fragment, Settings};
//!
//! let mut game = Fragment::new(Settings::standard()?, 1)?;
//! game.shift(Direction::Right);
//! game.turn();
//! match game.merge() {
//!     Ok(score) => println!("{score} cells are left"),
//!     Err(error) => println!("{error}"),
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod draw;
mod piece;
mod settings;
#[cfg(test)]
mod tests;

pub use piece::Piece;
pub use settings::{
    DEFAULT_CELLS, DEFAULT_PIECE, DEFAULT_PIECE_CELLS, DEFAULT_SIDE, MAX_SIDE, Settings,
    SettingsError,
};

use std::fmt;

use glam::{UVec2, uvec2};
use thiserror::Error;

use crate::board::{BoardError, Edges, LifelikeBoard, LifelikeCell};
use crate::engine::cpu::CpuEngine;
use crate::engine::{Engine, EngineError};
use crate::rules::{LifelikeRuleset, Rule, Ties};

/// The direction of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// One column to the left.
    Left,
    /// One column to the right.
    Right,
    /// One row up.
    Up,
    /// One row down.
    Down,
}

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Left => "left",
            Self::Right => "right",
            Self::Up => "up",
            Self::Down => "down",
        })
    }
}

/// Why a piece was not merged. The game is unchanged.
#[derive(Debug, Error)]
pub enum MergeError {
    /// These green cells lie on blue ones, row by row.
    #[error("{} green cells lie on blue ones", .0.len())]
    Clash(Vec<UVec2>),
    /// The field is already empty.
    #[error("the field is empty, the game is won")]
    Won,
    /// The generation could not be computed.
    #[error(transparent)]
    Engine(#[from] EngineError),
}

/// A game in progress.
pub struct Fragment {
    settings: Settings,
    seed: u64,
    engine: CpuEngine,
    field: LifelikeBoard,
    piece: Piece,
    merges: u32,
    score: Option<u64>,
    best: Option<u64>,
}

impl Fragment {
    /// A new game. The same settings and seed give the same field and pieces on every machine.
    ///
    /// # Errors
    /// [`BoardError`] if there is not enough memory for the field.
    pub fn new(settings: Settings, seed: u64) -> Result<Self, BoardError> {
        let size = settings.field();
        let mut field = LifelikeBoard::new(size)?;
        let places = draw::places(size.cells() as u32, settings.cells(), seed, 0);
        for place in places {
            field.set(
                uvec2(place % size.width(), place / size.width()),
                LifelikeCell::Blue,
            );
        }
        Ok(Self {
            settings,
            seed,
            engine: CpuEngine::new(LifelikeRuleset {
                rule: Rule::LIFE,
                edges: Edges::Dead,
                // One colour has no ties.
                ties: Ties::Blue,
            }),
            field,
            piece: deal(settings, seed, 1),
            merges: 0,
            score: None,
            best: None,
        })
    }

    /// The settings of the game.
    pub const fn settings(&self) -> Settings {
        self.settings
    }

    /// The seed of field and pieces.
    pub const fn seed(&self) -> u64 {
        self.seed
    }

    /// The field; its live cells are blue.
    pub const fn field(&self) -> &LifelikeBoard {
        &self.field
    }

    /// The piece that can be moved.
    pub const fn piece(&self) -> &Piece {
        &self.piece
    }

    /// Pieces merged so far.
    pub const fn merges(&self) -> u32 {
        self.merges
    }

    /// The score of the last merge, if there was one.
    pub const fn score(&self) -> Option<u64> {
        self.score
    }

    /// The lowest score of this game, if there is one.
    pub const fn best(&self) -> Option<u64> {
        self.best
    }

    /// Whether the field is empty.
    pub fn is_won(&self) -> bool {
        self.score == Some(0)
    }

    /// Moves the piece by one cell. Returns `false` if its frame would leave the field.
    pub fn shift(&mut self, direction: Direction) -> bool {
        self.piece.shift(direction, self.settings.field())
    }

    /// Turns the piece clockwise within its frame, which is always possible.
    pub fn turn(&mut self) {
        self.piece.turn();
    }

    /// The cells where green lies on blue, row by row.
    pub fn clashes(&self) -> Vec<UVec2> {
        let on_blue = |cell: &UVec2| self.field.cell(*cell) != LifelikeCell::Dead;
        self.piece.cells().filter(on_blue).collect()
    }

    /// Merges the piece into the field, computes one generation and deals the next piece. Returns
    /// the score.
    ///
    /// # Errors
    /// [`MergeError`] if cells clash, the game is won or the engine fails.
    pub fn merge(&mut self) -> Result<u64, MergeError> {
        if self.is_won() {
            return Err(MergeError::Won);
        }
        let clashes = self.clashes();
        if !clashes.is_empty() {
            return Err(MergeError::Clash(clashes));
        }
        let mut merged = self.field.clone();
        for cell in self.piece.cells() {
            merged.set(cell, LifelikeCell::Blue);
        }
        self.engine.load(&merged)?;
        self.engine.step(1)?;
        self.field = self.engine.read()?;
        self.merges += 1;
        self.piece = deal(self.settings, self.seed, self.merges + 1);
        let score = self.field.census().alive();
        self.score = Some(score);
        self.best = Some(self.best.map_or(score, |best| best.min(score)));
        Ok(score)
    }
}

/// The piece with this number, from 1.
fn deal(settings: Settings, seed: u64, number: u32) -> Piece {
    let side = settings.piece();
    let places = draw::places(side * side, settings.piece_cells(), seed, number);
    Piece::new(
        side,
        places.map(|place| UVec2::new(place % side, place / side)),
    )
}
