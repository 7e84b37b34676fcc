//! The seam between host and shaders: every uniform struct, binding number, workgroup size,
//! constant and entry point that both sides must agree on, written once.
//!
//! `tests/shaders.rs` parses the assembled shaders and compares them with this file and those below it.

mod arena;
mod pictures;
mod streams;

use bytemuck::{Pod, Zeroable};

use super::wgsl::{Assembly, FILES, WgslError, assemble};

pub use arena::{ARENA, ARENA_SUBGROUPS, ARENA_WORDS, ArenaFate, ArenaGame, ArenaParams};
pub use pictures::{
    BLIT, CELL_PICTURES, POPULATION_PICTURES, Pictures, RenderProgram, VIEW_ANY, VIEW_LINES,
    VIEW_TORUS, ViewParams,
};
pub use streams::{
    ACTIVE, ActiveParams, LIFELIKE_STREAMS, LIFELIKE_WATCHED_STREAMS, REZOLUTION_STREAMS,
    REZOLUTION_WATCHED_STREAMS, Stream, StreamParams, list_bytes,
};

/// A shader program: a WGSL file, what is defined in it, and its entry point.
pub struct Program {
    /// What it is called in labels; unique.
    pub name: &'static str,
    /// The entry point.
    pub entry_point: &'static str,
    /// The file, as in [`FILES`].
    pub file: &'static str,
    /// What is defined in it and in what it imports.
    pub defines: &'static [&'static str],
    /// Threads of a workgroup.
    pub workgroup: u32,
    /// Size of the uniform struct at binding [`PARAMS`].
    pub params_bytes: usize,
    /// Bindings in the order of their numbers, from 0.
    pub bindings: &'static [Binding],
    /// Constants set when a pipeline is made.
    pub overrides: &'static [&'static str],
}

/// What stands behind a binding number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binding {
    /// A uniform buffer.
    Uniform,
    /// A storage buffer that is only read.
    Read,
    /// A storage buffer that is written.
    Write,
    /// A storage buffer that is written, bound at an offset given with each dispatch.
    WriteAtOffset,
}

/// The programs of a family. All have the planes of a generation first, and those that tally have
/// one group of bindings for all of them.
pub struct Programs {
    /// One generation: `shaders/shared/entry.wgsl`.
    pub step: Program,
    /// One generation unless the one before has settled, and its tally: `shaders/shared/entry.wgsl`.
    pub watch: Program,
    /// The same on devices that have subgroups.
    pub watch_subgroups: Program,
    /// The tally of the present generation: `shaders/shared/entry.wgsl`.
    pub census: Program,
    /// Totals of a tally.
    pub totals: usize,
}

/// The programs of the Life-like rules: `shaders/lifelike.wgsl`.
pub static LIFELIKE: Programs = {
    const STEP_BINDINGS: &[Binding] = LIFELIKE_STEP_BINDINGS;
    const TALLY_BINDINGS: &[Binding] = &[
        Binding::Uniform,
        Binding::Read,
        Binding::Read,
        Binding::Write,
        Binding::Write,
        Binding::WriteAtOffset,
    ];
    const OVERRIDES: &[&str] = &["BIRTH", "SURVIVAL", "TORUS", "TIES"];
    const PARAMS_BYTES: usize = size_of::<StepParams>();
    Programs {
        step: Program {
            name: "lifelike step",
            entry_point: "step",
            file: "lifelike/step",
            defines: &[],
            workgroup: 64,
            params_bytes: PARAMS_BYTES,
            bindings: STEP_BINDINGS,
            overrides: OVERRIDES,
        },
        watch: Program {
            name: "lifelike watch",
            entry_point: "step_with_stats",
            file: "lifelike/step",
            defines: &["STATS"],
            workgroup: 64,
            params_bytes: PARAMS_BYTES,
            bindings: TALLY_BINDINGS,
            overrides: OVERRIDES,
        },
        watch_subgroups: Program {
            name: "lifelike watch, subgroups",
            entry_point: "step_with_stats",
            file: "lifelike/step",
            defines: &["STATS", "SUBGROUPS"],
            workgroup: 64,
            params_bytes: PARAMS_BYTES,
            bindings: TALLY_BINDINGS,
            overrides: OVERRIDES,
        },
        census: Program {
            name: "lifelike census",
            entry_point: "census",
            file: "lifelike/step",
            defines: &["STATS", "CENSUS"],
            workgroup: 64,
            params_bytes: PARAMS_BYTES,
            bindings: TALLY_BINDINGS,
            overrides: OVERRIDES,
        },
        totals: 2,
    }
};

const LIFELIKE_STEP_BINDINGS: &[Binding] = &[
    Binding::Uniform,
    Binding::Read,
    Binding::Read,
    Binding::Write,
    Binding::Write,
];

/// The programs of reZolution: `shaders/rezolution.wgsl`, `shaders/rezolution/step.wgsl`.
pub static REZOLUTION: Programs = {
    const STEP_BINDINGS: &[Binding] = &[
        Binding::Uniform,
        Binding::Read,
        Binding::Read,
        Binding::Read,
        Binding::Write,
    ];
    const TALLY_BINDINGS: &[Binding] = &[
        Binding::Uniform,
        Binding::Read,
        Binding::Read,
        Binding::Read,
        Binding::Write,
        Binding::WriteAtOffset,
    ];
    const OVERRIDES: &[&str] = &["TORUS"];
    const PARAMS_BYTES: usize = size_of::<PopulationParams>();
    Programs {
        step: Program {
            name: "rezolution step",
            entry_point: "step",
            file: "rezolution/step",
            defines: &[],
            workgroup: 64,
            params_bytes: PARAMS_BYTES,
            bindings: STEP_BINDINGS,
            overrides: OVERRIDES,
        },
        watch: Program {
            name: "rezolution watch",
            entry_point: "step_with_stats",
            file: "rezolution/step",
            defines: &["STATS"],
            workgroup: 64,
            params_bytes: PARAMS_BYTES,
            bindings: TALLY_BINDINGS,
            overrides: OVERRIDES,
        },
        watch_subgroups: Program {
            name: "rezolution watch, subgroups",
            entry_point: "step_with_stats",
            file: "rezolution/step",
            defines: &["STATS", "SUBGROUPS"],
            workgroup: 64,
            params_bytes: PARAMS_BYTES,
            bindings: TALLY_BINDINGS,
            overrides: OVERRIDES,
        },
        census: Program {
            name: "rezolution census",
            entry_point: "census",
            file: "rezolution/step",
            defines: &["STATS", "CENSUS"],
            workgroup: 64,
            params_bytes: PARAMS_BYTES,
            bindings: TALLY_BINDINGS,
            overrides: OVERRIDES,
        },
        totals: 5,
    }
};

/// Many generations of a small board with the Life-like rules: `shaders/lifelike/single_workgroup.wgsl`.
pub static LIFELIKE_SMALL: Program = {
    Program {
        name: "small",
        entry_point: "single_workgroup",
        file: "lifelike/single_workgroup",
        defines: &[],
        workgroup: SMALL_WORKGROUP,
        params_bytes: size_of::<StepParams>(),
        bindings: &[
            Binding::Uniform,
            Binding::Read,
            Binding::Read,
            Binding::Write,
            Binding::Write,
            Binding::Uniform,
        ],
        overrides: &["BIRTH", "SURVIVAL", "TORUS", "TIES"],
    }
};

/// Threads of [`LIFELIKE_SMALL`]: all that every device has.
pub const SMALL_WORKGROUP: u32 = 256;

/// Words of each of the two planes of a small board: they fit into the 16 KiB of workgroup memory that
/// every device has.
pub const SMALL_WORDS: u32 = 2048;

/// Rows of a strip of a small board, at most.
pub const SMALL_STRIP_ROWS: u32 = 15;

/// The second uniforms of [`LIFELIKE_SMALL`].
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct SmallParams {
    /// Generations of the dispatch.
    pub generations: u32,
}

/// How fast a device computes, without memory: `shaders/roofline.wgsl`.
pub static LOGIC: Program = Program {
    name: "logic",
    entry_point: "roofline",
    file: "roofline",
    defines: &[],
    workgroup: 64,
    params_bytes: size_of::<LogicParams>(),
    bindings: &[Binding::Uniform, Binding::Write],
    overrides: &[],
};

/// Functions of three words that a thread of [`LOGIC`] computes in a round.
pub const LOGIC_FUNCTIONS: u32 = 16;

/// Uniforms of [`LOGIC`].
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct LogicParams {
    /// Turns of the loop of a thread.
    pub rounds: u32,
    /// What the words begin with.
    pub seed: u32,
}

/// All programs, for checking.
pub static PROGRAMS: [&Program; 33] = [
    &LIFELIKE_SMALL,
    &LOGIC,
    &LIFELIKE.step,
    &LIFELIKE.watch,
    &LIFELIKE.watch_subgroups,
    &LIFELIKE.census,
    &REZOLUTION.step,
    &REZOLUTION.watch,
    &REZOLUTION.watch_subgroups,
    &REZOLUTION.census,
    &LIFELIKE_STREAMS[0].program,
    &LIFELIKE_STREAMS[1].program,
    &LIFELIKE_STREAMS[2].program,
    &LIFELIKE_STREAMS[3].program,
    &LIFELIKE_STREAMS[4].program,
    &LIFELIKE_STREAMS[5].program,
    &REZOLUTION_STREAMS[0].program,
    &REZOLUTION_STREAMS[1].program,
    &REZOLUTION_STREAMS[2].program,
    &REZOLUTION_STREAMS[3].program,
    &LIFELIKE_WATCHED_STREAMS[0].program,
    &LIFELIKE_WATCHED_STREAMS[1].program,
    &LIFELIKE_WATCHED_STREAMS[2].program,
    &LIFELIKE_WATCHED_STREAMS[3].program,
    &REZOLUTION_WATCHED_STREAMS[0].program,
    &REZOLUTION_WATCHED_STREAMS[1].program,
    &ACTIVE,
    &ARENA,
    &ARENA_SUBGROUPS,
    &CELL_PICTURES.enlarge,
    &CELL_PICTURES.minify,
    &POPULATION_PICTURES.enlarge,
    &POPULATION_PICTURES.minify,
];

/// Binding number of the uniform struct in every program.
pub const PARAMS: usize = 0;

/// Values of the override `TIES`, named as in `shaders/lifelike/ties.wgsl`.
pub const TIES_SEEDED: u32 = 0;
/// Always red.
pub const TIES_RED: u32 = 1;
/// Always blue.
pub const TIES_BLUE: u32 = 2;
/// Red where x + y is even.
pub const TIES_CHECKERBOARD: u32 = 3;

/// Uniforms of [`LIFELIKE`].
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct StepParams {
    /// Cells of a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Words of a row.
    pub row_words: u32,
    /// Rows one thread computes; those at the end of a column may compute fewer.
    pub strip_rows: u32,
    /// The first thread of the dispatch, of all that a whole generation takes.
    pub first_thread: u32,
    /// The thread after the last one of the dispatch.
    pub end_thread: u32,
    /// The tie seed after spreading, first word.
    pub seed_low: u32,
    /// The tie seed after spreading, second word.
    pub seed_high: u32,
    /// Rows of the whole board: what is here may be a band of it.
    pub board_height: u32,
    /// The row of the board that is row 0 here.
    pub first_row: u32,
    /// Of the rows here the first that is the band's own: the others are its halo.
    pub first_own: u32,
    /// The row after the last of these.
    pub end_own: u32,
}

/// Uniforms of [`REZOLUTION`].
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct PopulationParams {
    /// Cells of a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Groups of four words of a row of levels.
    pub row_groups: u32,
    /// Words of a row of barriers or targets.
    pub mark_words: u32,
    /// Rows one thread computes; those at the end of a column may compute fewer.
    pub strip_rows: u32,
    /// The first thread of the dispatch, of all that a whole generation takes.
    pub first_thread: u32,
    /// The thread after the last one of the dispatch.
    pub end_thread: u32,
    /// Of the rows here the first that is a band's own: the others are its halo.
    pub first_own: u32,
    /// The row after the last of these.
    pub end_own: u32,
    /// Unused; keeps the size a multiple of 16 bytes.
    pub padding: [u32; 3],
}

/// What a tally has after its totals, which are 64 bits each, low word first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct Marks {
    /// Not 0 if the generation was computed.
    pub computed: u32,
    /// Not 0 if a cell differs from the generation before.
    pub differs_from_last: u32,
    /// Not 0 if a cell differs from the second last generation.
    pub differs_from_second_last: u32,
}

/// Bytes from one tally to the next: the coarsest alignment WebGPU lets a device ask for.
pub const TALLY_STRIDE: u64 = 256;

/// Tallies of one submission, and so the most generations counted at a time.
pub const TALLIES: u64 = 255;

impl Programs {
    /// Bytes of the totals of a tally.
    pub const fn totals_bytes(&self) -> usize {
        8 * self.totals
    }

    /// Bytes of a whole tally.
    pub const fn tally_bytes(&self) -> usize {
        self.totals_bytes() + size_of::<Marks>()
    }
}

impl Program {
    /// The WGSL text, and where its lines are from.
    ///
    /// # Errors
    /// [`WgslError`] if the files do not fit together.
    pub fn wgsl(&self) -> Result<Assembly, WgslError> {
        assemble(FILES, self.file, self.defines)
    }
}
