//! Fields that the settings of several games have.

use egui::{Button, DragValue, RichText, Ui};

use super::named;
use crate::app::command::{CommandQueue, RunCommand};
use crate::app::run_status::RunSummary;
use crate::app::theme;
use crate::board::{Edges, Size};

/// The longest side a board can have: what is too large in all is refused when it is applied.
const MOST_SIDE: u64 = u32::MAX as u64;

/// Columns and rows. Returns the size, or why it is none, when it was changed.
pub(super) fn size(ui: &mut Ui, width: &mut u64, height: &mut u64) -> Option<Result<Size, String>> {
    let label = ui.label("Size");
    let changed = ui.horizontal(|ui| {
        let columns = ui
            .add(DragValue::new(width).range(1..=MOST_SIDE))
            .labelled_by(label.id)
            .on_hover_text("Columns");
        ui.label("x");
        let rows = ui
            .add(DragValue::new(height).range(1..=MOST_SIDE))
            .labelled_by(label.id)
            .on_hover_text("Rows");
        columns.changed() || rows.changed()
    });
    ui.end_row();
    let size = || Size::new(*width, *height).map_err(|error| error.to_string());
    changed.inner.then(size)
}

/// What lies beyond the border.
pub(super) fn edges(ui: &mut Ui, edges: &mut Edges) {
    ui.label("Edges");
    ui.horizontal(|ui| {
        ui.radio_value(edges, Edges::Torus, "torus")
            .on_hover_text("Opposite sides are joined");
        ui.radio_value(edges, Edges::Dead, "dead")
            .on_hover_text("Everything outside is dead");
    });
    ui.end_row();
}

/// When the run pauses by itself.
pub(super) fn pause_every(ui: &mut Ui, run: &RunSummary, commands: &mut CommandQueue) {
    ui.label("Pause");
    ui.horizontal(|ui| {
        let mut has = run.pause_every.is_some();
        let changed = ui
            .checkbox(&mut has, "every")
            .on_hover_text("Pauses by itself at every multiple of so many generations")
            .changed();
        if changed {
            commands.push(RunCommand::PauseEvery(has.then_some(100)));
        }
        if let Some(mut every) = run.pause_every {
            let response = ui.add(DragValue::new(&mut every).range(1..=u64::MAX));
            named(&response, "Pause every so many generations");
            if response.changed() {
                commands.push(RunCommand::PauseEvery(Some(every)));
            }
        }
    });
    ui.end_row();
}

/// The buttons that put a draft in force or give it up.
pub(super) fn apply(
    ui: &mut Ui,
    run: &RunSummary,
    error: Option<&String>,
    commands: &mut CommandQueue,
) {
    if let Some(error) = error {
        ui.colored_label(theme::error(ui), error);
    }
    ui.add_space(6.0);
    ui.horizontal(|ui| {
        let apply = Button::new(RichText::new("Apply").strong()).min_size(egui::vec2(72.0, 26.0));
        let can_apply = run.is_locked && error.is_none();
        if ui
            .add_enabled(can_apply, apply)
            .on_hover_text(
                "Puts the settings in force; the present board becomes the start pattern",
            )
            .clicked()
        {
            commands.push(RunCommand::Apply);
        }
        let discard = Button::new("Discard").min_size(egui::vec2(72.0, 26.0));
        if ui.add_enabled(run.is_locked, discard).clicked() {
            commands.push(RunCommand::Discard);
        }
    });
    if run.is_locked {
        ui.colored_label(
            ui.visuals().warn_fg_color,
            "Changed settings wait: nothing runs or is painted until they are applied or discarded.",
        );
    }
}

/// The waiting time that was dropped, if there was any.
pub(super) fn dropped(ui: &mut Ui, run: &RunSummary) {
    if run.dropped.is_zero() {
        return;
    }
    ui.add_space(4.0);
    ui.label(format!(
        "Dropped waiting time: {}",
        theme::seconds(run.dropped)
    ))
    .on_hover_text("It could not keep its pace. No generation was skipped; they come later.");
}
