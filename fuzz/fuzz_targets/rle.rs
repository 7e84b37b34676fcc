//! Any bytes are an RLE pattern that is written back to the same cells, or refused.

#![no_main]

use duolife::format::{Document, Format, Limits, encode, parse};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let limits = Limits { max_board_bytes: 1 << 20, ..Limits::default() };
    if let Ok(pattern) = parse(bytes, Format::Rle, &limits) {
        let document = Document {
            board: &pattern.board,
            rule: pattern.rule,
            edges: None,
            generation: pattern.generation,
        };
        let mut written = Vec::new();
        encode(&document, Format::Rle, &mut written).unwrap();
        let again = parse(&written, Format::Rle, &limits).unwrap();
        assert_eq!(again.board, pattern.board);
        assert_eq!(again.generation, pattern.generation);
        assert_eq!(again.rule, pattern.rule.or(again.rule));
    }
});
