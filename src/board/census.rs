//! Counts of a board.

/// How many cells each side has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Census {
    /// Red cells.
    pub red: u64,
    /// Blue cells.
    pub blue: u64,
}

impl Census {
    /// Live cells of both colours.
    pub const fn alive(self) -> u64 {
        self.red + self.blue
    }
}
