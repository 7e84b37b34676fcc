//! Pictures of boards, drawn on the CPU, and for a window on the GPU.
//!
//! A [`Picture`] is made from a board, a [`PictureSize`] and a [`Palette`], and written by
//! [`write_png`], or many of them by a [`FilmWriter`]:
//!
//! ```text
//! board ── PictureSize ──> magnified by a whole number   2 bits per pixel, index into the palette
//!                      └─> minified to fit (average)     24 bits per pixel, mixed colours
//! ```
//!
//! That is how [`lifelike`] draws; boards of reZolution are drawn in shades, 24 bits per pixel at any
//! size (see [`rezolution`]).
//!
//! All arithmetic is in integers, so a picture is the same on every machine, and the shaders of the
//! [`renderer`] draw the same one; the [`camera`] gives its place and scale. Except for the renderer
//! this module does not use the GPU, and it uses no files and no clocks.

mod average;
pub mod camera;
pub mod film;
pub mod lifelike;
pub mod palette;
pub mod picture;
pub mod png;
pub mod renderer;
pub mod rezolution;

pub use self::png::{PngError, write_png};
pub use average::averaged_colour;
pub use film::{FilmError, FilmWriter, FrameRate};
pub use palette::Palette;
pub use picture::{Picture, PictureError, PictureSize, Pixels};

use crate::board::Size;

/// A board that can be drawn in the colours of its family.
pub trait Draw {
    /// Width and height in cells.
    fn size(&self) -> Size;

    /// Draws the board.
    ///
    /// # Errors
    /// [`PictureError`] if the picture would be empty or too large, before any memory is taken, or
    /// if there is no memory.
    fn draw(&self, size: PictureSize) -> Result<Picture, PictureError>;
}
