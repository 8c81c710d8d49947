//! Keys of IP over the nRF24L01+: one struct for each part of a node, in the order of documentation and records.

use airtime_core::Duration;
use airtime_core::level::{Level, fsk_bit_errors};
use airtime_core::loss::Loss;
use airtime_core::units::{Frequency, Size};
use airtime_keys::{Keys, Words};
use airtime_net::tcp;

use super::{Mode, Use};
use crate::air::{Crc, PAYLOAD_MAX, Rate};
use crate::host::Cost;
use crate::medium::Medium;
use crate::rf24::gateway::Address;
use crate::stall::Period;
use crate::{driver, legacy, rf24};

/// Keys of the radios; both ends alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Keys)]
#[keys(table = "nrf24", context = Use)]
pub struct Radio {
    /// Way in which frames get across: the published tunnel, every chunk acknowledged by the chip, data on acknowledgements
    /// with one radio per node, gap-less with selective repeat, or the published gateway with one half-duplex radio per node.
    #[key(default = "stream", whose = Daemon, when = Use::is_tunnel, mechanism = Answers)]
    pub mode: Mode,
    /// Radios of each node.
    #[key(range = 1..=2, from = "1 in ack-payload, in rf24-gateway and with raw frames, else 2")]
    pub radios: Option<u8>,
    /// Air data rate.
    #[key(default = "2M", whose = Daemon, mechanism = Rate)]
    pub rate: Rate,
    /// RF channel on which `a` transmits: 2400 MHz plus this.
    // Two channels up and down stay clear of each other at every rate.
    #[key(range = 0..=125, default = 108, whose = Daemon, steps = [Less(2), More(2)], mechanism = Neighbours)]
    pub channel_a: u8,
    /// RF channel on which `b` transmits.
    #[key(
        range = 0..=125, from = "116, and 108 where `a` is too near that; with one radio, the channel of `a`", whose = Daemon, steps = [Less(2), More(2)],
        mechanism = Neighbours
    )]
    pub channel_b: Option<u8>,
    /// Octets of the address.
    #[key(
        range = 3..=5, from = "3, and 5 of raw frames and in rf24-gateway", unit = "octets", whose = Daemon, steps = [Less(1), More(1)], mechanism = Packet,
        way = Less
    )]
    pub address_width: Option<u8>,
    /// Octets of the check of every frame.
    #[key(range = 1..=2, default = 2, unit = "octets", whose = Daemon, steps = [Less(1), More(1)], mechanism = Packet, guards = Protocol)]
    pub crc: u8,
    /// Acknowledgements by the chips; only `legacy` and raw frames can be without.
    #[key(default = true, whose = Daemon, mechanism = Answers, guards = Protocol)]
    pub auto_ack: bool,
    /// Retransmission delay of the chip, in steps of 250us; in rf24-gateway that of `a`, and `b` has 500us more.
    // nRF24L01+ Product Specification 1.0, Table 28, SETUP_RETR: 250 µs to 4000 µs, 0 to 15 retransmissions.
    #[key(
        range = "250us"..="4ms",
        from = "750us in legacy, 1500us of raw frames and in rf24-gateway, what 32 octets of acknowledgement need in ack-payload, else the shortest",
        whose = Daemon, steps = [Less(250_000), More(250_000)],
        mechanism = Losses
    )]
    pub ard: Option<Duration>,
    /// Retransmissions of the chip before it gives up.
    #[key(
        range = 0..=15, from = "15, and 5 in rf24-gateway", whose = Daemon, steps = [To(0), Less(1), More(1), To(15)], mechanism = Losses,
        way = More
    )]
    pub arc: Option<u8>,
    /// Output power; the lab's air has no distance in it.
    #[key(default = "0dBm")]
    pub power: Power,
    /// Pause of a transmitter for 130us before 4ms of TX are over, of raw frames without acknowledgement when they are (`txStandBy()`);
    /// without it the chip is used against its data sheet.
    // Product Specification 1.0, 6.1.5: the limit is the chip's. Nobody is advised to pass it, so nobody turns it.
    #[key(default = true, when = Use::sends_gapless)]
    pub pll_break: bool,
    /// Call of RF24 by which raw frames are handed over: `writeFast()`, which waits for room in the TX FIFO, or `write()`, which waits
    /// until each is out.
    #[key(default = "fast", whose = Application, when = Use::is_raw, mechanism = Underway)]
    pub write: rf24::Write,
    /// Length of raw frames: `setPayloadSize()`, or `enableDynamicPayloads()`, which needs acknowledgement.
    #[key(default = "static", whose = Application, when = Use::is_raw, mechanism = Packet)]
    pub payload_length: rf24::Length,
    /// Rate of the serial port that raw frames come from, bit/s, `Serial.begin()`: a loop reads it and sends a frame once its octets are
    /// there. Ten bits are an octet, and 63 octets wait in the receive buffer. Absent: frames come from memory.
    #[key(
        range = 300..=3_000_000, unit = "bit/s", whose = Application, steps = [DoubleUpTo(2_000_000)], when = Use::is_raw,
        mechanism = Offered, way = More
    )]
    pub serial: Option<u32>,
    /// Sleep of the loop of rf24-gateway: `delay(2)` of its examples behind every `update()`, or what those with interrupts give `poll()`.
    #[key(
        range = "0us"..="1s", from = "2ms, and 1ms with interrupts", whose = Daemon, when = Use::is_gateway, mechanism = Handover,
        way = Less
    )]
    pub loop_sleep: Option<Duration>,
    /// The loop of rf24-gateway with interrupts (`gwNodeInt`): it sleeps only when none has come since it began to read, and no frame waits.
    #[key(default = false, whose = Daemon, when = Use::is_gateway, mechanism = Handover)]
    pub interrupts: bool,
}

/// Keys of the bus between host and chip.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Keys)]
#[keys(table = "nrf24")]
pub struct Bus {
    /// Clock of SPI.
    #[key(range = "10kHz"..="10MHz", default = "10MHz", whose = Machine, mechanism = Bus, way = More)]
    pub spi_clock: Frequency,
}

/// Keys of the tunnel; both ends alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Keys)]
#[keys(table = "nrf24", context = Use)]
pub struct Tunnel {
    /// MTU of the TUN device; from 576 but for `legacy`.
    #[key(
        range = 28..=1_500, default = 1_500, unit = "octets", whose = Daemon, steps = [To(576), Half, DoubleUpTo(1_500)],
        when = Use::is_tunnel, mechanism = Packet, way = More
    )]
    pub mtu: u16,
    /// Payloads pushed before each send; `legacy` only.
    #[key(range = 1..=3, default = 3, whose = Daemon, steps = [Less(1), More(1)], when = Use::is_legacy, mechanism = Underway, way = More)]
    pub batch: u8,
    /// Sleep after each batch; `legacy` only.
    #[key(range = "0us"..="1s", default = "0us", whose = Daemon, when = Use::is_legacy, mechanism = Handover, way = Less)]
    pub delay: Duration,
    /// Mark by which the receiver finds the start of an IP packet; `legacy` only, the others have a chunk header.
    #[key(default = "none", whose = Daemon, when = Use::is_legacy, mechanism = Packet)]
    pub framing: legacy::Framing,
    /// Compression of TCP/IP and UDP/IP headers; not in `legacy`.
    #[key(default = true, whose = Daemon, when = Use::is_ours, mechanism = Packet)]
    pub compression: bool,
    /// Encryption and authentication of every packet; not in `legacy`.
    #[key(default = false, whose = Daemon, when = Use::is_ours, mechanism = Packet, guards = Security)]
    pub encrypted: bool,
    /// Chunks under way at most; `stream` only.
    #[key(
        range = 1..=32, default = 32, whose = Daemon, steps = [Less(1), More(1)], when = Use::is_stream,
        mechanism = Underway, way = More
    )]
    pub window: u8,
    /// Chunks after which a receiver acknowledges; `stream` only.
    #[key(range = 1..=32, default = 4, whose = Daemon, steps = [Less(1), More(1)], when = Use::is_stream, mechanism = Answers)]
    pub ack_every: u8,
    /// Time after the first chunk that is not acknowledged after which a receiver acknowledges in any case; `stream` only.
    #[key(range = "100us"..="100ms", default = "1ms", whose = Daemon, when = Use::is_stream, mechanism = Answers, way = Less)]
    pub ack_delay: Duration,
    /// Longest backlog at the current service rate, never fewer than four packets; `legacy` has no bound.
    #[key(range = "1ms"..="10s", default = "20ms", whose = Daemon, when = Use::is_ours, mechanism = Underway)]
    pub queue: Duration,
    /// Time after which a packet that is not across is dropped; not in `legacy`.
    #[key(range = "1ms"..="10s", default = "200ms", whose = Daemon, when = Use::is_ours, mechanism = Losses, way = More)]
    pub persistence: Duration,
}

/// Keys of the air between the nodes.
#[derive(Clone, Copy, Debug, PartialEq, Keys)]
#[keys(table = "nrf24")]
pub struct Air {
    /// Loss of frames at each receiver: in shares, per bit, or in bursts (Gilbert-Elliott).
    #[key(loss = "frame")]
    pub loss: Loss,
    /// Loss of what `a` hears, instead of `nrf24.loss`.
    #[key(loss = "frame")]
    pub loss_at_a: Loss,
    /// Loss of what `b` hears, instead of `nrf24.loss`.
    #[key(loss = "frame")]
    pub loss_at_b: Loss,
    /// Loss of the acknowledgements of chips, with what rides on them, instead of the others.
    #[key(loss = "acknowledgement")]
    pub loss_acknowledgement: Loss,
    /// Level of what either end hears: bits are wrong by it and by the chip's sensitivity at the rate (-82, -85 and -94dBm), as in white
    /// noise and nothing else. Absent: without noise. Not together with a loss.
    #[key(kind = Kind::LEVEL, mechanism = Losses)]
    pub level: Option<Level>,
}

/// Keys of a receiving host that stands still.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Keys)]
#[keys(
    table = "nrf24.stall",
    head = "A receiving host that stands still again and again: nothing of it runs, its chips go on.",
    mechanism = Handover
)]
pub struct Stall {
    /// Time from one stall to the next, on average: drawn from half to three halves of it, so that no program keeps its beat.
    #[key(range = "1us"..="24h")]
    pub every: Option<Duration>,
    /// Length of each.
    #[key(range = "1us"..="24h", name = "for")]
    pub length: Option<Duration>,
}

/// Keys of what it costs a host to reach its chips and its kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Keys)]
#[keys(table = "nrf24_host", context = Use)]
pub struct Host {
    /// CPU time of an SPI transaction besides its octets; *assumed*: one ioctl of spidev on a Raspberry Pi.
    // A host without such a cost at all shows what it costs.
    #[key(range = "0us"..="1s", default = "15us", whose = Machine, mechanism = Cpu, way = Less)]
    pub transaction: Duration,
    /// CPU time of a change of the CE pin; *assumed*: one ioctl of the GPIO character device.
    #[key(range = "0us"..="1s", default = "5us", whose = Machine, mechanism = Cpu, way = Less)]
    pub pin: Duration,
    /// Time from an interrupt to the task that waits for it; *assumed*.
    #[key(range = "0us"..="1s", default = "30us", whose = Machine, when = Use::wakes, mechanism = Handover, way = Less)]
    pub wake: Duration,
    /// Time by which a sleep is longer than asked for: the timer slack of Linux, 50us, and the way back, *assumed*.
    #[key(range = "0us"..="1s", default = "55us", whose = Machine, mechanism = Handover, way = Less)]
    pub sleep_slack: Duration,
    /// Time of a read from or a write to the TUN device; the published report says a few µs.
    #[key(range = "0us"..="1s", default = "5us", whose = Machine, when = Use::is_tunnel, mechanism = Cpu, way = Less)]
    pub tun: Duration,
}

/// Output power of the chip. nRF24L01+ Product Specification 1.0, Table 16, `RF_PWR`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Words)]
pub enum Power {
    /// −18 dBm.
    #[word("-18dBm")]
    Minus18,
    /// −12 dBm.
    #[word("-12dBm")]
    Minus12,
    /// −6 dBm.
    #[word("-6dBm")]
    Minus6,
    /// 0 dBm.
    #[word("0dBm")]
    Zero,
}

impl Power {
    /// Value of `RF_PWR`, 0..=3.
    pub const fn level(self) -> u8 {
        self as u8
    }
}

/// One step of the retransmission delay. nRF24L01+ Product Specification 1.0, Table 28, SETUP_RETR.
pub const ARD_STEP: Duration = Duration::from_micros(250);

impl Air {
    /// Loss of the frames that an end hears, 0 for `a`: its own, or else that of both.
    pub fn loss_at(&self, end: usize) -> Loss {
        let own = [self.loss_at_a, self.loss_at_b][end];
        if own == Loss::None { self.loss } else { own }
    }

    /// Tells if anything is said to be lost.
    pub fn loses(&self) -> bool {
        let losses = [self.loss, self.loss_at_a, self.loss_at_b, self.loss_acknowledgement];
        losses.iter().any(|&loss| loss != Loss::None)
    }

    /// The air between chips at `rate`, as many for each of two hosts, those of `a` first.
    pub fn medium(&self, radios: usize, rate: Rate, seed: u64) -> Medium {
        if let Some(level) = self.level {
            return Medium::new(2 * radios, Loss::Bit { ber: fsk_bit_errors(level, rate.sensitivity()) }, seed);
        }
        let mut medium = Medium::new(2 * radios, self.loss, seed);
        for chip in 0..2 * radios {
            let own = self.loss_at(chip / radios);
            if own != self.loss {
                medium.set_loss_at(chip, own, seed);
            }
            if self.loss_acknowledgement != Loss::None {
                medium.set_ack_loss_at(chip, self.loss_acknowledgement, seed);
            }
        }
        medium
    }
}

impl Radio {
    /// Names of the keys that only raw frames have.
    pub const KEYS_OF_RAW: [&str; 3] = [Self::WRITE.name, Self::PAYLOAD_LENGTH.name, Self::SERIAL.name];

    /// Fills in what the plan left to its use.
    pub fn fill(&mut self, used: Use) {
        self.channel_b.get_or_insert(self.own_channel_b(used.radios()));
        self.ard.get_or_insert(if used.raw { RF24_ARD } else { own_ard(self.mode, self.rate) });
        // RF24 begins with five octets, and so does the network above it.
        self.address_width.get_or_insert(if used.raw || used.is_gateway() { 5 } else { 3 });
        self.arc.get_or_insert(if used.is_gateway() { 5 } else { 15 });
        self.loop_sleep.get_or_insert(own_loop_sleep(self.interrupts));
    }

    /// Channel of `b` when the plan does not say, with so many radios at each end.
    pub fn own_channel_b(&self, radios: u8) -> u8 {
        match radios {
            1 => self.channel_a,
            _ if self.channel_a.abs_diff(CHANNELS[1]) < self.spacing() => CHANNELS[0],
            _ => CHANNELS[1],
        }
    }

    /// Distance of channels that do not overlap. 6.3: a channel is 1 MHz wide at 250 kbit/s and 1 Mbit/s and 2 MHz at 2 Mbit/s; "the channel
    /// spacing must be 2 MHz or more" there.
    pub fn spacing(&self) -> u8 {
        if self.rate == Rate::M2 { 2 } else { 1 }
    }

    /// Channels on which `a` and `b` transmit.
    pub fn channels(&self) -> [u8; 2] {
        [self.channel_a, self.channel_b.unwrap_or(self.channel_a)]
    }

    /// Check of every frame.
    pub const fn crc(&self) -> Crc {
        if self.crc == 1 { Crc::One } else { Crc::Two }
    }

    /// Octets of the address.
    pub const fn address_width(&self) -> u8 {
        match self.address_width {
            Some(said) => said,
            None => 3,
        }
    }

    /// Retransmissions of the chip.
    pub const fn arc(&self) -> u8 {
        match self.arc {
            Some(said) => said,
            None => 15,
        }
    }

    /// Retransmission delay (ARD), a span of time.
    pub fn ard(&self) -> Duration {
        self.ard.unwrap_or_else(|| own_ard(self.mode, self.rate))
    }

    /// Sleep of the loop of rf24-gateway.
    pub fn loop_sleep(&self) -> Duration {
        self.loop_sleep.unwrap_or_else(|| own_loop_sleep(self.interrupts))
    }
}

/// Channels of `a` and `b` where the plan says nothing: those of the published tunnel.
const CHANNELS: [u8; 2] = [108, 116];

/// Sleep of the gateway's examples: `delay(2)` in RF24GatewayNode, `poll(1)` in gwNodeInt. RF24Gateway 2.1.5, `examples`.
const fn own_loop_sleep(interrupts: bool) -> Duration {
    Duration::from_millis(if interrupts { 1 } else { 2 })
}

/// Retransmission delay of RF24: `setRetries(5, 15)` in its `begin()`.
const RF24_ARD: Duration = Duration::from_micros(1_500);

/// The retransmission delay when the plan does not say: as published, or the shortest that leaves room for the
/// acknowledgements of the mode.
fn own_ard(mode: Mode, rate: Rate) -> Duration {
    let steps = match mode {
        // The published source: ARD 2.
        Mode::Legacy => 2,
        Mode::Gateway => Address::Master.ard(),
        Mode::AckPayload => driver::Config::shortest_ard(rate, PAYLOAD_MAX as u8),
        Mode::AutoAck | Mode::Stream => driver::Config::shortest_ard(rate, 0),
    };
    ARD_STEP * (u64::from(steps) + 1)
}

impl Tunnel {
    /// Receive buffer of TCP when the plan does not say: the usual one where a queue without bound takes all of it, else
    /// what keeps the link busy without filling a queue of four packets.
    pub fn own_window(&self, mode: Mode) -> Size {
        let octets = match mode {
            Mode::Legacy | Mode::Gateway => tcp::WINDOW,
            Mode::AutoAck | Mode::AckPayload | Mode::Stream => tcp::short_window(usize::from(self.mtu)),
        };
        Size(octets as u64)
    }
}

impl Stall {
    /// The stalls, if there are any.
    pub fn period(&self) -> Option<Period> {
        let (every, length) = (self.every?, self.length?);
        Some(Period { every, length })
    }
}

impl Host {
    /// Costs of a host behind this bus.
    pub fn cost(&self, bus: Bus) -> Cost {
        let Self { transaction, pin, wake, sleep_slack, tun } = *self;
        // The key keeps it within 10 MHz.
        Cost { spi_hz: bus.spi_clock.0 as u32, transaction, pin, wake, sleep_slack, tun }
    }
}
