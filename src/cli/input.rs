//! Where the first board of a run comes from: a file, two files set against each other, or a seed.

use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow, bail};
use clap::{Args, ValueEnum};

use super::options::{
    EdgesArg, EngineKind, FlipArg, TiesArg, TurnArg, parse_density, parse_position, parse_rule,
    parse_size,
};
use super::place::{FromArgs, PlacementArgs, place, put, read_pattern};
use super::{engines, remark};
use crate::board::transform::Orientation;
use crate::board::{Board, Cell, Edges, Size, start};
use crate::format::Pattern;
use crate::game::session::Draw;
use crate::rules::{Rule, Ruleset};

/// Width and height of a board that nobody gave a size.
const DEFAULT_SIDE: u64 = 512;

/// Options about the first board and its rules.
#[derive(Args)]
pub(super) struct InputArgs {
    /// Board file, - for standard input; a random start without one
    file: Option<PathBuf>,
    #[command(flatten)]
    from: FromArgs,
    #[command(flatten)]
    placement: PlacementArgs,
    #[command(flatten)]
    battle: BattleArgs,
    /// Rule, as B3/S23, 23/3 or a name [default: the file's, else B3/S23]
    #[arg(long, value_parser = parse_rule)]
    rule: Option<Rule>,
    /// What lies beyond the border [default: the file's, else torus]
    #[arg(long, value_enum)]
    edges: Option<EdgesArg>,
    /// Board size; a file's pattern is centred on it [default: the file's, else 512x512]
    #[arg(long, value_name = "WxH", value_parser = parse_size)]
    size: Option<Size>,
    /// Start pattern drawn from the seed [default: random]
    #[arg(long, value_enum, conflicts_with_all = ["file", "red"])]
    start: Option<StartArg>,
    /// Probability of a live cell in a random or mirrored start
    #[arg(long, value_name = "D", value_parser = parse_density, default_value = "0.35", conflicts_with_all = ["file", "red"])]
    density: f64,
    /// Seed of the start pattern and of seeded ties
    #[arg(
        long,
        value_name = "N",
        default_value_t = 0,
        allow_negative_numbers = true
    )]
    pub(super) seed: u64,
    /// Who owns a birth with as many red as blue parents
    #[arg(long, value_enum, default_value = "seeded")]
    ties: TiesArg,
}

/// Two files set against each other.
#[derive(Args)]
struct BattleArgs {
    /// Pattern that fights as red, in the middle of the left half; with --blue. The board is 6m x 3m
    /// cells for a largest side of m cells, unless --size says otherwise
    #[arg(long, value_name = "FILE", requires = "blue", conflicts_with = "file")]
    red: Option<PathBuf>,
    /// Pattern that fights as blue, in the middle of the right half; with --red
    #[arg(long, value_name = "FILE", requires = "red")]
    blue: Option<PathBuf>,
    /// Turn the red pattern clockwise
    #[arg(long, value_enum, requires = "red")]
    red_turn: Option<TurnArg>,
    /// Turn the blue pattern clockwise
    #[arg(long, value_enum, requires = "blue")]
    blue_turn: Option<TurnArg>,
    /// Flip the red pattern, before it is turned
    #[arg(long, value_enum, requires = "red")]
    red_flip: Option<FlipArg>,
    /// Flip the blue pattern, before it is turned
    #[arg(long, value_enum, requires = "blue")]
    blue_flip: Option<FlipArg>,
    /// Column and row of the red pattern's top left cell, from 0
    #[arg(long, value_name = "X,Y", value_parser = parse_position, allow_hyphen_values = true, requires = "red")]
    red_at: Option<(u32, u32)>,
    /// Column and row of the blue pattern's top left cell, from 0
    #[arg(long, value_name = "X,Y", value_parser = parse_position, allow_hyphen_values = true, requires = "blue")]
    blue_at: Option<(u32, u32)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum StartArg {
    /// Each cell alive with the density, red and blue equally likely
    Random,
    /// The left half red, the right half its mirror image in blue
    Mirrored,
}

/// Everything about a run but its first board, which is made only when an engine is known to
/// take it.
pub(super) struct Plan {
    pub(super) size: Size,
    pub(super) ruleset: Ruleset,
    /// The generation of the first board.
    pub(super) generation: u64,
    start: Start,
}

enum Start {
    Ready(Board),
    Drawn {
        draw: StartArg,
        density: f64,
        seed: u64,
    },
}

impl Plan {
    /// The first board.
    pub(super) fn board(self) -> Result<Board> {
        Ok(match self.start {
            Start::Ready(board) => board,
            Start::Drawn {
                draw: StartArg::Random,
                density,
                seed,
            } => start::random(self.size, density, seed)?,
            Start::Drawn {
                draw: StartArg::Mirrored,
                density,
                seed,
            } => start::mirrored(self.size, density, seed)?,
        })
    }
}

impl InputArgs {
    /// Whether nobody asked for any board or rule.
    pub(super) fn is_unasked(&self) -> bool {
        let named = self.file.is_some() || self.battle.red.is_some();
        let placed = self.from.given().is_some() || self.placement.given().is_some();
        let ruled = self.rule.is_some() || self.edges.is_some() || self.ties != TiesArg::Seeded;
        let drawn = self.size.is_some() || self.start.is_some() || self.density != 0.35;
        !(named || placed || ruled || drawn || self.seed != 0)
    }

    /// How a start pattern is drawn without a file, and how full.
    pub(super) fn drawn(&self) -> (Draw, f64) {
        let draw = match self.start {
            None | Some(StartArg::Random) => Draw::Random,
            Some(StartArg::Mirrored) => Draw::Mirrored,
        };
        (draw, self.density)
    }

    /// Reads what there is to read. Nothing is drawn yet; boards for which `engine` would have no
    /// memory are refused.
    pub(super) fn plan(&self, engine: EngineKind, quiet: bool) -> Result<Plan> {
        let ruleset = |rule: Option<Rule>, edges: Option<Edges>| Ruleset {
            rule: self.rule.or(rule).unwrap_or(Rule::LIFE),
            edges: self
                .edges
                .map(Edges::from)
                .or(edges)
                .unwrap_or(Edges::Torus),
            ties: self.ties.with_seed(self.seed),
        };
        if let Some(path) = &self.file {
            let pattern = read_pattern(path, &self.from, quiet)?;
            let board = place(&pattern, self.size, &self.placement, path)?;
            engines::require(engine, board.size())?;
            return Ok(Plan {
                size: board.size(),
                ruleset: ruleset(pattern.rule, pattern.topology.map(|grid| grid.edges)),
                generation: pattern.generation,
                start: Start::Ready(board),
            });
        }
        if let Some(option) = self.placement.given() {
            bail!("{option} is about a file; name one, or use --red-at, --blue-turn and the like");
        }
        if let (Some(red), Some(blue)) = (&self.battle.red, &self.battle.blue) {
            let seeds = [
                read_pattern(red, &self.from, quiet)?,
                read_pattern(blue, &self.from, quiet)?,
            ];
            let rule = seeds_rule(&seeds, self.rule, quiet);
            let board = self.battle.board(&seeds, [red, blue], self.size, engine)?;
            return Ok(Plan {
                size: board.size(),
                ruleset: ruleset(rule, None),
                generation: 0,
                start: Start::Ready(board),
            });
        }
        if let Some(option) = self.from.given() {
            bail!("{option} is about a file; name one");
        }
        let size = match self.size {
            Some(size) => size,
            None => Size::new(DEFAULT_SIDE, DEFAULT_SIDE)?,
        };
        engines::require(engine, size)?;
        Ok(Plan {
            size,
            ruleset: ruleset(None, None),
            generation: 0,
            start: Start::Drawn {
                draw: self.start.unwrap_or(StartArg::Random),
                density: self.density,
                seed: self.seed,
            },
        })
    }
}

/// The rule under which two patterns meet: that of the red one, which is said if they disagree.
fn seeds_rule(seeds: &[Pattern; 2], asked: Option<Rule>, quiet: bool) -> Option<Rule> {
    let [red, blue] = seeds.each_ref().map(|seed| seed.rule);
    if let (None, Some(red), Some(blue)) = (asked, red, blue)
        && red != blue
        && !quiet
    {
        remark(&format!(
            "red is made for {red} and blue for {blue}; both fight under {red}"
        ));
    }
    red.or(blue)
}

impl BattleArgs {
    /// The two patterns on one board, each in its colour.
    fn board(
        &self,
        seeds: &[Pattern; 2],
        paths: [&Path; 2],
        size: Option<Size>,
        engine: EngineKind,
    ) -> Result<Board> {
        let orientations = [
            (self.red_flip, self.red_turn),
            (self.blue_flip, self.blue_turn),
        ];
        let orientations = orientations.map(|(flip, turn)| Orientation {
            flip: flip.map(Into::into),
            turn: turn.map(Into::into).unwrap_or_default(),
        });
        let colours = [Cell::Red, Cell::Blue];
        let mut fighters = Vec::with_capacity(2);
        for ((seed, orientation), colour) in seeds.iter().zip(orientations).zip(colours) {
            fighters.push(seed.board.oriented(orientation)?.recoloured(colour));
        }
        let size = match size {
            Some(size) => size,
            None => {
                let sides = fighters.iter().map(Board::size);
                let longest = sides.map(|size| size.width().max(size.height())).max();
                let longest = u64::from(longest.unwrap_or(1));
                Size::new(6 * longest, 3 * longest)?
            }
        };
        engines::require(engine, size)?;
        // Red in the middle of the left half, blue in the middle of the right half.
        let half = size.width() / 2;
        let areas = [(0, half), (half, size.width() - half)];
        let places = [self.red_at, self.blue_at];
        let mut boards = Vec::with_capacity(2);
        for (((fighter, place), (left, width)), path) in
            fighters.iter().zip(places).zip(areas).zip(paths)
        {
            let own = fighter.size();
            let (x, y) = match place {
                Some(place) => place,
                None if own.width() > width || own.height() > size.height() => bail!(
                    "{}: a pattern of {own} does not fit into half of a board of {size}; choose a larger --size or its place",
                    path.display()
                ),
                None => (
                    left + (width - own.width()) / 2,
                    (size.height() - own.height()) / 2,
                ),
            };
            boards.push(put(fighter, size, i64::from(x), i64::from(y), path)?);
        }
        boards[0]
            .united(&boards[1])
            .map_err(|error| anyhow!("{} and {}: {error}", paths[0].display(), paths[1].display()))
    }
}
