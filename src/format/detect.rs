//! Which format a file is in.

use std::path::Path;

use thiserror::Error;

use super::{BYTE_ORDER_MARK, Format, is_blank, rle};

/// How much of a file is looked at before the extension decides.
const LOOK: usize = 64 << 10;

/// Beginnings by which other formats are recognised, so that they are refused by name.
const FOREIGN: &[(&[u8], &str)] = &[
    (b"\x89PNG\r\n\x1a\n", "a PNG picture"),
    (b"[M2]", "a macrocell file"),
    (b"#Life 1.05", "a Life 1.05 file"),
    (b"#Life 1.06", "a Life 1.06 file"),
    (b"!", "a plaintext (.cells) file"),
    (b"GIF8", "a GIF picture"),
    (b"PK\x03\x04", "a ZIP archive; unpack it first"),
    (b"\x1f\x8b", "compressed with gzip; unpack it first"),
    (b"\xff\xfe", "UTF-16 text; save it as UTF-8"),
    (b"\xfe\xff", "UTF-16 text; save it as UTF-8"),
];

/// Why no format was found.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum DetectError {
    /// The file is in a format that is known but not read.
    #[error("this is {0}; what can be read is grid text (.txt) and RLE (.rle)")]
    Foreign(&'static str),
    /// There is nothing to go by.
    #[error("the file is empty")]
    Empty,
    /// Neither the bytes nor the extension belong to a format.
    #[error(
        "line 1, column 1: the format is not known; grid text starts with a line like '10 20' (rows columns), RLE with one like 'x = 20, y = 10'"
    )]
    Unknown,
}

/// See [`Format::detect`].
pub(super) fn detect(bytes: &[u8], path: Option<&Path>) -> Result<Format, DetectError> {
    let bytes = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes);
    if let Some((_, what)) = FOREIGN.iter().find(|(start, _)| bytes.starts_with(start)) {
        return Err(DetectError::Foreign(what));
    }
    let head = &bytes[..bytes.len().min(LOOK)];
    let (text, has_comments) = skip_comments(head);
    if rle::is_header(text) {
        return Ok(Format::Rle);
    }
    // A grid has no comments; but its own error message is the one that helps.
    if is_two_numbers(text) {
        return Ok(Format::Grid);
    }
    if has_comments || is_body(text) {
        return Ok(Format::Rle);
    }
    if let Some(format) = path.and_then(Format::of_name) {
        return Ok(format);
    }
    match text.first() {
        // Meant as the first line of a grid, perhaps.
        Some(b'0'..=b'9' | b'+' | b'-') => Ok(Format::Grid),
        _ if bytes.trim_ascii().is_empty() => Err(DetectError::Empty),
        _ => Err(DetectError::Unknown),
    }
}

/// What follows the blank lines and comments at the start, and whether there was a comment.
fn skip_comments(text: &[u8]) -> (&[u8], bool) {
    let (mut rest, mut seen) = (text.trim_ascii_start(), false);
    while rest.starts_with(b"#") {
        seen = true;
        let end = rest.iter().position(|b| matches!(b, b'\n' | b'\r'));
        rest = rest[end.unwrap_or(rest.len())..].trim_ascii_start();
    }
    (rest, seen)
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
    fn other_formats_are_refused_by_name() {
        for (bytes, what) in [
            (b"\x89PNG\r\n\x1a\nmore".as_slice(), "PNG"),
            (b"[M2] (golly 3.3)\n", "macrocell"),
            (b"#Life 1.05\n", "Life 1.05"),
            (b"#Life 1.06\r\n0 1\n", "Life 1.06"),
            (b"!Name: glider\n.O.\n", "plaintext"),
            (b"\x1f\x8b\x08", "gzip"),
        ] {
            let error = of(bytes, "a.rle").unwrap_err().to_string();
            assert!(error.contains(what), "{error}");
        }
    }
}
