//! What the steppers share: kernels, rules and options, whichever board is loaded, and with the board
//! the [`Stepper`].

use std::sync::Arc;
use std::time::Duration;

use super::commands::Commands;
use super::device::Gpu;
use super::dispatch::{SingleWorkgroup, fits_workgroup};
use super::family::GpuFamily;
use super::kernels::stats::STATS_SLOTS;
use super::options::Options;
use super::pipelines::{Kernel, Kernels};
use super::plan::Facts;
use super::program::Form;
use super::proof::{Trial, Way};
use super::state::{DeviceState, frame_bytes};
use crate::board::Size;
use crate::engine::{CensusOf, EngineError, GenerationStats};
use crate::rules::Ruleset;

/// A submission should take about this long: short for a watchdog, long against its overhead.
const SUBMISSION_TIME: Duration = Duration::from_millis(20);

/// How long an engine has computed before kernels with the rule folded in are made for it: on a card, and
/// on a software adapter, which compiles on the cores that compute, and not before a kernel is first used.
const FOLD_AFTER: [Duration; 2] = [Duration::from_millis(100), Duration::from_millis(500)];

/// The most generations of a submission, however fast they are.
const MOST_GENERATIONS: u64 = 4096;

/// The most generations of a submission that copies rows or planes before each: a copy ends the compute
/// pass, and wgpu keeps the command buffers of every pass, all of which later submissions reset.
const MOST_WITH_COPIES: u64 = 16;

/// Cells to compute in the first submission, before anything has been measured: a slow software
/// adapter takes about [`SUBMISSION_TIME`] for them.
pub(super) const CELLS_AT_FIRST: u64 = 1 << 21;

/// Kernels, rules and options of an engine.
pub(super) struct Context<R: GpuFamily> {
    pub(super) kernels: Arc<Kernels>,
    pub(super) ruleset: R,
    pub(super) options: Options,
    pub(super) step: Kernel,
    pub(super) census: Kernel,
    /// Computes one generation with statistics; made when it is first needed.
    step_with_stats: Option<Kernel>,
    /// Generations of the next submission.
    pub(super) batch: u64,
    /// How long the engine has computed in all.
    computed_for: Duration,
    /// Makes a trial, unless it was passed; see [`Context::prove`].
    try_out: TryOut<R>,
}

/// Makes a trial of a device, unless it was passed.
type TryOut<R> = fn(&Context<R>, &Trial) -> Result<(), EngineError>;

impl<R: GpuFamily> Context<R> {
    /// Compiles the kernels of the ruleset unless `kernels` has them.
    pub(super) fn new(
        kernels: &Arc<Kernels>,
        ruleset: R,
        try_out: TryOut<R>,
    ) -> Result<Self, EngineError> {
        Ok(Self {
            kernels: Arc::clone(kernels),
            ruleset,
            options: Options::NONE,
            step: kernels.step(ruleset, None)?,
            census: kernels.census::<R>()?,
            step_with_stats: None,
            batch: 1,
            computed_for: Duration::ZERO,
            try_out,
        })
    }

    /// One for a trial of kernels that this one uses.
    pub(super) fn on_trial(&self, trial: &Trial) -> Result<Self, EngineError> {
        let mut context = Self::new(&self.kernels, self.ruleset, self.try_out)?;
        let is_pass = trial.generations > 1;
        context.options = Options {
            portable: !trial.subgroups,
            pass: Some(trial.generations).filter(|_| trial.way != Way::SingleWorkgroup),
            single_workgroup: Some(trial.way == Way::SingleWorkgroup),
            only_active: trial.way == Way::ActiveBlocks,
            // By default passes have one form, and wait until it is compiled.
            form: match (self.options.form, self.options.pass) {
                (None, None) if is_pass => Some(Form::Folded),
                (None, Some(_)) if is_pass => Some(Form::General),
                (form, _) => form,
            },
            strip_rows: self.options.strip_rows,
            tile_threads: self.options.tile_threads,
            on_trial: true,
            ..Options::NONE
        };
        Ok(context)
    }

    /// Makes sure that the device computes single generations right, with statistics and without. Compiles
    /// nothing that is proved already.
    ///
    /// # Errors
    /// [`EngineError::Unproved`] if it does not.
    pub(super) fn prove_steps(&self) -> Result<(), EngineError> {
        self.prove(&Trial::step::<R>())?;
        self.prove(&Trial::stats::<R>(self.stats_use_subgroups()))
    }

    /// Whether the statistics of single generations are those of subgroups.
    fn stats_use_subgroups(&self) -> bool {
        !self.options.portable && self.gpu().has_subgroups()
    }

    /// Makes sure that the device computes right in some way before it is used.
    ///
    /// # Errors
    /// [`EngineError::Unproved`] if it does not.
    pub(super) fn prove(&self, trial: &Trial) -> Result<(), EngineError> {
        match self.options.on_trial || !self.kernels.proofs.needs(trial) {
            true => Ok(()),
            false => (self.try_out)(self, trial),
        }
    }

    pub(super) fn gpu(&self) -> &Gpu {
        self.kernels.gpu()
    }

    pub(super) fn commands(&self) -> Commands {
        Commands::new(self.gpu())
    }

    /// The kernel that computes one generation with statistics.
    pub(super) fn step_with_stats(&mut self) -> Result<Kernel, EngineError> {
        let kernel = match self.step_with_stats.take() {
            Some(kernel) => kernel,
            None => {
                // A trial of passes computes some single generations, too.
                let form = self.options.form.filter(|_| !self.options.on_trial);
                let subgroups = self.stats_use_subgroups();
                self.prove(&Trial::stats::<R>(subgroups))?;
                let program = R::STEP_PROGRAMS.with_stats(subgroups);
                self.kernels
                    .kernel(program, self.ruleset.step_constants(), form)?
            }
        };
        Ok(self.step_with_stats.insert(kernel).clone())
    }

    /// Begins with submissions that suit boards of a size.
    pub(super) fn reset_pace(&mut self, size: Size) {
        self.batch = (CELLS_AT_FIRST / size.cells()).clamp(1, STATS_SLOTS);
    }

    /// Computes by kernels of one form, and waits for them.
    pub(super) fn fix_form(&mut self, form: Form) -> Result<(), EngineError> {
        self.options.form = Some(form);
        self.step = self.kernels.step(self.ruleset, self.options.form)?;
        self.step_with_stats = None;
        Ok(())
    }

    /// Whether kernels with the rule folded in are worth their compilation.
    pub(super) fn lasts(&self) -> bool {
        let [hardware, software] = FOLD_AFTER;
        let least = match self.gpu().is_software() {
            true => software,
            false => hardware,
        };
        self.computed_for >= least
    }

    /// Adapts the size of submissions to how long the last one took.
    fn pace(&mut self, generations: u64, took: Duration) {
        tracing::debug!(generations, ?took, "submission");
        if generations < self.batch {
            return;
        }
        if took < SUBMISSION_TIME / 2 {
            self.batch = (self.batch * 2).min(MOST_GENERATIONS);
        } else if took > SUBMISSION_TIME * 2 {
            self.batch = (self.batch / 2).max(1);
        }
    }

    /// What a plan for the board depends on.
    pub(super) fn facts(&self, state: &DeviceState<R>) -> Facts {
        let gpu = self.gpu();
        let rule_class = self.ruleset.rule_class();
        Facts {
            cells: state.size.cells(),
            is_whole: state.whole().is_some(),
            fits_workgroup: fits_workgroup::<R>(state.size) && R::SINGLE_WORKGROUP.is_some(),
            takes_passes: state.pass_constants(self.ruleset).is_some(),
            is_software: gpu.is_software(),
            has_subgroups: gpu.subgroup().is_some(),
            tuning: rule_class.and_then(|class| self.kernels.tuning(class)),
            options: self.options,
            passes: R::PASSES,
            stats_passes: R::STATS_PASSES,
            frame_bytes: frame_bytes::<R>(state.size),
            batch: match state.whole().is_none() || self.options.poisoned {
                true => self.batch.min(MOST_WITH_COPIES),
                false => self.batch,
            },
        }
    }
}

/// An engine with a board. Each way of stepping is a file of its own in `steppers`, which implements
/// the methods for it.
pub(super) struct Stepper<'a, R: GpuFamily> {
    pub(super) context: &'a mut Context<R>,
    pub(super) state: &'a mut DeviceState<R>,
}

impl<R: GpuFamily> Stepper<'_, R> {
    /// Adapts the size of submissions to how long the last one took.
    pub(super) fn pace(&mut self, generations: u64, took: Duration) {
        self.add_time(took);
        self.context.pace(generations, took);
    }

    /// Adds to how long the engine has computed, and requests faster kernels once that is long.
    pub(super) fn add_time(&mut self, took: Duration) {
        self.context.computed_for += took;
        if !self.context.lasts() {
            return;
        }
        let context = &*self.context;
        let single_workgroup = self.state.single_workgroup.as_ref();
        let single_workgroup = single_workgroup.map(SingleWorkgroup::kernel);
        for kernel in [&context.step]
            .into_iter()
            .chain(&context.step_with_stats)
            .chain(single_workgroup)
        {
            context.kernels.request(kernel);
        }
    }
}

/// The statistics of a generation of a ruleset.
pub(super) type StatsOf<R> = GenerationStats<CensusOf<<R as Ruleset>::Board>>;

/// Receives the statistics of a run, generation by generation.
pub(super) type StatsSink<'a, R> = dyn FnMut(StatsOf<R>) + 'a;
