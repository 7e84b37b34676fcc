//! Several generations under watch in one pass over the board: `shaders/lifelike/pass.wgsl`.
//!
//! A pass looks one generation further than it goes. It finds the first one seen already, by a single
//! generation at first, whose board is not kept, and then by the pass before:
//!
//! ```text
//!   single   0 -> 1
//!   pass     0 -------> 1  2  3  4         from 0 to 3: 2, 3 and 4 are seen
//!   pass              3 -------> 4  5  6  7         from 3 to 6: 5, 6 and 7
//!   single                     6 -> 7               the board that was seen last
//! ```
//!
//! So two sets of planes are enough. A submission has many passes. Those after a settled generation
//! write nothing, so the board before the pass that has seen it is still there to go on from singly.

use web_time::Instant;

use crate::engine::gpu::GpuEngine;
use crate::engine::gpu::buffers::{Buffers, uniform};
use crate::engine::gpu::device::Gpu;
use crate::engine::gpu::family::{GpuFamily, Tiling};
use crate::engine::gpu::kernels::pass::PassProgram;
use crate::engine::gpu::kernels::stats::{STATS_SLOTS, STATS_STRIDE, Tally};
use crate::engine::gpu::options::Options;
use crate::engine::gpu::pipelines::Kernel;
use crate::engine::gpu::state::Held;
use crate::engine::{CensusOf, EngineError, GenerationStats};

/// A compiled pass under watch over the boards of some buffers.
pub(in crate::engine::gpu) struct WatchedPass {
    generations: u32,
    kernel: Kernel,
    /// Workgroups in x and y.
    groups: [u32; 2],
    /// By whether the pass ends with what is settled, and by which set of planes is read; the other is
    /// written.
    bind_groups: [[wgpu::BindGroup; 2]; 2],
}

impl PassProgram {
    /// Generations that a pass under watch is the first to see, and by which it goes further.
    fn first_seen(&self) -> u64 {
        u64::from(self.generations) - 1
    }
}

impl WatchedPass {
    fn new<R: GpuFamily>(
        gpu: &Gpu,
        buffers: &Buffers<R>,
        ruleset: R,
        stream: &PassProgram,
        options: &Options,
        tallies: &wgpu::Buffer,
        kernel: Kernel,
    ) -> Self {
        let band = &buffers.band;
        let tiling = Tiling::new::<R>(gpu, band.size, stream, stream.generations, options);
        // The tally of the generation before the first, and those that are written.
        let tallies = wgpu::BindingResource::Buffer(wgpu::BufferBinding {
            buffer: tallies,
            offset: 0,
            size: wgpu::BufferSize::new((1 + stream.first_seen()) * STATS_STRIDE),
        });
        let bind_groups = [false, true].map(|until_settled| {
            let params = ruleset.watched_params(band, &tiling, until_settled);
            let params = uniform(gpu, "watched params", &params);
            buffers.other_step_groups(gpu, &kernel, &params, std::slice::from_ref(&tallies))
        });
        Self {
            generations: stream.generations,
            groups: tiling.groups(gpu, band.size, tiling.strip_rows, stream.program.workgroup),
            bind_groups,
            kernel,
        }
    }
}

impl<R: GpuFamily> GpuEngine<R> {
    /// Computes and tells generations in passes, as long as one is short enough for those that are left
    /// of `generations`, or `until_settled` up to the first that is settled. Then the last one told is
    /// present, and the one before it is remembered. Returns how many are left: none if it has ended with
    /// a settled one.
    pub(in crate::engine::gpu) fn watch_in_passes(
        &mut self,
        generations: u64,
        until_settled: bool,
        seen: &mut Vec<GenerationStats<CensusOf<R::Board>>>,
    ) -> Result<u64, EngineError> {
        let mut left = generations;
        // Whether the generation after the present one has been told.
        let mut is_ahead = false;
        loop {
            let streams = self.next_passes(left, is_ahead)?;
            if streams.is_empty() {
                break;
            }
            let since = Instant::now();
            let sightings = self.watch_passes(&streams, is_ahead, until_settled)?;
            let told = sightings.len() as u64;
            let settled = sightings.iter().position(|sighting| sighting.is_settled());
            if let Some(settled) = settled.filter(|_| until_settled) {
                seen.extend_from_slice(&sightings[..=settled]);
                self.go_to(&streams, is_ahead, settled as u64)?;
                return Ok(0);
            }
            seen.extend(sightings);
            for _ in &streams {
                self.flip()?;
            }
            self.forget_changes()?;
            is_ahead = true;
            left -= told;
            self.pace(told, since.elapsed());
        }
        if is_ahead {
            self.step_singly(1)?;
        }
        Ok(left)
    }

    /// The passes of the next submission: about a batch, one at least if there is any that is short
    /// enough.
    fn next_passes(
        &self,
        left: u64,
        is_ahead: bool,
    ) -> Result<Vec<&'static PassProgram>, EngineError> {
        let most = left.min(STATS_SLOTS);
        // The first generation of a run is seen singly.
        let mut told = u64::from(!is_ahead);
        let mut streams = Vec::new();
        while told < self.batch || streams.is_empty() {
            let Some(stream) = self.longest_watched(most.saturating_sub(told))? else {
                break;
            };
            told += stream.first_seen();
            streams.push(stream);
            if self.loaded()?.is_poisoned() {
                // What is poisoned is needed if the pass before has seen a settled generation.
                break;
            }
        }
        Ok(streams)
    }

    /// The longest pass under watch over the present board that sees no more than `most` generations for
    /// the first time.
    fn longest_watched(&self, most: u64) -> Result<Option<&'static PassProgram>, EngineError> {
        if self.stream_constants()?.is_none() {
            // The programs do not take boards of this size.
            return Ok(None);
        }
        let longest = self.most_in_a_pass(self.loaded()?.size);
        let subgroups = self.uses_subgroup_streams();
        let streams = R::WATCHED_STREAMS.iter().filter(|stream| {
            let fits = stream.generations <= longest && stream.first_seen() <= most;
            stream.subgroups == subgroups && fits
        });
        let Some(stream) = streams.max_by_key(|stream| stream.generations) else {
            return Ok(None);
        };
        let is_made = |held: &Held<R>| held.watched_pass(stream).is_some();
        let is_ready =
            self.loaded()?.bands.iter().all(is_made) || self.pass_kernel(stream)?.is_some();
        Ok(is_ready.then_some(stream))
    }

    /// Submits passes and waits for what they tell. The present board stays the one before the first of
    /// them.
    fn watch_passes(
        &mut self,
        streams: &[&'static PassProgram],
        is_ahead: bool,
        until_settled: bool,
    ) -> Result<Vec<GenerationStats<CensusOf<R::Board>>>, EngineError> {
        for stream in streams {
            self.make_watched_pass(stream)?;
        }
        let first_seen = streams.iter().map(|stream| stream.first_seen());
        let told = u64::from(!is_ahead) + first_seen.sum::<u64>();
        let mut encoder = self.encoder();
        self.clear_tallies(&mut encoder, told)?;
        if is_ahead {
            self.loaded()?.poison_next(&mut encoder);
        } else {
            self.encode_watched(&mut encoder, 1)?;
        }
        let loaded = self.loaded()?;
        let mut before = u64::from(!is_ahead);
        for (number, stream) in streams.iter().enumerate() {
            let parity = (loaded.parity + number) % 2;
            loaded.encode_halos(&mut encoder, parity);
            let mut pass = encoder.begin_compute_pass(&Default::default());
            for held in &loaded.bands {
                let Some(made) = held.watched_pass(stream) else {
                    return Err(EngineError::NothingLoaded);
                };
                let group = &made.bind_groups[usize::from(until_settled)][parity];
                pass.set_pipeline(made.kernel.pipeline());
                pass.set_bind_group(0, group, &[(before * STATS_STRIDE) as u32]);
                let [x, y] = made.groups;
                pass.dispatch_workgroups(x, y, 1);
            }
            before += stream.first_seen();
        }
        let tallies = self.submit_tallied(encoder, told)?;
        Ok(tallies.into_iter().map(Tally::sighting).collect())
    }

    /// Makes the board present that was the first to be settled of those that some passes have told,
    /// counted from 0.
    fn go_to(
        &mut self,
        streams: &[&'static PassProgram],
        is_ahead: bool,
        settled: u64,
    ) -> Result<(), EngineError> {
        let mut settled = settled;
        if !is_ahead {
            if settled == 0 {
                // The single generation was settled. Its board is there, and no pass has computed.
                return self.flip();
            }
            settled -= 1;
        }
        for stream in streams {
            if settled < stream.first_seen() {
                break;
            }
            settled -= stream.first_seen();
            self.flip()?;
        }
        self.forget_changes()?;
        // The first that a pass tells is the second after its board.
        self.step_singly(settled + 2)
    }

    /// Computes generations that have been told one by one, so that the last but one is remembered.
    fn step_singly(&mut self, generations: u64) -> Result<(), EngineError> {
        let mut encoder = self.encoder();
        for _ in 0..generations {
            self.encode_step(&mut encoder)?;
        }
        let gpu = self.gpu();
        gpu.wait(Some(gpu.queue.submit([encoder.finish()])))
    }

    /// What passes have noted of blocks is not true of the board of a pass under watch.
    fn forget_changes(&mut self) -> Result<(), EngineError> {
        self.loaded_mut()?.since_pass = None;
        Ok(())
    }

    /// Makes sure that every band has such a pass.
    fn make_watched_pass(&mut self, stream: &'static PassProgram) -> Result<(), EngineError> {
        let is_made = |held: &Held<R>| held.watched_pass(stream).is_some();
        if self.loaded()?.bands.iter().all(is_made) {
            return Ok(());
        }
        let Some(kernel) = self.pass_kernel(stream)? else {
            return Err(EngineError::NothingLoaded);
        };
        let (gpu, ruleset, options) = (self.kernels.gpu(), self.ruleset, &self.options);
        let loaded = self.loaded.as_mut().ok_or(EngineError::NothingLoaded)?;
        let tallies = &loaded.tallies;
        for held in &mut loaded.bands {
            if held.watched_pass(stream).is_none() {
                let (buffers, kernel) = (&held.buffers, kernel.clone());
                let made = gpu.checked(|| {
                    WatchedPass::new(gpu, buffers, ruleset, stream, options, tallies, kernel)
                })?;
                held.watched_passes.push(made);
            }
        }
        Ok(())
    }
}

impl<R: GpuFamily> Held<R> {
    fn watched_pass(&self, stream: &PassProgram) -> Option<&WatchedPass> {
        let mut passes = self.watched_passes.iter();
        passes.find(|pass| pass.generations == stream.generations)
    }
}
