//! Animated GIF.

use std::borrow::Cow;
use std::io::Write;

use gif::{Encoder, EncodingError, Frame, Repeat};

use super::ramp::Ramp;
use super::{FilmError, FrameRate, unpack};
use crate::render::picture::{Picture, Pixels};

/// The shortest delay that viewers keep to, in hundredths of a second.
const LEAST_DELAY: u32 = 2;

/// See [`super::FilmWriter::gif`].
pub(super) struct Gif<W: Write> {
    rate: FrameRate,
    /// The output, until the first frame.
    out: Option<W>,
    encoder: Option<Encoder<W>>,
    /// The colours, if pictures are minified.
    ramp: Option<Ramp>,
    /// The indices of a frame, one per byte.
    indices: Vec<u8>,
}

impl<W: Write> Gif<W> {
    pub(super) fn new(out: W, rate: FrameRate) -> Result<Self, FilmError> {
        let (frames, seconds) = (u32::from(rate.frames()), u32::from(rate.seconds()));
        if 100 * seconds < LEAST_DELAY * frames {
            return Err(FilmError::TooFast(rate));
        }
        if (100 * seconds).div_ceil(frames) > u16::MAX.into() {
            return Err(FilmError::TooSlow(rate));
        }
        Ok(Self {
            rate,
            out: Some(out),
            encoder: None,
            ramp: None,
            indices: Vec::new(),
        })
    }

    pub(super) fn add(&mut self, picture: &Picture, before: u64) -> Result<(), FilmError> {
        // The sides of a picture fit 16 bits.
        let (width, height) = (picture.width() as u16, picture.height() as u16);
        if let Some(out) = self.out.take() {
            self.begin(out, picture, (width, height))?;
        }
        let Some(encoder) = &mut self.encoder else {
            return Err(FilmError::Encode("the output has failed before".into()));
        };
        match (picture.pixels(), &mut self.ramp) {
            (Pixels::Rgb(bytes), Some(ramp)) => {
                let (colours, _) = bytes.as_chunks::<3>();
                for (index, colour) in self.indices.iter_mut().zip(colours) {
                    *index = ramp.nearest(*colour);
                }
            }
            _ => {
                let rows = self.indices.chunks_mut(width.into());
                rows.zip(picture.rows())
                    .for_each(|(indices, row)| unpack(row, indices));
            }
        }
        let begins = |frame: u64| {
            let hundredths = 100 * u128::from(frame) * u128::from(self.rate.seconds());
            hundredths / u128::from(self.rate.frames())
        };
        let frame = Frame {
            delay: (begins(before + 1) - begins(before)) as u16,
            width,
            height,
            buffer: Cow::Borrowed(&self.indices),
            ..Frame::default()
        };
        encoder.write_frame(&frame).map_err(encoding)
    }

    /// Writes the header and makes room for the indices.
    fn begin(&mut self, out: W, picture: &Picture, size: (u16, u16)) -> Result<(), FilmError> {
        let palette = picture.palette();
        let colours = match picture.pixels() {
            Pixels::Indexed(_) => palette.colours().concat(),
            Pixels::Rgb(_) => self.ramp.insert(Ramp::new(palette)?).colours().concat(),
        };
        let pixels = usize::from(size.0) * usize::from(size.1);
        self.indices = bytemuck::allocation::try_zeroed_vec(pixels)
            .map_err(|()| FilmError::NoMemory(pixels))?;
        let mut encoder = Encoder::new(out, size.0, size.1, &colours).map_err(encoding)?;
        encoder.set_repeat(Repeat::Infinite).map_err(encoding)?;
        self.encoder = Some(encoder);
        Ok(())
    }

    pub(super) fn finish(self) -> Result<(), FilmError> {
        if let Some(encoder) = self.encoder {
            let mut out = encoder.into_inner().map_err(encoding)?;
            out.flush().map_err(FilmError::Write)?;
        }
        Ok(())
    }
}

fn encoding(error: EncodingError) -> FilmError {
    match error {
        EncodingError::Io(error) => FilmError::Write(error),
        error => FilmError::Encode(error.into()),
    }
}

#[cfg(test)]
mod tests {
    use glam::uvec2;

    use super::super::tests::{pictures, rate};
    use super::super::{FilmWriter, FrameRate};
    use super::*;
    use crate::render::PictureSize;

    fn film(pictures: &[Picture], rate: FrameRate) -> Vec<u8> {
        let mut out = Vec::new();
        let size = (pictures[0].width(), pictures[0].height());
        let mut film = FilmWriter::gif(&mut out, size.into(), rate).unwrap();
        pictures
            .iter()
            .for_each(|picture| film.add(picture).unwrap());
        film.finish().unwrap();
        out
    }

    /// Delays and RGBA pixels of all frames.
    fn decoded(file: &[u8]) -> Vec<(u16, Vec<u8>)> {
        let mut options = gif::DecodeOptions::new();
        options.set_color_output(gif::ColorOutput::RGBA);
        let mut decoder = options.read_info(file).unwrap();
        let mut frames = Vec::new();
        while let Some(frame) = decoder.read_next_frame().unwrap() {
            frames.push((frame.delay, frame.buffer.to_vec()));
        }
        assert_eq!(decoder.repeat(), Repeat::Infinite);
        frames
    }

    fn delays(frames: u16, seconds: u16, count: u64) -> Vec<u16> {
        let pictures = pictures((2, 1), PictureSize::Scale(1), count);
        let rate = FrameRate::new(frames, seconds).unwrap();
        let frames = decoded(&film(&pictures, rate));
        frames.into_iter().map(|(delay, _)| delay).collect()
    }

    #[test]
    fn delays_are_hundredths_that_add_up() {
        assert_eq!(delays(1, 1, 2), [100, 100]);
        assert_eq!(delays(10, 1, 3), [10, 10, 10]);
        assert_eq!(delays(30, 1, 7), [3, 3, 4, 3, 3, 4, 3]);
        assert_eq!(delays(50, 1, 2), [2, 2]);
        assert_eq!(delays(1, 655, 1), [65_500]);
        assert_eq!(delays(30_000, 1001, 3), [3, 3, 4]);
        let ntsc = delays(48, 1, 48);
        assert_eq!(ntsc.iter().sum::<u16>(), 100);
        assert!(ntsc.iter().all(|&delay| delay == 2 || delay == 3));
    }

    #[test]
    fn rates_that_viewers_would_change_are_refused() {
        for (frames, seconds) in [(51, 1), (60, 1), (100, 1), (1000, 1), (101, 2)] {
            let rate = FrameRate::new(frames, seconds).unwrap();
            let error = FilmWriter::gif(Vec::new(), uvec2(2, 2), rate)
                .err()
                .unwrap();
            assert!(error.to_string().contains("--every"), "{error}");
        }
        let slow = FrameRate::new(1, 656).unwrap();
        let error = FilmWriter::gif(Vec::new(), uvec2(2, 2), slow)
            .err()
            .unwrap();
        assert!(matches!(error, FilmError::TooSlow(_)), "{error}");
    }

    #[test]
    fn pixels_of_whole_cells_are_exact() {
        let fit = PictureSize::Fit {
            width: 41,
            height: 30,
        };
        for (cells, size) in [
            ((33, 9), PictureSize::Scale(2)),
            ((20, 9), fit),
            ((1, 1), PictureSize::Scale(1)),
        ] {
            let pictures = pictures(cells, size, 3);
            let frames = decoded(&film(&pictures, rate(25)));
            assert_eq!(frames.len(), 3);
            for ((delay, rgba), picture) in frames.iter().zip(&pictures) {
                assert_eq!(*delay, 4);
                for (at, pixel) in (0..).zip(rgba.as_chunks::<4>().0) {
                    let [r, g, b] =
                        picture.colour(uvec2(at % picture.width(), at / picture.width()));
                    assert_eq!(*pixel, [r, g, b, 255]);
                }
            }
        }
    }

    #[test]
    fn pixels_of_minified_boards_are_near() {
        let size = PictureSize::Fit {
            width: 37,
            height: 30,
        };
        let pictures = pictures((150, 99), size, 4);
        let mut worst = 0;
        for ((_, rgba), picture) in decoded(&film(&pictures, rate(25))).iter().zip(&pictures) {
            for (at, pixel) in (0..).zip(rgba.as_chunks::<4>().0) {
                let colour = picture.colour(uvec2(at % picture.width(), at / picture.width()));
                for (a, b) in colour.iter().zip(pixel) {
                    worst = worst.max(a.abs_diff(*b));
                }
                if colour == picture.palette().outside {
                    assert_eq!(pixel[..3], colour);
                }
            }
        }
        assert!((1..=10).contains(&worst), "{worst}");
    }
}
