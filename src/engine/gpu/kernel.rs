//! Pipelines: a program with its constants, compiled for a device.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::device::Gpu;
use super::layout::{self, Binding, Program};
use crate::board::Edges;
use crate::engine::EngineError;
use crate::rules::{Ruleset, Ties};

/// A compiled program and the shape of its bindings.
#[derive(Clone)]
pub(super) struct Kernel {
    pub(super) pipeline: wgpu::ComputePipeline,
    pub(super) bindings: wgpu::BindGroupLayout,
}

/// The kernels of one device. The ones for rules are made when first needed and then kept.
pub struct Kernels {
    gpu: Arc<Gpu>,
    step_module: wgpu::ShaderModule,
    watch_module: wgpu::ShaderModule,
    /// Keyed by the values of the overrides.
    step: Mutex<HashMap<[u32; 5], Kernel>>,
    census: Kernel,
}

impl Kernels {
    /// Compiles what does not depend on a rule.
    ///
    /// # Errors
    /// [`EngineError::Device`] if the device refuses a shader.
    pub fn new(gpu: &Arc<Gpu>) -> Result<Self, EngineError> {
        let census_module = gpu.checked(|| compile(gpu, &layout::CENSUS))?;
        Ok(Self {
            gpu: Arc::clone(gpu),
            step_module: gpu.checked(|| compile(gpu, &layout::STEP))?,
            watch_module: gpu.checked(|| compile(gpu, &layout::WATCH))?,
            step: Mutex::default(),
            census: gpu.checked(|| kernel(gpu, &layout::CENSUS, &census_module, &[]))?,
        })
    }

    /// The device the kernels are compiled for.
    pub fn gpu(&self) -> &Arc<Gpu> {
        &self.gpu
    }

    /// The kernel that counts cells.
    pub(super) fn census(&self) -> &Kernel {
        &self.census
    }

    /// The kernel that computes one generation.
    pub(super) fn step(&self, ruleset: Ruleset) -> Result<Kernel, EngineError> {
        self.family_kernel(&layout::STEP, &self.step_module, ruleset, false)
    }

    /// The kernel that computes one generation under watch.
    pub(super) fn watch(&self, ruleset: Ruleset) -> Result<Kernel, EngineError> {
        self.family_kernel(&layout::WATCH, &self.watch_module, ruleset, true)
    }

    fn family_kernel(
        &self,
        program: &Program,
        module: &wgpu::ShaderModule,
        ruleset: Ruleset,
        watch: bool,
    ) -> Result<Kernel, EngineError> {
        let ties = ties_value(ruleset);
        // In the order of the program's overrides.
        let values = [
            u32::from(ruleset.rule.birth()),
            u32::from(ruleset.rule.survival()),
            u32::from(ruleset.edges == Edges::Torus),
            ties,
            u32::from(watch),
        ];
        let mut kernels = self.step.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(kernel) = kernels.get(&values) {
            return Ok(kernel.clone());
        }
        let constants: Vec<(&str, f64)> = program
            .overrides
            .iter()
            .copied()
            .zip(values.map(f64::from))
            .collect();
        let made = self
            .gpu
            .checked(|| kernel(&self.gpu, program, module, &constants))?;
        kernels.insert(values, made.clone());
        Ok(made)
    }
}

/// The value of the override `TIES`.
pub(super) const fn ties_value(ruleset: Ruleset) -> u32 {
    match ruleset.ties {
        // Rules without ties share one kernel.
        _ if !ruleset.rule.has_ties() => layout::TIES_RED,
        Ties::Seeded(_) => layout::TIES_SEEDED,
        Ties::Red => layout::TIES_RED,
        Ties::Blue => layout::TIES_BLUE,
        Ties::Checkerboard => layout::TIES_CHECKERBOARD,
    }
}

#[expect(
    unsafe_code,
    reason = "the project's own shaders, checked by naga and by the conformance suite: every index is within the plane it addresses and every loop ends; run-time checks would cost a large part of the speed"
)]
pub(super) fn compile(gpu: &Gpu, program: &Program) -> wgpu::ShaderModule {
    let descriptor = wgpu::ShaderModuleDescriptor {
        label: Some(program.entry_point),
        source: wgpu::ShaderSource::Wgsl(program.wgsl().into()),
    };
    // SAFETY: see the reason above.
    unsafe {
        gpu.device
            .create_shader_module_trusted(descriptor, wgpu::ShaderRuntimeChecks::unchecked())
    }
}

pub(super) fn kernel(
    gpu: &Gpu,
    program: &Program,
    module: &wgpu::ShaderModule,
    constants: &[(&str, f64)],
) -> Kernel {
    let label = Some(program.entry_point);
    let entries: Vec<wgpu::BindGroupLayoutEntry> = (0..)
        .zip(program.bindings)
        .map(|(binding, kind)| wgpu::BindGroupLayoutEntry {
            binding,
            visibility: wgpu::ShaderStages::COMPUTE,
            ty: wgpu::BindingType::Buffer {
                ty: match kind {
                    Binding::Uniform => wgpu::BufferBindingType::Uniform,
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
