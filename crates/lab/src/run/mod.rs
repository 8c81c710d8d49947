//! A run: a pure function of a scenario and a seed, and the record of a point's runs. One folder per link.

pub mod ble;
mod declared;
mod delays;
mod latency;
mod measuring;
pub mod nrf24;
mod record;
mod tally;
mod unlogged;
pub mod wifi;

pub use record::record;
