//! Life-like boards drawn as pictures: magnified with the indices of a palette, two bits per pixel, or
//! minified by exact area averages in true colour.

use glam::UVec2;
use rayon::prelude::*;

use super::average::Share;
use super::palette::Palette;
use super::picture::{Picture, PictureError, PictureSize, Pixels, Placement, row_bytes};
use super::renderer::view::{RenderFamily, ViewPrograms};
use super::{Draw, averaged_colour};
use crate::board::{LifelikeBoard, LifelikeCell, Size, WORD_BITS};
use crate::rules::LifelikeRuleset;

/// The index of the colour around the board; cells have the indices 0 (dead), 1 and 2.
const OUTSIDE: u8 = 3;

impl Draw for LifelikeBoard {
    fn size(&self) -> Size {
        self.size()
    }

    fn draw(&self, size: PictureSize) -> Result<Picture, PictureError> {
        draw(self, size, Palette::DEFAULT)
    }
}

impl RenderFamily for LifelikeBoard {
    type Ruleset = LifelikeRuleset;

    const VIEW: &'static ViewPrograms = &VIEW;
}

/// Pictures of dead, red and blue cells: `shaders/view/lifelike.wgsl`.
static VIEW: ViewPrograms =
    ViewPrograms::new("view/lifelike", ["magnify lifelike", "minify lifelike"], 2);

/// Draws a board in the colours of a palette.
///
/// # Errors
/// [`PictureError`] if the picture would be empty or too large, before any memory is taken, or if
/// there is no memory.
pub fn draw(
    board: &LifelikeBoard,
    size: PictureSize,
    palette: Palette,
) -> Result<Picture, PictureError> {
    let placement = size.place(board.size())?;
    let pixels = match placement.scale {
        Some(scale) => {
            let row_bytes = row_bytes(placement.picture.x, true);
            let mut indices = placement.zeroed(row_bytes)?;
            draw_magnified(board, &placement, scale, row_bytes, &mut indices);
            Pixels::Indexed(indices)
        }
        None => {
            let mut rgb = placement.rgb(palette.outside)?;
            draw_minified(board, &palette, &placement, &mut rgb);
            Pixels::Rgb(rgb)
        }
    };
    Ok(Picture::new(placement.picture, palette, pixels))
}

/// Draws a board at `scale` pixels per cell side on indexed pixels that are all 0 (dead).
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
            .for_each(|row| fill_pixels(row, 0, picture_width, OUTSIDE));
    }
    inside
        .par_chunks_mut(row_bytes * scale)
        .enumerate()
        .for_each(|(y, rows)| {
            let (row, copies) = rows.split_at_mut(row_bytes);
            fill_pixels(row, 0, left, OUTSIDE);
            fill_pixels(row, left + width, picture_width - left - width, OUTSIDE);
            let (alive, blue) = board.row_planes(y as u32);
            for (word, (alive, blue)) in alive.iter().zip(blue).enumerate() {
                for (bits, cell) in [
                    (alive & !blue, LifelikeCell::Red),
                    (*blue, LifelikeCell::Blue),
                ] {
                    let mut bits = bits;
                    while bits != 0 {
                        let x = word * WORD_BITS as usize + bits.trailing_zeros() as usize;
                        fill_pixels(row, left + x * scale, scale, cell as u8);
                        bits &= bits - 1;
                    }
                }
            }
            for copy in copies.chunks_mut(row_bytes) {
                copy.copy_from_slice(row);
            }
        });
}

/// Sets `length` pixels from `from` on to an index.
fn fill_pixels(row: &mut [u8], from: usize, length: usize, index: u8) {
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

/// Draws a board on three bytes per pixel. Neither side may have more pixels than the board cells.
fn draw_minified(board: &LifelikeBoard, palette: &Palette, placement: &Placement, rgb: &mut [u8]) {
    let UVec2 { x: left, y: top } = placement.corner;
    let UVec2 {
        x: width,
        y: height,
    } = placement.drawn;
    let size = board.size();
    let columns: Vec<Column> = (0..width)
        .map(|pixel| Column::new(Share::new(pixel, size.width(), width)))
        .collect();
    let row_bytes = row_bytes(placement.picture.x, false);
    let inside = 3 * left as usize..3 * (left + width) as usize;
    rgb[top as usize * row_bytes..][..height as usize * row_bytes]
        .par_chunks_mut(row_bytes)
        .enumerate()
        .for_each_init(
            || vec![Weights::default(); columns.len()],
            |weights, (pixel, row)| {
                weights.fill(Weights::default());
                let share = Share::new(pixel as u32, size.height(), height);
                for y in share.first..=share.last {
                    let (alive, blue) = board.row_planes(y);
                    let units = share.units_of(y);
                    for (column, weights) in columns.iter().zip(&mut *weights) {
                        let live = column.weight(alive);
                        weights.live += units * live;
                        if live != 0 {
                            weights.blue += units * column.weight(blue);
                        }
                    }
                }
                let (pixels, _) = row[inside.clone()].as_chunks_mut::<3>();
                for (pixel, weights) in pixels.iter_mut().zip(weights) {
                    *pixel = averaged_colour(palette, size.cells(), weights.live, weights.blue);
                }
            },
        );
}

/// Square units under a pixel.
#[derive(Clone, Copy, Default)]
struct Weights {
    live: u64,
    blue: u64,
}

/// A share of a row of words: whole cells are counted 32 at once, then what the two border cells
/// have too much is taken off.
struct Column {
    share: Share,
    first_word: usize,
    last_word: usize,
    first_mask: u32,
    last_mask: u32,
}

impl Column {
    fn new(share: Share) -> Self {
        let (first_word, last_word) = (share.first / WORD_BITS, share.last / WORD_BITS);
        let mut first_mask = u32::MAX << (share.first % WORD_BITS);
        let last_mask = u32::MAX >> (WORD_BITS - 1 - share.last % WORD_BITS);
        if first_word == last_word {
            first_mask &= last_mask;
        }
        Self {
            share,
            first_word: first_word as usize,
            last_word: last_word as usize,
            first_mask,
            last_mask,
        }
    }

    /// Units along the row on which set bits lie under the pixel.
    fn weight(&self, row: &[u32]) -> u64 {
        let words = &row[self.first_word..=self.last_word];
        let mut count = u64::from((words[0] & self.first_mask).count_ones());
        if let [_, middle @ .., last] = words {
            let whole: u64 = middle.iter().map(|w| u64::from(w.count_ones())).sum();
            count += whole + u64::from((last & self.last_mask).count_ones());
        }
        let bit = |word: u32, cell: u32| u64::from(word >> (cell % WORD_BITS) & 1);
        let first = bit(words[0], self.share.first);
        let last = bit(words[words.len() - 1], self.share.last);
        count * self.share.cell - first * self.share.before - last * self.share.after
    }
}

#[cfg(test)]
mod tests {
    use glam::uvec2;
    use proptest::prelude::*;

    use super::*;
    use crate::board::start;

    fn size(width: u64, height: u64) -> Size {
        Size::new(width, height).unwrap()
    }

    fn fit(width: u32, height: u32) -> PictureSize {
        PictureSize::Fit { width, height }
    }

    fn drawn(board: &LifelikeBoard, size: PictureSize) -> Picture {
        board.draw(size).unwrap()
    }

    /// Asserts that every pixel of a magnified picture is what the cells say, by plain division.
    #[track_caller]
    fn check_magnified(
        board: &LifelikeBoard,
        size: PictureSize,
        UVec2 { x: left, y: top }: UVec2,
        scale: u32,
    ) {
        let picture = drawn(board, size);
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
    fn every_pixel_of_a_magnified_board_is_its_cell() {
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
    fn margins_of_a_minified_board_are_outside_and_the_rest_is_the_bare_picture() {
        let board = start::random(size(90, 60), 0.4, 3).unwrap();
        let bare = drawn(&board, fit(45, 30));
        let palette = Palette::DEFAULT;
        for (width, height, left, top) in [(45, 41, 0, 5), (50, 30, 2, 0)] {
            let picture = drawn(&board, fit(width, height));
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
            let swapped = drawn(&board.swapped(), picture_size);
            let palette = Palette::DEFAULT.swapped();
            let other = draw(&board, picture_size, palette).unwrap();
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
        let picture = drawn(&board, fit(64, 64));
        let dead = Palette::DEFAULT.dead;
        let lit: Vec<(u32, u32)> = (0..64)
            .flat_map(|y| (0..64).map(move |x| (x, y)))
            .filter(|&(x, y)| picture.colour(uvec2(x, y)) != dead)
            .collect();
        assert_eq!(lit, [(2000 / 64, 3000 / 64)]);
        let [red, green, blue] = picture.colour(uvec2(2000 / 64, 3000 / 64));
        assert!(red >= dead[0] + 30, "{red} {green} {blue}");
    }

    proptest! {
        /// The plain definition: every cell against every pixel, overlaps multiplied.
        #[test]
        fn a_minified_board_is_the_average_of_its_cells(
            (width, columns) in (1..=200u32).prop_flat_map(|n| (Just(n), 1..=n)),
            (height, rows) in (1..=24u32).prop_flat_map(|n| (Just(n), 1..=n)),
            density in 0.0..=1.0, seed: u64,
        ) {
            let size = Size::new(width.into(), height.into()).unwrap();
            let board = start::random(size, density, seed).unwrap();
            let palette = Palette::DEFAULT;
            let placement = Placement {
                picture: uvec2(columns, rows),
                corner: UVec2::ZERO,
                drawn: uvec2(columns, rows),
                scale: None,
            };
            let mut rgb = vec![0; (3 * columns * rows) as usize];
            draw_minified(&board, &palette, &placement, &mut rgb);
            // Length that cell [n/cells, (n+1)/cells] and pixel [p/pixels, (p+1)/pixels] of the
            // same side have in common, times cells * pixels.
            let overlap = |n: u32, cells: u32, p: u32, pixels: u32| -> u128 {
                let [n, cells, p, pixels] = [n, cells, p, pixels].map(u128::from);
                let (from, to) = ((n * pixels).max(p * cells), ((n + 1) * pixels).min((p + 1) * cells));
                to.saturating_sub(from)
            };
            for (px, py) in (0..rows).flat_map(|py| (0..columns).map(move |px| (px, py))) {
                let [mut total, mut live, mut blue] = [0u128; 3];
                for y in 0..height {
                    for (x, cell) in board.row(y).enumerate() {
                        let weight = overlap(x as u32, width, px, columns)
                            * overlap(y, height, py, rows);
                        total += weight;
                        live += weight * u128::from(cell != LifelikeCell::Dead);
                        blue += weight * u128::from(cell == LifelikeCell::Blue);
                    }
                }
                let [total, live, blue] = [total, live, blue].map(|w| u64::try_from(w).unwrap());
                prop_assert_eq!(total, size.cells());
                let at = (3 * (py * columns + px)) as usize;
                prop_assert_eq!(
                    &rgb[at..at + 3],
                    averaged_colour(&palette, total, live, blue),
                    "pixel ({}, {})", px, py
                );
            }
        }
    }
}
