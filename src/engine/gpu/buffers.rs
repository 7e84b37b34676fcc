//! The buffers of one board, and moving boards in and out of them.
//!
//! Both planes exist twice. A generation reads the pair at `parity` and writes the other.

use std::sync::mpsc;
use std::time::Duration;

use super::device::Gpu;
use super::kernel::{Kernel, Kernels};
use super::layout::{CensusParams, STEP, StepParams, TALLIES, TALLY_STRIDE, Tally};
use crate::board::hash::seed_words;
use crate::board::{Board, Size};
use crate::engine::{EngineError, POISON};
use crate::rules::{Ruleset, Ties};

/// Bytes copied to or from the device at a time, to bound the memory of the copy.
const TRANSFER_BYTES: u64 = 64 << 20;

/// How long a callback may take once the work it waits for is done.
const CALLBACK_TIME: Duration = Duration::from_secs(10);

/// Threads below which strips are cut shorter: about what fills a large card.
const MANY_THREADS: u64 = 1 << 16;

/// How a generation is spread over threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Grid {
    pub(super) strip_rows: u32,
    strips: u32,
    /// Workgroups in x and y.
    pub(super) groups: [u32; 2],
}

impl Grid {
    /// A long strip reuses more row sums, a short one keeps more threads busy.
    fn new(size: Size, strip_rows: Option<u32>, max_groups: u32) -> Self {
        let threads = |rows: u32| size.row_words() as u64 * u64::from(size.height().div_ceil(rows));
        let strip_rows = strip_rows.unwrap_or(if threads(16) >= MANY_THREADS { 16 } else { 4 });
        let groups = threads(strip_rows).div_ceil(u64::from(STEP.workgroup));
        let columns = groups.min(u64::from(max_groups));
        Self {
            strip_rows,
            strips: size.height().div_ceil(strip_rows),
            groups: [columns as u32, groups.div_ceil(columns) as u32],
        }
    }
}

/// Buffers and bind groups for boards of one size.
pub(super) struct Buffers {
    pub(super) size: Size,
    pub(super) grid: Grid,
    /// Which pair of planes holds the present generation.
    pub(super) parity: usize,
    planes: [[wgpu::Buffer; 2]; 2],
    pub(super) step_params: wgpu::Buffer,
    /// Reads the pair of planes at the index and writes the other.
    pub(super) step_groups: [wgpu::BindGroup; 2],
    /// Reads the pair of planes at the index.
    pub(super) census_groups: [wgpu::BindGroup; 2],
    /// [`TALLIES`] of them, numbered from 1. Number 0 stands for a generation that is not settled.
    pub(super) tallies: wgpu::Buffer,
    /// A plane of [`POISON`] words, if asked for.
    poison: Option<wgpu::Buffer>,
}

/// What a [`Buffers`] is made for.
pub(super) struct Request<'a> {
    pub(super) ruleset: Ruleset,
    pub(super) size: Size,
    pub(super) strip_rows: Option<u32>,
    pub(super) poisoned: bool,
    pub(super) step: &'a Kernel,
}

impl Buffers {
    /// Checks the size against the device's limits, then allocates.
    pub(super) fn new(kernels: &Kernels, request: &Request<'_>) -> Result<Self, EngineError> {
        let gpu = kernels.gpu();
        let size = request.size;
        if size.plane_bytes() > gpu.largest_plane() {
            return Err(EngineError::TooLarge {
                size,
                needed: size.plane_bytes(),
                limit: gpu.largest_plane(),
                adapter: gpu.name().into(),
            });
        }
        let max_groups = gpu.limits().max_compute_workgroups_per_dimension;
        let grid = Grid::new(size, request.strip_rows, max_groups);
        gpu.checked(|| {
            let plane = |label| buffer(gpu, label, size.plane_bytes(), plane_usage());
            let planes = [
                [plane("alive 0"), plane("blue 0")],
                [plane("alive 1"), plane("blue 1")],
            ];
            let [seed_low, seed_high] = match request.ruleset.ties {
                Ties::Seeded(seed) => seed_words(seed),
                _ => [0; 2],
            };
            let step_params = uniform(
                gpu,
                "step params",
                &StepParams {
                    width: size.width(),
                    height: size.height(),
                    row_words: size.row_words() as u32,
                    strip_rows: grid.strip_rows,
                    strips: grid.strips,
                    seed_low,
                    seed_high,
                    padding: 0,
                },
            );
            let census_params = uniform(
                gpu,
                "census params",
                &CensusParams {
                    words: size.plane_words() as u32,
                    padding: [0; 3],
                },
            );
            let tallies_bytes = (TALLIES + 1) * TALLY_STRIDE;
            let tallies = buffer(gpu, "tallies", tallies_bytes, plane_usage());
            let unsettled = Tally {
                alive: [2, 0],
                blue: [1, 0],
                differs_from_last: 1,
                differs_from_second_last: 1,
            };
            gpu.queue
                .write_buffer(&tallies, 0, bytemuck::bytes_of(&unsettled));
            let poison = request.poisoned.then(|| {
                let poison = plane("poison");
                upload(gpu, &poison, &vec![POISON; size.plane_words()]);
                poison
            });
            let tally = wgpu::BindingResource::Buffer(wgpu::BufferBinding {
                buffer: &tallies,
                offset: 0,
                size: wgpu::BufferSize::new(size_of::<Tally>() as u64),
            });
            let whole = wgpu::Buffer::as_entire_binding;
            let step_groups = [0, 1].map(|parity: usize| {
                let ([alive, blue], [next_alive, next_blue]) =
                    (&planes[parity], &planes[1 - parity]);
                let resources = [&step_params, alive, blue, next_alive, next_blue].map(whole);
                bind(gpu, request.step, resources)
            });
            let census_groups = [0, 1].map(|parity: usize| {
                let [params, alive, blue] =
                    [&census_params, &planes[parity][0], &planes[parity][1]].map(whole);
                bind(gpu, kernels.census(), [params, alive, blue, tally.clone()])
            });
            Self {
                size,
                grid,
                parity: 0,
                planes,
                step_params,
                step_groups,
                census_groups,
                tallies,
                poison,
            }
        })
    }

    /// Copies a board of the same size to the device.
    pub(super) fn load(&mut self, gpu: &Gpu, board: &Board) -> Result<(), EngineError> {
        self.parity = 0;
        let [alive, blue] = &self.planes[0];
        gpu.checked(|| {
            upload(gpu, alive, board.alive());
            upload(gpu, blue, board.blue());
            self.forget_last(gpu);
        })?;
        gpu.wait(None)
    }

    /// Makes sure that the planes of the last generation equal no board: they get a cell that is
    /// blue but not alive.
    pub(super) fn forget_last(&self, gpu: &Gpu) {
        let [alive, blue] = &self.planes[1 - self.parity];
        gpu.queue.write_buffer(alive, 0, bytemuck::bytes_of(&0u32));
        gpu.queue.write_buffer(blue, 0, bytemuck::bytes_of(&1u32));
    }

    /// Bind groups for stepping under watch: each reads the pair of planes at its index, writes the
    /// other and the tally at the dynamic offset plus one stride.
    pub(super) fn watch_groups(
        &self,
        gpu: &Gpu,
        watch: &Kernel,
    ) -> Result<[wgpu::BindGroup; 2], EngineError> {
        let tallies = wgpu::BindingResource::Buffer(wgpu::BufferBinding {
            buffer: &self.tallies,
            offset: 0,
            size: wgpu::BufferSize::new(TALLY_STRIDE + size_of::<Tally>() as u64),
        });
        gpu.checked(|| {
            [0, 1].map(|parity: usize| {
                let ([alive, blue], [next_alive, next_blue]) =
                    (&self.planes[parity], &self.planes[1 - parity]);
                let planes = [&self.step_params, alive, blue, next_alive, next_blue];
                let [params, alive, blue, next_alive, next_blue] =
                    planes.map(wgpu::Buffer::as_entire_binding);
                bind(
                    gpu,
                    watch,
                    [params, alive, blue, next_alive, next_blue, tallies.clone()],
                )
            })
        })
    }

    /// Copies the present board from the device.
    pub(super) fn read(&self, gpu: &Gpu) -> Result<Board, EngineError> {
        let [alive, blue] = self.present();
        let words = self.size.plane_words();
        self.board(
            gpu,
            download(gpu, alive, words)?,
            download(gpu, blue, words)?,
        )
    }

    /// Checks what came back from the device.
    pub(super) fn board(
        &self,
        gpu: &Gpu,
        alive: Vec<u32>,
        blue: Vec<u32>,
    ) -> Result<Board, EngineError> {
        Board::from_planes(self.size, alive, blue).map_err(|source| EngineError::Damaged {
            adapter: gpu.name().into(),
            source,
        })
    }

    /// The alive and the blue plane of the present generation.
    pub(super) fn present(&self) -> &[wgpu::Buffer; 2] {
        &self.planes[self.parity]
    }

    /// Records the poisoning of the planes the next generation is written to, if it is asked for.
    pub(super) fn poison_next(&self, encoder: &mut wgpu::CommandEncoder) {
        if let Some(poison) = &self.poison {
            for plane in &self.planes[1 - self.parity] {
                encoder.copy_buffer_to_buffer(poison, 0, plane, 0, self.size.plane_bytes());
            }
        }
    }

    /// Whether output planes are poisoned.
    pub(super) fn is_poisoned(&self) -> bool {
        self.poison.is_some()
    }
}

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

/// What planes are used for: computing, and copying in and out.
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

pub(super) fn uniform(gpu: &Gpu, label: &str, params: &impl bytemuck::NoUninit) -> wgpu::Buffer {
    let bytes = bytemuck::bytes_of(params);
    let usage = wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST;
    let uniform = buffer(gpu, label, bytes.len() as u64, usage);
    gpu.queue.write_buffer(&uniform, 0, bytes);
    uniform
}

pub(super) fn bind<const N: usize>(
    gpu: &Gpu,
    kernel: &Kernel,
    resources: [wgpu::BindingResource<'_>; N],
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

/// Writes all words of a plane, a part at a time.
pub(super) fn upload(gpu: &Gpu, plane: &wgpu::Buffer, words: &[u32]) {
    for (part, offset) in words
        .chunks((TRANSFER_BYTES / 4) as usize)
        .zip((0..).step_by(TRANSFER_BYTES as usize))
    {
        gpu.queue
            .write_buffer(plane, offset, bytemuck::cast_slice(part));
        // Submitting frees the staging memory of one part before the next is written.
        gpu.queue.submit([]);
    }
}

/// Reads all words of a plane, a part at a time.
pub(super) fn download(
    gpu: &Gpu,
    plane: &wgpu::Buffer,
    words: usize,
) -> Result<Vec<u32>, EngineError> {
    let bytes = words as u64 * 4;
    let part_bytes = bytes.min(TRANSFER_BYTES);
    let readback = gpu.checked(|| readback_buffer(gpu, part_bytes))?;
    let mut read = Vec::with_capacity(words);
    for offset in (0..bytes).step_by(TRANSFER_BYTES as usize) {
        let length = part_bytes.min(bytes - offset);
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        encoder.copy_buffer_to_buffer(plane, offset, &readback, 0, length);
        gpu.queue.submit([encoder.finish()]);
        map(gpu, &readback, length, |bytes| {
            read.extend_from_slice(bytemuck::cast_slice(bytes));
        })?;
    }
    Ok(read)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dispatches_past_65535_groups_go_two_dimensional_and_cover_all_strips() {
        let sizes = [
            (1, 1),
            (8, 600_000),
            (600_000, 8),
            (1, 5_000_000),
            (65_536, 65_536),
            (131_072, 131_071),
        ];
        for (width, height) in sizes {
            for strip_rows in [None, Some(1), Some(16)] {
                let size = Size::new(width, height).unwrap();
                let grid = Grid::new(size, strip_rows, 65_535);
                let [x, y] = grid.groups;
                assert!(x <= 65_535 && y <= 65_535, "{size}: {grid:?}");
                let threads = u64::from(x) * u64::from(y) * u64::from(STEP.workgroup);
                assert!(threads >= size.row_words() as u64 * u64::from(grid.strips));
                assert!(threads <= 1 << 32, "thread indices are 32 bits: {size}");
                assert!(u64::from(grid.strips) * u64::from(grid.strip_rows) >= height);
            }
        }
    }
}
