//! Several generations with statistics in one pass over the board.
//!
//! A pass computes the statistics of one generation more than it advances. Those of the first one come
//! from a single step at first, whose board is not kept, and then from the pass before:
//!
//! ```text
//!   single   0 -> 1
//!   pass     0 -------> 1  2  3  4         from 0 to 3: statistics of 2, 3 and 4
//!   pass              3 -------> 4  5  6  7         from 3 to 6: of 5, 6 and 7
//!   single                     6 -> 7               the board of the last statistics
//! ```
//!
//! So two sets of planes are enough. A submission has many passes. Those after a settled generation
//! write nothing, so the board before the pass that has found it is still there to go on from singly.

use web_time::Instant;

use crate::engine::EngineError;
use crate::engine::gpu::context::{StatsOf, StatsSink, Stepper};
use crate::engine::gpu::dispatch::StatsPass;
use crate::engine::gpu::family::GpuFamily;
use crate::engine::gpu::kernels::pass::PassProgram;
use crate::engine::gpu::plan::{self, StatsPlan};
use crate::engine::gpu::proof::{Trial, Way};
use crate::engine::gpu::state::BandState;
use crate::engine::gpu::stats::DeviceStats;

impl<R: GpuFamily> Stepper<'_, R> {
    /// Computes generations in passes, as long as one is short enough for those that are left of
    /// `generations`, or `until_settled` up to the first that is settled. Then the last one whose
    /// statistics the sink has received is present, and the planes of the one before it remain.
    /// Returns how many are left: none if it has ended with a settled one.
    pub(super) fn run_stats_passes(
        &mut self,
        generations: u64,
        until_settled: bool,
        sink: &mut StatsSink<'_, R>,
    ) -> Result<u64, EngineError> {
        let mut left = generations;
        // Whether the statistics of the generation after the present one are known.
        let mut is_ahead = false;
        while let StatsPlan::Passes { passes } = self.plan_stats(left, is_ahead)? {
            let since = Instant::now();
            let stats = self.submit_stats_passes(&passes, is_ahead, until_settled)?;
            let computed = stats.len() as u64;
            let settled = stats.iter().position(|stats| stats.is_settled());
            if let Some(settled) = settled.filter(|_| until_settled) {
                stats.into_iter().take(settled + 1).for_each(sink);
                self.go_to(&passes, is_ahead, settled as u64)?;
                return Ok(0);
            }
            stats.into_iter().for_each(&mut *sink);
            for _ in &passes {
                self.state.flip();
            }
            self.forget_dirty_bits();
            is_ahead = true;
            left -= computed;
            self.pace(computed, since.elapsed());
        }
        if is_ahead {
            self.step_singly(1)?;
        }
        Ok(left)
    }

    /// The next submission of `left` generations.
    pub(super) fn plan_stats(&self, left: u64, is_ahead: bool) -> Result<StatsPlan, EngineError> {
        let facts = self.context.facts(self.state);
        plan::stats(&facts, left, is_ahead, &mut |program| {
            let mut bands = self.state.bands.iter();
            Ok(bands.all(|band| stats_pass_of(band, program).is_some())
                || self.pass_kernel(program)?.is_some())
        })
    }

    /// Submits passes and waits for their statistics. The present board stays the one before the first
    /// of them.
    fn submit_stats_passes(
        &mut self,
        passes: &[&'static PassProgram],
        is_ahead: bool,
        until_settled: bool,
    ) -> Result<Vec<StatsOf<R>>, EngineError> {
        for program in passes {
            self.make_stats_pass(program)?;
        }
        let in_passes = passes.iter().map(|program| u64::from(program.new_stats()));
        let computed = u64::from(!is_ahead) + in_passes.sum::<u64>();
        let mut commands = self.context.commands();
        self.clear_stats(&mut commands, computed);
        if is_ahead {
            self.state.poison_next(&mut commands);
        } else {
            self.encode_stats_steps(&mut commands, 1)?;
        }
        let state = &*self.state;
        let mut slot = u64::from(!is_ahead);
        for (number, program) in passes.iter().enumerate() {
            let parity = (state.parity + number) % 2;
            state.encode_halos(&mut commands, parity);
            for band in &state.bands {
                let Some(made) = stats_pass_of(band, program) else {
                    return Err(EngineError::NothingLoaded);
                };
                made.encode(&mut commands, parity, until_settled, slot);
            }
            slot += u64::from(program.new_stats());
        }
        let stats = self.submit_for_stats(commands, computed)?;
        Ok(stats
            .into_iter()
            .map(DeviceStats::generation_stats)
            .collect())
    }

    /// Makes the first settled board of some passes present; `settled` is its number among their
    /// statistics, from 0.
    fn go_to(
        &mut self,
        passes: &[&'static PassProgram],
        is_ahead: bool,
        settled: u64,
    ) -> Result<(), EngineError> {
        let mut settled = settled;
        if !is_ahead {
            if settled == 0 {
                // The single generation was settled. Its board is there, and no pass has computed.
                self.state.flip();
                return Ok(());
            }
            settled -= 1;
        }
        for program in passes {
            let new_stats = u64::from(program.new_stats());
            if settled < new_stats {
                break;
            }
            settled -= new_stats;
            self.state.flip();
        }
        self.forget_dirty_bits();
        // The first statistics of a pass are those of the second generation after its board.
        self.step_singly(settled + 2)
    }

    /// The dirty bits of the last pass without statistics are void after one with statistics.
    fn forget_dirty_bits(&mut self) {
        self.state.since_pass = None;
    }

    /// Makes sure that every band has such a pass.
    fn make_stats_pass(&mut self, program: &'static PassProgram) -> Result<(), EngineError> {
        let is_made = |band: &BandState<R>| stats_pass_of(band, program).is_some();
        if self.state.bands.iter().all(is_made) {
            return Ok(());
        }
        let trial = Trial::pass::<R>(Way::PassStats, program, self.state.size);
        self.context.prove(&trial)?;
        let ruleset = self.context.ruleset;
        let Some(kernel) = self.pass_kernel(program)? else {
            return Err(EngineError::NothingLoaded);
        };
        let (gpu, options) = (self.context.gpu(), &self.context.options);
        let stats = &self.state.stats;
        for band in &mut self.state.bands {
            if stats_pass_of(band, program).is_none() {
                let (buffers, kernel) = (&band.buffers, kernel.clone());
                let made = gpu.checked(|| {
                    StatsPass::new(gpu, buffers, ruleset, program, options, stats, kernel)
                })?;
                band.stats_passes.push(made);
            }
        }
        Ok(())
    }
}

/// The pass with statistics of a program over a band, if it is made.
fn stats_pass_of<'a, R: GpuFamily>(
    band: &'a BandState<R>,
    program: &PassProgram,
) -> Option<&'a StatsPass> {
    let mut passes = band.stats_passes.iter();
    passes.find(|pass| pass.generations == program.generations)
}
