//! Boards and lines on standard output.

use std::fmt::Write as _;
use std::io::{self, IsTerminal, Write};

use anstream::AutoStream;
use anstyle::{AnsiColor, Style};
use anyhow::Result;
use clap::ColorChoice;
use terminal_size::{Height, Width, terminal_size};

use crate::board::{LifelikeBoard, LifelikeCell};
use crate::cli::output::standard_output;

/// Columns of a terminal that does not tell.
const COLUMNS: u32 = 80;

/// Lines around a moving board: what it is, and the prompt.
const OTHER_LINES: u32 = 3;

const RED: Style = AnsiColor::BrightRed.on_default().bold();
const BLUE: Style = AnsiColor::BrightCyan.on_default().bold();
const DEAD: Style = Style::new().dimmed();

/// Where a game is shown. Without colours the cells are still `.`, `1` and `2`.
pub(super) struct Screen {
    out: AutoStream<Box<dyn Write>>,
    quiet: bool,
    /// Whether a picture can be drawn over the last one.
    can_redraw: bool,
}

impl Screen {
    pub(super) fn new(color: ColorChoice, quiet: bool) -> Self {
        let choice = match color {
            ColorChoice::Auto => AutoStream::choice(&io::stdout()),
            ColorChoice::Always => anstream::ColorChoice::Always,
            ColorChoice::Never => anstream::ColorChoice::Never,
        };
        Self {
            out: AutoStream::new(Box::new(standard_output()), choice),
            quiet,
            can_redraw: io::stdout().is_terminal() && choice != anstream::ColorChoice::Never,
        }
    }

    /// A line, unless quiet.
    pub(super) fn say(&mut self, line: &str) -> Result<()> {
        if !self.quiet {
            writeln!(self.out, "{line}")?;
        }
        Ok(())
    }

    /// A line that is printed even if quiet.
    pub(super) fn result(&mut self, line: &str) -> Result<()> {
        writeln!(self.out, "{line}")?;
        self.out.flush()?;
        Ok(())
    }

    /// A question, with the answer if the person does not see it.
    pub(super) fn prompt(&mut self, question: &str) -> Result<()> {
        if !self.quiet {
            write!(self.out, "{question}> ")?;
            self.out.flush()?;
        }
        Ok(())
    }

    /// The board with rulers, unless quiet.
    pub(super) fn board(&mut self, board: &LifelikeBoard) -> Result<()> {
        if !self.quiet {
            self.out.write_all(picture(board, columns()).as_bytes())?;
        }
        Ok(())
    }

    /// Whether boards of this size can be shown moving.
    pub(super) fn can_move(&self, board: &LifelikeBoard) -> bool {
        let lines = terminal_size().map_or(0, |(_, Height(lines))| u32::from(lines));
        let width = picture_columns(board, columns());
        !self.quiet
            && self.can_redraw
            && ruler_lines(board) + board.size().height() + OTHER_LINES <= lines
            && width <= columns()
    }

    /// A line and a board, over the last line and board if this is not the `first`.
    pub(super) fn frame(&mut self, line: &str, board: &LifelikeBoard, first: bool) -> Result<()> {
        let mut frame = String::new();
        if !first {
            let lines = 1 + ruler_lines(board) + board.size().height();
            // Up, and to the left end.
            write!(frame, "\x1b[{lines}F")?;
        }
        // The rest of an earlier, longer line is erased.
        writeln!(frame, "{line}\x1b[K")?;
        frame.push_str(&picture(board, columns()));
        self.out.write_all(frame.as_bytes())?;
        self.out.flush()?;
        Ok(())
    }
}

/// Columns of the terminal.
fn columns() -> u32 {
    terminal_size().map_or(COLUMNS, |(Width(columns), _)| columns.into())
}

fn digits(number: u32) -> u32 {
    number.checked_ilog10().map_or(1, |log| log + 1)
}

/// Lines of the ruler above a board.
fn ruler_lines(board: &LifelikeBoard) -> u32 {
    digits(board.size().width())
}

/// Whether there is a blank between cells, which makes them nearly square: if there is room.
fn is_spaced(board: &LifelikeBoard, columns: u32) -> bool {
    digits(board.size().height()) + 3 + 2 * board.size().width() <= columns
}

fn picture_columns(board: &LifelikeBoard, columns: u32) -> u32 {
    let cells = board.size().width() * if is_spaced(board, columns) { 2 } else { 1 };
    digits(board.size().height()) + 3 + cells
}

/// The board as text with escape codes, a ruler above (read downwards) and one at the left.
fn picture(board: &LifelikeBoard, columns: u32) -> String {
    let (size, gap) = (
        board.size(),
        if is_spaced(board, columns) { " " } else { "" },
    );
    let label = digits(size.height()) as usize + 2;
    let mut text = String::new();
    for digit in (0..digits(size.width())).rev() {
        let tens = 10u32.pow(digit);
        let ruler: String = (1..=size.width())
            .map(|x| match x / tens {
                0 => format!("{gap} "),
                n => format!("{gap}{}", n % 10),
            })
            .collect();
        text.push_str(format!("{:label$}{ruler}", "").trim_end());
        text.push('\n');
    }
    for y in 0..size.height() {
        text.push_str(&format!("{:>label$}", y + 1));
        let mut last = Style::new();
        for cell in board.row(y) {
            let style = match cell {
                LifelikeCell::Dead => DEAD,
                LifelikeCell::Red => RED,
                LifelikeCell::Blue => BLUE,
            };
            text.push_str(gap);
            if style != last {
                text.push_str(&format!("{last:#}{style}"));
                last = style;
            }
            text.push(cell.grid_char());
        }
        text.push_str(&format!("{last:#}\n"));
    }
    text
}

#[cfg(test)]
mod tests {
    use glam::{UVec2, uvec2};

    use super::*;
    use crate::board::Size;

    fn plain(board: &LifelikeBoard, columns: u32) -> String {
        anstream::adapter::strip_str(&picture(board, columns)).to_string()
    }

    #[test]
    fn rulers_count_from_1() {
        let mut board = LifelikeBoard::new(Size::new(12, 2).unwrap()).unwrap();
        board.set(UVec2::ZERO, LifelikeCell::Red);
        board.set(uvec2(10, 1), LifelikeCell::Blue);
        let wide = [
            "                      1 1 1",
            "    1 2 3 4 5 6 7 8 9 0 1 2",
            "  1 1 . . . . . . . . . . .",
            "  2 . . . . . . . . . . 2 .",
            "",
        ];
        assert_eq!(plain(&board, 80), wide.join("\n"));
        let narrow = [
            "            111",
            "   123456789012",
            "  11...........",
            "  2..........2.",
            "",
        ];
        assert_eq!(plain(&board, 20), narrow.join("\n"));
    }

    #[test]
    fn colours_are_closed_at_the_end_of_a_row() {
        let mut board = LifelikeBoard::new(Size::new(3, 1).unwrap()).unwrap();
        board.set(uvec2(2, 0), LifelikeCell::Red);
        let row = picture(&board, 80);
        let row = row.lines().last().unwrap();
        assert!(row.ends_with(&format!("{RED}1{RED:#}")), "{row:?}");
    }
}
