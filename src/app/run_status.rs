//! A run as the panels show it.

use std::time::Duration;

use glam::UVec2;

use super::command::Tool;
use super::run_view::{RunLabels, WindowFamily};
use crate::board::{Census, LifelikeCensus, Size};
use crate::game::opening::GameName;
use crate::game::session::{CensusOf, Speed};
use crate::render::Palette;

/// The status of a run of one family.
#[derive(Clone, Copy, Debug)]
pub struct RunStatus<S: WindowFamily> {
    /// The game.
    pub kind: GameName,
    /// Generations since the start pattern.
    pub generation: u64,
    /// The census of the present board.
    pub census: CensusOf<S>,
    /// How the run ended by itself, once it has.
    pub verdict: Option<S::Verdict>,
    /// Whether the last generation changed nothing, if that is known.
    pub is_unchanged: Option<bool>,
    /// Whether the run is playing.
    pub is_playing: bool,
    /// Whether changed settings wait to be applied.
    pub is_locked: bool,
    /// The settings in force.
    pub settings: S,
    /// The draft of the settings.
    pub draft: S,
    /// What else can be set.
    pub extras: S::Extras,
    /// The speed of play.
    pub speed: Speed,
    /// The run pauses automatically at multiples of this generation.
    pub pause_every: Option<u64>,
    /// Waiting time that was dropped.
    pub dropped: Duration,
    /// What the pointer does.
    pub tool: Tool,
    /// The cell of the keyboard cursor.
    pub cursor: Option<UVec2>,
    /// The recent rate of generations.
    pub generations_per_second: f64,
    /// The recent rate of frames.
    pub frames_per_second: f64,
}

/// What every run shows, whatever its family.
#[derive(Clone, Copy, Debug)]
pub(super) struct RunSummary {
    pub(super) kind: GameName,
    pub(super) labels: &'static RunLabels,
    pub(super) palette: Palette,
    pub(super) generation: u64,
    pub(super) cells: LifelikeCensus,
    pub(super) size: Size,
    pub(super) is_playing: bool,
    pub(super) is_locked: bool,
    pub(super) is_over: bool,
    pub(super) speed: Speed,
    pub(super) pause_every: Option<u64>,
    pub(super) dropped: Duration,
    pub(super) tool: Tool,
    /// Whether the selected tool paints.
    pub(super) paints: bool,
    pub(super) cursor: Option<UVec2>,
    pub(super) generations_per_second: f64,
    pub(super) frames_per_second: f64,
}

impl<S: WindowFamily> RunStatus<S> {
    pub(super) fn summary(&self) -> RunSummary {
        RunSummary {
            kind: self.kind,
            labels: &S::LABELS,
            palette: S::PALETTE,
            generation: self.generation,
            cells: coloured_cells(self.census),
            size: self.settings.size(),
            is_playing: self.is_playing,
            is_locked: self.is_locked,
            is_over: self.verdict.is_some(),
            speed: self.speed,
            pause_every: self.pause_every,
            dropped: self.dropped,
            tool: self.tool,
            paints: S::brush(self.tool).is_some(),
            cursor: self.cursor,
            generations_per_second: self.generations_per_second,
            frames_per_second: self.frames_per_second,
        }
    }
}

/// The red and blue cells of a census of any family.
pub(super) fn coloured_cells(census: impl Census) -> LifelikeCensus {
    LifelikeCensus {
        red: census.red(),
        blue: census.blue(),
    }
}
