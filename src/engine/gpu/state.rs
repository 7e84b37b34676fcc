//! The board on the device: its planes in bands, which of them are present, and what was computed since
//! it was loaded.

use std::ops::Range;

use super::active_blocks::ActiveBlocks;
use super::bands::{Band, HALO, cut};
use super::buffers::{Allocation, Buffers, stats_buffer};
use super::commands::Commands;
use super::device::Gpu;
use super::dispatch::{Pass, SingleWorkgroup, StatsPass};
use super::family::GpuFamily;
use super::kernels::stats::STATS_SLOTS;
use super::options::Options;
use super::pipelines::Kernel;
use super::transfer::{BufferRange, download};
use crate::board::Size;
use crate::engine::EngineError;

/// A board in the memory of a device, for drawing it.
///
/// The buffers are those that the engine computes in. Work that is submitted now reads the present generation;
/// work that is submitted after the next call of the engine may read another one.
#[derive(Clone, Debug)]
pub struct DeviceBoard {
    /// The board's size.
    pub size: Size,
    /// Its bands, from top to bottom: one, unless a plane is too large for one binding.
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
    /// The planes that every generation writes, storage buffers in the order of [`GpuFamily::planes`].
    pub planes: Vec<wgpu::Buffer>,
    /// The planes that no generation changes, in the order of [`GpuFamily::fixed_planes`].
    pub fixed: Vec<wgpu::Buffer>,
}

impl DeviceBand {
    /// All planes, those first that every generation writes.
    pub fn all_planes(&self) -> impl Iterator<Item = &wgpu::Buffer> {
        self.planes.iter().chain(&self.fixed)
    }
}

/// A board on a device.
pub(super) struct DeviceState<R: GpuFamily> {
    pub(super) size: Size,
    /// From top to bottom, one at least.
    pub(super) bands: Vec<BandState<R>>,
    /// Which set of planes holds the present generation.
    pub(super) parity: usize,
    /// Generations computed since the last pass of several; `None` if there was none, or if a board
    /// was loaded since.
    pub(super) since_pass: Option<u64>,
    /// [`STATS_SLOTS`] slots, of all bands together.
    pub(super) stats: wgpu::Buffer,
    /// Made when it is first needed.
    pub(super) single_workgroup: Option<SingleWorkgroup>,
    terrain: Option<R::Terrain>,
}

/// A band of the board.
pub(super) struct BandState<R: GpuFamily> {
    pub(super) buffers: Buffers<R>,
    /// Each made when it is first needed.
    pub(super) passes: Vec<Pass>,
    /// The same.
    pub(super) stats_passes: Vec<StatsPass>,
    /// The same.
    pub(super) blocks: Option<ActiveBlocks>,
}

/// A band, and a thread of it.
pub(super) struct Part {
    pub(super) band: usize,
    pub(super) first_thread: u32,
}

impl<R: GpuFamily> DeviceState<R> {
    /// Checks the size against the device's limits, then allocates.
    pub(super) fn new(
        gpu: &Gpu,
        ruleset: R,
        size: Size,
        options: &Options,
        [step, census]: [&Kernel; 2],
    ) -> Result<Self, EngineError> {
        let bands = bands(gpu, ruleset, size, options.band_rows)?;
        let needed = bands.iter().map(|band| bytes::<R>(band.size)).sum();
        let made = gpu.attempt(|| {
            let stats = stats_buffer::<R>(gpu, STATS_SLOTS);
            let allocation = Allocation {
                ruleset,
                strip_rows: options.strip_rows,
                poisoned: options.poisoned,
                step,
                census,
                stats: &stats,
            };
            let allocate = |band| BandState {
                buffers: Buffers::new(gpu, band, &allocation),
                passes: Vec::new(),
                stats_passes: Vec::new(),
                blocks: None,
            };
            Self {
                size,
                bands: bands.into_iter().map(allocate).collect(),
                parity: 0,
                since_pass: None,
                single_workgroup: None,
                terrain: None,
                stats,
            }
        });
        made.map_err(|error| match error {
            wgpu::Error::OutOfMemory { .. } => EngineError::NoMemory {
                size,
                needed,
                adapter: gpu.name().into(),
            },
            error => gpu.error(&error.to_string()),
        })
    }

    /// Copies a board of the same size to the device.
    pub(super) fn load(&mut self, gpu: &Gpu, board: &R::Board) -> Result<(), EngineError> {
        self.parity = 0;
        self.terrain = Some(R::terrain(board));
        gpu.checked(|| {
            for band in &mut self.bands {
                band.buffers.load(gpu, board, 0);
                band.blocks.iter_mut().for_each(ActiveBlocks::forget);
            }
            self.forget_last(gpu);
        })?;
        // Frees the staging memory of what is done, and reports a failure of the device.
        gpu.is_idle().map(drop)
    }

    /// Makes sure that the planes of the last generation equal no board: the present one was loaded.
    pub(super) fn forget_last(&mut self, gpu: &Gpu) {
        self.since_pass = None;
        for band in &self.bands {
            band.buffers.load_no_board(gpu, 1 - self.parity);
        }
    }

    /// Copies the present board from the device.
    pub(super) fn read(&self, gpu: &Gpu) -> Result<R::Board, EngineError> {
        let mut planes: Vec<Vec<u32>> = (0..R::PLANES)
            .map(|_| Vec::with_capacity(R::plane_words(self.size)))
            .collect();
        let bands = self.bands.iter();
        let rows: Vec<BufferRange<'_>> = bands
            .flat_map(|band| band.buffers.own_rows(self.parity))
            .collect();
        download(gpu, &rows, |number, words| {
            planes[number % R::PLANES].extend_from_slice(words);
        })?;
        self.board(gpu, planes)
    }

    /// A board from planes that were read back.
    pub(super) fn board(&self, gpu: &Gpu, planes: Vec<Vec<u32>>) -> Result<R::Board, EngineError> {
        let terrain = self.terrain.as_ref().ok_or(EngineError::NothingLoaded)?;
        R::board(terrain, planes).map_err(|cause| EngineError::Damaged {
            adapter: gpu.name().into(),
            cause,
        })
    }

    /// The buffers of the board, if it is in one band.
    pub(super) fn whole(&self) -> Option<&Buffers<R>> {
        match self.bands.as_slice() {
            [band] => Some(&band.buffers),
            _ => None,
        }
    }

    /// Records that every band gets the rows of its halo from its neighbours, in the set of planes at
    /// `parity`. Whatever computes a generation, or a pass, needs them fresh.
    pub(super) fn encode_halos(&self, commands: &mut Commands, parity: usize) {
        for band in &self.bands {
            let to = &band.buffers;
            let row_bytes = to.row_bytes();
            for rows in to.band.halo() {
                let bytes = rows.of_board.len() as u64 * row_bytes;
                let place = |band: &BandState<R>| band.buffers.band.place_of(&rows.of_board);
                for (from, place) in self
                    .bands
                    .iter()
                    .filter_map(|band| Some((band, place(band)?)))
                {
                    let planes = from.buffers.planes(parity).iter();
                    for (from, to) in planes.zip(to.planes(parity)) {
                        let [place, in_band] =
                            [place, rows.in_band].map(|row| u64::from(row) * row_bytes);
                        commands.copy(from, place..place + bytes, to, in_band);
                    }
                }
            }
        }
    }

    /// Records the poisoning of the planes the next generation is written to, if output planes are poisoned.
    pub(super) fn poison_next(&self, commands: &mut Commands) {
        for band in &self.bands {
            band.buffers.poison(commands, 1 - self.parity);
        }
    }

    /// Whether output planes are poisoned.
    pub(super) fn is_poisoned(&self) -> bool {
        self.bands.iter().any(|band| band.buffers.is_poisoned())
    }

    /// Makes the generation just computed the present one.
    pub(super) fn flip(&mut self) {
        self.parity = 1 - self.parity;
        self.since_pass = self.since_pass.map(|generations| generations + 1);
    }

    /// The same after a pass of several generations.
    pub(super) const fn flip_pass(&mut self) {
        self.parity = 1 - self.parity;
        self.since_pass = Some(0);
    }

    /// Threads of a whole generation.
    pub(super) fn threads(&self) -> u64 {
        let threads = self.bands.iter().map(|band| band.buffers.grid.threads);
        threads.map(u64::from).sum()
    }

    /// Where the thread with this number is, of those of a whole generation; `None` if there is none.
    pub(super) fn part_from(&self, thread: u64) -> Option<Part> {
        let mut first = thread;
        for (band, state) in self.bands.iter().enumerate() {
            let threads = u64::from(state.buffers.grid.threads);
            if first < threads {
                let first_thread = first as u32;
                return Some(Part { band, first_thread });
            }
            first -= threads;
        }
        None
    }

    /// Values of the overrides of passes, the same for all bands; `None` if they do not take bands of
    /// this size.
    pub(super) fn pass_constants(&self, ruleset: R) -> Option<Vec<u32>> {
        let bands = self.bands.iter();
        let constants = bands.map(|band| ruleset.pass_constants(band.buffers.band.size));
        let constants: Option<Vec<Vec<u32>>> = constants.collect();
        constants.and_then(|mut all| all.pop())
    }

    /// The present board for drawing.
    pub(super) fn device_board(&self) -> DeviceBoard {
        let bands = self.bands.iter().map(|state| {
            let (band, buffers) = (&state.buffers.band, &state.buffers);
            DeviceBand {
                own: band.own.clone(),
                above: band.above,
                height: band.size.height(),
                planes: buffers.planes(self.parity).to_vec(),
                fixed: buffers.fixed.clone(),
            }
        });
        DeviceBoard {
            size: self.size,
            bands: bands.collect(),
        }
    }

    /// The blocks of all bands that have them.
    pub(super) fn blocks(&mut self) -> impl Iterator<Item = &mut ActiveBlocks> {
        self.bands
            .iter_mut()
            .filter_map(|band| band.blocks.as_mut())
    }

    /// The share of the board that was active in the last passes, if it has been read back.
    pub(super) fn active_share(&self) -> Option<f64> {
        let shares = self.bands.iter().map(|band| {
            let share = band.blocks.as_ref()?.share?;
            Some(share * f64::from(band.buffers.band.own.len() as u32))
        });
        let rows: Option<f64> = shares.sum();
        Some(rows? / f64::from(self.size.height()))
    }
}

/// The coarsest alignment of a bound range that WebGPU lets a device require.
const ALIGNMENT: u64 = 256;

/// Bytes from one plane to the next in a film of boards.
pub(super) fn film_stride<R: GpuFamily>(size: Size) -> u64 {
    R::plane_bytes(size).next_multiple_of(ALIGNMENT)
}

/// Bytes of one board in a film.
pub(super) fn frame_bytes<R: GpuFamily>(size: Size) -> u64 {
    R::PLANES as u64 * film_stride::<R>(size)
}

/// Bytes of all planes of a band.
fn bytes<R: GpuFamily>(band: Size) -> u64 {
    let fixed = R::fixed_words(band).into_iter();
    let fixed: u64 = fixed.map(|words| 4 * words as u64).sum();
    2 * R::PLANES as u64 * R::plane_bytes(band) + fixed
}

/// The bands of a board: of `most_rows` rows if that is set, else as few as bindings can hold.
fn bands<R: GpuFamily>(
    gpu: &Gpu,
    ruleset: R,
    size: Size,
    most_rows: Option<u32>,
) -> Result<Vec<Band>, EngineError> {
    let limit = gpu.largest_plane();
    let most_rows = match most_rows {
        Some(rows) => rows,
        None if R::plane_bytes(size) <= limit => size.height(),
        None => {
            let rows = limit / (4 * R::row_words(size) as u64);
            u32::try_from(rows)
                .unwrap_or(u32::MAX)
                .saturating_sub(2 * HALO)
        }
    };
    let bands = cut(size, ruleset.edges(), most_rows);
    if bands.iter().all(|band| R::plane_bytes(band.size) <= limit) {
        return Ok(bands);
    }
    let narrowest = cut(size, ruleset.edges(), 1);
    let needed = narrowest.iter().map(|band| R::plane_bytes(band.size));
    Err(EngineError::TooLarge {
        size,
        needed: needed.max().unwrap_or(0),
        limit,
        adapter: gpu.name().into(),
    })
}
