//! Keys of the channel: who else is on it, and what gets lost.

use airtime_core::Duration;
use airtime_core::loss::Loss;
use airtime_core::units::Bitrate;
use airtime_keys::Keys;

use super::Context;
use crate::cell::{Secondary, WidePolicy};

/// Keys of the channel and of who else is on it.
#[derive(Clone, Copy, Debug, PartialEq, Keys)]
#[keys(table = "wifi", context = Context)]
pub struct Cell {
    /// Stations that contend for the channel, this one among them; the others are saturated, or offer `wifi.others_rate` each.
    #[key(range = 1..=100, default = 1)]
    pub stations: u16,
    /// Rate that each of the other stations offers; absent: as much as it can send.
    pub others_rate: Option<Bitrate>,
    /// Share of the time for which neighbours occupy the secondary channel of 40 MHz.
    #[key(from = "0", when = Context::is_wide)]
    pub neighbour_load: Option<f64>,
    /// Mean time for which they occupy it at once.
    #[key(range = "50us"..="10ms", default = "1ms", when = Context::is_wide)]
    pub neighbour_burst: Duration,
    /// Policy of a station of 40 MHz while the secondary channel is busy: it sends in 20 MHz, or waits. IEEE Std 802.11-2020,
    /// 11.15.9.
    #[key(default = "fall-back", when = Context::is_wide)]
    pub secondary_busy: WidePolicy,
    /// Beacons of the access point every 102.4ms at 1 Mbit/s.
    #[key(default = false)]
    pub beacons: bool,
    /// Loss of MPDUs at each receiver: per MPDU, per bit, or in bursts (Gilbert-Elliott).
    #[key(loss = "MPDU")]
    pub loss: Loss,
}

impl Cell {
    /// Fills in what the plan left out.
    pub fn fill(&mut self) {
        self.neighbour_load = Some(self.neighbour_load());
    }

    /// Share of the time for which neighbours occupy the secondary channel: none unless the plan says so.
    pub fn neighbour_load(&self) -> f64 {
        self.neighbour_load.unwrap_or(0.0)
    }

    /// Neighbours on the secondary channel: exchanges of a mean length, as many as make up the load; none without a load.
    pub fn secondary(&self) -> Option<Secondary> {
        let (load, exchange) = (self.neighbour_load(), self.neighbour_burst);
        (load > 0.0).then(|| Secondary {
            exchange,
            every: Duration::from_nanos(libm::round(exchange.as_nanos() as f64 / load) as u64),
            policy: self.secondary_busy,
            heard: true,
        })
    }
}
