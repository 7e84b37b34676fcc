//! The menu bar.

use egui::{Button, MenuBar, Ui};

use crate::app::command::{
    BattleCommand, Command, CommandQueue, Dialog, FilePurpose, RezolutionCommand, RunCommand,
    ViewCommand,
};
use crate::app::controller::Controller;
use crate::app::platform::EngineName;
use crate::game::opening::GameName;

pub(super) fn show(ui: &mut Ui, controller: &mut Controller, commands: &mut CommandQueue) {
    let is_battle = controller.battle_status().is_some();
    let is_run = controller.run_summary().is_some();
    let generate = match controller.game.name() {
        GameName::Rezolution => ("Demo", RezolutionCommand::Demo(None).into()),
        GameName::Battle | GameName::Duel | GameName::Fragment | GameName::Immigration => {
            ("Generate", Command::from(BattleCommand::Generate))
        }
    };
    let is_recording = controller.recording().is_some();
    let kind = controller.game.name();
    let choice = controller.engine_choice;
    let display = controller.display;
    MenuBar::new().ui(ui, |ui| {
        ui.menu_button("Game", |ui| {
            item(
                ui,
                "Choose a game...",
                "",
                true,
                Command::Show(Dialog::Chooser),
                commands,
            );
            ui.separator();
            for (name, kind) in [
                ("Life Battle", GameName::Battle),
                ("Two-player Life", GameName::Duel),
                ("Immigration Game", GameName::Immigration),
                ("reZolution", GameName::Rezolution),
                ("Fragment puzzle", GameName::Fragment),
            ] {
                item(ui, name, "", true, Command::ChooseGame(kind), commands);
            }
            ui.separator();
            for (name, engine) in [
                ("Compute on the GPU", EngineName::Gpu),
                ("Compute on the CPU", EngineName::Cpu),
            ] {
                if ui
                    .add_enabled(is_run, Button::selectable(choice == engine, name))
                    .clicked()
                {
                    commands.push(Command::UseEngine(engine));
                    ui.close();
                }
            }
            ui.separator();
            item(ui, "Quit", "Ctrl+Q", true, Command::Quit, commands);
        });
        ui.menu_button("File", |ui| {
            let file = |purpose| Command::Show(Dialog::File(purpose));
            item(
                ui,
                "Open...",
                "Ctrl+O",
                true,
                file(FilePurpose::Open),
                commands,
            );
            item(
                ui,
                "Save as...",
                "Ctrl+S",
                true,
                file(FilePurpose::Save),
                commands,
            );
            ui.separator();
            let picture = FilePurpose::PictureOfBoard;
            item(
                ui,
                "Picture of the board...",
                "Ctrl+E",
                true,
                file(picture),
                commands,
            );
            let picture = FilePurpose::PictureOfView;
            item(
                ui,
                "Picture of the view...",
                "",
                true,
                file(picture),
                commands,
            );
            ui.separator();
            if is_recording {
                item(
                    ui,
                    "Stop recording",
                    "",
                    true,
                    Command::StopRecording,
                    commands,
                );
            } else {
                item(
                    ui,
                    "Record a film...",
                    "",
                    is_run,
                    file(FilePurpose::Film),
                    commands,
                );
            }
        });
        ui.menu_button("Edit", |ui| {
            item(ui, "Undo", "Ctrl+Z", is_run, RunCommand::Undo, commands);
            item(ui, "Redo", "Ctrl+Y", is_run, RunCommand::Redo, commands);
            ui.separator();
            item(
                ui,
                "Copy share code",
                "Ctrl+C",
                is_battle,
                Command::CopyCode,
                commands,
            );
            item(
                ui,
                "Paste share code...",
                "Ctrl+V",
                is_battle,
                Command::Show(Dialog::Paste),
                commands,
            );
            ui.separator();
            let (name, command) = generate;
            item(ui, name, "G", is_run, command, commands);
            item(ui, "Clear", "", is_run, RunCommand::Clear, commands);
        });
        ui.menu_button("View", |ui| {
            item(ui, "Fit", "F", true, ViewCommand::Fit, commands);
            item(ui, "Zoom in", "+", true, ViewCommand::ZoomIn, commands);
            item(ui, "Zoom out", "-", true, ViewCommand::ZoomOut, commands);
            ui.separator();
            let mut toggle = |name: &str, is: bool, set: fn(bool) -> ViewCommand, about: &str| {
                let mut value = is;
                if ui.checkbox(&mut value, name).on_hover_text(about).changed() {
                    commands.push(set(value));
                }
            };
            toggle(
                "Lines",
                display.lines,
                ViewCommand::Lines,
                "Lines between large cells (L)",
            );
            toggle(
                "Any live cell",
                display.any_live,
                ViewCommand::AnyLive,
                "Zoomed out, show a pixel with any live cell at full brightness",
            );
            toggle(
                "Limit flashes",
                display.limit_flashes,
                ViewCommand::LimitFlashes,
                "Skip pictures when the whole board flashes more than three times per second",
            );
            toggle(
                "Chart",
                display.chart,
                ViewCommand::Chart,
                "Red and blue over time",
            );
            toggle(
                "Light window",
                display.light,
                ViewCommand::Light,
                "Dark otherwise",
            );
        });
        ui.menu_button("Help", |ui| {
            item(ui, "Keys", "?", true, Command::Show(Dialog::Keys), commands);
            let rules = Command::Show(Dialog::Rules(kind));
            item(ui, "Rules of the games", "", true, rules, commands);
            item(
                ui,
                "About duolife",
                "",
                true,
                Command::Show(Dialog::About),
                commands,
            );
        });
    });
}

fn item(
    ui: &mut Ui,
    name: &str,
    keys: &str,
    enabled: bool,
    command: impl Into<Command>,
    commands: &mut CommandQueue,
) {
    let button = Button::new(name).shortcut_text(keys.to_owned());
    if ui.add_enabled(enabled, button).clicked() {
        commands.push(command);
        ui.close();
    }
}
