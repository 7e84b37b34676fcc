//! Games: what makes a run of generations a battle. Pure logic that knows no window and no
//! terminal: boards and counts in, verdicts out.

pub mod referee;
pub mod rezolution;
