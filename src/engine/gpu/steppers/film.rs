//! Every generation of a run on the device, read back at once.
//!
//! Instead of ping-pong between two sets of planes a film goes from frame to frame:
//!
//! ```text
//! even   frame 0 (its planes)   frame 2   frame 4   ...
//! odd    frame 1 (its planes)   frame 3   ...
//! ```
//!
//! Frame 0 is the present board. A buffer cannot be read and written in one dispatch, hence two.

use std::marker::PhantomData;

use web_time::Instant;

use crate::board::Size;
use crate::engine::gpu::buffers::Buffers;
use crate::engine::gpu::commands::Commands;
use crate::engine::gpu::context::Stepper;
use crate::engine::gpu::device::Gpu;
use crate::engine::gpu::family::GpuFamily;
use crate::engine::gpu::pipelines::Kernel;
use crate::engine::gpu::plan::{self, BoardsPlan};
use crate::engine::gpu::state::{film_stride, frame_bytes};
use crate::engine::gpu::transfer::{bind, buffer, map, plane_usage, readback_buffer, upload};
use crate::engine::{EngineError, POISON};

/// Room for some generations.
struct Film<R> {
    family: PhantomData<R>,
    size: Size,
    /// Bytes from one plane to the next.
    stride: u64,
    even: wgpu::Buffer,
    odd: wgpu::Buffer,
    readback: wgpu::Buffer,
    /// The group at the index computes the frame after it.
    groups: Vec<wgpu::BindGroup>,
}

impl<R: GpuFamily> Film<R> {
    /// Room for `frames` generations after the present one, filled with [`POISON`].
    fn new(
        gpu: &Gpu,
        buffers: &Buffers<R>,
        step: &Kernel,
        frames: u64,
    ) -> Result<Self, EngineError> {
        let size = buffers.band.size;
        let stride = film_stride::<R>(size);
        let bytes = (frames / 2 + 1) * frame_bytes::<R>(size);
        gpu.checked(|| {
            let half = |label| {
                let half = buffer(gpu, label, bytes, plane_usage());
                upload(gpu, &half, 0, &vec![POISON; (bytes / 4) as usize]);
                half
            };
            let mut film = Self {
                family: PhantomData,
                size,
                stride,
                even: half("film, even frames"),
                odd: half("film, odd frames"),
                readback: readback_buffer(gpu, 2 * bytes),
                groups: Vec::new(),
            };
            film.groups = (0..frames)
                .map(|frame| {
                    let [now, next] = [frame, frame + 1].map(|frame| film.planes(frame));
                    let whole = wgpu::Buffer::as_entire_binding;
                    let fixed = buffers.fixed.iter().map(whole);
                    let resources = [whole(&buffers.params)].into_iter();
                    bind(
                        gpu,
                        step,
                        resources.chain(now).chain(fixed).chain(next).collect(),
                    )
                })
                .collect();
            film
        })
    }

    /// The buffer of a frame and the byte at which it begins.
    fn place(&self, frame: u64) -> (&wgpu::Buffer, u64) {
        let half = if frame.is_multiple_of(2) {
            &self.even
        } else {
            &self.odd
        };
        (half, frame / 2 * R::PLANES as u64 * self.stride)
    }

    /// Where the planes begin of a frame that begins at `start`.
    fn offsets(&self, start: u64) -> impl Iterator<Item = u64> {
        let stride = self.stride;
        (0..R::PLANES as u64).map(move |plane| start + plane * stride)
    }

    /// The planes of a frame.
    fn planes(&self, frame: u64) -> Vec<wgpu::BindingResource<'_>> {
        let (buffer, start) = self.place(frame);
        let size = wgpu::BufferSize::new(R::plane_bytes(self.size));
        self.offsets(start)
            .map(|offset| {
                wgpu::BindingResource::Buffer(wgpu::BufferBinding {
                    buffer,
                    offset,
                    size,
                })
            })
            .collect()
    }

    /// Computes `frames` generations from the present board of the stepper, which is in one band and
    /// then holds the last one, and passes their boards to `sink`.
    fn record(
        &self,
        stepper: &mut Stepper<'_, R>,
        frames: u64,
        sink: &mut dyn FnMut(R::Board),
    ) -> Result<(), EngineError> {
        let state = &mut *stepper.state;
        let Some(buffers) = state.whole() else {
            return Err(EngineError::NothingLoaded);
        };
        let (gpu, step) = (stepper.context.gpu(), &stepper.context.step);
        let present = buffers.planes(state.parity);
        let plane_bytes = R::plane_bytes(self.size);
        let mut commands = Commands::new(gpu);
        let (first, start) = self.place(0);
        for (plane, offset) in present.iter().zip(self.offsets(start)) {
            commands.copy(plane, 0..plane_bytes, first, offset);
        }
        let pass = commands.compute();
        pass.set_pipeline(step.pipeline());
        let [x, y] = buffers.grid.groups;
        for group in &self.groups[..frames as usize] {
            pass.set_bind_group(0, group, &[]);
            pass.dispatch_workgroups(x, y, 1);
        }
        let (last, start) = self.place(frames);
        for (plane, offset) in present.iter().zip(self.offsets(start)) {
            commands.copy(last, offset..offset + plane_bytes, plane, 0);
        }
        let half_bytes = (frames / 2 + 1) * R::PLANES as u64 * self.stride;
        commands.copy(&self.even, 0..half_bytes, &self.readback, 0);
        commands.copy(&self.odd, 0..half_bytes, &self.readback, half_bytes);
        let submission = commands.submit(gpu);
        if frames > 0 {
            // The last generation but one is in the film, not in the other planes.
            state.forget_last(gpu);
        }

        let words: Vec<u32> = map(gpu, submission, &self.readback, 2 * half_bytes, |bytes| {
            bytemuck::cast_slice(bytes).to_vec()
        })?;
        let (even, odd) = words.split_at((half_bytes / 4) as usize);
        for frame in 1..=frames {
            let half = if frame.is_multiple_of(2) { even } else { odd };
            let (_, start) = self.place(frame);
            let planes = self.offsets(start).map(|offset| {
                let start = (offset / 4) as usize;
                half[start..start + R::plane_words(self.size)].to_vec()
            });
            sink(state.board(gpu, planes.collect())?);
        }
        Ok(())
    }
}

impl<R: GpuFamily> Stepper<'_, R> {
    /// Computes generations and passes the board of each to `sink`.
    pub(in crate::engine::gpu) fn run_boards(
        &mut self,
        generations: u64,
        sink: &mut dyn FnMut(R::Board),
    ) -> Result<(), EngineError> {
        let facts = self.context.facts(self.state);
        let frames = match plan::boards(&facts, generations) {
            BoardsPlan::Film { frames } => frames,
            BoardsPlan::Single => {
                for _ in 0..generations {
                    self.run_unobserved(1, true)?;
                    sink(self.state.read(self.context.gpu())?);
                }
                return Ok(());
            }
        };
        let Some(buffers) = self.state.whole() else {
            return Err(EngineError::NothingLoaded);
        };
        let film = Film::new(self.context.gpu(), buffers, &self.context.step, frames)?;
        let mut left = generations;
        while left > 0 {
            let batch = self.context.batch.min(left).min(frames);
            let since = Instant::now();
            film.record(self, batch, sink)?;
            self.pace(batch, since.elapsed());
            left -= batch;
        }
        Ok(())
    }
}
