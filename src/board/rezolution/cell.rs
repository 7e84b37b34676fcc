//! One cell of a board of reZolution.

use std::fmt;

use super::MAX_POPULATION;

/// What a cell is besides its population.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Ground {
    /// An ordinary cell.
    #[default]
    Open,
    /// Never populated.
    Barrier,
    /// An ordinary cell with a mark that stays.
    Target,
}

/// One cell: its population and its ground.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct RezolutionCell {
    /// Red above 0, blue below, from -127 to 127; 0 on a barrier.
    pub population: i8,
    /// Barrier, target or neither.
    pub ground: Ground,
}

impl RezolutionCell {
    /// An ordinary cell with a population.
    pub const fn open(population: i8) -> Self {
        let ground = Ground::Open;
        Self { population, ground }
    }

    /// Whether a board can have such a cell.
    pub(super) const fn is_possible(self) -> bool {
        match self.ground {
            Ground::Barrier => self.population == 0,
            Ground::Open | Ground::Target => self.population >= -MAX_POPULATION,
        }
    }
}

/// As in a board file: `.`, `#`, `x`, `+3`, `x-12`.
impl fmt::Display for RezolutionCell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.ground, self.population) {
            (Ground::Barrier, _) => f.pad("#"),
            (Ground::Open, 0) => f.pad("."),
            (Ground::Open, population) => f.pad(&format!("{population:+}")),
            (Ground::Target, 0) => f.pad("x"),
            (Ground::Target, population) => f.pad(&format!("x{population:+}")),
        }
    }
}
