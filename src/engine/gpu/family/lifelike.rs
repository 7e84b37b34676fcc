//! The Life-like rules on the GPU: `shaders/lifelike.wgsl`, `shaders/lifelike/`.

use glam::uvec2;

use super::GpuFamily;
use crate::board::hash::{pcg4d, seed_words};
use crate::board::{
    BoardError, Edges, LifelikeBoard, LifelikeCell, LifelikeCensus, Size, WORD_BITS,
};
use crate::engine::gpu::bands::Band;
use crate::engine::gpu::grid::Threads;
use crate::engine::gpu::kernels::pass::{MAX_GENERATIONS, PassParams, PassProgram};
use crate::engine::gpu::kernels::single_workgroup;
use crate::engine::gpu::kernels::step::StepPrograms;
use crate::engine::gpu::program::{Binding, Program, uniforms};
use crate::engine::gpu::tuning::RuleClass;
use crate::rules::{LifelikeRuleset, Ties};

/// Two planes: alive and blue.
impl GpuFamily for LifelikeRuleset {
    const STEP_PROGRAMS: &'static StepPrograms = &STEP_PROGRAMS;

    const PASSES: &'static [PassProgram] = &PASSES;

    const STATS_PASSES: &'static [PassProgram] = &STATS_PASSES;

    const SINGLE_WORKGROUP: Option<&'static Program> = Some(&SINGLE_WORKGROUP);

    const PLANES: usize = 2;

    const WORD_CELLS: u32 = WORD_BITS;

    /// A cell that is blue but not alive.
    const NO_BOARD: &'static [u32] = &[0, 1];

    const UNSETTLED: &'static [u64] = &[2, 1];

    type Terrain = Size;

    fn row_words(size: Size) -> usize {
        size.row_words()
    }

    fn fixed_words(_size: Size) -> Vec<usize> {
        Vec::new()
    }

    fn planes(board: &LifelikeBoard) -> Vec<&[u32]> {
        vec![board.alive(), board.blue()]
    }

    fn fixed_planes(_board: &LifelikeBoard) -> Vec<&[u32]> {
        Vec::new()
    }

    fn terrain(board: &LifelikeBoard) -> Size {
        board.size()
    }

    fn board(&size: &Size, planes: Vec<Vec<u32>>) -> Result<LifelikeBoard, BoardError> {
        let mut planes = planes.into_iter();
        let mut plane = || planes.next().unwrap_or_default();
        let (alive, blue) = (plane(), plane());
        LifelikeBoard::from_planes(size, alive, blue)
    }

    fn census_of_totals(totals: &[u64]) -> LifelikeCensus {
        let (alive, blue) = (totals[0], totals[1]);
        LifelikeCensus {
            red: alive.saturating_sub(blue),
            blue,
        }
    }

    fn trial_board(size: Size) -> Result<LifelikeBoard, BoardError> {
        let mut board = LifelikeBoard::new(size)?;
        for y in 0..size.height() {
            for x in 0..size.width() {
                let cell = match pcg4d([x, y, 0, 0])[0] >> 29 {
                    0 | 1 => LifelikeCell::Red,
                    2 => LifelikeCell::Blue,
                    _ => LifelikeCell::Dead,
                };
                board.set(uvec2(x, y), cell);
            }
        }
        Ok(board)
    }

    fn rule_class(self) -> Option<RuleClass> {
        Some(RuleClass::of(self))
    }

    fn step_constants(self) -> Vec<u32> {
        rule_constants(self).to_vec()
    }

    fn step_params(self, band: &Band, threads: &Threads) -> Vec<u8> {
        let [birth, survival, torus, ties] = rule_constants(self);
        let [seed_low, seed_high] = tie_seed(self.ties);
        let own_rows = band.own_rows();
        let params = LifelikeStepParams {
            width: band.size.width(),
            height: band.size.height(),
            row_words: band.size.row_words() as u32,
            strip_rows: threads.strip_rows,
            first_thread: threads.range.start,
            end_thread: threads.range.end,
            seed_low,
            seed_high,
            board_height: band.board.height(),
            first_row: band.first_row(),
            first_own: own_rows.start,
            end_own: own_rows.end,
            birth,
            survival,
            torus,
            ties,
        };
        bytemuck::bytes_of(&params).to_vec()
    }

    fn pass_constants(self, size: Size) -> Option<Vec<u32>> {
        let is_torus = self.edges == Edges::Torus;
        let seam = is_torus && !size.width().is_multiple_of(WORD_BITS);
        // Rows of a torus are joined, once.
        let takes = size.height() >= MAX_GENERATIONS && (!seam || size.row_words() >= 2);
        takes.then(|| [&rule_constants(self)[..], &[seam.into()]].concat())
    }

    fn pass_params(self, params: PassParams) -> PassParams {
        let [birth, survival, torus, ties] = rule_constants(self);
        let [seed_low, seed_high] = tie_seed(self.ties);
        PassParams {
            seed_low,
            seed_high,
            birth,
            survival,
            torus,
            ties,
            ..params
        }
    }
}

/// Values of the overrides `BIRTH`, `SURVIVAL`, `TORUS` and `TIES`, and of the uniforms that the general
/// form has in their place.
pub(in crate::engine::gpu) fn rule_constants(ruleset: LifelikeRuleset) -> [u32; 4] {
    [
        ruleset.rule.birth().into(),
        ruleset.rule.survival().into(),
        (ruleset.edges == Edges::Torus).into(),
        ties_value(ruleset),
    ]
}

/// The value of the override `TIES`.
const fn ties_value(ruleset: LifelikeRuleset) -> u32 {
    match ruleset.ties {
        // Rules without ties share one kernel.
        _ if !ruleset.rule.has_ties() => TIES_RED,
        Ties::Seeded(_) => TIES_SEEDED,
        Ties::Red => TIES_RED,
        Ties::Blue => TIES_BLUE,
        Ties::Checkerboard => TIES_CHECKERBOARD,
    }
}

/// The tie seed after spreading, low word first; 0 if ties are not seeded.
pub(in crate::engine::gpu) fn tie_seed(ties: Ties) -> [u32; 2] {
    match ties {
        Ties::Seeded(seed) => seed_words(seed),
        Ties::Red | Ties::Blue | Ties::Checkerboard => [0; 2],
    }
}

/// Values of the override `TIES`, named as in `shaders/lifelike/ties.wgsl`.
pub const TIES_SEEDED: u32 = 0;
/// Always red.
pub const TIES_RED: u32 = 1;
/// Always blue.
pub const TIES_BLUE: u32 = 2;
/// Red where x + y is even.
pub const TIES_CHECKERBOARD: u32 = 3;

uniforms! {
    /// Uniforms of [`STEP_PROGRAMS`] and [`SINGLE_WORKGROUP`].
    pub struct LifelikeStepParams {
        /// Cells per row.
        pub width: u32,
        /// Rows.
        pub height: u32,
        /// Words per row.
        pub row_words: u32,
        /// Rows per thread; the last thread of a column may have fewer.
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
        /// The colour of ties, a value of the override `TIES`.
        pub ties: u32,
    }
}

/// A single step of the Life-like rules, with and without statistics, and the census.
pub static STEP_PROGRAMS: StepPrograms = {
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

/// Passes of the Life-like rules.
pub static PASSES: [PassProgram; 6] = {
    // The planes alive and blue, now and next, the active blocks, and the dirty bits of blocks.
    const BINDINGS: &[Binding] = &[
        Binding::Uniform(&PassParams::STRUCTURE),
        Binding::Read,
        Binding::Read,
        Binding::Write,
        Binding::Write,
        Binding::Read,
        Binding::Write,
    ];
    const fn pass(
        name: &'static str,
        defines: &'static [&'static str],
        generations: u32,
        subgroups: bool,
    ) -> PassProgram {
        pass_program(name, defines, BINDINGS, generations, subgroups)
    }
    [
        pass("lifelike pass 2", &["GENERATIONS_2"], 2, false),
        pass("lifelike pass 4", &["GENERATIONS_4"], 4, false),
        pass("lifelike pass 8", &["GENERATIONS_8"], 8, false),
        pass(
            "lifelike pass 2, subgroups",
            &["GENERATIONS_2", "SUBGROUPS"],
            2,
            true,
        ),
        pass(
            "lifelike pass 4, subgroups",
            &["GENERATIONS_4", "SUBGROUPS"],
            4,
            true,
        ),
        pass(
            "lifelike pass 8, subgroups",
            &["GENERATIONS_8", "SUBGROUPS"],
            8,
            true,
        ),
    ]
};

/// Passes of the Life-like rules with the statistics of every generation but the first. They write the
/// last generation but one.
pub static STATS_PASSES: [PassProgram; 4] = {
    // The planes alive and blue, now and next, and the statistics.
    const BINDINGS: &[Binding] = &[
        Binding::Uniform(&PassParams::STRUCTURE),
        Binding::Read,
        Binding::Read,
        Binding::Write,
        Binding::Write,
        Binding::WriteAtOffset,
    ];
    const fn pass(
        name: &'static str,
        defines: &'static [&'static str],
        generations: u32,
        subgroups: bool,
    ) -> PassProgram {
        pass_program(name, defines, BINDINGS, generations, subgroups)
    }
    [
        pass(
            "lifelike pass 4 with statistics",
            &["GENERATIONS_4", "STATS"],
            4,
            false,
        ),
        pass(
            "lifelike pass 8 with statistics",
            &["GENERATIONS_8", "STATS"],
            8,
            false,
        ),
        pass(
            "lifelike pass 4 with statistics, subgroups",
            &["GENERATIONS_4", "STATS", "SUBGROUPS"],
            4,
            true,
        ),
        pass(
            "lifelike pass 8 with statistics, subgroups",
            &["GENERATIONS_8", "STATS", "SUBGROUPS"],
            8,
            true,
        ),
    ]
};

/// A program of `shaders/lifelike/pass.wgsl`.
const fn pass_program(
    name: &'static str,
    defines: &'static [&'static str],
    bindings: &'static [Binding],
    generations: u32,
    subgroups: bool,
) -> PassProgram {
    PassProgram {
        program: Program {
            name,
            file: "lifelike/pass",
            defines,
            entry_point: "run_pass",
            workgroup: 32,
            bindings,
            overrides: &["BIRTH", "SURVIVAL", "TORUS", "TIES", "SEAM"],
        },
        generations,
        subgroups,
        own_words: 3,
        thread_words: 4,
    }
}

/// Many generations of a small board with the Life-like rules.
pub static SINGLE_WORKGROUP: Program = Program {
    name: "lifelike single workgroup",
    file: "lifelike/single_workgroup",
    defines: &[],
    entry_point: "single_workgroup",
    workgroup: single_workgroup::WORKGROUP_SIZE,
    // The planes alive and blue, now and next.
    bindings: &[
        Binding::Uniform(&LifelikeStepParams::STRUCTURE),
        Binding::Read,
        Binding::Read,
        Binding::Write,
        Binding::Write,
        Binding::Uniform(&single_workgroup::SingleWorkgroupParams::STRUCTURE),
    ],
    overrides: &["BIRTH", "SURVIVAL", "TORUS", "TIES"],
};
