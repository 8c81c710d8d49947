//! Any messages, frames of messages, and replies to calls under way.
#![no_main]

#[path = "../../crates/esp-hosted/tests/fuzzing/mod.rs"]
#[allow(dead_code, unused_imports, reason = "each target runs one of the scripts")]
mod fuzzing;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzzing::rpc(bytes));
