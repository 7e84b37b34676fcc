//! Slow pictures, drawn in bands, one band per call, while later generations are computed.

use super::view::RenderFamily;
use super::{Frame, Renderer, Style, Target};
use crate::engine::EngineError;
use crate::engine::gpu::{DeviceBand, DeviceBoard};
use crate::render::camera::{View, Zoom};

/// Words of a plane that a software adapter reads for a band of a picture, at most.
pub(super) const BAND_WORDS: u64 = 3 << 17;

/// A picture of the copied board that is drawn in bands.
#[derive(Clone, Copy)]
pub(super) struct Unfinished {
    frame: Frame,
    /// The first row of pixels that is not drawn yet.
    next_row: u32,
}

impl Renderer {
    /// Lets [`draw_next`](Self::draw_next) read about this many words for a band, instead of a number
    /// that suits the device.
    pub const fn with_band_words(mut self, words: u64) -> Self {
        self.band_words = Some(words);
        self
    }

    /// Like [`draw`](Self::draw), for the next of many pictures in one view. For one that takes long the
    /// board is copied; later calls draw it in [bands](Self::is_unfinished), one per call, and ignore the
    /// board they are given. Until it is done the texture shows the picture before it.
    ///
    /// # Errors
    /// As [`draw`](Self::draw).
    pub fn draw_next<B: RenderFamily>(
        &mut self,
        board: &DeviceBoard,
        view: &View,
        style: &Style,
    ) -> Result<Option<wgpu::Texture>, EngineError> {
        let rows = self.band_rows(view);
        if rows >= view.height {
            return self.draw::<B>(board, view, style);
        }
        let Some(mut target) = self.target(view)? else {
            return Ok(None);
        };
        let mut encoder = self.encoder();
        let frame = Frame::new::<B>(view, style);
        let goes_on = |last: &Unfinished| last.frame == frame;
        let next_pixels = match target.next_pixels.take() {
            Some(pixels) => pixels,
            None => Target::pixels(&self.device.device, target.stride, target.height),
        };
        let picture = match (self.unfinished.take().filter(goes_on), self.copied.take()) {
            (Some(mut picture), Some(copied)) => {
                let end = picture.next_row.saturating_add(rows).min(view.height);
                let band = picture.next_row..end;
                let drawn = self.draw_rows(&copied, &frame, &next_pixels, band);
                self.copied = Some(copied);
                drawn?;
                picture.next_row = end;
                picture
            }
            (_, copied) => {
                self.copied = copied;
                // A copy takes about as long as a band.
                self.copy(&mut encoder, board);
                Unfinished { frame, next_row: 0 }
            }
        };
        if picture.next_row < view.height {
            target.next_pixels = Some(next_pixels);
            self.unfinished = Some(picture);
        } else {
            target.next_pixels = Some(std::mem::replace(&mut target.pixels, next_pixels));
            target.copy_to_texture(&mut encoder);
        }
        self.device.queue.submit([encoder.finish()]);
        let texture = target.texture.clone();
        self.target = Some(target);
        Ok(Some(texture))
    }

    /// Whether a picture has bands that are not drawn yet.
    pub const fn is_unfinished(&self) -> bool {
        self.unfinished.is_some()
    }

    /// Rows of pixels of a band.
    fn band_rows(&self, view: &View) -> u32 {
        let cells = match view.zoom {
            Zoom::Magnified(_) => return u32::MAX,
            Zoom::Minified(cells) => u64::from(cells),
        };
        let row_words = u64::from(view.width) * cells * (cells / 32 + 2);
        let rows = self
            .band_words
            .map_or(u64::MAX, |words| words / row_words.max(1));
        u32::try_from(rows).unwrap_or(u32::MAX).max(1)
    }

    /// Records that a board is copied: what is computed next may write over it.
    fn copy(&mut self, encoder: &mut wgpu::CommandEncoder, board: &DeviceBoard) {
        let sizes = |board: &DeviceBoard| -> Vec<u64> {
            let planes = board.bands.iter().flat_map(DeviceBand::all_planes);
            planes.map(wgpu::Buffer::size).collect()
        };
        let fits = |last: &DeviceBoard| last.size == board.size && sizes(last) == sizes(board);
        let copied = match self.copied.take().filter(fits) {
            Some(copied) => copied,
            None => {
                let like = |buffers: &[wgpu::Buffer]| {
                    let buffers = buffers.iter();
                    buffers.map(|buffer| self.plane(buffer.size())).collect()
                };
                let bands = board.bands.iter().map(|band| DeviceBand {
                    own: band.own.clone(),
                    planes: like(&band.planes),
                    fixed: like(&band.fixed),
                    ..*band
                });
                DeviceBoard {
                    size: board.size,
                    bands: bands.collect(),
                }
            }
        };
        let from = board.bands.iter().flat_map(DeviceBand::all_planes);
        let to = copied.bands.iter().flat_map(DeviceBand::all_planes);
        for (from, to) in from.zip(to) {
            encoder.copy_buffer_to_buffer(from, 0, to, 0, from.size());
        }
        self.copied = Some(copied);
    }
}
