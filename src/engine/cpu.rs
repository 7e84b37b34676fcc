//! The CPU engine: rows over all cores.
//!
//! A band of rows is computed from top to bottom. The sums of three horizontal neighbours are
//! made once a source row and kept for the three rows that need them. The inner loops run over
//! plain slices of words, which the compiler turns into the widest vectors of the processor at
//! hand.

mod lifelike;
mod rezolution;

use super::{CensusOf, Engine, EngineError, Sighting};
use crate::board::{BoardError, Size, State};
use crate::rules::{Rules, Ruleset};

/// Words of a plane a thread takes at a time: large enough to hide the hand-over, small enough to
/// stay in its cache.
const BAND_WORDS: usize = 1 << 14;

/// Rules whose generations are computed on all cores.
pub trait Banded: Rules {
    /// The words that a generation is written to.
    type Output: Default + Send;

    /// Words for a board of a size, such that no board has them.
    ///
    /// # Errors
    /// [`BoardError`] if there is no memory for them.
    fn output(size: Size) -> Result<Self::Output, BoardError>;

    /// Fills all words with [`POISON`](super::POISON).
    fn poison(output: &mut Self::Output);

    /// Computes the generation after `board` and tells what is seen of it if it is watched. Before,
    /// `output` holds the generation before `board`.
    fn compute(
        self,
        board: &Self::Board,
        output: &mut Self::Output,
        watched: bool,
    ) -> Seen<CensusOf<Self::Board>>;

    /// Exchanges the words of a board and those of another generation of it.
    fn exchange(board: &mut Self::Board, output: &mut Self::Output);
}

/// What is seen of a new generation, or of some rows of it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Seen<C> {
    /// Its counts.
    pub census: C,
    /// Whether a cell differs from the generation before.
    pub differs_from_last: bool,
    /// Whether a cell differs from the second last generation.
    pub differs_from_second_last: bool,
}

impl<C> Seen<C> {
    /// Two pieces of a generation together.
    fn and(self, other: Self, add: impl FnOnce(C, C) -> C) -> Self {
        Self {
            census: add(self.census, other.census),
            differs_from_last: self.differs_from_last | other.differs_from_last,
            differs_from_second_last: self.differs_from_second_last
                | other.differs_from_second_last,
        }
    }

    fn sighting(self) -> Sighting<C> {
        Sighting {
            census: self.census,
            period: match (self.differs_from_last, self.differs_from_second_last) {
                (false, _) => Some(1),
                (_, false) => Some(2),
                _ => None,
            },
        }
    }
}

/// A board, the words of the next one, and all cores.
pub struct CpuEngine<R: Banded = Ruleset> {
    ruleset: R,
    poison: bool,
    board: Option<R::Board>,
    /// Before a generation is computed: the second last one.
    next: R::Output,
}

impl<R: Banded> CpuEngine<R> {
    /// An engine without a board.
    pub fn new(ruleset: R) -> Self {
        Self {
            ruleset,
            poison: false,
            board: None,
            next: R::Output::default(),
        }
    }

    /// Fills the output planes with [`POISON`](super::POISON) before every generation.
    pub fn poisoned(mut self) -> Self {
        self.poison = true;
        self
    }

    /// Computes one generation and, under watch, tells what is seen of it.
    ///
    /// Output planes are not poisoned under watch: they hold the second last generation, with which
    /// the new one is compared.
    fn step_once(&mut self, watched: bool) -> Result<Seen<CensusOf<R::Board>>, EngineError> {
        let board = self.board.as_mut().ok_or(EngineError::NothingLoaded)?;
        if self.poison && !watched {
            R::poison(&mut self.next);
        }
        let seen = self.ruleset.compute(board, &mut self.next, watched);
        R::exchange(board, &mut self.next);
        Ok(seen)
    }
}

impl<R: Banded> Engine<R::Board> for CpuEngine<R> {
    fn load(&mut self, board: &R::Board) -> Result<(), EngineError> {
        self.next = R::output(board.size())?;
        self.board = Some(board.clone());
        Ok(())
    }

    fn step(&mut self, generations: u64) -> Result<(), EngineError> {
        (0..generations).try_for_each(|_| self.step_once(false).map(drop))
    }

    fn step_watched(
        &mut self,
        generations: u64,
        seen: &mut Vec<Sighting<CensusOf<R::Board>>>,
    ) -> Result<(), EngineError> {
        for _ in 0..generations {
            let sighting = self.step_once(true)?.sighting();
            seen.push(sighting);
            if sighting.is_settled() {
                break;
            }
        }
        Ok(())
    }

    fn census(&mut self) -> Result<CensusOf<R::Board>, EngineError> {
        let board = self.board.as_ref().ok_or(EngineError::NothingLoaded)?;
        Ok(board.census())
    }

    fn read(&mut self) -> Result<R::Board, EngineError> {
        self.board.clone().ok_or(EngineError::NothingLoaded)
    }
}
