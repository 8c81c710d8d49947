//! Personality of a device as plain data: the choices in which devices differ.
//!
//! The file form, with value, status and source of every key, lives in `airtime-lab`.

use airtime_core::Duration;

/// Behaviour of a controller where the specification leaves it a choice.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Controller {
    /// Margin before `stop` (the next anchor, or the start of another activity) at which the last packet of an event
    /// must have ended, the inter frame space in use not counted: the two together are the lead.
    pub margin: Duration,
    /// Amount that must fit before `stop` for an event to go on.
    pub budget: Budget,
    /// No exchange starts that would end later than this after the anchor, if there is a cap.
    pub event_time_cap: Option<Duration>,
    /// At most this many packets of this device in one event, if there is a cap.
    pub event_pdu_cap: Option<u16>,
    /// Consecutive packets with a wrong CRC that close an event. Core 6.0, Vol 6, Part B, 4.5.1: 2.
    pub crc_errors_close: u8,
    /// Time before the start of a packet by which its data must be queued.
    pub queue_ahead: Duration,
    /// Moment at which acknowledged packets are reported to the host.
    pub completed_packets: CompletedPackets,
    /// ACL packets the controller buffers from its host.
    pub acl_count: u8,
    /// Octets of each such packet.
    pub acl_size: u16,
    /// LL PDUs the controller holds for a host that has no room.
    pub rx_buffers: u8,
    /// Largest LL payload, 27..=251 octets.
    pub data_octets: u16,
    /// Shortest frame space it can do, if it supports the frame space update procedure.
    pub frame_space_min: Option<Duration>,
    /// Support of LE 2M.
    pub phy_2m: bool,
    /// Support of LE Coded.
    pub phy_coded: bool,
    /// Support of channel selection algorithm #2.
    pub csa2: bool,
    /// Support of the connection parameters request procedure.
    pub parameter_request: bool,
    /// Distance between the anchors of two connections of one central.
    pub link_spacing: Duration,
    /// Sleep clock accuracy it declares, in parts per million.
    pub clock_ppm: u16,
    /// Shortest connection interval; 7.5 ms without shorter connection intervals.
    pub interval_min: Duration,
}

/// Budget of a side before it lets an event go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Budget {
    /// Own next packet and an empty reply (Zephyr's `ll_sw_split`).
    EmptyReply,
    /// Own next packet, a packet of the effective maximum length from the peer, and two gaps
    /// (Nordic's SoftDevice Controller).
    FullReply,
}

/// Rule by which a controller sends Number Of Completed Packets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CompletedPackets {
    /// Report as soon as an ACL packet's last PDU is acknowledged.
    PerPdu,
    /// Once at the end of each connection event.
    PerEvent,
}

/// Behaviour of a host.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Host {
    /// Delay between a packet leaving the controller and the Bluetooth task being ready to take it
    /// (bus, driver, wake-up); occupies no CPU.
    pub latency: Duration,
    /// CPU time of the Bluetooth task per HCI packet it takes in.
    pub packet_time: Duration,
    /// CPU time of the application's stream task per SDU it makes.
    pub sdu_time: Duration,
    /// Priority of the stream task: above or below the Bluetooth task.
    pub stream_task: TaskPriority,
    /// ATT MTU it offers.
    pub att_mtu: u16,
    /// Largest SDU it takes on a credit-based channel.
    pub coc_mtu: u16,
    /// Largest K-frame payload it takes on a credit-based channel.
    pub coc_mps: u16,
    /// Policy by which it hands out credits.
    pub credits: CreditPolicy,
    /// K-frames the stack holds between the channel and the controller: L2CAP transmit buffers.
    pub l2cap_tx_buffers: u8,
    /// ACL packets the host takes before the controller must wait, if host flow control is on.
    pub flow_control: Option<u8>,
    /// Connection intervals that it grants as a central.
    pub intervals: Intervals,
}

/// Priority between two tasks on one CPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "plan", derive(airtime_keys::Words))]
pub enum TaskPriority {
    /// The stream task waits while the Bluetooth task has work.
    Below,
    /// The Bluetooth task waits while the stream task has work.
    Above,
}

/// The connection intervals a central grants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Intervals {
    /// The interval of a fresh connection when the application asks for none.
    pub initial: Duration,
    /// Set if the application can choose the first interval; if not, `initial` it is.
    pub application_chooses: bool,
    /// Shortest it grants.
    pub min: Duration,
    /// Longest it grants.
    pub max: Duration,
    /// Grants only multiples of this.
    pub multiple_of: Duration,
    /// Treatment of a request off its grid.
    pub off_grid: OffGrid,
}

/// Treatment by a central of a requested interval that is not on its grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OffGrid {
    /// Rejects the request; the interval stays as it is.
    Reject,
    /// Grants the next longer interval of its grid.
    Adjust,
}

/// Policy by which a receiver hands out credits on an LE credit-based channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CreditPolicy {
    /// Zephyr `recv`: 1 initial; the remainder of the SDU after its first K-frame in one
    /// indication; 1 when the SDU completes.
    ZephyrRecv,
    /// `initial` in the connection response, `on_connect` in an indication right after, then
    /// `grant` for every `every` K-frames received: Zephyr `seg_recv`, and batched policies.
    PerFrames {
        /// Credits in the connection request or response.
        initial: u16,
        /// Credits granted as soon as the channel is open.
        on_connect: u16,
        /// Credits per grant.
        grant: u16,
        /// K-frames between grants.
        every: u16,
    },
    /// Back to `max` when at most half of it is outstanding (Bumble).
    RefillAtHalf {
        /// Credits when full.
        max: u16,
    },
    /// `initial`, then back to `initial` when fewer than `below` are outstanding (Android).
    RefillBelow {
        /// Credits when full.
        initial: u16,
        /// Fewer outstanding than this trigger a refill.
        below: u16,
    },
    /// As many K-frames as fill the free socket buffer (BlueZ).
    SocketBuffer {
        /// Octets of the receive buffer.
        octets: u32,
    },
}
