//! Boards minified to pictures by exact area averages.
//!
//! A board side of `cells` cells is drawn on `pixels` pixels, fewer than cells. Lengths are counted
//! in units of which a cell has `pixels` and a pixel `cells`, so every border is a whole number:
//!
//! ```text
//! 5 cells on 3 pixels    |  :  :  |  :  :  |  :  :  |  :  :  |  :  :  |   a cell is 3 units
//!                        |  :  :  :  :  |  :  :  :  :  |  :  :  :  :  |   a pixel is 5 units
//! ```
//!
//! A pixel's weight of live cells is the number of square units on which they lie under it, out of
//! a total of `width * height` (of the board) units. A board has at most 2^36 cells, so weights fit
//! 64 bits with room to spare.

use super::palette::{Palette, Rgb};

/// The least brightness of a pixel with any live cell under it, out of 255.
pub(super) const FAINTEST: u64 = 40;

/// The colour of a pixel that covers cells of weight `total`, of which `live` are alive, of which
/// `blue` are blue.
///
/// Shares are turned into a colour in three steps, all in integers:
/// - the brightness is `255 * sqrt(live / total)` rounded down; the root (a gamma of 1/2) keeps
///   sparse regions readable. It is at least 40 of 255 where anything lives: otherwise a single
///   glider on a large board would vanish;
/// - the live colour is the mean of red and blue by weight, rounded to the nearest (half up);
/// - the pixel lies between dead and the live colour by brightness / 255, rounded to the nearest
///   (255 is odd, so there is no half).
///
/// Hence only dead, only red or only blue cells give exactly that colour of the palette, and
/// exchanging red and blue in both the weights and the palette changes nothing.
///
/// `total` is from 1 to 2^44, `blue <= live <= total`: the largest board has 2^36 cells, and a caller
/// may count 255 parts of a cell.
pub fn averaged_colour(palette: &Palette, total: u64, live: u64, blue: u64) -> Rgb {
    debug_assert!(total > 0 && blue <= live && live <= total && total <= 1 << 44);
    if live == 0 {
        return palette.dead;
    }
    let brightness = (255 * 255 * live / total).isqrt().max(FAINTEST);
    let red = live - blue;
    std::array::from_fn(|channel| {
        let of = |colour: Rgb| u64::from(colour[channel]);
        let mean = (2 * (of(palette.red) * red + of(palette.blue) * blue) + live) / (2 * live);
        let mixed = of(palette.dead) * (255 - brightness) + mean * brightness;
        ((mixed + 127) / 255) as u8
    })
}

/// The cells under one pixel, along one side of the board.
#[derive(Clone, Copy)]
pub(super) struct Share {
    /// The first cell of which any part lies under the pixel.
    pub(super) first: u32,
    /// The last such cell; it can be the first one.
    pub(super) last: u32,
    /// Units of the first cell that lie before the pixel.
    pub(super) before: u64,
    /// Units of the last cell that lie after the pixel.
    pub(super) after: u64,
    /// Units of a whole cell.
    pub(super) cell: u64,
}

impl Share {
    /// The share of `pixel` when `cells` are drawn on `pixels`, which are no more than the cells.
    pub(super) fn new(pixel: u32, cells: u32, pixels: u32) -> Self {
        debug_assert!(pixel < pixels && pixels <= cells);
        let (cell, pixel_units) = (u64::from(pixels), u64::from(cells));
        let start = u64::from(pixel) * pixel_units;
        let end = start + pixel_units;
        let (first, last) = (start / cell, (end - 1) / cell);
        Self {
            first: first as u32,
            last: last as u32,
            before: start - first * cell,
            after: (last + 1) * cell - end,
            cell,
        }
    }

    /// Units of the cell at `index`, between the first and the last, under the pixel.
    pub(super) fn units_of(&self, index: u32) -> u64 {
        let mut units = self.cell;
        if index == self.first {
            units -= self.before;
        }
        if index == self.last {
            units -= self.after;
        }
        units
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const MOST: u64 = 1 << 36;

    #[test]
    fn pure_colours_stay_pure() {
        let palette = Palette::DEFAULT;
        for total in [1, 2, 3, 7, 255, 1000, 65_025, MOST - 1, MOST] {
            assert_eq!(averaged_colour(&palette, total, 0, 0), palette.dead);
            assert_eq!(averaged_colour(&palette, total, total, 0), palette.red);
            assert_eq!(averaged_colour(&palette, total, total, total), palette.blue);
        }
    }

    #[test]
    fn the_roundings_are_as_described() {
        let palette = Palette {
            dead: [0, 0, 100],
            red: [255, 0, 100],
            blue: [0, 3, 100],
            outside: [9; 3],
            marks: None,
        };
        // A quarter alive is half as bright: 255 * sqrt(1/4) = 127.5, rounded down.
        assert_eq!(averaged_colour(&palette, 4, 1, 0), [127, 0, 100]);
        // Means of 127.5 and 1.5 are rounded up, with red and blue in either order.
        assert_eq!(averaged_colour(&palette, 2, 2, 1), [128, 2, 100]);
        assert_eq!(averaged_colour(&palette.swapped(), 2, 2, 1), [128, 2, 100]);
        // The faintest: 40, not 255 * sqrt(1 / 2^36) = 0.
        assert_eq!(averaged_colour(&palette, MOST, 1, 0), [40, 0, 100]);
        // 255 * sqrt(live / total) passes 41 where live / total passes (41 / 255)^2.
        assert_eq!(averaged_colour(&palette, 65_025, 1680, 0), [40, 0, 100]);
        assert_eq!(averaged_colour(&palette, 65_025, 1681, 0), [41, 0, 100]);
    }

    proptest! {
        /// The definition once more, in real numbers; only values at a rounding edge may differ
        /// there, and none of them by more than one step.
        #[test]
        fn the_colour_is_near_its_real_value_and_swaps_with_the_palette(
            total in 1..=MOST, live in 0.0..=1.0, blue in 0.0..=1.0, colours: [[u8; 3]; 3],
        ) {
            let live = ((total as f64 * live) as u64).min(total);
            let blue = ((live as f64 * blue) as u64).min(live);
            let [dead, red, blue_colour] = colours;
            let palette = Palette { dead, red, blue: blue_colour, outside: [0; 3], marks: None };
            let found = averaged_colour(&palette, total, live, blue);
            prop_assert_eq!(found, averaged_colour(&palette.swapped(), total, live, live - blue));
            if live == 0 {
                prop_assert_eq!(found, dead);
                return Ok(());
            }
            let share = blue as f64 / live as f64;
            let brightness = (255.0 * (live as f64 / total as f64).sqrt()).floor().max(40.0);
            for channel in 0..3 {
                let [dead, red, blue] = colours.map(|colour| f64::from(colour[channel]));
                let mean = red * (1.0 - share) + blue * share;
                let real = dead + (mean - dead) * brightness / 255.0;
                // Half a step for each of two roundings, and one of brightness at an edge.
                prop_assert!((f64::from(found[channel]) - real).abs() <= 2.0);
            }
        }

        #[test]
        fn shares_cover_every_unit_exactly_once(cells in 1..5000u32, pixels in 1..5000u32) {
            let pixels = pixels.min(cells);
            let mut covered = vec![0; cells as usize];
            for pixel in 0..pixels {
                let share = Share::new(pixel, cells, pixels);
                let mut units = 0;
                for cell in share.first..=share.last {
                    prop_assert!(share.units_of(cell) > 0);
                    covered[cell as usize] += share.units_of(cell);
                    units += share.units_of(cell);
                }
                prop_assert_eq!(units, u64::from(cells));
            }
            prop_assert!(covered.iter().all(|&units| units == u64::from(pixels)));
        }

    }

    #[test]
    fn shares_of_the_longest_sides_do_not_overflow() {
        for (cells, pixels) in [(u32::MAX, 65_535), (u32::MAX, 1), (262_144, 65_535)] {
            let last = Share::new(pixels - 1, cells, pixels);
            assert_eq!((last.last, last.after), (cells - 1, 0));
            let all = u64::from(last.last - last.first + 1) * last.cell;
            assert_eq!(all - last.before, u64::from(cells));
        }
    }
}
