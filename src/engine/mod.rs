//! Engines: three ways to compute the same generations, bit for bit equal.
//!
//! * [`mod@reference`]: the rule's definition, cell by cell. Never optimised; every golden value comes
//!   from it.
//! * [`cpu`]: packed words, several cells per word, rows spread over the cores.
//! * [`gpu`]: the same operations as WGSL compute shaders.
//!
//! An [`Engine`] holds one board, the *present* one, and has four operations:
//!
//! * [`load`](Engine::load) replaces the board;
//! * [`run`](Engine::run) computes the generations of a [`Request`]. The request says how many, which of
//!   their properties to [observe](Observe), and whether to [stop](Stop) early; a [`Sink`] receives one
//!   [`Observation`] per generation;
//! * [`census`](Engine::census) counts the cells of the present board;
//! * [`read`](Engine::read) returns it.
//!
//! Each engine computes the boards of every family ([`crate::rules::FAMILIES`]). A trait per engine says
//! what it needs of a family: [`reference::ReferenceFamily`], [`cpu::CpuFamily`], [`gpu::GpuFamily`].
//!
//! Engines know no game and no file. [`conformance`] compares an engine with the reference and
//! locates the first cell that differs.

pub mod conformance;
pub mod cpu;
pub mod gpu;
pub mod reference;
mod request;
pub mod roofline;
pub mod select;

use std::time::Duration;

use thiserror::Error;

use self::cpu::CpuFamily;
use self::gpu::{DeviceBoard, GpuFamily};
use self::reference::ReferenceFamily;
pub use self::request::{Observation, Observe, Request, Sink, Stop};
use crate::board::{Board, BoardError, Census, LifelikeBoard, LifelikeCensus, Size};

/// Why a request to an engine failed.
#[derive(Debug, Error)]
pub enum EngineError {
    /// There is no adapter at all.
    #[error(
        "no GPU adapter found (looked for Vulkan, Metal and DirectX 12 drivers); install a driver, on Debian or Ubuntu the software one of mesa-vulkan-drivers will do, or use --engine cpu"
    )]
    NoAdapter,
    /// There are adapters, but only software ones.
    #[error("no hardware GPU adapter found, only {found}; --engine gpu takes it all the same")]
    NoHardware {
        /// Their names.
        found: String,
    },
    /// No adapter has the requested number, backend or name.
    #[error(
        "no adapter is called {name:?}; --adapter takes a number, a part of a name or a backend of {found}"
    )]
    UnknownAdapter {
        /// What was requested.
        name: String,
        /// Numbers and names of those that are there.
        found: String,
    },
    /// The board does not fit on the device. Nothing was allocated.
    #[error(
        "a board of {size} needs at least {needed} bytes in one buffer, {adapter} takes at most {limit}; use --engine cpu or a smaller board"
    )]
    TooLarge {
        /// The board's size.
        size: Size,
        /// Bytes of the rows of a plane that have to be together.
        needed: u64,
        /// The most the device binds at once.
        limit: u64,
        /// The device's name.
        adapter: String,
    },
    /// The device has not enough memory for the board. Nothing was computed.
    #[error(
        "a board of {size} needs {} MiB of memory on {adapter}, which has less left; use --engine cpu or a smaller board",
        needed >> 20
    )]
    NoMemory {
        /// The board's size.
        size: Size,
        /// Bytes of all its planes there.
        needed: u64,
        /// The device's name.
        adapter: String,
    },
    /// The device reported an error or was lost.
    #[error("the device {adapter} failed: {message}")]
    Device {
        /// The device's name.
        adapter: String,
        /// Its message, in one line.
        message: String,
    },
    /// The device computes wrong results, and is not used.
    #[error(
        "{adapter} computes wrong results and is not used (program {program}: {difference}); update its driver, choose another --adapter, or use --engine cpu"
    )]
    Unproved {
        /// The device's name.
        adapter: String,
        /// The program that was tried.
        program: &'static str,
        /// What was wrong.
        difference: String,
    },
    /// The memory of the device holds no board.
    #[error("the device {adapter} gave back a damaged board: {cause}")]
    Damaged {
        /// The device's name.
        adapter: String,
        /// What is wrong with it.
        cause: BoardError,
    },
    /// There is no memory for the board.
    #[error(transparent)]
    Board(#[from] BoardError),
    /// The engine has no board yet.
    #[error("no board has been loaded")]
    NothingLoaded,
}

/// Statistics of one generation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GenerationStats<C = LifelikeCensus> {
    /// Its census.
    pub census: C,
    /// 1 if the board equals that of the generation before, 2 if it equals that of the generation
    /// before that. Only the board that was loaded and generations computed since are compared.
    pub period: Option<u8>,
}

impl<C: Census> GenerationStats<C> {
    /// Whether a run [until a settled generation](Stop::AtSettled) ends here; the family decides,
    /// see [`Census::settle`].
    pub fn is_settled(self) -> bool {
        self.census.settle(self.period)
    }
}

/// The census of a board.
pub type CensusOf<B> = <B as Board>::Census;

/// Computes the generations of one board under one ruleset.
///
/// An engine implements [`load`](Self::load), [`run`](Self::run), [`census`](Self::census) and
/// [`read`](Self::read). The `step` methods are requests that callers make often, under a name.
pub trait Engine<B: Board = LifelikeBoard> {
    /// Replaces the board. Its size may differ from that of the previous one.
    ///
    /// # Errors
    /// [`EngineError`] if the board does not fit or the device fails.
    fn load(&mut self, board: &B) -> Result<(), EngineError>;

    /// Computes the generations of a request, and passes what it observes to `sink`, generation by
    /// generation.
    ///
    /// # Errors
    /// [`EngineError`] if nothing is loaded or the device fails.
    fn run(&mut self, request: Request, sink: &mut Sink<'_, B>) -> Result<(), EngineError>;

    /// Counts the present board.
    ///
    /// # Errors
    /// [`EngineError`] if nothing is loaded or the device fails.
    fn census(&mut self) -> Result<B::Census, EngineError>;

    /// The present board.
    ///
    /// # Errors
    /// [`EngineError`] if nothing is loaded, the device fails or its memory holds no board.
    fn read(&mut self) -> Result<B, EngineError>;

    /// The present board in the memory of a device, for drawing it without a readback. `None` if
    /// it lies in the memory of this process, or if nothing is loaded.
    fn device_board(&self) -> Option<DeviceBoard> {
        None
    }

    /// How many generations this engine best computes in one request over the present board.
    fn batching(&self) -> Batching {
        Batching::default()
    }

    /// Computes `generations` generations.
    ///
    /// # Errors
    /// As [`run`](Self::run).
    fn step(&mut self, generations: u64) -> Result<(), EngineError> {
        self.run(Request::new(generations), &mut |_| {})
    }

    /// Like [`step`](Self::step), but the engine may discard the generation before the last, so that the
    /// last pass can be as long as any other. Later statistics then compare no generation with those
    /// before the present one, as if it had been loaded.
    ///
    /// # Errors
    /// As [`run`](Self::run).
    fn fast_forward(&mut self, generations: u64) -> Result<(), EngineError> {
        let request = Request {
            keep_history: false,
            ..Request::new(generations)
        };
        self.run(request, &mut |_| {})
    }

    /// Like [`step`](Self::step), and appends the census of every generation computed.
    ///
    /// # Errors
    /// As [`run`](Self::run).
    fn step_with_census(
        &mut self,
        generations: u64,
        census: &mut Vec<B::Census>,
    ) -> Result<(), EngineError> {
        self.run(
            Request::new(generations).observing(Observe::Census),
            &mut |observation| census.extend(observation.census()),
        )
    }

    /// Like [`step`](Self::step), but ends after the first generation that
    /// [is settled](GenerationStats::is_settled), which then is the present one. Appends the
    /// statistics of every generation computed.
    ///
    /// # Errors
    /// As [`run`](Self::run).
    fn step_with_stats(
        &mut self,
        generations: u64,
        stats: &mut Vec<GenerationStats<B::Census>>,
    ) -> Result<(), EngineError> {
        self.run(Request::until_settled(generations), &mut |observation| {
            stats.extend(observation.stats());
        })
    }

    /// Like [`step_with_stats`](Self::step_with_stats), for about as long as `budget`. Does not wait for an
    /// engine that computes in the background: appends the statistics of the generations that it has
    /// finished since the last call, which may be none.
    ///
    /// # Errors
    /// As [`run`](Self::run).
    fn advance(
        &mut self,
        generations: u64,
        budget: Duration,
        stats: &mut Vec<GenerationStats<B::Census>>,
    ) -> Result<(), EngineError> {
        let request = Request {
            budget: Some(budget),
            ..Request::until_settled(generations)
        };
        self.run(request, &mut |observation| {
            stats.extend(observation.stats())
        })
    }

    /// Like [`step`](Self::step), and appends the board of every generation computed.
    ///
    /// # Errors
    /// As [`run`](Self::run) and [`read`](Self::read).
    fn step_with_boards(
        &mut self,
        generations: u64,
        boards: &mut Vec<B>,
    ) -> Result<(), EngineError> {
        self.run(
            Request::new(generations).observing(Observe::Boards),
            &mut |observation| boards.extend(observation.board()),
        )
    }
}

/// How many generations an engine best computes in one request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Batching {
    /// Generations of the longest pass over the present board; 1 if each is computed in a pass of
    /// its own.
    pub generations_per_pass: u64,
    /// Generations from which a request is far faster than as many requests of one generation; 1
    /// if it makes little difference.
    pub worthwhile: u64,
}

impl Default for Batching {
    fn default() -> Self {
        Self {
            generations_per_pass: 1,
            worthwhile: 1,
        }
    }
}

/// Rules that all three engines compute.
pub trait Family: ReferenceFamily + CpuFamily + GpuFamily {}

impl<R: ReferenceFamily + CpuFamily + GpuFamily> Family for R {}

/// The word with which tests fill output buffers before a step, so that a word which the step fails to
/// write shows up.
pub const POISON: u32 = 0xdead_beef;
