//! `duolife play duel`: two-player Life in the window.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;

use crate::cli::options::EngineArgs;
use crate::cli::place::{FromArgs, PlacementArgs, place, read_pattern};
use crate::cli::window::WindowRequest;
use crate::game::opening::Opening;

/// Options of `duolife play duel`.
#[derive(Args)]
pub(super) struct PlayDuelArgs {
    /// Board file, usually a text grid; the board that was open last without one
    file: Option<PathBuf>,
    #[command(flatten)]
    engine: EngineArgs,
}

/// What the window is to open with.
pub(super) fn window(args: &PlayDuelArgs) -> Result<WindowRequest> {
    let board = match &args.file {
        Some(path) => {
            let pattern = read_pattern(path, &FromArgs::unknown(), false)?;
            Some(place(&pattern, None, &PlacementArgs::none(), path)?)
        }
        None => None,
    };
    Ok(WindowRequest::new(Opening::Duel(board), &args.engine))
}
