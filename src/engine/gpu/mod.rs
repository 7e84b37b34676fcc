//! The GPU engine: bit planes in ping-pong storage buffers, advanced by compute shaders.
//!
//! Rule and edges are baked into a pipeline when it is made. Work is submitted in pieces of
//! bounded time, so that a driver's watchdog never sees a long one and an interrupt is heard; the
//! next piece is recorded while the last one runs. Nothing is read back but what is asked for:
//! counts are reduced on the device.
//!
//! * one generation, with or without a tally of it: `shaders/walk.wgsl`;
//! * several generations in one pass over a large board, when nobody looks at those in between
//!   (`stream`): `shaders/stream.wgsl`, which leaves out what stands still (`still`);
//! * the same, and every generation in between is tallied (`watched`): `shaders/stream_watched.wgsl`;
//! * many generations of a small board in one workgroup (`small`): `shaders/small.wgsl`;
//! * a generation in pieces, for a window that must not wait (`background`).

pub mod arena;
mod background;
mod bounds;
mod buffers;
pub mod device;
mod family;
mod film;
mod kernel;
pub mod layout;
mod options;
mod small;
mod still;
mod stream;
mod tally;
pub mod tune;
mod watched;

use std::sync::Arc;
use std::time::Duration;

use web_time::Instant;

use self::background::Background;
use self::buffers::{Buffers, Request, map, readback_buffer};
pub use self::device::{Choice, Found, Gpu, Handles, adapters, choose};
pub use self::family::{Shaded, Threads, Tiling};
use self::film::Film;
use self::kernel::Kernel;
pub use self::kernel::{Kernels, compile};
use self::layout::{TALLIES, TALLY_STRIDE};
use self::options::Options;
use self::small::Small;
use self::still::Blocks;
use self::stream::Pass;
use self::tally::Tally;
use self::watched::WatchedPass;
use super::{CensusOf, Engine, EngineError, Sighting};
use crate::board::{Size, State};
use crate::rules::Ruleset;

/// A submission should take about this long: short for a watchdog, long against its overhead.
const SUBMISSION_TIME: Duration = Duration::from_millis(20);

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
    /// The planes that every generation writes anew, storage buffers: alive and blue as
    /// [`Board`](crate::board::Board) has them, or the levels of [`Populations`](crate::board::Populations).
    pub planes: Vec<wgpu::Buffer>,
    /// The planes that no generation changes: none, or barriers and targets.
    pub fixed: Vec<wgpu::Buffer>,
}

/// A board on a device.
pub struct GpuEngine<R: Shaded = Ruleset> {
    kernels: Arc<Kernels>,
    ruleset: R,
    step: Kernel,
    census: Kernel,
    /// The kernel that steps under watch, made when it is first asked for.
    watch: Option<Kernel>,
    options: Options,
    buffers: Option<Buffers<R>>,
    /// Made when it is first asked for; belongs to the buffers.
    background: Option<Background>,
    /// Each made when it is first needed; they belong to the buffers.
    passes: Vec<Pass>,
    /// Made when it is first needed; belongs to the buffers.
    small: Option<Small>,
    /// The same.
    watched_passes: Vec<WatchedPass>,
    /// The same.
    blocks: Option<Blocks>,
    /// Generations of the next submission.
    batch: u64,
}

impl<R: Shaded> GpuEngine<R> {
    /// An engine without a board. Compiles the kernel of the ruleset unless `kernels` has it.
    ///
    /// # Errors
    /// [`EngineError::Device`] if the device refuses the kernel.
    pub fn new(kernels: &Arc<Kernels>, ruleset: R) -> Result<Self, EngineError> {
        Ok(Self {
            kernels: Arc::clone(kernels),
            ruleset,
            step: kernels.step(ruleset)?,
            census: kernels.census::<R>()?,
            watch: None,
            options: Options::default(),
            buffers: None,
            background: None,
            passes: Vec::new(),
            small: None,
            watched_passes: Vec::new(),
            blocks: None,
            batch: 1,
        })
    }

    fn gpu(&self) -> &Gpu {
        self.kernels.gpu()
    }

    fn buffers(&self) -> Result<&Buffers<R>, EngineError> {
        self.buffers.as_ref().ok_or(EngineError::NothingLoaded)
    }

    /// Records one generation.
    fn encode_step(&mut self, encoder: &mut wgpu::CommandEncoder) -> Result<(), EngineError> {
        self.buffers()?.poison_next(encoder);
        let mut pass = encoder.begin_compute_pass(&Default::default());
        self.dispatch_step(&mut pass)
    }

    fn dispatch_step(&mut self, pass: &mut wgpu::ComputePass<'_>) -> Result<(), EngineError> {
        let buffers = self.buffers()?;
        let [x, y] = buffers.grid.groups;
        pass.set_pipeline(&self.step.pipeline);
        pass.set_bind_group(0, &buffers.step_groups[buffers.parity], &[]);
        pass.dispatch_workgroups(x, y, 1);
        self.flip()
    }

    /// Records some of the `left` generations that are left to compute, about a batch, and tells how
    /// many.
    fn encode_generations(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        left: u64,
    ) -> Result<u64, EngineError> {
        let small = self.encode_small(encoder, left)?;
        if small > 0 {
            return Ok(small);
        }
        let batch = self.batch.min(left);
        let mut encoded = 0;
        while encoded < batch {
            match self.encode_pass(encoder, left - encoded)? {
                0 => break,
                generations => encoded += generations,
            }
        }
        if encoded > 0 {
            self.encode_share(encoder)?;
        }
        if self.buffers()?.is_poisoned() {
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
        let buffers = self.buffers.as_mut().ok_or(EngineError::NothingLoaded)?;
        buffers.flip();
        Ok(())
    }

    /// The kernel that steps under watch.
    fn watch_kernel(&mut self) -> Result<Kernel, EngineError> {
        let kernel = match self.watch.take() {
            Some(kernel) => kernel,
            None => self.kernels.watch(self.ruleset, self.options.portable)?,
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
        let buffers = self.buffers()?;
        let [x, y] = buffers.grid.groups;
        let mut pass = encoder.begin_compute_pass(&Default::default());
        pass.set_pipeline(&kernel.pipeline);
        for last in 0..batch {
            let parity = (buffers.parity + last as usize) % 2;
            let offset = (last * TALLY_STRIDE) as u32;
            pass.set_bind_group(0, &buffers.tally_groups[parity], &[offset]);
            pass.dispatch_workgroups(x, y, 1);
        }
        Ok(())
    }

    /// Records the count of the present board to tally number `tally`, from 1.
    fn encode_census(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        tally: u64,
    ) -> Result<(), EngineError> {
        let buffers = self.buffers()?;
        let [x, y] = buffers.grid.groups;
        let mut pass = encoder.begin_compute_pass(&Default::default());
        pass.set_pipeline(&self.census.pipeline);
        let offset = ((tally - 1) * TALLY_STRIDE) as u32;
        pass.set_bind_group(0, &buffers.tally_groups[buffers.parity], &[offset]);
        pass.dispatch_workgroups(x, y, 1);
        Ok(())
    }

    /// Records that the first `count` tallies are set to 0.
    fn clear_tallies(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        count: u64,
    ) -> Result<(), EngineError> {
        let tallies = &self.buffers()?.tallies;
        encoder.clear_buffer(tallies, TALLY_STRIDE, Some(count * TALLY_STRIDE));
        Ok(())
    }

    /// Submits what was recorded and then the way home of the first `count` tallies.
    fn submit_tallied(
        &self,
        mut encoder: wgpu::CommandEncoder,
        count: u64,
    ) -> Result<Vec<Tally<R>>, EngineError> {
        let gpu = self.gpu();
        let bytes = count * TALLY_STRIDE;
        let readback = gpu.checked(|| readback_buffer(gpu, bytes))?;
        let tallies = &self.buffers()?.tallies;
        encoder.copy_buffer_to_buffer(tallies, TALLY_STRIDE, &readback, 0, bytes);
        gpu.queue.submit([encoder.finish()]);
        map(gpu, &readback, bytes, |bytes| {
            let tallies = bytes.chunks(TALLY_STRIDE as usize);
            tallies.map(Tally::of).collect()
        })
    }

    /// Computes `batch` generations under watch, up to the first that is settled, and waits for
    /// them.
    fn watch_batch(
        &mut self,
        batch: u64,
        seen: &mut Vec<Sighting<CensusOf<R::Board>>>,
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
}

impl<R: Shaded> Engine<R::Board> for GpuEngine<R> {
    fn load(&mut self, board: &R::Board) -> Result<(), EngineError> {
        let fits = |buffers: &Buffers<R>| buffers.size == board.size();
        if !self.buffers.as_ref().is_some_and(fits) {
            // The old buffers go first: both may not fit together.
            self.buffers = None;
            self.background = None;
            self.passes = Vec::new();
            self.small = None;
            self.watched_passes = Vec::new();
            self.blocks = None;
            let request = Request {
                ruleset: self.ruleset,
                size: board.size(),
                strip_rows: self.options.strip_rows,
                poisoned: self.options.poisoned,
                step: &self.step,
                census: &self.census,
            };
            self.buffers = Some(Buffers::new(&self.kernels, &request)?);
            self.batch = (CELLS_AT_FIRST / board.size().cells()).clamp(1, TALLIES);
        }
        if let Some(background) = &mut self.background {
            background.forget_next();
        }
        if let Some(blocks) = &mut self.blocks {
            blocks.forget();
        }
        let buffers = self.buffers.as_mut().ok_or(EngineError::NothingLoaded)?;
        buffers.load(self.kernels.gpu(), board)
    }

    fn step(&mut self, generations: u64) -> Result<(), EngineError> {
        let mut left = self.after_next(generations)?;
        let mut running: Option<(u64, wgpu::SubmissionIndex)> = None;
        let mut since = Instant::now();
        while left > 0 {
            let mut encoder = self.encoder();
            let batch = self.encode_generations(&mut encoder, left)?;
            let submission = self.gpu().queue.submit([encoder.finish()]);
            self.blocks.iter_mut().for_each(Blocks::ask);
            if let Some((batch, submission)) = running.replace((batch, submission)) {
                self.gpu().wait(Some(submission))?;
                self.blocks.iter_mut().for_each(Blocks::receive);
                self.pace(batch, since.elapsed());
                since = Instant::now();
            }
            left -= batch;
        }
        self.gpu().wait(None)?;
        self.blocks.iter_mut().for_each(Blocks::receive);
        if let Some((batch, _)) = running {
            self.pace(batch, since.elapsed());
        }
        Ok(())
    }

    fn stride(&self) -> u64 {
        // The last of them is computed alone, which takes about as long as a pass.
        let passes = self
            .blocks
            .as_ref()
            .map_or(2, |blocks| blocks.passes_for(2));
        passes * self.longest_pass() + 1
    }

    fn generations_a_pass(&self) -> u64 {
        self.longest_pass().max(1)
    }

    fn census(&mut self) -> Result<CensusOf<R::Board>, EngineError> {
        let mut encoder = self.encoder();
        self.clear_tallies(&mut encoder, 1)?;
        self.encode_census(&mut encoder, 1)?;
        let tallies = self.submit_tallied(encoder, 1)?;
        Ok(tallies[0].census)
    }

    fn read(&mut self) -> Result<R::Board, EngineError> {
        self.buffers()?.read(self.gpu())
    }

    fn step_counted(
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
            let batch = self.batch.min(left).min(TALLIES);
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

    fn step_watched(
        &mut self,
        generations: u64,
        seen: &mut Vec<Sighting<CensusOf<R::Board>>>,
    ) -> Result<(), EngineError> {
        let mut left = generations;
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
            let batch = self.batch.min(left).min(TALLIES);
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

    fn advance(
        &mut self,
        most: u64,
        budget: Duration,
        seen: &mut Vec<Sighting<CensusOf<R::Board>>>,
    ) -> Result<(), EngineError> {
        self.advance_within(most, budget, seen)
    }

    fn device_board(&self) -> Option<DeviceBoard> {
        let buffers = self.buffers.as_ref()?;
        Some(DeviceBoard {
            size: buffers.size,
            planes: buffers.present().to_vec(),
            fixed: buffers.fixed.clone(),
        })
    }

    fn step_filmed(
        &mut self,
        generations: u64,
        boards: &mut Vec<R::Board>,
    ) -> Result<(), EngineError> {
        let frame_bytes = film::frame_bytes::<R>(self.buffers()?.size);
        let left = self.after_next(generations)?;
        if left < generations {
            boards.push(self.read()?);
        }
        let generations = left;
        let most = (FILM_BYTES / frame_bytes).min(generations);
        if most <= 1 {
            for _ in 0..generations {
                self.step(1)?;
                boards.push(self.read()?);
            }
            return Ok(());
        }
        let film = Film::new(self.gpu(), self.buffers()?, &self.step, most)?;
        let mut left = generations;
        while left > 0 {
            let batch = self.batch.min(left).min(most);
            let since = Instant::now();
            let buffers = self.buffers.as_mut().ok_or(EngineError::NothingLoaded)?;
            film.shoot(self.kernels.gpu(), buffers, &self.step, batch, boards)?;
            self.pace(batch, since.elapsed());
            left -= batch;
        }
        Ok(())
    }
}
