#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| duolife_fuzz::rezolution_round_trip(bytes));
