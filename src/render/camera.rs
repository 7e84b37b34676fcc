//! Where a board lies in a view: from pixels to cells and back.
//!
//! ```text
//!   cells    0     1     2     3        zoom Enlarged(4): 4 pixels a cell
//!            |.:.:.|.:.:.|.:.:.|
//!   pixels   o  +1    +4    +8          o = origin: the pixel in which the board begins
//! ```
//!
//! Pixels are those of the screen, never points: a display of any scale factor has as many of them
//! as its picture. Zooms are whole numbers, pixels a cell or cells a pixel, and origins are whole
//! pixels, so every position is an exact integer and a cell looks the same wherever it is.

use crate::board::{Edges, Size};

/// The most pixels a cell.
pub const MAX_MAGNIFIED: u32 = 64;

/// The most cells a pixel in each direction.
pub const MAX_MINIFIED: u32 = 2048;

/// The zooms that a wheel steps through; fitting chooses any whole number.
const STEPS: [u32; 23] = [
    1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 32, 48, 64, 96, 128, 192, 256, 512, 768, 1024, 2048,
];

/// How large a cell is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Zoom {
    /// So many pixels a cell in each direction, 1 to [`MAX_MAGNIFIED`].
    Magnified(u32),
    /// So many cells a pixel in each direction, 2 to [`MAX_MINIFIED`].
    Minified(u32),
}

impl Zoom {
    /// Pixels a cell, a fraction if cells are smaller than pixels.
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
            Self::Minified(cells) => Self::shrunk(below(cells)),
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

    fn shrunk(cells: u32) -> Self {
        match cells {
            0 | 1 => Self::Magnified(1),
            cells => Self::Minified(cells.min(MAX_MINIFIED)),
        }
    }
}

impl std::fmt::Display for Zoom {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Magnified(1) => f.write_str("1 pixel a cell"),
            Self::Magnified(pixels) => write!(f, "{pixels} pixels a cell"),
            Self::Minified(cells) => write!(f, "{cells}x{cells} cells a pixel"),
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
    /// The pixel in which the board begins, column and row; may lie outside the view.
    pub origin: (i32, i32),
    /// How large a cell is.
    pub zoom: Zoom,
}

impl View {
    /// The column and row of the cell under a pixel, counted on beyond the board's borders. Of many
    /// cells under a pixel it is the first.
    pub fn unbounded_cell(&self, x: i32, y: i32) -> (i64, i64) {
        let cell = |at: i32, origin: i32| {
            let at = i64::from(at) - i64::from(origin);
            match self.zoom {
                Zoom::Magnified(pixels) => at.div_euclid(i64::from(pixels)),
                Zoom::Minified(cells) => at * i64::from(cells),
            }
        };
        (cell(x, self.origin.0), cell(y, self.origin.1))
    }

    /// The cell under a pixel, if there is one: on a torus there always is.
    pub fn cell(&self, x: i32, y: i32, size: Size, edges: Edges) -> Option<(u32, u32)> {
        let (x, y) = self.unbounded_cell(x, y);
        let (width, height) = (i64::from(size.width()), i64::from(size.height()));
        match edges {
            Edges::Torus => Some((x.rem_euclid(width) as u32, y.rem_euclid(height) as u32)),
            Edges::Dead => {
                let inside = (0..width).contains(&x) && (0..height).contains(&y);
                inside.then_some((x as u32, y as u32))
            }
        }
    }

    /// The pixels of a cell, in pixels of the view: left, top, and the side, which is at least 1.
    pub fn pixels(&self, x: u32, y: u32) -> (i64, i64, u32) {
        let place = |cell: u32, origin: i32| {
            let at = match self.zoom {
                Zoom::Magnified(pixels) => i64::from(cell) * i64::from(pixels),
                Zoom::Minified(cells) => i64::from(cell / cells),
            };
            at + i64::from(origin)
        };
        let side = match self.zoom {
            Zoom::Magnified(pixels) => pixels,
            Zoom::Minified(_) => 1,
        };
        (place(x, self.origin.0), place(y, self.origin.1), side)
    }
}

/// Where a person looks: the middle of a view, and the zoom.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// In cells; 0.5 is the middle of the first one.
    centre: (f64, f64),
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
            0 => Zoom::shrunk(cells),
            pixels => Zoom::Magnified(pixels.min(MAX_MAGNIFIED)),
        };
        Self {
            centre: (
                f64::from(size.width()) / 2.0,
                f64::from(size.height()) / 2.0,
            ),
            zoom,
        }
    }

    /// How large a cell is.
    pub const fn zoom(&self) -> Zoom {
        self.zoom
    }

    /// The view of `width` x `height` pixels.
    pub fn view(&self, width: u32, height: u32) -> View {
        let scale = self.zoom.pixels_per_cell();
        let origin = |centre: f64, pixels: u32| (f64::from(pixels / 2) - centre * scale).round();
        View {
            width,
            height,
            origin: (
                origin(self.centre.0, width) as i32,
                origin(self.centre.1, height) as i32,
            ),
            zoom: self.zoom,
        }
    }

    /// Moves the board by so many pixels to the right and down. On a torus there is no end; a board
    /// with dead edges keeps the middle of the view on it.
    pub fn pan(&mut self, x: f64, y: f64, size: Size, edges: Edges) {
        let scale = self.zoom.pixels_per_cell();
        self.centre.0 -= x / scale;
        self.centre.1 -= y / scale;
        self.stay(size, edges);
    }

    /// Changes the zoom; what is under the pixel (`x`, `y`) of a view of `width` x `height` pixels
    /// stays there, as near as whole pixels allow.
    pub fn zoom_about(
        &mut self,
        zoom: Zoom,
        (x, y): (f64, f64),
        (width, height): (u32, u32),
        size: Size,
        edges: Edges,
    ) {
        let (old, new) = (self.zoom.pixels_per_cell(), zoom.pixels_per_cell());
        let from_middle = (x - f64::from(width / 2), y - f64::from(height / 2));
        let shift = |from_middle: f64| from_middle / old - from_middle / new;
        self.centre.0 += shift(from_middle.0);
        self.centre.1 += shift(from_middle.1);
        self.zoom = zoom;
        self.stay(size, edges);
    }

    /// Moves as little as needed for a cell to be seen in a view of that many pixels.
    pub fn reveal(&mut self, (x, y): (u32, u32), (width, height): (u32, u32)) {
        let (left, top, side) = self.view(width, height).pixels(x, y);
        let scale = self.zoom.pixels_per_cell();
        let beyond = |at: i64, pixels: u32| {
            let end = i64::from(pixels) - i64::from(side);
            (at - at.clamp(0, end.max(0))) as f64 / scale
        };
        self.centre.0 += beyond(left, width);
        self.centre.1 += beyond(top, height);
    }

    /// Keeps the middle of the view on the board.
    fn stay(&mut self, size: Size, edges: Edges) {
        let kept = |at: f64, side: u32| match edges {
            Edges::Torus => at.rem_euclid(f64::from(side)),
            Edges::Dead => at.clamp(0.0, f64::from(side)),
        };
        self.centre = (
            kept(self.centre.0, size.width()),
            kept(self.centre.1, size.height()),
        );
    }
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
                for (pan_x, pan_y) in [(0.0, 0.0), (13.0, -7.0), (-0.4, 0.6)] {
                    let mut camera = Camera::fit(board, width, height);
                    let middle = (f64::from(width) / 2.0, f64::from(height) / 2.0);
                    let zoom = Zoom::Magnified(zoom);
                    camera.zoom_about(zoom, middle, (width, height), board, Edges::Dead);
                    camera.pan(pan_x, pan_y, board, Edges::Dead);
                    let view = camera.view(width, height);
                    for (x, y) in (0..11).flat_map(|y| (0..7).map(move |x| (x, y))) {
                        let (left, top, side) = view.pixels(x, y);
                        let middle = (left + i64::from(side / 2), top + i64::from(side / 2));
                        let found = view.cell(middle.0 as i32, middle.1 as i32, board, Edges::Dead);
                        assert_eq!(found, Some((x, y)), "{scale} {zoom:?} {pan_x} {pan_y}");
                        let corner = view.cell(left as i32, top as i32, board, Edges::Dead);
                        assert_eq!(corner, Some((x, y)));
                    }
                    let (left, top, _) = view.pixels(0, 0);
                    let before = view.cell(left as i32 - 1, top as i32, board, Edges::Dead);
                    assert_eq!(before, None);
                    let before = view.cell(left as i32 - 1, top as i32, board, Edges::Torus);
                    assert_eq!(before, Some((6, 0)), "joined to the other side");
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
            let (left, top, _) = view.pixels(0, 0);
            let (right, bottom, side) = view.pixels(board.width() - 1, board.height() - 1);
            let (right, bottom) = (right + i64::from(side), bottom + i64::from(side));
            assert!(
                left >= 0 && top >= 0 && right <= 600 && bottom <= 400,
                "{board} {view:?}"
            );
            assert!((left - (600 - right)).abs() <= 1, "{board} {view:?}");
            assert!((top - (400 - bottom)).abs() <= 1, "{board} {view:?}");
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
        let mut seen = vec![zoom];
        while zoom != zoom.farther() {
            zoom = zoom.farther();
            seen.push(zoom);
        }
        assert_eq!(zoom, Zoom::Minified(MAX_MINIFIED));
        assert!(seen.is_sorted_by(|a, b| a.pixels_per_cell() > b.pixels_per_cell()));
        assert!(seen.contains(&Zoom::Magnified(1)));
        for expected in seen.into_iter().rev() {
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
            let spot = (f64::from(x) + 0.5, f64::from(y) + 0.5);
            for closer in steps {
                let before = camera.view(800, 600);
                let old = camera.zoom();
                let zoom = if closer { old.closer() } else { old.farther() };
                camera.zoom_about(zoom, spot, (800, 600), board, Edges::Torus);
                let after = camera.view(800, 600);
                let (bx, by) = before.unbounded_cell(x, y);
                let (ax, ay) = after.unbounded_cell(x, y);
                // A pixel of either view, and the board repeats.
                let most = (2.0 / old.pixels_per_cell().min(zoom.pixels_per_cell())).ceil() as i64 + 1;
                for (before, after) in [(bx, ax), (by, ay)] {
                    let off = (after - before).rem_euclid(5000);
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
                    camera.pan(dx, dy, board, edges);
                    let (ox, oy) = camera.view(640, 480).origin;
                    prop_assert!(ox.abs() <= 90 * 64 + 640 && oy.abs() <= 70 * 64 + 480);
                }
                camera.reveal((x, y), (640, 480));
                let (left, top, side) = camera.view(640, 480).pixels(x, y);
                prop_assert!(left >= -1 && left + i64::from(side) <= 641);
                prop_assert!(top >= -1 && top + i64::from(side) <= 481);
            }
        }
    }
}
