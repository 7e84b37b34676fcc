//! `duolife convert`: one file format to another.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;

use super::Status;
use super::options::{
    EdgesArg, OutputFormat, PictureArgs, parse_output_format, parse_rule, parse_size,
};
use super::place::{FromArgs, PlacementArgs, place, read_pattern};
use super::run::save;
use crate::board::{Edges, Size};
use crate::format::Document;
use crate::rules::Rule;

/// Options of `duolife convert`.
#[derive(Args)]
pub(super) struct ConvertArgs {
    /// File to read (grid text, RLE, plaintext, Life 1.05 or 1.06, macrocell), - for standard input
    input: PathBuf,
    /// File to write (.txt, .rle, .cells, .lif or .png), - for standard output
    output: PathBuf,
    #[command(flatten)]
    from: FromArgs,
    /// Format of the output, if its name does not tell
    #[arg(long, value_name = "FORMAT", value_parser = parse_output_format)]
    to: Option<OutputFormat>,
    /// Rule to write instead of the input's
    #[arg(long, value_parser = parse_rule)]
    rule: Option<Rule>,
    /// Edges to write instead of the input's
    #[arg(long, value_enum)]
    edges: Option<EdgesArg>,
    #[command(flatten)]
    placement: PlacementArgs,
    /// Board size; the pattern is centred on it
    #[arg(long, value_name = "WxH", value_parser = parse_size)]
    size: Option<Size>,
    #[command(flatten)]
    picture: PictureArgs,
    /// No remarks
    #[arg(long)]
    quiet: bool,
}

pub(super) fn run(args: &ConvertArgs) -> Result<Status> {
    let format = OutputFormat::choose(args.to, &args.output)?;
    let pattern = read_pattern(&args.input, &args.from, args.quiet)?;
    let board = place(&pattern, args.size, &args.placement, &args.input)?;
    let document = Document {
        board: &board,
        rule: args.rule.or(pattern.rule),
        edges: args
            .edges
            .map(Edges::from)
            .or(pattern.topology.map(|grid| grid.edges)),
        generation: pattern.generation,
    };
    save(&document, format, &args.output, &args.picture)?;
    Ok(Status::Done)
}
