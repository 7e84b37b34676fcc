//! Which keys do what. A key typed into a text field goes to the field alone.

use egui::{Context, Event, Key, KeyboardShortcut, Modifiers};

use super::command::{
    Command, Dialog, FilePurpose, FragmentCommand, ImmigrationCommand, RezolutionCommand, Tool,
    ViewCommand,
};
use super::controller::Controller;
use crate::game::fragment::Direction;
use crate::game::opening::GameName;

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
pub(super) fn actions(
    ctx: &Context,
    controller: &mut Controller,
    canvas: egui::Id,
) -> Vec<Command> {
    let mut commands = Vec::new();
    if ctx.text_edit_focused() {
        return commands;
    }
    let escape = ctx.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Escape));
    if controller.dialog.is_some() {
        if escape {
            commands.push(Command::Dismiss);
        }
        return commands;
    }
    if escape {
        commands.push(Command::CancelStroke);
    }
    let focused = ctx.memory(|memory| memory.focused());
    // Keys that move about or press what has the focus are the board's only if nothing else has it.
    let board_has_keys = focused.is_none_or(|id| id == canvas);
    let (kind, settings) = (controller.kind(), controller.fragment_settings());
    let is_battle = matches!(kind, GameName::Battle | GameName::Duel);
    let lines = controller.display.lines;
    ctx.input_mut(|input| {
        // Those with more modifiers before those with fewer.
        let mut shortcuts: Vec<(KeyboardShortcut, Command)> = Vec::new();
        let mut on = |key: Key, modifiers: Modifiers, command: Command| {
            shortcuts.push((KeyboardShortcut::new(modifiers, key), command));
        };
        let (none, command) = (Modifiers::NONE, Modifiers::COMMAND);
        on(
            Key::O,
            command,
            Command::Show(Dialog::File(FilePurpose::Open)),
        );
        on(
            Key::S,
            command,
            Command::Show(Dialog::File(FilePurpose::Save)),
        );
        on(
            Key::E,
            command,
            Command::Show(Dialog::File(FilePurpose::PictureOfBoard)),
        );
        on(Key::Q, command, Command::Quit);
        on(Key::F, none, Command::View(ViewCommand::Fit));
        for key in [Key::Plus, Key::Equals] {
            on(key, none, Command::View(ViewCommand::ZoomIn));
        }
        on(Key::Minus, none, Command::View(ViewCommand::ZoomOut));
        on(Key::L, none, Command::View(ViewCommand::Lines(!lines)));
        on(Key::Questionmark, none, Command::Show(Dialog::Keys));
        on(Key::F1, none, Command::Show(Dialog::Keys));
        match kind {
            GameName::Fragment => {
                let puzzle = Command::Fragment;
                on(Key::R, none, puzzle(FragmentCommand::Turn));
                if let Some(settings) = settings {
                    on(
                        Key::N,
                        none,
                        puzzle(FragmentCommand::NewGame(settings, None)),
                    );
                }
                if board_has_keys {
                    for (key, direction) in [
                        (Key::ArrowLeft, Direction::Left),
                        (Key::ArrowRight, Direction::Right),
                        (Key::ArrowUp, Direction::Up),
                        (Key::ArrowDown, Direction::Down),
                    ] {
                        on(key, none, puzzle(FragmentCommand::Shift(direction)));
                    }
                    on(Key::Enter, none, puzzle(FragmentCommand::Merge));
                }
            }
            GameName::Immigration => {
                on(
                    Key::Z,
                    command,
                    Command::Immigration(ImmigrationCommand::TakeBack),
                );
            }
            GameName::Battle | GameName::Duel | GameName::Rezolution => {
                on(Key::Z, command | Modifiers::SHIFT, Command::Redo);
                on(Key::Z, command, Command::Undo);
                on(Key::Y, command, Command::Redo);
                on(Key::P, none, Command::TogglePlay);
                on(Key::S, none, Command::Step);
                on(Key::R, none, Command::Restart);
                if is_battle {
                    on(Key::G, none, Command::Generate);
                } else {
                    let demo = Command::Rezolution(RezolutionCommand::Demo(None));
                    on(Key::G, none, demo);
                    on(Key::Num4, none, Command::SetTool(Tool::Barrier));
                    on(Key::Num5, none, Command::SetTool(Tool::Target));
                }
                for (key, tool) in [
                    (Key::V, Tool::View),
                    (Key::Num1, Tool::Red),
                    (Key::Num2, Tool::Blue),
                    (Key::Num3, Tool::Eraser),
                ] {
                    on(key, none, Command::SetTool(tool));
                }
                if board_has_keys {
                    for (key, x, y) in [
                        (Key::ArrowLeft, -1, 0),
                        (Key::ArrowRight, 1, 0),
                        (Key::ArrowUp, 0, -1),
                        (Key::ArrowDown, 0, 1),
                    ] {
                        on(key, Modifiers::SHIFT, Command::MoveCursor(10 * x, 10 * y));
                        on(key, none, Command::MoveCursor(x, y));
                    }
                    on(Key::Space, none, Command::PaintAtCursor { erase: false });
                    for key in [Key::Delete, Key::Backspace] {
                        on(key, none, Command::PaintAtCursor { erase: true });
                    }
                }
            }
        }
        // A slow frame may have met a key twice, or several keys: all count, in their order.
        input.events.retain(|event| {
            let command = match event {
                Event::Copy if is_battle => Some(Command::CopyCode),
                Event::Paste(text) if is_battle => Some(Command::PasteCode(text.clone())),
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
                    .map(|(_, command)| command.clone()),
                _ => None,
            };
            let taken = command.is_some() && matches!(event, Event::Key { .. });
            commands.extend(command);
            !taken
        });
    });
    commands
}
