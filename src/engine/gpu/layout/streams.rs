//! The programs that compute several generations in one pass.

use super::{LIFELIKE_CIRCUITS, LIFELIKE_STEP_BINDINGS, Program, StepParams, TIES, WORDS_4};

/// A program that computes several generations in one pass over the board.
pub struct Stream {
    /// The program.
    pub program: Program,
    /// How many generations.
    pub generations: u32,
    /// Whether threads of a subgroup share a tile.
    pub subgroups: bool,
}

impl Stream {
    /// Words of a row that a tile has to itself, where subgroups have so many threads.
    pub const fn own_words(&self, subgroup: u32) -> u32 {
        if self.subgroups {
            STREAM_THREAD_WORDS * subgroup - 2
        } else {
            STREAM_OWN_WORDS
        }
    }
}

/// Words of a row that a thread of a [`Stream`] without subgroups has to itself.
pub const STREAM_OWN_WORDS: u32 = 3;

/// Words of a row that a thread of a [`Stream`] of subgroups has.
pub const STREAM_THREAD_WORDS: u32 = 4;

/// Several generations of the Life-like rules in a pass: `shaders/stream.wgsl`.
pub static LIFELIKE_STREAMS: [Stream; 6] = {
    const STREAM: &str = include_str!("../../../../shaders/stream.wgsl");
    const ALONE: &str = include_str!("../../../../shaders/stream_alone.wgsl");
    const SUBGROUPS: &str = include_str!("../../../../shaders/stream_subgroups.wgsl");
    const STAGES_2: &str = include_str!("../../../../shaders/stream_2.wgsl");
    const STAGES_4: &str = include_str!("../../../../shaders/stream_4.wgsl");
    const STAGES_8: &str = include_str!("../../../../shaders/stream_8.wgsl");
    const fn stream(
        name: &'static str,
        sources: &'static [&'static str],
        generations: u32,
        subgroups: bool,
    ) -> Stream {
        Stream {
            program: Program {
                name,
                entry_point: "stream",
                sources,
                workgroup: 32,
                params_bytes: size_of::<StepParams>(),
                bindings: LIFELIKE_STEP_BINDINGS,
                overrides: &["BIRTH", "SURVIVAL", "TORUS", "TIES", "SEAM"],
            },
            generations,
            subgroups,
        }
    }
    const fn alone(
        name: &'static str,
        sources: &'static [&'static str],
        generations: u32,
    ) -> Stream {
        stream(name, sources, generations, false)
    }
    const fn shared(
        name: &'static str,
        sources: &'static [&'static str],
        generations: u32,
    ) -> Stream {
        stream(name, sources, generations, true)
    }
    const fn joined(tile: &'static str, stages: &'static str) -> [&'static str; 6] {
        [WORDS_4, LIFELIKE_CIRCUITS, TIES, STREAM, tile, stages]
    }
    [
        alone("stream 2", &joined(ALONE, STAGES_2), 2),
        alone("stream 4", &joined(ALONE, STAGES_4), 4),
        alone("stream 8", &joined(ALONE, STAGES_8), 8),
        shared("stream 2, subgroups", &joined(SUBGROUPS, STAGES_2), 2),
        shared("stream 4, subgroups", &joined(SUBGROUPS, STAGES_4), 4),
        shared("stream 8, subgroups", &joined(SUBGROUPS, STAGES_8), 8),
    ]
};
