//! The playback bar: play, step, restart, speed, tools and the census of a run.

use egui::{Button, Color32, DragValue, RichText, Ui};

use crate::app::command::{CommandQueue, RunCommand, Tool};
use crate::app::run_status::RunSummary;
use crate::app::theme;
use crate::game::session::Speed;

/// The highest pace, in generations per second.
const MOST_PACE: u32 = 1000;

pub(super) fn show(ui: &mut Ui, run: &RunSummary, commands: &mut CommandQueue) {
    ui.add_space(3.0);
    ui.horizontal_wrapped(|ui| {
        let can_run = !run.is_locked && !run.is_over;
        let labels = run.labels;
        let name = if run.is_playing {
            labels.pause
        } else {
            labels.play
        };
        let button = Button::new(RichText::new(name).strong()).min_size(egui::vec2(84.0, 26.0));
        if ui
            .add_enabled(can_run, button)
            .on_hover_text(labels.play_hint)
            .on_disabled_hover_text(why_not(run))
            .clicked()
        {
            commands.push(RunCommand::TogglePlay);
        }
        if ui
            .add_enabled(
                can_run,
                Button::new("Step").min_size(egui::vec2(48.0, 26.0)),
            )
            .on_hover_text("Pause, then compute one generation (S)")
            .on_disabled_hover_text(why_not(run))
            .clicked()
        {
            commands.push(RunCommand::Step);
        }
        if ui
            .add(Button::new("Restart").min_size(egui::vec2(60.0, 26.0)))
            .on_hover_text("Back to the start pattern (R)")
            .clicked()
        {
            commands.push(RunCommand::Restart);
        }
        ui.separator();
        speed(ui, run, commands);
        ui.separator();
        for &(name, tool, about) in labels.tools {
            let text = match tool {
                Tool::Red => RichText::new(name).color(theme::red(ui)),
                Tool::Blue => RichText::new(name).color(theme::blue(ui)),
                Tool::View | Tool::Eraser | Tool::Barrier | Tool::Target => RichText::new(name),
            };
            let button = Button::selectable(run.tool == tool, text).min_size(egui::vec2(0.0, 26.0));
            if ui.add(button).on_hover_text(about).clicked() {
                commands.push(RunCommand::SetTool(tool));
            }
        }
        ui.separator();
        let cells = |ui: &mut Ui, name: &str, count: u64, colour: Color32| {
            let text = format!("{name} {}", theme::grouped(count));
            ui.label(RichText::new(text).color(colour).strong().monospace());
        };
        ui.label(
            RichText::new(format!("Generation {}", theme::grouped(run.generation)))
                .strong()
                .monospace(),
        );
        cells(ui, "Red", run.cells.red, theme::red(ui));
        cells(ui, "Blue", run.cells.blue, theme::blue(ui));
    });
    ui.add_space(3.0);
}

fn speed(ui: &mut Ui, run: &RunSummary, commands: &mut CommandQueue) {
    let pace = match run.speed {
        Speed::Paced(pace) => pace,
        Speed::Fastest => 10,
    };
    let mut fastest = run.speed == Speed::Fastest;
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
            "Generations per second; each frame computes at most four, and none is skipped",
        )
        .changed();
    if changed {
        commands.push(RunCommand::SetSpeed(Speed::Paced(value)));
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
        commands.push(RunCommand::SetSpeed(speed));
    }
}

/// Why the run cannot play.
const fn why_not(run: &RunSummary) -> &'static str {
    if run.is_locked {
        "Settings have been changed: apply or discard them first"
    } else {
        run.labels.over_hint
    }
}
