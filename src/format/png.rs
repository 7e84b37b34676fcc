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
//! In the places of errors a line is a row of pixels and a column a pixel of it.

use glam::uvec2;
use std::io::{self, Cursor};

use png::{ColorType, Decoder, DecodingError, Info, Reader};
use thiserror::Error;

use super::{FormatError, LifelikePattern, Limits, Place, one_line};
use crate::board::{LifelikeBoard, LifelikeCell};
use crate::render::palette::Rgb;
use crate::render::{Palette, Picture, PictureSize, write_png};

/// The first bytes of every PNG.
pub const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";

/// The most bytes of a row of pixels; the decoder holds a few rows.
const MAX_ROW_BYTES: u64 = 4 << 20;

/// What the decoder may take for rows, palette and the like.
const DECODER_BYTES: usize = 16 << 20;

/// Deflate makes at most so many bytes of one.
const MAX_EXPANSION: u64 = 1032;

/// The passes of an interlaced picture: first column and row, steps to the next ones.
const ADAM7: [(u32, u32, u32, u32); 7] = [
    (0, 0, 8, 8),
    (4, 0, 8, 8),
    (0, 4, 4, 8),
    (2, 0, 4, 4),
    (0, 2, 2, 4),
    (1, 0, 2, 2),
    (0, 1, 1, 2),
];

/// What is wrong with a PNG.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum Fault {
    /// It is none.
    #[error("this is no PNG, whose first bytes are 89 50 4E 47")]
    Signature,
    /// A scale of 0.
    #[error("a cell has at least 1 pixel a side; choose a --scale from 1")]
    NoScale,
    /// A side is not so many whole cells.
    #[error(
        "a picture of {width}x{height} pixels is no whole number of cells of {scale} pixels a side; choose the --scale at which it was drawn"
    )]
    Uneven {
        /// Columns of pixels.
        width: u32,
        /// Rows of pixels.
        height: u32,
        /// Pixels a cell.
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
        "a {found} pixel in a cell that begins {cell}; the cells are not {scale} pixels a side, choose the --scale at which the picture was drawn"
    )]
    Mixed {
        /// The cell that the top left pixel of the square stands for.
        cell: &'static str,
        /// The cell that this pixel stands for.
        found: &'static str,
        /// Pixels a cell.
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

/// The board in a picture with `scale` pixels a cell in each direction.
///
/// Rows are decoded one by one; beside the board there are never more than a few of them.
///
/// # Errors
/// [`FormatError`] for the first fault in the order in which the file stores the pixels.
pub fn parse(bytes: &[u8], scale: u32, limits: &Limits) -> Result<LifelikePattern, FormatError> {
    if scale == 0 {
        return Err(fault_at(0, 0, Fault::NoScale));
    }
    let picture = Source::open(bytes)?;
    let (width, height) = (picture.width, picture.height);
    if !width.is_multiple_of(scale) || !height.is_multiple_of(scale) {
        let fault = Fault::Uneven {
            width,
            height,
            scale,
        };
        return Err(fault_at(0, 0, fault));
    }
    let size = limits
        .size((width / scale).into(), (height / scale).into())
        .map_err(|fault| fault_at(0, 0, fault))?;
    let mut pattern = LifelikeBoard::new(size)
        .map(LifelikePattern::new)
        .map_err(|fault| fault_at(0, 0, fault))?;
    let board = &mut pattern.board;
    if picture.animated {
        let note = "an animation, of which the first picture was read";
        pattern.notes.push(note.into());
    }
    // The top left pixel of a square decides about its cell and comes before the others, but not
    // if the picture is interlaced: then the others are compared in a second reading.
    let later = picture.interlaced && scale > 1;
    picture.visit(|x, y, cell| {
        if x.is_multiple_of(scale) && y.is_multiple_of(scale) {
            if cell != LifelikeCell::Dead {
                board.set(uvec2(x / scale, y / scale), cell);
            }
            Ok(())
        } else if later {
            Ok(())
        } else {
            compare(board, x, y, cell, scale)
        }
    })?;
    if later {
        Source::open(bytes)?.visit(|x, y, cell| compare(board, x, y, cell, scale))?;
    }
    Ok(pattern)
}

/// Writes a board as a picture with one pixel a cell.
///
/// # Errors
/// Those of `out`, and of boards larger than a picture may be.
pub fn encode(board: &LifelikeBoard, out: &mut dyn io::Write) -> io::Result<()> {
    let picture = Picture::draw(board, PictureSize::Scale(1), Palette::DEFAULT);
    write_png(&picture.map_err(io::Error::other)?, out).map_err(io::Error::from)
}

/// Whether the pixel is like the first one of its cell.
fn compare(
    board: &LifelikeBoard,
    x: u32,
    y: u32,
    found: LifelikeCell,
    scale: u32,
) -> Result<(), Fault> {
    let name = |cell| match cell {
        LifelikeCell::Dead => "dead",
        LifelikeCell::Red => "red",
        LifelikeCell::Blue => "blue",
    };
    match board.cell(uvec2(x / scale, y / scale)) {
        cell if cell == found => Ok(()),
        cell => Err(Fault::Mixed {
            cell: name(cell),
            found: name(found),
            scale,
        }),
    }
}

fn fault_at(x: u32, y: u32, fault: impl Into<super::Fault>) -> FormatError {
    FormatError {
        place: Place {
            line: u64::from(y) + 1,
            column: u64::from(x) + 1,
        },
        fault: fault.into(),
    }
}

fn decoding(error: DecodingError) -> Fault {
    match error {
        DecodingError::IoError(error) if error.kind() == io::ErrorKind::UnexpectedEof => Fault::Cut,
        error => Fault::Broken(one_line(error.to_string().trim_end_matches('.').as_bytes())),
    }
}

/// A picture of which all but the pixels is known.
struct Source<'a> {
    reader: Reader<Cursor<&'a [u8]>>,
    samples: Samples,
    width: u32,
    height: u32,
    interlaced: bool,
    animated: bool,
}

impl<'a> Source<'a> {
    /// Reads up to the first pixel. What the header says is checked before anything else is read.
    fn open(bytes: &'a [u8]) -> Result<Self, FormatError> {
        Self::read_header(bytes).map_err(|fault| fault_at(0, 0, fault))
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
        let info = reader.info();
        let first = info.frame_control.map(|frame| (frame.width, frame.height));
        if first.is_some_and(|first| first != (width, height)) {
            return Err(Fault::Broken("its first frame has another size".into()));
        }
        Ok(Self {
            samples: Samples::new(info),
            width,
            height,
            interlaced: info.interlaced,
            animated: info.animation_control.is_some(),
            reader,
        })
    }

    /// Shows every pixel, as the cell it stands for, in the order of the file.
    fn visit(
        mut self,
        mut see: impl FnMut(u32, u32, LifelikeCell) -> Result<(), Fault>,
    ) -> Result<(), FormatError> {
        let passes: &[_] = if self.interlaced {
            &ADAM7
        } else {
            &[(0, 0, 1, 1)]
        };
        for &(left, top, right, down) in passes.iter().filter(|pass| pass.0 < self.width) {
            for y in (top..self.height).step_by(down as usize) {
                let row = self.reader.next_row().map_err(decoding);
                let row = row.and_then(|row| row.ok_or(Fault::Cut));
                let row = row.map_err(|fault| fault_at(0, y, fault))?;
                for (i, x) in (left..self.width).step_by(right as usize).enumerate() {
                    self.samples
                        .cell(row.data(), i)
                        .and_then(|cell| see(x, y, cell))
                        .map_err(|fault| fault_at(x, y, fault))?;
                }
            }
        }
        // A file that lacks its end, or whose checksums are wrong, is found out here.
        let end = self.reader.finish().map_err(decoding);
        end.map_err(|fault| fault_at(0, self.height - 1, fault))
    }
}

/// How the samples of a row become colours and cells.
struct Samples {
    kind: ColorType,
    /// Bits a sample.
    depth: u8,
    /// Three bytes a colour.
    palette: Vec<u8>,
    /// Opacities of the palette's colours, or the samples of the one transparent colour.
    transparency: Option<Vec<u8>>,
    /// The cells of all values of a sample, if it is a whole pixel and has 8 bits or fewer.
    cells: Vec<Option<LifelikeCell>>,
}

impl Samples {
    fn new(info: &Info<'_>) -> Self {
        let owned =
            |bytes: &Option<std::borrow::Cow<'_, [u8]>>| bytes.as_deref().map(<[u8]>::to_vec);
        let mut samples = Self {
            kind: info.color_type,
            depth: info.bit_depth as u8,
            palette: owned(&info.palette).unwrap_or_default(),
            transparency: owned(&info.trns),
            cells: Vec::new(),
        };
        if samples.kind.samples() == 1 && samples.depth <= 8 {
            samples.cells = (0..1 << samples.depth)
                .map(|value| samples.cell_of(samples.colour([value, 0, 0, 0])?))
                .collect();
        }
        samples
    }

    /// The cell of pixel `i` of a row.
    fn cell(&self, row: &[u8], i: usize) -> Result<LifelikeCell, Fault> {
        if !self.cells.is_empty() {
            let value = usize::from(self.sample(row, i));
            if let Some(cell) = self.cells[value] {
                return Ok(cell);
            }
        }
        let mut raw = [0; 4];
        let count = self.kind.samples();
        for (channel, sample) in raw[..count].iter_mut().enumerate() {
            *sample = self.sample(row, i * count + channel);
        }
        let colour = self.colour(raw).ok_or(Fault::Index {
            index: raw[0],
            colours: self.palette.len() / 3,
        })?;
        self.cell_of(colour).ok_or(Fault::Colour(Colour(colour)))
    }

    /// Sample `i` of a row; the highest bits of a byte are its first sample.
    fn sample(&self, row: &[u8], i: usize) -> u16 {
        let depth = usize::from(self.depth);
        match depth {
            16 => u16::from_be_bytes([row[2 * i], row[2 * i + 1]]),
            8 => row[i].into(),
            _ => {
                let (byte, at) = (i * depth / 8, i * depth % 8);
                u16::from(row[byte] >> (8 - depth - at)) & ((1 << depth) - 1)
            }
        }
    }

    /// The colour of a pixel's samples, `None` if the palette has none.
    fn colour(&self, raw: [u16; 4]) -> Option<[u8; 4]> {
        let most = (1u32 << self.depth) - 1;
        let eight = |sample: u16| ((u32::from(sample) * 255 + most / 2) / most) as u8;
        // What is not fully transparent must not become so.
        let opacity = |sample: u16| eight(sample).max(u8::from(sample > 0));
        let keyed = |samples: &[u16]| match &self.transparency {
            Some(key) if self.depth == 16 => {
                let mut key = key.as_chunks::<2>().0.iter();
                samples.iter().all(|s| key.next() == Some(&s.to_be_bytes()))
            }
            Some(key) => samples
                .iter()
                .copied()
                .eq(key.iter().map(|&b| u16::from(b))),
            None => false,
        };
        let [a, b, c, d] = raw;
        Some(match self.kind {
            ColorType::Grayscale if keyed(&[a]) => [0; 4],
            ColorType::Grayscale => [eight(a), eight(a), eight(a), 255],
            ColorType::GrayscaleAlpha => [eight(a), eight(a), eight(a), opacity(b)],
            ColorType::Rgb if keyed(&[a, b, c]) => [0; 4],
            ColorType::Rgb => [eight(a), eight(b), eight(c), 255],
            ColorType::Rgba => [eight(a), eight(b), eight(c), opacity(d)],
            ColorType::Indexed => {
                let index = usize::from(a);
                let colour = self.palette.get(3 * index..3 * index + 3)?;
                let opacities = self.transparency.as_deref().unwrap_or_default();
                let opacity = opacities.get(index).copied().unwrap_or(255);
                [colour[0], colour[1], colour[2], opacity]
            }
        })
    }

    /// The cell that a colour stands for.
    fn cell_of(&self, [red, green, blue, opacity]: [u8; 4]) -> Option<LifelikeCell> {
        const PALETTE: Palette = Palette::DEFAULT;
        let grey = matches!(self.kind, ColorType::Grayscale | ColorType::GrayscaleAlpha);
        let colour = [red, green, blue];
        match opacity {
            0 => Some(LifelikeCell::Dead),
            255 if colour == PALETTE.dead || colour == [0; 3] => Some(LifelikeCell::Dead),
            255 if colour == PALETTE.red || colour == [255, 0, 0] => Some(LifelikeCell::Red),
            255 if colour == PALETTE.blue || colour == [0, 0, 255] => Some(LifelikeCell::Blue),
            255 if grey && colour == [255; 3] => Some(LifelikeCell::Red),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests;
