//! Games: what makes a run of generations a battle. Pure logic that knows no window, no terminal,
//! no file and no clock; where a game needs generations, an engine computes them.

pub mod fragment;
pub mod referee;
