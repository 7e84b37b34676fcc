//! reZolution in the window, and the games that the command line opens by name.

use duolife::app::command::{Dialog, RezolutionCommand};
use duolife::app::controller::Controller;
use duolife::board::RezolutionBoard;
use duolife::board::rezolution::{Ground, RezolutionCell};
use duolife::game::immigration::{Player, Setup};
use duolife::game::opponent::PlayerKind;
use duolife::game::rezolution::{self, DEMO_DENSITY};
use duolife::rules::RezolutionRuleset;
use glam::{UVec2, uvec2};

use super::*;

const BARRIER: RezolutionCell = RezolutionCell {
    population: 0,
    ground: Ground::Barrier,
};

const TARGET: RezolutionCell = RezolutionCell {
    population: 0,
    ground: Ground::Target,
};

/// A small board with some of everything.
fn ground() -> RezolutionBoard {
    let mut board = RezolutionBoard::new(size(24, 18)).unwrap();
    for x in 2..5 {
        board.set(uvec2(x, 2), RezolutionCell::open(1));
        board.set(uvec2(x, 9), BARRIER);
    }
    board.set(uvec2(20, 3), RezolutionCell::open(-4));
    board.set(uvec2(3, 15), TARGET);
    board
}

fn opened(board: &RezolutionBoard, memory: &Memory) -> Controller {
    let settings = rezolution::Settings {
        size: board.size(),
        edges: Edges::Dead,
    };
    controller(
        Opening::Rezolution(Some((settings, board.clone(), None))),
        memory,
    )
}

fn computed(board: &RezolutionBoard, edges: Edges, generations: u64) -> RezolutionBoard {
    let mut engine = CpuEngine::new(RezolutionRuleset { edges });
    engine.load(board).unwrap();
    engine.step(generations).unwrap();
    engine.read().unwrap()
}

fn demo(board: &RezolutionBoard, seed: u64) -> RezolutionBoard {
    start::demo(board, DEMO_DENSITY, seed).unwrap()
}

fn shown(harness: &mut Harness<'static, DuolifeApp>) -> RezolutionBoard {
    harness.state_mut().controller().populations().unwrap()
}

fn rezolution_status(controller: &mut Controller) -> duolife::app::RunStatus<rezolution::Settings> {
    controller.rezolution_status().unwrap()
}

#[test]
fn the_chooser_offers_it_and_it_begins_with_a_demo() {
    let mut harness = window(controller(Opening::Remembered, &Memory::default()), 1.0);
    harness
        .get_by_role_and_label(egui::accesskit::Role::Button, "reZolution")
        .click();
    harness.run();
    let status = rezolution_status(harness.state_mut().controller());
    assert_eq!((status.kind, status.generation), (GameName::Rezolution, 0));
    assert_eq!(status.settings.edges, Edges::Dead);
    let empty = RezolutionBoard::new(status.settings.size).unwrap();
    assert_eq!(shown(&mut harness), demo(&empty, 7), "of a random seed");
    for label in ["Start", "Step", "Demo", "Clear", "Barrier", "Target"] {
        assert!(harness.query_by_label(label).is_some(), "{label}");
    }
    assert!(harness.query_by_label("Both are left").is_some());
    // The chooser of the Game menu brings another game, and this one back as it was.
    harness.state_mut().controller().apply(RunCommand::Step);
    let stepped = shown(&mut harness);
    harness
        .state_mut()
        .controller()
        .apply(Command::ChooseGame(GameName::Battle));
    harness.run();
    assert_eq!(status_of_battle(&mut harness).kind, GameName::Battle);
    harness
        .state_mut()
        .controller()
        .apply(Command::ChooseGame(GameName::Rezolution));
    harness.run();
    assert_eq!(shown(&mut harness), stepped);
}

fn status_of_battle(
    harness: &mut Harness<'static, DuolifeApp>,
) -> duolife::app::RunStatus<Settings> {
    battle_status(harness.state_mut().controller())
}

#[test]
fn brushes_paint_by_click_and_drag_and_change_only_what_they_may() {
    let mut harness = window(opened(&ground(), &Memory::default()), 1.5);
    let mut expected = ground();
    for (button, x, painted) in [
        ("Red", 8, RezolutionCell::open(1)),
        ("Blue", 9, RezolutionCell::open(-1)),
        ("Barrier", 10, BARRIER),
        ("Target", 11, TARGET),
    ] {
        harness
            .get_by_role_and_label(egui::accesskit::Role::Button, button)
            .click();
        harness.run();
        // One by one on what is not empty, then a drag over empty cells.
        for (x, y) in [(2, 2), (20, 3), (3, 9), (3, 15)] {
            let at = middle_of(&mut harness, x, y);
            press(&mut harness, at, true);
            press(&mut harness, at, false);
        }
        let [from, to] = [(x, 5), (x, 8)].map(|(x, y)| middle_of(&mut harness, x, y));
        press(&mut harness, from, true);
        press(&mut harness, to, false);
        for y in 5..=8 {
            expected.set(uvec2(x, y), painted);
        }
        assert_eq!(shown(&mut harness), expected, "{button}");
    }
    // Escape cancels a stroke.
    harness.get_by_label("Eraser").click();
    harness.run();
    let [from, to] = [(2, 2), (2, 15)].map(|(x, y)| middle_of(&mut harness, x, y));
    press(&mut harness, from, true);
    harness.event(egui::Event::PointerMoved(to));
    harness.run();
    assert_eq!(shown(&mut harness), expected, "not yet");
    harness.key_press(Key::Escape);
    harness.run();
    press(&mut harness, to, false);
    assert_eq!(shown(&mut harness), expected, "cancelled");
    // Erasing takes anything.
    press(&mut harness, from, true);
    press(&mut harness, to, false);
    for y in 2..=15 {
        expected.set(uvec2(2, y), RezolutionCell::default());
    }
    assert_eq!(shown(&mut harness), expected);
    harness.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    harness.run();
    assert_eq!(shown(&mut harness).cell(uvec2(2, 9)), BARRIER, "undone");
    harness.key_press_modifiers(Modifiers::COMMAND, Key::Y);
    harness.run();
    assert_eq!(shown(&mut harness), expected, "redone");
}

#[test]
fn a_keyboard_is_enough_for_rezolution() {
    let mut harness = window(opened(&ground(), &Memory::default()), 1.0);
    // The first arrow shows the cursor in the middle: column 13, row 10.
    let mut expected = ground();
    for (key, x, painted) in [
        (Key::Num1, 12, RezolutionCell::open(1)),
        (Key::Num2, 13, RezolutionCell::open(-1)),
        (Key::Num4, 14, BARRIER),
        (Key::Num5, 15, TARGET),
    ] {
        for key in [key, Key::ArrowRight, Key::Space] {
            harness.key_press(key);
            harness.run();
        }
        expected.set(uvec2(x, 9), painted);
    }
    assert_eq!(shown(&mut harness), expected);
    assert!(
        harness.query_by_label("Cursor 16, 10").is_some(),
        "counted from 1"
    );
    harness.key_press(Key::Delete);
    harness.run();
    expected.set(uvec2(15, 9), RezolutionCell::default());
    assert_eq!(shown(&mut harness), expected);
    for key in [Key::S, Key::S] {
        harness.key_press(key);
    }
    harness.run();
    assert_eq!(shown(&mut harness), computed(&expected, Edges::Dead, 2));
    harness.key_press(Key::R);
    harness.run();
    assert_eq!(shown(&mut harness), expected);
    harness.key_press(Key::G);
    harness.run();
    assert_eq!(shown(&mut harness), demo(&expected, 7));
    harness.key_press(Key::P);
    harness.run_steps(2);
    assert!(rezolution_status(harness.state_mut().controller()).is_playing);
    assert!(harness.query_by_label("Stop").is_some());
    harness.key_press(Key::P);
    harness.run();
    harness.key_press(Key::V);
    harness.key_press(Key::Space);
    harness.run();
    let message = harness
        .state_mut()
        .controller()
        .notice()
        .unwrap()
        .text
        .clone();
    assert!(message.contains("keys 1 to 5"), "{message}");
    harness.key_press(Key::Questionmark);
    harness.run();
    assert!(
        harness
            .query_by_label("Make barriers, make targets")
            .is_some()
    );
}

#[test]
fn a_reached_target_stops_the_run_and_is_shown() {
    let mut board = ground();
    board.set(uvec2(3, 3), TARGET);
    let mut controller = opened(&board, &Memory::default());
    controller.apply(RunCommand::PauseEvery(Some(50)));
    controller.apply(RunCommand::SetSpeed(Speed::Paced(10)));
    controller.apply(RunCommand::TogglePlay);
    let mut now = Duration::ZERO;
    for _ in 0..20 {
        now += 100 * MS;
        controller.tick(now, 100 * MS);
    }
    let status = rezolution_status(&mut controller);
    assert_eq!((status.generation, status.is_playing), (1, false));
    assert!(status.verdict.is_some() && status.census.reached == 1);
    controller.apply(RunCommand::TogglePlay);
    let message = &controller.notice().unwrap().text;
    assert!(message.contains("a target has been reached"), "{message}");
    let harness = window(controller, 1.0);
    assert!(
        harness
            .query_by_label("Target reached, both are left")
            .is_some()
    );
}

#[test]
fn it_plays_at_its_pace_or_as_fast_as_possible_and_pauses_automatically() {
    let start = demo(&RezolutionBoard::new(size(40, 30)).unwrap(), 5);
    let mut controller = opened(&start, &Memory::default());
    controller.apply(RunCommand::SetSpeed(Speed::Paced(20)));
    controller.apply(RunCommand::PauseEvery(Some(6)));
    controller.apply(RunCommand::TogglePlay);
    let mut now = Duration::ZERO;
    for _ in 0..20 {
        now += 50 * MS;
        controller.tick(now, 50 * MS);
    }
    assert_eq!(rezolution_status(&mut controller).generation, 6);
    assert_eq!(
        controller.populations().unwrap(),
        computed(&start, Edges::Dead, 6)
    );
    controller.apply(RunCommand::PauseEvery(None));
    controller.apply(RunCommand::SetSpeed(Speed::Fastest));
    controller.apply(RunCommand::TogglePlay);
    controller.tick(now + 16 * MS, 16 * MS);
    let status = rezolution_status(&mut controller);
    assert!(status.generation > 7, "{}", status.generation);
    controller.apply(RunCommand::TogglePlay);
    assert_eq!(
        controller.tick(now + 32 * MS, 16 * MS),
        None,
        "nothing is due"
    );
    let expected = computed(&start, Edges::Dead, status.generation);
    assert_eq!(controller.populations().unwrap(), expected);
    assert_eq!(status.census, expected.census());
}

#[test]
fn size_and_edges_wait_to_be_applied() {
    let memory = Memory::default();
    let mut harness = window(opened(&ground(), &memory), 1.0);
    harness.get_by_label("torus").click();
    harness.run();
    assert!(rezolution_status(harness.state_mut().controller()).is_locked);
    harness.key_press(Key::S);
    harness.run();
    assert_eq!(
        rezolution_status(harness.state_mut().controller()).generation,
        0
    );
    let draft = rezolution::Settings {
        size: size(30, 10),
        edges: Edges::Torus,
    };
    let controller = harness.state_mut().controller();
    controller.apply(RezolutionCommand::SetDraft(draft));
    harness.run();
    harness.get_by_label("Apply").click();
    harness.run();
    let resized = shown(&mut harness);
    assert_eq!(resized.size(), size(30, 10));
    assert_eq!(resized.cell(uvec2(20, 3)), RezolutionCell::open(-4));
    harness.key_press(Key::S);
    harness.run();
    assert_eq!(shown(&mut harness), computed(&resized, Edges::Torus, 1));
    // What there is no memory for is refused, and the draft stays.
    let controller = harness.state_mut().controller();
    let large = rezolution::Settings {
        size: size(9000, 9000),
        ..draft
    };
    controller.apply(RezolutionCommand::SetDraft(large));
    controller.apply(RunCommand::Apply);
    assert!(controller.notice().unwrap().text.contains("no memory"));
    assert_eq!(rezolution_status(controller).draft, large);
}

#[test]
fn files_of_either_family_open_the_game_they_belong_to() {
    let memory = Memory::default();
    let mut controller = opened(&ground(), &memory);
    controller.apply(RunCommand::Step);
    controller.apply(Command::Show(Dialog::File(FilePurpose::Save)));
    controller.apply(Command::Write(FilePurpose::Save, "one.rez".into()));
    let Content::Rezolution(saved) = memory.read("one.rez").unwrap() else {
        panic!("no populations");
    };
    let one = computed(&ground(), Edges::Dead, 1);
    assert_eq!((saved.board, saved.generation), (one.clone(), 1));
    assert_eq!(saved.edges, Some(Edges::Dead));
    controller.apply(Command::Write(
        FilePurpose::PictureOfBoard,
        "one.png".into(),
    ));
    assert!(memory.files.borrow()["one.png"].starts_with(b"\x89PNG"));
    // A board of two colours belongs to the battle.
    let glider = b"x = 3, y = 3\nbA$2bA$3A!".to_vec();
    memory.files.borrow_mut().insert("g.rle".into(), glider);
    controller.apply(Command::Open("g.rle".into()));
    assert_eq!(battle_status(&mut controller).kind, GameName::Battle);
    assert_eq!(controller.board().unwrap().census().red, 5);
    assert!(controller.rezolution_status().is_none());
    // And populations belong to reZolution, whatever is shown.
    for kind in [
        GameName::Battle,
        GameName::Fragment,
        GameName::Immigration,
        GameName::Duel,
    ] {
        controller.apply(Command::ChooseGame(kind));
        controller.apply(Command::Open("one.rez".into()));
        assert_eq!(controller.populations().unwrap(), one, "{kind:?}");
        assert_eq!(rezolution_status(&mut controller).generation, 0);
        assert_eq!(controller.notice().unwrap().text, "Opened one.rez");
    }
    // Share codes are about battles.
    controller.apply(Command::CopyCode);
    assert!(controller.notice().unwrap().is_error);
}

#[test]
fn rezolution_is_restored_paused_at_generation_0() {
    let memory = Memory::default();
    let mut first = opened(&ground(), &memory);
    first.apply(RunCommand::Step);
    first.apply(RunCommand::SetSpeed(Speed::Paced(33)));
    let draft = rezolution::Settings {
        edges: Edges::Torus,
        ..rezolution_status(&mut first).draft
    };
    first.apply(RezolutionCommand::SetDraft(draft));
    first.save_window_memory();
    let one = computed(&ground(), Edges::Dead, 1);
    let mut again = controller(Opening::Remembered, &memory);
    let message = again.notice().unwrap().text.clone();
    assert!(message.contains("paused at generation 0"), "{message}");
    let status = rezolution_status(&mut again);
    assert_eq!((status.generation, status.is_playing), (0, false));
    assert_eq!((status.draft, status.speed), (draft, Speed::Paced(33)));
    assert_eq!(again.populations().unwrap(), one);
    // It is kept while battles are played, also over several runs of the program.
    again.apply(Command::ChooseGame(GameName::Battle));
    again.save_window_memory();
    let mut third = controller(Opening::Remembered, &memory);
    assert!(third.battle_status().is_some(), "a battle was open last");
    third.save_window_memory();
    let mut fourth = controller(Opening::Rezolution(None), &memory);
    assert_eq!(fourth.populations().unwrap(), one);
    // A board too large for that says so.
    let large = RezolutionBoard::new(size(1300, 1200)).unwrap();
    let mut noisy = large.clone();
    for (x, y) in (0..1200u32).flat_map(|y| (0..1300u32).map(move |x| (x, y))) {
        let mixed = (x.wrapping_mul(0x9e37_79b9) ^ y.wrapping_mul(0x85eb_ca6b)) >> 11;
        noisy.set(uvec2(x, y), RezolutionCell::open((mixed % 120) as i8 - 60));
    }
    let mut fifth = opened(&noisy, &memory);
    fifth.save_window_memory();
    let message = &fifth.notice().unwrap().text;
    assert!(message.contains("too large to be remembered"), "{message}");
    let mut sixth = controller(Opening::Remembered, &memory);
    assert!(sixth.notice().unwrap().text.contains("too large"));
    assert_eq!(
        rezolution_status(&mut sixth).settings.size,
        size(1300, 1200)
    );
}

#[test]
fn a_finished_edit_of_populations_is_saved_after_a_while() {
    let memory = Memory::default();
    let mut controller = opened(&ground(), &memory);
    controller.tick(MS, MS);
    controller.tick(5000 * MS, MS);
    *memory.memory.borrow_mut() = None;
    controller.apply(RunCommand::Clear);
    assert!(controller.tick(5001 * MS, MS).is_some(), "it is due");
    controller.tick(9000 * MS, MS);
    assert!(memory.memory.borrow().is_some());
    assert_eq!(controller.tick(9001 * MS, MS), None, "then nothing is");
}

#[test]
fn the_command_line_opens_games_by_name() {
    let memory = Memory::default();
    let board = soup();
    let mut duel = controller(Opening::Duel(Some(board.clone())), &memory);
    let status = battle_status(&mut duel);
    assert_eq!(
        (status.kind, status.settings.edges),
        (GameName::Duel, Edges::Dead)
    );
    assert_eq!(
        (status.settings.rule, status.settings.limit),
        (Rule::LIFE, None)
    );
    assert_eq!(duel.board().unwrap(), board);
    duel.save_window_memory();
    let mut last = controller(Opening::Duel(None), &memory);
    assert_eq!(battle_status(&mut last).kind, GameName::Duel);
    assert_eq!(last.board().unwrap(), board, "the one that was open last");
    let setup = Setup::new(size(30, 20), Player::Red).unwrap();
    let players = [PlayerKind::Person, PlayerKind::Person];
    let mut immigration = controller(Opening::Immigration(Some((setup, players))), &memory);
    assert_eq!(immigration.board().unwrap().size(), size(30, 20));
    immigration.apply(ImmigrationCommand::Place(UVec2::new(3, 4)));
    assert_eq!(
        immigration.board().unwrap().cell(uvec2(3, 4)),
        LifelikeCell::Red
    );
    let mut rezolution = controller(Opening::Rezolution(None), &memory);
    assert_eq!(rezolution_status(&mut rezolution).generation, 0);
}

#[test]
#[cfg(all(unix, not(target_os = "macos")))]
fn files_of_the_other_family_and_terminals_are_rejected_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let (rez, rle) = (at("a.rez"), at("a.rle"));
    std::fs::write(&rez, "duolife populations 1\nsize 2x1\n+1 x\n").unwrap();
    std::fs::write(&rle, "x = 3, y = 1\n3A!\n").unwrap();
    let (rez, rle) = (rez.as_str(), rle.as_str());
    for (arguments, expected) in [
        (&["play", "duel", "--terminal"][..], "duolife duel FILE"),
        (
            &["play", "immigration", "--terminal"],
            "duolife immigration",
        ),
        (
            &["play", "rezolution", "--terminal"],
            "duolife run --rule rezolution",
        ),
        (&["play", "rezolution", "no-such.rez"], "no-such.rez"),
        (&["play", "rezolution", "--size", "0x4"], "0x4"),
        (
            &["play", "rezolution", rle],
            "a.rle: this board has no populations",
        ),
        (&["play", "battle", rez], "duolife play rezolution"),
        (
            &["play", "duel", rez],
            "a.rez: this is a board of reZolution",
        ),
        (&["play", "immigration", "--size", "9000x9000"], "9000"),
        (
            &["play", "chess"],
            "battle, duel, immigration, rezolution and fragment",
        ),
        // These would open, were there a display.
        (&[rez], "no display"),
        (&["play", "rezolution", rez, "--seed", "4"], "no display"),
        (&["play", "duel", rle], "no display"),
    ] {
        let (status, message) = super::display::without_display(arguments);
        assert_eq!((status, message.lines().count()), (Some(2), 1), "{message}");
        assert!(message.contains(expected), "{arguments:?}: {message}");
    }
}
