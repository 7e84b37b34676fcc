//! A pattern from a file onto a board.

use glam::{I64Vec2, UVec2, i64vec2, uvec2};
use std::path::Path;

use anyhow::{Context, Result, anyhow, bail};
use clap::Args;

use super::options::{ColourArg, FlipArg, TurnArg, parse_format, parse_position};
use super::{memory, print_note};
use crate::board::transform::Orientation;
use crate::board::{LifelikeBoard, LifelikeCell, Size};
use crate::format::{Content, Format, LifelikePattern, read, read_content, read_picture, rle};

/// Options about how a file's pattern is laid down.
#[derive(Args)]
pub(super) struct PlacementArgs {
    /// Column and row of the pattern's top left cell on a board of --size, from 0
    #[arg(long, value_name = "X,Y", value_parser = parse_position, allow_hyphen_values = true, requires = "size")]
    at: Option<UVec2>,
    /// Colour of all cells of a one-colour file
    #[arg(long = "as", value_enum, value_name = "COLOUR")]
    colour: Option<ColourArg>,
    /// Turn the pattern clockwise
    #[arg(long, value_enum)]
    turn: Option<TurnArg>,
    /// Flip the pattern, before it is turned
    #[arg(long, value_enum)]
    flip: Option<FlipArg>,
}

impl PlacementArgs {
    /// As the file says.
    pub(super) const fn none() -> Self {
        Self {
            at: None,
            colour: None,
            turn: None,
            flip: None,
        }
    }

    /// The first of these options that is given.
    pub(super) fn given(&self) -> Option<&'static str> {
        let options = [
            (self.at.is_some(), "--at"),
            (self.colour.is_some(), "--as"),
            (self.turn.is_some(), "--turn"),
            (self.flip.is_some(), "--flip"),
        ];
        options
            .into_iter()
            .find_map(|(given, name)| given.then_some(name))
    }
}

/// Options about how a file is read.
#[derive(Args)]
pub(super) struct FromArgs {
    /// The file's format, if its content does not say
    #[arg(long, value_name = "FORMAT", value_parser = parse_format)]
    from: Option<Format>,
    /// The file is a PNG drawn with this many pixels per cell
    #[arg(long, value_name = "S", value_parser = clap::value_parser!(u32).range(1..), conflicts_with = "from")]
    from_scale: Option<u32>,
}

impl FromArgs {
    /// The first of these options that is given.
    pub(super) const fn given(&self) -> Option<&'static str> {
        match (self.from, self.from_scale) {
            (Some(_), _) => Some("--from"),
            (None, Some(_)) => Some("--from-scale"),
            (None, None) => None,
        }
    }

    /// The format that the content has.
    pub(super) const fn unknown() -> Self {
        Self {
            from: None,
            from_scale: None,
        }
    }

    /// A text grid and nothing else.
    pub(super) const fn grid() -> Self {
        Self {
            from: Some(Format::Grid),
            from_scale: None,
        }
    }
}

/// Reads a file of dead, red and blue cells and prints its notes on standard
/// error.
pub(super) fn read_pattern(path: &Path, from: &FromArgs, quiet: bool) -> Result<LifelikePattern> {
    let limits = memory::limits();
    let pattern = match from.from_scale {
        Some(scale) => read_picture(path, scale, &limits)?,
        None => read(path, from.from, &limits)?,
    };
    if !quiet {
        say_notes(path, &pattern);
    }
    Ok(pattern)
}

/// Reads a file of any family and prints its notes on standard error.
pub(super) fn read_any(path: &Path, from: &FromArgs, quiet: bool) -> Result<Content> {
    let limits = memory::limits();
    let content = match from.from_scale {
        Some(scale) => Content::Lifelike(read_picture(path, scale, &limits)?),
        None => read_content(path, from.from, &limits)?,
    };
    if let Content::Lifelike(pattern) = &content
        && !quiet
    {
        say_notes(path, pattern);
    }
    Ok(content)
}

fn say_notes(path: &Path, pattern: &LifelikePattern) {
    for note in &pattern.notes {
        print_note(&format!("{}: {note}", path.display()));
    }
}

/// The board of a pattern: `size` if there is one, else the file's bounded grid, else the size
/// of the pattern itself. On a bounded grid with a position the pattern lies where the file says,
/// otherwise in the middle, unless a position is given.
pub(super) fn place(
    pattern: &LifelikePattern,
    size: Option<Size>,
    placement: &PlacementArgs,
    path: &Path,
) -> Result<LifelikeBoard> {
    let laid = lay(pattern, placement, path)?;
    let own = laid.size();
    let grid = match pattern.topology {
        Some(grid) => Some(Size::new(grid.width, grid.height).context(path.display().to_string())?),
        None => None,
    };
    let target = size.or(grid).unwrap_or(own);
    // Golly, too, halves first and then subtracts.
    let centred = |side: u32, length: u32| i64::from(side / 2) - i64::from(length / 2);
    let at = match (placement.at, size, grid, pattern.position) {
        (Some(at), ..) => at.as_i64vec2(),
        (None, None, Some(grid), Some(position)) => {
            position.saturating_sub(rle::grid_corner(grid.width().into(), grid.height().into()))
        }
        _ => i64vec2(
            centred(target.width(), own.width()),
            centred(target.height(), own.height()),
        ),
    };
    if target == own && at == I64Vec2::ZERO {
        return Ok(laid);
    }
    put(&laid, target, at, path)
}

/// The pattern's board, flipped, turned and recoloured.
fn lay(pattern: &LifelikePattern, placement: &PlacementArgs, path: &Path) -> Result<LifelikeBoard> {
    let orientation = Orientation {
        flip: placement.flip.map(Into::into),
        turn: placement.turn.map(Into::into).unwrap_or_default(),
    };
    let board = pattern.board.oriented(orientation)?;
    let Some(colour) = placement.colour else {
        return Ok(board);
    };
    let census = board.census();
    if census.red > 0 && census.blue > 0 {
        bail!(
            "{}: holds red and blue cells already; --as is for files of one colour",
            path.display()
        );
    }
    Ok(board.recoloured(LifelikeCell::from(colour)))
}

/// A board of `size` with the top left cell of a pattern at `at`. `path` is the pattern's file.
pub(super) fn put(
    pattern: &LifelikeBoard,
    size: Size,
    at: I64Vec2,
    path: &Path,
) -> Result<LifelikeBoard> {
    let refused = |why: &str| anyhow!("{}: {why}; choose a larger --size", path.display());
    let (Ok(column), Ok(row)) = (u32::try_from(at.x), u32::try_from(at.y)) else {
        let own = pattern.size();
        let why = format!(
            "a pattern of {own} at ({}, {}) does not fit on a board of {size}",
            at.x, at.y
        );
        return Err(refused(&why));
    };
    memory::require(size, 1, 0)?;
    let mut board = LifelikeBoard::new(size)?;
    let placed = board.place(pattern, uvec2(column, row));
    placed.map_err(|error| refused(&error.to_string()))?;
    Ok(board)
}
