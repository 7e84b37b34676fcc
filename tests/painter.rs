use duolife::board::{Board, Cell, Edges, Size, start};
use duolife::engine::Engine;
use duolife::engine::gpu::GpuEngine;
use duolife::render::camera::{Camera, View, Zoom};
use duolife::render::painter::{LINES_FROM, Painter, Style};
use duolife::render::{Palette, Picture, PictureSize, averaged_colour};
use duolife::rules::{Rule, Ruleset, Ties};
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg32;

type Rgb = [u8; 3];

const STYLE: Style = Style {
    palette: Palette::DEFAULT,
    edges: Edges::Dead,
    lines: None,
    any_live: false,
};

/// A picture drawn in bands is that of the board with which it was begun, whatever comes in between,
/// and until it is done the last one is shown.
#[test]
fn pictures_drawn_in_bands_are_whole_pictures() {
    let Some(kernels) = crate::kernels() else {
        return;
    };
    let boards = [1, 2, 3].map(|seed| start::random(size(700, 500), 0.4, seed).unwrap());
    let mut painter = Painter::new(kernels.gpu()).unwrap().with_band_words(5000);
    let mut whole = Painter::new(kernels.gpu()).unwrap();
    let view = View {
        width: 130,
        height: 90,
        zoom: Zoom::Shrunk(6),
        origin: (3, 2),
    };
    let mut drawn = |board: &Board| {
        let planes = whole.upload(board).unwrap();
        whole.draw(&planes, &view, &STYLE).unwrap();
        whole.pixels().unwrap()
    };
    let pictures = boards.each_ref().map(&mut drawn);
    let planes = painter.upload(&boards[0]).unwrap();
    painter.draw(&planes, &view, &STYLE).unwrap();
    let mut shown = 0;
    for next in [1, 2, 0] {
        let mut calls = 0;
        loop {
            // The engine goes on while the picture is drawn.
            let now = if calls == 0 { next } else { (next + calls) % 3 };
            let planes = painter.upload(&boards[now]).unwrap();
            painter.draw_next(&planes, &view, &STYLE).unwrap();
            calls += 1;
            if !painter.is_unfinished() {
                break;
            }
            assert!(
                painter.pixels().unwrap() == pictures[shown],
                "half a picture"
            );
        }
        assert!(calls > 3, "one band in {calls}");
        shown = next;
        assert!(painter.pixels().unwrap() == pictures[shown]);
    }
}

fn size(width: u64, height: u64) -> Size {
    Size::new(width, height).unwrap()
}

/// What a pixel of a view shows, by the plain definition.
fn expected(board: &Board, view: &View, style: &Style, x: u32, y: u32) -> Rgb {
    let (width, height) = (
        i64::from(board.size().width()),
        i64::from(board.size().height()),
    );
    let (left, top) = view.unbounded_cell(x as i32, y as i32);
    let side = match view.zoom {
        Zoom::Enlarged(_) => 1,
        Zoom::Shrunk(cells) => i64::from(cells),
    };
    let torus = style.edges == Edges::Torus;
    let [mut total, mut live, mut blue] = [0; 3];
    for (x, y) in (top..top + side).flat_map(|y| (left..left + side).map(move |x| (x, y))) {
        let inside = (0..width).contains(&x) && (0..height).contains(&y);
        if inside || torus {
            let cell = board.get(x.rem_euclid(width) as u32, y.rem_euclid(height) as u32);
            total += 1;
            live += u64::from(cell != Cell::Dead);
            blue += u64::from(cell == Cell::Blue);
        }
    }
    if total == 0 {
        return style.palette.outside;
    }
    let mut colour = averaged_colour(&style.palette, total, live, blue);
    if style.any_live && live > 0 {
        colour = averaged_colour(&style.palette, live, live, blue);
    }
    if let (Some(line), Zoom::Enlarged(pixels)) = (style.lines, view.zoom)
        && pixels >= LINES_FROM
    {
        let first = |at: u32, origin: i32| (at as i32 - origin).rem_euclid(pixels as i32) == 0;
        if first(x, view.origin.0) || first(y, view.origin.1) {
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

fn assert_drawn(painter: &mut Painter, board: &Board, view: &View, style: &Style) {
    let planes = painter.upload(board).unwrap();
    painter.draw(&planes, view, style).unwrap().unwrap();
    let drawn = painter.pixels().unwrap();
    assert_eq!(drawn.len(), (view.width * view.height) as usize);
    for (at, &found) in drawn.iter().enumerate() {
        let (x, y) = (at as u32 % view.width, at as u32 / view.width);
        assert_eq!(
            found,
            expected(board, view, style, x, y),
            "pixel ({x}, {y}) of {view:?}, board {}, {style:?}",
            board.size()
        );
    }
}

#[test]
fn random_views_are_drawn_as_defined() {
    let Some(kernels) = crate::kernels() else {
        return;
    };
    let mut painter = Painter::new(kernels.gpu()).unwrap();
    let mut random = Pcg32::seed_from_u64(7);
    let mut below = |n: u32| random.next_u32() % n;
    for round in 0..120 {
        let board_size = size(u64::from(below(150)) + 1, u64::from(below(90)) + 1);
        let density = [0.02, 0.3, 0.9, 1.0][below(4) as usize];
        let board = start::random(board_size, density, round).unwrap();
        let zoom = match below(3) {
            0 => Zoom::Enlarged(1 + below(20)),
            1 => Zoom::Shrunk(2 + below(12)),
            _ => Zoom::Shrunk(2 + below(140)),
        };
        let side = zoom.pixels_a_cell();
        let span = |cells: u32| (f64::from(cells) * side) as i32 + 40;
        let (across, down) = (span(board_size.width()), span(board_size.height()));
        let view = View {
            width: 1 + below(90),
            height: 1 + below(40),
            origin: (
                below(2 * across as u32) as i32 - across,
                below(2 * down as u32) as i32 - down,
            ),
            zoom,
        };
        let style = Style {
            palette: if below(2) == 0 {
                Palette::DEFAULT
            } else {
                Palette::DEFAULT.swapped()
            },
            edges: if below(2) == 0 {
                Edges::Torus
            } else {
                Edges::Dead
            },
            lines: (below(2) == 0).then_some([50, 60, 70]),
            any_live: below(4) == 0,
        };
        assert_drawn(&mut painter, &board, &view, &style);
    }
}

#[test]
fn a_fitted_board_is_the_picture_of_the_cpu() {
    let Some(kernels) = crate::kernels() else {
        return;
    };
    let mut painter = Painter::new(kernels.gpu()).unwrap();
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
        let planes = painter.upload(&board).unwrap();
        painter.draw(&planes, &view, &STYLE).unwrap().unwrap();
        let drawn = painter.pixels().unwrap();
        let fit = PictureSize::Fit { width, height };
        let picture = Picture::draw(&board, fit, Palette::DEFAULT).unwrap();
        for (at, &found) in drawn.iter().enumerate() {
            let (x, y) = (at as u32 % width, at as u32 / width);
            assert_eq!(
                found,
                picture.colour(x, y),
                "({x}, {y}) of {columns}x{rows}"
            );
        }
    }
}

#[test]
fn many_cells_a_pixel_do_not_overflow() {
    let Some(kernels) = crate::kernels() else {
        return;
    };
    let mut painter = Painter::new(kernels.gpu()).unwrap();
    for density in [0.0001, 1.0] {
        let mut board = start::random(size(4100, 4096), density, 3).unwrap();
        board.set(1, 1, Cell::Red);
        let view = View {
            width: 4,
            height: 3,
            origin: (0, 0),
            zoom: Zoom::Shrunk(2048),
        };
        let style = Style {
            edges: Edges::Torus,
            ..STYLE
        };
        assert_drawn(&mut painter, &board, &view, &style);
        assert_drawn(&mut painter, &board, &view, &STYLE);
    }
    // A board much smaller than a pixel repeats under it many times.
    for (columns, rows) in [(1, 1), (1, 7), (3, 1), (33, 5)] {
        let board = start::random(size(columns, rows), 0.6, 1).unwrap();
        let view = View {
            width: 2,
            height: 2,
            origin: (1, 1),
            zoom: Zoom::Shrunk(2048),
        };
        let style = Style {
            edges: Edges::Torus,
            ..STYLE
        };
        assert_drawn(&mut painter, &board, &view, &style);
        assert_drawn(&mut painter, &board, &view, &STYLE);
    }
}

#[test]
fn an_engines_own_buffers_are_drawn_as_they_are_now() {
    let Some(kernels) = crate::kernels() else {
        return;
    };
    let mut painter = Painter::new(kernels.gpu()).unwrap();
    let ruleset = Ruleset {
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
        painter.draw(&shown, &view, &STYLE).unwrap().unwrap();
        let drawn = painter.pixels().unwrap();
        let board = engine.read().unwrap();
        for (at, &found) in drawn.iter().enumerate() {
            let (x, y) = (at as u32 % 130, at as u32 / 130);
            assert_eq!(found, expected(&board, &view, &STYLE, x, y), "({x}, {y})");
        }
    }
}

#[test]
fn a_view_of_no_pixels_draws_nothing_and_the_next_one_is_right() {
    let Some(kernels) = crate::kernels() else {
        return;
    };
    let mut painter = Painter::new(kernels.gpu()).unwrap();
    let board = start::random(size(20, 10), 0.5, 1).unwrap();
    let planes = painter.upload(&board).unwrap();
    for (width, height) in [(0, 0), (0, 600), (800, 0), (u32::MAX, 5)] {
        let view = Camera::fit(board.size(), width, height).view(width, height);
        assert!(painter.draw(&planes, &view, &STYLE).unwrap().is_none());
    }
    for (width, height) in [(1, 1), (80, 60)] {
        let view = Camera::fit(board.size(), width, height).view(width, height);
        assert_drawn(&mut painter, &board, &view, &STYLE);
    }
}
