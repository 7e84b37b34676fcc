//! Raw Y4M: a line of text, and for every frame a word and three planes.

use std::io::Write;

use super::{FilmError, FrameRate, unpack};
use crate::render::palette::Rgb;
use crate::render::picture::{Picture, Pixels};

/// See [`super::FilmWriter::y4m`].
pub(super) struct Y4m<W: Write> {
    out: W,
    rate: FrameRate,
    begun: bool,
    /// A row of one plane.
    row: Vec<u8>,
}

/// A row of [`MATRIX`]: the shares of red, green and blue in 2^16, and what is added.
struct Component {
    shares: [i32; 3],
    offset: i32,
}

/// Y', Cb and Cr after BT.601 in limited range: Y' has 219 steps of 0.299 R + 0.587 G + 0.114 B,
/// Cb and Cr have 224 steps of (B - Y') / 1.772 and (R - Y') / 1.402. The shares of Cb and Cr add
/// up to 0, so that greys have no colour.
const MATRIX: [Component; 3] = [
    Component {
        shares: [16_829, 33_039, 6_416],
        offset: 16,
    },
    Component {
        shares: [-9_714, -19_070, 28_784],
        offset: 128,
    },
    Component {
        shares: [28_784, -24_103, -4_681],
        offset: 128,
    },
];

impl Component {
    /// The value for a colour, to the nearest.
    fn of(&self, colour: Rgb) -> u8 {
        let shares = self.shares.iter().zip(colour);
        let sum: i32 = shares.map(|(share, byte)| share * i32::from(byte)).sum();
        // From 16 to 240, whatever the colour.
        (self.offset + ((sum + (1 << 15)) >> 16)) as u8
    }
}

impl<W: Write> Y4m<W> {
    pub(super) fn new(out: W, rate: FrameRate) -> Self {
        Self {
            out,
            rate,
            begun: false,
            row: Vec::new(),
        }
    }

    pub(super) fn add(&mut self, picture: &Picture) -> Result<(), FilmError> {
        self.write(picture).map_err(FilmError::Write)
    }

    fn write(&mut self, picture: &Picture) -> std::io::Result<()> {
        let Self { out, rate, row, .. } = self;
        if !self.begun {
            writeln!(
                out,
                "YUV4MPEG2 W{} H{} F{}:{} Ip A1:1 C444 XCOLORRANGE=LIMITED",
                picture.width(),
                picture.height(),
                rate.frames(),
                rate.seconds()
            )?;
            row.resize(picture.width() as usize, 0);
            self.begun = true;
        }
        out.write_all(b"FRAME\n")?;
        let colours = picture.palette().colours();
        for component in &MATRIX {
            let values = colours.map(|colour| component.of(colour));
            for pixels in picture.rows() {
                match picture.pixels() {
                    Pixels::Indexed(_) => {
                        unpack(pixels, row);
                        row.iter_mut().for_each(|i| *i = values[usize::from(*i)]);
                    }
                    Pixels::Rgb(_) => {
                        let (pixels, _) = pixels.as_chunks::<3>();
                        for (value, colour) in row.iter_mut().zip(pixels) {
                            *value = component.of(*colour);
                        }
                    }
                }
                out.write_all(row)?;
            }
        }
        Ok(())
    }

    pub(super) fn finish(mut self) -> Result<(), FilmError> {
        self.out.flush().map_err(FilmError::Write)
    }
}

#[cfg(test)]
mod tests {
    use glam::uvec2;

    use proptest::prelude::*;

    use super::super::FilmWriter;
    use super::super::tests::{pictures, rate};
    use super::*;
    use crate::render::PictureSize;

    fn components(colour: Rgb) -> [u8; 3] {
        MATRIX.each_ref().map(|component| component.of(colour))
    }

    #[test]
    fn black_white_and_the_primaries_have_their_known_values() {
        assert_eq!(components([0, 0, 0]), [16, 128, 128]);
        assert_eq!(components([255, 255, 255]), [235, 128, 128]);
        assert_eq!(components([255, 0, 0]), [81, 90, 240]);
        assert_eq!(components([0, 255, 0]), [145, 54, 34]);
        assert_eq!(components([0, 0, 255]), [41, 240, 110]);
    }

    proptest! {
        #[test]
        fn the_integers_are_near_the_real_numbers(colour: Rgb) {
            let [r, g, b] = colour.map(|byte| f64::from(byte) / 255.0);
            let y = 0.299 * r + 0.587 * g + 0.114 * b;
            let real = [
                16.0 + 219.0 * y,
                128.0 + 224.0 * (b - y) / 1.772,
                128.0 + 224.0 * (r - y) / 1.402,
            ];
            for (found, real) in components(colour).into_iter().zip(real) {
                prop_assert!((f64::from(found) - real).abs() <= 0.52, "{} {}", found, real);
            }
        }
    }

    #[test]
    fn header_and_planes_are_as_the_format_says() {
        let fit = PictureSize::Fit {
            width: 13,
            height: 7,
        };
        for (cells, size) in [
            ((7, 3), PictureSize::Scale(1)),
            ((9, 7), fit),
            ((70, 30), fit),
        ] {
            let pictures = pictures(cells, size, 2);
            let (width, height) = (pictures[0].width(), pictures[0].height());
            let mut out = Vec::new();
            let mut film = FilmWriter::y4m(&mut out, uvec2(width, height), rate(30)).unwrap();
            pictures
                .iter()
                .for_each(|picture| film.add(picture).unwrap());
            film.finish().unwrap();
            let header =
                format!("YUV4MPEG2 W{width} H{height} F30:1 Ip A1:1 C444 XCOLORRANGE=LIMITED\n");
            let mut expected = header.into_bytes();
            for picture in &pictures {
                expected.extend(b"FRAME\n");
                for component in 0..3 {
                    for (y, x) in (0..height).flat_map(|y| (0..width).map(move |x| (y, x))) {
                        expected.push(components(picture.colour(uvec2(x, y)))[component]);
                    }
                }
            }
            assert!(out == expected);
        }
    }
}
