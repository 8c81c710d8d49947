//! Configuration of a node, and the costs of its host.

use airtime_core::Duration;

use crate::air::{Crc, PAYLOAD_MAX, Rate};
use crate::driver;
use crate::host::Cost;
use crate::tunnel::{self, Mode, Tuning};

/// Configuration of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// Its radio or radios.
    pub radios: Radios,
    /// Its end of the tunnel.
    pub tunnel: tunnel::Config,
    /// Parameters that a study turns; with one radio, also the end that polls.
    pub tuning: Tuning,
    /// Costs of its host to reach chips and kernel.
    pub cost: Cost,
}

/// End of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StationEnd {
    /// 10.0.0.1; with one radio per node, the one that polls.
    A,
    /// 10.0.0.2.
    B,
}

impl Config {
    /// An end at 2 Mbit/s with addresses of three octets on the published channels, on a [`RASPBERRY_PI`]; `epoch` as in
    /// [`tunnel::Config`].
    pub fn usual(end: StationEnd, mode: Mode, epoch: u64) -> Self {
        let (transmit, receive) = match end {
            StationEnd::A => (A_CHANNEL, B_CHANNEL),
            StationEnd::B => (B_CHANNEL, A_CHANNEL),
        };
        let radios = match mode {
            Mode::AckPayload => Radios::One { radio: radio(A_CHANNEL, mode) },
            _ => Radios::Two { transmit: radio(transmit, mode), receive: radio(receive, mode) },
        };
        let tunnel = tunnel::Config {
            mode,
            mtu: 1_500,
            compression: false,
            key: None,
            epoch,
            queue: Duration::from_millis(20),
            persistence: Duration::from_millis(200),
            frame_time: Self::frame_time(&radio(A_CHANNEL, mode), mode),
        };
        let tuning = Tuning { polls: mode == Mode::AckPayload && end == StationEnd::A, ..Tuning::default() };
        Self { radios, tunnel, tuning, cost: RASPBERRY_PI }
    }

    /// Time that a full frame takes with this radio in this mode: what the tunnel takes its pace for before it has measured it.
    pub const fn frame_time(radio: &driver::Config, mode: Mode) -> Duration {
        let framing = radio.framing();
        match mode {
            Mode::Stream => framing.stream_cycle(PAYLOAD_MAX, radio.pll_break),
            Mode::AutoAck => framing.acked_cycle(PAYLOAD_MAX, 0),
            Mode::AckPayload => framing.acked_cycle(PAYLOAD_MAX, PAYLOAD_MAX),
        }
    }
}

/// Channels on which the ends transmit, as published.
const A_CHANNEL: u8 = 108;
const B_CHANNEL: u8 = 116;

/// A radio on `channel`, its address that of the published tunnel. Retransmissions follow as soon as the acknowledgements of the mode
/// allow, and as often as the chip can. 7.4.2.
fn radio(channel: u8, mode: Mode) -> driver::Config {
    let acknowledgement = if mode == Mode::AckPayload { PAYLOAD_MAX as u8 } else { 0 };
    driver::Config {
        channel,
        rate: Rate::M2,
        address_width: 3,
        crc: Crc::Two,
        auto_ack: true,
        ard: driver::Config::shortest_ard(Rate::M2, acknowledgement),
        arc: 15,
        power: 3,
        address: [b'a', b'd', if channel == A_CHANNEL { b'1' } else { b'2' }, 0, 0],
        pll_break: true,
    }
}

/// The radios of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Radios {
    /// Radio 0 transmits, radio 1 receives: modes auto-ack and stream.
    Two {
        /// Settings of radio 0, which transmits.
        transmit: driver::Config,
        /// Settings of radio 1, which receives.
        receive: driver::Config,
    },
    /// One radio that does both: mode ack-payload.
    One {
        /// Radio 0: a transmitter at the end that polls ([`Tuning::polls`]), a receiver at the other.
        radio: driver::Config,
    },
}

impl Radios {
    /// Number of radios.
    pub const fn count(&self) -> usize {
        match self {
            Self::Two { .. } => 2,
            Self::One { .. } => 1,
        }
    }
}

/// A Raspberry Pi under Linux with `spidev`, the same for the published tunnel and for ours.
pub const RASPBERRY_PI: Cost = Cost {
    // The clock that the published driver asks for, and the chip's fastest. Table 23.
    spi_hz: 10_000_000,
    // *Assumed*: one `ioctl` of spidev.
    transaction: Duration::from_micros(15),
    // *Assumed*: one `ioctl` of the GPIO character device, as our daemon sets CE; a third of one of spidev. (The published program
    // may have stored to the mapped GPIO block, 0.13 µs says the manual of its driver: 1.5 % of its goodput.)
    pin: Duration::from_micros(5),
    // *Assumed*: interrupt, kernel thread, scheduler, return of the system call.
    wake: Duration::from_micros(30),
    // prctl(2), PR_SET_TIMERSLACK: 50 µs for threads of the normal class; the rest, the return of the system call, is *assumed*.
    sleep_slack: Duration::from_micros(55),
    // The published report: "a few µs".
    tun: Duration::from_micros(5),
};
