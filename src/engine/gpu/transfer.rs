//! Buffers and bind groups, and moving words in and out of buffers.

use std::ops::Range;
use std::sync::mpsc;
use std::time::Duration;

use super::device::Gpu;
use super::pipelines::Kernel;
use crate::engine::EngineError;

/// Bytes copied to or from the device at a time, to bound the memory of the copy.
const TRANSFER_BYTES: u64 = 64 << 20;

/// How long a callback may take once the work it waits for is done.
const CALLBACK_TIME: Duration = Duration::from_secs(10);

/// A buffer the host can read.
pub(super) fn readback_buffer(gpu: &Gpu, bytes: u64) -> wgpu::Buffer {
    let usage = wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST;
    buffer(gpu, "readback", bytes, usage)
}

/// Waits for the work submitted so far and hands the first `bytes` of a readback buffer to `take`.
pub(super) fn map<T>(
    gpu: &Gpu,
    readback: &wgpu::Buffer,
    bytes: u64,
    take: impl FnOnce(&[u8]) -> T,
) -> Result<T, EngineError> {
    let slice = readback.slice(..bytes);
    let (sender, receiver) = mpsc::channel();
    slice.map_async(wgpu::MapMode::Read, move |result| {
        // The receiver is gone only if waiting failed, and then that error is reported.
        let _ = sender.send(result);
    });
    gpu.wait(None)?;
    // Another thread that waits on the same device may be the one that calls back, a moment later.
    match receiver.recv_timeout(CALLBACK_TIME) {
        Ok(Ok(())) => {}
        Ok(Err(error)) => return Err(gpu.error(&error.to_string())),
        Err(_) => return Err(gpu.error("a readback did not finish")),
    }
    let view = slice
        .get_mapped_range()
        .map_err(|error| gpu.error(&error.to_string()))?;
    let taken = take(&view);
    drop(view);
    readback.unmap();
    Ok(taken)
}

/// The usages of planes: computing, and copying in and out.
pub(super) fn plane_usage() -> wgpu::BufferUsages {
    wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST
}

pub(super) fn buffer(gpu: &Gpu, label: &str, size: u64, usage: wgpu::BufferUsages) -> wgpu::Buffer {
    gpu.device.create_buffer(&wgpu::BufferDescriptor {
        label: Some(label),
        size,
        usage,
        mapped_at_creation: false,
    })
}

pub(super) fn uniform(gpu: &Gpu, label: &str, bytes: &[u8]) -> wgpu::Buffer {
    let usage = wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST;
    let uniform = buffer(gpu, label, bytes.len() as u64, usage);
    gpu.queue.write_buffer(&uniform, 0, bytes);
    uniform
}

pub(super) fn bind(
    gpu: &Gpu,
    kernel: &Kernel,
    resources: Vec<wgpu::BindingResource<'_>>,
) -> wgpu::BindGroup {
    let entries: Vec<wgpu::BindGroupEntry<'_>> = (0..)
        .zip(resources)
        .map(|(binding, resource)| wgpu::BindGroupEntry { binding, resource })
        .collect();
    gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: None,
        layout: &kernel.bindings,
        entries: &entries,
    })
}

/// Writes words of a plane from a byte on, a part at a time.
pub(super) fn upload(gpu: &Gpu, plane: &wgpu::Buffer, offset: u64, words: &[u32]) {
    for (part, offset) in words
        .chunks((TRANSFER_BYTES / 4) as usize)
        .zip((offset..).step_by(TRANSFER_BYTES as usize))
    {
        gpu.queue
            .write_buffer(plane, offset, bytemuck::cast_slice(part));
        // Submitting frees the staging memory of one part before the next is written.
        gpu.queue.submit([]);
    }
}

/// Appends what these bytes of a plane hold to `read`, a part at a time.
pub(super) fn download(
    gpu: &Gpu,
    plane: &wgpu::Buffer,
    bytes: Range<u64>,
    read: &mut Vec<u32>,
) -> Result<(), EngineError> {
    let part_bytes = (bytes.end - bytes.start).min(TRANSFER_BYTES);
    let readback = gpu.checked(|| readback_buffer(gpu, part_bytes))?;
    for offset in bytes.clone().step_by(TRANSFER_BYTES as usize) {
        let length = part_bytes.min(bytes.end - offset);
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        encoder.copy_buffer_to_buffer(plane, offset, &readback, 0, length);
        gpu.queue.submit([encoder.finish()]);
        map(gpu, &readback, length, |bytes| {
            read.extend_from_slice(bytemuck::cast_slice(bytes));
        })?;
    }
    Ok(())
}
