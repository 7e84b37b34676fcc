//! A pattern from a file onto a board.

use std::path::Path;

use anyhow::{Context, Result, anyhow};

use super::memory;
use crate::board::{Board, Size};
use crate::format::{Format, Pattern, read, rle};

/// Reads a file and says on standard error what a person should know about it.
pub(super) fn read_pattern(path: &Path, format: Option<Format>, quiet: bool) -> Result<Pattern> {
    let pattern = read(path, format, &memory::limits())?;
    if !quiet {
        for note in &pattern.notes {
            super::remark(&format!("{}: {note}", path.display()));
        }
    }
    Ok(pattern)
}

/// The board of a pattern: `size` if one is asked for, else the file's bounded grid, else the size
/// of the pattern itself. On a bounded grid with a position the pattern lies where the file says,
/// otherwise in the middle.
pub(super) fn place(pattern: &Pattern, size: Option<Size>, path: &Path) -> Result<Board> {
    let own = pattern.board.size();
    let grid = match pattern.topology {
        Some(grid) => Some(Size::new(grid.width, grid.height).context(path.display().to_string())?),
        None => None,
    };
    let target = size.or(grid).unwrap_or(own);
    if target == own && (size.is_some() || pattern.position.is_none() || grid.is_none()) {
        return Ok(pattern.board.clone());
    }
    // Golly, too, halves first and then subtracts.
    let centred = |side: u32, length: u32| i64::from(side / 2) - i64::from(length / 2);
    let (x, y) = match (size, grid, pattern.position) {
        (None, Some(grid), Some((x, y))) => {
            let (left, top) = rle::grid_corner(grid.width().into(), grid.height().into());
            (x.saturating_sub(left), y.saturating_sub(top))
        }
        _ => (
            centred(target.width(), own.width()),
            centred(target.height(), own.height()),
        ),
    };
    let refused = |why: &str| anyhow!("{}: {why}; choose a larger --size", path.display());
    let (Ok(column), Ok(row)) = (u32::try_from(x), u32::try_from(y)) else {
        let why = format!("a pattern of {own} at ({x}, {y}) does not fit on a board of {target}");
        return Err(refused(&why));
    };
    memory::require(target, 1, 0)?;
    let mut board = Board::new(target)?;
    let placed = board.place(&pattern.board, column, row);
    placed.map_err(|error| refused(&error.to_string()))?;
    Ok(board)
}
