//! Rows of cells.

use super::Fault;
use crate::board::rezolution::{Ground, MAX_POPULATION, RezolutionCell};
use crate::format::lines::Line;
use crate::format::{FormatError, found_at, quoted};

/// Whether a line is one of cells and not of the header, whose words are letters.
pub(super) fn starts_row(line: Line<'_>) -> bool {
    let first = line.text.first();
    first.is_some_and(|byte| !byte.is_ascii_alphabetic() || byte.eq_ignore_ascii_case(&b'x'))
}

/// Hands the cells of a row of `width` to `put`.
pub(super) fn read_row(
    bytes: &[u8],
    line: Line<'_>,
    width: u32,
    mut put: impl FnMut(u32, RezolutionCell),
) -> Result<(), FormatError> {
    let mut rest = line;
    let mut x = 0;
    loop {
        rest = rest.skip(rest.indent());
        if rest.text.is_empty() {
            break;
        }
        if x == width {
            let fault = Fault::LongRow {
                expected: width,
                found: found_at(bytes, rest.at),
            };
            return Err(FormatError::at(bytes, rest.at, fault));
        }
        let (cell, length) = read_cell(bytes, rest)?;
        put(x, cell);
        rest = rest.skip(length);
        x += 1;
    }
    if x < width {
        let fault = Fault::ShortRow {
            expected: width,
            found: x,
        };
        return Err(FormatError::at(bytes, line.end(), fault));
    }
    Ok(())
}

/// The cell a text begins with, and how many bytes it takes.
fn read_cell(bytes: &[u8], text: Line<'_>) -> Result<(RezolutionCell, usize), FormatError> {
    let (ground, mark) = match text.text {
        [b'.', ..] => return Ok((RezolutionCell::default(), 1)),
        [b'#', ..] => {
            let cell = RezolutionCell {
                population: 0,
                ground: Ground::Barrier,
            };
            return Ok((cell, 1));
        }
        [b'x' | b'X', ..] => (Ground::Target, 1),
        _ => (Ground::Open, 0),
    };
    let sign = match text.text.get(mark) {
        Some(b'+') => 1,
        Some(b'-') => -1,
        _ if ground == Ground::Target => {
            let population = 0;
            return Ok((RezolutionCell { population, ground }, mark));
        }
        _ => {
            let found = found_at(bytes, text.at);
            return Err(FormatError::at(bytes, text.at, Fault::Cell(found)));
        }
    };
    let number = text.skip(mark + 1);
    let digits = number.text.iter().take_while(|b| b.is_ascii_digit());
    let digits = Line {
        text: &number.text[..digits.count()],
        ..number
    };
    match digits.number() {
        Some(population @ 1..=MAX_POPULATION) => {
            let population: i8 = sign * population;
            Ok((
                RezolutionCell { population, ground },
                mark + 1 + digits.text.len(),
            ))
        }
        _ => {
            let found = match digits.text {
                [] => found_at(bytes, number.at),
                text => quoted(text),
            };
            Err(FormatError::at(bytes, number.at, Fault::Population(found)))
        }
    }
}
