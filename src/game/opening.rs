//! Which games there are.

use serde::{Deserialize, Serialize};

/// A game of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum GameName {
    /// Two colours under any B/S rule, with a referee.
    Battle,
    /// Two-player Life: B3/S23 with dead edges until a player has no cells.
    Duel,
    /// The puzzle for one player.
    Fragment,
    /// Two players place counters on one torus.
    Immigration,
    /// Populations that grow and fight among barriers until one reaches a target.
    Rezolution,
}
