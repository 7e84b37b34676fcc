//! From `--engine` and `--adapter` to an engine with the memory it needs.

use std::sync::Arc;

use anyhow::Result;

use super::memory;
use super::options::{EngineArgs, EngineKind};
use super::tuning::{self, Workload};
use crate::board::{Board, LifelikeBoard, Size};
use crate::engine::gpu::GpuEngine;
use crate::engine::select::{EngineName, Engines, SelectedEngine, Selection};
use crate::engine::{Engine, EngineError, Family};
use crate::store::proofs;

/// An engine that owns its board.
pub(super) type BoxedEngine<B> = Box<dyn Engine<B>>;

/// An engine, its name, and a source of more like it.
pub(super) struct Selected<B: Board = LifelikeBoard> {
    pub(super) engine: BoxedEngine<B>,
    pub(super) name: EngineName,
    /// The name of the GPU, if it is one.
    pub(super) adapter: Option<String>,
    /// One sentence about the choice.
    pub(super) note: String,
    engines: Engines,
}

impl<B: Board> Selected<B> {
    /// The engine, and a source of engines of the same kind on the same device.
    pub(super) fn into_engines<R: Family<Board = B>>(
        self,
    ) -> (
        BoxedEngine<B>,
        impl Fn(R) -> Result<BoxedEngine<B>, EngineError>,
    ) {
        let (name, engines) = (self.name, self.engines);
        (self.engine, move |ruleset| {
            engines.make(name, ruleset, None)
        })
    }
}

/// Selects an engine for a board of `size`.
pub(super) fn select<R: Family>(
    args: &EngineArgs,
    ruleset: R,
    size: Size,
) -> Result<Selected<R::Board>> {
    select_for(args, ruleset, size, Workload::default())
}

/// Selects an engine for a board of `size` and a workload.
pub(super) fn select_for<R: Family>(
    args: &EngineArgs,
    ruleset: R,
    size: Size,
    workload: Workload,
) -> Result<Selected<R::Board>> {
    let Selection {
        mut engine,
        mut note,
    } = args.selector()?.select()?;
    let mut engines = Engines::new(None, |_| ());
    if let SelectedEngine::Gpu(gpu) = &engine {
        engines = Engines::new(Some(Arc::clone(gpu)), proofs::require);
        match GpuEngine::prove(engines.kernels()?, ruleset) {
            // The choice was left to the program.
            Err(error @ EngineError::Unproved { .. })
                if args.engine == EngineKind::Auto && args.adapter.is_none() =>
            {
                note = format!("engine cpu ({error})");
                engine = SelectedEngine::Cpu;
                engines = Engines::new(None, |_| ());
            }
            proved => {
                proved?;
                for more in tuning::prepare(engines.kernels()?, ruleset, workload)? {
                    note += "; ";
                    note += &more;
                }
            }
        }
    }
    let (name, is_in_host_memory) = (engine.name(), engine.is_in_host_memory());
    let adapter = engine.adapter().map(str::to_owned);
    let engine = engines.make(name, ruleset, workload.pass)?;
    if adapter.is_some() && is_in_host_memory {
        // The board, both generations of a software adapter, and what is read back.
        memory::require_for::<R::Board>(size, 4, 0)?;
    } else if args.engine == EngineKind::Auto && is_in_host_memory {
        require_for::<R::Board>(EngineKind::Cpu, size)?;
    }
    Ok(Selected {
        engine,
        name,
        adapter,
        note,
        engines,
    })
}

/// Refuses a board for which this machine has no memory when this engine computes it. Called before
/// the board is made.
pub(super) fn require(engine: EngineKind, size: Size) -> Result<()> {
    require_for::<LifelikeBoard>(engine, size)
}

/// The same for boards of any family.
pub(super) fn require_for<B: Board>(engine: EngineKind, size: Size) -> Result<()> {
    match engine {
        // The board, and three generations as lists of cells.
        EngineKind::Reference => memory::require_for::<B>(size, 1, 3 * size_of::<B::Cell>() as u64),
        // The board, its copy in the engine, and the next generation.
        EngineKind::Cpu => memory::require_for::<B>(size, 3, 0),
        // The board; a device has memory of its own.
        EngineKind::Gpu | EngineKind::Auto => memory::require_for::<B>(size, 1, 0),
    }
}
