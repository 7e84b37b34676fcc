use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::Duration;

use duolife::app::command::{
    BattleCommand, Command, FilePurpose, ImmigrationCommand, RunCommand, Tool, ViewCommand,
};
use duolife::app::controller::{Controller, Opening};
use duolife::app::platform::{
    EngineFactory, EngineName, Entry, Film, FilmPlan, MoveResult, Platform, Task,
};
use duolife::app::window::DuolifeApp;
use duolife::board::{Edges, LifelikeBoard, LifelikeCell, Size, start};
use duolife::engine::Engine;
use duolife::engine::cpu::CpuEngine;
use duolife::engine::reference::ReferenceEngine;
use duolife::format::rezolution::{self as rezolution_format, RezolutionDocument};
use duolife::format::{
    Content, Format, LifelikeDocument, LifelikePattern, Limits, encode, parse_content,
};
use duolife::game::fragment;
use duolife::game::life_battle::Settings;
use duolife::game::opening::GameName;
use duolife::game::session::Speed;
use duolife::render::Picture;
use duolife::rules::{Rule, Ties};
use egui::{Key, Modifiers, PointerButton, Pos2, Vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use glam::{DVec2, UVec2, uvec2};

mod display;
mod games;
mod keys;
mod loss;
mod playback;
mod recording;
mod rezolution;
mod saving;
mod strokes;

const MS: Duration = Duration::from_millis(1);

/// Files in memory.
#[derive(Clone, Default)]
struct Memory {
    files: Rc<RefCell<BTreeMap<String, Vec<u8>>>>,
    memory: Rc<RefCell<Option<String>>>,
}

impl Memory {
    /// The board of two colours in a file.
    fn cells(&self, name: &str) -> LifelikePattern {
        match self.read(name).unwrap() {
            Content::Lifelike(pattern) => pattern,
            other => panic!("{name} is a board of {}", other.family()),
        }
    }
}

/// Frames as PNG files, one after the other.
struct FilmInMemory {
    files: Rc<RefCell<BTreeMap<String, Vec<u8>>>>,
    name: String,
    frames: Vec<Vec<u8>>,
    most: u32,
}

impl Film for FilmInMemory {
    fn add(&mut self, picture: &Picture) -> Result<(), String> {
        assert!(self.frames.len() < self.most as usize);
        let mut bytes = Vec::new();
        duolife::render::write_png(picture, &mut bytes).map_err(|error| error.to_string())?;
        self.frames.push(bytes);
        Ok(())
    }
    fn finish(self: Box<Self>) -> Result<(), String> {
        let mut files = self.files.borrow_mut();
        for (number, frame) in self.frames.into_iter().enumerate() {
            files.insert(format!("{}/{number}", self.name), frame);
        }
        Ok(())
    }
}

impl Platform for Memory {
    fn folder(&self) -> String {
        "/boards".into()
    }
    fn list(&self, _: &str) -> Result<Vec<Entry>, String> {
        let entry = |name: &String| Entry {
            name: name.clone(),
            is_folder: false,
        };
        Ok(self.files.borrow().keys().map(entry).collect())
    }
    fn join(&self, _: &str, name: &str) -> String {
        name.into()
    }
    fn parent(&self, _: &str) -> Option<String> {
        None
    }
    fn is_folder(&self, _: &str) -> bool {
        false
    }
    fn is_file(&self, name: &str) -> bool {
        self.files.borrow().contains_key(name)
    }
    fn read(&self, name: &str) -> Result<Content, String> {
        let files = self.files.borrow();
        let bytes = files.get(name).ok_or(format!("{name}: no such file"))?;
        let format = Format::detect(bytes, None).map_err(|error| error.to_string())?;
        let limits = Limits::default();
        parse_content(bytes, format, &limits).map_err(|error| format!("{name}: {error}"))
    }
    fn write(&self, name: &str, document: &LifelikeDocument) -> Result<(), String> {
        let format = Format::of_name(name.as_ref()).ok_or("no format")?;
        let mut bytes = Vec::new();
        encode(document, format, &mut bytes).map_err(|error| error.to_string())?;
        self.files.borrow_mut().insert(name.into(), bytes);
        Ok(())
    }
    fn write_rezolution(
        &self,
        name: &str,
        document: &RezolutionDocument<'_>,
    ) -> Result<(), String> {
        let mut bytes = Vec::new();
        rezolution_format::encode(document, &mut bytes).map_err(|error| error.to_string())?;
        self.files.borrow_mut().insert(name.into(), bytes);
        Ok(())
    }
    fn write_picture(&self, name: &str, picture: &Picture) -> Result<(), String> {
        let mut bytes = Vec::new();
        duolife::render::write_png(picture, &mut bytes).map_err(|error| error.to_string())?;
        self.files.borrow_mut().insert(name.into(), bytes);
        Ok(())
    }
    fn film(&self, name: &str, _: UVec2, plan: FilmPlan) -> Result<Box<dyn Film>, String> {
        let film = FilmInMemory {
            files: Rc::clone(&self.files),
            name: name.into(),
            frames: Vec::new(),
            most: plan.frames,
        };
        Ok(Box::new(film))
    }
    fn read_text(&self, name: &str, _: u64) -> Result<String, String> {
        let files = self.files.borrow();
        let bytes = files.get(name).ok_or(format!("{name}: no such file"))?;
        String::from_utf8(bytes.clone()).map_err(|error| error.to_string())
    }
    fn write_text(&self, name: &str, text: &str) -> Result<(), String> {
        self.files.borrow_mut().insert(name.into(), text.into());
        Ok(())
    }
    fn load_window_memory(&self) -> Result<Option<String>, String> {
        Ok(self.memory.borrow().clone())
    }
    fn save_window_memory(&self, text: &str) -> Result<(), String> {
        *self.memory.borrow_mut() = Some(text.into());
        Ok(())
    }
    fn check_memory(&self, _: Size, bytes: u64) -> Result<(), String> {
        (bytes <= 1 << 23)
            .then_some(())
            .ok_or("no memory for it".into())
    }
    fn random_seed(&self) -> u64 {
        7
    }
    fn spawn(&self, work: Box<dyn FnOnce() -> MoveResult + Send>) -> Box<dyn Task> {
        struct Done(Option<MoveResult>);
        impl Task for Done {
            fn poll(&mut self) -> Option<MoveResult> {
                self.0.take()
            }
        }
        Box::new(Done(Some(work())))
    }
    fn best_score(&self, _: fragment::Settings, score: Option<u64>) -> Result<Option<u64>, String> {
        Ok(score)
    }
}

fn engine_factory() -> EngineFactory {
    EngineFactory {
        lifelike: Rc::new(|choice, ruleset| {
            Ok(match choice {
                EngineName::Reference => Box::new(ReferenceEngine::new(ruleset)),
                _ => Box::new(CpuEngine::new(ruleset)),
            })
        }),
        rezolution: Rc::new(|_, ruleset| Ok(Box::new(CpuEngine::new(ruleset)))),
    }
}

fn size(width: u64, height: u64) -> Size {
    Size::new(width, height).unwrap()
}

fn settings(size: Size) -> Settings {
    Settings {
        rule: Rule::LIFE,
        edges: Edges::Torus,
        size,
        ties: Ties::Seeded(3),
        seed: 3,
        limit: None,
    }
}

fn battle(board: &LifelikeBoard, memory: &Memory) -> Controller {
    let opening = Opening::Battle {
        settings: settings(board.size()),
        board: board.clone(),
    };
    controller(opening, memory)
}

fn controller(opening: Opening, memory: &Memory) -> Controller {
    let platform = Box::new(memory.clone());
    Controller::new(
        opening,
        engine_factory(),
        platform,
        EngineName::Cpu,
        "test".into(),
    )
    .unwrap()
}

fn soup() -> LifelikeBoard {
    start::random(size(37, 53), 0.4, 3).unwrap()
}

fn later(board: &LifelikeBoard, generations: u64) -> LifelikeBoard {
    let mut engine = CpuEngine::new(settings(board.size()).ruleset());
    engine.load(board).unwrap();
    engine.step(generations).unwrap();
    engine.read().unwrap()
}

fn battle_status(controller: &mut Controller) -> duolife::app::RunStatus<Settings> {
    controller.battle_status().unwrap()
}

fn window(controller: Controller, pixels_per_point: f32) -> Harness<'static, DuolifeApp> {
    let mut harness = Harness::builder()
        .with_size(Vec2::new(1000.0, 700.0))
        .with_pixels_per_point(pixels_per_point)
        .with_max_steps(12)
        .build_ui_state(
            |ui, app: &mut DuolifeApp| app.show(ui),
            DuolifeApp::without_device(controller),
        );
    harness.run();
    harness
}

fn press(harness: &mut Harness<'static, DuolifeApp>, at: Pos2, pressed: bool) {
    harness.event(egui::Event::PointerMoved(at));
    harness.event(egui::Event::PointerButton {
        pos: at,
        button: PointerButton::Primary,
        pressed,
        modifiers: Modifiers::NONE,
    });
    harness.run();
}

fn middle_of(harness: &mut Harness<'static, DuolifeApp>, x: u32, y: u32) -> Pos2 {
    harness
        .state_mut()
        .cell_rect(UVec2::new(x, y))
        .unwrap()
        .center()
}
