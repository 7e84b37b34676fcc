//! Boards in several bands are drawn part by part: the rows of cells under some rows of pixels are
//! copied together from the bands, and drawn from there.

use std::ops::Range;

use glam::ivec2;

use super::Renderer;
use crate::board::{Edges, Size};
use crate::engine::EngineError;
use crate::engine::gpu::{DeviceBand, DeviceBoard};
use crate::render::camera::{View, Zoom};

/// Bytes of a plane that are gathered at a time, unless a single row of pixels shows more.
pub(super) const GATHERED_BYTES: u64 = 32 << 20;

/// Some rows of a board, in one piece.
pub(super) struct GatheredRows {
    size: Size,
    /// How many rows there is room for.
    room: u32,
    /// Bytes of a row of each plane.
    row_bytes: Vec<u64>,
    planes: Vec<wgpu::Buffer>,
}

/// Rows of pixels that are drawn together, and the rows of cells under them.
pub(super) struct Part {
    pub(super) pixels: Range<u32>,
    /// The first row of cells, and how many there are: on a torus those after the last one are the
    /// first ones.
    first_row: u32,
    rows: u32,
}

impl DeviceBoard {
    /// Bytes of a row of each plane, those first that every generation writes anew.
    fn row_bytes(&self) -> Vec<u64> {
        let rows = |band: &DeviceBand| u64::from(band.height);
        let bytes = |band: &DeviceBand| -> Vec<u64> {
            let planes = band.all_planes();
            planes.map(|plane| plane.size() / rows(band)).collect()
        };
        self.bands.first().map(bytes).unwrap_or_default()
    }
}

impl Renderer {
    /// Lets about this many bytes of a plane be gathered at a time.
    pub const fn with_gathered_bytes(mut self, bytes: u64) -> Self {
        self.gathered_bytes = bytes;
        self
    }

    /// The parts in which some rows of pixels are drawn: one, if the board is in one piece.
    ///
    /// # Errors
    /// [`EngineError::TooLarge`] if a row of pixels shows more than the device binds.
    pub(super) fn parts(
        &self,
        board: &DeviceBoard,
        view: &View,
        edges: Edges,
        pixels: Range<u32>,
    ) -> Result<Vec<Part>, EngineError> {
        if board.bands.len() < 2 {
            return Ok(vec![Part {
                pixels,
                first_row: 0,
                rows: 0,
            }]);
        }
        let row_bytes = board.row_bytes().into_iter().max().unwrap_or(0).max(1);
        let most_rows = self.gathered_bytes / row_bytes;
        let at_once = match view.zoom {
            Zoom::Magnified(scale) => most_rows.saturating_sub(1) * u64::from(scale),
            Zoom::Minified(cells) => most_rows / u64::from(cells),
        };
        let at_once = u32::try_from(at_once.max(1)).unwrap_or(u32::MAX);
        let mut parts = Vec::new();
        let mut first = pixels.start;
        while first < pixels.end {
            let end = first.saturating_add(at_once).min(pixels.end);
            let (first_row, rows) = rows_under(board.size, view, edges, first..end);
            let needed = u64::from(rows) * row_bytes;
            let limit = self.gpu.largest_plane();
            if needed > limit {
                return Err(EngineError::TooLarge {
                    size: board.size,
                    needed,
                    limit,
                    adapter: self.gpu.name().into(),
                });
            }
            parts.push(Part {
                pixels: first..end,
                first_row,
                rows,
            });
            first = end;
        }
        Ok(parts)
    }

    /// Records that the rows of a part are copied together, if the board is in several bands. Returns
    /// the planes they are in, and the row of the board that is the first one there.
    pub(super) fn gather(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        board: &DeviceBoard,
        part: &Part,
    ) -> (Vec<wgpu::Buffer>, u32) {
        if let [band] = board.bands.as_slice() {
            return (band.all_planes().cloned().collect(), 0);
        }
        let row_bytes = board.row_bytes();
        let gathered = self.room_for(board, part.rows.max(1));
        // On a torus they may go on at the top.
        let end = part
            .first_row
            .saturating_add(part.rows)
            .min(board.size.height());
        let beyond = part.rows - (end - part.first_row);
        for (rows, to) in [(part.first_row..end, 0), (0..beyond, end - part.first_row)] {
            for band in &board.bands {
                let first = rows.start.max(band.own.start);
                let count = rows.end.min(band.own.end).saturating_sub(first);
                if count == 0 {
                    continue;
                }
                let from = band.above + first - band.own.start;
                let to = to + first - rows.start;
                let planes = band.all_planes();
                for ((plane, gathered), bytes) in planes.zip(&gathered.planes).zip(&row_bytes) {
                    let [from, to, count] = [from, to, count].map(|rows| u64::from(rows) * bytes);
                    encoder.copy_buffer_to_buffer(plane, from, gathered, to, count);
                }
            }
        }
        (gathered.planes.clone(), part.first_row)
    }

    fn room_for(&mut self, board: &DeviceBoard, rows: u32) -> &GatheredRows {
        let row_bytes = board.row_bytes();
        let fits = |old: &GatheredRows| {
            (old.size, &old.row_bytes) == (board.size, &row_bytes) && old.room >= rows
        };
        let gathered = match self.gathered.take().filter(fits) {
            Some(gathered) => gathered,
            None => {
                let planes = row_bytes
                    .iter()
                    .map(|bytes| self.plane(bytes * u64::from(rows)));
                GatheredRows {
                    size: board.size,
                    room: rows,
                    planes: planes.collect(),
                    row_bytes,
                }
            }
        };
        self.gathered.insert(gathered)
    }
}

/// The rows of cells under some rows of pixels: the first, and how many.
fn rows_under(size: Size, view: &View, edges: Edges, pixels: Range<u32>) -> (u32, u32) {
    let height = i64::from(size.height());
    let (first, end) = match pixels.end {
        0 => (0, 0),
        end => {
            let [first, last] = [pixels.start, end - 1].map(|pixel| {
                let pixel = i32::try_from(pixel).unwrap_or(i32::MAX);
                view.unbounded_cell(ivec2(0, pixel)).y
            });
            let cells = match view.zoom {
                Zoom::Magnified(_) => 1,
                Zoom::Minified(cells) => i64::from(cells),
            };
            (first, last + cells)
        }
    };
    if edges == Edges::Torus {
        let rows = (end - first).min(height);
        return (first.rem_euclid(height) as u32, rows as u32);
    }
    let (first, end) = (first.clamp(0, height), end.clamp(0, height));
    match first < end {
        true => (first as u32, (end - first) as u32),
        false => (0, 0),
    }
}
