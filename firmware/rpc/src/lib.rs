//! The RPC peripheral as a board runs it: one connection at a time, frames over GATT, the test service over a region of the board's
//! memory. A board hands over a controller and an address, and has the linker place the regions as `served.x` says.
#![no_std]

mod advertise;
mod attributes;
mod connection;
mod flash;
mod identity;
mod peripheral;
mod secrets;

pub use connection::RpcController;
pub use peripheral::{PeripheralController, peripheral};

use airtime_core::{Duration, Instant};
use airtime_rpc::server::{Server, ServerConfig};
use airtime_rpc::service::{RomFlash, TestService};

use crate::identity::SEALED;

/// Longest request in octets: an echo of 256 characters, a `data_write` as long as the published benchmark writes (200), and the
/// headers and seal of either.
const REQUEST_OCTETS: usize = 512;

/// The server of one connection.
type Calls = Server<REQUEST_OCTETS>;

/// The test service over the region of the board's memory that is served.
type Service = TestService<RomFlash<'static>>;

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

/// The time of the board, as the machines have it.
fn now() -> Instant {
    Instant::from_nanos(embassy_time::Instant::now().as_micros() * 1_000)
}
