//! Generations of which nothing is observed: `shaders/lifelike/step.wgsl`,
//! `shaders/rezolution/step.wgsl`, and passes where they are faster.
//!
//! Work is submitted in pieces of bounded time, so that a driver's watchdog never sees a long one and
//! an interrupt is noticed; the next piece is recorded while the last one runs.

use web_time::Instant;

use crate::engine::EngineError;
use crate::engine::gpu::active_blocks::ActiveBlocks;
use crate::engine::gpu::commands::Commands;
use crate::engine::gpu::context::Stepper;
use crate::engine::gpu::dispatch::SingleWorkgroup;
use crate::engine::gpu::family::GpuFamily;
use crate::engine::gpu::plan::{self, UnobservedPlan};
use crate::engine::gpu::proof::Trial;

impl<R: GpuFamily> Stepper<'_, R> {
    /// Computes generations. If `keep_history`, the last one is a single step, so that the planes of
    /// the one before it remain.
    pub(in crate::engine::gpu) fn run_unobserved(
        &mut self,
        generations: u64,
        keep_history: bool,
    ) -> Result<(), EngineError> {
        let mut left = generations;
        let mut running: Option<(u64, wgpu::SubmissionIndex)> = None;
        let mut since = Instant::now();
        while left > 0 {
            let mut commands = self.context.commands();
            let batch = self.encode_unobserved(&mut commands, left, keep_history)?;
            let submission = commands.submit(self.context.gpu());
            self.state.blocks().for_each(ActiveBlocks::begin_readback);
            if let Some((batch, submission)) = running.replace((batch, submission)) {
                self.context.gpu().wait(Some(submission))?;
                self.state.blocks().for_each(ActiveBlocks::end_readback);
                self.pace(batch, since.elapsed());
                since = Instant::now();
            }
            left -= batch;
        }
        if let Some((batch, submission)) = running {
            self.context.gpu().wait(Some(submission))?;
            self.state.blocks().for_each(ActiveBlocks::end_readback);
            self.pace(batch, since.elapsed());
        }
        Ok(())
    }

    /// Records some of the `left` generations, about a batch. Returns how many.
    fn encode_unobserved(
        &mut self,
        commands: &mut Commands,
        left: u64,
        keep_history: bool,
    ) -> Result<u64, EngineError> {
        let facts = self.context.facts(self.state);
        let is_ready = &mut |program| self.is_pass_ready(program);
        let plan = plan::unobserved(&facts, left, keep_history, is_ready)?;
        let (at_once, single) = match plan {
            UnobservedPlan::SingleWorkgroup {
                generations,
                single,
            } => {
                self.encode_single_workgroup(commands, generations)?;
                (generations, single)
            }
            UnobservedPlan::Passes { passes, single } => {
                let mut generations = 0;
                for pass in &passes {
                    self.encode_pass(commands, pass)?;
                    generations += u64::from(pass.generations);
                }
                if generations > 0 {
                    self.encode_share(commands);
                }
                (generations, single)
            }
        };
        for _ in 0..single {
            self.encode_step(commands);
        }
        Ok(at_once + single)
    }

    /// Computes generations one by one, so that the planes of the last but one remain.
    pub(super) fn step_singly(&mut self, generations: u64) -> Result<(), EngineError> {
        let mut commands = self.context.commands();
        for _ in 0..generations {
            self.encode_step(&mut commands);
        }
        let gpu = self.context.gpu();
        gpu.wait(Some(commands.submit(gpu)))
    }

    /// Records one generation.
    pub(super) fn encode_step(&mut self, commands: &mut Commands) {
        self.state.encode_halos(commands, self.state.parity);
        self.state.poison_next(commands);
        let pass = commands.compute();
        pass.set_pipeline(self.context.step.pipeline());
        for band in &self.state.bands {
            let [x, y] = band.buffers.grid.groups;
            pass.set_bind_group(0, &band.buffers.step_groups[self.state.parity], &[]);
            pass.dispatch_workgroups(x, y, 1);
        }
        self.state.flip();
    }

    /// Records generations in one workgroup.
    fn encode_single_workgroup(
        &mut self,
        commands: &mut Commands,
        generations: u64,
    ) -> Result<(), EngineError> {
        if self.state.single_workgroup.is_none() {
            let ruleset = self.context.ruleset;
            let (Some(program), Some(buffers)) = (R::SINGLE_WORKGROUP, self.state.whole()) else {
                return Err(EngineError::NothingLoaded);
            };
            self.context.prove(&Trial::single_workgroup(program))?;
            let constants = ruleset.step_constants();
            let kernel =
                self.context
                    .kernels
                    .kernel(program, constants, self.context.options.form)?;
            let gpu = self.context.gpu();
            let made = gpu.checked(|| SingleWorkgroup::new(gpu, buffers, ruleset, kernel))?;
            self.state.single_workgroup = Some(made);
        }
        self.state.poison_next(commands);
        if let Some(made) = &self.state.single_workgroup {
            let gpu = self.context.gpu();
            made.encode(gpu, commands, self.state.parity, generations as u32);
        }
        self.state.flip();
        // These were many generations, not one after a pass.
        self.state.since_pass = None;
        Ok(())
    }
}
