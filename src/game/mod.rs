//! Games: what makes a run of generations a battle. Pure logic that knows no window, no terminal
//! and no engine: boards and counts in, verdicts out.

pub mod referee;
