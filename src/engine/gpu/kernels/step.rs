//! One generation in global memory, its statistics, and those of the present generation:
//! `shaders/lifelike/step.wgsl`, `shaders/rezolution/step.wgsl`, `shaders/shared/entry.wgsl`.

use super::stats::StatsFlags;
use super::{Binding, Program};

/// Values of the override `TIES`, named as in `shaders/lifelike/ties.wgsl`.
pub const TIES_SEEDED: u32 = 0;
/// Always red.
pub const TIES_RED: u32 = 1;
/// Always blue.
pub const TIES_BLUE: u32 = 2;
/// Red where x + y is even.
pub const TIES_CHECKERBOARD: u32 = 3;

/// The programs of a family that compute or count one generation. All bind the planes alike; those with
/// statistics share one group of bindings.
pub struct StepPrograms {
    /// One generation.
    pub step: Program,
    /// One generation and its statistics, unless the last generation has ended the run.
    pub step_with_stats: Program,
    /// The same for devices with subgroups.
    pub step_with_stats_subgroups: Program,
    /// The statistics of the present generation.
    pub census: Program,
    /// Totals of a generation's statistics.
    pub totals: usize,
}

impl StepPrograms {
    /// All of them.
    pub fn all(&self) -> [&Program; 4] {
        [
            &self.step,
            &self.step_with_stats,
            &self.step_with_stats_subgroups,
            &self.census,
        ]
    }

    /// Bytes of the totals of a generation's statistics: 64 bits each, low word first.
    pub const fn totals_bytes(&self) -> usize {
        8 * self.totals
    }

    /// Bytes of a generation's statistics: totals, then [`StatsFlags`].
    pub const fn stats_bytes(&self) -> usize {
        self.totals_bytes() + size_of::<StatsFlags>()
    }
}

/// The programs of the Life-like rules.
pub static LIFELIKE_STEP: StepPrograms = {
    const STEP: Program = Program {
        name: "lifelike step",
        file: "lifelike/step",
        defines: &[],
        entry_point: "step",
        workgroup: 64,
        // The planes alive and blue, now and next.
        bindings: &[
            Binding::Uniform(&LifelikeStepParams::STRUCTURE),
            Binding::Read,
            Binding::Read,
            Binding::Write,
            Binding::Write,
        ],
        overrides: &["BIRTH", "SURVIVAL", "TORUS", "TIES"],
    };
    const WITH_STATS: Program = Program {
        name: "lifelike step with statistics",
        defines: &["STATS"],
        entry_point: "step_with_stats",
        bindings: &[
            Binding::Uniform(&LifelikeStepParams::STRUCTURE),
            Binding::Read,
            Binding::Read,
            Binding::Write,
            Binding::Write,
            Binding::WriteAtOffset,
        ],
        ..STEP
    };
    StepPrograms {
        step: STEP,
        step_with_stats: WITH_STATS,
        step_with_stats_subgroups: Program {
            name: "lifelike step with statistics, subgroups",
            defines: &["STATS", "SUBGROUPS"],
            ..WITH_STATS
        },
        census: Program {
            name: "lifelike census",
            defines: &["STATS", "CENSUS"],
            entry_point: "census",
            ..WITH_STATS
        },
        totals: 2,
    }
};

/// The programs of reZolution.
pub static REZOLUTION_STEP: StepPrograms = {
    const STEP: Program = Program {
        name: "rezolution step",
        file: "rezolution/step",
        defines: &[],
        entry_point: "step",
        workgroup: 64,
        // The populations now, barriers, targets, the populations next.
        bindings: &[
            Binding::Uniform(&RezolutionStepParams::STRUCTURE),
            Binding::Read,
            Binding::Read,
            Binding::Read,
            Binding::Write,
        ],
        overrides: &["TORUS"],
    };
    const WITH_STATS: Program = Program {
        name: "rezolution step with statistics",
        defines: &["STATS"],
        entry_point: "step_with_stats",
        bindings: &[
            Binding::Uniform(&RezolutionStepParams::STRUCTURE),
            Binding::Read,
            Binding::Read,
            Binding::Read,
            Binding::Write,
            Binding::WriteAtOffset,
        ],
        ..STEP
    };
    StepPrograms {
        step: STEP,
        step_with_stats: WITH_STATS,
        step_with_stats_subgroups: Program {
            name: "rezolution step with statistics, subgroups",
            defines: &["STATS", "SUBGROUPS"],
            ..WITH_STATS
        },
        census: Program {
            name: "rezolution census",
            defines: &["STATS", "CENSUS"],
            entry_point: "census",
            ..WITH_STATS
        },
        totals: 5,
    }
};

uniforms! {
    /// Uniforms of [`LIFELIKE_STEP`].
    pub struct LifelikeStepParams {
        /// Cells of a row.
        pub width: u32,
        /// Rows.
        pub height: u32,
        /// Words of a row.
        pub row_words: u32,
        /// Rows one thread computes; those at the end of a column may compute fewer.
        pub strip_rows: u32,
        /// The first thread of the dispatch, out of those of a whole generation.
        pub first_thread: u32,
        /// The thread after the last one of the dispatch.
        pub end_thread: u32,
        /// The tie seed after spreading, first word.
        pub seed_low: u32,
        /// The tie seed after spreading, second word.
        pub seed_high: u32,
        /// Rows of the whole board: the planes may hold a band of it.
        pub board_height: u32,
        /// The row of the board that is row 0 of the planes.
        pub first_row: u32,
        /// The first of the band's own rows in the planes: the other rows are its halo.
        pub first_own: u32,
        /// The row after the last of the band's own.
        pub end_own: u32,
        /// The rule of the general form: bit n for births with n live neighbours.
        pub birth: u32,
        /// Bit n for survivals with n live neighbours.
        pub survival: u32,
        /// Not 0: opposite sides are joined.
        pub torus: u32,
        /// Who owns ties, as the override `TIES` says it.
        pub ties: u32,
    }

    /// Uniforms of [`REZOLUTION_STEP`].
    pub struct RezolutionStepParams {
        /// Cells of a row.
        pub width: u32,
        /// Rows.
        pub height: u32,
        /// Groups of four words of a row of populations.
        pub row_groups: u32,
        /// Words of a row of barriers or targets.
        pub mark_words: u32,
        /// Rows one thread computes; those at the end of a column may compute fewer.
        pub strip_rows: u32,
        /// The first thread of the dispatch, out of those of a whole generation.
        pub first_thread: u32,
        /// The thread after the last one of the dispatch.
        pub end_thread: u32,
        /// The first of the band's own rows in the planes: the other rows are its halo.
        pub first_own: u32,
        /// The row after the last of the band's own.
        pub end_own: u32,
        /// Unused; keeps the size a multiple of 16 bytes.
        pub padding_0: u32,
        /// Unused.
        pub padding_1: u32,
        /// Unused.
        pub padding_2: u32,
    }
}
