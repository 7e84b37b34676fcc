//! Films, records of games, and the rules inside the program.

use std::num::NonZeroU64;

use duolife::app::actions::{Dialog, Who};
use duolife::game::immigration::{Player, Setup};
use duolife::render::{FrameRate, Palette, PictureSize, write_png};

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
    let picture = Picture::draw(&board, PictureSize::Scale(2), Palette::DEFAULT).unwrap();
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
fn a_film_has_every_generation_asked_for_at_any_speed() {
    for speed in [Speed::Fastest, Speed::Paced(1000), Speed::Paced(10)] {
        let memory = Memory::default();
        let mut state = battle(&soup(), &memory);
        state.apply(Action::SetSpeed(speed));
        state.apply(Action::Record("film".into(), plan(3, 6)));
        let mut now = Duration::ZERO;
        while facts(&mut state).generation < 20 {
            now += 16 * MS;
            state.tick(now, 16 * MS);
            assert!(now < Duration::from_secs(60), "{speed:?}");
        }
        assert_eq!(state.notice().unwrap().text, "Saved film: 6 frames");
        let facts = facts(&mut state);
        assert!(facts.is_playing || facts.verdict.is_some(), "it goes on");
        assert_eq!(frames(&memory, "film"), 6);
        for number in 0..6 {
            let files = memory.files.borrow();
            let shot = &files[&format!("film/{number}")];
            assert!(
                *shot == frame(&soup(), 3 * number),
                "{speed:?}, frame {number}"
            );
        }
    }
}

#[test]
fn a_film_ends_when_it_is_stopped_with_another_board_and_with_the_window() {
    let memory = Memory::default();
    let mut state = battle(&soup(), &memory);
    state.apply(Action::Record("stopped".into(), plan(1, 100)));
    // Single steps are filmed, too.
    state.apply(Action::Step);
    state.apply(Action::Step);
    assert_eq!(frames(&memory, "stopped"), 0, "not before its end");
    state.apply(Action::StopRecording);
    assert_eq!(state.notice().unwrap().text, "Saved stopped: 3 frames");
    assert!(memory.files.borrow()["stopped/2"] == frame(&soup(), 2));

    state.apply(Action::Record("other".into(), plan(1, 100)));
    let mut draft = facts(&mut state).draft;
    draft.size = size(20, 20);
    state.apply(Action::Draft(draft));
    state.apply(Action::Apply);
    assert_eq!(frames(&memory, "other"), 1);

    state.apply(Action::Record("closed".into(), plan(1, 100)));
    state.apply(Action::Step);
    state.close();
    assert_eq!(frames(&memory, "closed"), 2);

    // What is over is not filmed.
    let mut over = battle(&LifelikeBoard::new(size(9, 9)).unwrap(), &memory);
    over.apply(Action::Step);
    assert!(facts(&mut over).verdict.is_some());
    over.apply(Action::Record("over".into(), plan(1, 100)));
    assert!(over.notice().unwrap().is_error);
    over.close();
    assert_eq!(frames(&memory, "over"), 0);

    state.apply(Action::Choose(Kind::Immigration));
    state.apply(Action::Record("none".into(), plan(1, 100)));
    assert!(state.notice().unwrap().is_error);
    assert_eq!(frames(&memory, "none"), 0);
}

#[test]
fn a_film_is_begun_and_stopped_by_the_pointer() {
    let memory = Memory::default();
    let mut harness = window(battle(&soup(), &memory), 1.0);
    harness
        .state_mut()
        .state()
        .apply(Action::Show(Dialog::File(Purpose::Film)));
    harness.run();
    for field in [
        "A frame every",
        "Most frames",
        "Frames a second",
        "Pixels a cell",
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
    assert!(facts(harness.state_mut().state()).is_playing);
    harness.state_mut().state().apply(Action::TogglePlay);
    harness.run();
    harness
        .get_by_role_and_label(egui::accesskit::Role::Button, "Stop recording")
        .click();
    harness.run();
    assert!(harness.query_by_label("Stop recording").is_none());
    assert!(frames(&memory, "film.gif") >= 1);
}

#[test]
fn an_immigration_game_is_saved_and_gone_on_with() {
    let memory = Memory::default();
    let setup = Setup::new(size(12, 9), Player::Red).unwrap();
    let people = [Who::Person, Who::Person];
    let mut first = state(Opening::Immigration(Some((setup, people))), &memory);
    for x in 0..7 {
        first.apply(Action::Counter(Counter::Place(x, x)));
    }
    first.apply(Action::Write(Purpose::Save, "game.json".into()));
    assert_eq!(first.notice().unwrap().text, "Saved game.json");
    let board = first.board().unwrap();
    assert_eq!(board.census().red + board.census().blue, 7);

    let mut second = state(Opening::Remembered, &memory);
    second.apply(Action::Open("game.json".into()));
    assert_eq!(second.board().unwrap(), board);
    second.apply(Action::Counter(Counter::Players(people)));
    // Three counters later the first ten generations run, in both alike.
    for state in [&mut first, &mut second] {
        for x in 7..10 {
            state.apply(Action::Counter(Counter::Place(x, (x + 1) % 9)));
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
    second.apply(Action::Open("bad.json".into()));
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
    let mut harness = window(state(Opening::LastBattle, &Memory::default()), 1.0);
    let rules = Action::Show(Dialog::Ruleset(Kind::Battle));
    harness.state_mut().state().apply(rules);
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
