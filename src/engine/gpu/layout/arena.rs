//! The programs that compute many small games at once.

use bytemuck::{Pod, Zeroable};

use super::{Binding, Program};

/// Whole games in workgroup memory, one a workgroup: `shaders/lifelike.wgsl`, `shaders/lifelike/arena.wgsl`.
pub static ARENA: Program = Program {
    name: "arena",
    entry_point: "arena",
    file: "lifelike/arena",
    defines: &[],
    workgroup: 64,
    params_bytes: size_of::<ArenaParams>(),
    bindings: ARENA_BINDINGS,
    overrides: ARENA_OVERRIDES,
};

/// [`ARENA`] for devices with subgroups.
pub static ARENA_SUBGROUPS: Program = Program {
    name: "arena, subgroups",
    entry_point: "arena",
    file: "lifelike/arena",
    defines: &["SUBGROUPS"],
    workgroup: 64,
    params_bytes: size_of::<ArenaParams>(),
    bindings: ARENA_BINDINGS,
    overrides: ARENA_OVERRIDES,
};

const ARENA_BINDINGS: &[Binding] = &[
    Binding::Uniform,
    Binding::Read,
    Binding::Write,
    Binding::Write,
];
const ARENA_OVERRIDES: &[&str] = &["BIRTH", "SURVIVAL", "TORUS", "TIES"];

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
