//! The panel of the Immigration Game: whose turn it is, cells and counters, and a new game.

use egui::{Button, ComboBox, DragValue, Grid, RichText, Ui};

use crate::app::command::{Command, CommandQueue, ImmigrationCommand};
use crate::app::controller::{ActiveGame, Controller};
use crate::app::theme;
use crate::board::Size;
use crate::game::immigration::{DEFAULT_SIDE, MAX_SIDE, Phase, Player, Setup};
use crate::game::opponent::PlayerKind;

/// The form for a new game.
#[derive(Clone, Copy, Debug)]
pub(in crate::app) struct ImmigrationForm {
    width: u64,
    height: u64,
    players: [PlayerKind; 2],
}

impl Default for ImmigrationForm {
    fn default() -> Self {
        Self {
            width: DEFAULT_SIDE,
            height: DEFAULT_SIDE,
            players: [PlayerKind::Person, PlayerKind::Computer],
        }
    }
}

impl ImmigrationForm {
    pub(in crate::app) const fn players(self) -> [PlayerKind; 2] {
        self.players
    }

    fn setup(self) -> Result<Setup, String> {
        let size = Size::new(self.width, self.height).map_err(|error| error.to_string())?;
        Setup::new(size, Player::Red).map_err(|error| error.to_string())
    }
}

pub(super) fn show(ui: &mut Ui, controller: &mut Controller, commands: &mut CommandQueue) {
    let ActiveGame::Immigration(table) = &controller.game else {
        return;
    };
    let game = table.game();
    let census = game.board().census();
    ui.add_space(6.0);
    ui.heading("Immigration Game");
    ui.label("Place counters on dead cells; after every round ten generations run. The last colour left wins.");
    ui.add_space(8.0);
    let colour = |ui: &Ui, player: Player| match player {
        Player::Red => theme::red(ui),
        Player::Blue => theme::blue(ui),
    };
    let (turn, colour_of_turn) = match game.phase() {
        Phase::Placing { player, .. } if table.is_thinking() => {
            (format!("{player} is thinking..."), Some(player))
        }
        Phase::Placing { player, .. } => (format!("{player} places a counter"), Some(player)),
        Phase::Running { left } => (format!("generations to run: {left}"), None),
        Phase::Waiting { waited } => (format!("equal: waiting for a lead ({waited})"), None),
        Phase::Over(result) => (format!("over: {result}"), None),
    };
    let text = RichText::new(theme::capital(&turn)).size(17.0).strong();
    match colour_of_turn {
        Some(player) => ui.label(text.color(colour(ui, player))),
        None => ui.label(text),
    };
    ui.add_space(8.0);
    Grid::new("standing")
        .num_columns(3)
        .spacing([16.0, 6.0])
        .show(ui, |ui| {
            ui.label("");
            ui.label("Cells");
            ui.label("Counters left");
            ui.end_row();
            for (name, player) in [("Red", Player::Red), ("Blue", Player::Blue)] {
                let strong = |text: String| RichText::new(text).strong().monospace();
                ui.label(RichText::new(name).color(colour(ui, player)).strong());
                ui.label(strong(theme::grouped(player.count(census))));
                ui.label(strong(game.counters_left(player).to_string()));
                ui.end_row();
            }
        });
    ui.label(format!("Generation {}", theme::grouped(game.generation())));
    ui.add_space(6.0);
    let can_undo = !game.undoable().is_empty();
    let back = Button::new("Take back").min_size(egui::vec2(90.0, 28.0));
    if ui
        .add_enabled(can_undo, back)
        .on_hover_text("The last counter of this round (Ctrl+Z)")
        .clicked()
    {
        commands.push(ImmigrationCommand::TakeBack);
    }
    ui.add_space(10.0);
    ui.separator();
    ui.label(RichText::new("New game").strong());
    let form = &mut controller.immigration_form;
    Grid::new("new immigration")
        .num_columns(2)
        .spacing([12.0, 6.0])
        .show(ui, |ui| {
            for (name, value) in [("Columns", &mut form.width), ("Rows", &mut form.height)] {
                let label = ui.label(name);
                ui.add(DragValue::new(value).range(1..=u64::from(MAX_SIDE)))
                    .labelled_by(label.id);
                ui.end_row();
            }
            let before = form.players;
            for (name, who) in ["Red", "Blue"].into_iter().zip(&mut form.players) {
                let label = ui.label(name);
                let shown = ComboBox::from_id_salt(name)
                    .selected_text(who.name())
                    .show_ui(ui, |ui| {
                        for choice in [PlayerKind::Person, PlayerKind::Computer] {
                            ui.selectable_value(who, choice, choice.name());
                        }
                    });
                super::named(&shown.response, name);
                shown
                    .response
                    .labelled_by(label.id)
                    .on_hover_text("Who plays this colour, from now on");
                ui.end_row();
            }
            if form.players != before {
                commands.push(Command::Immigration(ImmigrationCommand::SetPlayers(
                    form.players,
                )));
            }
        });
    match form.setup() {
        Ok(setup) => {
            let button = Button::new("New game").min_size(egui::vec2(90.0, 28.0));
            if ui
                .add(button)
                .on_hover_text("From an empty board (N)")
                .clicked()
            {
                commands.push(Command::Immigration(ImmigrationCommand::NewGame(
                    setup,
                    form.players,
                )));
            }
        }
        Err(error) => {
            ui.colored_label(theme::error(ui), error);
        }
    }
}
