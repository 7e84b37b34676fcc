//! Films, records of games, and the rules inside the program.

use std::num::NonZeroU64;

use duolife::app::command::Dialog;
use duolife::game::immigration::{Player, Setup};
use duolife::game::opponent::PlayerKind;
use duolife::render::{Draw, FrameRate, PictureSize, write_png};

use super::*;

fn plan(every: u64, frames: u32) -> FilmPlan {
    FilmPlan {
        every: NonZeroU64::new(every).unwrap(),
        frames,
        rate: FrameRate::new(25, 1).unwrap(),
        scale: 2,
    }
}

/// A film's frame of the board `generations` after another one.
fn frame(start: &LifelikeBoard, generations: u64) -> Vec<u8> {
    let board = later(start, generations);
    let picture = board.draw(PictureSize::Scale(2)).unwrap();
    let mut bytes = Vec::new();
    write_png(&picture, &mut bytes).unwrap();
    bytes
}

fn frames(memory: &Memory, film: &str) -> usize {
    let prefix = format!("{film}/");
    let files = memory.files.borrow();
    files
        .keys()
        .filter(|name| name.starts_with(&prefix))
        .count()
}

#[test]
fn a_film_has_every_requested_generation_at_any_speed() {
    for speed in [Speed::Fastest, Speed::Paced(1000), Speed::Paced(10)] {
        let memory = Memory::default();
        let mut controller = battle(&soup(), &memory);
        controller.apply(RunCommand::SetSpeed(speed));
        controller.apply(Command::Record("film".into(), plan(3, 6)));
        let mut now = Duration::ZERO;
        while battle_status(&mut controller).generation < 20 {
            now += 16 * MS;
            controller.tick(now, 16 * MS);
            assert!(now < Duration::from_secs(60), "{speed:?}");
        }
        assert_eq!(controller.notice().unwrap().text, "Saved film: 6 frames");
        let status = battle_status(&mut controller);
        assert!(status.is_playing || status.verdict.is_some(), "it goes on");
        assert_eq!(frames(&memory, "film"), 6);
        for number in 0..6 {
            let files = memory.files.borrow();
            let frames_written = &files[&format!("film/{number}")];
            assert!(
                *frames_written == frame(&soup(), 3 * number),
                "{speed:?}, frame {number}"
            );
        }
    }
}

#[test]
fn a_film_ends_when_it_is_stopped_with_another_board_and_with_the_window() {
    let memory = Memory::default();
    let mut controller = battle(&soup(), &memory);
    controller.apply(Command::Record("stopped".into(), plan(1, 100)));
    // Single steps are filmed, too.
    controller.apply(RunCommand::Step);
    controller.apply(RunCommand::Step);
    assert_eq!(frames(&memory, "stopped"), 0, "not before its end");
    controller.apply(Command::StopRecording);
    assert_eq!(controller.notice().unwrap().text, "Saved stopped: 3 frames");
    assert!(memory.files.borrow()["stopped/2"] == frame(&soup(), 2));

    controller.apply(Command::Record("other".into(), plan(1, 100)));
    let mut draft = battle_status(&mut controller).draft;
    draft.size = size(20, 20);
    controller.apply(BattleCommand::SetDraft(draft));
    controller.apply(RunCommand::Apply);
    assert_eq!(frames(&memory, "other"), 1);

    controller.apply(Command::Record("closed".into(), plan(1, 100)));
    controller.apply(RunCommand::Step);
    controller.close();
    assert_eq!(frames(&memory, "closed"), 2);

    // What is over is not filmed.
    let mut over = battle(&LifelikeBoard::new(size(9, 9)).unwrap(), &memory);
    over.apply(RunCommand::Step);
    assert!(battle_status(&mut over).verdict.is_some());
    over.apply(Command::Record("over".into(), plan(1, 100)));
    assert!(over.notice().unwrap().is_error);
    over.close();
    assert_eq!(frames(&memory, "over"), 0);

    controller.apply(Command::ChooseGame(GameName::Immigration));
    controller.apply(Command::Record("none".into(), plan(1, 100)));
    assert!(controller.notice().unwrap().is_error);
    assert_eq!(frames(&memory, "none"), 0);
}

#[test]
fn a_film_ends_with_the_last_generation() {
    use duolife::format::{Format, Limits, parse};

    let memory = Memory::default();
    // Both die at once.
    let grid = "5 9\n.........\n.........\n..1...2..\n.........\n.........\n";
    let lonely = parse(grid.as_bytes(), Format::Grid, &Limits::default()).unwrap();
    let mut controller = battle(&lonely.board, &memory);
    controller.apply(Command::Record("lonely".into(), plan(50, 100)));
    for frame in 1..60 {
        controller.tick(frame * 16 * MS, 16 * MS);
    }
    assert!(battle_status(&mut controller).verdict.is_some());
    assert_eq!(frames(&memory, "lonely"), 2);
    assert!(memory.files.borrow()["lonely/1"] == frame(&lonely.board, 1));
}

#[test]
fn a_film_is_begun_and_stopped_by_the_pointer() {
    let memory = Memory::default();
    let mut harness = window(battle(&soup(), &memory), 1.0);
    harness
        .state_mut()
        .controller()
        .apply(Command::Show(Dialog::File(FilePurpose::Film)));
    harness.run();
    for field in [
        "A frame every",
        "Most frames",
        "Frames per second",
        "Pixels per cell",
    ] {
        assert!(
            harness
                .query_by_role_and_label(egui::accesskit::Role::SpinButton, field)
                .is_some(),
            "{field}"
        );
    }
    harness
        .get_by_role_and_label(egui::accesskit::Role::Button, "Record")
        .click();
    harness.step();
    harness.step();
    assert!(battle_status(harness.state_mut().controller()).is_playing);
    harness
        .state_mut()
        .controller()
        .apply(RunCommand::TogglePlay);
    harness.run();
    harness
        .get_by_role_and_label(egui::accesskit::Role::Button, "Stop recording")
        .click();
    harness.run();
    assert!(harness.query_by_label("Stop recording").is_none());
    assert!(frames(&memory, "film.gif") >= 1);
}

#[test]
fn an_immigration_game_is_saved_and_resumed() {
    let memory = Memory::default();
    let setup = Setup::new(size(12, 9), Player::Red).unwrap();
    let people = [PlayerKind::Person, PlayerKind::Person];
    let mut first = controller(Opening::Immigration(Some((setup, people))), &memory);
    for x in 0..7 {
        first.apply(ImmigrationCommand::Place(UVec2::new(x, x)));
    }
    first.apply(Command::Write(FilePurpose::Save, "game.json".into()));
    assert_eq!(first.notice().unwrap().text, "Saved game.json");
    let board = first.board().unwrap();
    assert_eq!(board.census().red + board.census().blue, 7);

    let mut second = controller(Opening::Remembered, &memory);
    second.apply(Command::Open("game.json".into()));
    assert_eq!(second.board().unwrap(), board);
    second.apply(ImmigrationCommand::SetPlayers(people));
    // Three counters later the first ten generations run, in both alike.
    for controller in [&mut first, &mut second] {
        for x in 7..10 {
            controller.apply(ImmigrationCommand::Place(UVec2::new(x, (x + 1) % 9)));
        }
    }
    for tick in 0..20 {
        first.tick(tick * 200 * MS, 200 * MS);
        second.tick(tick * 200 * MS, 200 * MS);
    }
    assert_eq!(first.board().unwrap(), second.board().unwrap());
    assert_ne!(first.board().unwrap(), board);

    let damaged = String::from_utf8(memory.files.borrow()["game.json"].clone()).unwrap();
    let damaged = damaged.replacen("\"x\": 1", "\"x\": 99", 1);
    memory
        .files
        .borrow_mut()
        .insert("bad.json".into(), damaged.into());
    second.apply(Command::Open("bad.json".into()));
    let notice = second.notice().unwrap().clone();
    assert!(
        notice.is_error && notice.text.starts_with("bad.json: "),
        "{notice:?}"
    );
    assert_eq!(
        second.board().unwrap(),
        first.board().unwrap(),
        "nothing is lost"
    );
}

#[test]
fn the_rules_of_every_game_can_be_read() {
    let mut harness = window(controller(Opening::LastBattle, &Memory::default()), 1.0);
    let rules = Command::Show(Dialog::Rules(GameName::Battle));
    harness.state_mut().controller().apply(rules);
    harness.run();
    for (game, heading) in [
        ("Two-player Life", "Files"),
        ("Immigration Game", "Rounds"),
        ("reZolution", "Barriers and targets"),
        ("Fragment puzzle", "Merging"),
        ("Life Battle", "Start patterns"),
    ] {
        harness
            .get_by_role_and_label(egui::accesskit::Role::Button, game)
            .click();
        harness.run();
        assert!(harness.query_by_label(heading).is_some(), "{game}");
    }
    harness.get_by_label("Close").click();
    harness.run();
    assert!(harness.query_by_label("Rules of the games").is_none());
}
