//! Pipelines: a program with its constants, compiled for a device.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Arc, Mutex, PoisonError};

use super::device::Gpu;
use super::family::GpuFamily;
use super::kernels::active_blocks::ACTIVE_BLOCKS;
use super::kernels::pass::PassProgram;
use super::kernels::{Binding, Program};
use super::tune::Tunings;
use crate::engine::EngineError;
use crate::rules::LifelikeRuleset;

/// A compiled program and the shape of its bindings.
#[derive(Clone)]
pub(super) struct Kernel {
    pub(super) pipeline: wgpu::ComputePipeline,
    pub(super) bindings: wgpu::BindGroupLayout,
}

/// The kernels of one device, each made when it is first needed and then kept.
pub struct Kernels {
    gpu: Arc<Gpu>,
    /// Keyed by the names of the programs.
    modules: Mutex<HashMap<&'static str, wgpu::ShaderModule>>,
    /// Keyed by the names of the programs and the values of their overrides.
    kernels: Mutex<HashMap<(&'static str, Vec<u32>), Kernel>>,
    pub(super) tunings: Mutex<Tunings>,
}

impl Kernels {
    /// Compiles a first program, so that a device which takes none is known at once.
    ///
    /// # Errors
    /// [`EngineError::Device`] if the device refuses it.
    pub fn new(gpu: &Arc<Gpu>) -> Result<Self, EngineError> {
        let kernels = Self {
            gpu: Arc::clone(gpu),
            modules: Mutex::default(),
            kernels: Mutex::default(),
            tunings: Mutex::default(),
        };
        kernels.census::<LifelikeRuleset>()?;
        Ok(kernels)
    }

    /// The device the kernels are compiled for.
    pub fn gpu(&self) -> &Arc<Gpu> {
        &self.gpu
    }

    /// The kernel that counts the present generation of a family's boards.
    pub(super) fn census<R: GpuFamily>(&self) -> Result<Kernel, EngineError> {
        let program = &R::PROGRAMS.census;
        // No rule plays a part.
        self.kernel(program, vec![0; program.overrides.len()])
    }

    /// The kernel that computes one generation.
    pub(super) fn step<R: GpuFamily>(&self, ruleset: R) -> Result<Kernel, EngineError> {
        self.kernel(&R::PROGRAMS.step, ruleset.constants())
    }

    /// The kernel that computes one generation under watch; a portable one needs no subgroups.
    pub(super) fn watch<R: GpuFamily>(
        &self,
        ruleset: R,
        portable: bool,
    ) -> Result<Kernel, EngineError> {
        let program = if portable || !self.gpu.has_subgroups() {
            &R::PROGRAMS.step_with_stats
        } else {
            &R::PROGRAMS.step_with_stats_subgroups
        };
        self.kernel(program, ruleset.constants())
    }

    /// The kernel that computes several generations in a pass.
    pub(super) fn stream(
        &self,
        pass: &'static PassProgram,
        constants: Vec<u32>,
    ) -> Result<Kernel, EngineError> {
        self.kernel(&pass.program, constants)
    }

    /// The kernel that lists the blocks a pass has to compute.
    pub(super) fn active(&self) -> Result<Kernel, EngineError> {
        self.kernel(&ACTIVE_BLOCKS, Vec::new())
    }

    pub(super) fn kernel(
        &self,
        program: &'static Program,
        values: Vec<u32>,
    ) -> Result<Kernel, EngineError> {
        let mut kernels = self.kernels.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (program.name, values);
        if let Some(kernel) = kernels.get(&key) {
            return Ok(kernel.clone());
        }
        let mut modules = self.modules.lock().unwrap_or_else(PoisonError::into_inner);
        let module = match modules.entry(program.name) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(unknown) => unknown.insert(compile(&self.gpu, program)?),
        };
        let values = key.1.iter().copied().map(f64::from);
        let constants: Vec<(&str, f64)> = program.overrides.iter().copied().zip(values).collect();
        let made = self
            .gpu
            .checked(|| kernel(&self.gpu, program, module, &constants))?;
        kernels.insert(key, made.clone());
        Ok(made)
    }
}

/// Compiles one of the programs of this crate.
///
/// # Errors
/// [`EngineError::Device`] if the device refuses it.
#[expect(
    unsafe_code,
    reason = "the project's own shaders, checked by naga and by the conformance suite: every index is within the plane it addresses and every loop ends; run-time checks would cost a large part of the speed"
)]
pub fn compile(gpu: &Gpu, program: &Program) -> Result<wgpu::ShaderModule, EngineError> {
    let wgsl = program
        .wgsl()
        .map_err(|error| gpu.error(&error.to_string()))?;
    let descriptor = wgpu::ShaderModuleDescriptor {
        label: Some(program.name),
        source: wgpu::ShaderSource::Wgsl(wgsl.text.into()),
    };
    // SAFETY: see the reason above.
    gpu.checked(|| unsafe {
        gpu.device
            .create_shader_module_trusted(descriptor, wgpu::ShaderRuntimeChecks::unchecked())
    })
}

pub(super) fn kernel(
    gpu: &Gpu,
    program: &Program,
    module: &wgpu::ShaderModule,
    constants: &[(&str, f64)],
) -> Kernel {
    let label = Some(program.name);
    let entries: Vec<wgpu::BindGroupLayoutEntry> = (0..)
        .zip(program.bindings)
        .map(|(binding, kind)| wgpu::BindGroupLayoutEntry {
            binding,
            visibility: wgpu::ShaderStages::COMPUTE,
            ty: wgpu::BindingType::Buffer {
                ty: match kind {
                    Binding::Uniform(_) => wgpu::BufferBindingType::Uniform,
                    Binding::Read => wgpu::BufferBindingType::Storage { read_only: true },
                    Binding::Write | Binding::WriteAtOffset => {
                        wgpu::BufferBindingType::Storage { read_only: false }
                    }
                },
                has_dynamic_offset: *kind == Binding::WriteAtOffset,
                min_binding_size: None,
            },
            count: None,
        })
        .collect();
    let bindings = gpu
        .device
        .create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label,
            entries: &entries,
        });
    let pipeline_layout = gpu
        .device
        .create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label,
            bind_group_layouts: &[Some(&bindings)],
            immediate_size: 0,
        });
    let pipeline = gpu
        .device
        .create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label,
            layout: Some(&pipeline_layout),
            module,
            entry_point: Some(program.entry_point),
            compilation_options: wgpu::PipelineCompilationOptions {
                constants,
                // Every shader writes its workgroup memory before it reads it.
                zero_initialize_workgroup_memory: false,
            },
            cache: None,
        });
    Kernel { pipeline, bindings }
}
