//! reZolution in the window.

use egui::{Color32, Painter, Rect, Stroke, StrokeKind};

use super::command::{RezolutionCommand, Tool};
use super::error::AppError;
use super::platform::{EngineFactory, EngineName, Platform};
use super::run_view::{RunLabels, RunView, WindowFamily};
use super::theme;
use crate::board::RezolutionBoard;
use crate::game::opening::GameName;
use crate::game::rezolution::{Brush, Reached, Settings};
use crate::game::session::SessionError;
use crate::render::{Palette, rezolution as picture};

/// reZolution in progress. Its extra setting is the seed of the last demo.
pub(super) type RezolutionView = RunView<Settings>;

/// Starts a run of reZolution, paused at generation 0.
pub(super) fn rezolution(
    settings: Settings,
    board: RezolutionBoard,
    seed: u64,
    choice: EngineName,
    engine_factory: &EngineFactory,
) -> Result<RezolutionView, AppError> {
    let engine_factory = engine_factory.clone();
    let factory = Box::new(move |ruleset| (engine_factory.rezolution)(choice, ruleset));
    RunView::new(GameName::Rezolution, settings, board, seed, choice, factory)
}

impl WindowFamily for Settings {
    type Extras = u64;

    const LABELS: RunLabels = RunLabels {
        play: "Start",
        pause: "Stop",
        play_hint: "Start or stop (P)",
        over_hint: "A target has been reached: restart or change the board",
        paint_tools: "red, blue, the eraser, barriers or targets (keys 1 to 5)",
        tools: &[
            ("View", Tool::View, "Drag to move, wheel to zoom (V)"),
            (
                "Red",
                Tool::Red,
                "Put a red population of one on empty cells (1)",
            ),
            (
                "Blue",
                Tool::Blue,
                "Put a blue population of one on empty cells (2)",
            ),
            ("Eraser", Tool::Eraser, "Clear cells of anything (3)"),
            (
                "Barrier",
                Tool::Barrier,
                "Make empty cells barriers, which are never populated (4)",
            ),
            (
                "Target",
                Tool::Target,
                "Make empty cells targets: a population there ends the run (5)",
            ),
        ],
    };

    const PALETTE: Palette = Palette::REZOLUTION;

    const BRUSHES_SKIP_CELLS: bool = true;

    fn brush(tool: Tool) -> Option<Brush> {
        match tool {
            Tool::View => None,
            Tool::Red => Some(Brush::Red),
            Tool::Blue => Some(Brush::Blue),
            Tool::Eraser => Some(Brush::Erase),
            Tool::Barrier => Some(Brush::Barrier),
            Tool::Target => Some(Brush::Target),
        }
    }

    fn preview(painter: &Painter, cell: Rect, tool: Tool) {
        let Palette { dead, marks, .. } = Self::PALETTE;
        let fill = match tool {
            Tool::Red => picture::shade(1),
            Tool::Blue => picture::shade(-1),
            Tool::Barrier => marks.map_or(dead, |marks| marks.barrier),
            Tool::View | Tool::Eraser | Tool::Target => dead,
        };
        painter.rect_filled(cell, 0.0, theme::colour(fill));
        if let (Tool::Target, Some(marks)) = (tool, marks) {
            let outline = Stroke::new((cell.width() / 8.0).max(1.0), theme::colour(marks.target));
            painter.rect_stroke(cell, 0.0, outline, StrokeKind::Inside);
        }
    }

    fn banner(_verdict: Reached, generation: u64) -> (String, Color32) {
        let text = match generation {
            0 => "A target is populated".into(),
            generation => format!(
                "Target reached in generation {}",
                theme::grouped(generation)
            ),
        };
        (text, theme::YELLOW)
    }
}

impl RezolutionView {
    /// Carries out a command that only reZolution has.
    pub(super) fn apply_rezolution(
        &mut self,
        command: RezolutionCommand,
        platform: &dyn Platform,
    ) -> Result<(), AppError> {
        match command {
            RezolutionCommand::SetDraft(draft) => self.session.set_draft(draft)?,
            RezolutionCommand::Demo(seed) => {
                if self.session.is_locked() {
                    return Err(SessionError::Unapplied.into());
                }
                let seed = seed.unwrap_or_else(|| platform.random_seed());
                self.session.demo(seed)?;
                self.extras = seed;
                self.record_edit();
            }
        }
        self.record_change();
        Ok(())
    }
}
