//! What goes over a link that carries IP: the same keys and the same types for every one of them.

use airtime_core::Duration;
use airtime_core::units::{Bitrate, Size};
use serde_json::Value;

use super::resolve::Resolver;
use crate::toml::error::Fault;

/// What goes over the link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Traffic {
    /// UDP or TCP.
    pub transport: Transport,
    /// Which way.
    pub direction: Direction,
    /// Flows of each sender.
    pub flows: u8,
    /// Time between echo requests beside it.
    pub ping: Option<Duration>,
    /// Whether the run goes on until all has arrived.
    pub drain: bool,
}

/// What carries the payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transport {
    /// Datagrams at a rate.
    Udp {
        /// Octets of payload of each.
        payload: u16,
        /// Payload offered by each sender; none saturates.
        offered: Option<Bitrate>,
        /// How the sender keeps to it.
        pace: Pace,
    },
    /// Streams.
    Tcp {
        /// Octets per call of the application.
        write: u32,
        /// Receive buffer.
        window: u32,
        /// Octets of the whole transfer; none: as much as the time allows.
        size: Option<u64>,
    },
}

/// How a sender of datagrams keeps to its rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// Evenly.
    Constant,
    /// As iperf3 does.
    Iperf3,
}

/// Which way the traffic goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From `a`, or from the host, up to the other end.
    Up,
    /// The other way.
    Down,
    /// Both ways at once.
    Both,
}

impl Direction {
    /// Whether this end sends, 0 for `a` or the host and 1 for the other.
    pub const fn sends(self, end: usize) -> bool {
        match self {
            Self::Up => end == 0,
            Self::Down => end == 1,
            Self::Both => true,
        }
    }

    /// Whether this end receives.
    pub const fn receives(self, end: usize) -> bool {
        self.sends(1 - end)
    }
}

/// What a link says of traffic when the plan does not.
#[derive(Clone, Copy, Debug)]
pub struct Missing {
    /// Payload of a datagram.
    pub payload: u16,
    /// Receive buffer of TCP.
    pub window: u32,
}

impl Resolver<'_> {
    /// The traffic of the plan.
    pub(super) fn traffic(&self, missing: Missing) -> Traffic {
        let set = self.set;
        let size = |name: &str| set.text(name).and_then(|text| text.parse::<Size>().ok()).map(|size| size.0);
        let transport = match set.text("traffic.kind") {
            Some("tcp") => Transport::Tcp {
                write: size("traffic.write").map_or(1, |octets| octets as u32),
                window: size("traffic.window").map_or(missing.window, |octets| octets as u32),
                size: size("traffic.size"),
            },
            _ => Transport::Udp {
                payload: self.count("traffic.payload", missing.payload),
                offered: set.text("traffic.offered").and_then(|text| text.parse::<Bitrate>().ok()),
                pace: if set.text("traffic.pace") == Some("iperf3") { Pace::Iperf3 } else { Pace::Constant },
            },
        };
        Traffic {
            transport,
            direction: match set.text("traffic.direction") {
                Some("down") => Direction::Down,
                Some("both") => Direction::Both,
                _ => Direction::Up,
            },
            flows: self.count("traffic.flows", 1),
            ping: set.span("traffic.ping"),
            drain: set.flag("traffic.drain"),
        }
    }
}

/// Refuses what only the other transport has.
///
/// # Errors
/// With the keys it is about and what is wrong with them.
pub fn of_the_other_kind(resolver: &Resolver<'_>, traffic: &Traffic) -> Result<(), (&'static [&'static str], Fault)> {
    match traffic.transport {
        Transport::Udp { .. } if resolver.set.set("traffic.size").is_some() => {
            let fault = Fault::new("`traffic.size`: only a TCP transfer has a size; datagrams last as long as the run");
            Err((&["traffic.size", "traffic.kind"], fault))
        }
        Transport::Tcp { .. } if resolver.set.set("traffic.offered").is_some() => {
            let fault = Fault::new("`traffic.offered`: TCP takes what it gets; only UDP is offered at a rate");
            Err((&["traffic.offered", "traffic.kind"], fault))
        }
        _ => Ok(()),
    }
}

const UDP: [&str; 3] = ["traffic.payload", "traffic.offered", "traffic.pace"];

const TCP: [&str; 3] = ["traffic.write", "traffic.window", "traffic.size"];

/// Whether the key of this name says nothing about this traffic, because it is about the other transport.
pub fn is_foreign(traffic: &Traffic, name: &str) -> bool {
    match traffic.transport {
        Transport::Udp { .. } => TCP.contains(&name),
        Transport::Tcp { .. } => UDP.contains(&name),
    }
}

/// Keys of traffic that are not simply what was set.
pub fn own(traffic: &Traffic, name: &str) -> Option<Value> {
    match (name, traffic.transport) {
        ("traffic.payload", Transport::Udp { payload, .. }) => Some(payload.into()),
        ("traffic.window", Transport::Tcp { window, .. }) => Some(Size(window.into()).to_string().into()),
        _ => None,
    }
}
