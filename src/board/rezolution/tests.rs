use super::*;

fn board(width: u64, height: u64) -> RezolutionBoard {
    RezolutionBoard::new(Size::new(width, height).unwrap()).unwrap()
}

fn target(population: i8) -> RezolutionCell {
    let ground = Ground::Target;
    RezolutionCell { population, ground }
}

const BARRIER: RezolutionCell = RezolutionCell {
    population: 0,
    ground: Ground::Barrier,
};

#[test]
fn every_cell_keeps_its_own_population_and_ground() {
    let spots = |x: u32, y: u32| match (x + 7 * y) % 11 {
        0 => BARRIER,
        1 => target(0),
        2 => target(-127),
        n => RezolutionCell::open((n * 37) as u8 as i8),
    };
    for width in [1, 3, 4, 5, 31, 32, 33, 70] {
        let mut board = board(width, 3);
        let places = || (0..3).flat_map(|y| (0..width as u32).map(move |x| (x, y)));
        for (x, y) in places() {
            board.set(uvec2(x, y), BARRIER);
            board.set(uvec2(x, y), spots(x, y));
        }
        for (x, y) in places() {
            assert_eq!(
                board.cell(uvec2(x, y)),
                spots(x, y),
                "({x}, {y}) of {width}"
            );
        }
        let populations = board.populations().to_vec();
        assert_eq!(
            board.terrain().with_populations(populations).unwrap(),
            board
        );
    }
}

#[test]
fn counts_are_those_of_the_cells() {
    let mut board = board(75, 2);
    for (x, y, spot) in [
        (0, 0, RezolutionCell::open(3)),
        (74, 1, RezolutionCell::open(127)),
        (40, 0, RezolutionCell::open(-1)),
        (33, 1, target(-126)),
        (35, 1, target(2)),
        (36, 1, target(0)),
        (37, 1, BARRIER),
    ] {
        board.set(uvec2(x, y), spot);
    }
    let expected = RezolutionCensus {
        red: 3,
        blue: 2,
        red_population: 132,
        blue_population: 127,
        reached: 2,
    };
    assert_eq!(board.census(), expected);
    let swapped = board.swapped();
    assert_eq!(swapped.census().blue_population, 132);
    assert_eq!(swapped.cell(uvec2(35, 1)), target(-2));
    assert_eq!(swapped.swapped(), board);
}

#[test]
fn levels_that_are_not_canonical_are_refused() {
    let mut board = board(5, 2);
    board.set(uvec2(1, 1), BARRIER);
    let with = |populations: [u32; 8]| {
        board
            .terrain()
            .with_populations(populations.to_vec())
            .map(|_| ())
    };
    assert_eq!(
        with([0x7f81_ff01, 0, 0, 0, 0x0100_0001, 0x81, 0, 0]),
        Ok(())
    );
    let faulty = |row| Err(BoardError::ImpossiblePopulation { row });
    assert_eq!(with([0x80, 0, 0, 0, 0, 0, 0, 0]), faulty(0), "-128");
    assert_eq!(with([0, 0x0100, 0, 0, 0, 0, 0, 0]), faulty(0), "padding");
    assert_eq!(with([0, 0, 0, 1, 0, 0, 0, 0]), faulty(0), "padding");
    assert_eq!(with([0, 0, 0, 0, 0x0100, 0, 0, 0]), faulty(1), "a barrier");
    assert!(board.terrain().with_populations(vec![0; 3]).is_err());
}

#[test]
fn sizes_are_checked_before_memory_is_taken() {
    let large = Size::new(1 << 18, 1 << 18).unwrap();
    let refused = RezolutionBoard::new(large).unwrap_err();
    assert_eq!(refused, BoardError::RezolutionTooLarge(large));
    let message = refused.to_string();
    assert!(message.contains("262144x262144"), "{message}");
    assert!(check_size(Size::new(92_672, 92_672).unwrap()).is_ok());
    assert!(check_size(Size::new(92_688, 92_688).unwrap()).is_err());
}

#[test]
fn digest_is_sha256_of_the_described_bytes() {
    let mut board = board(3, 2);
    board.set(uvec2(1, 0), RezolutionCell::open(5));
    board.set(uvec2(2, 1), target(-2));
    board.set(uvec2(0, 1), BARRIER);
    let bytes = [3u8, 0, 0, 0, 2, 0, 0, 0, 0, 5, 0, 0, 0, 0xfe];
    let expected: String = Sha256::digest(bytes)
        .iter()
        .map(|b| format!("{b:02x}"))
        .collect();
    assert_eq!(board.digest(), expected);
}

#[test]
fn a_flipped_bit_is_another_possible_board() {
    for spot in (-127..=127)
        .map(RezolutionCell::open)
        .chain([BARRIER, target(0)])
    {
        let mut board = board(2, 1);
        board.set(uvec2(1, 0), spot);
        let before = board.clone();
        board.flip_bit(uvec2(1, 0));
        assert_ne!(board, before, "{spot}");
        let populations = board.populations().to_vec();
        assert_eq!(
            board.terrain().with_populations(populations).unwrap(),
            board
        );
    }
}

#[test]
fn bits_are_spread_to_bytes() {
    for bits in 0..16u32 {
        let bytes = spread(bits).to_le_bytes();
        for (i, byte) in bytes.into_iter().enumerate() {
            assert_eq!(byte, if bits >> i & 1 == 1 { 0xff } else { 0 }, "{bits}");
        }
    }
}

#[test]
fn a_board_on_a_larger_one_keeps_its_cells() {
    let mut board = board(3, 2);
    board.set(uvec2(2, 1), target(-4));
    board.set(UVec2::ZERO, BARRIER);
    let size = Size::new(9, 5).unwrap();
    let placed = board.placed_on(size, uvec2(6, 3)).unwrap();
    assert_eq!(placed.cell(uvec2(8, 4)), target(-4));
    assert_eq!(placed.cell(uvec2(6, 3)), BARRIER);
    assert_eq!(placed.census().blue, 1);
    assert!(board.placed_on(size, uvec2(7, 3)).is_err());
    assert!(board.placed_on(size, uvec2(6, u32::MAX)).is_err());
}
