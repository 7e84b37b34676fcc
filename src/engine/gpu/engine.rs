//! The GPU engine: a context, the board on the device, and the generation that is computed in the
//! background.

use std::sync::Arc;
use std::time::Duration;

use web_time::Instant;

use super::active_blocks::passes_for;
use super::context::{Context, StatsOf, Stepper};
use super::dispatch::fits_workgroup;
use super::family::GpuFamily;
use super::pipelines::Kernels;
use super::program::Form;
use super::proof::{self, Trial};
use super::state::{DeviceBoard, DeviceState};
use super::steppers::background::Background;
use crate::board::{Board, Size};
use crate::engine::{
    Batching, CensusOf, Engine, EngineError, GenerationStats, Observation, Observe, Request, Sink,
    Stop,
};
use crate::rules::LifelikeRuleset;

/// A board on a device.
pub struct GpuEngine<R: GpuFamily = LifelikeRuleset> {
    context: Context<R>,
    state: Option<DeviceState<R>>,
    /// Made when it is first needed; belongs to the buffers of the state.
    background: Option<Background>,
}

impl<R: GpuFamily> GpuEngine<R> {
    /// An engine without a board. Compiles the kernel of the ruleset unless `kernels` has it.
    ///
    /// # Errors
    /// [`EngineError::Device`] if the device refuses the kernel.
    pub fn new(kernels: &Arc<Kernels>, ruleset: R) -> Result<Self, EngineError> {
        Ok(Self {
            context: Context::new(kernels, ruleset, try_out)?,
            state: None,
            background: None,
        })
    }

    /// Makes sure that the device computes single generations of a ruleset right, unless that is proved.
    ///
    /// # Errors
    /// [`EngineError::Unproved`] if it does not.
    pub fn prove(kernels: &Arc<Kernels>, ruleset: R) -> Result<(), EngineError> {
        Context::new(kernels, ruleset, try_out)?.prove_steps()
    }

    /// Whether passes of several generations take boards of this size.
    pub fn has_passes(ruleset: R, size: Size) -> bool {
        !R::PASSES.is_empty() && ruleset.pass_constants(size).is_some()
    }

    /// Whether one workgroup can compute boards of this size.
    pub fn has_single_workgroup(size: Size) -> bool {
        fits_workgroup::<R>(size) && R::SINGLE_WORKGROUP.is_some()
    }

    /// The share of the board that was active in the last passes, between 0 and 1; `None` if it has not been
    /// read back.
    pub fn active_share(&self) -> Option<f64> {
        self.state.as_ref().and_then(DeviceState::active_share)
    }
}

/// Options, for tests and measurements; by default the engine chooses what suits board and device.
impl<R: GpuFamily> GpuEngine<R> {
    /// Fills the output planes with [`POISON`](crate::engine::POISON) before every generation.
    pub const fn poisoned(mut self) -> Self {
        self.context.options.poisoned = true;
        self
    }

    /// Uses kernels of one form only, and waits for them. By default general kernels compute until those with
    /// the rule folded in are compiled.
    ///
    /// # Errors
    /// [`EngineError::Device`] if the device refuses a kernel.
    pub fn with_form(mut self, form: Form) -> Result<Self, EngineError> {
        self.context.fix_form(form)?;
        if let Some(state) = &mut self.state {
            state.single_workgroup = None;
        }
        Ok(self)
    }

    /// Leaves subgroups unused, as on a device without them.
    pub const fn portable(mut self) -> Self {
        self.context.options.portable = true;
        self
    }

    /// Sets the rows per thread, at least 1.
    pub const fn with_strip_rows(mut self, rows: u32) -> Self {
        self.context.options.strip_rows = Some(rows);
        self
    }

    /// Sets the threads per piece of a generation that is computed in the background, at least 1.
    pub const fn with_piece(mut self, threads: u32) -> Self {
        self.context.options.piece = Some(threads);
        self
    }

    /// Sets the most generations per pass, at least 1, where the family has such passes; they use subgroups
    /// where the device has them.
    pub const fn with_pass(mut self, generations: u32) -> Self {
        self.context.options.pass = Some(generations);
        self
    }

    /// Sets whether a single workgroup computes boards that are small enough. By default only a hardware
    /// adapter does so.
    pub const fn within_workgroup(mut self, single_workgroup: bool) -> Self {
        self.context.options.single_workgroup = Some(single_workgroup);
        self
    }

    /// Makes every pass compute the active blocks only, even where a pass over all blocks is faster.
    pub const fn by_blocks(mut self) -> Self {
        self.context.options.only_active = true;
        self
    }

    /// Cuts boards that are high enough into bands of at most this many rows. By default there are as few bands
    /// as the bindings of the device allow.
    pub const fn with_band_rows(mut self, rows: u32) -> Self {
        self.context.options.band_rows = Some(rows);
        self
    }

    /// Sets the most threads of a subgroup that share a tile of a pass, at least 1. By default all do.
    pub const fn with_tile_threads(mut self, threads: u32) -> Self {
        self.context.options.tile_threads = Some(threads);
        self
    }
}

/// Computes a small board in some way, and compares it with the reference.
fn try_out<R: GpuFamily>(context: &Context<R>, trial: &Trial) -> Result<(), EngineError> {
    let since = Instant::now();
    let mut engine = GpuEngine {
        context: context.on_trial(trial)?,
        state: None,
        background: None,
    };
    match proof::compare(&mut engine, context.ruleset, trial)? {
        None => {
            tracing::debug!(?trial, took = ?since.elapsed(), "proved");
            context.kernels.proofs.add(trial);
            Ok(())
        }
        Some(difference) => Err(EngineError::Unproved {
            adapter: context.gpu().name().into(),
            program: trial.program,
            difference,
        }),
    }
}

impl<R: GpuFamily> Engine<R::Board> for GpuEngine<R> {
    fn load(&mut self, board: &R::Board) -> Result<(), EngineError> {
        let fits = |state: &DeviceState<R>| state.size == board.size();
        if !self.state.as_ref().is_some_and(fits) {
            // The old buffers go first: both may not fit together.
            self.state = None;
            self.background = None;
            let context = &mut self.context;
            context.prove(&Trial::step::<R>())?;
            let kernels = [&context.step, &context.census];
            let (gpu, ruleset, options) = (context.gpu(), context.ruleset, &context.options);
            let state = DeviceState::new(gpu, ruleset, board.size(), options, kernels)?;
            self.state = Some(state);
            context.reset_pace(board.size());
        }
        if let Some(background) = &mut self.background {
            background.forget_next();
        }
        let state = self.state.as_mut().ok_or(EngineError::NothingLoaded)?;
        state.load(self.context.gpu(), board)
    }

    fn run(&mut self, request: Request, sink: &mut Sink<'_, R::Board>) -> Result<(), EngineError> {
        let state = self.state.as_mut().ok_or(EngineError::NothingLoaded)?;
        let stepper = Stepper {
            context: &mut self.context,
            state,
        };
        let run = Run {
            stepper,
            background: &mut self.background,
            request,
            sink,
        };
        run.run()
    }

    fn census(&mut self) -> Result<CensusOf<R::Board>, EngineError> {
        let state = self.state.as_mut().ok_or(EngineError::NothingLoaded)?;
        let context = &mut self.context;
        Stepper { context, state }.census()
    }

    fn read(&mut self) -> Result<R::Board, EngineError> {
        let state = self.state.as_ref().ok_or(EngineError::NothingLoaded)?;
        state.read(self.context.gpu())
    }

    fn device_board(&self) -> Option<DeviceBoard> {
        self.state.as_ref().map(DeviceState::device_board)
    }

    fn batching(&self) -> Batching {
        let Some(state) = &self.state else {
            return Batching::default();
        };
        let longest = self.context.facts(state).longest_pass(u64::MAX);
        let generations_per_pass = longest.map_or(1, |pass| u64::from(pass.generations));
        let passes = match longest {
            Some(_) => passes_for(2, state.active_share()),
            None => 1,
        };
        Batching {
            generations_per_pass,
            worthwhile: passes * generations_per_pass,
        }
    }
}

/// A request that is being run.
struct Run<'a, 'b, R: GpuFamily> {
    stepper: Stepper<'a, R>,
    background: &'a mut Option<Background>,
    request: Request,
    sink: &'a mut Sink<'b, R::Board>,
}

impl<R: GpuFamily> Run<'_, '_, R> {
    fn run(mut self) -> Result<(), EngineError> {
        let Request {
            generations,
            observe,
            stop,
            budget,
            keep_history,
        } = self.request;
        match (observe, stop, budget) {
            (Observe::Nothing, Stop::Never, None) => {
                let (left, _) = self.finish_background(generations)?;
                self.stepper.run_unobserved(left, keep_history)
            }
            (Observe::Census, Stop::Never, None) => {
                let (left, _) = self.finish_background(generations)?;
                let sink = self.sink;
                self.stepper
                    .run_census(left, &mut |census| sink(Observation::Census(census)))
            }
            (Observe::Boards, Stop::Never, None) => {
                let (left, _) = self.finish_background(generations)?;
                let sink = self.sink;
                self.stepper
                    .run_boards(left, &mut |board| sink(Observation::Board(board)))
            }
            (Observe::Nothing | Observe::Census | Observe::Stats, Stop::AtSettled, None) => {
                self.stepper.forget_stale_history();
                let (left, is_settled) = self.finish_background(generations)?;
                if is_settled {
                    return Ok(());
                }
                let sink = self.sink;
                self.stepper
                    .run_stats(left, &mut |stats| observe_stats(observe, stats, sink))
            }
            (
                Observe::Nothing | Observe::Census | Observe::Stats,
                Stop::AtSettled,
                Some(budget),
            ) => {
                self.stepper.forget_stale_history();
                let background = match self.background {
                    Some(background) => background,
                    none => none.insert(Background::new(&self.stepper)?),
                };
                let sink = self.sink;
                background.advance(&mut self.stepper, generations, budget, &mut |stats| {
                    observe_stats(observe, stats, sink);
                })
            }
            (_, Stop::Never, Some(_))
            | (Observe::Stats, Stop::Never, None)
            | (Observe::Boards, Stop::AtSettled, _) => self.run_singly(),
        }
    }

    /// Finishes the generation that is computed in the background, unless none is to be computed. It
    /// is the first of the request. Returns how many are left, and whether it is settled.
    fn finish_background(&mut self, generations: u64) -> Result<(u64, bool), EngineError> {
        let Some(background) = self.background.as_mut().filter(|_| generations > 0) else {
            return Ok((generations, false));
        };
        let Some(stats) = background.finish(&mut self.stepper)? else {
            return Ok((generations, false));
        };
        self.observe(stats)?;
        Ok((generations - 1, stats.is_settled()))
    }

    /// Runs a request for which there is no faster way, generation by generation.
    fn run_singly(&mut self) -> Result<(), EngineError> {
        let since = Instant::now();
        for _ in 0..self.request.generations {
            self.stepper.forget_stale_history();
            let mut last = match self.background.as_mut() {
                Some(background) => background.finish(&mut self.stepper)?,
                None => None,
            };
            if last.is_none() {
                self.stepper.run_stats(1, &mut |stats| last = Some(stats))?;
            }
            let Some(stats) = last else {
                break;
            };
            self.observe(stats)?;
            if self.request.stop == Stop::AtSettled && stats.is_settled() {
                break;
            }
            let is_over = |budget: Duration| since.elapsed() >= budget;
            if self.request.budget.is_some_and(is_over) {
                break;
            }
        }
        Ok(())
    }

    /// Passes what is observed of the present generation to the sink.
    fn observe(&mut self, stats: StatsOf<R>) -> Result<(), EngineError> {
        let board = || self.stepper.state.read(self.stepper.context.gpu());
        let observation = self.request.observe.observation(stats, board)?;
        observation.into_iter().for_each(&mut *self.sink);
        Ok(())
    }
}

/// Passes the statistics of a generation to the sink of a request that observes no boards.
fn observe_stats<B: Board>(
    observe: Observe,
    stats: GenerationStats<B::Census>,
    sink: &mut Sink<'_, B>,
) {
    match observe {
        Observe::Census => sink(Observation::Census(stats.census)),
        Observe::Stats => sink(Observation::Stats(stats)),
        Observe::Nothing | Observe::Boards => {}
    }
}
