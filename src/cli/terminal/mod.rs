//! Games played at a terminal, by keys or by lines of commands.

pub(super) mod battle;
pub(super) mod fragment;
pub(super) mod immigration;
mod paint;
mod picture;
mod script;
