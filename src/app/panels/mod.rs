//! What stands around the board. A panel shows facts and says what is asked; it changes nothing
//! itself but the text that is being typed into it.

mod chart;
mod dialogs;
mod fields;
pub(super) mod file;
pub(super) mod film;
pub(super) mod immigration;
mod menu;
mod playback;
pub(super) mod puzzle;
pub(super) mod rezolution;
mod rules;
pub(super) mod settings;
mod status;

use egui::{Panel, Ui};

use super::actions::Action;
use super::controller::{Game, State};
use super::look;

/// Shows everything but the board; what is left is its place.
pub(super) fn show(ui: &mut Ui, state: &mut State, zoom: &str, asked: &mut Vec<Action>) {
    let frame = look::panel(ui);
    Panel::top("menu")
        .frame(frame)
        .show(ui, |ui| menu::show(ui, state, asked));
    Panel::bottom("status")
        .frame(frame)
        .show(ui, |ui| status::show(ui, state, zoom, asked));
    match state.run() {
        Some(run) => {
            Panel::top("playback")
                .frame(frame)
                .show(ui, |ui| playback::show(ui, &run, asked));
            Panel::right("settings")
                .frame(frame)
                .default_size(290.0)
                .min_size(240.0)
                .show(ui, |ui| {
                    egui::ScrollArea::vertical().show(ui, |ui| {
                        if let Some(facts) = state.facts() {
                            settings::show(ui, &facts, &mut state.form, asked);
                        } else if let Some(facts) = state.rezolution_facts() {
                            rezolution::show(ui, &facts, &mut state.rezolution_form, asked);
                        }
                        if state.display.chart {
                            ui.add_space(8.0);
                            chart::show(ui, state);
                        }
                    });
                });
        }
        None => {
            Panel::right("game")
                .frame(frame)
                .default_size(290.0)
                .min_size(240.0)
                .show(ui, |ui| match &state.game {
                    Game::Immigration(_) => immigration::show(ui, state, asked),
                    _ => puzzle::show(ui, state, asked),
                });
        }
    }
    dialogs::show(ui.ctx(), state, asked);
}

/// Gives a widget a name for screen readers.
fn named(response: &egui::Response, name: &str) {
    response
        .ctx
        .accesskit_node_builder(response.id, |node| node.set_label(name));
}
