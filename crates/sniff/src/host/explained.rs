//! An HCI log, explained.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use airtime_core::{Duration, Instant};

use super::lane::{Lane, Wait};
use super::link::{LoggedLink, OWN, PEER};
use super::sentences;
use crate::explained::Interval;

/// An HCI log, explained.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct HostExplained {
    /// HCI packets taken.
    pub packets: u64,
    /// Packets among them of each kind that most are of.
    pub kinds: Kinds,
    /// Packets that are shorter than they say, or than their kind is.
    pub malformed: u64,
    /// Packets of connections and adapters beyond those that are followed.
    pub left_out: u64,
    /// Packets with a stamp before that of the packet in front of them.
    pub backwards: u64,
    /// Packets of synchronous and isochronous data, and of BR/EDR.
    pub other: u64,
    /// Packets that the log's writer says it has lost.
    pub drops: u32,
    /// Buffers of the controllers, as they have said.
    pub buffers: Vec<Buffers>,
    /// Every connection of LE, in the order they ended.
    pub links: Vec<HostLink>,
}

/// Packets of a log by their kind; synchronous and isochronous data is the rest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Kinds {
    /// Commands.
    pub commands: u64,
    /// Events.
    pub events: u64,
    /// ACL data.
    pub acl: u64,
}

/// Buffers that a controller has for ACL data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Buffers {
    /// Number of the adapter in the log.
    pub adapter: u16,
    /// Octets of each.
    pub octets: u16,
    /// Number of them.
    pub count: u16,
}

/// Data lengths as LE Data Length Change has them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct DataLength {
    /// Octets that are sent at most.
    pub sent_octets: u16,
    /// Time of what is sent at most, in µs.
    pub sent_us: u16,
    /// Octets that are received at most.
    pub received_octets: u16,
    /// Time of what is received at most, in µs.
    pub received_us: u16,
}

/// Time of a stream that was spent waiting for one thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Share {
    /// Name of what was waited for.
    pub account: &'static str,
    /// Time of it in nanoseconds.
    pub ns: u64,
}

/// Payload that crossed in one direction.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Stream {
    /// Octets of payload: of values of ATT, and of SDUs.
    pub octets: u64,
    /// ACL packets that carried them.
    pub packets: u64,
    /// Octets of the longest one, with L2CAP headers.
    pub longest: usize,
    /// Time from the first packet to the last, in whole intervals, in nanoseconds.
    pub span_ns: u64,
    /// Goodput over that time.
    pub goodput_kbps: f64,
    /// Packets per connection interval on average, where the interval is known.
    pub per_interval: Option<f64>,
    /// The least time that the air needs for what was carried, in nanoseconds.
    pub air_ns: u64,
    /// Time of the stream by what it waited for; zeros are left out.
    pub waits: Vec<Share>,
}

/// One connection of an HCI log.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct HostLink {
    /// Number of the adapter in the log.
    pub adapter: u16,
    /// Handle of the connection, `0x0040`.
    pub handle: String,
    /// Role of this host, where the log has the beginning.
    pub role: Option<&'static str>,
    /// Address of the other device, where the log has the beginning.
    pub peer: Option<String>,
    /// Intervals, oldest first; empty when none was reported. Of more than 32 the first 31 and the last.
    pub intervals: Vec<Interval>,
    /// Peripheral latency, in connection events.
    pub latency: u16,
    /// Supervision timeout in nanoseconds, where it was reported.
    pub timeout_ns: Option<u64>,
    /// PHY of what is sent and of what is received, where it was reported.
    pub phy: Option<[&'static str; 2]>,
    /// Data lengths, where a change was reported.
    pub data_length: Option<DataLength>,
    /// Gap between packets in nanoseconds, where a change was reported.
    pub frame_space_ns: Option<u64>,
    /// Subrate factor, where a change was reported.
    pub subrate: Option<u16>,
    /// ATT MTU that this host said, and the other.
    pub att_mtu: [Option<u16>; 2],
    /// Largest SDU of the receiver of a stream on a channel.
    pub mtu: Option<u16>,
    /// Largest K-frame payload of that receiver.
    pub mps: Option<u16>,
    /// Credits that it gave at first.
    pub credits: Option<u16>,
    /// Set if the connection is encrypted.
    pub encrypted: bool,
    /// Buffers of its controller: octets and number, where it has said them.
    pub buffers: Option<(u16, u16)>,
    /// Payload that this host sent.
    pub sent: Option<Stream>,
    /// Payload that this host received.
    pub received: Option<Stream>,
    /// Packets that the controller was done with.
    pub completed: u64,
    /// The most packets that it held at once.
    pub held_most: u64,
    /// Time that it held a packet, on average, in nanoseconds.
    pub held_mean_ns: Option<u64>,
    /// The longest that it held one, in nanoseconds.
    pub held_longest_ns: u64,
    /// Packets that the log's writer has cut short.
    pub cut: u64,
    /// Reason that the connection ended, where the log has that.
    pub ended: Option<String>,
}

impl HostLink {
    pub(super) fn of(link: LoggedLink, adapter: u16, buffers: Option<(u16, u16)>, ended: Option<String>) -> Self {
        let interval = link.interval();
        let streams = [OWN, PEER].map(|side| stream(&link.lanes[side], interval, side == OWN));
        let [sent, received] = streams;
        let busier = |side: usize| link.lanes[side].octets;
        let sender = if busier(OWN) >= busier(PEER) { OWN } else { PEER };
        let terms = link.l2cap.channels.terms_of_receiver(sender);
        let peer = |[a, b, c, d, e, f]: [u8; 6]| format!("{f:02X}:{e:02X}:{d:02X}:{c:02X}:{b:02X}:{a:02X}");
        Self {
            adapter,
            handle: format!("0x{:04x}", link.handle),
            role: link.start.as_ref().map(|start| if start.central { "central" } else { "peripheral" }),
            peer: link.start.as_ref().map(|start| peer(start.peer)),
            intervals: link.intervals.iter().map(reported).collect(),
            latency: link.latency,
            timeout_ns: link.timeout.map(Duration::as_nanos),
            phy: link.phy.map(|phy| phy.map(sentences::phy)),
            data_length: link.data_length.map(|[sent_octets, sent_us, received_octets, received_us]| DataLength {
                sent_octets,
                sent_us,
                received_octets,
                received_us,
            }),
            frame_space_ns: link.frame_space.map(Duration::as_nanos),
            subrate: link.subrate,
            att_mtu: link.l2cap.att_mtu,
            mtu: terms.map(|terms| terms.mtu),
            mps: terms.map(|terms| terms.mps),
            credits: terms.map(|terms| terms.credits),
            encrypted: link.encrypted,
            buffers,
            sent,
            received,
            completed: link.queue.completed,
            held_most: link.queue.most,
            held_mean_ns: link.queue.held_mean().map(Duration::as_nanos),
            held_longest_ns: link.queue.held_longest.as_nanos(),
            cut: link.cut,
            ended,
        }
    }

    /// Sentences about the connection, the most important first.
    pub fn says(&self) -> Vec<String> {
        sentences::sentences(self)
    }
}

fn reported((at, interval): &(Instant, Duration)) -> Interval {
    Interval { from_ns: at.as_nanos(), interval: interval.to_string(), interval_ns: interval.as_nanos() }
}

/// The stream of a lane, if it had one.
fn stream(lane: &Lane, interval: Option<Duration>, own: bool) -> Option<Stream> {
    lane.first?;
    let span = lane.span(interval);
    let seconds = span.as_secs_f64();
    let per_second = |figure: f64| if seconds > 0.0 { figure / seconds } else { 0.0 };
    let waits = Wait::ALL.into_iter().zip(lane.waits).filter(|(_, time)| !time.is_zero());
    Some(Stream {
        octets: lane.octets,
        packets: lane.packets,
        longest: lane.longest,
        span_ns: span.as_nanos(),
        goodput_kbps: per_second(lane.octets as f64 * 8.0 / 1000.0),
        per_interval: interval.map(|interval| per_second(lane.packets as f64) * interval.as_secs_f64()),
        air_ns: lane.air.as_nanos(),
        waits: waits
            .map(|(wait, time)| Share { account: sentences::account(wait, own), ns: time.as_nanos() })
            .collect(),
    })
}
