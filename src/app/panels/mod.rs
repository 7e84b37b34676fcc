//! What stands around the board. A panel shows facts and says what is asked; it changes nothing
//! itself but the text that is being typed into it.

mod chart;
mod dialogs;
mod fields;
pub(super) mod file;
pub(super) mod film;
pub(super) mod fragment;
pub(super) mod immigration;
pub(super) mod life_battle;
mod menu;
mod playback;
pub(super) mod rezolution;
mod rules_help;
mod status;

use egui::{Panel, Ui};

use super::command::Command;
use super::controller::{Controller, Game};
use super::theme;

/// Shows everything but the board; what is left is its place.
pub(super) fn show(
    ui: &mut Ui,
    controller: &mut Controller,
    zoom: &str,
    commands: &mut Vec<Command>,
) {
    let frame = theme::panel(ui);
    Panel::top("menu")
        .frame(frame)
        .show(ui, |ui| menu::show(ui, controller, commands));
    Panel::bottom("status")
        .frame(frame)
        .show(ui, |ui| status::show(ui, controller, zoom, commands));
    match controller.run_summary() {
        Some(run) => {
            Panel::top("playback")
                .frame(frame)
                .show(ui, |ui| playback::show(ui, &run, commands));
            Panel::right("settings")
                .frame(frame)
                .default_size(290.0)
                .min_size(240.0)
                .show(ui, |ui| {
                    egui::ScrollArea::vertical().show(ui, |ui| {
                        if let Some(status) = controller.battle_status() {
                            life_battle::show(ui, &status, &mut controller.battle_form, commands);
                        } else if let Some(status) = controller.rezolution_status() {
                            rezolution::show(
                                ui,
                                &status,
                                &mut controller.rezolution_form,
                                commands,
                            );
                        }
                        if controller.display.chart {
                            ui.add_space(8.0);
                            chart::show(ui, controller);
                        }
                    });
                });
        }
        None => {
            Panel::right("game")
                .frame(frame)
                .default_size(290.0)
                .min_size(240.0)
                .show(ui, |ui| match &controller.game {
                    Game::Immigration(_) => immigration::show(ui, controller, commands),
                    _ => fragment::show(ui, controller, commands),
                });
        }
    }
    dialogs::show(ui.ctx(), controller, commands);
}

/// Gives a widget a name for screen readers.
fn named(response: &egui::Response, name: &str) {
    response
        .ctx
        .accesskit_node_builder(response.id, |node| node.set_label(name));
}
