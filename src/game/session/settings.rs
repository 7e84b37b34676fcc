//! What is set before a battle.

use super::played::{Brush, GameSettings};
use crate::board::{BoardError, Cell, Edges, LifelikeBoard, LifelikeCensus, Size};
use crate::engine::GenerationStats;
use crate::game::referee::{Referee, Verdict};
use crate::rules::{LifelikeRuleset, Rule, Ties};

/// All of a battle that is settled before its first generation. Density is none of it: it concerns
/// only the next start pattern that is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Births and survivals.
    pub rule: Rule,
    /// What lies beyond the border.
    pub edges: Edges,
    /// Columns and rows.
    pub size: Size,
    /// Who owns a birth with evenly split parents.
    pub ties: Ties,
    /// What start patterns are drawn from.
    pub seed: u64,
    /// The generation at which more cells win, if there is one.
    pub limit: Option<u64>,
}

impl Settings {
    /// What decides the future of a board.
    pub const fn ruleset(self) -> LifelikeRuleset {
        LifelikeRuleset {
            rule: self.rule,
            edges: self.edges,
            ties: self.ties,
        }
    }

    /// With another seed, of start patterns and of seeded ties.
    pub const fn with_seed(self, seed: u64) -> Self {
        let ties = match self.ties {
            Ties::Seeded(_) => Ties::Seeded(seed),
            ties => ties,
        };
        Self { ties, seed, ..self }
    }
}

/// A battle: the referee decides.
impl GameSettings for Settings {
    type Ruleset = LifelikeRuleset;
    type Brush = Cell;
    type Verdict = Verdict;

    fn rules(self) -> LifelikeRuleset {
        self.ruleset()
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

    /// A start pattern of one colour is computed all the same.
    fn judge_start(_counts: LifelikeCensus) -> Option<Verdict> {
        None
    }

    fn judge(self, generation: u64, seen: GenerationStats<LifelikeCensus>) -> Option<Verdict> {
        Referee::new(self.limit).judge(generation, seen)
    }

    fn cleared(board: &LifelikeBoard) -> Result<LifelikeBoard, BoardError> {
        LifelikeBoard::new(board.size())
    }

    fn resized(board: LifelikeBoard, size: Size) -> Result<LifelikeBoard, BoardError> {
        let mut resized = LifelikeBoard::new(size)?;
        for (x, y, cell) in board.live_cells() {
            if x < size.width() && y < size.height() {
                resized.set(x, y, cell);
            }
        }
        Ok(resized)
    }
}

/// Cells become what they are painted with, whatever they were.
impl Brush for Cell {
    type Board = LifelikeBoard;

    fn paint(self, board: &mut LifelikeBoard, x: u32, y: u32) {
        board.set(x, y, self);
    }
}
