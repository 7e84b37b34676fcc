//! Strokes, which paint several cells at once, and the history of edits for undo and redo.

use std::collections::VecDeque;
use std::sync::Arc;

use glam::UVec2;

use super::Brush;
use crate::board::{Board, Size};

/// The most edits that can be undone.
const MAX_EDITS: usize = 500;

/// The most memory for their boards. The last edit can always be undone.
const MAX_BYTES: u64 = 256 << 20;

/// The cells touched since the button was pressed.
pub(super) struct Stroke<P> {
    brush: P,
    size: Size,
    touched: Vec<UVec2>,
    interrupted_play: bool,
}

impl<P: Brush> Stroke<P> {
    pub(super) const fn new(brush: P, size: Size, interrupted_play: bool) -> Self {
        Self {
            brush,
            size,
            touched: Vec::new(),
            interrupted_play,
        }
    }

    /// Whether the run was playing when the stroke began.
    pub(super) const fn interrupted_play(&self) -> bool {
        self.interrupted_play
    }

    /// Adds a cell if it lies on the board and is not the last one.
    pub(super) fn touch(&mut self, cell: UVec2) {
        let inside = cell.x < self.size.width() && cell.y < self.size.height();
        if inside && self.touched.last() != Some(&cell) {
            self.touched.push(cell);
        }
    }

    /// Paints the cells.
    pub(super) fn apply(&self, board: &mut P::Board) {
        for &cell in &self.touched {
            self.brush.paint(board, cell);
        }
    }
}

/// A finished edit. It holds whole boards, because generations may have been computed in between.
pub(super) struct Edit<B> {
    pub(super) before: Arc<B>,
    pub(super) after: Arc<B>,
}

impl<B> Clone for Edit<B> {
    fn clone(&self) -> Self {
        Self {
            before: Arc::clone(&self.before),
            after: Arc::clone(&self.after),
        }
    }
}

/// Finished edits in order; the last ones may be undone.
pub(super) struct History<B> {
    edits: VecDeque<Edit<B>>,
    /// The number of edits that are not undone.
    done: usize,
}

impl<B> Default for History<B> {
    fn default() -> Self {
        Self {
            edits: VecDeque::new(),
            done: 0,
        }
    }
}

impl<B: Board> History<B> {
    /// Adds an edit. Undone edits are discarded, and so are the oldest if there are too many.
    pub(super) fn push(&mut self, edit: Edit<B>) {
        self.edits.truncate(self.done);
        // Two boards; a board shared with the next edit counts twice.
        let bytes = 2 * B::bytes(edit.after.size());
        let most = usize::try_from(MAX_BYTES / bytes.max(1)).unwrap_or(MAX_EDITS);
        self.edits.push_back(edit);
        while self.edits.len() > most.clamp(1, MAX_EDITS) {
            self.edits.pop_front();
        }
        self.done = self.edits.len();
    }

    /// The edit that undo reverts.
    pub(super) fn last(&self) -> Option<Edit<B>> {
        let index = self.done.checked_sub(1)?;
        self.edits.get(index).cloned()
    }

    /// The edit that redo repeats.
    pub(super) fn next(&self) -> Option<Edit<B>> {
        self.edits.get(self.done).cloned()
    }

    /// Records an undo.
    pub(super) const fn step_back(&mut self) {
        self.done = self.done.saturating_sub(1);
    }

    /// Records a redo.
    pub(super) fn step_forward(&mut self) {
        self.done = (self.done + 1).min(self.edits.len());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::LifelikeBoard;

    fn edit(side: u64) -> Edit<LifelikeBoard> {
        let board = Arc::new(LifelikeBoard::new(Size::new(side, side).unwrap()).unwrap());
        Edit {
            before: Arc::clone(&board),
            after: board,
        }
    }

    #[test]
    fn the_history_is_bounded() {
        let mut history = History::default();
        for _ in 0..MAX_EDITS + 20 {
            history.push(edit(8));
        }
        assert_eq!((history.edits.len(), history.done), (MAX_EDITS, MAX_EDITS));
        // 4096 x 4096 cells: two boards are 8 MiB.
        let mut history = History::default();
        for _ in 0..40 {
            history.push(edit(4096));
        }
        assert_eq!(history.edits.len(), 32);
    }

    #[test]
    fn an_edit_ends_the_future() {
        let mut history = History::default();
        for side in 1..=3 {
            history.push(edit(side));
        }
        let side = |edit: Option<Edit<LifelikeBoard>>| edit.map(|edit| edit.after.size().width());
        history.step_back();
        history.step_back();
        assert_eq!(
            (side(history.last()), side(history.next())),
            (Some(1), Some(2))
        );
        history.step_forward();
        assert_eq!(
            (side(history.last()), side(history.next())),
            (Some(2), Some(3))
        );
        history.push(edit(9));
        assert_eq!(
            (side(history.last()), side(history.next())),
            (Some(9), None)
        );
        assert_eq!(history.edits.len(), 3);
    }
}
