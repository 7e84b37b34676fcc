//! What is prepared once for a board and dispatched many times: a kernel, its uniforms and its bind
//! groups, for each way in which several generations are computed in one dispatch.

use super::active_blocks::ActiveBlocks;
use super::buffers::Buffers;
use super::commands::Commands;
use super::device::Gpu;
use super::family::GpuFamily;
use super::grid::Threads;
use super::kernels::pass::{PassParams, PassProgram};
use super::kernels::single_workgroup::{MAX_WORDS, SingleWorkgroupParams, WORKGROUP_SIZE};
use super::kernels::stats::STATS_STRIDE;
use super::options::Options;
use super::pipelines::Kernel;
use super::tiling::Tiling;
use super::transfer::uniform;
use crate::board::Size;

/// A pass over a band.
pub(super) struct Pass {
    pub(super) generations: u32,
    kernel: Kernel,
    /// All tiles, and the active blocks only.
    whole: Work,
    active: Work,
}

/// What a pass dispatches.
struct Work {
    /// Workgroups in x and y.
    groups: [u32; 2],
    /// By which of the dirty bits are written, and by which set of planes is read; the other is written.
    bind_groups: [[wgpu::BindGroup; 2]; 2],
}

impl Pass {
    pub(super) fn new<R: GpuFamily>(
        gpu: &Gpu,
        buffers: &Buffers<R>,
        ruleset: R,
        program: &PassProgram,
        blocks: &ActiveBlocks,
        kernel: Kernel,
    ) -> Self {
        let (band, tiling) = (&buffers.band, &blocks.tiling);
        let work = |only_active: bool, rows: u32| {
            let params = PassParams {
                strip_rows: rows,
                only_active: only_active.into(),
                ..tiling.params(ruleset, band)
            };
            let params = uniform(gpu, "pass params", bytemuck::bytes_of(&params));
            let bind_groups = [0, 1].map(|current| {
                let others = [&blocks.list, &blocks.dirty[current]];
                let others = others.map(wgpu::Buffer::as_entire_binding);
                buffers.other_step_groups(gpu, &kernel, &params, &others)
            });
            Work {
                groups: tiling.groups(gpu, band.size, rows, program.program.workgroup),
                bind_groups,
            }
        };
        Self {
            generations: program.generations,
            whole: work(false, tiling.strip_rows),
            active: work(true, tiling.block_rows),
            kernel,
        }
    }

    /// Records the pass, over all tiles or over the active blocks only.
    pub(super) fn encode(
        &self,
        commands: &mut Commands,
        parity: usize,
        current: usize,
        only_active: bool,
    ) {
        let work = match only_active {
            true => &self.active,
            false => &self.whole,
        };
        let pass = commands.compute();
        pass.set_pipeline(self.kernel.pipeline());
        let group = &work.bind_groups[current][parity];
        pass.set_bind_group(0, group, &[]);
        let [x, y] = work.groups;
        pass.dispatch_workgroups(x, y, 1);
    }
}

/// A pass over a band with the statistics of its generations.
pub(super) struct StatsPass {
    pub(super) generations: u32,
    kernel: Kernel,
    /// Workgroups in x and y.
    groups: [u32; 2],
    /// By whether passes after a settled generation compute nothing, and by which set of planes is
    /// read; the other is written.
    bind_groups: [[wgpu::BindGroup; 2]; 2],
}

impl StatsPass {
    pub(super) fn new<R: GpuFamily>(
        gpu: &Gpu,
        buffers: &Buffers<R>,
        ruleset: R,
        program: &PassProgram,
        options: &Options,
        stats: &wgpu::Buffer,
        kernel: Kernel,
    ) -> Self {
        let band = &buffers.band;
        let tiling = Tiling::new::<R>(gpu, band.size, program, program.generations, options);
        // The statistics of the generation before the first, and those that are written.
        let stats = wgpu::BindingResource::Buffer(wgpu::BufferBinding {
            buffer: stats,
            offset: 0,
            size: wgpu::BufferSize::new((1 + u64::from(program.new_stats())) * STATS_STRIDE),
        });
        let bind_groups = [false, true].map(|until_settled| {
            let params = PassParams {
                until_settled: until_settled.into(),
                ..tiling.params(ruleset, band)
            };
            let params = uniform(gpu, "stats pass params", bytemuck::bytes_of(&params));
            buffers.other_step_groups(gpu, &kernel, &params, std::slice::from_ref(&stats))
        });
        Self {
            generations: program.generations,
            groups: tiling.groups(gpu, band.size, tiling.strip_rows, program.program.workgroup),
            bind_groups,
            kernel,
        }
    }

    /// Records the pass. `slot` is that of the statistics of the generation before the first one
    /// whose statistics the pass writes.
    pub(super) fn encode(
        &self,
        commands: &mut Commands,
        parity: usize,
        until_settled: bool,
        slot: u64,
    ) {
        let group = &self.bind_groups[usize::from(until_settled)][parity];
        let pass = commands.compute();
        pass.set_pipeline(self.kernel.pipeline());
        pass.set_bind_group(0, group, &[(slot * STATS_STRIDE) as u32]);
        let [x, y] = self.groups;
        pass.dispatch_workgroups(x, y, 1);
    }
}

/// Many generations of a board that fits into a workgroup.
pub(super) struct SingleWorkgroup {
    kernel: Kernel,
    /// The generations of the next submission.
    params: wgpu::Buffer,
    /// Reads the set of planes at the index and writes the other.
    bind_groups: [wgpu::BindGroup; 2],
}

impl SingleWorkgroup {
    pub(super) const fn kernel(&self) -> &Kernel {
        &self.kernel
    }

    pub(super) fn new<R: GpuFamily>(
        gpu: &Gpu,
        buffers: &Buffers<R>,
        ruleset: R,
        kernel: Kernel,
    ) -> Self {
        let size = buffers.band.size;
        let threads = Threads {
            strip_rows: strip_rows(R::row_words(size) as u32, size.height()),
            // One workgroup computes all of the board.
            range: 0..0,
        };
        let board = uniform(
            gpu,
            "single workgroup board",
            &ruleset.step_params(&buffers.band, &threads),
        );
        let params = SingleWorkgroupParams { generations: 0 };
        let params = uniform(gpu, "single workgroup params", bytemuck::bytes_of(&params));
        let others = [params.as_entire_binding()];
        Self {
            bind_groups: buffers.other_step_groups(gpu, &kernel, &board, &others),
            kernel,
            params,
        }
    }

    /// Records a dispatch of `generations` generations: one per submission, since all have the same
    /// uniforms.
    pub(super) fn encode(
        &self,
        gpu: &Gpu,
        commands: &mut Commands,
        parity: usize,
        generations: u32,
    ) {
        let params = SingleWorkgroupParams { generations };
        gpu.queue
            .write_buffer(&self.params, 0, bytemuck::bytes_of(&params));
        let pass = commands.compute();
        pass.set_pipeline(self.kernel.pipeline());
        pass.set_bind_group(0, &self.bind_groups[parity], &[]);
        pass.dispatch_workgroups(1, 1, 1);
    }
}

/// Rows of a strip for which a workgroup has enough threads.
fn strip_rows(row_words: u32, height: u32) -> u32 {
    height.div_ceil((WORKGROUP_SIZE / row_words).max(1))
}

/// Whether a board fits into a workgroup.
pub(super) fn fits_workgroup<R: GpuFamily>(size: Size) -> bool {
    R::row_words(size) <= WORKGROUP_SIZE as usize && R::plane_words(size) <= MAX_WORDS as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::gpu::kernels::single_workgroup::MAX_STRIP_ROWS;
    use crate::rules::LifelikeRuleset;

    #[test]
    fn strips_of_every_board_that_fits_are_short_enough() {
        let mut most = 0;
        for row_words in 1..=WORKGROUP_SIZE {
            let height = MAX_WORDS / row_words;
            let size = Size::new(32 * u64::from(row_words), height.into()).unwrap();
            assert!(fits_workgroup::<LifelikeRuleset>(size));
            let rows = strip_rows(row_words, height);
            let strips = height.div_ceil(rows);
            assert!(strips * row_words <= WORKGROUP_SIZE, "{size}");
            most = most.max(rows);
        }
        assert_eq!(most, MAX_STRIP_ROWS);
        let fits =
            |width, height| fits_workgroup::<LifelikeRuleset>(Size::new(width, height).unwrap());
        assert!(fits(256, 256) && !fits(256, 257) && !fits(257, 256));
        assert!(fits(8192, 8) && !fits(8193, 1));
    }
}
