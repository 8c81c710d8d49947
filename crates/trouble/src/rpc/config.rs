//! Configuration of a peripheral that is called.

use airtime_app::Name;
use airtime_core::Duration;
use airtime_rpc::COMPATIBLE_FRAME_MAX;
use airtime_rpc::server::ServerConfig;
use trouble_host::connection::RequestedConnParams;

use crate::clock;

/// Longest LL payload. Core 6.0, Vol 6, Part B, 4.5.10.
const DATA_OCTETS: u16 = 251;

/// The parameters of one peripheral.
#[derive(Clone, Copy, Debug)]
pub struct Config {
    /// Name it advertises; default `blerpc`, as the published firmware.
    pub name: Name,
    /// Configuration of the RPC server of each connection.
    pub server: ServerConfig,
    /// Octets of a frame that it sends at most; default and upper limit [`COMPATIBLE_FRAME_MAX`].
    pub frame: u16,
    /// Octets of a link layer PDU that its controller is to send where the peer takes them, 27..=251; default 251.
    pub data_octets: u16,
    /// Connection parameters that it asks each central for.
    pub wanted: Wanted,
}

impl Config {
    /// The published firmware's, but for its server.
    pub fn published(server: ServerConfig) -> Self {
        Self {
            name: Name::new("blerpc").unwrap_or_default(),
            server,
            frame: COMPATIBLE_FRAME_MAX as u16,
            data_octets: DATA_OCTETS,
            wanted: Wanted::PUBLISHED,
        }
    }
}

/// Connection parameters that a peripheral asks for once it is connected. The central decides; one that refuses stays where it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// Shortest interval that will do.
    pub shortest: Duration,
    /// Longest interval that will do.
    pub longest: Duration,
    /// Connection events that the peripheral may sleep through.
    pub latency: u16,
    /// Supervision timeout.
    pub supervision_timeout: Duration,
}

impl Wanted {
    /// Those that the published firmware asks for: 12 to 24 units of 1.25 ms, no latency, a supervision timeout of 1 s.
    pub const PUBLISHED: Self = Self {
        shortest: Duration::from_millis(15),
        longest: Duration::from_millis(30),
        latency: 0,
        supervision_timeout: Duration::from_secs(1),
    };

    /// The same in TrouBLE's words.
    pub(super) fn params(&self) -> RequestedConnParams {
        RequestedConnParams {
            min_connection_interval: clock::span(self.shortest),
            max_connection_interval: clock::span(self.longest),
            max_latency: self.latency,
            min_event_length: clock::span(Duration::ZERO),
            max_event_length: clock::span(Duration::ZERO),
            supervision_timeout: clock::span(self.supervision_timeout),
        }
    }
}
