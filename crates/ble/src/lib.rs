//! Bluetooth LE, from the symbols on the air to the host, as plain state machines: no clock, no thread, no radio.
//!
//! The seam is HCI, the standard's own interface between a host and its controller. [`controller`] speaks H4 packets (HCI as a
//! serial line carries it) upwards and [`medium`] downwards; [`host`] uses nothing but H4 packets. [`network`] joins
//! controllers, hosts and the medium into a plant that the event loop of `airtime-core` can drive.
//!
//! A virtual controller in a test of one's own: octets of H4 in, octets of H4 and packets of the air out, and time as the
//! test likes.
//!
//! ```
//! use airtime_ble::air::Phy;
//! use airtime_ble::controller::{Controller, Input};
//! use airtime_ble::ll::outbox::Output;
//! use airtime_ble::personality;
//! use airtime_core::{Duration, Instant, Pool};
//!
//! /// Everything that the controller has to say to an input.
//! fn ask(controller: &mut Controller, now: Instant, input: Input<'_>) -> Vec<Output> {
//!     controller.handle(now, input);
//!     std::iter::from_fn(|| controller.poll(now)).collect()
//! }
//!
//! let mut controller = Controller::new(personality::Controller::ZEPHYR_LL, [1, 2, 3, 4, 5, 0xc0], Pool::new());
//!
//! // HCI_Reset, and its Command Complete. Core 6.0, Vol 4, Part E, 7.3.2 and 7.7.14.
//! let said = ask(&mut controller, Instant::ZERO, Input::Hci(&[0x01, 0x03, 0x0c, 0x00]));
//! let complete = [0x04, 0x0e, 0x04, 0x01, 0x03, 0x0c, 0x00];
//! assert!(said.iter().any(|output| matches!(output, Output::Hci(answer) if **answer == complete)));
//!
//! // HCI_LE_Set_Advertising_Enable: from now on it has a deadline, and then something for the air. 7.8.9.
//! ask(&mut controller, Instant::ZERO, Input::Hci(&[0x01, 0x0a, 0x20, 0x01, 0x01]));
//! let due = controller.deadline().expect("it advertises");
//! let sent = ask(&mut controller, due, Input::Wake).into_iter().find_map(|output| match output {
//!     Output::Transmit(transmission) => Some(transmission),
//!     _ => None,
//! });
//!
//! // ADV_IND without data: preamble, access address, header, address and CRC are 16 octets of 8 µs.
//! let sent = sent.expect("its deadline was that of an advertisement");
//! assert_eq!((sent.channel, sent.end - sent.start), (37, Duration::from_micros(128)));
//! assert_eq!(Phy::Le1M.packet(6), Duration::from_micros(128));
//! ```
//!
//! The three types to begin with:
//!
//! - [`air::Phy`]: the arithmetic of the air: the time of every packet on every PHY
//! - [`controller::Controller`]: a whole controller, HCI above and air below; [`personality::Controller`] is what it is like
//! - [`network::Network`]: controllers, what sits on them, and the medium between them, ready for an event loop
//!
//! # Features
//!
//! - `plan`: the words of plans: fields of [`personality`] are the keys of a personality's file, and what has a name has it in a plan,
//!   which `airtime-ble-link` reads; off unless it is asked for
#![no_std]
#![warn(missing_docs)]

extern crate alloc;

pub mod air;
pub mod capture;
pub mod controller;
pub mod hci;
pub mod host;
pub mod l2cap;
pub mod ledger;
pub mod ll;
pub mod medium;
pub mod network;
pub mod personality;
pub mod trace;
pub mod transport;
pub mod words;
