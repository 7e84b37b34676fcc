//! Films of boards: animated GIF, animated PNG, and raw Y4M for a pipe.
//!
//! A [`FilmWriter`] takes pictures one after the other and holds none of them:
//!
//! ```text
//! Picture, Picture, ...  ──>  gif    the palette, or 255 colours of the minified pictures
//!                        ──>  apng   exact colours, the number of frames known before
//!                        ──>  y4m    uncompressed Y'CbCr, read by ffmpeg and players
//! ```
//!
//! All frames have one size. GIF and APNG repeat for ever. The same pictures always give the same
//! bytes.

mod apng;
mod gif;
mod ramp;
mod y4m;

use glam::{UVec2, uvec2};
use std::fmt;
use std::io::{self, Write};
use std::num::NonZeroU16;
use std::str::FromStr;

use thiserror::Error;

pub use self::apng::correct_frame_count;
use super::palette::Palette;
use super::picture::{MAX_SIDE, Picture, Pixels};

/// How fast a film runs: `frames` in `seconds`, as 30 in 1 or 30000 in 1001.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrameRate {
    frames: NonZeroU16,
    seconds: NonZeroU16,
}

impl FrameRate {
    /// So many frames in so many seconds; `None` if one of them is 0.
    pub fn new(frames: u16, seconds: u16) -> Option<Self> {
        Some(Self {
            frames: NonZeroU16::new(frames)?,
            seconds: NonZeroU16::new(seconds)?,
        })
    }

    /// Frames in [`FrameRate::seconds`].
    pub fn frames(self) -> u16 {
        self.frames.get()
    }

    /// Seconds for [`FrameRate::frames`].
    pub fn seconds(self) -> u16 {
        self.seconds.get()
    }
}

impl FromStr for FrameRate {
    type Err = FilmError;

    /// Reads `30` or `30000/1001`.
    fn from_str(text: &str) -> Result<Self, FilmError> {
        let (frames, seconds) = text.split_once('/').unwrap_or((text, "1"));
        let rate = frames.parse().ok().zip(seconds.parse().ok());
        rate.and_then(|(frames, seconds)| Self::new(frames, seconds))
            .ok_or(FilmError::Rate)
    }
}

impl fmt::Display for FrameRate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.seconds.get() {
            1 => write!(f, "{}", self.frames),
            seconds => write!(f, "{}/{seconds}", self.frames),
        }
    }
}

/// Why a film could not be written.
#[derive(Debug, Error)]
pub enum FilmError {
    /// A rate that is none.
    #[error("a frame rate is a number from 1 to 65535, or two as in 30000/1001")]
    Rate,
    /// Viewers would not show the frames at that rate.
    #[error(
        "a GIF shows at most 50 frames per second, not {0}; choose --fps 50 and a larger --every, or write APNG or Y4M"
    )]
    TooFast(FrameRate),
    /// The format cannot say how long a frame stays.
    #[error(
        "a GIF shows a frame for at most 655 seconds, which {0} frames per second exceeds; choose a larger --fps"
    )]
    TooSlow(FrameRate),
    /// No picture of a film can have that size.
    #[error(
        "frames of {width}x{height} pixels: both sides are from 1 to {MAX_SIDE}; choose another --scale or --image-size"
    )]
    Side {
        /// Columns.
        width: u32,
        /// Rows.
        height: u32,
    },
    /// A picture of another size than the film.
    #[error(
        "frame {frame} has {found} pixels and the film {expected}; draw every frame with one --image-size",
        found = format_args!("{}x{}", found.x, found.y),
        expected = format_args!("{}x{}", expected.x, expected.y)
    )]
    OtherSize {
        /// Number of the frame, from 1.
        frame: u64,
        /// Columns and rows of the film.
        expected: UVec2,
        /// Columns and rows of the picture.
        found: UVec2,
    },
    /// A picture with another palette than the first, or minified where the first was not.
    #[error("frame {0} is drawn in other colours than the first; draw every frame in one manner")]
    OtherColours(u64),
    /// The film has no frame.
    #[error("a film has at least one frame")]
    Empty,
    /// The number of frames is not the one that was announced.
    #[error(
        "the film was begun with {promised} frames, but has {found}; begin it with the right number"
    )]
    Count {
        /// Frames announced.
        promised: u32,
        /// Frames there are; the first one too many if there are more.
        found: u64,
    },
    /// The system has no memory for a frame.
    #[error("no memory for a frame of {0} bytes; choose a smaller --scale or --image-size")]
    NoMemory(usize),
    /// The output took no more bytes.
    #[error("cannot write the film")]
    Write(#[source] io::Error),
    /// The encoder refused a frame.
    #[error("cannot encode the film")]
    Encode(#[source] Box<dyn std::error::Error + Send + Sync>),
}

impl From<FilmError> for io::Error {
    fn from(error: FilmError) -> Self {
        match error {
            FilmError::Write(error) => error,
            other => Self::other(other),
        }
    }
}

/// A film that is being written. What was written when a call failed, or without
/// [`FilmWriter::finish`], is no film.
pub struct FilmWriter<W: Write> {
    size: UVec2,
    /// The palette of the first picture, and whether it is indexed.
    colours: Option<(Palette, bool)>,
    frames: u64,
    format: Format<W>,
}

enum Format<W: Write> {
    Gif(gif::Gif<W>),
    Apng(apng::Apng<W>),
    Y4m(y4m::Y4m<W>),
}

impl<W: Write> FilmWriter<W> {
    /// An animated GIF of frames of `size` (columns, rows). Nothing is written before the first
    /// frame.
    ///
    /// A GIF counts time in hundredths of a second: frame n begins at the last whole hundredth not
    /// after its time, so the delays of 30 frames per second are 3, 3, 4, and their sum is exact. As
    /// viewers replace delays under 2 hundredths by a long one, 50 frames per second are the most.
    ///
    /// Pictures at a whole-number scale keep their four colours. For minified ones there are 255: the
    /// colour around the board and an even choice of those that
    /// [`averaged_colour`](super::averaged_colour) can give; every pixel takes the nearest.
    ///
    /// # Errors
    /// [`FilmError::Side`], [`FilmError::TooFast`], [`FilmError::TooSlow`].
    pub fn gif(out: W, size: UVec2, rate: FrameRate) -> Result<Self, FilmError> {
        Self::new(size, Format::Gif(gif::Gif::new(out, rate)?))
    }

    /// An animated PNG of exactly `frames` frames; a viewer without animation shows the first
    /// one. Rate and colours are exact.
    ///
    /// # Errors
    /// [`FilmError::Side`], or [`FilmError::Empty`] for 0 frames.
    pub fn apng(out: W, size: UVec2, rate: FrameRate, frames: u32) -> Result<Self, FilmError> {
        Self::new(size, Format::Apng(apng::Apng::new(out, rate, frames)?))
    }

    /// A stream of uncompressed frames, three bytes per pixel: Y4M in 4:4:4, so that every size will
    /// do and single cells keep their colour.
    ///
    /// Colours are Y'CbCr after BT.601 in limited range (16 to 235, 16 to 240), computed in
    /// integers. The header gives the range; the format has no place for the matrix, and
    /// ffmpeg assumes BT.601 where none is given.
    ///
    /// # Errors
    /// [`FilmError::Side`].
    pub fn y4m(out: W, size: UVec2, rate: FrameRate) -> Result<Self, FilmError> {
        Self::new(size, Format::Y4m(y4m::Y4m::new(out, rate)))
    }

    fn new(size: UVec2, format: Format<W>) -> Result<Self, FilmError> {
        let UVec2 {
            x: width,
            y: height,
        } = size;
        let sides = 1..=MAX_SIDE;
        if !sides.contains(&width) || !sides.contains(&height) {
            return Err(FilmError::Side { width, height });
        }
        Ok(Self {
            size,
            colours: None,
            frames: 0,
            format,
        })
    }

    /// Frames added.
    pub fn frames(&self) -> u64 {
        self.frames
    }

    /// Adds a frame.
    ///
    /// # Errors
    /// [`FilmError`] if the picture is unlike the others or the output fails.
    pub fn add(&mut self, picture: &Picture) -> Result<(), FilmError> {
        let found = uvec2(picture.width(), picture.height());
        let frame = self.frames + 1;
        if found != self.size {
            return Err(FilmError::OtherSize {
                frame,
                expected: self.size,
                found,
            });
        }
        let indexed = matches!(picture.pixels(), Pixels::Indexed(_));
        let colours = (*picture.palette(), indexed);
        if *self.colours.get_or_insert(colours) != colours {
            return Err(FilmError::OtherColours(frame));
        }
        match &mut self.format {
            Format::Gif(gif) => gif.add(picture, self.frames)?,
            Format::Apng(apng) => apng.add(picture, self.frames)?,
            Format::Y4m(y4m) => y4m.add(picture)?,
        }
        self.frames = frame;
        Ok(())
    }

    /// Writes the end of the film and flushes the output.
    ///
    /// # Errors
    /// [`FilmError::Empty`] without a frame, [`FilmError::Count`] if an APNG lacks some, which
    /// [`correct_frame_count`] then mends, and those of the output.
    pub fn finish(self) -> Result<(), FilmError> {
        if self.frames == 0 {
            return Err(FilmError::Empty);
        }
        match self.format {
            Format::Gif(gif) => gif.finish(),
            Format::Apng(apng) => apng.finish(self.frames),
            Format::Y4m(y4m) => y4m.finish(),
        }
    }
}

/// The indices of a row of an indexed picture, 0 to 3, one per byte.
fn unpack(row: &[u8], indices: &mut [u8]) {
    for (four, byte) in indices.chunks_mut(4).zip(row) {
        for (index, shift) in four.iter_mut().zip([6, 4, 2, 0]) {
            *index = byte >> shift & 3;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::rc::Rc;

    use super::*;
    use crate::board::{Size, start};
    use crate::render::{Draw, PictureSize};

    /// An output with room for so many bytes.
    struct Full(Rc<Cell<usize>>);

    impl Write for Full {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            match self.0.get().min(bytes.len()) {
                0 => Err(io::ErrorKind::BrokenPipe.into()),
                written => {
                    self.0.set(self.0.get() - written);
                    Ok(written)
                }
            }
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    pub(super) fn rate(frames: u16) -> FrameRate {
        FrameRate::new(frames, 1).unwrap()
    }

    /// Pictures of different boards of one size.
    pub(super) fn pictures(cells: (u64, u64), size: PictureSize, count: u64) -> Vec<Picture> {
        let cells = Size::new(cells.0, cells.1).unwrap();
        let draw = |seed| {
            let density = 0.2 + 0.6 * seed as f64 / count as f64;
            let board = start::random(cells, density, seed).unwrap();
            board.draw(size).unwrap()
        };
        (0..count).map(draw).collect()
    }

    type Begin = fn(Full) -> Result<FilmWriter<Full>, FilmError>;

    /// All kinds of films, of two frames of 30x20 pixels.
    const KINDS: [Begin; 3] = [
        |out| FilmWriter::gif(out, uvec2(30, 20), rate(10)),
        |out| FilmWriter::apng(out, uvec2(30, 20), rate(10), 2),
        |out| FilmWriter::y4m(out, uvec2(30, 20), rate(10)),
    ];

    fn endless() -> Full {
        Full(Rc::new(Cell::new(usize::MAX)))
    }

    #[test]
    fn frames_unlike_the_others_are_refused() {
        let first = &pictures((30, 20), PictureSize::Scale(1), 1)[0];
        let other = &pictures((20, 30), PictureSize::Scale(1), 1)[0];
        let (width, height) = (30, 20);
        let minified = &pictures((60, 40), PictureSize::Fit { width, height }, 1)[0];
        for begin in KINDS {
            let mut film = begin(endless()).unwrap();
            assert!(matches!(film.add(other), Err(FilmError::OtherSize { .. })));
            film.add(first).unwrap();
            let message = film.add(other).unwrap_err().to_string();
            let expected = "frame 2 has 20x30 pixels and the film 30x20; ";
            assert!(message.starts_with(expected), "{message}");
            assert!(matches!(
                film.add(minified),
                Err(FilmError::OtherColours(2))
            ));
            film.add(first).unwrap();
            assert_eq!(film.frames(), 2);
            film.finish().unwrap();
        }
    }

    #[test]
    fn an_empty_film_is_refused() {
        for begin in KINDS {
            let film = begin(endless()).unwrap();
            assert!(matches!(film.finish(), Err(FilmError::Empty)));
        }
        let film = FilmWriter::apng(Vec::new(), uvec2(3, 3), rate(1), 0);
        assert!(matches!(film, Err(FilmError::Empty)));
        for size in [(0, 1), (1, 0), (65_536, 1), (1, u32::MAX)] {
            let film = FilmWriter::gif(Vec::new(), size.into(), rate(1));
            assert!(matches!(film, Err(FilmError::Side { .. })));
        }
    }

    #[test]
    fn an_output_that_fails_at_any_byte_is_an_error_of_its_kind() {
        let pictures = pictures((30, 20), PictureSize::Scale(1), 2);
        for begin in KINDS {
            let write = |room: usize| {
                let room = Rc::new(Cell::new(room));
                let mut film = begin(Full(room.clone()))?;
                pictures.iter().try_for_each(|picture| film.add(picture))?;
                film.finish().map(|()| room.get())
            };
            let length = usize::MAX - write(usize::MAX).unwrap();
            for room in 0..length {
                match write(room) {
                    Err(FilmError::Write(error)) => {
                        assert_eq!(error.kind(), io::ErrorKind::BrokenPipe);
                    }
                    other => panic!("room for {room} of {length} bytes: {other:?}"),
                }
            }
            assert_eq!(write(length).unwrap(), 0);
        }
    }

    #[test]
    fn rates_are_read_and_written() {
        for text in ["30", "30000/1001", "1/60"] {
            assert_eq!(text.parse::<FrameRate>().unwrap().to_string(), text);
        }
        for text in ["0", "1/0", "", "-1", "1.5", "65536", "1/2/3"] {
            assert!(text.parse::<FrameRate>().is_err(), "{text}");
        }
    }

    #[test]
    fn packed_indices_are_unpacked() {
        let mut indices = [9; 6];
        unpack(&[0b00_01_10_11, 0b11_10_01_00], &mut indices);
        assert_eq!(indices, [0, 1, 2, 3, 3, 2]);
    }
}
