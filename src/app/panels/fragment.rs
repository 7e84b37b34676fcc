//! The panel of the fragment puzzle.

use egui::{Button, DragValue, Grid, RichText, Ui};

use crate::app::command::{CommandQueue, FragmentCommand};
use crate::app::controller::{ActiveGame, Controller};
use crate::app::theme;
use crate::board::Size;
use crate::game::fragment::{Direction, MAX_SIDE, Settings};

/// The form for a new game.
#[derive(Clone, Copy, Debug)]
pub(in crate::app) struct FragmentForm {
    width: u32,
    height: u32,
    cells: u32,
    piece: u32,
    piece_cells: u32,
}

impl FragmentForm {
    pub(in crate::app) const fn of(settings: Settings) -> Self {
        Self {
            width: settings.field().width(),
            height: settings.field().height(),
            cells: settings.cells(),
            piece: settings.piece(),
            piece_cells: settings.piece_cells(),
        }
    }

    fn settings(self) -> Result<Settings, String> {
        let field =
            Size::new(self.width.into(), self.height.into()).map_err(|error| error.to_string())?;
        Settings::new(field, self.cells, self.piece, self.piece_cells)
            .map_err(|error| error.to_string())
    }
}

pub(super) fn show(ui: &mut Ui, controller: &mut Controller, commands: &mut CommandQueue) {
    let ActiveGame::Fragment(table) = &controller.game else {
        return;
    };
    let game = table.game();
    let form = controller
        .fragment_form
        .get_or_insert(FragmentForm::of(game.settings()));
    ui.add_space(6.0);
    ui.heading("Fragment puzzle");
    ui.label("Merge pieces into the field until nothing is left of it.");
    ui.add_space(8.0);
    let number = |value: Option<u64>| value.map_or("none yet".into(), theme::grouped);
    Grid::new("score")
        .num_columns(2)
        .spacing([12.0, 6.0])
        .show(ui, |ui| {
            for (name, value) in [
                ("Cells left", theme::grouped(game.field().census().alive())),
                ("Score", number(game.score())),
                ("Best score ever", number(table.best())),
                ("Merges", theme::grouped(game.merges().into())),
                ("Seed", game.seed().to_string()),
            ] {
                ui.label(name);
                ui.label(RichText::new(value).strong().monospace());
                ui.end_row();
            }
        });
    if game.is_won() {
        ui.add_space(6.0);
        ui.label(
            RichText::new("The field is empty: won!")
                .strong()
                .size(18.0),
        );
    }
    ui.add_space(8.0);
    let mut press = |ui: &mut Ui, name: &str, about: &str, width: f32, puzzle: FragmentCommand| {
        let button = Button::new(name).min_size(egui::vec2(width, 28.0));
        if ui.add(button).on_hover_text(about).clicked() {
            commands.push(puzzle);
        }
    };
    ui.horizontal(|ui| {
        for (name, direction) in [
            ("Left", Direction::Left),
            ("Up", Direction::Up),
            ("Down", Direction::Down),
            ("Right", Direction::Right),
        ] {
            press(
                ui,
                name,
                "Moves the piece (arrow keys)",
                52.0,
                FragmentCommand::Shift(direction),
            );
        }
    });
    ui.horizontal(|ui| {
        press(ui, "Rotate", "Clockwise (R)", 84.0, FragmentCommand::Turn);
        press(
            ui,
            "Merge",
            "Where no green cell lies on blue (Enter)",
            84.0,
            FragmentCommand::Merge,
        );
    });
    ui.add_space(10.0);
    ui.separator();
    ui.label(RichText::new("New game").strong());
    Grid::new("new puzzle")
        .num_columns(2)
        .spacing([12.0, 6.0])
        .show(ui, |ui| {
            for (name, value, most) in [
                ("Columns", &mut form.width, MAX_SIDE),
                ("Rows", &mut form.height, MAX_SIDE),
                ("Blue cells", &mut form.cells, MAX_SIDE * MAX_SIDE),
                ("Piece", &mut form.piece, MAX_SIDE),
                ("Green cells", &mut form.piece_cells, MAX_SIDE * MAX_SIDE),
            ] {
                let label = ui.label(name);
                ui.add(DragValue::new(value).range(1..=most))
                    .labelled_by(label.id);
                ui.end_row();
            }
        });
    match form.settings() {
        Ok(settings) => press(
            ui,
            "New game",
            "With another seed (N)",
            84.0,
            FragmentCommand::NewGame(settings, None),
        ),
        Err(error) => {
            ui.colored_label(theme::error(ui), error);
        }
    }
}
