//! The GPU engine: bit planes in ping-pong storage buffers, advanced by compute shaders.
//!
//! Rule and edges are baked into a pipeline when it is made. Work is submitted in pieces of
//! bounded time, so that a driver's watchdog never sees a long one and an interrupt is heard; the
//! next piece is recorded while the last one runs. Nothing is read back but what is asked for:
//! counts are reduced on the device.
//!
//! * one generation, with or without a tally of it: `shaders/lifelike/step.wgsl`;
//! * several generations in one pass over a large board, when nobody looks at those in between
//!   (`stream`): `shaders/lifelike/pass.wgsl`, which leaves out what stands still (`still`);
//! * the same, and every generation in between is tallied (`watched`): `shaders/lifelike/pass.wgsl`;
//! * many generations of a small board in one workgroup (`small`): `shaders/lifelike/single_workgroup.wgsl`;
//! * a generation in pieces, for a window that must not wait (`background`).
//!
//! A board that is too large for one binding is cut into bands of rows (`bands`), and each of these
//! ways goes from band to band (`loaded`).

mod bands;
mod buffers;
pub mod device;
mod family;
pub mod kernels;
mod options;
mod pipelines;
mod state;
mod steppers;
pub mod tune;
pub mod wgsl;

use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use web_time::Instant;

pub use self::bands::Band;
use self::buffers::{map, readback_buffer};
pub use self::device::{Adapter, AdapterSelector, Gpu, Handles, adapters, select_adapter};
pub use self::family::{GpuFamily, Threads, Tiling};
use self::kernels::active_blocks::{Blocks, passes_for};
pub use self::kernels::arena;
use self::kernels::single_workgroup::Small;
use self::kernels::stats::{STATS_SLOTS, STATS_STRIDE, Tally};
use self::options::Options;
use self::pipelines::Kernel;
pub use self::pipelines::{Kernels, compile};
use self::state::Loaded;
use self::steppers::background::Background;
use self::steppers::film::{self, Film};
use super::{
    Batching, CensusOf, Engine, EngineError, GenerationStats, Observation, Observe, Request, Sink,
    Stop,
};
use crate::board::{Board, Size};
use crate::rules::LifelikeRuleset;

/// A submission should take about this long: short for a watchdog, long against its overhead.
const SUBMISSION_TIME: Duration = Duration::from_millis(20);

/// How long an engine has computed before kernels with the rule folded in are made for it: on a card, and
/// on a software adapter, which compiles on the cores that compute, and not before a kernel is first used.
const FOLD_AFTER: [Duration; 2] = [Duration::from_millis(100), Duration::from_millis(500)];

/// The most generations of a submission, however fast they are.
const MOST_GENERATIONS: u64 = 4096;

/// Cells to compute in the first submission, before anything has been measured: a slow software
/// adapter takes about [`SUBMISSION_TIME`] for them.
const CELLS_AT_FIRST: u64 = 1 << 21;

/// Bytes of boards that are filmed before they are read back.
const FILM_BYTES: u64 = 16 << 20;

/// Where a device keeps a board. The buffers are the engine's own: what is submitted now sees the
/// present generation in them, what is submitted after the next generation may not.
#[derive(Clone, Debug)]
pub struct DeviceBoard {
    /// The board's size.
    pub size: Size,
    /// Its bands, from top to bottom: one, unless the board is too large for that.
    pub bands: Vec<DeviceBand>,
}

/// A band of a board on a device.
#[derive(Clone, Debug)]
pub struct DeviceBand {
    /// Its own rows, in the board.
    pub own: Range<u32>,
    /// Rows of other bands above them in the planes.
    pub above: u32,
    /// Rows of the planes.
    pub height: u32,
    /// The planes that every generation writes anew, storage buffers: alive and blue as
    /// [`LifelikeBoard`](crate::board::Board) has them, or the levels of [`RezolutionBoard`](crate::board::Populations).
    pub planes: Vec<wgpu::Buffer>,
    /// The planes that no generation changes: none, or barriers and targets.
    pub fixed: Vec<wgpu::Buffer>,
}

impl DeviceBand {
    /// All planes, those first that every generation writes anew.
    pub fn all_planes(&self) -> impl Iterator<Item = &wgpu::Buffer> {
        self.planes.iter().chain(&self.fixed)
    }
}

/// A board on a device.
pub struct GpuEngine<R: GpuFamily = LifelikeRuleset> {
    kernels: Arc<Kernels>,
    ruleset: R,
    step: Kernel,
    census: Kernel,
    /// The kernel that steps under watch, made when it is first asked for.
    watch: Option<Kernel>,
    options: Options,
    loaded: Option<Loaded<R>>,
    /// Made when it is first asked for; belongs to the buffers of the board.
    background: Option<Background>,
    /// The same.
    small: Option<Small>,
    /// Generations of the next submission.
    batch: u64,
    /// How long the engine has computed in all.
    lasted: Duration,
}

impl<R: GpuFamily> GpuEngine<R> {
    /// An engine without a board. Compiles the kernel of the ruleset unless `kernels` has it.
    ///
    /// # Errors
    /// [`EngineError::Device`] if the device refuses the kernel.
    pub fn new(kernels: &Arc<Kernels>, ruleset: R) -> Result<Self, EngineError> {
        Ok(Self {
            kernels: Arc::clone(kernels),
            ruleset,
            step: kernels.step(ruleset, None)?,
            census: kernels.census::<R>()?,
            watch: None,
            options: Options::default(),
            loaded: None,
            background: None,
            small: None,
            batch: 1,
            lasted: Duration::ZERO,
        })
    }

    fn gpu(&self) -> &Gpu {
        self.kernels.gpu()
    }

    fn loaded(&self) -> Result<&Loaded<R>, EngineError> {
        self.loaded.as_ref().ok_or(EngineError::NothingLoaded)
    }

    fn loaded_mut(&mut self) -> Result<&mut Loaded<R>, EngineError> {
        self.loaded.as_mut().ok_or(EngineError::NothingLoaded)
    }

    /// Records one generation.
    fn encode_step(&mut self, encoder: &mut wgpu::CommandEncoder) -> Result<(), EngineError> {
        let loaded = self.loaded()?;
        loaded.encode_halos(encoder, loaded.parity);
        loaded.poison_next(encoder);
        let mut pass = encoder.begin_compute_pass(&Default::default());
        self.dispatch_step(&mut pass)
    }

    /// The same, in all bands, whose halos are fresh.
    fn dispatch_step(&mut self, pass: &mut wgpu::ComputePass<'_>) -> Result<(), EngineError> {
        let loaded = self.loaded()?;
        pass.set_pipeline(self.step.pipeline());
        for held in &loaded.bands {
            let [x, y] = held.buffers.grid.groups;
            pass.set_bind_group(0, &held.buffers.step_groups[loaded.parity], &[]);
            pass.dispatch_workgroups(x, y, 1);
        }
        self.flip()
    }

    /// Computes generations. If the last but one `is_remembered`, the last is computed alone.
    fn step_all(&mut self, generations: u64, is_remembered: bool) -> Result<(), EngineError> {
        let mut left = self.after_next(generations)?;
        let mut running: Option<(u64, wgpu::SubmissionIndex)> = None;
        let mut since = Instant::now();
        while left > 0 {
            let mut encoder = self.encoder();
            let batch = self.encode_generations(&mut encoder, left, is_remembered)?;
            let submission = self.gpu().queue.submit([encoder.finish()]);
            self.loaded_mut()?.blocks().for_each(Blocks::ask);
            if let Some((batch, submission)) = running.replace((batch, submission)) {
                self.gpu().wait(Some(submission))?;
                self.loaded_mut()?.blocks().for_each(Blocks::receive);
                self.pace(batch, since.elapsed());
                since = Instant::now();
            }
            left -= batch;
        }
        self.gpu().wait(None)?;
        self.loaded_mut()?.blocks().for_each(Blocks::receive);
        if let Some((batch, _)) = running {
            self.pace(batch, since.elapsed());
        }
        Ok(())
    }

    /// Records some of the `left` generations that are left to compute, about a batch, and tells how
    /// many.
    fn encode_generations(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        left: u64,
        is_remembered: bool,
    ) -> Result<u64, EngineError> {
        let small = self.encode_small(encoder, left)?;
        if small > 0 {
            return Ok(small);
        }
        let batch = self.batch.min(left);
        let mut encoded = 0;
        while encoded < batch {
            let most = left - encoded - u64::from(is_remembered);
            match self.encode_pass(encoder, most)? {
                0 => break,
                generations => encoded += generations,
            }
        }
        if encoded > 0 {
            self.encode_share(encoder)?;
        }
        let loaded = self.loaded()?;
        if loaded.is_poisoned() || loaded.whole().is_none() {
            for _ in encoded..batch {
                self.encode_step(encoder)?;
            }
        } else if encoded < batch {
            let mut pass = encoder.begin_compute_pass(&Default::default());
            for _ in encoded..batch {
                self.dispatch_step(&mut pass)?;
            }
        }
        Ok(encoded.max(batch))
    }

    /// Makes the generation just computed the present one.
    fn flip(&mut self) -> Result<(), EngineError> {
        self.loaded_mut()?.flip();
        Ok(())
    }

    /// The kernel that steps under watch.
    fn watch_kernel(&mut self) -> Result<Kernel, EngineError> {
        let kernel = match self.watch.take() {
            Some(kernel) => kernel,
            None => {
                let (portable, form) = (self.options.portable, self.options.form);
                self.kernels.watch(self.ruleset, portable, form)?
            }
        };
        Ok(self.watch.insert(kernel).clone())
    }

    /// Records `batch` generations under watch, tallied from number 1 on. The present generation
    /// stays the present one until the tallies have told how many were computed.
    ///
    /// Output planes are not poisoned here: they hold the second last generation, with which the
    /// new one is compared.
    fn encode_watched(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        batch: u64,
    ) -> Result<(), EngineError> {
        let kernel = self.watch_kernel()?;
        let loaded = self.loaded()?;
        let dispatch = |pass: &mut wgpu::ComputePass<'_>, last: u64| {
            let parity = (loaded.parity + last as usize) % 2;
            let offset = (last * STATS_STRIDE) as u32;
            pass.set_pipeline(kernel.pipeline());
            for held in &loaded.bands {
                let [x, y] = held.buffers.grid.groups;
                pass.set_bind_group(0, &held.buffers.tally_groups[parity], &[offset]);
                pass.dispatch_workgroups(x, y, 1);
            }
        };
        if loaded.whole().is_some() {
            let mut pass = encoder.begin_compute_pass(&Default::default());
            (0..batch).for_each(|last| dispatch(&mut pass, last));
            return Ok(());
        }
        for last in 0..batch {
            // After a settled generation nothing is computed, but halos are those of their own board.
            loaded.encode_halos(encoder, (loaded.parity + last as usize) % 2);
            let mut pass = encoder.begin_compute_pass(&Default::default());
            dispatch(&mut pass, last);
        }
        Ok(())
    }

    /// Records the count of the present board to tally number `tally`, from 1.
    fn encode_census(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        tally: u64,
    ) -> Result<(), EngineError> {
        let loaded = self.loaded()?;
        let mut pass = encoder.begin_compute_pass(&Default::default());
        pass.set_pipeline(self.census.pipeline());
        let offset = ((tally - 1) * STATS_STRIDE) as u32;
        for held in &loaded.bands {
            let [x, y] = held.buffers.grid.groups;
            pass.set_bind_group(0, &held.buffers.tally_groups[loaded.parity], &[offset]);
            pass.dispatch_workgroups(x, y, 1);
        }
        Ok(())
    }

    /// Records that the first `count` tallies are set to 0.
    fn clear_tallies(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        count: u64,
    ) -> Result<(), EngineError> {
        let tallies = &self.loaded()?.tallies;
        encoder.clear_buffer(tallies, STATS_STRIDE, Some(count * STATS_STRIDE));
        Ok(())
    }

    /// Submits what was recorded and then the way home of the first `count` tallies.
    fn submit_tallied(
        &self,
        mut encoder: wgpu::CommandEncoder,
        count: u64,
    ) -> Result<Vec<Tally<R>>, EngineError> {
        let gpu = self.gpu();
        let bytes = count * STATS_STRIDE;
        let readback = gpu.checked(|| readback_buffer(gpu, bytes))?;
        let tallies = &self.loaded()?.tallies;
        encoder.copy_buffer_to_buffer(tallies, STATS_STRIDE, &readback, 0, bytes);
        gpu.queue.submit([encoder.finish()]);
        map(gpu, &readback, bytes, |bytes| {
            let tallies = bytes.chunks(STATS_STRIDE as usize);
            tallies.map(Tally::of).collect()
        })
    }

    /// Computes `batch` generations under watch, up to the first that is settled, and waits for
    /// them.
    fn watch_batch(
        &mut self,
        batch: u64,
        seen: &mut Vec<GenerationStats<CensusOf<R::Board>>>,
    ) -> Result<(), EngineError> {
        let mut encoder = self.encoder();
        self.clear_tallies(&mut encoder, batch)?;
        self.encode_watched(&mut encoder, batch)?;
        for tally in self.submit_tallied(encoder, batch)? {
            let sighting = tally.sighting();
            seen.push(sighting);
            self.flip()?;
            if sighting.is_settled() {
                // The rest of the batch has computed nothing.
                break;
            }
        }
        Ok(())
    }

    /// Right after a pass the other planes hold the board before it, which passes for no generation that
    /// is remembered.
    fn forget_stale(&mut self) -> Result<(), EngineError> {
        let loaded = self.loaded.as_mut().ok_or(EngineError::NothingLoaded)?;
        if loaded.since_pass == Some(0) {
            loaded.forget_last(self.kernels.gpu());
        }
        Ok(())
    }

    fn encoder(&self) -> wgpu::CommandEncoder {
        self.gpu()
            .device
            .create_command_encoder(&Default::default())
    }

    /// Finishes the generation that is computed in the background, if any are to be computed at
    /// all. Returns how many are left to be.
    fn after_next(&mut self, generations: u64) -> Result<u64, EngineError> {
        if generations == 0 {
            return Ok(0);
        }
        let finished = self.finish_next()?.is_some();
        Ok(generations - u64::from(finished))
    }

    /// Adds to how long the engine has computed, and requests faster kernels for what lasts.
    fn note_time(&mut self, took: Duration) {
        self.lasted += took;
        if self.lasts() {
            let small = self.small.as_ref().map(Small::kernel);
            for kernel in [&self.step].into_iter().chain(&self.watch).chain(small) {
                self.kernels.request(kernel);
            }
        }
    }

    /// Whether kernels with the rule folded in are worth their compilation.
    fn lasts(&self) -> bool {
        let [hardware, software] = FOLD_AFTER;
        let least = if self.gpu().is_software() {
            software
        } else {
            hardware
        };
        self.lasted >= least
    }

    /// Adapts the size of submissions to how long the last one took.
    fn pace(&mut self, generations: u64, took: Duration) {
        tracing::debug!(generations, ?took, "submission");
        self.note_time(took);
        if generations < self.batch {
            return;
        }
        if took < SUBMISSION_TIME / 2 {
            self.batch = (self.batch * 2).min(MOST_GENERATIONS);
        } else if took > SUBMISSION_TIME * 2 {
            self.batch = (self.batch / 2).max(1);
        }
    }

    fn run_census(
        &mut self,
        generations: u64,
        counts: &mut Vec<CensusOf<R::Board>>,
    ) -> Result<(), EngineError> {
        let mut left = generations;
        if left > 0
            && let Some(next) = self.finish_next()?
        {
            counts.push(next.census);
            left -= 1;
        }
        let mut seen = Vec::new();
        left = self.watch_in_passes(left, false, &mut seen)?;
        counts.extend(seen.into_iter().map(|sighting| sighting.census));
        while left > 0 {
            let batch = self.batch.min(left).min(STATS_SLOTS);
            let since = Instant::now();
            let mut encoder = self.encoder();
            self.clear_tallies(&mut encoder, batch)?;
            for tally in 1..=batch {
                self.encode_step(&mut encoder)?;
                self.encode_census(&mut encoder, tally)?;
            }
            let tallies = self.submit_tallied(encoder, batch)?;
            counts.extend(tallies.into_iter().map(|tally| tally.census));
            self.pace(batch, since.elapsed());
            left -= batch;
        }
        Ok(())
    }

    fn run_stats(
        &mut self,
        generations: u64,
        seen: &mut Vec<GenerationStats<CensusOf<R::Board>>>,
    ) -> Result<(), EngineError> {
        let mut left = generations;
        self.forget_stale()?;
        if left > 0
            && let Some(next) = self.finish_next()?
        {
            seen.push(next);
            left -= 1;
            if next.is_settled() {
                return Ok(());
            }
        }
        left = self.watch_in_passes(left, true, seen)?;
        while left > 0 {
            let batch = self.batch.min(left).min(STATS_SLOTS);
            let since = Instant::now();
            self.watch_batch(batch, seen)?;
            if seen.last().is_some_and(|sighting| sighting.is_settled()) {
                return Ok(());
            }
            self.pace(batch, since.elapsed());
            left -= batch;
        }
        Ok(())
    }

    fn run_within(
        &mut self,
        most: u64,
        budget: Duration,
        seen: &mut Vec<GenerationStats<CensusOf<R::Board>>>,
    ) -> Result<(), EngineError> {
        self.forget_stale()?;
        self.advance_within(most, budget, seen)
    }

    fn run_boards(
        &mut self,
        generations: u64,
        boards: &mut Vec<R::Board>,
    ) -> Result<(), EngineError> {
        let frame_bytes = film::frame_bytes::<R>(self.loaded()?.size);
        let left = self.after_next(generations)?;
        if left < generations {
            boards.push(self.read()?);
        }
        let generations = left;
        let most = (FILM_BYTES / frame_bytes).min(generations);
        let Some(buffers) = self.loaded()?.whole().filter(|_| most > 1) else {
            for _ in 0..generations {
                self.step_all(1, true)?;
                boards.push(self.read()?);
            }
            return Ok(());
        };
        let film = Film::new(self.gpu(), buffers, &self.step, most)?;
        let mut left = generations;
        while left > 0 {
            let batch = self.batch.min(left).min(most);
            let since = Instant::now();
            let loaded = self.loaded.as_mut().ok_or(EngineError::NothingLoaded)?;
            film.shoot(self.kernels.gpu(), loaded, &self.step, batch, boards)?;
            self.pace(batch, since.elapsed());
            left -= batch;
        }
        Ok(())
    }

    /// Runs a request for which there is no faster way, generation by generation.
    fn run_singly(
        &mut self,
        request: Request,
        sink: &mut Sink<'_, R::Board>,
    ) -> Result<(), EngineError> {
        let since = Instant::now();
        for _ in 0..request.generations {
            let mut stats = Vec::new();
            self.run_stats(1, &mut stats)?;
            for stats in stats {
                let observation = request.observe.observation(stats, || self.read())?;
                observation.into_iter().for_each(&mut *sink);
                if request.stop == Stop::AtSettled && stats.is_settled() {
                    return Ok(());
                }
            }
            if request
                .budget
                .is_some_and(|budget| since.elapsed() >= budget)
            {
                break;
            }
        }
        Ok(())
    }
}

impl<R: GpuFamily> Engine<R::Board> for GpuEngine<R> {
    fn load(&mut self, board: &R::Board) -> Result<(), EngineError> {
        let fits = |loaded: &Loaded<R>| loaded.size == board.size();
        if !self.loaded.as_ref().is_some_and(fits) {
            // The old buffers go first: both may not fit together.
            self.loaded = None;
            self.background = None;
            self.small = None;
            let kernels = [&self.step, &self.census];
            let (gpu, ruleset, options) = (self.gpu(), self.ruleset, &self.options);
            let loaded = Loaded::new(gpu, ruleset, board.size(), options, kernels)?;
            self.loaded = Some(loaded);
            self.batch = (CELLS_AT_FIRST / board.size().cells()).clamp(1, STATS_SLOTS);
        }
        if let Some(background) = &mut self.background {
            background.forget_next();
        }
        let loaded = self.loaded.as_mut().ok_or(EngineError::NothingLoaded)?;
        loaded.load(self.kernels.gpu(), board)
    }

    fn run(&mut self, request: Request, sink: &mut Sink<'_, R::Board>) -> Result<(), EngineError> {
        let generations = request.generations;
        match (request.observe, request.stop, request.budget) {
            (Observe::Nothing, Stop::Never, None) => {
                self.step_all(generations, request.keep_history)
            }
            (Observe::Census, Stop::Never, None) => {
                let mut census = Vec::new();
                self.run_census(generations, &mut census)?;
                census.into_iter().map(Observation::Census).for_each(sink);
                Ok(())
            }
            (Observe::Boards, Stop::Never, None) => {
                let mut boards = Vec::new();
                self.run_boards(generations, &mut boards)?;
                boards.into_iter().map(Observation::Board).for_each(sink);
                Ok(())
            }
            (Observe::Nothing | Observe::Census | Observe::Stats, Stop::AtSettled, budget) => {
                let mut stats = Vec::new();
                match budget {
                    None => self.run_stats(generations, &mut stats)?,
                    Some(budget) => self.run_within(generations, budget, &mut stats)?,
                }
                for stats in stats {
                    let observation = request.observe.observation(stats, || self.read())?;
                    observation.into_iter().for_each(&mut *sink);
                }
                Ok(())
            }
            (_, Stop::Never, Some(_))
            | (Observe::Stats, Stop::Never, None)
            | (Observe::Boards, Stop::AtSettled, _) => self.run_singly(request, sink),
        }
    }

    fn batching(&self) -> Batching {
        let passes = passes_for(2, self.active_share());
        Batching {
            generations_per_pass: self.longest_pass().max(1),
            worthwhile: (passes * self.longest_pass()).max(1),
        }
    }

    fn census(&mut self) -> Result<CensusOf<R::Board>, EngineError> {
        let mut encoder = self.encoder();
        self.clear_tallies(&mut encoder, 1)?;
        self.encode_census(&mut encoder, 1)?;
        let tallies = self.submit_tallied(encoder, 1)?;
        Ok(tallies[0].census)
    }

    fn read(&mut self) -> Result<R::Board, EngineError> {
        self.loaded()?.read(self.gpu())
    }

    fn device_board(&self) -> Option<DeviceBoard> {
        let loaded = self.loaded.as_ref()?;
        let bands = loaded.bands.iter().map(|held| {
            let (band, buffers) = (&held.buffers.band, &held.buffers);
            DeviceBand {
                own: band.own.clone(),
                above: band.above,
                height: band.size.height(),
                planes: buffers.planes(loaded.parity).to_vec(),
                fixed: buffers.fixed.clone(),
            }
        });
        Some(DeviceBoard {
            size: loaded.size,
            bands: bands.collect(),
        })
    }
}
