//! Which blocks of a board are active, so that passes can leave out the others.
//!
//! A pass writes for each block it computes the dirty bits: where cells differ from two generations
//! before. A block is *idle* if no dirty cell is so near that a change could spread from it into the block
//! within a pass: a region that repeats after one or two generations stays idle. The words of an idle block need not
//! even be written if the planes that the pass writes hold them already. These planes hold the board
//! before the last pass, so they do if the block was idle then, too, or if the present board has
//! been copied to them.
//!
//! ```text
//! pass ──writes──> dirty bits ──> idle or active ──> list ──> next pass, of the active blocks only
//! ```
//!
//! Blocks take more time one by one than tall strips, so a list is made only where few are active.
//! Their number is read back with each submission.

use std::sync::mpsc::{self, Receiver, TryRecvError};

use super::bands::Band;
use super::commands::Commands;
use super::device::Gpu;
use super::grid::workgroups;
use super::kernels::active_blocks::{ACTIVE_BLOCKS, ActiveBlocksParams, list_bytes};
use super::pipelines::Kernel;
use super::tiling::{HISTORY, Tiling};
use super::transfer::{bind, buffer, plane_usage, readback_buffer, uniform};
use crate::board::Edges;

/// The share of active blocks up to which idle ones are left out.
const MOST_ACTIVE: f64 = 0.5;

/// The blocks of a band, and which of them are active.
pub(super) struct ActiveBlocks {
    pub(super) tiling: Tiling,
    count: u64,
    kernel: Kernel,
    groups: [u32; 2],
    /// The dirty bits after the last pass are in the one at `current`.
    pub(super) dirty: [wgpu::Buffer; 2],
    pub(super) current: usize,
    /// The blocks that the next pass computes.
    pub(super) list: wgpu::Buffer,
    /// By what is known, and by which of `dirty` is read.
    bind_groups: [[wgpu::BindGroup; 2]; 3],
    /// Whether the last pass has computed the active blocks only.
    pub(super) was_partial: bool,
    /// The share of the blocks that are active, if it is known.
    pub(super) share: Option<f64>,
    /// Receives the length of the list.
    readback_buffer: wgpu::Buffer,
    readback: Readback,
}

/// What is known when a list is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Known {
    /// Nothing: all blocks are active.
    Nothing,
    /// The dirty bits; and the planes that the pass writes hold the present board.
    Copied,
    /// The dirty bits, and which blocks were idle before: the pass follows another one of a list.
    Followed,
}

/// The state of the readback of the length of a list.
enum Readback {
    /// None is in progress.
    Idle,
    /// Its copy is recorded.
    Recorded,
    /// The buffer is being mapped.
    Mapped(Receiver<Result<(), wgpu::BufferAsyncError>>),
}

impl ActiveBlocks {
    pub(super) fn new(
        gpu: &Gpu,
        band: &Band,
        edges: Edges,
        tiling: Tiling,
        kernel: Kernel,
    ) -> Self {
        let (size, own_rows) = (band.size, band.own_rows());
        let rows = size.height().div_ceil(tiling.block_rows);
        let count = u64::from(tiling.columns) * u64::from(rows);
        let dirty = ["dirty 0", "dirty 1"];
        let dirty = dirty.map(|label| buffer(gpu, label, 4 * count, plane_usage()));
        let list = buffer(gpu, "active blocks", list_bytes(count), plane_usage());
        let bind_groups = [Known::Nothing, Known::Copied, Known::Followed].map(|known| {
            let params = ActiveBlocksParams {
                width: size.width(),
                height: size.height(),
                block_cells: tiling.own_cells,
                block_rows: tiling.block_rows,
                columns: tiling.columns,
                rows,
                reach: tiling.reach,
                torus: (edges == Edges::Torus).into(),
                known: (known != Known::Nothing).into(),
                copied: (known == Known::Copied).into(),
                first_own: own_rows.start,
                end_own: own_rows.end,
            };
            let params = uniform(gpu, "active params", bytemuck::bytes_of(&params));
            [0, 1].map(|current| {
                let resources = [&params, &dirty[current], &dirty[1 - current], &list];
                let resources = resources.map(wgpu::Buffer::as_entire_binding);
                bind(gpu, &kernel, resources.to_vec())
            })
        });
        Self {
            tiling,
            count,
            kernel,
            groups: workgroups(gpu.most_groups(), count, ACTIVE_BLOCKS.workgroup),
            dirty,
            current: 0,
            list,
            bind_groups,
            was_partial: false,
            share: None,
            readback_buffer: readback_buffer(gpu, 4),
            readback: Readback::Idle,
        }
    }

    /// What is known `since_pass` generations after the last pass.
    pub(super) const fn known(&self, since_pass: Option<u64>) -> Known {
        match since_pass {
            Some(0) if self.was_partial => Known::Followed,
            Some(0..=HISTORY) => Known::Copied,
            _ => Known::Nothing,
        }
    }

    /// Whether so few blocks are active that a list is worth it.
    pub(super) fn are_few(&self) -> bool {
        self.share.is_some_and(|share| share <= MOST_ACTIVE)
    }

    /// Forgets the share: another board has been loaded.
    pub(super) fn forget(&mut self) {
        self.share = None;
    }

    /// Records the making of the list.
    pub(super) fn encode_list(&self, commands: &mut Commands, known: Known) {
        commands.clear(&self.list, 0..4);
        let pass = commands.compute();
        pass.set_pipeline(self.kernel.pipeline());
        pass.set_bind_group(0, &self.bind_groups[known as usize][self.current], &[]);
        let [x, y] = self.groups;
        pass.dispatch_workgroups(x, y, 1);
    }

    /// Records the readback of the number of active blocks after the last pass of a submission, unless
    /// one is in progress.
    pub(super) fn encode_share(&mut self, commands: &mut Commands) {
        if !matches!(self.readback, Readback::Idle) {
            return;
        }
        if !self.was_partial {
            // Only to count them: the next list is made anew.
            self.encode_list(commands, Known::Copied);
        }
        commands.copy(&self.list, 0..4, &self.readback_buffer, 0);
        self.readback = Readback::Recorded;
    }

    /// Begins the readback that was recorded, once it is submitted.
    pub(super) fn begin_readback(&mut self) {
        if matches!(self.readback, Readback::Recorded) {
            let (sender, mapped) = mpsc::channel();
            self.readback_buffer
                .map_async(wgpu::MapMode::Read, .., move |result| {
                    // The receiver is gone if the board is.
                    let _ = sender.send(result);
                });
            self.readback = Readback::Mapped(mapped);
        }
    }

    /// Ends the readback, if its data has arrived.
    pub(super) fn end_readback(&mut self) {
        let Readback::Mapped(mapped) = &self.readback else {
            return;
        };
        match mapped.try_recv() {
            Err(TryRecvError::Empty) => return,
            Ok(Ok(())) => {
                let active = self.readback_buffer.get_mapped_range(..).ok();
                let active = active.map(|bytes| bytemuck::pod_read_unaligned::<u32>(&bytes));
                self.share = active.map(|active| f64::from(active) / self.count as f64);
                self.readback_buffer.unmap();
                tracing::debug!(share = self.share, "active blocks");
            }
            // The next wait for the device reports its failure.
            Ok(Err(_)) | Err(TryRecvError::Disconnected) => {}
        }
        self.readback = Readback::Idle;
    }
}

/// How many passes over the active blocks, `share` of all, take about as long as `whole` passes over all.
pub(super) fn passes_for(whole: u64, share: Option<f64>) -> u64 {
    match share {
        Some(share) if share <= MOST_ACTIVE => (whole as f64 / share.max(1.0 / 32.0)) as u64,
        _ => whole,
    }
}
