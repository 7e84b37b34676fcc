//! The CPU engine: rows over all cores.
//!
//! A band of rows is computed from top to bottom. The sums of three horizontal neighbours are
//! computed once per source row and kept for the three rows that need them. The inner loops run over
//! plain slices of words, which the compiler turns into the widest vectors of the processor at
//! hand.

mod lifelike;
mod rezolution;
mod roofline;
mod stats;

#[cfg(test)]
mod tests;

use std::ops::ControlFlow;
use std::time::Duration;

use web_time::Instant;

pub use self::roofline::roofline;
use super::{
    Batching, CensusOf, Engine, EngineError, GenerationStats, Observation, Observe, Request, Sink,
    Stop,
};
use crate::board::{Board, BoardError, Size};
use crate::rules::{LifelikeRuleset, Ruleset};

/// Words of a plane a thread takes at a time: large enough to hide the hand-over, small enough to
/// stay in its cache.
const BAND_WORDS: usize = 1 << 14;

/// Rules whose generations are computed on all cores.
pub trait CpuFamily: Ruleset {
    /// The words that a generation is written to.
    type Output: Default + Send;

    /// Words for a board of this size that occur in no valid board.
    ///
    /// # Errors
    /// [`BoardError`] if there is no memory for them.
    fn output(size: Size) -> Result<Self::Output, BoardError>;

    /// Fills all words with [`POISON`](super::POISON).
    fn poison(output: &mut Self::Output);

    /// Computes the generation after `board`, and its statistics if `with_stats`. Before,
    /// `output` holds the generation before `board`.
    fn compute(
        self,
        board: &Self::Board,
        output: &mut Self::Output,
        with_stats: bool,
    ) -> PartialStats<CensusOf<Self::Board>>;

    /// How many generations per pass are possible on a board of this size, and how many are worthwhile.
    fn passes(self, _size: Size) -> Passes {
        Passes::default()
    }

    /// Computes `generations` generations in one pass, no more than [`passes`](Self::passes) says.
    fn compute_pass(self, board: &Self::Board, output: &mut Self::Output, generations: u32) {
        debug_assert_eq!(generations, 1);
        self.compute(board, output, false);
    }

    /// Computes the statistics of up to `most` generations in one pass, of two at least, first to
    /// last. Writes the last but one, so that the statistics of the first generation of a pass from there
    /// are known already. `None` if there is no such pass over this board; then nothing has been done.
    ///
    /// If `has_history`, `output` holds the generation before `board`. Otherwise it means nothing
    /// whether the first generation differs from that.
    fn compute_pass_with_stats(
        self,
        _board: &Self::Board,
        _output: &mut Self::Output,
        _most: u32,
        _has_history: bool,
    ) -> Option<Vec<PartialStats<CensusOf<Self::Board>>>> {
        None
    }

    /// Exchanges the words of a board and those of another generation of it.
    fn exchange(board: &mut Self::Board, output: &mut Self::Output);
}

/// Generations of a pass over a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Passes {
    /// The most there can be, at least 1.
    pub possible: u32,
    /// The most that make it faster.
    pub worthwhile: u32,
}

impl Default for Passes {
    fn default() -> Self {
        Self {
            possible: 1,
            worthwhile: 1,
        }
    }
}

/// Statistics of a new generation, or of some rows of it.
#[derive(Clone, Copy, Debug, Default)]
pub struct PartialStats<C> {
    /// Its counts.
    pub census: C,
    /// Whether a cell differs from the generation before.
    pub differs_from_last: bool,
    /// Whether a cell differs from the second last generation.
    pub differs_from_second_last: bool,
}

impl<C> PartialStats<C> {
    /// The statistics of two parts of a generation together.
    fn merge(self, other: Self, add: impl FnOnce(C, C) -> C) -> Self {
        Self {
            census: add(self.census, other.census),
            differs_from_last: self.differs_from_last | other.differs_from_last,
            differs_from_second_last: self.differs_from_second_last
                | other.differs_from_second_last,
        }
    }

    fn generation_stats(self) -> GenerationStats<C> {
        GenerationStats {
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
pub struct CpuEngine<R: CpuFamily = LifelikeRuleset> {
    ruleset: R,
    poison: bool,
    /// The most generations of a pass, if that is not left to the rules.
    pass: Option<u32>,
    board: Option<R::Board>,
    /// Before a generation is computed: the second last one.
    next: R::Output,
    /// How fast generations were computed last, by a request with a budget.
    pace: Pace,
}

/// What a part of a request has computed.
struct Progress {
    generations: u64,
    /// Whether it has ended with a settled generation that ends the request.
    is_settled: bool,
}

/// How long some generations took.
#[derive(Clone, Copy, Default)]
struct Pace {
    generations: u64,
    took: Duration,
}

impl Pace {
    /// How many generations, at least one, take about as long as `budget`.
    ///
    /// A clock may be coarse and the last ones may have been few, so no more than eight times as many.
    fn generations_in(self, budget: Duration) -> u64 {
        let each = self.took.as_nanos() / u128::from(self.generations.max(1));
        let fitting = u64::try_from(budget.as_nanos() / each.max(1)).unwrap_or(u64::MAX);
        fitting.clamp(1, self.generations.saturating_mul(8).max(1))
    }
}

impl<R: CpuFamily> CpuEngine<R> {
    /// An engine without a board.
    pub fn new(ruleset: R) -> Self {
        Self {
            ruleset,
            poison: false,
            pass: None,
            board: None,
            next: R::Output::default(),
            pace: Pace::default(),
        }
    }

    /// Fills the output planes with [`POISON`](super::POISON) before every generation.
    pub fn poisoned(mut self) -> Self {
        self.poison = true;
        self
    }

    /// Lets a pass compute up to this many generations, at least 1, where the rules can do it,
    /// instead of as many as suit the board.
    pub fn with_pass(mut self, generations: u32) -> Self {
        self.pass = Some(generations);
        self
    }

    /// The most generations of a pass over the present board.
    fn longest_pass(&self) -> Result<u32, EngineError> {
        let board = self.board.as_ref().ok_or(EngineError::NothingLoaded)?;
        let passes = self.ruleset.passes(board.size());
        Ok(match self.pass {
            Some(generations) => generations.clamp(1, passes.possible),
            None => passes.worthwhile,
        })
    }

    /// Computes several generations at once. The one before the last is not kept.
    fn step_pass(&mut self, generations: u32) -> Result<(), EngineError> {
        let board = self.board.as_mut().ok_or(EngineError::NothingLoaded)?;
        if self.poison {
            R::poison(&mut self.next);
        }
        self.ruleset
            .compute_pass(board, &mut self.next, generations);
        R::exchange(board, &mut self.next);
        Ok(())
    }

    /// Computes generations, passes the statistics of each to `judge`, and ends with the one at which that breaks off.
    fn run_stats(
        &mut self,
        generations: u64,
        mut judge: impl FnMut(GenerationStats<CensusOf<R::Board>>) -> ControlFlow<()>,
    ) -> Result<(), EngineError> {
        let longest = self.longest_pass()?;
        let mut left = generations;
        // Whether the statistics of the generation after the present one are known; then `next` holds an older one
        // than the last.
        let mut is_ahead = false;
        while left > 0 || is_ahead {
            let most = u64::from(longest).min(left.saturating_add(is_ahead.into()));
            let Some(stats) = self.compute_pass_with_stats(most as u32, !is_ahead)? else {
                let stats = self.step_once(!is_ahead)?;
                if !is_ahead {
                    left -= 1;
                    if judge(stats.generation_stats()).is_break() {
                        return Ok(());
                    }
                }
                is_ahead = false;
                continue;
            };
            for (before, stats) in stats.iter().enumerate().skip(is_ahead.into()) {
                left -= 1;
                if judge(stats.generation_stats()).is_break() {
                    // The board is the one before the pass.
                    if before > 0 {
                        self.step_pass(before as u32)?;
                    }
                    self.step_once(false)?;
                    return Ok(());
                }
            }
            self.exchange()?;
            is_ahead = true;
        }
        Ok(())
    }

    /// [`CpuFamily::compute_pass_with_stats`] without an exchange: the board is still there to go another way from.
    #[expect(
        clippy::type_complexity,
        reason = "statistics per generation, if there is such a pass"
    )]
    fn compute_pass_with_stats(
        &mut self,
        most: u32,
        has_history: bool,
    ) -> Result<Option<Vec<PartialStats<CensusOf<R::Board>>>>, EngineError> {
        let board = self.board.as_ref().ok_or(EngineError::NothingLoaded)?;
        if most < 2 {
            return Ok(None);
        }
        if self.poison && !has_history {
            R::poison(&mut self.next);
        }
        Ok(self
            .ruleset
            .compute_pass_with_stats(board, &mut self.next, most, has_history))
    }

    /// Exchanges the present board and the one that has been written.
    fn exchange(&mut self) -> Result<(), EngineError> {
        let board = self.board.as_mut().ok_or(EngineError::NothingLoaded)?;
        R::exchange(board, &mut self.next);
        Ok(())
    }

    /// Computes one generation, and its statistics if `with_stats`.
    ///
    /// Output planes are not poisoned then: they hold the second last generation, with which
    /// the new one is compared.
    fn step_once(
        &mut self,
        with_stats: bool,
    ) -> Result<PartialStats<CensusOf<R::Board>>, EngineError> {
        let board = self.board.as_mut().ok_or(EngineError::NothingLoaded)?;
        if self.poison && !with_stats {
            R::poison(&mut self.next);
        }
        let stats = self.ruleset.compute(board, &mut self.next, with_stats);
        R::exchange(board, &mut self.next);
        Ok(stats)
    }

    /// Runs a request without a budget.
    fn run_whole(
        &mut self,
        request: Request,
        sink: &mut Sink<'_, R::Board>,
    ) -> Result<Progress, EngineError> {
        let stops = request.stop == Stop::AtSettled;
        let mut progress = Progress {
            generations: request.generations,
            is_settled: false,
        };
        match request.observe {
            Observe::Nothing if !stops => self.step_all(request.generations)?,
            Observe::Nothing | Observe::Census | Observe::Stats => {
                progress.generations = 0;
                self.run_stats(request.generations, |stats| {
                    progress.generations += 1;
                    progress.is_settled = stops && stats.is_settled();
                    match request.observe {
                        Observe::Census => sink(Observation::Census(stats.census)),
                        Observe::Stats => sink(Observation::Stats(stats)),
                        Observe::Nothing | Observe::Boards => {}
                    }
                    match progress.is_settled {
                        true => ControlFlow::Break(()),
                        false => ControlFlow::Continue(()),
                    }
                })?;
            }
            Observe::Boards => {
                for generation in 1..=request.generations {
                    let stats = self.step_once(stops)?.generation_stats();
                    sink(Observation::Board(self.read()?));
                    if stops && stats.is_settled() {
                        return Ok(Progress {
                            generations: generation,
                            is_settled: true,
                        });
                    }
                }
            }
        }
        Ok(progress)
    }

    /// Computes generations of which nothing is observed.
    fn step_all(&mut self, generations: u64) -> Result<(), EngineError> {
        let longest = u64::from(self.longest_pass()?);
        let mut left = generations;
        while left > 0 {
            // The last generation is a single step, so that the one before it stays known.
            let pass = longest.min(left.saturating_sub(1));
            if pass > 1 {
                self.step_pass(pass as u32)?;
                left -= pass;
            } else {
                self.step_once(false)?;
                left -= 1;
            }
        }
        Ok(())
    }
}

impl<R: CpuFamily> Engine<R::Board> for CpuEngine<R> {
    fn load(&mut self, board: &R::Board) -> Result<(), EngineError> {
        self.next = R::output(board.size())?;
        self.pace = Pace::default();
        self.board = Some(board.clone());
        Ok(())
    }

    fn run(&mut self, request: Request, sink: &mut Sink<'_, R::Board>) -> Result<(), EngineError> {
        let Some(budget) = request.budget else {
            self.run_whole(request, sink)?;
            return Ok(());
        };
        let began = Instant::now();
        let mut left = request.generations;
        while left > 0 {
            let since = began.elapsed();
            let part = self.pace.generations_in(budget.saturating_sub(since));
            let part = Request {
                generations: part.min(left),
                budget: None,
                ..request
            };
            let progress = self.run_whole(part, sink)?;
            left -= progress.generations;
            let now = began.elapsed();
            self.pace = Pace {
                generations: progress.generations,
                took: now - since,
            };
            if now >= budget || progress.is_settled {
                break;
            }
        }
        Ok(())
    }

    fn batching(&self) -> Batching {
        Batching {
            generations_per_pass: self.longest_pass().map_or(1, u64::from),
            ..Batching::default()
        }
    }

    fn census(&mut self) -> Result<CensusOf<R::Board>, EngineError> {
        let board = self.board.as_ref().ok_or(EngineError::NothingLoaded)?;
        Ok(board.census())
    }

    fn read(&mut self) -> Result<R::Board, EngineError> {
        self.board.clone().ok_or(EngineError::NothingLoaded)
    }
}
