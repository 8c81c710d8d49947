//! Keys of Wi-Fi through an ESP-hosted co-processor: the air, the bus and both chips, the host's TCP/IP stack, the path behind.

use airtime_core::Duration;
use airtime_keys::{Default, Key, Kind, Knob, Table, Turns};

use super::{HOST_TIME, LOSS_FORMS, NOBODY, key, span};

const APPLICATION: Knob = Knob::Of(Turns::Application);
const HOST: Knob = Knob::Of(Turns::HostFirmware);
const COPROCESSOR: Knob = Knob::Of(Turns::CoprocessorFirmware);
const ACCESS_POINT: Knob = Knob::Of(Turns::AccessPoint);

/// What the longest PPDU may be: 5.484 ms. IEEE Std 802.11-2020, Table 19-25, aPPDUMaxTime.
const PPDU: Kind = Kind::Span(Duration::from_micros(100), Duration::from_micros(5_484));

use Default::{Absent, Count, Flag, From, Text};
/// Names of the link.
pub const LINKS: &[&str] = &["wifi-hosted"];

/// Keys of this link, in the order of documentation and records.
pub const TABLES: &[Table] = &[Table::new(KEYS, LINKS)];

/// Every key of this link, in the order of documentation and records.
#[rustfmt::skip]
const KEYS: &[Key] = &[
    key("wifi.personality", Kind::Personality, Text("esp32-p4-c6"), NOBODY, "The chain of host, bus and co-processor."),
    key("wifi.band", Kind::Choice(&["2.4GHz", "5GHz"]), Text("2.4GHz"), ACCESS_POINT, "Band: 5 GHz has a SIFS of 16us and no signal extension."),
    key("wifi.channel", Kind::Count(1, 177), From("6; 36 in 5 GHz"), NOBODY, "Primary channel; the lab's channels are all alike."),
    key("wifi.standard", Kind::Choice(&["b", "g", "n", "ax"]), Text("n"), ACCESS_POINT, "PHY: DSSS and CCK, ERP-OFDM, HT or HE, one spatial stream."),
    key("wifi.width", Kind::Choice(&["20MHz", "40MHz"]), Text("20MHz"), ACCESS_POINT, "Width of the channel; an ESP32-C6 has 40 MHz for `n` only."),
    key("wifi.guard_interval", Kind::Choice(&["400ns", "800ns", "1600ns", "3200ns"]), From("400ns for n, 800ns for g and ax"), ACCESS_POINT, "Guard interval: 800ns for g; 400ns or 800ns for n; 800ns, 1600ns or 3200ns for ax."),
    key("wifi.preamble", Kind::Choice(&["long", "short"]), From("long for b"), ACCESS_POINT, "Preamble and header of DSSS and CCK: 192us, or 96us from 2 Mbit/s on; b only."),
    key("wifi.mcs", Kind::Count(0, 11), From("7; 3 for b"), NOBODY, "Rate index: 0 to 3 for b (1, 2, 5.5 and 11 Mbit/s), 0 to 7 for g (6 to 54 Mbit/s) and n, 0 to 11 for ax (an ESP32-C6 has 0 to 9). With `minstrel`, the highest one."),
    key("wifi.rate", Kind::Choice(&["fixed", "minstrel"]), Text("fixed"), NOBODY, "Whether the rate stays, or follows what gets through."),
    key("wifi.encrypted", Kind::Flag, Flag(true), ACCESS_POINT, "Whether frames carry the header and MIC of CCMP, 16 octets."),
    key("wifi.ampdu_max", Kind::Count(1, 64), Count(32), COPROCESSOR, "MPDUs in an A-MPDU at most, as the Block Ack agreement grants them; 1 is none."),
    key("wifi.whole_symbols", Kind::Flag, Flag(true), NOBODY, "Whether data with the short guard interval of HT ends at a multiple of 4us (IEEE Std 802.11-2020, 19.4.3); ns-3 and some published tables count whole symbols of 3.6us."),
    key("wifi.ppdu_max", PPDU, Text("5.484ms"), NOBODY, "Longest PPDU."),
    key("wifi.backoff", Kind::Choice(&["random", "mean"]), Text("random"), NOBODY, "Random, or always half of the smallest contention window: then a lone station's cycle is the closed form."),
    key("wifi.cw_min", Kind::Count(0, 1_023), From("15; 31 for b"), NOBODY, "Smallest contention window, a power of two less one. IEEE Std 802.11-2020, Table 9-155, AC_BE; aCWmin of DSSS is 31."),
    key("wifi.cw_max", Kind::Count(0, 1_023), Count(1_023), NOBODY, "Largest contention window."),
    key("wifi.access", Kind::Choice(&["edca", "dcf"]), Text("edca"), NOBODY, "Rules of the backoff: enhanced distributed channel access, or the distributed coordination function."),
    key("wifi.aifsn", Kind::Count(1, 15), From("3, AC_BE; 2, which is DIFS, for dcf"), NOBODY, "Slots of the inter-frame space behind SIFS."),
    key("wifi.slot", Kind::Choice(&["9us", "20us"]), From("9us; 20us for b"), ACCESS_POINT, "Slot time; 20us when the access point serves 802.11b."),
    key("wifi.ba_rate", Kind::Choice(&["1M", "2M", "5.5M", "11M", "6M", "12M", "24M", "mandatory"]), From("24M; mandatory for b"), NOBODY, "Rate of acknowledgements, Block Acks, RTS and CTS: fixed, or the highest of 6, 12 and 24 Mbit/s, of 1 and 2 for b, that is not above that of the data. 1M to 11M are for b only, and never above the data either."),
    key("wifi.rts_threshold", Kind::CountOrNone(0, 65_535), Absent, NOBODY, "Octets of a PSDU above which RTS and CTS go first, of every station: dot11RTSThreshold; 0 is in front of all data, absent or none never."),
    key("wifi.retry_limit", Kind::CountOrNone(1, 255), Count(7), NOBODY, "Transmissions of an MPDU, the first one among them, before it is given up: dot11ShortRetryLimit is 7. An RTS without CTS counts as one."),
    key("wifi.eifs", Kind::Flag, Flag(false), NOBODY, "Whether stations wait EIFS behind a PPDU they could not read."),
    key("wifi.stations", Kind::Count(1, 100), Count(1), NOBODY, "Stations that contend for the channel, this one among them; the others are saturated, or offer `wifi.others_rate` each."),
    key("wifi.others_rate", Kind::Rate, Absent, NOBODY, "What each of the other stations offers; absent: as much as it can send."),
    key("wifi.neighbour_load", Kind::Probability, From("0"), NOBODY, "Share of the time for which neighbours occupy the secondary channel of 40 MHz."),
    key("wifi.neighbour_burst", span(50, 10_000), Text("1ms"), NOBODY, "Mean time for which they occupy it at once."),
    key("wifi.secondary_busy", Kind::Choice(&["fall-back", "defer"]), Text("fall-back"), NOBODY, "What a station of 40 MHz does when the secondary channel is busy: it sends in 20 MHz, or waits. IEEE Std 802.11-2020, 11.15.9."),
    key("wifi.beacons", Kind::Flag, Flag(false), NOBODY, "Whether the access point sends a beacon every 102.4ms at 1 Mbit/s."),
    key("wifi.loss", Kind::none_or(LOSS_FORMS), Text("none"), NOBODY, "Loss of MPDUs at each receiver: per MPDU, per bit, or in bursts (Gilbert-Elliott)."),
    key("wifi.loss.per", Kind::Probability, Absent, NOBODY, "Probability that an MPDU is lost."),
    key("wifi.loss.ber", Kind::Probability, Absent, NOBODY, "Probability that a bit is wrong."),
    key("wifi.loss.good", Kind::Probability, Absent, NOBODY, "Loss of MPDUs outside bursts."),
    key("wifi.loss.bad", Kind::Probability, Absent, NOBODY, "Loss of MPDUs within a burst."),
    key("wifi.loss.every", span(1, 86_400_000_000), Absent, NOBODY, "Mean time between bursts."),
    key("wifi.loss.burst", span(1, 86_400_000_000), Absent, NOBODY, "Mean length of a burst."),

    key("hosted.bus", Kind::Choice(&["sdio", "none"]), Text("sdio"), NOBODY, "The bus between host and co-processor; `none` leaves out both chips and all of their buffers: a station that is always fed, for the air alone."),
    key("hosted.sdio_clock", Kind::Clock(400_000, 50_000_000), Text("40MHz"), HOST, "Clock of SDIO."),
    key("hosted.sdio_lines", Kind::Choice(&["1", "4"]), Text("4"), HOST, "Data lines of SDIO."),
    key("hosted.mode", Kind::Choice(&["streaming", "packet"]), Text("streaming"), HOST, "Whether one read takes all that the co-processor has, or one packet."),
    key("hosted.version", Kind::Choice(&["2.11", "2.12"]), Text("2.11"), HOST, "Behaviour of which version of esp-hosted-mcu: from 2.12 on a read is tried again when the task behind it was late, and the host's pool is fixed."),
    key("hosted.firmware", Kind::Choice(&["factory", "custom"]), Text("factory"), COPROCESSOR, "The co-processor's image; a factory image refuses commands for raw frames."),
    key("hosted.checksum", Kind::Flag, Flag(false), HOST, "Whether headers carry checksums; not by default on SDIO."),
    key("hosted.shared_core", Kind::Flag, Flag(false), HOST, "Whether the tasks of the SDIO driver share their core with the task that sends, which has no lower priority."),
    key("hosted.write_frame", HOST_TIME, From("the personality"), NOBODY, "Host: time of a frame that is written, besides the wire: buffer, header, copy, mutex, switch of tasks."),
    key("hosted.read_frame", HOST_TIME, From("the personality"), NOBODY, "Host: time of a frame that is read, besides the wire."),
    key("hosted.tx_queue", Kind::Count(1, 200), Count(20), HOST, "Frames of each priority in front of the bus on the host."),
    key("hosted.rx_queue", Kind::Count(1, 200), Count(20), HOST, "Frames of each priority behind the bus on the host."),
    key("hosted.tx_buffers", Kind::Count(1, 100), Count(20), COPROCESSOR, "SDIO buffers of the co-processor to the host."),
    key("hosted.rx_buffers", Kind::Count(1, 100), Count(20), COPROCESSOR, "SDIO buffers of the co-processor from the host."),
    key("hosted.throttle_high", Kind::Count(1, 100), Count(80), COPROCESSOR, "Load of its receive queue, in percent, above which the co-processor throttles the host."),
    key("hosted.throttle_low", Kind::Count(0, 99), Count(60), COPROCESSOR, "Load below which it stops."),
    key("hosted.wifi_tx_buffers", Kind::Count(1, 128), Count(64), HOST, "Dynamic Wi-Fi transmit buffers, which the host's `WifiInit` sets on the co-processor."),
    key("hosted.wifi_tx_retry", Kind::Flag, Flag(true), COPROCESSOR, "Whether the co-processor sleeps for 1ms and tries once more when no Wi-Fi transmit buffer is free, and sleeps again before it gives the packet up; otherwise it drops it at once."),
    key("hosted.wifi_static_rx", Kind::Count(2, 128), Count(16), HOST, "Static Wi-Fi receive buffers, set likewise."),
    key("hosted.wifi_dynamic_rx", Kind::Count(0, 128), Count(64), HOST, "Dynamic Wi-Fi receive buffers, set likewise."),
    key("hosted.rx_ba_window", Kind::Count(1, 64), Count(32), HOST, "Block Ack window the co-processor grants to who sends to it, set likewise."),
    key("hosted.handlers", Kind::Count(1, 32), Count(3), HOST, "Places for handlers of custom messages; raw frames take eight."),
    key("hosted.peer_data", Kind::Flag, Flag(false), HOST, "Whether custom messages are built in at all; raw frames need them."),
    key("hosted.start_up", span(0, 600_000_000), Text("18s"), NOBODY, "From power on until the transport is up, which an update waits for; about 18 s was observed."),
    key("hosted.image", Kind::Size(1_024, 2_097_152), Text("1182176B"), NOBODY, "Octets of the image of an update."),

    // esp-idf v5.5.1, components/lwip/Kconfig: SND_BUF and WND 2440 to 65535 without window scaling, MSS 536 to 1460.
    key("lwip.snd_buf", Kind::Count(2_440, 65_535), Count(65_534), HOST, "Send buffer of a TCP connection."),
    key("lwip.wnd", Kind::Count(2_440, 65_535), Count(65_534), HOST, "Receive window of a TCP connection."),
    key("lwip.mss", Kind::Count(536, 1_460), Count(1_440), HOST, "Largest segment."),
    key("lwip.rto_time", span(300_000, 60_000_000), Text("1.5s"), HOST, "Retransmission timeout of a fresh connection, counted in ticks of 500 ms that are rounded down: below 1000ms every tick with data under way is a timeout."),
    key("lwip.nodelay", Kind::Flag, Flag(true), APPLICATION, "Whether the application turns Nagle's algorithm off (`TCP_NODELAY`)."),
    key("lwip.so_sndbuf", Kind::Size(1, 10_000_000), Absent, NOBODY, "What the application asks for with `SO_SNDBUF`: lwIP's sockets do not implement it, so it has no effect."),
    key("lwip.sack_out", Kind::Flag, Flag(true), HOST, "Whether the receiver generates SACK; the sender ignores it either way."),
    key("lwip.ooseq_max_pbufs", Kind::Count(0, 64), Count(8), HOST, "Segments kept out of order per connection."),
    key("lwip.core_locking", Kind::Flag, Flag(true), HOST, "Whether calls run the stack under a lock instead of posting to its task."),
    key("lwip.shared_core", Kind::Flag, Flag(false), HOST, "Whether the task that sends and the stack's task run on one core, the sender before it."),
    key("lwip.on_error", Kind::Choice(&["spin", "yield", "sleep"]), Text("spin"), APPLICATION, "What the application does when a call to send fails: it tries again at once, lets other tasks run, or sleeps for a tick of 10 ms."),
    key("lwip.tcp_recvmbox", Kind::Count(6, 1_024), Count(64), HOST, "Places in the mailbox of a TCP socket."),
    key("lwip.udp_recvmbox", Kind::Count(6, 1_024), Count(64), HOST, "Places in the mailbox of a UDP socket."),
    key("lwip.tcpip_recvmbox", Kind::Count(6, 1_024), Count(64), HOST, "Places in the mailbox of the stack's task."),

    key("lwip_host.call", HOST_TIME, From("the personality"), NOBODY, "CPU time of a send or receive call besides its octets and segments."),
    key("lwip_host.kilooctet", HOST_TIME, From("the personality"), NOBODY, "CPU time of copying a thousand octets."),
    key("lwip_host.segment", HOST_TIME, From("the personality"), NOBODY, "CPU time of making a packet and handing it down."),
    key("lwip_host.input", HOST_TIME, From("the personality"), NOBODY, "CPU time of a packet that comes up."),
    key("lwip_host.switch", HOST_TIME, From("the personality"), NOBODY, "A switch to another task: for each call without core locking."),

    key("path.rtt", span(0, 10_000_000), Text("2ms"), NOBODY, "Round trip beyond the air, queues not counted."),
    key("path.queue", Kind::Count(1, 65_535), Count(64), NOBODY, "Packets that fit the queue at the narrowest place of the path; the next is dropped."),
    key("path.rate", Kind::Rate, Text("1Gbps"), NOBODY, "Rate of the narrowest place of the path behind the access point."),
    key("path.ap_queue", Kind::Count(1, 10_000), Count(256), NOBODY, "Packets the access point queues for the station."),
];
