//! From `--engine` and `--adapter` to an engine, and the line that says which it is.

use std::sync::Arc;

use anyhow::{Result, bail};

use super::options::{EngineArgs, EngineKind};
use super::{memory, tuning};
use crate::board::{Board, LifelikeBoard, Size};
use crate::engine::cpu::CpuEngine;
use crate::engine::gpu::{self, AdapterSelector, GpuEngine, Kernels};
use crate::engine::reference::ReferenceEngine;
use crate::engine::{Engine, EngineError, Family};

/// An engine and what to call it.
pub(super) struct Chosen<B: Board = LifelikeBoard> {
    pub(super) engine: Box<dyn Engine<B>>,
    /// `gpu`, `cpu` or `reference`.
    pub(super) name: &'static str,
    /// The GPU's name, if it is one.
    pub(super) adapter: Option<String>,
    /// Whether it computes in the memory of this machine.
    is_here: bool,
    /// What a person should know about the choice.
    pub(super) remark: String,
}

/// Cells to compute from which the kernels of a card are measured first, if that was not done before:
/// the fastest cards take some seconds for them, and about as long for measuring.
const WORTH_MEASURING: u128 = 1 << 45;

/// How an engine is going to be used.
#[derive(Clone, Copy, Default)]
pub(super) struct Plans {
    /// Cells to compute in all, as far as it is known.
    pub(super) cells: u128,
    /// The most generations of a pass, if that is not left to the engine.
    pub(super) pass: Option<u32>,
}

/// The engine asked for, to compute a board of `size`.
pub(super) fn choose<R: Family>(
    args: &EngineArgs,
    ruleset: R,
    size: Size,
) -> Result<Chosen<R::Board>> {
    choose_for(args, ruleset, size, Plans::default())
}

/// The engine asked for, to be used as planned.
pub(super) fn choose_for<R: Family>(
    args: &EngineArgs,
    ruleset: R,
    size: Size,
    plans: Plans,
) -> Result<Chosen<R::Board>> {
    if args.adapter.is_some() && !matches!(args.engine, EngineKind::Auto | EngineKind::Gpu) {
        bail!("--adapter names a GPU; use it with --engine gpu");
    }
    let chosen = make_for(args, ruleset, plans)?;
    if chosen.adapter.is_some() && chosen.is_here {
        // The board, both generations of a software adapter, and what is read back.
        memory::require_for::<R::Board>(size, 4, 0)?;
    } else if args.engine == EngineKind::Auto && chosen.is_here {
        require_for::<R::Board>(EngineKind::Cpu, size)?;
    }
    Ok(chosen)
}

/// The engine asked for, to compute boards for which there is memory.
pub(super) fn make<R: Family>(
    args: &EngineArgs,
    ruleset: R,
) -> Result<Chosen<R::Board>, EngineError> {
    make_for(args, ruleset, Plans::default())
}

fn make_for<R: Family>(
    args: &EngineArgs,
    ruleset: R,
    plans: Plans,
) -> Result<Chosen<R::Board>, EngineError> {
    let choice = AdapterSelector {
        name: args.adapter.clone(),
        hardware_only: args.engine == EngineKind::Auto && args.adapter.is_none(),
    };
    match args.engine {
        EngineKind::Reference => Ok(Chosen {
            engine: Box::new(ReferenceEngine::new(ruleset)),
            name: "reference",
            adapter: None,
            is_here: true,
            remark: "engine reference".into(),
        }),
        EngineKind::Cpu => Ok(cpu(ruleset, plans, "engine cpu")),
        EngineKind::Gpu => gpu(&choice, ruleset, plans),
        EngineKind::Auto => match gpu(&choice, ruleset, plans) {
            // An adapter asked for by name must be there.
            Err(error) if args.adapter.is_some() => Err(error),
            Err(EngineError::NoAdapter | EngineError::NoHardware { .. }) => {
                Ok(cpu(ruleset, plans, "engine cpu (no hardware GPU found)"))
            }
            chosen => chosen,
        },
    }
}

/// Refuses a board for which this machine has no memory when this engine computes it. To be asked
/// before the board is made.
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

fn cpu<R: Family>(ruleset: R, plans: Plans, remark: &str) -> Chosen<R::Board> {
    let mut engine = CpuEngine::new(ruleset);
    if let Some(most) = plans.pass {
        engine = engine.with_pass(most);
    }
    Chosen {
        engine: Box::new(engine),
        name: "cpu",
        adapter: None,
        is_here: true,
        remark: remark.into(),
    }
}

fn gpu<R: Family>(
    choice: &AdapterSelector,
    ruleset: R,
    plans: Plans,
) -> Result<Chosen<R::Board>, EngineError> {
    let gpu = gpu::select_adapter(choice)?.open()?;
    let mut remark = if gpu.is_software() {
        format!(
            "engine gpu on {} (a software adapter; --engine cpu is faster)",
            gpu.name()
        )
    } else {
        format!("engine gpu on {}", gpu.name())
    };
    let kernels = Arc::new(Kernels::new(&gpu)?);
    let mut say = |more: String| {
        remark.push_str("; ");
        remark.push_str(&more);
    };
    if let Some(why) = tuning::recall(&kernels) {
        say(why);
    }
    if !gpu.is_software()
        && plans.pass.is_none()
        && plans.cells >= WORTH_MEASURING
        && let Some(circuits) = ruleset.circuits()
        && !kernels.is_tuned(circuits)
    {
        let timed = tuning::measure(&kernels, circuits)?;
        if let Some(fastest) = timed.first() {
            say(format!("measured: {}", tuning::told(fastest)));
            if let Err(why) = tuning::keep(&kernels, &[(circuits, fastest.tuning)]) {
                say(why.to_string());
            }
        }
    }
    let mut engine = GpuEngine::new(&kernels, ruleset)?;
    if let Some(most) = plans.pass {
        engine = engine.with_pass(most);
    }
    Ok(Chosen {
        engine: Box::new(engine),
        name: "gpu",
        adapter: Some(gpu.name().into()),
        is_here: gpu.is_software(),
        remark,
    })
}
