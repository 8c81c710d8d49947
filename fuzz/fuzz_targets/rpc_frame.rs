//! Any frames, changes of frames and waits into both ends of an RPC connection.
#![no_main]

#[path = "../../crates/rpc/tests/fuzzing/mod.rs"]
#[allow(dead_code, unused_imports, reason = "each target runs one of the scripts")]
mod fuzzing;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzzing::frame(bytes));
