//! Boards in the memory of this process, copied to the device.

use super::Renderer;
use super::view::RenderFamily;
use crate::board::Size;
use crate::engine::EngineError;
use crate::engine::gpu::{DeviceBand, DeviceBoard, GpuFamily};
use crate::rules::{FamilyName, Ruleset};

/// Bytes copied to the device at a time, to bound the memory of the copy.
const TRANSFER_BYTES: usize = 64 << 20;

impl Renderer {
    /// Copies a board to the device for drawing it.
    ///
    /// # Errors
    /// [`EngineError::TooLarge`] if a row is more than the device binds, before anything is
    /// allocated; [`EngineError::Device`] if it has failed.
    pub fn upload<B: RenderFamily>(&mut self, board: &B) -> Result<DeviceBoard, EngineError> {
        let planes = B::Ruleset::planes(board);
        let fixed = B::Ruleset::fixed_planes(board);
        self.upload_planes(B::Ruleset::FAMILY, board.size(), &planes, &fixed)
    }

    fn upload_planes(
        &mut self,
        family: FamilyName,
        size: Size,
        planes: &[&[u32]],
        fixed: &[&[u32]],
    ) -> Result<DeviceBoard, EngineError> {
        let row_words = |words: &&[u32]| words.len() / size.height() as usize;
        let all = planes.iter().chain(fixed);
        let longest = all.clone().map(row_words).max();
        let row_bytes = 4 * longest.unwrap_or(0).max(1) as u64;
        let limit = self.gpu.largest_plane();
        let most_rows = u32::try_from(limit / row_bytes).unwrap_or(u32::MAX);
        if most_rows == 0 {
            return Err(EngineError::TooLarge {
                size,
                needed: row_bytes,
                limit,
                adapter: self.gpu.name().into(),
            });
        }
        let fits = |last: &(FamilyName, DeviceBoard)| (last.0, last.1.size) == (family, size);
        // Old planes that do not fit go first: both sets may not fit together.
        let uploaded = match self.uploaded.take().filter(fits) {
            Some((_, uploaded)) => uploaded,
            None => {
                let bands = (0..size.height()).step_by(most_rows as usize).map(|first| {
                    let own = first..first.saturating_add(most_rows).min(size.height());
                    let height = own.end - own.start;
                    let plane = |words: &&[u32]| {
                        self.plane(4 * row_words(words) as u64 * u64::from(height))
                    };
                    DeviceBand {
                        own,
                        above: 0,
                        height,
                        planes: planes.iter().map(plane).collect(),
                        fixed: fixed.iter().map(plane).collect(),
                    }
                });
                DeviceBoard {
                    size,
                    bands: bands.collect(),
                }
            }
        };
        for band in &uploaded.bands {
            let buffers = band.planes.iter().chain(&band.fixed);
            for (buffer, words) in buffers.zip(all.clone()) {
                let [first, end] =
                    [band.own.start, band.own.end].map(|row| row as usize * row_words(words));
                let mut offset = 0;
                for part in words[first..end].chunks(TRANSFER_BYTES / 4) {
                    let bytes: &[u8] = bytemuck::cast_slice(part);
                    self.device.queue.write_buffer(buffer, offset, bytes);
                    // Submitting frees the staging memory of one part before the next is written.
                    self.device.queue.submit([]);
                    offset += bytes.len() as u64;
                }
            }
        }
        self.uploaded = Some((family, uploaded.clone()));
        self.check()?;
        Ok(uploaded)
    }
}
