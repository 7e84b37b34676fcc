//! The options of a tournament.

use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::{Args, ValueEnum};

use super::games::files;
use crate::arena::Scoring;
use crate::arena::match_config::{
    MatchConfig, OrientationChoice, Placement, SideConfig, TieChoice,
};
use crate::board::Size;
use crate::cli::film::FilmArgs;
use crate::cli::options::{
    EdgesArg, EngineArgs, PictureArgs, parse_density, parse_rule, parse_size,
};
use crate::cli::output::{NamedFile, check_inputs, check_outputs, given};
use crate::format::is_standard_output;
use crate::rules::Rule;

/// Options of `duolife tournament`.
#[derive(Args)]
pub(in crate::cli) struct TournamentArgs {
    /// Seeds: pattern files, and folders of them; every two of them meet
    #[arg(value_name = "SEEDS")]
    pub(super) seeds: Vec<PathBuf>,
    /// Seeds that each meet all of SEEDS; no other seeds meet
    #[arg(long, value_name = "SEEDS", num_args = 1..)]
    pub(super) challengers: Vec<PathBuf>,
    /// Games from a file (.tsv with a line of column names, or .jsonl): red, blue, and if wanted rule,
    /// ties, edges, width, height, limit, seed, repeats, red_x, red_y, red_turn, red_flip, blue_x, ...
    #[arg(long, value_name = "FILE", conflicts_with_all = ["seeds", "challengers", "random_seeds", "games", "trials"])]
    pub(super) list: Option<PathBuf>,
    /// Add N random seeds
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1 << 24))]
    pub(super) random_seeds: Option<u32>,
    /// Size of the random seeds
    #[arg(long, value_name = "WxH", value_parser = parse_size, default_value = "13x13", requires = "random_seeds")]
    pub(super) seed_size: Size,
    /// Probability of a live cell in the random seeds
    #[arg(long, value_name = "D", value_parser = parse_density, default_value = "0.5", requires = "random_seeds")]
    pub(super) density: f64,
    /// Games of each pair; the two change colours from one to the next
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) trials: u32,
    /// Play N games between seeds drawn at random, not all pairs
    #[arg(long, value_name = "N", conflicts_with_all = ["challengers", "trials"], value_parser = clap::value_parser!(u64).range(1..1 << 56))]
    pub(super) games: Option<u64>,
    #[command(flatten)]
    pub(super) config: MatchConfigArgs,
    /// Seed of everything that is drawn at random
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(super) seed: u64,
    /// What decides a game in summary and ranking
    #[arg(long, value_enum, default_value = "growth", value_name = "SCORING")]
    pub(super) scoring: ScoringArg,
    #[command(flatten)]
    pub(super) engine: EngineArgs,
    /// Write a line per game to this file (.csv or .jsonl), - for CSV on standard output. A file that
    /// holds a part of this very tournament is resumed
    #[arg(long, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,
    /// Resume --output, which must exist
    #[arg(long, requires = "output", conflicts_with = "overwrite")]
    pub(super) resume: bool,
    /// Overwrite --output, whatever it holds, when the first games have been played
    #[arg(long, requires = "output")]
    pub(super) overwrite: bool,
    /// When all games are played, write the results by columns to this file, too (Parquet)
    #[arg(
        long,
        value_name = "FILE.parquet",
        requires = "output",
        conflicts_with = "replay"
    )]
    pub(super) parquet: Option<PathBuf>,
    /// Draw the ranking to this file
    #[arg(long, value_name = "FILE.svg")]
    pub(super) plot: Option<PathBuf>,
    /// Lines of the ranking that are shown
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub(super) top: usize,
    /// Play only this game of the tournament (from 1), and print how to play it with duolife run
    #[arg(long, value_name = "GAME", value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) replay: Option<u64>,
    /// With --replay: write the game's start pattern to this file (.rle)
    #[arg(long, value_name = "FILE", requires = "replay")]
    pub(super) save_start: Option<PathBuf>,
    #[command(flatten)]
    pub(super) film: FilmArgs,
    #[command(flatten)]
    pub(super) picture: PictureArgs,
    /// Report as one JSON object
    #[arg(long)]
    pub(super) json: bool,
    /// No notes, no progress, no report but JSON
    #[arg(long)]
    pub(super) quiet: bool,
}

impl TournamentArgs {
    /// The files that are written.
    pub(super) fn outputs(&self) -> Vec<NamedFile<'_>> {
        let mut files = given([
            ("--parquet", &self.parquet),
            ("--plot", &self.plot),
            ("--save-start", &self.save_start),
        ]);
        files.extend(self.film.outputs());
        // With --replay the results are only read.
        if self.replay.is_none() {
            files.extend(given([("--output", &self.output)]));
        }
        files
    }

    /// Whether a file goes to standard output, which then takes nothing else.
    pub(super) fn takes_standard_output(&self) -> bool {
        let outputs = self.outputs();
        outputs.iter().any(|(_, path)| is_standard_output(path))
    }

    /// Refuses outputs that would destroy each other or an input.
    pub(super) fn check_files(&self) -> Result<()> {
        let mut outputs = self.outputs();
        if self.json {
            outputs.push(("--json", Path::new("-")));
        }
        check_outputs(&outputs)?;
        let seeds = files(&self.seeds)?;
        let challengers = files(&self.challengers)?;
        let mut inputs = given([("--list", &self.list)]);
        inputs.extend(seeds.iter().map(|path| ("SEEDS", path.as_path())));
        let challengers = challengers.iter();
        inputs.extend(challengers.map(|path| ("--challengers", path.as_path())));
        if self.replay.is_some() {
            inputs.extend(given([("--output", &self.output)]));
        }
        check_inputs(&outputs, &inputs)
    }
}

/// What all games have in common, unless a list says otherwise.
#[derive(Args)]
pub(super) struct MatchConfigArgs {
    /// Rule, as B3/S23, 23/3 or a name
    #[arg(long, value_parser = parse_rule, default_value = "B3/S23")]
    pub(super) rule: Rule,
    /// Who owns a birth with equal numbers of red and blue parents
    #[arg(long, value_enum, default_value = "seeded")]
    pub(super) ties: TieChoiceArg,
    /// What lies beyond the border
    #[arg(long, value_enum, default_value = "torus")]
    pub(super) edges: EdgesArg,
    /// Board size [default: 6m x 3m for a largest side of m cells in the two seeds]
    #[arg(long, value_name = "WxH", value_parser = parse_size)]
    pub(super) size: Option<Size>,
    /// Generations of a game [default: 54m]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) limit: Option<u64>,
    /// Where the seeds lie
    #[arg(long, value_enum, default_value = "random", value_name = "WHERE")]
    pub(super) placement: PlacementArg,
    /// How the seeds are turned and flipped
    #[arg(long, value_enum, default_value = "random", value_name = "HOW")]
    pub(super) orientation: OrientationArg,
}

/// Who owns a birth with equal numbers of red and blue parents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum TieChoiceArg {
    /// A fixed order of the neighbours of each cell, drawn for each game
    Seeded,
    /// Always red
    Red,
    /// Always blue
    Blue,
    /// Red where x + y is even
    Checkerboard,
    /// Nobody: rules that allow such births are refused
    Forbidden,
}

/// Where the seeds lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum PlacementArg {
    /// Anywhere within its half: red left, blue right
    Random,
    /// In the middle of its half
    Centre,
}

/// How the seeds are turned and flipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum OrientationArg {
    /// In one of the eight ways
    Random,
    /// As they are
    None,
}

/// What decides a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum ScoringArg {
    /// More growth; shrinking counts as none
    Growth,
    /// More cells in the last generation
    Count,
    /// The colour that outlives the other
    Alive,
    /// As in run --until-end: elimination, a repeating board (a draw), else the count
    Battle,
}

impl From<ScoringArg> for Scoring {
    fn from(scoring: ScoringArg) -> Self {
        match scoring {
            ScoringArg::Growth => Self::Growth,
            ScoringArg::Count => Self::Count,
            ScoringArg::Alive => Self::Alive,
            ScoringArg::Battle => Self::Battle,
        }
    }
}

impl From<TieChoiceArg> for TieChoice {
    fn from(ties: TieChoiceArg) -> Self {
        match ties {
            TieChoiceArg::Seeded => Self::Seeded,
            TieChoiceArg::Red => Self::Red,
            TieChoiceArg::Blue => Self::Blue,
            TieChoiceArg::Checkerboard => Self::Checkerboard,
            TieChoiceArg::Forbidden => Self::Forbidden,
        }
    }
}

impl From<PlacementArg> for Placement {
    fn from(placement: PlacementArg) -> Self {
        match placement {
            PlacementArg::Random => Self::Random,
            PlacementArg::Centre => Self::Centre,
        }
    }
}

impl From<OrientationArg> for OrientationChoice {
    fn from(orientation: OrientationArg) -> Self {
        match orientation {
            OrientationArg::Random => Self::Random,
            OrientationArg::None => Self::None,
        }
    }
}

impl From<&MatchConfigArgs> for MatchConfig {
    fn from(args: &MatchConfigArgs) -> Self {
        Self {
            rule: args.rule,
            ties: args.ties.into(),
            edges: args.edges.into(),
            size: args.size,
            limit: args.limit,
            tie_seed: None,
            red: SideConfig::default(),
            blue: SideConfig::default(),
            placement: args.placement.into(),
            orientation: args.orientation.into(),
        }
    }
}
