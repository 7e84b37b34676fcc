//! Boards drawn as pictures.

use glam::{UVec2, uvec2};
use std::fmt;

use rayon::prelude::*;
use thiserror::Error;

use super::palette::{Palette, Rgb};
use super::{Draw, average};
use crate::board::{LifelikeBoard, LifelikeCell, Size, WORD_BITS};

/// The most pixels of a side of a picture.
pub const MAX_SIDE: u32 = 65_535;

/// The most pixels of a picture.
pub const MAX_PIXELS: u64 = 1 << 28;

/// The index of the colour around the board; cells have the indices 0 (dead), 1 and 2.
const OUTSIDE: u8 = 3;

/// How large a picture of a board is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PictureSize {
    /// This many pixels a cell in each direction, at least 1; nothing around the board.
    Scale(u32),
    /// Exactly this many pixels. The board keeps its proportions, is drawn as large as it fits and
    /// stands in the middle; the rest, if any, has the colour `outside`.
    ///
    /// A board that fits at one pixel a cell is enlarged by a whole number. Any other is shrunk:
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
        "a picture of {width}x{height} pixels is too large (at most {MAX_SIDE} a side and {MAX_PIXELS} in all); choose a smaller --scale, or an --image-size, to which the board is shrunk"
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
        /// Bytes asked for.
        bytes: usize,
    },
}

/// The pixels of a picture, row by row from the top.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pixels {
    /// Two bits a pixel: 0 dead, 1 red, 2 blue, 3 outside, four pixels a byte as PNG packs them:
    ///
    /// ```text
    /// bits of a byte   7 6   5 4   3 2   1 0
    /// pixel            4n    4n+1  4n+2  4n+3    rows padded to whole bytes, padding always 0
    /// ```
    Indexed(Vec<u8>),
    /// Three bytes a pixel: red, green, blue. No padding.
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
    /// Pixels a cell; `None` if the board is shrunk.
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

impl fmt::Display for PictureSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Scale(scale) => write!(f, "{scale} pixels a cell"),
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
    pub(super) const fn new(width: u32, height: u32, palette: Palette, pixels: Pixels) -> Self {
        Self {
            width,
            height,
            palette,
            pixels,
        }
    }

    /// Draws a board.
    ///
    /// # Errors
    /// [`PictureError`] if the picture would be empty or too large, before any memory is taken, or
    /// if there is no memory.
    pub fn draw(
        board: &LifelikeBoard,
        size: PictureSize,
        palette: Palette,
    ) -> Result<Self, PictureError> {
        let placement = size.place(board.size())?;
        let UVec2 {
            x: width,
            y: height,
        } = placement.picture;
        let row_bytes = row_bytes(width, placement.scale.is_some());
        let bytes = row_bytes * height as usize;
        let mut data: Vec<u8> =
            bytemuck::allocation::try_zeroed_vec(bytes).map_err(|()| PictureError::NoMemory {
                width,
                height,
                bytes,
            })?;
        let pixels = match placement.scale {
            Some(scale) => {
                draw_magnified(board, &placement, scale, row_bytes, &mut data);
                Pixels::Indexed(data)
            }
            None => {
                let Placement { corner, drawn, .. } = placement;
                if drawn != placement.picture {
                    let (margin, _) = data.as_chunks_mut::<3>();
                    margin.fill(palette.outside);
                }
                average::draw(board, &palette, corner, drawn, width, &mut data);
                Pixels::Rgb(data)
            }
        };
        Ok(Self {
            width,
            height,
            palette,
            pixels,
        })
    }

    /// A picture that was drawn elsewhere: three bytes a pixel, row by row from the top.
    ///
    /// # Panics
    /// If there are not three bytes for every pixel.
    pub fn of_pixels(width: u32, height: u32, palette: Palette, rgb: Vec<u8>) -> Self {
        assert_eq!(
            rgb.len(),
            3 * width as usize * height as usize,
            "three bytes a pixel of {width}x{height}"
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

impl Draw for LifelikeBoard {
    fn size(&self) -> Size {
        self.size()
    }

    fn draw(&self, size: PictureSize) -> Result<Picture, PictureError> {
        Picture::draw(self, size, Palette::DEFAULT)
    }
}

/// Bytes of a row of `width` pixels, as [`Pixels`] lays them out.
fn row_bytes(width: u32, indexed: bool) -> usize {
    if indexed {
        width.div_ceil(4) as usize
    } else {
        3 * width as usize
    }
}

/// Draws a board at `scale` pixels a cell on indexed pixels that are all 0 (dead).
fn draw_magnified(
    board: &LifelikeBoard,
    placement: &Placement,
    scale: u32,
    row_bytes: usize,
    data: &mut [u8],
) {
    let (width, height) = (placement.drawn.x as usize, placement.drawn.y as usize);
    let (left, top) = (placement.corner.x as usize, placement.corner.y as usize);
    let (picture_width, scale) = (placement.picture.x as usize, scale as usize);
    let (above, rest) = data.split_at_mut(top * row_bytes);
    let (inside, below) = rest.split_at_mut(height * row_bytes);
    for margin in [above, below] {
        margin
            .par_chunks_mut(row_bytes)
            .for_each(|row| paint(row, 0, picture_width, OUTSIDE));
    }
    inside
        .par_chunks_mut(row_bytes * scale)
        .enumerate()
        .for_each(|(y, rows)| {
            let (row, copies) = rows.split_at_mut(row_bytes);
            paint(row, 0, left, OUTSIDE);
            paint(row, left + width, picture_width - left - width, OUTSIDE);
            let (alive, blue) = board.row_planes(y as u32);
            for (word, (alive, blue)) in alive.iter().zip(blue).enumerate() {
                for (bits, cell) in [
                    (alive & !blue, LifelikeCell::Red),
                    (*blue, LifelikeCell::Blue),
                ] {
                    let mut bits = bits;
                    while bits != 0 {
                        let x = word * WORD_BITS as usize + bits.trailing_zeros() as usize;
                        paint(row, left + x * scale, scale, cell as u8);
                        bits &= bits - 1;
                    }
                }
            }
            for copy in copies.chunks_mut(row_bytes) {
                copy.copy_from_slice(row);
            }
        });
}

/// Gives `length` pixels from `from` on the colour of that index.
fn paint(row: &mut [u8], from: usize, length: usize, index: u8) {
    if length == 0 {
        return;
    }
    let last = from + length - 1;
    let (first_byte, last_byte) = (from / 4, last / 4);
    let (first_mask, last_mask) = (0xff >> (2 * (from % 4)), 0xff << (6 - 2 * (last % 4)));
    let four = index * 0b01_01_01_01;
    let mut put = |byte: usize, mask: u8| row[byte] = row[byte] & !mask | four & mask;
    if first_byte == last_byte {
        put(first_byte, first_mask & last_mask);
    } else {
        put(first_byte, first_mask);
        put(last_byte, last_mask);
        row[first_byte + 1..last_byte].fill(four);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::board::start;

    fn size(width: u64, height: u64) -> Size {
        Size::new(width, height).unwrap()
    }

    fn fit(width: u32, height: u32) -> PictureSize {
        PictureSize::Fit { width, height }
    }

    fn draw(board: &LifelikeBoard, size: PictureSize) -> Picture {
        Picture::draw(board, size, Palette::DEFAULT).unwrap()
    }

    /// Asserts that every pixel of an enlarged picture is what the cells say, by plain division.
    #[track_caller]
    fn check_magnified(
        board: &LifelikeBoard,
        size: PictureSize,
        UVec2 { x: left, y: top }: UVec2,
        scale: u32,
    ) {
        let picture = draw(board, size);
        let Pixels::Indexed(bytes) = picture.pixels() else {
            panic!("{size:?} of {board:?} is not indexed");
        };
        let row_bytes = picture.width().div_ceil(4) as usize;
        assert_eq!(bytes.len(), row_bytes * picture.height() as usize);
        let palette = Palette::DEFAULT;
        for (x, y) in (0..picture.height()).flat_map(|y| (0..picture.width()).map(move |x| (x, y)))
        {
            let cell = |at: u32, from: u32, cells: u32| {
                Some(at.checked_sub(from)? / scale).filter(|&cell| cell < cells)
            };
            let column = cell(x, left, board.size().width());
            let row = cell(y, top, board.size().height());
            let expected = match column.zip(row).map(|(x, y)| board.cell(uvec2(x, y))) {
                None => palette.outside,
                Some(LifelikeCell::Dead) => palette.dead,
                Some(LifelikeCell::Red) => palette.red,
                Some(LifelikeCell::Blue) => palette.blue,
            };
            assert_eq!(
                picture.colour(uvec2(x, y)),
                expected,
                "({x}, {y}) of {size:?}"
            );
        }
        let used = 4 * row_bytes - picture.width() as usize;
        for row in bytes.chunks(row_bytes) {
            assert_eq!(
                row[row_bytes - 1] & ((1 << (2 * used)) - 1) as u8,
                0,
                "padding"
            );
        }
    }

    #[test]
    fn every_pixel_of_an_enlarged_board_is_its_cell() {
        for width in [1, 2, 31, 32, 33, 63, 64, 65, 100, 257] {
            let board = start::random(size(width, 5), 0.6, width).unwrap();
            for scale in [1, 2, 3, 4, 5, 9] {
                check_magnified(&board, PictureSize::Scale(scale), UVec2::ZERO, scale);
            }
        }
    }

    #[test]
    fn a_board_that_fits_stands_in_the_middle_at_a_whole_number() {
        let board = start::random(size(10, 6), 0.5, 1).unwrap();
        check_magnified(&board, fit(10, 6), uvec2(0, 0), 1);
        check_magnified(&board, fit(11, 6), uvec2(0, 0), 1);
        check_magnified(&board, fit(12, 7), uvec2(1, 0), 1);
        check_magnified(&board, fit(19, 17), uvec2(4, 5), 1);
        check_magnified(&board, fit(20, 17), uvec2(0, 2), 2);
        check_magnified(&board, fit(101, 44), uvec2(15, 1), 7);
        let one = start::random(size(1, 1), 1.0, 1).unwrap();
        check_magnified(&one, fit(1, 1), uvec2(0, 0), 1);
        check_magnified(&one, fit(7, 4), uvec2(1, 0), 4);
        check_magnified(&one, PictureSize::Scale(5), uvec2(0, 0), 5);
    }

    #[test]
    fn a_board_that_does_not_fit_is_shrunk_in_proportion() {
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
        fn a_shrunk_board_has_room_and_no_more_pixels_than_cells(
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
    fn margins_of_a_shrunk_board_are_outside_and_the_rest_is_the_bare_picture() {
        let board = start::random(size(90, 60), 0.4, 3).unwrap();
        let bare = draw(&board, fit(45, 30));
        let palette = Palette::DEFAULT;
        for (width, height, left, top) in [(45, 41, 0, 5), (50, 30, 2, 0)] {
            let picture = draw(&board, fit(width, height));
            assert!(matches!(picture.pixels(), Pixels::Rgb(_)));
            for (x, y) in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
                let expected = match (x.checked_sub(left), y.checked_sub(top)) {
                    (Some(x), Some(y)) if x < 45 && y < 30 => bare.colour(uvec2(x, y)),
                    _ => palette.outside,
                };
                assert_eq!(picture.colour(uvec2(x, y)), expected, "({x}, {y})");
            }
        }
    }

    #[test]
    fn swapping_colours_gives_the_picture_in_the_swapped_palette() {
        let board = start::random(size(201, 77), 0.3, 5).unwrap();
        for picture_size in [fit(50, 20), fit(500, 500), PictureSize::Scale(2)] {
            let swapped = draw(&board.swapped(), picture_size);
            let palette = Palette::DEFAULT.swapped();
            let other = Picture::draw(&board, picture_size, palette).unwrap();
            for (x, y) in
                (0..swapped.height()).flat_map(|y| (0..swapped.width()).map(move |x| (x, y)))
            {
                assert_eq!(swapped.colour(uvec2(x, y)), other.colour(uvec2(x, y)));
            }
        }
    }

    #[test]
    fn a_lone_glider_on_a_large_board_is_visible() {
        let mut board = LifelikeBoard::new(size(4096, 4096)).unwrap();
        for (x, y) in [(1, 0), (2, 1), (0, 2), (1, 2), (2, 2)] {
            board.set(uvec2(2000 + x, 3000 + y), LifelikeCell::Red);
        }
        let picture = draw(&board, fit(64, 64));
        let dead = Palette::DEFAULT.dead;
        let lit: Vec<(u32, u32)> = (0..64)
            .flat_map(|y| (0..64).map(move |x| (x, y)))
            .filter(|&(x, y)| picture.colour(uvec2(x, y)) != dead)
            .collect();
        assert_eq!(lit, [(2000 / 64, 3000 / 64)]);
        let [red, green, blue] = picture.colour(uvec2(2000 / 64, 3000 / 64));
        assert!(red >= dead[0] + 30, "{red} {green} {blue}");
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
