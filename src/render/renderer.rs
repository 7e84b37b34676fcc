//! Boards drawn by a device, straight from the planes an engine computes on.
//!
//! ```text
//!   engine's planes ─┐
//!                    ├─> magnify / minify ──> pixels ──copy──> texture ──blit──> the window
//!   uploaded planes ─┘
//! ```
//!
//! A board that lies on the device never crosses to the CPU to be shown; one that does not is
//! [uploaded](Renderer::upload), which need be done only when it has changed. What is submitted here
//! comes after the generations submitted before and before those submitted later, on the device's
//! only queue, so no picture shows half of a generation.
//!
//! A software adapter takes long for the picture of a large board. While such a board plays, its
//! pictures are drawn in [bands](Renderer::draw_next), one per frame, from a copy of the board, and
//! shown when they are complete.
//!
//! The picture is that of [`Picture`](super::Picture), pixel for pixel. The type of a board selects the
//! programs that draw it (see [`RenderFamily`]).

mod bands;
pub mod blit;
mod gather;
mod target;
mod upload;
pub mod view;

use std::ops::Range;
use std::sync::Arc;

use self::bands::{BAND_WORDS, Unfinished};
use self::gather::{GATHERED_BYTES, GatheredRows, Part};
use self::target::{STRIDE_PIXELS, Target};
use self::view::{RenderFamily, ViewParams, ViewPrograms, params};
use super::camera::{View, Zoom};
use super::palette::{Palette, Rgb};
use crate::board::Edges;
use crate::engine::EngineError;
use crate::engine::gpu::program::Program;
use crate::engine::gpu::{DeviceBoard, Gpu, Handles, compile};
use crate::rules::{FAMILIES, FamilyName, Ruleset};

/// Pixels per cell side from which lines between cells are drawn, where they are enabled.
pub const LINES_FROM: u32 = 6;

/// How a board is drawn, beyond where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// Its colours.
    pub palette: Palette,
    /// On a torus the board repeats, dimmed; with dead edges there is a margin around it.
    pub edges: Edges,
    /// Whether lines are drawn between cells of at least [`LINES_FROM`] pixels, and their colour.
    pub lines: Option<Rgb>,
    /// Whether a pixel with any live cell under it is as bright as can be.
    pub any_live: bool,
}

/// Draws boards on one device.
pub struct Renderer {
    gpu: Arc<Gpu>,
    device: Handles,
    /// Those of every family, in the order of [`FAMILIES`].
    pipelines: Vec<Pipelines>,
    params: wgpu::Buffer,
    uploaded: Option<(FamilyName, DeviceBoard)>,
    target: Option<Target>,
    /// A board of which a picture is drawn in bands, or was.
    copied: Option<DeviceBoard>,
    unfinished: Option<Unfinished>,
    band_words: Option<u64>,
    /// Rows of a board in several bands, of which a part of a picture is drawn.
    gathered: Option<GatheredRows>,
    gathered_bytes: u64,
}

/// What a picture shows of a board of which family.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Frame {
    family: FamilyName,
    view: View,
    style: Style,
}

impl Frame {
    const fn new<B: RenderFamily>(view: &View, style: &Style) -> Self {
        Self {
            family: B::Ruleset::FAMILY,
            view: *view,
            style: *style,
        }
    }
}

/// What draws the boards of a family.
struct Pipelines {
    programs: &'static ViewPrograms,
    magnify: wgpu::ComputePipeline,
    minify: wgpu::ComputePipeline,
}

impl Renderer {
    /// Compiles the shaders.
    ///
    /// # Errors
    /// [`EngineError::Device`] if the device has failed.
    pub fn new(gpu: &Arc<Gpu>) -> Result<Self, EngineError> {
        let handles = gpu.handles();
        let device = &handles.device;
        let params = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("view params"),
            size: size_of::<ViewParams>() as u64,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let pipelines = FAMILIES.map(|family| Pipelines::new(gpu, family));
        let pipelines = pipelines.into_iter().collect::<Result<_, _>>()?;
        let renderer = Self {
            gpu: Arc::clone(gpu),
            pipelines,
            params,
            uploaded: None,
            target: None,
            copied: None,
            unfinished: None,
            band_words: gpu.is_software().then_some(BAND_WORDS),
            gathered: None,
            gathered_bytes: GATHERED_BYTES,
            device: handles,
        };
        renderer.check()?;
        Ok(renderer)
    }

    /// Draws a board. The texture has the size of the view, 8 bits per channel in sRGB, and is the
    /// same as last time as long as the size is; a view of no pixels has none.
    ///
    /// # Errors
    /// [`EngineError::Device`] if the device has failed.
    pub fn draw<B: RenderFamily>(
        &mut self,
        board: &DeviceBoard,
        view: &View,
        style: &Style,
    ) -> Result<Option<wgpu::Texture>, EngineError> {
        self.unfinished = None;
        let Some(target) = self.target(view)? else {
            return Ok(None);
        };
        let picture = Frame::new::<B>(view, style);
        self.draw_rows(board, &picture, &target.pixels, 0..view.height)?;
        let mut encoder = self.encoder();
        target.copy_to_texture(&mut encoder);
        self.device.queue.submit([encoder.finish()]);
        let texture = target.texture.clone();
        self.target = Some(target);
        Ok(Some(texture))
    }

    /// Where a view is drawn to; a view of no pixels has no such place.
    fn target(&mut self, view: &View) -> Result<Option<Target>, EngineError> {
        self.check()?;
        let most = self.device.device.limits().max_texture_dimension_2d;
        if view.width == 0 || view.height == 0 || view.width.max(view.height) > most {
            return Ok(None);
        }
        let fits = |target: &Target| (target.width, target.height) == (view.width, view.height);
        Ok(Some(match self.target.take().filter(fits) {
            Some(target) => target,
            None => Target::new(&self.device.device, view.width, view.height),
        }))
    }

    fn encoder(&self) -> wgpu::CommandEncoder {
        let device = &self.device.device;
        device.create_command_encoder(&Default::default())
    }

    /// Submits the drawing of some rows of pixels.
    fn draw_rows(
        &mut self,
        board: &DeviceBoard,
        frame: &Frame,
        pixels: &wgpu::Buffer,
        rows: Range<u32>,
    ) -> Result<(), EngineError> {
        for part in self.parts(board, &frame.view, frame.style.edges, rows)? {
            // Every part has uniforms of its own, and so a submission.
            let mut encoder = self.encoder();
            self.encode(&mut encoder, board, frame, pixels, &part);
            self.device.queue.submit([encoder.finish()]);
        }
        Ok(())
    }

    /// Records the drawing of a part of a picture.
    fn encode(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        board: &DeviceBoard,
        frame: &Frame,
        pixels: &wgpu::Buffer,
        part: &Part,
    ) {
        let Frame {
            family,
            view,
            style,
        } = frame;
        let band = part.pixels.clone();
        let (planes, first_row) = self.gather(encoder, board, part);
        let stride = view.width.next_multiple_of(STRIDE_PIXELS);
        let rows = band.len() as u32;
        let mut params = params(board.size, view, style, stride);
        params.origin_y = params.origin_y.saturating_sub_unsigned(band.start);
        params.rows = rows;
        params.first_row = first_row;
        let Handles { device, queue, .. } = &self.device;
        queue.write_buffer(&self.params, 0, bytemuck::bytes_of(&params));
        let (pipeline, program) = self.pipelines[*family as usize].of(view.zoom);
        // The rows of the band alone; strides are such that each begins where a binding may.
        let pixels = wgpu::BindingResource::Buffer(wgpu::BufferBinding {
            buffer: pixels,
            offset: u64::from(band.start) * u64::from(stride) * 4,
            size: wgpu::BufferSize::new(u64::from(rows) * u64::from(stride) * 4),
        });
        let whole = [&self.params].into_iter().chain(&planes);
        let whole = whole.map(wgpu::Buffer::as_entire_binding);
        let entries: Vec<wgpu::BindGroupEntry<'_>> = (0..)
            .zip(whole.chain([pixels]))
            .map(|(binding, resource)| wgpu::BindGroupEntry { binding, resource })
            .collect();
        let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some(program.name),
            layout: &pipeline.get_bind_group_layout(0),
            entries: &entries,
        });
        let mut pass = encoder.begin_compute_pass(&Default::default());
        pass.set_pipeline(pipeline);
        pass.set_bind_group(0, &group, &[]);
        let pixels = program.workgroup / params.lanes;
        pass.dispatch_workgroups(view.width.div_ceil(pixels), rows, 1);
    }

    /// The pixels that were drawn last, row by row, as they are on the device.
    ///
    /// # Errors
    /// [`EngineError::Device`] if nothing was drawn or the device has failed.
    pub fn pixels(&self) -> Result<Vec<Rgb>, EngineError> {
        let target = self
            .target
            .as_ref()
            .ok_or_else(|| self.failed("nothing has been drawn"))?;
        let Handles { device, queue, .. } = &self.device;
        let bytes = u64::from(target.stride) * u64::from(target.height) * 4;
        let readback = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("pixels"),
            size: bytes,
            usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let mut encoder = device.create_command_encoder(&Default::default());
        encoder.copy_texture_to_buffer(
            target.texture.as_image_copy(),
            wgpu::TexelCopyBufferInfo {
                buffer: &readback,
                layout: target.layout(),
            },
            target.extent(),
        );
        queue.submit([encoder.finish()]);
        let slice = readback.slice(..);
        slice.map_async(wgpu::MapMode::Read, |_| {});
        device
            .poll(wgpu::PollType::wait_indefinitely())
            .map_err(|error| self.failed(&error.to_string()))?;
        self.check()?;
        let mapped = slice
            .get_mapped_range()
            .map_err(|error| self.failed(&error.to_string()))?;
        let row_bytes = target.stride as usize * 4;
        let row = |row: &[u8]| -> Vec<Rgb> {
            let (pixels, _) = row[..target.width as usize * 4].as_chunks::<4>();
            pixels.iter().map(|&[r, g, b, _]| [r, g, b]).collect()
        };
        Ok(mapped.chunks(row_bytes).flat_map(row).collect())
    }

    fn plane(&self, bytes: u64) -> wgpu::Buffer {
        self.device.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("shown plane"),
            size: bytes,
            usage: wgpu::BufferUsages::STORAGE
                | wgpu::BufferUsages::COPY_DST
                | wgpu::BufferUsages::COPY_SRC,
            mapped_at_creation: false,
        })
    }

    fn check(&self) -> Result<(), EngineError> {
        match self.gpu.failure() {
            Some(message) => Err(self.failed(&message)),
            None => Ok(()),
        }
    }

    fn failed(&self, message: &str) -> EngineError {
        EngineError::Device {
            adapter: self.gpu.name().into(),
            message: message.to_owned(),
        }
    }
}

impl Pipelines {
    fn new(gpu: &Gpu, family: FamilyName) -> Result<Self, EngineError> {
        let programs = ViewPrograms::of(family);
        Ok(Self {
            programs,
            magnify: pipeline(gpu, &programs.magnify)?,
            minify: pipeline(gpu, &programs.minify)?,
        })
    }

    const fn of(&self, zoom: Zoom) -> (&wgpu::ComputePipeline, &'static Program) {
        match zoom {
            Zoom::Magnified(_) => (&self.magnify, &self.programs.magnify),
            Zoom::Minified(_) => (&self.minify, &self.programs.minify),
        }
    }
}

fn pipeline(gpu: &Gpu, program: &Program) -> Result<wgpu::ComputePipeline, EngineError> {
    let label = Some(program.name);
    let module = compile(gpu, program)?;
    let device = gpu.handles().device;
    let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label,
        // The layout that the shader implies; tests/shaders.rs compares it with the program's.
        layout: None,
        module: &module,
        entry_point: Some(program.entry_point),
        compilation_options: Default::default(),
        cache: None,
    });
    Ok(pipeline)
}
