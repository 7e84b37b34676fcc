//! Animated PNG.

use std::io::{self, Read, Seek, SeekFrom, Write};

use flate2::Crc;
use png::{BitDepth, ColorType, DeflateCompression, Encoder, EncodingError, Filter, Writer};

use super::{FilmError, FrameRate};
use crate::render::picture::{Picture, Pixels};
use crate::render::png::LEVEL;

/// See [`super::FilmWriter::apng`].
pub(super) struct Apng<W: Write> {
    rate: FrameRate,
    /// The number of frames that the header gives.
    promised: u32,
    /// The output, until the first frame.
    out: Option<W>,
    writer: Option<Writer<W>>,
}

impl<W: Write> Apng<W> {
    pub(super) fn new(out: W, rate: FrameRate, frames: u32) -> Result<Self, FilmError> {
        if frames == 0 {
            return Err(FilmError::Empty);
        }
        Ok(Self {
            rate,
            promised: frames,
            out: Some(out),
            writer: None,
        })
    }

    pub(super) fn add(&mut self, picture: &Picture, before: u64) -> Result<(), FilmError> {
        if before >= self.promised.into() {
            return Err(self.count(before + 1));
        }
        if let Some(out) = self.out.take() {
            self.writer = Some(self.begin(out, picture).map_err(encoding)?);
        }
        let Some(writer) = &mut self.writer else {
            return Err(FilmError::Encode("the output has failed before".into()));
        };
        let (Pixels::Indexed(bytes) | Pixels::Rgb(bytes)) = picture.pixels();
        writer.write_image_data(bytes).map_err(encoding)
    }

    fn begin(&self, out: W, picture: &Picture) -> Result<Writer<W>, EncodingError> {
        let mut encoder = Encoder::new(out, picture.width(), picture.height());
        match picture.pixels() {
            Pixels::Indexed(_) => {
                encoder.set_color(ColorType::Indexed);
                encoder.set_depth(BitDepth::Two);
                encoder.set_palette(picture.palette().colours().concat());
            }
            Pixels::Rgb(_) => {
                encoder.set_color(ColorType::Rgb);
                encoder.set_depth(BitDepth::Eight);
            }
        }
        encoder.set_deflate_compression(DeflateCompression::Level(LEVEL));
        encoder.set_filter(Filter::NoFilter);
        encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
        encoder.set_animated(self.promised, 0)?;
        encoder.set_frame_delay(self.rate.seconds(), self.rate.frames())?;
        encoder.write_header()
    }

    /// The end is written even if frames are missing, so that only the header is wrong.
    pub(super) fn finish(self, frames: u64) -> Result<(), FilmError> {
        let (promised, miscounted) = (self.promised, self.count(frames));
        if let Some(writer) = self.writer {
            writer.finish().map_err(encoding)?;
        }
        if frames != u64::from(promised) {
            return Err(miscounted);
        }
        Ok(())
    }

    fn count(&self, found: u64) -> FilmError {
        FilmError::Count {
            promised: self.promised,
            found,
        }
    }
}

/// Writes the true number of frames, at least 1, into the header of an APNG that ended early.
///
/// # Errors
/// Those of the file; [`io::ErrorKind::InvalidData`] if it is no APNG.
pub fn correct_frame_count(file: &mut (impl Read + Write + Seek), frames: u32) -> io::Result<()> {
    const SIGNATURE_BYTES: u64 = 8;
    file.seek(SeekFrom::Start(SIGNATURE_BYTES))?;
    // Chunks are a length, a type, so many bytes, and a checksum.
    loop {
        let mut head = [0; 8];
        file.read_exact(&mut head)?;
        let (length, kind) = head.split_at(4);
        match kind {
            b"acTL" => break,
            b"IDAT" => return Err(io::ErrorKind::InvalidData.into()),
            _ => {}
        }
        let length = u32::from_be_bytes([length[0], length[1], length[2], length[3]]);
        file.seek(SeekFrom::Current(i64::from(length) + 4))?;
    }
    let mut body = [0; 8];
    file.read_exact(&mut body)?;
    body[..4].copy_from_slice(&frames.to_be_bytes());
    let mut checksum = Crc::new();
    checksum.update(b"acTL");
    checksum.update(&body);
    file.seek(SeekFrom::Current(-8))?;
    file.write_all(&body)?;
    file.write_all(&checksum.sum().to_be_bytes())
}

fn encoding(error: EncodingError) -> FilmError {
    match error {
        EncodingError::IoError(error) => FilmError::Write(error),
        error => FilmError::Encode(error.into()),
    }
}

#[cfg(test)]
mod tests {
    use glam::uvec2;

    use std::io::Cursor;

    use png::{Decoder, Transformations};

    use super::super::FilmWriter;
    use super::super::tests::{pictures, rate};
    use super::*;
    use crate::render::PictureSize;

    #[test]
    fn every_frame_reads_back_exactly_with_its_delay() {
        let fit = PictureSize::Fit {
            width: 21,
            height: 17,
        };
        let ntsc = FrameRate::new(30_000, 1001).unwrap();
        for (cells, size) in [
            ((33, 9), PictureSize::Scale(3)),
            ((90, 40), fit),
            ((10, 8), fit),
        ] {
            let pictures = pictures(cells, size, 4);
            let mut out = Vec::new();
            let sides = (pictures[0].width(), pictures[0].height());
            let mut film = FilmWriter::apng(&mut out, sides.into(), ntsc, 4).unwrap();
            pictures
                .iter()
                .for_each(|picture| film.add(picture).unwrap());
            film.finish().unwrap();

            let mut decoder = Decoder::new(Cursor::new(out));
            decoder.set_transformations(Transformations::EXPAND);
            let mut reader = decoder.read_info().unwrap();
            let control = reader.info().animation_control.unwrap();
            assert_eq!((control.num_frames, control.num_plays), (4, 0));
            for picture in &pictures {
                let mut rgb = vec![0; reader.output_buffer_size().unwrap()];
                reader.next_frame(&mut rgb).unwrap();
                let frame = reader.info().frame_control.unwrap();
                assert_eq!((frame.delay_num, frame.delay_den), (1001, 30_000));
                assert_eq!((frame.width, frame.height), sides);
                for (at, pixel) in (0..).zip(rgb.as_chunks::<3>().0) {
                    assert_eq!(*pixel, picture.colour(uvec2(at % sides.0, at / sides.0)));
                }
            }
            reader.finish().unwrap();
        }
    }

    #[test]
    fn the_number_of_frames_is_kept() {
        let picture = &pictures((3, 3), PictureSize::Scale(1), 1)[0];
        let mut film = FilmWriter::apng(Vec::new(), uvec2(3, 3), rate(10), 2).unwrap();
        film.add(picture).unwrap();
        film.add(picture).unwrap();
        let error = film.add(picture).unwrap_err().to_string();
        assert!(error.contains("begun with 2 frames, but has 3"), "{error}");
        let mut film = FilmWriter::apng(Vec::new(), uvec2(3, 3), rate(10), 2).unwrap();
        film.add(picture).unwrap();
        let error = film.finish().unwrap_err().to_string();
        assert!(error.contains("begun with 2 frames, but has 1"), "{error}");
    }

    #[test]
    fn a_film_that_ended_early_is_whole_once_its_count_is_corrected() {
        let picture = &pictures((3, 3), PictureSize::Scale(1), 1)[0];
        let mut out = Cursor::new(Vec::new());
        let mut film = FilmWriter::apng(&mut out, uvec2(3, 3), rate(10), 700).unwrap();
        (0..3).for_each(|_| film.add(picture).unwrap());
        film.finish().unwrap_err();
        correct_frame_count(&mut out, 3).unwrap();
        out.set_position(0);
        let mut reader = Decoder::new(out).read_info().unwrap();
        assert_eq!(reader.info().animation_control.unwrap().num_frames, 3);
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        (0..3).for_each(|_| {
            reader.next_frame(&mut pixels).unwrap();
        });
        reader.finish().unwrap();
        let mut still = Cursor::new(Vec::new());
        crate::render::write_png(picture, &mut still).unwrap();
        assert!(correct_frame_count(&mut still, 3).is_err());
    }
}
