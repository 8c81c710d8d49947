//! Wi-Fi through an ESP-hosted co-processor: what a host MCU sends through SDIO, a second chip and the air, and where
//! the time of the air goes.
//!
//! The seam is the bus: esp-hosted frames with their header of 12 octets over the registers of an SDIO slave. Everything
//! above it (`hosted::host`) runs on a microcontroller too; everything below it is a sans-IO node: a state machine that is
//! told the time and never asks for it.
//!
//! One second of a station that always has more, alone with its access point; with the mean of every random backoff a run is the
//! closed form:
//!
//! ```
//! use airtime_core::{Duration, Instant, Pool};
//! use airtime_wifi::air::{Access, Aggregation, Cycle, Guard, Phy, Timing, Width, mpdu_octets};
//! use airtime_wifi::cell::{Cell, CellConfig, StationConfig, StationId, Traffic};
//! use airtime_wifi::mac::Backoff;
//!
//! // UDP of 1472 octets, 802.11n in 20 MHz with a short guard interval, MCS 7, aggregates of up to 32 MPDUs.
//! let (station, access_point) = (StationId(0), StationId(1));
//! let mpdu = mpdu_octets(14 + 20 + 8 + 1_472, false);
//! let mut config = CellConfig { backoff: Backoff::Mean, ..CellConfig::pair() };
//! config.stations[0] = StationConfig {
//!     traffic: Traffic::Saturated { to: access_point, mpdu: mpdu as u16 },
//!     ..StationConfig::usual(0)
//! };
//!
//! let mut cell = Cell::new(config, Pool::new(), 1);
//! let end = Instant::ZERO + Duration::from_secs(1);
//! while let Some(now) = cell.deadline().filter(|at| *at <= end) {
//!     cell.wake(now);
//!     while cell.poll(now).is_some() {}
//! }
//! let delivered = cell.counters(station).delivered;
//!
//! let phy = Phy::ht(Width::Mhz20, Guard::Ns400, 7);
//! let form = Cycle::new(&Timing::ghz24(), Access::BEST_EFFORT, &Aggregation::ht(32), phy, mpdu, 32);
//! assert_eq!(form.total(), Duration::from_nanos(5_498_500));
//! assert_eq!(delivered, u64::from(form.mpdus) * (Duration::from_secs(1).as_nanos() / form.total().as_nanos()));
//! ```
//!
//! The three types to begin with:
//!
//! - [`cell::Cell`]: stations that share a channel: backoff, collisions, aggregates, acknowledgements, rates
//! - [`network::Network`]: the whole way from the host's stack to the far end and back, as one plant for an event loop
//! - [`ledger::Books`]: where the air went, told from the [`trace`]
//!
//! The modules:
//!
//! - [`air`]: time of a PPDU and of a cycle, closed forms · [`wire`]: 802.11 frames and radiotap; both a crate of their own
//! - [`mac`]: one station: queue, backoff, A-MPDU, Block Ack, rate · [`cell`]: stations that share a channel
//! - [`hosted`]: the bus: frames, SDIO, RPC, both sides, raw frames; a crate of its own
//! - [`network`]: all of it as one plant · [`personality`]: chips as data · [`trace`]: what it tells · [`ledger`]: where the
//!   air went · [`words`]: those of several rooms
//!
//! # Features
//!
//! - `capture`: module `capture`, 802.11 frames for Wireshark and time lines for Perfetto; part of `plan`
//! - `plan`: modules `plan`, the keys of a plan and the scenario they come to, and `run`, a run of it and its figures; off unless
//!   it is asked for
#![no_std]
#![warn(missing_docs)]

extern crate alloc;

#[cfg(feature = "capture")]
pub mod capture;
pub mod cell;
pub mod ledger;
pub mod mac;
mod memo;
pub mod network;
pub mod personality;
#[cfg(feature = "plan")]
pub mod plan;
#[cfg(feature = "plan")]
pub mod run;
pub mod trace;
pub mod words;

pub use airtime_esp_hosted as hosted;
pub use airtime_ieee80211::{air, wire};
