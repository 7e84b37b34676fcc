//! Life 1.06 and Life 1.05 (`.lif`, `.life`): cells by their coordinates.
//!
//! ```text
//! #Life 1.06          #Life 1.05
//! 1 -2                #D A comment.
//! -1 -1               #R 23/3               survival first; #N is 23/3
//! 0 0                 #P -1 -2              column and row of the block that follows
//!                     ..*
//!                     *.
//!                     .*
//! ```
//!
//! Both are patterns of one colour, read as red. Columns grow to the right and rows downwards. The
//! board is the smallest that holds all live cells; where its top left cell lay in the file is the
//! pattern's position, and a note if that is not (0, 0). In 1.06 a cell may be named more than
//! once. In 1.05 blocks may overlap, and the first `#P` may lack its two numbers and stands for
//! `#P 0 0` then. Blank lines count for nothing in either; in 1.05 a row of dead cells is a `.`.
//!
//! A file is read twice: once to measure it, which takes no memory however far its cells are
//! apart, and then onto a board of a size that has been checked.
//!
//! Only 1.06 is written, with the top left cell of the board at 0 0. Neither the size of the board
//! nor its rule has a place there.

use glam::{I64Vec2, i64vec2, uvec2};
use std::io::{self, Write};

use thiserror::Error;

use super::lines::{Line, RuleAndGrid, board_runs, first_stranger, lines, live_runs, text_start};
use super::{FormatError, LifelikePattern, Limits, begins_with, found_at, quoted};
use crate::board::{LifelikeBoard, LifelikeCell, Size};
use crate::rules::Rule;

/// What is wrong with a Life 1.05 or 1.06 file.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum Fault {
    /// A coordinate that is none.
    #[error(
        "expected {0} between -2^63 and 2^63, found {1}; a cell is two whole numbers with a blank between, like '3 -2'"
    )]
    Coordinate(&'static str, String),
    /// Something after two coordinates.
    #[error("expected the end of the line after two numbers, found {0}; write one cell a line")]
    AfterPair(String),
    /// A byte that is no cell of a block.
    #[error("expected a cell ('.' dead, '*' live), found {0}; comments start with '#D'")]
    Cell(String),
    /// A block that reaches beyond 64 bits.
    #[error("this row lies outside of -2^63 to 2^63; choose a smaller #P")]
    TooFar,
    /// Neither a first line nor a cell.
    #[error("expected '#Life 1.06' and cells like '3 -2', found nothing")]
    Nothing,
}

/// The pattern in a Life 1.05 or 1.06 file. Without the line that says which, it is 1.06 if its
/// first cell is a number.
///
/// # Errors
/// [`FormatError`] for the first place that is not as the format asks, or for cells too far apart.
pub fn parse(bytes: &[u8], limits: &Limits) -> Result<LifelikePattern, FormatError> {
    let mut bounds: Option<Bounds> = None;
    let heading = scan(bytes, |run| match &mut bounds {
        Some(bounds) => bounds.add(run),
        None => bounds = Some(Bounds::of(run)),
    })?;
    let mut pattern = match bounds {
        None => {
            let fault = |fault: super::Fault| FormatError::at(bytes, bytes.len(), fault);
            if heading.version.is_none() {
                return Err(fault(Fault::Nothing.into()));
            }
            let size = Size::new(1, 1).map_err(|error| fault(error.into()))?;
            let mut pattern = LifelikePattern::new(
                LifelikeBoard::new(size).map_err(|error| fault(error.into()))?,
            );
            let note = "there is no live cell: the board is a single dead one";
            pattern.notes.push(note.into());
            pattern
        }
        Some(bounds) => {
            let (x, y) = (bounds.left, bounds.top);
            let refuse = |fault| FormatError::at(bytes, bounds.at, fault);
            let (width, height) = bounds.sides();
            let size = limits.size(width, height).map_err(refuse)?;
            let mut board = LifelikeBoard::new(size).map_err(|error| refuse(error.into()))?;
            scan(bytes, |run| {
                // Less than the sides, which are no more than 32 bits now.
                let (column, row) = (run.x.abs_diff(x) as u32, run.y.abs_diff(y) as u32);
                board.set_run(uvec2(column, row), run.length as u32, LifelikeCell::Red);
            })?;
            let mut pattern = LifelikePattern::new(board);
            pattern.position = Some(i64vec2(x, y));
            if (x, y) != (0, 0) {
                pattern.notes.push(format!(
                    "all cells were shifted alike: the board's top left cell is at column {x}, row {y} in the file"
                ));
            }
            pattern
        }
    };
    if let Some((rule, topology)) = heading.rule {
        pattern.rule = Some(rule);
        pattern.topology = topology;
    }
    Ok(pattern)
}

/// Live cells side by side.
struct Run {
    x: i64,
    y: i64,
    /// At least 1, and none lies outside of an i64.
    length: usize,
    /// Where they stand in the file.
    at: usize,
}

/// The smallest rectangle around live cells, the last column and row included.
struct Bounds {
    left: i64,
    top: i64,
    right: i64,
    bottom: i64,
    /// The run that extended it last.
    at: usize,
}

impl Bounds {
    fn of(run: Run) -> Self {
        Self {
            left: run.x,
            top: run.y,
            right: run.x + (run.length - 1) as i64,
            bottom: run.y,
            at: run.at,
        }
    }

    fn add(&mut self, run: Run) {
        let run = Self::of(run);
        let before = self.sides();
        self.left = self.left.min(run.left);
        self.top = self.top.min(run.top);
        self.right = self.right.max(run.right);
        self.bottom = self.bottom.max(run.bottom);
        if self.sides() != before {
            self.at = run.at;
        }
    }

    /// Columns and rows; 2^64 saturates, it is too large anyway.
    fn sides(&self) -> (u64, u64) {
        (
            self.right.abs_diff(self.left).saturating_add(1),
            self.bottom.abs_diff(self.top).saturating_add(1),
        )
    }
}

/// Which of the two formats a line of cells is in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Version {
    /// Blocks of `.` and `*`.
    Life105,
    /// Coordinates.
    Life106,
}

/// What a file says besides its cells.
struct Heading {
    version: Option<Version>,
    rule: Option<RuleAndGrid>,
}

/// Calls `each` for all live cells.
fn scan(bytes: &[u8], mut each: impl FnMut(Run)) -> Result<Heading, FormatError> {
    let start = text_start(bytes);
    let mut version = None;
    let mut rule = None;
    // Where the next row of a block begins.
    let (mut left, mut y, mut placed) = (0, Some(0i64), false);
    for line in lines(bytes, start) {
        let line = line.skip(line.indent());
        match line.text {
            [] => {}
            [b'#', b'L' | b'l', b'i' | b'I', ..] => {
                version = version.or(match line.text.trim_ascii_end() {
                    [.., b'1', b'.', b'0', b'5'] => Some(Version::Life105),
                    [.., b'1', b'.', b'0', b'6'] => Some(Version::Life106),
                    _ => None,
                });
            }
            [b'#', b'N', ..] => rule = Some((Rule::LIFE, None)),
            [b'#', b'R', ..] => rule = Some(line.skip(2).rule(bytes)?),
            [b'#', b'P', ..] if version != Some(Version::Life106) => {
                version = Some(Version::Life105);
                let numbers = line.skip(2);
                (left, y) = if numbers.word().0.text.is_empty() && !placed {
                    (0, Some(0))
                } else {
                    let I64Vec2 { x, y } = read_pair(bytes, numbers)?;
                    (x, Some(y))
                };
                placed = true;
            }
            [b'#', ..] => {}
            [first, ..] => {
                let coordinates = first.is_ascii_digit() || matches!(first, b'-' | b'+');
                let version = *version.get_or_insert(match coordinates {
                    true => Version::Life106,
                    false => Version::Life105,
                });
                if version == Version::Life106 {
                    let I64Vec2 { x, y } = read_pair(bytes, line)?;
                    each(Run {
                        x,
                        y,
                        length: 1,
                        at: line.at,
                    });
                    continue;
                }
                let row = y.ok_or_else(|| FormatError::at(bytes, line.at, Fault::TooFar))?;
                read_row(bytes, line, left, row, &mut each)?;
                y = row.checked_add(1);
            }
        }
    }
    Ok(Heading { version, rule })
}

/// A row of a block.
fn read_row(
    bytes: &[u8],
    line: Line,
    left: i64,
    y: i64,
    each: &mut impl FnMut(Run),
) -> Result<(), FormatError> {
    if let Some(stranger) = first_stranger(line.text) {
        let at = line.at + stranger;
        return Err(FormatError::at(bytes, at, Fault::Cell(found_at(bytes, at))));
    }
    if left.checked_add_unsigned(line.text.len() as u64).is_none() {
        return Err(FormatError::at(bytes, line.at, Fault::TooFar));
    }
    for (start, length) in live_runs(line.text) {
        each(Run {
            x: left + start as i64,
            y,
            length,
            at: line.at + start,
        });
    }
    Ok(())
}

/// A line of two numbers and nothing else.
fn read_pair(bytes: &[u8], line: Line) -> Result<I64Vec2, FormatError> {
    let number = |word: Line, what| {
        word.number().ok_or_else(|| {
            let found = match word.text {
                [] => found_at(bytes, line.end()),
                word => quoted(word),
            };
            let at = match word.text {
                [] => line.end(),
                _ => word.at,
            };
            FormatError::at(bytes, at, Fault::Coordinate(what, found))
        })
    };
    let (first, rest) = line.word();
    let (second, rest) = rest.word();
    let pair = i64vec2(number(first, "a column")?, number(second, "a row")?);
    let (more, _) = rest.word();
    match more.text {
        [] => Ok(pair),
        text => {
            let fault = Fault::AfterPair(quoted(text));
            Err(FormatError::at(bytes, more.at, fault))
        }
    }
}

/// Whether the text begins with the first line of Life 1.05 or Life 1.06.
pub(super) fn begins(text: &[u8]) -> bool {
    begins_with(text, b"#Life 1.05") || begins_with(text, b"#Life 1.06")
}

/// Writes a board without blue cells, for which [`super::Format::check`] holds, as Life 1.06.
///
/// # Errors
/// Those of `out`.
pub(super) fn encode(board: &LifelikeBoard, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "#Life 1.06")?;
    for y in 0..board.size().height() {
        for (start, length) in board_runs(board, y) {
            for x in start..start + length {
                writeln!(out, "{x} {y}")?;
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::start;
    use crate::format::grid;
    use proptest::prelude::*;

    fn read(text: &str) -> Result<LifelikePattern, String> {
        parse(text.as_bytes(), &Limits::default()).map_err(|error| error.to_string())
    }

    /// The pattern as a text grid.
    fn cells(text: &str) -> String {
        let mut bytes = Vec::new();
        grid::encode(&read(text).unwrap().board, &mut bytes).unwrap();
        String::from_utf8(bytes).unwrap()
    }

    fn check_refused(text: &str, place: &str, what: &str) {
        let error = read(text).unwrap_err();
        assert!(
            error.starts_with(&format!("{place}: ")),
            "{text:?}: {error}"
        );
        assert!(error.contains(what), "{text:?}: {error}");
        assert!(!error.contains(['\n', '\r', '\t']), "{text:?}: {error}");
    }

    #[test]
    fn coordinates_keep_their_layout_and_the_shift_is_noted() {
        for text in [
            "#Life 1.06\n-1 -1\n0 0\n1 -2\n0 0\n",
            "#Life 1.06\r\n1 -2\r\n\r\n  0\t0 \r\n-1 -1",
            "\u{feff}#LIFE 1.06\n#C a comment\n1 -2\n+0 -0\n-01 -1\n",
            "1 -2\n0 0\n-1 -1\n",
        ] {
            let pattern = read(text).unwrap();
            assert_eq!(cells(text), "3 3\n..1\n1..\n.1.\n", "{text:?}");
            assert_eq!(pattern.position, Some(i64vec2(-1, -2)));
            assert_eq!(pattern.notes.len(), 1);
            assert!(pattern.notes[0].contains("column -1, row -2"));
            assert_eq!(pattern.rule, None);
        }
        assert_eq!(read("#Life 1.06\n1 0\n0 1").unwrap().notes.len(), 0);
        let extreme = format!("#Life 1.06\n{0} {0}\n{0} {1}\n", i64::MIN, i64::MIN + 1);
        assert_eq!(cells(&extreme), "2 1\n1\n1\n");
    }

    #[test]
    fn lines_that_are_no_cell_are_refused() {
        for (text, place, what) in [
            ("#Life 1.06\n0 0\n5\n", "line 3, column 2", "a row"),
            ("#Life 1.06\n0 0\nfive 5\n", "line 3, column 1", "'five'"),
            ("#Life 1.06\n0 x\n", "line 2, column 3", "'x'"),
            ("#Life 1.06\n0,1\n", "line 2, column 1", "'0,1'"),
            ("#Life 1.06\n0 1 2\n", "line 2, column 5", "found '2'"),
            ("#Life 1.06\n0 1.5\n", "line 2, column 3", "'1.5'"),
            (
                "#Life 1.06\n9223372036854775808 0\n",
                "line 2, column 1",
                "2^63",
            ),
            ("#Life 1.06\n..*\n", "line 2, column 1", "'..*'"),
            ("#Life 1.05\n#P 0 0\n.*x\n", "line 3, column 3", "'x'"),
            ("#Life 1.05\n.* *\n", "line 2, column 3", "a blank"),
            ("#Life 1.05\n#P 4\n*\n", "line 2, column 5", "a row"),
            ("#Life 1.05\n#P\n*\n#P\n*\n", "line 4, column 3", "a column"),
            ("#Life 1.05\n#R 23/3/3\n", "line 2, column 4", "Generations"),
            (
                "#Life 1.05\n#P 9223372036854775807 0\n*\n",
                "line 3, column 1",
                "outside",
            ),
            (
                "#Life 1.05\n#P 0 9223372036854775807\n*\n*\n",
                "line 4, column 1",
                "outside",
            ),
        ] {
            check_refused(text, place, what);
        }
    }

    #[test]
    fn cells_too_far_apart_are_refused_and_do_not_wrap() {
        for (far, near) in [
            (2_147_483_647, -2_147_483_648),
            (i64::MAX, i64::MIN),
            (i64::MAX, 0),
        ] {
            let text = format!("#Life 1.06\n{near} 0\n{far} 0\n");
            check_refused(&text, "line 3, column 1", "too large");
            let text = format!("#Life 1.06\n0 {near}\n0 {far}\n0 0\n");
            check_refused(&text, "line 3, column 1", "too large");
        }
        let text = "#Life 1.05\n#P -5000000000 0\n*\n#P 0 0\n.*\n";
        check_refused(text, "line 5, column 2", "too large");
    }

    #[test]
    fn blocks_lie_where_they_say() {
        let text = "#Life 1.05\n#D two blocks\n#N\n#P -2 -1\n.**\n*\n#P 3 1\n\n.\n**.\n";
        assert_eq!(cells(text), "4 7\n.11....\n1......\n.......\n.....11\n");
        let pattern = read(text).unwrap();
        assert_eq!(pattern.position, Some(i64vec2(-2, -1)));
        assert_eq!(pattern.rule, Some(Rule::LIFE));
        // Overlapping, without positions, without the first line.
        let overlap = "#P 0 0\n**\n#P 1 0\r\n**\r\n";
        assert_eq!(cells(overlap), "1 3\n111\n");
        assert_eq!(cells("#Life 1.05\n#P\n.*\n*\n"), "2 2\n.1\n1.\n");
        assert_eq!(cells("#Life 1.05\n.*\n*\n"), "2 2\n.1\n1.\n");
    }

    #[test]
    fn survival_comes_first_in_rules() {
        let rule = |line: &str| {
            let pattern = read(&format!("#Life 1.05\n{line}\n#P 0 0\n*\n")).unwrap();
            pattern.rule.map(|rule| rule.to_string())
        };
        assert_eq!(rule("#R 23/36").as_deref(), Some("B36/S23"));
        assert_eq!(rule("#R 125/36").as_deref(), Some("B36/S125"));
        assert_eq!(rule("#N").as_deref(), Some("B3/S23"));
        assert_eq!(rule("#D").as_deref(), None);
    }

    #[test]
    fn a_file_without_live_cells_is_one_dead_cell() {
        for text in ["#Life 1.06\n", "#Life 1.05\n#P 5 5\n..\n", "#P\n"] {
            let pattern = read(text).unwrap();
            assert_eq!((pattern.board.size().cells(), pattern.position), (1, None));
            assert_eq!(pattern.notes.len(), 1);
        }
        check_refused("", "line 1, column 1", "found nothing");
        check_refused("#C\n", "line 2, column 1", "found nothing");
    }

    #[test]
    fn a_board_is_written_from_its_top_left_cell() {
        let mut board = LifelikeBoard::new(Size::new(9, 3).unwrap()).unwrap();
        board.set_run(uvec2(2, 0), 2, LifelikeCell::Red);
        board.set(uvec2(0, 2), LifelikeCell::Red);
        let mut bytes = Vec::new();
        encode(&board, &mut bytes).unwrap();
        assert_eq!(bytes, b"#Life 1.06\n2 0\n3 0\n0 2\n");
    }

    proptest! {
        #[test]
        fn live_cells_read_back(width in 1u64..70, height in 1u64..9, seed: u64) {
            let soup = start::random(Size::new(width, height).unwrap(), 0.3, seed).unwrap();
            let mut bytes = Vec::new();
            encode(&soup, &mut bytes).unwrap();
            let pattern = parse(&bytes, &Limits::default()).unwrap();
            let I64Vec2 { x: left, y: top } = pattern.position.unwrap_or_default();
            let mut again = LifelikeBoard::new(soup.size()).unwrap();
            again.place(&pattern.board, uvec2(left as u32, top as u32)).unwrap();
            prop_assert_eq!(again.alive(), soup.alive());
        }

        #[test]
        fn no_bytes_make_the_reader_panic(bytes: Vec<u8>, text in "(#Life 1.0[56]|#P|#R 23/3|-?[0-9]{1,20}|[.*]{1,3}|[ \n]){0,30}") {
            let limits = Limits { max_board_bytes: 1 << 20, ..Limits::default() };
            let _ = parse(&bytes, &limits);
            let _ = parse(text.as_bytes(), &limits);
        }
    }
}
