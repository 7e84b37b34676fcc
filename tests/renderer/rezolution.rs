use duolife::board::rezolution::{Ground, RezolutionCell};
use duolife::board::{Edges, RezolutionBoard, Size, start};
use duolife::engine::Engine;
use duolife::engine::gpu::GpuEngine;
use duolife::render::camera::{Camera, View, Zoom};
use duolife::render::renderer::{LINES_FROM, Renderer, Style};
use duolife::render::rezolution::brightness;
use duolife::render::{Draw, Palette, PictureSize, averaged_colour};
use duolife::rules::RezolutionRuleset;
use glam::{I64Vec2, UVec2, ivec2, uvec2};
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg32;

use super::{Defined, Rgb, STYLE, assert_drawn, assert_shown};
use crate::support::boards::size;
use crate::support::kernels;

const REZOLUTION_STYLE: Style = Style {
    palette: Palette::REZOLUTION,
    ..STYLE
};

#[test]
fn whole_zooms_are_the_picture_of_the_cpu() {
    let Some(kernels) = kernels() else { return };
    let mut renderer = Renderer::new(kernels.gpu()).unwrap();
    for (round, zoom) in (1..=16)
        .chain([24, 33, 64])
        .map(Zoom::Magnified)
        .chain([2, 3, 4, 7, 16, 31, 64, 100].map(Zoom::Minified))
        .enumerate()
    {
        // The sides of a minified board are whole pixels: only then the CPU draws it at a whole zoom.
        let (columns, rows, picture_size) = match zoom {
            Zoom::Magnified(pixels) => (37, 29, PictureSize::Scale(pixels)),
            Zoom::Minified(cells) => {
                let (width, height) = (11, 7);
                let (columns, rows) = (width * cells, height * cells);
                (columns, rows, PictureSize::Fit { width, height })
            }
        };
        let board = random_board(size(columns.into(), rows.into()), round as u64);
        let picture = board.draw(picture_size).unwrap();
        let UVec2 {
            x: width,
            y: height,
        } = picture_size.pixels(board.size()).unwrap();
        // With a margin, from the middle, and from where the board has begun already.
        for (left, top) in [
            (5, 3),
            (0, 0),
            (-((width / 2) as i32), -((height / 3) as i32)),
        ] {
            let view = View {
                width: width + 9,
                height: height + 8,
                origin: ivec2(left, top),
                zoom,
            };
            let planes = renderer.upload(&board).unwrap();
            let style = &REZOLUTION_STYLE;
            renderer
                .draw::<RezolutionBoard>(&planes, &view, style)
                .unwrap()
                .unwrap();
            for (at, found) in (0..).zip(renderer.pixels().unwrap()) {
                let (x, y) = (at % view.width, at / view.width);
                let place = (
                    u32::try_from(x as i32 - left).ok().filter(|&x| x < width),
                    u32::try_from(y as i32 - top).ok().filter(|&y| y < height),
                );
                let expected = match place {
                    (Some(x), Some(y)) => picture.colour(uvec2(x, y)),
                    _ => Palette::REZOLUTION.outside,
                };
                assert_eq!(found, expected, "({x}, {y}) of {view:?}");
            }
        }
    }
}

#[test]
fn many_cells_per_pixel_do_not_overflow() {
    let Some(kernels) = kernels() else { return };
    let mut renderer = Renderer::new(kernels.gpu()).unwrap();
    let mut board = RezolutionBoard::new(size(4100, 2048)).unwrap();
    for (x, y) in (0..2048).flat_map(|y| (0..4100).map(move |x| (x, y))) {
        let ground = match (x + y) % 11 {
            0 if x > 2048 => Ground::Barrier,
            _ => Ground::Open,
        };
        let population = match ground {
            Ground::Barrier => 0,
            _ if x % 3 == 0 => -127,
            _ => 127,
        };
        board.set(uvec2(x, y), RezolutionCell { population, ground });
    }
    let view = View {
        width: 4,
        height: 2,
        origin: ivec2(0, 0),
        zoom: Zoom::Minified(2048),
    };
    for edges in [Edges::Torus, Edges::Dead] {
        let style = Style {
            edges,
            ..REZOLUTION_STYLE
        };
        assert_drawn(&mut renderer, &board, &view, &style);
    }
}

#[test]
fn an_engines_own_buffers_are_drawn_after_those_of_another_family() {
    let Some(kernels) = kernels() else { return };
    let mut renderer = Renderer::new(kernels.gpu()).unwrap();
    let ground = random_board(size(61, 47), 9).emptied();
    let board = start::demo(&ground, 0.6, 4).unwrap();
    let ruleset = RezolutionRuleset { edges: Edges::Dead };
    let mut engine = GpuEngine::new(&kernels, ruleset).unwrap();
    engine.load(&board).unwrap();
    let view = Camera::fit(size(61, 47), 130, 100).view(130, 100);
    let cells = start::random(size(61, 47), 0.4, 2).unwrap();
    for steps in [0, 1, 1, 7] {
        assert_drawn(&mut renderer, &cells, &view, &STYLE);
        engine.step(steps).unwrap();
        let shown = engine.device_board().unwrap();
        let board = engine.read().unwrap();
        assert_shown(&mut renderer, &shown, &board, &view, &REZOLUTION_STYLE);
    }
}

/// A board with some of everything.
pub(super) fn random_board(board_size: Size, seed: u64) -> RezolutionBoard {
    let mut random = Pcg32::seed_from_u64(seed);
    let mut below = |n: u32| random.next_u32() % n;
    let mut board = RezolutionBoard::new(board_size).unwrap();
    // Full, thin, of one side only, or among many barriers.
    let [populated, most, sides, barriers] = [
        [2, 5, 2, 20],
        [40, 127, 2, 50],
        [1, 127, 1, 1000],
        [3, 30, 2, 2],
        [9, 2, 2, 9],
    ][below(5) as usize];
    let targets = [7, 300, 100_000][below(3) as usize];
    for (x, y) in
        (0..board_size.height()).flat_map(|y| (0..board_size.width()).map(move |x| (x, y)))
    {
        let ground = match (below(barriers), below(targets)) {
            (0, _) => Ground::Barrier,
            (_, 0) => Ground::Target,
            _ => Ground::Open,
        };
        let size = (1 + below(most)) as i8;
        let population = match (ground, below(populated)) {
            (Ground::Barrier, _) | (_, 1..) => 0,
            _ if below(sides) == 1 => -size,
            _ => size,
        };
        board.set(uvec2(x, y), RezolutionCell { population, ground });
    }
    board
}

impl Defined for RezolutionBoard {
    fn pixel(&self, view: &View, style: &Style, x: u32, y: u32) -> Rgb {
        let (width, height) = (
            i64::from(self.size().width()),
            i64::from(self.size().height()),
        );
        let marks = style.palette.marks.unwrap();
        let I64Vec2 { x: left, y: top } = view.unbounded_cell(ivec2(x as i32, y as i32));
        let torus = style.edges == Edges::Torus;
        let inside = |x: i64, y: i64| (0..width).contains(&x) && (0..height).contains(&y);
        let cell = |x: i64, y: i64| {
            (inside(x, y) || torus).then(|| {
                self.cell(uvec2(
                    x.rem_euclid(width) as u32,
                    y.rem_euclid(height) as u32,
                ))
            })
        };
        let side = match view.zoom {
            Zoom::Magnified(_) => 1,
            Zoom::Minified(cells) => i64::from(cells),
        };
        let places = (top..top + side).flat_map(|y| (left..left + side).map(move |x| (x, y)));
        let cells: Vec<RezolutionCell> = places.filter_map(|(x, y)| cell(x, y)).collect();
        if cells.is_empty() {
            return style.palette.outside;
        }
        let [mut open, mut live, mut blue] = [0; 3];
        for cell in &cells {
            open += u64::from(cell.ground != Ground::Barrier);
            let bright = u64::from(brightness(cell.population));
            let weight = ((bright * bright + 127) / 255).max(u64::from(bright > 0));
            live += weight;
            blue += if cell.population < 0 { weight } else { 0 };
        }
        let total = cells.len() as u64;
        let mut colour = marks.barrier;
        if open > 0 {
            let free = match style.any_live && live > 0 {
                true => averaged_colour(&style.palette, live, live, blue),
                false => averaged_colour(&style.palette, 255 * open, live, blue),
            };
            colour = std::array::from_fn(|i| {
                let sum = u64::from(free[i]) * open + u64::from(marks.barrier[i]) * (total - open);
                ((sum + total / 2) / total) as u8
            });
        }
        let is_target = cells.iter().any(|cell| cell.ground == Ground::Target);
        match view.zoom {
            Zoom::Minified(_) if is_target => colour = marks.target,
            Zoom::Minified(_) => {}
            Zoom::Magnified(pixels) => {
                let at = [(x, view.origin.x), (y, view.origin.y)]
                    .map(|(at, origin)| (at as i32 - origin).rem_euclid(pixels as i32) as u32);
                let outline = if pixels < 3 {
                    pixels
                } else {
                    (pixels / 8).max(1)
                };
                if is_target && at.iter().any(|&at| at < outline || at + outline >= pixels) {
                    colour = marks.target;
                } else if let Some(line) = style.lines
                    && pixels >= LINES_FROM
                    && at.contains(&0)
                {
                    colour = line;
                }
            }
        }
        if torus && !inside(left, top) {
            let outside = style.palette.outside;
            colour = std::array::from_fn(|i| u8::midpoint(colour[i], outside[i]));
        }
        colour
    }
}
