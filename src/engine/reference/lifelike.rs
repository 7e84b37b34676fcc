//! The definition of the two-colour Life-like rules.

use super::{ReferenceFamily, cell_at, index};
use crate::board::{Cell, LifelikeCensus, Size};
use crate::rules::ties::{self, NEIGHBOURS};
use crate::rules::{LifelikeRuleset, Ties};

impl ReferenceFamily for LifelikeRuleset {
    fn next_cell(self, size: Size, cells: &[Cell], x: u32, y: u32) -> Cell {
        next_cell(self, size, cells, x, y)
    }

    fn census(cells: &[Cell]) -> LifelikeCensus {
        let count = |wanted| cells.iter().filter(|&&cell| cell == wanted).count() as u64;
        LifelikeCensus {
            red: count(Cell::Red),
            blue: count(Cell::Blue),
        }
    }
}

/// The state after one generation of the cell in column `x` and row `y`.
fn next_cell(ruleset: LifelikeRuleset, size: Size, cells: &[Cell], x: u32, y: u32) -> Cell {
    let neighbours = NEIGHBOURS.map(|by| cell_at(ruleset.edges, size, cells, (x, y), by));
    let count = |wanted| neighbours.iter().filter(|&&cell| cell == wanted).count();
    let (red, blue) = (count(Cell::Red), count(Cell::Blue));
    let alive = red + blue;
    let own = cells[index(size, x, y)];
    if own != Cell::Dead {
        let lives_on = ruleset.rule.survival() >> alive & 1 == 1;
        return if lives_on { own } else { Cell::Dead };
    }
    if ruleset.rule.birth() >> alive & 1 == 0 {
        return Cell::Dead;
    }
    if red > blue {
        return Cell::Red;
    }
    if blue > red {
        return Cell::Blue;
    }
    match ruleset.ties {
        Ties::Red => Cell::Red,
        Ties::Blue => Cell::Blue,
        Ties::Checkerboard => {
            if (u64::from(x) + u64::from(y)).is_multiple_of(2) {
                Cell::Red
            } else {
                Cell::Blue
            }
        }
        Ties::Seeded(seed) => ties::order(seed, x, y)
            .into_iter()
            .map(|neighbour| neighbours[neighbour])
            .find(|&cell| cell != Cell::Dead)
            .unwrap_or(Cell::Dead),
    }
}
