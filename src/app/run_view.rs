//! A run in the window: its session, and its other settings. [`RunView`] is generic over the
//! families; what a family adds is its [`WindowFamily`].

mod family;

use std::time::Duration;

use egui::{Color32, Painter, Rect};
use glam::{IVec2, UVec2};
use web_time::Instant;

pub(super) use self::family::Run;
pub use self::family::{RunLabels, WindowFamily};
use super::chart::Chart;
use super::command::{RunCommand, Tool};
use super::error::AppError;
use super::platform::{EngineName, Platform};
use super::rates::{Rates, budget};
use super::run_status::{RunStatus, RunSummary, coloured_cells};
use crate::board::{Board, Edges};
use crate::engine::EngineError;
use crate::engine::gpu::DeviceBoard;
use crate::game::opening::GameName;
use crate::game::session::{BoardOf, Brush as _, Factory, Session, Speed};
use crate::render::renderer::Renderer;
use crate::render::{Draw, Picture, PictureSize};
use crate::rules::Ruleset;

/// The speed of a new run.
pub(super) const DEFAULT_SPEED: Speed = Speed::Paced(10);

/// A run of one family.
pub(super) struct RunView<S: WindowFamily> {
    kind: GameName,
    engine: EngineName,
    pub(super) session: Session<S>,
    pub(super) extras: S::Extras,
    speed: Speed,
    tool: Tool,
    cursor: Option<UVec2>,
    chart: Chart,
    revision: u64,
    edit_count: u64,
    stroke: Option<Stroke<S>>,
    rates: Rates,
    /// How long the last tick computed.
    computed: Duration,
}

/// A stroke in progress.
struct Stroke<S: WindowFamily> {
    tool: Tool,
    brush: S::Brush,
    touched: Vec<UVec2>,
    /// The board with the stroke painted, for brushes that skip cells.
    board: Option<BoardOf<S>>,
}

impl<S: WindowFamily> RunView<S> {
    pub(super) fn new(
        kind: GameName,
        settings: S,
        board: BoardOf<S>,
        extras: S::Extras,
        engine: EngineName,
        factory: Factory<S>,
    ) -> Result<Self, AppError> {
        let mut run = Self {
            kind,
            engine,
            session: Session::new(settings, board, factory)?,
            extras,
            speed: DEFAULT_SPEED,
            tool: Tool::View,
            cursor: None,
            chart: Chart::default(),
            revision: 0,
            edit_count: 0,
            stroke: None,
            rates: Rates::default(),
            computed: Duration::ZERO,
        };
        run.set_speed(DEFAULT_SPEED);
        run.record_change();
        Ok(run)
    }

    /// Replaces another run: keeps its extra settings, tool and speed, and continues its revisions and edits.
    pub(super) fn succeed(&mut self, last: &Self) {
        (self.extras, self.tool) = (last.extras, last.tool);
        self.set_speed(last.speed);
        self.revision = last.revision + 1;
        self.edit_count = last.edit_count + 1;
    }

    pub(super) fn status(&self) -> RunStatus<S> {
        RunStatus {
            kind: self.kind,
            generation: self.session.generation(),
            census: self.session.census(),
            verdict: self.session.verdict(),
            is_unchanged: self.session.is_unchanged(),
            is_playing: self.session.is_playing(),
            is_locked: self.session.is_locked(),
            settings: self.session.settings(),
            draft: self.session.draft(),
            extras: self.extras,
            speed: self.speed,
            pause_every: self.session.pause_every(),
            dropped: self.session.clock().dropped(),
            tool: self.tool,
            cursor: self.cursor,
            generations_per_second: self.rates.generations_per_second,
            frames_per_second: self.rates.frames_per_second,
        }
    }

    pub(super) const fn kind(&self) -> GameName {
        self.kind
    }

    pub(super) fn set_speed(&mut self, speed: Speed) {
        self.speed = speed;
        let interval = match speed {
            Speed::Paced(pace) => Duration::from_secs(1) / pace.max(1),
            Speed::Fastest => Duration::ZERO,
        };
        self.session.clock_mut().set_interval(interval);
    }

    /// Records a new start pattern.
    pub(super) fn record_edit(&mut self) {
        self.edit_count += 1;
        self.record_change();
    }

    /// Records that the board or its census may have changed.
    pub(super) fn record_change(&mut self) {
        self.revision += 1;
        let (generation, census) = (self.session.generation(), self.session.census());
        self.chart.add(generation, coloured_cells(census));
    }

    fn begin_stroke(&mut self, tool: Tool) -> Result<(), AppError> {
        let Some(brush) = S::brush(tool) else {
            return Ok(());
        };
        self.session.begin_stroke(brush)?;
        let board = match S::BRUSHES_SKIP_CELLS {
            true => Some(self.session.board()?),
            false => None,
        };
        self.stroke = Some(Stroke {
            tool,
            brush,
            touched: Vec::new(),
            board,
        });
        Ok(())
    }

    fn touch(&mut self, cell: UVec2) {
        self.session.touch(cell);
        let Some(stroke) = &mut self.stroke else {
            return;
        };
        if stroke.touched.last() == Some(&cell) {
            return;
        }
        if let Some(board) = &mut stroke.board {
            let size = Board::size(board);
            if cell.x >= size.width() || cell.y >= size.height() {
                return;
            }
            let before = board.cell(cell);
            stroke.brush.paint(board, cell);
            if board.cell(cell) == before {
                return;
            }
        }
        stroke.touched.push(cell);
    }

    fn move_cursor(&mut self, by: IVec2) {
        let settings = self.session.settings();
        let size = UVec2::new(settings.size().width(), settings.size().height());
        self.cursor = Some(match self.cursor {
            None => size / 2,
            Some(cell) => {
                let moved = cell.min(size - 1).as_i64vec2() + by.as_i64vec2();
                let size = size.as_i64vec2();
                match settings.ruleset().edges() {
                    Edges::Torus => moved.rem_euclid(size),
                    Edges::Dead => moved.clamp(glam::I64Vec2::ZERO, size - 1),
                }
                .as_uvec2()
            }
        });
    }

    fn paint_at_cursor(&mut self, erase: bool) -> Result<(), AppError> {
        let Some(cell) = self.cursor else {
            self.move_cursor(IVec2::ZERO);
            return Ok(());
        };
        let tool = if erase { Tool::Eraser } else { self.tool };
        let brush = S::brush(tool).ok_or_else(|| {
            format!(
                "choose {} first; View does not paint",
                S::LABELS.paint_tools
            )
        })?;
        self.session.begin_stroke(brush)?;
        self.session.touch(cell);
        if self.session.end_stroke()? {
            self.edit_count += 1;
        }
        Ok(())
    }
}

impl<S: WindowFamily> Run for RunView<S> {
    fn summary(&self) -> RunSummary {
        self.status().summary()
    }

    fn chart(&self) -> &Chart {
        &self.chart
    }

    fn engine(&self) -> EngineName {
        self.engine
    }

    fn revision(&self) -> u64 {
        self.revision
    }

    fn edit_count(&self) -> u64 {
        self.edit_count
    }

    fn tick(&mut self, now: Duration, frame: Duration) -> Result<Option<Duration>, AppError> {
        let since = Instant::now();
        let budget = budget(frame, self.computed);
        let advanced = match self.speed {
            Speed::Paced(_) => self.session.frame(frame, budget),
            Speed::Fastest => self.session.advance_for(budget),
        };
        self.computed = since.elapsed();
        let generations = match advanced {
            Ok(generations) => generations,
            Err(error) => {
                self.revision += 1;
                return Err(error.into());
            }
        };
        tracing::debug!(?frame, computed = ?self.computed, generations, "tick");
        self.rates.count(now, generations);
        if generations > 0 {
            self.record_change();
        }
        if !self.session.is_playing() {
            return Ok(None);
        }
        Ok(Some(
            match self.speed {
                Speed::Paced(_) if self.session.is_behind() => Duration::ZERO,
                // Often enough to be on time, and no oftener.
                Speed::Paced(pace) => Duration::from_secs(1) / pace.max(1) / 4,
                Speed::Fastest => Duration::ZERO,
            }
            .min(Duration::from_millis(250)),
        ))
    }

    fn apply(&mut self, command: RunCommand, platform: &dyn Platform) -> Result<(), AppError> {
        let session = &mut self.session;
        match command {
            RunCommand::TogglePlay if session.is_playing() => session.pause(),
            RunCommand::TogglePlay => session.play()?,
            RunCommand::Step => session.step()?,
            RunCommand::Restart => session.restart()?,
            RunCommand::SetSpeed(speed) => self.set_speed(speed),
            RunCommand::PauseEvery(every) => session.set_pause_every(every),
            RunCommand::Apply => {
                let size = session.draft().size();
                platform.check_memory(size, BoardOf::<S>::bytes(size))?;
                session.apply()?;
                self.edit_count += 1;
            }
            RunCommand::Discard => session.discard()?,
            RunCommand::Clear => {
                session.clear()?;
                self.edit_count += 1;
            }
            RunCommand::SetTool(tool) => {
                session.cancel_stroke();
                self.stroke = None;
                self.tool = tool;
            }
            RunCommand::BeginStroke(tool) => self.begin_stroke(tool)?,
            RunCommand::Touch(cell) => self.touch(cell),
            RunCommand::EndStroke => {
                self.stroke = None;
                if self.session.end_stroke()? {
                    self.edit_count += 1;
                }
            }
            RunCommand::CancelStroke => {
                session.cancel_stroke();
                self.stroke = None;
            }
            RunCommand::Undo => {
                session.undo()?;
                self.edit_count += 1;
            }
            RunCommand::Redo => {
                session.redo()?;
                self.edit_count += 1;
            }
            RunCommand::MoveCursor(by) => self.move_cursor(by),
            RunCommand::PaintAtCursor { erase } => self.paint_at_cursor(erase)?,
        }
        self.record_change();
        Ok(())
    }

    fn play(&mut self) -> Result<(), AppError> {
        Ok(self.session.play()?)
    }

    fn pause(&mut self) {
        self.session.pause();
    }

    fn set_stride(&mut self, stride: Option<std::num::NonZeroU64>) {
        self.session.set_stride(stride);
    }

    fn picture(&mut self, size: PictureSize) -> Result<Picture, AppError> {
        let picture = self.session.board()?.draw(size);
        picture.map_err(|error| AppError::Message(error.to_string()))
    }

    fn device_board(&self) -> Option<DeviceBoard> {
        self.session.engine().device_board()
    }

    fn upload(&mut self, renderer: &mut Renderer) -> Result<DeviceBoard, EngineError> {
        renderer.upload(&self.session.board()?)
    }

    fn stroke(&self) -> &[UVec2] {
        match &self.stroke {
            Some(stroke) => &stroke.touched,
            None => &[],
        }
    }

    fn preview(&self, painter: &Painter, cell: Rect) {
        if let Some(stroke) = &self.stroke {
            S::preview(painter, cell, stroke.tool);
        }
    }

    fn banner(&self) -> Option<(String, Color32)> {
        let verdict = self.session.verdict()?;
        Some(S::banner(verdict, self.session.generation()))
    }
}
