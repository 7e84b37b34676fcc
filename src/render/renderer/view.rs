//! The programs that draw boards: `shaders/view/`.

use crate::engine::gpu::program::{Binding, Program, uniforms};

/// The programs that draw the boards of a family.
pub struct ViewPrograms {
    /// A picture with at least one pixel to a cell: `shaders/view/magnify.wgsl`.
    pub magnify: Program,
    /// A picture with more than one cell to a pixel: `shaders/view/minify.wgsl`.
    pub minify: Program,
}

/// Pictures of dead, red and blue cells: `shaders/view/lifelike.wgsl`.
pub static LIFELIKE_VIEW: ViewPrograms = {
    const MAGNIFY: Program = Program {
        name: "magnify lifelike",
        file: "view/lifelike",
        defines: &[],
        entry_point: "magnify",
        workgroup: 64,
        // The two planes, the pixels.
        bindings: &[
            Binding::Uniform(&ViewParams::STRUCTURE),
            Binding::Read,
            Binding::Read,
            Binding::Write,
        ],
        overrides: &[],
    };
    ViewPrograms {
        magnify: MAGNIFY,
        minify: Program {
            name: "minify lifelike",
            defines: &["MINIFY"],
            entry_point: "minify",
            ..MAGNIFY
        },
    }
};

/// Pictures of populations, barriers and targets: `shaders/view/rezolution.wgsl`.
pub static REZOLUTION_VIEW: ViewPrograms = {
    const MAGNIFY: Program = Program {
        name: "magnify rezolution",
        file: "view/rezolution",
        defines: &[],
        entry_point: "magnify",
        workgroup: 64,
        // The populations, barriers and targets, the pixels.
        bindings: &[
            Binding::Uniform(&ViewParams::STRUCTURE),
            Binding::Read,
            Binding::Read,
            Binding::Read,
            Binding::Write,
        ],
        overrides: &[],
    };
    ViewPrograms {
        magnify: MAGNIFY,
        minify: Program {
            name: "minify rezolution",
            defines: &["MINIFY"],
            entry_point: "minify",
            ..MAGNIFY
        },
    }
};

/// All programs that draw boards.
pub fn programs() -> impl Iterator<Item = &'static Program> {
    let families = [&LIFELIKE_VIEW, &REZOLUTION_VIEW].into_iter();
    families.flat_map(|view| [&view.magnify, &view.minify])
}

uniforms! {
    /// Uniforms of all [`ViewPrograms`]. Colours are packed with red in the lowest byte, the
    /// highest is 255.
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
        /// Enlarged: pixels of a side of a cell. Shrunk: cells of a side of a pixel, at most 2048 for the arithmetic to fit 32
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
        /// Shrunk: threads of a pixel, a power of two that is at most the workgroup.
        pub lanes: u32,
        /// Colour of a barrier; only boards of reZolution have such.
        pub barrier_colour: u32,
        /// Colour of the outline of a target.
        pub target_colour: u32,
        /// The row of the board that is row 0 of the planes.
        pub first_row: u32,
        /// Unused; keeps the size a multiple of 16 bytes.
        pub padding: u32,
    }
}

/// Flag of [`ViewParams`]: the board repeats in all directions.
pub const VIEW_TORUS: u32 = 1;
/// Flag of [`ViewParams`]: lines between cells.
pub const VIEW_LINES: u32 = 2;
/// Flag of [`ViewParams`]: a pixel with any live cell is as bright as one with nothing else.
pub const VIEW_ANY: u32 = 4;
