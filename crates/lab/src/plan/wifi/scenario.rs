//! Everything one run of IP over Wi-Fi through an ESP-hosted co-processor needs to know.

use airtime_core::Duration;
use airtime_core::loss::Loss;
use airtime_core::units::{Bitrate, Frequency};
use airtime_keys::Run;
use airtime_net::traffic::Traffic;
use airtime_wifi::air::Phy;

use crate::personality::Chain;

/// The parameters of one run.
#[derive(Clone, Debug, PartialEq)]
pub struct Scenario {
    /// Name of the chain of host, bus and co-processor.
    pub personality: String,
    /// What is its own: costs and memories.
    pub chain: Chain,
    /// What is measured.
    pub test: Test,
    /// The channel and its stations.
    pub air: Air,
    /// The bus and both sides of it; none for the air alone.
    pub hosted: Option<Hosted>,
    /// The host's TCP/IP stack.
    pub lwip: Lwip,
    /// What is beyond the access point.
    pub path: Path,
    /// What is sent, if datagrams or streams are measured.
    pub traffic: Traffic,
    /// How long and how often.
    pub run: Run,
}

/// What is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Test {
    /// Datagrams or a stream.
    Traffic,
    /// Frames of the test interface between host and co-processor: the bus alone.
    Raw,
    /// What a promiscuous co-processor hears and hands to its host.
    Capture,
    /// An update of the co-processor.
    Ota,
}

/// The channel, and how this link uses it.
#[derive(Clone, Debug, PartialEq)]
pub struct Air {
    /// Band.
    pub band: Band,
    /// Primary channel.
    pub channel: u8,
    /// How data is sent; with a rate that follows, the highest.
    pub phy: Phy,
    /// Whether the rate follows what gets through.
    pub minstrel: bool,
    /// Whether frames carry header and MIC of CCMP.
    pub encrypted: bool,
    /// MPDUs of an A-MPDU at most.
    pub ampdu_max: u8,
    /// Whether data with the short guard interval of HT ends at a multiple of 4 µs.
    pub whole_symbols: bool,
    /// Longest PPDU.
    pub ppdu_max: Duration,
    /// Whether every backoff is half the smallest window.
    pub mean_backoff: bool,
    /// Smallest contention window.
    pub cw_min: u16,
    /// Largest contention window.
    pub cw_max: u16,
    /// Whether a backoff ends a slot earlier than with the distributed coordination function.
    pub edca: bool,
    /// Slots of the inter-frame space behind SIFS.
    pub aifsn: u8,
    /// Slot time.
    pub slot: Duration,
    /// Rate of responses.
    pub ba_rate: ControlRate,
    /// Octets of a PSDU above which RTS and CTS go first; none: never.
    pub rts_threshold: Option<u32>,
    /// Transmissions of an MPDU before it is given up; none: no limit.
    pub retry_limit: Option<u8>,
    /// Whether EIFS follows what could not be read.
    pub eifs: bool,
    /// Stations that contend, this one among them.
    pub stations: u16,
    /// What each of the others offers; none: as much as it can send.
    pub others_rate: Option<Bitrate>,
    /// Share of the time for which neighbours occupy the secondary channel.
    pub neighbour_load: f64,
    /// Mean time for which they do so at once.
    pub neighbour_burst: Duration,
    /// Whether a station of 40 MHz waits for the secondary channel instead of sending in 20 MHz.
    pub defer: bool,
    /// Whether the access point sends beacons.
    pub beacons: bool,
    /// Loss of MPDUs at each receiver.
    pub loss: Loss,
}

/// A band.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Band {
    /// 2.4 GHz.
    Ghz2,
    /// 5 GHz.
    Ghz5,
}

/// A rate of acknowledgements, Block Acks, RTS and CTS.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ControlRate {
    /// All of them like this.
    Fixed(Phy),
    /// The highest mandatory one that is not above the rate of what is answered.
    Mandatory,
}

/// The bus and both sides of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hosted {
    /// Clock of SDIO.
    pub clock: Frequency,
    /// Its data lines.
    pub lines: u8,
    /// How the host reads.
    pub mode: Mode,
    /// Behaviour of which version.
    pub version: Version,
    /// The co-processor's image.
    pub firmware: Firmware,
    /// Whether headers carry checksums.
    pub checksum: bool,
    /// Whether the tasks of the SDIO driver share their core with the sender.
    pub shared_core: bool,
    /// Frames of each priority in front of the bus, on the host.
    pub tx_queue: u16,
    /// Frames of each priority behind it, on the host.
    pub rx_queue: u16,
    /// SDIO buffers of the co-processor to the host.
    pub tx_buffers: u16,
    /// SDIO buffers of the co-processor from the host.
    pub rx_buffers: u16,
    /// Load in percent at which the co-processor throttles, and at which it stops.
    pub throttle: (u8, u8),
    /// Dynamic Wi-Fi transmit buffers.
    pub wifi_tx_buffers: u16,
    /// Whether the co-processor tries again, asleep in between, when none is free.
    pub wifi_tx_retry: bool,
    /// Static Wi-Fi receive buffers.
    pub wifi_static_rx: u16,
    /// Dynamic Wi-Fi receive buffers.
    pub wifi_dynamic_rx: u16,
    /// Block Ack window granted to who sends to the co-processor.
    pub rx_ba_window: u8,
    /// Places for handlers of custom messages.
    pub handlers: u8,
    /// Whether the host has custom messages built in.
    pub peer_data: bool,
    /// From power on until the transport is up.
    pub start_up: Duration,
    /// Octets of the image of an update.
    pub image: u32,
}

/// How the host reads from the co-processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Everything there is in one read.
    Streaming,
    /// A packet a read.
    Packet,
}

/// Behaviour of a version of esp-hosted-mcu, where it changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    /// 2.11.
    V2_11,
    /// 2.12.
    V2_12,
}

/// The co-processor's image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Firmware {
    /// As shipped.
    Factory,
    /// With handlers for raw frames.
    Custom,
}

/// The host's TCP/IP stack and the application's options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lwip {
    /// Send buffer.
    pub snd_buf: u32,
    /// Receive window.
    pub wnd: u32,
    /// Largest segment.
    pub mss: u16,
    /// Retransmission timeout of a fresh connection.
    pub rto_time: Duration,
    /// Whether Nagle's algorithm is off.
    pub nodelay: bool,
    /// Whether the receiver generates SACK.
    pub sack_out: bool,
    /// Segments kept out of order.
    pub ooseq_max_pbufs: u16,
    /// Whether calls run the stack under a lock.
    pub core_locking: bool,
    /// Whether the sending task and the stack's task share a core.
    pub shared_core: bool,
    /// Places in the mailbox of a TCP socket.
    pub tcp_recvmbox: u16,
    /// Places in the mailbox of a UDP socket.
    pub udp_recvmbox: u16,
    /// Places in the mailbox of the stack's task.
    pub tcpip_recvmbox: u16,
    /// What the application does when a call fails.
    pub on_error: OnError,
    /// What the stack costs.
    pub cost: StackCost,
}

/// CPU time of the stack and of the sockets above it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StackCost {
    /// Of a call.
    pub call: Duration,
    /// Of copying a thousand octets.
    pub kilooctet: Duration,
    /// Of making a packet and handing it down.
    pub segment: Duration,
    /// Of a packet that comes up.
    pub input: Duration,
    /// Of a switch to another task.
    pub switch: Duration,
}

/// What an application does when a call to send fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnError {
    /// It tries again at once.
    Spin,
    /// It lets other tasks run first.
    Yield,
    /// It sleeps for a tick.
    Sleep,
}

/// What is beyond the access point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Path {
    /// Round trip without queues.
    pub rtt: Duration,
    /// Packets that fit the queue of its narrowest place.
    pub queue: u16,
    /// Rate of that place.
    pub rate: Bitrate,
    /// Packets the access point queues for the station.
    pub ap_queue: u16,
}
