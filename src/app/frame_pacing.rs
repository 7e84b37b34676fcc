//! Frame pacing: while a run computes for long, every other frame only handles input, so that the window
//! responds at once.

use std::time::Duration;

/// A run that computes longer than this per frame gets input frames in between.
const INPUT_FRAME_THRESHOLD: Duration = Duration::from_millis(8);

/// The pacing of the frames of a window.
#[derive(Debug, Default)]
pub(super) struct FramePacing {
    /// When the last frame began.
    last: Duration,
    /// How long the last frame that was not an input frame computed.
    computed: Duration,
    is_input_frame: bool,
    /// The time of input frames, which has not passed in the game yet.
    pending: Duration,
}

impl FramePacing {
    /// Begins a frame at this time, counted from any fixed zero. Returns the time that passes in the game;
    /// `None` for an input frame, whose time passes in the next frame.
    pub(super) fn begin(&mut self, now: Duration, had_input: bool) -> Option<Duration> {
        let time = now.saturating_sub(self.last) + self.pending;
        self.last = now;
        // At most every other frame, so that constant input does not stop the game.
        self.is_input_frame =
            had_input && !self.is_input_frame && self.computed > INPUT_FRAME_THRESHOLD;
        self.pending = if self.is_input_frame {
            time
        } else {
            Duration::ZERO
        };
        (!self.is_input_frame).then_some(time)
    }

    /// Records that the present frame has computed until now.
    pub(super) fn has_computed(&mut self, now: Duration) {
        self.computed = now.saturating_sub(self.last);
    }

    /// When the present frame began.
    pub(super) const fn now(&self) -> Duration {
        self.last
    }

    /// Whether the present frame only handles input.
    pub(super) const fn is_input_frame(&self) -> bool {
        self.is_input_frame
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    #[test]
    fn every_other_frame_only_handles_input_and_no_time_is_lost() {
        let mut frames = FramePacing::default();
        let mut passed = Duration::ZERO;
        let mut input_frames = 0;
        for number in 1..=100 {
            let now = 40 * MS * number;
            match frames.begin(now, true) {
                Some(time) => {
                    passed += time;
                    frames.has_computed(now + 12 * MS);
                }
                None => input_frames += 1,
            }
            assert_eq!(frames.now(), now);
        }
        assert_eq!(input_frames, 50);
        // The last frame was an input frame; its time has not passed yet.
        assert!(frames.is_input_frame());
        assert_eq!(passed, 99 * 40 * MS);
        assert_eq!(frames.begin(101 * 40 * MS, false), Some(80 * MS));
    }

    #[test]
    fn short_computations_need_no_input_frames() {
        let mut frames = FramePacing::default();
        for number in 1..=10 {
            let now = 16 * MS * number;
            assert_eq!(frames.begin(now, true), Some(16 * MS));
            frames.has_computed(now + 8 * MS);
        }
    }
}
