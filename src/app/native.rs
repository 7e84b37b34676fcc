//! The window on a desktop: its event loop, its device and its engines.

mod system;

use std::rc::Rc;
use std::sync::Arc;

use directories::ProjectDirs;
use eframe::egui_wgpu::{WgpuConfiguration, WgpuSetup, WgpuSetupExisting};
use thiserror::Error;
use winit::error::EventLoopError;

use self::system::NativePlatform;
use super::controller::{Controller, Opening};
use super::platform::{EngineFactory, EngineName, MakeEngine};
use super::window::{DuolifeApp, ExitState};
use crate::engine::gpu::{Gpu, Kernels};
use crate::engine::select::{EngineSelector, Engines};
use crate::engine::{EngineError, Family};
use crate::store::{proofs, tuning};

/// How to open a window.
pub struct WindowConfig {
    /// What it opens with.
    pub opening: Opening,
    /// The engine of runs, and the adapter that draws.
    pub engine: EngineSelector,
    /// Returns the bytes that this process may still allocate.
    pub available_memory: fn() -> u64,
}

/// Why there is no window.
#[derive(Debug, Error)]
pub enum WindowError {
    /// There is no display, for this reason.
    #[error(
        "no display for a window: {0}; without a window there are duolife run (with --rule rezolution, too), duolife duel, duolife immigration, duolife play battle --terminal and duolife play fragment --terminal"
    )]
    NoDisplay(String),
    /// There is no device, or it failed.
    #[error(
        "no window: {0}; without one there are duolife run --engine cpu and duolife play battle --terminal"
    )]
    Device(#[source] EngineError),
    /// The window could not be created.
    #[error("no window: {0}; without one there are duolife run and duolife play battle --terminal")]
    Window(String),
    /// There is no engine for the first board.
    #[error("{0}")]
    Start(String),
}

/// Opens the window, and returns when it is closed.
///
/// # Errors
/// [`WindowError`] if it cannot be opened, or if its device fails and there is no other.
pub fn run(request: WindowConfig) -> Result<(), WindowError> {
    if !has_display() {
        let reason = "neither WAYLAND_DISPLAY nor DISPLAY is set";
        return Err(WindowError::NoDisplay(reason.to_owned()));
    }
    let WindowConfig {
        mut opening,
        mut engine,
        available_memory,
    } = request;
    let mut message = None;
    loop {
        let gpu = engine.open_any_adapter().map_err(WindowError::Device)?;
        let exit_state = ExitState::default();
        open(
            &gpu,
            opening,
            engine.engine,
            message,
            available_memory,
            &exit_state,
        )?;
        let Some(lost) = exit_state.borrow_mut().take() else {
            return Ok(());
        };
        // The window reopens on another device, or again on the same one; the run resumes on the CPU, which
        // does not fail.
        let reason = lost.reason;
        message = Some(format!(
            "{reason}. The start pattern was kept; the CPU computes now (Game menu: the GPU again)"
        ));
        engine.engine = Some(EngineName::Cpu);
        opening = lost.opening;
    }
}

/// Shows one window until it is closed.
fn open(
    gpu: &Arc<Gpu>,
    opening: Opening,
    engine: Option<EngineName>,
    message: Option<String>,
    available_memory: fn() -> u64,
    exit_state: &ExitState,
) -> Result<(), WindowError> {
    let choice = engine.unwrap_or_else(|| EngineName::on_device(gpu));
    let platform = Box::new(NativePlatform::new(
        available_memory,
        ProjectDirs::from("", "", "duolife").map(|folders| folders.data_dir().to_owned()),
    ));
    let mut controller = Controller::new(
        opening,
        engine_factory(gpu),
        platform,
        choice,
        gpu.name().to_owned(),
    )
    .map_err(WindowError::Start)?;
    if let Some(message) = message {
        controller.notify_error(message);
    }
    let handles = gpu.handles();
    let options = eframe::NativeOptions {
        viewport: egui::ViewportBuilder::default()
            .with_title("duolife")
            .with_app_id("duolife")
            .with_inner_size([1180.0, 760.0])
            .with_min_inner_size([480.0, 320.0])
            .with_drag_and_drop(true),
        renderer: eframe::Renderer::Wgpu,
        wgpu_options: WgpuConfiguration {
            wgpu_setup: WgpuSetup::Existing(WgpuSetupExisting {
                instance: handles.instance,
                adapter: handles.adapter,
                device: handles.device,
                queue: handles.queue,
            }),
            ..Default::default()
        },
        // The pixels of the board have exactly the colours of its palette.
        dithering: false,
        ..Default::default()
    };
    let (gpu, exit_state) = (Arc::clone(gpu), ExitState::clone(exit_state));
    let created = eframe::run_native(
        "duolife",
        options,
        Box::new(move |context| {
            let renderer = context.wgpu_render_state.as_ref();
            let target = renderer.ok_or("the window has no renderer")?.target_format;
            Ok(Box::new(DuolifeApp::new(
                controller, gpu, target, exit_state,
            )?))
        }),
    );
    created.map_err(|error| match error {
        eframe::Error::WinitEventLoop(
            error @ (EventLoopError::NotSupported(_) | EventLoopError::Os(_)),
        ) => {
            let message = one_line(&error.to_string());
            // winit puts the line of its own source before the reason.
            let reason = message.rsplit(": ").next().unwrap_or_default();
            WindowError::NoDisplay(reason.to_owned())
        }
        eframe::Error::Winit(error) => WindowError::Window(one_line(&error.to_string())),
        error => WindowError::Window(one_line(&error.to_string())),
    })
}

/// Whether a window can be shown. Only X11 and Wayland announce a display by a variable.
fn has_display() -> bool {
    let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    !cfg!(all(unix, not(target_os = "macos")))
        || ["DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET"]
            .into_iter()
            .any(is_set)
}

/// The engine factory; GPU engines share the device that draws, and its kernels.
fn engine_factory(gpu: &Arc<Gpu>) -> EngineFactory {
    // A tuning that cannot be read changes only the speed; the command that measures reports why.
    let prepare = |kernels: &Kernels| {
        proofs::require(kernels);
        let _ = tuning::recall(kernels);
    };
    let engines = Rc::new(Engines::new(Some(Arc::clone(gpu)), prepare));
    EngineFactory {
        lifelike: make_engine(&engines),
        rezolution: make_engine(&engines),
    }
}

fn make_engine<R: Family>(engines: &Rc<Engines>) -> MakeEngine<R> {
    let engines = Rc::clone(engines);
    Rc::new(move |name, ruleset| engines.make(name, ruleset, None))
}

/// The message on one line.
fn one_line(message: &str) -> String {
    message.split_whitespace().collect::<Vec<_>>().join(" ")
}
