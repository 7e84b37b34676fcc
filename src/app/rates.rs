//! The rates of frames and generations, and the time a frame may compute.

use std::time::Duration;

/// The shortest time over which rates are averaged.
const WINDOW: Duration = Duration::from_millis(500);

/// The longest time, if no generation is computed within [`WINDOW`].
const LONGEST_WINDOW: Duration = Duration::from_secs(5);

/// The least and the most time a frame may compute.
const LEAST_BUDGET: Duration = Duration::from_millis(6);
const MOST_BUDGET: Duration = Duration::from_millis(12);

/// Counts frames and generations.
#[derive(Debug, Default)]
pub(super) struct Rates {
    since: Duration,
    frames: u32,
    generations: u64,
    /// In the last whole window.
    pub(super) frames_per_second: f64,
    /// In the last whole window.
    pub(super) generations_per_second: f64,
}

impl Rates {
    /// Counts a frame at this time, from any fixed zero, and its new generations.
    pub(super) fn count(&mut self, now: Duration, generations: u64) {
        self.frames += 1;
        self.generations += generations;
        let passed = now.saturating_sub(self.since);
        // A window ends with a generation, so that it contains whole intervals.
        if passed >= WINDOW && generations > 0 || passed >= LONGEST_WINDOW {
            let seconds = passed.as_secs_f64();
            self.frames_per_second = f64::from(self.frames) / seconds;
            self.generations_per_second = self.generations as f64 / seconds;
            (self.since, self.frames, self.generations) = (now, 0, 0);
        }
    }
}

/// The time a frame may compute when a run is as fast as possible: as long as the rest of the frame took, so
/// that half of the time goes into the run and the window still responds.
pub(super) fn budget(frame: Duration, computed: Duration) -> Duration {
    frame
        .saturating_sub(computed)
        .clamp(LEAST_BUDGET, MOST_BUDGET)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_are_those_of_the_last_half_second() {
        let mut rates = Rates::default();
        for frame in 1..=120u64 {
            rates.count(Duration::from_millis(frame * 20), 3);
        }
        assert!((rates.frames_per_second - 50.0).abs() < 1.0);
        assert!((rates.generations_per_second - 150.0).abs() < 3.0);
    }

    #[test]
    fn slow_generations_have_a_rate_too() {
        let mut rates = Rates::default();
        for frame in 1..=90u64 {
            // One every 1.5 s.
            rates.count(
                Duration::from_millis(frame * 50),
                u64::from(frame % 30 == 0),
            );
            if frame >= 30 {
                assert!((rates.generations_per_second - 1.0 / 1.5).abs() < 0.01);
            }
        }
    }

    #[test]
    fn a_frame_computes_as_long_as_the_rest_takes_within_bounds() {
        let ms = Duration::from_millis;
        assert_eq!(budget(ms(24), ms(12)), ms(12));
        assert_eq!(budget(ms(16), ms(15)), LEAST_BUDGET);
        assert_eq!(
            budget(ms(900), ms(5)),
            MOST_BUDGET,
            "the window must respond"
        );
    }
}
