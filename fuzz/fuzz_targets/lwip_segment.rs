//! Any segments, packets and waits into the stack of an ESP32 host.
#![no_main]

#[path = "../../crates/net/tests/fuzzing/mod.rs"]
mod fuzzing;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzzing::lwip(bytes));
