//! Many generations of a small board in one dispatch: `shaders/lifelike/single_workgroup.wgsl`.
//!
//! On a card the way from one dispatch to the next takes longer than a generation of a small board. So a
//! workgroup takes such a board into its memory and computes generation after generation there.

use super::step::LifelikeStepParams;
use super::{Binding, Program};
use crate::board::Size;
use crate::engine::EngineError;
use crate::engine::gpu::GpuEngine;
use crate::engine::gpu::buffers::{Buffers, uniform};
use crate::engine::gpu::device::Gpu;
use crate::engine::gpu::family::{GpuFamily, Threads};
use crate::engine::gpu::pipelines::Kernel;

/// Many generations of a small board with the Life-like rules.
pub static SINGLE_WORKGROUP: Program = Program {
    name: "lifelike single workgroup",
    file: "lifelike/single_workgroup",
    defines: &[],
    entry_point: "single_workgroup",
    workgroup: WORKGROUP_SIZE,
    // The planes alive and blue, now and next.
    bindings: &[
        Binding::Uniform(&LifelikeStepParams::STRUCTURE),
        Binding::Read,
        Binding::Read,
        Binding::Write,
        Binding::Write,
        Binding::Uniform(&SingleWorkgroupParams::STRUCTURE),
    ],
    overrides: &["BIRTH", "SURVIVAL", "TORUS", "TIES"],
};

/// Threads of the workgroup: all that every device has.
pub const WORKGROUP_SIZE: u32 = 256;

/// Words of each of the two planes of a small board: they fit into the 16 KiB of workgroup memory that
/// every device has.
pub const MAX_WORDS: u32 = 2048;

/// Rows of a strip of a small board, at most.
pub const MAX_STRIP_ROWS: u32 = 15;

uniforms! {
    /// The second uniforms of [`SINGLE_WORKGROUP`].
    pub struct SingleWorkgroupParams {
        /// Generations of the dispatch.
        pub generations: u32,
    }
}

/// What a dispatch over the board of some buffers needs.
pub(in crate::engine::gpu) struct Small {
    kernel: Kernel,
    /// How many generations the next submission computes.
    params: wgpu::Buffer,
    /// Reads the set of planes at the index and writes the other.
    bind_groups: [wgpu::BindGroup; 2],
}

impl Small {
    pub(in crate::engine::gpu) const fn kernel(&self) -> &Kernel {
        &self.kernel
    }

    fn new<R: GpuFamily>(gpu: &Gpu, buffers: &Buffers<R>, ruleset: R, kernel: Kernel) -> Self {
        let size = buffers.band.size;
        let threads = Threads {
            strip_rows: strip_rows(R::row_words(size) as u32, size.height()),
            // A workgroup computes all.
            range: 0..0,
        };
        let board = uniform(gpu, "small board", &ruleset.params(&buffers.band, &threads));
        let params = SingleWorkgroupParams { generations: 0 };
        let params = uniform(gpu, "small params", bytemuck::bytes_of(&params));
        let others = [params.as_entire_binding()];
        Self {
            bind_groups: buffers.other_step_groups(gpu, &kernel, &board, &others),
            kernel,
            params,
        }
    }
}

/// Rows of a strip for which a workgroup has enough threads.
fn strip_rows(row_words: u32, height: u32) -> u32 {
    height.div_ceil((WORKGROUP_SIZE / row_words).max(1))
}

/// Whether a board fits into a workgroup.
pub(in crate::engine::gpu) fn fits<R: GpuFamily>(size: Size) -> bool {
    R::row_words(size) <= WORKGROUP_SIZE as usize && R::plane_words(size) <= MAX_WORDS as usize
}

impl<R: GpuFamily> GpuEngine<R> {
    /// Records all of `left` generations but the last, up to a batch, in one dispatch, and tells how many
    /// these are: none if the board is better computed otherwise. One such dispatch a submission.
    pub(in crate::engine::gpu) fn encode_small(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        left: u64,
    ) -> Result<u64, EngineError> {
        let generations = self.batch.min(left.saturating_sub(1));
        if generations < 2 || !self.takes_small()? {
            return Ok(0);
        }
        let Some((program, constants)) = self.ruleset.small() else {
            return Ok(0);
        };
        let small = match self.small.take() {
            Some(small) => small,
            None => {
                let kernel = self.kernels.kernel(program, constants, self.options.form)?;
                let (gpu, ruleset) = (self.gpu(), self.ruleset);
                let Some(buffers) = self.loaded()?.whole() else {
                    return Ok(0);
                };
                gpu.checked(|| Small::new(gpu, buffers, ruleset, kernel))?
            }
        };
        let params = SingleWorkgroupParams {
            generations: generations as u32,
        };
        let queue = &self.gpu().queue;
        queue.write_buffer(&small.params, 0, bytemuck::bytes_of(&params));
        let loaded = self.loaded()?;
        loaded.poison_next(encoder);
        let mut pass = encoder.begin_compute_pass(&Default::default());
        pass.set_pipeline(small.kernel.pipeline());
        pass.set_bind_group(0, &small.bind_groups[loaded.parity], &[]);
        pass.dispatch_workgroups(1, 1, 1);
        drop(pass);
        self.small = Some(small);
        self.flip()?;
        // These were many generations, not one after a pass.
        self.loaded_mut()?.since_pass = None;
        Ok(generations)
    }

    fn takes_small(&self) -> Result<bool, EngineError> {
        // Whoever asks for passes gets them. On a software adapter one workgroup is one core, and the way
        // from dispatch to dispatch is short.
        let suits = self.options.pass.is_none() && !self.gpu().is_software();
        let is_wanted = self.options.small.unwrap_or(suits);
        let loaded = self.loaded()?;
        Ok(is_wanted && loaded.whole().is_some() && fits::<R>(loaded.size))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::LifelikeRuleset;

    #[test]
    fn strips_of_every_board_that_fits_are_short_enough() {
        let mut most = 0;
        for row_words in 1..=WORKGROUP_SIZE {
            let height = MAX_WORDS / row_words;
            let size = Size::new(32 * u64::from(row_words), height.into()).unwrap();
            assert!(fits::<LifelikeRuleset>(size));
            let rows = strip_rows(row_words, height);
            let strips = height.div_ceil(rows);
            assert!(strips * row_words <= WORKGROUP_SIZE, "{size}");
            most = most.max(rows);
        }
        assert_eq!(most, MAX_STRIP_ROWS);
        let fits = |width, height| fits::<LifelikeRuleset>(Size::new(width, height).unwrap());
        assert!(fits(256, 256) && !fits(256, 257) && !fits(257, 256));
        assert!(fits(8192, 8) && !fits(8193, 1));
    }
}
