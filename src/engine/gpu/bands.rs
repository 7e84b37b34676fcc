//! Boards that are too large for one binding are cut into bands of rows, each with buffers of its own.
//!
//! A band keeps some rows of its neighbours above and below its own, the halo. Kernels compute it like a
//! board of its own with whatever lies beyond the halo: what is false there comes one row nearer in
//! every generation and never reaches the band's own rows, since the halo is copied from the
//! neighbours again before.
//!
//! ```text
//!   band 0    own rows ─────┐ ┌──> halo     band 1
//!             own rows ───┐ └─┼──> halo
//!             halo <──────┼───┘    own rows
//!             halo <──────┘        own rows
//! ```
//!
//! Beyond dead edges there is nothing, so the outermost bands have a halo on one side only.

use std::ops::Range;

use super::kernels::pass::MAX_GENERATIONS;
use crate::board::{Edges, Size};

/// Rows of a halo: as many as generations of the longest pass.
pub(super) const HALO: u32 = MAX_GENERATIONS;

/// Rows of a board that a set of buffers holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Band {
    /// The size of the whole board.
    pub board: Size,
    /// Its own rows, in the board.
    pub own: Range<u32>,
    /// Rows of the halo above them.
    pub above: u32,
    /// The size of the band with its halo.
    pub size: Size,
}

/// Some rows of a board, and where a band has them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Rows {
    /// In the board.
    pub(super) of_board: Range<u32>,
    /// The first of them, in the band.
    pub(super) in_band: u32,
}

impl Band {
    /// A board in one piece.
    pub const fn whole(board: Size) -> Self {
        Self {
            board,
            own: 0..board.height(),
            above: 0,
            size: board,
        }
    }

    /// The row of the board that is the first one of the band.
    pub const fn first_row(&self) -> u32 {
        match self.own.start.checked_sub(self.above) {
            Some(row) => row,
            // On a torus the rows above the first ones are the last ones.
            None => self.board.height() - (self.above - self.own.start),
        }
    }

    /// The band's own rows, in the band.
    pub const fn own_rows(&self) -> Range<u32> {
        self.above..self.above + (self.own.end - self.own.start)
    }

    const fn below(&self) -> u32 {
        self.size.height() - self.own_rows().end
    }

    /// The rows of the halo above, if there are any.
    fn rows_above(&self) -> Option<Rows> {
        let first = self.first_row();
        (self.above > 0).then_some(Rows {
            of_board: first..first + self.above,
            in_band: 0,
        })
    }

    /// The rows of the halo below, if there are any.
    fn rows_below(&self) -> Option<Rows> {
        let first = match self.own.end == self.board.height() {
            true => 0,
            false => self.own.end,
        };
        (self.below() > 0).then_some(Rows {
            of_board: first..first + self.below(),
            in_band: self.own_rows().end,
        })
    }

    /// The rows of the halo, on either side one run of rows of another band.
    pub(super) fn halo(&self) -> impl Iterator<Item = Rows> {
        self.rows_above().into_iter().chain(self.rows_below())
    }

    /// All rows of the band.
    pub(super) fn rows(&self) -> impl Iterator<Item = Rows> {
        let own = Rows {
            of_board: self.own.clone(),
            in_band: self.above,
        };
        [own].into_iter().chain(self.halo())
    }

    /// Where the band has rows of the board that are its own; `None` if they are not.
    pub(super) fn place_of(&self, rows: &Range<u32>) -> Option<u32> {
        let has = rows.start >= self.own.start && rows.end <= self.own.end;
        has.then(|| self.above + rows.start - self.own.start)
    }
}

/// The bands of a board, of at most `most` own rows each; fewer and higher ones if the board is too low for
/// their halos.
pub(super) fn cut(board: Size, edges: Edges, most: u32) -> Vec<Band> {
    // A halo comes from one neighbour, which therefore has at least as many rows.
    let most_bands = board.height() / HALO;
    let count = board.height().div_ceil(most.max(1)).min(most_bands);
    if count < 2 {
        return vec![Band::whole(board)];
    }
    let start = |band: u32| {
        let rows = u64::from(board.height()) * u64::from(band) / u64::from(count);
        rows as u32
    };
    let halo = |is_outermost: bool| match is_outermost && edges == Edges::Dead {
        true => 0,
        false => HALO,
    };
    let bands = (0..count).map(|band| {
        let own = start(band)..start(band + 1);
        let (above, below) = (halo(band == 0), halo(band + 1 == count));
        let height = u64::from(own.end - own.start) + u64::from(above + below);
        let size = Size::new(board.width().into(), height).ok()?;
        Some(Band {
            board,
            own,
            above,
            size,
        })
    });
    // Halos make a board larger than can be only if it is too large for any device.
    let bands: Option<Vec<Band>> = bands.collect();
    bands.unwrap_or_else(|| vec![Band::whole(board)])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn size(width: u64, height: u64) -> Size {
        Size::new(width, height).unwrap()
    }

    #[test]
    fn bands_have_every_row_once_and_halos_of_their_neighbours() {
        for edges in [Edges::Torus, Edges::Dead] {
            for height in 1..200 {
                for most in [1, 7, 8, 9, 30, 64, 199, 200] {
                    let board = size(40, height);
                    let bands = cut(board, edges, most);
                    check(&bands, board, edges);
                    let longest = bands.iter().map(|band| band.own.len() as u32).max();
                    assert!(longest <= Some(most.max(2 * HALO - 1)), "{board} {most}");
                }
            }
        }
    }

    fn check(bands: &[Band], board: Size, edges: Edges) {
        let own: Vec<u32> = bands.iter().flat_map(|band| band.own.clone()).collect();
        assert!(own.into_iter().eq(0..board.height()), "{board}");
        if let [band] = bands {
            assert_eq!(*band, Band::whole(board));
            assert_eq!(band.rows().count(), 1);
            return;
        }
        for band in bands {
            assert_eq!((band.board, band.size.width()), (board, board.width()));
            let mut stored = vec![None; band.size.height() as usize];
            for rows in band.rows() {
                for (row, place) in rows.of_board.zip(rows.in_band..) {
                    assert!(stored[place as usize].replace(row).is_none());
                }
            }
            // One row of the endless plane after the other.
            let rows = (0..band.size.height()).map(|row| (band.first_row() + row) % board.height());
            assert!(stored.into_iter().eq(rows.map(Some)), "{band:?}");
            let own = band.own_rows();
            assert_eq!(own.start, band.place_of(&band.own).unwrap());
            let (above, below) = (own.start, band.size.height() - own.end);
            let at = |end: bool| if end && edges == Edges::Dead { 0 } else { HALO };
            assert_eq!(above, at(band.own.start == 0));
            assert_eq!(below, at(band.own.end == board.height()));
            for rows in band.halo() {
                let owners = bands
                    .iter()
                    .filter(|other| other.place_of(&rows.of_board).is_some());
                let owners: Vec<&Band> = owners.collect();
                assert!(owners.len() == 1 && owners[0] != band, "{band:?}");
            }
        }
    }

    #[test]
    fn the_largest_boards_fit_into_bindings_of_two_gibibytes() {
        let board = size(262_144, 262_144);
        let rows = ((1 << 31) - 4) / (4 * board.row_words() as u32) - 2 * HALO;
        let bands = cut(board, Edges::Torus, rows);
        assert_eq!(bands.len(), 5);
        for band in &bands {
            assert!(band.size.plane_bytes() < 1 << 31, "{band:?}");
        }
        check_ends(&bands);
        // A row of a binding and more.
        assert_eq!(cut(size(1 << 32 >> 1, 4), Edges::Torus, 0).len(), 1);
    }

    fn check_ends(bands: &[Band]) {
        assert_eq!(bands[0].first_row(), 262_144 - HALO);
        let last = bands.last().unwrap();
        let below = last.halo().last().unwrap();
        assert_eq!(below.of_board, 0..HALO);
    }
}
