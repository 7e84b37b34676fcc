//! What the games of a tournament have in common, and how a game follows from it.

use thiserror::Error;

use super::schedule::{Draws, Entrant, Game, Side};
use crate::board::transform::{Flip, Orientation, Turn};
use crate::board::{BoardError, Edges, Size, SizeError};
use crate::rules::{LifelikeRuleset, Rule, Ties};

/// Cells of the largest board; each thread holds a few boards.
const MAX_CELLS: u64 = 1 << 26;

/// A default board is this many largest seed sides wide and this many high.
const DEFAULT_BOARD: (u64, u64) = (6, 3);

/// A game runs by default for this many generations per cell of the largest seed side.
const DEFAULT_LIMIT: u64 = 54;

/// Who owns a birth with equal numbers of red and blue parents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TieChoice {
    /// Seeded ties, with a seed drawn for each game.
    #[default]
    Seeded,
    /// Always red.
    Red,
    /// Always blue.
    Blue,
    /// Red where x + y is even.
    Checkerboard,
    /// Nobody: rules that allow such births are refused.
    Forbidden,
}

/// Where the seeds are placed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Placement {
    /// Anywhere within its half: red left, blue right.
    #[default]
    Random,
    /// In the middle of its half.
    Centre,
}

/// How the seeds are turned and flipped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OrientationChoice {
    /// In one of the eight ways.
    #[default]
    Random,
    /// Not at all.
    None,
}

/// The settings of a game. Whatever is `None` follows from the seeds or is drawn at random.
#[derive(Clone, Copy, Debug)]
pub struct MatchConfig {
    /// The rule.
    pub rule: Rule,
    /// Who owns ties.
    pub ties: TieChoice,
    /// What lies beyond the border.
    pub edges: Edges,
    /// The board.
    pub size: Option<Size>,
    /// Generations of the game.
    pub limit: Option<u64>,
    /// The seed of seeded ties.
    pub tie_seed: Option<u64>,
    /// The red side.
    pub red: SideConfig,
    /// The blue side.
    pub blue: SideConfig,
    /// Where seeds without a position are placed.
    pub placement: Placement,
    /// How seeds without an orientation are turned.
    pub orientation: OrientationChoice,
}

/// The settings of one side.
#[derive(Clone, Copy, Debug, Default)]
pub struct SideConfig {
    /// Column and row of the top left cell.
    pub at: Option<(u32, u32)>,
    /// How the seed is turned.
    pub turn: Option<Turn>,
    /// How the seed is flipped, which may be not at all.
    pub flip: Option<Option<Flip>>,
}

/// Why there is no such game. The message is one line.
#[derive(Debug, Error)]
pub enum MatchConfigError {
    /// The rule allows ties, and they are forbidden.
    #[error(
        "{0} allows births with equal numbers of red and blue parents, and ties are forbidden; choose who owns them: seeded, red, blue or checkerboard"
    )]
    Ties(Rule),
    /// A seed is larger than half of the board.
    #[error(
        "{name}: a seed of {own}{} does not fit into half of a board of {board}; choose a larger --size",
        if *.turned { ", turned," } else { "" }
    )]
    SeedTooLarge {
        /// The seed.
        name: String,
        /// Its size.
        own: Size,
        /// Whether only a turned seed is too large.
        turned: bool,
        /// The board.
        board: Size,
    },
    /// The board is too large.
    #[error("a board of {0} is too large for a tournament; the most is {MAX_CELLS} cells")]
    BoardTooLarge(Size),
    /// There is no board of that size.
    #[error(transparent)]
    Size(#[from] SizeError),
    /// A seed cannot be turned.
    #[error(transparent)]
    Board(#[from] BoardError),
}

impl MatchConfig {
    /// Whether the rule goes with the ties.
    ///
    /// # Errors
    /// [`MatchConfigError::Ties`].
    pub fn check(&self) -> Result<(), MatchConfigError> {
        if self.ties == TieChoice::Forbidden && self.rule.has_ties() {
            return Err(MatchConfigError::Ties(self.rule));
        }
        Ok(())
    }

    /// Whether a seed fits into half of the board in each orientation it may have.
    ///
    /// # Errors
    /// [`MatchConfigError::SeedTooLarge`].
    pub fn check_seed(&self, seed: &Entrant) -> Result<(), MatchConfigError> {
        let Some(board) = self.size else {
            return Ok(());
        };
        let own = seed.pattern.size();
        let longest = own.width().max(own.height());
        let (width, height) = match self.orientation {
            OrientationChoice::Random => (longest, longest),
            OrientationChoice::None => (own.width(), own.height()),
        };
        if width > board.width() / 2 || height > board.height() {
            return Err(MatchConfigError::SeedTooLarge {
                name: seed.name.to_string(),
                own,
                turned: (width, height) != (own.width(), own.height()),
                board,
            });
        }
        Ok(())
    }

    /// Game `number` of the tournament with this seed, between two entrants. Positions that are
    /// fixed are not checked.
    ///
    /// # Errors
    /// [`MatchConfigError`] if the board is too large.
    pub fn game(
        &self,
        seed: u64,
        number: u64,
        red: &Entrant,
        blue: &Entrant,
    ) -> Result<Game, MatchConfigError> {
        let draws = Draws::new(seed, number);
        let sizes = [red, blue].map(|entrant| entrant.pattern.size());
        let sides = sizes.map(|size| size.width().max(size.height()));
        let longest = u64::from(sides[0].max(sides[1]));
        let size = match self.size {
            Some(size) => size,
            None => Size::new(DEFAULT_BOARD.0 * longest, DEFAULT_BOARD.1 * longest)?,
        };
        if size.cells() > MAX_CELLS {
            return Err(MatchConfigError::BoardTooLarge(size));
        }
        let drawn = match self.orientation {
            OrientationChoice::Random => draws.orientations(),
            OrientationChoice::None => Default::default(),
        };
        let fixed = [self.red, self.blue];
        let orientations = [0, 1].map(|k: usize| Orientation {
            flip: fixed[k].flip.unwrap_or(drawn[k].flip),
            turn: fixed[k].turn.unwrap_or(drawn[k].turn),
        });
        let turned = [
            orientations[0].size(sizes[0])?,
            orientations[1].size(sizes[1])?,
        ];
        let places = match self.placement {
            Placement::Random => draws.places(size, turned),
            Placement::Centre => centres(size, turned),
        };
        let side = |k: usize, entrant: &Entrant| {
            let (x, y) = fixed[k].at.unwrap_or(places[k]);
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
                ties: self.owner(self.tie_seed.unwrap_or_else(|| draws.tie_seed())),
            },
            size,
            limit: self.limit.unwrap_or(DEFAULT_LIMIT * longest),
            red: side(0, red),
            blue: side(1, blue),
        })
    }

    const fn owner(&self, seed: u64) -> Ties {
        match self.ties {
            TieChoice::Seeded => Ties::Seeded(seed),
            // Where ties are forbidden there are none.
            TieChoice::Red | TieChoice::Forbidden => Ties::Red,
            TieChoice::Blue => Ties::Blue,
            TieChoice::Checkerboard => Ties::Checkerboard,
        }
    }

    /// All settings as a text that is part of the fingerprint of a tournament. Result files hold
    /// fingerprints, so this text never changes: it is spelled out here, names and all.
    pub(super) fn canonical_text(&self) -> String {
        let Self {
            rule,
            ties,
            edges,
            size,
            limit,
            tie_seed,
            red,
            blue,
            placement,
            orientation,
        } = self;
        let side = |SideConfig { at, turn, flip }: &SideConfig| {
            format!("SideSetting {{ at: {at:?}, turn: {turn:?}, flip: {flip:?} }}")
        };
        let (red, blue) = (side(red), side(blue));
        format!(
            "Setting {{ rule: {rule:?}, ties: {ties:?}, edges: {edges:?}, size: {size:?}, limit: {limit:?}, tie_seed: {tie_seed:?}, red: {red}, blue: {blue}, placement: {placement:?}, orientation: {orientation:?} }}"
        )
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_of_a_config_is_that_of_older_result_files() {
        let config = MatchConfig {
            rule: Rule::LIFE,
            ties: TieChoice::Seeded,
            edges: Edges::Torus,
            size: Some(Size::new(78, 39).unwrap()),
            limit: None,
            tie_seed: None,
            red: SideConfig {
                at: Some((1, 2)),
                turn: Some(Turn::Quarter),
                flip: Some(None),
            },
            blue: SideConfig::default(),
            placement: Placement::Random,
            orientation: OrientationChoice::Random,
        };
        assert_eq!(
            config.canonical_text(),
            "Setting { rule: Rule { birth: 8, survival: 12 }, ties: Seeded, edges: Torus, size: Some(Size { width: 78, height: 39 }), limit: None, tie_seed: None, red: SideSetting { at: Some((1, 2)), turn: Some(Quarter), flip: Some(None) }, blue: SideSetting { at: None, turn: None, flip: None }, placement: Random, orientation: Random }"
        );
    }
}
