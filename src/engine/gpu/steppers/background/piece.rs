//! How long pieces are: their number of threads follows from how long those of earlier calls took.

use std::time::Duration;

use web_time::Instant;

use crate::engine::gpu::kernels::stats::STATS_SLOTS;

/// A piece should take about this long.
pub(super) const PIECE_TIME: Duration = Duration::from_millis(6);

/// The fewest threads of a piece, however slow they seem.
const LEAST_PIECE: u64 = 1 << 10;

/// The length of a piece.
pub(super) struct PieceLength {
    /// Threads that take about [`PIECE_TIME`]: of a part of a generation, or of several.
    threads: u64,
    /// Whether an option has set it.
    is_fixed: bool,
}

impl PieceLength {
    /// A length that measurements do not change.
    pub(super) fn fixed(threads: u32) -> Self {
        Self {
            threads: u64::from(threads).max(1),
            is_fixed: true,
        }
    }

    /// A length before anything has been measured.
    pub(super) fn guessed(threads: u64) -> Self {
        Self {
            threads: threads.max(LEAST_PIECE),
            is_fixed: false,
        }
    }

    pub(super) const fn threads(&self) -> u64 {
        self.threads
    }

    /// Whole generations of `threads` threads each that one piece computes within `time`.
    pub(super) fn generations_within(&self, threads: u64, time: Duration) -> u64 {
        let time = time.min(PIECE_TIME).as_nanos();
        let fitting = u128::from(self.threads) * time / PIECE_TIME.as_nanos();
        (fitting as u64 / threads.max(1)).min(STATS_SLOTS)
    }

    /// Adapts the length to how long the threads of a call took; a generation has `generation` threads.
    pub(super) fn adapt(&mut self, call: &Call, generation: u64) {
        let (Some(since), Some(done)) = (call.free, call.done) else {
            return;
        };
        let took = done.saturating_duration_since(since);
        tracing::debug!(
            threads = call.computed,
            ?took,
            piece = self.threads,
            "pieces"
        );
        self.adapt_to(call.computed, took, generation);
    }

    fn adapt_to(&mut self, computed: u64, took: Duration, generation: u64) {
        // The rest of a generation is too short to measure.
        if self.is_fixed || computed < self.threads / 2 {
            return;
        }
        let took = took.as_nanos().max(1);
        let ideal = (u128::from(computed) * PIECE_TIME.as_nanos() / took) as u64;
        // One measurement may be disturbed.
        let near = ideal.clamp(self.threads / 2, self.threads.saturating_mul(2));
        // As many generations as a submission has statistics of.
        let most = generation.saturating_mul(STATS_SLOTS);
        self.threads = near.clamp(LEAST_PIECE, most.max(LEAST_PIECE));
    }
}

/// The time of a call of the engine, and what it has measured.
pub(super) struct Call {
    since: Instant,
    budget: Duration,
    /// Since when the device has had nothing to do but the pieces of this call, if that is known.
    /// The time of a piece that waits for a picture to be drawn is not its own.
    free: Option<Instant>,
    /// Threads that were computed since then, and when the last of them were found to be done. The end
    /// of a single piece may be noticed late, so all are measured together.
    computed: u64,
    done: Option<Instant>,
}

impl Call {
    pub(super) fn new(budget: Duration) -> Self {
        Self {
            since: Instant::now(),
            budget,
            free: None,
            computed: 0,
            done: None,
        }
    }

    /// The device has nothing to do now.
    pub(super) fn set_free(&mut self) {
        self.free = Some(Instant::now());
    }

    /// Some threads of this call are done.
    pub(super) fn count(&mut self, threads: u64) {
        let now = Instant::now();
        if self.free.is_some() {
            self.computed += threads;
            self.done = Some(now);
        } else {
            self.free = Some(now);
        }
    }

    /// Time since the call began.
    pub(super) fn took(&self) -> Duration {
        self.since.elapsed()
    }

    /// Time that is left of the budget.
    pub(super) fn left(&self) -> Duration {
        self.budget.saturating_sub(self.since.elapsed())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_piece_follows_the_speed_of_the_device_within_bounds() {
        let after = |mut length: PieceLength, computed, micros| {
            length.adapt_to(computed, Duration::from_micros(micros), 1 << 20);
            length.threads()
        };
        let piece = 1 << 14;
        // As fast as expected, half as fast, and changes of more than a factor of two.
        assert_eq!(after(PieceLength::guessed(piece), piece, 6000), piece);
        assert_eq!(after(PieceLength::guessed(piece), piece, 12_000), piece / 2);
        assert_eq!(after(PieceLength::guessed(piece), piece, 1), 2 * piece);
        assert_eq!(
            after(PieceLength::guessed(piece), piece, 1 << 30),
            piece / 2
        );
        // Too little to measure, a fixed length, and the least one.
        assert_eq!(after(PieceLength::guessed(piece), piece / 4, 1), piece);
        assert_eq!(after(PieceLength::fixed(7), piece, 1), 7);
        assert_eq!(after(PieceLength::guessed(1), 1 << 10, 1 << 30), 1 << 10);
        let most = (1 << 20) * STATS_SLOTS;
        assert_eq!(after(PieceLength::guessed(most), most, 1), most);
    }

    #[test]
    fn generations_of_a_piece_fit_into_the_time_and_the_statistics() {
        let length = PieceLength::guessed(1 << 14);
        assert_eq!(length.generations_within(1 << 10, PIECE_TIME), 16);
        assert_eq!(length.generations_within(1 << 10, PIECE_TIME / 2), 8);
        assert_eq!(length.generations_within(1 << 10, 9 * PIECE_TIME), 16);
        assert_eq!(length.generations_within(1 << 15, PIECE_TIME), 0);
        assert_eq!(length.generations_within(1, PIECE_TIME), STATS_SLOTS);
    }
}
