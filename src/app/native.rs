//! The window on a desktop: its event loop, its device, its files.

use std::fs;
use std::hash::{BuildHasher, RandomState};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::{Arc, mpsc};
use std::thread;

use directories::ProjectDirs;
use eframe::egui_wgpu::{WgpuConfiguration, WgpuSetup, WgpuSetupExisting};
use glam::UVec2;
use thiserror::Error;
use winit::error::EventLoopError;

use super::controller::{Controller, Opening};
use super::platform::{
    EngineFactory, EngineName, Entry, Film, FilmPlan, MakeEngine, MoveResult, Platform, Task,
};
use super::window::{DuolifeApp, ExitState};
use crate::board::Size;
use crate::engine::gpu::{Gpu, Kernels};
use crate::engine::select::{EngineSelector, Engines};
use crate::engine::{EngineError, Family};
use crate::format::film::FilmFile;
use crate::format::rezolution::RezolutionDocument;
use crate::format::{
    Content, Format, LifelikeDocument, Limits, atomic_write, make_folder_of, read_bytes,
    read_content, save, write_rezolution,
};
use crate::game::fragment;
use crate::game::opening::DRAWN_SEEDS;
use crate::game::session::BOARDS_IN_MEMORY;
use crate::render::{Picture, write_png};
use crate::store::best_scores::{BestScores, Difficulty};
use crate::store::tuning;

/// Bytes of the largest memory of a last run that is read.
const MAX_MEMORY_BYTES: u64 = 1 << 20;

/// The most entries of a folder that are looked at.
const MAX_ENTRIES: usize = 100_000;

/// What a window is opened for.
pub struct WindowConfig {
    /// What it opens with.
    pub opening: Opening,
    /// Which engine computes, and which adapter draws.
    pub engine: EngineSelector,
    /// Bytes this process may still take.
    pub available_memory: fn() -> u64,
}

/// Why there is no window, or no longer.
#[derive(Debug, Error)]
pub enum WindowError {
    /// There is nothing to show it on, for that reason.
    #[error(
        "no display for a window: {0}; without a window there are duolife run (with --rule rezolution, too), duolife duel, duolife immigration, duolife play battle --terminal and duolife play fragment --terminal"
    )]
    NoDisplay(String),
    /// There is no device, or it failed.
    #[error(
        "no window: {0}; without one there are duolife run --engine cpu and duolife play battle --terminal"
    )]
    Device(#[source] EngineError),
    /// The window could not be made.
    #[error("no window: {0}; without one there are duolife run and duolife play battle --terminal")]
    Window(String),
    /// There is no engine for the first board.
    #[error("{0}")]
    Start(String),
}

/// Opens the window and returns when it is closed.
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
        // The window goes on with another device, or the same one opened anew; the run goes on on the
        // CPU, which does not fail.
        let reason = lost.reason;
        message = Some(format!(
            "{reason}. The start pattern was kept; the CPU computes now (Game menu: the GPU again)"
        ));
        engine.engine = Some(EngineName::Cpu);
        opening = lost.opening;
    }
}

/// One window, until it is closed.
fn open(
    gpu: &Arc<Gpu>,
    opening: Opening,
    engine: Option<EngineName>,
    message: Option<String>,
    available_memory: fn() -> u64,
    exit_state: &ExitState,
) -> Result<(), WindowError> {
    let choice = engine.unwrap_or_else(|| EngineName::on_device(gpu));
    let platform = Box::new(NativePlatform {
        available: available_memory,
        data: ProjectDirs::from("", "", "duolife").map(|folders| folders.data_dir().to_owned()),
    });
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
        // The board's pixels are exactly those of its palette.
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
            // Before the reason, winit names the line of its own source that met it.
            let reason = message.rsplit(": ").next().unwrap_or_default();
            WindowError::NoDisplay(reason.to_owned())
        }
        eframe::Error::Winit(error) => WindowError::Window(one_line(&error.to_string())),
        error => WindowError::Window(one_line(&error.to_string())),
    })
}

/// Whether a window could be shown at all. Only X11 and Wayland say so by a variable.
fn has_display() -> bool {
    let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    !cfg!(all(unix, not(target_os = "macos")))
        || ["DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET"]
            .into_iter()
            .any(is_set)
}

/// Engines; those on the GPU share the device that draws, and its kernels.
fn engine_factory(gpu: &Arc<Gpu>) -> EngineFactory {
    // A tuning that cannot be read changes only the speed; the command that measures says why.
    let prepare = |kernels: &Kernels| {
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

/// Files and memory of a desktop.
struct NativePlatform {
    available: fn() -> u64,
    /// The folder for what is remembered; a user without a home has none.
    data: Option<PathBuf>,
}

impl NativePlatform {
    fn limits(&self) -> Limits {
        let available = (self.available)();
        Limits {
            max_file_bytes: Limits::default().max_file_bytes.min(available / 2),
            max_board_bytes: Limits::default().max_board_bytes.min(available / 2),
        }
    }

    fn memory(&self) -> Option<PathBuf> {
        Some(self.data.as_ref()?.join("window.json"))
    }
}

impl Platform for NativePlatform {
    fn folder(&self) -> String {
        let here = std::env::current_dir().unwrap_or_else(|_| PathBuf::from("."));
        here.to_string_lossy().into_owned()
    }

    fn list(&self, folder: &str) -> Result<Vec<Entry>, String> {
        let refused = |error: std::io::Error| format!("{folder}: cannot be listed: {error}");
        let mut entries = Vec::new();
        for entry in fs::read_dir(folder).map_err(refused)?.take(MAX_ENTRIES) {
            let entry = entry.map_err(refused)?;
            let name = entry.file_name().to_string_lossy().into_owned();
            if name.starts_with('.') {
                continue;
            }
            // A link counts as what it leads to.
            let is_folder = entry.path().is_dir();
            entries.push(Entry { name, is_folder });
        }
        entries.sort_by_key(|entry| (!entry.is_folder, entry.name.to_lowercase()));
        Ok(entries)
    }

    fn join(&self, folder: &str, name: &str) -> String {
        Path::new(folder).join(name).to_string_lossy().into_owned()
    }

    fn parent(&self, folder: &str) -> Option<String> {
        let parent = Path::new(folder).parent()?;
        Some(parent.to_string_lossy().into_owned())
    }

    fn is_folder(&self, name: &str) -> bool {
        Path::new(name).is_dir()
    }

    fn is_file(&self, name: &str) -> bool {
        Path::new(name).exists()
    }

    fn read(&self, name: &str) -> Result<Content, String> {
        read_content(Path::new(name), None, &self.limits()).map_err(|error| error.to_string())
    }

    fn write(&self, name: &str, document: &LifelikeDocument) -> Result<(), String> {
        let path = Path::new(name);
        let format = Format::of_name(path).filter(|format| format.is_written());
        let format = format.ok_or_else(|| {
            format!("{name}: no format has this extension; use .rle, .txt, .cells, .lif or .png")
        })?;
        save(document, format, path).map_err(|error| error.to_string())
    }

    fn write_rezolution(
        &self,
        name: &str,
        document: &RezolutionDocument<'_>,
    ) -> Result<(), String> {
        let path = Path::new(name);
        match Format::of_name(path) {
            // A text file is one of the family's.
            Some(Format::Rezolution | Format::Grid) => {
                write_rezolution(document, path).map_err(|error| error.to_string())
            }
            Some(_) | None => Err(format!(
                "{name}: boards of reZolution are saved as .rez or .txt; a picture of it: Ctrl+E"
            )),
        }
    }

    fn write_picture(&self, name: &str, picture: &Picture) -> Result<(), String> {
        let path = Path::new(name);
        atomic_write(path, |out| {
            write_png(picture, out).map_err(std::io::Error::other)
        })
        .map_err(|error| error.to_string())
    }

    fn film(&self, name: &str, size: UVec2, plan: FilmPlan) -> Result<Box<dyn Film>, String> {
        let film = FilmFile::of_name(Path::new(name), size.into(), plan.rate, plan.frames);
        Ok(Box::new(film.map_err(|error| error.to_string())?))
    }

    fn read_text(&self, name: &str, most: u64) -> Result<String, String> {
        let bytes = read_bytes(Path::new(name), most).map_err(|error| error.to_string())?;
        String::from_utf8(bytes).map_err(|_| format!("{name}: is no text"))
    }

    fn write_text(&self, name: &str, text: &str) -> Result<(), String> {
        atomic_write(Path::new(name), |out| out.write_all(text.as_bytes()))
            .map_err(|error| error.to_string())
    }

    fn load_window_memory(&self) -> Result<Option<String>, String> {
        let Some(path) = self.memory().filter(|path| path.exists()) else {
            return Ok(None);
        };
        self.read_text(&path.to_string_lossy(), MAX_MEMORY_BYTES)
            .map(Some)
    }

    fn save_window_memory(&self, text: &str) -> Result<(), String> {
        let path = self.memory().ok_or(
            "the board is not kept until next time: this user has no home folder; set XDG_DATA_HOME",
        )?;
        make_folder_of(&path).map_err(|error| error.to_string())?;
        atomic_write(&path, |out| out.write_all(text.as_bytes())).map_err(|error| error.to_string())
    }

    fn check_memory(&self, size: Size, bytes: u64) -> Result<(), String> {
        let needed = BOARDS_IN_MEMORY.saturating_mul(bytes);
        let available = (self.available)();
        if needed > available {
            return Err(format!(
                "a board of {size} needs {} MiB of memory here, {} MiB are available; choose a smaller one",
                needed >> 20,
                available >> 20
            ));
        }
        Ok(())
    }

    fn random_seed(&self) -> u64 {
        // The standard library draws its keys at random.
        RandomState::new().hash_one(0) % DRAWN_SEEDS
    }

    fn spawn(&self, work: Box<dyn FnOnce() -> MoveResult + Send>) -> Box<dyn Task> {
        let (sender, receiver) = mpsc::channel();
        thread::spawn(move || {
            // Nobody waits any more if the game was given up.
            let _ = sender.send(work());
        });
        Box::new(ThreadTask(receiver))
    }

    fn best_score(
        &self,
        settings: fragment::Settings,
        score: Option<u64>,
    ) -> Result<Option<u64>, String> {
        let scores = BestScores::of_user().map_err(|error| error.to_string())?;
        let difficulty = Difficulty::from(settings);
        let record = match score {
            Some(score) => scores.keep(difficulty, score),
            None => scores.best(difficulty),
        };
        Ok(record.map_err(|error| error.to_string())?.best)
    }
}

impl Film for FilmFile {
    fn add(&mut self, picture: &Picture) -> Result<(), String> {
        Self::add(self, picture).map_err(|error| error.to_string())
    }

    fn finish(self: Box<Self>) -> Result<(), String> {
        Self::finish(*self).map_err(|error| error.to_string())
    }
}

/// A thread that thinks.
struct ThreadTask(mpsc::Receiver<MoveResult>);

impl Task for ThreadTask {
    fn poll(&mut self) -> Option<MoveResult> {
        match self.0.try_recv() {
            Ok(found) => Some(found),
            Err(mpsc::TryRecvError::Empty) => None,
            Err(mpsc::TryRecvError::Disconnected) => {
                Some(Err("the computer gave up thinking".into()))
            }
        }
    }
}

/// A message in one line.
fn one_line(message: &str) -> String {
    message.split_whitespace().collect::<Vec<_>>().join(" ")
}
