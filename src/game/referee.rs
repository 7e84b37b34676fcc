//! The referee of a battle: who has won, and why.
//!
//! After each generation, in this order:
//!
//! 1. both colours are gone: a draw by extinction;
//! 2. one is gone: the other wins by elimination;
//! 3. the coloured board equals the one 1 or 2 generations ago: a draw by coexistence. Longer periods
//!    are not looked for;
//! 4. the limit is reached: more cells win, equally many are a draw.
//!
//! [`Engine::step_with_stats`](crate::engine::Engine::step_watched) sees all that the referee needs
//! without a board ever being read back. [`Growth`] is another way to score the same battle.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::board::LifelikeCensus;
use crate::engine::GenerationStats;

/// How a battle stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// Red has won.
    Red,
    /// Blue has won.
    Blue,
    /// Nobody has won.
    Draw,
    /// It goes on.
    Undecided,
}

impl Outcome {
    /// The outcome by elimination.
    pub const fn of(census: LifelikeCensus) -> Self {
        match (census.red, census.blue) {
            (0, 0) => Self::Draw,
            (_, 0) => Self::Red,
            (0, _) => Self::Blue,
            _ => Self::Undecided,
        }
    }

    /// The outcome by a score: more wins, equal is a draw.
    fn by_score<S: Ord>(red: S, blue: S) -> Self {
        match red.cmp(&blue) {
            std::cmp::Ordering::Greater => Self::Red,
            std::cmp::Ordering::Less => Self::Blue,
            std::cmp::Ordering::Equal => Self::Draw,
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

/// What ended a battle.
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
    /// Who has won; never [`Outcome::Undecided`].
    pub outcome: Outcome,
    /// Why.
    pub reason: Reason,
    /// The generation that decided it, counted from the start pattern.
    pub generation: u64,
    /// Its counts.
    pub census: LifelikeCensus,
    /// The period of the deciding board if it repeats, 1 or 2.
    pub period: Option<u8>,
}

/// As a sentence without a full stop.
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
    /// A referee who stops battles after `limit` generations, or never.
    pub const fn new(limit: Option<u64>) -> Self {
        Self { limit }
    }

    /// The generation at which a battle is stopped at the latest.
    pub const fn limit(self) -> Option<u64> {
        self.limit
    }

    /// Judges a generation that was computed; `generation` counts from the start pattern.
    /// `None` if the battle goes on.
    pub fn judge(self, generation: u64, sighting: GenerationStats) -> Option<Verdict> {
        let GenerationStats { census, period } = sighting;
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

/// Turney's score of a battle: by how many cells each colour has grown since the start pattern.
///
/// From P. D. Turney, "Modeling Major Transitions in Evolution with the Game of Life" (2019): two
/// seeds play the Immigration Game for a fixed number of generations, and the one that grew more
/// wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Growth {
    /// Cells of the last board minus cells of the first.
    pub red: i64,
    /// Likewise.
    pub blue: i64,
}

impl Growth {
    /// From the counts of the first and the last board.
    pub const fn between(first: LifelikeCensus, last: LifelikeCensus) -> Self {
        Self {
            red: last.red as i64 - first.red as i64,
            blue: last.blue as i64 - first.blue as i64,
        }
    }

    /// The outcome if a colour that shrank counts as one that stayed.
    pub fn clamped(self) -> Outcome {
        Outcome::by_score(self.red.max(0), self.blue.max(0))
    }

    /// The outcome if less loss beats more loss.
    pub fn signed(self) -> Outcome {
        Outcome::by_score(self.red, self.blue)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sighting(red: u64, blue: u64, period: Option<u8>) -> GenerationStats {
        GenerationStats {
            census: LifelikeCensus { red, blue },
            period,
        }
    }

    #[test]
    fn ends_are_looked_for_in_order() {
        let referee = Referee::new(Some(100));
        let judged = |generation, red, blue, period| {
            referee
                .judge(generation, sighting(red, blue, period))
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
        assert_eq!(endless.judge(u64::MAX, sighting(9, 3, None)), None);
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
        let said = |generation, red, blue, period, limit| {
            let referee = Referee::new(limit);
            let verdict = referee.judge(generation, sighting(red, blue, period));
            verdict.unwrap().to_string()
        };
        assert_eq!(
            said(7, 5, 0, None, None),
            "red wins by elimination after 7 generations"
        );
        assert_eq!(
            said(7, 0, 0, None, None),
            "draw by extinction after 7 generations"
        );
        assert_eq!(
            said(9, 2, 5, Some(2), None),
            "draw by coexistence (period 2) after 9 generations"
        );
        assert_eq!(
            said(9, 2, 5, None, Some(9)),
            "blue wins by count at the limit after 9 generations"
        );
    }
}
