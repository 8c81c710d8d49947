//! Keys of IP over the nRF24L01+.

use super::{Default, HOST_TIME, Key, LOSS_FORMS, NOBODY, key, span};
use crate::schema::{Kind, Knob, Scope, Turns};

/// How frames get across.
pub const MODES: &[&str] = &["legacy", "auto-ack", "ack-payload", "stream"];

/// Output power of the chip. nRF24L01+ Product Specification 1.0, Table 16, `RF_PWR`.
pub const POWERS: &[&str] = &["-18dBm", "-12dBm", "-6dBm", "0dBm"];

const DAEMON: Knob = Knob::Of(Turns::Daemon);
const MACHINE: Knob = Knob::Of(Turns::Machine);

use Default::{Absent, Count, Flag, From, Text};
use Scope::Nrf24;

/// Every key of this link, in the order of documentation and records.
#[rustfmt::skip]
pub const KEYS: &[Key] = &[
    key(Nrf24, "nrf24.mode", Kind::Choice(MODES), Text("stream"), DAEMON, "How frames get across: the published tunnel, every chunk acknowledged by the chip, data on acknowledgements with one radio per node, or gap-less with selective repeat."),
    key(Nrf24, "nrf24.radios", Kind::Count(1, 2), From("1 in ack-payload, else 2"), NOBODY, "Radios of each node."),
    key(Nrf24, "nrf24.rate", Kind::Choice(&["250k", "1M", "2M"]), Text("2M"), DAEMON, "Air data rate."),
    key(Nrf24, "nrf24.channel_a", Kind::Count(0, 125), Count(108), DAEMON, "RF channel on which `a` transmits: 2400 MHz plus this."),
    key(Nrf24, "nrf24.channel_b", Kind::Count(0, 125), From("116; with one radio, the channel of `a`"), DAEMON, "RF channel on which `b` transmits."),
    key(Nrf24, "nrf24.address_width", Kind::Count(3, 5), Count(3), DAEMON, "Octets of the address."),
    key(Nrf24, "nrf24.crc", Kind::Count(1, 2), Count(2), DAEMON, "Octets of the check of every frame."),
    key(Nrf24, "nrf24.auto_ack", Kind::Flag, Flag(true), DAEMON, "Whether the chips acknowledge; only `legacy` can be without."),
    // nRF24L01+ Product Specification 1.0, Table 28, SETUP_RETR: 250 µs to 4000 µs, 0 to 15 retransmissions.
    key(Nrf24, "nrf24.ard", span(250, 4_000), From("750us in legacy, what 32 octets of acknowledgement need in ack-payload, else the shortest"), DAEMON, "Retransmission delay of the chip, in steps of 250us."),
    key(Nrf24, "nrf24.arc", Kind::Count(0, 15), Count(15), DAEMON, "Retransmissions of the chip before it gives up."),
    key(Nrf24, "nrf24.power", Kind::Choice(POWERS), Text("0dBm"), NOBODY, "Output power; the lab's air has no distance in it."),
    // Product Specification 1.0, 6.1.5: the limit is the chip's. Nobody is advised to pass it, so it is no knob of `explain`.
    key(Nrf24, "nrf24.pll_break", Kind::Flag, Flag(true), NOBODY, "Whether a transmitter pauses for 130us before 4ms of TX are over; without it the chip is used against its data sheet."),
    key(Nrf24, "nrf24.spi_clock", Kind::Clock(10_000, 10_000_000), Text("10MHz"), MACHINE, "Clock of SPI."),
    key(Nrf24, "nrf24.mtu", Kind::Count(28, 1_500), Count(1_500), DAEMON, "MTU of the TUN device; from 576 but for `legacy`."),
    key(Nrf24, "nrf24.batch", Kind::Count(1, 3), Count(3), DAEMON, "Payloads pushed before each send; `legacy` only."),
    key(Nrf24, "nrf24.delay", span(0, 1_000_000), Text("0us"), DAEMON, "Sleep after each batch; `legacy` only."),
    key(Nrf24, "nrf24.framing", Kind::Choice(&["none", "start-packet", "sequence"]), Text("none"), DAEMON, "How the receiver finds the start of an IP packet; `legacy` only, the others have a chunk header."),
    key(Nrf24, "nrf24.compression", Kind::Flag, Flag(true), DAEMON, "Whether TCP/IP and UDP/IP headers are compressed; not in `legacy`."),
    key(Nrf24, "nrf24.encrypted", Kind::Flag, Flag(false), DAEMON, "Whether every packet is encrypted and authenticated; not in `legacy`."),
    key(Nrf24, "nrf24.window", Kind::Count(1, 32), Count(32), DAEMON, "Chunks under way at most; `stream` only."),
    key(Nrf24, "nrf24.ack_every", Kind::Count(1, 32), Count(4), DAEMON, "A receiver acknowledges after so many chunks, and 1ms after the last; `stream` only."),
    key(Nrf24, "nrf24.queue", span(1_000, 10_000_000), Text("20ms"), DAEMON, "Longest backlog at the current service rate, never fewer than four packets; `legacy` has no bound."),
    key(Nrf24, "nrf24.persistence", span(1_000, 10_000_000), Text("200ms"), DAEMON, "A packet that is not across after this is dropped; not in `legacy`."),
    key(Nrf24, "nrf24.loss", Kind::Forms { words: &["none"], forms: LOSS_FORMS }, Text("none"), NOBODY, "Loss of frames at each receiver: per frame, per bit, or in bursts (Gilbert-Elliott)."),
    key(Nrf24, "nrf24.loss.per", Kind::Probability, Absent, NOBODY, "Probability that a frame is lost."),
    key(Nrf24, "nrf24.loss.ber", Kind::Probability, Absent, NOBODY, "Probability that a bit is wrong."),
    key(Nrf24, "nrf24.loss.good", Kind::Probability, Absent, NOBODY, "Loss of frames outside bursts."),
    key(Nrf24, "nrf24.loss.bad", Kind::Probability, Absent, NOBODY, "Loss of frames within a burst."),
    key(Nrf24, "nrf24.loss.every", span(1, 86_400_000_000), Absent, NOBODY, "Mean time between bursts."),
    key(Nrf24, "nrf24.loss.burst", span(1, 86_400_000_000), Absent, NOBODY, "Mean length of a burst."),
    key(Nrf24, "nrf24.stall", Kind::Forms { words: &["none"], forms: &[&["every", "for"]] }, Text("none"), NOBODY, "A receiving host that stands still again and again: nothing of it runs, its chips go on."),
    key(Nrf24, "nrf24.stall.every", span(1, 86_400_000_000), Absent, NOBODY, "From one stall to the next, on average: drawn from half to three halves of it, so that no program keeps its beat."),
    key(Nrf24, "nrf24.stall.for", span(1, 86_400_000_000), Absent, NOBODY, "How long each lasts."),

    key(Nrf24, "nrf24_host.transaction", HOST_TIME, Text("15us"), MACHINE, "CPU time of an SPI transaction besides its octets; *assumed*: one ioctl of spidev on a Raspberry Pi."),
    key(Nrf24, "nrf24_host.pin", HOST_TIME, Text("5us"), MACHINE, "CPU time of a change of the CE pin; *assumed*: one ioctl of the GPIO character device."),
    key(Nrf24, "nrf24_host.wake", HOST_TIME, Text("30us"), MACHINE, "From an interrupt to the task that waits for it; *assumed*."),
    key(Nrf24, "nrf24_host.sleep_slack", HOST_TIME, Text("55us"), MACHINE, "By how much a sleep is longer than asked for: the timer slack of Linux, 50us, and the way back, *assumed*."),
    key(Nrf24, "nrf24_host.tun", HOST_TIME, Text("5us"), MACHINE, "A read from or a write to the TUN device; the published report says a few µs."),
];
