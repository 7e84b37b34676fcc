//! The panels around the board. A panel shows the state and emits commands; it changes nothing itself but
//! the text typed into it.

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

use super::command::CommandQueue;
use super::controller::{ActiveGame, Controller};
use super::theme;

/// Shows everything but the board, which takes the remaining space.
pub(super) fn show(
    ui: &mut Ui,
    controller: &mut Controller,
    zoom: &str,
    commands: &mut CommandQueue,
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
                    ActiveGame::Immigration(_) => immigration::show(ui, controller, commands),
                    ActiveGame::Fragment(_) => fragment::show(ui, controller, commands),
                    // These have runs, which are shown above.
                    ActiveGame::Battle(_) | ActiveGame::Rezolution(_) => {}
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
