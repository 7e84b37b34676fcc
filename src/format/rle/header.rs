//! What stands before the cells in an RLE file: comments and the header.

use super::Fault;
use crate::format::{FormatError, found_at, generation_left_out, is_blank, one_line, quoted};
use crate::rules::Rule;
use crate::rules::notation::{self, Topology};
use glam::{I64Vec2, i64vec2};

/// A header or `#CXRLE` line longer than this is none: it is refused before lists are made of it.
const MAX_LINE: usize = 4096;

/// Longer than every rule string, even the 90 bytes of a MAP rule with a bounded grid.
const MAX_RULE: usize = 200;

/// Everything before the body.
#[derive(Debug, Default)]
pub(super) struct Preamble<'a> {
    /// The header, if there is one.
    pub(super) header: Option<Header>,
    /// `Pos` of the `#CXRLE` line.
    pub(super) position: Option<I64Vec2>,
    /// `Gen` of the `#CXRLE` line, else 0.
    pub(super) generation: u64,
    /// The rule of the file, if the header has none: that of a `#r` line.
    pub(super) rule: Option<Rule>,
    /// The bounded grid of that rule.
    pub(super) topology: Option<Topology>,
    /// The last `#r` line, and where its value begins.
    rule_line: Option<(Line<'a>, usize)>,
    /// Notes for a person.
    pub(super) notes: Vec<String>,
    /// Where the first line of the body begins.
    pub(super) body: usize,
}

/// The header line.
#[derive(Debug)]
pub(super) struct Header {
    /// Columns.
    pub(super) width: u64,
    /// Rows.
    pub(super) height: u64,
    /// The rule, if there is one.
    pub(super) rule: Option<Rule>,
    /// The bounded grid, if there is one.
    pub(super) topology: Option<Topology>,
    /// Where the line begins.
    pub(super) at: usize,
}

/// Whether a header begins here: a word and an equals sign. Without the sign `x` is a cell.
pub(in crate::format) fn is_header(text: &[u8]) -> bool {
    pair_start(text, 0).is_some()
}

impl<'a> Preamble<'a> {
    /// Reads up to the first line that is neither blank, comment nor header.
    pub(super) fn parse(bytes: &'a [u8]) -> Result<Self, FormatError> {
        let mut preamble = Self::default();
        let mut extended = false;
        loop {
            let at = preamble.body;
            let rest = &bytes[at..];
            let Some(start) = rest.iter().position(|&b| !is_blank(b)) else {
                preamble.body = bytes.len();
                return preamble.finish();
            };
            let comment = rest[start] == b'#';
            let is_line_end = |b: &u8| matches!(b, b'\n' | b'\r');
            let header = preamble.header.is_none() && is_header(rest);
            if !comment && !header && !is_line_end(&rest[start]) {
                return preamble.finish();
            }
            let length = rest.iter().position(is_line_end).unwrap_or(rest.len());
            let line = Line {
                bytes,
                at,
                end: at + length,
            };
            let text = &rest[start..length];
            if text.starts_with(b"#r") && text.get(2).is_some_and(|&b| is_blank(b)) {
                preamble.rule_line = Some((line, at + start + 2));
            }
            if text.starts_with(b"#CXRLE") {
                if std::mem::replace(&mut extended, true) {
                    return Err(line.fault(at + start, Fault::ExtendedTwice));
                }
                preamble.read_extended(line, at + start + b"#CXRLE".len())?;
            } else if header {
                preamble.header = Some(read_header(line, &mut preamble.notes)?);
            }
            // The LF of a CRLF is left over as an empty line.
            preamble.body = bytes.len().min(line.end + 1);
        }
    }

    /// Takes the rule of a `#r` line, as XLife wrote it, if the header has none.
    fn finish(mut self) -> Result<Self, FormatError> {
        let Some((line, at)) = self.rule_line else {
            return Ok(self);
        };
        let value_at = line.skip_blanks(at);
        let mut value = line.from(value_at);
        while let [rest @ .., last] = value
            && is_blank(*last)
        {
            value = rest;
        }
        let has_rule = self.header.as_ref().is_some_and(|it| it.rule.is_some());
        if value.is_empty() || has_rule {
            return Ok(self);
        }
        let (rule, topology) = parse_rule(line, value_at, value)?;
        self.rule = Some(rule);
        self.topology = topology;
        Ok(self)
    }

    /// Reads the pairs of a `#CXRLE` line from `at` on. Keys may come in any order, and blanks
    /// around the signs.
    fn read_extended(&mut self, line: Line, mut at: usize) -> Result<(), FormatError> {
        line.check_length()?;
        loop {
            at = line.skip_blanks(at);
            if at == line.end {
                return Ok(());
            }
            let key_at = at;
            at += line.from(at).iter().take_while(|b| is_key(b)).count();
            let key = &line.bytes[key_at..at];
            at = line.skip_blanks(at);
            if key.is_empty() || line.from(at).first() != Some(&b'=') {
                return Err(line.expected(at, "a key and '='"));
            }
            at = line.skip_blanks(at + 1);
            let value_at = at;
            if key.eq_ignore_ascii_case(b"Pos") {
                let (x, after) = line.integer(at)?;
                at = line.skip_blanks(after);
                if line.from(at).first() != Some(&b',') {
                    return Err(line.expected(at, "',' between the two numbers of Pos"));
                }
                let (y, after) = line.integer(line.skip_blanks(at + 1))?;
                self.position = Some(i64vec2(x, y));
                at = after;
            } else {
                let value = line.from(at);
                at += value.iter().take_while(|b| !is_blank(**b)).count();
                let value = &line.bytes[value_at..at];
                if key.eq_ignore_ascii_case(b"Gen") {
                    if value.is_empty() || !value.iter().all(u8::is_ascii_digit) {
                        let fault = Fault::Extended("a whole number for Gen", quoted(value));
                        return Err(line.fault(value_at, fault));
                    }
                    match whole(value) {
                        Some(generation) => self.generation = generation,
                        None => self.notes.push(generation_left_out(value)),
                    }
                } else {
                    let key = one_line(key);
                    self.notes.push(format!(
                        "{key} in the #CXRLE line is not known and left out"
                    ));
                }
            }
        }
    }
}

/// Reads a line for which [`is_header`] holds.
fn read_header(line: Line, notes: &mut Vec<String>) -> Result<Header, FormatError> {
    line.check_length()?;
    let (mut width, mut height, mut rule) = (None, None, None);
    for pair in pairs(line) {
        let number = |name| {
            whole(pair.value)
                .ok_or_else(|| line.fault(pair.value_at, Fault::Number(name, quoted(pair.value))))
        };
        let twice = match pair.key.to_ascii_lowercase().as_slice() {
            b"x" => width.replace(number('x')?).map(|_| "x"),
            b"y" => height.replace(number('y')?).map(|_| "y"),
            b"rule" => rule
                .replace(parse_rule(line, pair.value_at, pair.value)?)
                .map(|_| "rule"),
            _ => {
                let key = one_line(pair.key);
                notes.push(format!("{key} in the header is not known and left out"));
                None
            }
        };
        if let Some(key) = twice {
            return Err(line.fault(pair.key_at, Fault::Twice(key)));
        }
    }
    let missing = |name| line.fault(line.skip_blanks(line.at), Fault::Missing(name));
    Ok(Header {
        width: width.ok_or_else(|| missing('x'))?,
        height: height.ok_or_else(|| missing('y'))?,
        rule: rule.map(|(rule, _)| rule),
        topology: rule.and_then(|(_, topology)| topology),
        at: line.skip_blanks(line.at),
    })
}

fn parse_rule(line: Line, at: usize, text: &[u8]) -> Result<(Rule, Option<Topology>), FormatError> {
    if text.len() > MAX_RULE {
        return Err(line.fault(at, Fault::RuleTooLong(MAX_RULE)));
    }
    notation::parse_with_topology(&one_line(text)).map_err(|error| line.fault(at, error.into()))
}

/// A key with its value, and where in the file they begin.
struct Pair<'a> {
    key: &'a [u8],
    key_at: usize,
    value: &'a [u8],
    value_at: usize,
}

/// The pairs of a header. A comma ends a value only where another pair follows it, because rules
/// have commas of their own (`B3/S23:T12,20`); one at the very end is dropped.
fn pairs(line: Line<'_>) -> Vec<Pair<'_>> {
    let text = &line.bytes[..line.end];
    let commas = (line.at..line.end).filter(|&at| text[at] == b',');
    let starts: Vec<_> = std::iter::once(line.at)
        .chain(commas.map(|comma| comma + 1))
        .filter_map(|at| Some((at, pair_start(text, at)?)))
        .collect();
    let ends = starts.iter().skip(1).map(|(at, _)| at - 1);
    let ends = ends.chain([line.end]);
    starts
        .iter()
        .zip(ends)
        .map(|((_, start), mut end)| {
            let value_at = line.skip_blanks(start.value_at);
            while end > value_at && (is_blank(text[end - 1]) || text[end - 1] == b',') {
                end -= 1;
            }
            Pair {
                key: &text[start.key_at..start.key_end],
                key_at: start.key_at,
                value: &text[value_at.min(end)..end],
                value_at,
            }
        })
        .collect()
}

/// Where the parts of a pair begin.
struct PairStart {
    key_at: usize,
    key_end: usize,
    value_at: usize,
}

/// The pair that begins at `at`, after blanks.
fn pair_start(text: &[u8], at: usize) -> Option<PairStart> {
    let skip = |at: usize, skipped: fn(&u8) -> bool| {
        at + text[at..].iter().take_while(|b| skipped(b)).count()
    };
    let key_at = skip(at, |b| is_blank(*b));
    let key_end = skip(key_at, is_key);
    let equals = skip(key_end, |b| is_blank(*b));
    (key_end > key_at && text.get(equals) == Some(&b'=')).then_some(PairStart {
        key_at,
        key_end,
        value_at: equals + 1,
    })
}

/// A byte of a key.
fn is_key(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || *byte == b'_'
}

/// A number of digits only.
fn whole(text: &[u8]) -> Option<u64> {
    if !text.iter().all(u8::is_ascii_digit) {
        return None;
    }
    str::from_utf8(text).ok()?.parse().ok()
}

/// A line of the file.
#[derive(Clone, Copy, Debug)]
struct Line<'a> {
    bytes: &'a [u8],
    at: usize,
    end: usize,
}

impl<'a> Line<'a> {
    fn from(self, at: usize) -> &'a [u8] {
        &self.bytes[at..self.end]
    }

    fn skip_blanks(self, at: usize) -> usize {
        at + self.from(at).iter().take_while(|b| is_blank(**b)).count()
    }

    /// The whole number with a sign or without at `at`, and where it ends.
    fn integer(self, at: usize) -> Result<(i64, usize), FormatError> {
        let digits = |b: &&u8| b.is_ascii_digit() || matches!(b, b'-' | b'+');
        let end = at + self.from(at).iter().take_while(digits).count();
        let text = str::from_utf8(&self.bytes[at..end]).unwrap_or_default();
        let expected = "a whole number between -2^63 and 2^63 for Pos";
        match text.parse() {
            Ok(number) => Ok((number, end)),
            Err(_) if text.is_empty() => Err(self.expected(at, expected)),
            Err(_) => Err(self.fault(at, Fault::Extended(expected, quoted(text.as_bytes())))),
        }
    }

    fn check_length(self) -> Result<(), FormatError> {
        if self.end - self.at > MAX_LINE {
            return Err(self.fault(self.at, Fault::HeaderTooLong(MAX_LINE)));
        }
        Ok(())
    }

    /// A fault of a `#CXRLE` line that goes on with something else at `at`.
    fn expected(self, at: usize, what: &'static str) -> FormatError {
        self.fault(at, Fault::Extended(what, found_at(self.bytes, at)))
    }

    fn fault(self, at: usize, fault: Fault) -> FormatError {
        FormatError::at(self.bytes, at, fault)
    }
}

#[cfg(test)]
mod tests;
