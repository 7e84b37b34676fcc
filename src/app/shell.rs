//! The window: each frame lets time pass, asks what is wanted, does it, and shows what is.

use std::sync::Arc;
use std::time::Duration;

use eframe::egui_wgpu::{Callback, CallbackResources, CallbackTrait};
use egui::{Context, Theme, Ui, ViewportCommand};
use web_time::Instant;

use super::actions::{Action, Kind, Purpose};
use super::canvas::{self, Canvas, Place};
use super::controller::{Game, Opening, State};
use super::prompt::Frames;
use super::{keys, look, panels};
use crate::engine::EngineError;
use crate::engine::gpu::{DeviceBoard, Gpu};
use crate::render::camera::View;
use crate::render::painter::blit::{self, Blit};
use crate::render::painter::{Painter, Style};
use crate::render::{Palette, Picture};

/// The longest time that passes between two frames; a machine that slept did not play.
const MOST_FRAME: Duration = Duration::from_secs(1);

/// What is left of a window whose device failed.
pub(super) struct Lost {
    pub(super) reason: String,
    /// What is left of the game.
    pub(super) opening: Opening,
}

/// What the window leaves behind when it closes.
pub(super) type Legacy = std::rc::Rc<std::cell::RefCell<Option<Lost>>>;

/// The window's content.
pub struct Shell {
    state: State,
    canvas: Canvas,
    screen: Option<Screen>,
    since: Instant,
    frames: Frames,
    was_light: Option<bool>,
    legacy: Legacy,
    place: Option<Place>,
}

/// The board's picture on the device.
struct Screen {
    gpu: Arc<Gpu>,
    painter: Painter,
    blit: Blit,
    /// Whether the window takes linear colours, not those of sRGB.
    is_linear: bool,
    /// What the board was uploaded for.
    uploaded: Option<(u64, DeviceBoard)>,
    shown: Option<Shown>,
}

/// What the present picture shows.
struct Shown {
    key: Key,
    texture: wgpu::Texture,
    picture: BoardPicture,
}

/// The board's picture as a shape of the interface.
#[derive(Clone)]
struct BoardPicture(blit::Shown);

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
struct Key {
    game: std::mem::Discriminant<Game>,
    revision: u64,
    view: View,
    style: Style,
}

impl Shell {
    /// A window without a device: panels and all they do, but no picture of the board.
    pub fn without_device(state: State) -> Self {
        Self {
            state,
            canvas: Canvas::default(),
            screen: None,
            since: Instant::now(),
            frames: Frames::default(),
            was_light: None,
            legacy: Legacy::default(),
            place: None,
        }
    }

    /// A window on a device.
    ///
    /// # Errors
    /// [`EngineError`] if the device has failed.
    pub(super) fn new(
        state: State,
        gpu: Arc<Gpu>,
        target: wgpu::TextureFormat,
        legacy: Legacy,
    ) -> Result<Self, EngineError> {
        let painter = Painter::new(&gpu)?;
        Ok(Self {
            screen: Some(Screen {
                blit: Blit::new(&gpu, target)?,
                is_linear: target.is_srgb(),
                gpu,
                painter,
                uploaded: None,
                shown: None,
            }),
            legacy,
            ..Self::without_device(state)
        })
    }

    /// What the window knows.
    pub const fn state(&mut self) -> &mut State {
        &mut self.state
    }

    /// Where a cell was shown last, in points.
    pub fn cell_rect(&self, x: u32, y: u32) -> Option<egui::Rect> {
        self.place.map(|place| place.cell(x, y))
    }

    /// Lets the time since the last call pass, also while the window is hidden.
    pub fn pass_time(&mut self, ctx: &Context) {
        let now = self.since.elapsed();
        let was_asked = ctx.input(|input| !input.events.is_empty());
        match self.frames.begin(now, was_asked) {
            Some(time) => {
                if let Some(wait) = self.state.tick(now, time.min(MOST_FRAME)) {
                    ctx.request_repaint_after(wait);
                }
                self.frames.has_computed(self.since.elapsed());
            }
            None => ctx.request_repaint(),
        }
        if let Some(screen) = &self.screen
            && let Some(failure) = screen.gpu.failure()
        {
            self.state.lost.get_or_insert(failure);
        }
        if self.state.lost.is_some() {
            self.leave(ctx);
        }
    }

    /// Shows everything.
    pub fn show(&mut self, ui: &mut Ui) {
        let ctx = ui.ctx().clone();
        if self.was_light.is_none() {
            look::dress(&ctx);
        }
        let light = self.state.display.light;
        if self.was_light != Some(light) {
            self.was_light = Some(light);
            ctx.set_theme(if light { Theme::Light } else { Theme::Dark });
        }
        // Keys come first: the tool a key has chosen is that of a button pressed after it.
        let mut had_keys = false;
        for action in keys::actions(&ctx, &mut self.state, canvas::id()) {
            had_keys = true;
            if action == Action::CancelStroke {
                self.canvas.forget_stroke();
            }
            self.apply(action);
        }
        let mut asked = Vec::new();
        for dropped in ctx.input(|input| input.raw.dropped_files.clone()) {
            asked.push(Action::Open(dropped.path().to_string_lossy().into_owned()));
        }
        let zoom = self
            .state
            .display
            .camera
            .map_or(String::new(), |camera| camera.zoom().to_string());
        panels::show(ui, &mut self.state, &zoom, &mut asked);
        let place = self.canvas.place(ui, &mut self.state, &mut asked);
        if had_keys || !asked.is_empty() {
            // What is shown now is from before.
            ctx.request_repaint();
        }
        for action in asked {
            self.apply(action);
        }
        self.place = Some(place);
        self.draw(ui, &place);
        canvas::overlay(ui, &place, &mut self.state);
        if let Some(text) = self.state.copied.take() {
            ctx.copy_text(text);
        }
        if self.state.wants_to_quit {
            ctx.send_viewport_cmd(ViewportCommand::Close);
        }
        if self.state.lost.is_some() {
            self.leave(&ctx);
        }
    }

    fn apply(&mut self, action: Action) {
        match (action, &self.screen) {
            (Action::Write(Purpose::PictureOfView, name), Some(screen)) => {
                let written = screen
                    .picture()
                    .and_then(|picture| self.state.platform.write_picture(&name, &picture));
                match written {
                    Ok(()) => {
                        self.state.apply(Action::Dismiss);
                        self.state.say(format!("Saved {name}"));
                    }
                    Err(why) => self.state.say_error(why),
                }
            }
            (action, _) => self.state.apply(action),
        }
    }

    /// Draws the board if it or the view has changed, and shows its picture.
    fn draw(&mut self, ui: &Ui, place: &Place) {
        let Some(screen) = &mut self.screen else {
            return;
        };
        if let Err(error) = screen.draw(&mut self.state, &place.view, &self.frames) {
            self.state.refuse(error.into());
        }
        if screen.painter.is_unfinished() {
            ui.ctx().request_repaint();
        }
        if let Some(shown) = &screen.shown {
            let picture = shown.picture.clone();
            let callback = Callback::new_paint_callback(place.picture(), picture);
            ui.painter().add(callback);
        }
    }

    /// Closes the window whose device has failed, and keeps what can be kept.
    fn leave(&mut self, ctx: &Context) {
        let reason = self.state.lost.clone().unwrap_or_default();
        let opening = self.state.salvage();
        self.legacy
            .borrow_mut()
            .get_or_insert(Lost { reason, opening });
        ctx.send_viewport_cmd(ViewportCommand::Close);
    }
}

impl Screen {
    /// A prompt frame draws no picture that would be the next of many: the next frame does.
    fn draw(&mut self, state: &mut State, view: &View, frames: &Frames) -> Result<(), EngineError> {
        let (_, edges) = state.shape();
        let key = Key {
            game: std::mem::discriminant(&state.game),
            revision: state.revision(),
            view: *view,
            style: Style {
                palette: match state.kind() {
                    Kind::Rezolution => Palette::POPULATIONS,
                    _ => Palette::DEFAULT,
                },
                edges,
                lines: state.display.lines.then_some(look::LINE),
                any_live: state.display.any_live,
            },
        };
        let is_unfinished = self.painter.is_unfinished();
        if self.shown.as_ref().is_some_and(|shown| shown.key == key) && !is_unfinished {
            return Ok(());
        }
        let is_next_board = self.shown.as_ref().is_some_and(|shown| {
            let last = &shown.key;
            (last.game, last.view, last.style) == (key.game, key.view, key.style)
        });
        if frames.is_prompt() && is_next_board {
            return Ok(());
        }
        if state.display.limit_flashes
            && let Some(run) = state.run()
        {
            let share = run.cells.alive() as f64 / run.size.cells() as f64;
            // A person who steps or moves the view has asked for the picture.
            if !state.flashes.allows(frames.now(), share) && is_next_board && run.is_playing {
                return Ok(());
            }
        }
        let planes = self.planes(state, key)?;
        let drawn = match is_next_board {
            true => self.painter.draw_next(&planes, view, &key.style)?,
            false => self.painter.draw(&planes, view, &key.style)?,
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
        self.shown = Some(Shown {
            key,
            texture,
            picture,
        });
        Ok(())
    }

    /// The board's planes: the engine's own if they are on the device, else a copy of its board.
    fn planes(&mut self, state: &mut State, key: Key) -> Result<DeviceBoard, EngineError> {
        let own = match &mut state.game {
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
        let planes = match &mut state.game {
            Game::Battle(battle) => self.painter.upload(&battle.session().board()?)?,
            Game::Rezolution(table) => {
                let board = table.session().board()?;
                self.painter.upload_populations(&board)?
            }
            Game::Fragment(table) => self.painter.upload(table.game().field())?,
            Game::Immigration(table) => self.painter.upload(table.game().board())?,
        };
        self.uploaded = Some((key.revision, planes.clone()));
        Ok(planes)
    }

    fn picture(&self) -> Result<Picture, String> {
        let pixels = self.painter.pixels().map_err(|error| error.to_string())?;
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

impl eframe::App for Shell {
    fn logic(&mut self, ctx: &Context, _frame: &mut eframe::Frame) {
        self.pass_time(ctx);
    }

    fn ui(&mut self, ui: &mut Ui, _frame: &mut eframe::Frame) {
        self.show(ui);
    }

    fn clear_color(&self, visuals: &egui::Visuals) -> [f32; 4] {
        let background = look::background(visuals);
        match &self.screen {
            Some(screen) if screen.is_linear => egui::Rgba::from(background).to_array(),
            _ => background.to_normalized_gamma_f32(),
        }
    }

    fn on_exit(&mut self) {
        if self.state.lost.is_none() {
            self.state.close();
        }
    }

    fn persist_egui_memory(&self) -> bool {
        false
    }
}
