//! The programs that draw boards: `shaders/view/`.

use super::{LINES_FROM, Style};
use crate::board::{Board, Edges, Size};
use crate::engine::gpu::GpuFamily;
use crate::engine::gpu::program::{Binding, Program, uniforms};
use crate::render::camera::{View, Zoom};
use crate::render::palette::{Marks, Palette, Rgb};
use crate::rules::{FAMILIES, FamilyName, Ruleset, of_family};

/// Boards that the renderer draws.
pub trait RenderFamily: Board {
    /// The rules of the family, which give the planes of its boards.
    type Ruleset: GpuFamily<Board = Self>;

    /// The programs that draw them.
    const VIEW: &'static ViewPrograms;
}

/// The programs that draw the boards of a family.
pub struct ViewPrograms {
    /// A picture with at least one pixel to a cell: `shaders/view/magnify.wgsl`.
    pub magnify: Program,
    /// A picture with more than one cell to a pixel: `shaders/view/minify.wgsl`.
    pub minify: Program,
}

impl ViewPrograms {
    /// The programs of `shaders/<file>.wgsl`, which binds this many planes between its uniforms and the pixels.
    pub(in crate::render) const fn new(
        file: &'static str,
        [magnify, minify]: [&'static str; 2],
        planes: usize,
    ) -> Self {
        const fn program(
            file: &'static str,
            name: &'static str,
            defines: &'static [&'static str],
            entry_point: &'static str,
            planes: usize,
        ) -> Program {
            Program {
                name,
                file,
                defines,
                entry_point,
                workgroup: WORKGROUP,
                bindings: bindings(planes),
                overrides: &[],
            }
        }
        Self {
            magnify: program(file, magnify, &[], "magnify", planes),
            minify: program(file, minify, &["MINIFY"], "minify", planes),
        }
    }

    /// The programs of a family.
    pub const fn of(family: FamilyName) -> &'static Self {
        of_family!(family, of_rules())
    }
}

/// The uniforms, the planes, the pixels.
const fn bindings(planes: usize) -> &'static [Binding] {
    const PARAMS: Binding = Binding::Uniform(&ViewParams::STRUCTURE);
    match planes {
        1 => &[PARAMS, Binding::Read, Binding::Write],
        2 => &[PARAMS, Binding::Read, Binding::Read, Binding::Write],
        3 => &[
            PARAMS,
            Binding::Read,
            Binding::Read,
            Binding::Read,
            Binding::Write,
        ],
        _ => unreachable!(),
    }
}

/// The programs of the family of a ruleset.
const fn of_rules<R: Ruleset<Board: RenderFamily>>() -> &'static ViewPrograms {
    <R::Board as RenderFamily>::VIEW
}

/// All programs that draw boards.
pub fn programs() -> impl Iterator<Item = &'static Program> {
    let families = FAMILIES.into_iter().map(ViewPrograms::of);
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
        /// Magnified: pixels of a side of a cell. Minified: cells of a side of a pixel, at most 2048
        /// for the arithmetic to fit 32 bits.
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
        /// Minified: threads of a pixel, a power of two that is at most the workgroup.
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

/// The uniforms of a picture of a whole board in rows of `stride` pixels.
pub(super) fn params(size: Size, view: &View, style: &Style, stride: u32) -> ViewParams {
    let packed = |[red, green, blue]: Rgb| u32::from_le_bytes([red, green, blue, 255]);
    let scale = match view.zoom {
        Zoom::Magnified(scale) | Zoom::Minified(scale) => scale,
    };
    let lines = style
        .lines
        .filter(|_| matches!(view.zoom, Zoom::Magnified(pixels) if pixels >= LINES_FROM));
    let flag = |set: bool, flag: u32| if set { flag } else { 0 };
    let Palette {
        dead,
        red,
        blue,
        outside,
        marks,
    } = style.palette;
    // A palette without marks draws none.
    let Marks { barrier, target } = marks.unwrap_or(Marks {
        barrier: dead,
        target: dead,
    });
    ViewParams {
        width: size.width(),
        height: size.height(),
        row_words: size.row_words() as u32,
        stride,
        columns: view.width,
        rows: view.height,
        origin_x: view.origin.x,
        origin_y: view.origin.y,
        scale,
        flags: flag(style.edges == Edges::Torus, VIEW_TORUS)
            | flag(lines.is_some(), VIEW_LINES)
            | flag(style.any_live, VIEW_ANY),
        dead: packed(dead),
        red: packed(red),
        blue: packed(blue),
        outside: packed(outside),
        line: packed(lines.unwrap_or(dead)),
        lanes: lanes(view.zoom),
        barrier_colour: packed(barrier),
        target_colour: packed(target),
        first_row: 0,
        padding: 0,
    }
}

/// Threads of a workgroup of all [`ViewPrograms`].
const WORKGROUP: u32 = 64;

/// Threads that share a pixel: one for about sixteen rows.
fn lanes(zoom: Zoom) -> u32 {
    match zoom {
        Zoom::Magnified(_) => 1,
        Zoom::Minified(cells) => (cells / 16).next_power_of_two().clamp(1, WORKGROUP),
    }
}
