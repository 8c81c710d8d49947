//! Configuration of a cell: plain data.

use alloc::vec::Vec;

use airtime_core::Duration;
use airtime_core::loss::Loss;

use super::{PowerSave, StationId};
use crate::air::{Access, Aggregation, Guard, Phy, Timing, Width};
use crate::mac::{Backoff, RateConfig};

/// The unit of intervals of beacons. 3.1.
pub(super) const TIME_UNIT: Duration = Duration::from_micros(1_024);

/// Stations and the channel that they share.
#[derive(Clone, Debug, PartialEq)]
pub struct CellConfig {
    /// Spaces, slots and responses.
    pub timing: Timing,
    /// Distribution from which backoffs are drawn.
    pub backoff: Backoff,
    /// Makes stations wait EIFS behind a frame that has reached them damaged (10.3.2.3.7); without, DIFS or AIFS. A frame that a
    /// station has missed leaves nothing to wait for.
    pub eifs: bool,
    /// Fate of PPDUs that overlap at stations that only listen: damaged, so that EIFS follows, or missed.
    pub collided: Collided,
    /// Start of the count of a sender that nobody has answered.
    pub after_failure: AfterFailure,
    /// Station that is the access point.
    pub access_point: StationId,
    /// Primary channel: 1..=14, 36...
    pub channel: u8,
    /// The stations: [`StationId`] is their place. By custom 0 is the co-processor's and 1 the access point.
    pub stations: Vec<StationConfig>,
    /// Beacons, if the access point sends some.
    pub beacons: Option<Beacons>,
    /// Traffic in the secondary channel when PPDUs of 40 MHz are sent.
    pub secondary: Option<Secondary>,
    /// Power save of a station, if one dozes.
    pub power_save: Option<PowerSave>,
}

impl CellConfig {
    /// A station and its access point in 2.4 GHz, HT20, MCS 7, short guard interval, Block Ack windows of 32, no loss.
    pub fn pair() -> Self {
        let mut access_point = StationConfig::usual(1);
        access_point.tx_buffers = 512;
        Self {
            timing: Timing::ghz24(),
            backoff: Backoff::Random,
            eifs: true,
            collided: Collided::default(),
            after_failure: AfterFailure::Timeout,
            access_point: StationId(1),
            channel: 1,
            stations: alloc::vec![StationConfig::usual(0), access_point],
            beacons: None,
            secondary: None,
            power_save: None,
        }
    }
}

impl CellConfig {
    /// Asserts that receivers and PHYs exist, and that what comes again and again takes some time to.
    pub(super) fn check(&self) {
        let known = |id: StationId| assert!(id.index() < self.stations.len(), "the cell has no station {}", id.0);
        let lasts =
            |every: Duration| assert!(!every.is_zero(), "traffic without any time between two frames never ends");
        self.beacons.iter().for_each(|beacons| lasts(beacons.every));
        self.secondary.iter().for_each(|secondary| lasts(secondary.every));
        for station in &self.stations {
            let phy = station.rate.highest();
            assert!(phy.valid() && station.raw_phy.valid(), "there is no PHY {phy:?}");
            match station.traffic {
                Traffic::None => {}
                Traffic::Saturated { to, .. } => known(to),
                Traffic::Poisson { to, every, .. } => {
                    known(to);
                    lasts(every);
                }
                Traffic::Probes { every } => lasts(every),
            }
        }
        known(self.access_point);
        self.check_power_save();
        if let Some(beacons) = &self.beacons {
            assert!(beacons.phy.valid() && beacons.ssid.len() <= 32, "there are no beacons {beacons:?}");
        }
    }
}

/// One station.
#[derive(Clone, Debug, PartialEq)]
pub struct StationConfig {
    /// Its MAC address.
    pub address: [u8; 6],
    /// Contention parameters of its data.
    pub access: Access,
    /// Rate control of its data.
    pub rate: RateConfig,
    /// Transmission parameters of raw frames: 1 Mbit/s unless told otherwise (`esp_wifi_80211_tx`).
    pub raw_phy: Phy,
    /// Limits of its A-MPDUs as a sender.
    pub aggregation: Aggregation,
    /// Octets of an A-MSDU at most; none: every MSDU is an MPDU of its own.
    pub amsdu: Option<u16>,
    /// Time from the start of its first PPDU of data within which further exchanges follow a SIFS apart (TXOP limit, 10.23.2.9); zero: one
    /// exchange each time.
    pub txop: Duration,
    /// The Block Ack window that it grants as a receiver, 1..=64; the smaller of both counts.
    pub receive_window: u16,
    /// MSDUs that it holds for transmission at most.
    pub tx_buffers: usize,
    /// Octets of a PSDU with individually addressed data or management above which an RTS goes first (`dot11RTSThreshold`, C.3); none: never.
    pub rts_threshold: Option<u32>,
    /// Transmissions of an MPDU before it is given up (`dot11ShortRetryLimit`, 7); none: never. An RTS without CTS counts as one of
    /// what it goes in front of: there is one frame retry count. 10.3.4.4, 10.23.2.12.1. A Block Ack request has as many,
    /// or 7.
    pub retry_limit: Option<u8>,
    /// Policy of a sender that no Block Ack has reached.
    pub missing_block_ack: MissingBlockAck,
    /// Age at which an MSDU that waits is given up; none: never.
    pub lifetime: Option<Duration>,
    /// Set if CCMP adds its header and MIC.
    pub encrypted: bool,
    /// Errors of the frames that it sends.
    pub errors: Errors,
    /// Traffic of its own, made by the cell.
    pub traffic: Traffic,
    /// Its signal at the antennas of others, for captures, in dBm.
    pub rssi_dbm: i8,
}

impl StationConfig {
    /// HT20, MCS 7, short guard interval, window 32, 32 transmit buffers (`ESP_WIFI_DYNAMIC_TX_BUFFER_NUM`), best effort, WPA2, seven
    /// transmissions, no loss, no traffic of its own. The address is 02:00:00:00:00:01 for 0, :03 for 1, and :04 on for others.
    pub fn usual(place: u8) -> Self {
        let last = match place {
            0 => 1,
            other => other.saturating_add(2),
        };
        Self {
            address: [2, 0, 0, 0, 0, last],
            access: Access::BEST_EFFORT,
            rate: RateConfig::Fixed(Phy::ht(Width::Mhz20, Guard::Ns400, 7)),
            raw_phy: Phy::dsss1(),
            aggregation: Aggregation::ht(32),
            amsdu: None,
            txop: Duration::ZERO,
            receive_window: 64,
            tx_buffers: 32,
            rts_threshold: None,
            retry_limit: Some(7),
            missing_block_ack: MissingBlockAck::default(),
            lifetime: None,
            encrypted: true,
            errors: Errors::default(),
            traffic: Traffic::None,
            // *Assumed*: a good link.
            rssi_dbm: -45,
        }
    }
}

/// Errors of frames apart from collisions; every receiver draws for itself. No random number is drawn for a loss that cannot happen.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Errors {
    /// Probability that an MPDU does not arrive, by MCS; 0 for an MCS beyond the end.
    pub per: Vec<f64>,
    /// More loss, of any rate. What is missed is a PPDU, what is damaged an MPDU of data or management; bit errors and bursts strike RTS
    /// and Block Ack requests as well.
    pub loss: Loss,
    /// Loss of acknowledgements, Block Acks and CTS that reach this station: its own, and those that it overhears.
    pub response: Loss,
    /// Signal-to-noise ratio at whoever hears this station, and at which it hears responses, in dB; none: no noise.
    pub snr_db: Option<f64>,
}

/// Traffic that the cell itself makes for a station.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Traffic {
    /// None: it sends what it is offered.
    #[default]
    None,
    /// Always another MPDU of `mpdu` octets for `to`.
    Saturated {
        /// Receiver of the MSDUs.
        to: StationId,
        /// Octets of an MPDU, header and FCS included.
        mpdu: u16,
    },
    /// MPDUs of `mpdu` octets for `to` at random, a mean time apart (a Poisson process); dropped while the buffers are full.
    Poisson {
        /// Receiver of the MSDUs.
        to: StationId,
        /// Octets of an MPDU, header and FCS included.
        mpdu: u16,
        /// Mean time between two.
        every: Duration,
    },
    /// Probe requests for any network, a mean time apart (a Poisson process); the access point answers each if it sends beacons.
    Probes {
        /// Mean time between two.
        every: Duration,
    },
}

/// Fate of PPDUs that overlap at stations that only listen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[cfg_attr(feature = "plan", derive(airtime_keys::Words))]
pub enum Collided {
    /// Damaged: a preamble is found, and no frame behind it. EIFS follows.
    #[default]
    Damaged,
    /// Missed: of signals that are equally strong no preamble is found (ns-3, whose preambles have to be 4 dB above the rest).
    Missed,
}

/// Start of the count of a sender that nobody has answered, after a collision for instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum AfterFailure {
    /// Once it has given up waiting for the response: its slots are not those of the stations that wait EIFS.
    /// 10.3.2.11, 10.23.2.4 c).
    #[default]
    Timeout,
    /// Together with everybody else, after DIFS, AIFS or EIFS: what analyses of saturation assume.
    Together,
}

/// Policy of a sender that no Block Ack has reached. The standard leaves it the choice (10.25.6.7).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[cfg_attr(feature = "plan", derive(airtime_keys::Words))]
pub enum MissingBlockAck {
    /// Resend: all MPDUs of the PPDU go again (ath9k).
    #[default]
    Resend,
    /// Request: a Block Ack request goes first, as often as a frame, and then what its answer lacks (ns-3).
    Request,
}

/// Beacons of the access point, and its answers to probe requests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Beacons {
    /// Name of the network, up to 32 octets.
    pub ssid: Vec<u8>,
    /// Time between two target times; 100 time units of 1024 µs as a rule.
    pub every: Duration,
    /// Transmission parameters of the beacons.
    pub phy: Phy,
}

impl Beacons {
    /// Every 102.4 ms at 1 Mbit/s.
    pub fn usual(ssid: &[u8]) -> Self {
        Self { ssid: ssid.to_vec(), every: TIME_UNIT * 100, phy: Phy::dsss1() }
    }
}

/// Another cell in the secondary channel of a PPDU of 40 MHz.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Secondary {
    /// Time on the air of one of its exchanges, response included.
    pub exchange: Duration,
    /// Mean time between two of them (a Poisson process); what cannot be sent at once is sent later.
    pub every: Duration,
    /// Policy of a station that finds the secondary channel busy, or idle for less than PIFS. 10.23.2.5.
    pub policy: WidePolicy,
    /// Set if both cells hear each other. Below -72 dBm (10.23.2.5) they do not, and a PPDU of 40 MHz loses the MPDUs
    /// that an exchange over there overlaps.
    pub heard: bool,
}

/// Policy of a station that cannot have the secondary channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[cfg_attr(feature = "plan", derive(airtime_keys::Words))]
pub enum WidePolicy {
    /// Fallback: the PPDU is sent in 20 MHz.
    #[default]
    #[cfg_attr(feature = "plan", word("fall-back"))]
    Fallback,
    /// Deferral: another backoff is drawn before the next attempt.
    Defer,
}
