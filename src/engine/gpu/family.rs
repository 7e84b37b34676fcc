//! What the GPU engine must know of a family: its programs, its planes, its counts.

use std::ops::Range;

use super::bands::Band;
use super::kernels::Program;
use super::kernels::pass::{self, PassParams, PassProgram};
use super::kernels::single_workgroup::SINGLE_WORKGROUP;
use super::kernels::step::{
    self, LIFELIKE_STEP, LifelikeStepParams, REZOLUTION_STEP, RezolutionStepParams, StepPrograms,
};
use super::tuning::RuleClass;
use crate::board::hash::seed_words;
use crate::board::{self, rezolution::Terrain};
use crate::board::{
    BoardError, Edges, LifelikeBoard, LifelikeCensus, RezolutionBoard, RezolutionCensus, Size,
    WORD_BITS,
};
use crate::engine::CensusOf;
use crate::rules::{LifelikeRuleset, RezolutionRuleset, Ruleset, Ties};

/// A generation, or a part of it, spread over threads: one for each column of a strip of rows.
///
/// Threads are numbered along the strips, from top to bottom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Threads {
    /// Rows of a strip; the last may have fewer.
    pub strip_rows: u32,
    /// Which threads, of all that a generation takes.
    pub range: Range<u32>,
}

/// How a pass of several generations cuts a board into tiles, and these into blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tiling {
    /// Threads that share a tile.
    pub tile_threads: u32,
    /// Words of a row that a tile has to itself; the last one may have fewer.
    pub own_words: u32,
    /// Cells of such words.
    pub own_cells: u32,
    /// Tiles side by side.
    pub columns: u32,
    /// Rows of a strip, whole blocks; the last strip may have fewer.
    pub strip_rows: u32,
    /// Rows of a block; the last one may have fewer.
    pub block_rows: u32,
    /// How near to the border of its block a change is noted as near to it, in cells.
    pub reach: u32,
}

/// Rules that shaders compute.
///
/// A board is some planes that every generation writes anew, each with as many words, and some that
/// no generation changes.
pub trait GpuFamily: Ruleset {
    /// The shaders.
    const PROGRAMS: &'static StepPrograms;

    /// Planes that every generation writes anew.
    const PLANES: usize;

    /// The first words of such planes that no board has.
    const NO_BOARD: &'static [u32];

    /// The totals of a board that is not settled.
    const UNSETTLED: &'static [u64];

    /// What a board has besides those planes.
    type Terrain: Send;

    /// Cells of a word of a plane that is written anew.
    const WORD_CELLS: u32;

    /// Words of a row of a plane that is written anew.
    fn row_words(size: Size) -> usize;

    /// Columns of words, each of which is walked down by threads of its own.
    fn columns(size: Size) -> usize {
        Self::row_words(size)
    }

    /// Values of the programs' overrides, in their order.
    fn constants(self) -> Vec<u32>;

    /// The uniform struct of a dispatch of these threads, of those that a generation of the band takes.
    fn params(self, band: &Band, threads: &Threads) -> Vec<u8>;

    /// The planes that every generation writes anew, in the order of their bindings.
    fn planes(board: &Self::Board) -> Vec<&[u32]>;

    /// The planes that no generation changes, in the order of their bindings.
    fn fixed_planes(board: &Self::Board) -> Vec<&[u32]>;

    /// Words of each plane that no generation changes.
    fn fixed_words(size: Size) -> Vec<usize>;

    /// What is needed to make boards of planes.
    fn terrain(board: &Self::Board) -> Self::Terrain;

    /// A board from its planes, which may come damaged from a device.
    ///
    /// # Errors
    /// [`BoardError`] if no board has them.
    fn board(terrain: &Self::Terrain, planes: Vec<Vec<u32>>) -> Result<Self::Board, BoardError>;

    /// The counts with these totals.
    fn census(totals: &[u64]) -> CensusOf<Self::Board>;

    /// The program that computes many generations of a small board in one dispatch, and the values of
    /// its overrides, if there is one. It binds the planes as the step does, then how many generations.
    fn small(self) -> Option<(&'static Program, Vec<u32>)> {
        None
    }

    /// The circuits on which the speed of passes depends, if there are any.
    fn circuits(self) -> Option<RuleClass> {
        None
    }

    /// Programs that compute several generations in one pass, if there are any. They bind the planes
    /// as the step does, then a list of blocks and what changes in blocks.
    const STREAMS: &'static [PassProgram] = &[];

    /// Values of the overrides of those programs, in their order; `None` if they do not take boards
    /// of this size.
    fn stream_constants(self, _size: Size) -> Option<Vec<u32>> {
        None
    }

    /// The uniform struct of those programs: for all tiles, or for the blocks of a list only.
    fn stream_params(self, _band: &Band, _tiling: &Tiling, _only_active: bool) -> Vec<u8> {
        Vec::new()
    }

    /// The same programs under watch. They bind the planes as the step does, then tallies, and have the
    /// overrides of those that nobody watches.
    const WATCHED_STREAMS: &'static [PassProgram] = &[];

    /// The uniform struct of those programs; a pass after a settled generation computes nothing, or it
    /// computes as any other.
    fn watched_params(self, _band: &Band, _tiling: &Tiling, _until_settled: bool) -> Vec<u8> {
        Vec::new()
    }

    /// Words of a plane that is written anew.
    fn plane_words(size: Size) -> usize {
        Self::row_words(size) * size.height() as usize
    }

    /// Bytes of such a plane.
    fn plane_bytes(size: Size) -> u64 {
        4 * Self::plane_words(size) as u64
    }
}

/// The most generations of a pass.
const MOST_STREAMED: u32 = 8;

/// The narrowest torus of populations that a pass takes: as said in `shaders/rezolution/tile.wgsl`.
const LEAST_STREAMED_TORUS_CELLS: u32 = 64;

/// The value of the override `TIES`.
pub(super) const fn ties_value(ruleset: LifelikeRuleset) -> u32 {
    match ruleset.ties {
        // Rules without ties share one kernel.
        _ if !ruleset.rule.has_ties() => step::TIES_RED,
        Ties::Seeded(_) => step::TIES_SEEDED,
        Ties::Red => step::TIES_RED,
        Ties::Blue => step::TIES_BLUE,
        Ties::Checkerboard => step::TIES_CHECKERBOARD,
    }
}

/// The uniform struct of programs that compute several generations in one pass.
fn stream_params<R: GpuFamily>(
    band: &Band,
    tiling: &Tiling,
    only_active: bool,
    [seed_low, seed_high]: [u32; 2],
) -> PassParams {
    let own_rows = band.own_rows();
    PassParams {
        width: band.size.width(),
        height: band.size.height(),
        row_words: R::row_words(band.size) as u32,
        columns: tiling.columns,
        strip_rows: match only_active {
            true => tiling.block_rows,
            false => tiling.strip_rows,
        },
        block_rows: tiling.block_rows,
        reach: tiling.reach,
        only_active: only_active.into(),
        tile_threads: tiling.tile_threads,
        seed_low,
        seed_high,
        until_settled: 0,
        board_height: band.board.height(),
        first_row: band.first_row(),
        first_own: own_rows.start,
        end_own: own_rows.end,
        birth: 0,
        survival: 0,
        torus: 0,
        ties: 0,
    }
}

/// The same with a Life-like rule.
fn lifelike_pass_params(
    ruleset: LifelikeRuleset,
    band: &Band,
    tiling: &Tiling,
    only_active: bool,
) -> PassParams {
    PassParams {
        birth: ruleset.rule.birth().into(),
        survival: ruleset.rule.survival().into(),
        torus: (ruleset.edges == Edges::Torus).into(),
        ties: ties_value(ruleset),
        ..stream_params::<LifelikeRuleset>(band, tiling, only_active, tie_seed(ruleset.ties))
    }
}

/// The seed of ties as shaders need it.
fn tie_seed(ties: Ties) -> [u32; 2] {
    match ties {
        Ties::Seeded(seed) => seed_words(seed),
        _ => [0; 2],
    }
}

/// Two planes: alive and blue.
impl GpuFamily for LifelikeRuleset {
    const PROGRAMS: &'static StepPrograms = &LIFELIKE_STEP;

    const PLANES: usize = 2;

    /// A cell that is blue but not alive.
    const NO_BOARD: &'static [u32] = &[0, 1];

    const UNSETTLED: &'static [u64] = &[2, 1];

    type Terrain = Size;

    const WORD_CELLS: u32 = WORD_BITS;

    fn row_words(size: Size) -> usize {
        size.row_words()
    }

    fn constants(self) -> Vec<u32> {
        vec![
            self.rule.birth().into(),
            self.rule.survival().into(),
            (self.edges == Edges::Torus).into(),
            ties_value(self),
        ]
    }

    fn small(self) -> Option<(&'static Program, Vec<u32>)> {
        let mut constants = self.constants();
        constants.truncate(SINGLE_WORKGROUP.overrides.len());
        Some((&SINGLE_WORKGROUP, constants))
    }

    fn circuits(self) -> Option<RuleClass> {
        Some(RuleClass::of(self))
    }

    const STREAMS: &'static [PassProgram] = &pass::LIFELIKE_PASSES;

    fn stream_constants(self, size: Size) -> Option<Vec<u32>> {
        let is_torus = self.edges == Edges::Torus;
        let seam = is_torus && !size.width().is_multiple_of(WORD_BITS);
        // Rows of a torus are joined, once.
        let takes = size.height() >= MOST_STREAMED && (!seam || size.row_words() >= 2);
        takes.then(|| {
            vec![
                self.rule.birth().into(),
                self.rule.survival().into(),
                is_torus.into(),
                ties_value(self),
                seam.into(),
            ]
        })
    }

    fn params(self, band: &Band, threads: &Threads) -> Vec<u8> {
        let [seed_low, seed_high] = tie_seed(self.ties);
        let own_rows = band.own_rows();
        let params = LifelikeStepParams {
            width: band.size.width(),
            height: band.size.height(),
            row_words: band.size.row_words() as u32,
            strip_rows: threads.strip_rows,
            first_thread: threads.range.start,
            end_thread: threads.range.end,
            seed_low,
            seed_high,
            board_height: band.board.height(),
            first_row: band.first_row(),
            first_own: own_rows.start,
            end_own: own_rows.end,
            birth: self.rule.birth().into(),
            survival: self.rule.survival().into(),
            torus: (self.edges == Edges::Torus).into(),
            ties: ties_value(self),
        };
        bytemuck::bytes_of(&params).to_vec()
    }

    fn stream_params(self, band: &Band, tiling: &Tiling, only_active: bool) -> Vec<u8> {
        let params = lifelike_pass_params(self, band, tiling, only_active);
        bytemuck::bytes_of(&params).to_vec()
    }

    const WATCHED_STREAMS: &'static [PassProgram] = &pass::LIFELIKE_STATS_PASSES;

    fn watched_params(self, band: &Band, tiling: &Tiling, until_settled: bool) -> Vec<u8> {
        let params = PassParams {
            until_settled: until_settled.into(),
            ..lifelike_pass_params(self, band, tiling, false)
        };
        bytemuck::bytes_of(&params).to_vec()
    }

    fn planes(board: &LifelikeBoard) -> Vec<&[u32]> {
        vec![board.alive(), board.blue()]
    }

    fn fixed_planes(_board: &LifelikeBoard) -> Vec<&[u32]> {
        Vec::new()
    }

    fn fixed_words(_size: Size) -> Vec<usize> {
        Vec::new()
    }

    fn terrain(board: &LifelikeBoard) -> Size {
        board.size()
    }

    fn board(&size: &Size, planes: Vec<Vec<u32>>) -> Result<LifelikeBoard, BoardError> {
        let mut planes = planes.into_iter();
        let mut plane = || planes.next().unwrap_or_default();
        let (alive, blue) = (plane(), plane());
        LifelikeBoard::from_planes(size, alive, blue)
    }

    fn census(totals: &[u64]) -> LifelikeCensus {
        let (alive, blue) = (totals[0], totals[1]);
        LifelikeCensus {
            red: alive.saturating_sub(blue),
            blue,
        }
    }
}

/// One plane: the levels. Barriers and targets stay.
impl GpuFamily for RezolutionRuleset {
    const PROGRAMS: &'static StepPrograms = &REZOLUTION_STEP;

    const PLANES: usize = 1;

    /// A population of -128.
    const NO_BOARD: &'static [u32] = &[0x80];

    const UNSETTLED: &'static [u64] = &[0; 5];

    type Terrain = Terrain;

    const WORD_CELLS: u32 = board::rezolution::CELLS_PER_WORD;

    fn row_words(size: Size) -> usize {
        board::rezolution::row_words(size)
    }

    /// A thread moves four words at once.
    fn columns(size: Size) -> usize {
        board::rezolution::row_words(size) / board::rezolution::GROUP_WORDS as usize
    }

    fn constants(self) -> Vec<u32> {
        vec![(self.edges == Edges::Torus).into()]
    }

    const STREAMS: &'static [PassProgram] = &pass::REZOLUTION_PASSES;

    fn stream_constants(self, size: Size) -> Option<Vec<u32>> {
        let is_torus = self.edges == Edges::Torus;
        let seam = is_torus && !size.width().is_multiple_of(Self::WORD_CELLS);
        // Rows of a torus are joined, once, and so are columns.
        let takes = size.height() >= MOST_STREAMED
            && (!is_torus || size.width() >= LEAST_STREAMED_TORUS_CELLS);
        takes.then(|| vec![is_torus.into(), seam.into()])
    }

    fn stream_params(self, band: &Band, tiling: &Tiling, only_active: bool) -> Vec<u8> {
        let params = stream_params::<Self>(band, tiling, only_active, [0; 2]);
        bytemuck::bytes_of(&params).to_vec()
    }

    const WATCHED_STREAMS: &'static [PassProgram] = &pass::REZOLUTION_STATS_PASSES;

    fn watched_params(self, band: &Band, tiling: &Tiling, until_settled: bool) -> Vec<u8> {
        let params = PassParams {
            until_settled: until_settled.into(),
            ..stream_params::<Self>(band, tiling, false, [0; 2])
        };
        bytemuck::bytes_of(&params).to_vec()
    }

    fn params(self, band: &Band, threads: &Threads) -> Vec<u8> {
        let own_rows = band.own_rows();
        let params = RezolutionStepParams {
            width: band.size.width(),
            height: band.size.height(),
            row_groups: Self::columns(band.size) as u32,
            mark_words: band.size.row_words() as u32,
            strip_rows: threads.strip_rows,
            first_thread: threads.range.start,
            end_thread: threads.range.end,
            first_own: own_rows.start,
            end_own: own_rows.end,
            ..Default::default()
        };
        bytemuck::bytes_of(&params).to_vec()
    }

    fn planes(board: &RezolutionBoard) -> Vec<&[u32]> {
        vec![board.populations()]
    }

    fn fixed_planes(board: &RezolutionBoard) -> Vec<&[u32]> {
        vec![board.barriers(), board.targets()]
    }

    fn fixed_words(size: Size) -> Vec<usize> {
        vec![size.plane_words(); 2]
    }

    fn terrain(board: &RezolutionBoard) -> Terrain {
        board.terrain().clone()
    }

    fn board(terrain: &Terrain, planes: Vec<Vec<u32>>) -> Result<RezolutionBoard, BoardError> {
        terrain.with_populations(planes.into_iter().next().unwrap_or_default())
    }

    fn census(totals: &[u64]) -> RezolutionCensus {
        RezolutionCensus {
            red: totals[0],
            blue: totals[1],
            red_population: totals[2],
            blue_population: totals[3],
            reached: totals[4],
        }
    }
}
