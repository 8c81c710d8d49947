//! Captures of runs, as other programs read them.
//!
//! [`AirCapture`] writes the air as pcapng for Wireshark, [`HostCapture`] the HCI of one device as btsnoop,
//! [`TimelineCapture`] all of it as a Perfetto trace. Each is a sink of what
//! [`Observer`](airtime_ble::network::Observer) is told and of nothing else, so what is below and above the HCI does
//! not matter. Finished bytes go to a [`Sink`] packet by packet: memory does not grow with the length of a capture.
//!
//! [`WifiCapture`] writes 802.11 frames as pcapng with radiotap: those of a virtual cell, or what a co-processor has heard.
//!
//! [`pcapng`] and [`ll`] also read captures back, ours or a sniffer's.
#![no_std]
#![warn(missing_docs)]

extern crate alloc;

mod air;
pub mod btsnoop;
pub mod fuzz;
mod host;
pub mod ll;
pub mod origin;
pub mod pcapng;
pub mod perfetto;
pub mod sink;
mod timeline;
mod wifi;

pub use air::AirCapture;
pub use host::HostCapture;
pub use origin::Origin;
pub use sink::Sink;
pub use timeline::TimelineCapture;
pub use wifi::WifiCapture;
