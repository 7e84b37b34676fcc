//! The seam between host and shaders: every uniform struct, binding number, workgroup size,
//! constant and entry point that both sides must agree on, written once.
//!
//! `tests/shaders.rs` parses the assembled shaders and compares them with this file.

use bytemuck::{Pod, Zeroable};

/// A shader program: one or more WGSL files joined, and its entry point.
pub struct Program {
    /// What it is called in labels and messages; also the entry point.
    pub entry_point: &'static str,
    /// The files, in the order in which they are joined.
    pub sources: &'static [&'static str],
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

/// One generation of a Life-like rule: `shaders/lifelike.wgsl`, `shaders/step.wgsl`.
pub const STEP: Program = Program {
    entry_point: "step",
    sources: &[
        include_str!("../../../shaders/lifelike.wgsl"),
        include_str!("../../../shaders/ties.wgsl"),
        include_str!("../../../shaders/walk.wgsl"),
        include_str!("../../../shaders/step.wgsl"),
    ],
    workgroup: 64,
    params_bytes: size_of::<StepParams>(),
    bindings: &[
        Binding::Uniform,
        Binding::Read,
        Binding::Read,
        Binding::Write,
        Binding::Write,
    ],
    overrides: OVERRIDES,
};

/// One generation of a Life-like rule unless the one before has settled, and its tally:
/// `shaders/lifelike.wgsl`, `shaders/watch.wgsl`.
pub const WATCH: Program = Program {
    entry_point: "watch",
    sources: &[
        include_str!("../../../shaders/lifelike.wgsl"),
        include_str!("../../../shaders/ties.wgsl"),
        include_str!("../../../shaders/walk.wgsl"),
        include_str!("../../../shaders/watch.wgsl"),
    ],
    workgroup: 64,
    params_bytes: size_of::<StepParams>(),
    bindings: &[
        Binding::Uniform,
        Binding::Read,
        Binding::Read,
        Binding::Write,
        Binding::Write,
        // The tally of the generation before and, a stride further, that of the one computed.
        Binding::WriteAtOffset,
    ],
    overrides: OVERRIDES,
};

/// Whole games in workgroup memory, one a workgroup: `shaders/lifelike.wgsl`, `shaders/arena.wgsl`.
pub const ARENA: Program = Program {
    entry_point: "arena",
    sources: &[
        include_str!("../../../shaders/lifelike.wgsl"),
        include_str!("../../../shaders/ties.wgsl"),
        include_str!("../../../shaders/arena.wgsl"),
    ],
    workgroup: 64,
    params_bytes: size_of::<ArenaParams>(),
    bindings: &[
        Binding::Uniform,
        Binding::Read,
        Binding::Write,
        Binding::Write,
    ],
    overrides: &["BIRTH", "SURVIVAL", "TORUS", "TIES"],
};

/// The constants of a Life-like rule.
const OVERRIDES: &[&str] = &["BIRTH", "SURVIVAL", "TORUS", "TIES", "WATCH"];

/// Counting cells: `shaders/census.wgsl`.
pub const CENSUS: Program = Program {
    entry_point: "census",
    sources: &[include_str!("../../../shaders/census.wgsl")],
    workgroup: 256,
    params_bytes: size_of::<CensusParams>(),
    bindings: &[
        Binding::Uniform,
        Binding::Read,
        Binding::Read,
        Binding::WriteAtOffset,
    ],
    overrides: &[],
};

/// All programs, for checking.
pub const PROGRAMS: [&Program; 4] = [&STEP, &WATCH, &CENSUS, &ARENA];

/// Binding number of the uniform struct in every program.
pub const PARAMS: usize = 0;

/// Values of the override `TIES`, named as in `shaders/ties.wgsl`.
pub const TIES_SEEDED: u32 = 0;
/// Always red.
pub const TIES_RED: u32 = 1;
/// Always blue.
pub const TIES_BLUE: u32 = 2;
/// Red where x + y is even.
pub const TIES_CHECKERBOARD: u32 = 3;

/// Uniforms of [`STEP`] and [`WATCH`].
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct StepParams {
    /// Cells of a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Words of a row.
    pub row_words: u32,
    /// Rows one thread computes.
    pub strip_rows: u32,
    /// Strips of that many rows; the last may be shorter.
    pub strips: u32,
    /// The tie seed after spreading, first word.
    pub seed_low: u32,
    /// The tie seed after spreading, second word.
    pub seed_high: u32,
    /// Unused; keeps the size a multiple of 16 bytes.
    pub padding: u32,
}

/// Uniforms of [`CENSUS`].
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct CensusParams {
    /// Words of a plane.
    pub words: u32,
    /// Unused; keeps the size a multiple of 16 bytes.
    pub padding: [u32; 3],
}

/// Uniforms of [`ARENA`].
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct ArenaParams {
    /// Games of the batch.
    pub games: u32,
    /// The most generations a game is computed in this dispatch.
    pub generations: u32,
    /// Workgroups of a row of the dispatch.
    pub groups_x: u32,
    /// Unused; keeps the size a multiple of 16 bytes.
    pub padding: u32,
}

/// What [`ARENA`] is told about a game.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct ArenaGame {
    /// Cells of a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Words of a row.
    pub row_words: u32,
    /// Where its four planes begin: alive and blue now, alive and blue one generation ago.
    pub first_word: u32,
    /// Generations of the whole game.
    pub limit: u32,
    /// The tie seed after spreading, first word.
    pub seed_low: u32,
    /// The tie seed after spreading, second word.
    pub seed_high: u32,
    /// Unused.
    pub padding: u32,
}

/// What [`ARENA`] tells about a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct ArenaFate {
    /// Generations computed.
    pub generation: u32,
    /// Not 0 when the planes hold the last board of the game.
    pub over: u32,
    /// The first generation that settled the game or was its last, 0 before.
    pub decided: u32,
    /// The period of that board, 0 if it is not known to repeat.
    pub decided_period: u32,
    /// Its live cells.
    pub decided_alive: u32,
    /// Its blue cells.
    pub decided_blue: u32,
    /// The most red cells so far.
    pub peak_red: u32,
    /// The most blue cells so far.
    pub peak_blue: u32,
}

/// Words of the largest plane of a game of [`ARENA`]: four of them, and the counters, fit into the
/// 16 KiB of workgroup memory that every device has.
pub const ARENA_WORDS: u32 = 960;

/// What [`CENSUS`] and [`WATCH`] add to: two 64-bit totals, low word first, and for [`WATCH`] two
/// flags.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct Tally {
    /// Live cells.
    pub alive: [u32; 2],
    /// Blue cells.
    pub blue: [u32; 2],
    /// Not 0 if a cell differs from the generation before.
    pub differs_from_last: u32,
    /// Not 0 if a cell differs from the second last generation.
    pub differs_from_second_last: u32,
}

/// Bytes from one [`Tally`] to the next: the coarsest alignment WebGPU lets a device ask for.
pub const TALLY_STRIDE: u64 = 256;

/// Tallies of one submission, and so the most generations counted at a time.
pub const TALLIES: u64 = 255;

impl Program {
    /// The WGSL text.
    pub fn wgsl(&self) -> String {
        self.sources.concat()
    }
}
