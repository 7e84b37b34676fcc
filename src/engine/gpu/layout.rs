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

/// A picture with at least one pixel a cell: `shaders/view.wgsl`, `shaders/enlarge.wgsl`.
pub const ENLARGE: Program = Program {
    entry_point: "enlarge",
    sources: &[
        include_str!("../../../shaders/view.wgsl"),
        include_str!("../../../shaders/enlarge.wgsl"),
    ],
    workgroup: 64,
    params_bytes: size_of::<ViewParams>(),
    bindings: VIEW_BINDINGS,
    overrides: &[],
};

/// A picture with more than one cell a pixel: `shaders/view.wgsl`, `shaders/minify.wgsl`.
pub const MINIFY: Program = Program {
    entry_point: "minify",
    sources: &[
        include_str!("../../../shaders/view.wgsl"),
        include_str!("../../../shaders/minify.wgsl"),
    ],
    workgroup: 64,
    params_bytes: size_of::<ViewParams>(),
    bindings: VIEW_BINDINGS,
    overrides: &[],
};

/// Uniforms, the two planes, the pixels.
const VIEW_BINDINGS: &[Binding] = &[
    Binding::Uniform,
    Binding::Read,
    Binding::Read,
    Binding::Write,
];

/// All programs, for checking.
pub const PROGRAMS: [&Program; 5] = [&STEP, &WATCH, &CENSUS, &ENLARGE, &MINIFY];

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

/// Uniforms of [`ENLARGE`] and [`MINIFY`]. Colours are packed with red in the lowest byte, the
/// highest is 255.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct ViewParams {
    /// Cells of a row.
    pub width: u32,
    /// Rows of the board.
    pub height: u32,
    /// Words of a row of a plane.
    pub row_words: u32,
    /// Pixels of a row in memory.
    pub stride: u32,
    /// Pixels of a row.
    pub columns: u32,
    /// Rows of pixels.
    pub rows: u32,
    /// Column of pixels in which the board begins; may be negative.
    pub origin_x: i32,
    /// Row of pixels in which the board begins.
    pub origin_y: i32,
    /// [`ENLARGE`]: pixels a cell. [`MINIFY`]: cells a pixel, at most 2048 for the arithmetic to
    /// fit 32 bits.
    pub scale: u32,
    /// A sum of `VIEW_` bits.
    pub flags: u32,
    /// Colour of a dead cell.
    pub dead: u32,
    /// Colour of a red cell.
    pub red: u32,
    /// Colour of a blue cell.
    pub blue: u32,
    /// Colour around the board.
    pub outside: u32,
    /// Colour of the lines between cells.
    pub line: u32,
    /// [`MINIFY`]: threads a pixel, a power of two that is at most its workgroup.
    pub lanes: u32,
}

/// Flag of [`ViewParams`]: the board repeats in all directions.
pub const VIEW_TORUS: u32 = 1;
/// Flag of [`ViewParams`]: lines between cells.
pub const VIEW_LINES: u32 = 2;
/// Flag of [`ViewParams`]: a pixel with any live cell is as bright as one with nothing else.
pub const VIEW_ANY: u32 = 4;

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
