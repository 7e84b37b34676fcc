//! Many small boards in one dispatch, one per workgroup: `shaders/lifelike/arena.wgsl`.

use crate::engine::gpu::program::{Binding, Program, uniforms};

/// Whole games in workgroup memory, one per workgroup.
pub static ARENA: Program = ARENA_PROGRAM;

/// [`ARENA`] for devices with subgroups.
pub static ARENA_SUBGROUPS: Program = Program {
    name: "lifelike arena, subgroups",
    defines: &["SUBGROUPS"],
    ..ARENA_PROGRAM
};

const ARENA_PROGRAM: Program = Program {
    name: "lifelike arena",
    file: "lifelike/arena",
    defines: &[],
    entry_point: "arena",
    workgroup: 64,
    // The games, their planes, their states.
    bindings: &[
        Binding::Uniform(&ArenaParams::STRUCTURE),
        Binding::Read,
        Binding::Write,
        Binding::Write,
    ],
    overrides: &["BIRTH", "SURVIVAL", "TORUS", "TIES"],
};

/// Words of the largest plane of a game of [`ARENA`]: four of them, and the counters, fit into the
/// 16 KiB of workgroup memory that every device has.
pub const ARENA_WORDS: u32 = 960;

uniforms! {
    /// Uniforms of [`ARENA`].
    pub struct ArenaParams {
        /// Games of the batch.
        pub games: u32,
        /// The most generations a game is computed in this dispatch.
        pub generations: u32,
        /// Workgroups per row of the dispatch.
        pub groups_x: u32,
        /// Unused; keeps the size a multiple of 16 bytes.
        pub padding: u32,
    }

    /// A game of [`ARENA`].
    pub struct ArenaGame {
        /// Cells per row.
        pub width: u32,
        /// Rows.
        pub height: u32,
        /// Words per row.
        pub row_words: u32,
        /// Where its four planes begin: alive and blue now, alive and blue one generation ago.
        pub first_word: u32,
        /// Generations of the whole game.
        pub limit: u32,
        /// The tie seed after spreading, first word.
        pub seed_low: u32,
        /// The tie seed after spreading, second word.
        pub seed_high: u32,
        /// The rule of the general form: bit n for births with n live neighbours.
        pub birth: u32,
        /// Bit n for survivals with n live neighbours.
        pub survival: u32,
        /// Not 0: opposite sides are joined.
        pub torus: u32,
        /// The colour of ties, a value of the override `TIES`.
        pub ties: u32,
        /// Unused; keeps the size a multiple of 16 bytes.
        pub padding: u32,
    }

    /// The state of a game of [`ARENA`].
    pub struct ArenaGameState {
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
}
