//! Grey and true-colour pixels, read at once with the image crate.

use std::io::Cursor;

use glam::{UVec2, uvec2};
use image::codecs::png::PngDecoder;
use image::{ColorType, ImageDecoder, ImageError};

use super::{
    Colour, DECODER_BYTES, Fault, FormatError, PngFile, SIGNATURE, broken, cell_of, fault_at,
    unreadable,
};
use crate::board::LifelikeCell;
use crate::format::Limits;

/// How many bytes the decoder makes of a byte of a row: 8 grey samples of 1 bit become 8 of 8 bits,
/// each with one of opacity.
const MAX_WIDENING: u64 = 16;

/// Calls `f` with every pixel, as the cell it stands for, row by row.
pub(super) fn visit(
    bytes: &[u8],
    file: &PngFile<'_>,
    limits: &Limits,
    mut f: impl FnMut(UVec2, LifelikeCell) -> Result<(), Fault>,
) -> Result<(), FormatError> {
    let decoded = decode(bytes, file, limits);
    let (format, pixels) = decoded.map_err(|fault| fault_at(UVec2::ZERO, fault))?;
    let mut pixels = pixels.chunks_exact(format.pixel_bytes());
    for y in 0..file.size.y {
        for (x, pixel) in (0..file.size.x).zip(&mut pixels) {
            let (at, colour) = (uvec2(x, y), format.colour(pixel));
            cell_of(colour, format.is_grey())
                .ok_or(Fault::Colour(colour))
                .and_then(|cell| f(at, cell))
                .map_err(|fault| fault_at(at, fault))?;
        }
    }
    Ok(())
}

/// The bytes of all pixels, once it is known that they may be held.
fn decode(
    bytes: &[u8],
    file: &PngFile<'_>,
    limits: &Limits,
) -> Result<(PixelFormat, Vec<u8>), Fault> {
    // The decoder is done with the last pixel and does not look for the end.
    if !has_end(bytes) {
        return Err(Fault::Cut);
    }
    let size = file.size;
    let mut decoder_limits = image::Limits::no_limits();
    decoder_limits.max_image_width = Some(size.x);
    decoder_limits.max_image_height = Some(size.y);
    decoder_limits.max_alloc = Some(DECODER_BYTES as u64 + MAX_WIDENING * file.row_bytes);
    let decoder = PngDecoder::with_limits(Cursor::new(bytes), decoder_limits).map_err(decoding)?;
    let format = PixelFormat(decoder.color_type());
    let too_large = || Fault::Pixels {
        width: size.x,
        height: size.y,
        bytes: decoder.total_bytes(),
        most: limits.max_board_bytes,
    };
    if decoder.total_bytes() > limits.max_board_bytes {
        return Err(too_large());
    }
    let mut pixels = usize::try_from(decoder.total_bytes())
        .ok()
        .and_then(|bytes| bytemuck::allocation::try_zeroed_vec(bytes).ok())
        .ok_or_else(too_large)?;
    decoder.read_image(&mut pixels).map_err(decoding)?;
    Ok((format, pixels))
}

/// Whether the file has the chunk that ends a PNG. Each has a length, a name of 4 bytes, its data
/// and a checksum of 4 bytes.
fn has_end(bytes: &[u8]) -> bool {
    let mut rest = bytes.get(SIGNATURE.len()..).unwrap_or_default();
    while let Some((&length, chunk)) = rest.split_first_chunk::<4>() {
        if chunk.starts_with(b"IEND") {
            return chunk.len() >= 8;
        }
        let length = u32::from_be_bytes(length) as usize;
        rest = chunk.get(length.saturating_add(8)..).unwrap_or_default();
    }
    false
}

fn decoding(error: ImageError) -> Fault {
    match error {
        ImageError::IoError(error) => unreadable(&error),
        error => broken(&error),
    }
}

/// What the bytes of a pixel mean: one grey sample or three of red, green and blue, perhaps one of
/// opacity; 8 bits each, or 16 in the order of this machine.
struct PixelFormat(ColorType);

impl PixelFormat {
    fn pixel_bytes(&self) -> usize {
        self.0.bytes_per_pixel().into()
    }

    fn is_grey(&self) -> bool {
        !self.0.has_color()
    }

    fn colour(&self, pixel: &[u8]) -> Colour {
        let is_wide = self.0.bytes_per_pixel() > self.0.channel_count();
        let sample = |channel: usize| -> u16 {
            if is_wide {
                u16::from_ne_bytes([pixel[2 * channel], pixel[2 * channel + 1]])
            } else {
                u16::from(pixel[channel]) * 257
            }
        };
        let nearest = |sample: u16| ((u32::from(sample) * 255 + 32_767) / 65_535) as u8;
        // What is not fully transparent must not become so.
        let opaque = |sample: u16| nearest(sample).max(u8::from(sample > 0));
        let value = |channel| nearest(sample(channel));
        Colour(match self.0.channel_count() {
            1 => [value(0), value(0), value(0), 255],
            2 => [value(0), value(0), value(0), opaque(sample(1))],
            3 => [value(0), value(1), value(2), 255],
            _ => [value(0), value(1), value(2), opaque(sample(3))],
        })
    }
}
