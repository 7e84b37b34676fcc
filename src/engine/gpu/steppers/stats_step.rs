//! Generations whose census or statistics are observed, one by one.

use web_time::Instant;

use crate::engine::gpu::commands::Commands;
use crate::engine::gpu::context::{StatsOf, StatsSink, Stepper};
use crate::engine::gpu::family::GpuFamily;
use crate::engine::gpu::kernels::stats::STATS_STRIDE;
use crate::engine::gpu::plan::StatsPlan;
use crate::engine::gpu::stats::DeviceStats;
use crate::engine::gpu::transfer::{map, readback_buffer};
use crate::engine::{CensusOf, EngineError};

impl<R: GpuFamily> Stepper<'_, R> {
    /// Computes generations up to the first that is settled, with statistics.
    pub(in crate::engine::gpu) fn run_stats(
        &mut self,
        generations: u64,
        sink: &mut StatsSink<'_, R>,
    ) -> Result<(), EngineError> {
        let mut left = generations;
        while left > 0 {
            let batch = match self.plan_stats(left, false)? {
                StatsPlan::Passes { .. } => {
                    left = self.run_stats_passes(left, true, sink)?;
                    continue;
                }
                StatsPlan::Steps { generations } => generations,
            };
            let since = Instant::now();
            if self.run_stats_steps(batch, sink)? {
                return Ok(());
            }
            self.pace(batch, since.elapsed());
            left -= batch;
        }
        Ok(())
    }

    /// Computes generations and counts each.
    pub(in crate::engine::gpu) fn run_census(
        &mut self,
        generations: u64,
        sink: &mut dyn FnMut(CensusOf<R::Board>),
    ) -> Result<(), EngineError> {
        let mut left = generations;
        while left > 0 {
            let batch = match self.plan_stats(left, false)? {
                StatsPlan::Passes { .. } => {
                    let sink = &mut |stats: StatsOf<R>| sink(stats.census);
                    left = self.run_stats_passes(left, false, sink)?;
                    continue;
                }
                StatsPlan::Steps { generations } => generations,
            };
            let since = Instant::now();
            let mut commands = self.context.commands();
            self.clear_stats(&mut commands, batch);
            for slot in 1..=batch {
                self.encode_step(&mut commands);
                self.encode_census(&mut commands, slot);
            }
            let stats = self.submit_for_stats(commands, batch)?;
            stats.into_iter().for_each(|stats| sink(stats.census));
            self.pace(batch, since.elapsed());
            left -= batch;
        }
        Ok(())
    }

    /// Counts the present board.
    pub(in crate::engine::gpu) fn census(&mut self) -> Result<CensusOf<R::Board>, EngineError> {
        let mut commands = self.context.commands();
        self.clear_stats(&mut commands, 1);
        self.encode_census(&mut commands, 1);
        let stats = self.submit_for_stats(commands, 1)?;
        Ok(stats[0].census)
    }

    /// Right after a pass the other planes hold the board before it, which must not be taken for the
    /// generation before the present one.
    pub(in crate::engine::gpu) fn forget_stale_history(&mut self) {
        if self.state.since_pass == Some(0) {
            self.state.forget_last(self.context.gpu());
        }
    }

    /// Computes `batch` generations with statistics in one submission, up to the first that is
    /// settled, and waits for them. Returns whether one was.
    pub(super) fn run_stats_steps(
        &mut self,
        batch: u64,
        sink: &mut StatsSink<'_, R>,
    ) -> Result<bool, EngineError> {
        let mut commands = self.context.commands();
        self.clear_stats(&mut commands, batch);
        self.encode_stats_steps(&mut commands, batch)?;
        for stats in self.submit_for_stats(commands, batch)? {
            let stats = stats.generation_stats();
            sink(stats);
            self.state.flip();
            if stats.is_settled() {
                // The rest of the batch has computed nothing.
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Records `batch` generations with statistics in slot 1 and following ones. The present
    /// generation stays the present one until the statistics show how many were computed.
    ///
    /// Output planes are not poisoned here: they hold the second last generation, with which the
    /// new one is compared.
    pub(super) fn encode_stats_steps(
        &mut self,
        commands: &mut Commands,
        batch: u64,
    ) -> Result<(), EngineError> {
        let kernel = self.context.step_with_stats()?;
        let state = &*self.state;
        for last in 0..batch {
            let parity = (state.parity + last as usize) % 2;
            let offset = (last * STATS_STRIDE) as u32;
            // After a settled generation nothing is computed, but halos are those of their own board.
            state.encode_halos(commands, parity);
            let pass = commands.compute();
            pass.set_pipeline(kernel.pipeline());
            for band in &state.bands {
                let [x, y] = band.buffers.grid.groups;
                pass.set_bind_group(0, &band.buffers.stats_groups[parity], &[offset]);
                pass.dispatch_workgroups(x, y, 1);
            }
        }
        Ok(())
    }

    /// Records the count of the present board to a slot, from 1.
    fn encode_census(&self, commands: &mut Commands, slot: u64) {
        let pass = commands.compute();
        pass.set_pipeline(self.context.census.pipeline());
        let offset = ((slot - 1) * STATS_STRIDE) as u32;
        for band in &self.state.bands {
            let [x, y] = band.buffers.grid.groups;
            pass.set_bind_group(0, &band.buffers.stats_groups[self.state.parity], &[offset]);
            pass.dispatch_workgroups(x, y, 1);
        }
    }

    /// Records that the first `count` slots are set to 0.
    pub(super) fn clear_stats(&self, commands: &mut Commands, count: u64) {
        commands.clear(&self.state.stats, STATS_STRIDE..(1 + count) * STATS_STRIDE);
    }

    /// Submits what was recorded, and reads the first `count` slots back.
    pub(super) fn submit_for_stats(
        &self,
        mut commands: Commands,
        count: u64,
    ) -> Result<Vec<DeviceStats<R>>, EngineError> {
        let gpu = self.context.gpu();
        let bytes = count * STATS_STRIDE;
        let readback = gpu.checked(|| readback_buffer(gpu, bytes))?;
        commands.copy(
            &self.state.stats,
            STATS_STRIDE..STATS_STRIDE + bytes,
            &readback,
            0,
        );
        let submission = commands.submit(gpu);
        map(gpu, submission, &readback, bytes, |bytes| {
            let slots = bytes.chunks(STATS_STRIDE as usize);
            slots.map(DeviceStats::from_bytes).collect()
        })
    }
}
