//! Where the first board of a run comes from: a file, two files set against each other, or a seed.

use glam::{UVec2, uvec2};
use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow, bail};
use clap::{Args, ValueEnum};

use super::family::CliFamily;
use super::options::{
    EdgesArg, EngineKind, FlipArg, RuleArg, TiesArg, TurnArg, parse_any_rule, parse_density,
    parse_position, parse_size,
};
use super::output::{NamedFile, given};
use super::place::{FromArgs, PlacementArgs, place, put, read_any, read_pattern};
use super::{engines, print_note};
use crate::board::transform::Orientation;
use crate::board::{Edges, LifelikeBoard, LifelikeCell, RezolutionBoard, Size, rezolution, start};
use crate::format::rezolution::RezolutionPattern;
use crate::format::{Content, LifelikePattern};
use crate::game::life_battle::StartPattern;
use crate::game::rezolution::DEMO_DENSITY;
use crate::rules::{FamilyName, LifelikeRuleset, RezolutionRuleset, Rule, Ruleset};

/// Width and height of a board without a size.
const DEFAULT_SIDE: u64 = 512;

/// Options about the first board and its rules.
#[derive(Args)]
pub(super) struct InputArgs {
    /// Board file, - for standard input; a random start without one
    file: Option<PathBuf>,
    #[command(flatten)]
    from: FromArgs,
    #[command(flatten)]
    pub(super) placement: PlacementArgs,
    #[command(flatten)]
    pub(super) battle: BattleArgs,
    /// Rule, as B3/S23, 23/3 or a name, or rezolution [default: the file's, else B3/S23]
    #[arg(long, value_parser = parse_any_rule)]
    rule: Option<RuleArg>,
    /// What lies beyond the border [default: the file's, else torus, for rezolution dead]
    #[arg(long, value_enum)]
    pub(super) edges: Option<EdgesArg>,
    /// Board size; a file's pattern is centred on it [default: the file's, else 512x512]
    #[arg(long, value_name = "WxH", value_parser = parse_size)]
    pub(super) size: Option<Size>,
    /// Start pattern drawn from the seed [default: random, for rezolution demo]
    #[arg(long, value_enum, conflicts_with = "red")]
    pub(super) start: Option<StartArg>,
    /// Probability of a live cell in a drawn start [default: 0.35, in a demo 0.5]
    #[arg(long, value_name = "D", value_parser = parse_density, conflicts_with = "red")]
    pub(super) density: Option<f64>,
    /// Seed of the start pattern and of seeded ties
    #[arg(
        long,
        value_name = "N",
        default_value_t = 0,
        allow_negative_numbers = true
    )]
    pub(super) seed: u64,
    /// Who owns a birth with equal numbers of red and blue parents [default: seeded]
    #[arg(long, value_enum)]
    pub(super) ties: Option<TiesArg>,
}

impl InputArgs {
    /// The files that are read.
    pub(super) fn files(&self) -> Vec<NamedFile<'_>> {
        given([
            ("FILE", &self.file),
            ("--red", &self.battle.red),
            ("--blue", &self.battle.blue),
        ])
    }
}

/// Two files set against each other.
#[derive(Args)]
pub(super) struct BattleArgs {
    /// Pattern that fights as red, in the middle of the left half; with --blue. The board is 6m x 3m
    /// cells for a largest side of m cells, unless --size says otherwise
    #[arg(long, value_name = "FILE", requires = "blue", conflicts_with = "file")]
    pub(super) red: Option<PathBuf>,
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
    red_at: Option<UVec2>,
    /// Column and row of the blue pattern's top left cell, from 0
    #[arg(long, value_name = "X,Y", value_parser = parse_position, allow_hyphen_values = true, requires = "blue")]
    blue_at: Option<UVec2>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum StartArg {
    /// Each cell alive with the density, red and blue equally likely
    Random,
    /// The left half red, the right half its mirror image in blue
    Mirrored,
    /// Of rezolution: red and blue in a square in the middle, on a file's barriers and targets if
    /// there is one
    Demo,
}

/// Everything about a run but its first board, which is made only when an engine is known to
/// take it.
pub(super) struct Plan<R: Ruleset = LifelikeRuleset> {
    pub(super) size: Size,
    pub(super) ruleset: R,
    /// The generation of the first board.
    pub(super) generation: u64,
    /// Makes the first board.
    pub(super) board: Box<dyn FnOnce() -> Result<R::Board>>,
}

impl<R: Ruleset> Plan<R> {
    /// The first board.
    pub(super) fn board(self) -> Result<R::Board> {
        (self.board)()
    }
}

/// What there is to read of a first board, and thereby its family.
pub(super) struct Start<'a> {
    pub(super) family: FamilyName,
    /// The file and what it holds, if there is one.
    pub(super) content: Option<(&'a Path, Content)>,
}

impl InputArgs {
    /// Whether no board and no rule is requested.
    pub(super) fn is_default(&self) -> bool {
        let named = self.file.is_some() || self.battle.red.is_some();
        let placed = self.from.given().is_some() || self.placement.given().is_some();
        let ruled = self.rule.is_some() || self.edges.is_some() || self.ties.is_some();
        let drawn = self.size.is_some() || self.start.is_some() || self.density.is_some();
        !(named || placed || ruled || drawn || self.seed != 0)
    }

    /// How a start pattern is drawn without a file, and how full.
    pub(super) fn drawn(&self) -> (StartPattern, f64) {
        let draw = match self.start {
            Some(StartArg::Mirrored) => StartPattern::Mirrored,
            Some(StartArg::Random | StartArg::Demo) | None => StartPattern::Random,
        };
        (draw, self.density.unwrap_or(start::DEFAULT_DENSITY))
    }

    /// The plan of what is about a Life-like rule only.
    pub(super) fn cells_plan(&self, engine: EngineKind, quiet: bool) -> Result<Plan> {
        let start = self.start(quiet)?;
        if start.family == FamilyName::Rezolution {
            bail!(
                "reZolution is not played here: duolife play rezolution opens its boards, and duolife run takes them and --rule rezolution"
            );
        }
        if start.family != FamilyName::Lifelike {
            bail!(
                "{} is not played here; duolife run takes it",
                start.family.board()
            );
        }
        LifelikeRuleset::plan(self, start.content, engine, quiet)
    }

    /// Reads what there is to read. Nothing is drawn yet.
    pub(super) fn start(&self, quiet: bool) -> Result<Start<'_>> {
        let content = match &self.file {
            Some(path) => Some((path.as_path(), read_any(path, &self.from, quiet)?)),
            None => None,
        };
        let found = content
            .as_ref()
            .map(|(path, content)| (*path, content.family()));
        match (found, self.rule) {
            (Some((path, FamilyName::Rezolution)), Some(RuleArg::Lifelike(rule))) => bail!(
                "{}: this is a board of reZolution, which does not live under {rule}; leave out --rule",
                path.display()
            ),
            (
                Some((path, FamilyName::Lifelike)),
                Some(RuleArg::OnlyRule(FamilyName::Rezolution)),
            ) => bail!(
                "{}: this board has no populations; rezolution takes boards like those that duolife run --rule rezolution --output demo.rez writes",
                path.display()
            ),
            (Some((path, family)), Some(rule)) if rule.family() != family => bail!(
                "{}: this is {}, which does not live under the rule of --rule",
                path.display(),
                family.board()
            ),
            _ => {}
        }
        let family = match (found, self.rule) {
            (Some((_, family)), _) => family,
            (None, Some(rule)) => rule.family(),
            (None, None) => FamilyName::Lifelike,
        };
        Ok(Start { family, content })
    }

    /// The plan of a run of reZolution. Boards for which `engine` would have no memory are refused.
    pub(super) fn rezolution_plan(
        &self,
        pattern: Option<(&Path, RezolutionPattern)>,
        engine: EngineKind,
    ) -> Result<Plan<RezolutionRuleset>> {
        let refused = [
            (
                self.placement.given(),
                "a board of reZolution lies as its file says",
            ),
            (
                self.battle.red.as_ref().map(|_| "--red"),
                "two patterns meet under a B/S rule only",
            ),
            (
                self.ties.map(|_| "--ties"),
                "no birth of reZolution is tied",
            ),
        ];
        for (option, why) in refused {
            if let Some(option) = option {
                bail!("{option} does not go with rezolution: {why}");
            }
        }
        if let Some(StartArg::Random | StartArg::Mirrored) = self.start {
            bail!("rezolution has one drawn start; use --start demo");
        }
        let drawn = self.start.is_some() || pattern.is_none();
        if !drawn && self.density.is_some() {
            bail!("--density is about a drawn start; add --start demo");
        }
        let own_size = pattern.as_ref().map(|(_, pattern)| pattern.board.size());
        let size = match self.size.or(own_size) {
            Some(size) => size,
            None => Size::new(DEFAULT_SIDE, DEFAULT_SIDE)?,
        };
        rezolution::check_size(size)?;
        engines::require_for::<RezolutionBoard>(engine, size)?;
        let edges = pattern.as_ref().and_then(|(_, pattern)| pattern.edges);
        let generation = match &pattern {
            Some((_, pattern)) if !drawn => pattern.generation,
            _ => 0,
        };
        let ground = match pattern {
            Some((path, pattern)) if pattern.board.size() != size => {
                Some(centred(&pattern.board, size, path)?)
            }
            Some((_, pattern)) => Some(pattern.board),
            None => None,
        };
        let (density, seed) = (self.density.unwrap_or(DEMO_DENSITY), self.seed);
        let edges = self.edges.map(Edges::from).or(edges);
        Ok(Plan {
            size,
            ruleset: RezolutionRuleset {
                edges: edges.unwrap_or(Edges::Dead),
            },
            generation,
            board: Box::new(move || {
                let ground = match ground {
                    Some(ground) => ground,
                    None => RezolutionBoard::new(size)?,
                };
                Ok(match drawn {
                    true => start::demo(&ground, density, seed)?,
                    false => ground,
                })
            }),
        })
    }

    /// The plan of a run of a Life-like rule. Boards for which `engine` would have no memory are refused.
    pub(super) fn lifelike_plan(
        &self,
        pattern: Option<(&Path, LifelikePattern)>,
        engine: EngineKind,
        quiet: bool,
    ) -> Result<Plan> {
        let requested = match self.rule {
            Some(RuleArg::Lifelike(rule)) => Some(rule),
            Some(RuleArg::OnlyRule(_)) | None => None,
        };
        let ruleset = |rule: Option<Rule>, edges: Option<Edges>| LifelikeRuleset {
            rule: requested.or(rule).unwrap_or(Rule::LIFE),
            edges: self
                .edges
                .map(Edges::from)
                .or(edges)
                .unwrap_or(Edges::Torus),
            ties: self.ties.unwrap_or(TiesArg::Seeded).with_seed(self.seed),
        };
        if self.start == Some(StartArg::Demo) {
            bail!("--start demo is a start of reZolution; add --rule rezolution");
        }
        if let Some((path, pattern)) = pattern {
            let drawing = [
                (self.start.is_some(), "--start"),
                (self.density.is_some(), "--density"),
            ];
            if let Some((_, option)) = drawing.into_iter().find(|(given, _)| *given) {
                bail!(
                    "{option} is about a drawn start and {} is a file; leave one of them",
                    path.display()
                );
            }
            let board = place(&pattern, self.size, &self.placement, path)?;
            engines::require(engine, board.size())?;
            return Ok(Plan {
                size: board.size(),
                ruleset: ruleset(pattern.rule, pattern.topology.map(|grid| grid.edges)),
                generation: pattern.generation,
                board: Box::new(|| Ok(board)),
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
            let rule = seeds_rule(&seeds, requested, quiet);
            let board = self.battle.board(&seeds, [red, blue], self.size, engine)?;
            return Ok(Plan {
                size: board.size(),
                ruleset: ruleset(rule, None),
                generation: 0,
                board: Box::new(|| Ok(board)),
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
        let (density, seed) = (self.density.unwrap_or(start::DEFAULT_DENSITY), self.seed);
        let mirrored = self.start == Some(StartArg::Mirrored);
        Ok(Plan {
            size,
            ruleset: ruleset(None, None),
            generation: 0,
            board: Box::new(move || {
                Ok(match mirrored {
                    true => start::mirrored(size, density, seed)?,
                    false => start::random(size, density, seed)?,
                })
            }),
        })
    }
}

/// A board in the middle of a larger one.
pub(super) fn centred(board: &RezolutionBoard, size: Size, path: &Path) -> Result<RezolutionBoard> {
    let own = board.size();
    let middle = |side: u32, length: u32| (side / 2).saturating_sub(length / 2);
    let (x, y) = (
        middle(size.width(), own.width()),
        middle(size.height(), own.height()),
    );
    board
        .placed_on(size, uvec2(x, y))
        .map_err(|error| anyhow!("{}: {error}; choose a larger --size", path.display()))
}

/// The rule for two patterns: that of the red one, with a note if they differ.
fn seeds_rule(seeds: &[LifelikePattern; 2], requested: Option<Rule>, quiet: bool) -> Option<Rule> {
    let [red, blue] = seeds.each_ref().map(|seed| seed.rule);
    if let (None, Some(red), Some(blue)) = (requested, red, blue)
        && red != blue
        && !quiet
    {
        print_note(&format!(
            "red is made for {red} and blue for {blue}; both fight under {red}"
        ));
    }
    red.or(blue)
}

impl BattleArgs {
    /// The two patterns on one board, each in its colour.
    fn board(
        &self,
        seeds: &[LifelikePattern; 2],
        paths: [&Path; 2],
        size: Option<Size>,
        engine: EngineKind,
    ) -> Result<LifelikeBoard> {
        let orientations = [
            (self.red_flip, self.red_turn),
            (self.blue_flip, self.blue_turn),
        ];
        let orientations = orientations.map(|(flip, turn)| Orientation {
            flip: flip.map(Into::into),
            turn: turn.map(Into::into).unwrap_or_default(),
        });
        let colours = [LifelikeCell::Red, LifelikeCell::Blue];
        let mut fighters = Vec::with_capacity(2);
        for ((seed, orientation), colour) in seeds.iter().zip(orientations).zip(colours) {
            fighters.push(seed.board.oriented(orientation)?.recoloured(colour));
        }
        let size = match size {
            Some(size) => size,
            None => {
                let sides = fighters.iter().map(LifelikeBoard::size);
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
            let at = match place {
                Some(place) => place,
                None if own.width() > width || own.height() > size.height() => bail!(
                    "{}: a pattern of {own} does not fit into half of a board of {size}; choose a larger --size or its place",
                    path.display()
                ),
                None => uvec2(
                    left + (width - own.width()) / 2,
                    (size.height() - own.height()) / 2,
                ),
            };
            boards.push(put(fighter, size, at.as_i64vec2(), path)?);
        }
        boards[0]
            .united(&boards[1])
            .map_err(|error| anyhow!("{} and {}: {error}", paths[0].display(), paths[1].display()))
    }
}
