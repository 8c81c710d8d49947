//! Keys of the path beyond the access point.

use airtime_core::Duration;
use airtime_core::units::Bitrate;
use airtime_keys::Keys;

use super::Context;
use crate::network::PathConfig;

/// Keys of a plan's `[path]` table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Keys)]
#[keys(table = "path", context = Context)]
pub struct Path {
    /// Round trip beyond the air, queues not counted.
    #[key(range = "0us"..="10s", default = "2ms", when = Context::has_hop, mechanism = Answers, way = Less)]
    pub rtt: Duration,
    /// Packets that fit the queue at the narrowest place of the path; the next is dropped.
    #[key(range = 1..=65_535, default = 64, when = Context::has_hop, mechanism = Underway, way = More)]
    pub queue: u16,
    /// Rate of the narrowest place of the path behind the access point.
    #[key(default = "1Gbps", when = Context::has_hop, mechanism = Rate, way = More)]
    pub rate: Bitrate,
    /// Packets the access point queues for the station; or the station at the other end, for a co-processor that is the access point.
    #[key(range = 1..=10_000, default = 256, mechanism = Underway, way = More)]
    pub ap_queue: u16,
}

impl Path {
    /// Configuration of the path; without a wired `hop` the other end of the air is the far host.
    pub const fn config(&self, hop: bool) -> PathConfig {
        let Self { rtt, queue, rate, ap_queue } = *self;
        if hop {
            PathConfig { rtt, rate, queue, ap_queue }
        } else {
            PathConfig { rtt: Duration::ZERO, rate: Bitrate(0), queue: u16::MAX, ap_queue }
        }
    }
}
