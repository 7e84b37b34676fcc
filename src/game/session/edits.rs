//! Edits of the board: strokes, clearing and replacing it, undo and redo.

use std::sync::Arc;

use glam::UVec2;

use super::stroke::{Edit, Stroke};
use super::{BoardOf, GameSettings, Session, SessionError};
use crate::engine::EngineError;

impl<S: GameSettings> Session<S> {
    /// Clears the board, which becomes the start pattern.
    ///
    /// # Errors
    /// [`SessionError`] if editing is locked or the engine fails.
    pub fn clear(&mut self) -> Result<(), SessionError> {
        self.replace(|board| Ok(S::cleared(board)?))
    }

    /// Begins a stroke with a brush. The run is paused until the stroke ends.
    ///
    /// # Errors
    /// [`SessionError`] if editing is locked.
    pub fn begin_stroke(&mut self, brush: S::Brush) -> Result<(), SessionError> {
        self.check_paint()?;
        self.stroke = Some(Stroke::new(brush, self.settings.size(), self.playing));
        self.pause();
        Ok(())
    }

    /// Adds a cell to the stroke in progress, if there is one and the cell lies on the board.
    pub fn touch(&mut self, cell: UVec2) {
        if let Some(stroke) = &mut self.stroke {
            stroke.touch(cell);
        }
    }

    /// Ends the stroke in progress. If it changes the board, the board becomes the start pattern. Returns
    /// whether it did; if not, play resumes.
    ///
    /// # Errors
    /// [`EngineError`]; the stroke is then cancelled.
    pub fn end_stroke(&mut self) -> Result<bool, EngineError> {
        let Some(stroke) = self.stroke.take() else {
            return Ok(false);
        };
        let before = self.engine.read()?;
        let mut after = before.clone();
        stroke.apply(&mut after);
        if after == before {
            self.resume_after(&stroke);
            return Ok(false);
        }
        let edit = Edit {
            before: Arc::new(before),
            after: Arc::new(after),
        };
        self.begin(Arc::clone(&edit.after))?;
        self.history.push(edit);
        Ok(true)
    }

    /// Cancels the stroke in progress and resumes play.
    pub fn cancel_stroke(&mut self) {
        if let Some(stroke) = self.stroke.take() {
            self.resume_after(&stroke);
        }
    }

    /// Restores the board before the last edit (a stroke, or a board generated or cleared) as the start
    /// pattern.
    ///
    /// # Errors
    /// [`SessionError`] if there is none, painting is locked or the engine fails.
    pub fn undo(&mut self) -> Result<(), SessionError> {
        self.check_paint()?;
        let edit = self.history.last().ok_or(SessionError::NothingToUndo)?;
        self.begin(edit.before)?;
        self.history.step_back();
        Ok(())
    }

    /// Restores the board after the edit that was undone last as the start pattern.
    ///
    /// # Errors
    /// [`SessionError`] if there is none, painting is locked or the engine fails.
    pub fn redo(&mut self) -> Result<(), SessionError> {
        self.check_paint()?;
        let edit = self.history.next().ok_or(SessionError::NothingToRedo)?;
        self.begin(edit.after)?;
        self.history.step_forward();
        Ok(())
    }

    fn resume_after(&mut self, stroke: &Stroke<S::Brush>) {
        if stroke.interrupted_play() {
            self.clock.forget_waiting();
            self.playing = true;
        }
    }

    /// Replaces the present board by a new start pattern. This can be undone if the boards differ.
    pub(in crate::game) fn replace(
        &mut self,
        change: impl FnOnce(&BoardOf<S>) -> Result<BoardOf<S>, SessionError>,
    ) -> Result<(), SessionError> {
        self.check_paint()?;
        let before = self.engine.read()?;
        let edit = Edit {
            after: Arc::new(change(&before)?),
            before: Arc::new(before),
        };
        self.begin(Arc::clone(&edit.after))?;
        if edit.before != edit.after {
            self.history.push(edit);
        }
        Ok(())
    }
}
