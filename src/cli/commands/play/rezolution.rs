//! `duolife play rezolution`: reZolution in the window.

use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::Args;

use crate::board::{Edges, RezolutionBoard, Size, rezolution, start};
use crate::cli::input::centred;
use crate::cli::memory;
use crate::cli::options::{EdgesArg, EngineArgs, parse_size};
use crate::cli::place::{FromArgs, read_any};
use crate::cli::window::WindowRequest;
use crate::game::opening::Opening;
use crate::game::rezolution::{DEMO_DENSITY, Settings};
use crate::game::session::BOARDS_IN_MEMORY;

/// Options of `duolife play rezolution`.
#[derive(Args)]
pub(super) struct PlayRezolutionArgs {
    /// Board file (.rez); a demo without one, or the board that was open last
    file: Option<PathBuf>,
    /// Board size; a file's board is centred on it [default: the file's, else 100x72]
    #[arg(long, value_name = "WxH", value_parser = parse_size)]
    size: Option<Size>,
    /// What lies beyond the border [default: the file's, else dead]
    #[arg(long, value_enum)]
    edges: Option<EdgesArg>,
    /// Seed of a demo; with a file it keeps the barriers and targets of that
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    #[command(flatten)]
    engine: EngineArgs,
}

/// What the window is to open with.
pub(super) fn window(args: &PlayRezolutionArgs) -> Result<WindowRequest> {
    let is_given = args.file.is_some() || args.size.is_some();
    if !is_given && args.edges.is_none() && args.seed.is_none() {
        return Ok(WindowRequest::new(Opening::Rezolution(None), &args.engine));
    }
    let pattern = match &args.file {
        Some(path) => {
            let content = read_any(path, &FromArgs::unknown(), false)?;
            let Some(pattern) = content.into_rezolution() else {
                bail!(
                    "{}: this board has no populations; duolife play battle opens it",
                    path.display()
                );
            };
            Some((path, pattern))
        }
        None => None,
    };
    let size = match (args.size, &pattern) {
        (Some(size), _) => size,
        (None, Some((_, pattern))) => pattern.board.size(),
        (None, None) => Settings::standard()?.size,
    };
    rezolution::check_size(size)?;
    memory::require_for::<RezolutionBoard>(size, BOARDS_IN_MEMORY, 0)?;
    let named = pattern.as_ref().and_then(|(_, pattern)| pattern.edges);
    let settings = Settings {
        size,
        edges: args.edges.map(Edges::from).or(named).unwrap_or(Edges::Dead),
    };
    let seed = match &args.file {
        Some(_) => args.seed,
        None => Some(args.seed.unwrap_or(0)),
    };
    let ground = match pattern {
        Some((path, pattern)) if pattern.board.size() != size => {
            centred(&pattern.board, size, path)?
        }
        Some((_, pattern)) => pattern.board,
        None => RezolutionBoard::new(size)?,
    };
    let board = match seed {
        Some(seed) => start::demo(&ground, DEMO_DENSITY, seed)?,
        None => ground,
    };
    let opening = Opening::Rezolution(Some((settings, board, seed)));
    Ok(WindowRequest::new(opening, &args.engine))
}
