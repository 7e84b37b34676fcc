//! Turning, flipping, recolouring and uniting boards.

use glam::{UVec2, uvec2};

use super::{BoardError, LifelikeBoard, LifelikeCell, Size, WORD_BITS};

/// A turn, clockwise.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Turn {
    /// Not at all.
    #[default]
    None,
    /// By 90 degrees.
    Quarter,
    /// By 180 degrees.
    Half,
    /// By 270 degrees.
    ThreeQuarters,
}

/// A mirror image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flip {
    /// Left and right exchanged.
    Horizontal,
    /// Top and bottom exchanged.
    Vertical,
}

/// One of the eight ways to lay a pattern down: first flipped, then turned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Orientation {
    /// The mirror image to begin with.
    pub flip: Option<Flip>,
    /// The turn after it.
    pub turn: Turn,
}

impl Orientation {
    /// The size of a board of `size` laid down like this.
    ///
    /// # Errors
    /// [`BoardError::NoMemory`] if a very long board would become too large by being turned, since
    /// rows take whole words.
    pub fn size(self, size: Size) -> Result<Size, BoardError> {
        match self.turn {
            Turn::None | Turn::Half => Ok(size),
            Turn::Quarter | Turn::ThreeQuarters => {
                let turned = Size::new(size.height().into(), size.width().into());
                turned.map_err(|_| BoardError::NoMemory(size))
            }
        }
    }

    /// Where the cell at a position of a board of `size` comes to lie.
    pub(crate) fn apply(self, size: Size, at: UVec2) -> UVec2 {
        let last = uvec2(size.width() - 1, size.height() - 1);
        let flipped = match self.flip {
            None => at,
            Some(Flip::Horizontal) => at.with_x(last.x - at.x),
            Some(Flip::Vertical) => at.with_y(last.y - at.y),
        };
        match self.turn {
            Turn::None => flipped,
            Turn::Quarter => uvec2(last.y - flipped.y, flipped.x),
            Turn::Half => last - flipped,
            Turn::ThreeQuarters => uvec2(flipped.y, last.x - flipped.x),
        }
    }
}

impl LifelikeBoard {
    /// The live cells, row by row: position and colour.
    pub fn live_cells(&self) -> impl Iterator<Item = (UVec2, LifelikeCell)> + '_ {
        (0..self.size().height()).flat_map(move |y| {
            let (alive, blue) = self.row_planes(y);
            (0..)
                .zip(alive.iter().zip(blue))
                .flat_map(move |(word, (&alive, &blue))| {
                    bits(alive).map(move |bit| {
                        let cell = match blue >> bit & 1 {
                            0 => LifelikeCell::Red,
                            _ => LifelikeCell::Blue,
                        };
                        (uvec2(word * WORD_BITS + bit, y), cell)
                    })
                })
        })
    }

    /// The board flipped and turned.
    ///
    /// # Errors
    /// [`BoardError::NoMemory`] if there is no memory for it.
    pub fn oriented(&self, orientation: Orientation) -> Result<Self, BoardError> {
        if orientation == Orientation::default() {
            return Ok(self.clone());
        }
        let mut turned = Self::new(orientation.size(self.size())?)?;
        for (at, cell) in self.live_cells() {
            turned.set(orientation.apply(self.size(), at), cell);
        }
        Ok(turned)
    }

    /// The board with every live cell in one colour; [`LifelikeCell::Dead`] clears it.
    pub fn recoloured(&self, colour: LifelikeCell) -> Self {
        let none = || vec![0; self.alive().len()];
        let (alive, blue) = match colour {
            LifelikeCell::Dead => (none(), none()),
            LifelikeCell::Red => (self.alive().to_vec(), none()),
            LifelikeCell::Blue => (self.alive().to_vec(), self.alive().to_vec()),
        };
        Self::from_canonical_planes(self.size(), alive, blue)
    }

    /// The live cells of two boards of one size together.
    ///
    /// # Errors
    /// [`BoardError::Overlap`] with the first cell that is alive in both, row by row.
    ///
    /// # Panics
    /// If the sizes differ.
    pub fn united(&self, other: &Self) -> Result<Self, BoardError> {
        assert_eq!(
            self.size(),
            other.size(),
            "boards to be united have one size"
        );
        let shared = self.alive().iter().zip(other.alive()).map(|(a, b)| a & b);
        if let Some((word, shared)) = shared.enumerate().find(|(_, shared)| *shared != 0) {
            let row_words = self.size().row_words();
            return Err(BoardError::Overlap(uvec2(
                (word % row_words) as u32 * WORD_BITS + shared.trailing_zeros(),
                (word / row_words) as u32,
            )));
        }
        let either = |a: &[u32], b: &[u32]| a.iter().zip(b).map(|(a, b)| a | b).collect();
        Ok(Self::from_canonical_planes(
            self.size(),
            either(self.alive(), other.alive()),
            either(self.blue(), other.blue()),
        ))
    }
}

/// The numbers of the bits that are set, from the lowest.
fn bits(mut word: u32) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let bit = word.trailing_zeros();
        word &= word.wrapping_sub(1);
        (bit < WORD_BITS).then_some(bit)
    })
}

#[cfg(test)]
mod tests {
    use super::super::start;
    use super::*;

    const TURNS: [Turn; 4] = [Turn::None, Turn::Quarter, Turn::Half, Turn::ThreeQuarters];
    const FLIPS: [Option<Flip>; 3] = [None, Some(Flip::Horizontal), Some(Flip::Vertical)];

    fn board(width: u64, height: u64) -> LifelikeBoard {
        start::random(Size::new(width, height).unwrap(), 0.4, width ^ height).unwrap()
    }

    fn oriented(board: &LifelikeBoard, flip: Option<Flip>, turn: Turn) -> LifelikeBoard {
        board.oriented(Orientation { flip, turn }).unwrap()
    }

    #[test]
    fn a_quarter_turn_is_clockwise() {
        let mut corner = LifelikeBoard::new(Size::new(3, 2).unwrap()).unwrap();
        corner.set(UVec2::ZERO, LifelikeCell::Blue);
        let turned = oriented(&corner, None, Turn::Quarter);
        assert_eq!((turned.size().width(), turned.size().height()), (2, 3));
        assert_eq!(
            turned.cell(uvec2(1, 0)),
            LifelikeCell::Blue,
            "top left goes to top right"
        );
        let flipped = oriented(&corner, Some(Flip::Horizontal), Turn::None);
        assert_eq!(flipped.cell(uvec2(2, 0)), LifelikeCell::Blue);
        let flipped = oriented(&corner, Some(Flip::Vertical), Turn::None);
        assert_eq!(flipped.cell(uvec2(0, 1)), LifelikeCell::Blue);
    }

    #[test]
    fn turns_and_flips_undo_each_other() {
        let start = board(45, 70);
        let mut turned = start.clone();
        for _ in 0..4 {
            turned = oriented(&turned, None, Turn::Quarter);
        }
        assert_eq!(turned, start);
        let back = oriented(
            &oriented(&start, None, Turn::Quarter),
            None,
            Turn::ThreeQuarters,
        );
        assert_eq!(back, start);
        for flip in FLIPS {
            assert_eq!(
                oriented(&oriented(&start, flip, Turn::None), flip, Turn::None),
                start
            );
            for turn in TURNS {
                let moved = oriented(&start, flip, turn);
                assert_eq!(moved.census(), start.census());
            }
        }
        let both = oriented(
            &oriented(&start, FLIPS[1], Turn::None),
            FLIPS[2],
            Turn::None,
        );
        assert_eq!(both, oriented(&start, None, Turn::Half));
    }

    #[test]
    fn live_cells_are_those_that_are_not_dead() {
        let board = board(67, 5);
        let mut copy = LifelikeBoard::new(board.size()).unwrap();
        for (at, cell) in board.live_cells() {
            copy.set(at, cell);
        }
        assert_eq!(copy, board);
    }

    #[test]
    fn boards_are_united_unless_they_clash() {
        let both = board(40, 9);
        let red = both.recoloured(LifelikeCell::Red);
        assert_eq!(red.census().red, both.census().alive());
        let empty = both.recoloured(LifelikeCell::Dead);
        assert_eq!(empty.census().alive(), 0);
        assert_eq!(both.united(&empty).unwrap(), both);
        let mut other = empty.clone();
        let (at, _) = both.live_cells().nth(30).unwrap();
        other.set(at, LifelikeCell::Blue);
        assert_eq!(both.united(&other), Err(BoardError::Overlap(at)));
        assert_eq!(
            both.recoloured(LifelikeCell::Blue).census().blue,
            both.census().alive()
        );
    }
}
