use glam::uvec2;

use super::*;

fn size(width: u64, height: u64) -> Size {
    Size::new(width, height).unwrap()
}

#[test]
fn a_run_over_three_words_is_the_same_as_its_cells() {
    for (x, length) in [(0, 1), (31, 2), (5, 80), (63, 1), (64, 36), (0, 100)] {
        let mut run = LifelikeBoard::new(size(100, 2)).unwrap();
        run.set_run(uvec2(x, 1), length, LifelikeCell::Blue);
        let mut cells = LifelikeBoard::new(size(100, 2)).unwrap();
        for x in x..x + length {
            cells.set(uvec2(x, 1), LifelikeCell::Blue);
        }
        assert_eq!(run, cells, "{length} cells from {x}");
        assert_eq!(run.census().blue, u64::from(length));
    }
}

#[test]
fn placing_copies_every_cell_and_nothing_else() {
    let pattern = super::super::start::random(size(45, 3), 0.6, 9).unwrap();
    for x in [0, 1, 19, 31, 32, 55] {
        let mut board = super::super::start::random(size(100, 5), 0.5, 1).unwrap();
        let before = board.clone();
        board.place(&pattern, uvec2(x, 2)).unwrap();
        for (cx, cy) in (0..5).flat_map(|y| (0..100).map(move |x| (x, y))) {
            let inside = (x..x + 45).contains(&cx) && (2..5).contains(&cy);
            let expected = if inside {
                pattern.cell(uvec2(cx - x, cy - 2))
            } else {
                before.cell(uvec2(cx, cy))
            };
            assert_eq!(board.cell(uvec2(cx, cy)), expected, "({cx}, {cy})");
        }
    }
    let mut board = LifelikeBoard::new(size(50, 4)).unwrap();
    assert!(board.place(&pattern, uvec2(6, 0)).is_err());
    assert!(board.place(&pattern, uvec2(0, 2)).is_err());
    assert!(board.place(&pattern, uvec2(u32::MAX, u32::MAX)).is_err());
}

#[test]
fn planes_that_are_not_canonical_are_refused() {
    let planes = |alive: [u32; 4], blue: [u32; 4]| {
        LifelikeBoard::from_planes(size(33, 2), alive.to_vec(), blue.to_vec())
    };
    assert!(planes([1, 1, 0, 0], [1, 0, 0, 0]).is_ok());
    assert_eq!(
        planes([0, 0, 0, 2], [0; 4]),
        Err(BoardError::NotCanonical { row: 1 })
    );
    assert_eq!(
        planes([0; 4], [1, 0, 0, 0]),
        Err(BoardError::NotCanonical { row: 0 })
    );
    assert!(LifelikeBoard::from_planes(size(33, 2), vec![0; 3], vec![0; 4]).is_err());
}

#[test]
fn digest_is_sha256_of_the_described_bytes() {
    let mut board = LifelikeBoard::new(size(3, 2)).unwrap();
    board.set(uvec2(1, 0), LifelikeCell::Red);
    board.set(uvec2(2, 1), LifelikeCell::Blue);
    let bytes = [3u8, 0, 0, 0, 2, 0, 0, 0, 0, 1, 0, 0, 0, 2];
    let expected: String = Sha256::digest(bytes)
        .iter()
        .map(|b| format!("{b:02x}"))
        .collect();
    assert_eq!(board.digest(), expected);
}
