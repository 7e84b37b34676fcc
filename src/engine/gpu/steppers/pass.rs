//! Several generations in one pass over the board: `shaders/lifelike/pass.wgsl`.
//!
//! A pass reads and writes every word once, whatever the number of its generations. Its kernel is
//! made when a board that is large enough has to be stepped that far. Where most of a board stands
//! still a pass computes only the blocks that do not (`still`).

use crate::board::Size;
use crate::engine::EngineError;
use crate::engine::gpu::GpuEngine;
use crate::engine::gpu::buffers::{Buffers, uniform};
use crate::engine::gpu::device::Gpu;
use crate::engine::gpu::family::{GpuFamily, Tiling};
use crate::engine::gpu::kernels::Form;
use crate::engine::gpu::kernels::active_blocks::{Blocks, Known, REMEMBERED, dispatch_groups};
use crate::engine::gpu::kernels::pass::PassProgram;
use crate::engine::gpu::options::Options;
use crate::engine::gpu::pipelines::Kernel;
use crate::engine::gpu::state::{Held, Loaded};
use crate::engine::gpu::tune::Tuning;

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

/// Rows of a block, at most: a change wakes all of a block, and some rows of its neighbours are
/// computed for it.
const MOST_BLOCK_ROWS: u32 = 64;

/// Threads below which strips are cut shorter: a software adapter has few that could be idle.
const SOFTWARE_THREADS: u32 = 1 << 9;
const HARDWARE_THREADS: u32 = 1 << 17;

/// A compiled pass over the boards of some buffers.
pub(in crate::engine::gpu) struct Pass {
    generations: u32,
    kernel: Kernel,
    /// All tiles, and the blocks of a list.
    whole: Work,
    listed: Work,
}

/// What a pass dispatches.
struct Work {
    /// Workgroups in x and y.
    groups: [u32; 2],
    /// By which of the changes are noted, and by which set of planes is read; the other is written.
    bind_groups: [[wgpu::BindGroup; 2]; 2],
}

impl Tiling {
    /// Tiles for a stream whose passes have up to `most_generations`.
    pub(in crate::engine::gpu) fn new<R: GpuFamily>(
        gpu: &Gpu,
        size: Size,
        stream: &PassProgram,
        most_generations: u32,
        options: &Options,
    ) -> Self {
        let tile_threads = match (stream.subgroups, gpu.subgroup()) {
            (true, Some(subgroup)) => {
                // A workgroup may be smaller than the subgroups of the device.
                let most = subgroup.min(stream.program.workgroup);
                options.tile_threads.unwrap_or(most).clamp(1, most)
            }
            _ => 1,
        };
        // Subgroups have a power of two.
        let tile_threads = 1 << tile_threads.ilog2();
        let own_words = stream.own_words(tile_threads);
        let columns = (R::row_words(size) as u32).div_ceil(own_words);
        let rows = match options.strip_rows {
            Some(rows) => rows.clamp(1, MOST_STRIP_ROWS),
            None => {
                let threads = match gpu.is_software() {
                    true => SOFTWARE_THREADS,
                    false => HARDWARE_THREADS,
                };
                let strips = threads.div_ceil(columns.saturating_mul(tile_threads));
                let rows = size.height().div_ceil(strips.max(1));
                rows.clamp(LEAST_STRIP_ROWS, MOST_STRIP_ROWS)
            }
        };
        let block_rows = rows.min(MOST_BLOCK_ROWS);
        Self {
            tile_threads,
            own_words,
            own_cells: own_words * R::WORD_CELLS,
            columns,
            strip_rows: rows.next_multiple_of(block_rows),
            block_rows,
            reach: most_generations + REMEMBERED as u32,
        }
    }

    /// Workgroups for strips of so many rows.
    pub(in crate::engine::gpu) fn groups(
        &self,
        gpu: &Gpu,
        size: Size,
        rows: u32,
        workgroup: u32,
    ) -> [u32; 2] {
        let strips = u64::from(size.height().div_ceil(rows));
        let tiles = u64::from(self.columns) * strips;
        let threads = tiles * u64::from(self.tile_threads);
        dispatch_groups(gpu.most_groups(), threads, workgroup)
    }
}

impl Pass {
    fn new<R: GpuFamily>(
        gpu: &Gpu,
        buffers: &Buffers<R>,
        ruleset: R,
        stream: &PassProgram,
        blocks: &Blocks,
        kernel: Kernel,
    ) -> Self {
        let (band, tiling) = (&buffers.band, &blocks.tiling);
        let work = |listed: bool, rows: u32| {
            let params = ruleset.stream_params(band, tiling, listed);
            let params = uniform(gpu, "stream params", &params);
            let bind_groups = [0, 1].map(|current| {
                let others = [&blocks.list, &blocks.changes[current]];
                let others = others.map(wgpu::Buffer::as_entire_binding);
                buffers.other_step_groups(gpu, &kernel, &params, &others)
            });
            Work {
                groups: tiling.groups(gpu, band.size, rows, stream.program.workgroup),
                bind_groups,
            }
        };
        Self {
            generations: stream.generations,
            whole: work(false, tiling.strip_rows),
            listed: work(true, tiling.block_rows),
            kernel,
        }
    }

    /// Records the pass, over all tiles or over the blocks of a list.
    fn encode(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        parity: usize,
        current: usize,
        listed: bool,
    ) {
        let work = if listed { &self.listed } else { &self.whole };
        let mut pass = encoder.begin_compute_pass(&Default::default());
        pass.set_pipeline(self.kernel.pipeline());
        let group = &work.bind_groups[current][parity];
        pass.set_bind_group(0, group, &[]);
        let [x, y] = work.groups;
        pass.dispatch_workgroups(x, y, 1);
    }
}

impl<R: GpuFamily> GpuEngine<R> {
    /// Records a pass over the present board, the longest of at most `most` generations, and tells how
    /// many it computes: none if they are better computed one by one.
    pub(in crate::engine::gpu) fn encode_pass(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        most: u64,
    ) -> Result<u64, EngineError> {
        let Some(stream) = self.longest_stream(most)? else {
            return Ok(0);
        };
        if self.stream_constants()?.is_none() {
            // The program does not take boards of this size.
            return Ok(0);
        }
        self.make_blocks(stream)?;
        if !self.make_passes(stream)? {
            return Ok(0);
        }
        let by_blocks = self.options.by_blocks;
        let loaded = self.loaded_mut()?;
        loaded.encode_halos(encoder, loaded.parity);
        loaded.poison_next(encoder);
        let (parity, since_pass) = (loaded.parity, loaded.since_pass);
        for held in &mut loaded.bands {
            held.encode_pass(encoder, stream, parity, since_pass, by_blocks)?;
        }
        loaded.flip_pass();
        Ok(stream.generations.into())
    }

    /// Values of the overrides of passes, the same for all bands; `None` if they do not take bands of
    /// this size.
    pub(in crate::engine::gpu) fn stream_constants(&self) -> Result<Option<Vec<u32>>, EngineError> {
        let bands = self.loaded()?.bands.iter();
        let constants = bands.map(|held| self.ruleset.stream_constants(held.buffers.band.size));
        let constants: Option<Vec<Vec<u32>>> = constants.collect();
        Ok(constants.and_then(|mut all| all.pop()))
    }

    /// Records that the host is told how many blocks are active.
    pub(in crate::engine::gpu) fn encode_share(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
    ) -> Result<(), EngineError> {
        let loaded = self.loaded_mut()?;
        if !loaded.is_poisoned() {
            loaded
                .blocks()
                .for_each(|blocks| blocks.encode_share(encoder));
        }
        Ok(())
    }

    /// The share of the board that the last passes had to compute, as far as they have told; `None` if
    /// that is not known.
    pub fn active_share(&self) -> Option<f64> {
        self.loaded.as_ref().and_then(Loaded::active_share)
    }

    /// Generations of the longest pass over the present board; 0 if there is none.
    pub(in crate::engine::gpu) fn longest_pass(&self) -> u64 {
        match (self.longest_stream(u64::MAX), self.stream_constants()) {
            (Ok(Some(stream)), Ok(Some(_))) => stream.generations.into(),
            _ => 0,
        }
    }

    /// The kernel of a pass: whoever asks for passes waits until it is compiled, others compute single
    /// generations meanwhile and get `None`.
    pub(in crate::engine::gpu) fn pass_kernel(
        &self,
        pass: &'static PassProgram,
    ) -> Result<Option<Kernel>, EngineError> {
        let Some(values) = self.stream_constants()? else {
            return Ok(None);
        };
        let form = match (self.options.form, self.options.pass) {
            (None, Some(_)) => Some(Form::General),
            (form, _) => form,
        };
        if form.is_some() {
            return self.kernels.kernel(&pass.program, values, form).map(Some);
        }
        // Shorter passes, for what is left at the end of a run, are not worth the compilation.
        let is_longest = pass.generations >= self.most_in_a_pass(self.loaded()?.size);
        let is_wanted = is_longest && self.lasts();
        self.kernels.ready_pass(pass, values, is_wanted)
    }

    fn longest_stream(&self, most: u64) -> Result<Option<&'static PassProgram>, EngineError> {
        let suits = self.most_in_a_pass(self.loaded()?.size);
        let subgroups = self.uses_subgroup_streams();
        let streams = R::STREAMS.iter().filter(|stream| {
            let generations = stream.generations;
            stream.subgroups == subgroups && generations <= suits && u64::from(generations) <= most
        });
        Ok(streams.max_by_key(|stream| stream.generations))
    }

    /// A software adapter has subgroups, but what they exchange goes through its memory.
    pub(in crate::engine::gpu) fn uses_subgroup_streams(&self) -> bool {
        let is_worth_it = match (self.options.pass, self.tuning()) {
            // Whoever asks for passes gets what a card has.
            (Some(_), _) => true,
            (None, Some(tuning)) => tuning.subgroups,
            (None, None) => !self.gpu().is_software(),
        };
        is_worth_it && !self.options.portable && self.gpu().subgroup().is_some()
    }

    /// What was measured on this device, if it was.
    fn tuning(&self) -> Option<Tuning> {
        self.kernels.tuning(self.ruleset.circuits()?)
    }

    pub(in crate::engine::gpu) fn most_in_a_pass(&self, size: Size) -> u32 {
        match self.options.pass {
            Some(asked) => asked,
            None if size.cells() < LEAST_CELLS => 1,
            None => match self.tuning() {
                Some(tuning) => tuning.generations,
                None if self.gpu().is_software() => SOFTWARE_PASS,
                None => HARDWARE_PASS,
            },
        }
    }

    /// Makes sure that the blocks of every band are those of the stream's tiles.
    fn make_blocks(&mut self, stream: &PassProgram) -> Result<(), EngineError> {
        let longest = self.longest_stream(u64::MAX)?;
        let most = longest.map_or(stream.generations, |longest| longest.generations);
        let (gpu, edges) = (self.kernels.gpu(), self.ruleset.edges());
        let loaded = self.loaded.as_mut().ok_or(EngineError::NothingLoaded)?;
        for held in &mut loaded.bands {
            let band = &held.buffers.band;
            let tiling = Tiling::new::<R>(gpu, band.size, stream, most, &self.options);
            if held
                .blocks
                .as_ref()
                .is_some_and(|blocks| blocks.tiling == tiling)
            {
                continue;
            }
            let kernel = self.kernels.active()?;
            let blocks = gpu.checked(|| Blocks::new(gpu, band, edges, tiling, kernel))?;
            held.passes.clear();
            held.blocks = Some(blocks);
            loaded.since_pass = None;
        }
        Ok(())
    }

    /// Makes sure that every band has such a pass. Returns whether they have: its kernel may not be ready.
    fn make_passes(&mut self, stream: &'static PassProgram) -> Result<bool, EngineError> {
        let is_made = |held: &Held<R>| held.pass(stream).is_some();
        if self.loaded()?.bands.iter().all(is_made) {
            return Ok(true);
        }
        let Some(kernel) = self.pass_kernel(stream)? else {
            return Ok(false);
        };
        let (gpu, ruleset) = (self.kernels.gpu(), self.ruleset);
        let loaded = self.loaded.as_mut().ok_or(EngineError::NothingLoaded)?;
        for held in &mut loaded.bands {
            if let (None, Some(blocks)) = (held.pass(stream), &held.blocks) {
                let (buffers, kernel) = (&held.buffers, kernel.clone());
                let made =
                    gpu.checked(|| Pass::new(gpu, buffers, ruleset, stream, blocks, kernel))?;
                held.passes.push(made);
            }
        }
        Ok(true)
    }
}

impl<R: GpuFamily> Held<R> {
    fn pass(&self, stream: &PassProgram) -> Option<&Pass> {
        let mut passes = self.passes.iter();
        passes.find(|pass| pass.generations == stream.generations)
    }

    /// Records the part of a pass that computes this band.
    fn encode_pass(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        stream: &PassProgram,
        parity: usize,
        since_pass: Option<u64>,
        by_blocks: bool,
    ) -> Result<(), EngineError> {
        let is_made = |pass: &&Pass| pass.generations == stream.generations;
        let (Some(pass), Some(blocks)) = (self.passes.iter().find(is_made), &mut self.blocks)
        else {
            return Err(EngineError::NothingLoaded);
        };
        let known = match self.buffers.is_poisoned() {
            // A block that is left out would be poison.
            true => Known::Nothing,
            false => blocks.known(since_pass),
        };
        let listed = by_blocks || known != Known::Nothing && blocks.are_still();
        if listed {
            if known == Known::Copied {
                self.buffers.copy_planes(encoder, parity);
            }
            blocks.encode_list(encoder, known);
            blocks.current = 1 - blocks.current;
        }
        pass.encode(encoder, parity, blocks.current, listed);
        blocks.was_listed = listed;
        Ok(())
    }
}
