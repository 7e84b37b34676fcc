//! The body of an RLE file as a row of items.

use super::Fault;
use crate::board::LifelikeCell;
use crate::format::{FormatError, found_at, is_blank};

/// One item of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Item {
    /// `count` cells of one kind, at least one.
    Run {
        /// The kind.
        cell: LifelikeCell,
        /// How many.
        count: u64,
    },
    /// The end of a row, and of as many empty ones as `count` exceeds 1.
    Rows(u64),
    /// The end of the pattern. Nothing comes after it.
    End,
}

/// The cells of the letters that need no look at what follows. A table, because the letters of a
/// random board are no pattern that branches could learn.
const USUAL: [Option<LifelikeCell>; 256] = {
    let mut cells = [None; 256];
    cells[b'b' as usize] = Some(LifelikeCell::Dead);
    cells[b'.' as usize] = Some(LifelikeCell::Dead);
    cells[b'o' as usize] = Some(LifelikeCell::Red);
    cells[b'A' as usize] = Some(LifelikeCell::Red);
    cells[b'B' as usize] = Some(LifelikeCell::Blue);
    cells
};

/// Reads the items from a place in the file on, each with the place where it begins. Stops after
/// the end mark, at the end of the file, and after an error.
#[derive(Clone)]
pub(super) struct Tokens<'a> {
    bytes: &'a [u8],
    at: usize,
    /// Only blanks lie between the start of the line and `at`: a comment may begin here.
    line_start: bool,
}

impl<'a> Tokens<'a> {
    /// The items from the start of a line on.
    pub(super) fn new(bytes: &'a [u8], at: usize) -> Self {
        Self {
            bytes,
            at,
            line_start: true,
        }
    }

    /// The next byte that is no blank, line end or part of a comment.
    #[inline]
    fn peek(&mut self) -> Option<u8> {
        match self.bytes.get(self.at) {
            Some(&byte) if byte > b'#' => Some(byte),
            _ => self.skip(),
        }
    }

    fn skip(&mut self) -> Option<u8> {
        loop {
            let byte = *self.bytes.get(self.at)?;
            match byte {
                b'\n' | b'\r' => self.line_start = true,
                b'#' if self.line_start => {
                    let rest = &self.bytes[self.at..];
                    let end = rest.iter().position(|b| matches!(b, b'\n' | b'\r'));
                    // The line end itself is the next round's.
                    self.at += end.unwrap_or(rest.len());
                    continue;
                }
                _ if is_blank(byte) => {}
                _ => return Some(byte),
            }
            self.at += 1;
        }
    }

    #[inline]
    fn bump(&mut self) {
        self.at += 1;
        self.line_start = false;
    }

    /// The count that begins with the digit `first`, which `peek` has found.
    #[inline]
    fn count(&mut self, first: u8) -> Result<u64, Box<FormatError>> {
        let start = self.at;
        let mut count = u64::from(first - b'0');
        self.bump();
        while let Some(digit @ b'0'..=b'9') = self.peek() {
            let more = count.checked_mul(10);
            match more.and_then(|count| count.checked_add(u64::from(digit - b'0'))) {
                Some(more) => count = more,
                None => return Err(self.fault(self.at, Fault::CountTooLarge)),
            }
            self.bump();
        }
        if count == 0 {
            let fault = Fault::ZeroCount(found_at(self.bytes, start));
            return Err(self.fault(start, fault));
        }
        Ok(count)
    }

    /// The next item, which begins with the byte `first` that `peek` has found.
    #[inline]
    fn item(&mut self, first: u8) -> Result<Item, Box<FormatError>> {
        let (mut letter, mut count) = (first, 1);
        if first.is_ascii_digit() {
            count = self.count(first)?;
            letter = match self.peek() {
                Some(letter) if letter != b'!' => letter,
                _ => {
                    let fault = Fault::LonelyCount(found_at(self.bytes, self.at));
                    return Err(self.fault(self.at, fault));
                }
            };
        }
        let letter_at = self.at;
        self.bump();
        let run = |cell| Item::Run { cell, count };
        if let Some(cell) = USUAL[usize::from(letter)] {
            return Ok(run(cell));
        }
        Ok(match letter {
            b'p'..=b'y' if matches!(self.bytes.get(self.at), Some(b'A'..=b'X')) => {
                return Err(self.state(letter_at, 2));
            }
            b'x' | b'y' | b'z' => run(LifelikeCell::Red),
            b'$' => Item::Rows(count),
            b'!' => {
                self.at = self.bytes.len();
                Item::End
            }
            b'C'..=b'X' => return Err(self.state(letter_at, 1)),
            _ => {
                let fault = Fault::Letter(found_at(self.bytes, letter_at));
                return Err(self.fault(letter_at, fault));
            }
        })
    }

    /// The refusal of the `length` letters at `at`, which name a state above 2.
    fn state(&self, at: usize, length: usize) -> Box<FormatError> {
        let letters = &self.bytes[at..at + length];
        let state = letters.iter().fold(0, |state, &letter| match letter {
            b'p'..=b'y' => 24 * u32::from(letter - b'p' + 1),
            _ => state + u32::from(letter - b'A' + 1),
        });
        let name = letters.iter().copied().map(char::from).collect();
        self.fault(at, Fault::State(name, state))
    }

    #[cold]
    fn fault(&self, at: usize, fault: Fault) -> Box<FormatError> {
        Box::new(FormatError::at(self.bytes, at, fault))
    }
}

impl Iterator for Tokens<'_> {
    // Boxed, because large errors would be moved about with every item.
    type Item = Result<(usize, Item), Box<FormatError>>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let first = self.peek()?;
        let start = self.at;
        let item = self.item(first);
        if item.is_err() {
            self.at = self.bytes.len();
        }
        Some(item.map(|item| (start, item)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn items(text: &str) -> Result<Vec<Item>, String> {
        Tokens::new(text.as_bytes(), 0)
            .map(|item| item.map(|(_, item)| item).map_err(|e| e.to_string()))
            .collect()
    }

    fn run(cell: LifelikeCell, count: u64) -> Item {
        Item::Run { cell, count }
    }

    #[test]
    fn every_letter_has_one_meaning() {
        use LifelikeCell::{Blue, Dead, Red};
        for (letters, cell) in [("b.", Dead), ("oAxyz", Red), ("B", Blue)] {
            for letter in letters.chars() {
                assert_eq!(items(&letter.to_string()), Ok(vec![run(cell, 1)]));
                assert_eq!(items(&format!("17{letter}")), Ok(vec![run(cell, 17)]));
            }
        }
        assert_eq!(
            items("3$$!"),
            Ok(vec![Item::Rows(3), Item::Rows(1), Item::End])
        );
        // x before a small letter, a blank or z is a cell; before a capital a prefix.
        assert_eq!(items("xb").unwrap().len(), 2);
        assert_eq!(items("y A").unwrap().len(), 2);
        assert_eq!(items("zA").unwrap().len(), 2);
    }

    #[test]
    fn blanks_line_ends_and_comments_may_stand_anywhere() {
        let plain = items("12o3$B!").unwrap();
        for text in [
            "1\n2\no3\n$\nB\n!",
            "\t12 o\r\n3$ B !",
            "12\ro3$\rB!\r",
            "#C 5o\n12o\n # more \u{e9}\n3$B!",
            "1\n#C between digits\n2o3$B!",
            "12o3$B!o$o?\0",
        ] {
            assert_eq!(items(text).as_ref(), Ok(&plain), "{text:?}");
        }
    }

    #[test]
    fn what_is_not_an_item_is_refused_with_its_place() {
        for (text, place, what) in [
            ("3o$2Cb!", "line 1, column 5", "'C' is a cell of state 3"),
            ("X", "line 1, column 1", "'X' is a cell of state 24"),
            ("o\npA", "line 2, column 1", "'pA' is a cell of state 25"),
            ("xB", "line 1, column 1", "'xB' is a cell of state 218"),
            ("yO", "line 1, column 1", "'yO' is a cell of state 255"),
            ("bO", "line 1, column 2", "'O' is a cell of state 15"),
            ("op", "line 1, column 2", "found 'p'"),
            ("bY", "line 1, column 2", "found 'Y'"),
            ("o\r\no*", "line 2, column 2", "found '*'"),
            ("o #C", "line 1, column 3", "found '#'"),
            ("oé", "line 1, column 2", "found 'é'"),
            ("o\0", "line 1, column 2", "byte 0x00"),
            ("x = 3", "line 1, column 3", "found '='"),
            ("-3o", "line 1, column 1", "found '-'"),
            ("o0b", "line 1, column 2", "count from 1"),
            ("o00$", "line 1, column 2", "count from 1"),
            ("o3", "line 1, column 3", "found the end of the file"),
            ("o3\n", "line 2, column 1", "found the end of the file"),
            ("o3!", "line 1, column 3", "found '!'"),
            ("18446744073709551616o", "line 1, column 20", "too large"),
        ] {
            let error = items(text).unwrap_err();
            assert!(
                error.starts_with(&format!("{place}: ")),
                "{text:?}: {error}"
            );
            assert!(error.contains(what), "{text:?}: {error}");
        }
        assert_eq!(
            items("18446744073709551615o").unwrap(),
            [run(LifelikeCell::Red, u64::MAX)]
        );
    }
}
