//! Any H4 bytes into a controller, from power-up on.
#![no_main]

#[path = "../../crates/ble/tests/fuzzing/mod.rs"]
mod fuzzing;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzzing::run("hci", bytes));
