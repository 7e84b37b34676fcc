//! One match on an ordinary engine.

use super::{Match, MatchResult};
use crate::board::LifelikeCensus;
use crate::engine::{Engine, EngineError};
use crate::game::referee::{Referee, Verdict};

/// Generations between two checks whether to stop.
const PART: u64 = 64;

/// How much of a match is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// Every generation.
    Full,
    /// Every generation up to the first that is known to repeat.
    Short,
}

/// Plays a match to its last generation, or `None` if `stop` ended it before.
///
/// # Errors
/// [`EngineError`] if the engine fails.
pub fn play(
    engine: &mut dyn Engine,
    match_: &Match,
    way: Way,
    stop: &dyn Fn() -> bool,
) -> Result<Option<MatchResult>, EngineError> {
    engine.load(&match_.start)?;
    let referee = Referee::new(Some(match_.limit));
    let first = engine.census()?;
    let mut peak = first;
    let mut verdict: Option<Verdict> = None;
    let mut generation = 0;
    let mut part_stats = Vec::new();
    while generation < match_.limit {
        if stop() {
            return Ok(None);
        }
        let part = PART.min(match_.limit - generation);
        engine.step_with_stats(part, &mut part_stats)?;
        let mut period = None;
        for stats in part_stats.drain(..) {
            generation += 1;
            peak = most(peak, stats.census);
            verdict = verdict.or_else(|| referee.judge(generation, stats));
            period = stats.period;
        }
        if let (Some(period), Way::Short) = (period, way) {
            // The board of the right parity.
            engine.step((match_.limit - generation) % u64::from(period))?;
            break;
        }
    }
    let board = engine.read()?;
    let last = engine.census()?;
    // A limit is at least 1, and at the limit the referee always judges.
    Ok(verdict.map(|verdict| MatchResult {
        first,
        last,
        peak,
        verdict,
        board,
    }))
}

/// The larger counts of two.
fn most(a: LifelikeCensus, b: LifelikeCensus) -> LifelikeCensus {
    LifelikeCensus {
        red: a.red.max(b.red),
        blue: a.blue.max(b.blue),
    }
}
