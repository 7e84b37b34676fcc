//! The menu bar.

use egui::{Button, MenuBar, Ui};

use crate::app::actions::{Action, Dialog, Kind, Look, Purpose, Rezolution};
use crate::app::controller::State;
use crate::app::platform::EngineChoice;

pub(super) fn show(ui: &mut Ui, state: &mut State, asked: &mut Vec<Action>) {
    let is_battle = state.facts().is_some();
    let is_run = state.run().is_some();
    let generate = match state.kind() {
        Kind::Rezolution => ("Demo", Action::Rezolution(Rezolution::Demo(None))),
        _ => ("Generate", Action::Generate),
    };
    let is_recording = state.recording().is_some();
    let kind = state.kind();
    let choice = state.choice;
    let display = state.display;
    MenuBar::new().ui(ui, |ui| {
        ui.menu_button("Game", |ui| {
            item(
                ui,
                "Choose a game...",
                "",
                true,
                Action::Show(Dialog::Chooser),
                asked,
            );
            ui.separator();
            for (name, kind) in [
                ("Life Battle", Kind::Battle),
                ("Two-player Life", Kind::Duel),
                ("Immigration Game", Kind::Immigration),
                ("reZolution", Kind::Rezolution),
                ("Fragment puzzle", Kind::Fragment),
            ] {
                item(ui, name, "", true, Action::Choose(kind), asked);
            }
            ui.separator();
            for (name, engine) in [
                ("Compute on the GPU", EngineChoice::Gpu),
                ("Compute on the CPU", EngineChoice::Cpu),
            ] {
                if ui
                    .add_enabled(is_run, Button::selectable(choice == engine, name))
                    .clicked()
                {
                    asked.push(Action::UseEngine(engine));
                    ui.close();
                }
            }
            ui.separator();
            item(ui, "Quit", "Ctrl+Q", true, Action::Quit, asked);
        });
        ui.menu_button("File", |ui| {
            let file = |purpose| Action::Show(Dialog::File(purpose));
            item(ui, "Open...", "Ctrl+O", true, file(Purpose::Open), asked);
            item(ui, "Save as...", "Ctrl+S", true, file(Purpose::Save), asked);
            ui.separator();
            let picture = Purpose::PictureOfBoard;
            item(
                ui,
                "Picture of the board...",
                "Ctrl+E",
                true,
                file(picture),
                asked,
            );
            let picture = Purpose::PictureOfView;
            item(ui, "Picture of the view...", "", true, file(picture), asked);
            ui.separator();
            if is_recording {
                item(ui, "Stop recording", "", true, Action::StopRecording, asked);
            } else {
                item(
                    ui,
                    "Record a film...",
                    "",
                    is_run,
                    file(Purpose::Film),
                    asked,
                );
            }
        });
        ui.menu_button("Edit", |ui| {
            item(ui, "Undo", "Ctrl+Z", is_run, Action::Undo, asked);
            item(ui, "Redo", "Ctrl+Y", is_run, Action::Redo, asked);
            ui.separator();
            item(
                ui,
                "Copy share code",
                "Ctrl+C",
                is_battle,
                Action::CopyCode,
                asked,
            );
            item(
                ui,
                "Paste share code...",
                "Ctrl+V",
                is_battle,
                Action::Show(Dialog::Paste),
                asked,
            );
            ui.separator();
            let (name, action) = generate;
            item(ui, name, "G", is_run, action, asked);
            item(ui, "Clear", "", is_run, Action::Clear, asked);
        });
        ui.menu_button("View", |ui| {
            item(ui, "Fit", "F", true, Action::Look(Look::Fit), asked);
            item(ui, "Zoom in", "+", true, Action::Look(Look::Closer), asked);
            item(
                ui,
                "Zoom out",
                "-",
                true,
                Action::Look(Look::Farther),
                asked,
            );
            ui.separator();
            let mut toggle = |name: &str, is: bool, look: fn(bool) -> Look, about: &str| {
                let mut value = is;
                if ui.checkbox(&mut value, name).on_hover_text(about).changed() {
                    asked.push(Action::Look(look(value)));
                }
            };
            toggle(
                "Lines",
                display.lines,
                Look::Lines,
                "Lines between large cells (L)",
            );
            toggle(
                "Any live cell",
                display.any_live,
                Look::AnyLive,
                "Zoomed out, show a pixel with any live cell as bright as can be",
            );
            toggle(
                "Limit flashes",
                display.limit_flashes,
                Look::LimitFlashes,
                "Skip pictures when the whole board flashes more than three times a second",
            );
            toggle(
                "Chart",
                display.chart,
                Look::Chart,
                "Red and blue over time",
            );
            toggle("Light window", display.light, Look::Light, "Dark otherwise");
        });
        ui.menu_button("Help", |ui| {
            item(ui, "Keys", "?", true, Action::Show(Dialog::Keys), asked);
            let rules = Action::Show(Dialog::Ruleset(kind));
            item(ui, "Rules of the games", "", true, rules, asked);
            item(
                ui,
                "About duolife",
                "",
                true,
                Action::Show(Dialog::About),
                asked,
            );
        });
    });
}

fn item(
    ui: &mut Ui,
    name: &str,
    keys: &str,
    enabled: bool,
    action: Action,
    asked: &mut Vec<Action>,
) {
    let button = Button::new(name).shortcut_text(keys.to_owned());
    if ui.add_enabled(enabled, button).clicked() {
        asked.push(action);
        ui.close();
    }
}
