//! What is set before a battle.

use crate::board::{Board, BoardError, Edges, Size};
use crate::rules::{Rule, Ruleset, Ties};

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
    pub const fn ruleset(self) -> Ruleset {
        Ruleset {
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

/// A board in another size: what has no place is lost, what is new is dead. The top left cell stays
/// where it is.
pub(super) fn resized(board: Board, size: Size) -> Result<Board, BoardError> {
    if board.size() == size {
        return Ok(board);
    }
    let mut resized = Board::new(size)?;
    for (x, y, cell) in board.live_cells() {
        if x < size.width() && y < size.height() {
            resized.set(x, y, cell);
        }
    }
    Ok(resized)
}
