//! Pipelines: programs compiled for a device, in one cache.
//!
//! A program that computes a rule has two forms. The general one reads the rule from its uniforms and
//! serves every rule; the folded one has the rule as constants and is faster. A ruleset that is new to
//! the device is computed by general pipelines at once. The folded ones are requested for what runs long;
//! a thread makes them, and a kernel uses them from the next dispatch on.
//!
//! No lock is held while something is compiled: the cache hands out places for pipelines, and the
//! first thread that needs a pipeline compiles it into its place.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, mpsc};
use std::thread;

use super::device::Gpu;
use super::family::GpuFamily;
use super::kernels::pass::PassProgram;
use super::program::{Binding, Form, Program};
use super::proof::Proofs;
use super::tuning::{RuleClass, Tuning, Tunings};
use crate::engine::EngineError;
use crate::rules::LifelikeRuleset;

/// A compiled program and the layout of its bindings.
#[derive(Clone)]
pub(super) struct Kernel {
    pub(super) bindings: wgpu::BindGroupLayout,
    first: wgpu::ComputePipeline,
    /// Used instead of `first` as soon as it is compiled.
    folded: Option<Arc<Place>>,
}

impl Kernel {
    /// The fastest pipeline that is compiled.
    pub(super) fn pipeline(&self) -> &wgpu::ComputePipeline {
        let folded = self.folded.as_ref().and_then(|place| place.made());
        folded.unwrap_or(&self.first)
    }
}

/// The kernels of one device, each made when it is first needed and then kept.
pub struct Kernels {
    gpu: Arc<Gpu>,
    cache: Mutex<Cache>,
    worker: Mutex<Option<Worker>>,
    pub(super) tunings: Mutex<Tunings>,
    pub(super) proofs: Proofs,
}

impl Kernels {
    /// Compiles one program, so that a device that can compile none fails at once.
    ///
    /// # Errors
    /// [`EngineError::Device`] if the device refuses it.
    pub fn new(gpu: &Arc<Gpu>) -> Result<Self, EngineError> {
        let kernels = Self {
            gpu: Arc::clone(gpu),
            cache: Mutex::default(),
            worker: Mutex::default(),
            tunings: Mutex::default(),
            proofs: Proofs::default(),
        };
        kernels.census::<LifelikeRuleset>()?;
        Ok(kernels)
    }

    /// The device the kernels are compiled for.
    pub fn gpu(&self) -> &Arc<Gpu> {
        &self.gpu
    }

    /// Requires every kind of kernel to compute a small board right before it is used, unless it is among the
    /// `known`. The names of new proofs go to `remember`. The first call counts.
    ///
    /// An engine that would use a kernel that does not fails with [`EngineError::Unproved`].
    pub fn require_proofs(
        &self,
        known: impl IntoIterator<Item = String>,
        remember: impl Fn(&str) + Send + Sync + 'static,
    ) {
        self.proofs.require(known, Box::new(remember));
    }

    /// The way to compute large boards under rules of a class, if it was measured.
    pub(super) fn tuning(&self, class: RuleClass) -> Option<Tuning> {
        let tunings = self.tunings.lock().unwrap_or_else(PoisonError::into_inner);
        tunings.get(&class).copied()
    }

    /// The kernel that counts the present generation of a family's boards.
    pub(super) fn census<R: GpuFamily>(&self) -> Result<Kernel, EngineError> {
        let program = &R::STEP_PROGRAMS.census;
        // The census depends on no rule.
        let values = vec![0; program.overrides.len()];
        self.kernel(program, values, Some(Form::General))
    }

    /// The kernel that computes one generation.
    pub(super) fn step<R: GpuFamily>(
        &self,
        ruleset: R,
        form: Option<Form>,
    ) -> Result<Kernel, EngineError> {
        self.kernel(&R::STEP_PROGRAMS.step, ruleset.step_constants(), form)
    }

    /// The kernel of a program with these values of its overrides, in one form, or in the general form until
    /// the folded one is requested and made. A program that has one form only has that.
    pub(super) fn kernel(
        &self,
        program: &'static Program,
        values: Vec<u32>,
        form: Option<Form>,
    ) -> Result<Kernel, EngineError> {
        let form = match program.has_general() {
            true => form,
            false => Some(Form::Folded),
        };
        let first = match form {
            Some(Form::Folded) => self.place(program, Some(&values)),
            Some(Form::General) | None => self.place(program, None),
        };
        Ok(Kernel {
            bindings: first.layout.bindings.clone(),
            first: first.pipeline(&self.gpu)?.clone(),
            folded: match form {
                Some(_) => None,
                None => Some(self.place(program, Some(&values))),
            },
        })
    }

    /// The kernel of a pass, if it is compiled: that takes long, and single steps can compute meanwhile.
    /// Otherwise requests it if it `is_wanted`.
    pub(super) fn ready_pass(
        &self,
        pass: &'static PassProgram,
        values: Vec<u32>,
        is_wanted: bool,
    ) -> Result<Option<Kernel>, EngineError> {
        if !pass.program.has_general() {
            return self.kernel(&pass.program, values, None).map(Some);
        }
        let folded = self.place(&pass.program, Some(&values));
        if let Some(made) = folded.made() {
            return Ok(Some(Kernel {
                bindings: folded.layout.bindings.clone(),
                first: made.clone(),
                folded: None,
            }));
        }
        if is_wanted {
            self.request_place(&folded);
        }
        Ok(None)
    }

    /// Requests the folded pipeline of a kernel from the background thread, once.
    pub(super) fn request(&self, kernel: &Kernel) {
        if let Some(place) = &kernel.folded {
            self.request_place(place);
        }
    }

    fn request_place(&self, place: &Arc<Place>) {
        if place.requested.swap(true, Ordering::Relaxed) {
            return;
        }
        let mut worker = self.worker.lock().unwrap_or_else(PoisonError::into_inner);
        if worker.is_none() {
            *worker = Worker::start(&self.gpu);
        }
        let sent = worker.as_ref().is_some_and(|worker| worker.send(place));
        drop(worker);
        if !sent {
            // There are no threads, as in a browser. A failure leaves the general form in use.
            let _ = place.pipeline(&self.gpu);
        }
    }

    /// The place of a pipeline: with these values of the overrides, or of the general form.
    fn place(&self, program: &'static Program, values: Option<&[u32]>) -> Arc<Place> {
        let mut cache = self.cache.lock().unwrap_or_else(PoisonError::into_inner);
        cache.place(&self.gpu, program, values)
    }
}

/// All pipelines of a device and what they are made of.
#[derive(Default)]
struct Cache {
    /// Keyed by the names of the programs.
    layouts: HashMap<&'static str, Layout>,
    /// Keyed by the names of the programs and their forms.
    modules: HashMap<(&'static str, Form), Arc<Module>>,
    /// Keyed by the names of the programs and the values of their overrides; none in the general form.
    places: HashMap<(&'static str, Option<Vec<u32>>), Arc<Place>>,
}

impl Cache {
    fn place(
        &mut self,
        gpu: &Gpu,
        program: &'static Program,
        values: Option<&[u32]>,
    ) -> Arc<Place> {
        let form = match values {
            Some(_) => Form::Folded,
            None => Form::General,
        };
        let key = (program.name, values.map(<[u32]>::to_vec));
        let layouts = &mut self.layouts;
        let modules = &mut self.modules;
        let place = self.places.entry(key).or_insert_with(|| {
            let layout = layouts.entry(program.name);
            let module = modules.entry((program.name, form)).or_default();
            Arc::new(Place {
                program,
                form,
                values: values.unwrap_or_default().to_vec(),
                layout: layout.or_insert_with(|| Layout::new(gpu, program)).clone(),
                module: Arc::clone(module),
                pipeline: OnceLock::new(),
                requested: AtomicBool::new(false),
            })
        });
        Arc::clone(place)
    }
}

/// A shader module, once it is compiled, or the error of the device.
type Module = OnceLock<Result<wgpu::ShaderModule, String>>;

/// The layout of a program's bindings.
#[derive(Clone)]
struct Layout {
    bindings: wgpu::BindGroupLayout,
    pipeline: wgpu::PipelineLayout,
}

impl Layout {
    fn new(gpu: &Gpu, program: &Program) -> Self {
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
        let pipeline = gpu
            .device
            .create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
                label,
                bind_group_layouts: &[Some(&bindings)],
                immediate_size: 0,
            });
        Self { bindings, pipeline }
    }
}

/// Where a pipeline is kept, and what it is made of.
struct Place {
    program: &'static Program,
    form: Form,
    /// Values of the overrides, in their order.
    values: Vec<u32>,
    layout: Layout,
    module: Arc<Module>,
    pipeline: OnceLock<Result<wgpu::ComputePipeline, String>>,
    requested: AtomicBool,
}

impl Place {
    /// The pipeline, if it is made.
    fn made(&self) -> Option<&wgpu::ComputePipeline> {
        self.pipeline.get()?.as_ref().ok()
    }

    /// The pipeline. Makes it, or waits for another thread that does so.
    fn pipeline(&self, gpu: &Gpu) -> Result<&wgpu::ComputePipeline, EngineError> {
        let made = self.pipeline.get_or_init(|| self.make(gpu));
        made.as_ref().map_err(|message| gpu.error(message))
    }

    fn make(&self, gpu: &Gpu) -> Result<wgpu::ComputePipeline, String> {
        let started = web_time::Instant::now();
        let module = self
            .module
            .get_or_init(|| module(gpu, self.program, self.form));
        let module = module.as_ref().map_err(String::clone)?;
        let values = self.values.iter().copied().map(f64::from);
        let overrides = self.program.overrides_in(self.form).iter().copied();
        let constants: Vec<(&str, f64)> = overrides.zip(values).collect();
        let descriptor = wgpu::ComputePipelineDescriptor {
            label: Some(self.program.name),
            layout: Some(&self.layout.pipeline),
            module,
            entry_point: Some(self.program.entry_point),
            compilation_options: wgpu::PipelineCompilationOptions {
                constants: &constants,
                // Every shader writes its workgroup memory before it reads it.
                zero_initialize_workgroup_memory: false,
            },
            cache: None,
        };
        let made = gpu.attempt(|| gpu.device.create_compute_pipeline(&descriptor));
        let took = started.elapsed();
        tracing::debug!(program = self.program.name, form = ?self.form, ?took, "pipeline");
        made.map_err(|error| error.to_string())
    }
}

/// Compiles one of the programs of this crate, in its folded form.
///
/// # Errors
/// [`EngineError::Device`] if the device refuses it.
pub fn compile(gpu: &Gpu, program: &Program) -> Result<wgpu::ShaderModule, EngineError> {
    module(gpu, program, Form::Folded).map_err(|message| gpu.error(&message))
}

#[expect(
    unsafe_code,
    reason = "the project's own shaders, checked by naga and by the conformance suite: every index is within the plane it addresses and every loop ends; run-time checks would cost a large part of the speed"
)]
fn module(gpu: &Gpu, program: &Program, form: Form) -> Result<wgpu::ShaderModule, String> {
    let wgsl = program.wgsl(form).map_err(|error| error.to_string())?;
    let descriptor = wgpu::ShaderModuleDescriptor {
        label: Some(program.name),
        source: wgpu::ShaderSource::Wgsl(wgsl.text.into()),
    };
    // SAFETY: see the reason above.
    let made = gpu.attempt(|| unsafe {
        gpu.device
            .create_shader_module_trusted(descriptor, wgpu::ShaderRuntimeChecks::unchecked())
    });
    made.map_err(|error| error.to_string())
}

/// The thread that makes pipelines in the background.
struct Worker {
    requests: Option<mpsc::Sender<Arc<Place>>>,
    /// Requests that are still open are dropped.
    is_stopped: Arc<AtomicBool>,
    thread: Option<thread::JoinHandle<()>>,
}

impl Worker {
    /// `None` if there can be no thread.
    fn start(gpu: &Arc<Gpu>) -> Option<Self> {
        let (requests, received) = mpsc::channel::<Arc<Place>>();
        let is_stopped = Arc::new(AtomicBool::new(false));
        let (gpu, stopped) = (Arc::clone(gpu), Arc::clone(&is_stopped));
        let work = move || {
            for place in received {
                if stopped.load(Ordering::Relaxed) {
                    break;
                }
                if let Err(error) = place.pipeline(&gpu) {
                    // The general form stays in use.
                    tracing::debug!(%error, program = place.program.name, "not folded");
                }
            }
        };
        let thread = thread::Builder::new().name("pipelines".into()).spawn(work);
        Some(Self {
            requests: Some(requests),
            is_stopped,
            thread: Some(thread.ok()?),
        })
    }

    fn send(&self, place: &Arc<Place>) -> bool {
        let sent = self
            .requests
            .as_ref()
            .map(|requests| requests.send(Arc::clone(place)));
        matches!(sent, Some(Ok(())))
    }
}

impl Drop for Worker {
    /// Waits for the pipeline that is being made: a driver that still compiles must not be torn down.
    fn drop(&mut self) {
        self.is_stopped.store(true, Ordering::Relaxed);
        self.requests = None;
        if let Some(thread) = self.thread.take() {
            // A panic of the thread has been reported by its hook.
            let _ = thread.join();
        }
    }
}
