//! `duolife play immigration`: the Immigration Game in the window.

use std::path::PathBuf;

use anyhow::Result;
use clap::{Args, ValueEnum};

use crate::board::Size;
use crate::cli::options::parse_size;
use crate::cli::terminal::immigration::read_game;
use crate::cli::window::WindowRequest;
use crate::game::immigration::{DEFAULT_SIDE, Player, Setup};
use crate::game::opening::Opening;
use crate::game::opponent::PlayerKind;

/// Options of `duolife play immigration`.
#[derive(Args)]
pub(super) struct PlayImmigrationArgs {
    /// Record of a game to go on with, - for standard input; a new game without one
    record: Option<PathBuf>,
    /// Size of the torus [default: 25x25]
    #[arg(long, value_name = "WxH", value_parser = parse_size, conflicts_with = "record")]
    size: Option<Size>,
    /// Who plays red
    #[arg(long, value_enum, value_name = "WHO", default_value = "person")]
    red: Who,
    /// Who plays blue
    #[arg(long, value_enum, value_name = "WHO", default_value = "computer")]
    blue: Who,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Who {
    /// You, or somebody beside you
    Person,
    /// The computer, which looks ahead
    Computer,
}

impl From<Who> for PlayerKind {
    fn from(who: Who) -> Self {
        match who {
            Who::Person => Self::Person,
            Who::Computer => Self::Computer,
        }
    }
}

/// What the window is to open with.
pub(super) fn window(args: &PlayImmigrationArgs) -> Result<WindowRequest> {
    let players = [args.red.into(), args.blue.into()];
    if let Some(path) = &args.record {
        let game = Box::new(read_game(path)?);
        return Ok(WindowRequest::of(Opening::ImmigrationRecord(game, players)));
    }
    let size = match args.size {
        Some(size) => size,
        None => Size::new(DEFAULT_SIDE, DEFAULT_SIDE)?,
    };
    let setup = Setup::new(size, Player::Red)?;
    Ok(WindowRequest::of(Opening::Immigration(Some((
        setup, players,
    )))))
}
