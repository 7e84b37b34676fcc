//! Writing RLE.

use std::io::{self, Write};

use glam::{I64Vec2, i64vec2};

use crate::board::{Edges, LifelikeBoard, LifelikeCell, WORD_BITS};
use crate::format::LifelikeDocument;
use crate::rules::Rule;

/// The longest line that is written.
const MAX_LINE: usize = 70;

/// Column and row, in Golly's coordinates, of the top left cell of a bounded grid: Golly puts its
/// origin into the middle.
pub fn grid_corner(width: u64, height: u64) -> I64Vec2 {
    // Half of any u64 fits.
    -i64vec2((width / 2) as i64, (height / 2) as i64)
}

/// Writes a board with what the document says about it. With edges it becomes a bounded grid, and
/// a `#CXRLE` line puts the cells exactly onto it; a generation above 0 stands there, too.
///
/// # Errors
/// Those of `out`.
pub fn encode(document: &LifelikeDocument, out: &mut dyn Write) -> io::Result<()> {
    let board = document.board;
    let size = board.size();
    let coloured = board.blue().iter().any(|&word| word != 0);
    let letters = if coloured { *b".AB" } else { *b"bo?" };
    if document.edges.is_some() || document.generation > 0 {
        write!(out, "#CXRLE")?;
        if document.edges.is_some() {
            let I64Vec2 { x, y } = grid_corner(size.width().into(), size.height().into());
            write!(out, " Pos={x},{y}")?;
        }
        if document.generation > 0 {
            write!(out, " Gen={}", document.generation)?;
        }
        writeln!(out)?;
    }
    let rule = match document.rule.unwrap_or(Rule::LIFE) {
        Rule::LIFE if coloured => "Immigration".into(),
        rule => rule.to_string(),
    };
    let (width, height) = (size.width(), size.height());
    write!(out, "x = {width}, y = {height}, rule = {rule}")?;
    match document.edges {
        Some(Edges::Torus) => writeln!(out, ":T{width},{height}")?,
        Some(Edges::Dead) => writeln!(out, ":P{width},{height}")?,
        None => writeln!(out)?,
    }
    encode_cells(board, letters, Lines::new(out))
}

fn encode_cells(board: &LifelikeBoard, letters: [u8; 3], mut lines: Lines) -> io::Result<()> {
    for y in 0..board.size().height() {
        let (alive, blue) = board.row_planes(y);
        let mut run = (LifelikeCell::Dead, 0);
        for (alive, blue) in alive.iter().zip(blue) {
            each_run(*alive, *blue, |cell, length| {
                if cell == run.0 {
                    run.1 += length;
                    return Ok(());
                }
                let (before, count) = std::mem::replace(&mut run, (cell, length));
                lines.cells(count, letters[before as usize])
            })?;
        }
        // Dead cells at the end of a row are dropped.
        if run.0 != LifelikeCell::Dead {
            lines.cells(run.1, letters[run.0 as usize])?;
        }
        lines.row_ends += 1;
    }
    lines.item(1, b'!')?;
    lines.end()
}

/// The runs of equal cells in a word.
fn each_run(
    alive: u32,
    blue: u32,
    mut run: impl FnMut(LifelikeCell, u32) -> io::Result<()>,
) -> io::Result<()> {
    let mut at = 0;
    while at < WORD_BITS {
        let (alive, blue) = (alive >> at, blue >> at);
        let (cell, same) = match (alive & 1, blue & 1) {
            (0, _) => (LifelikeCell::Dead, !alive),
            (_, 0) => (LifelikeCell::Red, alive & !blue),
            _ => (LifelikeCell::Blue, blue),
        };
        // The shift has filled the high bits with dead cells, which are none.
        let length = same.trailing_ones().min(WORD_BITS - at);
        run(cell, length)?;
        at += length;
    }
    Ok(())
}

/// Breaks the items into lines.
struct Lines<'a> {
    out: &'a mut dyn Write,
    line: Vec<u8>,
    /// Row ends that are written once cells follow them.
    row_ends: u32,
}

impl<'a> Lines<'a> {
    fn new(out: &'a mut dyn Write) -> Self {
        Self {
            out,
            line: Vec::with_capacity(MAX_LINE + 1),
            row_ends: 0,
        }
    }

    /// Cells of a row, perhaps none.
    fn cells(&mut self, count: u32, letter: u8) -> io::Result<()> {
        if count == 0 {
            return Ok(());
        }
        let row_ends = std::mem::take(&mut self.row_ends);
        if row_ends > 0 {
            self.item(row_ends, b'$')?;
        }
        self.item(count, letter)
    }

    fn item(&mut self, count: u32, letter: u8) -> io::Result<()> {
        if count == 1 && self.line.len() < MAX_LINE {
            self.line.push(letter);
            return Ok(());
        }
        // The digits of the count from the last to the first, then the letter.
        let mut item = [0; 11];
        let mut start = item.len() - 1;
        item[start] = letter;
        let mut rest = if count == 1 { 0 } else { count };
        while rest > 0 {
            start -= 1;
            item[start] = b'0' + (rest % 10) as u8;
            rest /= 10;
        }
        let item = &item[start..];
        if self.line.len() + item.len() > MAX_LINE {
            self.end()?;
        }
        self.line.extend_from_slice(item);
        Ok(())
    }

    fn end(&mut self) -> io::Result<()> {
        self.line.push(b'\n');
        self.out.write_all(&self.line)?;
        self.line.clear();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use glam::uvec2;

    use super::*;
    use crate::board::{Size, start};

    fn text(document: &LifelikeDocument) -> String {
        let mut bytes = Vec::new();
        encode(document, &mut bytes).unwrap();
        String::from_utf8(bytes).unwrap()
    }

    fn board(width: u64, height: u64, cells: &[(u32, u32, LifelikeCell)]) -> LifelikeBoard {
        let mut board = LifelikeBoard::new(Size::new(width, height).unwrap()).unwrap();
        for &(x, y, cell) in cells {
            board.set(uvec2(x, y), cell);
        }
        board
    }

    #[test]
    fn a_board_without_blue_cells_is_ordinary_life() {
        let red = board(
            6,
            9,
            &[
                (1, 1, LifelikeCell::Red),
                (2, 1, LifelikeCell::Red),
                (0, 4, LifelikeCell::Red),
            ],
        );
        assert_eq!(
            text(&LifelikeDocument::new(&red)),
            "x = 6, y = 9, rule = B3/S23\n$b2o3$o!\n"
        );
        let document = LifelikeDocument {
            rule: Rule::new(1 << 2, 0),
            ..LifelikeDocument::new(&red)
        };
        assert!(text(&document).starts_with("x = 6, y = 9, rule = B2/S\n"));
    }

    #[test]
    fn a_board_with_blue_cells_has_letters_for_both() {
        let both = board(
            4,
            2,
            &[
                (0, 0, LifelikeCell::Red),
                (1, 0, LifelikeCell::Blue),
                (3, 1, LifelikeCell::Blue),
            ],
        );
        assert_eq!(
            text(&LifelikeDocument::new(&both)),
            "x = 4, y = 2, rule = Immigration\nAB$3.B!\n"
        );
        let document = LifelikeDocument {
            rule: Rule::new(1 << 3 | 1 << 6, 1 << 2),
            edges: Some(Edges::Dead),
            ..LifelikeDocument::new(&both)
        };
        assert_eq!(
            text(&document),
            "#CXRLE Pos=-2,-1\nx = 4, y = 2, rule = B36/S2:P4,2\nAB$3.B!\n"
        );
    }

    #[test]
    fn edges_and_generation_have_their_own_line() {
        let empty = board(7, 3, &[]);
        let document = LifelikeDocument {
            edges: Some(Edges::Torus),
            generation: 12,
            ..LifelikeDocument::new(&empty)
        };
        assert_eq!(
            text(&document),
            "#CXRLE Pos=-3,-1 Gen=12\nx = 7, y = 3, rule = B3/S23:T7,3\n!\n"
        );
        let document = LifelikeDocument {
            generation: u64::MAX,
            ..LifelikeDocument::new(&empty)
        };
        assert!(text(&document).starts_with("#CXRLE Gen=18446744073709551615\nx = 7"));
    }

    #[test]
    fn runs_go_on_over_words() {
        let mut long = board(200, 1, &[]);
        long.set_run(uvec2(30, 0), 100, LifelikeCell::Blue);
        long.set_run(uvec2(130, 0), 65, LifelikeCell::Red);
        let text = text(&LifelikeDocument::new(&long));
        assert!(text.ends_with("\n30.100B65A!\n"), "{text}");
    }

    #[test]
    fn lines_are_full_but_not_longer_than_70() {
        let soup = start::random(Size::new(300, 300).unwrap(), 0.5, 1).unwrap();
        let text = text(&LifelikeDocument::new(&soup));
        let lines: Vec<_> = text.lines().collect();
        assert!(lines.iter().all(|line| line.len() <= MAX_LINE));
        let body = &lines[1..lines.len() - 1];
        assert!(body.iter().all(|line| line.len() >= MAX_LINE - 2));
        // A count and its letter stay together.
        assert!(
            body.iter()
                .all(|line| !line.ends_with(|c: char| c.is_ascii_digit()))
        );
    }
}
