//! What must hold for any bytes, whatever format they are taken for.

use duolife::format::rezolution::{self, RezolutionDocument};
use duolife::format::{LifelikeDocument, Format, Limits, encode, parse};

/// The bytes are refused, or they are a pattern that comes back from every format that can hold it.
pub fn round_trip(bytes: &[u8], format: Format) {
    let limits = Limits { max_board_bytes: 1 << 18, ..Limits::default() };
    let Ok(pattern) = parse(bytes, format, &limits) else {
        return;
    };
    let document = LifelikeDocument {
        board: &pattern.board,
        rule: pattern.rule,
        edges: pattern.topology.map(|grid| grid.edges),
        generation: pattern.generation,
    };
    // The format itself, if it is written, and RLE, which holds everything.
    for format in [format, Format::Rle] {
        if format.check(&document).is_err() {
            continue;
        }
        let mut written = Vec::new();
        encode(&document, format, &mut written).unwrap();
        let again = parse(&written, format, &limits).unwrap();
        if format == Format::Life106 {
            // Only the live cells are listed: the board shrinks to them.
            assert_eq!(again.board.census(), pattern.board.census());
            continue;
        }
        assert_eq!(again.board, pattern.board);
        if format == Format::Rle {
            assert_eq!(again.generation, pattern.generation);
            assert_eq!(again.rule.or(pattern.rule), pattern.rule.or(again.rule));
        }
    }
}

/// The bytes are refused, or they are a board of populations that comes back whole.
pub fn rezolution_round_trip(bytes: &[u8]) {
    let limits = Limits { max_board_bytes: 1 << 18, ..Limits::default() };
    let Ok(pattern) = rezolution::parse(bytes, &limits) else {
        return;
    };
    let document = RezolutionDocument {
        board: &pattern.board,
        edges: pattern.edges,
        generation: pattern.generation,
    };
    let mut written = Vec::new();
    rezolution::encode(&document, &mut written).unwrap();
    assert_eq!(rezolution::parse(&written, &limits).unwrap(), pattern);
}
