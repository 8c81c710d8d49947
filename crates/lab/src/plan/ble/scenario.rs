//! Everything one run over a Bluetooth LE link needs to know.

use std::fmt;
use std::str::FromStr;

use airtime_ble::air::Phy;
use airtime_ble::personality::{Controller, Host};
use airtime_core::Duration;
use airtime_core::loss::Loss;
use airtime_keys::{Kind, Run};

use super::rpc::{RpcScenario, Transport};

/// The parameters of one run. The personalities have every key of the plan already in them.
#[derive(Clone, Debug, PartialEq)]
pub struct Scenario {
    /// What carries the stream.
    pub link: Link,
    /// The end that initiates.
    pub central: Device,
    /// The end that advertises; with several peripherals, each of them.
    pub peripheral: Device,
    /// How many peripherals stream with the central, 1..=4.
    pub peripherals: u8,
    /// Interval asked for at the start.
    pub conn_interval: Duration,
    /// Interval the peripheral asks for after connecting.
    pub request_interval: Option<Duration>,
    /// A change of the interval during the stream.
    pub change_interval: Option<ChangeInterval>,
    /// Peripheral latency in events.
    pub latency: u16,
    /// Supervision timeout.
    pub supervision_timeout: Duration,
    /// PHY of both directions.
    pub phy: Phy,
    /// Frame space to negotiate; nothing when it stays at 150 µs.
    pub frame_space: Option<Duration>,
    /// LL payload octets both ends ask for, 27..=251.
    pub data_length: u16,
    /// Whether the stream waits for the data length.
    pub data_length_gate: bool,
    /// Whether the peripheral stops advertising once it is connected.
    pub stop_advertising: bool,
    /// Whether the link is encrypted.
    pub encrypted: bool,
    /// Which way the stream goes.
    pub direction: Direction,
    /// Whether links that meet on a channel destroy each other's packets.
    pub co_channel: bool,
    /// Packet loss.
    pub loss: Loss,
    /// Name advertised and scanned for.
    pub name: String,
    /// How long the central scans.
    pub scan_timeout: Duration,
    /// The credit-based channel; meaningful when `link` is [`Link::BleCoc`].
    pub coc: Coc,
    /// The characteristic; meaningful when `link` is [`Link::BleGatt`].
    pub gatt: Gatt,
    /// The remote calls, exactly when `link` is [`Link::BleRpc`].
    pub rpc: Option<RpcScenario>,
    /// How long and how often.
    pub run: Run,
}

/// One end of a link.
#[derive(Clone, Debug, PartialEq)]
pub struct Device {
    /// Name of its personality.
    pub name: String,
    /// Its controller.
    pub controller: Controller,
    /// Its host.
    pub host: Host,
    /// Whose program that host is.
    pub program: Program,
    /// Who can turn the host's knobs.
    pub stack: Stack,
}

/// The program that is a device's host.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Program {
    /// The lab's own, with everything its personality says.
    #[default]
    Model,
    /// `trouble-host`, unmodified; of its personality's host it has the terms of channels, and no CPU.
    Trouble,
}

/// Whose a device's stack is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stack {
    /// Built with the application; everything can be turned.
    Firmware,
    /// An operating system's.
    Os,
}

/// What carries the stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Link {
    /// L2CAP credit-based channels.
    BleCoc,
    /// GATT notifications and write commands.
    BleGatt,
    /// Remote calls over either.
    BleRpc,
}

impl Link {
    /// As plans and records write it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::BleCoc => "ble-coc",
            Self::BleGatt => "ble-gatt",
            Self::BleRpc => "ble-rpc",
        }
    }
}

/// Which way the stream goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From the peripheral to the central.
    PeripheralToCentral,
    /// From the central to the peripheral.
    CentralToPeripheral,
    /// Both ways at once.
    Both,
}

impl Direction {
    /// As plans and records write it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::PeripheralToCentral => "p2c",
            Self::CentralToPeripheral => "c2p",
            Self::Both => "both",
        }
    }

    /// Whether the central streams.
    pub const fn central_sends(self) -> bool {
        !matches!(self, Self::PeripheralToCentral)
    }

    /// Whether the peripheral streams.
    pub const fn peripheral_sends(self) -> bool {
        !matches!(self, Self::CentralToPeripheral)
    }
}

/// A change of the interval during the stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChangeInterval {
    /// When, from the start of the stream.
    pub at: Duration,
    /// The interval asked for.
    pub to: Duration,
}

/// How the stream is cut for a credit-based channel. MTU, MPS, credits and buffers are in the
/// personalities.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Coc {
    /// Octets per SDU.
    pub sdu: u16,
    /// SDUs under way at once, per channel.
    pub in_flight: u8,
    /// Channels per connection.
    pub channels: u8,
    /// What the application does between SDUs.
    pub pacing: Pacing,
}

/// How the stream is cut for GATT. MTU and buffers are in the personalities.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gatt {
    /// ATT MTU the two ends will agree on.
    pub mtu: u16,
    /// Octets per value.
    pub payload: u16,
    /// Values under way at once.
    pub in_flight: u8,
    /// What the application does between values.
    pub pacing: Pacing,
}

/// What the application does between SDUs or values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pacing {
    /// Waits until fewer than `in_flight` are under way.
    Semaphore,
    /// Waits, and sleeps this long after each.
    Sleep(Duration),
}

impl fmt::Display for Pacing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Semaphore => f.write_str("semaphore"),
            Self::Sleep(span) => write!(f, "sleep:{span}"),
        }
    }
}

impl FromStr for Pacing {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.split_once(':') {
            None if text == "semaphore" => Ok(Self::Semaphore),
            Some(("sleep", span)) => match span.parse::<Duration>() {
                Ok(span) if !span.is_zero() && span <= Duration::from_secs(60) => Ok(Self::Sleep(span)),
                Ok(span) => Err(format!("a sleep of {span} is out of range, 1ns to 60s")),
                Err(error) => Err(error.to_string()),
            },
            _ => Err(format!("`{text}` is no pacing")),
        }
    }
}

/// Values of a key that says how the application paces itself.
pub const PACING: Kind = Kind::Parsed {
    allowed: "\"semaphore\", or \"sleep:\" with a time such as \"sleep:2ms\"",
    alternatives: &["semaphore"],
    canonical: |text| text.parse::<Pacing>().map(|pacing| pacing.to_string()),
};

impl Scenario {
    /// What carries the stream, or the frames of calls.
    pub fn transport(&self) -> Transport {
        match (self.link, &self.rpc) {
            (Link::BleRpc, Some(rpc)) => rpc.transport,
            (Link::BleCoc, _) => Transport::Coc,
            (Link::BleGatt | Link::BleRpc, _) => Transport::Gatt,
        }
    }

    /// Octets per SDU or value; of calls, of the longest frame.
    pub fn payload(&self) -> u16 {
        match (self.link, &self.rpc) {
            (Link::BleRpc, Some(rpc)) => rpc.frame,
            (Link::BleCoc, _) => self.coc.sdu,
            (Link::BleGatt | Link::BleRpc, _) => self.gatt.payload,
        }
    }

    /// SDUs or values under way at once, per channel. What carries calls has its own rule.
    pub const fn in_flight(&self) -> u8 {
        match self.link {
            Link::BleCoc => self.coc.in_flight,
            Link::BleGatt | Link::BleRpc => self.gatt.in_flight,
        }
    }

    /// What the application does between SDUs or values.
    pub const fn pacing(&self) -> Pacing {
        match self.link {
            Link::BleCoc => self.coc.pacing,
            Link::BleGatt | Link::BleRpc => self.gatt.pacing,
        }
    }

    /// Channels per connection; only a stream over credit-based channels has several.
    pub const fn channels(&self) -> u8 {
        match self.link {
            Link::BleCoc => self.coc.channels,
            Link::BleGatt | Link::BleRpc => 1,
        }
    }

    /// The device whose buffers and tasks carry the stream: with both directions and with calls, the peripheral.
    pub const fn sender(&self) -> &Device {
        if self.direction.peripheral_sends() { &self.peripheral } else { &self.central }
    }

    /// The device at the other end of [`sender`](Self::sender).
    pub const fn receiver(&self) -> &Device {
        if self.direction.peripheral_sends() { &self.central } else { &self.peripheral }
    }
}
