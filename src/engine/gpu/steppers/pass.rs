//! Several generations in one pass over the board: `shaders/lifelike/pass.wgsl`,
//! `shaders/rezolution/pass.wgsl`.
//!
//! A pass reads and writes every word once, whatever the number of its generations. Its kernel is
//! made when a board that is large enough has to be stepped that far. Where most blocks of a board
//! are idle a pass computes the active ones only.

use crate::engine::EngineError;
use crate::engine::gpu::active_blocks::{ActiveBlocks, Known};
use crate::engine::gpu::commands::Commands;
use crate::engine::gpu::context::Stepper;
use crate::engine::gpu::dispatch::Pass;
use crate::engine::gpu::family::GpuFamily;
use crate::engine::gpu::kernels::active_blocks::ACTIVE_BLOCKS;
use crate::engine::gpu::kernels::pass::PassProgram;
use crate::engine::gpu::pipelines::Kernel;
use crate::engine::gpu::program::Form;
use crate::engine::gpu::proof::{Trial, Way};
use crate::engine::gpu::state::BandState;
use crate::engine::gpu::tiling::Tiling;

impl<R: GpuFamily> Stepper<'_, R> {
    /// Records a pass over the present board.
    pub(super) fn encode_pass(
        &mut self,
        commands: &mut Commands,
        program: &'static PassProgram,
    ) -> Result<(), EngineError> {
        self.make_blocks(program)?;
        self.make_passes(program)?;
        let only_active = self.context.options.only_active;
        let state = &mut *self.state;
        state.encode_halos(commands, state.parity);
        state.poison_next(commands);
        let (parity, since_pass) = (state.parity, state.since_pass);
        for band in &mut state.bands {
            encode_band(band, commands, program, parity, since_pass, only_active)?;
        }
        state.flip_pass();
        Ok(())
    }

    /// Whether a pass can be computed now: its kernel is compiled, or an explicit length of passes waits
    /// for it. Otherwise it may be requested.
    pub(super) fn is_pass_ready(&self, program: &'static PassProgram) -> Result<bool, EngineError> {
        let mut bands = self.state.bands.iter();
        Ok(bands.all(|band| pass_of(band, program).is_some())
            || self.pass_kernel(program)?.is_some())
    }

    /// The kernel of a pass. An explicit length of passes waits until it is compiled; otherwise single
    /// generations are computed meanwhile, and it is `None`.
    pub(super) fn pass_kernel(
        &self,
        program: &'static PassProgram,
    ) -> Result<Option<Kernel>, EngineError> {
        let (context, options) = (&*self.context, &self.context.options);
        let Some(values) = self.state.pass_constants(context.ruleset) else {
            return Ok(None);
        };
        let form = match (options.form, options.pass) {
            (None, Some(_)) => Some(Form::General),
            (form, _) => form,
        };
        if form.is_some() {
            let kernel = context.kernels.kernel(&program.program, values, form);
            return kernel.map(Some);
        }
        // Shorter passes, for what is left at the end of a run, are not worth the compilation.
        let longest = context.facts(self.state).most_generations_per_pass();
        let is_wanted = program.generations >= longest && context.lasts();
        context.kernels.ready_pass(program, values, is_wanted)
    }

    /// Records the readback of how many blocks are active.
    pub(super) fn encode_share(&mut self, commands: &mut Commands) {
        if !self.state.is_poisoned() {
            self.state
                .blocks()
                .for_each(|blocks| blocks.encode_share(commands));
        }
    }

    /// Makes sure that the blocks of every band are those of the program's tiles.
    fn make_blocks(&mut self, program: &'static PassProgram) -> Result<(), EngineError> {
        let longest = self.context.facts(self.state).longest_pass(u64::MAX);
        let most = longest.map_or(program.generations, |longest| longest.generations);
        let (gpu, edges) = (self.context.gpu(), self.context.ruleset.edges());
        let options = &self.context.options;
        let trial = Trial::pass::<R>(Way::ActiveBlocks, program, self.state.size);
        for state in &mut self.state.bands {
            let band = &state.buffers.band;
            let tiling = Tiling::new::<R>(gpu, band.size, program, most, options);
            let blocks = state.blocks.as_ref();
            if blocks.is_some_and(|blocks| blocks.tiling == tiling) {
                continue;
            }
            self.context.prove(&trial)?;
            let kernel = self
                .context
                .kernels
                .kernel(&ACTIVE_BLOCKS, Vec::new(), None)?;
            let blocks = gpu.checked(|| ActiveBlocks::new(gpu, band, edges, tiling, kernel))?;
            state.passes.clear();
            state.blocks = Some(blocks);
            self.state.since_pass = None;
        }
        Ok(())
    }

    /// Makes sure that every band has such a pass.
    fn make_passes(&mut self, program: &'static PassProgram) -> Result<(), EngineError> {
        if self
            .state
            .bands
            .iter()
            .all(|band| pass_of(band, program).is_some())
        {
            return Ok(());
        }
        let trial = Trial::pass::<R>(Way::Pass, program, self.state.size);
        self.context.prove(&trial)?;
        let ruleset = self.context.ruleset;
        let Some(kernel) = self.pass_kernel(program)? else {
            return Err(EngineError::NothingLoaded);
        };
        let gpu = self.context.gpu();
        for band in &mut self.state.bands {
            if let (None, Some(blocks)) = (pass_of(band, program), &band.blocks) {
                let (buffers, kernel) = (&band.buffers, kernel.clone());
                let made =
                    gpu.checked(|| Pass::new(gpu, buffers, ruleset, program, blocks, kernel))?;
                band.passes.push(made);
            }
        }
        Ok(())
    }
}

/// The pass of a program over a band, if it is made.
fn pass_of<'a, R: GpuFamily>(band: &'a BandState<R>, program: &PassProgram) -> Option<&'a Pass> {
    let mut passes = band.passes.iter();
    passes.find(|pass| pass.generations == program.generations)
}

/// Records the part of a pass that computes a band.
fn encode_band<R: GpuFamily>(
    band: &mut BandState<R>,
    commands: &mut Commands,
    program: &PassProgram,
    parity: usize,
    since_pass: Option<u64>,
    only_active: bool,
) -> Result<(), EngineError> {
    let is_made = |pass: &&Pass| pass.generations == program.generations;
    let (Some(pass), Some(blocks)) = (band.passes.iter().find(is_made), &mut band.blocks) else {
        return Err(EngineError::NothingLoaded);
    };
    let known = match band.buffers.is_poisoned() {
        // A block that is left out would be poison.
        true => Known::Nothing,
        false => blocks.known(since_pass),
    };
    let only_active = only_active || known != Known::Nothing && blocks.are_few();
    if only_active {
        if known == Known::Copied {
            band.buffers.copy_planes(commands, parity);
        }
        blocks.encode_list(commands, known);
        blocks.current = 1 - blocks.current;
    }
    pass.encode(commands, parity, blocks.current, only_active);
    blocks.was_partial = only_active;
    Ok(())
}
