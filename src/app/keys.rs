//! Keyboard shortcuts. A key typed into a text field goes only to the field.

use egui::{Context, Event, Key, KeyboardShortcut, Modifiers};
use glam::IVec2;

use super::command::{
    BattleCommand, Command, CommandQueue, Dialog, FilePurpose, FragmentCommand, ImmigrationCommand,
    RezolutionCommand, RunCommand, Tool, ViewCommand,
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
        "Zoom in, zoom out; the wheel zooms about the pointer",
    ),
    ("L", "Lines between cells"),
    ("?", "This list"),
    ("Esc", "Close; cancel a stroke"),
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

/// The commands of the keys pressed since the last frame.
pub(super) fn commands(ctx: &Context, controller: &Controller, canvas: egui::Id) -> CommandQueue {
    let mut commands = CommandQueue::default();
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
        commands.push(RunCommand::CancelStroke);
    }
    let focused = ctx.memory(|memory| memory.focused());
    // Arrows, Space and the like belong to the board unless something else has the focus.
    let board_has_keys = focused.is_none_or(|id| id == canvas);
    let shortcuts = Shortcuts::of(controller, board_has_keys);
    let is_battle = controller.battle_status().is_some();
    ctx.input_mut(|input| {
        // A slow frame may contain several presses; all count, in order.
        input.events.retain(|event| {
            let command = match event {
                Event::Copy if is_battle => Some(Command::CopyCode),
                Event::Paste(text) if is_battle => Some(Command::PasteCode(text.clone())),
                Event::Key {
                    key,
                    modifiers,
                    pressed: true,
                    ..
                } => shortcuts.command(*key, *modifiers),
                _ => None,
            };
            let is_taken = command.is_some() && matches!(event, Event::Key { .. });
            if let Some(command) = command {
                commands.push(command);
            }
            !is_taken
        });
    });
    commands
}

/// The shortcuts in force; those with more modifiers come before those with fewer.
#[derive(Default)]
struct Shortcuts(Vec<(KeyboardShortcut, Command)>);

impl Shortcuts {
    fn of(controller: &Controller, board_has_keys: bool) -> Self {
        let mut shortcuts = Self::default();
        shortcuts.add_general(controller);
        match controller.game.name() {
            GameName::Battle | GameName::Duel => {
                shortcuts.add_run(board_has_keys);
                shortcuts.on(Key::G, BattleCommand::Generate);
            }
            GameName::Rezolution => {
                shortcuts.add_run(board_has_keys);
                shortcuts.on(Key::G, RezolutionCommand::Demo(None));
                shortcuts.on(Key::Num4, RunCommand::SetTool(Tool::Barrier));
                shortcuts.on(Key::Num5, RunCommand::SetTool(Tool::Target));
            }
            GameName::Immigration => {
                shortcuts.with(Modifiers::COMMAND, Key::Z, ImmigrationCommand::TakeBack);
            }
            GameName::Fragment => shortcuts.add_fragment(controller, board_has_keys),
        }
        shortcuts
    }

    /// The command of a key.
    fn command(&self, key: Key, modifiers: Modifiers) -> Option<Command> {
        let found = self.0.iter().find(|(shortcut, _)| {
            shortcut.logical_key == key && modifiers.matches_logically(shortcut.modifiers)
        });
        found.map(|(_, command)| command.clone())
    }

    fn on(&mut self, key: Key, command: impl Into<Command>) {
        self.with(Modifiers::NONE, key, command);
    }

    fn with(&mut self, modifiers: Modifiers, key: Key, command: impl Into<Command>) {
        self.0
            .push((KeyboardShortcut::new(modifiers, key), command.into()));
    }

    fn add_general(&mut self, controller: &Controller) {
        for (key, purpose) in [
            (Key::O, FilePurpose::Open),
            (Key::S, FilePurpose::Save),
            (Key::E, FilePurpose::PictureOfBoard),
        ] {
            self.with(
                Modifiers::COMMAND,
                key,
                Command::Show(Dialog::File(purpose)),
            );
        }
        self.with(Modifiers::COMMAND, Key::Q, Command::Quit);
        self.on(Key::F, ViewCommand::Fit);
        for key in [Key::Plus, Key::Equals] {
            self.on(key, ViewCommand::ZoomIn);
        }
        self.on(Key::Minus, ViewCommand::ZoomOut);
        self.on(Key::L, ViewCommand::Lines(!controller.display.lines));
        for key in [Key::Questionmark, Key::F1] {
            self.on(key, Command::Show(Dialog::Keys));
        }
    }

    fn add_run(&mut self, board_has_keys: bool) {
        self.with(
            Modifiers::COMMAND | Modifiers::SHIFT,
            Key::Z,
            RunCommand::Redo,
        );
        self.with(Modifiers::COMMAND, Key::Z, RunCommand::Undo);
        self.with(Modifiers::COMMAND, Key::Y, RunCommand::Redo);
        self.on(Key::P, RunCommand::TogglePlay);
        self.on(Key::S, RunCommand::Step);
        self.on(Key::R, RunCommand::Restart);
        for (key, tool) in [
            (Key::V, Tool::View),
            (Key::Num1, Tool::Red),
            (Key::Num2, Tool::Blue),
            (Key::Num3, Tool::Eraser),
        ] {
            self.on(key, RunCommand::SetTool(tool));
        }
        if board_has_keys {
            for (key, by) in [
                (Key::ArrowLeft, IVec2::NEG_X),
                (Key::ArrowRight, IVec2::X),
                (Key::ArrowUp, IVec2::NEG_Y),
                (Key::ArrowDown, IVec2::Y),
            ] {
                self.with(Modifiers::SHIFT, key, RunCommand::MoveCursor(10 * by));
                self.on(key, RunCommand::MoveCursor(by));
            }
            self.on(Key::Space, RunCommand::PaintAtCursor { erase: false });
            for key in [Key::Delete, Key::Backspace] {
                self.on(key, RunCommand::PaintAtCursor { erase: true });
            }
        }
    }

    fn add_fragment(&mut self, controller: &Controller, board_has_keys: bool) {
        self.on(Key::R, FragmentCommand::Turn);
        if let Some(settings) = controller.fragment_settings() {
            self.on(Key::N, FragmentCommand::NewGame(settings, None));
        }
        if board_has_keys {
            for (key, direction) in [
                (Key::ArrowLeft, Direction::Left),
                (Key::ArrowRight, Direction::Right),
                (Key::ArrowUp, Direction::Up),
                (Key::ArrowDown, Direction::Down),
            ] {
                self.on(key, FragmentCommand::Shift(direction));
            }
            self.on(Key::Enter, FragmentCommand::Merge);
        }
    }
}
