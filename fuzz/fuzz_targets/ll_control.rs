//! Any PDUs into a controller with a connection.
#![no_main]

#[path = "../../crates/ble/tests/fuzzing/mod.rs"]
mod fuzzing;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzzing::run("ll_control", bytes));
