//! What is remembered, copied and pasted.

use super::*;

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
