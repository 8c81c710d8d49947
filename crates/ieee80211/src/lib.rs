//! IEEE 802.11 without a chip: frames as octets, the radiotap headers of captures, and the time that everything takes on the air.
//!
//! - [`air`]: time of a PPDU and of a whole cycle, as closed forms · [`wire`]: 802.11 frames and radiotap
//!
//! A sender that always has more, alone on its channel: up to 32 UDP datagrams of 1472 octets in one aggregate, and the octets of
//! the acknowledgement that a single frame would have got:
//!
//! ```
//! use airtime_core::{Duration, Pool};
//! use airtime_ieee80211::air::{Access, Aggregation, Cycle, Guard, Phy, Timing, Width, mpdu_octets};
//! use airtime_ieee80211::wire::{Control, MacAddress};
//!
//! // 802.11n in 20 MHz with a short guard interval, MCS 7: 72.2 Mbit/s.
//! let phy = Phy::ht(Width::Mhz20, Guard::Ns400, 7);
//! assert_eq!(phy.rate_kbps(), 72_222);
//!
//! // An MPDU is header, LLC/SNAP, IP, UDP, payload and check sequence.
//! let mpdu = mpdu_octets(14 + 20 + 8 + 1_472, false);
//! let cycle = Cycle::new(&Timing::ghz24(), Access::BEST_EFFORT, &Aggregation::ht(32), phy, mpdu, 32);
//! assert_eq!(cycle.mpdus, 31, "one more would last longer than 5.484 ms");
//!
//! // AIFS of SIFS and three slots, half of 15 slots of backoff, the PPDU, SIFS, Block Ack: 92 % of the rate is payload.
//! assert_eq!((cycle.aifs, cycle.sifs), (Duration::from_micros(37), Duration::from_micros(10)));
//! assert_eq!(cycle.backoff, Duration::from_nanos(67_500));
//! assert_eq!(cycle.goodput_bps(1_472), 66_391_925);
//!
//! let mut ack = Pool::new().packet();
//! Control::Ack { receiver: MacAddress([2, 0, 0, 0, 0, 1]) }.emit(&mut ack);
//! assert_eq!(*ack, [0xd4, 0, 0, 0, 2, 0, 0, 0, 0, 1]);
//! ```
//!
//! The three types to begin with:
//!
//! - [`air::Phy`]: one rate of one standard, and the time of a PPDU on it
//! - [`air::Cycle`]: everything from one idle channel to the next, and the goodput that follows
//! - [`wire::Frame`]: any frame, read from octets that anybody may have sent
//!
//! # Features
//!
//! - `plan`: words of standards, widths, guard intervals and preambles as plans write them; off unless it is asked for
#![no_std]
#![warn(missing_docs)]

extern crate alloc;

pub mod air;
pub mod heard;
pub mod wire;
