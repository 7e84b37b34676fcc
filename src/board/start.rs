//! Start patterns drawn from a seed.
//!
//! Every row has a random stream of its own ([`Pcg32`] with the row as its stream number), so rows
//! are filled in parallel and the board is the same on every machine and for any number of threads.

use glam::uvec2;
use rand::Rng;
use rand_pcg::Pcg32;
use rayon::iter::ParallelIterator;
use thiserror::Error;

use super::hash::{pcg4d, seed_words};
use super::rezolution::{Ground, RezolutionCell};
use super::{BoardError, LifelikeBoard, RezolutionBoard, Size, WORD_BITS};

/// The probability of a live cell in a drawn start, unless one is given.
pub const DEFAULT_DENSITY: f64 = 0.35;

/// Side of the square in the middle that a demo populates.
pub const DEMO_SIDE: u32 = 20;

/// Why a start pattern could not be drawn.
#[derive(Debug, Error, PartialEq)]
pub enum StartError {
    /// The density is no probability.
    #[error("density {0} is not between 0 and 1")]
    Density(f64),
    /// The board could not be made.
    #[error(transparent)]
    Board(#[from] BoardError),
}

/// A board in which each cell is alive with probability `density`, red and blue equally likely.
///
/// # Errors
/// [`StartError`] if `density` is not within 0..=1 or there is no memory for the board.
pub fn random(size: Size, density: f64, seed: u64) -> Result<LifelikeBoard, StartError> {
    // An even number of the 2^32 draws, so that each colour gets exactly half of them.
    let half = threshold(density)? / 2;
    let mut board = LifelikeBoard::new(size)?;
    board.rows_mut().for_each(|(y, (alive, blue))| {
        let mut stream = row_stream(seed, y);
        for x in 0..size.width() {
            let draw = u64::from(stream.next_u32());
            let (word, bit) = ((x / WORD_BITS) as usize, x % WORD_BITS);
            alive[word] |= u32::from(draw < 2 * half) << bit;
            blue[word] |= u32::from(draw < half) << bit;
        }
    });
    Ok(board)
}

/// A board whose left half is red with probability `density` a cell and whose right half is its
/// mirror image in blue. The middle column of an odd width stays empty.
///
/// # Errors
/// [`StartError`] if `density` is not within 0..=1 or there is no memory for the board.
pub fn mirrored(size: Size, density: f64, seed: u64) -> Result<LifelikeBoard, StartError> {
    let threshold = threshold(density)?;
    let mut board = LifelikeBoard::new(size)?;
    board.rows_mut().for_each(|(y, (alive, blue))| {
        let mut stream = row_stream(seed, y);
        for x in 0..size.width() / 2 {
            let on = u32::from(u64::from(stream.next_u32()) < threshold);
            let mirror = size.width() - 1 - x;
            alive[(x / WORD_BITS) as usize] |= on << (x % WORD_BITS);
            alive[(mirror / WORD_BITS) as usize] |= on << (mirror % WORD_BITS);
            blue[(mirror / WORD_BITS) as usize] |= on << (mirror % WORD_BITS);
        }
    });
    Ok(board)
}

/// Populates the square of [`DEMO_SIDE`] x [`DEMO_SIDE`] cells in the middle of a board, or as much
/// of it as the board has: each cell with probability `density` by one, red and blue equally likely.
/// All other cells become empty. Barriers and targets stay, and none of them is populated.
///
/// # Errors
/// [`StartError::Density`] if `density` is not within 0..=1.
pub fn demo(
    board: &RezolutionBoard,
    density: f64,
    seed: u64,
) -> Result<RezolutionBoard, StartError> {
    let half = threshold(density)? / 2;
    let size = board.size();
    let middle = |side: u32| {
        let length = side.min(DEMO_SIDE);
        let from = (side - length) / 2;
        from..from + length
    };
    let mut demo = board.emptied();
    for y in middle(size.height()) {
        // The stream of the row in the square, so that the size of the board plays no part.
        let mut stream = row_stream(seed, (y - middle(size.height()).start) as usize);
        for x in middle(size.width()) {
            let draw = u64::from(stream.next_u32());
            let population = match draw {
                draw if draw < half => -1,
                draw if draw < 2 * half => 1,
                _ => 0,
            };
            if population != 0 && board.cell(uvec2(x, y)).ground == Ground::Open {
                demo.set(uvec2(x, y), RezolutionCell::open(population));
            }
        }
    }
    Ok(demo)
}

/// How many of the 2^32 values of a draw mean "alive".
fn threshold(density: f64) -> Result<u64, StartError> {
    if !(0.0..=1.0).contains(&density) {
        return Err(StartError::Density(density));
    }
    Ok((density * f64::from(1u32 << 31)).round() as u64 * 2)
}

/// The random stream of row `y`. The initial state is hashed from seed and row, because streams
/// of one generator that start in the same state are correlated.
fn row_stream(seed: u64, y: usize) -> Pcg32 {
    let [low, high] = seed_words(seed);
    let state = pcg4d([low, high, y as u32, 0x5eed]);
    Pcg32::new(u64::from(state[0]) | u64::from(state[1]) << 32, y as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::LifelikeCell;

    fn size(width: u64, height: u64) -> Size {
        Size::new(width, height).unwrap()
    }

    #[test]
    fn density_is_the_share_of_live_cells_half_for_each_colour() {
        let board = random(size(1000, 1000), 0.35, 7).unwrap();
        let census = board.census();
        // Six standard deviations of a binomial count.
        let near = |found: u64, expected: f64| (found as f64 - expected).abs() < 6.0 * 477.0;
        assert!(near(census.alive(), 350_000.0), "{census:?}");
        assert!(near(census.red, 175_000.0), "{census:?}");
        assert_eq!(random(size(70, 70), 0.0, 7).unwrap().census().alive(), 0);
        assert_eq!(random(size(70, 70), 1.0, 7).unwrap().census().alive(), 4900);
        for density in [-0.1, 1.5, f64::NAN] {
            assert!(random(size(5, 5), density, 1).is_err());
        }
    }

    #[test]
    fn a_mirrored_start_is_its_own_mirror_image_with_colours_swapped() {
        for width in [1, 2, 31, 32, 33, 64, 101] {
            let board = mirrored(size(width, 40), 0.4, 3).unwrap();
            let width = width as u32;
            for (x, y) in (0..40).flat_map(|y| (0..width).map(move |x| (x, y))) {
                let cell = board.cell(uvec2(x, y));
                assert_eq!(cell.swapped(), board.cell(uvec2(width - 1 - x, y)));
                assert!(
                    cell != LifelikeCell::Blue || x >= width / 2,
                    "blue in the left half"
                );
            }
            assert_eq!(board.census().red, board.census().blue);
        }
    }

    #[test]
    fn the_same_seed_gives_the_same_board_on_any_number_of_threads() {
        let draw = |threads| {
            rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build()
                .unwrap()
                .install(|| random(size(333, 77), 0.5, 42).unwrap())
        };
        assert_eq!(draw(1), draw(7));
        // The value itself is part of what the program promises: a start is named by its seed.
        assert_eq!(
            draw(2).digest(),
            "48cac32c112a6d617091f2a432bbb795c7984af4ab004abd5a47c1f967e7f258"
        );
        let other = random(size(333, 77), 0.5, 42 | 1 << 63).unwrap();
        assert_ne!(draw(1), other, "the high bits of a seed count");
    }

    /// Neighbouring rows must not be shifted copies of one another.
    #[test]
    fn rows_are_not_correlated() {
        let board = random(size(4096, 2), 0.5, 0).unwrap();
        let rows: Vec<Vec<bool>> = (0..2)
            .map(|y| {
                board
                    .row(y)
                    .map(|cell| cell != LifelikeCell::Dead)
                    .collect()
            })
            .collect();
        for shift in 0..64 {
            let same = (shift..4096)
                .filter(|&x| rows[0][x] == rows[1][x - shift])
                .count();
            let expected = (4096 - shift) as f64 / 2.0;
            assert!(
                (same as f64 - expected).abs() < 6.0 * 32.0,
                "shift {shift}: {same} of {}",
                4096 - shift
            );
        }
    }
}
