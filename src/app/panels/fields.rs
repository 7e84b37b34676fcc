//! Settings fields of several games.

use egui::{Button, DragValue, RichText, Ui};

use super::named;
use crate::app::command::{CommandQueue, RunCommand};
use crate::app::run_status::RunSummary;
use crate::app::theme;
use crate::board::{Edges, Size};

/// The longest side of a board. A board that is too large in all is rejected when applied.
const MOST_SIDE: u64 = u32::MAX as u64;

/// Columns and rows. Returns the size, or why it is invalid, when it was changed.
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

/// How the board ends at its border.
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

/// When the run pauses automatically.
pub(super) fn pause_every(ui: &mut Ui, run: &RunSummary, commands: &mut CommandQueue) {
    ui.label("Pause");
    ui.horizontal(|ui| {
        let mut has = run.pause_every.is_some();
        let changed = ui
            .checkbox(&mut has, "every")
            .on_hover_text("Pauses automatically at every multiple of this number of generations")
            .changed();
        if changed {
            commands.push(RunCommand::PauseEvery(has.then_some(100)));
        }
        if let Some(mut every) = run.pause_every {
            let response = ui.add(DragValue::new(&mut every).range(1..=u64::MAX));
            named(&response, "Generations between pauses");
            if response.changed() {
                commands.push(RunCommand::PauseEvery(Some(every)));
            }
        }
    });
    ui.end_row();
}

/// The buttons that apply and discard a draft.
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
            .on_hover_text("Applies the settings; the present board becomes the start pattern")
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
            "Settings have been changed: apply or discard them to run or paint.",
        );
    }
}

/// The dropped waiting time, if there was any.
pub(super) fn dropped(ui: &mut Ui, run: &RunSummary) {
    if run.dropped.is_zero() {
        return;
    }
    ui.add_space(4.0);
    ui.label(format!(
        "Dropped waiting time: {}",
        theme::seconds(run.dropped)
    ))
    .on_hover_text(
        "The run could not keep its pace. No generation was skipped; they follow later.",
    );
}
