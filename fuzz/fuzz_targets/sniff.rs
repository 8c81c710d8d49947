//! Any packets into the explainer of captures, and any packets of a file into what reads them for it.
#![no_main]

#[path = "../../crates/sniff/tests/fuzzing/mod.rs"]
mod fuzzing;
#[path = "../../crates/sniff/tests/fuzzing/sniffer.rs"]
mod sniffer;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    fuzzing::sniff(bytes);
    sniffer::file(bytes);
});
