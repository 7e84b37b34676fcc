//! How one generation is spread over threads: one thread for each column of a strip of rows.

use std::ops::Range;

/// Threads below which strips are cut shorter: about as many as a large card runs at once.
const MANY_THREADS: u64 = 1 << 16;

/// Some or all of the threads that compute one generation, numbered along the strips from top to bottom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Threads {
    /// Rows per strip; the last strip may have fewer.
    pub strip_rows: u32,
    /// Their numbers.
    pub range: Range<u32>,
}

/// All threads of a generation, and their workgroups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Grid {
    strip_rows: u32,
    /// Threads of a whole generation.
    pub(super) threads: u32,
    workgroup: u32,
    max_groups: u32,
    /// Workgroups in x and y of a whole generation.
    pub(super) groups: [u32; 2],
}

impl Grid {
    /// A grid of `columns` columns and `height` rows, in workgroups of `workgroup` threads.
    ///
    /// A long strip reuses more row sums, a short one keeps more threads busy. A software adapter has
    /// few threads that could be idle.
    pub(super) fn new(
        [columns, height]: [u32; 2],
        strip_rows: Option<u32>,
        workgroup: u32,
        max_groups: u32,
        is_software: bool,
    ) -> Self {
        let threads = |rows: u32| u64::from(columns) * u64::from(height.div_ceil(rows));
        let rows = strip_rows.unwrap_or(match is_software {
            true => 32,
            false if threads(16) >= MANY_THREADS => 16,
            false => 4,
        });
        let mut grid = Self {
            strip_rows: rows,
            threads: threads(rows) as u32,
            workgroup,
            max_groups,
            groups: [0; 2],
        };
        grid.groups = grid.groups_of(&grid.whole());
        grid
    }

    /// All threads of a generation.
    pub(super) fn whole(&self) -> Threads {
        self.part(0..self.threads)
    }

    /// Some of them.
    pub(super) fn part(&self, range: Range<u32>) -> Threads {
        Threads {
            strip_rows: self.strip_rows,
            range,
        }
    }

    /// Workgroups in x and y of a dispatch of some threads.
    pub(super) fn groups_of(&self, threads: &Threads) -> [u32; 2] {
        let count = threads.range.len() as u64;
        workgroups(self.max_groups, count, self.workgroup)
    }
}

/// Workgroups in x and y for a number of threads: one at least, and at most `most` in each direction.
pub(super) fn workgroups(most: u32, threads: u64, workgroup: u32) -> [u32; 2] {
    let groups = threads.div_ceil(workgroup.into()).max(1);
    let x = groups.min(most.into());
    [x as u32, groups.div_ceil(x) as u32]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Size;
    use crate::engine::gpu::family::GpuFamily;
    use crate::rules::{LifelikeRuleset, RezolutionRuleset};

    #[test]
    fn dispatches_past_65535_groups_go_two_dimensional() {
        let groups = |threads| workgroups(65_535, threads, 64);
        assert_eq!(groups(0), [1, 1]);
        assert_eq!(groups(65), [2, 1]);
        assert_eq!(groups(65_535 * 64), [65_535, 1]);
        assert_eq!(groups(65_535 * 64 + 1), [65_535, 2]);
        assert_eq!(groups(u64::from(u32::MAX)), [65_535, 1025]);
    }

    #[test]
    fn workgroups_cover_all_strips() {
        check_grids::<LifelikeRuleset>();
        check_grids::<RezolutionRuleset>();
    }

    fn check_grids<R: GpuFamily>() {
        let sizes = [
            (1, 1),
            (8, 600_000),
            (600_000, 8),
            (1, 5_000_000),
            (65_536, 65_536),
            (131_072, 131_071),
        ];
        for (width, height) in sizes {
            let size = Size::new(width, height).unwrap();
            // The most that one binding holds.
            if R::plane_bytes(size) >= 1 << 32 {
                continue;
            }
            let columns = R::columns(size) as u32;
            let workgroup = R::STEP_PROGRAMS.step.workgroup;
            let options = [
                (None, false),
                (None, true),
                (Some(1), false),
                (Some(16), true),
            ];
            for (strip_rows, is_software) in options {
                let shape = [columns, size.height()];
                let grid = Grid::new(shape, strip_rows, workgroup, 65_535, is_software);
                let [x, y] = grid.groups;
                assert!(x <= 65_535 && y <= 65_535, "{size}: {grid:?}");
                let threads = u64::from(x) * u64::from(y) * u64::from(workgroup);
                let strips = u64::from(size.height().div_ceil(grid.strip_rows));
                assert_eq!(u64::from(grid.threads), u64::from(columns) * strips);
                assert!(threads >= u64::from(grid.threads));
                assert!(threads <= 1 << 32, "thread indices are 32 bits: {size}");
            }
        }
    }
}
