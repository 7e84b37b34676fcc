//! The programs that compute several generations in one pass.

use bytemuck::{Pod, Zeroable};

use super::{Binding, Program};

/// A program that computes several generations in one pass over the board.
pub struct Stream {
    /// The program.
    pub program: Program,
    /// How many generations.
    pub generations: u32,
    /// Whether threads of a subgroup share a tile.
    pub subgroups: bool,
    /// Words of a row that a tile of one thread has to itself, if threads share none.
    pub alone_words: u32,
    /// Words of a row that each of several threads has, of which the first and the last of all are no
    /// tile's own.
    pub thread_words: u32,
}

impl Stream {
    /// Words of a row that a tile has to itself, if so many threads share it.
    pub const fn own_words(&self, tile_threads: u32) -> u32 {
        if self.subgroups {
            self.thread_words * tile_threads - 2
        } else {
            self.alone_words
        }
    }
}

/// Uniforms of a [`Stream`].
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct StreamParams {
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
    /// Not 0: under watch nothing is computed after a settled generation.
    pub until_settled: u32,
    /// Rows of the whole board: what is here may be a band of it.
    pub board_height: u32,
    /// The row of the board that is row 0 here.
    pub first_row: u32,
    /// Of the rows here the first that is the band's own: the others are its halo.
    pub first_own: u32,
    /// The row after the last of these.
    pub end_own: u32,
}

/// What a [`Stream`] that nobody watches binds: the planes, the blocks that are listed, and what changes
/// in blocks.
const STREAM_BINDINGS: &[Binding] = &[
    Binding::Uniform,
    Binding::Read,
    Binding::Read,
    Binding::Write,
    Binding::Write,
    Binding::Read,
    Binding::Write,
];

/// Lists the blocks that the next pass has to compute: `shaders/shared/active_blocks.wgsl`.
pub static ACTIVE: Program = Program {
    name: "active blocks",
    entry_point: "list_active_blocks",
    file: "shared/active_blocks",
    defines: &["LIST"],
    workgroup: 64,
    params_bytes: size_of::<ActiveParams>(),
    // Uniforms, what has changed, what will have, the list.
    bindings: &[
        Binding::Uniform,
        Binding::Read,
        Binding::Write,
        Binding::Write,
    ],
    overrides: &[],
};

/// Uniforms of [`ACTIVE`].
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct ActiveParams {
    /// Cells of a row.
    pub width: u32,
    /// Rows of the board.
    pub height: u32,
    /// Cells of a row of a block; the last one may have fewer.
    pub block_cells: u32,
    /// Rows of a block; the last one may have fewer.
    pub block_rows: u32,
    /// Blocks of a row.
    pub columns: u32,
    /// Rows of blocks.
    pub rows: u32,
    /// How far something comes until the end of the next pass, in cells, at most.
    pub reach: u32,
    /// Not 0: opposite sides are joined.
    pub torus: u32,
    /// Not 0: it is known what has changed.
    pub known: u32,
    /// Not 0: the planes that the next pass writes hold the present board.
    pub copied: u32,
    /// Of the rows here the first that is a band's own: the others are its halo.
    pub first_own: u32,
    /// The row after the last of these.
    pub end_own: u32,
}

/// Bytes of the list that [`ACTIVE`] writes, of so many blocks: how many there are, and which.
pub const fn list_bytes(blocks: u64) -> u64 {
    4 + 4 * blocks
}

/// What a [`Stream`] under watch binds: the planes, and the tallies of the generation before and of those
/// that it sees.
const WATCHED_BINDINGS: &[Binding] = &[
    Binding::Uniform,
    Binding::Read,
    Binding::Read,
    Binding::Write,
    Binding::Write,
    Binding::WriteAtOffset,
];

const fn stream(
    name: &'static str,
    defines: &'static [&'static str],
    bindings: &'static [Binding],
    generations: u32,
    subgroups: bool,
) -> Stream {
    Stream {
        program: Program {
            name,
            entry_point: "run_pass",
            file: "lifelike/pass",
            defines,
            workgroup: 32,
            params_bytes: size_of::<StreamParams>(),
            bindings,
            overrides: &["BIRTH", "SURVIVAL", "TORUS", "TIES", "SEAM"],
        },
        generations,
        subgroups,
        alone_words: 3,
        thread_words: 4,
    }
}

/// Several generations of the Life-like rules in a pass: `shaders/lifelike/pass.wgsl`.
pub static LIFELIKE_STREAMS: [Stream; 6] = {
    const fn alone(
        name: &'static str,
        defines: &'static [&'static str],
        generations: u32,
    ) -> Stream {
        stream(name, defines, STREAM_BINDINGS, generations, false)
    }
    const fn shared(
        name: &'static str,
        defines: &'static [&'static str],
        generations: u32,
    ) -> Stream {
        stream(name, defines, STREAM_BINDINGS, generations, true)
    }
    [
        alone("stream 2", &["GENERATIONS_2"], 2),
        alone("stream 4", &["GENERATIONS_4"], 4),
        alone("stream 8", &["GENERATIONS_8"], 8),
        shared("stream 2, subgroups", &["GENERATIONS_2", "SUBGROUPS"], 2),
        shared("stream 4, subgroups", &["GENERATIONS_4", "SUBGROUPS"], 4),
        shared("stream 8, subgroups", &["GENERATIONS_8", "SUBGROUPS"], 8),
    ]
};

/// The same under watch: `shaders/lifelike/pass.wgsl`. They look at all of their generations but the
/// first, and write the last but one.
pub static LIFELIKE_WATCHED_STREAMS: [Stream; 4] = {
    const fn alone(
        name: &'static str,
        defines: &'static [&'static str],
        generations: u32,
    ) -> Stream {
        stream(name, defines, WATCHED_BINDINGS, generations, false)
    }
    const fn shared(
        name: &'static str,
        defines: &'static [&'static str],
        generations: u32,
    ) -> Stream {
        stream(name, defines, WATCHED_BINDINGS, generations, true)
    }
    [
        alone("watched 4", &["GENERATIONS_4", "STATS"], 4),
        alone("watched 8", &["GENERATIONS_8", "STATS"], 8),
        shared(
            "watched 4, subgroups",
            &["GENERATIONS_4", "STATS", "SUBGROUPS"],
            4,
        ),
        shared(
            "watched 8, subgroups",
            &["GENERATIONS_8", "STATS", "SUBGROUPS"],
            8,
        ),
    ]
};

const fn population_stream(
    name: &'static str,
    defines: &'static [&'static str],
    bindings: &'static [Binding],
    generations: u32,
    subgroups: bool,
) -> Stream {
    Stream {
        program: Program {
            name,
            entry_point: "run_pass",
            file: "rezolution/pass",
            defines,
            workgroup: 32,
            params_bytes: size_of::<StreamParams>(),
            bindings,
            overrides: &["TORUS", "SEAM"],
        },
        generations,
        subgroups,
        alone_words: 6,
        thread_words: 8,
    }
}

/// Several generations of reZolution in a pass: `shaders/rezolution/pass.wgsl`.
pub static REZOLUTION_STREAMS: [Stream; 4] = {
    /// The planes, the blocks that are listed, and what changes in blocks.
    const BINDINGS: &[Binding] = &[
        Binding::Uniform,
        Binding::Read,
        Binding::Read,
        Binding::Read,
        Binding::Write,
        Binding::Read,
        Binding::Write,
    ];
    const fn alone(
        name: &'static str,
        defines: &'static [&'static str],
        generations: u32,
    ) -> Stream {
        population_stream(name, defines, BINDINGS, generations, false)
    }
    const fn shared(
        name: &'static str,
        defines: &'static [&'static str],
        generations: u32,
    ) -> Stream {
        population_stream(name, defines, BINDINGS, generations, true)
    }
    [
        alone("populations stream 2", &["GENERATIONS_2"], 2),
        alone("populations stream 4", &["GENERATIONS_4"], 4),
        shared(
            "populations stream 2, subgroups",
            &["GENERATIONS_2", "SUBGROUPS"],
            2,
        ),
        shared(
            "populations stream 4, subgroups",
            &["GENERATIONS_4", "SUBGROUPS"],
            4,
        ),
    ]
};

/// The same under watch: `shaders/rezolution/pass.wgsl`. Passes of two would see one generation each,
/// as single ones do.
pub static REZOLUTION_WATCHED_STREAMS: [Stream; 2] = {
    /// The planes, and the tallies of the generation before and of those that are seen.
    const BINDINGS: &[Binding] = &[
        Binding::Uniform,
        Binding::Read,
        Binding::Read,
        Binding::Read,
        Binding::Write,
        Binding::WriteAtOffset,
    ];
    [
        population_stream(
            "populations watched 4",
            &["GENERATIONS_4", "STATS"],
            BINDINGS,
            4,
            false,
        ),
        population_stream(
            "populations watched 4, subgroups",
            &["GENERATIONS_4", "STATS", "SUBGROUPS"],
            BINDINGS,
            4,
            true,
        ),
    ]
};
