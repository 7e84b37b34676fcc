//! Matches, their results, and how a result is scored.

use thiserror::Error;

use crate::board::{BoardError, Edges, LifelikeBoard, LifelikeCensus, Size};
use crate::engine::EngineError;
use crate::game::referee::{Growth, Outcome, Reason, Verdict};
use crate::rules::{LifelikeRuleset, Rule, Ties};

/// One battle to be computed.
#[derive(Clone, Debug)]
pub struct Match {
    /// The rules.
    pub ruleset: LifelikeRuleset,
    /// How many generations it runs, at least 1.
    pub limit: u64,
    /// The board of generation 0.
    pub start: LifelikeBoard,
}

impl Match {
    /// What matches computed side by side have in common.
    pub fn shape(&self) -> Shape {
        Shape::new(self.ruleset, self.start.size())
    }
}

/// What became of a [`Match`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchResult {
    /// Counts of generation 0.
    pub first: LifelikeCensus,
    /// Counts of the last generation.
    pub last: LifelikeCensus,
    /// The most red cells of any generation, and the most blue ones.
    pub peak: LifelikeCensus,
    /// The verdict of the referee, who ends the match as soon as it is decided.
    pub verdict: Verdict,
    /// The board of the last generation.
    pub board: LifelikeBoard,
}

impl MatchResult {
    /// By how much each side has grown.
    pub const fn growth(&self) -> Growth {
        Growth::between(self.first, self.last)
    }

    /// Who has won by `scoring`; never [`Outcome::Undecided`].
    pub fn outcome(&self, scoring: Scoring) -> Outcome {
        match scoring {
            Scoring::Growth => self.growth().clamped(),
            Scoring::Count => Growth::between(LifelikeCensus::default(), self.last).clamped(),
            Scoring::Alive => match self.verdict.reason {
                Reason::Elimination => self.verdict.outcome,
                Reason::Extinction | Reason::Coexistence | Reason::Limit => Outcome::Draw,
            },
            Scoring::Battle => self.verdict.outcome,
        }
    }
}

/// A way to decide who has won.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scoring {
    /// More growth from the first to the last generation; shrinking counts as none.
    Growth,
    /// More cells in the last generation.
    Count,
    /// The colour that outlived the other.
    Alive,
    /// The referee of the life battle: elimination, else coexistence (a draw), else the count.
    Battle,
}

/// What matches computed side by side have in common: everything but their cells, their limit and
/// the seed of their ties.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shape {
    pub(super) rule: Rule,
    pub(super) edges: Edges,
    pub(super) ties: TieKind,
    pub(super) size: Size,
}

/// [`Ties`] without the seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum TieKind {
    Seeded,
    Red,
    Blue,
    Checkerboard,
}

impl Shape {
    /// The shape of a board of `size` under `ruleset`.
    pub const fn new(ruleset: LifelikeRuleset, size: Size) -> Self {
        let ties = match ruleset.ties {
            // Without ties it does not matter who owns them.
            _ if !ruleset.rule.has_ties() => TieKind::Red,
            Ties::Seeded(_) => TieKind::Seeded,
            Ties::Red => TieKind::Red,
            Ties::Blue => TieKind::Blue,
            Ties::Checkerboard => TieKind::Checkerboard,
        };
        Self {
            rule: ruleset.rule,
            edges: ruleset.edges,
            ties,
            size,
        }
    }

    /// Width and height.
    pub const fn size(&self) -> Size {
        self.size
    }
}

/// Why matches could not be computed.
#[derive(Debug, Error)]
pub enum ArenaError {
    /// A start pattern could not be made.
    #[error(transparent)]
    Board(#[from] BoardError),
    /// An engine failed.
    #[error(transparent)]
    Engine(#[from] EngineError),
}

/// Matches to be computed, of which the boards are made only when they are needed.
pub trait Schedule: Sync {
    /// What is made of an result, on the thread that computed it.
    type Output: Send;

    /// How many matches there are.
    fn len(&self) -> usize;

    /// Whether there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The shape of match `index`.
    fn shape(&self, index: usize) -> Shape;

    /// How many generations match `index` runs.
    fn limit(&self, index: usize) -> u64;

    /// Match `index`.
    ///
    /// # Errors
    /// [`BoardError`] if its board cannot be made.
    fn get(&self, index: usize) -> Result<Match, BoardError>;

    /// Takes the result of match `index`.
    fn finish(&self, index: usize, result: MatchResult) -> Self::Output;

    /// Whether the work is to be given up.
    fn is_stopped(&self) -> bool;
}

/// What became of each match of a schedule; `None` where it was stopped before.
pub type Results<T> = Vec<Option<T>>;
