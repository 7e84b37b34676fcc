//! Several generations in one pass over the board: `shaders/stream.wgsl`.
//!
//! A pass reads and writes every word once, whatever the number of its generations. Its kernel is
//! made when a board that is large enough has to be stepped that far.

use super::GpuEngine;
use super::buffers::{Buffers, uniform};
use super::device::Gpu;
use super::family::{Shaded, Threads};
use super::kernel::Kernel;
use super::layout::Stream;
use crate::board::Size;
use crate::engine::EngineError;

/// Cells of a board from which passes are worth the time their kernels take to be made.
const LEAST_CELLS: u64 = 1 << 20;

/// Generations of a pass on a software adapter, where every access to memory is slow, and on a card,
/// where memory has caught up with four.
const SOFTWARE_PASS: u32 = 8;
const HARDWARE_PASS: u32 = 4;

/// Rows of a strip, at most: for every strip a pass computes some rows of its neighbours. Loops of
/// Mesa's llvmpipe have 65,535 turns.
const MOST_STRIP_ROWS: u32 = 1024;

/// Rows of a strip, at least.
const LEAST_STRIP_ROWS: u32 = 32;

/// Threads below which strips are cut shorter: a software adapter has few that could be idle.
const SOFTWARE_THREADS: u32 = 1 << 9;
const HARDWARE_THREADS: u32 = 1 << 17;

/// A compiled pass over the boards of some buffers.
pub(super) struct Pass {
    pub(super) generations: u32,
    kernel: Kernel,
    /// Workgroups in x and y.
    groups: [u32; 2],
    /// Reads the set of planes at the index and writes the other.
    bind_groups: [wgpu::BindGroup; 2],
}

impl Pass {
    fn new<R: Shaded>(
        gpu: &Gpu,
        buffers: &Buffers<R>,
        ruleset: R,
        stream: &Stream,
        strip_rows: Option<u32>,
        kernel: Kernel,
    ) -> Self {
        let size = buffers.size;
        let subgroup = gpu.subgroup().unwrap_or(1);
        let tile_threads = if stream.subgroups { subgroup } else { 1 };
        let columns = (R::row_words(size) as u32).div_ceil(stream.own_words(subgroup));
        let rows = strip_rows.unwrap_or_else(|| {
            let threads = match gpu.is_software() {
                true => SOFTWARE_THREADS,
                false => HARDWARE_THREADS,
            };
            let strips = threads.div_ceil(columns.saturating_mul(tile_threads));
            let rows = size.height().div_ceil(strips.max(1));
            rows.clamp(LEAST_STRIP_ROWS, MOST_STRIP_ROWS)
        });
        let threads = Threads {
            strip_rows: rows,
            // A pass is computed as a whole.
            range: 0..0,
        };
        let strips = u64::from(size.height().div_ceil(rows));
        let groups = (u64::from(columns) * strips * u64::from(tile_threads))
            .div_ceil(stream.program.workgroup.into());
        let most = u64::from(gpu.limits().max_compute_workgroups_per_dimension);
        let x = groups.clamp(1, most);
        let params = uniform(gpu, "stream params", &ruleset.params(size, &threads));
        Self {
            generations: stream.generations,
            groups: [x as u32, groups.div_ceil(x) as u32],
            bind_groups: buffers.other_step_groups(gpu, &kernel, &params),
            kernel,
        }
    }

    /// Records the pass.
    fn encode<R: Shaded>(&self, encoder: &mut wgpu::CommandEncoder, buffers: &Buffers<R>) {
        let mut pass = encoder.begin_compute_pass(&Default::default());
        pass.set_pipeline(&self.kernel.pipeline);
        pass.set_bind_group(0, &self.bind_groups[buffers.parity], &[]);
        let [x, y] = self.groups;
        pass.dispatch_workgroups(x, y, 1);
    }
}

impl<R: Shaded> GpuEngine<R> {
    /// Records a pass over the present board, the longest that is shorter than `left` generations,
    /// and tells how many it computes: none if they are better computed one by one.
    ///
    /// The last generation is never computed in a pass, so that the one before it is remembered.
    pub(super) fn encode_pass(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        left: u64,
    ) -> Result<u64, EngineError> {
        let Some(stream) = self.longest_stream(left)? else {
            return Ok(0);
        };
        let generations = stream.generations;
        if !self
            .passes
            .iter()
            .any(|pass| pass.generations == generations)
        {
            let made = self.make_pass(stream)?;
            self.passes.extend(made);
        }
        let mut passes = self.passes.iter();
        let Some(pass) = passes.find(|pass| pass.generations == generations) else {
            return Ok(0);
        };
        let buffers = self.buffers.as_mut().ok_or(EngineError::NothingLoaded)?;
        buffers.poison_next(encoder);
        pass.encode(encoder, buffers);
        buffers.flip();
        Ok(generations.into())
    }

    /// Generations of the longest pass over the present board; 0 if there is none.
    pub(super) fn longest_pass(&self) -> u64 {
        let takes = |buffers: &Buffers<R>| self.ruleset.stream_constants(buffers.size).is_some();
        match self.longest_stream(u64::MAX) {
            Ok(Some(stream)) if self.buffers.as_ref().is_some_and(takes) => {
                stream.generations.into()
            }
            _ => 0,
        }
    }

    fn longest_stream(&self, left: u64) -> Result<Option<&'static Stream>, EngineError> {
        let most = self.most_in_a_pass(self.buffers()?.size);
        let subgroups = self.uses_subgroup_streams();
        let streams = R::STREAMS.iter().filter(|stream| {
            let generations = stream.generations;
            stream.subgroups == subgroups && generations <= most && u64::from(generations) < left
        });
        Ok(streams.max_by_key(|stream| stream.generations))
    }

    /// A software adapter has subgroups, but what they exchange goes through its memory.
    fn uses_subgroup_streams(&self) -> bool {
        let is_worth_it = self.pass.is_some() || !self.gpu().is_software();
        is_worth_it && !self.portable && self.gpu().subgroup().is_some()
    }

    fn most_in_a_pass(&self, size: Size) -> u32 {
        match self.pass {
            Some(asked) => asked,
            None if size.cells() < LEAST_CELLS => 1,
            None if self.gpu().is_software() => SOFTWARE_PASS,
            None => HARDWARE_PASS,
        }
    }

    /// `None` if the program does not take boards of this size.
    fn make_pass(&self, stream: &'static Stream) -> Result<Option<Pass>, EngineError> {
        let gpu = self.gpu();
        let buffers = self.buffers()?;
        let Some(constants) = self.ruleset.stream_constants(buffers.size) else {
            return Ok(None);
        };
        let kernel = self.kernels.stream(stream, constants)?;
        let (ruleset, rows) = (self.ruleset, self.strip_rows);
        let made = gpu.checked(|| Pass::new(gpu, buffers, ruleset, stream, rows, kernel))?;
        Ok(Some(made))
    }
}
