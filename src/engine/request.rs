//! What an engine is to compute, and what it reports while it does.

use std::time::Duration;

use super::GenerationStats;
use crate::board::Board;

/// Generations to compute, and what to observe of them. All combinations are valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    /// The most generations to compute.
    pub generations: u64,
    /// What the sink receives of every generation.
    pub observe: Observe,
    /// Which generation is the last one.
    pub stop: Stop,
    /// Time after which no further generation is begun, for a window that has to draw the next
    /// frame. A generation in progress then continues in the background, if the engine has one, and
    /// is the first that the next call finishes. `None` waits for all generations.
    pub budget: Option<Duration>,
    /// Whether the engine keeps the generations before the last one, so that the next request can compare
    /// its first generations with them and find a period. An engine may ignore `false`.
    pub keep_history: bool,
}

/// What the sink receives of every generation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Observe {
    /// Nothing.
    Nothing,
    /// [`Observation::Census`].
    Census,
    /// [`Observation::Stats`].
    Stats,
    /// [`Observation::Board`].
    Boards,
}

/// Which generation of a request is the last one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The last one of the request.
    Never,
    /// The first that [is settled](GenerationStats::is_settled).
    AtSettled,
}

/// What an engine reports of one generation.
#[derive(Clone, Debug, PartialEq)]
pub enum Observation<B: Board> {
    /// How many cells of each kind it has.
    Census(B::Census),
    /// The census, and whether the board repeats.
    Stats(GenerationStats<B::Census>),
    /// Its board.
    Board(B),
}

/// Receives the observations of a run, one per generation, first to last.
pub type Sink<'a, B> = dyn FnMut(Observation<B>) + 'a;

impl Request {
    /// All of `generations` generations, of which nothing is observed.
    pub const fn new(generations: u64) -> Self {
        Self {
            generations,
            observe: Observe::Nothing,
            stop: Stop::Never,
            budget: None,
            keep_history: true,
        }
    }

    /// The statistics of at most `generations` generations, up to the first that is settled.
    pub const fn until_settled(generations: u64) -> Self {
        Self {
            observe: Observe::Stats,
            stop: Stop::AtSettled,
            ..Self::new(generations)
        }
    }

    /// The same request with other observations.
    pub const fn observing(self, observe: Observe) -> Self {
        Self { observe, ..self }
    }

    /// Whether the statistics of every generation have to be known.
    pub(super) fn needs_stats(&self) -> bool {
        let stops = self.stop == Stop::AtSettled;
        stops || matches!(self.observe, Observe::Census | Observe::Stats)
    }
}

impl Observe {
    /// The observation of a generation with these statistics; `board` is called for its board.
    pub(super) fn observation<B: Board, E>(
        self,
        stats: GenerationStats<B::Census>,
        board: impl FnOnce() -> Result<B, E>,
    ) -> Result<Option<Observation<B>>, E> {
        Ok(match self {
            Self::Nothing => None,
            Self::Census => Some(Observation::Census(stats.census)),
            Self::Stats => Some(Observation::Stats(stats)),
            Self::Boards => Some(Observation::Board(board()?)),
        })
    }
}

impl<B: Board> Observation<B> {
    /// The census, if it was requested alone.
    pub fn census(self) -> Option<B::Census> {
        match self {
            Self::Census(census) => Some(census),
            Self::Stats(_) | Self::Board(_) => None,
        }
    }

    /// The statistics, if they were requested.
    pub fn stats(self) -> Option<GenerationStats<B::Census>> {
        match self {
            Self::Stats(stats) => Some(stats),
            Self::Census(_) | Self::Board(_) => None,
        }
    }

    /// The board, if it was requested.
    pub fn board(self) -> Option<B> {
        match self {
            Self::Board(board) => Some(board),
            Self::Census(_) | Self::Stats(_) => None,
        }
    }
}
