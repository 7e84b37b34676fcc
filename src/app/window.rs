//! The window: each frame lets time pass, asks what is wanted, does it, and shows what is.

use std::sync::Arc;
use std::time::Duration;

use eframe::egui_wgpu::{Callback, CallbackResources, CallbackTrait};
use egui::{Context, Theme, Ui, ViewportCommand};
use web_time::Instant;

use super::canvas::{self, Canvas, CanvasLayout};
use super::command::{Command, FilePurpose};
use super::controller::{Controller, Game, Opening};
use super::frame_pacing::FramePacing;
use super::{keys, panels, theme};
use crate::engine::EngineError;
use crate::engine::gpu::{DeviceBoard, Gpu};
use crate::game::opening::GameName;
use crate::render::camera::View;
use crate::render::renderer::blit::{self, Blit};
use crate::render::renderer::{Renderer, Style};
use crate::render::{Palette, Picture};

/// The longest time that passes between two frames; a machine that slept did not play.
const LONGEST_FRAME: Duration = Duration::from_secs(1);

/// What is left of a window whose device failed.
pub(super) struct DeviceLoss {
    pub(super) reason: String,
    /// What is left of the game.
    pub(super) opening: Opening,
}

/// What the window leaves behind when it closes.
pub(super) type ExitState = std::rc::Rc<std::cell::RefCell<Option<DeviceLoss>>>;

/// The window's content.
pub struct DuolifeApp {
    controller: Controller,
    canvas: Canvas,
    screen: Option<Screen>,
    since: Instant,
    frames: FramePacing,
    was_light: Option<bool>,
    exit_state: ExitState,
    layout: Option<CanvasLayout>,
}

/// The board's picture on the device.
struct Screen {
    gpu: Arc<Gpu>,
    renderer: Renderer,
    blit: Blit,
    /// Whether the window takes linear colours, not those of sRGB.
    is_linear: bool,
    /// What the board was uploaded for.
    uploaded: Option<(u64, DeviceBoard)>,
    shown: Option<ShownPicture>,
}

/// What the present picture shows.
struct ShownPicture {
    key: PictureKey,
    texture: wgpu::Texture,
    picture: BoardPicture,
}

/// The board's picture as a shape of the interface.
#[derive(Clone)]
struct BoardPicture(blit::BlitSource);

impl CallbackTrait for BoardPicture {
    fn paint(
        &self,
        _info: egui::PaintCallbackInfo,
        pass: &mut wgpu::RenderPass<'static>,
        _resources: &CallbackResources,
    ) {
        self.0.draw(pass);
    }
}

#[derive(Clone, Copy, PartialEq)]
struct PictureKey {
    game: std::mem::Discriminant<Game>,
    revision: u64,
    view: View,
    style: Style,
}

impl DuolifeApp {
    /// A window without a device: panels and all they do, but no picture of the board.
    pub fn without_device(controller: Controller) -> Self {
        Self {
            controller,
            canvas: Canvas::default(),
            screen: None,
            since: Instant::now(),
            frames: FramePacing::default(),
            was_light: None,
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
        let renderer = Renderer::new(&gpu)?;
        Ok(Self {
            screen: Some(Screen {
                blit: Blit::new(&gpu, target)?,
                is_linear: target.is_srgb(),
                gpu,
                renderer,
                uploaded: None,
                shown: None,
            }),
            exit_state,
            ..Self::without_device(controller)
        })
    }

    /// What the window knows.
    pub const fn controller(&mut self) -> &mut Controller {
        &mut self.controller
    }

    /// Where a cell was shown last, in points.
    pub fn cell_rect(&self, x: u32, y: u32) -> Option<egui::Rect> {
        self.layout.map(|layout| layout.cell(x, y))
    }

    /// Lets the time since the last call pass, also while the window is hidden.
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
        if let Some(screen) = &self.screen
            && let Some(failure) = screen.gpu.failure()
        {
            self.controller.device_failure.get_or_insert(failure);
        }
        if self.controller.device_failure.is_some() {
            self.leave(ctx);
        }
    }

    /// Shows everything.
    pub fn show(&mut self, ui: &mut Ui) {
        let ctx = ui.ctx().clone();
        if self.was_light.is_none() {
            theme::apply_theme(&ctx);
        }
        let light = self.controller.display.light;
        if self.was_light != Some(light) {
            self.was_light = Some(light);
            ctx.set_theme(if light { Theme::Light } else { Theme::Dark });
        }
        // Keys come first: the tool a key has chosen is that of a button pressed after it.
        let mut had_keys = false;
        for command in keys::actions(&ctx, &mut self.controller, canvas::id()) {
            had_keys = true;
            if command == Command::CancelStroke {
                self.canvas.forget_stroke();
            }
            self.apply(command);
        }
        let mut commands = Vec::new();
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
            // What is shown now is from before.
            ctx.request_repaint();
        }
        for command in commands {
            self.apply(command);
        }
        self.layout = Some(layout);
        self.draw(ui, &layout);
        canvas::overlay(ui, &layout, &mut self.controller);
        if let Some(text) = self.controller.copied.take() {
            ctx.copy_text(text);
        }
        if self.controller.wants_to_quit {
            ctx.send_viewport_cmd(ViewportCommand::Close);
        }
        if self.controller.device_failure.is_some() {
            self.leave(&ctx);
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
                    Err(why) => self.controller.notify_error(why),
                }
            }
            (command, _) => self.controller.apply(command),
        }
    }

    /// Draws the board if it or the view has changed, and shows its picture.
    fn draw(&mut self, ui: &Ui, layout: &CanvasLayout) {
        let Some(screen) = &mut self.screen else {
            return;
        };
        if let Err(error) = screen.draw(&mut self.controller, &layout.view, &self.frames) {
            self.controller.report(error.into());
        }
        if screen.renderer.is_unfinished() {
            ui.ctx().request_repaint();
        }
        if let Some(shown) = &screen.shown {
            let picture = shown.picture.clone();
            let callback = Callback::new_paint_callback(layout.picture(), picture);
            ui.painter().add(callback);
        }
    }

    /// Closes the window whose device has failed, and keeps what can be kept.
    fn leave(&mut self, ctx: &Context) {
        let reason = self.controller.device_failure.clone().unwrap_or_default();
        let opening = self.controller.recovery();
        self.exit_state
            .borrow_mut()
            .get_or_insert(DeviceLoss { reason, opening });
        ctx.send_viewport_cmd(ViewportCommand::Close);
    }
}

impl Screen {
    /// A prompt frame draws no picture that would be the next of many: the next frame does.
    fn draw(
        &mut self,
        controller: &mut Controller,
        view: &View,
        frames: &FramePacing,
    ) -> Result<(), EngineError> {
        let (_, edges) = controller.shape();
        let key = PictureKey {
            game: std::mem::discriminant(&controller.game),
            revision: controller.revision(),
            view: *view,
            style: Style {
                palette: match controller.kind() {
                    GameName::Rezolution => Palette::REZOLUTION,
                    _ => Palette::DEFAULT,
                },
                edges,
                lines: controller.display.lines.then_some(theme::LINE),
                any_live: controller.display.any_live,
            },
        };
        let is_unfinished = self.renderer.is_unfinished();
        if self.shown.as_ref().is_some_and(|shown| shown.key == key) && !is_unfinished {
            return Ok(());
        }
        let is_next_board = self.shown.as_ref().is_some_and(|shown| {
            let last = &shown.key;
            (last.game, last.view, last.style) == (key.game, key.view, key.style)
        });
        if frames.is_input_frame() && is_next_board {
            return Ok(());
        }
        if controller.display.limit_flashes
            && let Some(run) = controller.run_summary()
        {
            let share = run.cells.alive() as f64 / run.size.cells() as f64;
            // A person who steps or moves the view has asked for the picture.
            if !controller.flashes.allows(frames.now(), share) && is_next_board && run.is_playing {
                return Ok(());
            }
        }
        let planes = self.planes(controller, key)?;
        let drawn = match is_next_board {
            true => self.renderer.draw_next(&planes, view, &key.style)?,
            false => self.renderer.draw(&planes, view, &key.style)?,
        };
        let Some(texture) = drawn else {
            self.shown = None;
            return Ok(());
        };
        // A picture that goes on is still that of the board with which it was begun.
        let key = match &self.shown {
            Some(shown) if is_unfinished && is_next_board => shown.key,
            _ => key,
        };
        let picture = match self.shown.take() {
            Some(shown) if shown.texture == texture => shown.picture,
            _ => BoardPicture(self.blit.shown(&texture)),
        };
        self.shown = Some(ShownPicture {
            key,
            texture,
            picture,
        });
        Ok(())
    }

    /// The board's planes: the engine's own if they are on the device, else a copy of its board.
    fn planes(
        &mut self,
        controller: &mut Controller,
        key: PictureKey,
    ) -> Result<DeviceBoard, EngineError> {
        let own = match &mut controller.game {
            Game::Battle(battle) => battle.session().engine().device_board(),
            Game::Rezolution(table) => table.session().engine().device_board(),
            Game::Fragment(_) | Game::Immigration(_) => None,
        };
        if let Some(planes) = own {
            self.uploaded = None;
            return Ok(planes);
        }
        let is_same = self
            .shown
            .as_ref()
            .is_some_and(|shown| shown.key.game == key.game);
        if let Some((revision, planes)) = &self.uploaded
            && is_same
            && *revision == key.revision
        {
            return Ok(planes.clone());
        }
        let planes = match &mut controller.game {
            Game::Battle(battle) => self.renderer.upload(&battle.session().board()?)?,
            Game::Rezolution(table) => {
                let board = table.session().board()?;
                self.renderer.upload_rezolution(&board)?
            }
            Game::Fragment(table) => self.renderer.upload(table.game().field())?,
            Game::Immigration(table) => self.renderer.upload(table.game().board())?,
        };
        self.uploaded = Some((key.revision, planes.clone()));
        Ok(planes)
    }

    fn picture(&self) -> Result<Picture, String> {
        let pixels = self.renderer.pixels().map_err(|error| error.to_string())?;
        let Some(shown) = &self.shown else {
            return Err("nothing is shown".into());
        };
        let view = shown.key.view;
        Ok(Picture::of_pixels(
            view.width,
            view.height,
            shown.key.style.palette,
            pixels.concat(),
        ))
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
        match &self.screen {
            Some(screen) if screen.is_linear => egui::Rgba::from(background).to_array(),
            _ => background.to_normalized_gamma_f32(),
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
