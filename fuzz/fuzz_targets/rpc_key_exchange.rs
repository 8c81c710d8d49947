//! Any order and change of the steps of a key exchange, and any sealed octets after it.
#![no_main]

#[path = "../../crates/rpc/tests/fuzzing/mod.rs"]
#[allow(dead_code, unused_imports, reason = "each target runs one of the scripts")]
mod fuzzing;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzzing::key_exchange(bytes));
