//! What stands before the cells in an RLE file: comments and the header.

use super::Fault;
use crate::format::{FormatError, found_at, is_blank, one_line, quoted};
use crate::rules::Rule;
use crate::rules::notation::{self, Topology};
use glam::{I64Vec2, i64vec2};

/// A header or `#CXRLE` line longer than this is none: it is refused before lists are made of it.
const MAX_LINE: usize = 4096;

/// Longer than every rule string, even the 90 bytes of a MAP rule with a bounded grid.
const MAX_RULE: usize = 200;

/// Everything before the body.
#[derive(Debug, Default)]
pub(super) struct Preamble {
    /// The header, if there is one.
    pub(super) header: Option<Header>,
    /// `Pos` of the `#CXRLE` line.
    pub(super) position: Option<I64Vec2>,
    /// `Gen` of the `#CXRLE` line, else 0.
    pub(super) generation: u64,
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

impl Preamble {
    /// Reads up to the first line that is neither blank, comment nor header.
    pub(super) fn parse(bytes: &[u8]) -> Result<Self, FormatError> {
        let mut preamble = Self::default();
        let mut extended = false;
        loop {
            let at = preamble.body;
            let rest = &bytes[at..];
            let Some(start) = rest.iter().position(|&b| !is_blank(b)) else {
                preamble.body = bytes.len();
                return Ok(preamble);
            };
            let comment = rest[start] == b'#';
            let is_line_end = |b: &u8| matches!(b, b'\n' | b'\r');
            let header = preamble.header.is_none() && is_header(rest);
            if !comment && !header && !is_line_end(&rest[start]) {
                return Ok(preamble);
            }
            let length = rest.iter().position(is_line_end).unwrap_or(rest.len());
            let line = Line {
                bytes,
                at,
                end: at + length,
            };
            if rest[start..length].starts_with(b"#CXRLE") {
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
                    self.generation = whole(value).ok_or_else(|| {
                        let what = "a whole number below 2^64 for Gen";
                        line.fault(value_at, Fault::Extended(what, quoted(value)))
                    })?;
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
            b"rule" => rule.replace(read_rule(line, &pair)?).map(|_| "rule"),
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

fn read_rule(line: Line, pair: &Pair) -> Result<(Rule, Option<Topology>), FormatError> {
    if pair.value.len() > MAX_RULE {
        return Err(line.fault(pair.value_at, Fault::RuleTooLong(MAX_RULE)));
    }
    notation::parse_with_topology(&one_line(pair.value))
        .map_err(|error| line.fault(pair.value_at, error.into()))
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
#[derive(Clone, Copy)]
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
mod tests {
    use super::*;
    use crate::board::Edges;

    fn read(text: &str) -> Result<Preamble, String> {
        Preamble::parse(text.as_bytes()).map_err(|error| error.to_string())
    }

    /// Width, height and rule of a header.
    fn header(text: &str) -> (u64, u64, String) {
        let header = read(text).unwrap().header.unwrap();
        let rule = header.rule.map(|rule| rule.to_string());
        (header.width, header.height, rule.unwrap_or_default())
    }

    #[test]
    fn a_header_may_be_spelled_in_many_ways() {
        for text in [
            "x = 5, y = 9, rule = B3/S23\n",
            "x=5,y=9,rule=B3/S23",
            "x = 5, y=9, rule = b3s23\r\n",
            " \tx =5 ,\ty= 9 , rule =  23/3  \n",
            "X = 5, Y = 9, RULE = Life\n",
            "x = 5, y = 9, rule = B3/S23,\n",
            "x = 5, y = 9, rule = B3/S23 , \n",
            "y = 9, rule = s23/b3, x = 5\n",
            "x = 5, y = 9, rule = Immigration, extra = 1\n",
            "x = 5, hue = 7, y = 9, rule = B3/S23\n",
            "\n\n#C with x = 3\n#N\n  \nx = 5, y = 9, rule = B3/S23\no!",
        ] {
            assert_eq!(header(text), (5, 9, "B3/S23".into()), "{text:?}");
        }
        assert_eq!(header("x = 5, y = 9,\n"), (5, 9, String::new()));
        let notes = read("x = 1, hue = 7, y = 1, rule = B2/S, a_1 = 3,4")
            .unwrap()
            .notes;
        assert_eq!(notes.len(), 2, "{notes:?}");
        assert!(notes[0].starts_with("hue in the header"));
        assert!(notes[1].starts_with("a_1 in the header"));
    }

    #[test]
    fn the_comma_of_a_bounded_grid_belongs_to_the_rule() {
        for text in [
            "x = 5, y = 9, rule = B36/S23:T12,20\n",
            "x = 5, rule = B36/S23:T12,20, y = 9\n",
            "x = 5, y = 9, rule = B36/S23:T12,20,\n",
            "x = 5, y = 9, rule = HighLife:t12,20, hue = 3",
        ] {
            assert_eq!(header(text), (5, 9, "B36/S23".into()));
            let grid = read(text).unwrap().header.unwrap().topology.unwrap();
            assert_eq!(
                (grid.edges, grid.width, grid.height),
                (Edges::Torus, 12, 20)
            );
        }
    }

    #[test]
    fn a_faulty_header_is_refused_with_its_place() {
        for (text, place, what) in [
            (
                "x = 3, y = , rule = B3/S23\n",
                "line 1, column 12",
                "number for y, found nothing",
            ),
            ("x = 3, y =\n", "line 1, column 11", "found nothing"),
            (
                "x = three, y = 3\n",
                "line 1, column 5",
                "for x, found 'three'",
            ),
            ("#C\r\nx = -3, y = 3\n", "line 2, column 5", "found '-3'"),
            ("x = 3 y = 3\n", "line 1, column 5", "found '3 y = 3'"),
            ("x = 3.5, y = 3\n", "line 1, column 5", "found '3.5'"),
            (
                "x = 99999999999999999999, y = 3\n",
                "line 1, column 5",
                "number for x",
            ),
            ("x = 3\n", "line 1, column 1", "does not say y"),
            ("\n  rule = B3/S23\n", "line 2, column 3", "does not say x"),
            ("x = 3, y = 3, x = 4\n", "line 1, column 15", "x twice"),
            (
                "x = 3, y = 3, rule = 23/3/3\n",
                "line 1, column 22",
                "Generations rule 23/3/3 is not supported",
            ),
            (
                "x = 3, y = 3, rule = \n",
                "line 1, column 22",
                "rule is empty",
            ),
            (
                "x = 3, y = 3, rule = B3/S23:K9,9*\n",
                "line 1, column 22",
                "Klein bottle",
            ),
            (
                "x = 3, y = 3, rule = R5,C0,M1,S34..58,B34..45,NM\n",
                "line 1, column 22",
                "Larger than Life",
            ),
            (
                "x = 3, y = 3, rule = a\x1b[31m\0\n",
                "line 1, column 22",
                "not known",
            ),
        ] {
            let error = read(text).unwrap_err();
            assert!(
                error.starts_with(&format!("{place}: ")),
                "{text:?}: {error}"
            );
            assert!(error.contains(what), "{text:?}: {error}");
            assert!(!error.contains(char::is_control), "{text:?}: {error}");
        }
        let long = format!("x = 3, y = 3, rule = {}\n", "3".repeat(MAX_RULE + 1));
        assert!(read(&long).unwrap_err().contains("longer than 200 bytes"));
        let long = format!("x = 3, y = 3{}\n", ", a = 1".repeat(MAX_LINE));
        assert!(read(&long).unwrap_err().contains("longer than 4096 bytes"));
    }

    #[test]
    fn a_line_of_cells_is_no_header() {
        for text in ["xbx$\nxxx!", "x$y$z!", "xyz", "3x!", "!", "$$"] {
            let preamble = read(text).unwrap();
            assert!(preamble.header.is_none(), "{text:?}");
            assert_eq!(preamble.body, 0);
        }
        let second = read("#C\nx = 3, y = 2\n#C\n\nx = 3, y = 2\n").unwrap();
        assert_eq!(second.body, 20, "a second header is left to the body");
        assert_eq!(read(" \n\t").unwrap().body, 3);
    }

    #[test]
    fn position_and_generation() {
        for text in [
            "#CXRLE Pos=-30,12 Gen=345678901234\n",
            "#CXRLE Gen = 345678901234 Pos = -30 , 12 \r\nx = 1, y = 1\n",
            "#C first\n\t#CXRLE\tpos=-30,+12 gen=345678901234",
            "x = 1, y = 1\n#CXRLE Pos=-30,12 Gen=345678901234\no!",
        ] {
            let preamble = read(text).unwrap();
            assert_eq!(preamble.position, Some(i64vec2(-30, 12)), "{text:?}");
            assert_eq!(preamble.generation, 345_678_901_234, "{text:?}");
            assert_eq!(preamble.notes, [""; 0]);
        }
        let far = read("#CXRLE Pos=-9223372036854775808,-2147483649").unwrap();
        assert_eq!(far.position, Some(i64vec2(i64::MIN, -2_147_483_649)));
        assert_eq!(far.generation, 0);
        assert_eq!(read("#CXRLE\n").unwrap().position, None);
        let other = read("#CXRLE Mag=3 Gen=2").unwrap();
        assert_eq!(other.generation, 2);
        assert!(other.notes[0].starts_with("Mag in the #CXRLE line"));
    }

    #[test]
    fn a_faulty_extended_line_is_refused_with_its_place() {
        for (text, place, what) in [
            (
                "#CXRLE Pos=3\n",
                "line 1, column 13",
                "',' between the two numbers of Pos, found the end of the line",
            ),
            (
                "#CXRLE Pos=3,\n",
                "line 1, column 14",
                "found the end of the line",
            ),
            ("#CXRLE Pos=,3\n", "line 1, column 12", "whole number"),
            ("#C\n#CXRLE Pos=a,3\n", "line 2, column 12", "found 'a'"),
            ("#CXRLE Pos=1-2,3\n", "line 1, column 12", "found '1-2'"),
            (
                "#CXRLE Pos=9223372036854775808,0\n",
                "line 1, column 12",
                "2^63",
            ),
            ("#CXRLE Gen=-1\n", "line 1, column 12", "found '-1'"),
            (
                "#CXRLE Gen=18446744073709551616\n",
                "line 1, column 12",
                "below 2^64",
            ),
            ("#CXRLE Gen=\n", "line 1, column 12", "found nothing"),
            (
                "#CXRLE Gen 5\n",
                "line 1, column 12",
                "a key and '=', found '5'",
            ),
            ("#CXRLE = 5\n", "line 1, column 8", "a key and '='"),
            (
                "#CXRLE Gen=1\n#CXRLE Gen=2\n",
                "line 2, column 1",
                "second #CXRLE",
            ),
        ] {
            let error = read(text).unwrap_err();
            assert!(
                error.starts_with(&format!("{place}: ")),
                "{text:?}: {error}"
            );
            assert!(error.contains(what), "{text:?}: {error}");
        }
    }
}
