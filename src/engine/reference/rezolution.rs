//! The definition of reZolution.

use super::{ReferenceFamily, cell_at, index};
use crate::board::rezolution::{Ground, MAX_POPULATION, RezolutionCell};
use crate::board::{RezolutionCensus, Size};
use crate::rules::RezolutionRuleset;
use glam::{ivec2, uvec2};

impl ReferenceFamily for RezolutionRuleset {
    fn next_cell(self, size: Size, cells: &[RezolutionCell], x: u32, y: u32) -> RezolutionCell {
        let own = cells[index(size, x, y)];
        RezolutionCell {
            population: next_population(self, size, cells, x, y),
            ground: own.ground,
        }
    }

    fn census(cells: &[RezolutionCell]) -> RezolutionCensus {
        let mut census = RezolutionCensus::default();
        for cell in cells {
            let size = u64::from(cell.population.unsigned_abs());
            if cell.population > 0 {
                census.red += 1;
                census.red_population += size;
            }
            if cell.population < 0 {
                census.blue += 1;
                census.blue_population += size;
            }
            if cell.ground == Ground::Target && cell.population != 0 {
                census.reached += 1;
            }
        }
        census
    }
}

/// The population after one generation of the cell in column `x` and row `y`.
fn next_population(
    ruleset: RezolutionRuleset,
    size: Size,
    cells: &[RezolutionCell],
    x: u32,
    y: u32,
) -> i8 {
    let own = cells[index(size, x, y)];
    if own.ground == Ground::Barrier {
        return 0;
    }
    let mut sum = 0;
    for dy in [-1, 0, 1] {
        for dx in [-1, 0, 1] {
            let cell = cell_at(ruleset.edges, size, cells, uvec2(x, y), ivec2(dx, dy));
            sum += i32::from(cell.population);
        }
    }
    let population = i32::from(own.population).abs();
    let q = sum.abs() / 3;
    let next = if q == population + 1 {
        (population + 1).min(MAX_POPULATION.into())
    } else if q == population {
        population
    } else {
        0
    };
    // At most 127 to either side.
    (next * sum.signum()) as i8
}
