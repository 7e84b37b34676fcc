//! Games: what makes a run of generations a battle. Pure logic that knows no window, no terminal, no
//! file and no clock.

pub mod fragment;
pub mod referee;
pub mod rezolution;
pub mod session;
