//! Raw 802.11 frames over custom RPC: the message set, the filter, the limits of injection.
//!
//! A published extension of esp-hosted (r4d10n/esp32p4-c6-wifi-test at `d82cffe`, `main/wifi_raw_msgs.h`): packed structures,
//! little endian, as the data of custom requests and events. [`Service`] is the co-processor's side of it, [`Monitor`] the
//! host's, [`Sniffer`] the application above that. A factory image has neither the handlers nor the code, and refuses.

mod command;
mod filter;
mod injection;
mod monitor;
mod packet;
mod rate;
mod reply;
mod service;
mod sniffer;

pub use command::{Command, CommandError, Interface, Second};
pub use filter::Filter;
pub use injection::{INJECTED_MAX, INJECTED_MIN, InjectionError, check};
pub use monitor::{COMMAND_TIMEOUT, CommandFailure, Finished, Monitor, MonitorCounts, NotSent, Told, WRITTEN_MAX};
pub use packet::{PacketError, PacketKind, PromiscuousPacket};
pub use rate::{Rate, SigMode};
pub use reply::Reply;
pub use service::{Firmware, RadioRequest, Service, ServiceCounts, ServiceOutput};
pub use sniffer::{Hearer, Sniffer, Step};

/// Numbers of the messages.
pub mod id {
    /// To the co-processor: listen to everything, or not.
    pub const SET_PROMISCUOUS: u32 = 0x0100;
    /// To the co-processor: go to a channel.
    pub const SET_CHANNEL: u32 = 0x0101;
    /// To the co-processor: what to hand over.
    pub const SET_FILTER: u32 = 0x0102;
    /// To the co-processor: send a frame.
    pub const TRANSMIT: u32 = 0x0103;
    /// From the co-processor: what became of a command.
    pub const COMMAND_RESPONSE: u32 = 0x0180;
    /// From the co-processor: a frame that was heard, as the table of the published documentation has it. The default.
    pub const PROMISCUOUS_PACKET: u32 = 0x0181;
    /// Number of that event, as the published code has it.
    pub const PROMISCUOUS_PACKET_OF_CODE: u32 = 0x0200;

    /// The commands: what a co-processor's table of handlers must have room for.
    pub const COMMANDS: [u32; 4] = [SET_PROMISCUOUS, SET_CHANNEL, SET_FILTER, TRANSMIT];
}
