//! `duolife play immigration`: the Immigration Game in the window.

use anyhow::Result;
use clap::{Args, ValueEnum};

use crate::board::Size;
use crate::cli::options::parse_size;
use crate::cli::window::{WindowOpening, WindowPlayer, WindowRequest};
use crate::game::immigration::{DEFAULT_SIDE, Player, Setup};

/// Options of `duolife play immigration`.
#[derive(Args)]
pub(super) struct PlayImmigrationArgs {
    /// Size of the torus [default: 25x25]
    #[arg(long, value_name = "WxH", value_parser = parse_size)]
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

impl From<Who> for WindowPlayer {
    fn from(who: Who) -> Self {
        match who {
            Who::Person => Self::Person,
            Who::Computer => Self::Computer,
        }
    }
}

/// What the window is to open with.
pub(super) fn window(args: &PlayImmigrationArgs) -> Result<WindowRequest> {
    let size = match args.size {
        Some(size) => size,
        None => Size::new(DEFAULT_SIDE, DEFAULT_SIDE)?,
    };
    let setup = Setup::new(size, Player::Red)?;
    let players = [args.red.into(), args.blue.into()];
    Ok(WindowRequest {
        opening: WindowOpening::Immigration(Some((setup, players))),
        ..WindowRequest::last()
    })
}
