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
            Content::Rezolution(_) => panic!("{name} has populations"),
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

#[test]
fn the_first_start_offers_games_and_a_click_begins_one() {
    let mut harness = window(controller(Opening::Remembered, &Memory::default()), 1.0);
    assert!(harness.query_by_label("Fragment puzzle").is_some());
    harness
        .get_by_role_and_label(egui::accesskit::Role::Button, "Life Battle")
        .click();
    harness.run();
    assert!(
        harness.query_by_label("Fragment puzzle").is_none(),
        "closed"
    );
    let status = battle_status(harness.state_mut().controller());
    assert_eq!((status.kind, status.generation), (GameName::Battle, 0));
    assert!(status.census.red > 100 && status.census.red == status.census.blue);
}

#[test]
fn a_click_changes_exactly_the_cell_under_it_at_every_scale_zoom_and_pan() {
    for scale in [1.0, 1.25, 1.5, 2.0] {
        let empty = LifelikeBoard::new(size(7, 11)).unwrap();
        let mut harness = window(battle(&empty, &Memory::default()), scale);
        harness
            .state_mut()
            .controller()
            .apply(RunCommand::SetTool(Tool::Red));
        let views = [
            ViewCommand::Fit,
            ViewCommand::ZoomOut,
            ViewCommand::Pan(DVec2::new(13.0, -21.0)),
            ViewCommand::ZoomAbout(-2, DVec2::new(150.0, 90.0)),
        ];
        for (view, spots) in views.into_iter().zip([
            &[(0, 0), (6, 0), (0, 10), (6, 10), (3, 5)][..],
            &[(2, 7), (6, 10)],
            &[(1, 1)],
            &[(4, 9), (0, 0)],
        ]) {
            harness.state_mut().controller().apply(Command::View(view));
            harness.run();
            for &(x, y) in spots {
                let before = harness.state_mut().controller().board().unwrap();
                let at = middle_of(&mut harness, x, y);
                press(&mut harness, at, true);
                press(&mut harness, at, false);
                let after = harness.state_mut().controller().board().unwrap();
                let mut expected = before;
                expected.set(uvec2(x, y), LifelikeCell::Red);
                assert_eq!(after, expected, "({x}, {y}) at {scale}, {view:?}");
                harness.state_mut().controller().apply(RunCommand::Clear);
            }
        }
    }
}

#[test]
fn a_stroke_is_applied_on_release_and_cancelled_by_escape() {
    let memory = Memory::default();
    let mut harness = window(battle(&soup(), &memory), 1.0);
    harness
        .state_mut()
        .controller()
        .apply(RunCommand::SetTool(Tool::Blue));
    harness.run();
    let [from, to] = [(3, 4), (9, 4)].map(|(x, y)| middle_of(&mut harness, x, y));
    press(&mut harness, from, true);
    harness.event(egui::Event::PointerMoved(to));
    harness.run();
    assert_eq!(
        harness.state_mut().controller().board().unwrap(),
        soup(),
        "not yet"
    );
    harness.key_press(Key::Escape);
    harness.run();
    press(&mut harness, to, false);
    assert_eq!(
        harness.state_mut().controller().board().unwrap(),
        soup(),
        "cancelled"
    );
    press(&mut harness, from, true);
    press(&mut harness, to, false);
    let mut painted = soup();
    painted.set_run(uvec2(3, 4), 7, LifelikeCell::Blue);
    assert_eq!(harness.state_mut().controller().board().unwrap(), painted);
    // The pointer leaves the window in the midst of a stroke.
    press(&mut harness, from, true);
    harness.event(egui::Event::PointerGone);
    harness.run();
    press(&mut harness, to, false);
    assert_eq!(harness.state_mut().controller().board().unwrap(), painted);
}

#[test]
fn panels_do_not_paint_and_a_stroke_may_go_on_above_one() {
    let mut harness = window(battle(&soup(), &Memory::default()), 1.0);
    harness
        .state_mut()
        .controller()
        .apply(RunCommand::SetTool(Tool::Red));
    harness.run();
    let canvas = middle_of(&mut harness, 18, 26);
    let panel = Pos2::new(940.0, 640.0);
    // Begun on the panel it never becomes a stroke.
    press(&mut harness, panel, true);
    press(&mut harness, canvas, false);
    assert_eq!(harness.state_mut().controller().board().unwrap(), soup());
    // Begun on the board it goes on to the end.
    press(&mut harness, canvas, true);
    press(&mut harness, panel, false);
    let after = harness.state_mut().controller().board().unwrap();
    assert!(after.census().red > soup().census().red);
    assert_eq!(
        battle_status(harness.state_mut().controller()).generation,
        0
    );
}

#[test]
fn keys_typed_into_a_field_reach_the_field_alone() {
    let mut harness = window(battle(&soup(), &Memory::default()), 1.0);
    let field = harness.get_by_label("Rule");
    field.click();
    harness.run();
    harness.key_press_modifiers(Modifiers::COMMAND, Key::A);
    harness.run();
    // "S" would step, "P" play, "1" paint: as keys and as text, as a keyboard sends them.
    for (key, text) in [
        (Key::B, "B"),
        (Key::Num3, "3"),
        (Key::Num6, "6"),
        (Key::Slash, "/"),
        (Key::S, "S"),
        (Key::Num2, "2"),
        (Key::Num3, "3"),
        (Key::Space, " "),
        (Key::P, "p"),
        (Key::Backspace, ""),
    ] {
        harness.key_press(key);
        if !text.is_empty() {
            harness.event(egui::Event::Text(text.into()));
        }
        harness.run();
    }
    let status = battle_status(harness.state_mut().controller());
    assert_eq!(status.draft.rule.to_string(), "B36/S23");
    assert!(status.is_locked && !status.is_playing);
    assert_eq!((status.generation, status.tool), (0, Tool::View));
    assert_eq!(harness.state_mut().controller().board().unwrap(), soup());
    harness.get_by_label("Discard").click();
    harness.run();
    let status = harness.state_mut().controller().battle_status().unwrap();
    assert_eq!((status.is_locked, status.draft.rule), (false, Rule::LIFE));
}

#[test]
fn edits_saves_and_resizes_work_on_the_present_generation() {
    let memory = Memory::default();
    let mut controller = battle(&soup(), &memory);
    for _ in 0..50 {
        controller.apply(RunCommand::Step);
    }
    assert_eq!(battle_status(&mut controller).generation, 50);
    let fifty = later(&soup(), 50);
    controller.apply(Command::Write(FilePurpose::Save, "fifty.txt".into()));
    assert_eq!(memory.cells("fifty.txt").board, fifty);
    controller.apply(RunCommand::BeginStroke(Tool::Red));
    controller.apply(RunCommand::Touch(UVec2::new(0, 0)));
    controller.apply(RunCommand::EndStroke);
    let mut edited = fifty;
    edited.set(UVec2::ZERO, LifelikeCell::Red);
    controller.apply(Command::Write(FilePurpose::Save, "edited.rle".into()));
    let saved = memory.cells("edited.rle");
    assert_eq!(saved.topology.map(|grid| grid.edges), Some(Edges::Torus));
    controller.apply(RunCommand::Clear);
    controller.apply(Command::Open("edited.rle".into()));
    assert_eq!(controller.board().unwrap(), edited, "also through a file");
    let draft = Settings {
        size: size(40, 60),
        ..battle_status(&mut controller).draft
    };
    controller.apply(BattleCommand::SetDraft(draft));
    controller.apply(RunCommand::Apply);
    let larger = controller.board().unwrap();
    assert_eq!(larger.size(), size(40, 60));
    for (x, y) in (0..53).flat_map(|y| (0..37).map(move |x| (x, y))) {
        assert_eq!(larger.cell(uvec2(x, y)), edited.cell(uvec2(x, y)));
    }
    controller.apply(Command::Write(
        FilePurpose::PictureOfBoard,
        "board.png".into(),
    ));
    assert!(memory.files.borrow()["board.png"].starts_with(b"\x89PNG"));
}

#[test]
fn the_battle_goes_on_while_nothing_is_drawn_and_never_jumps() {
    let mut controller = battle(&soup(), &Memory::default());
    controller.apply(RunCommand::SetSpeed(Speed::Paced(60)));
    controller.apply(RunCommand::TogglePlay);
    // Ten seconds hidden: the system wakes the window ten times a second.
    for frame in 1..=100 {
        assert!(controller.tick(frame * 100 * MS, 100 * MS).is_some());
    }
    let hidden = battle_status(&mut controller);
    assert_eq!(hidden.generation, 400, "four a frame");
    assert!(hidden.dropped > Duration::from_secs(2), "{hidden:?}");
    assert_eq!(
        controller.board().unwrap(),
        later(&soup(), 400),
        "none is skipped"
    );
    // Shown again after an hour of sleep.
    controller.tick(Duration::from_secs(3600), Duration::from_secs(1));
    assert_eq!(battle_status(&mut controller).generation, 404);
}

#[test]
fn as_fast_as_possible_computes_within_a_budget_and_the_window_responds() {
    let mut controller = battle(
        &start::random(size(300, 300), 0.4, 1).unwrap(),
        &Memory::default(),
    );
    controller.apply(RunCommand::SetSpeed(Speed::Fastest));
    controller.apply(RunCommand::TogglePlay);
    // Without a budget this would never return.
    controller.tick(16 * MS, 16 * MS);
    let first = battle_status(&mut controller).generation;
    assert!(first > 1, "more than one fits: {first}");
    controller.apply(RunCommand::TogglePlay);
    assert_eq!(
        controller.tick(32 * MS, 16 * MS),
        None,
        "paused, nothing is due"
    );
    assert_eq!(battle_status(&mut controller).generation, first);
}

#[test]
fn an_input_frame_computes_nothing_but_the_battle_goes_on() {
    // The reference takes long for every generation of this board.
    let board = start::random(size(2000, 2000), 0.4, 1).unwrap();
    let mut controller = battle(&board, &Memory::default());
    controller.apply(Command::UseEngine(EngineName::Reference));
    controller.apply(RunCommand::SetSpeed(Speed::Fastest));
    controller.apply(RunCommand::TogglePlay);
    let mut app = DuolifeApp::without_device(controller);
    let ctx = egui::Context::default();
    let mut computed = Vec::new();
    for frame in 0..12 {
        let events = match frame {
            0 | 1 => Vec::new(),
            // A pointer that never rests.
            _ => vec![egui::Event::PointerMoved(Pos2::new(frame as f32, 9.0))],
        };
        let input = egui::RawInput {
            events,
            ..Default::default()
        };
        let before = battle_status(app.controller()).generation;
        let mut shown = ctx.run_ui(input, |ui| {
            app.pass_time(ui.ctx());
            app.show(ui);
        });
        // Nobody draws.
        shown.textures_delta.clear();
        computed.push(battle_status(app.controller()).generation - before);
    }
    let expected = [1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1];
    assert_eq!(computed[1..], expected);
}

#[test]
fn a_window_without_space_does_not_fail() {
    let mut harness = window(battle(&soup(), &Memory::default()), 1.0);
    for (width, height) in [
        (0.0, 0.0),
        (0.0, 600.0),
        (800.0, 0.0),
        (1.0, 1.0),
        (800.0, 600.0),
    ] {
        harness.set_size(Vec2::new(width, height));
        harness.run_steps(3);
    }
    harness.state_mut().controller().apply(ViewCommand::Fit);
    harness.run();
    let cell = harness.state_mut().cell_rect(UVec2::new(36, 52)).unwrap();
    assert!(cell.right() <= 800.0 && cell.bottom() <= 600.0, "{cell:?}");
}

#[test]
fn the_last_board_and_unapplied_settings_are_restored_paused_at_generation_0() {
    let memory = Memory::default();
    let board = start::random(size(50, 40), 0.3, 9).unwrap();
    let mut first = battle(&board, &memory);
    for _ in 0..5 {
        first.apply(RunCommand::Step);
    }
    let draft = Settings {
        edges: Edges::Dead,
        limit: Some(77),
        ..battle_status(&mut first).draft
    };
    first.apply(BattleCommand::SetDraft(draft));
    first.save_window_memory();
    let mut again = controller(Opening::Remembered, &memory);
    assert!(
        again
            .notice()
            .unwrap()
            .text
            .contains("paused at generation 0")
    );
    let back = battle_status(&mut again);
    assert_eq!(
        (back.generation, back.is_playing, back.is_locked),
        (0, false, true)
    );
    assert_eq!((back.settings, back.draft), (settings(board.size()), draft));
    assert_eq!(again.board().unwrap(), later(&board, 5));
    // A board too large for that says so, and stays usable.
    let large = start::random(size(400, 400), 0.4, 9).unwrap();
    let mut third = battle(&large, &memory);
    third.save_window_memory();
    assert!(third.notice().unwrap().text.contains("does not fit"));
    third.apply(RunCommand::Step);
    assert_eq!(battle_status(&mut third).generation, 1);
    let mut fourth = controller(Opening::Remembered, &memory);
    assert!(fourth.notice().unwrap().text.contains("too large"));
    assert_eq!(battle_status(&mut fourth).settings.size, size(400, 400));
    // A damaged memory is no reason to fail.
    *memory.memory.borrow_mut() = Some("{]".into());
    let fifth = controller(Opening::Remembered, &memory);
    assert!(fifth.notice().unwrap().is_error);
}

#[test]
fn a_finished_edit_is_saved_after_a_while() {
    let memory = Memory::default();
    let mut controller = battle(&soup(), &memory);
    controller.tick(MS, MS);
    controller.apply(RunCommand::Clear);
    assert!(controller.tick(2 * MS, MS).is_some(), "it is due");
    assert!(memory.memory.borrow().is_none());
    controller.tick(3000 * MS, MS);
    assert!(memory.memory.borrow().is_some());
    assert_eq!(controller.tick(3001 * MS, MS), None, "then nothing is");
}

#[test]
fn share_codes_are_copied_and_pasted() {
    let board = start::random(size(50, 40), 0.3, 9).unwrap();
    let mut harness = window(battle(&board, &Memory::default()), 1.0);
    harness.event(egui::Event::Copy);
    harness.run();
    let copied = harness
        .state_mut()
        .controller()
        .notice()
        .unwrap()
        .text
        .clone();
    assert!(copied.starts_with("Share code copied"), "{copied}");
    let code = duolife::format::share_code::encode(&board, settings(board.size()).ruleset());
    harness.state_mut().controller().apply(RunCommand::Clear);
    harness.event(egui::Event::Paste(code.unwrap()));
    harness.run();
    assert_eq!(harness.state_mut().controller().board().unwrap(), board);
    harness.event(egui::Event::Paste("no code".into()));
    harness.run();
    assert!(harness.state_mut().controller().notice().unwrap().is_error);
    assert_eq!(harness.state_mut().controller().board().unwrap(), board);
}

#[test]
fn a_keyboard_is_enough() {
    let mut harness = window(battle(&soup(), &Memory::default()), 1.0);
    for key in [
        Key::ArrowRight,
        Key::ArrowRight,
        Key::ArrowUp,
        Key::Num2,
        Key::Space,
    ] {
        harness.key_press(key);
        harness.run();
    }
    // The first arrow shows the cursor in the middle.
    let mut painted = soup();
    painted.set(uvec2(19, 25), LifelikeCell::Blue);
    assert_eq!(harness.state_mut().controller().board().unwrap(), painted);
    harness.key_press(Key::Delete);
    harness.run();
    painted.set(uvec2(19, 25), LifelikeCell::Dead);
    assert_eq!(harness.state_mut().controller().board().unwrap(), painted);
    assert!(
        harness.query_by_label("Cursor 20, 26").is_some(),
        "counted from 1"
    );
    harness.key_press(Key::S);
    harness.run();
    assert_eq!(
        battle_status(harness.state_mut().controller()).generation,
        1
    );
    harness.key_press(Key::R);
    harness.run();
    assert_eq!(harness.state_mut().controller().board().unwrap(), painted);
    // A slow frame meets several keys at once: none is lost, and their order is kept.
    for key in [Key::S, Key::S, Key::Space, Key::S] {
        harness.input_mut().events.push(egui::Event::Key {
            key,
            physical_key: None,
            pressed: true,
            repeat: false,
            modifiers: Modifiers::NONE,
        });
    }
    harness.run();
    let mut painted = later(&painted, 2);
    painted.set(uvec2(19, 25), LifelikeCell::Blue);
    assert_eq!(
        battle_status(harness.state_mut().controller()).generation,
        1
    );
    assert_eq!(
        harness.state_mut().controller().board().unwrap(),
        later(&painted, 1)
    );
}

#[test]
fn two_player_life_has_its_own_rules() {
    let memory = Memory::default();
    let mut controller = battle(&soup(), &memory);
    controller.apply(Command::ChooseGame(GameName::Duel));
    let duel = battle_status(&mut controller);
    assert_eq!(
        (duel.kind, duel.settings.edges),
        (GameName::Duel, Edges::Dead)
    );
    assert_eq!(
        (duel.settings.rule, duel.settings.limit),
        (Rule::LIFE, None)
    );
    assert_eq!(controller.board().unwrap(), soup(), "the board stays");
    let torus = "x = 3, y = 1, rule = B36/S23:T9,9\n3A!".as_bytes().to_vec();
    memory.files.borrow_mut().insert("t.rle".into(), torus);
    controller.apply(Command::Open("t.rle".into()));
    let duel = battle_status(&mut controller);
    assert_eq!(
        (duel.settings.edges, duel.settings.rule),
        (Edges::Dead, Rule::LIFE)
    );
    assert_eq!(duel.settings.size, size(9, 9));
}

#[test]
fn the_puzzle_is_played_by_keys() {
    let settings = fragment::Settings::standard().unwrap();
    let opening = Opening::Fragment(settings, Some(1));
    let mut harness = window(controller(opening, &Memory::default()), 1.0);
    let before = harness.state_mut().controller().board().unwrap();
    for key in [Key::ArrowUp, Key::Enter] {
        harness.key_press(key);
        harness.run();
    }
    // Wherever it can be merged: try places until one is free.
    let mut merged = false;
    for step in 0..60 {
        harness.key_press(Key::Enter);
        harness.run();
        if harness.state_mut().controller().board().unwrap() != before {
            merged = true;
            break;
        }
        harness.key_press(if step % 2 == 0 {
            Key::ArrowRight
        } else {
            Key::R
        });
        harness.run();
    }
    assert!(merged, "no place in a row of the field");
    assert!(harness.query_by_label("Best score ever").is_some());
}

/// Showing the settings of a board changes none of them, however long its sides are.
#[test]
fn a_board_with_a_very_long_side_plays_at_once() {
    let board = start::random(size(400_000, 3), 0.4, 1).unwrap();
    let mut harness = window(battle(&board, &Memory::default()), 1.0);
    harness.run();
    let waits = "Changed settings wait";
    assert!(harness.query_by_label_contains(waits).is_none());
    harness.key_press(Key::S);
    harness.run();
    assert_eq!(
        battle_status(harness.state_mut().controller()).generation,
        1
    );
}

/// The program where there is nothing to show a window on.
fn without_display(arguments: &[&str]) -> (Option<i32>, String) {
    let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin!("duolife"));
    for variable in ["DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET"] {
        command.env_remove(variable);
    }
    let output = command.args(arguments).output().unwrap();
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(output.stdout.is_empty());
    (output.status.code(), message)
}

#[test]
#[cfg(all(unix, not(target_os = "macos")))]
fn without_a_display_one_line_names_the_commands_that_need_none() {
    for arguments in [
        &[][..],
        &["play"],
        &["play", "battle"],
        &["play", "fragment"],
        &["play", "duel"],
        &["play", "immigration", "--size", "30x20"],
        &["play", "rezolution"],
        &["play", "rezolution", "--seed", "3", "--edges", "torus"],
    ] {
        let (status, message) = without_display(arguments);
        assert_eq!(
            (status, message.lines().count()),
            (Some(2), 1),
            "{arguments:?}: {message}"
        );
        for named in [
            "no display",
            "duolife run (with --rule rezolution, too)",
            "duolife duel",
            "duolife immigration",
        ] {
            assert!(message.contains(named), "{message}");
        }
    }
    let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin!("duolife"));
    command
        .env_remove("WAYLAND_DISPLAY")
        .env_remove("WAYLAND_SOCKET");
    let output = command.env("DISPLAY", "nowhere:0").output().unwrap();
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(
        (output.status.code(), message.lines().count()),
        (Some(2), 1)
    );
    let reason = "no display for a window: Failed to open connection to X server;";
    assert!(message.contains(reason), "{message}");
    // An error in a file is reported before the display is checked.
    let (status, message) = without_display(&["play", "battle", "no-such-file.rle"]);
    assert_eq!((status, message.lines().count()), (Some(2), 1));
    assert!(message.contains("no-such-file.rle"), "{message}");
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("game.json");
    std::fs::write(&record, "{\"size\": 3}").unwrap();
    let record = record.to_str().unwrap();
    let message = [&[record][..], &["play", "immigration", record]].map(|arguments| {
        let (status, message) = without_display(arguments);
        assert_eq!((status, message.lines().count()), (Some(2), 1), "{message}");
        assert!(message.contains("game.json"), "{message}");
        message
    });
    assert_eq!(message[0], message[1], "it is read as the record of a game");
    let (status, message) = without_display(&["no-such-command"]);
    assert_eq!(status, Some(2));
    assert!(message.contains("no such command"), "{message}");
}

#[test]
fn the_computer_answers_in_the_immigration_game() {
    let mut controller = controller(Opening::Remembered, &Memory::default());
    controller.apply(Command::ChooseGame(GameName::Immigration));
    let mut placed = 0;
    for frame in 0..4000u32 {
        controller.tick(frame * 50 * MS, 50 * MS);
        let before = controller.board().unwrap();
        // A person places a counter on the first dead cell of the middle row, in each of its turns.
        let free = (0..25)
            .find(|&x| before.cell(uvec2(x, 12)) == LifelikeCell::Dead)
            .unwrap();
        controller.apply(ImmigrationCommand::Place(UVec2::new(free, 12)));
        placed += u32::from(controller.board().unwrap() != before);
        if placed == 3 {
            break;
        }
    }
    let census = controller.board().unwrap().census();
    assert_eq!(placed, 3, "red, and blue in between: {census:?}");
    assert_eq!((census.red, census.blue), (3, 2));
    controller.apply(ImmigrationCommand::TakeBack);
    let census = controller.board().unwrap().census();
    assert_eq!((census.red, census.blue), (2, 2));
}

mod loss;
mod recording;
mod rezolution;
