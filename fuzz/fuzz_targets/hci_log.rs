//! Any packets into the explainer of HCI logs.
#![no_main]

#[path = "../../crates/sniff/tests/fuzzing/host.rs"]
mod host;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| host::host(bytes));
