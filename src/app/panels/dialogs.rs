//! The dialogs above the board.

use egui::{Button, Context, Grid, Id, Modal, RichText, ScrollArea, TextEdit, Ui};

use super::{file, rules_help};
use crate::app::command::{Command, CommandQueue, Dialog};
use crate::app::controller::Controller;
use crate::app::keys;
use crate::game::opening::GameName;

/// The games, each described in two lines.
const GAMES: &[(GameName, &str, &str)] = &[
    (
        GameName::Battle,
        "Life Battle",
        "Red and blue grow on one board under any rule of the family of Life.\nPaint or draw a start pattern and see who survives; the referee decides.",
    ),
    (
        GameName::Duel,
        "Two-player Life",
        "Conway's Life with dead edges: the last player with live cells wins.\nOpen a text grid or paint both sides, then let it run.",
    ),
    (
        GameName::Immigration,
        "Immigration Game",
        "Two players, or you and the computer, place counters on a torus in turns;\nbetween the rounds ten generations run. The last colour wins.",
    ),
    (
        GameName::Rezolution,
        "reZolution",
        "Populations of red and blue grow, hold or collapse among barriers.\nPaint a start or take a demo; the first to reach a target ends it.",
    ),
    (
        GameName::Fragment,
        "Fragment puzzle",
        "Move and turn a piece of green cells and merge it into the blue field,\nwhich then advances by one generation. The aim is an empty field.",
    ),
];

pub(super) fn show(ctx: &Context, controller: &mut Controller, commands: &mut CommandQueue) {
    let Some(dialog) = controller.dialog else {
        return;
    };
    if let Dialog::File(purpose) = dialog {
        file::show(ctx, controller, purpose, commands);
        return;
    }
    let modal = Modal::new(Id::unique("dialog")).show(ctx, |ui| match dialog {
        Dialog::Chooser => chooser(ui, commands),
        Dialog::Keys => key_list(ui, controller),
        Dialog::About => about(ui, controller),
        Dialog::Paste => paste(ui, controller, commands),
        Dialog::Rules(kind) => rules_help::show(ui, kind, commands),
        Dialog::File(_) => {}
    });
    if modal.should_close() {
        commands.push(Command::Dismiss);
    }
}

fn chooser(ui: &mut Ui, commands: &mut CommandQueue) {
    ui.set_width(520.0);
    ui.vertical_centered(|ui| {
        ui.add_space(4.0);
        ui.label(RichText::new("duolife").size(26.0).strong());
        ui.label("Battles of red and blue in the family of Conway's Life");
        ui.add_space(8.0);
    });
    // A low window shows some of the games at a time.
    let most = (ui.ctx().content_rect().height() - 190.0).max(80.0);
    ScrollArea::vertical()
        .max_height(most)
        .show(ui, |ui| games(ui, commands));
    ui.weak("Another game: the Game menu. The rules: the Help menu. The keys: press ?");
}

fn games(ui: &mut Ui, commands: &mut CommandQueue) {
    for (kind, name, about) in GAMES {
        let text = RichText::new(*name).size(17.0).strong();
        let button = Button::new(text).min_size(egui::vec2(ui.available_width(), 34.0));
        let response = ui.add(button);
        if response.clicked() {
            commands.push(Command::ChooseGame(*kind));
        }
        ui.label(*about);
        ui.add_space(8.0);
    }
}

fn key_list(ui: &mut Ui, controller: &Controller) {
    ui.set_width(440.0);
    ui.heading("Keys");
    ui.add_space(6.0);
    let of_game = match controller.game.name() {
        GameName::Battle | GameName::Duel => keys::BATTLE,
        GameName::Immigration => keys::IMMIGRATION,
        GameName::Rezolution => keys::REZOLUTION,
        GameName::Fragment => keys::PUZZLE,
    };
    Grid::new("keys")
        .num_columns(2)
        .spacing([24.0, 5.0])
        .show(ui, |ui| {
            for (key, what) in of_game.iter().chain(keys::GENERAL) {
                ui.label(RichText::new(*key).monospace().strong());
                ui.label(*what);
                ui.end_row();
            }
        });
    ui.add_space(6.0);
    ui.weak("With the pointer: drag to move the view or to paint, the middle button always moves; Esc cancels a stroke.");
}

fn about(ui: &mut Ui, controller: &Controller) {
    ui.set_width(400.0);
    ui.heading(concat!("duolife ", env!("CARGO_PKG_VERSION")));
    ui.label(env!("CARGO_PKG_DESCRIPTION"));
    ui.add_space(6.0);
    ui.label(format!("Drawn by {}", controller.adapter));
    ui.weak("All of this works without a window, too: duolife help");
}

fn paste(ui: &mut Ui, controller: &mut Controller, commands: &mut CommandQueue) {
    ui.set_width(460.0);
    let label = ui.heading("Paste a share code");
    let edit = TextEdit::multiline(&mut controller.paste_form)
        .desired_rows(4)
        .desired_width(f32::INFINITY)
        .hint_text("DUO1...");
    let response = ui.add(edit).labelled_by(label.id);
    if ui.memory(|memory| memory.focused().is_none()) {
        response.request_focus();
    }
    ui.horizontal(|ui| {
        let can = !controller.paste_form.trim().is_empty();
        if ui.add_enabled(can, Button::new("Use it")).clicked() {
            commands.push(Command::PasteCode(controller.paste_form.clone()));
        }
        if ui.button("Cancel").clicked() {
            commands.push(Command::Dismiss);
        }
    });
    if let Some(notice) = &controller.notice {
        ui.colored_label(ui.visuals().error_fg_color, &notice.text);
    }
}
