//! Keys of the traffic over a link that carries IP.

use super::{Default, Key, NOBODY, key, span};
use crate::schema::{Kind, Knob, Scope, Turns};

const MACHINE: Knob = Knob::Of(Turns::Machine);
const APPLICATION: Knob = Knob::Of(Turns::Application);

use Default::{Absent, Count, Flag, From, Text};
use Scope::{Nrf24, Tun};

/// What can be sent.
pub const KINDS: &[&str] = &["udp", "tcp", "raw", "capture", "ota"];

/// Every key of traffic, in the order of documentation and records.
#[rustfmt::skip]
pub const KEYS: &[Key] = &[
    key(Tun, "traffic.kind", Kind::Choice(KINDS), Text("udp"), NOBODY, "What is sent; over `wifi-hosted` also raw frames of the test interface between host and co-processor, what a promiscuous co-processor hears, or new firmware for it."),
    key(Tun, "traffic.payload", Kind::Count(16, 1_472), From("what fits the MTU: 28 less; over `wifi-hosted` 1400, in the raw test 1460"), APPLICATION, "Octets of payload of a UDP datagram."),
    key(Tun, "traffic.offered", Kind::Rate, From("half as much again as the air can carry; over `wifi-hosted` up, as fast as calls return"), NOBODY, "UDP payload offered by each sender."),
    key(Tun, "traffic.pace", Kind::Choice(&["constant", "iperf3"]), Text("constant"), NOBODY, "Evenly, or as iperf3 paces: every millisecond what brings the average up to the rate."),
    key(Tun, "traffic.write", Kind::Size(1, 1_000_000), Text("16kB"), APPLICATION, "TCP: octets per call of the application."),
    key(Nrf24, "traffic.window", Kind::Size(1_460, 1_048_576), From("65535B in legacy, else five segments"), MACHINE, "TCP: receive buffer."),
    key(Tun, "traffic.size", Kind::Size(1, 10_000_000_000), Absent, NOBODY, "TCP: octets of the whole transfer, which then ends the run; absent: as much as the time allows."),
    key(Tun, "traffic.flows", Kind::Count(1, 16), Count(1), NOBODY, "Flows of each sender, that share what is offered."),
    key(Tun, "traffic.direction", Kind::Choice(&["up", "down", "both"]), Text("up"), NOBODY, "Up is from `a` to `b`, or from the host to the far end."),
    key(Tun, "traffic.ping", span(1_000, 86_400_000_000), Absent, NOBODY, "Echo requests of 64 octets of ICMP beside the load, one per this time; from `a`, or from the far end."),
    key(Tun, "traffic.drain", Kind::Flag, Flag(false), NOBODY, "Whether the run goes on, after the senders have stopped at its end, until all has arrived: by how much a bounded test overruns."),
];
