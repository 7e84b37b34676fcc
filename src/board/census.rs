//! Counts of a board.

use std::fmt;

/// How many cells each side has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LifelikeCensus {
    /// Red cells.
    pub red: u64,
    /// Blue cells.
    pub blue: u64,
}

/// What every kind of counts provides.
pub trait Census: Copy + PartialEq + fmt::Debug + fmt::Display + Send + 'static {
    /// Red cells.
    fn red(self) -> u64;

    /// Blue cells.
    fn blue(self) -> u64;

    /// Whether a run that collects statistics ends with a board of these counts that repeats the one
    /// `period` generations before, if any.
    fn settle(self, period: Option<u8>) -> bool;
}

/// At most one colour is left, or the board repeats: nothing new can come of it.
impl Census for LifelikeCensus {
    fn red(self) -> u64 {
        self.red
    }

    fn blue(self) -> u64 {
        self.blue
    }

    fn settle(self, period: Option<u8>) -> bool {
        self.red == 0 || self.blue == 0 || period.is_some()
    }
}

impl LifelikeCensus {
    /// The counts of two parts of a board together.
    pub const fn plus(self, other: Self) -> Self {
        Self {
            red: self.red + other.red,
            blue: self.blue + other.blue,
        }
    }

    /// Live cells of both colours.
    pub const fn alive(self) -> u64 {
        self.red + self.blue
    }
}

impl fmt::Display for LifelikeCensus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} red, {} blue", self.red, self.blue)
    }
}

/// How many cells each side has, how large its population is, and what it has reached.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RezolutionCensus {
    /// Red cells.
    pub red: u64,
    /// Blue cells.
    pub blue: u64,
    /// The sum of all red populations.
    pub red_population: u64,
    /// The sum of all blue populations, as a number above 0.
    pub blue_population: u64,
    /// Populated targets.
    pub reached: u64,
}

impl RezolutionCensus {
    /// The counts of two parts of a board together.
    pub const fn plus(self, other: Self) -> Self {
        Self {
            red: self.red + other.red,
            blue: self.blue + other.blue,
            red_population: self.red_population + other.red_population,
            blue_population: self.blue_population + other.blue_population,
            reached: self.reached + other.reached,
        }
    }
}

/// A target is populated.
impl Census for RezolutionCensus {
    fn red(self) -> u64 {
        self.red
    }

    fn blue(self) -> u64 {
        self.blue
    }

    fn settle(self, _period: Option<u8>) -> bool {
        self.reached > 0
    }
}

impl fmt::Display for RezolutionCensus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            red,
            blue,
            red_population,
            blue_population,
            ..
        } = self;
        write!(
            f,
            "{red} red cells of {red_population}, {blue} blue cells of {blue_population}"
        )?;
        match self.reached {
            0 => Ok(()),
            1 => f.write_str(", 1 target populated"),
            reached => write!(f, ", {reached} targets populated"),
        }
    }
}
