//! Where a board lies in a view: from pixels to cells and back.
//!
//! ```text
//!   cells    0     1     2     3        zoom Magnified(4): 4 pixels per cell
//!            |.:.:.|.:.:.|.:.:.|
//!   pixels   o  +1    +4    +8          o = origin: the pixel in which the board begins
//! ```
//!
//! Pixels are those of the screen, never points: a display of any scale factor has as many of them
//! as its picture. Zooms are whole numbers, pixels per cell or cells per pixel, and origins are whole
//! pixels, so every position is an exact integer and a cell looks the same wherever it is.

use glam::{DVec2, I64Vec2, IVec2, UVec2, dvec2, i64vec2, ivec2, uvec2};

use crate::board::{Edges, Size};

/// The most pixels per cell.
pub const MAX_MAGNIFIED: u32 = 64;

/// The most cells per pixel in each direction.
pub const MAX_MINIFIED: u32 = 2048;

/// The zooms that a wheel steps through; fitting chooses any whole number.
const STEPS: [u32; 23] = [
    1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 32, 48, 64, 96, 128, 192, 256, 512, 768, 1024, 2048,
];

/// How large a cell is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Zoom {
    /// So many pixels per cell in each direction, 1 to [`MAX_MAGNIFIED`].
    Magnified(u32),
    /// So many cells per pixel in each direction, 2 to [`MAX_MINIFIED`].
    Minified(u32),
}

impl Zoom {
    /// Pixels per cell, a fraction if cells are smaller than pixels.
    pub fn pixels_per_cell(self) -> f64 {
        match self {
            Self::Magnified(pixels) => f64::from(pixels),
            Self::Minified(cells) => 1.0 / f64::from(cells),
        }
    }

    /// The next larger zoom of a wheel, or the largest.
    pub fn closer(self) -> Self {
        match self {
            Self::Magnified(pixels) => Self::Magnified(above(pixels).min(MAX_MAGNIFIED)),
            Self::Minified(cells) => Self::minified(below(cells)),
        }
    }

    /// The next smaller zoom of a wheel, or the smallest.
    pub fn farther(self) -> Self {
        match self {
            Self::Magnified(1) => Self::Minified(2),
            Self::Magnified(pixels) => Self::Magnified(below(pixels)),
            Self::Minified(cells) => Self::Minified(above(cells).min(MAX_MINIFIED)),
        }
    }

    fn minified(cells: u32) -> Self {
        match cells {
            0 | 1 => Self::Magnified(1),
            cells => Self::Minified(cells.min(MAX_MINIFIED)),
        }
    }
}

impl std::fmt::Display for Zoom {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Magnified(1) => f.write_str("1 pixel per cell"),
            Self::Magnified(pixels) => write!(f, "{pixels} pixels per cell"),
            Self::Minified(cells) => write!(f, "{cells}x{cells} cells per pixel"),
        }
    }
}

fn above(value: u32) -> u32 {
    STEPS
        .into_iter()
        .find(|&step| step > value)
        .unwrap_or(MAX_MINIFIED)
}

fn below(value: u32) -> u32 {
    STEPS
        .into_iter()
        .rev()
        .find(|&step| step < value)
        .unwrap_or(1)
}

/// What is drawn where: everything a picture of a board depends on but the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View {
    /// Columns of pixels.
    pub width: u32,
    /// Rows of pixels.
    pub height: u32,
    /// The pixel in which the board begins; may lie outside the view.
    pub origin: IVec2,
    /// How large a cell is.
    pub zoom: Zoom,
}

impl View {
    /// The position of the cell under a pixel, counted on beyond the board's borders. Of many cells
    /// under a pixel it is the first.
    pub fn unbounded_cell(&self, pixel: IVec2) -> I64Vec2 {
        let at = pixel.as_i64vec2() - self.origin.as_i64vec2();
        match self.zoom {
            Zoom::Magnified(pixels) => at.div_euclid(I64Vec2::splat(i64::from(pixels))),
            Zoom::Minified(cells) => at * i64::from(cells),
        }
    }

    /// The cell under a pixel, if there is one: on a torus there always is.
    pub fn cell(&self, pixel: IVec2, size: Size, edges: Edges) -> Option<UVec2> {
        let at = self.unbounded_cell(pixel);
        let sides = i64vec2(size.width().into(), size.height().into());
        match edges {
            Edges::Torus => Some(at.rem_euclid(sides).as_uvec2()),
            Edges::Dead => {
                let inside = at.cmpge(I64Vec2::ZERO).all() && at.cmplt(sides).all();
                inside.then_some(at.as_uvec2())
            }
        }
    }

    /// The pixels of a cell, in pixels of the view: its top left one, and the side of the square they
    /// form, which is at least 1.
    pub fn pixels(&self, cell: UVec2) -> (I64Vec2, u32) {
        let (at, side) = match self.zoom {
            Zoom::Magnified(pixels) => (cell.as_i64vec2() * i64::from(pixels), pixels),
            Zoom::Minified(cells) => ((cell / cells).as_i64vec2(), 1),
        };
        (at + self.origin.as_i64vec2(), side)
    }
}

/// The middle of a view and its zoom.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// In cells; 0.5 is the middle of the first one.
    centre: DVec2,
    zoom: Zoom,
}

impl Camera {
    /// The whole board, as large as it fits into `width` x `height` pixels, in the middle of them.
    pub fn fit(size: Size, width: u32, height: u32) -> Self {
        let (width, height) = (width.max(1), height.max(1));
        let pixels = (width / size.width()).min(height / size.height());
        let cells = size
            .width()
            .div_ceil(width)
            .max(size.height().div_ceil(height));
        let zoom = match pixels {
            0 => Zoom::minified(cells),
            pixels => Zoom::Magnified(pixels.min(MAX_MAGNIFIED)),
        };
        Self {
            centre: sides(size) / 2.0,
            zoom,
        }
    }

    /// How large a cell is.
    pub const fn zoom(&self) -> Zoom {
        self.zoom
    }

    /// The view of `width` x `height` pixels.
    pub fn view(&self, width: u32, height: u32) -> View {
        let origin = middle(uvec2(width, height)) - self.centre * self.zoom.pixels_per_cell();
        View {
            width,
            height,
            // Not glam's `round`, which rounds halves to even.
            origin: ivec2(origin.x.round() as i32, origin.y.round() as i32),
            zoom: self.zoom,
        }
    }

    /// Moves the board by a number of pixels. On a torus there is no end; a board with dead edges
    /// keeps the middle of the view on it.
    pub fn pan(&mut self, pixels: DVec2, size: Size, edges: Edges) {
        self.centre -= pixels / self.zoom.pixels_per_cell();
        self.keep_on_board(size, edges);
    }

    /// Changes the zoom. What is under the pixel `about` of a view of `pixels` stays there, as near
    /// as whole pixels allow.
    pub fn zoom_about(
        &mut self,
        zoom: Zoom,
        about: DVec2,
        pixels: UVec2,
        size: Size,
        edges: Edges,
    ) {
        let (old, new) = (self.zoom.pixels_per_cell(), zoom.pixels_per_cell());
        let from_middle = about - middle(pixels);
        self.centre += from_middle / old - from_middle / new;
        self.zoom = zoom;
        self.keep_on_board(size, edges);
    }

    /// Moves as little as needed for a cell to lie within a view of that many pixels.
    pub fn reveal(&mut self, cell: UVec2, pixels: UVec2) {
        let (at, side) = self.view(pixels.x, pixels.y).pixels(cell);
        let end = (pixels.as_i64vec2() - i64::from(side)).max(I64Vec2::ZERO);
        let beyond = at - at.clamp(I64Vec2::ZERO, end);
        self.centre += beyond.as_dvec2() / self.zoom.pixels_per_cell();
    }

    /// Moves the middle of the view onto the board.
    fn keep_on_board(&mut self, size: Size, edges: Edges) {
        self.centre = match edges {
            Edges::Torus => self.centre.rem_euclid(sides(size)),
            Edges::Dead => self.centre.clamp(DVec2::ZERO, sides(size)),
        };
    }
}

/// The far corner of a board, in cells.
fn sides(size: Size) -> DVec2 {
    dvec2(size.width().into(), size.height().into())
}

/// The middle pixel of a view.
fn middle(pixels: UVec2) -> DVec2 {
    (pixels / 2).as_dvec2()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn size(width: u64, height: u64) -> Size {
        Size::new(width, height).unwrap()
    }

    #[test]
    fn the_middle_of_every_drawn_cell_is_that_cell_at_every_scale_zoom_and_pan() {
        let board = size(7, 11);
        // A window of 300 x 200 points on displays of these scale factors.
        for scale in [1.0, 1.25, 1.5, 2.0] {
            let (width, height) = ((300.0 * scale) as u32, (200.0 * scale) as u32);
            for zoom in 1..=MAX_MAGNIFIED {
                for pan in [dvec2(0.0, 0.0), dvec2(13.0, -7.0), dvec2(-0.4, 0.6)] {
                    let mut camera = Camera::fit(board, width, height);
                    let pixels = uvec2(width, height);
                    let middle = pixels.as_dvec2() / 2.0;
                    let zoom = Zoom::Magnified(zoom);
                    camera.zoom_about(zoom, middle, pixels, board, Edges::Dead);
                    camera.pan(pan, board, Edges::Dead);
                    let view = camera.view(width, height);
                    for cell in board.positions() {
                        let (corner, side) = view.pixels(cell);
                        let middle = (corner + i64::from(side / 2)).as_ivec2();
                        let found = view.cell(middle, board, Edges::Dead);
                        assert_eq!(found, Some(cell), "{scale} {zoom:?} {pan}");
                        let found = view.cell(corner.as_ivec2(), board, Edges::Dead);
                        assert_eq!(found, Some(cell));
                    }
                    let (corner, _) = view.pixels(UVec2::ZERO);
                    let before = corner.as_ivec2() - ivec2(1, 0);
                    assert_eq!(view.cell(before, board, Edges::Dead), None);
                    let found = view.cell(before, board, Edges::Torus);
                    assert_eq!(found, Some(uvec2(6, 0)), "joined to the other side");
                }
            }
        }
    }

    #[test]
    fn a_board_is_fitted_whole_and_in_the_middle() {
        for (columns, rows) in [(1, 1), (7, 11), (600, 400), (601, 3), (100_000, 70_000)] {
            let board = size(columns, rows);
            let camera = Camera::fit(board, 600, 400);
            let view = camera.view(600, 400);
            let (corner, _) = view.pixels(UVec2::ZERO);
            let (last, side) = view.pixels(uvec2(board.width() - 1, board.height() - 1));
            let beyond = i64vec2(600, 400) - (last + i64::from(side));
            assert!(
                corner.min(beyond).cmpge(I64Vec2::ZERO).all(),
                "{board} {view:?}"
            );
            assert!(
                (corner - beyond).abs().max_element() <= 1,
                "{board} {view:?}"
            );
        }
        // A view of nothing is no reason to fail.
        let view = Camera::fit(size(5, 5), 0, 0).view(0, 0);
        assert_eq!((view.width, view.height), (0, 0));
        assert_eq!(
            Camera::fit(size(262_144, 262_144), 200, 200).zoom(),
            Zoom::Minified(1311)
        );
    }

    #[test]
    fn a_wheel_reaches_every_zoom_and_comes_back() {
        let mut zoom = Zoom::Magnified(MAX_MAGNIFIED);
        let mut zooms = vec![zoom];
        while zoom != zoom.farther() {
            zoom = zoom.farther();
            zooms.push(zoom);
        }
        assert_eq!(zoom, Zoom::Minified(MAX_MINIFIED));
        assert!(zooms.is_sorted_by(|a, b| a.pixels_per_cell() > b.pixels_per_cell()));
        assert!(zooms.contains(&Zoom::Magnified(1)));
        for expected in zooms.into_iter().rev() {
            assert_eq!(zoom, expected);
            zoom = zoom.closer();
        }
        assert_eq!(zoom, Zoom::Magnified(MAX_MAGNIFIED));
        assert_eq!(Zoom::Minified(1311).closer(), Zoom::Minified(1024));
        assert_eq!(Zoom::Magnified(7).closer(), Zoom::Magnified(8));
    }

    proptest! {
        #[test]
        fn the_cell_under_the_pointer_stays_there(
            x in 0..800i32, y in 0..600i32, steps in prop::collection::vec(any::<bool>(), 1..6),
        ) {
            let board = size(5000, 5000);
            let mut camera = Camera::fit(board, 800, 600);
            let pixel = ivec2(x, y);
            let about = pixel.as_dvec2() + 0.5;
            for closer in steps {
                let before = camera.view(800, 600);
                let old = camera.zoom();
                let zoom = if closer { old.closer() } else { old.farther() };
                camera.zoom_about(zoom, about, uvec2(800, 600), board, Edges::Torus);
                let after = camera.view(800, 600);
                let moved = after.unbounded_cell(pixel) - before.unbounded_cell(pixel);
                // A pixel of either view, and the board repeats.
                let most = (2.0 / old.pixels_per_cell().min(zoom.pixels_per_cell())).ceil() as i64 + 1;
                for off in moved.rem_euclid(I64Vec2::splat(5000)).to_array() {
                    prop_assert!(off.min(5000 - off) <= most, "{off} {most}");
                }
            }
        }

        #[test]
        fn a_torus_pans_without_end_and_a_cursor_is_revealed(
            pans in prop::collection::vec((-3000.0..3000.0, -3000.0..3000.0), 0..20),
            x in 0..90u32, y in 0..70u32,
        ) {
            let board = size(90, 70);
            for edges in [Edges::Torus, Edges::Dead] {
                let mut camera = Camera::fit(board, 640, 480);
                for &(dx, dy) in &pans {
                    camera.pan(dvec2(dx, dy), board, edges);
                    let origin = camera.view(640, 480).origin.abs();
                    prop_assert!(origin.x <= 90 * 64 + 640 && origin.y <= 70 * 64 + 480);
                }
                camera.reveal(uvec2(x, y), uvec2(640, 480));
                let (at, side) = camera.view(640, 480).pixels(uvec2(x, y));
                prop_assert!(at.x >= -1 && at.x + i64::from(side) <= 641);
                prop_assert!(at.y >= -1 && at.y + i64::from(side) <= 481);
            }
        }
    }
}
