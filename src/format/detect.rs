//! Which format a file is in.

use std::path::Path;

use thiserror::Error;

use super::{BYTE_ORDER_MARK, Format, is_blank, rle};

/// How many bytes of a file are searched for a format before the extension decides.
pub(super) const SEARCHED_BYTES: usize = 64 << 10;

/// Beginnings by which other formats are recognised, so that they are refused by name.
const FOREIGN: &[(&[u8], &str)] = &[
    (b"GIF8", "a GIF picture"),
    (b"PK\x03\x04", "a ZIP archive; unpack it first"),
    (b"\x1f\x8b", "compressed with gzip; unpack it first"),
    (b"\xff\xfe", "UTF-16 text; save it as UTF-8"),
    (b"\xfe\xff", "UTF-16 text; save it as UTF-8"),
];

/// Why no format was found.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum DetectError {
    /// The file is in a known format that is not read.
    #[error("this is {0}; what can be read is {readable}", readable = Format::readable())]
    Foreign(&'static str),
    /// There is nothing to go by.
    #[error("the file is empty")]
    Empty,
    /// Neither the bytes nor the extension belong to a format.
    #[error(
        "line 1, column 1: the format is not known; grid text starts with a line like '10 20' (rows columns), RLE with one like 'x = 20, y = 10', macrocell with '[M2]', Life 1.06 with '#Life 1.06', plaintext is rows of '.' and 'O', and a board of reZolution starts with 'duolife populations 1'"
    )]
    Unknown,
}

/// See [`Format::detect`].
pub(super) fn detect(bytes: &[u8], path: Option<&Path>) -> Result<Format, DetectError> {
    let bytes = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes);
    if let Some((_, what)) = FOREIGN.iter().find(|(start, _)| bytes.starts_with(start)) {
        return Err(DetectError::Foreign(what));
    }
    let head = &bytes[..bytes.len().min(SEARCHED_BYTES)];
    if let Some(format) = Format::of_beginning(head) {
        return Ok(format);
    }
    let (text, comments) = skip_comments(head);
    if rle::is_header(text) {
        return Ok(Format::Rle);
    }
    // A grid has no comments; but its own error message is the one that helps.
    if is_two_numbers(text) {
        return Ok(Format::Grid);
    }
    let named = path.and_then(Format::of_name);
    match comments {
        Comments::Position if is_rows(text) => return Ok(Format::Life106),
        // Comments before the format of the extension.
        Comments::Position | Comments::Other if named == Some(Format::Life106) => {
            return Ok(Format::Life106);
        }
        Comments::Position | Comments::Other => return Ok(Format::Rle),
        Comments::None => {}
    }
    // 'O' and '*' are no letters of RLE. Rows of only '.' and 'o' could be the cells of other
    // formats, too.
    let rows = !text.is_empty() && is_rows(text);
    if rows && text.iter().any(|b| b"O*".contains(b)) {
        return Ok(Format::Cells);
    }
    if is_body(text) {
        return Ok(Format::Rle);
    }
    if rows {
        let other = named.filter(|format| matches!(format, Format::Rle | Format::Life106));
        return Ok(other.unwrap_or(Format::Cells));
    }
    if let Some(format) = named {
        return Ok(format);
    }
    match text.first() {
        // Meant as the first line of a grid, perhaps.
        Some(b'0'..=b'9' | b'+' | b'-') => Ok(Format::Grid),
        _ if bytes.trim_ascii().is_empty() => Err(DetectError::Empty),
        _ => Err(DetectError::Unknown),
    }
}

/// The comments at the start of a file, which begin with `#`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Comments {
    /// There is none.
    None,
    /// There is one that Life 1.05 has before its blocks: `#P`.
    Position,
    /// There are only others.
    Other,
}

/// What follows the blank lines and comments at the start, and which comments there were.
fn skip_comments(text: &[u8]) -> (&[u8], Comments) {
    let (mut rest, mut found) = (text.trim_ascii_start(), Comments::None);
    while rest.starts_with(b"#") {
        if rest.starts_with(b"#P") {
            found = Comments::Position;
        } else if found == Comments::None {
            found = Comments::Other;
        }
        let end = rest.iter().position(|b| matches!(b, b'\n' | b'\r'));
        rest = rest[end.unwrap_or(rest.len())..].trim_ascii_start();
    }
    (rest, found)
}

/// Whether the text is rows of cells and nothing else, up to a comment.
fn is_rows(text: &[u8]) -> bool {
    let end = text.iter().position(|b| b"#!".contains(b));
    let rows = &text[..end.unwrap_or(text.len())];
    let known = |b: &u8| b".Oo*".contains(b) || b.is_ascii_whitespace();
    // A mark within a line is no comment.
    let starts_line = rows.last().is_none_or(|b| matches!(b, b'\n' | b'\r'));
    rows.iter().all(known) && (end.is_none() || starts_line)
}

/// Whether the first line is two whole numbers and nothing else.
fn is_two_numbers(text: &[u8]) -> bool {
    let line = text.split(|b| matches!(b, b'\n' | b'\r')).next();
    let mut words = line
        .unwrap_or_default()
        .split(|&b| is_blank(b))
        .filter(|word| !word.is_empty());
    let mut number = || {
        words.next().is_some_and(|word| {
            let digits = word.strip_prefix(b"-").unwrap_or(word);
            !digits.is_empty() && digits.iter().all(u8::is_ascii_digit)
        })
    };
    number() && number() && words.next().is_none()
}

/// Whether the text is the body of an RLE file without a header: up to the end mark nothing but
/// what a body may hold, and a row end or the end mark among it. Without one of these it could as
/// well be a grid that lacks its first line.
fn is_body(text: &[u8]) -> bool {
    let end = text.iter().position(|&b| b == b'!');
    let body = &text[..end.unwrap_or(text.len())];
    let known = |b: &u8| b.is_ascii_alphanumeric() || b.is_ascii_whitespace() || b".$".contains(b);
    body.iter().all(known) && (end.is_some() || body.contains(&b'$'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(bytes: &[u8], name: &str) -> Result<Format, DetectError> {
        detect(bytes, Some(Path::new(name)))
    }

    #[test]
    fn the_content_decides_before_the_extension() {
        for name in ["-", "a.txt", "a.rle", "a.unknown"] {
            for rle in [
                "x = 3, y = 3\n3o!",
                "X=3,Y=3\n3o!",
                "  x=3, y=3\n3o!",
                "\u{feff}x = 3, y = 3\n3o!",
                "#C text = 5\n\n#C more\nx = 1, y = 1\no!",
                "#N\rx = 1, y = 1\ro!",
                "bo$2bo$3o!",
                "#CXRLE Pos=0,0\nbo$2bo$3o",
                "5!",
            ] {
                assert_eq!(of(rle.as_bytes(), name), Ok(Format::Rle), "{rle:?}");
            }
            for grid in [
                "2 3\n...\n...",
                "2 3",
                "12\t3\r\n",
                "#C\n2 3\n..1",
                "-1 5\n",
            ] {
                assert_eq!(of(grid.as_bytes(), name), Ok(Format::Grid), "{grid:?}");
            }
        }
    }

    #[test]
    fn pictures_are_known_by_their_first_bytes() {
        assert_eq!(of(b"\x89PNG\r\n\x1a\nmore", "a.rle"), Ok(Format::Png));
        assert_eq!(of(b"?", "a.png"), Ok(Format::Png));
    }

    #[test]
    fn the_extension_decides_where_the_content_does_not() {
        assert_eq!(of(b"..1\n.2.", "a.txt"), Ok(Format::Grid));
        assert_eq!(of(b"..1\n.2.", "a.rle"), Ok(Format::Rle));
        assert_eq!(of(b"", "a.grid"), Ok(Format::Grid));
        assert_eq!(of(b"?", "a.RLE"), Ok(Format::Rle));
        assert_eq!(of(b"..1\n.2.", "-"), Err(DetectError::Unknown));
        assert_eq!(of(b"3x4\n...", "-"), Ok(Format::Grid));
        assert_eq!(of(b" \n", "-"), Err(DetectError::Empty));
        assert_eq!(detect(b"hello, world", None), Err(DetectError::Unknown));
    }

    #[test]
    fn patterns_of_one_colour_and_trees_are_found_by_their_content() {
        for name in ["-", "a.txt", "a.rle", "a.unknown"] {
            for (format, texts) in [
                (
                    Format::Cells,
                    &[
                        "!Name: glider\n.O.\n",
                        "!\n.Q",
                        "\u{feff}! x",
                        ".O\n\n..O\r\nOOO\n",
                        "  .*\n  ..\n",
                        ".O\n! in between\n.O\n",
                    ][..],
                ),
                (
                    Format::Life106,
                    &[
                        "#Life 1.05\n#P 0 0\n.*\n",
                        "#Life 1.06\r\n0 1\n",
                        "\n#life 1.06\n",
                        "#P 0 0\n.*\n#P 3 3\n*\n",
                        "#N\n#P -1 -1\n***\n",
                    ],
                ),
                (Format::Macrocell, &["[M2] (golly 3.3)\n", "[M2]"]),
                (
                    Format::Rle,
                    &["#P 0 0\nx = 1, y = 1\no!", "#P 0 0\n3o!", "!", "!\n"],
                ),
            ] {
                for text in texts {
                    assert_eq!(of(text.as_bytes(), name), Ok(format), "{text:?}");
                }
            }
        }
        assert_eq!(of(b"..o\no\n", "a.rle"), Ok(Format::Rle));
        assert_eq!(of(b"..o\no\n", "a.txt"), Ok(Format::Cells));
        assert_eq!(of(b"..\n", "a.lif"), Ok(Format::Life106));
        assert_eq!(of(b"#D\n.*\n", "a.lif"), Ok(Format::Life106));
        assert_eq!(of(b"?", "a.mc"), Ok(Format::Macrocell));
        assert_eq!(of(b"", "a.cells"), Ok(Format::Cells));
    }

    #[test]
    fn boards_of_populations_are_found_by_their_first_words() {
        for name in ["-", "a.txt", "a.rle", "a.unknown"] {
            for text in [
                "duolife populations 1\nsize 1x1\n.",
                "; mine\n\n Duolife populations 9",
                "\u{feff}duolife populations",
            ] {
                assert_eq!(
                    of(text.as_bytes(), name),
                    Ok(Format::Rezolution),
                    "{text:?}"
                );
            }
        }
        assert_eq!(of(b"?", "a.rez"), Ok(Format::Rezolution));
        assert_eq!(of(b"duolife", "a.rle"), Ok(Format::Rle));
    }

    #[test]
    fn other_formats_are_refused_by_name() {
        for (bytes, what) in [(b"GIF89a".as_slice(), "GIF"), (b"\x1f\x8b\x08", "gzip")] {
            let error = of(bytes, "a.rle").unwrap_err().to_string();
            assert!(error.contains(what), "{error}");
        }
    }
}
