//! Any text into the reader of logs.
#![no_main]

#[path = "../../crates/study/tests/fuzzing/mod.rs"]
mod fuzzing;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzzing::log(bytes));
