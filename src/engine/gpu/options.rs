//! What tests and measurements fix, and the engine otherwise chooses by device and board.

use super::program::Form;

/// Fixed values; `None` and `false` leave the choice to the engine.
#[derive(Clone, Copy, Debug)]
pub(super) struct Options {
    pub(super) poisoned: bool,
    pub(super) portable: bool,
    pub(super) strip_rows: Option<u32>,
    pub(super) piece: Option<u32>,
    pub(super) pass: Option<u32>,
    pub(super) single_workgroup: Option<bool>,
    pub(super) only_active: bool,
    pub(super) tile_threads: Option<u32>,
    pub(super) band_rows: Option<u32>,
    pub(super) form: Option<Form>,
    /// Whether the engine computes a trial, and requires no proof itself.
    pub(super) on_trial: bool,
}

impl Options {
    /// All is left to the engine.
    pub(super) const NONE: Self = Self {
        poisoned: false,
        portable: false,
        strip_rows: None,
        piece: None,
        pass: None,
        single_workgroup: None,
        only_active: false,
        tile_threads: None,
        band_rows: None,
        form: None,
        on_trial: false,
    };
}
