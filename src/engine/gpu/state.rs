//! The board that is loaded: its bands, and what was made for each of them.

use super::bands::{Band, HALO, cut};
use super::buffers::{Buffers, Request, tallies};
use super::device::Gpu;
use super::family::GpuFamily;
use super::kernels::active_blocks::Blocks;
use super::kernels::stats::STATS_SLOTS;
use super::options::Options;
use super::pipelines::Kernel;
use super::steppers::pass::Pass;
use super::steppers::stats_pass::WatchedPass;
use crate::board::Size;
use crate::engine::EngineError;

/// A board on a device.
pub(super) struct Loaded<R: GpuFamily> {
    pub(super) size: Size,
    /// From top to bottom, one at least.
    pub(super) bands: Vec<Held<R>>,
    /// Which set of planes holds the present generation.
    pub(super) parity: usize,
    /// Generations computed since the last pass of several; `None` if there was none, or if a board
    /// has come from elsewhere since.
    pub(super) since_pass: Option<u64>,
    /// [`STATS_SLOTS`] of them, of all bands together.
    pub(super) tallies: wgpu::Buffer,
    terrain: Option<R::Terrain>,
}

/// A band of the board.
pub(super) struct Held<R: GpuFamily> {
    pub(super) buffers: Buffers<R>,
    /// Each made when it is first needed.
    pub(super) passes: Vec<Pass>,
    /// The same.
    pub(super) watched_passes: Vec<WatchedPass>,
    /// The same.
    pub(super) blocks: Option<Blocks>,
}

/// A band, and a thread of it.
pub(super) struct Part {
    pub(super) band: usize,
    pub(super) first_thread: u32,
}

impl<R: GpuFamily> Loaded<R> {
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
            let tallies = tallies::<R>(gpu, STATS_SLOTS);
            let request = Request {
                ruleset,
                strip_rows: options.strip_rows,
                poisoned: options.poisoned,
                step,
                census,
                tallies: &tallies,
            };
            let hold = |band| Held {
                buffers: Buffers::new(gpu, band, &request),
                passes: Vec::new(),
                watched_passes: Vec::new(),
                blocks: None,
            };
            Self {
                size,
                bands: bands.into_iter().map(hold).collect(),
                parity: 0,
                since_pass: None,
                terrain: None,
                tallies,
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
            for held in &mut self.bands {
                held.buffers.load(gpu, board, 0);
                held.blocks.iter_mut().for_each(Blocks::forget);
            }
            self.forget_last(gpu);
        })?;
        gpu.wait(None)
    }

    /// Makes sure that the planes of the last generation equal no board: the present one has come from
    /// elsewhere.
    pub(super) fn forget_last(&mut self, gpu: &Gpu) {
        self.since_pass = None;
        for held in &self.bands {
            held.buffers.load_no_board(gpu, 1 - self.parity);
        }
    }

    /// Copies the present board from the device.
    pub(super) fn read(&self, gpu: &Gpu) -> Result<R::Board, EngineError> {
        let mut planes: Vec<Vec<u32>> = (0..R::PLANES)
            .map(|_| Vec::with_capacity(R::plane_words(self.size)))
            .collect();
        for held in &self.bands {
            held.buffers.read(gpu, self.parity, &mut planes)?;
        }
        self.board(gpu, planes)
    }

    /// Checks what came back from the device.
    pub(super) fn board(&self, gpu: &Gpu, planes: Vec<Vec<u32>>) -> Result<R::Board, EngineError> {
        let terrain = self.terrain.as_ref().ok_or(EngineError::NothingLoaded)?;
        R::board(terrain, planes).map_err(|source| EngineError::Damaged {
            adapter: gpu.name().into(),
            source,
        })
    }

    /// The board, if it is in one piece.
    pub(super) fn whole(&self) -> Option<&Buffers<R>> {
        match self.bands.as_slice() {
            [held] => Some(&held.buffers),
            _ => None,
        }
    }

    /// Records that every band gets the rows of its halo from its neighbours, in the set of planes at
    /// `parity`. Whatever computes a generation, or a pass, needs them fresh.
    pub(super) fn encode_halos(&self, encoder: &mut wgpu::CommandEncoder, parity: usize) {
        for held in &self.bands {
            let to = &held.buffers;
            let row_bytes = to.row_bytes();
            for rows in to.band.halo() {
                let bytes = rows.of_board.len() as u64 * row_bytes;
                let place = |held: &Held<R>| held.buffers.band.place_of(&rows.of_board);
                for (from, place) in self
                    .bands
                    .iter()
                    .filter_map(|held| Some((held, place(held)?)))
                {
                    let planes = from.buffers.planes(parity).iter();
                    for (from, to) in planes.zip(to.planes(parity)) {
                        let [place, in_band] =
                            [place, rows.in_band].map(|row| u64::from(row) * row_bytes);
                        encoder.copy_buffer_to_buffer(from, place, to, in_band, bytes);
                    }
                }
            }
        }
    }

    /// Records the poisoning of the planes the next generation is written to, if it is asked for.
    pub(super) fn poison_next(&self, encoder: &mut wgpu::CommandEncoder) {
        for held in &self.bands {
            held.buffers.poison(encoder, 1 - self.parity);
        }
    }

    /// Whether output planes are poisoned.
    pub(super) fn is_poisoned(&self) -> bool {
        self.bands.iter().any(|held| held.buffers.is_poisoned())
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
        let threads = self.bands.iter().map(|held| held.buffers.grid.threads);
        threads.map(u64::from).sum()
    }

    /// Where the thread with this number is, of those of a whole generation; `None` if there is none.
    pub(super) fn part_from(&self, thread: u64) -> Option<Part> {
        let mut first = thread;
        for (band, held) in self.bands.iter().enumerate() {
            let threads = u64::from(held.buffers.grid.threads);
            if first < threads {
                let first_thread = first as u32;
                return Some(Part { band, first_thread });
            }
            first -= threads;
        }
        None
    }

    /// What is known of the blocks of all bands, as far as they are made.
    pub(super) fn blocks(&mut self) -> impl Iterator<Item = &mut Blocks> {
        self.bands
            .iter_mut()
            .filter_map(|held| held.blocks.as_mut())
    }

    /// The share of the board that the last passes had to compute, as far as they have told; `None` if
    /// that is not known.
    pub(super) fn active_share(&self) -> Option<f64> {
        let shares = self.bands.iter().map(|held| {
            let share = held.blocks.as_ref()?.share?;
            Some(share * f64::from(held.buffers.band.own.len() as u32))
        });
        let rows: Option<f64> = shares.sum();
        Some(rows? / f64::from(self.size.height()))
    }
}

/// Bytes of all planes of a band.
fn bytes<R: GpuFamily>(band: Size) -> u64 {
    let fixed = R::fixed_words(band).into_iter();
    let fixed: u64 = fixed.map(|words| 4 * words as u64).sum();
    2 * R::PLANES as u64 * R::plane_bytes(band) + fixed
}

/// The bands of a board: those asked for, or as few as bindings can hold.
fn bands<R: GpuFamily>(
    gpu: &Gpu,
    ruleset: R,
    size: Size,
    asked: Option<u32>,
) -> Result<Vec<Band>, EngineError> {
    let limit = gpu.largest_plane();
    let most_rows = match asked {
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
