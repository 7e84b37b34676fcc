//! What the program remembers in the folder of its user: the best scores of the puzzle, the fastest
//! kernels of each adapter, and what the window held last.

pub mod best_scores;
pub mod tuning;
#[cfg(feature = "window")]
pub mod window_memory;
