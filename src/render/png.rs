//! Pictures written as PNG.

use std::io::{self, Write};

use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{ExtendedColorType, ImageEncoder, ImageError};
use png::{
    BitDepth, ColorType, DeflateCompression, Encoder, EncodingError, Filter, SrgbRenderingIntent,
};
use thiserror::Error;

use super::picture::{Picture, Pixels};

/// Effort of compression, 1 to 9. Higher levels save 5 to 10 % on a battle that has settled but
/// take several times as long, and most of that on random starts, which they do not make smaller.
pub(super) const LEVEL: u8 = 2;

/// Why a PNG could not be written; the cause is the source of the error.
#[derive(Debug, Error)]
pub enum PngError {
    /// The output took no more bytes; the source has its kind, such as a broken pipe.
    #[error("cannot write the PNG")]
    Write(#[source] io::Error),
    /// The encoder refused a picture with a palette.
    #[error("cannot encode the PNG")]
    Indexed(#[from] EncodingError),
    /// The encoder refused a picture in true colour.
    #[error("cannot encode the PNG")]
    TrueColour(#[from] ImageError),
}

impl From<PngError> for io::Error {
    fn from(error: PngError) -> Self {
        match error {
            PngError::Write(error) => error,
            PngError::Indexed(error) => Self::other(error),
            PngError::TrueColour(error) => Self::other(error),
        }
    }
}

/// Writes a picture as PNG and flushes the output: two bits per pixel with its palette (in the
/// order dead, red, blue, outside) if the picture is indexed, else 24 bits per pixel.
///
/// # Errors
/// [`PngError`] if the output fails at any byte; what was written by then is no PNG.
pub fn write_png(picture: &Picture, out: &mut dyn Write) -> Result<(), PngError> {
    let mut output = Output { out, failure: None };
    let encoded = match picture.pixels() {
        Pixels::Indexed(_) => write_indexed(picture, &mut output).map_err(PngError::from),
        Pixels::Rgb(rgb) => write_rgb(picture, rgb, &mut output).map_err(PngError::from),
    };
    let flushed = output.flush();
    // First the failure of the output itself: the encoders pass some on as text without their
    // kind, and those of their very last bytes not at all.
    match output.failure {
        Some(failure) => Err(PngError::Write(failure)),
        None => encoded.and(flushed.map_err(PngError::Write)),
    }
}

/// Rows are compressed as they are handed on; no second copy of the picture is made.
fn write_indexed(picture: &Picture, output: &mut Output<'_>) -> Result<(), EncodingError> {
    let mut encoder = Encoder::new(output, picture.width(), picture.height());
    encoder.set_color(ColorType::Indexed);
    encoder.set_depth(BitDepth::Two);
    encoder.set_palette(picture.palette().colours().concat());
    encoder.set_deflate_compression(DeflateCompression::Level(LEVEL));
    // Says that the bytes are what a screen is to show, so that no viewer encodes them once more.
    encoder.set_source_srgb(SrgbRenderingIntent::Perceptual);
    let mut writer = encoder.write_header()?;
    let mut stream = writer.stream_writer()?;
    let mut above: &[u8] = &[];
    for row in picture.rows() {
        // Differences to the neighbours are only worth storing where they are all zero: cells are
        // too irregular for them, but a magnified board repeats every row.
        stream.set_filter(if row == above {
            Filter::Up
        } else {
            Filter::NoFilter
        });
        stream.write_all(row)?;
        above = row;
    }
    stream.finish()?;
    writer.finish()
}

fn write_rgb(picture: &Picture, rgb: &[u8], output: &mut Output<'_>) -> Result<(), ImageError> {
    // As above, but one filter for all rows.
    let rows = picture.rows().zip(picture.rows().skip(1));
    let repeated = rows.filter(|(above, row)| above == row).count();
    let filter = if 2 * repeated >= picture.height() as usize {
        FilterType::Up
    } else {
        FilterType::NoFilter
    };
    let compression = CompressionType::Level(LEVEL);
    PngEncoder::new_with_quality(output, compression, filter).write_image(
        rgb,
        picture.width(),
        picture.height(),
        ExtendedColorType::Rgb8,
    )
}

/// An output that remembers its first failure.
struct Output<'a> {
    out: &'a mut dyn Write,
    failure: Option<io::Error>,
}

impl Output<'_> {
    /// Keeps the error and gives back one of the same kind.
    fn note<T>(&mut self, result: io::Result<T>) -> io::Result<T> {
        result.map_err(|error| {
            let kind = error.kind();
            if kind != io::ErrorKind::Interrupted {
                self.failure.get_or_insert(error);
            }
            kind.into()
        })
    }
}

impl Write for Output<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let result = self.out.write(bytes);
        self.note(result)
    }

    fn flush(&mut self) -> io::Result<()> {
        let result = self.out.flush();
        self.note(result)
    }
}

#[cfg(test)]
mod tests {
    use glam::uvec2;

    use png::{Decoder, Transformations};

    use super::*;
    use crate::board::{LifelikeBoard, LifelikeCell, Size, start};
    use crate::render::{Draw, Palette, PictureSize};

    fn random(width: u64, height: u64) -> LifelikeBoard {
        start::random(Size::new(width, height).unwrap(), 0.6, width).unwrap()
    }

    fn picture(board: &LifelikeBoard, size: PictureSize) -> Picture {
        board.draw(size).unwrap()
    }

    fn encoded(picture: &Picture) -> Vec<u8> {
        let mut bytes = Vec::new();
        write_png(picture, &mut bytes).unwrap();
        bytes
    }

    /// Colour type, palette and the bytes of all pixels that a reader of the PNG gets.
    fn decoded(file: &[u8], expand: Transformations) -> (ColorType, Option<Vec<u8>>, Vec<u8>) {
        let mut decoder = Decoder::new(io::Cursor::new(file));
        decoder.set_transformations(expand);
        let mut reader = decoder.read_info().unwrap();
        let mut bytes = vec![0xee; reader.output_buffer_size().unwrap()];
        let frame = reader.next_frame(&mut bytes).unwrap();
        assert_eq!(frame.buffer_size(), bytes.len());
        reader.finish().unwrap();
        let info = reader.info();
        assert_eq!((frame.width, frame.height), (info.width, info.height));
        let palette = info.palette.as_ref().map(|palette| palette.to_vec());
        (info.color_type, palette, bytes)
    }

    #[test]
    fn every_pixel_of_a_magnified_board_reads_back_as_its_cell() {
        for width in [1, 15, 63, 64, 65, 100, 257] {
            for scale in [1, 3] {
                let board = random(width, 4);
                let file = encoded(&picture(&board, PictureSize::Scale(scale)));
                let side = width as u32 * scale;

                let (colour_type, palette, bytes) = decoded(&file, Transformations::IDENTITY);
                assert_eq!(colour_type, ColorType::Indexed);
                let colours = Palette::DEFAULT.colours();
                assert_eq!(palette, Some(colours.concat()));
                let row_bytes = side.div_ceil(4);
                assert_eq!(bytes.len() as u32, row_bytes * 4 * scale);
                let (_, _, rgb) = decoded(&file, Transformations::EXPAND);
                assert_eq!(rgb.len() as u32, 3 * side * 4 * scale);

                for (x, y) in (0..4 * scale).flat_map(|y| (0..side).map(move |x| (x, y))) {
                    let cell = board.cell(uvec2(x / scale, y / scale));
                    let byte = bytes[(y * row_bytes + x / 4) as usize];
                    let index = byte >> (6 - 2 * (x % 4)) & 3;
                    let place = format!("({x}, {y}), width {width}, scale {scale}");
                    assert_eq!(index, cell as u8, "{place}");
                    let expected = match cell {
                        LifelikeCell::Dead => [0x0e, 0x11, 0x16],
                        LifelikeCell::Red => [0xe8, 0x43, 0x2e],
                        LifelikeCell::Blue => [0x80, 0xcc, 0xff],
                    };
                    assert_eq!(
                        rgb[(3 * (y * side + x)) as usize..][..3],
                        expected,
                        "{place}"
                    );
                }
            }
        }
    }

    #[test]
    fn margins_and_mixed_colours_read_back_byte_for_byte() {
        let board = random(100, 70);
        for (width, height) in [(263, 155), (100, 70), (99, 99), (33, 21), (1, 1), (7, 300)] {
            let picture = picture(&board, PictureSize::Fit { width, height });
            let (_, _, rgb) = decoded(&encoded(&picture), Transformations::EXPAND);
            assert_eq!(rgb.len() as u32, 3 * width * height);
            for (x, y) in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
                let pixel = &rgb[(3 * (y * width + x)) as usize..][..3];
                assert_eq!(
                    pixel,
                    picture.colour(uvec2(x, y)),
                    "({x}, {y}) of {width}x{height}"
                );
            }
        }
    }

    /// An output with room for so many bytes.
    struct Full(usize);

    impl Write for Full {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            match self.0.min(bytes.len()) {
                0 => Err(io::ErrorKind::StorageFull.into()),
                written => {
                    self.0 -= written;
                    Ok(written)
                }
            }
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn an_output_that_fails_at_any_byte_is_an_error_of_its_kind() {
        let picture = picture(&random(300, 200), PictureSize::Scale(1));
        let length = encoded(&picture).len();
        for room in (0..length).step_by(97).chain(length - 40..length) {
            match write_png(&picture, &mut Full(room)) {
                Err(PngError::Write(error)) => {
                    assert_eq!(error.kind(), io::ErrorKind::StorageFull);
                }
                other => panic!("room for {room} of {length} bytes: {other:?}"),
            }
        }
        assert!(write_png(&picture, &mut Full(length)).is_ok());
    }
}
