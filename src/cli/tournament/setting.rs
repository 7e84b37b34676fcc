//! From two seeds and what a tournament or a line of a list says to a game.

use anyhow::{Result, bail};

use super::options::{GameTies, OrientationArg, PlacementArg, SettingArgs};
use crate::arena::schedule::{Entrant, Game, Lots, Side};
use crate::board::transform::{Flip, Orientation, Turn};
use crate::board::{Edges, Size};
use crate::rules::{LifelikeRuleset, Rule, Ties};

/// Cells of the largest board; a few are in memory for each thread.
const MOST_CELLS: u64 = 1 << 26;

/// What may be fixed about a game; the rest follows from its seeds or is drawn by lot.
#[derive(Clone, Copy, Debug)]
pub(super) struct Setting {
    pub(super) rule: Rule,
    pub(super) ties: GameTies,
    pub(super) edges: Edges,
    pub(super) size: Option<Size>,
    pub(super) limit: Option<u64>,
    pub(super) tie_seed: Option<u64>,
    pub(super) red: SideSetting,
    pub(super) blue: SideSetting,
    placement: PlacementArg,
    orientation: OrientationArg,
}

/// What may be fixed about one side.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct SideSetting {
    pub(super) at: Option<(u32, u32)>,
    pub(super) turn: Option<Turn>,
    pub(super) flip: Option<Option<Flip>>,
}

impl Setting {
    pub(super) fn new(args: &SettingArgs) -> Self {
        Self {
            rule: args.rule,
            ties: args.ties,
            edges: args.edges.into(),
            size: args.size,
            limit: args.limit,
            tie_seed: None,
            red: SideSetting::default(),
            blue: SideSetting::default(),
            placement: args.placement,
            orientation: args.orientation,
        }
    }

    /// Whether the rule goes with the ties.
    pub(super) fn check(&self) -> Result<()> {
        if self.ties == GameTies::Forbidden && self.rule.has_ties() {
            bail!(
                "{} has births with as many red as blue parents, and ties are forbidden; choose who owns them: seeded, red, blue or checkerboard",
                self.rule
            );
        }
        Ok(())
    }

    /// Whether a seed fits into half of the board, however it may be turned.
    pub(super) fn check_seed(&self, seed: &Entrant) -> Result<()> {
        let Some(size) = self.size else {
            return Ok(());
        };
        let own = seed.pattern.size();
        let longest = own.width().max(own.height());
        let (width, height) = match self.orientation {
            OrientationArg::Random => (longest, longest),
            OrientationArg::None => (own.width(), own.height()),
        };
        if width > size.width() / 2 || height > size.height() {
            bail!(
                "{}: a seed of {own}{} does not fit into half of a board of {size}; choose a larger --size",
                seed.name,
                if (width, height) == (own.width(), own.height()) {
                    ""
                } else {
                    ", turned,"
                }
            );
        }
        Ok(())
    }

    /// Game `number` between two seeds. Its places are not checked.
    pub(super) fn game(
        &self,
        seed: u64,
        number: u64,
        red: &Entrant,
        blue: &Entrant,
    ) -> Result<Game> {
        let lots = Lots::new(seed, number);
        let sizes = [red, blue].map(|entrant| entrant.pattern.size());
        let longest = sizes
            .iter()
            .map(|size| size.width().max(size.height()))
            .max();
        let longest = u64::from(longest.unwrap_or(1));
        let size = match self.size {
            Some(size) => size,
            None => Size::new(6 * longest, 3 * longest)?,
        };
        if size.cells() > MOST_CELLS {
            bail!(
                "a board of {size} is too large for a tournament; the most is {MOST_CELLS} cells"
            );
        }
        let drawn = match self.orientation {
            OrientationArg::Random => lots.orientations(),
            OrientationArg::None => Default::default(),
        };
        let settings = [self.red, self.blue];
        let mut orientations = [Orientation::default(); 2];
        for ((orientation, drawn), fixed) in orientations.iter_mut().zip(drawn).zip(settings) {
            *orientation = Orientation {
                flip: fixed.flip.unwrap_or(drawn.flip),
                turn: fixed.turn.unwrap_or(drawn.turn),
            };
        }
        let turned = [
            orientations[0].size(sizes[0])?,
            orientations[1].size(sizes[1])?,
        ];
        let places = match self.placement {
            PlacementArg::Random => lots.places(size, turned),
            PlacementArg::Centre => centres(size, turned),
        };
        let side = |k: usize, entrant: &Entrant| {
            let (x, y) = settings[k].at.unwrap_or(places[k]);
            Side {
                entrant: entrant.clone(),
                orientation: orientations[k],
                x,
                y,
            }
        };
        Ok(Game {
            number,
            ruleset: LifelikeRuleset {
                rule: self.rule,
                edges: self.edges,
                ties: self.owner(self.tie_seed.unwrap_or_else(|| lots.tie_seed())),
            },
            size,
            limit: self.limit.unwrap_or(54 * longest),
            red: side(0, red),
            blue: side(1, blue),
        })
    }

    fn owner(&self, seed: u64) -> Ties {
        match self.ties {
            GameTies::Seeded => Ties::Seeded(seed),
            // Where ties are forbidden there are none.
            GameTies::Red | GameTies::Forbidden => Ties::Red,
            GameTies::Blue => Ties::Blue,
            GameTies::Checkerboard => Ties::Checkerboard,
        }
    }

    /// All of it in words, for telling tournaments apart.
    pub(super) fn describe(&self) -> String {
        format!("{self:?}")
    }
}

/// The middles of both halves.
fn centres(board: Size, patterns: [Size; 2]) -> [(u32, u32); 2] {
    let half = board.width() / 2;
    let [red, blue] = patterns;
    let middle = |room: u32, length: u32| room.saturating_sub(length) / 2;
    [
        (
            middle(half, red.width()),
            middle(board.height(), red.height()),
        ),
        (
            half + middle(board.width() - half, blue.width()),
            middle(board.height(), blue.height()),
        ),
    ]
}
