//! What happens to a cell in one generation.
//!
//! A rule knows no GPU, no file and no clock. There is one module a family; its shader has the
//! same stem (`src/rules/lifelike.rs`, `shaders/lifelike.wgsl`) and the same functions in the same
//! order. [`notation`] reads and writes rule strings, [`ties`] decides the colour of a birth whose
//! parents are evenly split.

pub mod lifelike;
pub mod notation;
pub mod ties;

pub use lifelike::Rule;
pub use ties::Ties;

use crate::board::Edges;

/// Everything but the cells that decides the future of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ruleset {
    /// Births and survivals.
    pub rule: Rule,
    /// What lies beyond the border.
    pub edges: Edges,
    /// Who owns a birth with evenly split parents.
    pub ties: Ties,
}
