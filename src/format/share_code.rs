//! Share codes: a board and its rules as a short text to copy and paste.
//!
//! A code is `DUO1` and then, in the URL-safe alphabet of Base64 without padding:
//!
//! ```text
//! flags      1 byte    bit 0: torus; bit 1: cells deflated; bits 2-3: ties (seeded, red, blue, checkerboard)
//! birth      2 bytes   bit n: births with n neighbours, little-endian
//! survival   2 bytes
//! width, height, seed of the ties   LEB128 each
//! cells      one bit per cell, row by row, lowest bit first: alive;
//!            then one bit a live cell in the same order: blue
//! ```

use glam::uvec2;
use std::io::{self, Read};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use flate2::Compression;
use flate2::read::{DeflateDecoder, DeflateEncoder};
use thiserror::Error;

use super::{FormatError, LifelikeDocument, LifelikePattern, Limits};
use crate::board::{BoardError, Edges, LifelikeBoard, LifelikeCell, Size};
use crate::rules::notation::Topology;
use crate::rules::{LifelikeRuleset, Rule, Ties};

/// What every code begins with; the digit is the version.
pub const PREFIX: &str = "DUO1";

/// The longest code, in characters.
pub const MAX_LENGTH: usize = 1500;

const TORUS: u8 = 1;
const DEFLATED: u8 = 1 << 1;
const TIES_SHIFT: u8 = 2;

/// Why there is no code for a board, or no board for a code. One line each.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum ShareError {
    /// The board holds too much.
    #[error(
        "the board does not fit into a share code: {0} characters, the most is {MAX_LENGTH}; save it to a file instead"
    )]
    TooMuch(usize),
    /// The text is longer than any code.
    #[error("a share code has at most {MAX_LENGTH} characters, not {0}")]
    TooLong(usize),
    /// The text does not begin like a code.
    #[error("a share code begins with {PREFIX}")]
    NoCode,
    /// The text has been damaged.
    #[error("the share code is damaged: {0}")]
    Damaged(&'static str),
    /// The board is larger than allowed.
    #[error("the share code asks for a board of {width}x{height} cells, which is too large")]
    TooLarge {
        /// Columns.
        width: u64,
        /// Rows.
        height: u64,
    },
    /// There is no memory for the board.
    #[error(transparent)]
    Board(#[from] BoardError),
}

/// The code of a board and its rules.
///
/// # Errors
/// [`ShareError::TooMuch`] if it would have more than [`MAX_LENGTH`] characters.
pub fn encode(board: &LifelikeBoard, ruleset: LifelikeRuleset) -> Result<String, ShareError> {
    let (size, rule) = (board.size(), ruleset.rule);
    // A board with more live cells than a code has bits cannot fit, unless it is very regular: what
    // deflate makes of it decides. A board larger than deflate can shrink to a code is refused
    // before it is packed.
    let least = size.cells() / 8 / 1032;
    if least > MAX_LENGTH as u64 {
        return Err(ShareError::TooMuch(least as usize));
    }
    let plain = pack(board);
    let mut deflated = Vec::new();
    DeflateEncoder::new(&plain[..], Compression::best())
        .read_to_end(&mut deflated)
        .map_err(|_| ShareError::Damaged("its cells cannot be deflated"))?;
    let (ties, seed) = match ruleset.ties {
        Ties::Seeded(seed) => (0, seed),
        Ties::Red => (1, 0),
        Ties::Blue => (2, 0),
        Ties::Checkerboard => (3, 0),
    };
    let mut flags = ties << TIES_SHIFT;
    if ruleset.edges == Edges::Torus {
        flags |= TORUS;
    }
    let cells = if deflated.len() < plain.len() {
        flags |= DEFLATED;
        deflated
    } else {
        plain
    };
    let mut bytes = vec![flags];
    bytes.extend(rule.birth().to_le_bytes());
    bytes.extend(rule.survival().to_le_bytes());
    for number in [size.width().into(), size.height().into(), seed] {
        push_number(&mut bytes, number);
    }
    bytes.extend(cells);
    let code = format!("{PREFIX}{}", URL_SAFE_NO_PAD.encode(bytes));
    match code.len() {
        0..=MAX_LENGTH => Ok(code),
        length => Err(ShareError::TooMuch(length)),
    }
}

/// The board and the rules of a code. Blanks and line ends around and in it are left out.
///
/// # Errors
/// [`ShareError`] for anything but a code that [`encode`] can make and `limits` allow.
pub fn decode(code: &str, limits: &Limits) -> Result<(LifelikeBoard, LifelikeRuleset), ShareError> {
    let code: String = code
        .chars()
        .filter(|c| !c.is_whitespace())
        .take(MAX_LENGTH + 1)
        .collect();
    if code.len() > MAX_LENGTH {
        return Err(ShareError::TooLong(code.len()));
    }
    let text = code.strip_prefix(PREFIX).ok_or(ShareError::NoCode)?;
    let bytes = URL_SAFE_NO_PAD
        .decode(text)
        .map_err(|_| ShareError::Damaged("a character does not belong there"))?;
    let mut bytes = &bytes[..];
    let [flags, b0, b1, s0, s1] = *take(&mut bytes)?;
    let [width, height, seed] = [
        take_number(&mut bytes)?,
        take_number(&mut bytes)?,
        take_number(&mut bytes)?,
    ];
    let ties = match flags >> TIES_SHIFT {
        0 => Ties::Seeded(seed),
        1 => Ties::Red,
        2 => Ties::Blue,
        3 => Ties::Checkerboard,
        _ => return Err(ShareError::Damaged("it has flags that mean nothing")),
    };
    let ruleset = LifelikeRuleset {
        rule: Rule::new(u16::from_le_bytes([b0, b1]), u16::from_le_bytes([s0, s1]))
            .ok_or(ShareError::Damaged("its rule does not exist"))?,
        edges: if flags & TORUS != 0 {
            Edges::Torus
        } else {
            Edges::Dead
        },
        ties,
    };
    let too_large = ShareError::TooLarge { width, height };
    let size = match Size::new(width, height) {
        Ok(size) if 2 * size.plane_bytes() <= limits.max_board_bytes => size,
        _ => return Err(too_large),
    };
    let most = size.cells().div_ceil(4);
    let cells = if flags & DEFLATED != 0 {
        let mut cells = Vec::new();
        DeflateDecoder::new(bytes)
            .take(most + 1)
            .read_to_end(&mut cells)
            .map_err(|_| ShareError::Damaged("its cells cannot be inflated"))?;
        cells
    } else {
        bytes.to_vec()
    };
    Ok((unpack(size, &cells)?, ruleset))
}

/// Whether the text begins like a share code.
pub(super) fn begins(text: &[u8]) -> bool {
    text.trim_ascii_start().starts_with(PREFIX.as_bytes())
}

/// The pattern of a code in the bytes of a file.
///
/// # Errors
/// [`FormatError`] as [`decode`].
pub(super) fn parse(bytes: &[u8], limits: &Limits) -> Result<LifelikePattern, FormatError> {
    let fault = |error| FormatError::at(bytes, 0, error);
    let code = std::str::from_utf8(bytes).map_err(|_| fault(ShareError::NoCode))?;
    let (board, ruleset) = decode(code, limits).map_err(fault)?;
    let mut pattern = LifelikePattern::new(board);
    let size = pattern.board.size();
    pattern.rule = Some(ruleset.rule);
    pattern.topology = Some(Topology {
        edges: ruleset.edges,
        width: size.width().into(),
        height: size.height().into(),
    });
    if ruleset.rule.has_ties() && ruleset.ties != Ties::Seeded(0) {
        pattern.notes.push(match ruleset.ties {
            Ties::Seeded(seed) => format!("made for seeded ties: use --seed {seed}"),
            ties => format!("made for ties of its own: use --ties {ties}"),
        });
    }
    Ok(pattern)
}

/// The code of a document; a board without edges counts as a torus, ties are seeded with 0.
///
/// # Errors
/// As [`encode`].
pub(super) fn of(document: &LifelikeDocument<'_>) -> Result<String, ShareError> {
    let ruleset = LifelikeRuleset {
        rule: document.rule.unwrap_or(Rule::LIFE),
        edges: document.edges.unwrap_or(Edges::Torus),
        ties: Ties::Seeded(0),
    };
    encode(document.board, ruleset)
}

/// Writes the code of a document and a line end.
///
/// # Errors
/// Those of `out`, and [`io::ErrorKind::InvalidInput`] if there is no code.
pub(super) fn write(document: &LifelikeDocument<'_>, out: &mut dyn io::Write) -> io::Result<()> {
    let code = of(document).map_err(|error| io::Error::new(io::ErrorKind::InvalidInput, error))?;
    writeln!(out, "{code}")
}

/// The alive bits of all cells and the blue bits of the live ones.
fn pack(board: &LifelikeBoard) -> Vec<u8> {
    let size = board.size();
    let live = board.census().alive();
    let mut bits = vec![0u8; (size.cells() + live).div_ceil(8) as usize];
    let set = |bits: &mut Vec<u8>, at: u64| bits[(at / 8) as usize] |= 1 << (at % 8);
    for (n, (at, cell)) in (size.cells()..).zip(board.live_cells()) {
        let at = u64::from(at.y) * u64::from(size.width()) + u64::from(at.x);
        set(&mut bits, at);
        if cell == LifelikeCell::Blue {
            set(&mut bits, n);
        }
    }
    bits
}

fn unpack(size: Size, bits: &[u8]) -> Result<LifelikeBoard, ShareError> {
    let set = |at: u64| bits[(at / 8) as usize] >> (at % 8) & 1 != 0;
    let length_of = |bits: u64| bits.div_ceil(8) as usize;
    let wrong = ShareError::Damaged("its cells are too few or too many");
    if bits.len() < length_of(size.cells()) {
        return Err(wrong);
    }
    let live = (0..size.cells()).filter(|&at| set(at)).count() as u64;
    if bits.len() != length_of(size.cells() + live) {
        return Err(wrong);
    }
    let mut board = LifelikeBoard::new(size)?;
    let live_cells = (0..size.cells()).filter(|&at| set(at));
    for (n, at) in (size.cells()..).zip(live_cells) {
        let width = u64::from(size.width());
        let cell = if set(n) {
            LifelikeCell::Blue
        } else {
            LifelikeCell::Red
        };
        board.set(uvec2((at % width) as u32, (at / width) as u32), cell);
    }
    Ok(board)
}

/// Appends a number, seven bits per byte, lowest first, the high bit set on all but the last.
fn push_number(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn take_number(bytes: &mut &[u8]) -> Result<u64, ShareError> {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let [byte] = *take(bytes)?;
        let part = u64::from(byte & 0x7f);
        if part << shift >> shift != part {
            break;
        }
        number |= part << shift;
        if byte < 0x80 {
            return Ok(number);
        }
    }
    Err(ShareError::Damaged("a number is too large"))
}

/// The first bytes of what is left.
fn take<'a, const N: usize>(bytes: &mut &'a [u8]) -> Result<&'a [u8; N], ShareError> {
    let (first, rest) = bytes
        .split_first_chunk()
        .ok_or(ShareError::Damaged("it ends too early"))?;
    *bytes = rest;
    Ok(first)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::board::start;
    use crate::rules::notation::parse;

    fn ruleset(rule: &str, edges: Edges, ties: Ties) -> LifelikeRuleset {
        LifelikeRuleset {
            rule: parse(rule).unwrap(),
            edges,
            ties,
        }
    }

    fn random(width: u64, height: u64, density: f64) -> LifelikeBoard {
        start::random(Size::new(width, height).unwrap(), density, 5).unwrap()
    }

    #[test]
    fn boards_and_rules_come_back() {
        for ties in [
            Ties::Seeded(u64::MAX),
            Ties::Seeded(0),
            Ties::Red,
            Ties::Blue,
            Ties::Checkerboard,
        ] {
            for (board, edges) in [
                (random(1, 1, 1.0), Edges::Torus),
                (random(60, 60, 0.35), Edges::Dead),
                (random(33, 65, 0.0), Edges::Dead),
                (random(2000, 1000, 0.0), Edges::Torus),
                (random(90, 90, 1.0), Edges::Torus),
            ] {
                let ruleset = ruleset("B36/S125", edges, ties);
                let code = encode(&board, ruleset).unwrap();
                assert!(code.len() <= MAX_LENGTH && code.is_ascii());
                let spread: String = code.chars().flat_map(|c| [c, '\n']).collect();
                assert_eq!(
                    decode(&code, &Limits::default()),
                    Ok((board.clone(), ruleset))
                );
                assert_eq!(decode(&spread, &Limits::default()), Ok((board, ruleset)));
            }
        }
    }

    #[test]
    fn a_board_that_does_not_fit_is_refused() {
        let ruleset = ruleset("B3/S23", Edges::Torus, Ties::Red);
        assert!(matches!(
            encode(&random(200, 200, 0.5), ruleset),
            Err(ShareError::TooMuch(_))
        ));
        assert!(matches!(
            encode(&random(8000, 8000, 0.0), ruleset),
            Err(ShareError::TooMuch(_))
        ));
    }

    #[test]
    fn damaged_codes_are_refused() {
        let refused = |code: &str| decode(code, &Limits::default()).unwrap_err();
        assert_eq!(refused(""), ShareError::NoCode);
        assert_eq!(refused("DUO2AAAA"), ShareError::NoCode);
        assert_eq!(
            refused(&"A".repeat(5000)),
            ShareError::TooLong(MAX_LENGTH + 1)
        );
        assert!(matches!(refused("DUO1"), ShareError::Damaged(_)));
        assert!(matches!(refused("DUO1AAA*"), ShareError::Damaged(_)));
        let ruleset = ruleset("B3/S23", Edges::Torus, Ties::Seeded(9));
        let code = encode(&random(20, 20, 0.4), ruleset).unwrap();
        for length in 0..code.len() {
            assert!(
                decode(&code[..length], &Limits::default()).is_err(),
                "{length}"
            );
        }
        // 2^32 - 1 columns and rows.
        let mut bytes = vec![0, 8, 0, 12, 0];
        push_number(&mut bytes, u64::from(u32::MAX));
        push_number(&mut bytes, u64::from(u32::MAX));
        push_number(&mut bytes, 0);
        let code = format!("{PREFIX}{}", URL_SAFE_NO_PAD.encode(bytes));
        assert!(matches!(refused(&code), ShareError::TooLarge { .. }));
    }

    proptest! {
        #[test]
        fn garbage_never_panics_and_never_takes_much_memory(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let limits = Limits { max_board_bytes: 1 << 20, ..Limits::default() };
            let code = format!("{PREFIX}{}", URL_SAFE_NO_PAD.encode(bytes));
            if let Ok((board, ruleset)) = decode(&code, &limits) {
                // A code that another program has made may deflate differently, but means the same.
                if let Ok(code) = encode(&board, ruleset) {
                    prop_assert_eq!(decode(&code, &limits), Ok((board, ruleset)));
                }
            }
        }

        #[test]
        fn any_text_is_refused_or_read(text in "\\PC*") {
            let _ = decode(&text, &Limits::default());
        }
    }
}
