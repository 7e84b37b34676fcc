//! The generations of a run over time.

use super::*;

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
