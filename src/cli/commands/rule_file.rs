//! `duolife rule-file`: a rule for Golly.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;

use crate::cli::options::{TiesArg, parse_rule};
use crate::cli::{Status, print_note};
use crate::format::{atomic_write, golly_rule};
use crate::rules::Rule;

/// Options of `duolife rule-file`.
#[derive(Args)]
pub(in crate::cli) struct RuleFileArgs {
    /// Rule, as B36/S23, 23/36 or a name
    #[arg(value_parser = parse_rule)]
    rule: Rule,
    /// Who owns a birth with as many red as blue parents; matters for even birth counts only
    #[arg(long, value_enum, default_value = "seeded")]
    ties: TiesArg,
    /// File to write, - for standard output [default: the rule's name in this folder]
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
}

pub(in crate::cli) fn run(args: &RuleFileArgs) -> Result<Status> {
    let ties = args.ties.with_seed(0);
    let table = golly_rule::table(args.rule, ties)?;
    let name = format!("{}.rule", golly_rule::name(args.rule, ties)?);
    let path = args.output.clone().unwrap_or_else(|| PathBuf::from(&name));
    atomic_write(&path, |out| out.write_all(table.as_bytes()))?;
    if args.output.is_none() {
        print_note(&format!(
            "{name} written; Golly finds it in its folder of rules"
        ));
    }
    Ok(Status::Done)
}
