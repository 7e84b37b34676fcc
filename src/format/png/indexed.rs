//! Pixels that are indices into a palette, read row by row.
//!
//! Read with the png crate: image turns indices into colours, and those that have none into black,
//! which would be dead cells; and it holds the whole picture in memory, twelve times the size of a board
//! drawn at one pixel per cell.

use std::borrow::Cow;

use glam::{UVec2, uvec2};
use png::Info;

use super::{Colour, Fault, FormatError, PngFile, cell_of, decoding, fault_at};
use crate::board::LifelikeCell;

/// The passes of an interlaced picture: first pixel, steps to the next ones.
const ADAM7: [(UVec2, UVec2); 7] = [
    (uvec2(0, 0), uvec2(8, 8)),
    (uvec2(4, 0), uvec2(8, 8)),
    (uvec2(0, 4), uvec2(4, 8)),
    (uvec2(2, 0), uvec2(4, 4)),
    (uvec2(0, 2), uvec2(2, 4)),
    (uvec2(1, 0), uvec2(2, 2)),
    (uvec2(0, 1), uvec2(1, 2)),
];

/// Calls `f` with every pixel, as the cell it stands for, in the order of the file.
pub(super) fn visit(
    file: PngFile<'_>,
    mut f: impl FnMut(UVec2, LifelikeCell) -> Result<(), Fault>,
) -> Result<(), FormatError> {
    let PngFile {
        mut reader, size, ..
    } = file;
    let indices = Indices::new(reader.info());
    let passes: &[_] = if reader.info().interlaced {
        &ADAM7
    } else {
        &[(UVec2::ZERO, UVec2::ONE)]
    };
    for &(first, step) in passes.iter().filter(|(first, _)| first.x < size.x) {
        for y in (first.y..size.y).step_by(step.y as usize) {
            let row = reader.next_row().map_err(decoding);
            let row = row.and_then(|row| row.ok_or(Fault::Cut));
            let row = row.map_err(|fault| fault_at(uvec2(0, y), fault))?;
            for (i, x) in (first.x..size.x).step_by(step.x as usize).enumerate() {
                let at = uvec2(x, y);
                indices
                    .cell(row.data(), i)
                    .and_then(|cell| f(at, cell))
                    .map_err(|fault| fault_at(at, fault))?;
            }
        }
    }
    // A file that lacks its end, or whose checksums are wrong, is found out here.
    let end = reader.finish().map_err(decoding);
    end.map_err(|fault| fault_at(uvec2(0, size.y - 1), fault))
}

/// How the indices of a row become cells.
struct Indices {
    /// Bits per index, 8 at most.
    depth: usize,
    /// The cells of all indices.
    cells: Vec<Result<LifelikeCell, Fault>>,
}

impl Indices {
    fn new(info: &Info<'_>) -> Self {
        let bytes = |chunk: &Option<Cow<'_, [u8]>>| chunk.as_deref().unwrap_or_default().to_vec();
        let (palette, opacities) = (bytes(&info.palette), bytes(&info.trns));
        let (palette, _) = palette.as_chunks::<3>();
        let depth = info.bit_depth as usize;
        let cell = |index: u16| {
            let no_colour = Fault::Index {
                index,
                colours: palette.len(),
            };
            let index = usize::from(index);
            let &[red, green, blue] = palette.get(index).ok_or(no_colour)?;
            let opacity = opacities.get(index).copied().unwrap_or(255);
            let colour = Colour([red, green, blue, opacity]);
            cell_of(colour, false).ok_or(Fault::Colour(colour))
        };
        Self {
            depth,
            cells: (0..1 << depth).map(cell).collect(),
        }
    }

    /// The cell of pixel `i` of a row; the highest bits of a byte are its first pixel.
    fn cell(&self, row: &[u8], i: usize) -> Result<LifelikeCell, Fault> {
        let (byte, bit) = (i * self.depth / 8, i * self.depth % 8);
        let index = row[byte] >> (8 - self.depth - bit) & (u8::MAX >> (8 - self.depth));
        self.cells[usize::from(index)].clone()
    }
}
