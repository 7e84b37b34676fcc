//! Which games there are, and what the program opens with.

use serde::{Deserialize, Serialize};

use super::immigration::{self, Setup};
use super::opponent::PlayerKind;
use super::{fragment, life_battle, rezolution};
use crate::board::{LifelikeBoard, RezolutionBoard};

/// A seed that the program draws is below this, short enough to be typed.
pub const DRAWN_SEEDS: u64 = 1_000_000;

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

/// What the program opens with.
pub enum Opening {
    /// What was open last, else the choice of games.
    Remembered,
    /// The battle that was open last, else a new one.
    LastBattle,
    /// A battle.
    Battle {
        /// Its settings.
        settings: life_battle::Settings,
        /// Its start pattern.
        board: LifelikeBoard,
    },
    /// The puzzle; without a seed, another game each time.
    Fragment(fragment::Settings, Option<u64>),
    /// Two-player Life on this board, else on the one that was open last.
    Duel(Option<LifelikeBoard>),
    /// A new Immigration Game with this setup and these players of red and blue, else with those
    /// that were open last.
    Immigration(Option<(Setup, [PlayerKind; 2])>),
    /// An Immigration Game that was begun before, with these players of red and blue.
    ImmigrationRecord(Box<immigration::Game>, [PlayerKind; 2]),
    /// reZolution on a board, with the seed of its demo if it is one; else as it was open last.
    Rezolution(Option<(rezolution::Settings, RezolutionBoard, Option<u64>)>),
}
