//! The keys of a personality's file.

use airtime_ble::plan::CREDITS;
use airtime_core::Duration;

use crate::schema::Kind;

/// One key of a personality.
#[derive(Clone, Copy, Debug)]
pub struct PersonalityKey {
    /// Dotted name: `controller.margin`.
    pub name: &'static str,
    /// What values it takes.
    pub kind: Kind,
    /// One line about it.
    pub doc: &'static str,
}

const fn key(name: &'static str, kind: Kind, doc: &'static str) -> PersonalityKey {
    PersonalityKey { name, kind, doc }
}

/// A time in µs.
const fn span(min_us: u64, max_us: u64) -> Kind {
    Kind::Span(Duration::from_micros(min_us), Duration::from_micros(max_us))
}

/// A time in µs, or `"none"`.
const fn span_or_none(min_us: u64, max_us: u64) -> Kind {
    Kind::SpanOrNone(Duration::from_micros(min_us), Duration::from_micros(max_us))
}

/// A connection interval or the grid of them.
const INTERVAL: Kind = span(125, 4_000_000);

/// Every key, in the order of the documentation.
#[rustfmt::skip]
pub const PERSONALITY_KEYS: &[PersonalityKey] = &[
    key("controller.margin", span(0, 10_000), "Time before the next anchor by which an event's last packet has ended, the frame space not counted."),
    key("controller.budget", Kind::Choice(&["empty-reply", "full-reply"]), "What must fit for an event to go on, beside the own next packet."),
    key("controller.event_time_cap", span_or_none(1_000, 4_000_000), "No exchange starts that would end later than this after the anchor."),
    key("controller.event_pdu_cap", Kind::CountOrNone(1, 65_535), "Most packets of this device in one event."),
    key("controller.crc_errors_close", Kind::Count(1, 255), "Consecutive packets with a wrong CRC that close an event."),
    key("controller.queue_ahead", span(0, 10_000), "How long before a packet starts its data must be queued."),
    key("controller.completed_packets", Kind::Choice(&["per-pdu", "per-event"]), "When acknowledged packets are reported to the host."),
    key("controller.acl_count", Kind::Count(1, 255), "ACL packets the controller buffers from its host."),
    key("controller.acl_size", Kind::Count(27, 4_096), "Octets of each."),
    key("controller.rx_buffers", Kind::Count(1, 255), "LL PDUs the controller holds for a host that has no room."),
    key("controller.data_octets", Kind::Count(27, 251), "Largest LL payload."),
    key("controller.frame_space_min", span_or_none(0, 10_000), "Shortest frame space, if it supports the frame space update procedure."),
    key("controller.phy_2m", Kind::Flag, "Whether it supports LE 2M."),
    key("controller.phy_coded", Kind::Flag, "Whether it supports LE Coded."),
    key("controller.csa2", Kind::Flag, "Whether it supports channel selection algorithm #2."),
    key("controller.parameter_request", Kind::Flag, "Whether it supports the connection parameters request procedure."),
    key("controller.link_spacing", span(0, 1_000_000), "Distance between the anchors of two connections of one central."),
    key("controller.clock_ppm", Kind::Count(0, 500), "Sleep clock accuracy it declares, in parts per million."),
    key("controller.interval_min", span(125, 7_500), "Shortest connection interval; 7.5 ms without shorter connection intervals."),
    key("host.latency", span(0, 1_000_000), "From a packet leaving the controller to the Bluetooth task being ready for it."),
    key("host.packet_time", span(0, 1_000_000), "CPU time of the Bluetooth task per HCI packet."),
    key("host.sdu_time", span(0, 1_000_000), "CPU time of the stream task per SDU or value."),
    key("host.stream_task", Kind::Choice(&["below", "above"]), "Where the stream task runs, seen from the Bluetooth task."),
    key("host.att_mtu", Kind::Count(23, 65_535), "ATT MTU it offers."),
    key("host.coc_mtu", Kind::Count(23, 65_535), "Largest SDU it takes on a credit-based channel."),
    key("host.coc_mps", Kind::Count(23, 65_533), "Largest K-frame payload it takes on a credit-based channel."),
    key("host.credits", CREDITS, "How it hands out credits."),
    key("host.l2cap_tx_buffers", Kind::Count(1, 255), "K-frames the stack holds between a channel and the controller."),
    key("host.flow_control", Kind::CountOrNone(1, 255), "ACL packets it takes before the controller must wait."),
    key("host.intervals.initial", INTERVAL, "Interval of a fresh connection when nobody asks for one."),
    key("host.intervals.application_chooses", Kind::Flag, "Whether the application can choose the first interval."),
    key("host.intervals.min", INTERVAL, "Shortest interval it grants."),
    key("host.intervals.max", INTERVAL, "Longest interval it grants."),
    key("host.intervals.multiple_of", INTERVAL, "Grants only multiples of this."),
    key("host.intervals.off_grid", Kind::Choice(&["reject", "adjust"]), "What it does with a request off its grid: rejects it, or grants the next longer interval."),
];

/// A share of the RAM of a chip.
const MEMORY: Kind = Kind::Size(0, 1_000_000_000);

/// Every key of a chain of host, bus and Wi-Fi co-processor, in the order of the documentation.
#[rustfmt::skip]
pub const CHAIN_KEYS: &[PersonalityKey] = &[
    key("bus.transaction", span(0, 1_000_000), "Host: a register access besides the wire."),
    key("bus.wake", span(0, 1_000_000), "Host: from the card's interrupt to the first transaction of the task that reads."),
    key("bus.write_frame", span(0, 1_000_000), "Host: a frame that is written, besides the wire: buffer, header, copy, mutex, switch of tasks."),
    key("bus.read_frame", span(0, 1_000_000), "Host: a frame that is read, besides the wire."),
    key("bus.copy_frame", span(0, 1_000_000), "Host: the second copy of a frame that was read, in the task behind the reading one."),
    key("stack.call", span(0, 1_000_000), "CPU time of a send or receive call besides its octets and segments."),
    key("stack.kilooctet", span(0, 1_000_000), "CPU time of copying a thousand octets between application and stack."),
    key("stack.segment", span(0, 1_000_000), "CPU time of making a packet and handing it to the interface."),
    key("stack.input", span(0, 1_000_000), "CPU time of a packet that comes up."),
    key("stack.switch", span(0, 1_000_000), "A switch to another task."),
    key("coprocessor.to_air", span(0, 1_000_000), "A frame from the SDIO buffers of the co-processor to its Wi-Fi transmit buffers."),
    key("coprocessor.from_air", span(0, 1_000_000), "A frame from its Wi-Fi receive buffers to its SDIO buffers."),
    key("coprocessor.he_40mhz", Kind::Flag, "Whether the radio has HE in 40 MHz."),
    key("coprocessor.he_mcs_max", Kind::Count(0, 11), "Highest HE rate index of the radio."),
    key("coprocessor.band_5ghz", Kind::Flag, "Whether the radio has 5 GHz."),
    key("memory.host_internal", MEMORY, "RAM within the host chip that its program can use."),
    key("memory.host_external", MEMORY, "RAM beside it."),
    key("memory.coprocessor", MEMORY, "RAM within the co-processor that its program can use."),
    key("memory.transport_block", MEMORY, "Octets of a buffer of the transport, on either side."),
    key("memory.wifi_buffer", MEMORY, "Octets of a Wi-Fi buffer."),
    key("memory.pbuf", MEMORY, "Octets of a packet of the stack with its descriptor."),
];

/// The key of this dotted name among `keys`.
pub(super) fn find(keys: &'static [PersonalityKey], name: &str) -> Option<&'static PersonalityKey> {
    keys.iter().find(|key| key.name == name)
}

/// Whether `name` is a table of `keys`.
pub(super) fn is_table(keys: &[PersonalityKey], name: &str) -> bool {
    keys.iter().any(|key| key.name.strip_prefix(name).is_some_and(|rest| rest.starts_with('.')))
}
