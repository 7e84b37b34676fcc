//! Boards drawn as pictures.

use glam::{UVec2, uvec2};
use std::fmt;

use thiserror::Error;

use super::palette::{Palette, Rgb};
use crate::board::Size;

/// The most pixels of a side of a picture.
pub const MAX_SIDE: u32 = 65_535;

/// The most pixels of a picture.
pub const MAX_PIXELS: u64 = 1 << 28;

/// How large a picture of a board is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PictureSize {
    /// This many pixels per cell in each direction, at least 1; nothing around the board.
    Scale(u32),
    /// Exactly this many pixels. The board keeps its proportions, is drawn as large as it fits and
    /// is centred; the rest, if any, has the colour `outside`.
    ///
    /// A board that fits at one pixel per cell is magnified by a whole number. Any other is minified:
    /// it then fills the picture in one direction, and has the number of pixels nearest to its
    /// proportions in the other (half up, at least 1). An odd pixel of margin is right or below.
    Fit {
        /// Columns of the picture.
        width: u32,
        /// Rows of the picture.
        height: u32,
    },
}

/// Why a picture cannot be drawn.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum PictureError {
    /// The picture would have no pixel.
    #[error(
        "a picture of {0} shows nothing: --scale and both sides of --image-size are at least 1"
    )]
    Empty(PictureSize),
    /// The picture has more than [`MAX_PIXELS`], or a side more than [`MAX_SIDE`].
    #[error(
        "a picture of {width}x{height} pixels is too large (at most {MAX_SIDE} per side and {MAX_PIXELS} in all); choose a smaller --scale, or an --image-size, to which the board is minified"
    )]
    TooLarge {
        /// Columns of the picture.
        width: u64,
        /// Rows of the picture.
        height: u64,
    },
    /// The system has no memory for the pixels.
    #[error(
        "no memory for a picture of {width}x{height} pixels ({bytes} bytes); choose a smaller --scale or --image-size"
    )]
    NoMemory {
        /// Columns of the picture.
        width: u32,
        /// Rows of the picture.
        height: u32,
        /// Bytes requested.
        bytes: usize,
    },
}

/// The pixels of a picture, row by row from the top.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pixels {
    /// Two bits per pixel: 0 dead, 1 red, 2 blue, 3 outside, four pixels per byte as PNG packs them:
    ///
    /// ```text
    /// bits of a byte   7 6   5 4   3 2   1 0
    /// pixel            4n    4n+1  4n+2  4n+3    rows padded to whole bytes, padding always 0
    /// ```
    Indexed(Vec<u8>),
    /// Three bytes per pixel: red, green, blue. No padding.
    Rgb(Vec<u8>),
}

/// A picture of a board, with the palette it is drawn in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    width: u32,
    height: u32,
    palette: Palette,
    pixels: Pixels,
}

/// Where in a picture the board lies.
pub(super) struct Placement {
    pub(super) picture: UVec2,
    /// The top left pixel of the board.
    pub(super) corner: UVec2,
    /// The pixels of the board.
    pub(super) drawn: UVec2,
    /// Pixels per cell; `None` if the board is minified.
    pub(super) scale: Option<u32>,
}

impl PictureSize {
    /// Columns and rows of the picture of a board of that size. Cheap, so a picture that cannot be
    /// drawn is refused before the board is computed.
    ///
    /// # Errors
    /// [`PictureError::Empty`] or [`PictureError::TooLarge`].
    pub fn pixels(self, board: Size) -> Result<UVec2, PictureError> {
        let (width, height) = match self {
            // 32 bits times 32 bits cannot overflow 64.
            Self::Scale(scale) => (
                u64::from(board.width()) * u64::from(scale),
                u64::from(board.height()) * u64::from(scale),
            ),
            Self::Fit { width, height } => (width.into(), height.into()),
        };
        if width == 0 || height == 0 {
            return Err(PictureError::Empty(self));
        }
        let side = |pixels: u64| u32::try_from(pixels).ok().filter(|&side| side <= MAX_SIDE);
        match (side(width), side(height)) {
            (Some(columns), Some(rows)) if width * height <= MAX_PIXELS => Ok(uvec2(columns, rows)),
            _ => Err(PictureError::TooLarge { width, height }),
        }
    }

    /// Where the board lies in the picture.
    pub(super) fn place(self, board: Size) -> Result<Placement, PictureError> {
        let picture = self.pixels(board)?;
        let UVec2 {
            x: width,
            y: height,
        } = picture;
        let scale = match self {
            Self::Scale(scale) => scale,
            Self::Fit { .. } => (width / board.width()).min(height / board.height()),
        };
        let drawn = if scale > 0 {
            uvec2(board.width(), board.height()) * scale
        } else {
            minified(board, width, height)
        };
        Ok(Placement {
            picture,
            corner: (picture - drawn) / 2,
            drawn,
            scale: (scale > 0).then_some(scale),
        })
    }
}

impl Placement {
    /// Bytes for rows of that many bytes, all 0.
    pub(super) fn zeroed(&self, row_bytes: usize) -> Result<Vec<u8>, PictureError> {
        let UVec2 {
            x: width,
            y: height,
        } = self.picture;
        let bytes = row_bytes * height as usize;
        bytemuck::allocation::try_zeroed_vec(bytes).map_err(|()| PictureError::NoMemory {
            width,
            height,
            bytes,
        })
    }

    /// Three bytes per pixel, and where there is a margin, its colour.
    pub(super) fn rgb(&self, outside: Rgb) -> Result<Vec<u8>, PictureError> {
        let mut rgb = self.zeroed(row_bytes(self.picture.x, false))?;
        if self.drawn != self.picture {
            let (pixels, _) = rgb.as_chunks_mut::<3>();
            pixels.fill(outside);
        }
        Ok(rgb)
    }
}

impl fmt::Display for PictureSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Scale(scale) => write!(f, "{scale} pixels per cell"),
            Self::Fit { width, height } => write!(f, "{width}x{height} pixels"),
        }
    }
}

/// The pixels of a board minified to fit `width` x `height` in proportion.
fn minified(board: Size, width: u32, height: u32) -> UVec2 {
    let [columns, rows, w, h] = [board.width(), board.height(), width, height].map(u64::from);
    // `cells * pixels / of` to the nearest. The side with less room is the full one, so the result
    // is no more than the room of the other, nor than its cells.
    let nearest = |cells: u64, pixels: u64, of: u64| {
        let product = u128::from(cells) * u128::from(pixels);
        ((2 * product + u128::from(of)) / (2 * u128::from(of))).max(1) as u32
    };
    if w * rows <= h * columns {
        uvec2(width, nearest(rows, w, columns))
    } else {
        uvec2(nearest(columns, h, rows), height)
    }
}

impl Picture {
    /// A picture of pixels laid out as [`Pixels`] says.
    pub(super) const fn new(size: UVec2, palette: Palette, pixels: Pixels) -> Self {
        Self {
            width: size.x,
            height: size.y,
            palette,
            pixels,
        }
    }

    /// A picture that was drawn elsewhere: three bytes per pixel, row by row from the top.
    ///
    /// # Panics
    /// If there are not three bytes for every pixel.
    pub fn of_pixels(width: u32, height: u32, palette: Palette, rgb: Vec<u8>) -> Self {
        assert_eq!(
            rgb.len(),
            3 * width as usize * height as usize,
            "three bytes per pixel of {width}x{height}"
        );
        Self {
            width,
            height,
            palette,
            pixels: Pixels::Rgb(rgb),
        }
    }

    /// Columns.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Rows.
    pub fn height(&self) -> u32 {
        self.height
    }

    /// The palette the picture was drawn in.
    pub fn palette(&self) -> &Palette {
        &self.palette
    }

    /// The pixels.
    pub fn pixels(&self) -> &Pixels {
        &self.pixels
    }

    /// The bytes of each row of pixels, from the top.
    pub fn rows(&self) -> impl Iterator<Item = &[u8]> {
        match &self.pixels {
            Pixels::Indexed(bytes) => bytes.chunks(row_bytes(self.width, true)),
            Pixels::Rgb(bytes) => bytes.chunks(row_bytes(self.width, false)),
        }
    }

    /// The colour of a pixel.
    ///
    /// # Panics
    /// If it lies outside the picture.
    pub fn colour(&self, at: UVec2) -> Rgb {
        let UVec2 { x, y } = at;
        assert!(
            x < self.width && y < self.height,
            "pixel ({x}, {y}) lies outside a picture of {}x{}",
            self.width,
            self.height
        );
        let (x, y) = (x as usize, y as usize);
        match &self.pixels {
            Pixels::Indexed(bytes) => {
                let byte = bytes[y * row_bytes(self.width, true) + x / 4];
                self.palette.colours()[usize::from(byte >> (6 - 2 * (x % 4)) & 3)]
            }
            Pixels::Rgb(bytes) => {
                let at = y * row_bytes(self.width, false) + 3 * x;
                [bytes[at], bytes[at + 1], bytes[at + 2]]
            }
        }
    }
}

/// Bytes of a row of `width` pixels, as [`Pixels`] lays them out.
pub(super) fn row_bytes(width: u32, indexed: bool) -> usize {
    if indexed {
        width.div_ceil(4) as usize
    } else {
        3 * width as usize
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn size(width: u64, height: u64) -> Size {
        Size::new(width, height).unwrap()
    }

    fn fit(width: u32, height: u32) -> PictureSize {
        PictureSize::Fit { width, height }
    }

    #[test]
    fn a_board_that_does_not_fit_is_minified_in_proportion() {
        let drawn = |board: (u64, u64), width, height| {
            let placement = fit(width, height).place(size(board.0, board.1)).unwrap();
            assert_eq!(placement.scale, None);
            (placement.corner, placement.drawn)
        };
        assert_eq!(drawn((100, 100), 50, 50), (uvec2(0, 0), uvec2(50, 50)));
        assert_eq!(drawn((100, 100), 50, 81), (uvec2(0, 15), uvec2(50, 50)));
        assert_eq!(
            drawn((100, 50), 99, 400),
            (uvec2(0, 175), uvec2(99, 50)),
            "49.5 up"
        );
        assert_eq!(drawn((5, 1000), 40, 999), (uvec2(17, 0), uvec2(5, 999)));
        assert_eq!(
            drawn((100_000, 1), 10, 9),
            (uvec2(0, 4), uvec2(10, 1)),
            "at least 1"
        );
        assert_eq!(drawn((2, 2), 1, 1), (uvec2(0, 0), uvec2(1, 1)));
        assert_eq!(drawn((1 << 18, 1 << 18), 65_535, 4096).1, uvec2(4096, 4096));
        assert_eq!(drawn((u32::MAX.into(), 16), 65_535, 1).1, uvec2(65_535, 1));
    }

    proptest! {
        #[test]
        fn a_minified_board_has_room_and_no_more_pixels_than_cells(
            columns in 1..300u32, rows in 1..300u32, width in 1..300u32, height in 1..300u32,
        ) {
            let board = size(columns.into(), rows.into());
            let placement = fit(width, height).place(board).unwrap();
            let UVec2 { x: drawn_width, y: drawn_height } = placement.drawn;
            let end = placement.corner + placement.drawn;
            prop_assert!(end.x <= width && end.y <= height);
            prop_assert!(drawn_width > 0 && drawn_height > 0);
            if placement.scale.is_none() {
                prop_assert!(width < columns || height < rows);
                prop_assert!(drawn_width <= columns && drawn_height <= rows);
                prop_assert!(drawn_width == width || drawn_height == height);
                // Off the exact proportion by half a pixel of the free side at most.
                let (full, free) = if drawn_width == width && width * rows <= height * columns {
                    ((width, columns), (drawn_height, rows))
                } else {
                    ((height, rows), (drawn_width, columns))
                };
                let exact = f64::from(free.1) * f64::from(full.0) / f64::from(full.1);
                prop_assert!((f64::from(free.0) - exact.max(1.0)).abs() <= 0.5 + 1e-9);
            }
        }
    }

    #[test]
    fn pictures_without_pixels_or_with_too_many_are_refused() {
        let board = size(262_144, 262_144);
        let refused = |picture: PictureSize| picture.pixels(board).unwrap_err();
        for empty in [PictureSize::Scale(0), fit(0, 10), fit(10, 0)] {
            assert_eq!(refused(empty), PictureError::Empty(empty));
        }
        for (scale, side) in [(1, 262_144), (u32::MAX, 262_144 * u64::from(u32::MAX))] {
            let too_large = PictureError::TooLarge {
                width: side,
                height: side,
            };
            assert_eq!(refused(PictureSize::Scale(scale)), too_large);
        }
        assert!(fit(65_535, 4096).pixels(board).is_ok());
        assert!(fit(16_384, 16_384).pixels(board).is_ok());
        assert!(fit(16_385, 16_384).pixels(board).is_err());
        assert!(fit(65_536, 1).pixels(board).is_err());
        let message = refused(PictureSize::Scale(1)).to_string();
        assert!(message.contains("262144x262144"), "{message}");
        assert!(message.contains("--image-size"), "{message}");
        assert!(!message.contains('\n'));
    }
}
