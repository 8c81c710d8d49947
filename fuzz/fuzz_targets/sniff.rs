//! Any packets into the explainer of captures.
#![no_main]

#[path = "../../crates/sniff/tests/fuzzing/mod.rs"]
mod fuzzing;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzzing::sniff(bytes));
