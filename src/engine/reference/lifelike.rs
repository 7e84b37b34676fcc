//! The definition of the two-colour Life-like rules.

use super::{ReferenceFamily, cell_at, index};
use crate::board::{LifelikeCell, LifelikeCensus, Size};
use crate::rules::ties::{self, NEIGHBOURS};
use crate::rules::{LifelikeRuleset, Ties};
use glam::uvec2;

impl ReferenceFamily for LifelikeRuleset {
    fn next_cell(self, size: Size, cells: &[LifelikeCell], x: u32, y: u32) -> LifelikeCell {
        next_cell(self, size, cells, x, y)
    }

    fn census(cells: &[LifelikeCell]) -> LifelikeCensus {
        let count = |wanted| cells.iter().filter(|&&cell| cell == wanted).count() as u64;
        LifelikeCensus {
            red: count(LifelikeCell::Red),
            blue: count(LifelikeCell::Blue),
        }
    }
}

/// The state after one generation of the cell in column `x` and row `y`.
fn next_cell(
    ruleset: LifelikeRuleset,
    size: Size,
    cells: &[LifelikeCell],
    x: u32,
    y: u32,
) -> LifelikeCell {
    let neighbours = NEIGHBOURS.map(|by| cell_at(ruleset.edges, size, cells, uvec2(x, y), by));
    let count = |wanted| neighbours.iter().filter(|&&cell| cell == wanted).count();
    let (red, blue) = (count(LifelikeCell::Red), count(LifelikeCell::Blue));
    let alive = red + blue;
    let own = cells[index(size, x, y)];
    if own != LifelikeCell::Dead {
        let lives_on = ruleset.rule.survival() >> alive & 1 == 1;
        return if lives_on { own } else { LifelikeCell::Dead };
    }
    if ruleset.rule.birth() >> alive & 1 == 0 {
        return LifelikeCell::Dead;
    }
    if red > blue {
        return LifelikeCell::Red;
    }
    if blue > red {
        return LifelikeCell::Blue;
    }
    match ruleset.ties {
        Ties::Red => LifelikeCell::Red,
        Ties::Blue => LifelikeCell::Blue,
        Ties::Checkerboard => {
            if (u64::from(x) + u64::from(y)).is_multiple_of(2) {
                LifelikeCell::Red
            } else {
                LifelikeCell::Blue
            }
        }
        Ties::Seeded(seed) => ties::order(seed, uvec2(x, y))
            .into_iter()
            .map(|neighbour| neighbours[neighbour])
            .find(|&cell| cell != LifelikeCell::Dead)
            .unwrap_or(LifelikeCell::Dead),
    }
}
