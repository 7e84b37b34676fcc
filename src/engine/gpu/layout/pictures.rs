//! The programs that draw boards, and the one that shows what was drawn.

use bytemuck::{Pod, Zeroable};

use super::{Binding, Program};
use crate::engine::gpu::wgsl::{Assembly, FILES, WgslError, assemble};

/// The programs that draw the boards of a family.
pub struct Pictures {
    /// A picture with at least one pixel a cell: `shaders/view/magnify.wgsl`.
    pub enlarge: Program,
    /// A picture with more than one cell a pixel: `shaders/view/minify.wgsl`.
    pub minify: Program,
}

/// Pictures of dead, red and blue cells: `shaders/view/lifelike.wgsl`.
pub static CELL_PICTURES: Pictures = {
    // Uniforms, the two planes, the pixels.
    const BINDINGS: &[Binding] = &[
        Binding::Uniform,
        Binding::Read,
        Binding::Read,
        Binding::Write,
    ];
    Pictures {
        enlarge: enlarge("enlarge cells", "view/lifelike", BINDINGS),
        minify: minify("minify cells", "view/lifelike", BINDINGS),
    }
};

/// Pictures of populations, barriers and targets: `shaders/view/rezolution.wgsl`.
pub static POPULATION_PICTURES: Pictures = {
    // Uniforms, the levels, barriers and targets, the pixels.
    const BINDINGS: &[Binding] = &[
        Binding::Uniform,
        Binding::Read,
        Binding::Read,
        Binding::Read,
        Binding::Write,
    ];
    Pictures {
        enlarge: enlarge("enlarge populations", "view/rezolution", BINDINGS),
        minify: minify("minify populations", "view/rezolution", BINDINGS),
    }
};

/// A program that shows a picture in a render pass.
pub struct RenderProgram {
    /// Its name, for reports.
    pub name: &'static str,
    /// The file, as in [`FILES`].
    pub file: &'static str,
    /// The entry point of a vertex.
    pub vertex: &'static str,
    /// The entry point of a pixel. The picture is a texture at binding 0.
    pub fragment: &'static str,
}

/// A picture on the screen, one of its pixels on one of the viewport: `shaders/view/blit.wgsl`.
pub static BLIT: RenderProgram = RenderProgram {
    name: "blit",
    file: "view/blit",
    vertex: "corner",
    fragment: "colour",
};

const fn enlarge(name: &'static str, file: &'static str, bindings: &'static [Binding]) -> Program {
    Program {
        name,
        entry_point: "magnify",
        file,
        defines: &[],
        workgroup: 64,
        params_bytes: size_of::<ViewParams>(),
        bindings,
        overrides: &[],
    }
}

const fn minify(name: &'static str, file: &'static str, bindings: &'static [Binding]) -> Program {
    Program {
        entry_point: "minify",
        defines: &["MINIFY"],
        ..enlarge(name, file, bindings)
    }
}

/// Uniforms of all [`Pictures`]. Colours are packed with red in the lowest byte, the
/// highest is 255.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct ViewParams {
    /// Cells of a row.
    pub width: u32,
    /// Rows of the board.
    pub height: u32,
    /// Words of a row of a bit plane.
    pub row_words: u32,
    /// Pixels of a row in memory.
    pub stride: u32,
    /// Pixels of a row.
    pub columns: u32,
    /// Rows of pixels.
    pub rows: u32,
    /// Column of pixels in which the board begins; may be negative.
    pub origin_x: i32,
    /// Row of pixels in which the board begins.
    pub origin_y: i32,
    /// Enlarged: pixels a cell. Shrunk: cells a pixel, at most 2048 for the arithmetic to fit 32
    /// bits.
    pub scale: u32,
    /// A sum of `VIEW_` bits.
    pub flags: u32,
    /// Colour of a dead cell.
    pub dead: u32,
    /// Colour of a red cell.
    pub red: u32,
    /// Colour of a blue cell.
    pub blue: u32,
    /// Colour around the board.
    pub outside: u32,
    /// Colour of the lines between cells.
    pub line: u32,
    /// Shrunk: threads a pixel, a power of two that is at most the workgroup.
    pub lanes: u32,
    /// Colour of a barrier; only boards of populations have such.
    pub barrier_colour: u32,
    /// Colour of the outline of a target.
    pub target_colour: u32,
    /// The row of the board that is row 0 of the planes.
    pub first_row: u32,
    /// Unused; keeps the size a multiple of 16 bytes.
    pub padding: u32,
}

/// Flag of [`ViewParams`]: the board repeats in all directions.
pub const VIEW_TORUS: u32 = 1;
/// Flag of [`ViewParams`]: lines between cells.
pub const VIEW_LINES: u32 = 2;
/// Flag of [`ViewParams`]: a pixel with any live cell is as bright as one with nothing else.
pub const VIEW_ANY: u32 = 4;

impl RenderProgram {
    /// The WGSL text, and where its lines are from.
    ///
    /// # Errors
    /// [`WgslError`] if the files do not fit together.
    pub fn wgsl(&self) -> Result<Assembly, WgslError> {
        assemble(FILES, self.file, &[])
    }
}
