//! Boards of reZolution drawn as pictures.
//!
//! A cell's shade grows with its population: it lies between the colour of an empty cell and that
//! of its side by [`brightness`]. Small populations, which are the most common, differ most; all up
//! to 26, the largest in any run tried, have shades of their own, and above that the steps are tiny.
//! Barriers have a colour of their own, and a target is outlined; where a cell has too few pixels for
//! that, all of them are in its colour.
//!
//! A minified picture is made by exact area averages, as for other boards (see
//! [`super::averaged_colour`]): a cell counts as that part of a live cell which has its brightness,
//! and barriers darken a pixel by their share. A target is never averaged away: a pixel with one
//! under it has its colour.

use glam::{UVec2, uvec2};
use rayon::prelude::*;

use super::average::Share;
use super::palette::{Marks, Palette, Rgb};
use super::picture::{Picture, PictureError, PictureSize, Pixels, Placement, row_bytes};
use super::renderer::view::{RenderFamily, ViewPrograms};
use super::{Draw, averaged_colour};
use crate::board::rezolution::{Ground, RezolutionCell};
use crate::board::{RezolutionBoard, Size};
use crate::rules::RezolutionRuleset;

/// Pixels per cell side from which a target can be outlined.
const OUTLINE_SCALE: usize = 3;

/// The share of a whole live cell, in 255: so that its square root is the brightness.
const FULL: u64 = 255;

/// How bright a cell of that population is, from 0 (empty) to 255.
pub fn brightness(population: i8) -> u8 {
    match population.unsigned_abs() {
        0 => 0,
        size @ 1..=8 => 96 + 12 * (size - 1),
        size @ 9..=26 => 180 + 4 * (size - 8),
        size => 252 + (size.min(127) - 26) / 33,
    }
}

impl Draw for RezolutionBoard {
    fn size(&self) -> Size {
        self.size()
    }

    fn draw(&self, size: PictureSize) -> Result<Picture, PictureError> {
        let palette = Palette::REZOLUTION;
        let placement = size.place(self.size())?;
        let mut rgb = placement.rgb(palette.outside)?;
        let row_bytes = row_bytes(placement.picture.x, false);
        let top = placement.corner.y as usize * row_bytes;
        let inside = &mut rgb[top..][..placement.drawn.y as usize * row_bytes];
        match placement.scale {
            Some(scale) => draw_magnified(self, &palette, &placement, scale as usize, inside),
            None => draw_minified(self, &palette, &placement, inside),
        }
        Ok(Picture::new(placement.picture, palette, Pixels::Rgb(rgb)))
    }
}

impl RenderFamily for RezolutionBoard {
    type Ruleset = RezolutionRuleset;

    const VIEW: &'static ViewPrograms = &VIEW;
}

/// Pictures of populations, barriers and targets: `shaders/view/rezolution.wgsl`.
static VIEW: ViewPrograms = ViewPrograms::new(
    "view/rezolution",
    ["magnify rezolution", "minify rezolution"],
    3,
);

/// The colour of an ordinary cell of that population.
pub fn shade(population: i8) -> Rgb {
    cell_colour(&Palette::REZOLUTION, RezolutionCell::open(population))
}

/// The colour of one cell, its outline aside.
fn cell_colour(palette: &Palette, spot: RezolutionCell) -> Rgb {
    if spot.ground == Ground::Barrier {
        return marks(palette).barrier;
    }
    let live = weight(spot.population);
    let blue = if spot.population < 0 { live } else { 0 };
    averaged_colour(palette, FULL, live, blue)
}

/// A palette without marks draws none.
fn marks(palette: &Palette) -> Marks {
    palette.marks.unwrap_or(Marks {
        barrier: palette.dead,
        target: palette.dead,
    })
}

/// How much of [`FULL`] live cells a cell of that population counts for: the square of its
/// brightness, rounded to the nearest, at least 1.
fn weight(population: i8) -> u64 {
    let brightness = u64::from(brightness(population));
    let square = brightness * brightness;
    ((square + FULL / 2) / FULL).max(u64::from(population != 0))
}

/// Draws all rows of the board at `scale` pixels per cell side.
fn draw_magnified(
    board: &RezolutionBoard,
    palette: &Palette,
    placement: &Placement,
    scale: usize,
    inside: &mut [u8],
) {
    let row_bytes = row_bytes(placement.picture.x, false);
    let left = placement.corner.x as usize;
    let target = marks(palette).target;
    let outline = match scale {
        0..OUTLINE_SCALE => scale,
        _ => (scale / 8).max(1),
    };
    let rows = inside.par_chunks_mut(row_bytes * scale).enumerate();
    rows.for_each(|(y, rows)| {
        for (pixel_y, row) in rows.chunks_mut(row_bytes).enumerate() {
            let (pixels, _) = row.as_chunks_mut::<3>();
            let cells = pixels[left..].chunks_mut(scale).zip(board.row(y as u32));
            let is_edge = |pixel: usize| pixel < outline || pixel + outline >= scale;
            for (pixels, spot) in cells {
                pixels.fill(cell_colour(palette, spot));
                if spot.ground == Ground::Target {
                    let marked = pixels.iter_mut().enumerate();
                    marked
                        .filter(|(pixel_x, _)| is_edge(*pixel_x) || is_edge(pixel_y))
                        .for_each(|(_, pixel)| *pixel = target);
                }
            }
        }
    });
}

/// What lies under a pixel, in square units.
#[derive(Clone, Copy, Default)]
struct Weights {
    /// Of live cells, in [`FULL`] for each.
    live: u64,
    /// Of blue ones.
    blue: u64,
    /// Of barriers, in units.
    barrier: u64,
    /// Whether any of it is a target.
    target: bool,
}

/// Draws all rows of the board on fewer pixels than cells.
fn draw_minified(
    board: &RezolutionBoard,
    palette: &Palette,
    placement: &Placement,
    inside: &mut [u8],
) {
    let size = board.size();
    let UVec2 {
        x: width,
        y: height,
    } = placement.drawn;
    let columns: Vec<Share> = (0..width)
        .map(|pixel| Share::new(pixel, size.width(), width))
        .collect();
    let row_bytes = row_bytes(placement.picture.x, false);
    let left = placement.corner.x as usize;
    let rows = inside.par_chunks_mut(row_bytes).enumerate();
    rows.for_each_init(
        || vec![Weights::default(); columns.len()],
        |weights, (pixel, row)| {
            weights.fill(Weights::default());
            let share = Share::new(pixel as u32, size.height(), height);
            for y in share.first..=share.last {
                for (column, weights) in columns.iter().zip(&mut *weights) {
                    for x in column.first..=column.last {
                        let units = share.units_of(y) * column.units_of(x);
                        weights.add(board.cell(uvec2(x, y)), units);
                    }
                }
            }
            let (pixels, _) = row.as_chunks_mut::<3>();
            for (pixel, weights) in pixels[left..].iter_mut().zip(weights) {
                *pixel = weights.colour(palette, size.cells());
            }
        },
    );
}

impl Weights {
    fn add(&mut self, spot: RezolutionCell, units: u64) {
        let live = units * weight(spot.population);
        self.live += live;
        self.blue += if spot.population < 0 { live } else { 0 };
        self.barrier += if spot.ground == Ground::Barrier {
            units
        } else {
            0
        };
        self.target |= spot.ground == Ground::Target;
    }

    /// The colour of a pixel of `total` units.
    fn colour(&self, palette: &Palette, total: u64) -> Rgb {
        let Marks { barrier, target } = marks(palette);
        if self.target {
            return target;
        }
        let open = total - self.barrier;
        if open == 0 {
            return barrier;
        }
        let colour = averaged_colour(palette, FULL * open, self.live, self.blue);
        std::array::from_fn(|channel| {
            let [colour, barrier] = [colour, barrier].map(|c| u64::from(c[channel]));
            ((colour * open + barrier * self.barrier + total / 2) / total) as u8
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;

    const BARRIER: RezolutionCell = RezolutionCell {
        population: 0,
        ground: Ground::Barrier,
    };

    fn target(population: i8) -> RezolutionCell {
        let ground = Ground::Target;
        RezolutionCell { population, ground }
    }

    fn board(width: u64, height: u64, spots: &[(u32, u32, RezolutionCell)]) -> RezolutionBoard {
        let mut board = RezolutionBoard::empty(Size::new(width, height).unwrap()).unwrap();
        for &(x, y, spot) in spots {
            board.set(uvec2(x, y), spot);
        }
        board
    }

    #[test]
    fn shades_grow_with_the_population_and_differ_up_to_26() {
        let palette = Palette::REZOLUTION;
        for sign in [1, -1] {
            let towards = if sign > 0 { palette.red } else { palette.blue };
            let distance = |colour: Rgb| -> u32 {
                let channels = colour.into_iter().zip(towards);
                channels.map(|(a, b)| u32::from(a.abs_diff(b))).sum()
            };
            let shades: Vec<Rgb> = (1..=127).map(|size| shade(sign * size)).collect();
            assert!(
                distance(palette.dead) > distance(shades[0]) + 60,
                "{shades:?}"
            );
            for (size, pair) in (1..).zip(shades.windows(2)) {
                let step = distance(pair[0]) as i64 - distance(pair[1]) as i64;
                let least = if size < 26 { 2 } else { 0 };
                assert!(step >= least, "{size} to {}: {pair:?}", size + 1);
            }
            assert_eq!(shades[126], towards);
        }
        assert_eq!(shade(0), palette.dead);
    }

    #[test]
    fn barriers_and_targets_are_drawn_as_described() {
        let board = board(
            3,
            1,
            &[
                (0, 0, BARRIER),
                (1, 0, target(4)),
                (2, 0, RezolutionCell::open(-1)),
            ],
        );
        let Marks { barrier, target } = Palette::REZOLUTION.marks.unwrap();
        assert_eq!(barrier, [0; 3]);
        for scale in [1, 2] {
            let picture = board.draw(PictureSize::Scale(scale)).unwrap();
            for y in 0..scale {
                assert_eq!(picture.colour(uvec2(0, y)), barrier);
                assert_eq!(picture.colour(uvec2(2 * scale - 1, y)), target);
                assert_eq!(picture.colour(uvec2(2 * scale, y)), shade(-1));
            }
        }
        for (scale, outline) in [(3, 1), (8, 1), (20, 2)] {
            let picture = board.draw(PictureSize::Scale(scale)).unwrap();
            for (x, y) in (0..scale).flat_map(|y| (0..scale).map(move |x| (x, y))) {
                let inner = outline..scale - outline;
                let expected = match inner.contains(&x) && inner.contains(&y) {
                    true => shade(4),
                    false => target,
                };
                assert_eq!(
                    picture.colour(uvec2(scale + x, y)),
                    expected,
                    "({x}, {y}) of {scale}"
                );
                assert_eq!(picture.colour(uvec2(x, y)), barrier);
            }
        }
    }

    #[test]
    fn a_minified_picture_averages_areas_and_keeps_targets() {
        let palette = Palette::REZOLUTION;
        let fit = |board: &RezolutionBoard, width, height| {
            board.draw(PictureSize::Fit { width, height }).unwrap()
        };
        // Four cells of one population under a pixel are one.
        let spots: Vec<_> = (0..4)
            .map(|i| (i % 2, i / 2, RezolutionCell::open(-7)))
            .collect();
        assert_eq!(
            fit(&board(2, 2, &spots), 1, 1).colour(UVec2::ZERO),
            shade(-7)
        );
        // Half a pixel of barriers darkens it by half, rounded up.
        let walled = board(2, 1, &[(0, 0, BARRIER)]);
        let halved = palette.dead.map(|channel| channel.div_ceil(2));
        assert_eq!(fit(&walled, 1, 1).colour(UVec2::ZERO), halved);
        let all = board(2, 1, &[(0, 0, BARRIER), (1, 0, BARRIER)]);
        assert_eq!(fit(&all, 1, 1).colour(UVec2::ZERO), [0; 3]);
        // One target among 10,000 cells.
        let mut large = board(100, 100, &[(77, 33, target(0))]);
        let marked = |board: &RezolutionBoard| {
            let picture = fit(board, 10, 12);
            let colour = palette.marks.unwrap().target;
            let places = (0..12).flat_map(|y| (0..10).map(move |x| (x, y)));
            places
                .filter(|&(x, y)| picture.colour(uvec2(x, y)) == colour)
                .collect::<Vec<_>>()
        };
        assert_eq!(marked(&large), [(7, 4)]);
        large.set(uvec2(77, 33), RezolutionCell::default());
        assert!(marked(&large).is_empty());
        assert_eq!(fit(&large, 10, 12).colour(UVec2::ZERO), palette.outside);
    }

    #[test]
    fn a_magnified_picture_equals_a_minified_one_of_the_same_cells() {
        let demo = crate::board::start::demo(&board(20, 20, &[(3, 3, BARRIER)]), 0.5, 1).unwrap();
        let mut doubled = board(40, 40, &[]);
        for (x, y) in (0..40).flat_map(|y| (0..40).map(move |x| (x, y))) {
            doubled.set(uvec2(x, y), demo.cell(uvec2(x / 2, y / 2)));
        }
        let (width, height) = (20, 20);
        let minified = doubled.draw(PictureSize::Fit { width, height }).unwrap();
        assert_eq!(minified, demo.draw(PictureSize::Scale(1)).unwrap());
    }
}
