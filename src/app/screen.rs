//! The picture of the board on the device.

use std::mem::{Discriminant, discriminant};
use std::sync::Arc;

use eframe::egui_wgpu::{Callback, CallbackResources, CallbackTrait};
use egui::Rect;

use super::controller::{ActiveGame, Controller};
use super::frame_pacing::FramePacing;
use super::run_view::Run as _;
use super::theme;
use crate::board::{LifelikeBoard, RezolutionBoard};
use crate::engine::EngineError;
use crate::engine::gpu::{DeviceBoard, Gpu};
use crate::render::Picture;
use crate::render::camera::View;
use crate::render::renderer::blit::{self, Blit};
use crate::render::renderer::view::RenderFamily;
use crate::render::renderer::{Renderer, Style};

/// The picture of the board on the device.
pub(super) struct Screen {
    gpu: Arc<Gpu>,
    renderer: Renderer,
    blit: Blit,
    /// Whether the colours of the window are linear instead of sRGB.
    is_linear: bool,
    /// The uploaded board and its revision.
    uploaded: Option<(u64, DeviceBoard)>,
    shown: Option<ShownPicture>,
}

/// The present picture.
struct ShownPicture {
    key: PictureKey,
    texture: wgpu::Texture,
    picture: BoardPicture,
}

/// All that the picture depends on.
#[derive(Clone, Copy, PartialEq)]
struct PictureKey {
    game: Discriminant<ActiveGame>,
    revision: u64,
    view: View,
    style: Style,
}

/// The picture as a shape of egui.
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

impl Screen {
    /// A screen without a picture.
    ///
    /// # Errors
    /// [`EngineError`] if the device has failed.
    pub(super) fn new(gpu: Arc<Gpu>, target: wgpu::TextureFormat) -> Result<Self, EngineError> {
        let renderer = Renderer::new(&gpu)?;
        Ok(Self {
            blit: Blit::new(&gpu, target)?,
            is_linear: target.is_srgb(),
            gpu,
            renderer,
            uploaded: None,
            shown: None,
        })
    }

    /// Why the device failed, once it has.
    pub(super) fn failure(&self) -> Option<String> {
        self.gpu.failure()
    }

    /// Whether the colours of the window are linear instead of sRGB.
    pub(super) fn is_linear(&self) -> bool {
        self.is_linear
    }

    /// Whether the picture needs more frames to be complete.
    pub(super) fn is_unfinished(&self) -> bool {
        self.renderer.is_unfinished()
    }

    /// The shape that shows the picture in a rectangle.
    pub(super) fn callback(&self, rect: Rect) -> Option<egui::PaintCallback> {
        let shown = self.shown.as_ref()?;
        Some(Callback::new_paint_callback(rect, shown.picture.clone()))
    }

    /// The pixels of the picture.
    pub(super) fn picture(&self) -> Result<Picture, String> {
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

    /// Draws the board if it or the view has changed. An input frame leaves the next picture of a run to the
    /// next frame.
    pub(super) fn draw(
        &mut self,
        controller: &mut Controller,
        view: &View,
        frames: &FramePacing,
    ) -> Result<(), EngineError> {
        let (_, edges) = controller.game.shape();
        let key = PictureKey {
            game: discriminant(&controller.game),
            revision: controller.game.revision(),
            view: *view,
            style: Style {
                palette: controller.game.palette(),
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
            // Steps and changes of the view are always shown.
            if !controller.flashes.allows(frames.now(), share) && is_next_board && run.is_playing {
                return Ok(());
            }
        }
        let planes = self.planes(controller, key)?;
        let drawn = match &controller.game {
            ActiveGame::Battle(_) | ActiveGame::Fragment(_) | ActiveGame::Immigration(_) => {
                self.draw_board::<LifelikeBoard>(&planes, &key, is_next_board)?
            }
            ActiveGame::Rezolution(_) => {
                self.draw_board::<RezolutionBoard>(&planes, &key, is_next_board)?
            }
        };
        let Some(texture) = drawn else {
            self.shown = None;
            return Ok(());
        };
        // An unfinished picture still shows the board that it began with.
        let key = match &self.shown {
            Some(shown) if is_unfinished && is_next_board => shown.key,
            Some(_) | None => key,
        };
        let picture = match self.shown.take() {
            Some(shown) if shown.texture == texture => shown.picture,
            Some(_) | None => BoardPicture(self.blit.shown(&texture)),
        };
        self.shown = Some(ShownPicture {
            key,
            texture,
            picture,
        });
        Ok(())
    }

    fn draw_board<B: RenderFamily>(
        &mut self,
        planes: &DeviceBoard,
        key: &PictureKey,
        is_next_board: bool,
    ) -> Result<Option<wgpu::Texture>, EngineError> {
        let PictureKey { view, style, .. } = key;
        if is_next_board {
            self.renderer.draw_next::<B>(planes, view, style)
        } else {
            self.renderer.draw::<B>(planes, view, style)
        }
    }

    /// The planes of the board: those of the engine if they are on the device, else a copy.
    fn planes(
        &mut self,
        controller: &mut Controller,
        key: PictureKey,
    ) -> Result<DeviceBoard, EngineError> {
        if let Some(planes) = controller.game.run().and_then(|run| run.device_board()) {
            self.uploaded = None;
            return Ok(planes);
        }
        let is_same_game = self
            .shown
            .as_ref()
            .is_some_and(|shown| shown.key.game == key.game);
        if let Some((revision, planes)) = &self.uploaded
            && is_same_game
            && *revision == key.revision
        {
            return Ok(planes.clone());
        }
        let planes = match &mut controller.game {
            ActiveGame::Battle(run) => run.upload(&mut self.renderer)?,
            ActiveGame::Rezolution(run) => run.upload(&mut self.renderer)?,
            ActiveGame::Fragment(view) => self.renderer.upload(view.game().field())?,
            ActiveGame::Immigration(view) => self.renderer.upload(view.game().board())?,
        };
        self.uploaded = Some((key.revision, planes.clone()));
        Ok(planes)
    }
}
