//! Keys of the channel: who else is on it, and what gets lost.

use airtime_core::Duration;
use airtime_core::loss::Loss;
use airtime_core::units::Bitrate;
use airtime_keys::{Keys, Words};

use super::Context;
use crate::air::Standard;
use crate::cell::{Collided, Errors, Secondary, WidePolicy};

/// Keys of the channel and of who else is on it.
#[derive(Clone, Copy, Debug, PartialEq, Keys)]
#[keys(table = "wifi", context = Context)]
pub struct Cell {
    /// Role of the co-processor: a station, whose access point has a wire to the far host; or the access point, whose station is the far host.
    /// As such it sends the beacons, is reached without a wire, looks at no throttle, and offers a frame to its radio once.
    #[key(default = "station")]
    pub mode: Mode,
    /// Stations that contend for the channel, this one among them; the others are saturated, or offer `wifi.others_rate` each.
    #[key(range = 1..=100, default = 1, mechanism = Neighbours)]
    pub stations: u16,
    /// Rate that each of the other stations offers; absent: as much as it can send.
    #[key(mechanism = Neighbours)]
    pub others_rate: Option<Bitrate>,
    /// Share of the time for which neighbours occupy the secondary channel of 40 MHz.
    #[key(from = "0", when = Context::is_wide, mechanism = Neighbours)]
    pub neighbour_load: Option<f64>,
    /// Mean time for which they occupy it at once.
    #[key(range = "50us"..="10ms", default = "1ms", when = Context::is_wide, mechanism = Neighbours)]
    pub neighbour_burst: Duration,
    /// Policy of a station of 40 MHz while the secondary channel is busy: it sends in 20 MHz, or waits. IEEE Std 802.11-2020,
    /// 11.15.9.
    #[key(default = "fall-back", when = Context::is_wide, mechanism = Neighbours)]
    pub secondary_busy: WidePolicy,
    /// Beacons of the access point every 102.4ms at 1 Mbit/s.
    #[key(from = "false; true where the co-processor is the access point", mechanism = Neighbours)]
    pub beacons: Option<bool>,
    /// Loss at each receiver, which draws for itself: of MPDUs that arrive damaged, and of whole PPDUs that are missed; per bit, or in
    /// bursts (Gilbert-Elliott). Shares are of MPDUs with data; RTS and Block Ack requests are lost with PPDUs, bits and bursts.
    #[key(loss = "MPDU")]
    pub loss: Loss,
    /// Loss of what stations send to the access point, instead of `wifi.loss`.
    #[key(loss = "MPDU")]
    pub loss_uplink: Loss,
    /// Loss of what the access point sends, instead of `wifi.loss`.
    #[key(loss = "MPDU")]
    pub loss_downlink: Loss,
    /// Loss of what the other stations send, instead of `wifi.loss_uplink` and `wifi.loss`: one station's own when the others lose
    /// `{ per = 0 }`.
    #[key(loss = "MPDU")]
    pub loss_others: Loss,
    /// Loss of acknowledgements, Block Acks and CTS at each station: damaged ones are followed by EIFS, missed ones are not.
    #[key(loss = "response")]
    pub loss_response: Loss,
    /// Signal-to-noise ratio at every receiver, in dB: frames are lost by rate and length, as in a channel with white noise and
    /// nothing else (the error rate model of Pei and Henderson, which ns-3 calls NIST's). Absent: without noise.
    #[key(range = 0..=60, unit = "dB", when = Context::is_ofdm, mechanism = Losses)]
    pub snr: Option<u8>,
    /// Fate of frames that collide at stations that only listen: damaged, so that EIFS follows, or missed, as in ns-3, where of
    /// equal signals no preamble is found.
    #[key(default = "damaged", mechanism = Contention)]
    pub collided: Collided,
}

/// Role of the co-processor in its network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Words)]
pub enum Mode {
    /// A station.
    Station,
    /// The access point (`ESP_AP_IF`).
    AccessPoint,
}

impl Cell {
    /// Fills in what the plan left out, and leaves out what `standard` has no model for.
    pub fn fill(&mut self, standard: Standard) {
        self.beacons = Some(self.beacons());
        self.neighbour_load = Some(self.neighbour_load());
        self.snr = self.snr.filter(|_| standard != Standard::B);
    }

    /// Tells if the co-processor is the access point.
    pub fn is_access_point(&self) -> bool {
        self.mode == Mode::AccessPoint
    }

    /// Tells if the access point sends beacons.
    pub fn beacons(&self) -> bool {
        self.beacons.unwrap_or(self.is_access_point())
    }

    /// Share of the time for which neighbours occupy the secondary channel: none unless the plan says so.
    pub fn neighbour_load(&self) -> f64 {
        self.neighbour_load.unwrap_or(0.0)
    }

    /// Errors of what a station sends, `downlink` if that is the access point.
    pub fn errors(&self, downlink: bool) -> Errors {
        let own = if downlink { self.loss_downlink } else { self.loss_uplink };
        Errors {
            loss: if own == Loss::None { self.loss } else { own },
            response: self.loss_response,
            snr_db: self.snr.map(f64::from),
            ..Errors::default()
        }
    }

    /// Errors of what the stations send that are neither this one nor the access point.
    pub fn errors_of_others(&self) -> Errors {
        let usual = self.errors(false);
        if self.loss_others == Loss::None { usual } else { Errors { loss: self.loss_others, ..usual } }
    }

    /// True if frames can be lost but for collisions.
    pub fn is_lossy(&self) -> bool {
        let losses = [self.loss, self.loss_uplink, self.loss_downlink, self.loss_others, self.loss_response];
        self.snr.is_some() || losses.iter().any(|&loss| loss != Loss::None)
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
