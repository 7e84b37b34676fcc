//! How fast a machine could compute at best: what its memory and its arithmetic allow.
//!
//! A generation of a Life-like rule costs a known number of logic functions of three words for every 32
//! cells, and a pass of several reads and writes two bits a cell once. So the speed of copying and the speed
//! of such functions bound the speed of an engine, each on its own.

use crate::rules::{LifelikeRuleset, Rule};

/// Bits of a cell that a pass reads and writes: two planes each.
const BITS_A_CELL: f64 = 4.0;

/// Logic functions of three words for 32 cells of B3/S23 with two colours: eight for life, six for
/// colours, and four shifts. That fewer do not suffice for the row sums used here can be proved by
/// exhaustion.
const LIFE_FUNCTIONS: f64 = 18.0;

/// The same for a rule that is baked into a program: a counter and five functions for life, a counter and
/// seven for colours, and four shifts.
const RULE_FUNCTIONS: f64 = 36.0;

/// What a processor or a device can do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Roofline {
    /// Bytes it copies a second, read and written ones counted.
    pub bytes_a_second: f64,
    /// Functions of three words it computes a second.
    pub functions_a_second: f64,
}

impl Roofline {
    /// Cells a second that memory allows for passes of so many generations over a board that fits into no
    /// cache.
    pub fn memory(self, generations: u64) -> f64 {
        self.bytes_a_second * 8.0 / BITS_A_CELL * generations as f64
    }

    /// Cells a second that arithmetic allows.
    pub fn arithmetic(self, ruleset: LifelikeRuleset) -> f64 {
        let functions = match ruleset.rule {
            Rule::LIFE => LIFE_FUNCTIONS,
            _ => RULE_FUNCTIONS,
        };
        self.functions_a_second * 32.0 / functions
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Edges;
    use crate::rules::Ties;

    #[test]
    fn bounds_are_those_of_a_known_card() {
        // An NVIDIA H200: 4.3e12 bytes, and 64 lanes of 132 multiprocessors at 1.98 GHz.
        let card = Roofline {
            bytes_a_second: 4.3e12,
            functions_a_second: 64.0 * 132.0 * 1.98e9,
        };
        let ruleset = LifelikeRuleset {
            rule: Rule::LIFE,
            edges: Edges::Torus,
            ties: Ties::Red,
        };
        assert!((card.memory(1) / 8.6e12 - 1.0).abs() < 0.01);
        assert!((card.memory(4) / 34.4e12 - 1.0).abs() < 0.01);
        assert!((card.arithmetic(ruleset) / 29.7e12 - 1.0).abs() < 0.01);
    }
}
