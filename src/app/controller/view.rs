//! How the board is displayed.

use glam::{DVec2, UVec2};

use super::Controller;
use crate::app::command::ViewCommand;
use crate::render::camera::{Camera, Zoom};

/// The most steps that one event of the wheel zooms.
const MAX_WHEEL_STEPS: i32 = 8;

/// How boards are displayed.
#[derive(Clone, Copy, Debug)]
pub(in crate::app) struct Display {
    /// `None` until the size of the canvas is known, and when the board is to be fitted again.
    pub(in crate::app) camera: Option<Camera>,
    /// Columns and rows of pixels of the canvas.
    pub(in crate::app) canvas: UVec2,
    pub(in crate::app) lines: bool,
    pub(in crate::app) any_live: bool,
    pub(in crate::app) limit_flashes: bool,
    pub(in crate::app) chart: bool,
    pub(in crate::app) light: bool,
}

impl Default for Display {
    fn default() -> Self {
        Self {
            camera: None,
            canvas: UVec2::ZERO,
            lines: true,
            any_live: false,
            limit_flashes: true,
            chart: true,
            light: false,
        }
    }
}

impl Controller {
    pub(super) fn change_view(&mut self, command: ViewCommand) {
        let middle = self.display.canvas.as_dvec2() / 2.0;
        match command {
            ViewCommand::Fit => self.display.camera = None,
            ViewCommand::ZoomIn => self.zoom_about(1, middle),
            ViewCommand::ZoomOut => self.zoom_about(-1, middle),
            ViewCommand::ZoomAbout(steps, spot) => {
                self.zoom_about(steps.clamp(-MAX_WHEEL_STEPS, MAX_WHEEL_STEPS), spot);
            }
            ViewCommand::Pan(by) => {
                let (size, edges) = self.game.shape();
                if let Some(camera) = &mut self.display.camera {
                    camera.pan(by, size, edges);
                }
            }
            ViewCommand::Lines(lines) => self.display.lines = lines,
            ViewCommand::AnyLive(any_live) => self.display.any_live = any_live,
            ViewCommand::LimitFlashes(limit) => self.display.limit_flashes = limit,
            ViewCommand::Chart(chart) => self.display.chart = chart,
            ViewCommand::Light(light) => self.display.light = light,
        }
    }

    fn zoom_about(&mut self, steps: i32, spot: DVec2) {
        let (size, edges) = self.game.shape();
        let canvas = self.display.canvas;
        if let Some(camera) = &mut self.display.camera {
            let zoom = stepped(camera.zoom(), steps);
            camera.zoom_about(zoom, spot, canvas, size, edges);
        }
    }
}

/// The zoom after this many steps of the wheel, positive ones in.
fn stepped(zoom: Zoom, steps: i32) -> Zoom {
    (0..steps.abs()).fold(zoom, |zoom, _| {
        if steps > 0 {
            zoom.closer()
        } else {
            zoom.farther()
        }
    })
}
