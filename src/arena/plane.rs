//! One bit of each cell of many boards of one shape, as [`super::lanes`] lays them out.

/// One bit of each cell of many boards.
pub(super) struct Plane {
    /// Words of a cell.
    words: usize,
    /// Words of a row, the halo included.
    stride: usize,
    cells: Vec<u32>,
}

impl Plane {
    /// A plane of dead cells.
    pub(super) fn new(width: usize, height: usize, words: usize) -> Self {
        let stride = (width + 2) * words;
        Self {
            words,
            stride,
            cells: vec![0; stride * height],
        }
    }

    /// The words of row `y`, without the halo.
    #[inline]
    pub(super) fn row(&self, y: usize) -> &[u32] {
        &self.haloed(y)[self.words..self.stride - self.words]
    }

    #[inline]
    pub(super) fn row_mut(&mut self, y: usize) -> &mut [u32] {
        &mut self.cells[y * self.stride..][self.words..self.stride - self.words]
    }

    #[inline]
    pub(super) fn haloed(&self, y: usize) -> &[u32] {
        &self.cells[y * self.stride..][..self.stride]
    }

    /// The words of a cell.
    #[inline]
    pub(super) fn cell_mut(&mut self, x: usize, y: usize) -> &mut [u32] {
        &mut self.cells[y * self.stride + (x + 1) * self.words..][..self.words]
    }

    /// Joins left and right: each halo becomes the cell at the other end of its row.
    pub(super) fn join(&mut self) {
        let (words, stride) = (self.words, self.stride);
        for row in self.cells.chunks_exact_mut(stride) {
            row.copy_within(stride - 2 * words..stride - words, 0);
            row.copy_within(words..2 * words, stride - words);
        }
    }

    /// Clears the cells of the lanes in `lanes`.
    pub(super) fn clear(&mut self, lanes: &[u32]) {
        for cell in self.cells.chunks_exact_mut(self.words) {
            for (word, lanes) in cell.iter_mut().zip(lanes) {
                *word &= !lanes;
            }
        }
    }
}
