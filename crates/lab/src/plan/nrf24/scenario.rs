//! Everything one run of IP over the nRF24L01+ needs to know.

use airtime_core::Duration;
use airtime_core::loss::Loss;
use airtime_core::units::Bitrate;
use airtime_nrf24::air::{Crc, Framing, PAYLOAD_MAX, Rate};
use airtime_nrf24::host::Cost;
use airtime_nrf24::legacy;
use airtime_nrf24::stall::Period;

use crate::plan::scenario::Run;
use crate::plan::traffic::{Traffic, Transport};

/// The parameters of one run.
#[derive(Clone, Debug, PartialEq)]
pub struct Scenario {
    /// How frames get across.
    pub mode: Mode,
    /// How the radios are set up.
    pub radio: Radio,
    /// The tunnel.
    pub tunnel: Tunnel,
    /// What reaching chips and kernel costs either host.
    pub cost: Cost,
    /// Loss of frames at each receiver.
    pub loss: Loss,
    /// Stalls of the receiving hosts.
    pub stall: Option<Period>,
    /// What goes through the tunnel.
    pub traffic: Traffic,
    /// How long and how often.
    pub run: Run,
}

/// How frames get across.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// The tunnel of the published report.
    Legacy,
    /// Two radios per node; every chunk is acknowledged by the chip.
    AutoAck,
    /// One radio per node; data rides on acknowledgements too.
    AckPayload,
    /// Two radios per node; no acknowledgement by the chip, selective repeat by the tunnel.
    Stream,
}

impl Mode {
    /// Every mode, the published one first.
    pub const ALL: [Self; 4] = [Self::Legacy, Self::AutoAck, Self::AckPayload, Self::Stream];

    /// As plans write it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Legacy => "legacy",
            Self::AutoAck => "auto-ack",
            Self::AckPayload => "ack-payload",
            Self::Stream => "stream",
        }
    }

    /// Radios of each node.
    pub const fn radios(self) -> u8 {
        match self {
            Self::AckPayload => 1,
            Self::Legacy | Self::AutoAck | Self::Stream => 2,
        }
    }
}

/// How the radios are set up; both ends alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Radio {
    /// Channels on which `a` and `b` transmit.
    pub channels: [u8; 2],
    /// Air data rate.
    pub rate: Rate,
    /// Octets of the address, 3..=5.
    pub address_width: u8,
    /// The check of every frame.
    pub crc: Crc,
    /// Whether the chips acknowledge.
    pub auto_ack: bool,
    /// Retransmission delay, a multiple of 250 µs up to 4 ms.
    pub ard: Duration,
    /// Retransmissions of the chip, 0..=15.
    pub arc: u8,
    /// Output power, 0..=3: −18, −12, −6, 0 dBm.
    pub power: u8,
    /// Whether a transmitter pauses before 4 ms of TX are over.
    pub pll_break: bool,
}

/// The tunnel. What only the published one or only ours has is without effect in the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tunnel {
    /// MTU of the TUN device.
    pub mtu: u16,
    /// Payloads per send of the published tunnel.
    pub batch: u8,
    /// Its sleep after each batch.
    pub delay: Duration,
    /// How its receiver finds the start of an IP packet.
    pub framing: legacy::Framing,
    /// Whether headers are compressed.
    pub compression: bool,
    /// Whether packets are encrypted.
    pub encrypted: bool,
    /// Chunks of a stream under way at most, 1..=32.
    pub window: u8,
    /// A receiver of a stream acknowledges after so many chunks.
    pub ack_every: u8,
    /// Longest backlog.
    pub queue: Duration,
    /// A packet that is not across after this is dropped.
    pub persistence: Duration,
}

impl Scenario {
    /// What surrounds a payload on the air.
    pub const fn framing(&self) -> Framing {
        let Radio { rate, address_width, crc, auto_ack, .. } = self.radio;
        Framing { rate, address_width, crc, enhanced: auto_ack }
    }

    /// UDP payload that each sender offers. Without a rate in the plan half as much again as the air could carry if
    /// nothing but payload were in it: that saturates without a word from the link.
    pub fn offered(&self) -> Option<Bitrate> {
        match self.traffic.transport {
            Transport::Udp { offered, payload, .. } => {
                Some(offered.unwrap_or_else(|| Bitrate(self.ceiling_bps(payload) * 3 / 2)))
            }
            Transport::Tcp { .. } => None,
        }
    }

    /// What no tunnel can exceed with datagrams of `payload` octets, bit/s.
    fn ceiling_bps(&self, payload: u16) -> u64 {
        let framing = self.framing();
        let cycle = match self.mode {
            Mode::Stream => framing.stream_cycle(PAYLOAD_MAX, self.radio.pll_break),
            Mode::Legacy if !self.radio.auto_ack => framing.pulsed_cycle(PAYLOAD_MAX),
            Mode::Legacy | Mode::AutoAck | Mode::AckPayload => framing.acked_cycle(PAYLOAD_MAX, 0),
        };
        let frames = u64::from(payload).div_ceil(PAYLOAD_MAX as u64);
        Framing::ceiling_bps(PAYLOAD_MAX, cycle) * u64::from(payload) / (frames * PAYLOAD_MAX as u64)
    }
}
