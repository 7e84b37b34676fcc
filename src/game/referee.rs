//! Who has won, judged by counts.

use std::fmt;

use crate::board::Census;

/// How a battle stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Only red is left.
    Red,
    /// Only blue is left.
    Blue,
    /// Nobody is left.
    Draw,
    /// Both are alive.
    Undecided,
}

impl Outcome {
    /// The outcome by elimination.
    pub const fn of(census: Census) -> Self {
        match (census.red, census.blue) {
            (0, 0) => Self::Draw,
            (_, 0) => Self::Red,
            (0, _) => Self::Blue,
            _ => Self::Undecided,
        }
    }
}

/// In one word, for people and for machines.
impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Red => "red",
            Self::Blue => "blue",
            Self::Draw => "draw",
            Self::Undecided => "undecided",
        })
    }
}
