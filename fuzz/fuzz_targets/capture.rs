//! Any bytes into the readers of captures, and of the packets in them.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    airtime_capture::fuzz::read(bytes, airtime_ble::capture::is_le);
});
