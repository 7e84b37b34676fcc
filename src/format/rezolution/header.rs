//! The lines before the rows: their first words and what they set.

use super::{FIRST_WORDS, Fault, VERSION};
use crate::board::{Edges, Size};
use crate::format::lines::Line;
use crate::format::{FormatError, Limits, quoted};

/// What stands before the rows.
#[derive(Default)]
pub(super) struct Header {
    pub(super) size: Option<Size>,
    pub(super) edges: Option<Edges>,
    pub(super) generation: Option<u64>,
}

impl Header {
    pub(super) fn read(
        &mut self,
        bytes: &[u8],
        line: Line<'_>,
        limits: &Limits,
    ) -> Result<(), FormatError> {
        let (key, rest) = line.word();
        let (value, rest) = rest.word();
        let refuse = |at: Line<'_>, fault| Err(FormatError::at(bytes, at.at, fault));
        let shown = || quoted(value.text);
        let twice = match key.text {
            b"size" => {
                let Some((width, height)) = sides(value.text) else {
                    return refuse(value, Fault::SizeText(shown()));
                };
                let size = limits.rezolution_size(width, height);
                let size = size.map_err(|fault| FormatError::at(bytes, value.at, fault))?;
                self.size.replace(size).map(|_| "size")
            }
            b"edges" => {
                let edges = match value.text {
                    b"torus" => Edges::Torus,
                    b"dead" => Edges::Dead,
                    _ => return refuse(value, Fault::Edges(shown())),
                };
                self.edges.replace(edges).map(|_| "edges")
            }
            b"generation" => {
                let digits = value.text.iter().all(u8::is_ascii_digit);
                let Some(generation) = value.number().filter(|_| digits) else {
                    return refuse(value, Fault::Generation(shown()));
                };
                self.generation.replace(generation).map(|_| "generation")
            }
            _ => return refuse(key, Fault::Key(quoted(key.text))),
        };
        if let Some(key_name) = twice {
            return refuse(key, Fault::Twice(key_name));
        }
        let (more, _) = rest.word();
        match more.text {
            [] => Ok(()),
            text => refuse(more, Fault::More(quoted(text))),
        }
    }
}

pub(super) fn first_line(bytes: &[u8], line: Line<'_>) -> Result<(), FormatError> {
    let (first, rest) = line.word();
    let (second, rest) = rest.word();
    let (version, rest) = rest.word();
    let (more, _) = rest.word();
    let refuse = |at: Line<'_>, fault| Err(FormatError::at(bytes, at.at, fault));
    for (word, known) in [first, second].into_iter().zip(FIRST_WORDS) {
        if !word.text.eq_ignore_ascii_case(known) {
            return refuse(word, Fault::FirstLine(quoted(line.text)));
        }
    }
    if version.number() != Some(VERSION) {
        return refuse(version, Fault::Version(quoted(version.text)));
    }
    match more.text {
        [] => Ok(()),
        text => refuse(more, Fault::More(quoted(text))),
    }
}

/// Two whole numbers with an `x` between.
fn sides(text: &[u8]) -> Option<(u64, u64)> {
    let text = str::from_utf8(text).ok()?;
    let (width, height) = text.split_once(['x', 'X'])?;
    let number = |text: &str| {
        let digits = text.bytes().all(|b| b.is_ascii_digit());
        text.parse().ok().filter(|_| digits)
    };
    Some((number(width)?, number(height)?))
}
