//! The buffers of one band of a board, and moving boards in and out of them.
//!
//! The planes that a generation writes exist twice. It reads the set at one parity, 0 or 1, and writes
//! the other.

use std::marker::PhantomData;
use std::ops::Range;
use std::sync::mpsc;
use std::time::Duration;

use super::bands::Band;
use super::device::Gpu;
use super::family::{GpuFamily, Threads};
use super::kernels::stats::{STATS_STRIDE, StatsFlags};
use super::pipelines::Kernel;
use crate::board::Size;
use crate::engine::{EngineError, POISON};

/// Bytes copied to or from the device at a time, to bound the memory of the copy.
const TRANSFER_BYTES: u64 = 64 << 20;

/// How long a callback may take once the work it waits for is done.
const CALLBACK_TIME: Duration = Duration::from_secs(10);

/// Threads below which strips are cut shorter: about what fills a large card.
const MANY_THREADS: u64 = 1 << 16;

/// How generations are spread over threads, one for each column of a strip of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Grid {
    strip_rows: u32,
    /// Threads of a whole generation.
    pub(super) threads: u32,
    workgroup: u32,
    max_groups: u32,
    /// Workgroups in x and y of a whole generation.
    pub(super) groups: [u32; 2],
}

impl Grid {
    /// A long strip reuses more row sums, a short one keeps more threads busy. A software adapter has
    /// few threads that could be idle.
    fn new<R: GpuFamily>(
        size: Size,
        strip_rows: Option<u32>,
        max_groups: u32,
        software: bool,
    ) -> Self {
        let columns = R::columns(size) as u64;
        let threads = |rows: u32| columns * u64::from(size.height().div_ceil(rows));
        let rows = strip_rows.unwrap_or(match software {
            true => 32,
            false if threads(16) >= MANY_THREADS => 16,
            false => 4,
        });
        let mut grid = Self {
            strip_rows: rows,
            threads: threads(rows) as u32,
            workgroup: R::PROGRAMS.step.workgroup,
            max_groups,
            groups: [0; 2],
        };
        grid.groups = grid.groups_of(&grid.whole());
        grid
    }

    /// All threads of a generation.
    pub(super) fn whole(&self) -> Threads {
        self.part(0..self.threads)
    }

    /// Some of them.
    pub(super) fn part(&self, range: Range<u32>) -> Threads {
        Threads {
            strip_rows: self.strip_rows,
            range,
        }
    }

    /// Workgroups in x and y of a dispatch of some threads.
    pub(super) fn groups_of(&self, threads: &Threads) -> [u32; 2] {
        let groups = (threads.range.len() as u32).div_ceil(self.workgroup).max(1);
        let columns = groups.min(self.max_groups);
        [columns, groups.div_ceil(columns)]
    }
}

/// Buffers and bind groups for one band of a board.
pub(super) struct Buffers<R: GpuFamily> {
    family: PhantomData<R>,
    pub(super) band: Band,
    pub(super) grid: Grid,
    planes: [Vec<wgpu::Buffer>; 2],
    /// The planes that no generation changes.
    pub(super) fixed: Vec<wgpu::Buffer>,
    pub(super) params: wgpu::Buffer,
    /// Reads the set of planes at the index and writes the other.
    pub(super) step_groups: [wgpu::BindGroup; 2],
    /// The same, and the slot one stride after the dynamic offset is written.
    pub(super) stats_groups: [wgpu::BindGroup; 2],
    /// A plane of [`POISON`] words, if output planes are poisoned.
    poison: Option<wgpu::Buffer>,
}

/// What the buffers of a band are allocated for.
pub(super) struct Allocation<'a, R> {
    pub(super) ruleset: R,
    pub(super) strip_rows: Option<u32>,
    pub(super) poisoned: bool,
    pub(super) step: &'a Kernel,
    pub(super) census: &'a Kernel,
    /// [`STATS_SLOTS`](super::kernels::stats::STATS_SLOTS) slots.
    pub(super) stats: &'a wgpu::Buffer,
}

impl<R: GpuFamily> Buffers<R> {
    /// Allocates what a band needs.
    pub(super) fn new(gpu: &Gpu, band: Band, allocation: &Allocation<'_, R>) -> Self {
        let size = band.size;
        let max_groups = gpu.most_groups();
        let grid = Grid::new::<R>(size, allocation.strip_rows, max_groups, gpu.is_software());
        let plane = |label: &str| buffer(gpu, label, R::plane_bytes(size), plane_usage());
        let planes = ["planes 0", "planes 1"]
            .map(|label| (0..R::PLANES).map(|_| plane(label)).collect::<Vec<_>>());
        let fixed: Vec<_> = R::fixed_words(size)
            .into_iter()
            .map(|words| buffer(gpu, "fixed plane", 4 * words as u64, plane_usage()))
            .collect();
        let params = uniform(
            gpu,
            "params",
            &allocation.ruleset.params(&band, &grid.whole()),
        );
        let poison = allocation.poisoned.then(|| {
            let poison = plane("poison");
            upload(gpu, &poison, 0, &vec![POISON; R::plane_words(size)]);
            poison
        });
        let all = Planes {
            planes: &planes,
            fixed: &fixed,
        };
        let step_groups = all.groups(gpu, allocation.step, &params, &[]);
        let stats = stats_resource::<R>(allocation.stats);
        let stats_groups = all.groups(gpu, allocation.census, &params, &[stats]);
        Self {
            family: PhantomData,
            band,
            grid,
            planes,
            fixed,
            params,
            step_groups,
            stats_groups,
            poison,
        }
    }

    /// Groups like [`stats_groups`](Self::stats_groups) with other uniforms and slots.
    pub(super) fn other_stats_groups(
        &self,
        gpu: &Gpu,
        census: &Kernel,
        params: &wgpu::Buffer,
        stats: &wgpu::Buffer,
    ) -> [wgpu::BindGroup; 2] {
        let stats = stats_resource::<R>(stats);
        self.other_step_groups(gpu, census, params, &[stats])
    }

    /// Groups like [`step_groups`](Self::step_groups) with other uniforms, and `others` after the
    /// planes.
    pub(super) fn other_step_groups(
        &self,
        gpu: &Gpu,
        kernel: &Kernel,
        params: &wgpu::Buffer,
        others: &[wgpu::BindingResource<'_>],
    ) -> [wgpu::BindGroup; 2] {
        let all = Planes {
            planes: &self.planes,
            fixed: &self.fixed,
        };
        all.groups(gpu, kernel, params, others)
    }

    /// Copies the band's rows of a board to the set of planes at `parity`.
    pub(super) fn load(&self, gpu: &Gpu, board: &R::Board, parity: usize) {
        let planes = self.planes[parity].iter().zip(R::planes(board));
        for (plane, words) in planes.chain(self.fixed.iter().zip(R::fixed_planes(board))) {
            let row_words = words.len() / self.band.board.height() as usize;
            for rows in self.band.rows() {
                let of_board = rows.of_board.start as usize..rows.of_board.end as usize;
                let words = &words[of_board.start * row_words..of_board.end * row_words];
                let offset = 4 * u64::from(rows.in_band) * row_words as u64;
                upload(gpu, plane, offset, words);
            }
        }
    }

    /// Makes sure that the set of planes at `parity` equals no board in the band's own rows.
    pub(super) fn load_no_board(&self, gpu: &Gpu, parity: usize) {
        let offset = u64::from(self.band.own_rows().start) * self.row_bytes();
        for (plane, word) in self.planes[parity].iter().zip(R::NO_BOARD) {
            gpu.queue
                .write_buffer(plane, offset, bytemuck::bytes_of(word));
        }
    }

    /// Appends the band's own rows to the planes of a board.
    pub(super) fn read(
        &self,
        gpu: &Gpu,
        parity: usize,
        board: &mut [Vec<u32>],
    ) -> Result<(), EngineError> {
        let rows = self.band.own_rows();
        let [start, end] = [rows.start, rows.end].map(|row| u64::from(row) * self.row_bytes());
        for (plane, words) in self.planes[parity].iter().zip(board) {
            download(gpu, plane, start..end, words)?;
        }
        Ok(())
    }

    /// Bytes of a row of a plane that every generation writes anew.
    pub(super) fn row_bytes(&self) -> u64 {
        4 * R::row_words(self.band.size) as u64
    }

    /// Records that the set of planes which is not at `parity` gets what the one at `parity` holds.
    pub(super) fn copy_planes(&self, encoder: &mut wgpu::CommandEncoder, parity: usize) {
        let bytes = R::plane_bytes(self.band.size);
        for (now, next) in self.planes[parity].iter().zip(&self.planes[1 - parity]) {
            encoder.copy_buffer_to_buffer(now, 0, next, 0, bytes);
        }
    }

    /// The set of planes at `parity`.
    pub(super) fn planes(&self, parity: usize) -> &[wgpu::Buffer] {
        &self.planes[parity]
    }

    /// Records the poisoning of the set of planes at `parity`, if output planes are poisoned.
    pub(super) fn poison(&self, encoder: &mut wgpu::CommandEncoder, parity: usize) {
        if let Some(poison) = &self.poison {
            for plane in &self.planes[parity] {
                let bytes = R::plane_bytes(self.band.size);
                encoder.copy_buffer_to_buffer(poison, 0, plane, 0, bytes);
            }
        }
    }

    /// Whether output planes are poisoned.
    pub(super) fn is_poisoned(&self) -> bool {
        self.poison.is_some()
    }
}

/// All planes of a board.
struct Planes<'a> {
    planes: &'a [Vec<wgpu::Buffer>; 2],
    fixed: &'a [wgpu::Buffer],
}

impl Planes<'_> {
    /// The group at the index reads that set of planes and writes the other; `others` are bound after
    /// them.
    fn groups(
        &self,
        gpu: &Gpu,
        kernel: &Kernel,
        params: &wgpu::Buffer,
        others: &[wgpu::BindingResource<'_>],
    ) -> [wgpu::BindGroup; 2] {
        [0, 1].map(|parity| {
            let (now, next) = (&self.planes[parity], &self.planes[1 - parity]);
            let buffers = [params]
                .into_iter()
                .chain(now)
                .chain(self.fixed)
                .chain(next);
            let resources = buffers.map(wgpu::Buffer::as_entire_binding);
            bind(
                gpu,
                kernel,
                resources.chain(others.iter().cloned()).collect(),
            )
        })
    }
}

/// The slot at the dynamic offset, of the generation before, and the one after it, which is written.
fn stats_resource<R: GpuFamily>(stats: &wgpu::Buffer) -> wgpu::BindingResource<'_> {
    wgpu::BindingResource::Buffer(wgpu::BufferBinding {
        buffer: stats,
        offset: 0,
        size: wgpu::BufferSize::new(STATS_STRIDE + R::PROGRAMS.stats_bytes() as u64),
    })
}

/// Slots for the statistics of `count` generations, numbered from 1. Slot 0 is that of a generation that
/// is not settled.
pub(super) fn stats_buffer<R: GpuFamily>(gpu: &Gpu, count: u64) -> wgpu::Buffer {
    let stats = buffer(gpu, "statistics", (count + 1) * STATS_STRIDE, plane_usage());
    let mut unsettled: Vec<u8> = bytemuck::cast_slice(R::UNSETTLED).to_vec();
    unsettled.extend(bytemuck::bytes_of(&StatsFlags {
        computed: 1,
        differs_from_last: 1,
        differs_from_second_last: 1,
    }));
    gpu.queue.write_buffer(&stats, 0, &unsettled);
    stats
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{LifelikeRuleset, RezolutionRuleset};

    #[test]
    fn dispatches_past_65535_groups_go_two_dimensional_and_cover_all_strips() {
        check_grids::<LifelikeRuleset>();
        check_grids::<RezolutionRuleset>();
    }

    fn check_grids<R: GpuFamily>() {
        let sizes = [
            (1, 1),
            (8, 600_000),
            (600_000, 8),
            (1, 5_000_000),
            (65_536, 65_536),
            (131_072, 131_071),
        ];
        for (width, height) in sizes {
            let size = Size::new(width, height).unwrap();
            // What one binding holds at most.
            if R::plane_bytes(size) >= 1 << 32 {
                continue;
            }
            let asked = [
                (None, false),
                (None, true),
                (Some(1), false),
                (Some(16), true),
            ];
            for (strip_rows, software) in asked {
                let grid = Grid::new::<R>(size, strip_rows, 65_535, software);
                let [x, y] = grid.groups;
                assert!(x <= 65_535 && y <= 65_535, "{size}: {grid:?}");
                let workgroup = R::PROGRAMS.step.workgroup;
                let threads = u64::from(x) * u64::from(y) * u64::from(workgroup);
                let strips = u64::from(size.height().div_ceil(grid.strip_rows));
                assert_eq!(u64::from(grid.threads), R::columns(size) as u64 * strips);
                assert!(threads >= u64::from(grid.threads));
                assert!(threads <= 1 << 32, "thread indices are 32 bits: {size}");
            }
        }
    }
}
