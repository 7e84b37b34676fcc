//! Several generations in one pass over the board (temporal blocking): `shaders/lifelike/pass.wgsl`,
//! `shaders/rezolution/pass.wgsl`, `shaders/shared/pass.wgsl`.

use super::{Binding, Program};

/// A program that computes several generations in one pass over the board.
pub struct PassProgram {
    /// The program.
    pub program: Program,
    /// Generations per pass; `GENERATIONS` in the shader.
    pub generations: u32,
    /// Whether threads of a subgroup share a tile; otherwise each thread has its own.
    pub subgroups: bool,
    /// Own words of a tile of one thread in a row; `OWN_WORDS` in the shader.
    pub own_words: u32,
    /// Words of each thread of a shared tile in a row, of which the first and the last of all are its halo;
    /// `THREAD_WORDS` in the shader.
    pub thread_words: u32,
}

impl PassProgram {
    /// Generations whose statistics a pass with statistics is the first to write, and by which it
    /// advances the board.
    pub const fn new_stats(&self) -> u32 {
        self.generations - 1
    }

    /// Own words of a tile of `tile_threads` threads in a row.
    pub const fn own_words(&self, tile_threads: u32) -> u32 {
        if self.subgroups {
            self.thread_words * tile_threads - 2
        } else {
            self.own_words
        }
    }
}

/// Passes of the Life-like rules.
pub static LIFELIKE_PASSES: [PassProgram; 6] = {
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
        lifelike(name, defines, BINDINGS, generations, subgroups)
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
pub static LIFELIKE_STATS_PASSES: [PassProgram; 4] = {
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
        lifelike(name, defines, BINDINGS, generations, subgroups)
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

/// Passes of reZolution.
pub static REZOLUTION_PASSES: [PassProgram; 4] = {
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
        rezolution(name, defines, BINDINGS, generations, subgroups)
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
pub static REZOLUTION_STATS_PASSES: [PassProgram; 2] = {
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
        rezolution(
            "rezolution pass 4 with statistics",
            &["GENERATIONS_4", "STATS"],
            BINDINGS,
            4,
            false,
        ),
        rezolution(
            "rezolution pass 4 with statistics, subgroups",
            &["GENERATIONS_4", "STATS", "SUBGROUPS"],
            BINDINGS,
            4,
            true,
        ),
    ]
};

uniforms! {
    /// Uniforms of a [`PassProgram`].
    pub struct PassParams {
        /// Cells of a row.
        pub width: u32,
        /// Rows.
        pub height: u32,
        /// Words of a row.
        pub row_words: u32,
        /// Tiles side by side, and so blocks.
        pub columns: u32,
        /// Rows of a strip: of several blocks, or of one if only active blocks are computed.
        pub strip_rows: u32,
        /// Rows of a block.
        pub block_rows: u32,
        /// Cells that are near to the border of a block, at most 32.
        pub reach: u32,
        /// Not 0: only the blocks in the list of active blocks are computed.
        pub only_active: u32,
        /// Threads of a tile, a power of two.
        pub tile_threads: u32,
        /// The tie seed after spreading, first word.
        pub seed_low: u32,
        /// The tie seed after spreading, second word.
        pub seed_high: u32,
        /// Not 0: with statistics, nothing is computed after a generation that ends the run.
        pub until_settled: u32,
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
}

/// A program of `shaders/lifelike/pass.wgsl`.
const fn lifelike(
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

/// A program of `shaders/rezolution/pass.wgsl`.
const fn rezolution(
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
