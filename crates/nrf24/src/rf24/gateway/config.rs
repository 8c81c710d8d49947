//! Configuration of a node of the gateway.

use airtime_core::Duration;

use crate::host::Cost;
use crate::rf24::{Config, Length};

/// Node of a network of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Address {
    /// The master of the network, node 00.
    Master,
    /// Its first child.
    Child,
}

impl Address {
    /// Address in the headers of messages: 00 and 01.
    pub const fn number(self) -> u16 {
        self as u16
    }

    /// The other one.
    pub const fn other(self) -> Self {
        match self {
            Self::Master => Self::Child,
            Self::Child => Self::Master,
        }
    }

    /// Address of the pipe at which the other node writes to it, least significant octet first: pipe 1 of the master, pipe 5 of the
    /// child, as `pipe_address()` has them.
    const fn pipe(self) -> [u8; 5] {
        match self {
            Self::Master => [0x3C, 0xCC, 0xCC, 0xCC, 0xCC],
            Self::Child => [0xE3, 0x3C, 0xCC, 0xCC, 0xCC],
        }
    }

    /// Retransmission delay that `begin()` sets, in steps of 250 µs less one: another for each node, so that two that collide do not
    /// collide again.
    pub const fn ard(self) -> u8 {
        ((self.number() % 6 + 1) * 2 + 3) as u8
    }

    /// Radio of this node as `begin()` sets it up, out of one that says channel, rate and power.
    pub const fn radio(self, radio: Config) -> Config {
        let (listens_at, writes_to) = (self.pipe(), self.other().pipe());
        Config { auto_ack: true, length: Length::Dynamic, payload_size: 32, listens_at, writes_to, ..radio }
    }
}

/// Configuration of a node of the gateway.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GatewayConfig {
    /// Node of the network that it is.
    pub address: Address,
    /// Settings of its radio.
    pub radio: Config,
    /// Sleep of the loop: `delay(2)` behind each `update()` of the example, or what `poll()` is given.
    pub sleep: Duration,
    /// The example with interrupts: `poll()` sleeps only when no frame came since it last began.
    pub interrupts: bool,
    /// MTU of the TUN device.
    pub mtu: u16,
    /// Costs of its host to reach chip and kernel.
    pub cost: Cost,
}
