//! The referee of a battle: who has won, and why.
//!
//! After each generation, in this order:
//!
//! 1. both colours are gone: a draw by extinction;
//! 2. one is gone: the other wins by elimination;
//! 3. the coloured board equals the one 1 or 2 generations ago: a draw by coexistence. Longer periods
//!    are not detected;
//! 4. the limit is reached: the colour with more cells wins; equal numbers are a draw.
//!
//! [`Engine::step_with_stats`](crate::engine::Engine::step_with_stats) yields all that the referee needs
//! without reading a board back. [`Growth`] is another way to score a battle.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::board::LifelikeCensus;
use crate::engine::GenerationStats;

/// The outcome of a battle so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// Red has won.
    Red,
    /// Blue has won.
    Blue,
    /// Neither colour has won.
    Draw,
    /// The battle goes on.
    Undecided,
}

impl Outcome {
    /// The outcome by elimination.
    pub const fn of(census: LifelikeCensus) -> Self {
        match (census.red, census.blue) {
            (0, 0) => Self::Draw,
            (_, 0) => Self::Red,
            (0, _) => Self::Blue,
            (_, _) => Self::Undecided,
        }
    }

    /// The outcome by score: the higher one wins; equal scores are a draw.
    fn by_score<S: Ord>(red: S, blue: S) -> Self {
        match red.cmp(&blue) {
            std::cmp::Ordering::Greater => Self::Red,
            std::cmp::Ordering::Less => Self::Blue,
            std::cmp::Ordering::Equal => Self::Draw,
        }
    }
}

/// One word, for people and for machines.
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

/// Why a battle ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Reason {
    /// Both colours died out.
    Extinction,
    /// One colour died out.
    Elimination,
    /// The board repeats with period 1 or 2.
    Coexistence,
    /// The generation limit was reached.
    Limit,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Extinction => "extinction",
            Self::Elimination => "elimination",
            Self::Coexistence => "coexistence",
            Self::Limit => "limit",
        })
    }
}

/// How a battle ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The winner; never [`Outcome::Undecided`].
    pub outcome: Outcome,
    /// The reason.
    pub reason: Reason,
    /// The deciding generation, counted from the start pattern.
    pub generation: u64,
    /// Its census.
    pub census: LifelikeCensus,
    /// The period of the deciding board if it repeats, 1 or 2.
    pub period: Option<u8>,
}

/// A sentence without a full stop.
impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.outcome {
            Outcome::Red => write!(f, "red wins by ")?,
            Outcome::Blue => write!(f, "blue wins by ")?,
            Outcome::Draw | Outcome::Undecided => write!(f, "draw by ")?,
        }
        match (self.reason, self.period) {
            (Reason::Coexistence, Some(period)) => write!(f, "coexistence (period {period})")?,
            (Reason::Limit, _) => write!(f, "count at the limit")?,
            (reason, _) => write!(f, "{reason}")?,
        }
        write!(f, " after {} generations", self.generation)
    }
}

/// The rules by which battles end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Referee {
    limit: Option<u64>,
}

impl Referee {
    /// A referee that ends battles after `limit` generations, or never.
    pub const fn new(limit: Option<u64>) -> Self {
        Self { limit }
    }

    /// The generation limit.
    pub const fn limit(self) -> Option<u64> {
        self.limit
    }

    /// The verdict on a generation, counted from the start pattern; `None` if the battle goes on.
    pub fn judge(self, generation: u64, stats: GenerationStats) -> Option<Verdict> {
        let GenerationStats { census, period } = stats;
        let (outcome, reason) = match Outcome::of(census) {
            Outcome::Draw => (Outcome::Draw, Reason::Extinction),
            Outcome::Undecided if period.is_some() => (Outcome::Draw, Reason::Coexistence),
            Outcome::Undecided if self.limit.is_some_and(|limit| generation >= limit) => {
                (Outcome::by_score(census.red, census.blue), Reason::Limit)
            }
            Outcome::Undecided => return None,
            winner => (winner, Reason::Elimination),
        };
        Some(Verdict {
            outcome,
            reason,
            generation,
            census,
            period,
        })
    }
}

/// Turney's score of a battle: the growth of each colour since the start pattern, in cells.
///
/// From P. D. Turney, "Modeling Major Transitions in Evolution with the Game of Life" (2019): two
/// seeds play the Immigration Game for a fixed number of generations, and the one that grew more
/// wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Growth {
    /// Red cells of the last board minus those of the first.
    pub red: i64,
    /// Blue cells of the last board minus those of the first.
    pub blue: i64,
}

impl Growth {
    /// The growth from the census of the first board to that of the last.
    pub const fn between(first: LifelikeCensus, last: LifelikeCensus) -> Self {
        Self {
            red: last.red as i64 - first.red as i64,
            blue: last.blue as i64 - first.blue as i64,
        }
    }

    /// The outcome if negative growth counts as 0.
    pub fn clamped(self) -> Outcome {
        Outcome::by_score(self.red.max(0), self.blue.max(0))
    }

    /// The outcome by signed growth.
    pub fn signed(self) -> Outcome {
        Outcome::by_score(self.red, self.blue)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stats(red: u64, blue: u64, period: Option<u8>) -> GenerationStats {
        GenerationStats {
            census: LifelikeCensus { red, blue },
            period,
        }
    }

    #[test]
    fn ends_are_checked_in_order() {
        let referee = Referee::new(Some(100));
        let judged = |generation, red, blue, period| {
            referee
                .judge(generation, stats(red, blue, period))
                .map(|verdict| (verdict.outcome, verdict.reason))
        };
        // Everything at once: the first of the list counts.
        let draw = Some((Outcome::Draw, Reason::Extinction));
        assert_eq!(judged(100, 0, 0, Some(1)), draw);
        let red = Some((Outcome::Red, Reason::Elimination));
        assert_eq!(judged(100, 3, 0, Some(1)), red);
        let blue = Some((Outcome::Blue, Reason::Elimination));
        assert_eq!(judged(1, 0, 3, None), blue);
        let draw = Some((Outcome::Draw, Reason::Coexistence));
        assert_eq!(judged(100, 9, 3, Some(1)), draw);
        assert_eq!(judged(2, 9, 3, Some(2)), draw);
        assert_eq!(judged(99, 9, 3, None), None);
        let by_limit = |outcome| Some((outcome, Reason::Limit));
        assert_eq!(judged(100, 9, 3, None), by_limit(Outcome::Red));
        assert_eq!(judged(100, 3, 9, None), by_limit(Outcome::Blue));
        assert_eq!(judged(100, 9, 9, None), by_limit(Outcome::Draw));
        let endless = Referee::new(None);
        assert_eq!(endless.judge(u64::MAX, stats(9, 3, None)), None);
    }

    #[test]
    fn growth_is_read_in_two_ways() {
        let first = LifelikeCensus { red: 10, blue: 10 };
        let growth = |red, blue| Growth::between(first, LifelikeCensus { red, blue });
        assert_eq!(growth(12, 9), Growth { red: 2, blue: -1 });
        assert_eq!(growth(12, 9).clamped(), Outcome::Red);
        assert_eq!(growth(12, 13).clamped(), Outcome::Blue);
        // Both have shrunk.
        assert_eq!(growth(8, 3).clamped(), Outcome::Draw);
        assert_eq!(growth(8, 3).signed(), Outcome::Red);
        assert_eq!(growth(7, 7).signed(), Outcome::Draw);
    }

    #[test]
    fn verdicts_read_as_sentences() {
        let sentence = |generation, red, blue, period, limit| {
            let referee = Referee::new(limit);
            let verdict = referee.judge(generation, stats(red, blue, period));
            verdict.unwrap().to_string()
        };
        assert_eq!(
            sentence(7, 5, 0, None, None),
            "red wins by elimination after 7 generations"
        );
        assert_eq!(
            sentence(7, 0, 0, None, None),
            "draw by extinction after 7 generations"
        );
        assert_eq!(
            sentence(9, 2, 5, Some(2), None),
            "draw by coexistence (period 2) after 9 generations"
        );
        assert_eq!(
            sentence(9, 2, 5, None, Some(9)),
            "blue wins by count at the limit after 9 generations"
        );
    }
}
