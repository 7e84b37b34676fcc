#![no_main]

use duolife::format::Format;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| duolife_fuzz::round_trip(bytes, Format::Life106));
