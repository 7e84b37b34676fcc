//! The bar that plays a battle and says how it stands.

use egui::{Button, Color32, DragValue, RichText, Ui};

use crate::app::actions::{Action, Speed, Tool};
use crate::app::battle::Facts;
use crate::app::look;

/// The fastest pace that can be set.
const MOST_PACE: u32 = 1000;

pub(super) fn show(ui: &mut Ui, facts: &Facts, asked: &mut Vec<Action>) {
    ui.add_space(3.0);
    ui.horizontal_wrapped(|ui| {
        let can_run = !facts.is_locked && facts.verdict.is_none();
        let name = if facts.is_playing { "Pause" } else { "Play" };
        let button = Button::new(RichText::new(name).strong()).min_size(egui::vec2(84.0, 26.0));
        if ui
            .add_enabled(can_run, button)
            .on_hover_text("Play or pause (P)")
            .on_disabled_hover_text(why_not(facts))
            .clicked()
        {
            asked.push(Action::TogglePlay);
        }
        if ui
            .add_enabled(
                can_run,
                Button::new("Step").min_size(egui::vec2(48.0, 26.0)),
            )
            .on_hover_text("Pause, then compute one generation (S)")
            .on_disabled_hover_text(why_not(facts))
            .clicked()
        {
            asked.push(Action::Step);
        }
        if ui
            .add(Button::new("Restart").min_size(egui::vec2(60.0, 26.0)))
            .on_hover_text("Back to the start pattern (R)")
            .clicked()
        {
            asked.push(Action::Restart);
        }
        ui.separator();
        speed(ui, facts, asked);
        ui.separator();
        for (name, tool, about) in [
            ("View", Tool::View, "Drag to move, wheel to zoom (V)"),
            ("Red", Tool::Red, "Paint red cells (1)"),
            ("Blue", Tool::Blue, "Paint blue cells (2)"),
            ("Eraser", Tool::Eraser, "Erase cells (3)"),
        ] {
            let text = match tool {
                Tool::Red => RichText::new(name).color(look::red(ui)),
                Tool::Blue => RichText::new(name).color(look::blue(ui)),
                _ => RichText::new(name),
            };
            let button =
                Button::selectable(facts.tool == tool, text).min_size(egui::vec2(0.0, 26.0));
            if ui.add(button).on_hover_text(about).clicked() {
                asked.push(Action::SetTool(tool));
            }
        }
        ui.separator();
        let cells = |ui: &mut Ui, name: &str, count: u64, colour: Color32| {
            let text = format!("{name} {}", look::grouped(count));
            ui.label(RichText::new(text).color(colour).strong().monospace());
        };
        ui.label(
            RichText::new(format!("Generation {}", look::grouped(facts.generation)))
                .strong()
                .monospace(),
        );
        cells(ui, "Red", facts.census.red, look::red(ui));
        cells(ui, "Blue", facts.census.blue, look::blue(ui));
    });
    ui.add_space(3.0);
}

fn speed(ui: &mut Ui, facts: &Facts, asked: &mut Vec<Action>) {
    let pace = match facts.speed {
        Speed::Paced(pace) => pace,
        Speed::Fastest => 10,
    };
    let mut fastest = facts.speed == Speed::Fastest;
    let mut value = pace;
    let label = ui.label("Speed");
    let changed = ui
        .add_enabled(
            !fastest,
            DragValue::new(&mut value)
                .range(1..=MOST_PACE)
                .speed(0.5)
                .suffix(" gen/s"),
        )
        .labelled_by(label.id)
        .on_hover_text(
            "Generations a second; at most four a frame are computed, and none is skipped",
        )
        .changed();
    if changed {
        asked.push(Action::SetSpeed(Speed::Paced(value)));
    }
    if ui
        .checkbox(&mut fastest, "as fast as possible")
        .on_hover_text("Half of the time computes, the other half draws")
        .changed()
    {
        let speed = if fastest {
            Speed::Fastest
        } else {
            Speed::Paced(pace)
        };
        asked.push(Action::SetSpeed(speed));
    }
}

const fn why_not(facts: &Facts) -> &'static str {
    if facts.is_locked {
        "Settings have been changed: apply or discard them first"
    } else {
        "The battle is over: restart it or change the board"
    }
}
