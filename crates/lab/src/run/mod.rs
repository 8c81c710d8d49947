//! A run: a pure function of a scenario and a seed, and the record of a point's runs. One folder per link.

pub mod ble;
mod latency;
pub mod nrf24;
mod record;

pub use record::record;
