//! The rules of the games as help texts.

use egui::{Button, RichText, ScrollArea, Ui};

use crate::app::command::{Command, CommandQueue, Dialog};
use crate::game::opening::GameName;

/// A game, its name, and its rules: paragraphs of heading and text.
type Page = (
    GameName,
    &'static str,
    &'static [(&'static str, &'static str)],
);

const PAGES: &[Page] = &[
    (
        GameName::Battle,
        "Life Battle",
        &[
            (
                "Cells",
                "A cell is dead, red or blue. All cells change at once, by the number of their live neighbours among eight: B3/S23 means that a dead cell with 3 is born, and a live one with 2 or 3 survives. A survivor keeps its colour.",
            ),
            (
                "Colours",
                "A newborn cell takes the colour of the majority of its parents. If red and blue parents are equally many, which needs an even number of parents, the ties decide: always one colour, a checkerboard, or an order of the neighbours that the seed draws for every cell.",
            ),
            (
                "Edges",
                "A torus joins opposite sides; with dead edges everything outside is dead.",
            ),
            (
                "The end",
                "After every generation, in this order: both colours gone is a draw; one gone, the other wins; a board that equals that of one or two generations before is a draw by coexistence; at the limit the colour with more cells wins, and equal numbers are a draw.",
            ),
            (
                "Start patterns",
                "Mirrored: every cell of the left half is red with the chosen density, and its mirror image blue. Random: the density is that of both colours together. The same size, seed, density and kind always give the same start.",
            ),
            (
                "Settings",
                "Changed settings pause the battle until they are applied or discarded; the density only affects the next start pattern. Restart goes back to the last start pattern.",
            ),
        ],
    ),
    (
        GameName::Duel,
        "Two-player Life",
        &[
            (
                "Cells",
                "Conway's Life, B3/S23, on a board with dead edges. Three parents are never equal, so the majority of them always decides the colour of a birth.",
            ),
            (
                "The end",
                "A player without cells has lost; if both have none, it is a tie. Here a board that repeats with period 1 or 2 ends in coexistence, since it would repeat for ever.",
            ),
            (
                "Files",
                "Boards come from text grids: rows and columns in the first line, then . for dead, 1 for red and 2 for blue. In a terminal: duolife duel FILE.",
            ),
        ],
    ),
    (
        GameName::Immigration,
        "Immigration Game",
        &[
            (
                "Set-up",
                "On a torus under B3/S23 the players take turns to place five counters each on dead cells; red begins.",
            ),
            (
                "Rounds",
                "Ten generations run. If both then have the same number of cells, single generations follow until one side leads. The leader places one counter on a dead cell, then the other side one, and ten generations run again.",
            ),
            (
                "The end",
                "The game ends after any generation that leaves at most one colour: that colour wins; if none is left, it is a draw. If a board repeats while the game waits for a lead, the game is a stalemate, and a draw.",
            ),
            (
                "Records",
                "Save a game as .json and open it again to resume it, here or with duolife immigration.",
            ),
        ],
    ),
    (
        GameName::Rezolution,
        "reZolution",
        &[
            (
                "Populations",
                "A cell holds a red or a blue population, or none. Add up the nine cells of the block around it, red as positive and blue as negative numbers, and divide the absolute value of the sum by three, rounding down.",
            ),
            (
                "Growth",
                "If that is one more than the cell has, it grows by one; if it is what the cell has, it stays; otherwise the cell becomes empty. What lives there takes the colour of the sum, so a cell can change sides. No population grows above 127.",
            ),
            (
                "Barriers and targets",
                "A barrier is never populated. A target is an ordinary cell; the run stops when one is populated.",
            ),
            (
                "Brushes",
                "Red and blue put a population of one on empty cells, barrier and target mark empty cells, the eraser clears anything. Demo populates a small area in the middle; Clear removes populations only.",
            ),
        ],
    ),
    (
        GameName::Fragment,
        "Fragment puzzle",
        &[
            (
                "The piece",
                "Blue cells lie on the field, which only merging changes. A square piece with green cells begins at the top left; arrows move it, its frame stays on the field, and it can always be turned clockwise.",
            ),
            (
                "Merging",
                "Where no green cell lies on a blue one the piece can be merged: its cells turn blue, the field advances by one generation of B3/S23 with dead edges, and a new piece begins. Cells that clash are shown in red.",
            ),
            (
                "The aim",
                "An empty field. The score is the number of blue cells after a merge; the lowest one ever reached is kept.",
            ),
        ],
    ),
];

pub(super) fn show(ui: &mut Ui, shown: GameName, commands: &mut CommandQueue) {
    ui.set_width(560.0);
    ui.heading("Rules of the games");
    ui.add_space(4.0);
    ui.horizontal_wrapped(|ui| {
        for &(kind, name, _) in PAGES {
            let button = Button::selectable(kind == shown, name);
            if ui.add(button).clicked() {
                commands.push(Command::Show(Dialog::Rules(kind)));
            }
        }
    });
    ui.separator();
    let page = PAGES.iter().find(|(kind, ..)| *kind == shown);
    // The same height for every game keeps the buttons in place.
    let area = ScrollArea::vertical()
        .max_height(420.0)
        .min_scrolled_height(420.0)
        .auto_shrink([false, false]);
    area.show(ui, |ui| {
        for (about, text) in page.map_or(&[][..], |&(_, _, texts)| texts) {
            ui.label(RichText::new(*about).strong());
            ui.label(*text);
            ui.add_space(6.0);
        }
    });
    ui.separator();
    if ui.button("Close").clicked() {
        commands.push(Command::Dismiss);
    }
}
