//! The panel of reZolution: its census and status, and the draft of its settings.

use egui::{Button, Grid, RichText, TextEdit, Ui};

use super::fields;
use crate::app::command::{CommandQueue, RezolutionCommand, RunCommand};
use crate::app::run_status::RunStatus;
use crate::app::theme;
use crate::game::rezolution::{Settings, Status};

/// The texts being typed.
#[derive(Debug, Default)]
pub(in crate::app) struct RezolutionForm {
    width: u64,
    height: u64,
    /// The draft that the size represents; another draft replaces it.
    of: Option<Settings>,
    seed: String,
    /// The seed that the text represents; the seed of another demo replaces it.
    last_seed: Option<u64>,
    error: Option<String>,
}

impl RezolutionForm {
    fn follow(&mut self, status: &RunStatus<Settings>) {
        if self.of != Some(status.draft) {
            let size = status.draft.size;
            (self.width, self.height) = (size.width().into(), size.height().into());
            self.error = None;
            self.of = Some(status.draft);
        }
        if self.last_seed != Some(status.extras) {
            self.seed = status.extras.to_string();
            self.last_seed = Some(status.extras);
        }
    }
}

pub(super) fn show(
    ui: &mut Ui,
    status: &RunStatus<Settings>,
    form: &mut RezolutionForm,
    commands: &mut CommandQueue,
) {
    form.follow(status);
    let run = status.summary();
    ui.add_space(6.0);
    ui.heading("reZolution");
    ui.label(
        "Populations of red and blue grow and fight. It ends when one of them reaches a target.",
    );
    ui.add_space(6.0);
    counters(ui, status);
    ui.add_space(6.0);
    ui.horizontal(|ui| {
        let can_edit = !status.is_locked;
        let demo = Button::new("Demo").min_size(egui::vec2(84.0, 26.0));
        if ui
            .add_enabled(can_edit, demo)
            .on_hover_text("Another random population in the middle; barriers and targets stay (G)")
            .clicked()
        {
            commands.push(RezolutionCommand::Demo(None));
        }
        let clear = Button::new("Clear").min_size(egui::vec2(60.0, 26.0));
        if ui
            .add_enabled(can_edit, clear)
            .on_hover_text("Removes all populations; barriers and targets stay. Can be undone")
            .clicked()
        {
            commands.push(RunCommand::Clear);
        }
    });
    ui.add_space(6.0);
    ui.separator();
    let mut draft = status.draft;
    Grid::new("rezolution")
        .num_columns(2)
        .spacing([10.0, 7.0])
        .show(ui, |ui| {
            match fields::size(ui, &mut form.width, &mut form.height) {
                Some(Ok(size)) => {
                    draft.size = size;
                    form.error = None;
                }
                Some(Err(why)) => form.error = Some(why),
                None => {}
            }
            fields::edges(ui, &mut draft.edges);
            seed(ui, status, form, commands);
            fields::pause_every(ui, &run, commands);
        });
    if draft != status.draft {
        form.of = Some(draft);
        commands.push(RezolutionCommand::SetDraft(draft));
    }
    fields::apply(ui, &run, form.error.as_ref(), commands);
    fields::dropped(ui, &run);
    ui.add_space(6.0);
    ui.separator();
    ui.weak("The larger a population, the brighter its cell. Barriers are black, targets have a yellow frame.");
}

/// Cells, populations and the status.
fn counters(ui: &mut Ui, status: &RunStatus<Settings>) {
    let census = status.census;
    Grid::new("counters")
        .num_columns(3)
        .spacing([16.0, 5.0])
        .show(ui, |ui| {
            for name in ["", "Cells", "Population"] {
                ui.label(name);
            }
            ui.end_row();
            for (name, colour, cells, population) in [
                ("Red", theme::red(ui), census.red, census.red_population),
                ("Blue", theme::blue(ui), census.blue, census.blue_population),
            ] {
                ui.label(RichText::new(name).color(colour).strong());
                for number in [cells, population] {
                    ui.label(RichText::new(theme::grouped(number)).strong().monospace());
                }
                ui.end_row();
            }
        });
    let status = Status::of(census, status.is_unchanged).to_string();
    ui.label(RichText::new(theme::capital(&status)).strong());
}

/// The seed of the last demo, and a button to draw the demo of another seed.
fn seed(
    ui: &mut Ui,
    status: &RunStatus<Settings>,
    form: &mut RezolutionForm,
    commands: &mut CommandQueue,
) {
    let label = ui.label("Seed");
    ui.horizontal(|ui| {
        ui.add(TextEdit::singleline(&mut form.seed).desired_width(92.0))
            .labelled_by(label.id)
            .on_hover_text("Of the last demo; duolife run --rule rezolution --seed draws the same");
        let seed: Option<u64> = form.seed.trim().parse().ok();
        let draw = Button::new("Draw");
        if ui
            .add_enabled(seed.is_some() && !status.is_locked, draw)
            .on_hover_text("The demo of this seed")
            .on_disabled_hover_text("A seed is a whole number from 0 on")
            .clicked()
        {
            commands.push(RezolutionCommand::Demo(seed));
        }
    });
    ui.end_row();
}
