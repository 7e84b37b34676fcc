//! What the GPU engine needs of a family: its programs, its planes, its statistics.
//!
//! Each family has a file of its own here, with all that only its shaders and its host side have. Another
//! family is one more such file, and one more line in [`FAMILIES`].

pub mod lifelike;
pub mod rezolution;

use super::bands::Band;
use super::grid::Threads;
use super::kernels::pass::{PassParams, PassProgram};
use super::kernels::step::StepPrograms;
use super::program::Program;
use super::tuning::RuleClass;
use crate::board::{BoardError, Size};
use crate::engine::CensusOf;
use crate::engine::reference::ReferenceFamily;
use crate::rules::{self, FamilyName, LifelikeRuleset, RezolutionRuleset};

/// The programs of every family, in the order of [`rules::FAMILIES`].
pub static FAMILIES: [FamilyPrograms; rules::FAMILIES.len()] = [
    FamilyPrograms::of::<LifelikeRuleset>(),
    FamilyPrograms::of::<RezolutionRuleset>(),
];

/// Rules that shaders compute.
///
/// A board is a number of *planes*, which every generation writes and which all have the same number of
/// words, and of *fixed planes*, which no generation changes.
pub trait GpuFamily: ReferenceFamily {
    /// The programs that compute or count single generations.
    const STEP_PROGRAMS: &'static StepPrograms;

    /// Programs that compute several generations in one pass, if there are any. They bind the planes as the
    /// step does, then the list of active blocks and the dirty bits of blocks.
    const PASSES: &'static [PassProgram] = &[];

    /// Programs of passes with statistics, if there are any. They bind the planes as the step does, then
    /// statistics, and have the overrides of [`PASSES`](Self::PASSES).
    const STATS_PASSES: &'static [PassProgram] = &[];

    /// The program that computes many generations of a small board in one dispatch, if there is one. It
    /// binds the planes as the step does, then [`SingleWorkgroupParams`], and has the overrides of the step.
    ///
    /// [`SingleWorkgroupParams`]: super::kernels::single_workgroup::SingleWorkgroupParams
    const SINGLE_WORKGROUP: Option<&'static Program> = None;

    /// Planes that every generation writes.
    const PLANES: usize;

    /// Cells per word of such a plane.
    const WORD_CELLS: u32;

    /// First words of the planes, one per plane, that together occur in no valid board.
    const NO_BOARD: &'static [u32];

    /// Totals of the statistics of a board that is not settled.
    const UNSETTLED: &'static [u64];

    /// A board on which a device is tried: full of all that the rules know.
    ///
    /// # Errors
    /// [`BoardError`] if there is no memory for it.
    fn trial_board(size: Size) -> Result<Self::Board, BoardError>;

    /// What a board has besides the planes that every generation writes.
    type Terrain: Send;

    /// Words per row of a plane.
    fn row_words(size: Size) -> usize;

    /// Words of each fixed plane.
    fn fixed_words(size: Size) -> Vec<usize>;

    /// Columns that the threads of a step compute side by side.
    fn columns(size: Size) -> usize {
        Self::row_words(size)
    }

    /// Words of a plane.
    fn plane_words(size: Size) -> usize {
        Self::row_words(size) * size.height() as usize
    }

    /// Bytes of a plane.
    fn plane_bytes(size: Size) -> u64 {
        4 * Self::plane_words(size) as u64
    }

    /// The planes of a board, in the order of their bindings.
    fn planes(board: &Self::Board) -> Vec<&[u32]>;

    /// The fixed planes of a board, in the order of their bindings.
    fn fixed_planes(board: &Self::Board) -> Vec<&[u32]>;

    /// What [`board`](Self::board) needs besides planes.
    fn terrain(board: &Self::Board) -> Self::Terrain;

    /// A board from planes that were read back.
    ///
    /// # Errors
    /// [`BoardError`] if no valid board has these planes: the device has damaged them.
    fn board(terrain: &Self::Terrain, planes: Vec<Vec<u32>>) -> Result<Self::Board, BoardError>;

    /// The census with these totals.
    fn census_of_totals(totals: &[u64]) -> CensusOf<Self::Board>;

    /// The class of rules on which the speed of passes depends, if it depends on the rule.
    fn rule_class(self) -> Option<RuleClass> {
        None
    }

    /// Values of the overrides of the [step programs](Self::STEP_PROGRAMS), in their order.
    fn step_constants(self) -> Vec<u32>;

    /// Uniforms of a dispatch of these threads, which are some or all of those that compute one generation of
    /// the band.
    fn step_params(self, band: &Band, threads: &Threads) -> Vec<u8>;

    /// Values of the overrides of [passes](Self::PASSES), in their order; `None` if passes do not take boards
    /// of this size.
    fn pass_constants(self, _size: Size) -> Option<Vec<u32>> {
        None
    }

    /// Uniforms of a pass: `params`, which has the tiles and the band, with the rule filled in.
    fn pass_params(self, params: PassParams) -> PassParams {
        params
    }
}

/// The programs of one family.
pub struct FamilyPrograms {
    /// The family.
    pub family: FamilyName,
    /// [`GpuFamily::STEP_PROGRAMS`].
    pub step: &'static StepPrograms,
    /// [`GpuFamily::PASSES`].
    pub passes: &'static [PassProgram],
    /// [`GpuFamily::STATS_PASSES`].
    pub stats_passes: &'static [PassProgram],
    /// [`GpuFamily::SINGLE_WORKGROUP`].
    pub single_workgroup: Option<&'static Program>,
}

impl FamilyPrograms {
    /// Those of a ruleset's family.
    pub const fn of<R: GpuFamily>() -> Self {
        Self {
            family: R::FAMILY,
            step: R::STEP_PROGRAMS,
            passes: R::PASSES,
            stats_passes: R::STATS_PASSES,
            single_workgroup: R::SINGLE_WORKGROUP,
        }
    }

    /// All of them.
    pub fn all(&self) -> impl Iterator<Item = &'static Program> {
        let passes = self.passes.iter().chain(self.stats_passes);
        let steps = self.step.all().into_iter();
        steps
            .chain(passes.map(|pass| &pass.program))
            .chain(self.single_workgroup)
    }
}
