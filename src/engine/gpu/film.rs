//! Every generation of a run on the device, read back at once.
//!
//! Instead of ping-pong between two pairs of planes a filmed run goes from frame to frame:
//!
//! ```text
//! even   frame 0 (alive, blue)   frame 2   frame 4   ...
//! odd    frame 1 (alive, blue)   frame 3   ...
//! ```
//!
//! Frame 0 is the present board. A buffer cannot be read and written in one dispatch, hence two.

use super::buffers::{Buffers, bind, buffer, map, plane_usage, readback_buffer, upload};
use super::device::Gpu;
use super::kernel::Kernel;
use crate::board::{Board, Size};
use crate::engine::{EngineError, POISON};

/// The coarsest alignment of a bound range that WebGPU lets a device ask for.
const ALIGNMENT: u64 = 256;

/// Room for some generations.
pub(super) struct Film {
    size: Size,
    /// Bytes from one plane to the next.
    stride: u64,
    even: wgpu::Buffer,
    odd: wgpu::Buffer,
    readback: wgpu::Buffer,
    /// The group at the index computes the frame after it.
    groups: Vec<wgpu::BindGroup>,
}

/// Bytes that one generation takes in a film.
pub(super) fn frame_bytes(size: Size) -> u64 {
    2 * size.plane_bytes().next_multiple_of(ALIGNMENT)
}

impl Film {
    /// Room for `frames` generations after the present one, filled with [`POISON`].
    pub(super) fn new(
        gpu: &Gpu,
        buffers: &Buffers,
        step: &Kernel,
        frames: u64,
    ) -> Result<Self, EngineError> {
        let size = buffers.size;
        let stride = size.plane_bytes().next_multiple_of(ALIGNMENT);
        let bytes = (frames / 2 + 1) * frame_bytes(size);
        gpu.checked(|| {
            let half = |label| {
                let half = buffer(gpu, label, bytes, plane_usage());
                upload(gpu, &half, &vec![POISON; (bytes / 4) as usize]);
                half
            };
            let mut film = Self {
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
                    let params = buffers.step_params.as_entire_binding();
                    bind(
                        gpu,
                        step,
                        [
                            params,
                            now[0].clone(),
                            now[1].clone(),
                            next[0].clone(),
                            next[1].clone(),
                        ],
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
        (half, frame / 2 * 2 * self.stride)
    }

    /// The alive and the blue plane of a frame.
    fn planes(&self, frame: u64) -> [wgpu::BindingResource<'_>; 2] {
        let (buffer, start) = self.place(frame);
        [start, start + self.stride].map(|offset| {
            wgpu::BindingResource::Buffer(wgpu::BufferBinding {
                buffer,
                offset,
                size: wgpu::BufferSize::new(self.size.plane_bytes()),
            })
        })
    }

    /// Computes `frames` generations from the present board of `buffers`, which then holds the
    /// last one, and appends them.
    pub(super) fn shoot(
        &self,
        gpu: &Gpu,
        buffers: &Buffers,
        step: &Kernel,
        frames: u64,
        boards: &mut Vec<Board>,
    ) -> Result<(), EngineError> {
        let plane_bytes = self.size.plane_bytes();
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        let (first, start) = self.place(0);
        for (plane, offset) in buffers.present().iter().zip([start, start + self.stride]) {
            encoder.copy_buffer_to_buffer(plane, 0, first, offset, plane_bytes);
        }
        let mut pass = encoder.begin_compute_pass(&Default::default());
        pass.set_pipeline(&step.pipeline);
        let [x, y] = buffers.grid.groups;
        for group in &self.groups[..frames as usize] {
            pass.set_bind_group(0, group, &[]);
            pass.dispatch_workgroups(x, y, 1);
        }
        drop(pass);
        let (last, start) = self.place(frames);
        for (plane, offset) in buffers.present().iter().zip([start, start + self.stride]) {
            encoder.copy_buffer_to_buffer(last, offset, plane, 0, plane_bytes);
        }
        let half_bytes = (frames / 2 + 1) * 2 * self.stride;
        encoder.copy_buffer_to_buffer(&self.even, 0, &self.readback, 0, half_bytes);
        encoder.copy_buffer_to_buffer(&self.odd, 0, &self.readback, half_bytes, half_bytes);
        gpu.queue.submit([encoder.finish()]);
        if frames > 0 {
            // The last generation but one is in the film, not in the other planes.
            buffers.forget_last(gpu);
        }

        let words: Vec<u32> = map(gpu, &self.readback, 2 * half_bytes, |bytes| {
            bytemuck::cast_slice(bytes).to_vec()
        })?;
        let (even, odd) = words.split_at((half_bytes / 4) as usize);
        for frame in 1..=frames {
            let half = if frame.is_multiple_of(2) { even } else { odd };
            let planes = [0, 1].map(|plane| {
                let start = ((frame / 2 * 2 + plane) * self.stride / 4) as usize;
                half[start..start + self.size.plane_words()].to_vec()
            });
            let [alive, blue] = planes;
            boards.push(buffers.board(gpu, alive, blue)?);
        }
        Ok(())
    }
}
