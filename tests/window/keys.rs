//! The keyboard.

use super::*;

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
