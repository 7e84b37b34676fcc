//! What a family adds to a run in the window, and what the window needs of a run of any family.

use std::time::Duration;

use egui::{Color32, Painter, Rect};
use glam::UVec2;

use crate::app::chart::Chart;
use crate::app::command::{RunCommand, Tool};
use crate::app::error::AppError;
use crate::app::platform::{EngineName, Platform};
use crate::app::run_status::RunSummary;
use crate::engine::EngineError;
use crate::engine::gpu::DeviceBoard;
use crate::game::session::GameSettings;
use crate::render::renderer::Renderer;
use crate::render::renderer::view::RenderFamily;
use crate::render::{Draw, Palette, Picture, PictureSize};
use crate::rules::Ruleset;

/// What the window needs of a family beyond its [`GameSettings`].
pub trait WindowFamily: GameSettings<Ruleset: Ruleset<Board: Draw + RenderFamily>> {
    /// Settings that take effect without being applied.
    type Extras: Copy + std::fmt::Debug;

    /// Texts of the playback bar.
    const LABELS: RunLabels;

    /// The colours of its boards.
    const PALETTE: Palette;

    /// Whether its brushes leave some cells unchanged.
    const BRUSHES_SKIP_CELLS: bool;

    /// The brush of a tool; `None` if the tool does not paint in this game.
    fn brush(tool: Tool) -> Option<Self::Brush>;

    /// Draws a cell as the stroke in progress will leave it.
    fn preview(painter: &Painter, cell: Rect, tool: Tool);

    /// The banner above a finished run: its text and colour.
    fn banner(verdict: Self::Verdict, generation: u64) -> (String, Color32);
}

/// Texts of the playback bar.
#[derive(Debug)]
pub struct RunLabels {
    /// The button that plays.
    pub play: &'static str,
    /// The button that pauses.
    pub pause: &'static str,
    /// The tooltip of both.
    pub play_hint: &'static str,
    /// Why a finished run cannot play.
    pub over_hint: &'static str,
    /// The tools that paint, for an error message.
    pub paint_tools: &'static str,
    /// The tools: name, tool and tooltip.
    pub tools: &'static [(&'static str, Tool, &'static str)],
}

/// A run of any family.
pub(in crate::app) trait Run {
    fn summary(&self) -> RunSummary;

    fn chart(&self) -> &Chart;

    /// The engine that computes it.
    fn engine(&self) -> EngineName;

    /// A number that changes with every board that is shown.
    fn revision(&self) -> u64;

    /// A number that changes with every start pattern and setting.
    fn edit_count(&self) -> u64;

    /// Lets time pass: `now` is counted from any fixed zero, `frame` since the last call. Returns how long to
    /// wait for the next call; `None` if the run is paused.
    fn tick(&mut self, now: Duration, frame: Duration) -> Result<Option<Duration>, AppError>;

    /// Carries a command out.
    fn apply(&mut self, command: RunCommand, platform: &dyn Platform) -> Result<(), AppError>;

    fn play(&mut self) -> Result<(), AppError>;

    fn pause(&mut self);

    /// Ends each tick at the next multiple of this number of generations.
    fn set_stride(&mut self, stride: Option<std::num::NonZeroU64>);

    /// A picture of the whole board.
    fn picture(&mut self, size: PictureSize) -> Result<Picture, AppError>;

    /// The board on the device, if the engine keeps it there.
    fn device_board(&self) -> Option<DeviceBoard>;

    /// A copy of the board on the device.
    fn upload(&mut self, renderer: &mut Renderer) -> Result<DeviceBoard, EngineError>;

    /// The cells of the stroke in progress that it will change.
    fn stroke(&self) -> &[UVec2];

    /// Draws a cell of the stroke in progress as the stroke will leave it.
    fn preview(&self, painter: &Painter, cell: Rect);

    /// The banner above a finished run: its text and colour.
    fn banner(&self) -> Option<(String, Color32)>;
}
