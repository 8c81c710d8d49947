//! Any octets on the buses of two nRF24L01+, and any frames between them.
#![no_main]

#[path = "../../crates/nrf24/tests/chip/fuzzing.rs"]
mod fuzzing;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzzing::nrf24_spi(bytes));
