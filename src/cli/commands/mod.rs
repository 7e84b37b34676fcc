//! The commands that are no game at the terminal and no tournament: one file each.

pub(super) mod bench;
pub(super) mod conform;
pub(super) mod convert;
pub(super) mod devices;
pub(super) mod duel;
pub(super) mod play;
pub(super) mod rule_file;
pub(super) mod run;
