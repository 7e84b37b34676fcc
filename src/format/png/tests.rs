use glam::uvec2;
use png::{BitDepth, Encoder, Info};
use proptest::prelude::*;

use super::*;
use crate::board::{Size, start};

/// A small board with every kind of cell, in a width that leaves padding at every depth.
const ROWS: [&str; 3] = ["1.2.21.", "..1122.", "2.....1"];

fn board(rows: &[&str]) -> LifelikeBoard {
    let size = Size::new(rows[0].len() as u64, rows.len() as u64).unwrap();
    let mut board = LifelikeBoard::new(size).unwrap();
    for (y, row) in (0..).zip(rows) {
        for (x, character) in (0..).zip(row.chars()) {
            let cell = match character {
                '1' => LifelikeCell::Red,
                '2' => LifelikeCell::Blue,
                _ => LifelikeCell::Dead,
            };
            board.set(uvec2(x, y), cell);
        }
    }
    board
}

/// The rows of a picture, packed, its samples made from the cells. Padding bits are all set.
fn packed(
    board: &LifelikeBoard,
    depth: u8,
    samples: impl Fn(LifelikeCell) -> Vec<u16>,
) -> Vec<Vec<u8>> {
    let row = |y| pack(board.row(y).flat_map(&samples), depth);
    (0..board.size().height()).map(row).collect()
}

fn pack(samples: impl Iterator<Item = u16>, depth: u8) -> Vec<u8> {
    let mut bits: Vec<bool> = samples
        .flat_map(|sample| (0..depth).rev().map(move |bit| sample >> bit & 1 != 0))
        .collect();
    bits.resize(bits.len().next_multiple_of(8), true);
    let byte = |bits: &[bool]| bits.iter().fold(0, |byte, &bit| byte << 1 | u8::from(bit));
    bits.chunks(8).map(byte).collect()
}

/// What goes before the pixels of a file.
struct Header {
    kind: ColorType,
    depth: u8,
    palette: Vec<u8>,
    transparency: Option<Vec<u8>>,
    interlaced: bool,
}

impl Header {
    fn new(kind: ColorType, depth: u8) -> Self {
        Self {
            kind,
            depth,
            palette: Vec::new(),
            transparency: None,
            interlaced: false,
        }
    }

    /// A file with these rows of pixels (of all passes), which are stored and not compressed.
    fn file(self, (width, height): (u32, u32), rows: &[Vec<u8>]) -> Vec<u8> {
        let mut info = Info::with_size(width, height);
        info.color_type = self.kind;
        info.bit_depth = BitDepth::from_u8(self.depth).unwrap();
        info.interlaced = self.interlaced;
        info.palette = (!self.palette.is_empty()).then(|| self.palette.into());
        info.trns = self.transparency.map(Into::into);
        let mut raw = Vec::new();
        for row in rows {
            raw.push(0);
            raw.extend_from_slice(row);
        }
        let mut zlib = vec![0x78, 0x01];
        let blocks = raw.chunks(65_535);
        let last = blocks.len() - 1;
        for (i, block) in blocks.enumerate() {
            let length = block.len() as u16;
            zlib.push(u8::from(i == last));
            zlib.extend(length.to_le_bytes());
            zlib.extend((!length).to_le_bytes());
            zlib.extend_from_slice(block);
        }
        let (mut a, mut b) = (1u32, 0u32);
        for &byte in &raw {
            a = (a + u32::from(byte)) % 65_521;
            b = (b + a) % 65_521;
        }
        zlib.extend((b << 16 | a).to_be_bytes());
        let mut file = Vec::new();
        let mut writer = Encoder::with_info(&mut file, info)
            .unwrap()
            .write_header()
            .unwrap();
        writer.write_chunk(png::chunk::IDAT, &zlib).unwrap();
        writer.finish().unwrap();
        file
    }

    fn picture(self, board: &LifelikeBoard, samples: impl Fn(LifelikeCell) -> Vec<u16>) -> Vec<u8> {
        let rows = packed(board, self.depth, samples);
        self.file((board.size().width(), board.size().height()), &rows)
    }
}

fn read(file: &[u8], scale: u32) -> Result<LifelikeBoard, FormatError> {
    parse(file, scale, &Limits::default()).map(|pattern| pattern.board)
}

#[track_caller]
fn refused(file: &[u8], scale: u32, message: &str) {
    let found = read(file, scale).unwrap_err().to_string();
    assert!(found.contains(message) && !found.contains('\n'), "{found}");
}

fn palette_png(board: &LifelikeBoard, scale: u32) -> Vec<u8> {
    let picture = board.draw(PictureSize::Scale(scale)).unwrap();
    let mut file = Vec::new();
    write_png(&picture, &mut file).unwrap();
    file
}

/// Samples of the pure colours.
fn pure(cell: LifelikeCell, most: u16) -> Vec<u16> {
    let LifelikeCell::Dead = cell else {
        let red = cell == LifelikeCell::Red;
        return vec![if red { most } else { 0 }, 0, if red { 0 } else { most }];
    };
    vec![0; 3]
}

#[test]
fn every_colour_type_and_depth_gives_the_same_board() {
    let expected = board(&ROWS);
    let pure_palette = || vec![0, 0, 0, 255, 0, 0, 0, 0, 255];
    for depth in [2, 4, 8] {
        let mut header = Header::new(ColorType::Indexed, depth);
        header.palette = pure_palette();
        let file = header.picture(&expected, |cell| vec![cell as u16]);
        assert_eq!(
            read(&file, 1).as_ref(),
            Ok(&expected),
            "palette, {depth} bits"
        );
    }
    // The index is no colour: the same cells in another order of the palette.
    let mut header = Header::new(ColorType::Indexed, 4);
    header.palette = vec![0, 0, 255, 9, 9, 9, 255, 0, 0, 0x0e, 0x11, 0x16];
    let file = header.picture(&expected, |cell| vec![[3, 2, 0][cell as usize]]);
    assert_eq!(read(&file, 1).as_ref(), Ok(&expected));
    for (depth, most) in [(8, 255), (16, 65_535)] {
        let file = Header::new(ColorType::Rgb, depth).picture(&expected, |cell| pure(cell, most));
        assert_eq!(read(&file, 1).as_ref(), Ok(&expected), "RGB, {depth} bits");
        let with_alpha = |cell| [pure(cell, most), vec![most]].concat();
        let file = Header::new(ColorType::Rgba, depth).picture(&expected, with_alpha);
        assert_eq!(read(&file, 1).as_ref(), Ok(&expected), "RGBA, {depth} bits");
        let own = |cell| {
            let colour = Palette::DEFAULT.colours()[cell as usize];
            colour.map(|byte| u16::from(byte) * (most / 255)).to_vec()
        };
        let file = Header::new(ColorType::Rgb, depth).picture(&expected, own);
        assert_eq!(read(&file, 1).as_ref(), Ok(&expected), "own, {depth} bits");
    }

    let grey = board(&["1...11.", "..1111.", "......1"]);
    for depth in [1, 2, 4, 8, 16] {
        let most = ((1u32 << depth) - 1) as u16;
        let white = |cell| if cell == LifelikeCell::Dead { 0 } else { most };
        let file = Header::new(ColorType::Grayscale, depth).picture(&grey, |c| vec![white(c)]);
        assert_eq!(read(&file, 1).as_ref(), Ok(&grey), "grey, {depth} bits");
        if depth >= 8 {
            let with_alpha = |cell| vec![white(cell), most];
            let file = Header::new(ColorType::GrayscaleAlpha, depth).picture(&grey, with_alpha);
            assert_eq!(read(&file, 1).as_ref(), Ok(&grey), "alpha, {depth} bits");
        }
        let mut header = Header::new(ColorType::Indexed, depth.min(8));
        header.palette = vec![0, 0, 0, 255, 0, 0];
        let file = header.picture(&grey, |cell| vec![u16::from(cell != LifelikeCell::Dead)]);
        assert_eq!(read(&file, 1).as_ref(), Ok(&grey), "palette, {depth} bits");
    }
}

#[test]
fn transparent_pixels_are_dead_and_half_transparent_ones_refused() {
    let two = board(&["12."]);
    let dead = board(&["..."]);
    let clear = |cell| [pure(cell, 255), vec![0]].concat();
    let file = Header::new(ColorType::Rgba, 8).picture(&two, clear);
    assert_eq!(read(&file, 1).as_ref(), Ok(&dead));
    let mut header = Header::new(ColorType::Indexed, 2);
    header.palette = vec![0, 0, 0, 255, 0, 0, 0, 0, 255];
    header.transparency = Some(vec![255, 0]);
    let file = header.picture(&two, |cell| vec![cell as u16]);
    assert_eq!(read(&file, 1).as_ref(), Ok(&board(&[".2."])));
    for (depth, key) in [
        (8, vec![0, 255, 0, 0, 0, 0]),
        (16, vec![255, 255, 0, 0, 0, 0]),
    ] {
        let mut header = Header::new(ColorType::Rgb, depth);
        header.transparency = Some(key);
        let most = ((1u32 << depth) - 1) as u16;
        let file = header.picture(&two, |cell| pure(cell, most));
        assert_eq!(
            read(&file, 1).as_ref(),
            Ok(&board(&[".2."])),
            "{depth} bits"
        );
    }
    let mut header = Header::new(ColorType::Grayscale, 1);
    header.transparency = Some(vec![0, 1]);
    let file = header.picture(&two, |cell| vec![u16::from(cell != LifelikeCell::Dead)]);
    assert_eq!(read(&file, 1).as_ref(), Ok(&dead));

    let half = |cell| {
        [
            pure(cell, 255),
            vec![if cell == LifelikeCell::Blue { 128 } else { 255 }],
        ]
        .concat()
    };
    let file = Header::new(ColorType::Rgba, 8).picture(&two, half);
    refused(
        &file,
        1,
        "line 1, column 2: a pixel of colour #0000FF, opacity 128 of 255; ",
    );
    // A trace of opacity is not none.
    let file = Header::new(ColorType::Rgba, 16).picture(&two, |_| vec![65_535, 0, 0, 1]);
    refused(&file, 1, "colour #FF0000, opacity 1 of 255");
}

#[test]
fn other_colours_are_refused_with_their_place() {
    let one = board(&["...", "..1"]);
    let png = |kind, depth, live: &[u16]| {
        let samples = |cell| match cell {
            LifelikeCell::Dead => vec![0; live.len()],
            _ => live.to_vec(),
        };
        Header::new(kind, depth).picture(&one, samples)
    };
    let file = png(ColorType::Rgb, 8, &[0x12, 0xab, 0]);
    refused(
        &file,
        1,
        "line 2, column 3: a pixel of colour #12AB00; cells are #0E1116",
    );
    refused(&png(ColorType::Rgb, 8, &[255; 3]), 1, "#FFFFFF; ");
    refused(
        &png(ColorType::Rgb, 8, &[0x26, 0x2b, 0x34]),
        1,
        "margin around a board",
    );
    refused(&png(ColorType::Grayscale, 8, &[128]), 1, "#808080");
    refused(&png(ColorType::Grayscale, 4, &[8]), 1, "#888888");
    refused(&png(ColorType::Rgb, 16, &[65_535, 0x0400, 0]), 1, "#FF0400");
    // As near to pure red as 8 bits can tell.
    assert_eq!(
        read(&png(ColorType::Rgb, 16, &[65_500, 100, 0]), 1).as_ref(),
        Ok(&one)
    );
    let mut header = Header::new(ColorType::Indexed, 4);
    header.palette = vec![0, 0, 0];
    let file = header.picture(&one, |cell| vec![7 * cell as u16]);
    refused(
        &file,
        1,
        "line 2, column 3: a pixel of colour 7, but the palette has only 1",
    );
}

proptest! {
    #[test]
    fn what_is_drawn_is_read_again(
        width in prop_oneof![prop::sample::select(vec![1u64, 63, 64, 65, 100, 257]), 1..300u64],
        height in 1..20u64, scale in 1..7u32, density in 0.0..=1.0, seed: u64,
    ) {
        let board = start::random(Size::new(width, height).unwrap(), density, seed).unwrap();
        prop_assert_eq!(read(&palette_png(&board, scale), scale).unwrap(), board.clone());
        let mut file = Vec::new();
        encode(&board, &mut file).unwrap();
        prop_assert_eq!(read(&file, 1).unwrap(), board);
    }

    /// Interlaced files, by the passes of the specification written out once more.
    #[test]
    fn interlaced_pictures_are_read(
        width in 1..40u32, height in 1..20u32, scale in 1..5u32, depth in prop::sample::select(vec![2u8, 4, 8]),
        fault: bool, seed: u64,
    ) {
        let size = Size::new(width.into(), height.into()).unwrap();
        let board = start::random(size, 0.5, seed).unwrap();
        let (columns, lines) = (width * scale, height * scale);
        let odd = (columns - 1, lines - 1);
        let fault = fault && scale > 1;
        let index = |x: u32, y: u32| {
            let cell = board.cell(uvec2(x / scale, y / scale)) as u16;
            if fault && (x, y) == odd { (cell + 1) % 3 } else { cell }
        };
        const ORDER: [&[u8; 8]; 8] = [
            b"16462646", b"77777777", b"56565656", b"77777777",
            b"36463646", b"77777777", b"56565656", b"77777777",
        ];
        let mut rows = Vec::new();
        for pass in b'1'..=b'7' {
            for y in 0..lines {
                let of_pass = |x: &u32| ORDER[y as usize % 8][*x as usize % 8] == pass;
                let row: Vec<u16> = (0..columns).filter(of_pass).map(|x| index(x, y)).collect();
                if !row.is_empty() {
                    rows.push(pack(row.into_iter(), depth));
                }
            }
        }
        let mut header = Header::new(ColorType::Indexed, depth);
        header.palette = Palette::DEFAULT.colours().concat();
        header.interlaced = true;
        let file = header.file((columns, lines), &rows);
        match read(&file, scale) {
            Ok(found) => prop_assert!(!fault && found == board),
            Err(error) => {
                let place = Place { line: lines.into(), column: columns.into() };
                prop_assert!(fault && error.place == place, "{}", error);
            }
        }
    }

    /// No damage makes it panic.
    #[test]
    fn damaged_files_are_refused_or_read(at in 0..200usize, byte: u8, cut in 0..200usize, scale in 1..3u32) {
        let mut file = palette_png(&board(&ROWS), 2);
        let at = at % file.len();
        let whole = file.clone();
        file[at] = byte;
        file.truncate(file.len() - cut.min(file.len()));
        let found = read(&file, scale);
        prop_assert!(found.is_err() || cut == 0, "cut by {}", cut);
        prop_assert!(file != whole || found.is_ok());
    }
}

#[test]
fn a_scale_that_is_wrong_is_refused() {
    let board = board(&["12..", ".12."]);
    let file = palette_png(&board, 3);
    assert_eq!(read(&file, 3).as_ref(), Ok(&board));
    assert_eq!(read(&file, 1).unwrap().size().width(), 12);
    refused(&file, 0, "--scale from 1");
    refused(
        &file,
        5,
        "12x6 pixels is no whole number of cells of 5 pixels",
    );
    refused(
        &file,
        2,
        "line 1, column 4: a blue pixel in a cell that begins red; ",
    );
    refused(
        &file,
        6,
        "line 1, column 4: a blue pixel in a cell that begins red; ",
    );
}

#[test]
fn the_size_in_a_header_is_checked_before_memory_is_allocated() {
    let header = |width, height| {
        let mut file = Header::new(ColorType::Grayscale, 1).file((1, 1), &[vec![0]]);
        file[16..20].copy_from_slice(&u32::to_be_bytes(width));
        file[20..24].copy_from_slice(&u32::to_be_bytes(height));
        let mut crc = !0u32;
        for &byte in &file[12..29] {
            crc ^= u32::from(byte);
            for _ in 0..8 {
                crc = crc >> 1 ^ if crc & 1 == 1 { 0xedb8_8320 } else { 0 };
            }
        }
        file[29..33].copy_from_slice(&(!crc).to_be_bytes());
        file
    };
    assert!(read(&header(1, 1), 1).is_ok());
    refused(
        &header(100_000, 100_000),
        1,
        "100000x100000 pixels cannot be in a file of ",
    );
    refused(&header(u32::MAX >> 1, 1), 1, "too long to be read");
    refused(&header(1, u32::MAX >> 1), 1, "cannot be in a file");
    // No more than the file could hold, but more than it holds.
    refused(&header(200, 200), 1, "line 1, column 1: ");
    let limits = Limits {
        max_board_bytes: 800,
        ..Limits::default()
    };
    let error = parse(&header(321, 10), 1, &limits).unwrap_err().to_string();
    assert!(error.contains("at most 800"), "{error}");
    refused(b"\x89PNG", 1, "no PNG");
    refused(SIGNATURE, 1, "ends before the picture");
}

#[test]
fn true_colour_pictures_are_read_whole_or_refused() {
    let board = board(&ROWS);
    let with_alpha = |cell| [pure(cell, 65_535), vec![65_535]].concat();
    let file = Header::new(ColorType::Rgba, 16).picture(&board, with_alpha);
    assert_eq!(read(&file, 1).as_ref(), Ok(&board));
    for length in 0..file.len() {
        assert!(read(&file[..length], 1).is_err(), "{length} bytes");
    }
    refused(&file[..file.len() - 1], 1, "ends before the picture does");
    let limits = Limits {
        max_board_bytes: 167,
        ..Limits::default()
    };
    let error = parse(&file, 1, &limits).unwrap_err().to_string();
    assert!(
        error.contains("7x3 pixels without a palette take 168 bytes"),
        "{error}"
    );
}

#[test]
fn long_rows_are_read() {
    let width = 8 * MAX_ROW_BYTES as u32;
    let file =
        Header::new(ColorType::Grayscale, 1).file((width, 1), &[vec![0x80; width as usize / 8]]);
    let board = read(&file, 1).unwrap();
    assert_eq!(board.census().red, u64::from(width / 8));
}

#[test]
fn of_an_animation_the_first_picture_is_read() {
    let expected = board(&["1.2"]);
    let mut file = Vec::new();
    let mut encoder = Encoder::new(&mut file, 3, 1);
    encoder.set_color(ColorType::Rgb);
    encoder.set_animated(2, 0).unwrap();
    let mut writer = encoder.write_header().unwrap();
    writer
        .write_image_data(&[255, 0, 0, 0, 0, 0, 0, 0, 255])
        .unwrap();
    writer.write_image_data(&[0; 9]).unwrap();
    writer.finish().unwrap();
    let pattern = parse(&file, 1, &Limits::default()).unwrap();
    assert_eq!(pattern.board, expected);
    assert_eq!(pattern.notes.len(), 1);
}
