//! Boards from PNG pictures.
//!
//! A cell is a square of `scale` x `scale` pixels of one colour. The bytes of the samples decide, not
//! what a colour profile would make of them:
//!
//! ```text
//! dead   #0E1116, #000000, or fully transparent in any colour
//! red    #E8432E, #FF0000, or white in a picture that is stored as grey
//! blue   #80CCFF, #0000FF
//! ```
//!
//! The first of each line is what [`Palette::DEFAULT`] draws. Any other colour is refused, also that
//! of the margin around a board: read as dead cells it would make the board larger. All colour types
//! and depths are read, samples of 16 bits as the nearest of 8. Of an animation the first picture is
//! read.
//!
//! `true_colour` reads grey and true-colour pictures, `indexed` those with a palette, which is how
//! this program writes boards.
//!
//! In the places of errors a line is a row of pixels and a column a pixel of it.

mod indexed;
mod true_colour;

use std::io::{self, Cursor};

use glam::{UVec2, uvec2};
use png::{ColorType, Decoder, DecodingError, Reader};
use thiserror::Error;

use super::{FormatError, LifelikePattern, Limits, Place, one_line};
use crate::board::{LifelikeBoard, LifelikeCell};
use crate::render::palette::Rgb;
use crate::render::{Draw, Palette, PictureSize, write_png};

/// The first bytes of every PNG.
pub const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";

/// The most bytes of a row of pixels; the decoder holds a few rows.
const MAX_ROW_BYTES: u64 = 4 << 20;

/// What a decoder may take for rows, palette and the like.
const DECODER_BYTES: usize = 16 << 20;

/// Deflate makes at most so many bytes of one.
const MAX_EXPANSION: u64 = 1032;

/// What is wrong with a PNG.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum Fault {
    /// It is none.
    #[error("this is no PNG, whose first bytes are 89 50 4E 47")]
    Signature,
    /// A scale of 0.
    #[error("a cell has at least 1 pixel per side; choose a --scale from 1")]
    NoScale,
    /// A side is not so many whole cells.
    #[error(
        "a picture of {width}x{height} pixels is no whole number of cells of {scale} pixels per side; choose the --scale at which it was drawn"
    )]
    Uneven {
        /// Columns of pixels.
        width: u32,
        /// Rows of pixels.
        height: u32,
        /// Pixels per cell side.
        scale: u32,
    },
    /// Rows are longer than what is read.
    #[error(
        "a row of {0} bytes is too long to be read (at most {MAX_ROW_BYTES}); save the picture with a palette, or narrower"
    )]
    Wide(u64),
    /// No file of this length can hold so many pixels.
    #[error(
        "{width}x{height} pixels cannot be in a file of {bytes} bytes; it is cut off or its header is faulty"
    )]
    Promise {
        /// Columns of pixels.
        width: u32,
        /// Rows of pixels.
        height: u32,
        /// Length of the file.
        bytes: u64,
    },
    /// The pixels of a picture without a palette take more memory than is allowed.
    #[error(
        "{width}x{height} pixels without a palette take {bytes} bytes, at most {most} are allowed; save the picture with a palette"
    )]
    Pixels {
        /// Columns of pixels.
        width: u32,
        /// Rows of pixels.
        height: u32,
        /// Bytes of the pixels.
        bytes: u64,
        /// Bytes allowed.
        most: u64,
    },
    /// The file ends early.
    #[error("the file ends before the picture does; fetch or save it again")]
    Cut,
    /// The decoder cannot go on.
    #[error("the PNG is faulty: {0}; fetch or save it again")]
    Broken(String),
    /// An index without a colour.
    #[error(
        "a pixel of colour {index}, but the palette has only {colours}; save the picture again"
    )]
    Index {
        /// The index.
        index: u16,
        /// Colours in the palette.
        colours: usize,
    },
    /// A colour that is no cell.
    #[error("a pixel of {0}; {known}", known = known(.0))]
    Colour(Colour),
    /// A pixel unlike the first one of its cell.
    #[error(
        "a {found} pixel in a cell that begins {cell}; the cells are not {scale} pixels per side, choose the --scale at which the picture was drawn"
    )]
    Mixed {
        /// The cell that the top left pixel of the square stands for.
        cell: &'static str,
        /// The cell that this pixel stands for.
        found: &'static str,
        /// Pixels per cell side.
        scale: u32,
    },
}

/// Red, green, blue and opacity, each 0 to 255.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Colour(pub [u8; 4]);

impl std::fmt::Display for Colour {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [red, green, blue, opacity] = self.0;
        write!(f, "colour #{red:02X}{green:02X}{blue:02X}")?;
        match opacity {
            255 => Ok(()),
            _ => write!(f, ", opacity {opacity} of 255"),
        }
    }
}

/// What would have been understood.
fn known(found: &Colour) -> String {
    let [red, green, blue, opacity] = found.0;
    let hint = if [red, green, blue] == Palette::DEFAULT.outside && opacity == 255 {
        "that is the margin around a board: crop it, or draw with --scale; "
    } else {
        ""
    };
    let Palette {
        dead, red, blue, ..
    } = Palette::DEFAULT;
    let hex = |[r, g, b]: Rgb| format!("#{r:02X}{g:02X}{b:02X}");
    format!(
        "{hint}cells are {} or #000000 or transparent (dead), {} or #FF0000 or in a grey picture #FFFFFF (red), {} or #0000FF (blue)",
        hex(dead),
        hex(red),
        hex(blue)
    )
}

/// The board in a picture with `scale` pixels per cell in each direction.
///
/// Of a picture with a palette never more than a few rows are held in memory beside the board; the
/// pixels of any other are held at once and may take as much memory as a board.
///
/// # Errors
/// [`FormatError`] for the first fault in the order in which the pixels are decoded.
pub fn parse(bytes: &[u8], scale: u32, limits: &Limits) -> Result<LifelikePattern, FormatError> {
    if scale == 0 {
        return Err(fault_at(UVec2::ZERO, Fault::NoScale));
    }
    let file = PngFile::open(bytes)?;
    let UVec2 {
        x: width,
        y: height,
    } = file.size;
    if !width.is_multiple_of(scale) || !height.is_multiple_of(scale) {
        let fault = Fault::Uneven {
            width,
            height,
            scale,
        };
        return Err(fault_at(UVec2::ZERO, fault));
    }
    let size = limits
        .size((width / scale).into(), (height / scale).into())
        .map_err(|fault| fault_at(UVec2::ZERO, fault))?;
    let mut pattern = LifelikeBoard::new(size)
        .map(LifelikePattern::new)
        .map_err(|fault| fault_at(UVec2::ZERO, fault))?;
    let board = &mut pattern.board;
    if file.reader.info().animation_control.is_some() {
        let note = "an animation, of which the first picture was read";
        pattern.notes.push(note.into());
    }
    // The top left pixel of a square decides about its cell and comes before the others, unless the
    // rows come interlaced: then the others are compared in a second reading.
    let is_indexed = file.reader.info().color_type == ColorType::Indexed;
    let compares_later = is_indexed && file.reader.info().interlaced && scale > 1;
    let mut visit = |at: UVec2, cell| {
        if at % scale == UVec2::ZERO {
            if cell != LifelikeCell::Dead {
                board.set(at / scale, cell);
            }
            Ok(())
        } else if compares_later {
            Ok(())
        } else {
            compare(board, at, cell, scale)
        }
    };
    if is_indexed {
        indexed::visit(file, &mut visit)?;
    } else {
        true_colour::visit(bytes, &file, limits, &mut visit)?;
    }
    if compares_later {
        let file = PngFile::open(bytes)?;
        indexed::visit(file, |at, cell| compare(board, at, cell, scale))?;
    }
    Ok(pattern)
}

/// Writes a board as a picture with one pixel per cell.
///
/// # Errors
/// Those of `out`, and of boards larger than a picture may be.
pub fn encode(board: &LifelikeBoard, out: &mut dyn io::Write) -> io::Result<()> {
    let picture = board.draw(PictureSize::Scale(1));
    write_png(&picture.map_err(io::Error::other)?, out).map_err(io::Error::from)
}

/// Whether the pixel is like the first one of its cell.
fn compare(board: &LifelikeBoard, at: UVec2, found: LifelikeCell, scale: u32) -> Result<(), Fault> {
    let name = |cell| match cell {
        LifelikeCell::Dead => "dead",
        LifelikeCell::Red => "red",
        LifelikeCell::Blue => "blue",
    };
    match board.cell(at / scale) {
        cell if cell == found => Ok(()),
        cell => Err(Fault::Mixed {
            cell: name(cell),
            found: name(found),
            scale,
        }),
    }
}

/// A fault of the pixel `at`.
fn fault_at(at: UVec2, fault: impl Into<super::Fault>) -> FormatError {
    FormatError {
        place: Place {
            line: u64::from(at.y) + 1,
            column: u64::from(at.x) + 1,
        },
        fault: fault.into(),
    }
}

fn decoding(error: DecodingError) -> Fault {
    match error {
        DecodingError::IoError(error) => unreadable(&error),
        error => broken(&error),
    }
}

fn unreadable(error: &io::Error) -> Fault {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => Fault::Cut,
        _ => broken(error),
    }
}

fn broken(error: &dyn std::error::Error) -> Fault {
    Fault::Broken(one_line(error.to_string().trim_end_matches('.').as_bytes()))
}

/// The cell that a colour stands for.
fn cell_of(Colour([red, green, blue, opacity]): Colour, is_grey: bool) -> Option<LifelikeCell> {
    const PALETTE: Palette = Palette::DEFAULT;
    let colour = [red, green, blue];
    match opacity {
        0 => Some(LifelikeCell::Dead),
        255 if colour == PALETTE.dead || colour == [0; 3] => Some(LifelikeCell::Dead),
        255 if colour == PALETTE.red || colour == [255, 0, 0] => Some(LifelikeCell::Red),
        255 if colour == PALETTE.blue || colour == [0, 0, 255] => Some(LifelikeCell::Blue),
        255 if is_grey && colour == [255; 3] => Some(LifelikeCell::Red),
        _ => None,
    }
}

/// A picture of which all but the pixels has been read.
struct PngFile<'a> {
    reader: Reader<Cursor<&'a [u8]>>,
    size: UVec2,
    /// Bytes of a row in the file.
    row_bytes: u64,
}

impl<'a> PngFile<'a> {
    /// Reads up to the first pixel. What the header says is checked before anything else is read.
    fn open(bytes: &'a [u8]) -> Result<Self, FormatError> {
        Self::read_header(bytes).map_err(|fault| fault_at(UVec2::ZERO, fault))
    }

    fn read_header(bytes: &'a [u8]) -> Result<Self, Fault> {
        if !bytes.starts_with(SIGNATURE) {
            return Err(Fault::Signature);
        }
        let limits = png::Limits {
            bytes: DECODER_BYTES,
        };
        let mut decoder = Decoder::new_with_limits(Cursor::new(bytes), limits);
        decoder.set_ignore_text_chunk(true);
        decoder.set_ignore_iccp_chunk(true);
        let info = decoder.read_header_info().map_err(decoding)?;
        let (width, height) = (info.width, info.height);
        let bits = info.color_type.samples() as u64 * info.bit_depth as u64;
        let row_bytes = (u64::from(width) * bits).div_ceil(8);
        if row_bytes > MAX_ROW_BYTES {
            return Err(Fault::Wide(row_bytes));
        }
        let length = bytes.len() as u64;
        if u64::from(width) * u64::from(height) * bits / 8 > length.saturating_mul(MAX_EXPANSION) {
            return Err(Fault::Promise {
                width,
                height,
                bytes: length,
            });
        }
        let reader = decoder.read_info().map_err(decoding)?;
        let first = reader.info().frame_control;
        if first.is_some_and(|first| (first.width, first.height) != (width, height)) {
            return Err(Fault::Broken("its first frame has another size".into()));
        }
        Ok(Self {
            reader,
            size: uvec2(width, height),
            row_bytes,
        })
    }
}

#[cfg(test)]
mod tests;
