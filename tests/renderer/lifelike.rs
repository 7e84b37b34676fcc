use duolife::board::{Edges, LifelikeBoard, LifelikeCell, start};
use duolife::engine::Engine;
use duolife::engine::gpu::GpuEngine;
use duolife::render::camera::{Camera, View, Zoom};
use duolife::render::renderer::{LINES_FROM, Renderer, Style};
use duolife::render::{Draw, PictureSize, averaged_colour};
use duolife::rules::{LifelikeRuleset, Rule, Ties};
use glam::{I64Vec2, ivec2, uvec2};

use super::{Defined, Rgb, STYLE, assert_drawn, assert_shown};
use crate::support::boards::size;
use crate::support::kernels;

#[test]
fn a_fitted_board_is_the_picture_of_the_cpu() {
    let Some(kernels) = kernels() else { return };
    let mut renderer = Renderer::new(kernels.gpu()).unwrap();
    // Board, and a window into which it fits at a whole-number zoom.
    for (columns, rows, width, height) in [
        (40, 30, 200, 150),
        (33, 21, 200, 150),
        (200, 150, 200, 150),
        (800, 600, 200, 150),
        (1400, 1050, 200, 150),
    ] {
        let board = start::random(size(columns, rows), 0.2, 5).unwrap();
        let view = Camera::fit(board.size(), width, height).view(width, height);
        let planes = renderer.upload(&board).unwrap();
        renderer
            .draw::<LifelikeBoard>(&planes, &view, &STYLE)
            .unwrap()
            .unwrap();
        let drawn = renderer.pixels().unwrap();
        let fit = PictureSize::Fit { width, height };
        let picture = board.draw(fit).unwrap();
        for (at, &found) in drawn.iter().enumerate() {
            let (x, y) = (at as u32 % width, at as u32 / width);
            assert_eq!(
                found,
                picture.colour(uvec2(x, y)),
                "({x}, {y}) of {columns}x{rows}"
            );
        }
    }
}

#[test]
fn many_cells_per_pixel_do_not_overflow() {
    let Some(kernels) = kernels() else { return };
    let mut renderer = Renderer::new(kernels.gpu()).unwrap();
    for density in [0.0001, 1.0] {
        let mut board = start::random(size(4100, 4096), density, 3).unwrap();
        board.set(uvec2(1, 1), LifelikeCell::Red);
        let view = View {
            width: 4,
            height: 3,
            origin: ivec2(0, 0),
            zoom: Zoom::Minified(2048),
        };
        for edges in [Edges::Torus, Edges::Dead] {
            let style = Style { edges, ..STYLE };
            assert_drawn(&mut renderer, &board, &view, &style);
        }
    }
    // A board much smaller than a pixel repeats under it many times.
    for (columns, rows) in [(1, 1), (1, 7), (3, 1), (33, 5)] {
        let board = start::random(size(columns, rows), 0.6, 1).unwrap();
        let view = View {
            width: 2,
            height: 2,
            origin: ivec2(1, 1),
            zoom: Zoom::Minified(2048),
        };
        for edges in [Edges::Torus, Edges::Dead] {
            let style = Style { edges, ..STYLE };
            assert_drawn(&mut renderer, &board, &view, &style);
        }
    }
}

#[test]
fn an_engines_own_buffers_are_drawn_as_they_are_now() {
    let Some(kernels) = kernels() else { return };
    let mut renderer = Renderer::new(kernels.gpu()).unwrap();
    let ruleset = LifelikeRuleset {
        rule: Rule::LIFE,
        edges: Edges::Torus,
        ties: Ties::Seeded(1),
    };
    let mut engine = GpuEngine::new(&kernels, ruleset).unwrap();
    assert!(engine.device_board().is_none(), "nothing loaded");
    engine
        .load(&start::random(size(61, 47), 0.4, 2).unwrap())
        .unwrap();
    let view = Camera::fit(size(61, 47), 130, 100).view(130, 100);
    for steps in [0, 1, 1, 7] {
        engine.step(steps).unwrap();
        let shown = engine.device_board().unwrap();
        let board = engine.read().unwrap();
        assert_shown(&mut renderer, &shown, &board, &view, &STYLE);
    }
}

impl Defined for LifelikeBoard {
    fn pixel(&self, view: &View, style: &Style, x: u32, y: u32) -> Rgb {
        let (width, height) = (
            i64::from(self.size().width()),
            i64::from(self.size().height()),
        );
        let I64Vec2 { x: left, y: top } = view.unbounded_cell(ivec2(x as i32, y as i32));
        let side = match view.zoom {
            Zoom::Magnified(_) => 1,
            Zoom::Minified(cells) => i64::from(cells),
        };
        let torus = style.edges == Edges::Torus;
        let [mut total, mut live, mut blue] = [0; 3];
        for (x, y) in (top..top + side).flat_map(|y| (left..left + side).map(move |x| (x, y))) {
            let inside = (0..width).contains(&x) && (0..height).contains(&y);
            if inside || torus {
                let cell = self.cell(uvec2(
                    x.rem_euclid(width) as u32,
                    y.rem_euclid(height) as u32,
                ));
                total += 1;
                live += u64::from(cell != LifelikeCell::Dead);
                blue += u64::from(cell == LifelikeCell::Blue);
            }
        }
        if total == 0 {
            return style.palette.outside;
        }
        let mut colour = averaged_colour(&style.palette, total, live, blue);
        if style.any_live && live > 0 {
            colour = averaged_colour(&style.palette, live, live, blue);
        }
        if let (Some(line), Zoom::Magnified(pixels)) = (style.lines, view.zoom)
            && pixels >= LINES_FROM
        {
            let first = |at: u32, origin: i32| (at as i32 - origin).rem_euclid(pixels as i32) == 0;
            if first(x, view.origin.x) || first(y, view.origin.y) {
                colour = line;
            }
        }
        let inside = (0..width).contains(&left) && (0..height).contains(&top);
        if torus && !inside {
            let outside = style.palette.outside;
            colour = std::array::from_fn(|i| u8::midpoint(colour[i], outside[i]));
        }
        colour
    }
}
