//! Engines: three ways to compute the same generations, bit for bit alike.
//!
//! * [`mod@reference`]: the rule's definition, cell by cell. Never optimised; every golden value comes
//!   from it.
//! * [`cpu`]: bit planes, 32 cells a word, rows spread over the cores.
//! * [`gpu`]: the same circuits as WGSL compute shaders.
//!
//! Each is written once and computes the boards of every family ([`crate::rules::FAMILIES`]); what it
//! must know of one is a trait of its own: [`reference::ReferenceFamily`], [`cpu::CpuFamily`], [`gpu::GpuFamily`].
//!
//! An engine holds one board and knows four verbs: load, step, census, read. It knows no game and
//! no file. [`conformance`] runs two engines in lockstep and names the first cell that differs.

pub mod conformance;
pub mod cpu;
pub mod gpu;
pub mod reference;
pub mod roofline;

use std::time::Duration;

use thiserror::Error;
use web_time::Instant;

use self::cpu::CpuFamily;
use self::gpu::{DeviceBoard, GpuFamily};
use self::reference::ReferenceFamily;
use crate::board::{Board, BoardError, Census, LifelikeBoard, LifelikeCensus, Size};

/// Why an engine could not do what it was asked.
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
    /// No adapter has the name asked for.
    #[error("no adapter is called {name:?}; there is {found}")]
    UnknownAdapter {
        /// The name asked for.
        name: String,
        /// The names of those that are there.
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
        /// What it said, in one line.
        message: String,
    },
    /// What came back is not a board.
    #[error("the device {adapter} gave back a damaged board: {source}")]
    Damaged {
        /// The device's name.
        adapter: String,
        /// What is wrong with it.
        source: BoardError,
    },
    /// There is no memory for the board.
    #[error(transparent)]
    Board(#[from] BoardError),
    /// A verb other than load came first.
    #[error("no board has been loaded")]
    NothingLoaded,
}

/// What is seen of one generation that is computed under watch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GenerationStats<C = LifelikeCensus> {
    /// Its counts.
    pub census: C,
    /// 1 if the board is that of the generation before, 2 if it is that of the generation before
    /// that. Only generations computed since the board was loaded are remembered, and the board
    /// that was loaded.
    pub period: Option<u8>,
}

impl<C: Census> GenerationStats<C> {
    /// Whether a run under watch ends here; what does it is a matter of the family, see
    /// [`Census::settle`].
    pub fn is_settled(self) -> bool {
        self.census.settle(self.period)
    }
}

/// The counts of a board.
pub type CensusOf<B> = <B as Board>::Census;

/// One board of a family under one ruleset, computed somewhere.
pub trait Engine<B: Board = LifelikeBoard> {
    /// Replaces the board. Its size may differ from the last one's.
    ///
    /// # Errors
    /// [`EngineError`] if the board does not fit or the device fails.
    fn load(&mut self, board: &B) -> Result<(), EngineError>;

    /// Computes `generations` generations.
    ///
    /// # Errors
    /// [`EngineError`] if nothing is loaded or the device fails.
    fn step(&mut self, generations: u64) -> Result<(), EngineError>;

    /// Like [`step`](Self::step), for a run that goes on: under watch the generations before the
    /// present one need not be remembered, as if it had been loaded.
    ///
    /// # Errors
    /// As [`step`](Self::step).
    fn step_on(&mut self, generations: u64) -> Result<(), EngineError> {
        self.step(generations)
    }

    /// How many generations that are asked for at once are computed far faster than one by one: 1 if
    /// it makes little difference.
    fn stride(&self) -> u64 {
        1
    }

    /// Generations of the longest pass over the present board; 1 if each is computed alone.
    fn generations_a_pass(&self) -> u64 {
        1
    }

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

    /// Like [`step`](Self::step), and appends the census of every generation computed.
    ///
    /// # Errors
    /// As [`step`](Self::step).
    fn step_counted(
        &mut self,
        generations: u64,
        counts: &mut Vec<B::Census>,
    ) -> Result<(), EngineError> {
        for _ in 0..generations {
            self.step(1)?;
            counts.push(self.census()?);
        }
        Ok(())
    }

    /// Like [`step`](Self::step), but ends after the first generation that
    /// [is settled](Sighting::is_settled), which then is the present one. Appends what is seen of
    /// every generation computed.
    ///
    /// # Errors
    /// As [`step`](Self::step).
    fn step_with_stats(
        &mut self,
        generations: u64,
        seen: &mut Vec<GenerationStats<B::Census>>,
    ) -> Result<(), EngineError>;

    /// Computes for about as long as `budget`, at most `most` generations, for a window that has to
    /// draw the next frame: an engine that works in the background is not waited for. Ends like
    /// [`step_with_stats`](Self::step_watched) after a settled generation, and appends what is seen of
    /// every generation finished since the last call, which may be none.
    ///
    /// # Errors
    /// As [`step`](Self::step).
    fn advance(
        &mut self,
        most: u64,
        budget: Duration,
        seen: &mut Vec<GenerationStats<B::Census>>,
    ) -> Result<(), EngineError> {
        let since = Instant::now();
        for _ in 0..most {
            self.step_with_stats(1, seen)?;
            if since.elapsed() >= budget || seen.last().is_some_and(|seen| seen.is_settled()) {
                break;
            }
        }
        Ok(())
    }

    /// The present board where a device keeps it, for drawing it without reading it back. `None` if
    /// it lies in the memory of this process, or if nothing is loaded.
    fn device_board(&self) -> Option<DeviceBoard> {
        None
    }

    /// Like [`step`](Self::step), and appends the board of every generation computed.
    ///
    /// # Errors
    /// As [`step`](Self::step) and [`read`](Self::read).
    fn step_filmed(&mut self, generations: u64, boards: &mut Vec<B>) -> Result<(), EngineError> {
        for _ in 0..generations {
            self.step(1)?;
            boards.push(self.read()?);
        }
        Ok(())
    }
}

/// Rules that all three engines compute.
pub trait Family: ReferenceFamily + CpuFamily + GpuFamily {}

impl<R: ReferenceFamily + CpuFamily + GpuFamily> Family for R {}

/// The word with which an output buffer can be filled before a step, so that a word the step does
/// not write shows.
pub const POISON: u32 = 0xdead_beef;
