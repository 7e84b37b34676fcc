//! The window: each frame lets time pass, collects commands, carries them out, and shows the result.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use egui::{Context, Theme, Ui, ViewportCommand};
use glam::UVec2;
use web_time::Instant;

use super::canvas::{self, Canvas, CanvasLayout};
use super::command::{Command, CommandQueue, FilePurpose, RunCommand};
use super::controller::{Controller, Opening};
use super::frame_pacing::FramePacing;
use super::screen::Screen;
use super::{keys, panels, theme};
use crate::engine::EngineError;
use crate::engine::gpu::Gpu;

/// The longest time that passes in the game from frame to frame; after a longer suspension the game goes on
/// where it was.
const LONGEST_FRAME: Duration = Duration::from_secs(1);

/// The window.
pub struct DuolifeApp {
    controller: Controller,
    canvas: Canvas,
    screen: Option<Screen>,
    since: Instant,
    frames: FramePacing,
    /// The theme in use, once it has been applied.
    is_light: Option<bool>,
    exit_state: ExitState,
    layout: Option<CanvasLayout>,
}

/// The state that a window leaves when its device has failed.
pub(super) type ExitState = Rc<RefCell<Option<DeviceLoss>>>;

/// A failure of the device, and how to resume.
pub(super) struct DeviceLoss {
    pub(super) reason: String,
    /// Resumes the game in another window.
    pub(super) opening: Opening,
}

impl DuolifeApp {
    /// A window without a device: it has all panels, but no picture of the board.
    pub fn without_device(controller: Controller) -> Self {
        Self {
            controller,
            canvas: Canvas::default(),
            screen: None,
            since: Instant::now(),
            frames: FramePacing::default(),
            is_light: None,
            exit_state: ExitState::default(),
            layout: None,
        }
    }

    /// A window on a device.
    ///
    /// # Errors
    /// [`EngineError`] if the device has failed.
    pub(super) fn new(
        controller: Controller,
        gpu: Arc<Gpu>,
        target: wgpu::TextureFormat,
        exit_state: ExitState,
    ) -> Result<Self, EngineError> {
        Ok(Self {
            screen: Some(Screen::new(gpu, target)?),
            exit_state,
            ..Self::without_device(controller)
        })
    }

    /// The state of the window.
    pub const fn controller(&mut self) -> &mut Controller {
        &mut self.controller
    }

    /// The rectangle in which a cell was shown last, in points.
    pub fn cell_rect(&self, cell: UVec2) -> Option<egui::Rect> {
        self.layout.map(|layout| layout.cell(cell))
    }

    /// Lets the time since the last call pass, even while the window is hidden.
    pub fn pass_time(&mut self, ctx: &Context) {
        let now = self.since.elapsed();
        let had_input = ctx.input(|input| !input.events.is_empty());
        match self.frames.begin(now, had_input) {
            Some(time) => {
                if let Some(wait) = self.controller.tick(now, time.min(LONGEST_FRAME)) {
                    ctx.request_repaint_after(wait);
                }
                self.frames.has_computed(self.since.elapsed());
            }
            None => ctx.request_repaint(),
        }
        if let Some(failure) = self.screen.as_ref().and_then(Screen::failure) {
            self.controller.device_failure.get_or_insert(failure);
        }
        if self.controller.device_failure.is_some() {
            self.close_after_failure(ctx);
        }
    }

    /// Handles the input of a frame and shows everything.
    pub fn show(&mut self, ui: &mut Ui) {
        let ctx = ui.ctx().clone();
        self.update_theme(&ctx);
        // Keys come first: a tool selected by a key applies to a button pressed after it.
        let keys = keys::commands(&ctx, &self.controller, canvas::id());
        let had_keys = !keys.is_empty();
        for command in keys {
            if command == Command::Run(RunCommand::CancelStroke) {
                self.canvas.forget_stroke();
            }
            self.apply(command);
        }
        let mut commands = CommandQueue::default();
        for dropped in ctx.input(|input| input.raw.dropped_files.clone()) {
            commands.push(Command::Open(dropped.path().to_string_lossy().into_owned()));
        }
        let zoom = self
            .controller
            .display
            .camera
            .map_or(String::new(), |camera| camera.zoom().to_string());
        panels::show(ui, &mut self.controller, &zoom, &mut commands);
        let layout = self.canvas.layout(ui, &mut self.controller, &mut commands);
        if had_keys || !commands.is_empty() {
            // This frame still shows the state before the commands.
            ctx.request_repaint();
        }
        for command in commands {
            self.apply(command);
        }
        self.layout = Some(layout);
        self.draw(ui, &layout);
        canvas::overlay(ui, &layout, &self.controller);
        if let Some(text) = self.controller.copied.take() {
            ctx.copy_text(text);
        }
        if self.controller.wants_to_quit {
            ctx.send_viewport_cmd(ViewportCommand::Close);
        }
        if self.controller.device_failure.is_some() {
            self.close_after_failure(&ctx);
        }
    }

    fn update_theme(&mut self, ctx: &Context) {
        if self.is_light.is_none() {
            theme::apply_theme(ctx);
        }
        let light = self.controller.display.light;
        if self.is_light != Some(light) {
            self.is_light = Some(light);
            ctx.set_theme(if light { Theme::Light } else { Theme::Dark });
        }
    }

    fn apply(&mut self, command: Command) {
        match (command, &self.screen) {
            (Command::Write(FilePurpose::PictureOfView, name), Some(screen)) => {
                let written = screen
                    .picture()
                    .and_then(|picture| self.controller.platform.write_picture(&name, &picture));
                match written {
                    Ok(()) => {
                        self.controller.apply(Command::Dismiss);
                        self.controller.notify(format!("Saved {name}"));
                    }
                    Err(reason) => self.controller.notify_error(reason),
                }
            }
            (command, _) => self.controller.apply(command),
        }
    }

    /// Shows the picture of the board.
    fn draw(&mut self, ui: &Ui, layout: &CanvasLayout) {
        let Some(screen) = &mut self.screen else {
            return;
        };
        if let Err(error) = screen.draw(&mut self.controller, &layout.view, &self.frames) {
            self.controller.report(error.into());
        }
        if screen.is_unfinished() {
            ui.ctx().request_repaint();
        }
        if let Some(callback) = screen.callback(layout.picture()) {
            ui.painter().add(callback);
        }
    }

    /// Closes the window after its device has failed, and keeps what can be kept.
    fn close_after_failure(&mut self, ctx: &Context) {
        let reason = self.controller.device_failure.clone().unwrap_or_default();
        let opening = self.controller.recovery();
        self.exit_state
            .borrow_mut()
            .get_or_insert(DeviceLoss { reason, opening });
        ctx.send_viewport_cmd(ViewportCommand::Close);
    }
}

impl eframe::App for DuolifeApp {
    fn logic(&mut self, ctx: &Context, _frame: &mut eframe::Frame) {
        self.pass_time(ctx);
    }

    fn ui(&mut self, ui: &mut Ui, _frame: &mut eframe::Frame) {
        self.show(ui);
    }

    fn clear_color(&self, visuals: &egui::Visuals) -> [f32; 4] {
        let background = theme::background(visuals);
        if self.screen.as_ref().is_some_and(Screen::is_linear) {
            egui::Rgba::from(background).to_array()
        } else {
            background.to_normalized_gamma_f32()
        }
    }

    fn on_exit(&mut self) {
        if self.controller.device_failure.is_none() {
            self.controller.close();
        }
    }

    fn persist_egui_memory(&self) -> bool {
        false
    }
}
