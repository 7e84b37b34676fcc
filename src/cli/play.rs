//! `duolife play`: games for people.

mod battle;
mod fragment;
mod keys;
mod orders;
mod paint;
mod picture;
mod scores;
mod screen;
mod script;

use std::ffi::OsString;

use anyhow::{Result, bail};
use clap::{Args, Subcommand};

use super::Status;

/// What can be played, for whoever asks for something else.
const THERE_IS: &str =
    "there are duolife play fragment --terminal and duolife play battle --terminal";

/// Options of `duolife play`.
#[derive(Args)]
pub(super) struct PlayArgs {
    #[command(subcommand)]
    game: Option<Game>,
    /// Play in this terminal
    #[arg(long, global = true)]
    terminal: bool,
}

#[derive(Subcommand)]
enum Game {
    /// The puzzle: merge pieces into a field until nothing is left of it
    Fragment(fragment::FragmentArgs),
    /// Run, watch and edit a battle of red and blue by lines of commands
    Battle(Box<battle::PlayBattleArgs>),
    #[command(external_subcommand)]
    Other(Vec<OsString>),
}

pub(super) fn run(args: &PlayArgs) -> Result<Status> {
    match &args.game {
        None => bail!("which game? {THERE_IS}"),
        Some(Game::Other(words)) => {
            let name = words.first().map(|name| name.to_string_lossy());
            bail!(
                "there is no game {:?}; {THERE_IS}",
                name.unwrap_or_default()
            );
        }
        Some(_) if !args.terminal => {
            bail!("games are played in the terminal so far: add --terminal");
        }
        Some(Game::Fragment(args)) => fragment::run(args),
        Some(Game::Battle(args)) => battle::run(args),
    }
}
