//! What is compared with the reference: the CPU engine, and each kind of kernel of the GPU engine.

use std::fmt;
use std::sync::Arc;

use super::{Case, Divergence, Expected, Fault, Faulty, Path, SuiteKind, TestFamily, check};
use crate::board::Board;
use crate::engine::cpu::CpuEngine;
use crate::engine::gpu::arena::GpuArena;
use crate::engine::gpu::program::Form;
use crate::engine::gpu::{Gpu, GpuEngine, Kernels};
use crate::engine::{Engine, EngineError, Family};

/// Rows of a strip that one thread computes, one board after the other.
const STRIP_ROWS: [u32; 4] = [16, 4, 1, 7];

/// Threads of a piece of a generation that is computed in the background, one board after the other.
const PIECES: [u32; 3] = [64, 7, 1 << 20];

/// The most generations per pass of the CPU engine, one board after the other.
const CPU_PASSES: [u32; 3] = [8, 1, 3];

/// The same for the GPU engine.
const GPU_PASSES: [u32; 3] = [8, 4, 2];

/// Bands into which the GPU engine cuts a board that is high enough, one board after the other.
const BANDS: [u32; 7] = [1, 2, 1, 3, 1, 5, 1];

/// Rows of a band that passes take.
const MIN_BAND_ROWS: u32 = 8;

/// An engine to be compared.
pub enum Subject {
    /// The CPU engine.
    Cpu,
    /// Kernels of one kind and form.
    Gpu {
        /// One device for kernels with subgroups and one for those without. A software adapter
        /// compiles on one core per device.
        kernels: [Arc<Kernels>; 2],
        /// How the kernels get the rule.
        form: Form,
        /// Which kernels.
        kind: KernelKind,
    },
    /// The kernel that computes whole games in workgroup memory, with subgroups and without.
    Arena([Arc<GpuArena>; 2]),
}

/// The kernels of the GPU engine that compute boards of any size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KernelKind {
    /// One generation.
    Step,
    /// One generation and its statistics.
    StepStats,
    /// Several generations in one pass.
    Pass,
    /// Several generations in one pass, and the statistics of each.
    PassStats,
    /// Passes over the active blocks only.
    ActiveBlocks,
    /// Many generations of a small board in one workgroup.
    SingleWorkgroup,
}

impl KernelKind {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::Step,
        Self::StepStats,
        Self::Pass,
        Self::PassStats,
        Self::ActiveBlocks,
        Self::SingleWorkgroup,
    ];

    /// How the engine is asked on board `index` of a suite.
    const fn paths(self, suite: SuiteKind, index: u64) -> &'static [Path] {
        let is_sparse = matches!(suite, SuiteKind::Sparse);
        match self {
            // A board of this size is many pieces of work.
            Self::Step if is_sparse && index.is_multiple_of(4) => {
                &[Path::Boards, Path::Steps, Path::Budget]
            }
            Self::Step if is_sparse => &[Path::Boards, Path::Steps],
            // Boards in bands are read back one by one, which takes long.
            Self::Step if bands(index) > 1 => &[Path::Steps],
            Self::Step if index.is_multiple_of(8) => &[Path::Boards, Path::Budget],
            Self::Step => &[Path::Boards],
            // A census does not end with a settled board, so that later generations are counted, too.
            Self::StepStats | Self::PassStats if index.is_multiple_of(3) => {
                &[Path::Census, Path::Stats]
            }
            Self::StepStats | Self::PassStats => &[Path::Stats],
            Self::ActiveBlocks if is_sparse => &[Path::Steps, Path::Stats, Path::Census],
            Self::Pass | Self::ActiveBlocks | Self::SingleWorkgroup => &[Path::Steps],
        }
    }
}

impl fmt::Display for KernelKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Step => "step",
            Self::StepStats => "step with stats",
            Self::Pass => "pass",
            Self::PassStats => "pass with stats",
            Self::ActiveBlocks => "active blocks",
            Self::SingleWorkgroup => "single workgroup",
        })
    }
}

/// Bands of board `index`.
const fn bands(index: u64) -> u32 {
    BANDS[(index % BANDS.len() as u64) as usize]
}

/// One of `values`, in turn.
fn in_turn<T: Copy>(values: &[T], index: u64) -> T {
    values[(index % values.len() as u64) as usize]
}

impl Subject {
    /// All kernels of an adapter, in both forms, on two of its devices.
    ///
    /// # Errors
    /// [`EngineError`] if the adapter refuses a device or a kernel.
    pub fn all_gpu(
        open: impl Fn() -> Result<Arc<Gpu>, EngineError>,
    ) -> Result<Vec<Self>, EngineError> {
        let [one, other] = [open()?, open()?];
        let arenas = [GpuArena::new(&one)?, GpuArena::portable(&other)?].map(Arc::new);
        let kernels = [Kernels::new(&one)?, Kernels::new(&other)?].map(Arc::new);
        let of = |form, kind| Self::Gpu {
            kernels: kernels.clone(),
            form,
            kind,
        };
        let forms = [Form::General, Form::Folded].into_iter();
        let subjects = forms.flat_map(|form| KernelKind::ALL.map(|kind| of(form, kind)));
        Ok(subjects.chain([Self::Arena(arenas)]).collect())
    }

    /// The name of the engine.
    pub const fn engine(&self) -> &'static str {
        match self {
            Self::Cpu => "cpu",
            Self::Gpu { .. } | Self::Arena(_) => "gpu",
        }
    }

    /// The kernels, in words; none on the CPU.
    pub fn kernels(&self) -> String {
        match self {
            Self::Cpu => String::new(),
            Self::Gpu {
                form: Form::General,
                kind,
                ..
            } => kind.to_string(),
            Self::Gpu {
                form: Form::Folded,
                kind,
                ..
            } => format!("{kind}, folded"),
            Self::Arena(_) => "arena".into(),
        }
    }

    /// The name of the adapter.
    pub fn adapter(&self) -> Option<&str> {
        match self {
            Self::Cpu => None,
            Self::Gpu { kernels, .. } => Some(kernels[0].gpu().name()),
            Self::Arena(arenas) => Some(arenas[0].gpu().name()),
        }
    }

    /// Whether there are boards of a family for it: whether the family has such kernels.
    pub fn takes_family<R: Family + TestFamily>(&self) -> bool {
        match self {
            Self::Cpu => true,
            Self::Arena(_) => R::PLAYS_IN_ARENA,
            Self::Gpu { form, kind, .. } => {
                let has_kind = match kind {
                    KernelKind::Step | KernelKind::StepStats => true,
                    KernelKind::Pass | KernelKind::ActiveBlocks => !R::PASSES.is_empty(),
                    KernelKind::PassStats => !R::STATS_PASSES.is_empty(),
                    KernelKind::SingleWorkgroup => R::SINGLE_WORKGROUP.is_some(),
                };
                // Without a general form both are the same kernels.
                has_kind && (*form == Form::General || R::STEP_PROGRAMS.step.has_general())
            }
        }
    }

    /// Whether it takes this board.
    pub fn takes<R: Family + TestFamily>(&self, case: &Case<R>) -> bool {
        match self {
            Self::Cpu => true,
            Self::Gpu { form, kind, .. } => {
                let size = case.board.size();
                let fits = match kind {
                    KernelKind::Step | KernelKind::StepStats => true,
                    KernelKind::Pass | KernelKind::PassStats | KernelKind::ActiveBlocks => {
                        GpuEngine::has_passes(case.ruleset, size)
                    }
                    KernelKind::SingleWorkgroup => GpuEngine::<R>::has_single_workgroup(size),
                };
                fits && (*form == Form::General || case.ruleset.is_folded())
            }
            Self::Arena(_) => R::fits_arena(case),
        }
    }

    /// Compares it on board `index` of a suite. `None` if it is equal to the reference.
    ///
    /// # Errors
    /// [`EngineError`] if the engine fails.
    pub fn compare<R: Family + TestFamily>(
        &self,
        case: &Case<R>,
        suite: SuiteKind,
        index: u64,
        expected: &Expected<R::Board>,
        fault: Option<Fault>,
    ) -> Result<Option<Divergence<R>>, EngineError> {
        let (mut engine, paths): (Box<dyn Engine<R::Board>>, &[Path]) = match self {
            Self::Cpu => (Box::new(cpu_engine(case, index)), &Path::ALL),
            Self::Gpu {
                kernels,
                form,
                kind,
            } => {
                let engine = gpu_engine(kernels, *form, *kind, case, index)?;
                (Box::new(engine), kind.paths(suite, index))
            }
            Self::Arena(arenas) => {
                let arena = in_turn(&[0, 1], index);
                return R::check_arena(&arenas[arena], case, expected, fault);
            }
        };
        match fault {
            None => check(engine.as_mut(), case, expected, paths),
            Some(fault) => {
                let mut faulty = Faulty::new(engine.as_mut(), fault);
                check(&mut faulty, case, expected, paths)
            }
        }
    }
}

fn cpu_engine<R: Family>(case: &Case<R>, index: u64) -> CpuEngine<R> {
    let engine = CpuEngine::new(case.ruleset).with_pass(in_turn(&CPU_PASSES, index));
    // Idle blocks are skipped only where nothing has been poisoned.
    match index / 3 % 2 {
        0 => engine,
        _ => engine.poisoned(),
    }
}

fn gpu_engine<R: Family>(
    kernels: &[Arc<Kernels>; 2],
    form: Form,
    kind: KernelKind,
    case: &Case<R>,
    index: u64,
) -> Result<GpuEngine<R>, EngineError> {
    let is_portable = index % 2 == 1;
    let mut engine = GpuEngine::new(&kernels[usize::from(is_portable)], case.ruleset)?
        .with_form(form)?
        .with_strip_rows(in_turn(&STRIP_ROWS, index))
        .with_piece(in_turn(&PIECES, index / 8))
        .with_tile_threads(32 >> (index % 5));
    if is_portable {
        engine = engine.portable();
    }
    // Idle blocks are skipped only where nothing has been poisoned.
    if index % 4 == 3 {
        engine = engine.poisoned();
    }
    let is_pass = match kind {
        KernelKind::Pass | KernelKind::PassStats | KernelKind::ActiveBlocks => true,
        KernelKind::Step | KernelKind::StepStats => false,
        KernelKind::SingleWorkgroup => return Ok(engine.within_workgroup(true)),
    };
    engine = match is_pass {
        true => engine.with_pass(in_turn(&GPU_PASSES, index / 2)),
        false => engine.with_pass(1),
    };
    if kind == KernelKind::ActiveBlocks {
        engine = engine.by_blocks();
    }
    let height = case.board.size().height();
    let band_rows = height.div_ceil(bands(index));
    let has_bands = bands(index) > 1 && !(is_pass && band_rows < MIN_BAND_ROWS);
    Ok(match has_bands {
        true => engine.with_band_rows(band_rows),
        false => engine,
    })
}
