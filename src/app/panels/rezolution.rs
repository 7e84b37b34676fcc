//! How reZolution stands, and what can be set.

use egui::{Button, Grid, RichText, TextEdit, Ui};

use super::fields;
use crate::app::actions::{Action, Rezolution};
use crate::app::look;
use crate::app::table::Facts;
use crate::game::rezolution::{Settings, Status};

/// What is being typed.
#[derive(Debug, Default)]
pub(in crate::app) struct RezolutionForm {
    width: u64,
    height: u64,
    /// The draft the size belongs to; another one replaces it.
    of: Option<Settings>,
    seed: String,
    /// The seed of the last demo, whose text is replaced when there is another one.
    last_seed: Option<u64>,
    error: Option<String>,
}

impl RezolutionForm {
    fn follow(&mut self, facts: &Facts<Settings>) {
        if self.of != Some(facts.draft) {
            let size = facts.draft.size;
            (self.width, self.height) = (size.width().into(), size.height().into());
            self.error = None;
            self.of = Some(facts.draft);
        }
        if self.last_seed != Some(facts.beside) {
            self.seed = facts.beside.to_string();
            self.last_seed = Some(facts.beside);
        }
    }
}

pub(super) fn show(
    ui: &mut Ui,
    facts: &Facts<Settings>,
    form: &mut RezolutionForm,
    asked: &mut Vec<Action>,
) {
    form.follow(facts);
    let run = facts.run();
    ui.add_space(6.0);
    ui.heading("reZolution");
    ui.label(
        "Populations of red and blue grow and fight. It ends when one of them reaches a target.",
    );
    ui.add_space(6.0);
    counters(ui, facts);
    ui.add_space(6.0);
    ui.horizontal(|ui| {
        let can_edit = !facts.is_locked;
        let demo = Button::new("Demo").min_size(egui::vec2(84.0, 26.0));
        if ui
            .add_enabled(can_edit, demo)
            .on_hover_text("Another random population in the middle; barriers and targets stay (G)")
            .clicked()
        {
            asked.push(Action::Rezolution(Rezolution::Demo(None)));
        }
        let clear = Button::new("Clear").min_size(egui::vec2(60.0, 26.0));
        if ui
            .add_enabled(can_edit, clear)
            .on_hover_text("Takes all populations off; barriers and targets stay. It can be undone")
            .clicked()
        {
            asked.push(Action::Clear);
        }
    });
    ui.add_space(6.0);
    ui.separator();
    let mut draft = facts.draft;
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
            seed(ui, facts, form, asked);
            fields::pause_every(ui, &run, asked);
        });
    if draft != facts.draft {
        form.of = Some(draft);
        asked.push(Action::Rezolution(Rezolution::Draft(draft)));
    }
    fields::apply(ui, &run, form.error.as_ref(), asked);
    fields::dropped(ui, &run);
    ui.add_space(6.0);
    ui.separator();
    ui.weak("The larger a population, the brighter its cell. Barriers are black, targets have a yellow frame.");
}

/// Cells, populations, and how it stands.
fn counters(ui: &mut Ui, facts: &Facts<Settings>) {
    let census = facts.census;
    Grid::new("counters")
        .num_columns(3)
        .spacing([16.0, 5.0])
        .show(ui, |ui| {
            for name in ["", "Cells", "Population"] {
                ui.label(name);
            }
            ui.end_row();
            for (name, colour, cells, population) in [
                ("Red", look::red(ui), census.red, census.red_population),
                ("Blue", look::blue(ui), census.blue, census.blue_population),
            ] {
                ui.label(RichText::new(name).color(colour).strong());
                for number in [cells, population] {
                    ui.label(RichText::new(look::grouped(number)).strong().monospace());
                }
                ui.end_row();
            }
        });
    let status = Status::of(census, facts.is_unchanged).to_string();
    ui.label(RichText::new(look::capital(&status)).strong());
}

/// The seed of the last demo, and the way to draw that of another one.
fn seed(ui: &mut Ui, facts: &Facts<Settings>, form: &mut RezolutionForm, asked: &mut Vec<Action>) {
    let label = ui.label("Seed");
    ui.horizontal(|ui| {
        ui.add(TextEdit::singleline(&mut form.seed).desired_width(92.0))
            .labelled_by(label.id)
            .on_hover_text("Of the last demo; duolife run --rule rezolution --seed draws the same");
        let seed: Option<u64> = form.seed.trim().parse().ok();
        let draw = Button::new("Draw");
        if ui
            .add_enabled(seed.is_some() && !facts.is_locked, draw)
            .on_hover_text("The demo of this seed")
            .on_disabled_hover_text("A seed is a whole number from 0 on")
            .clicked()
        {
            asked.push(Action::Rezolution(Rezolution::Demo(seed)));
        }
    });
    ui.end_row();
}
