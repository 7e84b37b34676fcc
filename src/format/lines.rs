//! Lines, words, and rows of cells, for the formats that are read line by line.

use std::iter;

use super::{BYTE_ORDER_MARK, Fault, FormatError, is_blank, one_line};
use crate::board::{LifelikeBoard, WORD_BITS};
use crate::rules::Rule;
use crate::rules::notation::{self, Topology};

/// Longer than every rule string, even the 90 bytes of a MAP rule with a bounded grid.
const MAX_RULE: usize = 200;

/// What a rule string says.
pub(super) type RuleAndGrid = (Rule, Option<Topology>);

/// A line of a file without its end and the blanks before that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Line<'a> {
    /// Where it begins in the file.
    pub(super) at: usize,
    /// Its bytes.
    pub(super) text: &'a [u8],
}

/// Where the text of a file begins: after its byte-order mark, if it has one.
pub(super) fn text_start(bytes: &[u8]) -> usize {
    if bytes.starts_with(BYTE_ORDER_MARK) {
        BYTE_ORDER_MARK.len()
    } else {
        0
    }
}

/// The lines of a file from `at` on, counted like those of a [`super::Place`]: LF, CRLF and a lone
/// CR end one.
pub(super) fn lines(bytes: &[u8], mut at: usize) -> impl Iterator<Item = Line<'_>> {
    iter::from_fn(move || {
        let rest = bytes.get(at..).filter(|rest| !rest.is_empty())?;
        let end = rest.iter().position(|b| matches!(b, b'\n' | b'\r'));
        let length = end.unwrap_or(rest.len());
        let line = Line {
            at,
            text: &rest[..length],
        };
        at += length
            + if rest[length..].starts_with(b"\r\n") {
                2
            } else {
                1
            };
        Some(line.trimmed())
    })
}

impl<'a> Line<'a> {
    fn trimmed(self) -> Self {
        let blanks = self.text.iter().rev().take_while(|b| is_blank(**b));
        let text = &self.text[..self.text.len() - blanks.count()];
        Self { text, ..self }
    }

    /// The line without its first `length` bytes.
    pub(super) fn skip(self, length: usize) -> Self {
        Self {
            at: self.at + length,
            text: &self.text[length..],
        }
    }

    /// How many blanks the line begins with.
    pub(super) fn indent(self) -> usize {
        self.text.iter().take_while(|b| is_blank(**b)).count()
    }

    /// Where the line ends.
    pub(super) fn end(self) -> usize {
        self.at + self.text.len()
    }

    /// The next piece without blanks, and what follows it; an empty one at the line's end.
    pub(super) fn word(self) -> (Self, Self) {
        let start = self.skip(self.indent());
        let length = start.text.iter().take_while(|b| !is_blank(**b)).count();
        let word = Self {
            at: start.at,
            text: &start.text[..length],
        };
        (word, start.skip(length))
    }

    /// The line as a rule string, after blanks.
    pub(super) fn rule(self, bytes: &[u8]) -> Result<RuleAndGrid, FormatError> {
        let value = self.skip(self.indent());
        if value.text.len() > MAX_RULE {
            return Err(FormatError::at(
                bytes,
                value.at,
                Fault::RuleTooLong(MAX_RULE),
            ));
        }
        notation::parse_with_topology(&one_line(value.text))
            .map_err(|error| FormatError::at(bytes, value.at, error))
    }

    /// The line as a number: digits, and for a signed one a sign.
    pub(super) fn number<T: std::str::FromStr>(self) -> Option<T> {
        str::from_utf8(self.text).ok()?.parse().ok()
    }
}

/// Where in a row the first byte stands that is no cell.
pub(super) fn first_stranger(row: &[u8]) -> Option<usize> {
    row.iter()
        .position(|b| !matches!(b, b'.' | b'O' | b'o' | b'*'))
}

/// Start and length of the runs of live cells in a row that has no stranger.
pub(super) fn live_runs(row: &[u8]) -> impl Iterator<Item = (usize, usize)> {
    let mut at = 0;
    iter::from_fn(move || {
        let rest = &row[at..];
        let start = at + rest.iter().position(|&b| b != b'.')?;
        let length = row[start..].iter().take_while(|b| **b != b'.').count();
        at = start + length;
        Some((start, length))
    })
}

/// Start and length of the runs of live cells in a row of a board; a run may be cut where a word
/// ends.
pub(super) fn board_runs(board: &LifelikeBoard, y: u32) -> impl Iterator<Item = (u32, u32)> + '_ {
    let (alive, _) = board.row_planes(y);
    let words = (0..).step_by(WORD_BITS as usize).zip(alive);
    words.flat_map(|(x, &word)| {
        let mut rest = word;
        iter::from_fn(move || {
            if rest == 0 {
                return None;
            }
            let start = rest.trailing_zeros();
            let length = (rest >> start).trailing_ones();
            rest &= u32::MAX.checked_shl(start + length).unwrap_or(0);
            Some((x + start, length))
        })
    })
}

#[cfg(test)]
mod tests {
    use glam::uvec2;

    use super::*;
    use crate::board::{LifelikeCell, Size};

    #[test]
    fn lines_end_in_any_way_and_lose_their_blanks() {
        let bytes = b"a \n\r\nb\t\rc\n\n";
        let found: Vec<_> = lines(bytes, 0).map(|line| (line.at, line.text)).collect();
        let expected: [(usize, &[u8]); 5] = [(0, b"a"), (3, b""), (5, b"b"), (8, b"c"), (10, b"")];
        assert_eq!(found, expected);
        assert_eq!(lines(b"", 0).count(), 0);
        assert_eq!(lines(b"a", 5).count(), 0);
    }

    #[test]
    fn words_and_numbers() {
        let line = lines(b"  12\t-7 ", 0).next().unwrap();
        let (first, rest) = line.word();
        let (second, rest) = rest.word();
        assert_eq!((first.at, first.number()), (2, Some(12u64)));
        assert_eq!((second.at, second.number()), (5, Some(-7i64)));
        assert_eq!(second.number::<u64>(), None);
        let (none, rest) = rest.word();
        assert_eq!((none.at, none.text, rest.text), (7, &b""[..], &b""[..]));
    }

    #[test]
    fn runs_of_rows_and_boards() {
        let runs: Vec<_> = live_runs(b"..Oo.*").collect();
        assert_eq!(runs, [(2, 2), (5, 1)]);
        assert_eq!(live_runs(b"...").count(), 0);
        assert_eq!(first_stranger(b".O*o.x"), Some(5));
        let mut board = LifelikeBoard::new(Size::new(70, 1).unwrap()).unwrap();
        board.set_run(uvec2(30, 0), 10, LifelikeCell::Red);
        board.set_run(uvec2(69, 0), 1, LifelikeCell::Red);
        let runs: Vec<_> = board_runs(&board, 0).collect();
        assert_eq!(runs, [(30, 2), (32, 8), (69, 1)]);
    }
}
