//! Boards of populations as a short text, for what the program remembers from one run to the next.
//!
//! A code is `REZ1` and then, in the URL-safe alphabet of Base64 without padding, the deflated text
//! that [`rezolution`] has for the board.

use std::io::{self, Read};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use flate2::Compression;
use flate2::read::{DeflateDecoder, DeflateEncoder};
use thiserror::Error;

use super::rezolution::{self, RezolutionDocument, RezolutionPattern};
use super::{FormatError, Limits};

/// What every code begins with; the digit is the version.
pub const PREFIX: &str = "REZ1";

/// The longest code, in characters.
pub const MAX_LENGTH: usize = 1 << 17;

/// The longest text that is packed or unpacked, in bytes.
const MAX_TEXT: u64 = 8 << 20;

/// Why there is no code for a board, or no board for a code. One line each.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum CodeError {
    /// The board holds too much.
    #[error("the board is too large to be kept until next time; save it to a file (.rez)")]
    TooMuch,
    /// The text is no code, or has been damaged.
    #[error("the board that was kept is damaged: {0}")]
    Damaged(&'static str),
    /// The board in it is faulty or too large.
    #[error("the board that was kept cannot be read: {0}")]
    Board(FormatError),
}

/// The code of a board.
///
/// # Errors
/// [`CodeError::TooMuch`] if it would have more than [`MAX_LENGTH`] characters.
pub fn encode(document: &RezolutionDocument<'_>) -> Result<String, CodeError> {
    // A cell and its gap are two bytes at least.
    if document.board.size().cells() > MAX_TEXT / 2 {
        return Err(CodeError::TooMuch);
    }
    let mut text = Vec::new();
    rezolution::encode(document, &mut text).map_err(|_| CodeError::TooMuch)?;
    if text.len() as u64 > MAX_TEXT {
        return Err(CodeError::TooMuch);
    }
    let mut deflated = Vec::new();
    DeflateEncoder::new(&text[..], Compression::best())
        .read_to_end(&mut deflated)
        .map_err(|_| CodeError::TooMuch)?;
    let code = format!("{PREFIX}{}", URL_SAFE_NO_PAD.encode(deflated));
    match code.len() {
        0..=MAX_LENGTH => Ok(code),
        _ => Err(CodeError::TooMuch),
    }
}

/// The board of a code.
///
/// # Errors
/// [`CodeError`] for anything but a code that [`encode`] can make and `limits` allow.
pub fn decode(code: &str, limits: &Limits) -> Result<RezolutionPattern, CodeError> {
    if code.len() > MAX_LENGTH {
        return Err(CodeError::Damaged("it is too long"));
    }
    let text = code.strip_prefix(PREFIX);
    let text = text.ok_or(CodeError::Damaged("it does not begin like one"))?;
    let deflated = URL_SAFE_NO_PAD
        .decode(text)
        .map_err(|_| CodeError::Damaged("a character has no place in it"))?;
    let unpacked = unpack(&deflated).map_err(|_| CodeError::Damaged("it cannot be unpacked"))?;
    if unpacked.len() as u64 > MAX_TEXT {
        return Err(CodeError::Damaged("it asks for too much"));
    }
    rezolution::parse(&unpacked, limits).map_err(CodeError::Board)
}

/// What was deflated, or a little more than is allowed of it.
fn unpack(deflated: &[u8]) -> io::Result<Vec<u8>> {
    let mut unpacked = Vec::new();
    let decoder = DeflateDecoder::new(deflated);
    decoder.take(MAX_TEXT + 1).read_to_end(&mut unpacked)?;
    Ok(unpacked)
}

#[cfg(test)]
mod tests {
    use glam::uvec2;

    use super::*;
    use crate::board::rezolution::{Ground, RezolutionCell};
    use crate::board::{Edges, RezolutionBoard, Size, start};

    fn document(board: &RezolutionBoard) -> RezolutionDocument<'_> {
        RezolutionDocument {
            board,
            edges: Some(Edges::Torus),
            generation: 0,
        }
    }

    fn board(width: u64, height: u64) -> RezolutionBoard {
        let size = Size::new(width, height).unwrap();
        let mut board = RezolutionBoard::new(size).unwrap();
        for x in 0..size.width() {
            let ground = match x % 3 {
                0 => Ground::Barrier,
                _ => Ground::Target,
            };
            let population = 0;
            board.set(uvec2(x, 0), RezolutionCell { population, ground });
        }
        start::demo(&board, 0.5, 3).unwrap()
    }

    #[test]
    fn a_board_comes_back_from_its_code() {
        for (width, height) in [(1, 1), (33, 2), (120, 80), (500, 400)] {
            let board = board(width, height);
            let code = encode(&document(&board)).unwrap();
            let back = decode(&code, &Limits::default()).unwrap();
            assert_eq!((back.board, back.edges), (board, Some(Edges::Torus)));
        }
    }

    #[test]
    fn boards_that_do_not_fit_are_refused() {
        let mut full = RezolutionBoard::new(Size::new(700, 700).unwrap()).unwrap();
        for (x, y) in (0..700u32).flat_map(|y| (0..700u32).map(move |x| (x, y))) {
            // Of no pattern that deflate would find.
            let mixed = (x.wrapping_mul(0x9e37_79b9) ^ y.wrapping_mul(0x85eb_ca6b)) >> 11;
            full.set(uvec2(x, y), RezolutionCell::open((mixed % 120) as i8 - 60));
        }
        assert_eq!(encode(&document(&full)), Err(CodeError::TooMuch));
        let large = RezolutionBoard::new(Size::new(5000, 5000).unwrap()).unwrap();
        assert_eq!(encode(&document(&large)), Err(CodeError::TooMuch));
    }

    #[test]
    fn damaged_codes_are_refused() {
        let code = encode(&document(&board(40, 30))).unwrap();
        let cut = &code[..code.len() / 2];
        let bomb = {
            let zeros = vec![b' '; (MAX_TEXT + 100) as usize];
            let mut deflated = Vec::new();
            let mut encoder = DeflateEncoder::new(&zeros[..], Compression::best());
            encoder.read_to_end(&mut deflated).unwrap();
            format!("{PREFIX}{}", URL_SAFE_NO_PAD.encode(deflated))
        };
        for damaged in ["", "DUO1", "REZ1", "REZ1!", cut, &bomb] {
            assert!(
                decode(damaged, &Limits::default()).is_err(),
                "{damaged:.20}"
            );
        }
        let small = Limits {
            max_board_bytes: 100,
            ..Limits::default()
        };
        assert!(matches!(decode(&code, &small), Err(CodeError::Board(_))));
    }
}
