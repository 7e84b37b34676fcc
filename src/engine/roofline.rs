//! How fast a machine could compute at best: what its memory and its arithmetic allow.
//!
//! A generation of a Life-like rule costs a known number of logic functions of three words for every 32
//! cells, and a pass of several generations reads and writes two bits per cell once. So memory bandwidth and the rate
//! of such functions each bound the speed of an engine.

use crate::rules::{LifelikeRuleset, Rule};

/// Bits per cell that a pass moves: it reads two planes and writes two.
const BITS_PER_CELL: f64 = 4.0;

/// Logic functions of three words for 32 cells of B3/S23 with two colours: eight for life, six for
/// colours, and four shifts. That fewer do not suffice for the row sums used here can be proved by
/// exhaustion.
const LIFE_FUNCTIONS: f64 = 18.0;

/// The same for another rule that is folded into a program: a counter and five functions for life, a counter and
/// seven for colours, and four shifts.
const RULE_FUNCTIONS: f64 = 36.0;

/// Measured limits of a processor or a device.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Roofline {
    /// Bytes per second that it copies; bytes read and bytes written both count.
    pub bytes_per_second: f64,
    /// Logic functions of three words per second.
    pub functions_per_second: f64,
}

impl Roofline {
    /// Cells per second that memory allows, for passes of `generations` generations over a board that fits
    /// into no cache.
    pub fn memory(self, generations: u64) -> f64 {
        self.bytes_per_second * 8.0 / BITS_PER_CELL * generations as f64
    }

    /// Cells per second that arithmetic allows.
    pub fn arithmetic(self, ruleset: LifelikeRuleset) -> f64 {
        let functions = match ruleset.rule {
            Rule::LIFE => LIFE_FUNCTIONS,
            _ => RULE_FUNCTIONS,
        };
        self.functions_per_second * 32.0 / functions
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
            bytes_per_second: 4.3e12,
            functions_per_second: 64.0 * 132.0 * 1.98e9,
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
