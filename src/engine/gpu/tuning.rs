//! Which way of computing large boards is the fastest on a device, as far as it has been measured.

use std::collections::BTreeMap;

use crate::board::Edges;
use crate::rules::{LifelikeRuleset, Rule, Ties};

/// Rules that cost the same: they take the same logic operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RuleClass {
    /// B3/S23.
    Life,
    /// Other Life-like rules in which all births have an odd number of parents.
    Odd,
    /// Life-like rules that have ties.
    Ties,
}

impl RuleClass {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Life, Self::Odd, Self::Ties];

    /// Its name in settings files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Life => "life",
            Self::Odd => "odd",
            Self::Ties => "ties",
        }
    }

    /// The class with this [name](Self::name).
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|all| all.name() == name)
    }

    /// The class of a ruleset.
    pub fn of(ruleset: LifelikeRuleset) -> Self {
        match ruleset.rule {
            Rule::LIFE => Self::Life,
            rule if rule.has_ties() => Self::Ties,
            _ => Self::Odd,
        }
    }

    /// A ruleset of the class.
    pub(super) fn example(self) -> LifelikeRuleset {
        let rule = match self {
            Self::Life => Some(Rule::LIFE),
            // B35/S236 and B36/S23.
            Self::Odd => Rule::new(1 << 3 | 1 << 5, 1 << 2 | 1 << 3 | 1 << 6),
            Self::Ties => Rule::new(1 << 3 | 1 << 6, 1 << 2 | 1 << 3),
        };
        let Some(rule) = rule else {
            unreachable!("the rules have births")
        };
        LifelikeRuleset {
            rule,
            edges: Edges::Torus,
            ties: Ties::Seeded(1),
        }
    }
}

/// A way to compute large boards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tuning {
    /// The most generations of a pass, 1 if single steps are faster.
    pub generations: u32,
    /// Whether the threads of a subgroup share a tile.
    pub subgroups: bool,
}

/// The tunings of a device.
pub(super) type Tunings = BTreeMap<RuleClass, Tuning>;
