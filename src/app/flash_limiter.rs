//! Some rules fill and empty the board alternately, which would make the window flash. Flashes of large
//! areas can harm people with photosensitive epilepsy; WCAG 2.3.1 allows three per second.

use std::time::Duration;

/// Half a flash: a change of the share of live cells by this much from one picture to the next.
const SWING: f64 = 0.2;

/// The least time between two of them: three per second are at most one and a half flashes.
const LEAST_TIME: Duration = Duration::from_millis(334);

/// Selects the generations to show so that the window does not flash.
#[derive(Debug, Default)]
pub(super) struct FlashLimiter {
    shown: Option<f64>,
    last_swing: Option<Duration>,
}

impl FlashLimiter {
    /// Whether a board with this share of live cells may be shown at this time, counted from any fixed zero. An
    /// allowed board counts as shown.
    pub(super) fn allows(&mut self, now: Duration, share: f64) -> bool {
        let swings = self
            .shown
            .is_some_and(|shown| (shown - share).abs() > SWING);
        let too_soon = |last: Duration| now.saturating_sub(last) < LEAST_TIME;
        if swings && self.last_swing.is_some_and(too_soon) {
            return false;
        }
        if swings {
            self.last_swing = Some(now);
        }
        self.shown = Some(share);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_board_that_flashes_is_shown_at_most_three_times_a_second() {
        let mut limiter = FlashLimiter::default();
        let mut shown = Vec::new();
        for frame in 0..600u64 {
            let share = if frame % 2 == 0 { 0.05 } else { 0.9 };
            if limiter.allows(Duration::from_millis(frame * 1000 / 60), share) {
                shown.push((frame, share > 0.5));
            }
        }
        let swings = shown.windows(2).filter(|pair| pair[0].1 != pair[1].1);
        let swings = swings.count();
        assert!((20..=31).contains(&swings), "{swings} in ten seconds");
    }

    #[test]
    fn every_generation_of_an_ordinary_battle_is_shown() {
        let mut limiter = FlashLimiter::default();
        for frame in 0..600u64 {
            let share = 0.35 - 0.0005 * frame as f64 + 0.05 * (frame % 2) as f64;
            assert!(limiter.allows(Duration::from_millis(frame * 16), share));
        }
    }
}
