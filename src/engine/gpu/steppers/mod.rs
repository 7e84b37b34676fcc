//! The ways in which an engine computes generations, one file each.

pub(super) mod background;
pub(super) mod film;
pub(super) mod pass;
pub(super) mod stats_pass;
