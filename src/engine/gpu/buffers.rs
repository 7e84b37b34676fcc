//! The buffers of one band of a board, and moving boards in and out of them.
//!
//! The planes that a generation writes exist twice. It reads the set at one parity, 0 or 1, and writes
//! the other.

use std::marker::PhantomData;

use super::bands::Band;
use super::commands::Commands;
use super::device::Gpu;
use super::family::GpuFamily;
use super::grid::Grid;
use super::kernels::stats::{STATS_STRIDE, StatsFlags};
use super::pipelines::Kernel;
use super::transfer::{BufferRange, bind, buffer, plane_usage, uniform, upload};
use crate::engine::POISON;

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
        let grid = Grid::new(
            [R::columns(size) as u32, size.height()],
            allocation.strip_rows,
            R::STEP_PROGRAMS.step.workgroup,
            max_groups,
            gpu.is_software(),
        );
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
            &allocation.ruleset.step_params(&band, &grid.whole()),
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

    /// The band's own rows of each plane at `parity`.
    pub(super) fn own_rows(&self, parity: usize) -> impl Iterator<Item = BufferRange<'_>> {
        let rows = self.band.own_rows();
        let [start, end] = [rows.start, rows.end].map(|row| u64::from(row) * self.row_bytes());
        let planes = self.planes[parity].iter();
        planes.map(move |plane| (plane, start..end))
    }

    /// Bytes of a row of a plane that every generation writes anew.
    pub(super) fn row_bytes(&self) -> u64 {
        4 * R::row_words(self.band.size) as u64
    }

    /// Records that the set of planes which is not at `parity` gets what the one at `parity` holds.
    pub(super) fn copy_planes(&self, commands: &mut Commands, parity: usize) {
        let bytes = R::plane_bytes(self.band.size);
        for (now, next) in self.planes[parity].iter().zip(&self.planes[1 - parity]) {
            commands.copy(now, 0..bytes, next, 0);
        }
    }

    /// The set of planes at `parity`.
    pub(super) fn planes(&self, parity: usize) -> &[wgpu::Buffer] {
        &self.planes[parity]
    }

    /// Records the poisoning of the set of planes at `parity`, if output planes are poisoned.
    pub(super) fn poison(&self, commands: &mut Commands, parity: usize) {
        if let Some(poison) = &self.poison {
            for plane in &self.planes[parity] {
                let bytes = R::plane_bytes(self.band.size);
                commands.copy(poison, 0..bytes, plane, 0);
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
        size: wgpu::BufferSize::new(STATS_STRIDE + R::STEP_PROGRAMS.stats_bytes() as u64),
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
