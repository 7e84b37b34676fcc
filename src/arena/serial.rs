//! One bout on an ordinary engine.

use super::{Bout, Ending};
use crate::board::LifelikeCensus;
use crate::engine::{Engine, EngineError};
use crate::game::referee::{Referee, Verdict};

/// Generations between two looks at whether to stop.
const PART: u64 = 64;

/// How much of a bout is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// Every generation.
    Full,
    /// Every generation up to the first that is known to repeat.
    Short,
}

/// Plays a bout to its last generation, or `None` if `stop` said so before.
///
/// # Errors
/// [`EngineError`] if the engine fails.
pub fn play(
    engine: &mut dyn Engine,
    bout: &Bout,
    way: Way,
    stop: &dyn Fn() -> bool,
) -> Result<Option<Ending>, EngineError> {
    engine.load(&bout.start)?;
    let referee = Referee::new(Some(bout.limit));
    let first = engine.census()?;
    let mut peak = first;
    let mut verdict: Option<Verdict> = None;
    let mut generation = 0;
    let mut seen = Vec::new();
    while generation < bout.limit {
        if stop() {
            return Ok(None);
        }
        let part = PART.min(bout.limit - generation);
        engine.step_with_stats(part, &mut seen)?;
        let mut period = None;
        for sighting in seen.drain(..) {
            generation += 1;
            peak = most(peak, sighting.census);
            verdict = verdict.or_else(|| referee.judge(generation, sighting));
            period = sighting.period;
        }
        if let (Some(period), Way::Short) = (period, way) {
            // The board of the right parity.
            engine.step((bout.limit - generation) % u64::from(period))?;
            break;
        }
    }
    let board = engine.read()?;
    let last = engine.census()?;
    // A limit is at least 1, and at the limit the referee always judges.
    Ok(verdict.map(|verdict| Ending {
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
