//! Boards as lines of text.
//!
//! A fragment puzzle:
//!
//! ```text
//!       1       5
//!    1 [. + o * .]o .      o blue   + green   * green on blue   [ ] the frame
//! ```
//!
//! Where a merge was refused the `*` is a red `X`. A cell is two characters wide, so the columns between cells have room for the frame. A battle has
//! the characters of text grids instead: `1` is red, `2` is blue.

use std::ops::Range;

use super::paint::{Ink, Paint};
use crate::board::{LifelikeBoard, LifelikeCell};
use crate::game::fragment::Fragment;
use glam::{UVec2, uvec2};

/// Characters left of the first cell: the number of the row and a blank.
const MARGIN: usize = 5;

/// Which columns and rows of the field are shown, from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct View {
    columns: Range<u32>,
    rows: Range<u32>,
}

impl View {
    /// The whole field.
    pub(super) fn whole(game: &Fragment) -> Self {
        let size = game.field().size();
        Self {
            columns: 0..size.width(),
            rows: 0..size.height(),
        }
    }

    /// As much of the field as fits into a rectangle of characters, the piece in its middle. At
    /// least one cell.
    pub(super) fn around_piece(game: &Fragment, columns: u16, rows: u16) -> Self {
        let (size, piece) = (game.field().size(), game.piece());
        let across = usize::from(columns).saturating_sub(MARGIN + 1) / 2;
        // One line names the columns.
        let down = usize::from(rows).saturating_sub(1);
        Self {
            columns: part(size.width(), across, piece.corner().x + piece.side() / 2),
            rows: part(size.height(), down, piece.corner().y + piece.side() / 2),
        }
    }
}

/// `room` of `length` places, `middle` in the middle if possible.
fn part(length: u32, room: usize, middle: u32) -> Range<u32> {
    let room = u32::try_from(room).unwrap_or(u32::MAX).clamp(1, length);
    let first = middle.saturating_sub(room / 2).min(length - room);
    first..first + room
}

/// The field, the piece on it, and where they clash. `clashes` is in order, row by row.
pub(super) fn lines(game: &Fragment, clashes: &[UVec2], view: &View, paint: Paint) -> Vec<String> {
    let mut lines = vec![column_numbers(&view.columns)];
    for y in view.rows.clone() {
        let mut line = row_number(y);
        for x in view.columns.clone() {
            put_gap(game, &mut line, x, y, paint);
            let (ink, character) = cell(game, clashes, x, y);
            paint.put(&mut line, ink, character);
        }
        put_gap(game, &mut line, view.columns.end, y, paint);
        let length = line.trim_end().len();
        line.truncate(length);
        lines.push(line);
    }
    lines
}

/// The rows of a battle, each made when it is needed.
pub(super) fn battle_lines(
    board: &LifelikeBoard,
    paint: Paint,
) -> impl Iterator<Item = String> + '_ {
    let size = board.size();
    let numbers = column_numbers(&(0..size.width()));
    let rows = (0..size.height()).map(move |y| {
        let mut line = row_number(y);
        for cell in board.row(y) {
            line.push(' ');
            let ink = match cell {
                LifelikeCell::Dead => Ink::Faint,
                LifelikeCell::Red => Ink::Red,
                LifelikeCell::Blue => Ink::Blue,
            };
            paint.put(&mut line, ink, cell.grid_char());
        }
        line
    });
    std::iter::once(numbers).chain(rows)
}

fn row_number(y: u32) -> String {
    format!("{:>width$} ", y + 1, width = MARGIN - 1)
}

/// The first column shown and every fifth.
fn column_numbers(columns: &Range<u32>) -> String {
    let mut line = String::new();
    for (place, x) in columns.clone().enumerate() {
        let number = (x + 1).to_string();
        if x + 1 == 1 || (x + 1) % 5 == 0 {
            // The last digit is above the cell.
            let end = MARGIN + 2 * (place + 1);
            if line.len() + number.len() <= end {
                line = format!("{line:<width$}{number}", width = end - number.len());
            }
        }
    }
    line
}

/// The character left of column `x`: the frame's side, or nothing.
fn put_gap(game: &Fragment, line: &mut String, x: u32, y: u32, paint: Paint) {
    let piece = game.piece();
    let left = piece.corner().x;
    let in_rows = piece.frames(UVec2::new(left, y));
    if in_rows && x == left {
        paint.put(line, Ink::Yellow, '[');
    } else if in_rows && x == left + piece.side() {
        paint.put(line, Ink::Yellow, ']');
    } else {
        line.push(' ');
    }
}

fn cell(game: &Fragment, clashes: &[UVec2], x: u32, y: u32) -> (Ink, char) {
    let cell = UVec2::new(x, y);
    let clash = clashes.binary_search_by_key(&(y, x), |clash| (clash.y, clash.x));
    let blue = game.field().cell(uvec2(x, y)) != LifelikeCell::Dead;
    match (clash.is_ok(), game.piece().covers(cell), blue) {
        (true, ..) => (Ink::Red, 'X'),
        (false, true, true) => (Ink::Green, '*'),
        (false, true, false) => (Ink::Green, '+'),
        (false, false, true) => (Ink::Blue, 'o'),
        (false, false, false) if game.piece().frames(cell) => (Ink::Yellow, '.'),
        (false, false, false) => (Ink::Faint, '.'),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Size;
    use crate::game::fragment::{Direction, Settings};

    fn game() -> Fragment {
        let settings = Settings::new(Size::new(12, 6).unwrap(), 14, 3, 4).unwrap();
        let mut game = Fragment::new(settings, 3).unwrap();
        game.shift(Direction::Right);
        game.shift(Direction::Down);
        game
    }

    #[test]
    fn a_field_can_be_read_without_colours() {
        let mut game = game();
        let printed = |game: &Fragment, clashes: &[UVec2]| {
            lines(game, clashes, &View::whole(game), Paint::OFF).join("\n")
        };
        let expected = "      1       5        10
   1  . . . . . . o . . . . .
   2  .[+ + +]. . o . . . . .
   3  .[o . .]o . o . o . . o
   4  .[. . *]. . . . . o . .
   5  . . o . . . . . . . . .
   6  . o o . . o . . . . . o";
        assert_eq!(printed(&game, &[]), expected);
        let clashes = game.clashes();
        assert!(game.merge().is_err());
        assert_eq!(printed(&game, &clashes), expected.replace('*', "X"));
    }

    #[test]
    fn colours_are_around_the_same_characters() {
        let game = game();
        let view = View::whole(&game);
        let clashes = game.clashes();
        let plain = lines(&game, &clashes, &view, Paint::OFF);
        let coloured = lines(&game, &clashes, &view, Paint::ON);
        for (plain, coloured) in plain.iter().zip(&coloured) {
            let mut bare = String::new();
            for (i, part) in coloured.split('\x1b').enumerate() {
                let end = if i == 0 {
                    0
                } else {
                    part.find('m').unwrap() + 1
                };
                bare += &part[end..];
            }
            assert_eq!(&bare, plain);
        }
        let all = coloured.join("\n");
        for (count, style) in [
            (clashes.len(), "\x1b[91mX"),
            (4 - clashes.len(), "\x1b[92m+"),
            (3, "\x1b[93m["),
            (3, "\x1b[93m]"),
        ] {
            assert_eq!(all.matches(style).count(), count, "{style:?} in {all}");
        }
    }

    #[test]
    fn a_small_screen_follows_the_piece() {
        let mut game = game();
        let view = |game: &Fragment, columns, rows| View::around_piece(game, columns, rows);
        assert_eq!(view(&game, 200, 60), View::whole(&game));
        assert_eq!(view(&game, 5 + 2 * 12 + 1, 7), View::whole(&game));
        let small = view(&game, 5 + 2 * 5 + 1, 4);
        assert_eq!((small.columns, small.rows), (0..5, 1..4));
        while game.shift(Direction::Right) {}
        let small = view(&game, 5 + 2 * 5 + 1, 4);
        assert_eq!(small.columns, 7..12);
        let least = view(&game, 0, 0);
        assert_eq!((least.columns.len(), least.rows.len()), (1, 1));
        let printed = lines(&game, &[], &view(&game, 16, 4), Paint::OFF);
        assert_eq!(printed.len(), 4);
        assert!(printed.iter().all(|line| line.len() <= 16), "{printed:?}");
    }
}
