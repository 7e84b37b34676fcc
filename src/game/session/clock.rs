//! The pace of a run: how many generations are due after some time.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// The most generations per frame.
pub const MAX_GENERATIONS_PER_FRAME: u64 = 4;

/// The default pace, in generations per second.
const DEFAULT_PACE: u32 = 10;

/// How fast a run plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Speed {
    /// This many generations per second.
    Paced(u32),
    /// As many as fit beside drawing.
    Fastest,
}

/// The interval between generations, and the time that has passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    interval: Duration,
    /// Time that has passed since the last generation was due.
    waiting: Duration,
    dropped: Duration,
}

impl Default for Clock {
    fn default() -> Self {
        Self {
            interval: Duration::from_secs(1) / DEFAULT_PACE,
            waiting: Duration::ZERO,
            dropped: Duration::ZERO,
        }
    }
}

impl Clock {
    /// The time from one generation to the next.
    pub const fn interval(&self) -> Duration {
        self.interval
    }

    /// Sets the time from one generation to the next; zero means the most generations in every frame.
    pub const fn set_interval(&mut self, interval: Duration) {
        self.interval = interval;
        self.waiting = Duration::ZERO;
    }

    /// The waiting time dropped since the start pattern because more generations were due than a frame
    /// computes. The generations are not skipped: they follow later.
    pub const fn dropped(&self) -> Duration {
        self.dropped
    }

    /// The generations that are due after more time has passed, at most [`MAX_GENERATIONS_PER_FRAME`].
    pub(super) fn due(&mut self, elapsed: Duration) -> u64 {
        if self.interval.is_zero() {
            return MAX_GENERATIONS_PER_FRAME;
        }
        self.waiting = self.waiting.saturating_add(elapsed);
        let due = self.waiting.as_nanos() / self.interval.as_nanos();
        if due <= u128::from(MAX_GENERATIONS_PER_FRAME) {
            self.waiting -= self.interval * due as u32;
            return due as u64;
        }
        self.waiting = self.waiting.saturating_sub(
            self.interval
                .saturating_mul(MAX_GENERATIONS_PER_FRAME as u32),
        );
        // Whole intervals are dropped; the fraction is kept.
        let kept = self.waiting.as_nanos() % self.interval.as_nanos();
        let kept = Duration::from_nanos_u128(kept);
        self.dropped = self.dropped.saturating_add(self.waiting - kept);
        self.waiting = kept;
        MAX_GENERATIONS_PER_FRAME
    }

    /// The number of due generations to compute: at most [`MAX_GENERATIONS_PER_FRAME`]. The waiting time of
    /// the others is dropped.
    pub(super) fn cap(&mut self, overdue: u64) -> u64 {
        let kept = overdue.min(MAX_GENERATIONS_PER_FRAME);
        let late = u32::try_from(overdue - kept).unwrap_or(u32::MAX);
        let dropped = self.interval.saturating_mul(late);
        self.dropped = self.dropped.saturating_add(dropped);
        kept
    }

    /// Discards the time that passed before play began.
    pub(super) const fn forget_waiting(&mut self) {
        self.waiting = Duration::ZERO;
    }

    /// Restarts at a new start pattern.
    pub(super) const fn restart(&mut self) {
        self.waiting = Duration::ZERO;
        self.dropped = Duration::ZERO;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    #[test]
    fn generations_are_due_as_time_passes() {
        let mut clock = Clock::default();
        clock.set_interval(100 * MS);
        let due: Vec<u64> = [40, 40, 40, 40, 40, 250, 50, 0]
            .map(|ms| clock.due(ms * MS))
            .to_vec();
        assert_eq!(due, [0, 0, 1, 0, 1, 2, 1, 0]);
        assert_eq!(clock.dropped(), Duration::ZERO);
    }

    #[test]
    fn a_late_frame_drops_whole_generations_of_waiting() {
        let mut clock = Clock::default();
        clock.set_interval(100 * MS);
        assert_eq!(clock.due(400 * MS), 4);
        assert_eq!(clock.dropped(), Duration::ZERO, "four are not too many");
        assert_eq!(clock.due(1050 * MS), 4);
        assert_eq!(clock.dropped(), 600 * MS);
        assert_eq!(clock.due(50 * MS), 1, "the rest of a generation is kept");
        assert_eq!(clock.due(500 * MS), 4);
        assert_eq!(clock.dropped(), 700 * MS, "dropped time adds up");
        assert_eq!(clock.due(Duration::MAX), 4);
        assert!(clock.dropped() > Duration::MAX / 2);
        clock.restart();
        assert_eq!(clock.dropped(), Duration::ZERO);
    }

    #[test]
    fn generations_that_are_not_computed_in_time_come_later_but_no_more_than_a_frame_of_them() {
        let mut clock = Clock::default();
        clock.set_interval(100 * MS);
        assert_eq!((clock.cap(3), clock.dropped()), (3, Duration::ZERO));
        assert_eq!((clock.cap(4), clock.dropped()), (4, Duration::ZERO));
        assert_eq!((clock.cap(4 + 2), clock.dropped()), (4, 200 * MS));
    }

    #[test]
    fn without_an_interval_every_frame_is_full() {
        let mut clock = Clock::default();
        clock.set_interval(Duration::ZERO);
        assert_eq!((clock.due(Duration::ZERO), clock.due(100 * MS)), (4, 4));
        assert_eq!(clock.dropped(), Duration::ZERO);
    }
}
