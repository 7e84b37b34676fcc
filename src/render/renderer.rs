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
//! pictures are drawn in [bands](Renderer::draw_next), one a frame, from a copy of the board, and shown
//! when they are done.
//!
//! The picture is that of [`Picture`](super::Picture), pixel for pixel. Which family a board is of is
//! told by its planes.

mod bands;
pub mod blit;
mod gather;
pub mod view;

use std::ops::Range;
use std::sync::Arc;

use self::bands::{BAND_WORDS, Unfinished};
use self::gather::{GATHERED_BYTES, GatheredRows, Part};
use self::view::{
    LIFELIKE_VIEW, REZOLUTION_VIEW, VIEW_ANY, VIEW_LINES, VIEW_TORUS, ViewParams, ViewPrograms,
};
use super::camera::{View, Zoom};
use super::palette::{Marks, Palette, Rgb};
use crate::board::{Edges, LifelikeBoard, RezolutionBoard, Size};
use crate::engine::EngineError;
use crate::engine::gpu::program::Program;
use crate::engine::gpu::{DeviceBand, DeviceBoard, Gpu, Handles, compile};

/// Pixels a cell from which lines between cells are drawn, where they are asked for.
pub const LINES_FROM: u32 = 6;

/// Rows of a texture are copied from addresses that are multiples of this many pixels.
const STRIDE_PIXELS: u32 = wgpu::COPY_BYTES_PER_ROW_ALIGNMENT / 4;

/// Bytes copied to the device at a time, to bound the memory of the copy.
const TRANSFER_BYTES: usize = 64 << 20;

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
    cells: Pipelines,
    populations: Pipelines,
    params: wgpu::Buffer,
    uploaded: Option<DeviceBoard>,
    target: Option<Target>,
    /// A board of which a picture is drawn in bands, or was.
    copied: Option<DeviceBoard>,
    unfinished: Option<Unfinished>,
    band_words: Option<u64>,
    /// Rows of a board in several bands, of which a part of a picture is drawn.
    gathered: Option<GatheredRows>,
    gathered_bytes: u64,
}

/// What draws the boards of a family.
struct Pipelines {
    programs: &'static ViewPrograms,
    magnify: wgpu::ComputePipeline,
    minify: wgpu::ComputePipeline,
}

/// Where a picture is drawn to.
struct Target {
    width: u32,
    height: u32,
    stride: u32,
    pixels: wgpu::Buffer,
    /// The pixels of a picture that is drawn in bands, once there was one.
    next_pixels: Option<wgpu::Buffer>,
    texture: wgpu::Texture,
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
        let renderer = Self {
            gpu: Arc::clone(gpu),
            cells: Pipelines::new(gpu, &LIFELIKE_VIEW)?,
            populations: Pipelines::new(gpu, &REZOLUTION_VIEW)?,
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

    /// Copies a board to the device for drawing it.
    ///
    /// # Errors
    /// [`EngineError::TooLarge`] if a row is more than the device binds, before anything is
    /// allocated; [`EngineError::Device`] if it has failed.
    pub fn upload(&mut self, board: &LifelikeBoard) -> Result<DeviceBoard, EngineError> {
        self.upload_planes(board.size(), &[board.alive(), board.blue()], &[])
    }

    /// Copies a board of populations to the device for drawing it.
    ///
    /// # Errors
    /// As [`upload`](Self::upload).
    pub fn upload_rezolution(
        &mut self,
        board: &RezolutionBoard,
    ) -> Result<DeviceBoard, EngineError> {
        let marks = [board.barriers(), board.targets()];
        self.upload_planes(board.size(), &[board.populations()], &marks)
    }

    fn upload_planes(
        &mut self,
        size: Size,
        planes: &[&[u32]],
        fixed: &[&[u32]],
    ) -> Result<DeviceBoard, EngineError> {
        let row_words = |words: &&[u32]| words.len() / size.height() as usize;
        let all = planes.iter().chain(fixed);
        let longest = all.clone().map(row_words).max();
        let row_bytes = 4 * longest.unwrap_or(0).max(1) as u64;
        let limit = self.gpu.largest_plane();
        let most_rows = u32::try_from(limit / row_bytes).unwrap_or(u32::MAX);
        if most_rows == 0 {
            return Err(EngineError::TooLarge {
                size,
                needed: row_bytes,
                limit,
                adapter: self.gpu.name().into(),
            });
        }
        let fits = |last: &DeviceBoard| {
            let is_alike = |band: &DeviceBand| band.fixed.len() == fixed.len();
            last.size == size && last.bands.first().is_some_and(is_alike)
        };
        // Old planes that do not fit go first: both sets may not fit together.
        let uploaded = match self.uploaded.take().filter(fits) {
            Some(uploaded) => uploaded,
            None => {
                let bands = (0..size.height()).step_by(most_rows as usize).map(|first| {
                    let own = first..first.saturating_add(most_rows).min(size.height());
                    let height = own.end - own.start;
                    let plane = |words: &&[u32]| {
                        self.plane(4 * row_words(words) as u64 * u64::from(height))
                    };
                    DeviceBand {
                        own,
                        above: 0,
                        height,
                        planes: planes.iter().map(plane).collect(),
                        fixed: fixed.iter().map(plane).collect(),
                    }
                });
                DeviceBoard {
                    size,
                    bands: bands.collect(),
                }
            }
        };
        for band in &uploaded.bands {
            let buffers = band.planes.iter().chain(&band.fixed);
            for (buffer, words) in buffers.zip(all.clone()) {
                let [first, end] =
                    [band.own.start, band.own.end].map(|row| row as usize * row_words(words));
                let mut offset = 0;
                for part in words[first..end].chunks(TRANSFER_BYTES / 4) {
                    let bytes: &[u8] = bytemuck::cast_slice(part);
                    self.device.queue.write_buffer(buffer, offset, bytes);
                    // Submitting frees the staging memory of one part before the next is written.
                    self.device.queue.submit([]);
                    offset += bytes.len() as u64;
                }
            }
        }
        self.uploaded = Some(uploaded.clone());
        self.check()?;
        Ok(uploaded)
    }

    /// Draws a board. The texture has the size of the view, 8 bits a channel in sRGB, and is the same
    /// as last time as long as the size is; a view of no pixels has none.
    ///
    /// # Errors
    /// [`EngineError::Device`] if the device has failed.
    pub fn draw(
        &mut self,
        board: &DeviceBoard,
        view: &View,
        style: &Style,
    ) -> Result<Option<wgpu::Texture>, EngineError> {
        self.unfinished = None;
        let Some(target) = self.target(view)? else {
            return Ok(None);
        };
        self.draw_rows(board, view, style, &target.pixels, 0..view.height)?;
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
        view: &View,
        style: &Style,
        pixels: &wgpu::Buffer,
        rows: Range<u32>,
    ) -> Result<(), EngineError> {
        for part in self.parts(board, view, style.edges, rows)? {
            // Every part has uniforms of its own, and so a submission.
            let mut encoder = self.encoder();
            self.encode(&mut encoder, board, view, style, pixels, &part)?;
            self.device.queue.submit([encoder.finish()]);
        }
        Ok(())
    }

    /// Records the drawing of a part of a picture.
    fn encode(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        board: &DeviceBoard,
        view: &View,
        style: &Style,
        pixels: &wgpu::Buffer,
        part: &Part,
    ) -> Result<(), EngineError> {
        let band = part.pixels.clone();
        let (planes, fixed, first_row) = self.gather(encoder, board, part);
        // Handles of the buffers: what else is needed is the renderer's, too.
        let (planes, fixed) = (planes.to_vec(), fixed.to_vec());
        let stride = view.width.next_multiple_of(STRIDE_PIXELS);
        let rows = band.len() as u32;
        let mut params = params(board.size, view, style, stride);
        params.origin_y = params.origin_y.saturating_sub_unsigned(band.start);
        params.rows = rows;
        params.first_row = first_row;
        let Handles { device, queue, .. } = &self.device;
        queue.write_buffer(&self.params, 0, bytemuck::bytes_of(&params));
        let pipelines = match (planes.len(), fixed.len()) {
            (2, 0) => &self.cells,
            (1, 2) => &self.populations,
            _ => return Err(self.failed("these are no planes of a board")),
        };
        let (pipeline, program) = pipelines.of(view.zoom);
        // The rows of the band alone; strides are such that each begins where a binding may.
        let pixels = wgpu::BindingResource::Buffer(wgpu::BufferBinding {
            buffer: pixels,
            offset: u64::from(band.start) * u64::from(stride) * 4,
            size: wgpu::BufferSize::new(u64::from(rows) * u64::from(stride) * 4),
        });
        let planes = planes.iter().chain(&fixed);
        let whole = [&self.params].into_iter().chain(planes);
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
        Ok(())
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
    fn new(gpu: &Gpu, programs: &'static ViewPrograms) -> Result<Self, EngineError> {
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

impl Target {
    fn new(device: &wgpu::Device, width: u32, height: u32) -> Self {
        let stride = width.next_multiple_of(STRIDE_PIXELS);
        let extent = wgpu::Extent3d {
            width,
            height,
            depth_or_array_layers: 1,
        };
        Self {
            width,
            height,
            stride,
            pixels: Self::pixels(device, stride, height),
            next_pixels: None,
            texture: device.create_texture(&wgpu::TextureDescriptor {
                label: Some("picture"),
                size: extent,
                mip_level_count: 1,
                sample_count: 1,
                dimension: wgpu::TextureDimension::D2,
                format: wgpu::TextureFormat::Rgba8Unorm,
                usage: wgpu::TextureUsages::TEXTURE_BINDING
                    | wgpu::TextureUsages::COPY_DST
                    | wgpu::TextureUsages::COPY_SRC,
                // For targets that take linear colours, see `blit`.
                view_formats: &[wgpu::TextureFormat::Rgba8UnormSrgb],
            }),
        }
    }

    fn pixels(device: &wgpu::Device, stride: u32, height: u32) -> wgpu::Buffer {
        device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("picture"),
            size: u64::from(stride) * u64::from(height) * 4,
            usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC,
            mapped_at_creation: false,
        })
    }

    fn extent(&self) -> wgpu::Extent3d {
        self.texture.size()
    }

    fn layout(&self) -> wgpu::TexelCopyBufferLayout {
        wgpu::TexelCopyBufferLayout {
            offset: 0,
            bytes_per_row: Some(self.stride * 4),
            rows_per_image: None,
        }
    }

    fn copy_to_texture(&self, encoder: &mut wgpu::CommandEncoder) {
        encoder.copy_buffer_to_texture(
            wgpu::TexelCopyBufferInfo {
                buffer: &self.pixels,
                layout: self.layout(),
            },
            self.texture.as_image_copy(),
            self.extent(),
        );
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

/// Threads that share a pixel: one for about sixteen rows.
fn lanes(zoom: Zoom) -> u32 {
    match zoom {
        Zoom::Magnified(_) => 1,
        Zoom::Minified(cells) => {
            let most = LIFELIKE_VIEW.minify.workgroup;
            (cells / 16).next_power_of_two().clamp(1, most)
        }
    }
}

fn params(size: Size, view: &View, style: &Style, stride: u32) -> ViewParams {
    let packed = |[red, green, blue]: Rgb| u32::from_le_bytes([red, green, blue, 255]);
    let scale = match view.zoom {
        Zoom::Magnified(scale) | Zoom::Minified(scale) => scale,
    };
    let lines = style
        .lines
        .filter(|_| matches!(view.zoom, Zoom::Magnified(pixels) if pixels >= LINES_FROM));
    let flag = |set: bool, flag: u32| if set { flag } else { 0 };
    let Palette {
        dead,
        red,
        blue,
        outside,
        marks,
    } = style.palette;
    // A palette without marks draws none.
    let Marks { barrier, target } = marks.unwrap_or(Marks {
        barrier: dead,
        target: dead,
    });
    ViewParams {
        width: size.width(),
        height: size.height(),
        row_words: size.row_words() as u32,
        stride,
        columns: view.width,
        rows: view.height,
        origin_x: view.origin.x,
        origin_y: view.origin.y,
        scale,
        flags: flag(style.edges == Edges::Torus, VIEW_TORUS)
            | flag(lines.is_some(), VIEW_LINES)
            | flag(style.any_live, VIEW_ANY),
        dead: packed(dead),
        red: packed(red),
        blue: packed(blue),
        outside: packed(outside),
        line: packed(lines.unwrap_or(dead)),
        lanes: lanes(view.zoom),
        barrier_colour: packed(barrier),
        target_colour: packed(target),
        first_row: 0,
        padding: 0,
    }
}
