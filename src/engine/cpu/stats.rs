//! What the passes with statistics of both families share.

use super::PartialStats;

/// How a pass computes statistics.
#[derive(Clone, Copy)]
pub(super) struct StatsParams {
    /// Whether the words that are written to hold the generation before the board that is read.
    pub(super) has_history: bool,
}

/// Two parts of a board together.
pub(super) fn both<C: Copy, const STAGES: usize>(
    a: [PartialStats<C>; STAGES],
    b: [PartialStats<C>; STAGES],
    add: impl Fn(C, C) -> C,
) -> [PartialStats<C>; STAGES] {
    std::array::from_fn(|stage| a[stage].merge(b[stage], &add))
}

/// A row that a stage has put out, and the same row of the generations before.
pub(super) struct Compared<'a, R, B> {
    pub(super) new: &'a R,
    pub(super) last: &'a R,
    pub(super) second_last: SecondLast<'a, R, B>,
}

/// The row of the second last generation with which a new one is compared.
pub(super) enum SecondLast<'a, R, B> {
    /// In the input of the stage before.
    Row(&'a R),
    /// In the output planes, which are not yet overwritten.
    Board(B),
    /// Not known: the comparison means nothing.
    Unknown,
}

impl<'a, R, B> Compared<'a, R, B> {
    /// The row of generation `generation` that its stage has put out for input row `number`.
    ///
    /// `rows` are the last three rows of a generation by their number modulo 3, where the board is
    /// generation 0. `board` holds the row of the generation before that one, if it is known.
    pub(super) fn of(
        generation: usize,
        number: usize,
        rows: impl Fn(usize) -> &'a [R; 3],
        board: Option<B>,
    ) -> Self {
        Self {
            new: &rows(generation)[number % 3],
            last: &rows(generation - 1)[(number + 2) % 3],
            second_last: match (generation.checked_sub(2), board) {
                // In front of the stage before, that row is one further up.
                (Some(generation), _) => SecondLast::Row(&rows(generation)[(number + 1) % 3]),
                (None, Some(board)) => SecondLast::Board(board),
                (None, None) => SecondLast::Unknown,
            },
        }
    }
}
