use duolife::board::rezolution::{Ground, RezolutionCell};
use duolife::board::{Edges, LifelikeBoard, LifelikeCell, RezolutionBoard, Size, start};
use duolife::engine::Engine;
use duolife::engine::gpu::{DeviceBoard, Gpu, GpuEngine, Handles};
use duolife::render::camera::{Camera, View, Zoom};
use duolife::render::renderer::blit::Blit;
use duolife::render::renderer::{LINES_FROM, Renderer, Style};
use duolife::render::rezolution::brightness;
use duolife::render::{Draw, Palette, Picture, PictureSize, averaged_colour};
use duolife::rules::{LifelikeRuleset, RezolutionRuleset, Rule, Ties};
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
    let mut renderer = Renderer::new(kernels.gpu()).unwrap().with_band_words(5000);
    let mut whole = Renderer::new(kernels.gpu()).unwrap();
    let view = View {
        width: 130,
        height: 90,
        zoom: Zoom::Minified(6),
        origin: (3, 2),
    };
    let mut drawn = |board: &LifelikeBoard| {
        let planes = whole.upload(board).unwrap();
        whole.draw(&planes, &view, &STYLE).unwrap();
        whole.pixels().unwrap()
    };
    let pictures = boards.each_ref().map(&mut drawn);
    let planes = renderer.upload(&boards[0]).unwrap();
    renderer.draw(&planes, &view, &STYLE).unwrap();
    let mut shown = 0;
    for next in [1, 2, 0] {
        let mut calls = 0;
        loop {
            // The engine goes on while the picture is drawn.
            let now = if calls == 0 { next } else { (next + calls) % 3 };
            let planes = renderer.upload(&boards[now]).unwrap();
            renderer.draw_next(&planes, &view, &STYLE).unwrap();
            calls += 1;
            if !renderer.is_unfinished() {
                break;
            }
            assert!(
                renderer.pixels().unwrap() == pictures[shown],
                "half a picture"
            );
        }
        assert!(calls > 3, "one band in {calls}");
        shown = next;
        assert!(renderer.pixels().unwrap() == pictures[shown]);
    }
}

/// The renderer's texture comes to the screen as it is, on targets of every kind.
#[test]
fn the_screen_shows_the_pixels_of_the_picture() {
    let Some(kernels) = crate::kernels() else {
        return;
    };
    let board = start::random(size(400, 300), 0.4, 1).unwrap();
    let mut renderer = Renderer::new(kernels.gpu()).unwrap();
    let view = View {
        width: 131,
        height: 90,
        zoom: Zoom::Minified(4),
        origin: (7, 2),
    };
    let planes = renderer.upload(&board).unwrap();
    let texture = renderer.draw(&planes, &view, &STYLE).unwrap().unwrap();
    let picture = renderer.pixels().unwrap();
    // The window is larger than its canvas.
    let (left, top, width, height) = (5, 3, 192, 100);
    for format in [
        wgpu::TextureFormat::Rgba8Unorm,
        wgpu::TextureFormat::Rgba8UnormSrgb,
        wgpu::TextureFormat::Bgra8Unorm,
    ] {
        let blit = Blit::new(kernels.gpu(), format).unwrap();
        let shown = blit.shown(&texture);
        let pixels = on_screen(kernels.gpu(), format, [width, height], |pass| {
            let [left, top, width, height] = [left, top, view.width, view.height].map(|n| n as f32);
            pass.set_viewport(left, top, width, height, 0.0, 1.0);
            shown.draw(pass);
        });
        for y in 0..height {
            for x in 0..width {
                let pixel = pixels[(y * width + x) as usize];
                let inside =
                    (left..left + view.width).contains(&x) && (top..top + view.height).contains(&y);
                let expected = match inside {
                    true => picture[((y - top) * view.width + x - left) as usize],
                    false => [0; 3],
                };
                assert_eq!(pixel, expected, "{format:?}, {x}, {y}");
            }
        }
    }
}

/// The pixels of a black target after a render pass. Rows have a multiple of 64 pixels.
fn on_screen(
    gpu: &Gpu,
    format: wgpu::TextureFormat,
    [width, height]: [u32; 2],
    draw: impl FnOnce(&mut wgpu::RenderPass<'_>),
) -> Vec<Rgb> {
    let Handles { device, queue, .. } = gpu.handles();
    let target = device.create_texture(&wgpu::TextureDescriptor {
        label: None,
        size: wgpu::Extent3d {
            width,
            height,
            depth_or_array_layers: 1,
        },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
        view_formats: &[],
    });
    let readback = device.create_buffer(&wgpu::BufferDescriptor {
        label: None,
        size: u64::from(width * height * 4),
        usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    });
    let mut encoder = device.create_command_encoder(&Default::default());
    let view = target.create_view(&Default::default());
    let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        color_attachments: &[Some(wgpu::RenderPassColorAttachment {
            view: &view,
            depth_slice: None,
            resolve_target: None,
            ops: wgpu::Operations {
                load: wgpu::LoadOp::Clear(wgpu::Color::BLACK),
                store: wgpu::StoreOp::Store,
            },
        })],
        ..Default::default()
    });
    draw(&mut pass);
    drop(pass);
    encoder.copy_texture_to_buffer(
        target.as_image_copy(),
        wgpu::TexelCopyBufferInfo {
            buffer: &readback,
            layout: wgpu::TexelCopyBufferLayout {
                offset: 0,
                bytes_per_row: Some(width * 4),
                rows_per_image: None,
            },
        },
        target.size(),
    );
    queue.submit([encoder.finish()]);
    readback
        .slice(..)
        .map_async(wgpu::MapMode::Read, |mapped| mapped.unwrap());
    device.poll(wgpu::PollType::wait_indefinitely()).unwrap();
    let bytes = readback.slice(..).get_mapped_range().unwrap();
    let is_bgra = format == wgpu::TextureFormat::Bgra8Unorm;
    let pixels = bytes.as_chunks::<4>().0.iter();
    pixels
        .map(|&[a, g, c, _]| if is_bgra { [c, g, a] } else { [a, g, c] })
        .collect()
}

fn size(width: u64, height: u64) -> Size {
    Size::new(width, height).unwrap()
}

/// What a pixel of a view shows, by the plain definition.
fn expected(board: &LifelikeBoard, view: &View, style: &Style, x: u32, y: u32) -> Rgb {
    let (width, height) = (
        i64::from(board.size().width()),
        i64::from(board.size().height()),
    );
    let (left, top) = view.unbounded_cell(x as i32, y as i32);
    let side = match view.zoom {
        Zoom::Magnified(_) => 1,
        Zoom::Minified(cells) => i64::from(cells),
    };
    let torus = style.edges == Edges::Torus;
    let [mut total, mut live, mut blue] = [0; 3];
    for (x, y) in (top..top + side).flat_map(|y| (left..left + side).map(move |x| (x, y))) {
        let inside = (0..width).contains(&x) && (0..height).contains(&y);
        if inside || torus {
            let cell = board.get(x.rem_euclid(width) as u32, y.rem_euclid(height) as u32);
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

fn assert_drawn(renderer: &mut Renderer, board: &LifelikeBoard, view: &View, style: &Style) {
    let planes = renderer.upload(board).unwrap();
    assert_shown(renderer, &planes, board, view, style);
}

/// The same for a board that is on the device.
pub(crate) fn assert_shown(
    renderer: &mut Renderer,
    planes: &DeviceBoard,
    board: &LifelikeBoard,
    view: &View,
    style: &Style,
) {
    renderer.draw(planes, view, style).unwrap().unwrap();
    let drawn = renderer.pixels().unwrap();
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

/// Some part of a board and of what is around it, with at most `most` pixels a cell.
fn random_view(below: &mut impl FnMut(u32) -> u32, board_size: Size, most: u32) -> View {
    let zoom = match below(3) {
        0 => Zoom::Magnified(1 + below(most)),
        1 => Zoom::Minified(2 + below(12)),
        _ => Zoom::Minified(2 + below(140)),
    };
    let side = zoom.pixels_per_cell();
    let span = |cells: u32| (f64::from(cells) * side) as i32 + 40;
    let (across, down) = (span(board_size.width()), span(board_size.height()));
    View {
        width: 1 + below(90),
        height: 1 + below(40),
        origin: (
            below(2 * across as u32) as i32 - across,
            below(2 * down as u32) as i32 - down,
        ),
        zoom,
    }
}

/// Any style of a palette or of its colours exchanged.
fn random_style(below: &mut impl FnMut(u32) -> u32, palette: Palette) -> Style {
    Style {
        palette: if below(2) == 0 {
            palette
        } else {
            palette.swapped()
        },
        edges: if below(2) == 0 {
            Edges::Torus
        } else {
            Edges::Dead
        },
        lines: (below(2) == 0).then_some([50, 60, 70]),
        any_live: below(4) == 0,
    }
}

#[test]
fn random_views_are_drawn_as_defined() {
    let Some(kernels) = crate::kernels() else {
        return;
    };
    let mut renderer = Renderer::new(kernels.gpu()).unwrap();
    let mut random = Pcg32::seed_from_u64(7);
    let mut below = |n: u32| random.next_u32() % n;
    for round in 0..120 {
        let board_size = size(u64::from(below(150)) + 1, u64::from(below(90)) + 1);
        let density = [0.02, 0.3, 0.9, 1.0][below(4) as usize];
        let board = start::random(board_size, density, round).unwrap();
        let view = random_view(&mut below, board_size, 20);
        let style = random_style(&mut below, Palette::DEFAULT);
        assert_drawn(&mut renderer, &board, &view, &style);
    }
}

/// A board in bands is drawn part by part, whatever is gathered at a time.
#[test]
fn boards_in_bands_are_drawn_as_defined() {
    let Some(kernels) = crate::kernels() else {
        return;
    };
    let mut random = Pcg32::seed_from_u64(8);
    let mut below = |n: u32| random.next_u32() % n;
    let mut renderers = [1, 700, 4000, 1 << 20].map(|bytes| {
        Renderer::new(kernels.gpu())
            .unwrap()
            .with_gathered_bytes(bytes)
    });
    for round in 0..80 {
        let renderer = &mut renderers[round % 4];
        let board_size = size(u64::from(below(150)) + 1, u64::from(below(90)) + 17);
        let view = random_view(&mut below, board_size, 20);
        let band_rows = 8 + below(40);
        if round % 3 == 2 {
            let board = populated(board_size, round as u64);
            let style = random_style(&mut below, Palette::REZOLUTION);
            let ruleset = RezolutionRuleset { edges: style.edges };
            let engine = GpuEngine::new(&kernels, ruleset).unwrap();
            let mut engine = engine.with_band_rows(band_rows);
            engine.load(&board).unwrap();
            let planes = engine.device_board().unwrap();
            renderer.draw(&planes, &view, &style).unwrap().unwrap();
            for (at, found) in (0..).zip(renderer.pixels().unwrap()) {
                let (x, y) = (at % view.width, at / view.width);
                let expected = expected_shade(&board, &view, &style, x, y);
                assert_eq!(found, expected, "({x}, {y}) of {view:?}, {style:?}");
            }
        } else {
            let board = start::random(board_size, 0.4, round as u64).unwrap();
            let style = random_style(&mut below, Palette::DEFAULT);
            let ruleset = LifelikeRuleset {
                rule: Rule::LIFE,
                edges: style.edges,
                ties: Ties::Red,
            };
            let engine = GpuEngine::new(&kernels, ruleset).unwrap();
            let mut engine = engine.with_band_rows(band_rows);
            engine.load(&board).unwrap();
            engine.step(u64::from(below(3))).unwrap();
            let board = engine.read().unwrap();
            let planes = engine.device_board().unwrap();
            assert!(planes.bands.len() > 1 || board_size.height() <= band_rows);
            assert_shown(renderer, &planes, &board, &view, &style);
        }
    }
}

#[test]
fn a_fitted_board_is_the_picture_of_the_cpu() {
    let Some(kernels) = crate::kernels() else {
        return;
    };
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
        renderer.draw(&planes, &view, &STYLE).unwrap().unwrap();
        let drawn = renderer.pixels().unwrap();
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
    let mut renderer = Renderer::new(kernels.gpu()).unwrap();
    for density in [0.0001, 1.0] {
        let mut board = start::random(size(4100, 4096), density, 3).unwrap();
        board.set(1, 1, LifelikeCell::Red);
        let view = View {
            width: 4,
            height: 3,
            origin: (0, 0),
            zoom: Zoom::Minified(2048),
        };
        let style = Style {
            edges: Edges::Torus,
            ..STYLE
        };
        assert_drawn(&mut renderer, &board, &view, &style);
        assert_drawn(&mut renderer, &board, &view, &STYLE);
    }
    // A board much smaller than a pixel repeats under it many times.
    for (columns, rows) in [(1, 1), (1, 7), (3, 1), (33, 5)] {
        let board = start::random(size(columns, rows), 0.6, 1).unwrap();
        let view = View {
            width: 2,
            height: 2,
            origin: (1, 1),
            zoom: Zoom::Minified(2048),
        };
        let style = Style {
            edges: Edges::Torus,
            ..STYLE
        };
        assert_drawn(&mut renderer, &board, &view, &style);
        assert_drawn(&mut renderer, &board, &view, &STYLE);
    }
}

#[test]
fn an_engines_own_buffers_are_drawn_as_they_are_now() {
    let Some(kernels) = crate::kernels() else {
        return;
    };
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
        renderer.draw(&shown, &view, &STYLE).unwrap().unwrap();
        let drawn = renderer.pixels().unwrap();
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
    let mut renderer = Renderer::new(kernels.gpu()).unwrap();
    let board = start::random(size(20, 10), 0.5, 1).unwrap();
    let planes = renderer.upload(&board).unwrap();
    for (width, height) in [(0, 0), (0, 600), (800, 0), (u32::MAX, 5)] {
        let view = Camera::fit(board.size(), width, height).view(width, height);
        assert!(renderer.draw(&planes, &view, &STYLE).unwrap().is_none());
    }
    for (width, height) in [(1, 1), (80, 60)] {
        let view = Camera::fit(board.size(), width, height).view(width, height);
        assert_drawn(&mut renderer, &board, &view, &STYLE);
    }
}

/// The style of boards of populations.
const POPULATION_STYLE: Style = Style {
    palette: Palette::REZOLUTION,
    ..STYLE
};

/// A board with some of everything.
fn populated(board_size: Size, seed: u64) -> RezolutionBoard {
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
        board.set(x, y, RezolutionCell { population, ground });
    }
    board
}

/// What a pixel of a view of populations shows, by the plain definition.
fn expected_shade(board: &RezolutionBoard, view: &View, style: &Style, x: u32, y: u32) -> Rgb {
    let (width, height) = (
        i64::from(board.size().width()),
        i64::from(board.size().height()),
    );
    let marks = style.palette.marks.unwrap();
    let (left, top) = view.unbounded_cell(x as i32, y as i32);
    let torus = style.edges == Edges::Torus;
    let inside = |x: i64, y: i64| (0..width).contains(&x) && (0..height).contains(&y);
    let spot = |x: i64, y: i64| {
        (inside(x, y) || torus)
            .then(|| board.get(x.rem_euclid(width) as u32, y.rem_euclid(height) as u32))
    };
    let side = match view.zoom {
        Zoom::Magnified(_) => 1,
        Zoom::Minified(cells) => i64::from(cells),
    };
    let places = (top..top + side).flat_map(|y| (left..left + side).map(move |x| (x, y)));
    let spots: Vec<RezolutionCell> = places.filter_map(|(x, y)| spot(x, y)).collect();
    if spots.is_empty() {
        return style.palette.outside;
    }
    let [mut open, mut live, mut blue] = [0; 3];
    for spot in &spots {
        open += u64::from(spot.ground != Ground::Barrier);
        let bright = u64::from(brightness(spot.population));
        let weight = ((bright * bright + 127) / 255).max(u64::from(bright > 0));
        live += weight;
        blue += if spot.population < 0 { weight } else { 0 };
    }
    let total = spots.len() as u64;
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
    let is_target = spots.iter().any(|spot| spot.ground == Ground::Target);
    match view.zoom {
        Zoom::Minified(_) if is_target => colour = marks.target,
        Zoom::Minified(_) => {}
        Zoom::Magnified(pixels) => {
            let at = [(x, view.origin.0), (y, view.origin.1)]
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

#[test]
fn random_views_of_populations_are_drawn_as_defined() {
    let Some(kernels) = crate::kernels() else {
        return;
    };
    let mut renderer = Renderer::new(kernels.gpu()).unwrap();
    let mut random = Pcg32::seed_from_u64(11);
    let mut below = |n: u32| random.next_u32() % n;
    for round in 0..160 {
        let board_size = size(u64::from(below(150)) + 1, u64::from(below(90)) + 1);
        let board = populated(board_size, round);
        let view = random_view(&mut below, board_size, 30);
        let style = random_style(&mut below, Palette::REZOLUTION);
        let planes = renderer.upload_rezolution(&board).unwrap();
        renderer.draw(&planes, &view, &style).unwrap().unwrap();
        let drawn = renderer.pixels().unwrap();
        assert_eq!(drawn.len(), (view.width * view.height) as usize);
        for (at, &found) in drawn.iter().enumerate() {
            let (x, y) = (at as u32 % view.width, at as u32 / view.width);
            let expected = expected_shade(&board, &view, &style, x, y);
            assert_eq!(found, expected, "({x}, {y}) of {view:?}, {style:?}");
        }
    }
}

#[test]
fn populations_at_whole_zooms_are_the_picture_of_the_cpu() {
    let Some(kernels) = crate::kernels() else {
        return;
    };
    let mut renderer = Renderer::new(kernels.gpu()).unwrap();
    for (round, zoom) in (1..=16)
        .chain([24, 33, 64])
        .map(Zoom::Magnified)
        .chain([2, 3, 4, 7, 16, 31, 64, 100].map(Zoom::Minified))
        .enumerate()
    {
        // The sides of a shrunk board are whole pixels, as only then the CPU draws it at a whole zoom.
        let (columns, rows, picture_size) = match zoom {
            Zoom::Magnified(pixels) => (37, 29, PictureSize::Scale(pixels)),
            Zoom::Minified(cells) => {
                let (width, height) = (11, 7);
                let (columns, rows) = (width * cells, height * cells);
                (columns, rows, PictureSize::Fit { width, height })
            }
        };
        let board = populated(size(columns.into(), rows.into()), round as u64);
        let picture = board.draw(picture_size).unwrap();
        let (width, height) = picture_size.pixels(board.size()).unwrap();
        // With a margin, from the middle, and from where the board has begun already.
        for (left, top) in [
            (5, 3),
            (0, 0),
            (-((width / 2) as i32), -((height / 3) as i32)),
        ] {
            let view = View {
                width: width + 9,
                height: height + 8,
                origin: (left, top),
                zoom,
            };
            let planes = renderer.upload_rezolution(&board).unwrap();
            let style = &POPULATION_STYLE;
            renderer.draw(&planes, &view, style).unwrap().unwrap();
            for (at, found) in (0..).zip(renderer.pixels().unwrap()) {
                let (x, y) = (at % view.width, at / view.width);
                let place = (
                    u32::try_from(x as i32 - left).ok().filter(|&x| x < width),
                    u32::try_from(y as i32 - top).ok().filter(|&y| y < height),
                );
                let expected = match place {
                    (Some(x), Some(y)) => picture.colour(x, y),
                    _ => Palette::REZOLUTION.outside,
                };
                assert_eq!(found, expected, "({x}, {y}) of {view:?}");
            }
        }
    }
}

#[test]
fn very_many_populations_a_pixel_do_not_overflow() {
    let Some(kernels) = crate::kernels() else {
        return;
    };
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
        board.set(x, y, RezolutionCell { population, ground });
    }
    let view = View {
        width: 4,
        height: 2,
        origin: (0, 0),
        zoom: Zoom::Minified(2048),
    };
    for edges in [Edges::Torus, Edges::Dead] {
        let style = Style {
            edges,
            ..POPULATION_STYLE
        };
        let planes = renderer.upload_rezolution(&board).unwrap();
        renderer.draw(&planes, &view, &style).unwrap().unwrap();
        for (at, found) in (0..).zip(renderer.pixels().unwrap()) {
            let (x, y) = (at % view.width, at / view.width);
            let expected = expected_shade(&board, &view, &style, x, y);
            assert_eq!(found, expected, "({x}, {y}), {edges:?}");
        }
    }
}

#[test]
fn an_engines_own_populations_are_drawn_after_those_of_another_family() {
    let Some(kernels) = crate::kernels() else {
        return;
    };
    let mut renderer = Renderer::new(kernels.gpu()).unwrap();
    let ground = populated(size(61, 47), 9).emptied();
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
        renderer
            .draw(&shown, &view, &POPULATION_STYLE)
            .unwrap()
            .unwrap();
        let drawn = renderer.pixels().unwrap();
        let board = engine.read().unwrap();
        for (at, &found) in drawn.iter().enumerate() {
            let (x, y) = (at as u32 % 130, at as u32 / 130);
            let expected = expected_shade(&board, &view, &POPULATION_STYLE, x, y);
            assert_eq!(found, expected, "({x}, {y})");
        }
    }
}
