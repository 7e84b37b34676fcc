//! `duolife play`: games for people.

mod duel;
mod immigration;
mod rezolution;

use std::ffi::OsString;

use anyhow::{Result, bail};
use clap::{Args, Subcommand};

use crate::cli::Status;
use crate::cli::terminal::{battle, fragment};
use crate::cli::window::WindowRequest;
use crate::game::opening::Opening;

/// The games, for a message about anything else.
const THERE_IS: &str = "there are duolife play battle, duel, immigration, rezolution and fragment, and without a window duolife play fragment --terminal and duolife play battle --terminal";

/// How a game went on.
pub(in crate::cli) enum PlayOutcome {
    /// In the terminal, and it is over.
    Done(Status),
    /// In a window that is to be opened.
    Window(WindowRequest),
}

/// Options of `duolife play`.
#[derive(Args)]
pub(in crate::cli) struct PlayArgs {
    #[command(subcommand)]
    game: Option<Game>,
    /// Play in this terminal instead of a window
    #[arg(long, global = true)]
    terminal: bool,
}

#[derive(Subcommand)]
enum Game {
    /// The puzzle: merge pieces into a field until nothing is left of it
    Fragment(fragment::FragmentArgs),
    /// Run and edit a battle of red and blue; with --terminal by lines of commands
    Battle(Box<battle::PlayBattleArgs>),
    /// Two-player Life: B3/S23 with dead edges until one side is gone
    Duel(duel::PlayDuelArgs),
    /// The Immigration Game, against a person or the computer
    Immigration(immigration::PlayImmigrationArgs),
    /// reZolution: populations that grow and fight until one reaches a target
    Rezolution(rezolution::PlayRezolutionArgs),
    #[command(external_subcommand)]
    Other(Vec<OsString>),
}

pub(in crate::cli) fn run(args: &PlayArgs) -> Result<PlayOutcome> {
    match (&args.game, args.terminal) {
        (None, false) => Ok(PlayOutcome::Window(WindowRequest::of(Opening::Remembered))),
        (None, true) => bail!("which game? {THERE_IS}"),
        (Some(Game::Other(words)), _) => {
            let name = words.first().map(|name| name.to_string_lossy());
            bail!(
                "there is no game {:?}; {THERE_IS}",
                name.unwrap_or_default()
            );
        }
        (Some(Game::Fragment(args)), true) => fragment::run(args).map(PlayOutcome::Done),
        (Some(Game::Fragment(args)), false) => fragment::window(args).map(PlayOutcome::Window),
        (Some(Game::Battle(args)), true) => battle::run(args).map(PlayOutcome::Done),
        (Some(Game::Battle(args)), false) => battle::window(args).map(PlayOutcome::Window),
        (Some(Game::Duel(args)), false) => duel::window(args).map(PlayOutcome::Window),
        (Some(Game::Immigration(args)), false) => {
            immigration::window(args).map(PlayOutcome::Window)
        }
        (Some(Game::Rezolution(args)), false) => rezolution::window(args).map(PlayOutcome::Window),
        (Some(Game::Duel(_)), true) => {
            bail!("two-player Life without a window is duolife duel FILE")
        }
        (Some(Game::Immigration(_)), true) => {
            bail!("the Immigration Game without a window is duolife immigration")
        }
        (Some(Game::Rezolution(_)), true) => {
            bail!("reZolution without a window is duolife run --rule rezolution")
        }
    }
}
