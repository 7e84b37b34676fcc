//! Two-colour Life-like rules, 32 cells at a time.
//!
//! A dead cell is born when its count of live neighbours is in B and takes the colour of most of
//! its parents; a live cell whose count is in S lives on with its colour; every other cell is dead.
//!
//! The functions from [`row_sum`] on mirror `shaders/lifelike.wgsl`: the same names, the same
//! statements in the same order. Each works on words in which bit k belongs to cell k, so one
//! operation serves 32 cells. Counts are over the whole 3x3 block *including* the centre: then a
//! row of three needs adding up only once and serves the rows above, at and below it. For a live
//! centre the count is its live neighbours plus one; for a dead centre nothing changes.
//!
//! ```text
//! row_sum      three words            ->  ones, twos              0 ..= 3 cells of a row
//! block_count  three row sums         ->  ones, twos, fours, eights   0 ..= 9 cells of a block
//! next_alive   centre, count          ->  the alive bit
//! majority     count, count of blue   ->  more blue than red, as many blue as red
//! ```

use std::fmt;

use super::{FamilyName, Ruleset, Ties};
use crate::board::{Edges, LifelikeBoard};

/// Birth counts that an evenly split set of parents can have: 2, 4, 6 and 8.
const EVEN_COUNTS: u16 = 0b1_0101_0100;

/// Everything but the cells that decides the future of a Life-like board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LifelikeRuleset {
    /// Births and survivals.
    pub rule: Rule,
    /// What lies beyond the border.
    pub edges: Edges,
    /// The colour of a birth with as many red as blue parents.
    pub ties: Ties,
}

/// Rule, edges and ties.
impl fmt::Display for LifelikeRuleset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { rule, edges, ties } = self;
        write!(f, "rule {rule}, {edges} edges, ties {ties}")
    }
}

impl Ruleset for LifelikeRuleset {
    type Board = LifelikeBoard;

    const FAMILY: FamilyName = FamilyName::Lifelike;

    fn edges(self) -> Edges {
        self.edges
    }
}

/// The live-neighbour counts at which a cell is born and at which it lives on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rule {
    /// Bit n: a dead cell with n live neighbours is born. Bit 0 is never set.
    birth: u16,
    /// Bit n: a live cell with n live neighbours lives on.
    survival: u16,
}

impl Rule {
    /// Conway's Life, B3/S23.
    pub const LIFE: Self = Self {
        birth: 1 << 3,
        survival: 1 << 2 | 1 << 3,
    };

    /// A rule from two sets of counts, bit n standing for n neighbours. `None` if a bit above 8 is
    /// set, or bit 0 of the births: a birth without parents would have no colour.
    pub const fn new(birth: u16, survival: u16) -> Option<Self> {
        if birth & 1 != 0 || birth >= 1 << 9 || survival >= 1 << 9 {
            return None;
        }
        Some(Self { birth, survival })
    }

    /// Bit n: a dead cell with n live neighbours is born.
    pub const fn birth(self) -> u16 {
        self.birth
    }

    /// Bit n: a live cell with n live neighbours lives on.
    pub const fn survival(self) -> u16 {
        self.survival
    }

    /// Whether a birth can have as many red as blue parents.
    pub const fn has_ties(self) -> bool {
        self.birth & EVEN_COUNTS != 0
    }
}

/// The canonical form, such as `B36/S23`.
impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = |counts: u16| -> String {
            (0..9)
                .filter(|n| counts >> n & 1 != 0)
                .map(|n| n.to_string())
                .collect()
        };
        write!(f, "B{}/S{}", digits(self.birth), digits(self.survival))
    }
}

/// How many of three cells are set, as two bits for each of 32 positions.
#[derive(Clone, Copy, Default)]
pub struct RowSum {
    /// The bit worth 1.
    pub ones: u32,
    /// The bit worth 2.
    pub twos: u32,
}

/// How many of nine cells are set, as four bits for each of 32 positions.
#[derive(Clone, Copy, Default)]
pub struct Count {
    /// The bit worth 1.
    pub ones: u32,
    /// The bit worth 2.
    pub twos: u32,
    /// The bit worth 4.
    pub fours: u32,
    /// The bit worth 8.
    pub eights: u32,
}

/// `b` where `choice` is set, else `a`.
#[inline(always)]
fn mux(choice: u32, a: u32, b: u32) -> u32 {
    (a & !choice) | (b & choice)
}

/// Set where at least two of three are.
#[inline(always)]
fn majority_of_three(a: u32, b: u32, c: u32) -> u32 {
    (a & b) | (c & (a | b))
}

/// The sum of a cell's left neighbour, the cell and its right neighbour.
#[inline(always)]
pub fn row_sum(left: u32, centre: u32, right: u32) -> RowSum {
    RowSum {
        ones: left ^ centre ^ right,
        twos: majority_of_three(left, centre, right),
    }
}

/// The sum of three rows of three.
#[inline(always)]
pub fn block_count(above: RowSum, middle: RowSum, below: RowSum) -> Count {
    let carry = majority_of_three(above.ones, middle.ones, below.ones);
    let twos = above.twos ^ middle.twos ^ below.twos;
    let fours = majority_of_three(above.twos, middle.twos, below.twos);
    let more_fours = twos & carry;
    Count {
        ones: above.ones ^ middle.ones ^ below.ones,
        twos: twos ^ carry,
        fours: fours ^ more_fours,
        eights: fours & more_fours,
    }
}

/// All ones if bit `n` of `counts` is set, else 0.
#[inline(always)]
fn all_if(counts: u16, n: u32) -> u32 {
    0u32.wrapping_sub(u32::from(counts >> n & 1))
}

/// The state after one generation of cells in whose block `n` cells are set: `n` neighbours around
/// a dead centre, `n - 1` around a live one.
#[inline(always)]
fn outcome(rule: Rule, alive: u32, n: u32) -> u32 {
    let born = all_if(rule.birth, n);
    let survives = all_if(rule.survival << 1, n);
    mux(alive, born, survives)
}

/// The alive bits of the next generation.
#[inline(always)]
pub fn next_alive(rule: Rule, alive: u32, count: Count) -> u32 {
    let n01 = mux(count.ones, outcome(rule, alive, 0), outcome(rule, alive, 1));
    let n23 = mux(count.ones, outcome(rule, alive, 2), outcome(rule, alive, 3));
    let n45 = mux(count.ones, outcome(rule, alive, 4), outcome(rule, alive, 5));
    let n67 = mux(count.ones, outcome(rule, alive, 6), outcome(rule, alive, 7));
    let n89 = mux(count.ones, outcome(rule, alive, 8), outcome(rule, alive, 9));
    let n03 = mux(count.twos, n01, n23);
    let n47 = mux(count.twos, n45, n67);
    let n07 = mux(count.fours, n03, n47);
    mux(count.eights, n07, n89)
}

/// Where more blue than red cells are around, and where as many.
#[derive(Clone, Copy)]
pub struct Majority {
    /// More blue than red.
    pub blue: u32,
    /// As many blue as red, none of either included.
    pub even: u32,
}

/// Compares twice the blue count with the count of all, from the lowest bit up. Meant for dead
/// centres, where a block holds the neighbours only.
#[inline(always)]
pub fn majority(count: Count, blue: Count) -> Majority {
    let mut more = 0u32;
    more = mux(blue.ones ^ count.twos, more & !count.ones, blue.ones);
    more = mux(blue.twos ^ count.fours, more, blue.twos);
    more = mux(blue.fours ^ count.eights, more, blue.fours);
    more |= blue.eights;
    let differ = count.ones
        | (blue.ones ^ count.twos)
        | (blue.twos ^ count.fours)
        | (blue.fours ^ count.eights)
        | blue.eights;
    Majority {
        blue: more,
        even: !differ,
    }
}

/// Where a cell is alive after one generation of B3/S23. Its neighbours are the row above, the row
/// below and both ends of its own row. They are three, or two around a live cell, if exactly one of
/// the bits worth two in their sum is set, and a bit worth one beside it unless the cell lives.
#[inline(always)]
pub fn life_alive(alive: u32, [above, middle, below]: [RowSum; 3]) -> u32 {
    // The ends of the middle row: a whole row of three, less the cell itself.
    let ends = middle.ones ^ alive;
    let both_ends = middle.twos & !ends;
    let outer = above.ones ^ below.ones;
    let ones = outer ^ ends;
    let carry = (above.ones & below.ones) | (outer & ends);
    let odd = above.twos ^ below.twos ^ both_ends ^ carry;
    let pair = (above.twos & below.twos) | (both_ends & carry);
    (ones | alive) & odd & !pair
}

/// Whether two or three of exactly three parents are blue, from the sums of blue cells around a
/// dead cell: with at most three blue cells any weight worth two, or a carry into it, says so.
#[inline(always)]
pub fn life_blue([above, middle, below]: [RowSum; 3]) -> u32 {
    let carry = majority_of_three(above.ones, middle.ones, below.ones);
    above.twos | middle.twos | below.twos | carry
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The logic operations against plain counting, for every 3x3 block of dead, red and blue cells.
    #[test]
    fn circuits_equal_counting_in_all_3_to_the_9_blocks() {
        let rules = [
            (0b0_0000_1000, 0b0_0000_1100),
            (0b0_0100_1000, 0b0_0000_1100),
            (0b1_1111_1110, 0b1_1111_1111),
            (0b1_0101_0100, 0b1_0101_0101),
            (0, 0),
        ]
        .map(|(birth, survival)| Rule::new(birth, survival).unwrap());
        for block in 0..3u32.pow(9) {
            let cell = |i: u32| block / 3u32.pow(i) % 3;
            let alive = |i| u32::from(cell(i) != 0);
            let blue = |i| u32::from(cell(i) == 2);
            let count = |bit: &dyn Fn(u32) -> u32| {
                let sums = [0, 3, 6].map(|i| row_sum(bit(i), bit(i + 1), bit(i + 2)));
                block_count(sums[0], sums[1], sums[2])
            };
            let (all, of_blue) = (count(&alive), count(&blue));
            let neighbours: u32 = (0..9).filter(|&i| i != 4).map(alive).sum();
            let blues: u32 = (0..9).filter(|&i| i != 4).map(blue).sum();
            for rule in rules {
                let counts = if alive(4) == 1 {
                    rule.survival
                } else {
                    rule.birth
                };
                let expected = u32::from(counts >> neighbours & 1);
                assert_eq!(
                    next_alive(rule, alive(4), all) & 1,
                    expected,
                    "{rule} {block}"
                );
            }
            if cell(4) == 0 {
                let found = majority(all, of_blue);
                assert_eq!(found.blue & 1, u32::from(2 * blues > neighbours), "{block}");
                assert_eq!(
                    found.even & 1,
                    u32::from(2 * blues == neighbours),
                    "{block}"
                );
            }
        }
    }
}
