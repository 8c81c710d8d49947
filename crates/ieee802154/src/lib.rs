//! IEEE 802.15.4 at 2.4 GHz: stations that send to one receiver with unslotted CSMA-CA, and where the air goes.
//!
//! O-QPSK, 250 kbit/s; no beacons. Clause numbers are of IEEE Std 802.15.4-2020.
//!
//! - [`air`]: how long frames and cycles take, closed forms · [`wire`]: frames bit for bit, TAP headers of captures
//! - [`mac`]: one station: CSMA-CA, acknowledgements, duplicates · [`medium`]: who is on the air, what noise does
//! - [`lowpan`]: UDP datagrams over IPv6 in frames: compressed headers, fragments
//! - [`network`]: all of it as one plant, its configuration and its figures · [`trace`]: what it tells
//! - [`rcp`]: a radio co-processor behind a UART, its messages and their time
//! - [`ledger`]: where the air went
//!
//! One second of a sender that always has more, to one receiver, and the books of its link:
//!
//! ```
//! use airtime_core::{Duration, Instant};
//! use airtime_core::ledger::Account as _;
//! use airtime_ieee802154::ledger::{Account, Books};
//! use airtime_ieee802154::mac::Backoff;
//! use airtime_ieee802154::network::{self, Config};
//!
//! // 116 octets are what short addresses in one PAN leave of 127. With mean backoffs a run is the closed form.
//! let config = Config { backoff: Backoff::Mean, duration: Duration::from_secs(1), ..Config::default() };
//! let (outcome, books) = network::run(&config, Books::new(Instant::ZERO, 1)).expect("the defaults fit");
//!
//! // 3.5 periods of backoff, CCA, turnaround, 133 octets, turnaround, acknowledgement, long space: 6.88 ms.
//! assert_eq!(config.cycle().total(), Duration::from_micros(1_120 + 128 + 192 + 4_256 + 192 + 352 + 640));
//! assert_eq!(config.closed_form_bps(), 134_883);
//! assert_eq!((outcome.total.delivered, outcome.goodput().0), (145, 134_560));
//!
//! // Every nanosecond of the second is in one account.
//! let ledger = books.ledger_at(Instant::ZERO + outcome.elapsed);
//! assert!(ledger.balances());
//! assert_eq!(ledger.elapsed(), Duration::from_secs(1));
//! assert_eq!(ledger.of(Account::Payload), Duration::from_micros(145 * 116 * 32));
//! assert_eq!(Books::bottleneck(&ledger).name(), "backoff");
//! ```
//!
//! The three types to begin with:
//!
//! - [`network::Config`]: senders, frames and noise of a run, with a default; [`network::run`] runs it
//! - [`air::Cycle`]: one transaction from backoff to spacing, as a closed form
//! - [`ledger::Books`]: where the air went
//!
//! # Features
//!
//! - `plan`: module `plan`, the keys of a plan and the link as the laboratory runs it; off unless it is asked for
#![no_std]
#![warn(missing_docs)]

extern crate alloc;

pub mod air;
pub mod heard;
pub mod ledger;
pub mod lowpan;
pub mod mac;
pub mod medium;
pub mod network;
#[cfg(feature = "plan")]
pub mod plan;
pub mod rcp;
pub mod trace;
pub mod wire;
