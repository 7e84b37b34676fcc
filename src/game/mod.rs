//! Games: rules that turn the generations of a board into a contest or a puzzle. A game knows boards,
//! censuses and, where it computes generations itself, an engine, but no window, no terminal, no file and
//! no clock.

pub mod referee;
pub mod session;

pub mod fragment;
pub mod immigration;
pub mod life_battle;
pub mod opening;
pub mod rezolution;
pub mod two_player;

pub mod opponent;
pub mod record;
