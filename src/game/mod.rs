//! Games: what makes a run of generations a battle. A game knows boards, counts and, where it
//! computes generations itself, an engine, but no window, no terminal, no file and no clock.

pub mod fragment;
pub mod immigration;
pub mod opening;
pub mod opponent;
pub mod referee;
pub mod rezolution;
pub mod session;
