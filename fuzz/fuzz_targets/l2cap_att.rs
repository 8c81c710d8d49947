//! Any ACL data, events and requests into a host with a connection.
#![no_main]

#[path = "../../crates/ble/tests/fuzzing/mod.rs"]
mod fuzzing;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzzing::run("l2cap_att", bytes));
