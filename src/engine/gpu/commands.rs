//! The commands of a submission.

use std::ops::Range;

use super::device::Gpu;

/// Commands that are recorded, to be submitted together.
///
/// Dispatches that follow each other share a compute pass: wgpu makes two command buffers of each
/// pass, and keeps them for later submissions, which reset all of them.
pub(super) struct Commands {
    /// Open after a dispatch.
    pass: Option<wgpu::ComputePass<'static>>,
    encoder: wgpu::CommandEncoder,
}

impl Commands {
    pub(super) fn new(gpu: &Gpu) -> Self {
        Self {
            pass: None,
            encoder: gpu.device.create_command_encoder(&Default::default()),
        }
    }

    /// The compute pass in which dispatches are recorded.
    pub(super) fn compute(&mut self) -> &mut wgpu::ComputePass<'static> {
        let encoder = &mut self.encoder;
        self.pass.get_or_insert_with(|| {
            let pass = encoder.begin_compute_pass(&Default::default());
            // It ends before the encoder is used again.
            pass.forget_lifetime()
        })
    }

    fn encoder(&mut self) -> &mut wgpu::CommandEncoder {
        self.pass = None;
        &mut self.encoder
    }

    /// Records a copy of bytes to another buffer, from byte `at` on.
    pub(super) fn copy(
        &mut self,
        from: &wgpu::Buffer,
        bytes: Range<u64>,
        to: &wgpu::Buffer,
        at: u64,
    ) {
        let length = bytes.end - bytes.start;
        self.encoder()
            .copy_buffer_to_buffer(from, bytes.start, to, at, length);
    }

    /// Records that bytes of a buffer are set to 0.
    pub(super) fn clear(&mut self, buffer: &wgpu::Buffer, bytes: Range<u64>) {
        let length = bytes.end - bytes.start;
        self.encoder()
            .clear_buffer(buffer, bytes.start, Some(length));
    }

    /// Submits what was recorded.
    pub(super) fn submit(self, gpu: &Gpu) -> wgpu::SubmissionIndex {
        let Self { pass, encoder } = self;
        drop(pass);
        gpu.queue.submit([encoder.finish()])
    }
}
