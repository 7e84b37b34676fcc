//! The panel of a battle: the draft of its settings, and its start pattern.

use egui::{Button, ComboBox, DragValue, Grid, RichText, TextEdit, Ui};

use super::{fields, named};
use crate::app::command::{BattleCommand, CommandQueue, RunCommand};
use crate::app::life_battle::start_pattern_name;
use crate::app::run_status::RunStatus;
use crate::game::life_battle::{DEFAULT_LIMIT, Settings, StartPattern};
use crate::game::opening::GameName;
use crate::rules::{Ties, notation};

/// Rules in the list of names.
const RULES: &[&str] = &[
    "Life",
    "HighLife",
    "Day & Night",
    "Seeds",
    "Maze",
    "Coral",
    "34 Life",
    "Replicator",
    "Amoeba",
    "Diamoeba",
    "Morley",
    "2x2",
];

/// The texts being typed.
#[derive(Debug, Default)]
pub(in crate::app) struct BattleForm {
    rule: String,
    /// The draft that the texts represent; another draft replaces them.
    of: Option<Settings>,
    width: u64,
    height: u64,
    seed: String,
    error: Option<String>,
}

impl BattleForm {
    fn follow(&mut self, draft: Settings) {
        if self.of == Some(draft) {
            return;
        }
        // Text with the same meaning is kept as typed.
        if notation::parse(&self.rule) != Ok(draft.rule) {
            self.rule = draft.rule.to_string();
        }
        (self.width, self.height) = (draft.size.width().into(), draft.size.height().into());
        if self.seed.parse() != Ok(draft.seed) {
            self.seed = draft.seed.to_string();
        }
        self.error = None;
        self.of = Some(draft);
    }
}

pub(super) fn show(
    ui: &mut Ui,
    status: &RunStatus<Settings>,
    form: &mut BattleForm,
    commands: &mut CommandQueue,
) {
    form.follow(status.draft);
    let mut draft = status.draft;
    ui.add_space(6.0);
    ui.heading(match status.kind {
        GameName::Duel => "Two-player Life",
        GameName::Battle | GameName::Fragment | GameName::Immigration | GameName::Rezolution => {
            "Life Battle"
        }
    });
    ui.add_space(4.0);
    Grid::new("settings")
        .num_columns(2)
        .spacing([10.0, 7.0])
        .show(ui, |ui| {
            if status.kind == GameName::Duel {
                ui.label("Rule");
                ui.label("B3/S23, dead edges");
                ui.end_row();
            } else {
                rule(ui, form, &mut draft);
                fields::edges(ui, &mut draft.edges);
            }
            match fields::size(ui, &mut form.width, &mut form.height) {
                Some(Ok(size)) => {
                    draft.size = size;
                    form.error = None;
                }
                Some(Err(why)) => form.error = Some(why),
                None => {}
            }
            seed(ui, form, &mut draft, commands);
            ties(ui, &mut draft);
            if status.kind != GameName::Duel {
                limit(ui, &mut draft);
            }
            fields::pause_every(ui, &status.summary(), commands);
        });
    if draft != status.draft {
        form.of = Some(draft);
        commands.push(BattleCommand::SetDraft(draft));
    }
    fields::apply(ui, &status.summary(), form.error.as_ref(), commands);
    ui.add_space(6.0);
    ui.separator();
    start_pattern(ui, status, commands);
}

fn rule(ui: &mut Ui, form: &mut BattleForm, draft: &mut Settings) {
    let label = ui.label("Rule");
    ui.horizontal(|ui| {
        let edit = ui
            .add(TextEdit::singleline(&mut form.rule).desired_width(92.0))
            .labelled_by(label.id)
            .on_hover_text("B3/S23, 23/3 or a name such as HighLife");
        if edit.changed() {
            match notation::parse(&form.rule) {
                Ok(rule) => {
                    draft.rule = rule;
                    form.error = None;
                }
                Err(error) => form.error = Some(error.to_string()),
            }
        }
        let names = ComboBox::from_id_salt("rules")
            .selected_text("…")
            .width(30.0);
        let shown = names.show_ui(ui, |ui| {
            for name in RULES {
                if ui.selectable_label(false, *name).clicked()
                    && let Ok(rule) = notation::parse(name)
                {
                    draft.rule = rule;
                    form.rule = rule.to_string();
                    form.error = None;
                }
            }
        });
        named(&shown.response, "Rules by name");
        shown.response.on_hover_text("Rules by name");
    });
    ui.end_row();
}

fn seed(ui: &mut Ui, form: &mut BattleForm, draft: &mut Settings, commands: &mut CommandQueue) {
    let label = ui.label("Seed");
    ui.horizontal(|ui| {
        let edit = ui
            .add(TextEdit::singleline(&mut form.seed).desired_width(92.0))
            .labelled_by(label.id)
            .on_hover_text("Of the start pattern and of seeded ties");
        if edit.changed() {
            match form.seed.trim().parse() {
                Ok(seed) => {
                    *draft = draft.with_seed(seed);
                    form.error = None;
                }
                Err(_) => form.error = Some("a seed is a whole number from 0 on".into()),
            }
        }
        if ui
            .button("New")
            .on_hover_text("Another seed, and a start pattern from it")
            .clicked()
        {
            commands.push(BattleCommand::GenerateNew);
        }
    });
    ui.end_row();
}

fn ties(ui: &mut Ui, draft: &mut Settings) {
    let label = ui.label("Ties");
    let name = |ties: Ties| match ties {
        Ties::Seeded(_) => "seeded",
        Ties::Red => "red",
        Ties::Blue => "blue",
        Ties::Checkerboard => "checkerboard",
    };
    let shown = ComboBox::from_id_salt("ties")
        .selected_text(name(draft.ties))
        .show_ui(ui, |ui| {
            for ties in [
                Ties::Seeded(draft.seed),
                Ties::Red,
                Ties::Blue,
                Ties::Checkerboard,
            ] {
                ui.selectable_value(&mut draft.ties, ties, name(ties));
            }
        });
    let response = shown.response.labelled_by(label.id);
    named(&response, "Ties");
    response.on_hover_text("The colour of a birth with equally many red and blue parents");
    ui.end_row();
}

fn limit(ui: &mut Ui, draft: &mut Settings) {
    ui.label("Limit");
    ui.horizontal(|ui| {
        let mut has = draft.limit.is_some();
        if ui
            .checkbox(&mut has, "after")
            .on_hover_text("At this generation the colour with more cells wins")
            .changed()
        {
            draft.limit = has.then_some(DEFAULT_LIMIT);
        }
        if let Some(limit) = &mut draft.limit {
            let value = DragValue::new(limit).range(1..=u64::MAX).speed(10.0);
            let response = ui.add(value).on_hover_text("Generation limit");
            named(&response, "Generation limit");
        }
    });
    ui.end_row();
}

fn start_pattern(ui: &mut Ui, status: &RunStatus<Settings>, commands: &mut CommandQueue) {
    ui.add_space(4.0);
    ui.label(RichText::new("Start pattern").strong());
    ui.horizontal(|ui| {
        for pattern in [StartPattern::Mirrored, StartPattern::Random] {
            let about = match pattern {
                StartPattern::Mirrored => {
                    "The left half red, the right half its mirror image in blue"
                }
                StartPattern::Random => "Red and blue equally likely everywhere",
            };
            let radio = ui.radio(
                status.extras.pattern == pattern,
                start_pattern_name(pattern),
            );
            if radio.on_hover_text(about).clicked() {
                commands.push(BattleCommand::SetStartPattern(pattern));
            }
        }
    });
    let label = ui.label("Density");
    let mut percent = status.extras.density * 100.0;
    let slider = egui::Slider::new(&mut percent, 0.0..=100.0)
        .suffix(" %")
        .max_decimals(1);
    if ui
        .add(slider)
        .labelled_by(label.id)
        .on_hover_text("Share of live cells in the next start pattern")
        .changed()
    {
        commands.push(BattleCommand::SetDensity((percent / 100.0).clamp(0.0, 1.0)));
    }
    ui.add_space(4.0);
    ui.horizontal(|ui| {
        let can_edit = !status.is_locked;
        let generate = Button::new("Generate").min_size(egui::vec2(84.0, 26.0));
        if ui
            .add_enabled(can_edit, generate)
            .on_hover_text("Draws the start pattern of this seed (G)")
            .clicked()
        {
            commands.push(BattleCommand::Generate);
        }
        let clear = Button::new("Clear").min_size(egui::vec2(60.0, 26.0));
        if ui
            .add_enabled(can_edit, clear)
            .on_hover_text("Clears the board; can be undone")
            .clicked()
        {
            commands.push(RunCommand::Clear);
        }
    });
    fields::dropped(ui, &status.summary());
}
