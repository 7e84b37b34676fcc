//! Life Battle: red and blue under any life-like rule, decided by the [referee](super::referee).

use glam::UVec2;

use super::referee::{Referee, Verdict};
use super::session::{self, Brush, GameSettings, SessionError};
use crate::board::{BoardError, Edges, LifelikeBoard, LifelikeCell, LifelikeCensus, Size, start};
use crate::engine::GenerationStats;
use crate::rules::{LifelikeRuleset, Rule, Ties};

/// The interactive run of a battle.
pub type Session = session::Session<Settings>;

/// The generation at which more cells win, unless a battle says otherwise.
pub const DEFAULT_LIMIT: u64 = 10_000;

/// How a start pattern is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StartPattern {
    /// Each cell is alive with the given density, red or blue with equal probability.
    Random,
    /// The left half is red with the given density; the right half is its mirror image in blue.
    Mirrored,
}

/// The settings of a battle. The density is not one of them: it affects only the next start pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Birth and survival conditions.
    pub rule: Rule,
    /// How the board ends at its border.
    pub edges: Edges,
    /// Columns and rows.
    pub size: Size,
    /// The colour of a birth whose parents are evenly split.
    pub ties: Ties,
    /// Seed of start patterns.
    pub seed: u64,
    /// The generation at which the colour with more cells wins; `None` for no limit.
    pub limit: Option<u64>,
}

impl Settings {
    /// The rules that generations are computed by.
    pub const fn ruleset(self) -> LifelikeRuleset {
        LifelikeRuleset {
            rule: self.rule,
            edges: self.edges,
            ties: self.ties,
        }
    }

    /// The same settings with another seed for start patterns and for seeded ties.
    pub const fn with_seed(self, seed: u64) -> Self {
        let ties = match self.ties {
            Ties::Seeded(_) => Ties::Seeded(seed),
            ties => ties,
        };
        Self { ties, seed, ..self }
    }
}

impl GameSettings for Settings {
    type Ruleset = LifelikeRuleset;
    type Brush = LifelikeCell;
    type Verdict = Verdict;

    fn ruleset(self) -> LifelikeRuleset {
        Self::ruleset(self)
    }

    fn size(self) -> Size {
        self.size
    }

    fn with_size(self, size: Size) -> Self {
        Self { size, ..self }
    }

    fn limit(self) -> Option<u64> {
        Referee::new(self.limit).limit()
    }

    /// A start pattern of one colour still runs for a generation before the referee decides.
    fn judge_start(_census: LifelikeCensus) -> Option<Verdict> {
        None
    }

    fn judge(self, generation: u64, stats: GenerationStats<LifelikeCensus>) -> Option<Verdict> {
        Referee::new(self.limit).judge(generation, stats)
    }

    fn cleared(board: &LifelikeBoard) -> Result<LifelikeBoard, BoardError> {
        LifelikeBoard::new(board.size())
    }

    fn resized(board: LifelikeBoard, size: Size) -> Result<LifelikeBoard, BoardError> {
        let mut resized = LifelikeBoard::new(size)?;
        for (at, cell) in board.live_cells() {
            if size.contains(at) {
                resized.set(at, cell);
            }
        }
        Ok(resized)
    }
}

/// Painting replaces the cell, whatever its state.
impl Brush for LifelikeCell {
    type Board = LifelikeBoard;

    fn paint(self, board: &mut LifelikeBoard, cell: UVec2) {
        board.set(cell, self);
    }
}

impl Session {
    /// Draws a new start pattern from the seed of the settings.
    ///
    /// # Errors
    /// [`SessionError`] if the density is not a probability, editing is locked or the engine fails.
    pub fn generate(&mut self, pattern: StartPattern, density: f64) -> Result<(), SessionError> {
        let Settings { size, seed, .. } = self.settings();
        self.replace(|_| {
            Ok(match pattern {
                StartPattern::Random => start::random(size, density, seed)?,
                StartPattern::Mirrored => start::mirrored(size, density, seed)?,
            })
        })
    }
}
