//! Everything one run of IP over the nRF24L01+ needs to know.

use alloc::vec;
use alloc::vec::Vec;

use airtime_core::units::Bitrate;
use airtime_keys::{Fault, Key, Keys, Run, Source, Table, Value, Words};
use airtime_net::traffic::{Carried, Kind, Missing, Traffic, Transport};

use super::check;
use super::keys::{Air, Bus, Host, Radio, Stall, Tunnel};
use crate::air::{Framing, PAYLOAD_MAX};
use crate::host::Cost;
use crate::rf24::gateway::FRAGMENT_MAX;

/// Octets that IPv4 without options and UDP put in front of a payload. RFC 791, 3.1; RFC 768.
pub(super) const IP_UDP: u16 = 20 + 8;

/// Names of the link in plans and records.
pub const LINKS: &[&str] = &["nrf24-ip"];

/// Keys of the link, in the order of documentation and records.
pub const TABLES: &[Table] = &[
    Table::new(Radio::KEYS, LINKS),
    Table::new(Bus::KEYS, LINKS),
    Table::new(Tunnel::KEYS, LINKS),
    Table::new(Air::KEYS, LINKS),
    Table::new(Stall::KEYS, LINKS),
    Table::new(Host::KEYS, LINKS),
];

/// Keys of its traffic, which it shares with other links that carry IP.
pub const TRAFFIC: &[Table] = &[Table::new(Traffic::KEYS, LINKS)];

/// Way in which frames get across.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Words)]
pub enum Mode {
    /// The tunnel of the published report.
    Legacy,
    /// Two radios per node; every chunk is acknowledged by the chip.
    AutoAck,
    /// One radio per node; data rides on acknowledgements too.
    AckPayload,
    /// Two radios per node; no acknowledgement by the chip, selective repeat by the tunnel.
    Stream,
    /// The published gateway: one half-duplex radio per node.
    #[word("rf24-gateway")]
    Gateway,
}

impl Mode {
    /// Every mode, the published one first.
    pub const ALL: [Self; 5] = [Self::Legacy, Self::AutoAck, Self::AckPayload, Self::Stream, Self::Gateway];

    /// Name as plans write it.
    pub fn name(self) -> &'static str {
        self.word()
    }

    /// Radios of each node.
    pub const fn radios(self) -> u8 {
        match self {
            Self::AckPayload | Self::Gateway => 1,
            Self::Legacy | Self::AutoAck | Self::Stream => 2,
        }
    }
}

/// Use of the radios, as far as it decides which keys mean something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Use {
    /// Way in which the frames of a tunnel get across.
    pub mode: Mode,
    /// Raw frames straight from the application, and no tunnel.
    pub raw: bool,
    /// The chips acknowledge.
    pub auto_ack: bool,
    /// The loop of the gateway is told of interrupts.
    pub interrupts: bool,
}

impl Use {
    /// Radios of each node.
    pub const fn radios(self) -> u8 {
        if self.raw { 1 } else { self.mode.radios() }
    }

    pub(super) fn is_raw(&self) -> bool {
        self.raw
    }

    pub(super) fn is_tunnel(&self) -> bool {
        !self.raw
    }

    pub(super) fn is_legacy(&self) -> bool {
        self.is_tunnel() && self.mode == Mode::Legacy
    }

    pub(super) fn is_ours(&self) -> bool {
        self.is_tunnel() && !matches!(self.mode, Mode::Legacy | Mode::Gateway)
    }

    pub(super) fn is_gateway(&self) -> bool {
        self.is_tunnel() && self.mode == Mode::Gateway
    }

    pub(super) fn wakes(&self) -> bool {
        self.is_tunnel() && (self.mode != Mode::Gateway || self.interrupts)
    }

    pub(super) fn is_stream(&self) -> bool {
        self.is_tunnel() && self.mode == Mode::Stream
    }

    /// Frames without acknowledgement follow one another without a gap.
    pub(super) fn sends_gapless(&self) -> bool {
        self.is_stream() || self.raw && !self.auto_ack
    }
}

/// Parameters of one run, each with its value in effect.
#[derive(Clone, Debug, PartialEq)]
pub struct Scenario {
    /// The radios.
    pub radio: Radio,
    /// The bus between host and chip.
    pub bus: Bus,
    /// The tunnel. Keys that only the published one or only ours has are without effect in the other.
    pub tunnel: Tunnel,
    /// The air between the nodes.
    pub air: Air,
    /// Stalls of the receiving hosts.
    pub stall: Stall,
    /// CPU and kernel of either host.
    pub host: Host,
    /// Traffic through the tunnel.
    pub traffic: Traffic,
    /// Length and repeats.
    pub run: Run,
}

impl Scenario {
    /// The scenario of a plan, checked.
    ///
    /// # Errors
    /// The first thing that does not hold between its keys.
    pub fn read(from: &dyn Source) -> Result<Self, Fault> {
        let mut scenario = Self {
            radio: Radio::read(from)?,
            bus: Bus::read(from)?,
            tunnel: Tunnel::read(from)?,
            air: Air::read(from)?,
            stall: Stall::read(from)?,
            host: Host::read(from)?,
            traffic: Traffic::read(from)?,
            run: Run::read(from)?,
        };
        scenario.radio.fill(scenario.used());
        let window = scenario.tunnel.own_window(scenario.mode()).0 as u32;
        scenario.traffic.fill(Missing { payload: scenario.fitting_payload(), window });
        check::check(&scenario)?;
        scenario.radio.radios = Some(scenario.radios());
        scenario.traffic.offered = scenario.offered();
        Ok(scenario)
    }

    /// Tells every key that means something in this scenario, with its value in effect.
    pub fn show(&self, told: &mut dyn FnMut(&'static Key, Value)) {
        let used = self.used();
        self.radio.show(&used, told);
        self.bus.show(&(), told);
        self.tunnel.show(&used, told);
        self.air.show(&(), told);
        self.stall.show(&(), told);
        self.host.show(&used, told);
        let carried = match self.traffic.kind {
            Kind::Raw => Carried::Frames,
            Kind::Tcp => Carried::Streams,
            _ => Carried::Datagrams,
        };
        self.traffic.show(&carried, told);
        self.run.show(&(), told);
    }

    /// Values of `key` that follow from the rest of the scenario.
    pub fn fitting(&self, key: &Key) -> Vec<u64> {
        match key.name {
            name if name == Traffic::PAYLOAD.name => vec![u64::from(self.fitting_payload())],
            _ => Vec::new(),
        }
    }

    /// Octets of a raw frame, or of a datagram that fills the MTU.
    fn fitting_payload(&self) -> u16 {
        if self.is_raw() { PAYLOAD_MAX as u16 } else { self.tunnel.mtu.saturating_sub(IP_UDP) }
    }

    /// Use of the radios.
    pub fn used(&self) -> Use {
        let Radio { mode, auto_ack, interrupts, .. } = self.radio;
        Use { mode, raw: self.is_raw(), auto_ack, interrupts }
    }

    /// Tells if the application sends raw frames, and there is no tunnel.
    pub fn is_raw(&self) -> bool {
        self.traffic.kind == Kind::Raw
    }

    /// Radios of each node.
    pub fn radios(&self) -> u8 {
        self.used().radios()
    }

    /// Way in which frames get across.
    pub const fn mode(&self) -> Mode {
        self.radio.mode
    }

    /// CPU time and bus of either host.
    pub fn cost(&self) -> Cost {
        self.host.cost(self.bus)
    }

    /// Frames that surround a payload on the air.
    pub const fn framing(&self) -> Framing {
        let Radio { rate, auto_ack, .. } = self.radio;
        Framing { rate, address_width: self.radio.address_width(), crc: self.radio.crc(), enhanced: auto_ack }
    }

    /// Payload that each sender offers: of raw frames what the plan says, if it does. Of datagrams without a rate in the plan half as much again as the air could carry if
    /// nothing but payload were in it: that saturates without a word from the link.
    pub fn offered(&self) -> Option<Bitrate> {
        match self.traffic.transport() {
            Transport::Udp { offered, .. } if self.is_raw() => offered,
            Transport::Udp { offered, payload, .. } => {
                Some(offered.unwrap_or_else(|| Bitrate(self.ceiling_bps(payload) * 3 / 2)))
            }
            Transport::Tcp { .. } => None,
        }
    }

    /// Rate that no tunnel can exceed with datagrams of `payload` octets, bit/s.
    fn ceiling_bps(&self, payload: u16) -> u64 {
        let framing = self.framing();
        let cycle = match self.mode() {
            Mode::Stream => framing.stream_cycle(PAYLOAD_MAX, self.radio.pll_break),
            Mode::Legacy if !self.radio.auto_ack => framing.pulsed_cycle(PAYLOAD_MAX),
            Mode::Legacy | Mode::AutoAck | Mode::AckPayload | Mode::Gateway => framing.acked_cycle(PAYLOAD_MAX, 0),
        };
        let chunk = if self.mode() == Mode::Gateway { FRAGMENT_MAX as u64 } else { PAYLOAD_MAX as u64 };
        let frames = u64::from(payload).div_ceil(chunk);
        Framing::ceiling_bps(PAYLOAD_MAX, cycle) * u64::from(payload) / (frames * PAYLOAD_MAX as u64)
    }
}
