//! Frames that answer a person at once: they let no time pass in a game that computes for long.

use std::time::Duration;

/// How long a frame may compute that shows at once what a person has done, without computing before.
const QUICK_FRAME: Duration = Duration::from_millis(8);

/// The frames of a window.
#[derive(Debug, Default)]
pub(super) struct FramePacing {
    /// When the last one began.
    last: Duration,
    /// How long the last one that was not prompt computed.
    computed: Duration,
    is_input_frame: bool,
    /// The time of frames that has not passed in the game.
    held: Duration,
}

impl FramePacing {
    /// A frame begins at that time (any fixed zero), in which a person has done something or not. Returns
    /// the time that passes in the game, `None` if it is a prompt one: its time passes in the next.
    pub(super) fn begin(&mut self, now: Duration, had_input: bool) -> Option<Duration> {
        let time = now.saturating_sub(self.last) + self.held;
        self.last = now;
        // At most every other frame: a pointer that never rests stops no game.
        self.is_input_frame = had_input && !self.is_input_frame && self.computed > QUICK_FRAME;
        self.held = if self.is_input_frame {
            time
        } else {
            Duration::ZERO
        };
        (!self.is_input_frame).then_some(time)
    }

    /// The present frame has let its time pass, and computed until now.
    pub(super) fn has_computed(&mut self, now: Duration) {
        self.computed = now.saturating_sub(self.last);
    }

    /// When the present frame began.
    pub(super) const fn now(&self) -> Duration {
        self.last
    }

    /// Whether the present frame leaves what takes long to the next one.
    pub(super) const fn is_input_frame(&self) -> bool {
        self.is_input_frame
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    #[test]
    fn every_other_frame_answers_at_once_and_no_time_is_lost() {
        let mut frames = FramePacing::default();
        let mut passed = Duration::ZERO;
        let mut prompt = 0;
        for number in 1..=100 {
            let now = 40 * MS * number;
            match frames.begin(now, true) {
                Some(time) => {
                    passed += time;
                    frames.has_computed(now + 12 * MS);
                }
                None => prompt += 1,
            }
            assert_eq!(frames.now(), now);
        }
        assert_eq!(prompt, 50);
        // The last one was prompt, and its time is still to pass.
        assert!(frames.is_input_frame());
        assert_eq!(passed, 99 * 40 * MS);
        assert_eq!(frames.begin(101 * 40 * MS, false), Some(80 * MS));
    }

    #[test]
    fn nobody_waits_for_a_game_that_computes_for_a_moment() {
        let mut frames = FramePacing::default();
        for number in 1..=10 {
            let now = 16 * MS * number;
            assert_eq!(frames.begin(now, true), Some(16 * MS));
            frames.has_computed(now + 8 * MS);
        }
    }
}
