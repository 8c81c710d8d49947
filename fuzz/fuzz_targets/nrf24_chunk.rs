//! Any frames, packets and faults of the air into two tunnels over the nRF24.
#![no_main]

#[path = "../../crates/nrf24/tests/tunnel_fuzzing/mod.rs"]
mod fuzzing;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzzing::chunk(bytes));
