//! Strokes: cells that are painted together; and finished edits, to be undone and redone.

use std::collections::VecDeque;
use std::sync::Arc;

use super::Brush;
use crate::board::{Board, Size};

/// The most edits that can be undone.
const MAX_EDITS: usize = 500;

/// The most memory that their boards may take. The last edit can always be undone.
const MAX_BYTES: u64 = 256 << 20;

/// Cells that have been touched since a button was pressed.
pub(super) struct Stroke<P> {
    brush: P,
    size: Size,
    touched: Vec<(u32, u32)>,
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

    /// Takes a cell in if it lies on the board. Staying on a cell takes it in once.
    pub(super) fn touch(&mut self, x: u32, y: u32) {
        let inside = x < self.size.width() && y < self.size.height();
        if inside && self.touched.last() != Some(&(x, y)) {
            self.touched.push((x, y));
        }
    }

    /// Paints the cells.
    pub(super) fn apply(&self, board: &mut P::Board) {
        for &(x, y) in &self.touched {
            self.brush.paint(board, x, y);
        }
    }
}

/// A finished edit. Whole boards, because generations may have been computed in between.
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

/// Finished edits in order, of which some at the end may be undone.
pub(super) struct History<B> {
    edits: VecDeque<Edit<B>>,
    /// How many of them are done.
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
    /// Adds an edit. Those that are undone cannot be redone any more, and the oldest are forgotten
    /// if there are too many.
    pub(super) fn push(&mut self, edit: Edit<B>) {
        self.edits.truncate(self.done);
        // Two boards; one shared with the next edit counts twice.
        let bytes = 2 * B::bytes(edit.after.size());
        let most = usize::try_from(MAX_BYTES / bytes.max(1)).unwrap_or(MAX_EDITS);
        self.edits.push_back(edit);
        while self.edits.len() > most.clamp(1, MAX_EDITS) {
            self.edits.pop_front();
        }
        self.done = self.edits.len();
    }

    /// The edit to be undone next.
    pub(super) fn last(&self) -> Option<Edit<B>> {
        let index = self.done.checked_sub(1)?;
        self.edits.get(index).cloned()
    }

    /// The edit to be redone next.
    pub(super) fn next(&self) -> Option<Edit<B>> {
        self.edits.get(self.done).cloned()
    }

    /// The last edit is undone.
    pub(super) const fn step_back(&mut self) {
        self.done = self.done.saturating_sub(1);
    }

    /// The next edit is done again.
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
