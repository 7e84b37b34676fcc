//! The GPU engine: bit planes in ping-pong storage buffers, advanced by compute shaders.
//!
//! Rule and edges are baked into a pipeline when it is made. Work is submitted in pieces of
//! bounded time, so that a driver's watchdog never sees a long one and an interrupt is heard; the
//! next piece is recorded while the last one runs. Nothing is read back but what is asked for:
//! counts are reduced on the device.

mod buffers;
pub mod device;
mod film;
mod kernel;
pub mod layout;

use std::sync::Arc;
use std::time::Duration;

use web_time::Instant;

use self::buffers::{Buffers, Request, map, readback_buffer};
pub use self::device::{Choice, Found, Gpu, Handles, adapters, choose};
use self::film::Film;
use self::kernel::Kernel;
pub use self::kernel::Kernels;
use self::layout::{CENSUS, TALLIES, TALLY_STRIDE, Tally};
use super::{Engine, EngineError, Sighting};
use crate::board::{Board, Census, Size};
use crate::rules::Ruleset;

/// A submission should take about this long: short for a watchdog, long against its overhead.
const SUBMISSION_TIME: Duration = Duration::from_millis(20);

/// The most generations of a submission, however fast they are.
const MOST_GENERATIONS: u64 = 4096;

/// Cells to compute in the first submission, before anything has been measured: a slow software
/// adapter takes about [`SUBMISSION_TIME`] for them.
const CELLS_AT_FIRST: u64 = 1 << 21;

/// Workgroups that count; each takes every so-manieth word.
const MOST_CENSUS_GROUPS: u32 = 1024;

/// Bytes of boards that are filmed before they are read back.
const FILM_BYTES: u64 = 16 << 20;

/// Where a device keeps a board. The buffers are the engine's own: what is submitted now sees the
/// present generation in them, what is submitted after the next generation may not.
#[derive(Clone, Debug)]
pub struct DeviceBoard {
    /// The board's size; the layout of the planes is that of [`Board`].
    pub size: Size,
    /// The plane of live cells, a storage buffer.
    pub alive: wgpu::Buffer,
    /// The plane of blue cells, a storage buffer.
    pub blue: wgpu::Buffer,
}

/// A board on a device.
pub struct GpuEngine {
    kernels: Arc<Kernels>,
    ruleset: Ruleset,
    step: Kernel,
    strip_rows: Option<u32>,
    poisoned: bool,
    buffers: Option<Buffers>,
    /// What stepping under watch needs, made when it is first asked for.
    watch: Option<Watch>,
    /// Generations of the next submission.
    batch: u64,
}

/// The kernel that steps under watch, bound to the present buffers.
struct Watch {
    kernel: Kernel,
    groups: [wgpu::BindGroup; 2],
}

impl GpuEngine {
    /// An engine without a board. Compiles the kernel of the ruleset unless `kernels` has it.
    ///
    /// # Errors
    /// [`EngineError::Device`] if the device refuses the kernel.
    pub fn new(kernels: &Arc<Kernels>, ruleset: Ruleset) -> Result<Self, EngineError> {
        Ok(Self {
            kernels: Arc::clone(kernels),
            ruleset,
            step: kernels.step(ruleset)?,
            strip_rows: None,
            poisoned: false,
            buffers: None,
            watch: None,
            batch: 1,
        })
    }

    /// Fills the output planes with [`POISON`](super::POISON) before every generation.
    pub const fn poisoned(mut self) -> Self {
        self.poisoned = true;
        self
    }

    /// Lets one thread compute this many rows, at least 1, instead of a number that suits the
    /// board.
    pub const fn with_strip_rows(mut self, rows: u32) -> Self {
        self.strip_rows = Some(rows);
        self
    }

    fn gpu(&self) -> &Gpu {
        self.kernels.gpu()
    }

    fn buffers(&self) -> Result<&Buffers, EngineError> {
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

    /// Makes the generation just computed the present one.
    fn flip(&mut self) -> Result<(), EngineError> {
        let buffers = self.buffers.as_mut().ok_or(EngineError::NothingLoaded)?;
        buffers.parity = 1 - buffers.parity;
        Ok(())
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
        let buffers = self.buffers.as_ref().ok_or(EngineError::NothingLoaded)?;
        let watch = match self.watch.take() {
            Some(watch) => watch,
            None => {
                let kernel = self.kernels.watch(self.ruleset)?;
                let groups = buffers.watch_groups(self.kernels.gpu(), &kernel)?;
                Watch { kernel, groups }
            }
        };
        let watch = self.watch.insert(watch);
        let [x, y] = buffers.grid.groups;
        let mut pass = encoder.begin_compute_pass(&Default::default());
        pass.set_pipeline(&watch.kernel.pipeline);
        for last in 0..batch {
            let parity = (buffers.parity + last as usize) % 2;
            let offset = (last * TALLY_STRIDE) as u32;
            pass.set_bind_group(0, &watch.groups[parity], &[offset]);
            pass.dispatch_workgroups(x, y, 1);
        }
        Ok(())
    }

    /// Records the count of the present board to tally number `tally`.
    fn encode_census(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        tally: u64,
    ) -> Result<(), EngineError> {
        let buffers = self.buffers()?;
        let words = buffers.size.plane_words() as u32;
        let groups = words.div_ceil(CENSUS.workgroup).min(MOST_CENSUS_GROUPS);
        let mut pass = encoder.begin_compute_pass(&Default::default());
        pass.set_pipeline(&self.kernels.census().pipeline);
        let offset = (tally * TALLY_STRIDE) as u32;
        pass.set_bind_group(0, &buffers.census_groups[buffers.parity], &[offset]);
        pass.dispatch_workgroups(groups, 1, 1);
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
    ) -> Result<Vec<Tally>, EngineError> {
        let gpu = self.gpu();
        let bytes = count * TALLY_STRIDE;
        let readback = gpu.checked(|| readback_buffer(gpu, bytes))?;
        let tallies = &self.buffers()?.tallies;
        encoder.copy_buffer_to_buffer(tallies, TALLY_STRIDE, &readback, 0, bytes);
        gpu.queue.submit([encoder.finish()]);
        map(gpu, &readback, bytes, |bytes| {
            let tallies = bytes.chunks(TALLY_STRIDE as usize);
            tallies
                .map(|tally| bytemuck::pod_read_unaligned(&tally[..size_of::<Tally>()]))
                .collect()
        })
    }

    fn encoder(&self) -> wgpu::CommandEncoder {
        self.gpu()
            .device
            .create_command_encoder(&Default::default())
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

impl Engine for GpuEngine {
    fn load(&mut self, board: &Board) -> Result<(), EngineError> {
        let fits = |buffers: &Buffers| buffers.size == board.size();
        if !self.buffers.as_ref().is_some_and(fits) {
            // The old buffers go first: both may not fit together.
            self.buffers = None;
            self.watch = None;
            let request = Request {
                ruleset: self.ruleset,
                size: board.size(),
                strip_rows: self.strip_rows,
                poisoned: self.poisoned,
                step: &self.step,
            };
            self.buffers = Some(Buffers::new(&self.kernels, &request)?);
            self.batch = (CELLS_AT_FIRST / board.size().cells()).clamp(1, TALLIES);
        }
        let buffers = self.buffers.as_mut().ok_or(EngineError::NothingLoaded)?;
        buffers.load(self.kernels.gpu(), board)
    }

    fn step(&mut self, generations: u64) -> Result<(), EngineError> {
        let poisoned = self.buffers()?.is_poisoned();
        let mut left = generations;
        let mut running: Option<(u64, wgpu::SubmissionIndex)> = None;
        let mut since = Instant::now();
        while left > 0 {
            let batch = self.batch.min(left);
            let mut encoder = self.encoder();
            if poisoned {
                for _ in 0..batch {
                    self.encode_step(&mut encoder)?;
                }
            } else {
                let mut pass = encoder.begin_compute_pass(&Default::default());
                for _ in 0..batch {
                    self.dispatch_step(&mut pass)?;
                }
            }
            let submission = self.gpu().queue.submit([encoder.finish()]);
            if let Some((batch, submission)) = running.replace((batch, submission)) {
                self.gpu().wait(Some(submission))?;
                self.pace(batch, since.elapsed());
                since = Instant::now();
            }
            left -= batch;
        }
        self.gpu().wait(None)?;
        if let Some((batch, _)) = running {
            self.pace(batch, since.elapsed());
        }
        Ok(())
    }

    fn census(&mut self) -> Result<Census, EngineError> {
        let mut encoder = self.encoder();
        self.clear_tallies(&mut encoder, 1)?;
        self.encode_census(&mut encoder, 1)?;
        let tallies = self.submit_tallied(encoder, 1)?;
        Ok(tallies[0].census())
    }

    fn read(&mut self) -> Result<Board, EngineError> {
        self.buffers()?.read(self.gpu())
    }

    fn step_counted(
        &mut self,
        generations: u64,
        counts: &mut Vec<Census>,
    ) -> Result<(), EngineError> {
        let mut left = generations;
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
            counts.extend(tallies.into_iter().map(Tally::census));
            self.pace(batch, since.elapsed());
            left -= batch;
        }
        Ok(())
    }

    fn step_watched(
        &mut self,
        generations: u64,
        seen: &mut Vec<Sighting>,
    ) -> Result<(), EngineError> {
        let mut left = generations;
        while left > 0 {
            let batch = self.batch.min(left).min(TALLIES);
            let since = Instant::now();
            let mut encoder = self.encoder();
            self.clear_tallies(&mut encoder, batch)?;
            self.encode_watched(&mut encoder, batch)?;
            for tally in self.submit_tallied(encoder, batch)? {
                let sighting = tally.sighting();
                seen.push(sighting);
                self.flip()?;
                if sighting.is_settled() {
                    // The rest of the batch has computed nothing.
                    return Ok(());
                }
            }
            self.pace(batch, since.elapsed());
            left -= batch;
        }
        Ok(())
    }

    fn device_board(&self) -> Option<DeviceBoard> {
        let buffers = self.buffers.as_ref()?;
        let [alive, blue] = buffers.present().clone();
        Some(DeviceBoard {
            size: buffers.size,
            alive,
            blue,
        })
    }

    fn step_filmed(
        &mut self,
        generations: u64,
        boards: &mut Vec<Board>,
    ) -> Result<(), EngineError> {
        let frame_bytes = film::frame_bytes(self.buffers()?.size);
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
            film.shoot(self.gpu(), self.buffers()?, &self.step, batch, boards)?;
            self.pace(batch, since.elapsed());
            left -= batch;
        }
        Ok(())
    }
}

impl Tally {
    fn census(self) -> Census {
        let total = |[low, high]: [u32; 2]| u64::from(low) | u64::from(high) << 32;
        let (alive, blue) = (total(self.alive), total(self.blue));
        Census {
            red: alive.saturating_sub(blue),
            blue,
        }
    }

    fn sighting(self) -> Sighting {
        Sighting {
            census: self.census(),
            period: match (self.differs_from_last, self.differs_from_second_last) {
                (0, _) => Some(1),
                (_, 0) => Some(2),
                _ => None,
            },
        }
    }
}
