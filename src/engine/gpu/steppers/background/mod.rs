//! Generations computed in the background, for a window that must not wait.
//!
//! A generation is submitted in pieces, ranges of its threads that take some milliseconds each, of
//! which at most two are in flight: a picture that is submitted after them is soon drawn. Where a
//! device is so fast that many generations take no longer than a piece, they are computed at once.
//!
//! ```text
//!   present planes ──> piece, piece, ... of the next generation ──> the other planes
//!    drawn, counted, read                                            not visible yet
//! ```
//!
//! The next generation becomes the present one when its statistics have been read back, and only then
//! is the one after it begun, which writes over what was present. Whatever else computes finishes it
//! first and counts it as the first of its own; a board that is loaded replaces it.

mod piece;

use std::collections::VecDeque;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::Duration;

use self::piece::{Call, PIECE_TIME, PieceLength};
use crate::engine::EngineError;
use crate::engine::gpu::bands::Band;
use crate::engine::gpu::buffers::stats_buffer;
use crate::engine::gpu::commands::Commands;
use crate::engine::gpu::context::{CELLS_AT_FIRST, StatsOf, StatsSink, Stepper};
use crate::engine::gpu::device::Gpu;
use crate::engine::gpu::family::GpuFamily;
use crate::engine::gpu::grid::Threads;
use crate::engine::gpu::kernels::stats::STATS_STRIDE;
use crate::engine::gpu::pipelines::Kernel;
use crate::engine::gpu::state::DeviceState;
use crate::engine::gpu::stats::DeviceStats;
use crate::engine::gpu::transfer::{readback_buffer, uniform};

/// The most pieces that are submitted and not done: one is computed, the next is at hand.
const MOST_IN_FLIGHT: usize = 2;

/// Generations from which passes are worth it, though the first and the last are then computed singly.
const WORTH_PASSES: u64 = 8;

/// Longer than anything takes.
const NO_BUDGET: Duration = Duration::from_secs(u32::MAX as u64);

/// What the pieces of a board need, and the generation that is computed in them.
pub(in crate::engine::gpu) struct Background {
    /// The threads of the piece that is submitted next.
    params: wgpu::Buffer,
    /// One slot, of the next generation.
    stats: wgpu::Buffer,
    /// Of each band.
    groups: Vec<[wgpu::BindGroup; 2]>,
    length: PieceLength,
    next: Option<Next>,
    /// The number of the present call: a piece may be from an earlier one.
    call: u64,
}

/// The generation after the present one.
#[derive(Default)]
struct Next {
    /// Threads that are submitted or done, those of one band after those of the other.
    submitted: u64,
    in_flight: VecDeque<Piece>,
    /// Of its statistics, once all pieces are submitted.
    readback: Option<Readback>,
}

/// A submitted piece.
struct Piece {
    done: Receiver<()>,
    threads: u64,
    call: u64,
}

/// Statistics on their way to the host.
struct Readback {
    buffer: wgpu::Buffer,
    mapped: Receiver<Result<(), wgpu::BufferAsyncError>>,
}

impl Background {
    /// For the board of a stepper.
    pub(in crate::engine::gpu) fn new<R: GpuFamily>(
        stepper: &Stepper<'_, R>,
    ) -> Result<Self, EngineError> {
        let (gpu, state) = (stepper.context.gpu(), &*stepper.state);
        let (ruleset, census) = (stepper.context.ruleset, &stepper.context.census);
        let piece = stepper.context.options.piece;
        gpu.checked(|| Self::made(gpu, state, ruleset, census, piece))
    }

    fn made<R: GpuFamily>(
        gpu: &Gpu,
        state: &DeviceState<R>,
        ruleset: R,
        census: &Kernel,
        piece: Option<u32>,
    ) -> Self {
        let no_threads = Threads {
            strip_rows: 1,
            range: 0..0,
        };
        // They are written anew for every piece.
        let params = ruleset.step_params(&Band::whole(state.size), &no_threads);
        let params = uniform(gpu, "piece params", &params);
        let stats = stats_buffer::<R>(gpu, 1);
        let groups = state.bands.iter().map(|band| {
            let buffers = &band.buffers;
            buffers.other_stats_groups(gpu, census, &params, &stats)
        });
        let groups = groups.collect();
        let threads = state.threads();
        let cells = state.size.cells().max(1);
        Self {
            params,
            stats,
            groups,
            length: match piece {
                Some(threads) => PieceLength::fixed(threads),
                None => PieceLength::guessed(threads * CELLS_AT_FIRST / cells),
            },
            next: None,
            call: 0,
        }
    }

    /// Drops the next generation: the board it is computed from is replaced.
    pub(in crate::engine::gpu) fn forget_next(&mut self) {
        self.next = None;
    }

    /// Submits pieces of the next generation until enough are in flight for the time that is left.
    fn feed<R: GpuFamily>(
        &mut self,
        gpu: &Gpu,
        state: &DeviceState<R>,
        ruleset: R,
        kernel: &Kernel,
        left: Duration,
    ) -> Result<(), EngineError> {
        let next = self.next.get_or_insert_default();
        // A card is never left without work. A software adapter draws pictures on the same cores: what
        // is submitted beyond the time delays them.
        let fitting = match gpu.is_software() {
            true => {
                (left.as_nanos() / PIECE_TIME.as_nanos()).clamp(1, MOST_IN_FLIGHT as u128) as usize
            }
            false => MOST_IN_FLIGHT,
        };
        while next.in_flight.len() < fitting {
            let Some(part) = state.part_from(next.submitted) else {
                break;
            };
            let buffers = &state.bands[part.band].buffers;
            let grid = &buffers.grid;
            // Pieces of one length, each of whole workgroups.
            let pieces = u64::from(grid.threads).div_ceil(self.length.threads());
            let piece = u64::from(grid.threads).div_ceil(pieces);
            let piece = piece.next_multiple_of(R::STEP_PROGRAMS.step_with_stats.workgroup.into());
            let end = (u64::from(part.first_thread) + piece).min(grid.threads.into()) as u32;
            let threads = grid.part(part.first_thread..end);
            let is_last = end == grid.threads && part.band + 1 == state.bands.len();
            let params = ruleset.step_params(&buffers.band, &threads);
            gpu.queue.write_buffer(&self.params, 0, &params);
            let mut commands = Commands::new(gpu);
            if next.submitted == 0 {
                commands.clear(&self.stats, STATS_STRIDE..2 * STATS_STRIDE);
                state.encode_halos(&mut commands, state.parity);
            }
            let pass = commands.compute();
            pass.set_pipeline(kernel.pipeline());
            pass.set_bind_group(0, &self.groups[part.band][state.parity], &[0]);
            let [x, y] = grid.groups_of(&threads);
            pass.dispatch_workgroups(x, y, 1);
            let readback = if is_last {
                let readback = gpu.checked(|| readback_buffer(gpu, STATS_STRIDE))?;
                commands.copy(&self.stats, STATS_STRIDE..2 * STATS_STRIDE, &readback, 0);
                Some(readback)
            } else {
                None
            };
            commands.submit(gpu);
            let (sender, done) = mpsc::channel();
            gpu.queue.on_submitted_work_done(move || {
                // The receiver is gone if the generation was given up.
                let _ = sender.send(());
            });
            next.readback = readback.map(|readback| {
                let (sender, mapped) = mpsc::channel();
                readback.map_async(wgpu::MapMode::Read, .., move |result| {
                    // As above.
                    let _ = sender.send(result);
                });
                Readback {
                    buffer: readback,
                    mapped,
                }
            });
            next.in_flight.push_back(Piece {
                done,
                threads: threads.range.len() as u64,
                call: self.call,
            });
            next.submitted += threads.range.len() as u64;
        }
        Ok(())
    }

    /// Waits for the oldest piece in flight, as long as there is time. Returns false if it is not done
    /// by then.
    fn wait(&mut self, gpu: &Gpu, call: &mut Call) -> Result<bool, EngineError> {
        let in_flight = match &mut self.next {
            Some(next) => &mut next.in_flight,
            None => return Ok(true),
        };
        let Some(piece) = in_flight.front() else {
            return Ok(true);
        };
        if !gpu.wait_for(&piece.done, call.left())? {
            return Ok(false);
        }
        let piece = in_flight.pop_front();
        if let Some(piece) = piece.filter(|piece| piece.call == self.call) {
            call.count(piece.threads);
        }
        Ok(true)
    }

    /// The statistics of the next generation, if they have been read back within the time.
    fn stats<R: GpuFamily>(
        &self,
        gpu: &Gpu,
        most: Duration,
    ) -> Result<Option<DeviceStats<R>>, EngineError> {
        let next = self.next.as_ref();
        let Some(readback) = next.and_then(|next| next.readback.as_ref()) else {
            return Ok(None);
        };
        // Another thread that waits on the same device may be the one that calls back, a moment
        // after the work is done.
        match readback.mapped.recv_timeout(most) {
            Ok(Ok(())) => {}
            Err(RecvTimeoutError::Timeout) => return Ok(None),
            Ok(Err(error)) => return Err(gpu.error(&error.to_string())),
            Err(error) => return Err(gpu.error(&error.to_string())),
        }
        let bytes = readback.buffer.slice(..).get_mapped_range();
        let bytes = bytes.map_err(|error| gpu.error(&error.to_string()))?;
        Ok(Some(DeviceStats::from_bytes(&bytes)))
    }

    /// Computes for about as long as `budget`, up to the first generation that is settled. Generations
    /// that are not finished continue in the background.
    pub(in crate::engine::gpu) fn advance<R: GpuFamily>(
        &mut self,
        stepper: &mut Stepper<'_, R>,
        generations: u64,
        budget: Duration,
        sink: &mut StatsSink<'_, R>,
    ) -> Result<(), EngineError> {
        let mut call = Call::new(budget);
        let threads = stepper.state.threads();
        if stepper.context.gpu().is_idle()? {
            call.set_free();
        }
        self.call += 1;
        let mut left = generations;
        while left > 0 {
            // Several generations are submitted at once and waited for only if there is time for
            // them: what is present now is gone when the second is begun.
            let several = match self.next {
                Some(_) => 0,
                None => self.length.generations_within(threads, call.left()),
            };
            let several = several.min(left);
            let mut is_settled = false;
            let mut count = |stats: StatsOf<R>| {
                left -= 1;
                is_settled = stats.is_settled();
                sink(stats);
            };
            if several > 1 {
                run_several(stepper, several, &mut count)?;
                call.count(several * threads);
            } else {
                let Some(stats) = self.next_within(stepper, &mut call)? else {
                    break;
                };
                count(stats);
            }
            if is_settled || call.left().is_zero() {
                break;
            }
        }
        self.length.adapt(&call, threads);
        let took = call.took();
        // A first use of a kernel on a software adapter holds the window up.
        stepper.add_time(match stepper.context.gpu().is_software() {
            true => took / 8,
            false => took,
        });
        Ok(())
    }

    /// Makes the generation that is computed in the background the present one, if there is one.
    pub(in crate::engine::gpu) fn finish<R: GpuFamily>(
        &mut self,
        stepper: &mut Stepper<'_, R>,
    ) -> Result<Option<StatsOf<R>>, EngineError> {
        if self.next.is_none() {
            return Ok(None);
        }
        self.call += 1;
        self.next_within(stepper, &mut Call::new(NO_BUDGET))
    }

    /// Computes pieces of the next generation while there is time. If it is then done it is the
    /// present one.
    fn next_within<R: GpuFamily>(
        &mut self,
        stepper: &mut Stepper<'_, R>,
        call: &mut Call,
    ) -> Result<Option<StatsOf<R>>, EngineError> {
        let kernel = stepper.context.step_with_stats()?;
        let (gpu, ruleset) = (stepper.context.gpu(), stepper.context.ruleset);
        let state = &mut *stepper.state;
        loop {
            self.feed(gpu, state, ruleset, &kernel, call.left())?;
            if !self.wait(gpu, call)? {
                return Ok(None);
            }
            let next = self.next.as_ref();
            if next.is_some_and(|next| next.readback.is_some() && next.in_flight.is_empty()) {
                break;
            }
            if call.left().is_zero() {
                // A card has work while a picture is made.
                if !gpu.is_software() {
                    self.feed(gpu, state, ruleset, &kernel, call.left())?;
                }
                return Ok(None);
            }
        }
        let stats = self.stats::<R>(gpu, call.left())?;
        if stats.is_some() {
            self.next = None;
            state.flip();
        }
        Ok(stats.map(DeviceStats::generation_stats))
    }
}

/// Computes generations with statistics, in passes if they are worth it, up to the first that is settled.
fn run_several<R: GpuFamily>(
    stepper: &mut Stepper<'_, R>,
    generations: u64,
    sink: &mut StatsSink<'_, R>,
) -> Result<(), EngineError> {
    let left = match generations >= WORTH_PASSES {
        true => stepper.run_stats_passes(generations, true, sink)?,
        false => generations,
    };
    if left > 0 {
        stepper.run_stats_steps(left, sink)?;
    }
    Ok(())
}
