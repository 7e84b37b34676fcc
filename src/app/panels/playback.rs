//! The bar that plays a run and says how it stands.

use egui::{Button, Color32, DragValue, RichText, Ui};

use crate::app::command::{Command, Tool};
use crate::app::run_view::RunSummary;
use crate::app::theme;
use crate::game::opening::GameName;
use crate::game::session::Speed;

/// The fastest pace that can be set.
const MOST_PACE: u32 = 1000;

/// What the pointer can do: name, tool, and what it does.
type Tools = &'static [(&'static str, Tool, &'static str)];

const TOOLS: Tools = &[
    ("View", Tool::View, "Drag to move, wheel to zoom (V)"),
    ("Red", Tool::Red, "Paint red cells (1)"),
    ("Blue", Tool::Blue, "Paint blue cells (2)"),
    ("Eraser", Tool::Eraser, "Erase cells (3)"),
];

const REZOLUTION_TOOLS: Tools = &[
    ("View", Tool::View, "Drag to move, wheel to zoom (V)"),
    (
        "Red",
        Tool::Red,
        "Put a red population of one on empty cells (1)",
    ),
    (
        "Blue",
        Tool::Blue,
        "Put a blue population of one on empty cells (2)",
    ),
    ("Eraser", Tool::Eraser, "Clear cells of anything (3)"),
    (
        "Barrier",
        Tool::Barrier,
        "Make empty cells barriers, which nothing populates (4)",
    ),
    (
        "Target",
        Tool::Target,
        "Make empty cells targets: a population there ends the run (5)",
    ),
];

pub(super) fn show(ui: &mut Ui, run: &RunSummary, commands: &mut Vec<Command>) {
    ui.add_space(3.0);
    ui.horizontal_wrapped(|ui| {
        let can_run = !run.is_locked && !run.is_over;
        let (name, about, tools) = match (run.kind, run.is_playing) {
            (GameName::Rezolution, false) => ("Start", "Start or stop (P)", REZOLUTION_TOOLS),
            (GameName::Rezolution, true) => ("Stop", "Start or stop (P)", REZOLUTION_TOOLS),
            (_, false) => ("Play", "Play or pause (P)", TOOLS),
            (_, true) => ("Pause", "Play or pause (P)", TOOLS),
        };
        let button = Button::new(RichText::new(name).strong()).min_size(egui::vec2(84.0, 26.0));
        if ui
            .add_enabled(can_run, button)
            .on_hover_text(about)
            .on_disabled_hover_text(why_not(run))
            .clicked()
        {
            commands.push(Command::TogglePlay);
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
            commands.push(Command::Step);
        }
        if ui
            .add(Button::new("Restart").min_size(egui::vec2(60.0, 26.0)))
            .on_hover_text("Back to the start pattern (R)")
            .clicked()
        {
            commands.push(Command::Restart);
        }
        ui.separator();
        speed(ui, run, commands);
        ui.separator();
        for &(name, tool, about) in tools {
            let text = match tool {
                Tool::Red => RichText::new(name).color(theme::red(ui)),
                Tool::Blue => RichText::new(name).color(theme::blue(ui)),
                _ => RichText::new(name),
            };
            let button = Button::selectable(run.tool == tool, text).min_size(egui::vec2(0.0, 26.0));
            if ui.add(button).on_hover_text(about).clicked() {
                commands.push(Command::SetTool(tool));
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

fn speed(ui: &mut Ui, run: &RunSummary, commands: &mut Vec<Command>) {
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
            "Generations a second; at most four a frame are computed, and none is skipped",
        )
        .changed();
    if changed {
        commands.push(Command::SetSpeed(Speed::Paced(value)));
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
        commands.push(Command::SetSpeed(speed));
    }
}

const fn why_not(run: &RunSummary) -> &'static str {
    match (run.is_locked, run.kind) {
        (true, _) => "Settings have been changed: apply or discard them first",
        (false, GameName::Rezolution) => "A target has been reached: restart or change the board",
        (false, _) => "The battle is over: restart it or change the board",
    }
}
