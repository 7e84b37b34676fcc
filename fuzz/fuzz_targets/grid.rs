//! Any bytes are a grid that is written back to the same cells, or refused.

#![no_main]

use duolife::format::{Document, Format, Limits, encode, parse};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let limits = Limits { max_board_bytes: 1 << 20, ..Limits::default() };
    if let Ok(pattern) = parse(bytes, Format::Grid, &limits) {
        let mut written = Vec::new();
        encode(&Document::new(&pattern.board), Format::Grid, &mut written).unwrap();
        let again = parse(&written, Format::Grid, &limits).unwrap();
        assert_eq!(again.board, pattern.board);
    }
});
