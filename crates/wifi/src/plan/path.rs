//! Keys of the path beyond the access point.

use airtime_core::Duration;
use airtime_core::units::Bitrate;
use airtime_keys::Keys;

use crate::network::PathConfig;

/// Keys of a plan's `[path]` table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Keys)]
#[keys(table = "path")]
pub struct Path {
    /// Round trip beyond the air, queues not counted.
    #[key(range = "0us"..="10s", default = "2ms", mechanism = Answers, way = Less)]
    pub rtt: Duration,
    /// Packets that fit the queue at the narrowest place of the path; the next is dropped.
    #[key(range = 1..=65_535, default = 64, mechanism = Underway, way = More)]
    pub queue: u16,
    /// Rate of the narrowest place of the path behind the access point.
    #[key(default = "1Gbps", mechanism = Rate, way = More)]
    pub rate: Bitrate,
    /// Packets the access point queues for the station.
    #[key(range = 1..=10_000, default = 256, mechanism = Underway, way = More)]
    pub ap_queue: u16,
}

impl Path {
    /// Configuration of the path.
    pub const fn config(&self) -> PathConfig {
        let Self { rtt, queue, rate, ap_queue } = *self;
        PathConfig { rtt, rate, queue, ap_queue }
    }
}
