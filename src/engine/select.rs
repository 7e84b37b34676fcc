//! Which engine computes: the choice is written here once, for the command line and the window.

use std::cell::OnceCell;
use std::sync::Arc;

use super::cpu::CpuEngine;
use super::gpu::{AdapterSelector, Gpu, GpuEngine, Kernels, SelectedAdapter, select_adapter};
use super::reference::ReferenceEngine;
use super::{Engine, EngineError, Family};

/// An engine by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EngineName {
    /// WGSL compute shaders on a device.
    Gpu,
    /// Bit planes on all cores.
    Cpu,
    /// The definition, cell by cell.
    Reference,
}

impl EngineName {
    /// The name in one word.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Gpu => "gpu",
            Self::Cpu => "cpu",
            Self::Reference => "reference",
        }
    }

    /// The engine beside a device that is open for drawing: on a software adapter the CPU engine is
    /// the faster one.
    pub fn on_device(gpu: &Gpu) -> Self {
        if gpu.is_software() {
            Self::Cpu
        } else {
            Self::Gpu
        }
    }
}

/// What a user says about the engine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EngineSelector {
    /// Which engine; `None` takes a hardware GPU if there is one, else the CPU.
    pub engine: Option<EngineName>,
    /// The adapter's number, backend, or part of its name.
    pub adapter: Option<String>,
}

/// The engine that was selected.
pub enum SelectedEngine {
    /// On this device.
    Gpu(Arc<Gpu>),
    /// On all cores.
    Cpu,
    /// Cell by cell.
    Reference,
}

/// An engine and the reason for it.
pub struct Selection {
    /// The engine.
    pub engine: SelectedEngine,
    /// One sentence: which engine computes, where, and what would be better.
    pub note: String,
}

impl EngineSelector {
    /// The adapter that these words select. A default choice takes no software adapter.
    fn adapter(&self) -> AdapterSelector {
        AdapterSelector {
            name: self.adapter.clone(),
            hardware_only: self.engine.is_none() && self.adapter.is_none(),
        }
    }

    /// Any adapter, a software one too: what draws a window or is to be tested or measured.
    ///
    /// # Errors
    /// [`EngineError`] if there is no such adapter or it cannot be opened.
    pub fn open_any_adapter(&self) -> Result<Arc<Gpu>, EngineError> {
        let selector = AdapterSelector {
            hardware_only: false,
            ..self.adapter()
        };
        select_adapter(&selector)?.adapter.open()
    }

    /// Selects an engine and opens its device.
    ///
    /// # Errors
    /// [`EngineError`] if a device is required and cannot be opened.
    pub fn select(&self) -> Result<Selection, EngineError> {
        match self.engine {
            Some(EngineName::Reference) => Ok(Selection {
                engine: SelectedEngine::Reference,
                note: "engine reference".into(),
            }),
            Some(EngineName::Cpu) => Ok(Selection {
                engine: SelectedEngine::Cpu,
                note: "engine cpu".into(),
            }),
            Some(EngineName::Gpu) => self.select_gpu(),
            None => match self.select_gpu() {
                Err(EngineError::NoAdapter | EngineError::NoHardware { .. })
                    // An adapter that is named must be there.
                    if self.adapter.is_none() =>
                {
                    Ok(Selection {
                        engine: SelectedEngine::Cpu,
                        note: "engine cpu (no hardware GPU found)".into(),
                    })
                }
                selected => selected,
            },
        }
    }

    fn select_gpu(&self) -> Result<Selection, EngineError> {
        let SelectedAdapter { adapter, others } = select_adapter(&self.adapter())?;
        let number = adapter.number;
        let gpu = adapter.open()?;
        let mut note = format!("engine gpu on {}", gpu.name());
        if self.adapter.is_some() && others > 0 {
            note += &format!(
                " (adapter {number}, the first of {}; duolife devices lists all)",
                others + 1
            );
        }
        if gpu.is_software() {
            note += " (a software adapter; --engine cpu is faster)";
        }
        Ok(Selection {
            engine: SelectedEngine::Gpu(gpu),
            note,
        })
    }
}

impl SelectedEngine {
    /// Its name.
    pub const fn name(&self) -> EngineName {
        match self {
            Self::Gpu(_) => EngineName::Gpu,
            Self::Cpu => EngineName::Cpu,
            Self::Reference => EngineName::Reference,
        }
    }

    /// The name of its device, if it has one.
    pub fn adapter(&self) -> Option<&str> {
        match self {
            Self::Gpu(gpu) => Some(gpu.name()),
            Self::Cpu | Self::Reference => None,
        }
    }

    /// Whether boards lie in the memory of this machine.
    pub fn is_in_host_memory(&self) -> bool {
        match self {
            Self::Gpu(gpu) => gpu.is_software(),
            Self::Cpu | Self::Reference => true,
        }
    }
}

/// Engines of every family. Those on the GPU share one device and its kernels, which are made when
/// they are first needed.
pub struct Engines {
    gpu: Option<Arc<Gpu>>,
    kernels: OnceCell<Arc<Kernels>>,
    prepare: fn(&Kernels),
}

impl Engines {
    /// Engines on a device, if there is one; `prepare` is called once with the new kernels.
    pub const fn new(gpu: Option<Arc<Gpu>>, prepare: fn(&Kernels)) -> Self {
        Self {
            gpu,
            kernels: OnceCell::new(),
            prepare,
        }
    }

    /// The kernels of the device.
    ///
    /// # Errors
    /// [`EngineError::NoAdapter`] without a device, or the error of making them.
    pub fn kernels(&self) -> Result<&Arc<Kernels>, EngineError> {
        if let Some(kernels) = self.kernels.get() {
            return Ok(kernels);
        }
        let gpu = self.gpu.as_ref().ok_or(EngineError::NoAdapter)?;
        let kernels = Arc::new(Kernels::new(gpu)?);
        (self.prepare)(&kernels);
        Ok(self.kernels.get_or_init(|| kernels))
    }

    /// A new engine. `pass` is the most generations per pass; `None` leaves that to the engine.
    ///
    /// # Errors
    /// [`EngineError`] if the device cannot make it.
    pub fn make<R: Family>(
        &self,
        name: EngineName,
        ruleset: R,
        pass: Option<u32>,
    ) -> Result<Box<dyn Engine<R::Board>>, EngineError> {
        Ok(match name {
            EngineName::Reference => Box::new(ReferenceEngine::new(ruleset)),
            EngineName::Cpu => {
                let engine = CpuEngine::new(ruleset);
                Box::new(match pass {
                    Some(generations) => engine.with_pass(generations),
                    None => engine,
                })
            }
            EngineName::Gpu => {
                let engine = GpuEngine::new(self.kernels()?, ruleset)?;
                Box::new(match pass {
                    Some(generations) => engine.with_pass(generations),
                    None => engine,
                })
            }
        })
    }
}
