//! The squares a macrocell file is made of.
//!
//! Squares of up to 8 x 8 cells are held as bits, whatever lines they were written in:
//!
//! ```text
//! bit 8 * y + x     0  1  2 ..  7     a square of level 1 (2 x 2) has the bits 0, 1, 8 and 9,
//!                   8  9 10 .. 15     one of level 2 (4 x 4) those with x and y below 4
//!                  ..
//!                  56 57 58 .. 63
//! ```

use crate::board::{LifelikeBoard, LifelikeCell};
use glam::{I64Vec2, uvec2};

/// The number of the node without live cells, which has any level.
pub(super) const EMPTY: u32 = 0;

/// The level of a square of 8 x 8 cells.
const LEAF_LEVEL: u8 = 3;

/// A square of 2^level columns and rows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    level: u8,
    content: Content,
    bounds: Bounds,
}

#[derive(Clone, Copy, Debug)]
enum Content {
    /// The cells of a square up to level 3; blue is a subset of alive.
    Small { alive: u64, blue: u64 },
    /// The numbers of the quarters nw, ne, sw and se.
    Large([u32; 4]),
}

/// The smallest rectangle around the live cells of a square, counted from its top left cell. The
/// last column and row are excluded; all four are 0 if there is no live cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Bounds {
    pub(super) left: u64,
    pub(super) top: u64,
    pub(super) right: u64,
    pub(super) bottom: u64,
}

impl Bounds {
    fn of_bits(cells: u64) -> Self {
        if cells == 0 {
            return Self::default();
        }
        let columns = cells
            .to_le_bytes()
            .into_iter()
            .fold(0, |all, row| all | row);
        Self {
            left: columns.trailing_zeros().into(),
            top: (cells.trailing_zeros() / 8).into(),
            right: (8 - columns.leading_zeros()).into(),
            bottom: (8 - cells.leading_zeros() / 8).into(),
        }
    }

    fn is_empty(self) -> bool {
        self == Self::default()
    }

    /// The rectangle around this one and `other`, which lies `x` columns and `y` rows further.
    fn with(self, other: Self, x: u64, y: u64) -> Self {
        if other.is_empty() {
            return self;
        }
        let moved = Self {
            left: other.left + x,
            top: other.top + y,
            right: other.right + x,
            bottom: other.bottom + y,
        };
        if self.is_empty() {
            return moved;
        }
        Self {
            left: self.left.min(moved.left),
            top: self.top.min(moved.top),
            right: self.right.max(moved.right),
            bottom: self.bottom.max(moved.bottom),
        }
    }
}

impl Node {
    /// A square of a level up to 3.
    pub(super) fn small(level: u8, alive: u64, blue: u64) -> Self {
        Self {
            level,
            content: Content::Small { alive, blue },
            bounds: Bounds::of_bits(alive),
        }
    }
}

/// The nodes of a file, numbered from 1 in the order of its lines.
#[derive(Debug)]
pub(super) struct Nodes(Vec<Node>);

impl Nodes {
    /// Room for so many nodes, if there is memory for them.
    pub(super) fn with_room(count: usize) -> Option<Self> {
        let mut nodes = Vec::new();
        nodes.try_reserve_exact(count).ok()?;
        Some(Self(nodes))
    }

    pub(super) fn push(&mut self, node: Node) {
        self.0.push(node);
    }

    /// The number of the next node.
    pub(super) fn next(&self) -> u64 {
        self.0.len() as u64 + 1
    }

    /// The number of the last node: that of the pattern.
    pub(super) fn root(&self) -> u32 {
        self.0.len() as u32
    }

    fn get(&self, number: u32) -> Option<&Node> {
        self.0.get((number as usize).checked_sub(1)?)
    }

    /// The level of a node; 0 for the empty one.
    pub(super) fn level(&self, number: u32) -> u8 {
        self.get(number).map_or(0, |node| node.level)
    }

    /// The rectangle around the live cells of a node.
    pub(super) fn bounds(&self, number: u32) -> Bounds {
        self.get(number)
            .map_or_else(Bounds::default, |node| node.bounds)
    }

    /// A node of a level from 2 on, made of four of the level below, or empty ones.
    pub(super) fn join(&self, level: u8, children: [u32; 4]) -> Node {
        let half = 1u64 << (level - 1);
        let corners = [(0, 0), (half, 0), (0, half), (half, half)];
        if level <= LEAF_LEVEL {
            let (mut alive, mut blue) = (0, 0);
            for (child, (x, y)) in children.into_iter().zip(corners) {
                let content = self.get(child).map(|node| node.content);
                if let Some(Content::Small { alive: a, blue: b }) = content {
                    alive |= a << (8 * y + x);
                    blue |= b << (8 * y + x);
                }
            }
            return Node::small(level, alive, blue);
        }
        let bounds = children
            .into_iter()
            .zip(corners)
            .fold(Bounds::default(), |bounds, (child, (x, y))| {
                bounds.with(self.bounds(child), x, y)
            });
        Node {
            level,
            content: Content::Large(children),
            bounds,
        }
    }

    /// Puts the live cells of a node, all of which lie on the board, onto it; its top left cell is at
    /// `corner`, which may lie outside. Calls itself once per level.
    pub(super) fn draw(&self, number: u32, corner: I64Vec2, board: &mut LifelikeBoard) {
        let Some(node) = self.get(number).filter(|node| !node.bounds.is_empty()) else {
            return;
        };
        match node.content {
            Content::Small { alive, blue } => {
                draw_bits(alive & !blue, LifelikeCell::Red, corner, board);
                draw_bits(blue, LifelikeCell::Blue, corner, board);
            }
            Content::Large(children) => {
                let half = 1i64 << (node.level - 1);
                let offsets = [(0, 0), (half, 0), (0, half), (half, half)];
                for (child, offset) in children.into_iter().zip(offsets) {
                    self.draw(child, corner + I64Vec2::from(offset), board);
                }
            }
        }
    }
}

fn draw_bits(cells: u64, cell: LifelikeCell, corner: I64Vec2, board: &mut LifelikeBoard) {
    for (y, mut row) in (corner.y..).zip(cells.to_le_bytes()) {
        while row != 0 {
            let start = row.trailing_zeros();
            let length = (row >> start).trailing_ones();
            board.set_run(
                uvec2((corner.x + i64::from(start)) as u32, y as u32),
                length,
                cell,
            );
            row &= u8::MAX.checked_shl(start + length).unwrap_or(0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Size;

    #[test]
    fn bounds_of_bits() {
        assert!(Bounds::of_bits(0).is_empty());
        let bounds = |cells| {
            let bounds = Bounds::of_bits(cells);
            (bounds.left, bounds.top, bounds.right, bounds.bottom)
        };
        assert_eq!(bounds(1), (0, 0, 1, 1));
        assert_eq!(bounds(1 << 63), (7, 7, 8, 8));
        assert_eq!(bounds(1 << 10 | 1 << 33), (1, 1, 3, 5));
        assert_eq!(bounds(u64::MAX), (0, 0, 8, 8));
    }

    #[test]
    fn every_bit_is_drawn_where_it_belongs() {
        let cells = 0x8000_ff00_5a3c_8101_u64;
        let mut board = LifelikeBoard::new(Size::new(8, 8).unwrap()).unwrap();
        draw_bits(cells, LifelikeCell::Blue, I64Vec2::ZERO, &mut board);
        for bit in 0..64 {
            let alive = board.cell(uvec2(bit % 8, bit / 8)) == LifelikeCell::Blue;
            assert_eq!(alive, cells >> bit & 1 != 0, "bit {bit}");
        }
    }
}
