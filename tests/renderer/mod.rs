mod lifelike;
mod rezolution;

use duolife::board::{Edges, LifelikeBoard, Size, start};
use duolife::engine::Engine;
use duolife::engine::gpu::{DeviceBoard, Gpu, GpuEngine, Handles};
use duolife::render::Palette;
use duolife::render::camera::{Camera, View, Zoom};
use duolife::render::renderer::blit::Blit;
use duolife::render::renderer::view::RenderFamily;
use duolife::render::renderer::{Renderer, Style};
use duolife::rules::RezolutionRuleset;
use glam::ivec2;
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg32;

use self::rezolution::random_board;
use crate::support::boards::{life, size};
use crate::support::kernels;

type Rgb = [u8; 3];

const STYLE: Style = Style {
    palette: Palette::DEFAULT,
    edges: Edges::Dead,
    lines: None,
    any_live: false,
};

/// A board whose picture is defined pixel by pixel.
pub(crate) trait Defined: RenderFamily {
    /// The colour of a pixel of a view, by the plain definition.
    fn pixel(&self, view: &View, style: &Style, x: u32, y: u32) -> Rgb;
}

/// A picture drawn in bands is that of the board with which it was begun, whatever else is drawn in
/// between, and the one before it is shown until it is complete.
#[test]
fn pictures_drawn_in_bands_are_whole_pictures() {
    let Some(kernels) = kernels() else { return };
    let boards = [1, 2, 3].map(|seed| start::random(size(700, 500), 0.4, seed).unwrap());
    let mut renderer = Renderer::new(kernels.gpu()).unwrap().with_band_words(5000);
    let mut whole = Renderer::new(kernels.gpu()).unwrap();
    let view = View {
        width: 130,
        height: 90,
        zoom: Zoom::Minified(6),
        origin: ivec2(3, 2),
    };
    let mut drawn = |board: &LifelikeBoard| {
        let planes = whole.upload(board).unwrap();
        whole.draw::<LifelikeBoard>(&planes, &view, &STYLE).unwrap();
        whole.pixels().unwrap()
    };
    let pictures = boards.each_ref().map(&mut drawn);
    let planes = renderer.upload(&boards[0]).unwrap();
    renderer
        .draw::<LifelikeBoard>(&planes, &view, &STYLE)
        .unwrap();
    let mut shown = 0;
    for next in [1, 2, 0] {
        let mut calls = 0;
        loop {
            // The engine computes on while the picture is drawn.
            let now = if calls == 0 { next } else { (next + calls) % 3 };
            let planes = renderer.upload(&boards[now]).unwrap();
            renderer
                .draw_next::<LifelikeBoard>(&planes, &view, &STYLE)
                .unwrap();
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
    let Some(kernels) = kernels() else { return };
    let board = start::random(size(400, 300), 0.4, 1).unwrap();
    let mut renderer = Renderer::new(kernels.gpu()).unwrap();
    let view = View {
        width: 131,
        height: 90,
        zoom: Zoom::Minified(4),
        origin: ivec2(7, 2),
    };
    let planes = renderer.upload(&board).unwrap();
    let texture = renderer
        .draw::<LifelikeBoard>(&planes, &view, &STYLE)
        .unwrap()
        .unwrap();
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

#[test]
fn random_views_are_drawn_as_defined() {
    let Some(kernels) = kernels() else { return };
    let mut renderer = Renderer::new(kernels.gpu()).unwrap();
    let mut random = Pcg32::seed_from_u64(7);
    let mut below = |n: u32| random.next_u32() % n;
    for round in 0..280 {
        let board_size = size(u64::from(below(150)) + 1, u64::from(below(90)) + 1);
        // The families take turns, so that each is drawn after the other.
        if round % 7 < 3 {
            let density = [0.02, 0.3, 0.9, 1.0][below(4) as usize];
            let board = start::random(board_size, density, round).unwrap();
            let view = random_view(&mut below, board_size, 20);
            let style = random_style(&mut below, Palette::DEFAULT);
            assert_drawn(&mut renderer, &board, &view, &style);
        } else {
            let board = random_board(board_size, round);
            let view = random_view(&mut below, board_size, 30);
            let style = random_style(&mut below, Palette::REZOLUTION);
            assert_drawn(&mut renderer, &board, &view, &style);
        }
    }
}

/// A board in bands is drawn part by part, for any number of bytes gathered at a time.
#[test]
fn boards_in_bands_are_drawn_as_defined() {
    let Some(kernels) = kernels() else { return };
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
            let board = random_board(board_size, round as u64);
            let style = random_style(&mut below, Palette::REZOLUTION);
            let ruleset = RezolutionRuleset { edges: style.edges };
            let engine = GpuEngine::new(&kernels, ruleset).unwrap();
            let mut engine = engine.with_band_rows(band_rows);
            engine.load(&board).unwrap();
            let planes = engine.device_board().unwrap();
            assert_shown(renderer, &planes, &board, &view, &style);
        } else {
            let board = start::random(board_size, 0.4, round as u64).unwrap();
            let style = random_style(&mut below, Palette::DEFAULT);
            let engine = GpuEngine::new(&kernels, life(style.edges)).unwrap();
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
fn a_view_of_no_pixels_draws_nothing_and_the_next_one_is_right() {
    let Some(kernels) = kernels() else { return };
    let mut renderer = Renderer::new(kernels.gpu()).unwrap();
    let board = start::random(size(20, 10), 0.5, 1).unwrap();
    let planes = renderer.upload(&board).unwrap();
    for (width, height) in [(0, 0), (0, 600), (800, 0), (u32::MAX, 5)] {
        let view = Camera::fit(board.size(), width, height).view(width, height);
        assert!(
            renderer
                .draw::<LifelikeBoard>(&planes, &view, &STYLE)
                .unwrap()
                .is_none()
        );
    }
    for (width, height) in [(1, 1), (80, 60)] {
        let view = Camera::fit(board.size(), width, height).view(width, height);
        assert_drawn(&mut renderer, &board, &view, &STYLE);
    }
}

fn assert_drawn(renderer: &mut Renderer, board: &impl Defined, view: &View, style: &Style) {
    let planes = renderer.upload(board).unwrap();
    assert_shown(renderer, &planes, board, view, style);
}

/// The same for a board that is on the device.
pub(crate) fn assert_shown<B: Defined>(
    renderer: &mut Renderer,
    planes: &DeviceBoard,
    board: &B,
    view: &View,
    style: &Style,
) {
    renderer.draw::<B>(planes, view, style).unwrap().unwrap();
    let drawn = renderer.pixels().unwrap();
    assert_eq!(drawn.len(), (view.width * view.height) as usize);
    for (at, &found) in drawn.iter().enumerate() {
        let (x, y) = (at as u32 % view.width, at as u32 / view.width);
        assert_eq!(
            found,
            board.pixel(view, style, x, y),
            "pixel ({x}, {y}) of {view:?}, board {}, {style:?}",
            board.size()
        );
    }
}

/// Some part of a board and of what is around it, with at most `most` pixels per cell.
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
        origin: ivec2(
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
