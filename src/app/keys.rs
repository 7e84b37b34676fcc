//! Which keys do what. A key typed into a text field goes to the field alone.

use egui::{Context, Event, Key, KeyboardShortcut, Modifiers};

use super::actions::{Action, Counter, Dialog, Kind, Look, Purpose, Puzzle, Rezolution, Tool};
use super::controller::State;
use crate::game::fragment::Direction;

/// Keys of every game, for the list.
pub(super) const GENERAL: &[(&str, &str)] = &[
    ("Ctrl+O", "Open a file"),
    ("Ctrl+S", "Save the board"),
    ("Ctrl+E", "Save a picture of the board"),
    ("F", "Fit the board into the window"),
    (
        "+  -",
        "Zoom in, zoom out; the wheel does it about the pointer",
    ),
    ("L", "Lines between cells"),
    ("?", "This list"),
    ("Esc", "Close; give a stroke up"),
    ("Ctrl+Q", "Quit"),
];

/// Keys of battles, for the list.
pub(super) const BATTLE: &[(&str, &str)] = &[
    ("P", "Play, pause"),
    ("S", "One generation"),
    ("R", "Restart from the start pattern"),
    ("G", "Generate a start pattern"),
    ("V  1  2  3", "View, paint red, paint blue, erase"),
    ("Arrows", "Move the cursor; with Shift by ten"),
    ("Space", "Paint at the cursor"),
    ("Delete", "Erase at the cursor"),
    ("Ctrl+Z  Ctrl+Y", "Undo, redo"),
    ("Ctrl+C  Ctrl+V", "Copy, paste a share code"),
];

/// Keys of the puzzle, for the list.
pub(super) const PUZZLE: &[(&str, &str)] = &[
    ("Arrows", "Move the piece"),
    ("R", "Turn it clockwise"),
    ("Enter", "Merge it"),
    ("N", "New game"),
];

/// Keys of reZolution, for the list.
pub(super) const REZOLUTION: &[(&str, &str)] = &[
    ("P", "Start, stop"),
    ("S", "One generation"),
    ("R", "Restart from the start pattern"),
    ("G", "Demo: a random population in the middle"),
    ("V  1  2  3", "View, paint red, paint blue, erase"),
    ("4  5", "Make barriers, make targets"),
    ("Arrows", "Move the cursor; with Shift by ten"),
    ("Space", "Paint at the cursor"),
    ("Delete", "Erase at the cursor"),
    ("Ctrl+Z  Ctrl+Y", "Undo, redo"),
];

/// Keys of the Immigration Game, for the list.
pub(super) const IMMIGRATION: &[(&str, &str)] = &[
    ("Click", "Place a counter on a dead cell"),
    ("Ctrl+Z", "Take the last counter back"),
];

/// What the keys pressed since the last frame ask for.
pub(super) fn actions(ctx: &Context, state: &mut State, canvas: egui::Id) -> Vec<Action> {
    let mut asked = Vec::new();
    if ctx.text_edit_focused() {
        return asked;
    }
    let escape = ctx.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Escape));
    if state.dialog.is_some() {
        if escape {
            asked.push(Action::Dismiss);
        }
        return asked;
    }
    if escape {
        asked.push(Action::CancelStroke);
    }
    let focused = ctx.memory(|memory| memory.focused());
    // Keys that move about or press what has the focus are the board's only if nothing else has it.
    let board_has_keys = focused.is_none_or(|id| id == canvas);
    let (kind, settings) = (state.kind(), state.puzzle_settings());
    let is_battle = matches!(kind, Kind::Battle | Kind::Duel);
    let lines = state.display.lines;
    ctx.input_mut(|input| {
        // Those with more modifiers before those with fewer.
        let mut shortcuts: Vec<(KeyboardShortcut, Action)> = Vec::new();
        let mut on = |key: Key, modifiers: Modifiers, action: Action| {
            shortcuts.push((KeyboardShortcut::new(modifiers, key), action));
        };
        let (none, command) = (Modifiers::NONE, Modifiers::COMMAND);
        on(Key::O, command, Action::Show(Dialog::File(Purpose::Open)));
        on(Key::S, command, Action::Show(Dialog::File(Purpose::Save)));
        on(
            Key::E,
            command,
            Action::Show(Dialog::File(Purpose::PictureOfBoard)),
        );
        on(Key::Q, command, Action::Quit);
        on(Key::F, none, Action::Look(Look::Fit));
        for key in [Key::Plus, Key::Equals] {
            on(key, none, Action::Look(Look::Closer));
        }
        on(Key::Minus, none, Action::Look(Look::Farther));
        on(Key::L, none, Action::Look(Look::Lines(!lines)));
        on(Key::Questionmark, none, Action::Show(Dialog::Keys));
        on(Key::F1, none, Action::Show(Dialog::Keys));
        match kind {
            Kind::Fragment => {
                let puzzle = Action::Puzzle;
                on(Key::R, none, puzzle(Puzzle::Turn));
                if let Some(settings) = settings {
                    on(Key::N, none, puzzle(Puzzle::New(settings, None)));
                }
                if board_has_keys {
                    for (key, direction) in [
                        (Key::ArrowLeft, Direction::Left),
                        (Key::ArrowRight, Direction::Right),
                        (Key::ArrowUp, Direction::Up),
                        (Key::ArrowDown, Direction::Down),
                    ] {
                        on(key, none, puzzle(Puzzle::Shift(direction)));
                    }
                    on(Key::Enter, none, puzzle(Puzzle::Merge));
                }
            }
            Kind::Immigration => {
                on(Key::Z, command, Action::Counter(Counter::TakeBack));
            }
            Kind::Battle | Kind::Duel | Kind::Rezolution => {
                on(Key::Z, command | Modifiers::SHIFT, Action::Redo);
                on(Key::Z, command, Action::Undo);
                on(Key::Y, command, Action::Redo);
                on(Key::P, none, Action::TogglePlay);
                on(Key::S, none, Action::Step);
                on(Key::R, none, Action::Restart);
                if is_battle {
                    on(Key::G, none, Action::Generate);
                } else {
                    let demo = Action::Rezolution(Rezolution::Demo(None));
                    on(Key::G, none, demo);
                    on(Key::Num4, none, Action::SetTool(Tool::Barrier));
                    on(Key::Num5, none, Action::SetTool(Tool::Target));
                }
                for (key, tool) in [
                    (Key::V, Tool::View),
                    (Key::Num1, Tool::Red),
                    (Key::Num2, Tool::Blue),
                    (Key::Num3, Tool::Eraser),
                ] {
                    on(key, none, Action::SetTool(tool));
                }
                if board_has_keys {
                    for (key, x, y) in [
                        (Key::ArrowLeft, -1, 0),
                        (Key::ArrowRight, 1, 0),
                        (Key::ArrowUp, 0, -1),
                        (Key::ArrowDown, 0, 1),
                    ] {
                        on(key, Modifiers::SHIFT, Action::MoveCursor(10 * x, 10 * y));
                        on(key, none, Action::MoveCursor(x, y));
                    }
                    on(Key::Space, none, Action::PaintAtCursor { erase: false });
                    for key in [Key::Delete, Key::Backspace] {
                        on(key, none, Action::PaintAtCursor { erase: true });
                    }
                }
            }
        }
        // A slow frame may have met a key twice, or several keys: all count, in their order.
        input.events.retain(|event| {
            let action = match event {
                Event::Copy if is_battle => Some(Action::CopyCode),
                Event::Paste(text) if is_battle => Some(Action::PasteCode(text.clone())),
                Event::Key {
                    key,
                    modifiers,
                    pressed: true,
                    ..
                } => shortcuts
                    .iter()
                    .find(|(shortcut, _)| {
                        shortcut.logical_key == *key
                            && modifiers.matches_logically(shortcut.modifiers)
                    })
                    .map(|(_, action)| action.clone()),
                _ => None,
            };
            let taken = action.is_some() && matches!(event, Event::Key { .. });
            asked.extend(action);
            !taken
        });
    });
    asked
}
