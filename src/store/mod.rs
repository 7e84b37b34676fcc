//! What the program remembers in the folder of its user: the best scores of the puzzle, which kernels of
//! each adapter are right and which are the fastest, and what the window held last.

pub mod best_scores;
pub mod proofs;
pub mod tuning;
#[cfg(feature = "window")]
pub mod window_memory;
