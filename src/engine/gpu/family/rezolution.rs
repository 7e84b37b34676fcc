//! reZolution on the GPU: `shaders/rezolution.wgsl`, `shaders/rezolution/`.

use glam::uvec2;

use super::GpuFamily;
use crate::board::hash::pcg4d;
use crate::board::rezolution::{self, Ground, RezolutionCell, Terrain};
use crate::board::{BoardError, Edges, RezolutionBoard, RezolutionCensus, Size};
use crate::engine::gpu::bands::Band;
use crate::engine::gpu::grid::Threads;
use crate::engine::gpu::kernels::pass::{MAX_GENERATIONS, PassParams, PassProgram};
use crate::engine::gpu::kernels::step::StepPrograms;
use crate::engine::gpu::program::{Binding, Program, uniforms};
use crate::rules::RezolutionRuleset;

/// Cells of a row of the narrowest torus that a pass takes: as said in `shaders/rezolution/tile.wgsl`.
const LEAST_TORUS_CELLS: u32 = 64;

/// One plane that changes, the populations, and two that do not: barriers and targets.
impl GpuFamily for RezolutionRuleset {
    const STEP_PROGRAMS: &'static StepPrograms = &STEP_PROGRAMS;

    const PASSES: &'static [PassProgram] = &PASSES;

    const STATS_PASSES: &'static [PassProgram] = &STATS_PASSES;

    const PLANES: usize = 1;

    const WORD_CELLS: u32 = rezolution::CELLS_PER_WORD;

    /// A population of -128.
    const NO_BOARD: &'static [u32] = &[0x80];

    const UNSETTLED: &'static [u64] = &[0; 5];

    type Terrain = Terrain;

    fn row_words(size: Size) -> usize {
        rezolution::row_words(size)
    }

    /// A thread computes groups of four words.
    fn columns(size: Size) -> usize {
        rezolution::row_words(size) / rezolution::GROUP_WORDS as usize
    }

    fn fixed_words(size: Size) -> Vec<usize> {
        vec![size.plane_words(); 2]
    }

    fn planes(board: &RezolutionBoard) -> Vec<&[u32]> {
        vec![board.populations()]
    }

    fn fixed_planes(board: &RezolutionBoard) -> Vec<&[u32]> {
        vec![board.barriers(), board.targets()]
    }

    fn terrain(board: &RezolutionBoard) -> Terrain {
        board.terrain().clone()
    }

    fn board(terrain: &Terrain, planes: Vec<Vec<u32>>) -> Result<RezolutionBoard, BoardError> {
        terrain.with_populations(planes.into_iter().next().unwrap_or_default())
    }

    fn census_of_totals(totals: &[u64]) -> RezolutionCensus {
        RezolutionCensus {
            red: totals[0],
            blue: totals[1],
            red_population: totals[2],
            blue_population: totals[3],
            reached: totals[4],
        }
    }

    fn trial_board(size: Size) -> Result<RezolutionBoard, BoardError> {
        let empty = |ground| RezolutionCell {
            ground,
            ..RezolutionCell::default()
        };
        let mut board = RezolutionBoard::new(size)?;
        for y in 0..size.height() {
            for x in 0..size.width() {
                let [draw, population, ..] = pcg4d([x, y, 0, 0]);
                let cell = match draw >> 27 {
                    0 => empty(Ground::Barrier),
                    1 => empty(Ground::Target),
                    // From -2 to 2, as where populations meet.
                    2..16 => RezolutionCell::open((population % 5) as i8 - 2),
                    _ => RezolutionCell::default(),
                };
                board.set(uvec2(x, y), cell);
            }
        }
        Ok(board)
    }

    fn step_constants(self) -> Vec<u32> {
        vec![(self.edges == Edges::Torus).into()]
    }

    fn step_params(self, band: &Band, threads: &Threads) -> Vec<u8> {
        let own_rows = band.own_rows();
        let params = RezolutionStepParams {
            width: band.size.width(),
            height: band.size.height(),
            row_groups: Self::columns(band.size) as u32,
            mark_words: band.size.row_words() as u32,
            strip_rows: threads.strip_rows,
            first_thread: threads.range.start,
            end_thread: threads.range.end,
            first_own: own_rows.start,
            end_own: own_rows.end,
            ..Default::default()
        };
        bytemuck::bytes_of(&params).to_vec()
    }

    fn pass_constants(self, size: Size) -> Option<Vec<u32>> {
        let is_torus = self.edges == Edges::Torus;
        let seam = is_torus && !size.width().is_multiple_of(Self::WORD_CELLS);
        // Rows of a torus are joined, once, and so are columns.
        let takes =
            size.height() >= MAX_GENERATIONS && (!is_torus || size.width() >= LEAST_TORUS_CELLS);
        takes.then(|| vec![is_torus.into(), seam.into()])
    }
}

uniforms! {
    /// Uniforms of [`STEP_PROGRAMS`].
    pub struct RezolutionStepParams {
        /// Cells per row.
        pub width: u32,
        /// Rows.
        pub height: u32,
        /// Groups of four words per row of populations.
        pub row_groups: u32,
        /// Words per row of barriers or targets.
        pub mark_words: u32,
        /// Rows per thread; the last thread of a column may have fewer.
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

/// A single step of reZolution, with and without statistics, and the census.
pub static STEP_PROGRAMS: StepPrograms = {
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

/// Passes of reZolution.
pub static PASSES: [PassProgram; 4] = {
    // The populations now, barriers, targets, the populations next, the active blocks, and the dirty bits of blocks.
    const BINDINGS: &[Binding] = &[
        Binding::Uniform(&PassParams::STRUCTURE),
        Binding::Read,
        Binding::Read,
        Binding::Read,
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
        pass("rezolution pass 2", &["GENERATIONS_2"], 2, false),
        pass("rezolution pass 4", &["GENERATIONS_4"], 4, false),
        pass(
            "rezolution pass 2, subgroups",
            &["GENERATIONS_2", "SUBGROUPS"],
            2,
            true,
        ),
        pass(
            "rezolution pass 4, subgroups",
            &["GENERATIONS_4", "SUBGROUPS"],
            4,
            true,
        ),
    ]
};

/// Passes of reZolution with the statistics of every generation but the first. One of two generations
/// would count one, as a single step does.
pub static STATS_PASSES: [PassProgram; 2] = {
    // The populations now, barriers, targets, the populations next, and the statistics.
    const BINDINGS: &[Binding] = &[
        Binding::Uniform(&PassParams::STRUCTURE),
        Binding::Read,
        Binding::Read,
        Binding::Read,
        Binding::Write,
        Binding::WriteAtOffset,
    ];
    [
        pass_program(
            "rezolution pass 4 with statistics",
            &["GENERATIONS_4", "STATS"],
            BINDINGS,
            4,
            false,
        ),
        pass_program(
            "rezolution pass 4 with statistics, subgroups",
            &["GENERATIONS_4", "STATS", "SUBGROUPS"],
            BINDINGS,
            4,
            true,
        ),
    ]
};

/// A program of `shaders/rezolution/pass.wgsl`.
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
            file: "rezolution/pass",
            defines,
            entry_point: "run_pass",
            workgroup: 32,
            bindings,
            overrides: &["TORUS", "SEAM"],
        },
        generations,
        subgroups,
        own_words: 6,
        thread_words: 8,
    }
}
