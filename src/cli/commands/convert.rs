//! `duolife convert`: one file format to another.

use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::Args;

use super::run::save;
use crate::board::{Edges, Size};
use crate::cli::Status;
use crate::cli::family::{CliFamily, save_rezolution_board};
use crate::cli::input::centred;
use crate::cli::options::{
    EdgesArg, OutputFormat, PictureArgs, parse_output_format, parse_rule, parse_size,
};
use crate::cli::place::{FromArgs, PlacementArgs, place, read_any};
use crate::format::rezolution::{RezolutionDocument, RezolutionPattern};
use crate::format::{Content, LifelikeDocument, LifelikePattern};
use crate::rules::{FamilyName, Rule, of_family};

/// Options of `duolife convert`.
#[derive(Args)]
pub(in crate::cli) struct ConvertArgs {
    /// File to read (grid text, RLE, plaintext, Life 1.05 or 1.06, macrocell, PNG, reZolution), - for
    /// standard input
    pub(in crate::cli) input: PathBuf,
    /// File to write (.txt, .rle, .cells, .lif, .rez or .png), - for standard output
    pub(in crate::cli) output: PathBuf,
    #[command(flatten)]
    pub(in crate::cli) from: FromArgs,
    /// Format of the output, if its name does not say
    #[arg(long, value_name = "FORMAT", value_parser = parse_output_format)]
    pub(in crate::cli) to: Option<OutputFormat>,
    /// Rule to write instead of the input's
    #[arg(long, value_parser = parse_rule)]
    pub(in crate::cli) rule: Option<Rule>,
    /// Edges to write instead of the input's
    #[arg(long, value_enum)]
    pub(in crate::cli) edges: Option<EdgesArg>,
    #[command(flatten)]
    pub(in crate::cli) placement: PlacementArgs,
    /// Board size; the pattern is centred on it
    #[arg(long, value_name = "WxH", value_parser = parse_size)]
    pub(in crate::cli) size: Option<Size>,
    #[command(flatten)]
    pub(in crate::cli) picture: PictureArgs,
    /// No notes
    #[arg(long)]
    pub(in crate::cli) quiet: bool,
}

pub(in crate::cli) fn run(args: &ConvertArgs) -> Result<Status> {
    let content = read_any(&args.input, &args.from, args.quiet)?;
    of_family!(content.family(), convert(args, content))?;
    Ok(Status::Done)
}

fn convert<R: CliFamily>(args: &ConvertArgs, content: Content) -> Result<()> {
    R::convert(args, content)
}

/// Life-like boards: to any format that holds them.
pub(in crate::cli) fn convert_lifelike(
    args: &ConvertArgs,
    pattern: &LifelikePattern,
) -> Result<()> {
    let format = OutputFormat::select(args.to, &args.output)?;
    let board = place(pattern, args.size, &args.placement, &args.input)?;
    let document = LifelikeDocument {
        board: &board,
        rule: args.rule.or(pattern.rule),
        edges: args
            .edges
            .map(Edges::from)
            .or(pattern.topology.map(|grid| grid.edges)),
        generation: pattern.generation,
    };
    save(&document, format, &args.output, &args.picture)
}

/// To a picture, or to the same format anew: with other edges, or on a larger board.
pub(in crate::cli) fn convert_rezolution(
    args: &ConvertArgs,
    pattern: &RezolutionPattern,
) -> Result<()> {
    let format = OutputFormat::select_for(FamilyName::Rezolution, args.to, &args.output)?;
    let refused = args.placement.given().or(args.rule.map(|_| "--rule"));
    if let Some(option) = refused {
        bail!(
            "{option} does not go with {}, a board of reZolution",
            args.input.display()
        );
    }
    let board = match args.size {
        Some(size) => centred(&pattern.board, size, &args.input)?,
        None => pattern.board.clone(),
    };
    let document = RezolutionDocument {
        board: &board,
        edges: args.edges.map(Edges::from).or(pattern.edges),
        generation: pattern.generation,
    };
    save_rezolution_board(&document, format, &args.output, &args.picture)
}
