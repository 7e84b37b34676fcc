//! What an engine can be told instead of choosing what suits the device and the board: for tests, which
//! want all of it, and for measurements.

use super::GpuEngine;
use super::family::GpuFamily;
use super::kernels::Form;
use crate::engine::EngineError;

/// What is not left to the engine.
#[derive(Clone, Copy, Default)]
pub(super) struct Options {
    pub(super) poisoned: bool,
    pub(super) portable: bool,
    pub(super) strip_rows: Option<u32>,
    pub(super) piece: Option<u32>,
    pub(super) pass: Option<u32>,
    pub(super) small: Option<bool>,
    pub(super) by_blocks: bool,
    pub(super) tile_threads: Option<u32>,
    pub(super) band_rows: Option<u32>,
    pub(super) form: Option<Form>,
}

impl<R: GpuFamily> GpuEngine<R> {
    /// Fills the output planes with [`POISON`](crate::engine::POISON) before every generation.
    pub const fn poisoned(mut self) -> Self {
        self.options.poisoned = true;
        self
    }

    /// Computes by kernels of one form, and waits for them, instead of by the general ones until those with the
    /// rule folded in are made.
    ///
    /// # Errors
    /// [`EngineError::Device`] if the device refuses a kernel.
    pub fn with_form(mut self, form: Form) -> Result<Self, EngineError> {
        self.options.form = Some(form);
        self.step = self.kernels.step(self.ruleset, self.options.form)?;
        self.watch = None;
        self.small = None;
        Ok(self)
    }

    /// Leaves subgroups unused, as on a device that has none.
    pub const fn portable(mut self) -> Self {
        self.options.portable = true;
        self
    }

    /// Lets one thread compute this many rows, at least 1, instead of a number that suits the
    /// board.
    pub const fn with_strip_rows(mut self, rows: u32) -> Self {
        self.options.strip_rows = Some(rows);
        self
    }

    /// Cuts a generation that is computed in the background into pieces of this many threads, at
    /// least 1, instead of a number that suits the device.
    pub const fn with_piece(mut self, threads: u32) -> Self {
        self.options.piece = Some(threads);
        self
    }

    /// Lets a pass over the board compute up to this many generations, at least 1, where the rules
    /// can do it, by subgroups where the device has them, instead of what suits device and board.
    pub const fn with_pass(mut self, generations: u32) -> Self {
        self.options.pass = Some(generations);
        self
    }

    /// Lets one workgroup compute all of a board that is small enough, or never, instead of doing so on
    /// a card.
    pub const fn within_workgroup(mut self, small: bool) -> Self {
        self.options.small = Some(small);
        self
    }

    /// Lets every pass leave out the blocks that are known to stand still, and compute all others one by
    /// one, even where that is slower than a pass over all.
    pub const fn by_blocks(mut self) -> Self {
        self.options.by_blocks = true;
        self
    }

    /// Cuts a board into bands of at most this many rows, as far as it is high enough for several, instead
    /// of as few as the device's bindings can hold.
    pub const fn with_band_rows(mut self, rows: u32) -> Self {
        self.options.band_rows = Some(rows);
        self
    }

    /// Lets up to this many threads of a subgroup share a tile of a pass, at least 1, instead of all.
    pub const fn with_tile_threads(mut self, threads: u32) -> Self {
        self.options.tile_threads = Some(threads);
        self
    }
}
