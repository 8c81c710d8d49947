//! Captures of runs, as other programs read them: the formats, whatever the link.
//!
//! [`pcapng`] holds packets of the air for Wireshark, [`btsnoop`] what crosses an HCI, [`perfetto`] a time line of slices and
//! counters. Each has a writer; pcapng and btsnoop also have readers, of our files or anybody's, and [`mod@file`] reads whichever it is.
//! [`hci`] is an HCI packet whatever it came in, [`link_type`] has the names of what pcapng may hold. A link's own crate says what
//! of a run is written. Finished bytes go to a [`Sink`] packet by packet: memory does not grow with the length of a capture.
//!
//! ```
//! use airtime_capture::pcapng::{Packets, Writer};
//! use airtime_capture::Origin;
//! use airtime_core::Instant;
//!
//! // Two acknowledgements of IEEE 802.15.4 without their FCS, link type 230, on one interface.
//! let mut writer = Writer::new(Vec::new(), "example");
//! let air = writer.interface(230, "air", "what was heard");
//! for (us, frame) in [(0, [0x02, 0x00, 7]), (1_504, [0x02, 0x00, 8])] {
//!     let stamp = Origin::VIRTUAL.unix_nanos(Instant::from_nanos(us * 1_000));
//!     writer.packet(air, stamp, |out| out.extend_from_slice(&frame));
//! }
//! let capture = writer.into_sink();
//!
//! // Any reader of pcapng takes it; this one knows stamps to the nanosecond.
//! let packets: Vec<_> = Packets::new(&capture).map(|packet| packet.unwrap()).collect();
//! assert_eq!((packets.len(), packets[0].link_type, packets[1].data[2]), (2, 230, 8));
//! assert_eq!(packets[1].unix_ns - packets[0].unix_ns, 1_504_000);
//! ```
#![no_std]
#![warn(missing_docs)]

extern crate alloc;

pub mod btsnoop;
pub mod file;
mod form;
pub mod fuzz;
pub mod hci;
pub mod link_type;
pub mod origin;
pub mod pcapng;
pub mod perfetto;
pub mod sink;

pub use form::Form;
pub use origin::Origin;
pub use sink::Sink;
