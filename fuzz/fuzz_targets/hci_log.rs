//! Any packets into the explainer of HCI logs.
#![no_main]

#[path = "../../crates/sniff/tests/fuzzing/hci_log.rs"]
mod hci_log;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| hci_log::host(bytes));
