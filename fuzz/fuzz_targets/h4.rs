//! Any stream, cut anywhere, into the framer of H4.
#![no_main]

#[path = "../../crates/live/tests/fuzzing/mod.rs"]
mod fuzzing;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzzing::h4(bytes));
