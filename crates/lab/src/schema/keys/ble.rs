//! Keys of a Bluetooth LE link.

use airtime_core::Duration;
use airtime_keys::{Default, Key, Kind, Knob, Table, Turns};

use super::{HOST_TIME, LOSS_FORMS, NOBODY, key, span};
use crate::plan::ble::PACING;
use crate::schema::credits::{CREDIT_FORMS, CREDIT_WORDS};

/// Connection intervals are multiples of this. Core 6.0, Vol 6, Part B, 4.5.1.
pub const INTERVAL_GRID: Duration = Duration::from_micros(1_250);

/// Shortest connection interval without shorter connection intervals. Core 6.0, Vol 6, Part B, 4.5.1.
pub const INTERVAL_MIN: Duration = Duration::from_micros(7_500);

const FIRMWARE: Knob = Knob::Of(Turns::Firmware);
const APPLICATION: Knob = Knob::Of(Turns::CentralApplication);
const SENDER: Knob = Knob::Sender;
const RECEIVER: Knob = Knob::Receiver;

/// A connection interval; whether it is on the grid is checked with both personalities at hand.
const INTERVAL: Kind = span(125, 4_000_000);

use Default::{Absent, Count, Flag, From, Text};
/// Every Bluetooth LE link.
const ALL: &[&str] = &["ble-coc", "ble-gatt", "ble-rpc"];

/// Keys of a Bluetooth LE link, in the order of documentation and records.
pub const TABLES: &[Table] = &[
    Table::new(DEVICES, ALL),
    Table::new(COC, &["ble-coc", "ble-rpc"]),
    Table::new(GATT, &["ble-gatt", "ble-rpc"]),
    Table::new(HOSTS, ALL),
    Table::new(super::rpc::KEYS, &["ble-rpc"]),
];

/// Keys of the two devices and of the link between them.
#[rustfmt::skip]
const DEVICES: &[Key] = &[
    key("central.personality", Kind::Personality, Text("zephyr-ll"), NOBODY, "The device that initiates the connection."),
    key("central.host", Kind::Choice(&["model", "trouble"]), Text("model"), NOBODY, "The host on the central: the lab's own, or TrouBLE (`trouble-host`), unmodified."),
    key("peripheral.personality", Kind::Personality, Text("zephyr-ll"), NOBODY, "The device that advertises."),
    key("peripheral.host", Kind::Choice(&["model", "trouble"]), Text("model"), NOBODY, "The host on the peripheral."),

    key("ble.conn_interval", INTERVAL, From("the central's first interval"), Knob::Interval, "Connection interval asked for at the start; what is granted is the central's business."),
    key("ble.request_interval", INTERVAL, Absent, FIRMWARE, "Interval the peripheral asks for after connecting."),
    key("ble.change_interval", Kind::Forms { words: &["none"], forms: &[&["at", "to"]] }, Text("none"), NOBODY, "A change of the interval during the stream."),
    key("ble.change_interval.at", span(0, 86_400_000_000), Absent, NOBODY, "When, from the start of the stream."),
    key("ble.change_interval.to", INTERVAL, Absent, NOBODY, "The interval asked for then."),
    // Core 6.0, Vol 6, Part B, 4.5.1: peripheral latency at most 499, supervision timeout 100 ms to 32 s.
    key("ble.latency", Kind::Count(0, 499), Count(0), APPLICATION, "Peripheral latency: connection events the peripheral may sleep through."),
    key("ble.supervision_timeout", span(100_000, 32_000_000), From("4 s, or six times what the interval and the latency need"), APPLICATION, "A link silent for this long is lost."),
    key("ble.phy", Kind::Choice(&["1M", "2M", "S2", "S8"]), From("2M, or 1M when one end has no 2M"), FIRMWARE, "PHY in both directions."),
    // Core 6.0, Vol 4, Part E, 7.8.151: frame space 0 to 10000 µs.
    key("ble.frame_space", span(0, 10_000), Text("150us"), FIRMWARE, "Time between two packets; other than 150us is negotiated by the frame space update procedure."),
    key("ble.data_length", Kind::Count(27, 251), From("251, or the controllers' own limit"), FIRMWARE, "LL payload octets both ends ask for."),
    key("ble.data_length_gate", Kind::Flag, Flag(true), FIRMWARE, "Whether the stream waits until the data length is negotiated."),
    key("ble.stop_advertising", Kind::Flag, Flag(true), FIRMWARE, "Whether the peripheral stops advertising once it is connected."),
    key("ble.encrypted", Kind::Flag, Flag(false), FIRMWARE, "Whether the link is encrypted: four octets of MIC per data PDU."),
    key("ble.direction", Kind::Choice(&["p2c", "c2p", "both"]), Text("p2c"), NOBODY, "Which way the stream goes: peripheral to central, central to peripheral, or both at once."),
    key("ble.peripherals", Kind::Count(1, 4), Count(1), APPLICATION, "Peripherals that stream with one central at the same time."),
    key("ble.interference", Kind::Choice(&["none", "co-channel"]), Text("none"), NOBODY, "Whether links that meet on a channel at the same time destroy each other's packets."),
    key("ble.loss", Kind::Forms { words: &["none"], forms: LOSS_FORMS }, Text("none"), NOBODY, "Packet loss: per packet, per bit, or in bursts (Gilbert-Elliott)."),
    key("ble.loss.per", Kind::Probability, Absent, NOBODY, "Probability that a packet is lost."),
    key("ble.loss.ber", Kind::Probability, Absent, NOBODY, "Probability that a bit is wrong."),
    key("ble.loss.good", Kind::Probability, Absent, NOBODY, "Packet loss outside bursts."),
    key("ble.loss.bad", Kind::Probability, Absent, NOBODY, "Packet loss within a burst."),
    key("ble.loss.every", span(1, 86_400_000_000), Absent, NOBODY, "Mean time between bursts."),
    key("ble.loss.burst", span(1, 86_400_000_000), Absent, NOBODY, "Mean length of a burst."),
    // A complete local name fits a scan response of 31 octets with its length and type.
    key("ble.name", Kind::Text(29), Text("nRF54L15_Test"), NOBODY, "Name the peripheral advertises and the central scans for."),
    key("ble.scan_timeout", span(10_000, 600_000_000), Text("15s"), NOBODY, "How long the central scans."),
];

/// Keys of a credit-based channel.
#[rustfmt::skip]
const COC: &[Key] = &[
    // Core 6.0, Vol 3, Part A, 4.22: MTU 23..=65535, MPS 23..=65533.
    key("coc.sdu", Kind::Count(1, 65_535), From("492, or the receiver's MTU if that is less"), SENDER, "Octets per SDU."),
    key("coc.mps", Kind::Count(23, 65_533), From("the receiver's personality"), RECEIVER, "Largest K-frame payload the receiver takes."),
    key("coc.mtu", Kind::Count(23, 65_535), From("the receiver's personality"), RECEIVER, "Largest SDU the receiver takes."),
    key("coc.in_flight", Kind::Count(1, 255), Count(6), SENDER, "SDUs per channel the application has under way at once."),
    key("coc.channels", Kind::Count(1, 4), Count(1), SENDER, "Channels per connection that stream at once."),
    key("coc.tx_buffers", Kind::Count(1, 255), From("the sender's personality"), SENDER, "L2CAP transmit buffers of the sender's stack."),
    key("coc.pacing", PACING, Text("semaphore"), SENDER, "Whether the application waits for room, or sleeps after each SDU."),
    key("coc.credits", Kind::Forms { words: CREDIT_WORDS, forms: CREDIT_FORMS }, From("the receiver's personality"), RECEIVER, "How the receiver hands out credits."),
    key("coc.credits.initial", Kind::Count(0, 65_535), Absent, RECEIVER, "Credits in the handshake."),
    key("coc.credits.on_connect", Kind::Count(0, 65_535), Absent, RECEIVER, "Credits granted as soon as the channel is open."),
    key("coc.credits.grant", Kind::Count(1, 65_535), Absent, RECEIVER, "Credits per grant."),
    key("coc.credits.every", Kind::Count(1, 65_535), Absent, RECEIVER, "K-frames received between grants."),
    key("coc.credits.max", Kind::Count(1, 65_535), Absent, RECEIVER, "Credits when full, refilled at half."),
    key("coc.credits.below", Kind::Count(1, 65_535), Absent, RECEIVER, "Fewer outstanding than this trigger a refill to `initial`."),
    key("coc.credits.octets", Kind::Count(1, 4_294_967_295), Absent, RECEIVER, "Octets of the receive buffer the credits fill."),
];

/// Keys of a characteristic.
#[rustfmt::skip]
const GATT: &[Key] = &[
    // Core 6.0, Vol 3, Part F, 3.2.8 and 3.2.9: ATT MTU from 23, values up to 512 octets.
    key("gatt.mtu", Kind::Count(23, 65_535), From("the smaller of both personalities'"), FIRMWARE, "ATT MTU the firmware offers; the smaller of both ends' is used."),
    key("gatt.payload", Kind::Count(1, 512), From("what fits the MTU: 3 less, at most 512"), SENDER, "Octets per value."),
    key("gatt.method", Kind::Choice(&["notify", "write-command"]), From("notify for p2c, write-command for c2p, each its own for both"), NOBODY, "How values travel."),
    key("gatt.in_flight", Kind::Count(1, 255), Count(6), SENDER, "Values the application has under way at once."),
    key("gatt.tx_buffers", Kind::Count(1, 255), From("the sender's personality"), SENDER, "Transmit buffers of the sender's stack."),
    key("gatt.pacing", PACING, Text("semaphore"), SENDER, "Whether the application waits for room, or sleeps after each value."),
];

/// Keys of buffers and CPUs.
#[rustfmt::skip]
const HOSTS: &[Key] = &[
    key("acl.count", Kind::Count(1, 255), From("the sender's personality"), SENDER, "ACL packets the sender's controller buffers."),
    key("acl.size", Kind::Count(27, 4_096), From("the sender's personality"), SENDER, "Octets of each."),

    key("host.task_priority", Kind::Choice(&["below", "above"]), From("the sender's personality"), SENDER, "Where the stream task runs, seen from the Bluetooth task."),
    key("host.latency", HOST_TIME, From("the sender's personality"), SENDER, "From a packet leaving the controller to the sender's Bluetooth task."),
    key("host.packet_time", HOST_TIME, From("the sender's personality"), SENDER, "CPU time of the sender's Bluetooth task per HCI packet."),
    key("host.sdu_time", HOST_TIME, From("the sender's personality"), SENDER, "CPU time of the sender's stream task per SDU or value."),
    key("peer_host.latency", HOST_TIME, From("the receiver's personality"), RECEIVER, "From a packet leaving the controller to the receiver's Bluetooth task."),
    key("peer_host.packet_time", HOST_TIME, From("the receiver's personality"), RECEIVER, "CPU time of the receiver's Bluetooth task per HCI packet."),
];
