//! Two-player Life: a battle with fixed rules, B3/S23 with dead edges and no generation limit. The last player with
//! live cells wins.

use super::life_battle::Settings;
use crate::board::Edges;
use crate::rules::Rule;

/// The settings of a game on this board, seed and ties, with the fixed rules in place of any others.
pub const fn with_fixed_rules(settings: Settings) -> Settings {
    Settings {
        rule: Rule::LIFE,
        edges: Edges::Dead,
        limit: None,
        ..settings
    }
}
