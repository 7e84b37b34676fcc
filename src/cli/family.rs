//! What the commands need of a family besides its engines. A family that lacks one of these
//! functions does not compile.

use std::path::Path;

use anyhow::Result;
use serde::Serialize;

use super::commands::convert::{ConvertArgs, convert_lifelike, convert_rezolution};
use super::commands::run::{Judge, Run, save};
use super::input::{InputArgs, Plan};
use super::options::{EngineKind, OutputFormat, PictureArgs};
use crate::board::{Census, LifelikeBoard, LifelikeCensus, RezolutionBoard, RezolutionCensus};
use crate::engine::{CensusOf, Family};
use crate::format::rezolution::RezolutionDocument;
use crate::format::{Content, LifelikeDocument, save_rezolution};
use crate::game::referee::{Growth, Outcome, Reason, Referee, Verdict};
use crate::game::rezolution::Status;
use crate::render::Draw;
use crate::rules::{LifelikeRuleset, RezolutionRuleset, Ruleset};

/// The rulesets of a family, for `duolife run`.
pub(super) trait CliFamily: Family<Board: Draw> {
    /// The plan of a run from a file, if `content` is one's, else from a drawn start.
    fn plan(
        args: &InputArgs,
        content: Option<(&Path, Content)>,
        engine: EngineKind,
        quiet: bool,
    ) -> Result<Plan<Self>>;

    /// Writes what a file holds to another one.
    fn convert(args: &ConvertArgs, content: Content) -> Result<()>;

    /// The game of `duolife play` that opens a board.
    const GAME: &'static str;

    /// The fields of `--json` that only this family has.
    type Fields: Serialize;

    /// The first line of `--census`.
    const CENSUS_HEADER: &'static str;

    /// A line of `--census`.
    fn census_line(generation: u64, census: CensusOf<Self::Board>) -> String;

    /// The rule, as `--rule` takes it.
    fn rule_name(self) -> String;

    /// What ends a run of this board before its last generation, if anything does. `until_end` is
    /// the limit of `--until-end`.
    fn judge(board: &Self::Board, until_end: Option<u64>) -> Option<Judge<CensusOf<Self::Board>>>;

    /// Whether the last generation of every run is computed with statistics, for its report.
    const LAST_NEEDS_STATS: bool;

    /// The outcome of a run.
    fn summarize(self, run: &Run<Self>, until_end: Option<u64>) -> Result<RunSummary<Self>>;

    /// Writes a board as a file.
    fn save(
        self,
        board: &Self::Board,
        generation: u64,
        format: OutputFormat,
        path: &Path,
        picture: &PictureArgs,
    ) -> Result<()>;
}

/// The outcome of a run, for people and for machines.
pub(super) struct RunSummary<R: CliFamily> {
    pub(super) fields: R::Fields,
    pub(super) outcome: Outcome,
    /// In a few words.
    pub(super) status: String,
    /// More lines.
    pub(super) lines: Vec<String>,
}

/// Fields of a run of a Life-like rule.
#[derive(Serialize)]
pub(super) struct LifelikeFields {
    ties: String,
    /// What ended the battle, with `--until-end`.
    reason: Option<Reason>,
    /// The period of the last board, 1 or 2, if that is known to repeat.
    period: Option<u8>,
    /// Cells won or lost since the first board, and who wins by that, with `--until-end`.
    growth: Option<GrowthFields>,
}

/// Another way to score the same battle.
#[derive(Serialize)]
struct GrowthFields {
    red: i64,
    blue: i64,
    /// A colour that shrank counts as one that stayed.
    clamped: Outcome,
    /// Less loss beats more loss.
    signed: Outcome,
}

impl From<Growth> for GrowthFields {
    fn from(growth: Growth) -> Self {
        Self {
            red: growth.red,
            blue: growth.blue,
            clamped: growth.clamped(),
            signed: growth.signed(),
        }
    }
}

impl CliFamily for LifelikeRuleset {
    fn plan(
        args: &InputArgs,
        content: Option<(&Path, Content)>,
        engine: EngineKind,
        quiet: bool,
    ) -> Result<Plan> {
        let pattern = content.and_then(|(path, content)| Some((path, content.into_lifelike()?)));
        args.lifelike_plan(pattern, engine, quiet)
    }

    fn convert(args: &ConvertArgs, content: Content) -> Result<()> {
        let Some(pattern) = content.into_lifelike() else {
            unreachable!("a file is converted by its own family")
        };
        convert_lifelike(args, &pattern)
    }

    type Fields = LifelikeFields;

    const GAME: &'static str = "battle";

    const CENSUS_HEADER: &'static str = "generation,red,blue";

    const LAST_NEEDS_STATS: bool = false;

    fn census_line(generation: u64, census: LifelikeCensus) -> String {
        format!("{generation},{},{}\n", census.red, census.blue)
    }

    fn rule_name(self) -> String {
        self.rule.to_string()
    }

    fn judge(_board: &LifelikeBoard, until_end: Option<u64>) -> Option<Judge<LifelikeCensus>> {
        let referee = Referee::new(Some(until_end?));
        Some(Box::new(move |generation, stats| {
            referee.judge(generation, stats).is_some()
        }))
    }

    fn summarize(self, run: &Run<Self>, until_end: Option<u64>) -> Result<RunSummary<Self>> {
        let verdict: Option<Verdict> = until_end.zip(run.last_stats).and_then(|(limit, last)| {
            let referee = Referee::new(Some(limit));
            referee.judge(run.done, last)
        });
        let growth = until_end.map(|_| Growth::between(run.first_census, run.census));
        let outcome = match verdict {
            Some(verdict) => verdict.outcome,
            None => Outcome::of(run.census),
        };
        let line = verdict.zip(growth).map(|(verdict, growth)| {
            format!(
                "{verdict}; growth: {:+} red, {:+} blue",
                growth.red, growth.blue
            )
        });
        Ok(RunSummary {
            fields: LifelikeFields {
                ties: self.ties.to_string(),
                reason: verdict.map(|verdict| verdict.reason),
                period: verdict.and_then(|verdict| verdict.period),
                growth: growth.map(GrowthFields::from),
            },
            outcome,
            status: outcome.to_string(),
            lines: line.into_iter().collect(),
        })
    }

    fn save(
        self,
        board: &LifelikeBoard,
        generation: u64,
        format: OutputFormat,
        path: &Path,
        picture: &PictureArgs,
    ) -> Result<()> {
        let document = LifelikeDocument {
            board,
            rule: Some(self.rule),
            edges: Some(self.edges),
            generation,
        };
        save(&document, format, path, picture)
    }
}

/// Fields of a run of reZolution.
#[derive(Serialize)]
pub(super) struct RezolutionFields {
    red_population: u64,
    blue_population: u64,
    /// Populated targets.
    targets_reached: u64,
    #[serde(flatten)]
    status: Status,
    /// The same in words.
    #[serde(rename = "status")]
    words: String,
}

impl CliFamily for RezolutionRuleset {
    fn plan(
        args: &InputArgs,
        content: Option<(&Path, Content)>,
        engine: EngineKind,
        _quiet: bool,
    ) -> Result<Plan<Self>> {
        let pattern = content.and_then(|(path, content)| Some((path, content.into_rezolution()?)));
        args.rezolution_plan(pattern, engine)
    }

    fn convert(args: &ConvertArgs, content: Content) -> Result<()> {
        let Some(pattern) = content.into_rezolution() else {
            unreachable!("a file is converted by its own family")
        };
        convert_rezolution(args, &pattern)
    }

    type Fields = RezolutionFields;

    const GAME: &'static str = "rezolution";

    const CENSUS_HEADER: &'static str = "generation,red,blue,red_population,blue_population";

    const LAST_NEEDS_STATS: bool = true;

    fn census_line(generation: u64, census: RezolutionCensus) -> String {
        let RezolutionCensus {
            red,
            blue,
            red_population,
            blue_population,
            ..
        } = census;
        format!("{generation},{red},{blue},{red_population},{blue_population}\n")
    }

    fn rule_name(self) -> String {
        Self::FAMILY.to_string()
    }

    /// A populated target ends every run of a board that has one.
    fn judge(board: &RezolutionBoard, _until_end: Option<u64>) -> Option<Judge<RezolutionCensus>> {
        let judge: Judge<RezolutionCensus> = Box::new(|_, stats| stats.is_settled());
        board.has_targets().then_some(judge)
    }

    fn summarize(self, run: &Run<Self>, _until_end: Option<u64>) -> Result<RunSummary<Self>> {
        let unchanged = run.last_stats.map(|last| last.period == Some(1));
        let status = Status::of(run.census, unchanged);
        Ok(RunSummary {
            fields: RezolutionFields {
                red_population: run.census.red_population,
                blue_population: run.census.blue_population,
                targets_reached: run.census.reached,
                status,
                words: status.to_string(),
            },
            outcome: Outcome::of(LifelikeCensus {
                red: run.census.red(),
                blue: run.census.blue(),
            }),
            status: status.to_string(),
            lines: Vec::new(),
        })
    }

    fn save(
        self,
        board: &RezolutionBoard,
        generation: u64,
        format: OutputFormat,
        path: &Path,
        picture: &PictureArgs,
    ) -> Result<()> {
        let document = RezolutionDocument {
            board,
            edges: Some(self.edges),
            generation,
        };
        save_rezolution_board(&document, format, path, picture)
    }
}

/// Writes a reZolution board as a picture or as a file that is read back.
pub(super) fn save_rezolution_board(
    document: &RezolutionDocument<'_>,
    format: OutputFormat,
    path: &Path,
    picture: &PictureArgs,
) -> Result<()> {
    match format {
        OutputFormat::Png => super::commands::run::save_picture(document.board, path, picture),
        OutputFormat::Board(format) => Ok(save_rezolution(document, format, path)?),
    }
}
