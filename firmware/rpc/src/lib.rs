//! The RPC peripheral as a board runs it: `rpc` of `airtime-trouble`, with the test service over a region of the board's memory, secrets
//! of the controller's, and a log. A board hands over a controller and an address, and has the linker place the regions as `served.x` says.
#![no_std]

mod flash;
mod identity;
mod log;
mod peripheral;
mod secrets;

pub use peripheral::{PeripheralController, peripheral};

use airtime_core::Duration;
use airtime_rpc::server::ServerConfig;

use crate::identity::SEALED;

/// Longest request in octets: an echo of 256 characters, a `data_write` as long as the published benchmark writes (200), and the
/// headers and seal of either.
const REQUEST_OCTETS: usize = 512;

/// Configuration of the server: as the published firmware does, and extended for those that ask.
const SERVER: ServerConfig = ServerConfig {
    extended: true,
    encrypted: SEALED,
    // peripheral_fw of bleRPC: the timeout it advertises.
    timeout: Duration::from_millis(100),
    max_request: REQUEST_OCTETS as u16,
    max_response: u16::MAX,
    window: 4_096,
};
