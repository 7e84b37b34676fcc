//! Buffers and bind groups, and moving words in and out of buffers.

use std::ops::Range;
use std::sync::mpsc;
use std::time::Duration;

use super::commands::Commands;
use super::device::Gpu;
use super::pipelines::Kernel;
use crate::engine::EngineError;

/// Bytes copied to or from the device at a time, to bound the memory of the copy.
const TRANSFER_BYTES: u64 = 64 << 20;

/// Bytes up to which what is written is not submitted on its own.
const UNSUBMITTED_BYTES: usize = 1 << 20;

/// How long a callback may take once the work it waits for is done.
const CALLBACK_TIME: Duration = Duration::from_secs(10);

/// A buffer the host can read.
pub(super) fn readback_buffer(gpu: &Gpu, bytes: u64) -> wgpu::Buffer {
    let usage = wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST;
    buffer(gpu, "readback", bytes, usage)
}

/// Waits for a submission that has written to a readback buffer, and hands its first `bytes` to `take`.
pub(super) fn map<T>(
    gpu: &Gpu,
    submission: wgpu::SubmissionIndex,
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
    gpu.wait(Some(submission))?;
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
        // Submitting frees the staging memory of one part before the next is written. Little is left to
        // the next submission.
        if size_of_val(part) > UNSUBMITTED_BYTES {
            gpu.queue.submit([]);
        }
    }
}

/// Bytes of a buffer on the device, whole words.
pub(super) type BufferRange<'a> = (&'a wgpu::Buffer, Range<u64>);

/// Reads sources back, as many together as [`TRANSFER_BYTES`] allow, and passes what each holds to `take`
/// with the number of the source: in parts if it is larger, first to last.
pub(super) fn download(
    gpu: &Gpu,
    sources: &[BufferRange<'_>],
    mut take: impl FnMut(usize, &[u32]),
) -> Result<(), EngineError> {
    let total: u64 = sources
        .iter()
        .map(|(_, bytes)| bytes.end - bytes.start)
        .sum();
    let capacity = total.min(TRANSFER_BYTES);
    let readback = gpu.checked(|| readback_buffer(gpu, capacity))?;
    let mut parts: Vec<(usize, Range<u64>)> = Vec::new();
    let mut filled = 0;
    let mut flush = |parts: &mut Vec<(usize, Range<u64>)>| {
        let mut commands = Commands::new(gpu);
        let mut end = 0;
        for (number, bytes) in &*parts {
            let length = bytes.end - bytes.start;
            let (buffer, _) = sources[*number];
            commands.copy(buffer, bytes.clone(), &readback, end);
            end += length;
        }
        let submission = commands.submit(gpu);
        map(gpu, submission, &readback, end, |bytes| {
            let mut words: &[u32] = bytemuck::cast_slice(bytes);
            for (number, bytes) in parts.drain(..) {
                let (part, rest) = words.split_at(((bytes.end - bytes.start) / 4) as usize);
                take(number, part);
                words = rest;
            }
        })
    };
    for (number, (_, bytes)) in sources.iter().enumerate() {
        let mut start = bytes.start;
        while start < bytes.end {
            let end = bytes.end.min(start + capacity - filled);
            parts.push((number, start..end));
            filled += end - start;
            start = end;
            if filled == capacity {
                flush(&mut parts)?;
                filled = 0;
            }
        }
    }
    match parts.is_empty() {
        true => Ok(()),
        false => flush(&mut parts),
    }
}
