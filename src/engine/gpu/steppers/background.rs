//! Generations computed in the background, for a window that must not wait.
//!
//! A generation is submitted in pieces, ranges of its threads that take some milliseconds each, of
//! which two at most are under way: a picture that is submitted after them is soon drawn. Where a
//! device is so fast that many generations take no longer than a piece, they are computed at once.
//!
//! ```text
//!   present planes ──> piece, piece, ... of the next generation ──> the other planes
//!    drawn, counted, read                                            seen by nobody
//! ```
//!
//! The next generation becomes the present one when it is told, and only then is the one after it
//! begun, which writes over what was present. Until then nobody sees it. A verb that computes
//! finishes it and counts it as the first of its own; a board that is loaded takes its place.

use std::collections::VecDeque;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::Duration;

use web_time::Instant;

use crate::engine::gpu::bands::Band;
use crate::engine::gpu::buffers::{readback_buffer, tallies, uniform};
use crate::engine::gpu::device::Gpu;
use crate::engine::gpu::family::{GpuFamily, Threads};
use crate::engine::gpu::kernels::stats::Tally;
use crate::engine::gpu::kernels::stats::{STATS_SLOTS, STATS_STRIDE};
use crate::engine::gpu::pipelines::Kernel;
use crate::engine::gpu::state::Loaded;
use crate::engine::gpu::{CELLS_AT_FIRST, GpuEngine};
use crate::engine::{CensusOf, EngineError, GenerationStats};

/// A piece should take about this long.
const PIECE_TIME: Duration = Duration::from_millis(6);

/// The most pieces that are submitted and not done: one is computed, the next is at hand.
const UNDER_WAY: usize = 2;

/// Generations from which passes are worth it, though the first and the last are then computed singly.
const WORTH_PASSES: u64 = 8;

/// The fewest threads of a piece, however slow they seem.
const LEAST_PIECE: u64 = 1 << 10;

/// Longer than anything takes: for verbs that wait.
const NO_BUDGET: Duration = Duration::from_secs(u32::MAX as u64);

/// What the pieces of a board need, and the generation that is computed of them.
pub(in crate::engine::gpu) struct Background {
    /// The threads of the piece that is submitted next.
    params: wgpu::Buffer,
    /// One, of the next generation.
    tallies: wgpu::Buffer,
    /// Of each band.
    groups: Vec<[wgpu::BindGroup; 2]>,
    /// Threads that take about [`PIECE_TIME`]: of a part of a generation, or of several.
    piece: u64,
    /// Whether their number is given, not learnt.
    is_given: bool,
    next: Option<Next>,
    /// Counts the calls, to tell the pieces of one from those of another.
    call: u64,
}

/// The generation after the present one.
#[derive(Default)]
struct Next {
    /// Threads that are submitted or done, those of one band after those of the other.
    submitted: u64,
    under_way: VecDeque<Piece>,
    /// The way home of the tally, once all pieces are submitted.
    told: Option<Told>,
}

/// A submitted piece.
struct Piece {
    done: Receiver<()>,
    threads: u64,
    call: u64,
}

/// A tally that is copied to where the host can read it.
struct Told {
    readback: wgpu::Buffer,
    mapped: Receiver<Result<(), wgpu::BufferAsyncError>>,
}

/// How long a call may take.
struct Call {
    since: Instant,
    budget: Duration,
    /// Since when the device has had nothing to do but the pieces of this call, if that is known.
    /// A piece that waits for a picture to be drawn tells nothing about its own time.
    free: Option<Instant>,
    /// Threads that were computed since then, and when the last of them were seen to be done. The end of
    /// a single piece may be seen late, so all are measured together.
    computed: u64,
    done: Option<Instant>,
}

impl Call {
    fn new(budget: Duration) -> Self {
        Self {
            since: Instant::now(),
            budget,
            free: None,
            computed: 0,
            done: None,
        }
    }

    /// Some threads of this call are done.
    fn count(&mut self, threads: u64) {
        let now = Instant::now();
        if self.free.is_some() {
            self.computed += threads;
            self.done = Some(now);
        } else {
            self.free = Some(now);
        }
    }

    fn left(&self) -> Duration {
        self.budget.saturating_sub(self.since.elapsed())
    }
}

impl Background {
    fn new<R: GpuFamily>(
        gpu: &Gpu,
        loaded: &Loaded<R>,
        ruleset: R,
        census: &Kernel,
        piece: Option<u32>,
    ) -> Self {
        let no_threads = Threads {
            strip_rows: 1,
            range: 0..0,
        };
        // They are written anew for every piece.
        let params = ruleset.params(&Band::whole(loaded.size), &no_threads);
        let params = uniform(gpu, "piece params", &params);
        let tallies = tallies::<R>(gpu, 1);
        let groups = loaded.bands.iter().map(|held| {
            let buffers = &held.buffers;
            buffers.other_tally_groups(gpu, census, &params, &tallies)
        });
        let groups = groups.collect();
        let threads = loaded.threads();
        let cells = loaded.size.cells().max(1);
        Self {
            params,
            tallies,
            groups,
            piece: match piece {
                Some(threads) => u64::from(threads).max(1),
                None => (threads * CELLS_AT_FIRST / cells).max(LEAST_PIECE),
            },
            is_given: piece.is_some(),
            next: None,
            call: 0,
        }
    }

    /// Gives the next generation up: the board it comes from is replaced.
    pub(in crate::engine::gpu) fn forget_next(&mut self) {
        self.next = None;
    }

    /// Generations of so many threads that are done within a time, and in one piece.
    fn generations_within(&self, threads: u64, time: Duration) -> u64 {
        let time = time.min(PIECE_TIME).as_nanos();
        let fitting = u128::from(self.piece) * time / PIECE_TIME.as_nanos();
        (fitting as u64 / threads.max(1)).min(STATS_SLOTS)
    }

    /// Learns how long the threads of a call took.
    fn learn(&mut self, call: &Call, most: u64) {
        let (Some(since), Some(done)) = (call.free, call.done) else {
            return;
        };
        let (threads, took) = (call.computed, done.saturating_duration_since(since));
        tracing::debug!(threads, ?took, piece = self.piece, "pieces");
        // The rest of a generation says little.
        if self.is_given || threads < self.piece / 2 {
            return;
        }
        let took = took.as_nanos().max(1);
        let ideal = (u128::from(threads) * PIECE_TIME.as_nanos() / took) as u64;
        // One measurement may be disturbed.
        let near = ideal.clamp(self.piece / 2, self.piece.saturating_mul(2));
        self.piece = near.clamp(LEAST_PIECE, most.max(LEAST_PIECE));
    }

    /// Submits pieces of the next generation until enough are under way for the time that is left.
    fn feed<R: GpuFamily>(
        &mut self,
        gpu: &Gpu,
        loaded: &Loaded<R>,
        ruleset: R,
        watch: &Kernel,
        left: Duration,
    ) -> Result<(), EngineError> {
        let next = self.next.get_or_insert_default();
        // A card is never left without work. A software adapter draws pictures on the same cores: what
        // is submitted beyond the time delays them.
        let fitting = match gpu.is_software() {
            true => (left.as_nanos() / PIECE_TIME.as_nanos()).clamp(1, UNDER_WAY as u128) as usize,
            false => UNDER_WAY,
        };
        while next.under_way.len() < fitting {
            let Some(part) = loaded.part_from(next.submitted) else {
                break;
            };
            let buffers = &loaded.bands[part.band].buffers;
            let grid = &buffers.grid;
            // Pieces of one length, each of whole workgroups.
            let pieces = u64::from(grid.threads).div_ceil(self.piece);
            let piece = u64::from(grid.threads).div_ceil(pieces);
            let piece = piece.next_multiple_of(R::PROGRAMS.step_with_stats.workgroup.into());
            let end = (u64::from(part.first_thread) + piece).min(grid.threads.into()) as u32;
            let threads = grid.part(part.first_thread..end);
            let is_last = end == grid.threads && part.band + 1 == loaded.bands.len();
            let params = ruleset.params(&buffers.band, &threads);
            gpu.queue.write_buffer(&self.params, 0, &params);
            let mut encoder = gpu.device.create_command_encoder(&Default::default());
            if next.submitted == 0 {
                encoder.clear_buffer(&self.tallies, STATS_STRIDE, Some(STATS_STRIDE));
                loaded.encode_halos(&mut encoder, loaded.parity);
            }
            let mut pass = encoder.begin_compute_pass(&Default::default());
            pass.set_pipeline(watch.pipeline());
            pass.set_bind_group(0, &self.groups[part.band][loaded.parity], &[0]);
            let [x, y] = grid.groups_of(&threads);
            pass.dispatch_workgroups(x, y, 1);
            drop(pass);
            let readback = if is_last {
                let readback = gpu.checked(|| readback_buffer(gpu, STATS_STRIDE))?;
                let bytes = STATS_STRIDE;
                encoder.copy_buffer_to_buffer(&self.tallies, STATS_STRIDE, &readback, 0, bytes);
                Some(readback)
            } else {
                None
            };
            gpu.queue.submit([encoder.finish()]);
            let (sender, done) = mpsc::channel();
            gpu.queue.on_submitted_work_done(move || {
                // The receiver is gone if the generation was given up.
                let _ = sender.send(());
            });
            next.told = readback.map(|readback| {
                let (sender, mapped) = mpsc::channel();
                readback.map_async(wgpu::MapMode::Read, .., move |result| {
                    // As above.
                    let _ = sender.send(result);
                });
                Told { readback, mapped }
            });
            next.under_way.push_back(Piece {
                done,
                threads: threads.range.len() as u64,
                call: self.call,
            });
            next.submitted += threads.range.len() as u64;
        }
        Ok(())
    }

    /// Waits for the oldest piece under way, as long as there is time. Returns whether there is none
    /// any more that is not done.
    fn wait(&mut self, gpu: &Gpu, call: &mut Call) -> Result<bool, EngineError> {
        let under_way = match &mut self.next {
            Some(next) => &mut next.under_way,
            None => return Ok(true),
        };
        let Some(piece) = under_way.front() else {
            return Ok(true);
        };
        if !gpu.wait_for(&piece.done, call.left())? {
            return Ok(false);
        }
        let piece = under_way.pop_front();
        if let Some(piece) = piece.filter(|piece| piece.call == self.call) {
            call.count(piece.threads);
        }
        Ok(true)
    }

    /// The tally of the next generation, if it has come home within the time.
    fn tally<R: GpuFamily>(
        &self,
        gpu: &Gpu,
        most: Duration,
    ) -> Result<Option<Tally<R>>, EngineError> {
        let Some(told) = self.next.as_ref().and_then(|next| next.told.as_ref()) else {
            return Ok(None);
        };
        // Another thread that waits on the same device may be the one that calls back, a moment
        // after the work is done.
        match told.mapped.recv_timeout(most) {
            Ok(Ok(())) => {}
            Err(RecvTimeoutError::Timeout) => return Ok(None),
            Ok(Err(error)) => return Err(gpu.error(&error.to_string())),
            Err(error) => return Err(gpu.error(&error.to_string())),
        }
        let bytes = told.readback.slice(..).get_mapped_range();
        let bytes = bytes.map_err(|error| gpu.error(&error.to_string()))?;
        Ok(Some(Tally::of(&bytes)))
    }
}

impl<R: GpuFamily> GpuEngine<R> {
    /// Computes for about as long as `budget`; see [`Engine::advance`](crate::engine::Engine::advance).
    pub(in crate::engine::gpu) fn advance_within(
        &mut self,
        most: u64,
        budget: Duration,
        seen: &mut Vec<GenerationStats<CensusOf<R::Board>>>,
    ) -> Result<(), EngineError> {
        let mut call = Call::new(budget);
        let threads = self.loaded()?.threads();
        if self.gpu().is_idle()? {
            call.free = Some(Instant::now());
        }
        self.background()?.call += 1;
        let mut left = most;
        while left > 0 {
            let background = self.background()?;
            // Several generations are submitted at once and waited for only if there is time for
            // them: what is present now is gone when the second is begun.
            let several = match background.next {
                Some(_) => 0,
                None => background.generations_within(threads, call.left()),
            };
            let several = several.min(left);
            if several > 1 {
                let told = seen.len();
                self.watch_several(several, seen)?;
                left -= (seen.len() - told) as u64;
                call.count(several * threads);
            } else {
                let Some(sighting) = self.next_within(&mut call)? else {
                    break;
                };
                seen.push(sighting);
                left -= 1;
            }
            let is_settled = seen.last().is_some_and(|sighting| sighting.is_settled());
            if is_settled || call.left().is_zero() {
                break;
            }
        }
        self.background()?.learn(&call, most_piece(threads));
        let took = call.since.elapsed();
        // A first use of a kernel on a software adapter holds the window up.
        self.note_time(if self.gpu().is_software() {
            took / 8
        } else {
            took
        });
        Ok(())
    }

    /// Computes generations under watch, in passes if they are worth it, up to the first that is settled.
    fn watch_several(
        &mut self,
        generations: u64,
        seen: &mut Vec<GenerationStats<CensusOf<R::Board>>>,
    ) -> Result<(), EngineError> {
        let left = match generations >= WORTH_PASSES {
            true => self.watch_in_passes(generations, true, seen)?,
            false => generations,
        };
        match left {
            0 => Ok(()),
            left => self.watch_batch(left, seen),
        }
    }

    /// Makes the generation that is computed in the background the present one, and tells of it.
    pub(in crate::engine::gpu) fn finish_next(
        &mut self,
    ) -> Result<Option<GenerationStats<CensusOf<R::Board>>>, EngineError> {
        let background = self.background.as_mut();
        let Some(background) = background.filter(|background| background.next.is_some()) else {
            return Ok(None);
        };
        background.call += 1;
        self.next_within(&mut Call::new(NO_BUDGET))
    }

    /// Computes pieces of the next generation while there is time. If it is then done it is the
    /// present one.
    fn next_within(
        &mut self,
        call: &mut Call,
    ) -> Result<Option<GenerationStats<CensusOf<R::Board>>>, EngineError> {
        let watch = self.watch_kernel()?;
        self.background()?;
        let gpu = self.kernels.gpu();
        let (Some(loaded), Some(background)) = (&mut self.loaded, &mut self.background) else {
            return Err(EngineError::NothingLoaded);
        };
        loop {
            background.feed(gpu, loaded, self.ruleset, &watch, call.left())?;
            if !background.wait(gpu, call)? {
                return Ok(None);
            }
            let next = background.next.as_ref();
            if next.is_some_and(|next| next.told.is_some() && next.under_way.is_empty()) {
                break;
            }
            if call.left().is_zero() {
                // A card has work while a picture is made.
                if !gpu.is_software() {
                    background.feed(gpu, loaded, self.ruleset, &watch, call.left())?;
                }
                return Ok(None);
            }
        }
        let tally = background.tally::<R>(gpu, call.left())?;
        if tally.is_some() {
            background.next = None;
            loaded.flip();
        }
        Ok(tally.map(Tally::sighting))
    }

    fn background(&mut self) -> Result<&mut Background, EngineError> {
        let background = match self.background.take() {
            Some(background) => background,
            None => {
                let gpu = self.gpu();
                let loaded = self.loaded()?;
                gpu.checked(|| {
                    Background::new(gpu, loaded, self.ruleset, &self.census, self.options.piece)
                })?
            }
        };
        Ok(self.background.insert(background))
    }
}

/// Threads of the longest piece: as many generations as are told at a time.
const fn most_piece(threads: u64) -> u64 {
    threads.saturating_mul(STATS_SLOTS)
}
