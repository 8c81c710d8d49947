//! The far end of a test: a host as Linux is, behind a path that never refuses a packet.
//!
//! As a receiver of streams: every segment acknowledged at once at first, then every second one or after 40 ms; at once when
//! something is missing or a gap is filled; a window that does not shrink; selective acknowledgements where they are permitted.
//! As a sender: ten segments to begin with, recovery by selective acknowledgements or by NewReno, a retransmission timeout of 200 ms
//! at least, doubled up to 120 s; a stream whose peer says nothing any more is given up as Linux does, without a word. Source: Linux,
//! net/ipv4/{tcp_input,tcp_output,tcp_timer}.c.
//!
//! What is not here: Cubic (its growth differs on long paths with loss; Reno here), RACK and tail loss probes (the last segment lost
//! waits for the timeout), proportional rate reduction (the window is halved at once), timestamps, window scaling (lwIP has none),
//! segments joined before they are acknowledged (GRO), a window that grows with use (it is what the configuration says), the linear
//! repetitions of a SYN (`tcp_syn_linear_timeouts`, Linux 6.5), an end to half-closed streams (`tcp_fin_timeout`: they wait for their
//! peer without a timer), a RST for what belongs to no stream any more.

mod connection;
mod host;

pub use host::Host;

use airtime_core::Duration;

/// Configuration of the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// Octets of an IP packet on its interface.
    pub mtu: usize,
    /// The receive window: at most 65,535 without scaling. Linux announces 44 segments of 1460 octets at first and stays within a
    /// segment of it (net/ipv4/tcp_output.c, `tcp_select_initial_window`, `__tcp_select_window`).
    pub window: u16,
    /// Time that an acknowledgement waits for a second segment (include/net/tcp.h, `TCP_DELACK_MIN`).
    pub ack_delay: Duration,
    /// Segments acknowledged at once at the start (include/net/tcp.h, `TCP_MAX_QUICKACKS`).
    pub quick_acks: u8,
    /// Set if selective acknowledgements are offered (`net.ipv4.tcp_sack`).
    pub sack: bool,
    /// The least that is added to the round trip for a retransmission timeout (include/net/tcp.h, `TCP_RTO_MIN`).
    pub min_rto: Duration,
    /// Segments a sender may have in flight at first (include/net/tcp.h, `TCP_INIT_CWND`; RFC 6928).
    pub initial_window: u32,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            mtu: 1_500,
            window: 64_240,
            ack_delay: Duration::from_millis(40),
            quick_acks: 16,
            sack: true,
            min_rto: Duration::from_millis(200),
            initial_window: 10,
        }
    }
}

/// Counts since the start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Number of packets sent.
    pub packets: u64,
    /// Segments with payload among them, repetitions included.
    pub segments: u64,
    /// Segments with payload that had been sent before.
    pub retransmissions: u64,
    /// Acknowledgements without payload that were sent.
    pub acks: u64,
    /// Acknowledgements that waited for their timer.
    pub delayed_acks: u64,
    /// Number of retransmission timeouts.
    pub timeouts: u64,
    /// Times a loss was found without a timeout.
    pub recoveries: u64,
    /// Segments that came in out of order.
    pub out_of_order: u64,
    /// Segments that brought nothing new.
    pub duplicates: u64,
    /// Octets of a stream that are not what was written.
    pub damaged: u64,
    /// Streams that were given up: their peer has reset them, or has said nothing for too long.
    pub aborted: u64,
}
